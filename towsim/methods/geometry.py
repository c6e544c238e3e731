"""Where everything is: rotations, inverse inertias, points, directions and gaps at a state."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.constraints.ball import ball_gaps, ball_rows
from towsim.constraints.contact import contact_gaps, contact_rows
from towsim.constraints.joint import joint_gaps, joint_rows
from towsim.constraints.route import route_gaps, route_rows
from towsim.constraints.switch import silence_gaps, silence_rows
from towsim.constraints.wire import wire_gaps, wire_rates
from towsim.dynamics.bodies import locate, orient, orient_ahead


@part()
def geometry(model, q, robot, length, work):
    """Bring the geometry in ``work`` to the state q, with the robots at ``robot`` and the wires' ``length``.

    The ends of cables are where dynamics/cables has put them.
    """
    orient(model.bodies, q, work.R, work.Y)
    gaps(model, q, robot, length, work)


@part()
def gaps(model, q, robot, length, work):
    """Points, gaps, and directions of straight wires at the positions q, for the rotations in ``work``."""
    gaps_at(model, q, work.R, robot, length, work.J, work)


@part()
def predicted_gaps(model, q, robot, length, work):
    """Gaps, and points and their arms, at the positions q after the turns ``work.turn``; all else stays."""
    orient_ahead(model.bodies, work.R, work.turn, work.R_new)
    gaps_at(model, q, work.R_new, robot, length, None, work)


@part()
def gaps_at(model, q, R, robot, length, J, work):
    """Gaps of all laws, wires first (see constraints/rows); J None: the wires' directions stay."""
    wire_gaps(model.wires, q, R, robot, length, J, work.gap)
    locate(model.points, q, R, robot, work.P, work.arm)
    ball_gaps(model.balls, work.P, work.gap)
    joint_gaps(model.joints, R, work)
    route_gaps(model.routes, work.P, length, work.gap)
    contact_gaps(model.contacts, work.P, work.gap)
    silence_gaps(model.switches, length, work.off, work.gap)


@part()
def row_directions(model, robot_rate, length, length_rate, work):
    """Directions J of all other sides and rates ∂ψ/∂t of all rows, wires first, from the geometry in ``work``."""
    wire_rates(model.wires, robot_rate, length_rate, work.J, work.rate)
    ball_rows(model.balls, model.points, work.P, work.arm, robot_rate, work.J, work.rate)
    joint_rows(model.joints, model.points, robot_rate, work)
    route_rows(model.routes, model.points, robot_rate, length, length_rate, work)
    contact_rows(model.contacts, work.arm, work.J, work.rate)
    silence_rows(model.switches, model.rows, work.off, work.J, work.rate)
