"""``equilibrium``: how a scene hangs at rest."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from scipy.linalg import null_space

from towsim.errors import SceneError, SceneWarning
from towsim.given import a_whole_number
from towsim.model.arrays import Floats, State
from towsim.model.compile import compile_scene
from towsim.scene import Scene
from towsim.statics.indeterminate import undetermined
from towsim.statics.rest import rest
from towsim.statics.search import Found
from towsim.statics.system import NO_TENSION, System
from towsim.statics.verdict import PULLS, judge

SAME = 1e-6
"""Equilibria whose bodies are this close to each other, relative to the shortest wire, are one."""

STRAINED = 1e4
"""Pull of a hard wire, as a multiple of the loads, from which it is warned of: a sag below 1e-4 of its length."""


@dataclass(frozen=True)
class Hung:
    """A massive cable at rest.

    Attributes
    ----------
    root, tip : what holds its ends: "body", "body.point", "robot", or "free"
    root_force, tip_force : (3,) of that on these ends, world axes [N]
    tension : largest of the two [N]
    length, stretched : unstrained, and as it hangs [m]
    nodes : (n + 1, 3) ends of the elements, root first [m]
    """

    root: str
    tip: str
    root_force: Floats
    tip_force: Floats
    tension: float
    length: float
    stretched: float
    nodes: Floats


@dataclass(frozen=True, repr=False)
class Equilibrium:
    """A scene at rest.

    Attributes
    ----------
    scene : as it was declared
    bodies : names, in the order of ``position`` (nb, 3) [m] and ``quaternion`` (nb, 4), wxyz
    tension : of the massless wires by name [N]; 0 where they are slack
    length : of the wires that were to be held at a tension: how long they are then, unstrained, by name [m]
    paths : points (k, 3) that the massless wires run through, by name [m]
    cables : the mrfe cables by name
    joints : coordinates of joints with an axis by name [m or rad]
    at_length : massless wires, slack ones, that are at their length and bear nothing, and so stop motions to one side
    contact : forces (3,) of the ground on what touches it, by the contact's name, world axes [N]
    undetermined : wires, contacts and joints whose forces are not the only ones with which this is a rest: they share
        the loads evenly here (least norm, if no wire would push then), where lengths decide that are known to no one
    stability : "stable", "neutral" (something moves freely, such as a spin) or "unstable" (a small motion grows)
    curvature : (n,) eigenvalues of the potential energy's second derivative over the mass, along what the active rows
        leave free, ascending [1/s²]: squares of the frequencies where no cable has mass; of the symmetric part of the
        stiffness where loads have no potential
    error : what forces and gaps miss, relative to the loads and the length
    steps : of the search
    """

    scene: Scene
    bodies: tuple[str, ...]
    position: Floats
    quaternion: Floats
    tension: Mapping[str, float]
    length: Mapping[str, float]
    paths: Mapping[str, Floats]
    cables: Mapping[str, Hung]
    contact: Mapping[str, Floats]
    undetermined: tuple[str, ...]
    stability: str
    curvature: Floats
    error: float
    steps: int
    joints: Mapping[str, float]
    at_length: tuple[str, ...]
    _system: System = field(compare=False)

    @property
    def slack(self) -> tuple[str, ...]:
        """Massless wires that do not pull; springs that push are none."""
        most = max(map(abs, self.tension.values()), default=0.0)
        return tuple(name for name, pull in self.tension.items() if not abs(pull) > PULLS * most)

    @property
    def state(self) -> State:
        """The state, for ``Simulation.state``.

        Raises
        ------
        UsageError : the scene has an arm that is free or has a ball joint, see ``Joint.reduced``
        """
        return self._system.state()

    def __repr__(self) -> str:
        return f"<Equilibrium of {self.scene.name}: {self.stability}, error {self.error:.1e}>\n{self.table()}"

    def table(self) -> str:
        """Places, tensions and forces as text, with units."""
        rows: list[tuple[str, ...]] = []
        for name, p, q in zip(self.bodies, self.position, self.quaternion, strict=True):
            turned = "" if abs(q[0]) > 1.0 - 1e-14 else f"turned by {np.degrees(2 * np.arccos(min(abs(q[0]), 1))):.4g}°"
            rows.append((f"body {name}", f"at ({_numbers(p)}) m", turned))
        for name, c in self.joints.items():
            rows.append((f"joint {name}", f"at {c + 0.0:.6g}", ""))
        for name, pull in self.tension.items():
            long = f"at length {self.length[name]:.6g} m" if name in self.length else ""
            long = "at its length, without tension" if name in self.at_length and name in self.slack else long
            told = "slack" if name in self.slack else f"{pull:.6g} N"
            rows.append((f"wire {name}", told, f"{long} {self._doubt(name)}".strip()))
        for name, one in self.cables.items():
            rows.append(
                (f"cable {name}", f"{one.tension:.6g} N", f"end {one.root} held by ({_numbers(one.root_force)}) N")
            )
            rows.append(("", "", f"end {one.tip} held by ({_numbers(one.tip_force)}) N"))
        for name, force in self.contact.items():
            told = f"({_numbers(force)}) N" if np.any(force) else "lifted"
            rows.append((f"contact {name}", told, self._doubt(name)))
        widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
        return "\n".join(f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c in rows)

    def _doubt(self, name: str) -> str:
        return "not unique" if name in self.undetermined else ""

    def to_dict(self) -> dict[str, object]:
        """All of it as plain numbers and names, for JSON."""
        return {
            "scene": self.scene.name,
            "stability": self.stability,
            "curvature": self.curvature.tolist(),
            "error": self.error,
            "bodies": {
                name: {"position": p.tolist(), "quaternion": q.tolist()}
                for name, p, q in zip(self.bodies, self.position, self.quaternion, strict=True)
            },
            "tension": dict(self.tension),
            "slack": list(self.slack),
            "at_length": list(self.at_length),
            "length": dict(self.length),
            "cables": {
                name: {
                    "root": one.root,
                    "tip": one.tip,
                    "root_force": one.root_force.tolist(),
                    "tip_force": one.tip_force.tolist(),
                }
                for name, one in self.cables.items()
            },
            "contact": {name: force.tolist() for name, force in self.contact.items()},
            "undetermined": list(self.undetermined),
        }


def equilibrium(scene: Scene, *, tension: Mapping[str, float] = NO_TENSION) -> Equilibrium:
    """Where a scene is at rest: found from its declared start, with the robots, lengths and loads of t = 0.

    Rigid and elastic wires (taut or slack), routes, mrfe cables, joints and contacts take part with the laws that runs
    have. Contacts with friction that stand on the ground stay there, if friction can hold them, and so do those that
    land where nothing else brings the scene to rest; wires slip over what they pass without friction. Vehicles are held
    where they are. The search goes downhill in the potential energy, and the declared start need not satisfy its wires:
    they are drawn tight, and feet with friction slide on the way only if they have to.

    Parameters
    ----------
    scene : its start is where the search begins; ``start`` itself does not matter
    tension : of massless wires whose winches hold it, by name [N]; the others have their length

    Raises
    ------
    UsageError : ``tension`` names no massless wire, or is below zero
    SceneError : a body falls, because nothing holds it (a proof, by name); rows contradict each other; friction cannot
        hold what stands (a proof, too); pulleys are inside each other; or no rest was found
    """
    system = System(compile_scene(scene), tension=tension)
    found = _equilibrium(system, rest(system))
    for doubt in (*_strained(found), *_breaking(found)):
        warnings.warn(doubt, SceneWarning, stacklevel=2)
    return found


def _first_of_largest(numbers: Mapping[str, float]) -> str:
    """Name of the largest number, of those that differ by rounding the first."""
    largest = max(numbers.values())
    return next(name for name, number in numbers.items() if number >= (1.0 - 1e-6) * largest)


def _breaking(found: Equilibrium) -> Iterator[str]:
    """Of the wire that is farthest beyond what it bears: a run that starts there begins with its breaking."""
    bears = {name: one.break_.tension for name, one in found.scene.wires.items() if one.break_ and one.break_.tension}
    over = {name: found.tension[name] / most for name, most in bears.items() if found.tension[name] > most}
    if over:
        worst = _first_of_largest(over)
        yield (
            f"wire {worst!r} bears {found.tension[worst]:.6g} N at rest, and breaks at {bears[worst]:.6g} N: a run "
            "that starts here begins with that; make it stronger, or the load lighter"
        )


def _strained(found: Equilibrium) -> Iterator[str]:
    """Of hard wires and joints that bear far more than anything that acts on them: a load across themselves."""
    system, scene = found._system, found.scene
    soft = {name for name in found.tension if scene.wires[name].model != "rigid" or name in found.length}
    pull = {name: abs(force) for name, force in found.tension.items()}
    borne = max([float(np.abs(system.look(stiffness=False).force).max(initial=0.0)), *(pull[name] for name in soft)])
    strained = {name: pull[name] for name in pull if name not in soft and pull[name] > STRAINED * borne > 0.0}
    if strained:
        worst = _first_of_largest(strained)
        yield (
            f"wire {worst!r} pulls {pull[worst]:.3g} N, {pull[worst] / borne:.1g} times what there is to hold: it is "
            "as long as its span, and next to nothing of its pull is across it; make it longer, or say model: elastic"
        )
        return
    borne = max(borne, float(np.abs(system.still.p[system.sigma > 0.0]).max(initial=0.0)))
    joints = _joint_forces(system)
    worst = max(joints, key=lambda name: joints[name], default="")
    if joints and joints[worst] > STRAINED * borne > 0.0:
        yield (
            f"joint {worst!r} bears {joints[worst]:.3g} N, {joints[worst] / borne:.1g} times what there is to hold: "
            "the mechanism is at a singular place, where next to nothing of its forces is along the load; make a "
            "link longer or shorter, or let one stretch"
        )


def _joint_forces(system: System) -> dict[str, float]:
    """What the rows of each joint that hold places together bear [N]."""
    forces: dict[str, float] = {}
    for one in system.rowed.structure.joints:
        name = tuple(system.rowed.scene.joints)[one.index]
        rows = system.rowed.structure.layout.place[one.place]
        forces[name] = float(np.linalg.norm(system.still.p[rows]))
    return forces


def equilibria(
    scene: Scene, *, starts: int = 20, seed: int = 0, tension: Mapping[str, float] = NO_TENSION
) -> list[Equilibrium]:
    """Equilibria found from several starts, each once: the stable ones first, then by the height of the weights.

    Parameters
    ----------
    starts : number of searches; the first begins at the declared start, the others with bodies moved at random
        along what joints leave free, by up to the shortest wire's length or half a turn
    seed : of the random starts
    tension : as of ``equilibrium``

    Raises
    ------
    UsageError : ``starts`` or ``seed`` is no whole number, or too small; or ``tension``, as of ``equilibrium``
    SceneError : none was found; that of the declared start
    """
    a_whole_number("starts", starts, 1)
    a_whole_number("seed", seed, 0)
    compiled = compile_scene(scene)
    random = np.random.default_rng(seed)
    found: list[Equilibrium] = []
    reason: SceneError | None = None
    for number in range(starts):
        system = System(compiled, tension=tension)
        if number:
            _stray(system, random)
        try:
            one = _equilibrium(system, rest(system))
        except SceneError as error:
            reason = reason or error
            continue
        if not any(_same(one, other, system.size) for other in found):
            found.append(one)
    if not found:
        assert reason is not None
        raise reason
    order = ("stable", "neutral", "unstable")
    g = np.array(scene.gravity)
    mass = np.array([body.mass for body in compiled.scene.bodies.values()])
    return sorted(found, key=lambda one: (order.index(one.stability), round(float(-(mass @ one.position @ g)), 9)))


def _stray(system: System, random: np.random.Generator) -> None:
    """Move the bodies at random along what joints leave free: by up to the shortest wire's length, or half a turn."""
    look = system.look(stiffness=False, hang=False)
    joints = look.J[look.free & (look.sigma == 0.0)]
    free = null_space(joints, rcond=1e-9) if len(joints) else np.eye(len(system.moves))
    d = free @ random.normal(size=free.shape[1])
    turns = system.moves % 6 >= 3
    most = np.abs(d / np.where(turns, np.pi, system.size)).max(initial=0.0)
    if most > 0.0:
        system.move(d * random.uniform(0.1, 1.0) / most)


def _same(one: Equilibrium, other: Equilibrium, size: float) -> bool:
    """Whether two are one: bodies at the same places, and turned alike (q and −q are one turn)."""
    alike = np.abs(np.sum(one.quaternion * other.quaternion, axis=-1)) > 1.0 - SAME**2
    return bool((np.abs(one.position - other.position) < SAME * size).all() and alike.all())


def _equilibrium(system: System, found: Found) -> Equilibrium:
    compiled, model, still = system.rowed, system.model, system.still
    p = np.zeros(system.nr)
    given = list(system.given.values())
    p[given] = system.still.p[given]
    p[system.rows] = found.p
    nb = system.nb
    pose = still.q[: 7 * nb].reshape(-1, 7).copy()
    contact = {}
    for name, rows, axes in zip(compiled.contacts, model.contacts.row, model.contacts.axes, strict=True):
        contact[name] = sum((p[row] * axis for row, axis in zip(rows, axes, strict=True) if row >= 0), np.zeros(3))
    told = judge(system, found)
    limit = set(system.rows[told.limit].tolist())
    return Equilibrium(
        scene=system.compiled.declared,
        bodies=tuple(compiled.scene.bodies),
        position=pose[:, :3],
        quaternion=pose[:, 3:],
        tension=MappingProxyType(
            {name: float(p[row]) + 0.0 for name, row in zip(compiled.massless, model.wires.row, strict=True)}
        ),
        length=MappingProxyType(system.lengths()),
        paths=MappingProxyType(_paths(system)),
        cables=MappingProxyType(_hung(system)),
        contact=MappingProxyType(contact),
        undetermined=undetermined(system, found, found.p > PULLS * np.abs(found.p).max(initial=0.0)),
        stability=told.stability,
        curvature=told.curvature,
        error=found.error,
        steps=found.steps,
        joints=MappingProxyType(system.coordinates()),
        at_length=tuple(
            name for name, row in zip(compiled.massless, model.wires.row, strict=True) if int(row) in limit
        ),
        _system=system,
    )


def _paths(system: System) -> dict[str, Floats]:
    """Points that the massless wires run through."""
    return {
        name: system.work.P[list(wire.points)].copy()
        for name, wire in zip(system.rowed.massless, system.rowed.structure.wires, strict=True)
    }


def _hung(system: System) -> dict[str, Hung]:
    """The cables as they hang."""
    cables = system.cables
    if cables is None:
        return {}
    found = {}
    for c, (name, cable) in enumerate(zip(system.compiled.cable_names, system.compiled.table.cables, strict=True)):
        nodes = system.nodes(c)
        tip = system.answer[c, :3].copy()
        root = -tip - cables.section[c, 0] * system.feed[c] * system.model.bodies.gravity
        spread = float(np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum())
        most = max(float(np.linalg.norm(tip)), float(np.linalg.norm(root)))
        found[name] = Hung(cable.root, cable.tip, root, tip, most, float(system.feed[c]), spread, nodes)
    return found


def _numbers(values: Floats) -> str:
    return ", ".join(f"{value + 0.0:.6g}" for value in np.round(values, 12))
