"""Drag that differs along the body's axes, acts at a point of its own, or brakes turns: hulls, barges, plates.

    F = −R (C + Q ‖u‖) Rᵀ u  at the point r,      u = v + ω × r − w
    M = −R (C_r + Q_r ‖ω‖) Rᵀ ω

with diagonal C, Q along and C_r, Q_r about the body's axes, the wind (or current) w, and velocities that are known when
the step begins: the last ones in Stewart–Trinkle, and in SHAKE those that are foreseen half-way, which is of order 2.
So it is explicit, unlike plain drag at the centre (``bodies``), and h must be short beside the time in which it brakes
(``method.check_drags``).

Source: Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control (2011), ch. 6: linear and nonlinear damping.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.constraints.axis import apply
from towsim.model.vectors import add, at3, at9, cross, mul, norm, scale, sub, tmul


@part()
def drag_impulses(drags, wind, h, work):
    """Add the drags to the loads ``work.f`` and what they do in h to the free motion; at ``work.v_drag``."""
    if drags is not None:
        air = (wind[0], wind[1], wind[2])
        for d in range(drags.body.shape[0]):
            i = drags.body[d]
            v = work.v_drag
            omega = mul(at9(work.Y, i), (v[i, 3], v[i, 4], v[i, 5]))
            force, torque = drag(drags, d, at9(work.R, i), at3(v, i), omega, air)
            apply(i, force, torque, h, work.minv, work.Y, work.f, work.u)


@part()
def drag(drags, d, R, v, omega, air):
    """Force, and torque about the centre, of drag d on a body with the rotation R and the velocities v and ω."""
    r = mul(R, at3(drags.at, d))
    u = sub(add(v, cross(omega, r)), air)
    force = braked(R, at3(drags.linear, d), at3(drags.quadratic, d), u)
    torque = braked(R, at3(drags.angular, d), at3(drags.angular_quadratic, d), omega)
    return force, add(torque, cross(r, force))


@part()
def braked(R, linear, quadratic, u):
    """−R (C + Q‖u‖) Rᵀ u."""
    w, size = tmul(R, u), norm(u)
    return scale(
        -1.0,
        mul(
            R,
            (
                (linear[0] + quadratic[0] * size) * w[0],
                (linear[1] + quadratic[1] * size) * w[1],
                (linear[2] + quadratic[2] * size) * w[2],
            ),
        ),
    )
