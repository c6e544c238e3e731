"""Geometric control of a quadcopter: a force that is wanted becomes an attitude, and the attitude four thrusts.

    b₃ = F/‖F‖,   R_d = [b₂×b₃, b₂, b₃],   b₂ = b₃ × b₁(heading)/‖·‖,   f = F · R e₃
    e_R = ½ (R_dᵀ R − Rᵀ R_d)^∨,   e_Ω = Ω − Rᵀ R_d Ω_d
    M = −J (ω² e_R + 2 ζ ω e_Ω) + Ω × J Ω

Ω_d is the difference of two samples of R_d, smoothed. Thrusts that cannot be: the force is shortened, first
across the vertical, so that height is kept before place; the yaw moment gives way to roll and pitch. Where f would be
negative (more than 90° from what is wanted) the rotors give what turning needs, and no more.

Source: Lee, Leok & McClamroch, CDC 2010 (gains as frequencies: k_R = J ω², k_Ω = 2 ζ J ω).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.model.vectors import at3, at9, axpy, cross, dot, get, norm, put3, put9, rotation, scale, sub, tmul

DAMPING = 0.8
STEEPEST = 1.7
"""Largest horizontal over vertical force: a tilt of 60°."""

LEAST, MOST = 0.2, 0.9
"""Vertical force: at least this share of the weight; whole force: at most this share of what the rotors give, so that
some is left to turn with."""

SMOOTHING = 0.03
"""Time constant of rates that are differences of samples [s]."""

YAW_SHARE = 0.15
"""Largest share of a rotor's limit that yaw may take."""


@part()
def transposed_times(a, b):
    """Product aᵀ b of two rotations."""
    x = tmul(a, (b[0], b[3], b[6]))
    y = tmul(a, (b[1], b[4], b[7]))
    z = tmul(a, (b[2], b[5], b[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@part()
def half_vee(m):
    """½ (m − mᵀ)^∨ of a rotation m: its rotation vector, for small angles."""
    return 0.5 * (m[7] - m[5]), 0.5 * (m[2] - m[6]), 0.5 * (m[3] - m[1])


@part()
def frame(up, heading):
    """Rotation whose third axis is the unit vector ``up`` and whose first one looks along a heading [rad]."""
    b1 = (math.cos(heading), math.sin(heading), 0.0)
    b2 = cross(up, b1)
    size = norm(b2)
    if size < 1e-6:
        b2, size = (-math.sin(heading), math.cos(heading), 0.0), 1.0
    b2 = scale(1.0 / size, b2)
    b1 = cross(b2, up)
    return b1[0], b2[0], up[0], b1[1], b2[1], up[1], b1[2], b2[2], up[2]


@part()
def possible(F, up, weight, limit):
    """The force F as near as a quadcopter can give it."""
    most = MOST * limit
    vertical = min(max(dot(F, up), LEAST * weight), most)
    aside = axpy(-dot(F, up), up, F)
    size = norm(aside)
    room = min(STEEPEST * vertical, math.sqrt(max(most * most - vertical * vertical, 0.0)))
    share = 1.0 if size <= room else room / size
    return axpy(vertical, up, scale(share, aside))


@part()
def smoothed(old, fresh, period, time):
    """The rate ``old`` on its way to a fresh difference of two samples; ``time``: time constant [s]."""
    share = period / (time + period)
    return axpy(share, sub(fresh, old), old)


@part()
def fly(craft, i, measured, F, up, weight, heading, omega, period, command):
    """Command the rotors of quadcopter i so that they give the force F (world axes) as soon as may be.

    weight : that of the vehicle [N];  omega : bandwidth of the attitude [rad/s];  period : between two samples [s]
    """
    b = craft.body[i]
    F = possible(F, up, weight, craft.limit[i])
    wanted = frame(scale(1.0 / norm(F), F), heading)
    R = rotation(
        (measured.quaternion[b, 0], measured.quaternion[b, 1], measured.quaternion[b, 2], measured.quaternion[b, 3])
    )
    spin = at3(measured.gyro, b)
    if craft.begun[i]:
        fresh = scale(1.0 / period, half_vee(transposed_times(at9(craft.wanted, i), wanted)))
        put3(craft.turn, i, smoothed(at3(craft.turn, i), fresh, period, SMOOTHING))
    craft.begun[i] = True
    put9(craft.wanted, i, wanted)
    e = transposed_times(wanted, R)
    e_R = half_vee(e)
    e_spin = axpy(-1.0, tmul(e, at3(craft.turn, i)), spin)
    J = at3(craft.moments, i)
    gyration = cross(spin, (J[0] * spin[0], J[1] * spin[1], J[2] * spin[2]))
    x = gyration[0] - J[0] * omega * (omega * e_R[0] + 2.0 * DAMPING * e_spin[0])
    y = gyration[1] - J[1] * omega * (omega * e_R[1] + 2.0 * DAMPING * e_spin[1])
    # Yaw is slower: rotors turn a body about their axis by drag only.
    z = gyration[2] - J[2] * 0.3 * omega * (0.3 * omega * e_R[2] + 2.0 * DAMPING * e_spin[2])
    f = F[0] * R[2] + F[1] * R[5] + F[2] * R[8]
    arm, ratio = craft.geometry[i, 0], craft.geometry[i, 1]
    roll, pitch, yaw = 0.5 * x / arm, 0.5 * y / arm, 0.0
    if ratio > 0.0:
        most = YAW_SHARE * 0.25 * craft.limit[i]
        yaw = min(max(0.25 * z / ratio, -most), most)
    # Rotors do not pull. Upside down they only turn the body; otherwise turning may fall short, height does not.
    each = 0.25 * f if f > 0.0 else max(abs(roll), abs(pitch))
    first = craft.first[i]
    command[first] = each - pitch + yaw
    command[first + 1] = each + roll - yaw
    command[first + 2] = each + pitch + yaw
    command[first + 3] = each - roll - yaw


@part()
def beyond(gravity, a):
    """Acceleration a − g that forces have to give where a is wanted; unlike ``upward`` smooth in g, also at g = 0."""
    return a[0] - gravity[0], a[1] - gravity[1], a[2] - gravity[2]


@part()
def upward(gravity):
    """Unit vector against gravity (world z without gravity), and the size of gravity [m/s²]."""
    g = (gravity[0], gravity[1], gravity[2])
    size = norm(g)
    if size == 0.0:
        return (0.0, 0.0, 1.0), 0.0
    return scale(-1.0 / size, g), size


@part()
def pursuit(reference, i, x, v, omega, zeta, integral, rate, period, most):
    """Acceleration that takes a point at x, v to its reference: a_d − 2ζω (v − v_d) − ω² (x − x_d) − I.

    integral : (n, 3) I, in and out; İ = rate ω² (x − x_d), of each component at most ``most`` [m/s²]
    """
    e = axpy(-1.0, get(reference[i], 0, 0), x)
    e_v = axpy(-1.0, get(reference[i], 1, 0), v)
    out = get(reference[i], 2, 0)
    out = axpy(-2.0 * zeta * omega, e_v, axpy(-omega * omega, e, out))
    for j in range(3):
        step = rate * omega * omega * e[j] * period
        integral[i, j] = min(max(integral[i, j] + step, -most), most)
    return axpy(-1.0, at3(integral, i), out)
