"""Where everything is: rotations, inverse inertias, points, directions and gaps at a state."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.constraints.ball import ball_gaps, ball_rows
from towsim.constraints.contact import contact_gaps, contact_rows
from towsim.constraints.joint import joint_gaps, joint_rows
from towsim.constraints.route import route_gaps, route_rows
from towsim.constraints.sheave import part_rows, share_gaps
from towsim.constraints.switch import silence_gaps, silence_rows
from towsim.constraints.tow import tow_drift, tow_gaps, tow_gaps_ahead
from towsim.constraints.wire import wire_gaps, wire_rows
from towsim.dynamics.arms import orient_arms_ahead
from towsim.dynamics.bodies import locate, orient, orient_ahead
from towsim.dynamics.wheels import lay_wheels


@part()
def geometry(model, q, robot, length, work):
    """Bring the geometry in ``work`` to the state q, with the robots at ``robot`` and the wires' ``length``.

    The ends of cables are where dynamics/cables has put them. With ``Rows.tow`` the rows' directions J are found here
    in place of points, arms and directions of wires.
    """
    orient(model.bodies, q, work.R, work.Y)
    gaps(model, q, robot, length, work)


@part()
def gaps(model, q, robot, length, work):
    """Points, directions and gaps at the positions q, for the rotations in ``work``; with ``Rows.tow`` J and gaps."""
    _gaps(model.rows.tow, model.rows.lists, model, q, robot, length, work)


@part()
def _gaps(tow, lists, model, q, robot, length, work):
    if tow is not None:
        tow_gaps(tow, q, work.R, robot, length, work.J, work.gap)
    if lists is not None:
        _all_gaps(model, q, work.R, robot, length, work.n, work)


@part()
def predicted_gaps(model, q, robot, length, work):
    """Gaps, and points and their arms, at the positions q after the turns ``work.turn``; all else stays."""
    _predicted_gaps(model.rows.tow, model.rows.lists, model, q, robot, length, work)


@part()
def _predicted_gaps(tow, lists, model, q, robot, length, work):
    if tow is not None:
        tow_gaps_ahead(tow, q, work.R, work.turn, robot, length, work.gap)
    if lists is not None:
        orient_ahead(model.bodies, work.R, work.turn, work.R_new)
        orient_arms_ahead(model.arms, work)
        _all_gaps(model, q, work.R_new, robot, length, None, work)


@part()
def _all_gaps(model, q, R, robot, length, n, work):
    locate(model.points, q, R, robot, work.P, work.arm)
    lay_wheels(model.wheels, model.points, q, R, work)
    wire_gaps(model.wires, work.P, length, n, work.gap)
    ball_gaps(model.balls, work.P, work.gap)
    route_gaps(model.routes, model.points, work.P, R, length, work.gap)
    share_gaps(model.sheaves, model.routes, work.P, work.gap)
    joint_gaps(model.joints, R, length, work)
    contact_gaps(model.contacts, work.P, work.gap)
    silence_gaps(model.switches, length, work.off, work.gap)


@part()
def row_directions(model, robot_rate, length, length_rate, work):
    """Directions J of all sides and rates ∂ψ/∂t of all rows, from the geometry in ``work``; J may be there already."""
    _row_directions(model.rows.tow, model.rows.lists, model, robot_rate, length, length_rate, work)


@part()
def _row_directions(tow, lists, model, robot_rate, length, length_rate, work):
    if tow is not None:
        tow_drift(tow, robot_rate, length_rate, work.J, work.rate)
    if lists is not None:
        _all_directions(model, robot_rate, length, length_rate, work)


@part()
def _all_directions(model, robot_rate, length, length_rate, work):
    wire_rows(model.wires, model.points, work.n, work.arm, robot_rate, length_rate, work.J, work.rate)
    ball_rows(model.balls, model.points, work.P, work.arm, robot_rate, work.J, work.rate)
    joint_rows(model.joints, model.points, robot_rate, length_rate, work)
    route_rows(
        model.routes, model.rows, model.points, work.P, work.arm, robot_rate, length, length_rate, work.J, work.rate
    )
    part_rows(
        model.sheaves, model.routes, model.points, work.P, work.arm, robot_rate, length, length_rate, work.J, work.rate
    )
    contact_rows(model.contacts, work.arm, work.J, work.rate)
    silence_rows(model.switches, model.rows, work.off, work.J, work.rate)
