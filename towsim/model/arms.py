"""Arms that a scene's reduced joints form, as sub-systems: all of them as one forest, and which bodies its links are.

Poses and velocities of these bodies stand in the state as those of all bodies do; they follow from the coordinates and
rates of the joints, which come after the cables' ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from towsim.arena import leaves
from towsim.errors import SceneError
from towsim.model.arm_builder import ArmBuilder
from towsim.model.arrays import Floats, Floats3, Floats4, Ints, Ints2, Numbers, pack
from towsim.model.layout import Layout
from towsim.model.trees import Tree, TreeArrays, compile_tree
from towsim.scene import Joint, Scene


class Arms(NamedTuple):
    """The forest for the kernels. A side is one of a row, at a body of an arm."""

    tree: TreeArrays
    q: Ints  # (1,) first of its coordinates in the state
    v: Ints  # (1,) first of its rates
    robot: Ints  # (nt,) robot that is each tree's base, −1 for the world
    body: Ints  # (nl,) bodies of the arms
    joint: Ints  # (nl,) joint whose link each body is, or is a part of
    centre: Floats3  # (nl, 3) the body's centre, link's frame [m]
    turn: Floats4  # (nl, 4) from body axes to the link's frame
    motor: Ints  # (n,) motor of each joint, −1 for none
    side: Ints  # (ns,)
    at: Ints  # (ns,) which of the bodies each side is at
    row: Ints  # (ns,) its row
    pair: Ints2  # (np, 2) two of the sides, counted as here
    entry: Ints  # (np,) entry of A to which the product of their responses adds


@dataclass(frozen=True)
class Forest:
    """The arms of a scene as they are found, before rows have places.

    Attributes
    ----------
    trees : one for each arm;  builders : what made them
    """

    scene: Scene
    trees: tuple[Tree, ...]
    builders: tuple[ArmBuilder, ...]

    @property
    def groups(self) -> list[list[int]]:
        """Numbers of the bodies of each arm."""
        number = {name: i for i, name in enumerate(self.scene.bodies)}
        return [[number[name] for name in builder.bodies] for builder in self.builders]

    @property
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates of all joints at t = 0."""
        q, u = ([tree.start for tree in self.trees], [tree.rate for tree in self.trees])
        return np.concatenate([np.empty(0), *q]), np.concatenate([np.empty(0), *u])

    def arrays(self, layout: Layout, q: int, v: int) -> Arms:
        """The arrays for the kernels, their coordinates and rates from ``q`` and ``v`` on in the state."""
        scene, trees = self.scene, self.trees
        first = [0, *accumulate(tree.n for tree in trees)]
        robots = list(scene.robots)
        bodies, joints, centres, motors = [], [], [], []
        driven = [name for name, joint in scene.joints.items() if joint.motor != 0.0]
        for tree, builder, start in zip(trees, self.builders, first, strict=False):
            at = dict(zip(tree.links, tree.joint, strict=True))
            for name, (link, centre) in builder.bodies.items():
                bodies.append(list(scene.bodies).index(name))
                joints.append(start + int(at[link]))
                centres.append(centre)
            own = np.full(tree.n, -1)
            for link, name in builder.joints.items():
                if name in driven:
                    own[at[link]] = driven.index(name)
            motors += own.tolist()
        place = np.array(bodies, np.int64)
        sides = np.sort(layout.rows.side[np.isin(layout.rows.node[layout.rows.side], place)])
        where = {int(body): i for i, body in enumerate(place)}
        number = {int(side): i for i, side in enumerate(sides)}
        rotation = [list(scene.bodies.values())[i].quaternion for i in bodies]
        arms: Arms = pack(
            Arms,
            tree=_joined(trees),
            q=[q],
            v=[v],
            robot=[robots.index(builder.robot) if builder.robot else -1 for builder in self.builders],
            body=bodies,
            joint=joints,
            centre=np.reshape(centres, (-1, 3)),
            turn=np.reshape(rotation, (-1, 4)),
            motor=motors,
            side=sides,
            at=[where[int(layout.rows.node[side])] for side in sides],
            row=[int(layout.rows.row[side]) for side in sides],
            pair=np.array([(number[a], number[b]) for a, b, _ in layout.arm_pairs], np.int64).reshape(-1, 2),
            entry=[entry for _, _, entry in layout.arm_pairs],
        )
        return arms

    def numbers(self, layout: Layout) -> Numbers:
        """Inertias, places and springs of the links."""
        arrays = leaves("arms", self.arrays(layout, 0, 0))
        return {path: array for path, array in arrays if array.dtype == np.float64}


def find_arms(scene: Scene) -> Forest:
    """The arms of a scene: bodies that reduced joints connect."""
    reduced = [(name, joint) for name, joint in scene.joints.items() if joint.reduced]
    ends = {name: {scene.attachment(end).owner for end in (joint.from_, joint.to)} for name, joint in reduced}
    groups: list[set[str]] = []
    for name, _ in reduced:
        bodies = ends[name] & set(scene.bodies)
        met = [group for group in groups if group & bodies]
        groups = [group for group in groups if group not in met] + [bodies.union(*met)]
    builders = []
    for group in groups:
        joints = [(name, joint) for name, joint in reduced if ends[name] & group]
        robot = next((end for name, _ in joints for end in ends[name] & set(scene.robots)), None)  # two close a loop
        builders.append(ArmBuilder(scene, [name for name in scene.bodies if name in group], joints, robot))
    trees = [compile_tree(builder.build(), gravity=(0.0, 0.0, 0.0), robots=dict(scene.robots)) for builder in builders]
    return Forest(scene, tuple(trees), tuple(builders))


def check_rates(scene: Scene) -> None:
    """Refuse velocities at the start that the coordinates of reduced joints cannot give their bodies.

    Raises
    ------
    SceneError : names the joint
    """
    for name, joint in scene.joints.items():
        if joint.reduced:
            slip, turn, fastest = slips(scene, joint)
            if max(np.abs(slip).max(), np.abs(turn).max()) > 1e-9 * (1.0 + fastest):
                raise SceneError(
                    f"joint {name!r}: its ends start at velocities that differ by {np.linalg.norm(slip):.6g} m/s and "
                    f"{np.linalg.norm(turn):.6g} rad/s where it is held; a reduced joint cannot: change velocity or "
                    "angular_velocity of its bodies"
                )


def slips(scene: Scene, joint: Joint) -> tuple[Floats, Floats, float]:
    """How velocities and spins (3,) of a joint's ends differ at the start where it holds them; the largest of all."""
    (v_a, w_a), (v_b, w_b) = _rates(scene, joint.from_, joint.to), _rates(scene, joint.to, joint.to)
    slip, turn = v_b - v_a, w_b - w_a
    if joint.axis is not None:
        axis = np.array(joint.axis)
        if joint.kind == "prismatic":
            slip = slip - axis * (axis @ slip)
        else:
            turn = turn - axis * (axis @ turn)
    points = any(end in scene.bodies and scene.bodies[end].point for end in (joint.from_, joint.to))
    if joint.kind == "ball" or points:
        turn = np.zeros(3)
    return slip, turn, float(max(np.abs(x).max() for x in (v_a, v_b, w_a, w_b)))


def _rates(scene: Scene, end: str, at: str) -> tuple[Floats, Floats]:
    """Velocity at the start of the owner of ``end``, at the place of the end ``at``, and its spin."""
    owner = scene.attachment(end)
    if owner.is_robot:
        return scene.robots[owner.owner].sample(np.zeros(1))[1][0], np.zeros(3)
    body, other = scene.bodies[owner.owner], scene.attachment(at)
    if other.is_robot:
        place = scene.robots[other.owner].sample(np.zeros(1))[0][0]
    else:
        held = scene.bodies[other.owner]
        place = np.array(held.position) + held.rotation_matrix() @ np.array(other.offset)
    spin = np.array(body.angular_velocity)
    return np.asarray(body.velocity + np.cross(spin, place - np.array(body.position))), spin


def _joined(trees: tuple[Tree, ...]) -> TreeArrays:
    """The trees' arrays as those of one forest. Gravity is zero: weights are among the loads of the bodies."""
    columns: dict[str, list[np.ndarray]] = {name: [] for name in TreeArrays._fields}
    n = nq = 0
    for k, tree in enumerate(trees):
        for name, column in tree.arrays._asdict().items():
            if name in ("parent", "carrier"):
                column = np.where(column >= 0, column + n, -1)
            elif name in ("q", "free"):
                column = column + (nq if name == "q" else n)
            elif name == "base":
                column = np.full(tree.n, k)
            columns[name].append(column)
        n, nq = n + tree.n, nq + tree.nq
    whole = {name: np.concatenate(parts) for name, parts in columns.items() if name not in ("gravity", "frame")}
    arrays: TreeArrays = pack(TreeArrays, gravity=np.zeros(3), frame=np.eye(3), **whole)
    return arrays
