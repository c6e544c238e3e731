"""Joints of a scene as rows: which directions are tied to which, in the axes of the bodies that carry them.

ball: its points. revolute: points, and B's axis perpendicular to two directions of A. prismatic: two rails across the
axis, and the orientation. fixed: points and orientation. Three tilts tie an orientation: t₁ ⟂ b₂, t₂ ⟂ b₃, t₃ ⟂ b₁ for
the triads t of A and b of B that were one at the start. A point mass has no orientation to tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from towsim.model.arrays import FREE, UNILATERAL, Flags, Floats, Floats2, Floats3, Floats33, Ints, Ints4, Numbers, pack
from towsim.model.layout import Layout, Stack
from towsim.model.routes import DeclaredWire
from towsim.scene.motion import plane_axes

if TYPE_CHECKING:
    from towsim.scene import Joint, Scene

ABOUT = ((0, 1), (0, 2))  # B's axis stays perpendicular to A's second and third direction
TURN = ((1, 0), (2, 1), (0, 2))


class Tilts(NamedTuple):
    """Directions on two nodes that stay perpendicular: t·b = 0."""

    joint: Ints  # (nt,) which joint it belongs to
    node_a: Ints  # (nt,) node that carries t, −1: world axes
    node_b: Ints  # (nt,) node that carries b, −1: world axes
    t: Floats3  # (nt, 3) in A's axes
    b: Floats3  # (nt, 3) in B's axes
    row: Ints  # (nt,)
    side_a: Ints  # (nt,)
    side_b: Ints  # (nt,)


class Rails(NamedTuple):
    """Points B that stay in a plane carried by A: t·(p_B − p_A) = 0."""

    joint: Ints  # (nr,) which joint it belongs to
    a: Ints  # (nr,) point A
    b: Ints  # (nr,) point B
    node_a: Ints  # (nr,) node that carries t, −1: world axes
    t: Floats3  # (nr, 3) in A's axes
    row: Ints  # (nr,)
    side_a: Ints  # (nr,)
    side_b: Ints  # (nr,)


class Axes(NamedTuple):
    """Coordinates c along or about the axes of joints, with springs, dampers, limits, motors and given motions."""

    joint: Ints  # (na,) which joint it belongs to
    slides: Flags  # (na,) along (True) or about the axis
    a: Ints  # (na,) point A
    b: Ints  # (na,) point B
    node_a: Ints  # (na,) node that carries the axis, −1: world axes
    node_b: Ints  # (na,)
    frame: Floats33  # (na, 3, 3) rows: axis and two directions perpendicular to it, in A's axes
    zero: Floats3  # (na, 3) in B's axes: the second row of frame at the angle 0
    row: Ints4  # (na, 4) spring and damper, lower and upper limit, given motion; −1 where there is none
    side_a: Ints4  # (na, 4)
    side_b: Ints4  # (na, 4)
    stiffness: Floats  # (na,) [N/m] or [N m/rad]
    damping: Floats  # (na,) [N s/m] or [N m s/rad]
    rest: Floats  # (na,) [m] or [rad]
    limit: Floats2  # (na, 2) [m] or [rad]
    motor: Ints  # (na,) column of the drive's motors, −1 without one
    motion: Ints  # (na,) column of the drive's lengths, −1 without one


class Drums(NamedTuple):
    """Wires that joints with an axis pay out as they turn."""

    wire: Ints  # (nd,)
    row: Ints  # (nd,) of the wire
    axis: Ints  # (nd,) which of the axes
    side_a: Ints  # (nd,) side of the wire's row on what carries the drum, −1 on a robot
    side_b: Ints  # (nd,) and on the drum
    radius: Floats  # (nd,) [m]


class Joints(NamedTuple):
    """All rows of joints beyond those that hold two points together (see Balls)."""

    tilts: Tilts
    rails: Rails
    axes: Axes
    drums: Drums


@dataclass(frozen=True)
class Declared:
    """A joint's ends and the numbers of its rows, of which a reduced joint has none.

    Attributes
    ----------
    index : position among the scene's joints
    kind : of the joint;  axial : whether it has a coordinate along or about an axis;  driven : whether by a motor
    a, b : points;  nodes : their nodes, −1 for a robot's
    place : rows that hold the points together (ball), or on the axis (rails)
    tilts : (direction of B, direction of A, row)
    axis : rows of the coordinate: spring and damper, lower limit, upper limit, given motion; −1 where there is none
    """

    index: int
    kind: str
    axial: bool
    driven: bool
    reduced: bool
    a: int
    b: int
    nodes: list[int]
    place: list[int]
    tilts: list[tuple[int, int, int]] = field(default_factory=list)
    axis: tuple[int, int, int, int] = (-1, -1, -1, -1)

    @property
    def rows(self) -> list[int]:
        """All of its rows."""
        return [*self.place, *(row for _, _, row in self.tilts), *(row for row in self.axis if row >= 0)]

    @property
    def stops(self) -> list[int]:
        """Those of its limits."""
        return [row for row in self.axis[1:3] if row >= 0]


def declare(
    stack: Stack, index: int, name: str, joint: Joint, a: int, b: int, nodes: list[int], point: bool
) -> Declared:
    """Declare a joint's rows between the points a and b on the given nodes; ``point``: B is a point mass."""
    slides = joint.kind == "prismatic"
    facts = index, joint.kind, joint.axis is not None, joint.motor != 0.0, joint.reduced, a, b, nodes
    if joint.reduced:
        return Declared(*facts, [])
    place = [stack.add(FREE, nodes, name) for _ in range(2 if slides else 3)]
    tied = {"ball": (), "revolute": ABOUT}.get(joint.kind, () if point else TURN)
    tilts = [(b, a, stack.add(FREE, nodes, name)) for b, a in tied]
    spring = stack.add(FREE, nodes, name) if joint.spring is not None or joint.damping > 0.0 else -1
    lower, upper = (stack.add(UNILATERAL, nodes, name) if joint.limits is not None else -1 for _ in range(2))
    motion = stack.add(FREE, nodes, name) if joint.motion is not None else -1
    return Declared(*facts, place, tilts, (spring, lower, upper, motion))


def joint_arrays(declared: list[Declared], wires: Sequence[DeclaredWire], layout: Layout) -> Joints:
    """Arrays of all joints, without their numbers; empty when all are balls."""

    def sides(rows: list[int], end: int, nodes: list[list[int]]) -> list[int]:
        return [layout.sides(row, at)[end] for row, at in zip(rows, nodes, strict=True)]

    tilts, rails, axial = _tilts(declared), _rails(declared), _axial(declared)
    nodes, rows = [one.nodes for one, *_ in tilts], [row for *_, row in tilts]
    packed_tilts = pack(
        Tilts,
        joint=[one.index for one, *_ in tilts],
        node_a=[a for a, _ in nodes],
        node_b=[b for _, b in nodes],
        row=[layout.place[row] for row in rows],
        side_a=sides(rows, 0, nodes),
        side_b=sides(rows, 1, nodes),
    )
    nodes, rows = [one.nodes for one, *_ in rails], [row for *_, row in rails]
    packed_rails = pack(
        Rails,
        joint=[one.index for one, *_ in rails],
        a=[one.a for one, *_ in rails],
        b=[one.b for one, *_ in rails],
        node_a=[a for a, _ in nodes],
        row=[layout.place[row] for row in rows],
        side_a=sides(rows, 0, nodes),
        side_b=sides(rows, 1, nodes),
    )
    return Joints(packed_tilts, packed_rails, _axes(axial, len(wires), layout), _drums(axial, wires, layout))


def _tilts(declared: list[Declared]) -> list[tuple[Declared, int, int, int]]:
    return [(one, *tilt) for one in declared for tilt in one.tilts]


def _rails(declared: list[Declared]) -> list[tuple[Declared, int, int]]:
    return [(one, k, row) for one in declared if len(one.place) == 2 for k, row in enumerate(one.place)]


def _axial(declared: list[Declared]) -> list[Declared]:
    return [one for one in declared if one.axial]


def _drums(axial: list[Declared], wires: Sequence[DeclaredWire], layout: Layout) -> Drums:
    on = [i for i, wire in enumerate(wires) if wire.hinge >= 0]
    sides = np.array([layout.sides(wires[i].row, list(wires[i].nodes))[-2:] for i in on], np.int64).reshape(-1, 2)
    places = [one.index for one in axial]
    drums: Drums = pack(
        Drums,
        wire=on,
        row=[layout.place[wires[i].row] for i in on],
        axis=[places.index(wires[i].hinge) for i in on],
        side_a=sides[:, 0],
        side_b=sides[:, 1],
    )
    return drums


def _axes(axial: list[Declared], wires: int, layout: Layout) -> Axes:
    rows = np.array([one.axis for one in axial], np.int64).reshape(-1, 4)
    given = np.array([one.axis[3] >= 0 for one in axial], bool)
    side = np.full((2, *rows.shape), -1, np.int64)
    driven = [one.index for one in axial if one.driven]
    for (i, k), row in np.ndenumerate(rows):
        if row >= 0:
            side[:, i, k] = layout.sides(int(row), axial[i].nodes)
    axes: Axes = pack(
        Axes,
        joint=[one.index for one in axial],
        slides=[one.kind == "prismatic" for one in axial],
        a=[one.a for one in axial],
        b=[one.b for one in axial],
        node_a=[one.nodes[0] for one in axial],
        node_b=[one.nodes[1] for one in axial],
        row=np.reshape([layout.place[row] if row >= 0 else -1 for row in rows.flat], (-1, 4)),
        side_a=side[0],
        side_b=side[1],
        motor=[driven.index(one.index) if one.driven and not one.reduced else -1 for one in axial],
        motion=np.where(given, wires - 1 + np.cumsum(given), -1),
    )
    return axes


def joint_numbers(declared: list[Declared], scene: Scene) -> Numbers:
    """Directions, springs and limits of the joints."""
    rotations = [body.rotation_matrix() for body in scene.bodies.values()]
    joints = list(scene.joints.values())
    frames = [_frame(joint) for joint in joints]

    def local(one: Declared, end: int, k: int) -> Floats:
        """Direction k of a joint's frame at the start, in the axes of the node at one of its ends."""
        node, direction = one.nodes[end], frames[one.index][k]
        return direction if node < 0 else np.asarray(direction @ rotations[node])

    tilts, rails, axial = _tilts(declared), _rails(declared), _axial(declared)
    laws = [joints[one.index] for one in axial]
    on = [wire.drum for wire in scene.wires.values() if wire.drum is not None]
    return {
        "joints.drums.radius": np.array([scene.drums[drum].radius for drum in on], float),
        "joints.tilts.t": np.reshape([local(one, 0, k) for one, _, k, _ in tilts], (-1, 3)),
        "joints.tilts.b": np.reshape([local(one, 1, k) for one, k, _, _ in tilts], (-1, 3)),
        "joints.rails.t": np.reshape([local(one, 0, 1 + k) for one, k, _ in rails], (-1, 3)),
        "joints.axes.frame": np.reshape([[local(one, 0, k) for k in range(3)] for one in axial], (-1, 3, 3)),
        "joints.axes.zero": np.reshape([local(one, 1, 1) for one in axial], (-1, 3)),
        "joints.axes.stiffness": np.array([law.spring.stiffness if law.spring else 0.0 for law in laws]),
        "joints.axes.damping": np.array([law.damping for law in laws]),
        "joints.axes.rest": np.array([law.spring.rest if law.spring else 0.0 for law in laws]),
        "joints.axes.limit": np.reshape([law.limits or (-np.inf, np.inf) for law in laws], (-1, 2)),
    }


def _frame(joint: Joint) -> Floats:
    """Rows: axis of a joint and two directions perpendicular to it, world axes at the start."""
    axis = joint.axis or (0.0, 0.0, 1.0)
    return np.stack([np.array(axis), *plane_axes(axis)])
