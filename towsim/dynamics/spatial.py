"""Articulated inertias in blocks: how a force and a torque follow from accelerations, for O(n) recursions.

    (f; t) = [A B; Bᵀ C] (a; α)

about a point, in world axes: A (force per acceleration) and C (torque per angular acceleration) are symmetric and kept
as six numbers xx, xy, xz, yy, yz, zz; B as nine, row by row. Everything is a tuple of floats, so that a recursion keeps
its inertia in registers. The kernels allow fused multiply-adds.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part

FUSED = {"fastmath": {"contract"}}

NO_SYMMETRIC = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NO_MATRIX = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@part(**FUSED)
def dot(u, v):
    """Scalar product."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@part(**FUSED)
def cross(u, v):
    """Vector product."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


@part(**FUSED)
def axpy(s, u, v):
    """Sum s u + v."""
    return s * u[0] + v[0], s * u[1] + v[1], s * u[2] + v[2]


@part(**FUSED)
def combine(s, u, r, v):
    """Sum s u + r v."""
    return s * u[0] + r * v[0], s * u[1] + r * v[1], s * u[2] + r * v[2]


@part(**FUSED)
def plus_cross(s, u, v, w):
    """Sum s u × v + w."""
    return (
        s * (u[1] * v[2] - u[2] * v[1]) + w[0],
        s * (u[2] * v[0] - u[0] * v[2]) + w[1],
        s * (u[0] * v[1] - u[1] * v[0]) + w[2],
    )


@part(**FUSED)
def symmetric_times(a, u):
    """Product of a symmetric matrix and a vector."""
    return (
        a[0] * u[0] + a[1] * u[1] + a[2] * u[2],
        a[1] * u[0] + a[3] * u[1] + a[4] * u[2],
        a[2] * u[0] + a[4] * u[1] + a[5] * u[2],
    )


@part(**FUSED)
def times(b, u):
    """Product b u of a matrix and a vector."""
    return (
        b[0] * u[0] + b[1] * u[1] + b[2] * u[2],
        b[3] * u[0] + b[4] * u[1] + b[5] * u[2],
        b[6] * u[0] + b[7] * u[1] + b[8] * u[2],
    )


@part(**FUSED)
def transposed_times(b, u):
    """Product bᵀ u."""
    return (
        b[0] * u[0] + b[3] * u[1] + b[6] * u[2],
        b[1] * u[0] + b[4] * u[1] + b[7] * u[2],
        b[2] * u[0] + b[5] * u[1] + b[8] * u[2],
    )


@part(**FUSED)
def add_rod(m, moment, transverse, axial, z, A, B, C):
    """Add a body of revolution about the axis z through the point.

    m : mass;  moment : mass × coordinate of its centre along z;  transverse, axial : inertias about the point
    """
    d = axial - transverse
    p = (d * z[0], d * z[1], d * z[2])
    k = (moment * z[0], moment * z[1], moment * z[2])
    return (
        (A[0] + m, A[1], A[2], A[3] + m, A[4], A[5] + m),
        (B[0], B[1] + k[2], B[2] - k[1], B[3] - k[2], B[4], B[5] + k[0], B[6] + k[1], B[7] - k[0], B[8]),
        (
            C[0] + transverse + p[0] * z[0],
            C[1] + p[0] * z[1],
            C[2] + p[0] * z[2],
            C[3] + transverse + p[1] * z[1],
            C[4] + p[1] * z[2],
            C[5] + transverse + p[2] * z[2],
        ),
    )


@part(**FUSED)
def reduced(A, B, C, f, t, r):
    """Inertia less what a joint gives way to: I − r U Uᵀ, U = (f; t), r the reciprocal pivot."""
    x, y, z = r * f[0], r * f[1], r * f[2]
    p, q, s = r * t[0], r * t[1], r * t[2]
    return (
        (
            A[0] - x * f[0],
            A[1] - x * f[1],
            A[2] - x * f[2],
            A[3] - y * f[1],
            A[4] - y * f[2],
            A[5] - z * f[2],
        ),
        (
            B[0] - x * t[0],
            B[1] - x * t[1],
            B[2] - x * t[2],
            B[3] - y * t[0],
            B[4] - y * t[1],
            B[5] - y * t[2],
            B[6] - z * t[0],
            B[7] - z * t[1],
            B[8] - z * t[2],
        ),
        (
            C[0] - p * t[0],
            C[1] - p * t[1],
            C[2] - p * t[2],
            C[3] - q * t[1],
            C[4] - q * t[2],
            C[5] - s * t[2],
        ),
    )


@part(**FUSED)
def shifted(A, B, C, s, z):
    """The same inertia about the point s z before: B − s A z~ and C − s Bᵀ z~ + s z~ B', B' the new B."""
    b = (
        B[0] - s * (A[1] * z[2] - A[2] * z[1]),
        B[1] - s * (A[2] * z[0] - A[0] * z[2]),
        B[2] - s * (A[0] * z[1] - A[1] * z[0]),
        B[3] - s * (A[3] * z[2] - A[4] * z[1]),
        B[4] - s * (A[4] * z[0] - A[1] * z[2]),
        B[5] - s * (A[1] * z[1] - A[3] * z[0]),
        B[6] - s * (A[4] * z[2] - A[5] * z[1]),
        B[7] - s * (A[5] * z[0] - A[2] * z[2]),
        B[8] - s * (A[2] * z[1] - A[4] * z[0]),
    )
    # column i of B × z, component j, and column j of b × z, component i
    c = (
        C[0] - s * ((B[3] * z[2] - B[6] * z[1]) + (b[3] * z[2] - b[6] * z[1])),
        C[1] - s * ((B[6] * z[0] - B[0] * z[2]) + (b[4] * z[2] - b[7] * z[1])),
        C[2] - s * ((B[0] * z[1] - B[3] * z[0]) + (b[5] * z[2] - b[8] * z[1])),
        C[3] - s * ((B[7] * z[0] - B[1] * z[2]) + (b[7] * z[0] - b[1] * z[2])),
        C[4] - s * ((B[1] * z[1] - B[4] * z[0]) + (b[8] * z[0] - b[2] * z[2])),
        C[5] - s * ((B[2] * z[1] - B[5] * z[0]) + (b[2] * z[1] - b[5] * z[0])),
    )
    return b, c


@part(**FUSED)
def inverse_symmetric(a):
    """Inverse of a symmetric matrix."""
    x = a[3] * a[5] - a[4] * a[4]
    y = a[2] * a[4] - a[1] * a[5]
    z = a[1] * a[4] - a[2] * a[3]
    d = 1.0 / (a[0] * x + a[1] * y + a[2] * z)
    return (
        d * x,
        d * y,
        d * z,
        d * (a[0] * a[5] - a[2] * a[2]),
        d * (a[1] * a[2] - a[0] * a[4]),
        d * (a[0] * a[3] - a[1] * a[1]),
    )
