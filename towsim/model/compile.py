"""Scene → Model: names become indices, declared things become rows of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from solvers.kernels.lanes import WIDTH
from towsim.model.arms import Forest, check_rates, find_arms
from towsim.model.arrays import (
    FREE,
    LATER,
    OFF_COMPLIANCE,
    TANGENT,
    Balls,
    Bodies,
    Cables,
    Drags,
    Ends,
    Floats,
    Ints,
    Loads,
    Numbers,
    Points,
    Routes,
    Springs,
    State,
    Switches,
    Wires,
    by_fours,
    filled,
    pack,
    put,
)
from towsim.model.bodies import body_numbers, put_start
from towsim.model.cables import CableTable
from towsim.model.contacts import DeclaredContact, contact_arrays, contact_numbers, declare_contacts
from towsim.model.drags import drag_arrays, drag_numbers
from towsim.model.drive import Driver
from towsim.model.elastic import spring_arrays, spring_numbers
from towsim.model.flows import Routes as MassiveRoutes
from towsim.model.graph import Graph, make_graph
from towsim.model.joints import Declared as DeclaredJoint
from towsim.model.joints import Joints, joint_arrays, joint_numbers
from towsim.model.joints import declare as declare_joint
from towsim.model.layout import Layout, Stack, lay_out, runs
from towsim.model.model import Model
from towsim.model.points import PointTable
from towsim.model.routes import DeclaredWire, declare_wire, route_arrays, route_numbers
from towsim.model.sheaves import sheave_arrays, sheave_numbers, sheave_speeds
from towsim.model.switches import Owner, SwitchTable
from towsim.model.wheels import DeclaredWheels, wheel_numbers
from towsim.scene import Mrfe, Scene
from towsim.scene.expand import expand


@dataclass(frozen=True)
class Compiled:
    """A scene as arrays, with the names that lead back.

    Attributes
    ----------
    structure : what it has in common with scenes that differ in numbers only
    scene : the scene; of one with dynamic robots that in which they are bodies
    declared : the scene as it was declared
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
    wires_only : whether row i is that of wire i, and there are no others
    graph, owned : what leads from one attachment point to another, and the wires and joints that it needs
    nodes : how many there are: bodies, ends of cables, wheels that wires turn
    responses : slots for the responses of sides: one a side, two where its sub-system has two nodes
    """

    structure: Structure
    scene: Scene
    declared: Scene
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
    nodes: int
    responses: int
    initial: State
    wires_only: bool
    graph: Graph
    owned: tuple[Owner, ...]

    @property
    def jointed(self) -> bool:
        """Whether there are joints beyond balls."""
        return any(joint.kind != "ball" for joint in self.scene.joints.values())

    @cached_property
    def rubs(self) -> bool:
        """Whether there is friction."""
        return bool((self.model.rows.kind == TANGENT).any())

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

    def read(self, scene: Scene, *, near: bool = False) -> tuple[_Numbers, State, dict[str, Any]]:
        """Numbers and start of another scene of the same structure, and the scene, table and driver that go with them.

        near : whether cables begin in the same way as here, straight or hanging, so that the start is smooth, and what
            reduced joints hold may start apart

        Raises
        ------
        SceneError : the scene cannot start, such as a cable whose ends are at one place
        """
        scene = expand(scene)
        if not near:
            check_rates(scene)
        table = CableTable(scene, self.table if near else None)
        driver = self.driver if self.driver.serves(scene) else Driver(scene)
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
    ends : points of the ends of straight wires at bodies, by fours: of those that robots hold, and of others
    """

    points: PointTable
    joints: list[DeclaredJoint]
    wires: list[DeclaredWire]
    massless: tuple[str, ...]
    contacts: list[DeclaredContact]
    switches: SwitchTable
    layout: Layout
    rare: bool
    arms: bool
    ends: tuple[Ints, Ints]


class _Numbers(NamedTuple):
    """Numbers of a scene by their place in the model, and in the arrays of the cables."""

    model: Numbers
    cables: Numbers

    @property
    def by_place(self) -> Numbers:
        """All of them, those of the cables behind ``cables.``."""
        return self.model | {f"cables.{name}": part for name, part in self.cables.items()}


def _numbers(structure: Structure, scene: Scene, table: CableTable, driver: Driver) -> tuple[_Numbers, State]:
    """All numbers of a scene of this structure, and its state at t = 0: nobody else writes them."""
    local = structure.points.local(scene)
    found = body_numbers(scene)
    found["points.local"] = local
    found["loads.at"] = np.array(driver.load_at, float).reshape(-1, 3)
    forest = find_arms(scene) if structure.arms else Forest(scene, (), ())
    initial = _initial(scene, table, forest, len(structure.layout.owners))
    if structure.contacts:
        found |= contact_numbers(scene)
    if structure.rare:
        massless = [scene.wires[name] for name in structure.massless]
        found |= joint_numbers(structure.joints, scene) | route_numbers(massless, scene)
        found |= structure.switches.numbers(scene) | spring_numbers(scene, massless) | drag_numbers(scene)
    found["wires.held.local"], found["wires.joined.local"] = (by_fours(local[at]) for at in structure.ends)
    if structure.arms:
        found |= forest.numbers(structure.layout)
    found |= wheel_numbers(table.wheels, table.cables) | sheave_numbers(scene)
    cables = table.numbers() | MassiveRoutes(table).numbers() if table.cables else {}
    return _Numbers(found, cables), initial


def _initial(scene: Scene, table: CableTable, forest: Forest, rows: int) -> State:
    nb = len(scene.bodies)
    q, v, sheaves = np.zeros(7 * nb), np.zeros(6 * nb), sheave_speeds(scene)
    if table.cables or forest.trees or len(sheaves):
        massive = MassiveRoutes(table)
        lengths, flows = massive.start()
        arcs = [wheel.arc for wheel in table.wheels]
        q = np.concatenate([q, table.coordinates(), lengths, arcs, forest.start[0]])
        v = np.concatenate([v, table.velocities(), flows, massive.speeds(flows), sheaves, forest.start[1]])
    for i, body in enumerate(scene.bodies.values()):
        put_start(q, v, i, body)
    return State(q, v, np.zeros(rows))


class _Rare(NamedTuple):
    """Laws that are all there or, in a scene that needs none of them, all None (see Model)."""

    routes: Routes | None = None
    switches: Switches | None = None
    joints: Joints | None = None
    springs: Springs | None = None
    restitution: Floats | None = None
    drags: Drags | None = None


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
    ball_joints = [one.index for one in joints if len(one.place) == 3]
    balls = [(one.a, one.b, one.place) for one in joints if one.index in ball_joints]
    wires = []
    roots = table.roots()
    first_sheave = sheave = len(scene.bodies) + len(table.cables) + len(roots)
    for name in massless:
        straight = not scene.bent(scene.wires[name])
        locate = points.end if straight else points.of
        at = tuple(locate(scene.carrier(end)) for end in scene.wires[name].ends)
        nodes = tuple(points.node(point) for point in at)
        drum = scene.wires[name].drum
        hinge = -1 if drum is None else list(scene.joints).index(drum)
        nodes += () if drum is None else tuple(joints[hinge].nodes)
        turned = scene.turned(scene.wires[name])
        nodes += tuple(range(sheave, sheave + len(turned)))
        sheave += len(turned)
        wires.append(declare_wire(stack, name, scene.wires[name], at, nodes, straight, hinge, turned))
    switches = _declare_switches(scene, massless, [wire.row for wire in wires], joints)
    contacts = declare_contacts(scene, stack, points)
    tips = [points.origin(len(scene.bodies) + i) for i in range(len(table.cables))]
    exits = {i: points.origin(node) for i, node in roots.items()}
    declared_wheels = DeclaredWheels(table.wheels, scene, table.cables, points)
    for i, (cable, tip) in enumerate(zip(table.cables, tips, strict=True)):
        balls.append(_declare_ball(stack, points, declared_wheels.place(i, 1), tip, cable.name))
    for i, exit in exits.items():
        if not table.cables[i].free:
            balls.append(_declare_ball(stack, points, exit, declared_wheels.place(i, 0), table.cables[i].name))

    massive = MassiveRoutes(table)
    rings = massive.declare(stack, points, declared_wheels, len(scene.bodies))

    # Second pass: give every row its place and every end its side.
    partner = {len(scene.bodies) + i: node for i, node in roots.items()}
    partner |= {node: tip for tip, node in partner.items()}
    check_rates(scene)
    forest = find_arms(scene)
    layout = lay_out(stack, len(scene.bodies), partner, forest.groups)
    routes = route_arrays(wires, scene, layout)
    springs = spring_arrays(scene, massless, [wire.rows for wire in wires], contacts, layout)
    beyond_balls = any(one.kind != "ball" for one in joints)
    drags = drag_arrays(scene)
    some = bool(table.cables or contacts or beyond_balls or len(routes.row) or switches.owners)
    some = some or bool(len(springs.row) or len(drags.body))
    rare = _Rare()
    if some:
        rare = _Rare(
            routes=routes,
            switches=switches.arrays(layout),
            joints=joint_arrays(joints, wires, layout),
            springs=springs,
            restitution=LATER,
            drags=drags,
        )
    held, joined = _ends(points, wires, layout, held=True), _ends(points, wires, layout, held=False)
    known = [(i, *map(points.robot, wire.points)) for i, wire in enumerate(wires) if wire.straight]
    ends, arms = (held.point, joined.point), bool(forest.trees)
    structure = Structure(points, joints, wires, massless, contacts, switches, layout, some, arms, ends)
    numbers, initial = _numbers(structure, scene, table, driver)
    for wire in wires:
        if all(node < 0 for node in wire.nodes):  # acts on nothing; its reach is the paths' affair
            layout.rows.compliance[layout.place[wire.row]] = OFF_COMPLIANCE
    rows = layout.rows
    if not some:
        rows = rows._replace(soft=np.flatnonzero(rows.compliance))
    joint_sides = [[layout.sides(row, [points.node(a), points.node(b)]) for row in rows] for a, b, rows in balls]
    node, robot = points.nodes()
    model = Model(
        bodies=pack(Bodies),
        loads=pack(Loads, body=np.array(driver.load_body, np.int64), kind=np.array(driver.load_kind, np.int64)),
        points=pack(Points, node=node, robot=robot, used=points.used),
        wires=pack(
            Wires,
            a=np.array([wire.points[0] for wire in wires], np.int64),
            b=np.array([wire.points[-1] for wire in wires], np.int64),
            row=np.array([layout.place[wire.row] for wire in wires], np.int64),
            elastic=np.array([scene.wires[name].springy for name in massless], np.bool_),
            held=held.arrays,
            joined=joined.arrays,
            known=np.array([one for one in known if min(one[1:]) >= 0], np.int64).reshape(-1, 3),
        ),
        balls=pack(
            Balls,
            a=np.array([a for a, _, _ in balls], np.int64),
            b=np.array([b for _, b, _ in balls], np.int64),
            row=np.array([[layout.place[r] for r in rows] for _, _, rows in balls], np.int64).reshape(-1, 3),
            side_a=np.array([[s[0] for s in rows] for rows in joint_sides], np.int64).reshape(-1, 3),
            side_b=np.array([[s[1] for s in rows] for rows in joint_sides], np.int64).reshape(-1, 3),
        ),
        contacts=contact_arrays(contacts, layout, points),
        arms=forest.arrays(layout, *(len(x) - len(y) for x, y in zip(initial, forest.start, strict=False)))
        if forest.trees
        else None,
        rows=rows,
        wheels=None,
        sheaves=sheave_arrays(
            wires,
            routes,
            springs,
            layout,
            first_sheave,
            len(initial.v) - len(forest.start[1]) - (sheave - first_sheave),
        ),
        **rare._asdict(),
    )
    cables = None
    if table.cables:
        cables = table.arrays(layout, len(ball_joints), tips, exits, massive.spans)
        places = int(cables.q[-1]), int(cables.v[-1])
        closures = cables.closure, cables.root_closure
        cables = cables._replace(flow=massive.arrays(rings, layout, closures, cables.sides, places))
        cables = filled(cables, numbers.cables)
        model = model._replace(wheels=declared_wheels.arrays(layout, cables.first, massive.places(places)))
    model = filled(model, numbers.model)
    ball_index = np.array(ball_joints, np.int64)
    graph, owned = make_graph(model, massless, list(scene.joints), ball_index)
    return Compiled(
        structure=structure,
        scene=scene,
        declared=declared,
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
        nodes=sheave,
        responses=len(layout.twin) + int((layout.twin >= 0).sum()),
        initial=initial,
        wires_only=np.array_equal(model.wires.row, np.arange(len(model.rows.kind))),
        graph=graph,
        owned=owned,
    )


class _Ends(NamedTuple):
    """Ends of straight wires at bodies, by fours, and the points there."""

    arrays: Ends
    point: Ints


def _ends(points: PointTable, wires: Sequence[DeclaredWire], layout: Layout, *, held: bool) -> _Ends:
    """Of those wires that robots hold, or of those that join bodies."""
    of: dict[int, tuple[int, int]] = {}  # wire and end of each side
    for i, wire in enumerate(wires):
        nodes = list(wire.nodes[:2])
        if wire.straight and (min(nodes) < 0) == held:
            of |= {side: (i, end) for end, side in enumerate(layout.sides(wire.row, nodes)) if side >= 0}
    fours = sorted({side - side % WIDTH for side in of})
    size = [sum(four + k in of for k in range(WIDTH)) for four in fours]
    sides = [four + min(k, n - 1) for four, n in zip(fours, size, strict=True) for k in range(WIDTH)]
    there = [(wires[of[side][0]], 1 - of[side][1]) for side in sides]
    place = {of[side]: i for i, side in reversed(list(enumerate(sides)))}
    if held:
        other = [points.robot(wire.points[end]) for wire, end in there]
    else:
        ends = [place[of[side][0], end] for side, (_, end) in zip(sides, there, strict=True)]
        other = [3 * (end - end % WIDTH) + end % WIDTH for end in ends]
    wire_of = np.array([of[side][0] for side in sides], np.int64)
    arrays: Ends = pack(
        Ends,
        body=layout.rows.node[fours],
        side=fours,
        size=size,
        wire=wire_of,
        run=runs(wire_of),
        other=other,
        weight=[place[of[side]] == i for i, side in enumerate(sides)],
    )
    return _Ends(arrays, np.array([wire.points[1 - end] for wire, end in there], np.int64))


def _declare_switches(
    scene: Scene, massless: Sequence[str], rows: list[int], joints: list[DeclaredJoint]
) -> SwitchTable:
    switches, of = SwitchTable(), dict(zip(scene.joints, joints, strict=True))
    for index, (name, row) in enumerate(zip(massless, rows, strict=True)):
        drum = scene.wires[name].drum
        switches.add_wire(scene, name, index, row, () if drum is None else of[drum].stops)
    for name, one in of.items():
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
