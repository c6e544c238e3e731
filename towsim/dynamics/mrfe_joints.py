"""Joints of an MRFE cable: frames, axes, spins of its first joint and of the universal joints between elements."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from solvers.kernels.lanes import below
from towsim.dynamics.spatial import FUSED, axpy, combine, cross, plus_cross
from towsim.model.arrays import BALL
from towsim.model.vectors import rotation

CALLED = {"forceinline": False}
"""Option of parts that are called, not inlined: what runs once a cable."""

X, Y, Z_AXIS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@part(**FUSED)
def sine_cosine(x):
    """Sine and cosine; up to half a radian by their series, which are exact to rounding there."""
    s = x * x
    if below(s, 0.25):
        odd = 1 / 362880 - s * (1 / 39916800 - s * (1 / 6227020800 - s * (1 / 1307674368000)))
        even = 1 / 40320 - s * (1 / 3628800 - s * (1 / 479001600 - s * (1 / 87178291200)))
        sine = x * (1.0 - s * (1 / 6 - s * (1 / 120 - s * (1 / 5040 - s * odd))))
        cosine = 1.0 - s * (1 / 2 - s * (1 / 24 - s * (1 / 720 - s * even)))
        return sine, cosine
    return math.sin(x), math.cos(x)


@part(**FUSED)
def turn(u, a, sine, cosine):
    """Vector u turned about the unit axis a."""
    c = cross(a, u)
    d = cross(a, c)
    return axpy(1.0 - cosine, d, axpy(sine, c, u))


@part()
def root_axes(cables, c):
    """Axes x, y, z of cable c's root frame."""
    f = cables.frame
    return (
        (f[c, 0, 0], f[c, 1, 0], f[c, 2, 0]),
        (f[c, 0, 1], f[c, 1, 1], f[c, 2, 1]),
        (f[c, 0, 2], f[c, 1, 2], f[c, 2, 2]),
    )


@part()
def along(frame, u):
    """World vector of components u along the axes of a frame."""
    x, y, z = frame
    return axpy(u[0], x, axpy(u[1], y, (u[2] * z[0], u[2] * z[1], u[2] * z[2])))


@part(**CALLED)
def first_joint(cables, c, q, at):
    """Frame after the first joint of cable c, whose coordinates stand in q from ``at`` on, and two of its axes.

    A ball joint turns about the world's axes x, y, z.
    """
    if cables.joint[c] == BALL:
        p = (q[at], q[at + 1], q[at + 2], q[at + 3])
        r = rotation(p)
        return ((r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])), Y, Z_AXIS
    x, y, z = frame = root_axes(cables, c)
    a = along(frame, (cables.axis[c, 0, 0], cables.axis[c, 0, 1], cables.axis[c, 0, 2]))
    sine, cosine = sine_cosine(q[at])
    x, y, z = frame = turn(x, a, sine, cosine), turn(y, a, sine, cosine), turn(z, a, sine, cosine)
    b = along(frame, (cables.axis[c, 1, 0], cables.axis[c, 1, 1], cables.axis[c, 1, 2]))
    sine, cosine = sine_cosine(q[at + 1])
    return (turn(x, b, sine, cosine), turn(y, b, sine, cosine), turn(z, b, sine, cosine)), a, b


@part(**FUSED)
def universal(frame, first, second):
    """Frame after turning about y by ``first`` and about −x by ``second``, and these two axes."""
    x, y, z = frame
    sine, cosine = sine_cosine(first)
    x, a, z = combine(cosine, x, -sine, z), y, combine(sine, x, cosine, z)
    sine, cosine = sine_cosine(second)
    y, z = combine(cosine, y, -sine, z), combine(sine, y, cosine, z)
    return (x, y, z), a, (-x[0], -x[1], -x[2])


@part()
def first_spin(cables, c, v, rate, at, a1, a2):
    """Angular velocity and acceleration of the first link; rates of its joint in v, their rates in ``rate``."""
    if cables.joint[c] == BALL:
        return (v[at], v[at + 1], v[at + 2]), (rate[at], rate[at + 1], rate[at + 2])
    return universal_spin((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), a1, a2, v[at], v[at + 1], rate[at], rate[at + 1])


@part(**FUSED)
def universal_spin(w, alpha, a1, a2, v1, v2, rate1, rate2):
    """Angular velocity and acceleration after a universal joint."""
    alpha = axpy(rate1, a1, plus_cross(v1, w, a1, alpha))
    w = axpy(v1, a1, w)
    alpha = axpy(rate2, a2, plus_cross(v2, w, a2, alpha))
    return axpy(v2, a2, w), alpha


@part()
def freedoms(cables, c):
    """Number of coordinates and of velocities before the first prismatic joint of cable c."""
    carried = cables.root[c] < 0
    ball = cables.joint[c] == BALL
    return (0 if carried else 3) + (4 if ball else 2), (0 if carried else 3) + (3 if ball else 2)
