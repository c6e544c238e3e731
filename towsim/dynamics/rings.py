"""Rings that massive wires run over: what leaves the span before one enters the span behind it.

Law       o − i = 0, with the flow o out of one span's end and i into the other's (see dynamics/flow)
Flow      b = y_b − z·v at a tip, a = y_a − z·v at a root, with the velocity v of that end; a = y_a of a carried root
Row       +1 at a tip's flow, −1 at a root's; −z and +z of these at the point that carries the ring
Bias      what the closures of the ends take back in this step, so that no length is lost
Impulse   the tension there: it pulls at both ends, and at the ring with T (z_behind − z_before)

Source: continuity; the ring has no friction.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.flow import Z_ROOT, Z_TIP
from towsim.dynamics.mrfe import NOTHING, TIP_TURN
from towsim.model.sides import component, put_side
from towsim.model.vectors import at3, axpy, cross, dot, get


@part()
def ring_rows(cables, points, robot_rate, work):
    """Directions of the rings' rows, and what moving robots add to their rates.

    Of a span's end: its flow is the material's rate less the velocity of the ring along it (see ``ring_drift``).
    """
    if cables is not None:
        _ring_rows(cables.flow, points, robot_rate, work)


@part()
def _ring_rows(flow, points, robot_rate, work):
    if flow is not None:
        J, K = work.J, work.cable.flow.K
        for r in range(flow.row.shape[0]):
            d = NOTHING
            for j in range(2):
                x, i = flow.sign[r, j], flow.end[r, j]
                if i < 0:
                    continue  # the wire ends at this wheel
                at_tip = flow.at_tip[r, j]
                J[component(flow.side[r, j], TIP_TURN + (1 if at_tip else 0))] = x
                if flow.closure[r, j] >= 0:
                    d = axpy(-x, get(K, i, Z_TIP if at_tip else Z_ROOT), d)
            point = flow.point[r]
            if flow.carrier[r] >= 0:
                put_side(J, flow.carrier[r], d, cross(at3(work.arm, point), d))
                work.rate[flow.row[r]] = 0.0
            else:
                work.rate[flow.row[r]] = dot(d, at3(robot_rate, points.robot[point]))


@part()
def ring_drift(cables, balls, work):
    """Take the velocities at which open ends close in this step from the biases of the rings' rows."""
    if cables is not None:
        _ring_drift(cables.flow, balls, work)


@part()
def _ring_drift(flow, balls, work):
    if flow is not None:
        K, closing = work.cable.flow.K, work.closing
        for r in range(flow.row.shape[0]):
            for j in range(2):
                ball = flow.closure[r, j]
                if ball >= 0:
                    at_tip, i = flow.at_tip[r, j], flow.end[r, j]
                    z = get(K, i, Z_TIP if at_tip else Z_ROOT)
                    x = flow.sign[r, j] if at_tip else -flow.sign[r, j]
                    for k in range(3):
                        work.bias[flow.row[r]] -= x * z[k] * closing[balls.row[ball, k]]
