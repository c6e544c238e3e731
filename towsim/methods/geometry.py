"""Where everything is: rotations, inverse inertias, points, directions and gaps at a state."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part, shared
from towsim.constraints.ball import ball_gaps, ball_rows
from towsim.constraints.contact import contact_gaps, contact_rows
from towsim.constraints.joint import joint_gaps, joint_rows
from towsim.constraints.route import route_gaps, route_rows
from towsim.constraints.sheave import part_rows, share_gaps
from towsim.constraints.switch import silence_gaps, silence_rows
from towsim.constraints.wire import wire_gaps, wire_rates
from towsim.dynamics.arms import orient_arms_ahead
from towsim.dynamics.bodies import locate, orient, orient_ahead
from towsim.dynamics.wheels import lay_wheels


@part()
def geometry(model, q, robot, length, work):
    """Bring the geometry in ``work`` to the state q, with the robots at ``robot`` and the wires' ``length``.

    The ends of cables are where dynamics/cables has put them.
    """
    orient(model.bodies, q, work.R, work.Y)
    gaps(model, q, robot, length, work)


@shared
@part()
def gaps(model, q, robot, length, work):
    """Points, gaps, and directions of straight wires at the positions q, for the rotations in ``work``."""
    _gaps(model, q, work.R, robot, length, work.J, work)


@part()
def predicted_gaps(model, q, robot, length, work):
    """Gaps, and points and their arms, at the positions q after the turns ``work.turn``; all else stays."""
    orient_ahead(model.bodies, work.R, work.turn, work.R_new)
    orient_arms_ahead(model.arms, work)
    _gaps(model, q, work.R_new, robot, length, None, work)


@part()
def _gaps(model, q, R, robot, length, J, work):
    locate(model.points, q, R, robot, work.P, work.arm)
    lay_wheels(model.wheels, model.points, q, R, work)
    wire_gaps(model.wires, model.rows, q, R, robot, length, work.ends, work.levers, work.n, J, work.gap)
    ball_gaps(model.balls, work.P, work.gap)
    route_gaps(model.routes, model.points, work.P, R, length, work.gap)
    share_gaps(model.sheaves, model.routes, work.P, work.gap)
    joint_gaps(model.joints, R, length, work)
    contact_gaps(model.contacts, work.P, work.gap)
    silence_gaps(model.switches, model.rows, length, work.off, J, work.gap)


@shared
@part()
def row_directions(model, robot_rate, length, length_rate, work):
    """Directions J of all sides but those of straight wires, and rates ∂ψ/∂t of all rows, from the geometry."""
    wire_rates(model.wires, model.rows, robot_rate, length_rate, work.n, work.J, work.rate)
    ball_rows(model.balls, model.points, work.P, work.arm, robot_rate, work.J, work.rate)
    joint_rows(model.joints, model.points, robot_rate, length_rate, work)
    P, arm, J, rate = work.P, work.arm, work.J, work.rate
    route_rows(model.routes, model.rows, model.points, P, arm, robot_rate, length, length_rate, J, rate)
    part_rows(model.sheaves, model.routes, model.rows, model.points, P, arm, robot_rate, length, length_rate, J, rate)
    contact_rows(model.contacts, work.arm, work.J, work.rate)
    silence_rows(model.switches, model.rows, work.off, work.J, work.rate)
