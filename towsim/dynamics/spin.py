"""The implicit midpoint rotation: how far a body turns in a step.

    I Ω = m(Ω),   m(Ω) = exp(−h Ω/2) Π,   Π the angular momentum in body axes at the beginning of the step

A compact body that turns slowly has three to five terms of Ω's series in h: a short chain of operations. Passing
Ω ← I⁻¹ m(Ω) on with a guessed derivative gains a factor of about (h‖Ω‖)² · largest/smallest inertia; for a thin rod it
diverges. What is not settled soon is left to Newton's method
on I Ω − m(Ω) = 0, with

    dm = m × T dΩ h/2,   T = 1 − a θ~ + b θ~²,   θ = h Ω/2,   a = (1 − cos‖θ‖)/‖θ‖²,   b = (‖θ‖ − sin‖θ‖)/‖θ‖³

which settles in 2 to 8 iterations up to nearly half a turn a step, whatever the inertia.

Source: implicit midpoint rule on SO(3); T is the derivative of the exponential map (left Jacobian at −θ).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.model.vectors import add, axpy, cross, dot, exponential, mul, scale, sub, turned

LARGEST = 0.0838, 0.0507, 0.0311
"""½h ‖xₖ‖ / εᵏ⁺¹ of the terms x₃, x₄, x₅ at most, over all inertias that obey the triangle inequality; of plates."""


def reach(angle: float) -> tuple[float, ...]:
    """ε² up to which three, four and five terms are enough: what the first one left out turns a body by [rad]."""
    return tuple((0.5 * angle / largest) ** (2.0 / (k + 1)) for k, largest in enumerate(LARGEST, 3))


TO_ROUNDING, ROUGHLY = reach(3e-17), reach(1e-12)
"""Less than what a body's quaternion is rounded to, and for a guess."""

PASSES = 6

MAX_ITERATIONS = 20

# Relative error of the momentum. Newton's method goes on to EXACT; thin rods that lie askew in their body axes do not
# get there, for rounding: what is quadratically convergent and at SETTLED is a solution, not a coincidence.
EXACT, SETTLED = 1e-14, 1e-6


@part(forceinline=False)
def midpoint_spin(inertia, inertia_inv, norm, momentum, h):
    """Angular velocity Ω half-way through the step, body axes [rad/s]; NaN if there is none: it turns too far."""
    omega, settled = series(inertia_inv, None, norm, momentum, h, TO_ROUNDING)
    return omega if settled else iterated(inertia, inertia_inv, momentum, h, omega)


@part(forceinline=False)
def series(inertia_inv, axes, norm, momentum, h, enough):
    """Three to five terms of the series of Ω in h, and whether they are enough: all a body needs that turns slowly.

    As exp(−½h Ω) Π = Σₘ (½h)ᵐ/m! (..(Π × Ω) × ..) × Ω,

        I xₖ = b + c/2 + d/6 + e/24   of  b = Π × x,  c = b × x,  d = c × x,  e = d × x  (each x times ½h)

    where each product takes all pairs of terms whose orders add up. With ε = ½h ‖Π‖ ‖I⁻¹‖ the terms of ½h Ω are
    ``LARGEST`` εᵏ⁺¹ at most.

    Parameters
    ----------
    inertia_inv, axes : I⁻¹, or its diagonal in principal axes; the other one is None
    momentum : in the same axes
    norm : ‖I⁻¹‖, or more;  enough : TO_ROUNDING or ROUGHLY
    """
    half = 0.5 * h
    p = scale(half, momentum)
    x0 = over(inertia_inv, axes, momentum)
    b0, t0 = cross(p, x0), scale(half, x0)
    x1 = over(inertia_inv, axes, b0)
    b1, c0 = cross(p, x1), cross(b0, t0)
    x2 = over(inertia_inv, axes, axpy(0.5, c0, b1))
    omega = add(x0, add(x1, x2))
    square = norm * norm * dot(p, p)  # ε²
    if square <= enough[0]:
        return omega, True
    t1, b2 = scale(half, x1), cross(p, x2)
    c1, d0 = add(cross(b1, t0), cross(b0, t1)), cross(c0, t0)
    x3 = over(inertia_inv, axes, axpy(1 / 6, d0, axpy(0.5, c1, b2)))
    omega = add(omega, x3)
    if square <= enough[1]:
        return omega, True
    t2, b3 = scale(half, x2), cross(p, x3)
    c2, d1, e0 = add(cross(b2, t0), add(cross(b1, t1), cross(b0, t2))), add(cross(c1, t0), cross(c0, t1)), cross(d0, t0)
    x4 = over(inertia_inv, axes, axpy(1 / 24, e0, axpy(1 / 6, d1, axpy(0.5, c2, b3))))
    omega = add(omega, x4)
    return omega, square <= enough[2]


@part()
def over(inertia_inv, axes, u):
    """I⁻¹ u; see ``series``."""
    x = u
    if axes is not None:
        x = axes[0] * u[0], axes[1] * u[1], axes[2] * u[2]
    if inertia_inv is not None:
        x = mul(inertia_inv, u)
    return x


@part(forceinline=False)
def iterated(inertia, inertia_inv, momentum, h, omega):
    """Ω from an estimate on: Ω ← F + F′ (F − Ω) with F = I⁻¹ m and F′ x ≈ ½h I⁻¹ (Π × x), then Newton's method."""
    half = 0.5 * h
    for _ in range(PASSES):
        new = mul(inertia_inv, turned(exponential(scale(-half, omega)), momentum))
        step = sub(new, omega)
        omega = axpy(half, mul(inertia_inv, cross(momentum, step)), new)
        # What is left is about (h‖Ω‖)² of this step; stop when that is below rounding of Ω.
        if h * h * dot(new, new) * dot(step, step) * h * h <= 1e-32:
            return omega
    return newton_spin(inertia, inertia_inv, momentum, h)


@part(forceinline=False)
def newton_spin(inertia, inertia_inv, momentum, h):
    """As ``midpoint_spin``, by Newton's method; called rarely, so it is not inlined."""
    omega = mul(inertia_inv, momentum)
    size = dot(momentum, momentum)
    error = math.inf
    for _ in range(MAX_ITERATIONS):
        theta = scale(0.5 * h, omega)
        m = turned(exponential(scale(-1.0, theta)), momentum)
        r = sub(mul(inertia, omega), m)
        error = dot(r, r)
        if not error > EXACT * EXACT * size:
            break
        x, y, z = newton_columns(inertia, m, theta, h)
        yz = cross(y, z)
        s = 1.0 / dot(x, yz)
        omega = sub(omega, (s * dot(r, yz), s * dot(r, cross(z, x)), s * dot(r, cross(x, y))))
    # Beyond half a turn there are several solutions, and none stands out.
    if not (error <= SETTLED * SETTLED * size and h * h * dot(omega, omega) <= math.pi * math.pi):
        return math.nan, math.nan, math.nan
    return omega


@part(forceinline=False)
def newton_columns(inertia, m, theta, h):
    """Columns of the derivative I − h/2 m~ T of I Ω − m(Ω)."""
    square = dot(theta, theta)
    if square < 0.01:  # to 1e-9; the derivative need not be exact
        a = 1.0 / 2.0 - square * (1.0 / 24.0 - square / 720.0)
        b = 1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0)
    else:
        angle = math.sqrt(square)
        a = (1.0 - math.cos(angle)) / square
        b = (angle - math.sin(angle)) / (square * angle)
    columns = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    x = newton_column(inertia, m, theta, h, a, b, columns[0])
    y = newton_column(inertia, m, theta, h, a, b, columns[1])
    z = newton_column(inertia, m, theta, h, a, b, columns[2])
    return x, y, z


@part(forceinline=False)
def newton_column(inertia, m, theta, h, a, b, e):
    """The derivative's column for the unit vector e."""
    c = cross(theta, e)
    turn = axpy(b, cross(theta, c), axpy(-a, c, e))
    return axpy(-0.5 * h, cross(m, turn), mul(inertia, e))
