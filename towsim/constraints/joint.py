"""Joints with an axis, and fixed ones: tilts, rails, axes and drums together. None (only balls) leaves them out."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.constraints import axis
from towsim.constraints.rail import rail_gaps, rail_rows
from towsim.constraints.tilt import tilt_gaps, tilt_rows


@part()
def joint_gaps(joints, R, length, work):
    """Gaps of all rows, and drums' part of their wires' gaps, for the points in ``work`` and the rotations R."""
    if joints is not None:
        tilt_gaps(joints.tilts, R, work.gap)
        rail_gaps(joints.rails, work.P, R, work.gap)
        axis.axis_gaps(joints.axes, work.P, R, length, work.axis, work.gap)
        axis.drum_gaps(joints.drums, work.axis, work.gap)


@part()
def joint_rows(joints, points, robot_rate, length_rate, work):
    """Directions and rates ∂φ/∂t of all rows."""
    if joints is not None:
        tilt_rows(joints.tilts, work.R, work.J, work.rate)
        rail_rows(joints.rails, points, work.P, work.R, work.arm, robot_rate, work.J, work.rate)
        axis.axis_rows(joints.axes, points, work.P, work.R, work.arm, robot_rate, length_rate, work.J, work.rate)
        axis.drum_rows(joints.drums, joints.axes, work.R, work.J)


@part()
def motors(joints, points, motor, h, work):
    """The motors' part of the loads and of the free motion."""
    if joints is not None:
        axis.motor_impulses(joints.axes, points, motor, h, work.P, work.R, work.arm, work.minv, work.Y, work.f, work.u)


@part()
def open_joint_springs(joints, rows):
    """A Stewart–Trinkle step begins: the compliance of the springs' rows waits until A is known."""
    if joints is not None:
        axis.open_spring(joints.axes, rows)


@part()
def joint_springs(joints, rows, h, work):
    """Compliance and bias of the springs' rows in a Stewart–Trinkle step; ``work.bias`` has their rates before it."""
    if joints is not None:
        axis.spring_law(joints.axes, h, work.axis, work.rate, rows, work.A, work.bias)


@part()
def springs_at_midpoint(joints, rows, h, first, p, work):
    """What the springs' rows of SHAKE's problem lack, after the impulses p (nr,) of the step before."""
    if joints is not None:
        axis.midpoint_spring(joints.axes, h, first, work.axis, rows.compliance, p, work.q)


@part()
def begin_coordinates(joints, work):
    """Note the coordinates at the beginning of a SHAKE step, before those of the pose it predicts are written."""
    if joints is not None:
        for i in range(work.axis.shape[0]):
            work.axis[i, axis.BEGIN] = work.axis[i, axis.NOW]


@part()
def end_coordinates(joints, work):
    """A SHAKE step is done: where it began is a step before."""
    if joints is not None:
        for i in range(work.axis.shape[0]):
            work.axis[i, axis.BEFORE] = work.axis[i, axis.BEGIN]
