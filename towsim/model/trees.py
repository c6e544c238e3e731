"""Arms as flat arrays: joints of one degree of freedom each, carriers first.

A universal joint is two turns in a row; a ball is three turns about axes of one and the same carrier, with a
quaternion for a coordinate; a free joint is three slides and a ball.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import Codes, Floats, Floats3, Floats33, Ints, pack
from towsim.scene.arms import Arm, Place
from towsim.scene.formula import formula
from towsim.scene.vehicles import Robot

SLIDE, TURN, BALL, BALL_END = 0, 1, 2, 3
"""Kinds of the joints in ``TreeArrays``: BALL is the first two turns of a ball, BALL_END the third, with its link."""


class TreeArrays(NamedTuple):
    """A tree for the kernels; ``n`` joints of one degree of freedom."""

    kind: Codes  # (n,)
    parent: Ints  # (n,) joint before, −1 on the base
    carrier: Ints  # (n,) joint whose frame holds axis and place, −1 for the base; the parent, but for parts of a ball
    q: Ints  # (n,) coordinate; of a BALL_END the first of four, of a BALL that of its end
    axis: Floats3  # (n, 3) carrier's frame
    at: Floats3  # (n, 3) place of the joint, carrier's frame [m]
    mass: Floats  # (n,) of the link after the joint; 0 if there is none [kg]
    centre: Floats3  # (n, 3) of the link, its frame [m]
    inertia: Floats33  # (n, 3, 3) about the centre, its frame [kg m²]
    stiffness: Floats  # (n,) [N/m or N m/rad]
    rest: Floats  # (n,) [m or rad]
    damping: Floats  # (n,) [N s/m or N m s/rad]
    gravity: Floats  # (3,) [m/s²]
    frame: Floats3  # (3, 3) of the base
    free: Ints  # (nf,) first joint of each free link
    base: Ints  # (n,) which base carries the joint, if no other joint does


@dataclass(frozen=True)
class Tree:
    """A compiled arm.

    Attributes
    ----------
    arm : as declared
    robot : what carries the base; None if it stands still
    arrays : for the kernels
    links : names of the links, in the order of their joints
    joint : (nl,) last joint of each link, the one that has its frame and mass
    first : (nl,) first joint of each link
    start : (nq,) coordinates at t = 0;  rate : (n,) their rates
    """

    arm: Arm
    robot: Robot | None
    arrays: TreeArrays
    links: tuple[str, ...]
    joint: Ints
    first: Ints
    start: Floats
    rate: Floats

    @property
    def n(self) -> int:
        """Degrees of freedom."""
        return len(self.arrays.kind)

    @property
    def nq(self) -> int:
        """Coordinates: one more than degrees of freedom for every ball."""
        return len(self.start)

    def base(self, t: Floats) -> Floats:
        """Position, velocity and acceleration of the base, (n, 9), at the times ``t`` (n,) [s]."""
        if self.robot is not None:
            return np.concatenate(self.robot.sample(t), axis=1)
        assert isinstance(self.arm.base, Place)  # compile_tree
        return np.tile(np.concatenate([self.arm.base.position, np.zeros(6)]), (len(t), 1))

    def force(self, t: Floats) -> Floats:
        """Driving forces and torques of the joints, (n_t, n), at the times ``t`` [N, N m]."""
        out = np.zeros((len(t), self.n))
        for name, j in zip(self.links, self.joint, strict=True):
            given = self.arm.links[name].joint.force
            out[:, j] = formula(given).value(t) if isinstance(given, str) else given
        return out

    @cached_property
    def steady(self) -> bool:
        """Whether base and driving forces are the same at all times."""
        driven = any(isinstance(link.joint.force, str) for link in self.arm.links.values())
        return not driven and (self.robot is None or self.robot.motion is None)


def compile_tree(
    arm: Arm, *, gravity: tuple[float, float, float] = (0.0, 0.0, -9.81), robots: dict[str, Robot] | None = None
) -> Tree:
    """Compile an arm.

    Parameters
    ----------
    gravity : world axes [m/s²];  robots : the scene's, one of which may be the arm's base

    Raises
    ------
    SceneError : there is no such robot, or a joint can move without any inertia against it
    """
    robot = None
    if isinstance(arm.base, str):
        if arm.base not in (robots or {}):
            raise SceneError(
                f"arm: its base {arm.base!r} is no robot of the scene; it has {', '.join(robots or ['none'])}"
            )
        robot = (robots or {})[arm.base]
    table = _Table(arm)
    frame = _matrix(arm.base.quaternion) if isinstance(arm.base, Place) else np.eye(3)
    arrays: TreeArrays = pack(
        TreeArrays,
        gravity=np.array(gravity, float),
        frame=frame,
        base=np.zeros(len(table.rows), np.int64),
        **table.columns(),
    )
    return Tree(
        arm=arm,
        robot=robot,
        arrays=arrays,
        links=tuple(table.end),
        joint=np.array(list(table.end.values()), np.int64),
        first=np.array(list(table.begin.values()), np.int64),
        start=np.array(table.start),
        rate=np.array(table.rate),
    )


class _Table:
    """Joints as they are added."""

    def __init__(self, arm: Arm) -> None:
        self.rows: list[dict[str, object]] = []
        self.free: list[int] = []
        self.start: list[float] = []
        self.rate: list[float] = []
        self.begin: dict[str, int] = {}
        self.end: dict[str, int] = {}
        for name in arm.order():
            self._add(arm, name)

    def columns(self) -> dict[str, Any]:
        """The fields of ``TreeArrays`` that differ from joint to joint."""
        return {key: np.array([row[key] for row in self.rows]) for key in self.rows[0]} | {
            "free": np.array(self.free, np.int64)
        }

    def _add(self, arm: Arm, name: str) -> None:
        link = arm.links[name]
        joint = link.joint
        parent = -1 if link.carrier is None else self.end[link.carrier]
        self.begin[name] = len(self.rows)
        start = joint.start or (0.0,) * joint.freedom
        if joint.kind == "free":
            self.free.append(len(self.rows))
        for kind, axis, carrier, q, x in _parts(joint.kind, joint.axis, joint.second, parent, len(self.rows), start):
            before = len(self.rows) - 1 if len(self.rows) > self.begin[name] else parent
            at = link.place if carrier == parent else (0.0, 0.0, 0.0)
            self.start += x
            self.rows.append(
                {
                    "kind": kind,
                    "parent": before,
                    "carrier": carrier,
                    "q": len(self.start) - len(x) if x else len(self.start) + q,
                    "axis": axis,
                    "at": at,
                    "mass": 0.0,
                    "centre": (0.0, 0.0, 0.0),
                    "inertia": np.zeros((3, 3)),
                    "stiffness": joint.stiffness,
                    "rest": joint.rest,
                    "damping": joint.damping,
                }
            )
        self.end[name] = len(self.rows) - 1
        self.rows[-1] |= {"mass": link.mass, "centre": link.centre, "inertia": link.inertia_matrix()}
        self.rate += joint.rate or (0.0,) * joint.freedom


Part = tuple[int, tuple[float, float, float], int, int, list[float]]


def _parts(
    kind: str,
    axis: tuple[float, float, float],
    second: tuple[float, float, float] | None,
    parent: int,
    n: int,
    start: tuple[float, ...],
) -> Iterator[Part]:
    """Kind, axis, carrier, coordinate (from here, if it has none of its own) and start of each part of a joint.

    parent : joint that carries it;  n : number of the first part
    """
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    if kind in ("revolute", "prismatic", "universal"):
        yield TURN if kind != "prismatic" else SLIDE, axis, parent, 0, [start[0]]
    if kind == "universal":
        assert second is not None  # LinkJoint
        yield TURN, second, n, 0, [start[1]]
    if kind == "free":
        yield SLIDE, x, parent, 0, [start[0]]
        yield SLIDE, y, n, 0, [start[1]]
        yield SLIDE, z, n + 1, 0, [start[2]]
        parent, start = n + 2, start[3:]
    if kind in ("ball", "free"):
        yield BALL, x, parent, 0, []
        yield BALL, y, parent, 0, []
        yield BALL_END, z, parent, 0, _quaternion(start)


def _quaternion(rotation: tuple[float, ...]) -> list[float]:
    angle = float(np.linalg.norm(rotation))
    return [float(np.cos(0.5 * angle)), *(0.5 * float(np.sinc(0.5 * angle / np.pi)) * np.array(rotation)).tolist()]


def _matrix(q: tuple[float, float, float, float]) -> Floats:
    w, e = q[0], np.array(q[1:])
    skew = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    return np.asarray(np.eye(3) + 2.0 * w * skew + 2.0 * skew @ skew)
