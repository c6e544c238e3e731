"""Where everything is: rotations, inverse inertias, points, directions and gaps at a state."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import part
from towsim.constraints.ball import ball_gaps, ball_rows
from towsim.constraints.contact import contact_gaps, contact_rows
from towsim.constraints.joint import joint_gaps, joint_rows
from towsim.constraints.route import route_gaps, route_rows
from towsim.constraints.switch import silence_gaps, silence_rows
from towsim.constraints.tow import tow_drift, tow_gaps
from towsim.constraints.wire import wire_gaps, wire_rows
from towsim.dynamics.bodies import locate, orient


@part()
def geometry(model, q, robot, length, work):
    """Bring the geometry in ``work`` to the state q, with the robots at ``robot`` and the wires' ``length``.

    The ends of cables are where dynamics/cables has put them. With ``Rows.tow`` the rows' directions J are found here
    in place of points, arms and directions of wires.
    """
    orient(model.bodies, q, work.R, work.Y)
    gaps(model, q, work.R, robot, length, work.n, work)


@part()
def predicted_gaps(model, q, robot, length, work):
    """Points, their arms and gaps at the state q with the rotations R_new; rotations, inertias and directions stay."""
    gaps(model, q, work.R_new, robot, length, None, work)


@part()
def gaps(model, q, R, robot, length, n, work):
    """Points, directions n (None: not wanted) and gaps, for the rotations R; with ``Rows.tow`` J and gaps."""
    _gaps(model.rows.tow, model.rows.lists, model, q, R, robot, length, n, work)


@part()
def _gaps(tow, lists, model, q, R, robot, length, n, work):
    if tow is not None:
        tow_gaps(tow, q, R, robot, length, n, work.J, work.gap)
    if lists is not None:
        _all_gaps(model, q, R, robot, length, n, work)


@part()
def _all_gaps(model, q, R, robot, length, n, work):
    locate(model.points, q, R, robot, work.P, work.arm)
    wire_gaps(model.wires, work.P, length, n, work.gap)
    ball_gaps(model.balls, work.P, work.gap)
    joint_gaps(model.joints, R, work)
    route_gaps(model.routes, work.P, length, work.gap)
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
    joint_rows(model.joints, model.points, robot_rate, work)
    route_rows(
        model.routes, model.rows, model.points, work.P, work.arm, robot_rate, length, length_rate, work.J, work.rate
    )  # fmt: skip
    contact_rows(model.contacts, work.arm, work.J, work.rate)
    silence_rows(model.switches, model.rows, work.off, work.J, work.rate)
