"""Trees of joints: O(n) recursions that never form M(q).

A tree's joints have one degree of freedom each (model/trees). Spatial quantities are (linear, angular) in world axes
at the joints x_k: recursions shift, they never rotate. With r = x_k − x_parent, ω_c the spin of the joint's carrier,
a its axis and ȧ = ω_c × a:

    slide   v = v_p + ω_p × r + a u,   ω = ω_p           v̇ = v̇_p + α_p × r + ω_p × (ω_p × r) + 2 ȧ u + a u̇
    turn    v = v_p + ω_p × r,         ω = ω_p + a u      α = α_p + ȧ u + a u̇

**Articulated inertia** (tip to root): I ← I_link + Σ Tᵀ (I − U Uᵀ/D) T,  U = I S,  D = Sᵀ U. It factors the joint-space
inertia M = Xᵀ 𝓜 X, so that M y = τ is solved by one sweep inwards and one outwards, for any right-hand side:
accelerations of a given torque, and rates of given joint momenta, are one and the same problem.

**Outboard momenta** (tip to root): P_k = Σ m v,  H_k = Σ (I ω + (x − x_k) × m v) of all that hangs on joint k.

Sources: Featherstone's articulated-body recursion; Stoneking, momentum-state dynamics (H_k, P_k of the slides).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.model.springs import euler_share
from towsim.model.trees import BALL_END, SLIDE, TURN
from towsim.model.vectors import (
    add,
    at3,
    at9,
    axpy,
    cross,
    dot,
    exponential,
    get,
    mul,
    put,
    rotated,
    rotation,
    scale,
    sub,
)

# Columns of a joint's scratch row.
AXIS, ORIGIN, ARM, FRAME, SPIN, SPEED, SWING = 0, 3, 6, 9, 18, 21, 24
COR_A, COR_W, MASS, MIXED, MOMENT, U_F, U_T, PIVOT, LEFT = 27, 30, 33, 42, 51, 60, 63, 66, 67
F, T, P, H, SHARE = 68, 71, 74, 77, 80
WIDTH = 81


@part()
def increase(s, e, k, u):
    """Add a vector to the columns k.. of row e."""
    s[e, k] += u[0]
    s[e, k + 1] += u[1]
    s[e, k + 2] += u[2]


@part()
def get9(s, e, k):
    """Matrix in the columns k.. of row e."""
    return (
        s[e, k],
        s[e, k + 1],
        s[e, k + 2],
        s[e, k + 3],
        s[e, k + 4],
        s[e, k + 5],
        s[e, k + 6],
        s[e, k + 7],
        s[e, k + 8],
    )


@part()
def product(a, b):
    """Product of two 3×3 matrices."""
    x = mul(a, (b[0], b[3], b[6]))
    y = mul(a, (b[1], b[4], b[7]))
    z = mul(a, (b[2], b[5], b[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@part()
def skewed(m, r):
    """Product m [r]× of a matrix and the skew matrix of r: its rows are m_i × r."""
    x = cross((m[0], m[1], m[2]), r)
    y = cross((m[3], m[4], m[5]), r)
    z = cross((m[6], m[7], m[8]), r)
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@part(forceinline=False)
def kinematics(tree, base, q, s):
    """Axes, origins, arms and frames of all joints at the coordinates q.

    base : for each base its position, velocity and acceleration, nine numbers one after the other
    """
    for e in range(tree.kind.shape[0]):
        c, p = tree.carrier[e], tree.parent[e]
        b = 9 * tree.base[e]
        if c < 0:
            frame, x = at9_of(tree.frame), (base[b], base[b + 1], base[b + 2])
        else:
            frame, x = get9(s, c, FRAME), get(s, c, ORIGIN)
        local = at3(tree.axis, e)
        axis = mul(frame, local)
        x = add(x, mul(frame, at3(tree.at, e)))
        kind, k = tree.kind[e], tree.q[e]
        if kind == SLIDE:
            x = axpy(q[k], axis, x)
        elif kind == TURN:
            frame = product(frame, rotation(exponential(scale(q[k], local))))
        elif kind == BALL_END:
            frame = product(frame, rotation((q[k], q[k + 1], q[k + 2], q[k + 3])))
        put(s, e, AXIS, axis)
        put(s, e, ORIGIN, x)
        put(s, e, ARM, sub(x, get(s, p, ORIGIN) if p >= 0 else (base[b], base[b + 1], base[b + 2])))
        for i in range(9):
            s[e, FRAME + i] = frame[i]


@part()
def at3_of(u):
    """An array (3,) as a vector."""
    return u[0], u[1], u[2]


@part()
def at9_of(m):
    """An array (3, 3) as a matrix."""
    return m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2]


@part(forceinline=False)
def velocities(tree, base, u, s):
    """Velocities and spins of all joints, and ȧ, at the rates u."""
    for e in range(tree.kind.shape[0]):
        c, p = tree.carrier[e], tree.parent[e]
        b = 9 * tree.base[e]
        v, w = (base[b + 3], base[b + 4], base[b + 5]), (0.0, 0.0, 0.0)
        carried = (0.0, 0.0, 0.0)
        if p >= 0:
            v, w = get(s, p, SPEED), get(s, p, SPIN)
        if c >= 0:
            carried = get(s, c, SPIN)
        axis = get(s, e, AXIS)
        v = add(v, cross(w, get(s, e, ARM)))
        if tree.kind[e] == SLIDE:
            v = axpy(u[e], axis, v)
        else:
            w = axpy(u[e], axis, w)
        put(s, e, SPEED, v)
        put(s, e, SPIN, w)
        put(s, e, SWING, cross(carried, axis))


@part()
def less_outer(m, k, u, v):
    """m − k u vᵀ of a matrix (nine numbers, by rows) and two vectors."""
    return (
        *(m[0] - k * u[0] * v[0], m[1] - k * u[0] * v[1], m[2] - k * u[0] * v[2]),
        *(m[3] - k * u[1] * v[0], m[4] - k * u[1] * v[1], m[5] - k * u[1] * v[2]),
        *(m[6] - k * u[2] * v[0], m[7] - k * u[2] * v[1], m[8] - k * u[2] * v[2]),
    )


@part(forceinline=False)
def inertias(tree, s):
    """Inertias of the links about their joints, world axes. Needs ``kinematics``."""
    for e in range(tree.kind.shape[0]):
        m = tree.mass[e]
        frame = get9(s, e, FRAME)
        c = mul(frame, at3(tree.centre, e))
        moment = rotated(frame, at9(tree.inertia, e))
        cc = dot(c, c)
        for i in range(9):
            s[e, MASS + i] = m if i % 4 == 0 else 0.0
            s[e, MOMENT + i] = moment[i] + m * ((cc if i % 4 == 0 else 0.0) - c[i // 3] * c[i % 3])
        mixed = skewed((-m, 0.0, 0.0, 0.0, -m, 0.0, 0.0, 0.0, -m), c)  # force of an angular acceleration: −m [c]×
        for i in range(9):
            s[e, MIXED + i] = mixed[i]


@part()
def burden(s, e, r, m):
    """Add the inertia of a mass m at r from joint e."""
    mixed, rr = skewed((-m, 0.0, 0.0, 0.0, -m, 0.0, 0.0, 0.0, -m), r), dot(r, r)
    for i in range(9):
        s[e, MASS + i] += m if i % 4 == 0 else 0.0
        s[e, MOMENT + i] += m * ((rr if i % 4 == 0 else 0.0) - r[i // 3] * r[i % 3])
        s[e, MIXED + i] += mixed[i]


@part(forceinline=False)
def articulate(tree, h, theta, s):
    """Articulated inertias, U and pivots D of all joints, tip to root. Needs ``inertias``.

    Springs and dampers are implicit over a step of h, D + h (θ d + α h k), with θ = 1 and α of model/springs, or with
    θ = ½ and α = ¼; h = 0 for M itself.
    """
    n = tree.kind.shape[0]
    for back in range(n):
        e = n - 1 - back
        axis = get(s, e, AXIS)
        a, b, c = get9(s, e, MASS), get9(s, e, MIXED), get9(s, e, MOMENT)
        if tree.kind[e] == SLIDE:
            f = mul(a, axis)
            t = add(
                add(scale(axis[0], (b[0], b[1], b[2])), scale(axis[1], (b[3], b[4], b[5]))),
                scale(axis[2], (b[6], b[7], b[8])),
            )
            d = dot(axis, f)
        else:
            f, t = mul(b, axis), mul(c, axis)
            d = dot(axis, t)
        put(s, e, U_F, f)
        put(s, e, U_T, t)
        s[e, SHARE] = euler_share(tree.stiffness[e], 1.0 / d, h) if theta == 1.0 else 0.0
        d += h * (theta * tree.damping[e] + (0.25 + 0.75 * s[e, SHARE]) * h * tree.stiffness[e])
        s[e, PIVOT] = d
        p = tree.parent[e]
        if p >= 0:
            k = 1.0 / d
            r = get(s, e, ARM)
            a, b = less_outer(a, k, f, f), less_outer(b, k, f, t)
            ar, br = skewed(a, r), skewed((b[0], b[3], b[6], b[1], b[4], b[7], b[2], b[5], b[8]), r)  # A[r], Bᵀ[r]
            for i in range(9):
                s[p, MASS + i] += a[i]
                s[p, MIXED + i] += b[i] - ar[i]
            # [r] (B − A [r]): the columns of B − A [r], each r ×
            x = cross(r, (b[0] - ar[0], b[3] - ar[3], b[6] - ar[6]))
            y = cross(r, (b[1] - ar[1], b[4] - ar[4], b[7] - ar[7]))
            z = cross(r, (b[2] - ar[2], b[5] - ar[5], b[8] - ar[8]))
            shifted = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
            for i in range(9):
                row, col = i // 3, i % 3
                s[p, MOMENT + i] += c[i] - k * t[row] * t[col] - br[i] + shifted[i]


@part()
def clear(s, k, stop):
    """Set the columns k .. stop of all rows to zero."""
    for e in range(s.shape[0]):
        for i in range(k, stop):
            s[e, i] = 0.0


@part(forceinline=False)
def solve(tree, tau, base, at, g, s, out):
    """Solve M y = τ − (bias forces F, T); y to ``out``. Needs ``articulate``.

    The bases accelerate with what stands at ``at`` among their nine numbers, less g; with ``at`` < 0 not at all.
    F, T of the scratch rows: force and torque that the links need beside those of the joints' accelerations;
    COR_A, COR_W: accelerations at the joints that are there already.
    """
    n = tree.kind.shape[0]
    for back in range(n):
        e = n - 1 - back
        axis = get(s, e, AXIS)
        f, t = get(s, e, F), get(s, e, T)
        left = tau[e] - (dot(axis, f) if tree.kind[e] == SLIDE else dot(axis, t))
        s[e, LEFT] = left
        p = tree.parent[e]
        if p >= 0:
            ca, cw = get(s, e, COR_A), get(s, e, COR_W)
            uf, ut = get(s, e, U_F), get(s, e, U_T)
            mixed = get9(s, e, MIXED)
            k = (left - dot(uf, ca) - dot(ut, cw)) / s[e, PIVOT]
            f = axpy(k, uf, add(f, add(mul(get9(s, e, MASS), ca), mul(mixed, cw))))
            turned = add(
                mul((mixed[0], mixed[3], mixed[6], mixed[1], mixed[4], mixed[7], mixed[2], mixed[5], mixed[8]), ca),
                mul(get9(s, e, MOMENT), cw),
            )
            t = axpy(k, ut, add(t, turned))
            increase(s, p, F, f)
            increase(s, p, T, add(t, cross(get(s, e, ARM), f)))
    for e in range(n):
        p = tree.parent[e]
        linear, angular = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if at >= 0:
            b = 9 * tree.base[e] + at
            linear = (base[b] - g[0], base[b + 1] - g[1], base[b + 2] - g[2])
        if p >= 0:  # P and H hold the accelerations of the joints outwards
            linear, angular = get(s, p, P), get(s, p, H)
        linear = add(add(linear, cross(angular, get(s, e, ARM))), get(s, e, COR_A))
        angular = add(angular, get(s, e, COR_W))
        y = (s[e, LEFT] - dot(get(s, e, U_F), linear) - dot(get(s, e, U_T), angular)) / s[e, PIVOT]
        out[e] = y
        axis = get(s, e, AXIS)
        if tree.kind[e] == SLIDE:
            linear = axpy(y, axis, linear)
        else:
            angular = axpy(y, axis, angular)
        put(s, e, P, linear)
        put(s, e, H, angular)


@part(forceinline=False)
def velocity_terms(tree, base, u, s):
    """Accelerations (COR) and forces (F, T) that velocities alone cause. Needs ``velocities``."""
    for e in range(tree.kind.shape[0]):
        p = tree.parent[e]
        w = (0.0, 0.0, 0.0)
        if p >= 0:
            w = get(s, p, SPIN)
        swing = get(s, e, SWING)
        a = cross(w, cross(w, get(s, e, ARM)))
        zero = (0.0, 0.0, 0.0)
        if tree.kind[e] == SLIDE:
            put(s, e, COR_A, axpy(2.0 * u[e], swing, a))
            put(s, e, COR_W, zero)
        else:
            put(s, e, COR_A, a)
            put(s, e, COR_W, scale(u[e], swing))
        m = tree.mass[e]
        if m > 0.0:
            w = get(s, e, SPIN)
            frame = get9(s, e, FRAME)
            c = mul(frame, at3(tree.centre, e))
            f = scale(m, cross(w, cross(w, c)))
            put(s, e, F, f)
            put(s, e, T, add(cross(c, f), cross(w, mul(rotated(frame, at9(tree.inertia, e)), w))))
        else:
            put(s, e, F, zero)
            put(s, e, T, zero)


@part(forceinline=False)
def momenta(tree, s):
    """Outboard momenta P_k, H_k and external forces F_k, T_k (gravity) about the joints. Needs ``velocities``."""
    n = tree.kind.shape[0]
    g = at3_of(tree.gravity)
    for e in range(n):
        m = tree.mass[e]
        linear, angular, force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if m > 0.0:
            w = get(s, e, SPIN)
            frame = get9(s, e, FRAME)
            c = mul(frame, at3(tree.centre, e))
            linear = scale(m, add(get(s, e, SPEED), cross(w, c)))
            angular = add(mul(rotated(frame, at9(tree.inertia, e)), w), cross(c, linear))
            force = scale(m, g)
            torque = cross(c, force)
        put(s, e, P, linear)
        put(s, e, H, angular)
        put(s, e, F, force)
        put(s, e, T, torque)
    for back in range(n):
        e = n - 1 - back
        p = tree.parent[e]
        if p >= 0:
            r = get(s, e, ARM)
            increase(s, p, P, get(s, e, P))
            increase(s, p, H, add(get(s, e, H), cross(r, get(s, e, P))))
            increase(s, p, F, get(s, e, F))
            increase(s, p, T, add(get(s, e, T), cross(r, get(s, e, F))))
