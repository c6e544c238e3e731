"""3-vectors, rotations and unit quaternions as tuples of floats, for kernels that read like the formulas.

A vector is ``(x, y, z)``, a matrix nine floats row by row, a quaternion ``(w, x, y, z)``; arrays enter and leave at the
borders with ``at3``, ``put3`` and the like. Tuples compile to straight code: no allocation, no loops.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from solvers.kernels.dual import value

ROUNDINGS = 1e-12
"""Share of the sizes of terms that their sum is in doubt by, after what led to them."""

Vector = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]
Quaternion = tuple[float, float, float, float]


@part()
def at3(a, i):
    """Row i of an (n, 3) array as a vector."""
    return a[i, 0], a[i, 1], a[i, 2]


@part()
def put3(a, i, u):
    """Write a vector to row i of an (n, 3) array."""
    a[i, 0] = u[0]
    a[i, 1] = u[1]
    a[i, 2] = u[2]


@part()
def put6(a, i, u, v):
    """Write two vectors to row i of an (n, 6) array, such as a force and its torque."""
    a[i, 0] = u[0]
    a[i, 1] = u[1]
    a[i, 2] = u[2]
    a[i, 3] = v[0]
    a[i, 4] = v[1]
    a[i, 5] = v[2]


@part()
def at9(a, i):
    """Row i of an (n, 3, 3) array as a matrix."""
    return a[i, 0, 0], a[i, 0, 1], a[i, 0, 2], a[i, 1, 0], a[i, 1, 1], a[i, 1, 2], a[i, 2, 0], a[i, 2, 1], a[i, 2, 2]


@part()
def put9(a, i, m):
    """Write a matrix to row i of an (n, 3, 3) array."""
    a[i, 0, 0] = m[0]
    a[i, 0, 1] = m[1]
    a[i, 0, 2] = m[2]
    a[i, 1, 0] = m[3]
    a[i, 1, 1] = m[4]
    a[i, 1, 2] = m[5]
    a[i, 2, 0] = m[6]
    a[i, 2, 1] = m[7]
    a[i, 2, 2] = m[8]


@part()
def add(u, v):
    """Sum u + v."""
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


@part()
def sub(u, v):
    """Difference u − v."""
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


@part()
def scale(s, u):
    """Product s u of a number and a vector."""
    return s * u[0], s * u[1], s * u[2]


@part()
def axpy(s, u, v):
    """Sum s u + v."""
    return s * u[0] + v[0], s * u[1] + v[1], s * u[2] + v[2]


@part()
def dot(u, v):
    """Scalar product u·v."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@part()
def cross(u, v):
    """Vector product u × v."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@part()
def norm(u):
    """Length ‖u‖."""
    return math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])


@part()
def extent(u):
    """|x| + |y| + |z|, a size that takes no root."""
    return abs(u[0]) + abs(u[1]) + abs(u[2])


@part()
def without_rounding(x, bound):
    """x, the sum of terms that cancel; zero, with its derivatives, unless it is above the bound of their rounding.

    A row of such errors would act, with forces without bounds, where it has no lever at all.
    """
    return x if abs(x) > bound else x - value(x)


@part()
def mul(m, u):
    """Product m u of a matrix and a vector."""
    return (
        m[0] * u[0] + m[1] * u[1] + m[2] * u[2],
        m[3] * u[0] + m[4] * u[1] + m[5] * u[2],
        m[6] * u[0] + m[7] * u[1] + m[8] * u[2],
    )


@part()
def tmul(m, u):
    """Product mᵀ u: a world vector in the body's axes when m is the body's rotation."""
    return (
        m[0] * u[0] + m[3] * u[1] + m[6] * u[2],
        m[1] * u[0] + m[4] * u[1] + m[7] * u[2],
        m[2] * u[0] + m[5] * u[1] + m[8] * u[2],
    )


@part(forceinline=False)
def rotated(r, m):
    """Matrix r m rᵀ: an inertia given in body axes, in world axes. Only for symmetric m."""
    a = mul(r, (m[0], m[3], m[6]))
    b = mul(r, (m[1], m[4], m[7]))
    c = mul(r, (m[2], m[5], m[8]))  # r m, by columns a, b, c
    xx = a[0] * r[0] + b[0] * r[1] + c[0] * r[2]
    xy = a[0] * r[3] + b[0] * r[4] + c[0] * r[5]
    xz = a[0] * r[6] + b[0] * r[7] + c[0] * r[8]
    yy = a[1] * r[3] + b[1] * r[4] + c[1] * r[5]
    yz = a[1] * r[6] + b[1] * r[7] + c[1] * r[8]
    zz = a[2] * r[6] + b[2] * r[7] + c[2] * r[8]
    return xx, xy, xz, xy, yy, yz, xz, yz, zz


@part()
def rotated_axes(r, d):
    """The same for m = diag(d)."""
    (xx, xy, xz, yx, yy, yz, zx, zy, zz), (a, b, c) = r, d
    ax, by, cz = xx * a, xy * b, xz * c
    dx, ey, fz = yx * a, yy * b, yz * c
    m00, m01, m02 = ax * xx + by * xy + cz * xz, ax * yx + by * yy + cz * yz, ax * zx + by * zy + cz * zz
    m11, m12 = dx * yx + ey * yy + fz * yz, dx * zx + ey * zy + fz * zz
    m22 = zx * a * zx + zy * b * zy + zz * c * zz
    return m00, m01, m02, m01, m11, m12, m02, m12, m22


@part()
def rotation(q):
    """Rotation matrix R_WB of the unit quaternion q (w, x, y, z)."""
    w, x, y, z = q
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz = x * y, x * z, y * z
    wx, wy, wz = w * x, w * y, w * z
    return (
        1.0 - 2.0 * (yy + zz),
        2.0 * (xy - wz),
        2.0 * (xz + wy),
        2.0 * (xy + wz),
        1.0 - 2.0 * (xx + zz),
        2.0 * (yz - wx),
        2.0 * (xz - wy),
        2.0 * (yz + wx),
        1.0 - 2.0 * (xx + yy),
    )


@part()
def quaternion_product(p, q):
    """Hamilton product p q."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@part()
def exponential(u):
    """Unit quaternion of the rotation vector u [rad].

    For ‖u‖/2 below 0.003 and 0.3 the series of sin(x)/x and cos(x) are exact to rounding, and need no calls.
    """
    s = 0.25 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])  # (‖u‖/2)²
    if s < 1e-5:
        c = 1.0 - s * (1 / 2 - s * (1 / 24))
        k = 1.0 - s * (1 / 6 - s * (1 / 120))
    elif s < 0.09:
        c = 1.0 + s * (
            -1 / 2 + s * (1 / 24 + s * (-1 / 720 + s * (1 / 40320 + s * (-1 / 3628800 + s * (1 / 479001600)))))
        )
        k = 1.0 + s * (-1 / 6 + s * (1 / 120 + s * (-1 / 5040 + s * (1 / 362880 + s * (-1 / 39916800)))))
    else:
        x = math.sqrt(s)
        c = math.cos(x)
        k = math.sin(x) / x
    return c, 0.5 * k * u[0], 0.5 * k * u[1], 0.5 * k * u[2]


@part()
def arc(u):
    """sin‖u‖/‖u‖ and (1 − cos‖u‖)/‖u‖² of the rotation vector u [rad].

    For ‖u‖ below 0.02 two terms of their series are exact to 3e-16 rad, and need no calls.
    """
    s = dot(u, u)
    if s < 4e-4:
        return 1.0 - s * (1 / 6 - s * (1 / 120)), 0.5 - s * (1 / 24 - s * (1 / 720))
    angle = math.sqrt(s)
    half = math.sin(0.5 * angle) / angle
    return math.sin(angle) / angle, 2.0 * half * half


@part()
def swung(u, arc, x):
    """Vector x turned by the rotation vector u, whose ``arc`` is (a, b): x + a u × x + b u × (u × x)."""
    c = cross(u, x)
    return axpy(arc[0], c, axpy(arc[1], cross(u, c), x))


@part()
def turned(q, u):
    """Vector u turned by the unit quaternion q: u + 2 w (e × u) + 2 e × (e × u), e its vector part."""
    e = (q[1], q[2], q[3])
    c = cross(e, u)
    d = cross(e, c)
    return (
        u[0] + 2.0 * (q[0] * c[0] + d[0]),
        u[1] + 2.0 * (q[0] * c[1] + d[1]),
        u[2] + 2.0 * (q[0] * c[2] + d[2]),
    )


@part()
def normalised(q):
    """Quaternion q / ‖q‖."""
    s = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]


@part()
def get(S, k, i):
    """Vector in row k of S from column i on."""
    return S[k, i], S[k, i + 1], S[k, i + 2]


@part()
def put(S, k, i, u):
    """Write a vector to row k of S from column i on."""
    S[k, i] = u[0]
    S[k, i + 1] = u[1]
    S[k, i + 2] = u[2]
