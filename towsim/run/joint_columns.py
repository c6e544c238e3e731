"""What a result says of joints: forces and torques, coordinates, and how far they have drifted open.

Reduced joints have no rows: what they do follows from the balance of their bodies' momenta (dynamics/arms).

Forces of a step act in the directions of the pose at its beginning: one row earlier than they are recorded in
Stewart–Trinkle's steps, the same row in SHAKE's.

What is recorded and the model's numbers may be complex: by x + iε ẋ the imaginary parts are iε times derivatives, to
rounding (complex steps; Squire & Trapp, SIAM Review 40, 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from towsim.methods.block import Block
from towsim.model.arrays import Floats, Ints
from towsim.model.compile import Compiled

LOWER, UPPER = 1, 2

OF_JOINTS = (
    "joint_reaction",
    "joint_impulse",
    "joint_torque",
    "joint_position",
    "joint_velocity",
    "joint_gap",
    "joint_tilt",
)
"""Variables of joints; they are not linear in what is recorded."""


OF_BALLS = ("joint_reaction", "joint_impulse", "joint_gap")
"""Those that there are of ball joints, too."""


def joint_columns(compiled: Compiled, block: Block, wanted: Sequence[str] = OF_JOINTS) -> dict[str, Floats]:
    """The block's rows of joints' variables, of those that are wanted; nothing when the scene has no joints."""
    if not compiled.scene.joints:
        return {}
    offered, out = OF_JOINTS if compiled.jointed else OF_BALLS, dict[str, Floats]()
    for names, made in TOGETHER.items():
        told = {name for name in names if name in offered and name in wanted}
        if told:
            found = zip(names, made(compiled, block), strict=True)
            out |= {name: values for name, values in found if name in told}
    return out


def on_drums(compiled: Compiled) -> bool:
    """Whether there are wires on drums, whose lengths follow from joint coordinates."""
    joints = compiled.model.joints
    return joints is not None and len(joints.drums.wire) > 0


def wind_up(compiled: Compiled, length: Floats, position: Floats) -> Floats:
    """Lengths of wires (n, nw, ..), those on drums as they are turned: by joint coordinates (n, nj, ..)."""
    joints = compiled.model.joints
    if joints is None or not on_drums(compiled):
        return length
    length, drums = length.copy(), joints.drums
    turned = position[:, joints.axes.joint[drums.axis]]
    length[:, drums.wire] += (drums.radius * turned.swapaxes(1, -1)).swapaxes(1, -1)
    return length


class _Poses:
    """World directions and points at some rows of a block."""

    def __init__(self, compiled: Compiled, block: Block, rows: Ints) -> None:
        self.record, self.drive, self.points, self.rows = block.record, block.drive, compiled.model.points, rows

    def turned(self, node: int, u: Floats) -> Floats:
        """Direction u (3,) of a node in world axes (n, 3)."""
        if node < 0:
            return np.broadcast_to(u, (len(self.rows), 3))
        return turned(self.record.quaternion[self.rows, node], u)

    def all_turned(self, nodes: Ints, u: Floats) -> Floats:
        """Directions u (m, 3), each of a node of its own, in world axes (n, m, 3)."""
        q = self.record.quaternion[self.rows[:, None], nodes]
        return turned(np.where((nodes < 0)[:, None], (1.0, 0.0, 0.0, 0.0), q), u)

    def place(self, point: int) -> Floats:
        """Position of a point (n, 3) [m]."""
        node = self.points.node[point]
        if node < 0:
            return np.asarray(self.drive.robot[self.rows, self.points.robot[point]])
        return np.asarray(self.record.position[self.rows, node] + self.turned(node, self.points.local[point]))

    def speed(self, point: int) -> Floats:
        """Velocity of a point (n, 3) [m/s]."""
        node = self.points.node[point]
        if node < 0:
            return np.asarray(self.drive.robot_rate[self.rows, self.points.robot[point]])
        arm = self.turned(node, self.points.local[point])
        return np.asarray(self.record.velocity[self.rows, node] + cross(self.spin(node), arm))

    def spin(self, node: int) -> Floats:
        """Angular velocity of a node (n, 3) [rad/s]."""
        if node < 0:
            return np.zeros((len(self.rows), 3), self.record.angular_velocity.dtype)
        return np.asarray(self.record.angular_velocity[self.rows, node])


def _wrench(compiled: Compiled, block: Block) -> tuple[Floats, Floats]:
    """Force on the second bodies, and torque about the joints' point on them: (n, nj, 3) each [N], [N m]."""
    rows, poses = slice(block.first, block.stop), _Poses(compiled, block, _begin(block))
    motors = {j: block.drive.motor[poses.rows, i] for j, i in _motors(compiled, block)}
    F, T = _on_second(compiled, poses, block.record.force[rows], motors)
    if block.record.arms is not None:
        for j, wrench in _on_carried(compiled, poses, block.record.arms.force[rows]):
            F[:, j], T[:, j] = wrench[:, :3], wrench[:, 3:]
    return F, T


def _impact(compiled: Compiled, block: Block) -> tuple[Floats]:
    """Impulse on the second bodies (n, nj, 3) [N s]."""
    rows, poses = slice(block.first, block.stop), _Poses(compiled, block, _begin(block))
    P, _ = _on_second(compiled, poses, block.record.impulse[rows], {})
    if block.record.arms is not None:
        for j, force in _on_carried(compiled, poses, block.record.arms.impulse[rows]):
            P[:, j] = force
    return (P,)


def _on_carried(compiled: Compiled, at: _Poses, held: Floats) -> Iterator[tuple[int, Floats]]:
    """Of each reduced joint: its number, and the force and torque (n, 6) about its point on the second body.

    What joints do to the bodies that one carries adds up to what this one does, as all others act between two of them.
    So sums of the bodies' own ``held`` (n, nl, 6), or (n, nl, 3) of forces alone, go from joint to joint, tips first,

        F = F_i + Σ F_c,    T = T_i + (x_i − x) × F_i + Σ (T_c + (x_c − x) × F_c)

    with the body i that the joint holds and the joints c beyond it. Each joint is summed once, away from its tree's
    root. Where that is on the side of the first body, the second one takes −F and −T; in a tree without a robot it
    takes besides what all the bodies together are held by, which is nothing but for errors of the step.
    """
    arms = compiled.model.arms
    assert arms is not None
    place = {j: at.place(one.b) for j, one in enumerate(compiled.structure.joints) if one.reduced}
    sums: dict[tuple[int, int], Floats] = {}
    sides, first = _carried(compiled)
    for (j, end), (i, beyond) in sides.items():
        sums[j, end] = total = _moved(held[:, i], at.record.position[at.rows, arms.body[i]] - place[j])
        for c, far in beyond:
            total += _moved(sums[c, far], place[c] - place[j])
    for j in place:
        if (j, 1) not in sums:
            sums[j, 1] = -sums[j, 0]
            if (k := first.get(j)) is not None:
                sums[j, 1] += _moved(sums[k, 0] + sums[k, 1], place[k] - place[j])
        yield j, sums[j, 1]


def _moved(wrench: Floats, arm: Floats) -> Floats:
    """Force and torque (n, 6), or a force alone (n, 3), about a point from which the old one is at ``arm`` (n, 3)."""
    moved = wrench.copy()
    if wrench.shape[1] > 3:
        moved[:, 3:] += cross(arm, wrench[:, :3])
    return moved


def _carried(compiled: Compiled) -> tuple[dict[tuple[int, int], tuple[int, list[tuple[int, int]]]], dict[int, int]]:
    """Of each reduced joint, and its end away from the root: the body there, and what is beyond it, in the same way.

    The root of a tree is its robot, or else the body with the first of the joints; of that joint both ends are there,
    and it is told of each joint of such a tree. An end is 0 or 1, for the first or second body, and comes behind what
    is beyond it. The body is counted in its arm.
    """
    scene, arms = compiled.scene, compiled.model.arms
    assert arms is not None
    names = list(scene.bodies)
    number = {names[body]: i for i, body in enumerate(arms.body)}
    owner = {
        (j, end): scene.attachment(at).owner
        for j, joint in enumerate(scene.joints.values())
        if joint.reduced
        for end, at in enumerate((joint.from_, joint.to))
    }
    meeting: dict[str, list[tuple[int, int]]] = {}  # by owner: the other ends of its joints
    for (j, end), name in owner.items():
        meeting.setdefault(name, []).append((j, 1 - end))
    reached, first = set[str](), dict[int, int]()
    outward: dict[tuple[int, int], tuple[int, list[tuple[int, int]]]] = {}
    for root in sorted(meeting, key=lambda name: name in number):  # robots first
        if root in reached:
            continue
        stack, (start, far) = meeting[root].copy(), meeting[root][0]
        if root in number:
            outward[start, 1 - far] = number[root], stack[1:]
        while stack:
            j, end = stack.pop()
            name = owner[j, end]
            beyond = [other for other in meeting[name] if other[0] != j]
            outward[j, end] = number[name], beyond
            if root in number:
                first[j] = start
            reached.add(name)
            stack += beyond
    return dict(reversed(outward.items())), first


def _begin(block: Block) -> Ints:
    """Rows in which the steps begin whose forces are in the block's rows."""
    return np.maximum(np.arange(block.first, block.stop) - block.lag, 0)


def _motors(compiled: Compiled, block: Block) -> Iterator[tuple[int, int]]:
    """Joints with rows and a motor, and which one; but for those that are detached in the block.

    The model has forgotten motors by now that were there in a block before the last one.
    """
    declared, off = compiled.structure.joints, set[str]()
    if block.gone is not None:
        off = {
            name
            for (kind, name), row in zip(compiled.switch_owners, block.gone, strict=True)
            if kind == "joint" and row == 0
        }
    names = list(compiled.scene.joints)
    driven = [one.index for one in declared if one.driven]
    yield from ((j, i) for i, j in enumerate(driven) if not declared[j].reduced and names[j] not in off)


def _on_second(compiled: Compiled, at: _Poses, force: Floats, motors: Mapping[int, Floats]) -> tuple[Floats, Floats]:
    """What the rows' forces or impulses (n, nr), and those of motors (n,) by joint, do to the second bodies."""
    model, rows = compiled.model, at.rows
    shape = (len(rows), len(compiled.scene.joints), 3)
    F, T = np.zeros(shape, force.dtype), np.zeros(shape, force.dtype)
    own = compiled.ball_joints
    F[:, own] -= force[:, model.balls.row[: len(own)]]
    if model.joints is None:
        return F, T
    tilts, rails, axes, _ = model.joints
    aside = at.all_turned(rails.node_a, rails.t) * force[:, rails.row, None]
    across = cross(at.all_turned(tilts.node_a, tilts.t), at.all_turned(tilts.node_b, tilts.b))
    np.add.at(F.swapaxes(0, 1), rails.joint, aside.swapaxes(0, 1))
    np.subtract.at(T.swapaxes(0, 1), tilts.joint, (across * force[:, tilts.row, None]).swapaxes(0, 1))
    axis = at.all_turned(axes.node_a, axes.frame[:, 0])
    for i, j in enumerate(axes.joint):
        along = sum((sign * force[:, r] for r, sign in zip(axes.row[i], (1, 1, -1, 1), strict=True) if r >= 0), 0.0)
        along = along + motors.get(int(j), 0.0)
        part = F if axes.slides[i] else T
        part[:, j] += axis[:, i] * np.reshape(along, (-1, 1))
    return F, T


def _drift(compiled: Compiled, block: Block) -> tuple[Floats, Floats]:
    """How far joints are open [m], and how far their orientations are off [rad]: (n, nj) each."""
    model, gap = compiled.model, block.record.gap[block.first : block.stop]
    open_, tilted = np.zeros((2, len(gap), len(compiled.scene.joints)), gap.dtype)
    own = compiled.ball_joints
    open_[:, own] = np.sum(gap[:, model.balls.row[: len(own)]] ** 2, axis=2)
    if model.joints is not None:
        for law, out in ((model.joints.rails, open_), (model.joints.tilts, tilted)):
            for i, j in enumerate(law.joint):
                out[:, j] += gap[:, law.row[i]] ** 2
    return np.sqrt(open_), np.sqrt(tilted)


def _coordinate(compiled: Compiled, block: Block) -> tuple[Floats, Floats]:
    """Coordinates of joints with an axis, and their rates: (n, nj) each; NaN for the others."""
    rows = np.arange(block.first, block.stop)
    at = _Poses(compiled, block, rows)
    c, rate = np.full((2, len(rows), len(compiled.scene.joints)), np.nan, block.record.quaternion.dtype)
    assert compiled.model.joints is not None
    axes = compiled.model.joints.axes
    a_of, t1_of, t2_of = (at.all_turned(axes.node_a, axes.frame[:, k]) for k in range(3))
    z_of = at.all_turned(axes.node_b, axes.zero)
    for i, j in enumerate(axes.joint):
        a = a_of[:, i]
        if axes.slides[i]:
            apart = at.place(axes.b[i]) - at.place(axes.a[i])
            c[:, j] = np.sum(a * apart, axis=1)
            turning = cross(at.spin(axes.node_a[i]), a)
            rate[:, j] = np.sum(a * (at.speed(axes.b[i]) - at.speed(axes.a[i])) + turning * apart, axis=1)
        else:
            y, x = np.sum(z_of[:, i] * t2_of[:, i], axis=1), np.sum(z_of[:, i] * t1_of[:, i], axis=1)
            angle = unwrapped(np.arctan2(y.real, x.real))
            turns = np.round((np.nan_to_num(block.angle[i]) - angle[-1:]) / (2.0 * np.pi))  # the kernels count them
            c[:, j] = angle + 2.0 * np.pi * turns
            if np.iscomplexobj(c):
                c[:, j] += 1j * (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)
            rate[:, j] = np.sum(a * (at.spin(axes.node_b[i]) - at.spin(axes.node_a[i])), axis=1)
    return c, rate


TOGETHER: dict[tuple[str, ...], Callable[[Compiled, Block], tuple[Floats, ...]]] = {
    ("joint_reaction", "joint_torque"): _wrench,
    ("joint_impulse",): _impact,
    ("joint_gap", "joint_tilt"): _drift,
    ("joint_position", "joint_velocity"): _coordinate,
}
"""Which are found together, and how."""


def unwrapped(angle: Floats) -> Floats:
    """Angles (n,) made continuous."""
    return np.unwrap(angle) if len(angle) else angle


def cross(a: Floats, b: Floats) -> Floats:
    """a × b along the last axis; numpy's own spends most of its time on moving axes where vectors are few."""
    (a1, a2, a3), (b1, b2, b3) = ((x[..., 0], x[..., 1], x[..., 2]) for x in (a, b))
    return np.stack([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1], axis=-1)


def turned(q: Floats, u: Floats) -> Floats:
    """Vectors u (.., 3) turned by the quaternions q (.., 4)."""
    e = q[..., 1:]
    c = cross(e, u)
    return np.asarray(u + 2.0 * (q[..., :1] * c + cross(e, c)))
