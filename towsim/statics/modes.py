"""``modes``: how a scene at rest rings, and ``linearize``: the matrices of its small motions for control."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_list, a_whole_number
from towsim.model.arrays import Floats
from towsim.model.compile import compile_scene
from towsim.scene import Scene
from towsim.statics.linear import Linear, linearise
from towsim.statics.rest import rest
from towsim.statics.system import System
from towsim.statics.verdict import Verdict, judge, motions
from towsim.suggest import is_one_of, unknown

NOTHING = 1e-9
"""Moves of bodies of this size, relative to the largest of all, are none."""


@dataclass(frozen=True, repr=False)
class Modes:
    """Small free motions about rest: those that grow, then all others, slowest first.

    Attributes
    ----------
    scene : as declared
    frequency : (m,) of the undamped mode, |λ|/2π [Hz]; 0 for what moves freely or does not oscillate
    damping : (m,) ratio −Re λ/|λ| [-]; 1 for what does not oscillate, negative for what grows, 0 for what moves freely
    eigenvalue : (m,) complex λ [1/s]; it decays as exp(Re λ t), and is 0 for what moves freely
    most : what moves most, in words
    bodies : names;  shape : (m, nb, 6) translation [m] and rotation vector [rad] of each body, world axes, complex; the
        largest is 1
    growing : how many motions grow, of all that there are, and not of the (m,) alone
    kept, slack : wires, joints and contacts at their limits that bear nothing, and that motions could lead away from
        there, by name: those that are kept there, as if they were taut, and those that are let go of
    """

    scene: Scene
    frequency: Floats
    damping: Floats
    eigenvalue: np.ndarray
    most: tuple[str, ...]
    bodies: tuple[str, ...]
    shape: np.ndarray
    growing: int = 0
    kept: tuple[str, ...] = ()
    slack: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.frequency)

    def __repr__(self) -> str:
        return f"<Modes of {self.scene.name}>\n{self.table()}"

    def table(self) -> str:
        """Frequencies, periods, damping, decay −Re λ and what moves most, as text."""
        if not len(self):
            return "\n".join(["nothing moves: what is taut, jointed or clamped holds the scene fully", *self._notes()])
        lines = [f"{'mode':>4}  {'frequency':>12}  {'period':>12}  {'damping':>9}  {'decay':>11}  moves most"]
        for i, (f, d, value) in enumerate(zip(self.frequency, self.damping, self.eigenvalue, strict=True)):
            period = f"{1.0 / f:.6g} s" if f > 0.0 else "-"
            ratio, decay = (f"{d:.3g}", f"{0.0 - value.real:.4g} 1/s") if value else ("free", "-")
            lines.append(f"{i + 1:>4}  {f'{f:.6g} Hz':>12}  {period:>12}  {ratio:>9}  {decay:>11}  {self.most[i]}")
        return "\n".join([*lines, *self._notes()])

    def _notes(self) -> Iterator[str]:
        if self.growing:
            yield f"unstable: {self.growing} of the motions {'grows' if self.growing == 1 else 'grow'}"
        yield from _limits(self.kept, self.slack)

    def to_dict(self) -> dict[str, object]:
        """Frequencies, damping and shapes (real parts) as plain numbers, for JSON."""
        return {
            "scene": self.scene.name,
            "frequency": self.frequency.tolist(),
            "damping": self.damping.tolist(),
            "decay": (0.0 - self.eigenvalue.real).tolist(),
            "most": list(self.most),
            "bodies": list(self.bodies),
            "shape": self.shape.real.tolist(),
            "growing": self.growing,
            "kept": list(self.kept),
            "slack": list(self.slack),
        }


def modes(scene: Scene, *, count: int = 12) -> Modes:
    """Frequencies, damping and shapes of small motions about the equilibrium (see ``towsim.equilibrium``).

    Taut wires stay taut and slack ones slack, and what is at its limit and bears nothing is kept there or let go of as
    the verdict of ``equilibrium`` asks for (see ``Modes.kept``). Massive cables take part with all their elements;
    robots and winches stand still.

    Parameters
    ----------
    count : so many of them: those that grow, then the slowest

    Raises
    ------
    UsageError : ``count`` is not a whole number from 1 on
    SceneError : the scene has no equilibrium, see ``equilibrium``
    """
    a_whole_number("count", count, 1)
    system = System(compile_scene(scene))
    found = rest(system)
    told = judge(system, found)
    linear, small = motions(system, found, told.at_work)
    value, vector = small.eigen()
    growing = int((value.real > 0.0).sum())
    order = np.lexsort((np.abs(value), value.real <= 0.0))[:count]
    value, vector = value[order], vector[:, order]
    moves = np.zeros((len(order), 6 * system.nb), complex)
    moves[:, system.moves] = vector[: linear.bodies].T
    size = np.abs(moves).max(axis=1, initial=0.0)
    moves[size <= NOTHING * np.abs(vector).max(axis=0, initial=0.0)] = 0.0
    peak = moves[np.arange(len(moves)), np.abs(moves).argmax(axis=1)] if moves.size else np.ones(len(moves))
    moves /= np.where(peak != 0.0, peak, 1.0)[:, None]
    bodies = tuple(system.rowed.scene.bodies)
    most = tuple(_most(bodies, linear, *one) for one in zip(moves, vector.T, strict=True))
    far = np.abs(value)
    frequency = np.where(value.imag != 0.0, far / (2.0 * np.pi), 0.0)
    damping = np.where(far > 0.0, 0.0 - value.real / np.where(far > 0.0, far, 1.0), 0.0)
    shape = moves.reshape(len(order), system.nb, 6)
    kept, slack = _at_limits(system, told)
    return Modes(scene, frequency, damping, value, most, bodies, shape, growing, kept, slack)


def _at_limits(system: System, told: Verdict) -> Iterator[tuple[str, ...]]:
    """Names of what is at its limit and bears nothing: what is kept there, and what is let go of."""
    for side in told.at_work, ~told.at_work:
        yield tuple(dict.fromkeys(system.rowed.owners[i] for i in system.rows[told.limit & side]))


def _limits(kept: Sequence[str], slack: Sequence[str]) -> Iterator[str]:
    """What is told of those at their limits, see ``Modes.kept``."""
    if kept:
        yield f"without force at the length or limit, and kept there, as if taut: {', '.join(kept)}"
    if slack:
        yield f"without force at the length or limit, and taken for slack: {', '.join(slack)}"


def _most(bodies: Sequence[str], linear: Linear, moves: np.ndarray, vector: np.ndarray) -> str:
    """The largest of the moves of bodies, six each, or else what moves most of all else."""
    if not moves.any():
        return linear.others[int(np.argmax(np.abs(vector[linear.bodies :])))]
    body, part = divmod(int(np.argmax(np.abs(moves))), 6)
    return f"{bodies[body]}, {'along' if part < 3 else 'about'} {'xyz'[part % 3]}"


@dataclass(frozen=True, repr=False)
class StateSpace:
    """Small motions about rest: ẋ = A x + B u, y = C x + D u, all of them differences to rest.

    Attributes
    ----------
    A, B, C, D : matrices
    states, inputs, outputs : names, with units in ``units``
    moves : (n, states) moves of all bodies, six each, that belong to the states
    kept, slack : what motions to one side only would be of, see ``Modes``
    """

    A: Floats
    B: Floats
    C: Floats
    D: Floats
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    units: dict[str, str] = field(compare=False)
    moves: Floats = field(compare=False)
    kept: tuple[str, ...] = ()
    slack: tuple[str, ...] = ()

    def __iter__(self):  # type: ignore[no-untyped-def]
        """A, B, C, D in this order: ``scipy.signal.StateSpace(*space)``."""
        return iter((self.A, self.B, self.C, self.D))

    def __repr__(self) -> str:
        return "\n".join(
            [
                f"<StateSpace: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>",
                f"inputs   {', '.join(self.inputs)}",
                f"outputs  {', '.join(self.outputs)}",
                *_limits(self.kept, self.slack),
            ]
        )


def linearize(scene: Scene, *, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None) -> StateSpace:
    """Matrices of small motions about the equilibrium, for control libraries.

    States are coordinates r along what the active rows leave free, positions of the robots, lengths of the wires and
    given coordinates of joints that are inputs, and the rates of all of them. Inputs move robots, winches and joints by
    their acceleration, because a jump of a rate is an impact on taut wires; that acts at once on tensions (D).

    Parameters
    ----------
    inputs : some of ``robots.NAME.x`` (y, z; acceleration [m/s²]), ``wires.NAME.length`` (acceleration of a massless
        wire's length [m/s²]), ``joints.NAME.motion`` (of a coordinate that is given [m/s² or rad/s²]),
        ``bodies.NAME.force.x`` [N] and ``bodies.NAME.torque.x`` [N m]; all of them if left out
    outputs : some of ``bodies.NAME.position.x`` [m], ``bodies.NAME.rotation.x`` [rad], ``bodies.NAME.velocity.x``
        [m/s], ``bodies.NAME.angular_velocity.x`` [rad/s] and ``wires.NAME.tension`` [N]; all of them if left out

    Raises
    ------
    UsageError : an unknown name, with a suggestion
    SceneError : the scene has no equilibrium, see ``equilibrium``
    """
    system = System(compile_scene(scene))
    found = rest(system)
    told = judge(system, found)
    linear = linearise(system, found, told.at_work)
    names = _Names(system, linear)
    chosen_in = _chosen("input", inputs, names.inputs)
    chosen_out = _chosen("output", outputs, names.outputs)
    known = [linear.names.index(name) for name in chosen_in if name in linear.names]
    Z = linear.free()
    M, n = linear.M, len(linear.M)
    P = _following(linear, Z)[:, known]
    r, k = Z.shape[1], len(known)
    E = np.zeros((n, len(chosen_in)))
    for column, name in enumerate(chosen_in):
        if name in names.force:
            E[names.force[name], column] = 1.0
    S = np.zeros((k, len(chosen_in)))
    S[np.arange(k), [chosen_in.index(linear.names[i]) for i in known]] = 1.0
    place = np.hstack([Z, P])  # y of (r, s)
    stiff = np.hstack([linear.K @ Z, linear.K @ P + linear.K_s[:, known]])
    damp = np.hstack([linear.D @ Z, linear.D @ P + linear.D_s[:, known]])
    inverse = np.linalg.inv(Z.T @ M @ Z) if r else np.zeros((0, 0))
    below = -inverse @ Z.T
    q = r + k
    A = np.zeros((2 * q, 2 * q))
    A[:q, q:] = np.eye(q)
    A[q : q + r, :q], A[q : q + r, q:] = below @ stiff, below @ damp
    B = np.zeros((2 * q, len(chosen_in)))
    B[q : q + r], B[q + r :] = -below @ E, S
    # Multipliers of the hard rows: Jᵀ δp = M ÿ + D ẏ + K y + K_s s − E u.
    motion = place @ A[q:], place @ B[q:]
    right_x = M @ motion[0] + np.hstack([stiff, damp])
    right_u = M @ motion[1] - E
    bear = np.linalg.pinv(linear.J.T, rcond=1e-11) if len(linear.J) else np.zeros((0, n))
    pull_x, pull_u = bear @ right_x, bear @ right_u
    C, D = np.zeros((len(chosen_out), 2 * q)), np.zeros((len(chosen_out), len(chosen_in)))
    zero = np.zeros((len(place), q))
    for i, name in enumerate(chosen_out):
        if name in names.place:
            C[i] = np.hstack([place, zero])[names.place[name]]
        elif name in names.rate:
            C[i] = np.hstack([zero, place])[names.rate[name]]
        else:
            row = names.tension[name]
            if row in linear.rows:
                at = int(np.flatnonzero(linear.rows == row)[0])
                C[i], D[i] = pull_x[at], pull_u[at]
            elif row in linear.springs:
                at = int(np.flatnonzero(linear.springs == row)[0])
                by_s, by_rate = linear.pull_s[at][known], linear.pull_rate_s[at][known]
                C[i, :q] = -np.concatenate([linear.pull[at] @ Z, linear.pull[at] @ P + by_s])
                C[i, q:] = -linear.pull_rate[at] @ place
                C[i, q + r :] -= by_rate
    own = [f"r{i + 1}" for i in range(r)] + [linear.names[i] for i in known]
    moves = np.zeros((6 * system.nb, 2 * q))
    moves[system.moves, :q] = place[: linear.bodies]
    return StateSpace(
        A,
        B,
        C,
        D,
        (*own, *(f"rate of {name}" for name in own)),
        tuple(chosen_in),
        tuple(chosen_out),
        {name: _unit(name, system.rowed.scene) for name in (*chosen_in, *chosen_out)},
        moves,
        *_at_limits(system, told),
    )


def _following(linear: Linear, Z: Floats) -> Floats:
    """Moves (n, k) with which the constraints follow s, M-orthogonal to the free ones: no inertia couples them."""
    if not len(linear.J) or not linear.J_s.shape[1]:
        return np.zeros((len(linear.M), linear.J_s.shape[1]))
    P = np.linalg.lstsq(linear.J, -linear.J_s, rcond=1e-11)[0]
    if not Z.shape[1]:
        return np.asarray(P)
    return np.asarray(P - Z @ np.linalg.solve(Z.T @ linear.M @ Z, Z.T @ (linear.M @ P)))


class _Names:
    """What inputs and outputs may be called, and the move or row that each is."""

    def __init__(self, system: System, linear: Linear) -> None:
        self.force: dict[str, int] = {}
        self.place: dict[str, int] = {}
        self.rate: dict[str, int] = {}
        bodies = tuple(system.rowed.scene.bodies)
        for i, move in enumerate(system.moves):
            body, axis, turns = bodies[move // 6], "xyz"[move % 3], move % 6 >= 3
            self.force[f"bodies.{body}.{'torque' if turns else 'force'}.{axis}"] = i
            self.place[f"bodies.{body}.{'rotation' if turns else 'position'}.{axis}"] = i
            self.rate[f"bodies.{body}.{'angular_velocity' if turns else 'velocity'}.{axis}"] = i
        wires = zip(system.rowed.massless, system.model.wires.row, strict=True)
        self.tension = {f"wires.{name}.tension": int(row) for name, row in wires}
        self.inputs = [*linear.names, *self.force]
        self.outputs = [*self.place, *self.rate, *self.tension]


def _chosen(what: str, given: Sequence[str] | None, known: list[str]) -> list[str]:
    if given is None:
        return known
    chosen = [given] if isinstance(given, str) else a_list(f"{what}s", given, " of names")
    for name in chosen:
        if not is_one_of(name, known):
            raise UsageError(unknown(what, name, known))
    return list(dict.fromkeys(chosen))


def _unit(name: str, scene: Scene) -> str:
    section, owner, what = name.split(".")[:3]
    if section == "joints":
        return "rad/s²" if scene.joints[owner].kind == "revolute" else "m/s²"
    if section == "robots" or what == "length":
        return "m/s²"
    units = {"force": "N", "torque": "N m", "position": "m", "rotation": "rad", "velocity": "m/s", "tension": "N"}
    return units.get(what, "rad/s")
