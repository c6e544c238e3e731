"""Scene → arrays of the DAE and the state at t = 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from towsim.errors import UsageError
from towsim.formulations.dae.arrays import BODY, BOTH, EXIT, ROBOT, TIP, Chains, Closures, Solids, Springs, System
from towsim.model.arrays import UNIVERSAL, Floats, Ints, pack
from towsim.model.cables import HINGE, Cable, CableTable
from towsim.model.drive import Driver
from towsim.scene import FREE, Scene, SpringDamper
from towsim.scene.contacts import touches
from towsim.scene.expand import with_points

End = tuple[int, int, Sequence[float]]
CENTRE = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Assembly:
    """The arrays of a scene, and the names and places that lead back.

    Attributes
    ----------
    cables : the cables, in the order of ``system.chains``
    tips, exits : closures at the tips of the cables, and at their exit points (−1: free)
    elastic : names of the elastic wires, the last of ``system.springs``
    start : state y at t = 0
    size : natural size of the coordinates and rates: of an extension, what the weight of everything would cause
    """

    scene: Scene
    driver: Driver
    system: System
    cables: list[Cable]
    tips: Ints
    exits: Ints
    elastic: tuple[str, ...]
    start: Floats
    size: Floats

    @property
    def rates(self) -> int:
        """Where the rates begin in y."""
        return int(self.system.chains.u[0]) - 6 * len(self.scene.bodies)


def assemble(scene: Scene) -> Assembly:
    """The scene as sub-systems and closures.

    Raises
    ------
    UsageError : the scene has rigid wires or hard contacts, which are unilateral
    """
    _refuse_unilateral(scene)
    scene = with_points(scene)
    ends = _Ends(scene)
    driver = Driver(scene)
    cables = CableTable(scene).cables
    elastic = tuple(name for name, wire in scene.wires.items() if wire.springy)
    closures: list[tuple[End, End]] = [(ends.of(joint.from_), ends.of(joint.to)) for joint in scene.joints.values()]
    tips, exits = [], []
    for i, cable in enumerate(cables):
        tips.append(len(closures))
        closures.append((ends.of(cable.tip), (TIP, i, CENTRE)))
        exits.append(-1 if cable.root == FREE else len(closures))
        if cable.root != FREE:
            closures.append((ends.of(cable.root), (EXIT, i, CENTRE)))
    system = System(
        chains=_chains(scene, cables),
        solids=_solids(scene, driver),
        springs=_springs(scene, ends, elastic),
        closures=pack(Closures, end=_ends(closures), at=_places(closures)),
        gravity=np.array(scene.gravity, float),
    )
    return Assembly(
        scene=scene,
        driver=driver,
        system=system,
        cables=cables,
        tips=np.array(tips, np.int64),
        exits=np.array(exits, np.int64),
        elastic=elastic,
        start=_start(scene, cables),
        size=_sizes(scene, cables, system.chains),
    )


def _refuse_unilateral(scene: Scene) -> None:
    bent = [name for name, wire in scene.wires.items() if wire.springy and scene.bent(wire)]
    if bent:
        raise UsageError(f"method 'dae' takes straight wires, and {bent[0]!r} passes others; use stewart-trinkle")
    rigid = [name for name, wire in scene.wires.items() if wire.model == "rigid"]
    if rigid:
        raise UsageError(
            f"method 'dae' takes no rigid wires, and there are {', '.join(rigid)}: they only pull, which is a "
            "complementarity problem; use model: elastic or mrfe, or the method stewart-trinkle"
        )
    if len(scene.planes) > 1:
        raise UsageError(
            f"method 'dae' takes one plane of ground, and there are {len(scene.planes)}; use the method stewart-trinkle"
        )
    if scene.planes and scene.planes[0].contacts and scene.planes[0].spring is None:
        raise UsageError(
            f"method 'dae' takes no hard ground, and it has the contacts {', '.join(scene.planes[0].contacts)}; give "
            "the ground a spring, or use the method stewart-trinkle"
        )


class _Ends:
    """What the names of ends mean."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._bodies, self._robots = list(scene.bodies), list(scene.robots)

    def of(self, end: str) -> End:
        """Kind, index and place on a body of the end of a wire or joint, or of a contact."""
        at = self._scene.attachment(end)
        if at.is_robot:
            return ROBOT, self._robots.index(at.owner), CENTRE
        return BODY, self._bodies.index(at.owner), at.offset


def _ends(pairs: list[tuple[End, End]]) -> Ints:
    return np.array([[end[:2] for end in pair] for pair in pairs], np.int64).reshape(-1, 2, 2)


def _places(pairs: list[tuple[End, End]]) -> Floats:
    return np.array([[end[2] for end in pair] for pair in pairs], float).reshape(-1, 2, 3)


def _chains(scene: Scene, cables: list[Cable]) -> Chains:
    nb, n = len(scene.bodies), max((cable.model.elements for cable in cables), default=0)
    sections = [cable.wire.section() for cable in cables]
    rest = np.zeros((len(cables), n, 2))
    for i, cable in enumerate(cables):
        if cable.model.rest != "straight":
            rest[i, : cable.model.elements] = cable.model.rest
    coordinates = [len(_coordinates(cable)) for cable in cables]
    velocities = [len(_velocities(cable)) for cable in cables]
    q = 7 * nb + np.cumsum([0, *coordinates])
    chains: Chains = pack(
        Chains,
        elements=[cable.model.elements for cable in cables],
        q=q,
        u=q[-1] + 6 * nb + np.cumsum([0, *velocities]),  # also of no cables: where the bodies' rates end
        ball=[cable.joint != UNIVERSAL for cable in cables],
        frame=np.array([_quaternion(cable.frame) for cable in cables]).reshape(-1, 4),
        axis=np.array([cable.axes for cable in cables]).reshape(-1, 2, 3),
        rest=rest,
        section=np.array(
            [
                (
                    s.mass_per_length,
                    0.5 * (s.diameter or 0.0),
                    s.axial_stiffness,
                    s.bending_stiffness,
                    s.axial_damping,
                    s.bending_damping,
                    HINGE[cable.root_end],
                )
                for s, cable in zip(sections, cables, strict=True)
            ]
        ).reshape(-1, 7),
    )
    return chains


def _solids(scene: Scene, driver: Driver) -> Solids:
    bodies = list(scene.bodies.values())
    inertia = np.zeros((len(bodies), 2, 3, 3))
    for i, body in enumerate(bodies):
        inertia[i, 0] = body.inertia_matrix()
        if not body.point:
            inverse = np.linalg.inv(inertia[i, 0])
            inertia[i, 1] = 0.5 * (inverse + inverse.T)
    solids: Solids = pack(
        Solids,
        mass=[body.mass for body in bodies],
        inertia=inertia,
        drag=np.array([(body.drag.linear, body.drag.quadratic) for body in bodies], float).reshape(-1, 2),
        load=np.array([driver.load_body, driver.load_kind], np.int64).T,
        load_at=np.array(driver.load_at, float).reshape(-1, 3),
    )
    return solids


def _springs(scene: Scene, ends: _Ends, elastic: tuple[str, ...]) -> Springs:
    pairs: list[tuple[End, End]] = []
    laws = []
    ground = scene.planes[0] if scene.planes else None
    if ground is not None and ground.spring is not None:
        for touch in touches(scene):
            kind, body, _ = ends.of(touch.body)
            pairs.append(((kind, body, touch.offset), (ROBOT, -1, (touch.radius, 0.0, 0.0))))
            laws.append((ground.spring.stiffness, ground.spring.damping, float(ground.spring.pulls)))
    for name in elastic:
        wire = scene.wires[name]
        pairs.append((ends.of(wire.from_), ends.of(wire.to)))
        bar = wire.model
        if isinstance(bar, SpringDamper):
            laws.append((bar.stiffness, bar.damping, BOTH))
        else:
            laws.append((wire.section().axial_stiffness or 0.0, wire.section().axial_damping, 0.0))
    springs: Springs = pack(
        Springs,
        end=_ends(pairs),
        at=_places(pairs),
        law=np.array(laws, float).reshape(-1, 3),
        ground=np.array([*ground.normal, ground.height] if ground is not None else np.zeros(4)),
    )
    return springs


def _coordinates(cable: Cable) -> Floats:
    """Exit point and joint coordinates at the start."""
    found = cable.coordinates.copy()
    return np.concatenate([cable.start[0], found]) if cable.carried else found


def _velocities(cable: Cable) -> Floats:
    """Their rates."""
    found = cable.velocities()
    return np.concatenate([cable.start[2], found]) if cable.carried else found


def _start(scene: Scene, cables: list[Cable]) -> Floats:
    q = [np.array([*body.position, *body.quaternion]) for body in scene.bodies.values()]
    u = [np.array([*body.velocity, *body.angular_velocity]) for body in scene.bodies.values()]
    q += [_coordinates(cable) for cable in cables]
    u += [_velocities(cable) for cable in cables]
    return np.concatenate([np.empty(0), *q, *u])


def _sizes(scene: Scene, cables: list[Cable], chains: Chains) -> Floats:
    """Natural sizes: 1 m, 1 rad, 1 m/s, 1 rad/s; of extensions what the weight of everything would cause."""
    size = np.ones(int(chains.u[-1]))
    masses = [body.mass for body in scene.bodies.values()]
    lengths = [cable.length for cable in cables]
    sections = [cable.wire.section() for cable in cables]
    masses += [length * (s.mass_per_length or 0.0) for length, s in zip(lengths, sections, strict=True)]
    weight = sum(masses) * float(np.linalg.norm(scene.gravity))
    for i, (cable, s) in enumerate(zip(cables, sections, strict=True)):
        assert s.axial_stiffness is not None  # an mrfe wire has it
        assert s.mass_per_length is not None
        element = cable.length / cable.model.elements
        stiffness, damping = s.axial_stiffness / element, s.axial_damping / element
        force = max(weight, 1e-7 * s.axial_stiffness)
        impedance = max(damping, np.sqrt(stiffness * 0.5 * element * s.mass_per_length))
        size[chains.q[i + 1] - 1 : chains.q[i] + 4 : -3] = force / stiffness
        size[chains.u[i + 1] - 1 : chains.u[i] + 4 : -3] = force / impedance
    return size


def _quaternion(R: Floats) -> Floats:
    """Unit quaternion wxyz of a rotation matrix whose third column is z: by its largest component."""
    squares = 0.25 * np.array(
        [
            1.0 + R[0, 0] + R[1, 1] + R[2, 2],
            1.0 + R[0, 0] - R[1, 1] - R[2, 2],
            1.0 - R[0, 0] + R[1, 1] - R[2, 2],
            1.0 - R[0, 0] - R[1, 1] + R[2, 2],
        ]
    )
    products = 0.25 * np.array(
        [
            [0.0, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [0.0, 0.0, R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [0.0, 0.0, 0.0, R[1, 2] + R[2, 1]],
            [0.0, 0.0, 0.0, 0.0],
        ]
    )
    table = products + products.T + np.diag(squares)
    row = table[int(np.argmax(squares))]
    return np.asarray(row / np.linalg.norm(row))
