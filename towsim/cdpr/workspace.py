"""Workspace: which poses the cables can hold, against which wrenches, with a tension vector or a proof for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from towsim.cdpr.kinematics import columns, straight, weight, without_length
from towsim.cdpr.projection import EMPTY, FEASIBLE, OPEN, admit, scratch_of
from towsim.cdpr.robot import UPRIGHT, CableRobot, Floats, a_robot, poses
from towsim.cdpr.tensions import UNDECIDED, a_pose, at_limits, back_in_moments, in_forces, reason, upper
from towsim.errors import UsageError
from towsim.given import a_function, a_number, numbers
from towsim.quote import show

CHUNK = 8192
"""Poses between two visits to the progress bar."""


@dataclass(frozen=True, eq=False)
class Workspace:
    """The verdict on each of N poses.

    Attributes
    ----------
    position : (N, 3) [m];  quaternion : (N, 4)
    feasible : (N,) whether tensions within the limits balance every wrench asked for
    tension : (N, n) for the first load [N]; NaN at poses that are not feasible
    farkas : (N, 6) y, see ``Tensions``
    wrench, acceleration : (N,) numbers of the wrench and the acceleration that it is for, −1 where all are balanced
    binding : (N, n) +1 where a cable would have to pull more than it may, −1 where less than its least, 0 elsewhere
    undecided : (N,) where neither was found: a platform point is at a base point, so that a cable has no direction; or
        rounding leaves it open, within some 1e-9 of the workspace's edge
    loads : how many were asked for at each pose: each wrench with each acceleration
    """

    robot: CableRobot
    position: Floats
    quaternion: Floats
    feasible: np.ndarray
    tension: Floats
    farkas: Floats
    wrench: np.ndarray
    acceleration: np.ndarray
    binding: np.ndarray
    undecided: np.ndarray
    loads: int

    def __repr__(self) -> str:
        n = len(self.feasible)
        return f"Workspace({int(self.feasible.sum())} of {n} poses held, {int(self.undecided.sum())} undecided)"

    def why(self, pose: int | tuple[int, ...]) -> str:
        """One sentence on why a pose cannot be held, with the cables' names; empty where it can.

        Raises
        ------
        UsageError : there is no pose of this number
        """
        pose = a_pose(pose, self.feasible.shape)
        if self.feasible[pose]:
            return ""
        if self.undecided[pose]:
            _, wrong = straight(self.robot, *poses(self.position[pose], self.quaternion[pose]))
            return without_length(self.robot, wrong) if wrong.any() else UNDECIDED
        return reason(self.robot, self.binding[pose], self.farkas[pose])


def workspace(
    robot: CableRobot,
    position: ArrayLike,
    quaternion: ArrayLike = UPRIGHT,
    *,
    wrenches: ArrayLike = ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0),),
    acceleration: ArrayLike = ((0.0, 0.0, 0.0),),
    progress: Callable[[int, int], None] | None = None,
) -> Workspace:
    """Judge poses: static, wrench-feasible or dynamic workspace, by what is asked of the cables.

    Tensions that balance two wrenches balance all between them, so the corners of a set stand for the set.

    Parameters
    ----------
    position, quaternion : N poses; see :func:`grid`
    wrenches : (w, 6) external forces and moments to be withstood, besides gravity; see :func:`box_of_wrenches`
    acceleration : (a, 3) of the platform, without rotation, to be made [m/s²]: the dynamic workspace
    progress : called with (poses done, poses in all)

    Returns
    -------
    Workspace : a verdict for each pose, with tensions or a Farkas vector

    Raises
    ------
    UsageError : wrong kinds or shapes
    """
    a_robot(robot)
    if progress is not None:
        a_function("progress", progress, "of the poses done, and of all")
    x, R = poses(position, quaternion)
    x = x.reshape(-1, 3)
    q = np.broadcast_to(np.asarray(quaternion, float), (*R.shape[:-2], 4)).reshape(-1, 4)
    asked, a = np.atleast_2d(numbers("wrenches", wrenches)), np.atleast_2d(numbers("accelerations", acceleration))
    for what, rows, width in (("wrenches", asked, 6), ("accelerations", a, 3)):
        if rows.ndim != 2 or rows.shape[1] != width or not len(rows) or not np.isfinite(rows).all():
            raise UsageError(f"{what} must be one or more rows of {width} finite numbers; got shape {rows.shape}")
    n, N = len(robot.names), len(x)
    low, high = robot.least.copy(), upper(robot, asked, a)
    c = np.where(np.isfinite(robot.most), 0.5 * (low + high), low)
    t, y = np.empty((N, n)), np.empty((N, 6))
    verdict, which = np.empty(N, np.int64), np.empty(N, np.int64)
    binding = np.zeros((N, n), np.int8)
    for start in range(0, N, CHUNK):
        part = slice(start, start + CHUNK)
        taut, wrong = straight(robot, *poses(x[part], q[part]))
        W = in_forces(robot, np.nan_to_num(columns(taut)))
        b = _asked(robot, x[part], q[part], asked, a)
        admit(W, b, low, high, c, t[part], y[part], verdict[part], which[part], scratch_of(6, n))
        verdict[part][wrong.any(axis=1)] = OPEN
        y[part][verdict[part] != EMPTY] = np.nan
        binding[part] = at_limits(W, y[part])
        if progress is not None:
            progress(min(start + CHUNK, N), N)
    t[verdict != FEASIBLE] = np.nan
    return Workspace(
        robot,
        x,
        q,
        verdict == FEASIBLE,
        t,
        back_in_moments(robot, y),
        np.where(which < 0, -1, which % len(asked)),
        np.where(which < 0, -1, which // len(asked)),
        binding,
        (verdict != FEASIBLE) & (verdict != EMPTY),
        len(asked) * len(a),
    )


def grid(*axes: ArrayLike) -> Floats:
    """Positions (N, 3) of a grid: ``grid(x, y, z)``, each a number or a row of numbers [m].

    Raises
    ------
    UsageError : other than three axes; one that is no finite number, nor a row of them
    """
    if len(axes) != 3:
        raise UsageError(f"a grid has three axes, got {len(axes)}")
    rows = [np.atleast_1d(numbers("an axis of a grid", axis)) for axis in axes]
    for row, axis in zip(rows, axes, strict=True):
        if row.ndim != 1 or not np.isfinite(row).all():
            raise UsageError(f"an axis of a grid is a finite number, or a row of them; got {show(axis)}")
    mesh = np.meshgrid(*rows, indexing="ij")
    return np.stack([one.ravel() for one in mesh], axis=1)


def box_of_wrenches(force: ArrayLike = 0.0, moment: ArrayLike = 0.0) -> Floats:
    """Corners (w, 6) of all wrenches up to ±force [N] and ±moment [N m], each one number or three.

    Raises
    ------
    UsageError : other shapes, or numbers that are not finite and >= 0
    """
    most = np.concatenate([_half_a_box(what, one) for what, one in (("force", force), ("moment", moment))])
    return np.array(list(product(*((-one, one) if one > 0.0 else (0.0,) for one in most))))


def _half_a_box(what: str, given: ArrayLike) -> Floats:
    most = numbers(f"{what} of a box", given)
    if most.shape not in ((), (1,), (3,)) or not (np.isfinite(most).all() and (most >= 0.0).all()):
        raise UsageError(f"{what} of a box must be one number or three, finite and >= 0; got {show(given)}")
    return np.broadcast_to(most, (3,))


def reach(
    robot: CableRobot,
    position: ArrayLike,
    directions: ArrayLike,
    quaternion: ArrayLike = UPRIGHT,
    *,
    most: float,
    precision: float = 1e-4,
    wrenches: ArrayLike = ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0),),
    acceleration: ArrayLike = ((0.0, 0.0, 0.0),),
) -> tuple[Floats, Workspace]:
    """The workspace's faces along rays: how far each goes, and the verdict just beyond, which says what ends it.

    By bisection, all rays at once; a ray that leaves the workspace and comes back ends where it is seen to leave first.

    Parameters
    ----------
    position : (3,) a pose that can be held
    directions : (k, 3) rays, of any length
    most : farthest distance to look at [m];  precision : of the distances [m]

    Raises
    ------
    UsageError : the pose itself cannot be held; a ray without a direction; distances that are not > 0
    """
    start, rays = numbers("position", position), np.atleast_2d(numbers("directions", directions))
    if start.shape != (3,):
        raise UsageError(f"rays start at one position, three numbers; got shape {start.shape}")
    if rays.shape[1:] != (3,) or not (np.isfinite(rays).all() and rays.any(axis=1).all()):
        raise UsageError(f"directions must be (k, 3), finite and none of them zero; got {show(directions)}")
    for what, length in (("most", most), ("precision", precision)):
        if a_number(what, length) <= 0.0:
            raise UsageError(f"{what} must be > 0 m, got {show(length)}; turn the ray to look the other way")
    rays = rays / np.linalg.norm(rays, axis=1, keepdims=True)

    def judge(distance: Floats) -> Workspace:
        at = start + distance[:, None] * rays
        return workspace(robot, at, quaternion, wrenches=wrenches, acceleration=acceleration)

    if not workspace(robot, start, quaternion, wrenches=wrenches, acceleration=acceleration).feasible.all():
        raise UsageError("rays must start at a pose that the cables can hold")
    steps = np.linspace(0.0, most, 65)[1:]
    good, bad = np.zeros(len(rays)), np.full(len(rays), np.inf)
    for distance in steps:
        open_ = np.isinf(bad)
        if not open_.any():
            break
        held = judge(np.where(open_, distance, good)).feasible
        bad = np.where(open_ & ~held, distance, bad)
        good = np.where(open_ & held, distance, good)
    precision = max(precision, float(np.spacing(most)))  # between neighbours there is no middle
    while (gap := np.where(np.isinf(bad), 0.0, bad - good)).max(initial=0.0) > precision:
        middle = good + 0.5 * gap
        held = judge(middle).feasible
        good, bad = np.where((gap > 0.0) & held, middle, good), np.where((gap > 0.0) & ~held, middle, bad)
    return good, judge(np.where(np.isinf(bad), good, bad))


def _asked(robot: CableRobot, x: Floats, q: Floats, asked: Floats, a: Floats) -> Floats:
    """b (N, w a, 6) in forces: what the cables have to give for each external wrench and acceleration."""
    _, R = poses(x, q)
    lever = np.einsum("kij,j->ki", R, robot.centre)[:, None]
    force = np.broadcast_to(robot.mass * a, (len(x), *a.shape))
    inertial = np.concatenate([force, np.cross(np.broadcast_to(lever, force.shape), force)], axis=-1)
    b = inertial[:, :, None] - asked - weight(robot, x, q)[:, None, None]
    return in_forces(robot, b.reshape(-1, 6)).reshape(len(x), -1, 6)
