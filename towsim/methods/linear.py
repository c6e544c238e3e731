"""What steps of one problem share: free motion, the rows' directions, and A = J Y Jᵀ, at the geometry at hand."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs
from __future__ import annotations

from solvers.kernels.compiled import part, shared
from towsim.constraints.joint import motors
from towsim.constraints.rows import assemble, inverse_inertia_times, let_idle
from towsim.dynamics.arms import begin_arms
from towsim.dynamics.bodies import drag_impulses, free_motion
from towsim.dynamics.cables import responses
from towsim.dynamics.rings import ring_rows
from towsim.dynamics.sheaves import free_sheaves, respond_sheaves
from towsim.dynamics.wheel_rows import open_wheels, turn_on_wheels, wheel_rows
from towsim.methods.geometry import row_directions


@shared
@part()
def linear_problem(run, cables, drive, k, span: float, theta: float):
    """Free motion over ``span`` from drive sample k, J and A; drag acts on the velocity at ``theta`` of the span.

    cables : None where the method takes none
    """
    model, work, v = run.model, run.work, run.state.v
    free_motion(model.bodies, model.loads, drive.load[k], drive.wind[k], v, span, theta, work)
    free_sheaves(model.sheaves, v, work.u)
    row_directions(model, drive.robot_rate[k], drive.length[k], drive.length_rate[k], work)
    ring_rows(cables, model.points, drive.robot_rate[k], work)
    open_wheels(model.wheels, model.rows, run.state.q, span)
    wheel_rows(model.wheels, model, drive, k, run.state.q, work)
    matrix(model, cables, work)
    drag_impulses(model.drags, drive.wind[k], span, work)
    turn_on_wheels(model.wheels, model.points, v, span, work)
    motors(model.joints, model.points, drive.motor[k], span, work)
    begin_arms(run, drive, k, span, theta)
    let_idle(model, work.A)


@part()
def matrix(model, cables, work):
    """Responses W = Y Jᵀ to unit impulses of the rows, and A = J W."""
    inverse_inertia_times(model.rows, work.minv, work.Y, work.J, work.W)
    responses(cables, work.J, work.cable.H, work.W)
    respond_sheaves(model.sheaves, model.rows, work.J, work.W)
    assemble(model.rows, work.J, work.W, work.products, work.A)


@part()
def drag_at(model, v, work):
    """Take the magnitude of quadratic drag, and drags along the body's axes, at the velocities v."""
    for i in range(model.bodies.mass.shape[0]):
        for j in range(6):
            work.v_drag[i, j] = v[6 * i + j]
