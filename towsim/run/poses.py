"""Poses and rates that are set by hand, of one body or of many copies of it: arrays may have leading axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from towsim.errors import UsageError
from towsim.model.arrays import Floats, State
from towsim.quote import show

if TYPE_CHECKING:
    from towsim.methods.block import Block
    from towsim.methods.stepper import Stepper
    from towsim.scene import Scene

BACK: Floats = np.array([1.0, -1.0, -1.0, -1.0])
"""Times a unit quaternion: the turn back."""

STILL = 1e-12
"""By how much a body that is put where it is may be elsewhere, as share of a coordinate, or of 1 m."""

KNOWN = 4
"""Parts of a ``Drive`` that gaps and their rates are of: places and lengths, and how fast these change."""


def is_last_of(given: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether a shape is another one, or what is left of it without leading axes: nothing else may be broadcast."""
    return given == shape[len(shape) - len(given) :] and len(given) >= min(1, len(shape) - 1)


def unit_quaternion(given: Any, shape: tuple[int, ...] = (4,)) -> Floats:
    """Quaternions w, x, y, z of length 1, broadcast to a shape (.., 4). Raises UsageError."""
    try:
        quaternion = np.array(given, float)
        with np.errstate(over="ignore"):
            size = np.sqrt((quaternion * quaternion).sum(axis=-1, keepdims=True))
        fine = (
            bool(((size > 1e-6) & (size < 1e6)).all()) and is_last_of(quaternion.shape, shape) and quaternion.ndim > 0
        )
    except (TypeError, ValueError, OverflowError):
        fine = False
    if not fine:
        raise UsageError(f"quaternion must be four numbers w, x, y, z, not all zero, got {show(given)}")
    return np.array(np.broadcast_to(quaternion / size, shape))


def state_parts(given: Any) -> list[Floats]:
    """The numbers q, v and p of a state, of whatever shapes. Raises UsageError if it is none."""
    try:
        parts = [np.array(part, float) for part in given]
    except (TypeError, ValueError, OverflowError):
        parts = []
    if len(parts) != len(State._fields):
        raise UsageError(f"a state is State(q, v, p) of numbers, as it is read, got {show(given)}")
    return parts


def momentum_of(inertia: Floats, quaternion: Floats, spin: Floats) -> Floats:
    """Angular momenta (.., 3) of bodies with an angular velocity (.., 3) [rad/s], R J Rᵀ ω, all in world axes.

    inertia : (3, 3) about the centre of mass, body axes [kg m²];  quaternion : (.., 4)
    """
    return turned(quaternion, _times(inertia, turned(quaternion * BACK, spin)))


def spin_of(inertia: Floats, quaternion: Floats, momentum: Floats) -> Floats:
    """Angular velocities (.., 3) of bodies with an angular momentum (.., 3), see ``momentum_of``."""
    inverse: Floats = np.linalg.inv(inertia).astype(np.float64)
    return turned(quaternion, _times(inverse, turned(quaternion * BACK, momentum)))


def motion_of(inertia: Floats, q: Floats, velocity: Floats, spin: Floats) -> Floats:
    """Velocities and angular momenta (.., 6 nb) as in a state, of bodies with these velocities (.., nb, 3).

    inertia : (nb, 3, 3), see ``momentum_of``;  q : (.., 7 nb or more) of the state
    """
    nb, copies = len(inertia), velocity.shape[:-2]
    quaternion = q[..., : 7 * nb].reshape(*copies, nb, 7)[..., 3:]
    motion = np.concatenate([velocity, momentum_of(inertia, quaternion, spin)], axis=-1)
    return motion.reshape(*copies, 6 * nb)


def copied(state: State) -> State:
    """A state of its own."""
    return State(*(part.copy() for part in state))


def begin_anew(stepper: Stepper, was: State, now: State, chosen: Any = ..., of: Any = np.asarray) -> None:
    """Tell the next step that a state is another one: with which velocities, and where rows have no step before.

    These are the rows at bodies that are elsewhere, by more than STILL.

    chosen, of : whose states these are, and what all copies have of an array of the stepper's
    """
    work, rows, nb = stepper.work, stepper.model.rows, len(stepper.model.bodies.mass)
    of(work.given)[chosen] += now.v - was.v
    away = np.abs(now.q - was.q)[..., : 7 * nb] > STILL * np.maximum(1.0, np.abs(now.q[..., : 7 * nb]))
    moved = away.reshape(*away.shape[:-1], nb, 7).any(axis=-1)
    if moved.any():
        node, row = rows.node[rows.side], np.repeat(np.arange(len(rows.kind)), np.diff(rows.ptr))
        at = np.zeros((nb, len(rows.kind)), np.bool_)
        at[node[node < nb], row[node < nb]] = True
        begins = moved @ at
        for array, value in ((of(work.rho), np.nan), (of(work.age), 0)):
            array[chosen] = np.where(begins, value, array[chosen])


def take_over(was: Scene, last: Block | None, stepper: Stepper, now: Scene) -> None:
    """Have the state of a stepper, which is that of a scene with other numbers, for its own.

    Bodies turn as fast as they did. Where motions or lengths are known to be others, rows have no step before.

    last : the block that ended in that state, of that scene
    """
    state, work = stepper.state, stepper.work
    if last is not None:
        known = zip(last.drive[:KNOWN], stepper.drive(0)[1][:KNOWN], strict=True)
        if any(not np.array_equal(other[last.row], mine[0]) for other, mine in known):
            work.rho[:], work.age[:] = np.nan, 0
    for i, (old, new) in enumerate(zip(was.bodies.values(), now.bodies.values(), strict=True)):
        if not old.point:
            turn, momentum = state.q[7 * i + 3 : 7 * i + 7], state.v[6 * i + 3 : 6 * i + 6]
            momentum[:] = momentum_of(new.inertia_matrix(), turn, spin_of(old.inertia_matrix(), turn, momentum))


def _times(matrix: Floats, x: Floats) -> Floats:
    return np.asarray((matrix * x[..., None, :]).sum(axis=-1), np.float64)


def turned(quaternion: Floats, x: Floats) -> Floats:
    """x turned by unit quaternions: x + w t + u × t, t = 2 u × x."""
    w, u = quaternion[..., :1], quaternion[..., 1:]
    t = 2.0 * np.cross(u, x)
    return np.asarray(x + w * t + np.cross(u, t), np.float64)
