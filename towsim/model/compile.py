"""Scene → Model: names become indices, declared things become rows of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from towsim.model.arms import Forest, find_arms
from towsim.model.arrays import (
    FREE,
    LATER,
    OFF_COMPLIANCE,
    TANGENT,
    UNILATERAL,
    Balls,
    Bodies,
    Cables,
    Contacts,
    Floats,
    Indices,
    Ints,
    Joints,
    Loads,
    Model,
    Numbers,
    Points,
    Routes,
    Springs,
    State,
    Switches,
    filled,
    pack,
    put,
)
from towsim.model.cables import CableTable
from towsim.model.drive import Driver
from towsim.model.graph import Graph, make_graph
from towsim.model.joints import Declared as DeclaredJoint
from towsim.model.joints import declare as declare_joint
from towsim.model.joints import joint_arrays, joint_numbers
from towsim.model.layout import Layout, Stack, lay_out
from towsim.model.points import PointTable
from towsim.model.routes import route_arrays, route_numbers
from towsim.model.switches import Owner, SwitchTable
from towsim.model.wires import DeclaredWire, declare_wire, wire_arrays, wire_numbers
from towsim.scene import Body, Mrfe, Scene, Wire
from towsim.scene.contacts import Touch, touches
from towsim.scene.control_checks import controlled
from towsim.scene.expand import expand
from towsim.scene.quantity import Vec3


@dataclass(frozen=True)
class Compiled:
    """A scene as arrays, with the names that lead back.

    Attributes
    ----------
    structure : what it has in common with scenes that differ in numbers only
    scene : the scene; of one with dynamic robots that in which they are bodies
    declared : the scene as it was declared
    controlled : whether it has anything to sample: controllers, sensors, actuators under command
    model : arrays for the kernels
    driver : samples known motions and loads
    owners : (nr,) owner of each row, such as "left" or "hinge"
    massless : names of the rigid and elastic wires, in the order of ``model.wires``
    cable_names : names of the MRFE wires
    cables : their arrays; None if there are none, so that kernels are compiled without them
    ball_joints : joints whose points ``model.balls`` holds together, in that order; cables' ends follow them there
    contacts : names of the contacts
    switch_owners : whose row each row of ``model.switches`` is
    table : the MRFE wires as declared
    initial : state at t = 0
    graph : attachment points, and what leads from one to another
    responses : slots for the responses of blocks: one a block, two where its sub-system has two nodes
    """

    structure: Structure
    scene: Scene
    declared: Scene
    controlled: bool
    model: Model
    driver: Driver
    owners: tuple[str, ...]
    massless: tuple[str, ...]
    cable_names: tuple[str, ...]
    cables: Cables | None
    ball_joints: Ints
    contacts: tuple[str, ...]
    switch_owners: tuple[Owner, ...]
    table: CableTable
    responses: int
    initial: State
    graph: Graph

    @property
    def jointed(self) -> bool:
        """Whether there are joints beyond balls."""
        return any(joint.kind != "ball" for joint in self.scene.joints.values())

    @cached_property
    def rubs(self) -> bool:
        """Whether there is friction."""
        return bool((self.model.rows.kind == TANGENT).any())

    @cached_property
    def wires_only(self) -> bool:
        """Whether row i is that of wire i, and there are no others."""
        return np.array_equal(self.model.wires.row, np.arange(len(self.model.rows.kind)))

    @property
    def bounces(self) -> bool:
        """Whether a contact has a coefficient of restitution above zero."""
        law = self.model.restitution
        return law is not None and bool(law.any())

    def start(self) -> State:
        """State at t = 0."""
        return State(*(part.copy() for part in self.initial))

    def put(self, scene: Scene) -> Compiled:
        """Another scene of the same structure in the same arrays, which are those of one run at a time.

        Raises
        ------
        SceneError : the scene cannot start, such as a cable whose ends are at one place
        """
        numbers, initial, known = self.read(scene)
        put(self.model, numbers.model)
        if self.cables is not None:
            put(self.cables, numbers.cables)
        for mine, start in zip(self.initial, initial, strict=True):
            mine[:] = start
        return replace(self, declared=scene, **known)

    def read(self, scene: Scene) -> tuple[_Numbers, State, dict[str, Any]]:
        """Numbers and start of another scene of the same structure, and the scene, table and driver that go with them.

        Raises
        ------
        SceneError : the scene cannot start, such as a cable whose ends are at one place
        """
        scene = expand(scene)
        table, driver = CableTable(scene), self.driver if self.driver.serves(scene) else Driver(scene)
        numbers, initial = _numbers(self.structure, scene, table, driver)
        return numbers, initial, {"scene": scene, "table": table, "driver": driver}


class Structure(NamedTuple):
    """What scenes that differ in numbers only have in common: whose rows there are, and where they stand.

    Attributes
    ----------
    points : attachment points by name
    joints, wires, contacts : as declared, in the order of the scene
    massless : names of the rigid and elastic wires
    switches : rows that can be off
    layout : where the rows are
    rare : whether there are laws beyond wires and balls (see Model)
    arms : whether joints are reduced
    """

    points: PointTable
    joints: list[DeclaredJoint]
    wires: list[DeclaredWire]
    massless: tuple[str, ...]
    contacts: list[_Contact]
    switches: SwitchTable
    layout: Layout
    rare: bool
    arms: bool


class _Numbers(NamedTuple):
    """Numbers of a scene by their place in the model, and in the arrays of the cables."""

    model: Numbers
    cables: Numbers


def _numbers(structure: Structure, scene: Scene, table: CableTable, driver: Driver) -> tuple[_Numbers, State]:
    """All numbers of a scene of this structure, and its state at t = 0: nobody else writes them."""
    local = structure.points.local(scene)
    found = _body_numbers(scene)
    found["points.local"] = local
    found |= wire_numbers(structure.wires, structure.layout, structure.points, local)
    found["loads.at"] = np.array(driver.load_at, float).reshape(-1, 3)
    forest = find_arms(scene) if structure.arms else Forest(scene, (), ())
    initial = _initial(scene, table, forest, len(structure.layout.owners))
    if structure.contacts:
        found |= _contact_numbers(scene)
    if structure.rare:
        massless = [scene.wires[name] for name in structure.massless]
        found |= joint_numbers(structure.joints, scene) | route_numbers(massless)
        found |= structure.switches.numbers(scene) | _spring_numbers(scene, massless)
    if structure.arms:
        found |= forest.numbers(structure.layout)
    return _Numbers(found, table.numbers() if table.cables else {}), initial


def _initial(scene: Scene, table: CableTable, forest: Forest, rows: int) -> State:
    nb = len(scene.bodies)
    q, v = np.zeros(7 * nb), np.zeros(6 * nb)
    if table.cables or forest.trees:
        q = np.concatenate([q, table.coordinates(), forest.start[0]])
        v = np.concatenate([v, table.velocities(), forest.start[1]])
    for i, body in enumerate(scene.bodies.values()):
        _put_start(q, v, i, body)
    return State(q, v, np.zeros(rows))


def _put_start(q: Floats, v: Floats, i: int, body: Body) -> None:
    """Pose of one body, its velocity, and its angular momentum about the centre of mass."""
    q[7 * i : 7 * i + 3] = body.position
    q[7 * i + 3 : 7 * i + 7] = body.quaternion
    v[6 * i : 6 * i + 3] = body.velocity
    v[6 * i + 3 : 6 * i + 6] = 0.0
    if any(body.angular_velocity):
        r = body.rotation_matrix()
        v[6 * i + 3 : 6 * i + 6] = r @ body.inertia_matrix() @ r.T @ np.array(body.angular_velocity)


class _Rare(NamedTuple):
    """Laws that are all there or, in a scene that needs none of them, all None (see Model)."""

    routes: Routes | None = None
    switches: Switches | None = None
    joints: Joints | None = None
    springs: Springs | None = None
    restitution: Floats | None = None


def compile_scene(scene: Scene) -> Compiled:
    """Compile a scene. Rows stand in the order joints, wires, contacts, cables, before the envelope reorders them."""
    declared, scene = scene, expand(scene)
    driver = Driver(scene)
    points = PointTable(scene)
    massless = tuple(name for name, wire in scene.wires.items() if not isinstance(wire.model, Mrfe))
    table = CableTable(scene)
    stack = Stack()

    # First pass: declare rows and their nodes. A pair is (points A and B, numbers of the rows).
    joints = [_declare_joint(scene, stack, points, name) for name in scene.joints]
    ball_joints = [one.index for one in joints if one.kind != "prismatic" and not one.reduced]
    balls = [(one.a, one.b, one.place) for one in joints if one.index in ball_joints]
    ends = [[points.of(end) for end in scene.wires[name].ends] for name in massless]
    wires = [declare_wire(stack, name, scene.wires[name], at, points) for name, at in zip(massless, ends, strict=True)]
    switches = _declare_switches(scene, massless, [wire.row for wire in wires], joints)
    contacts = _declare_contacts(scene, stack, points)
    roots = table.roots()
    tips = [points.origin(len(scene.bodies) + i) for i in range(len(table.cables))]
    exits = {i: points.origin(node) for i, node in roots.items()}
    for cable, tip in zip(table.cables, tips, strict=True):
        balls.append(_declare_ball(stack, points, points.of(cable.tip), tip, cable.name))
    for i, exit in exits.items():
        if not table.cables[i].free:
            balls.append(_declare_ball(stack, points, exit, points.of(table.cables[i].root), table.cables[i].name))

    # Second pass: give every row its place and every end its side.
    partner = {len(scene.bodies) + i: node for i, node in roots.items()}
    partner |= {node: tip for tip, node in partner.items()}
    forest = find_arms(scene)
    layout = lay_out(stack, len(scene.bodies) + len(tips) + len(exits), partner, forest.groups)
    routes = route_arrays(wires, layout)
    springs = _springs(scene, massless, [int(layout.place[wire.row]) for wire in wires], contacts, layout)
    beyond_balls = any(one.kind != "ball" for one in joints)
    some = bool(table.cables or contacts or beyond_balls or len(routes.row) or switches.owners or len(springs.row))
    rare = _Rare()
    if some:
        rare = _Rare(
            routes=routes,
            switches=switches.arrays(layout),
            joints=joint_arrays(joints, layout),
            springs=springs,
            restitution=LATER,
        )
    structure = Structure(points, joints, wires, massless, contacts, switches, layout, some, bool(forest.trees))
    numbers, initial = _numbers(structure, scene, table, driver)
    for wire in wires:
        if all(points.node(point) < 0 for point in wire.points):  # acts on nothing; its reach is the paths' affair
            layout.rows.compliance[layout.place[wire.row]] = OFF_COMPLIANCE
    joint_sides = [[layout.sides(row, [points.node(a), points.node(b)]) for row in rows] for a, b, rows in balls]
    node, robot = points.nodes()
    model = Model(
        bodies=pack(Bodies),
        loads=pack(Loads, body=np.array(driver.load_body, np.int64), kind=np.array(driver.load_kind, np.int64)),
        points=pack(Points, node=node, robot=robot, sought=_sought(len(node), wires, balls, joints, contacts)),
        wires=wire_arrays(wires, ends, [scene.wires[name].model == "elastic" for name in massless], layout, points),
        balls=pack(
            Balls,
            a=np.array([a for a, _, _ in balls], np.int64),
            b=np.array([b for _, b, _ in balls], np.int64),
            row=np.array([[layout.place[r] for r in rows] for _, _, rows in balls], np.int64).reshape(-1, 3),
            side_a=np.array([[s[0] for s in rows] for rows in joint_sides], np.int64).reshape(-1, 3),
            side_b=np.array([[s[1] for s in rows] for rows in joint_sides], np.int64).reshape(-1, 3),
        ),
        contacts=_contacts(contacts, layout, points),
        arms=forest.arrays(layout, *(len(x) - len(y) for x, y in zip(initial, forest.start, strict=False)))
        if forest.trees
        else None,
        rows=layout.rows._replace(soft=_soft(layout, rare, wires)),
        **rare._asdict(),
    )
    model = filled(model, numbers.model)
    cables = None
    if table.cables:
        cables = filled(table.arrays(layout, len(ball_joints), tips, exits), numbers.cables)
    ball_index = np.array(ball_joints, np.int64)
    return Compiled(
        structure=structure,
        scene=scene,
        declared=declared,
        controlled=controlled(declared),
        model=model,
        driver=driver,
        owners=layout.owners,
        massless=massless,
        cable_names=table.names,
        cables=cables,
        contacts=tuple(contact.touch.name for contact in contacts),
        ball_joints=ball_index,
        switch_owners=tuple(switches.owners),
        table=table,
        responses=len(layout.twin) + int((layout.twin >= 0).sum()),
        initial=initial,
        graph=make_graph(model, massless, list(scene.joints), ball_index),
    )


def _sought(
    count: int,
    wires: list[DeclaredWire],
    balls: list[tuple[int, int, list[int]]],
    joints: list[DeclaredJoint],
    contacts: list[_Contact],
) -> Indices:
    """Points whose places the laws of joints, contacts, routes and cables need: straight wires find their own."""
    sought = {point for wire in wires if not wire.straight for point in wire.points}
    sought |= {point for a, b, _ in balls for point in (a, b)} | {point for one in joints for point in (one.a, one.b)}
    sought |= {contact.point for contact in contacts}
    return np.array(sorted(sought), np.uint64)


def _soft(layout: Layout, rare: _Rare, wires: list[DeclaredWire]) -> Indices:
    """Rows that may have a compliance: of springs, of what can be off, and of wires between robots."""
    soft = {int(layout.place[wire.row]) for wire in wires if all(node < 0 for node in wire.nodes)}
    if rare.springs is not None and rare.switches is not None and rare.joints is not None:
        soft |= {*rare.springs.row.tolist(), *rare.switches.row.tolist(), *rare.joints.axes.row[:, 0].tolist()} - {-1}
    return np.array(sorted(soft), np.uint64)


def _declare_switches(
    scene: Scene, massless: Sequence[str], rows: list[int], joints: list[DeclaredJoint]
) -> SwitchTable:
    switches = SwitchTable()
    for index, (name, row) in enumerate(zip(massless, rows, strict=True)):
        switches.add_wire(scene, name, index, row)
    for name, one in zip(scene.joints, joints, strict=True):
        switches.add_joint(scene, name, one.rows)
    return switches


def _declare_joint(scene: Scene, stack: Stack, points: PointTable, name: str) -> DeclaredJoint:
    joint = scene.joints[name]
    a, b = points.of(joint.from_), points.of(joint.to)
    owner = scene.attachment(joint.to).owner
    point = owner in scene.bodies and scene.bodies[owner].point
    return declare_joint(
        stack, list(scene.joints).index(name), name, joint, a, b, [points.node(a), points.node(b)], point
    )


def _declare_ball(stack: Stack, points: PointTable, a: int, b: int, name: str) -> tuple[int, int, list[int]]:
    nodes = [points.node(a), points.node(b)]
    return a, b, [stack.add(FREE, nodes, name) for _ in range(3)]


class _Contact(NamedTuple):
    """A contact, its point, and its rows as declared: the normal's, the tangents' where there is friction."""

    touch: Touch
    point: int
    rows: list[int]


def _declare_contacts(scene: Scene, stack: Stack, points: PointTable) -> list[_Contact]:
    out = []
    for number, touch in enumerate(touches(scene)):
        end = touch.name.partition("@")[0]
        corner = end != touch.body and end.partition(".")[2] not in scene.bodies[touch.body].points
        point = points.corner(touch.body, number) if corner else points.of(end)
        kinds = [UNILATERAL, TANGENT, TANGENT] if scene.planes[touch.plane].friction > 0.0 else [UNILATERAL]
        out.append(_Contact(touch, point, [stack.add(kind, [points.node(point)], touch.name) for kind in kinds]))
    return out


def _body_numbers(scene: Scene) -> Numbers:
    n = len(scene.bodies)
    bodies = Bodies(
        mass=np.empty(n),
        inertia=np.empty((n, 3, 3)),
        inertia_inv=np.empty((n, 3, 3)),
        norm=np.empty(n),
        principal=np.empty(n, np.bool_),
        rotates=np.empty(n, np.bool_),
        drag=np.empty((n, 2)),
        gravity=np.array(scene.gravity, float),
    )
    for i, body in enumerate(scene.bodies.values()):
        _put_body(bodies, i, body)
    return {f"bodies.{name}": array for name, array in zip(Bodies._fields, bodies, strict=True)}


def _put_body(bodies: Bodies, i: int, body: Body) -> None:
    """Numbers of one body."""
    inertia = body.inertia_matrix()
    bodies.mass[i], bodies.inertia[i], bodies.rotates[i] = body.mass, inertia, not body.point
    bodies.drag[i] = body.drag.linear, body.drag.quadratic
    bodies.inertia_inv[i] = 0.0
    bodies.norm[i] = 0.0
    bodies.principal[i] = np.count_nonzero(inertia) == 3
    if bodies.principal[i]:
        for j in range(3):
            bodies.inertia_inv[i, j, j] = 1.0 / inertia[j, j]
        bodies.norm[i] = max(bodies.inertia_inv[i].flat)
    elif not body.point:
        inverse = np.linalg.inv(inertia)
        bodies.inertia_inv[i] = 0.5 * (inverse + inverse.T)
        bodies.norm[i] = np.abs(bodies.inertia_inv[i]).sum(axis=1).max()


def _contacts(declared: list[_Contact], layout: Layout, points: PointTable) -> Contacts:
    n = len(declared)
    row = np.full((n, 3), -1, np.int64)
    side = np.full((n, 3), -1, np.int64)
    for i, (_, point, rows) in enumerate(declared):
        for k, r in enumerate(rows):
            row[i, k] = layout.place[r]
            side[i, k] = layout.sides(r, [points.node(point)])[0]
    points_of = np.array([contact.point for contact in declared], np.int64)
    none = {"radius": np.empty(0), "friction": np.empty(0), "axes": np.empty((0, 3, 3)), "height": np.empty(0)}
    contacts: Contacts = pack(Contacts, point=points_of, row=row, side=side, **none)
    return contacts


def _contact_numbers(scene: Scene) -> Numbers:
    """What touches, and what it touches: radii, planes, coefficients."""
    touching = list(touches(scene))
    planes = [scene.planes[touch.plane] for touch in touching]
    laws = [plane.restitution for plane in planes]
    return {
        "contacts.radius": np.array([touch.radius for touch in touching], float),
        "contacts.friction": np.array([plane.friction for plane in planes], float),
        "contacts.axes": np.array([_plane_axes(plane.normal) for plane in planes], float).reshape(-1, 3, 3),
        "contacts.height": np.array([plane.height for plane in planes], float),
        "restitution": np.array([0.0 if law is None else law.coefficient for law in laws]),
    }


def _springs(
    scene: Scene, massless: Sequence[str], wire_rows: list[int], contacts: list[_Contact], layout: Layout
) -> Springs:
    """Elastic wires, then elastic contacts; with the places of all wires' rows."""
    elastic = [i for i, name in enumerate(massless) if scene.wires[name].model == "elastic"]
    pressed = [(int(layout.place[rows[0]]), scene.planes[touch.plane].spring) for touch, _, rows in contacts]
    soft = [(row, spring) for row, spring in pressed if spring is not None]
    springs: Springs = pack(
        Springs,
        row=[wire_rows[i] for i in elastic] + [row for row, _ in soft],
        wire=elastic + [-1] * len(soft),
        pulls=[False] * len(elastic) + [spring.pulls for _, spring in soft],
    )
    return springs


def _spring_numbers(scene: Scene, massless: list[Wire]) -> Numbers:
    """Stiffness and damping of elastic wires (of a unit of length), then of elastic contacts."""
    sections = [wire.section() for wire in massless if wire.model == "elastic"]
    soft = [scene.planes[touch.plane].spring for touch in touches(scene)] if scene.ground is not None else []
    laws = [(section.axial_stiffness, section.axial_damping) for section in sections]
    laws += [(spring.stiffness, spring.damping) for spring in soft if spring is not None]
    stiffness, damping = np.array(laws).reshape(-1, 2).T
    return {"springs.stiffness": stiffness, "springs.damping": damping}


def _plane_axes(given: Vec3) -> Floats:
    """Normal and two tangents, as rows."""
    normal = np.array(given)
    seed = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = seed - normal * (normal @ seed)
    first /= np.linalg.norm(first)
    return np.stack([normal, first, np.cross(normal, first)])
