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

from towsim.compiled import kernel, part
from towsim.model.trees import BALL, BALL_END, SLIDE, TURN
from towsim.model.vectors import (
    add,
    at3,
    at9,
    axpy,
    cross,
    dot,
    exponential,
    mul,
    put3,
    put9,
    quaternion_product,
    rotated,
    rotation,
    scale,
    sub,
)

# Columns of a joint's scratch row.
AXIS, ORIGIN, ARM, FRAME, SPIN, SPEED, SWING = 0, 3, 6, 9, 18, 21, 24
COR_A, COR_W, MASS, MIXED, MOMENT, U_F, U_T, PIVOT, LEFT = 27, 30, 33, 42, 51, 60, 63, 66, 67
F, T, P, H = 68, 71, 74, 77
WIDTH = 80


@part()
def get(s, e, k):
    """Vector in the columns k.. of row e."""
    return s[e, k], s[e, k + 1], s[e, k + 2]


@part()
def put(s, e, k, u):
    """Write a vector to the columns k.. of row e."""
    s[e, k] = u[0]
    s[e, k + 1] = u[1]
    s[e, k + 2] = u[2]


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
        s[e, k], s[e, k + 1], s[e, k + 2], s[e, k + 3], s[e, k + 4], s[e, k + 5], s[e, k + 6], s[e, k + 7], s[e, k + 8]
    )  # fmt: skip


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
    """Axes, origins, arms and frames of all joints at the coordinates q, the base at ``base[0:3]``."""
    for e in range(tree.kind.shape[0]):
        c, p = tree.carrier[e], tree.parent[e]
        if c < 0:
            frame, x = at9_of(tree.frame), (base[0], base[1], base[2])
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
        put(s, e, ARM, sub(x, get(s, p, ORIGIN) if p >= 0 else (base[0], base[1], base[2])))
        for i in range(9):
            s[e, FRAME + i] = frame[i]


@part()
def at9_of(m):
    """An array (3, 3) as a matrix."""
    return m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2]


@part(forceinline=False)
def velocities(tree, base, u, s):
    """Velocities and spins of all joints, and ȧ, at the rates u; the base moves with ``base[3:6]``."""
    for e in range(tree.kind.shape[0]):
        c, p = tree.carrier[e], tree.parent[e]
        v, w = (base[3], base[4], base[5]), (0.0, 0.0, 0.0)
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


@part(forceinline=False)
def articulate(tree, s):
    """Articulated inertias, U and pivots D of all joints, tip to root. Needs ``kinematics``."""
    n = tree.kind.shape[0]
    for e in range(n):
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
    for back in range(n):
        e = n - 1 - back
        axis = get(s, e, AXIS)
        a, b, c = get9(s, e, MASS), get9(s, e, MIXED), get9(s, e, MOMENT)
        if tree.kind[e] == SLIDE:
            f = mul(a, axis)
            t = add(add(scale(axis[0], (b[0], b[1], b[2])), scale(axis[1], (b[3], b[4], b[5]))),
                    scale(axis[2], (b[6], b[7], b[8])))  # fmt: skip
            d = dot(axis, f)
        else:
            f, t = mul(b, axis), mul(c, axis)
            d = dot(axis, t)
        put(s, e, U_F, f)
        put(s, e, U_T, t)
        s[e, PIVOT] = d
        p = tree.parent[e]
        if p >= 0:
            k = 1.0 / d
            r = get(s, e, ARM)
            a = (
                a[0] - k * f[0] * f[0], a[1] - k * f[0] * f[1], a[2] - k * f[0] * f[2],
                a[3] - k * f[1] * f[0], a[4] - k * f[1] * f[1], a[5] - k * f[1] * f[2],
                a[6] - k * f[2] * f[0], a[7] - k * f[2] * f[1], a[8] - k * f[2] * f[2],
            )  # fmt: skip
            b = (
                b[0] - k * f[0] * t[0], b[1] - k * f[0] * t[1], b[2] - k * f[0] * t[2],
                b[3] - k * f[1] * t[0], b[4] - k * f[1] * t[1], b[5] - k * f[1] * t[2],
                b[6] - k * f[2] * t[0], b[7] - k * f[2] * t[1], b[8] - k * f[2] * t[2],
            )  # fmt: skip
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
def solve(tree, tau, a, s, out):
    """Solve M y = τ − (bias forces F, T), the base accelerated by ``a``; y to ``out``. Needs ``articulate``.

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
        linear, angular = a, (0.0, 0.0, 0.0)
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


@part()
def joint_force(tree, e, q, u, applied):
    """Force or torque of joint e's drive, spring and damper."""
    spring = 0.0
    if tree.stiffness[e] != 0.0:
        spring = tree.stiffness[e] * (q[tree.q[e]] - tree.rest[e])
    return applied[e] - spring - tree.damping[e] * u[e]


@part(forceinline=False)
def coordinate_rates(tree, q, u, dq):
    """Rates of the coordinates: u itself, and ½ ω ∘ q of a ball's quaternion with ω in the carrier's axes."""
    for e in range(tree.kind.shape[0]):
        k = tree.q[e]
        if tree.kind[e] == BALL_END:
            w = (0.0, 0.5 * u[e - 2], 0.5 * u[e - 1], 0.5 * u[e])
            d = quaternion_product(w, (q[k], q[k + 1], q[k + 2], q[k + 3]))
            for i in range(4):
                dq[k + i] = d[i]
        elif tree.kind[e] != BALL:
            dq[k] = u[e]


@part(forceinline=False)
def reduced_rates(tree, base, applied, q, u, s, tau, dq, du):
    """Rates q̇ and u̇ of the reduced equations M u̇ = τ − (pseudo-forces); ``tau`` (n,) is scratch."""
    kinematics(tree, base, q, s)
    articulate(tree, s)
    velocities(tree, base, u, s)
    velocity_terms(tree, base, u, s)
    for e in range(tree.kind.shape[0]):
        tau[e] = joint_force(tree, e, q, u, applied)
    g = tree.gravity
    solve(tree, tau, (base[6] - g[0], base[7] - g[1], base[8] - g[2]), s, du)
    coordinate_rates(tree, q, u, dq)


@part(forceinline=False)
def rates_of_momenta(tree, base, q, p, s, tau, u):
    """Solve p = M(q) u (+ the momentum of the base's motion) for the rates u."""
    kinematics(tree, base, q, s)
    articulate(tree, s)
    clear(s, COR_A, COR_W + 3)
    clear(s, F, T + 3)
    for e in range(tree.kind.shape[0]):
        tau[e] = p[e]
    for i in range(tree.free.shape[0]):
        e = tree.free[i]  # a free link's angular momentum is kept about the origin: bring it to the link
        linear = (p[e], p[e + 1], p[e + 2])
        moment = cross(get(s, e + 3, ORIGIN), linear)
        for j in range(3):
            tau[e + 3 + j] -= moment[j]
    solve(tree, tau, (base[3], base[4], base[5]), s, u)


@part(forceinline=False)
def momentum_rates(tree, base, applied, q, p, s, tau, u, dq, dp):
    """Rates q̇ and ṗ of the momentum states; u (n,) gets the joints' rates."""
    rates_of_momenta(tree, base, q, p, s, tau, u)
    velocities(tree, base, u, s)
    momenta(tree, s)
    for e in range(tree.kind.shape[0]):
        force = joint_force(tree, e, q, u, applied)
        axis, swing = get(s, e, AXIS), get(s, e, SWING)
        if tree.kind[e] == SLIDE:
            dp[e] = force + dot(axis, get(s, e, F)) + dot(swing, get(s, e, P))
        else:
            turn = sub(get(s, e, T), cross(get(s, e, SPEED), get(s, e, P)))
            dp[e] = force + dot(axis, turn) + dot(swing, get(s, e, H))
    for i in range(tree.free.shape[0]):
        e = tree.free[i]
        torque = add(get(s, e + 3, T), cross(get(s, e + 3, ORIGIN), get(s, e + 3, F)))
        for j in range(3):
            dp[e + 3 + j] = torque[j]
    coordinate_rates(tree, q, u, dq)


@part(forceinline=False)
def rates(tree, momentum, base, applied, y, s, tau, u, dy):
    """Rates of the state y = (q, u), or (q, p) if ``momentum`` is not None."""
    n = tree.kind.shape[0]
    nq = y.shape[0] - n
    if momentum is not None:
        momentum_rates(tree, base, applied, y[:nq], y[nq:], s, tau, u, dy[:nq], dy[nq:])
    else:
        reduced_rates(tree, base, applied, y[:nq], y[nq:], s, tau, dy[:nq], dy[nq:])


@kernel()
def tree_rates(tree, momentum, base, applied, y, s, tau, u, dy):
    """As ``rates``, from Python: base (9,), applied (n,), s (n, WIDTH) and tau, u (n,) scratch."""
    rates(tree, momentum, base, applied, y, s, tau, u, dy)


@kernel()
def runge_kutta(tree, momentum, base, applied, h, every, y, s, tau, u, stage, record):
    """Classical Runge–Kutta steps of h (order 4); y after every ``every``-th step goes to the next row of ``record``.

    base : (2K+1, 9) or (1, 9), applied : (2K+1, n) or (1, n): at the beginning, middle and end of each of K steps
    stage : (6, len(y)) scratch
    """
    moving = 2 if base.shape[0] > 1 else 0
    driven = 2 if applied.shape[0] > 1 else 0
    size = y.shape[0]
    for k in range(record.shape[0] * every):
        i, j = moving * k, driven * k
        mi, mj = moving // 2, driven // 2
        rates(tree, momentum, base[i], applied[j], y, s, tau, u, stage[0])
        for x in range(size):
            stage[4, x] = y[x] + 0.5 * h * stage[0, x]
        rates(tree, momentum, base[i + mi], applied[j + mj], stage[4], s, tau, u, stage[1])
        for x in range(size):
            stage[4, x] = y[x] + 0.5 * h * stage[1, x]
        rates(tree, momentum, base[i + mi], applied[j + mj], stage[4], s, tau, u, stage[2])
        for x in range(size):
            stage[4, x] = y[x] + h * stage[2, x]
        rates(tree, momentum, base[i + moving], applied[j + driven], stage[4], s, tau, u, stage[3])
        for x in range(size):
            y[x] += h / 6.0 * (stage[0, x] + 2.0 * (stage[1, x] + stage[2, x]) + stage[3, x])
        unit(tree, y)
        if (k + 1) % every == 0:
            for x in range(size):
                record[k // every, x] = y[x]


@part()
def unit(tree, q):
    """Bring the balls' quaternions back to length 1."""
    for e in range(tree.kind.shape[0]):
        if tree.kind[e] == BALL_END:
            k = tree.q[e]
            n = (q[k] * q[k] + q[k + 1] * q[k + 1] + q[k + 2] * q[k + 2] + q[k + 3] * q[k + 3]) ** -0.5
            for i in range(4):
                q[k + i] *= n


@kernel()
def tree_motion(tree, base, q, u, s, p):
    """Where the joints are and how they move, in s (n, WIDTH), and their momenta p (n,) by the outboard momenta."""
    kinematics(tree, base, q, s)
    velocities(tree, base, u, s)
    momenta(tree, s)
    for e in range(tree.kind.shape[0]):
        p[e] = dot(get(s, e, AXIS), get(s, e, P) if tree.kind[e] == SLIDE else get(s, e, H))
    for i in range(tree.free.shape[0]):
        e = tree.free[i]
        moment = cross(get(s, e + 3, ORIGIN), get(s, e + 3, P))
        for j in range(3):
            p[e + 3 + j] += moment[j]


@kernel()
def tree_links(tree, joint, s, x, R, v, w):
    """Centres x, frames R, velocities v and spins w of the links whose last joints are ``joint`` (nl,), from s."""
    for i in range(joint.shape[0]):
        e = joint[i]
        frame, spin = get9(s, e, FRAME), get(s, e, SPIN)
        arm = mul(frame, at3(tree.centre, e))
        put3(x, i, add(get(s, e, ORIGIN), arm))
        put9(R, i, frame)
        put3(v, i, add(get(s, e, SPEED), cross(spin, arm)))
        put3(w, i, spin)


@kernel()
def tree_accelerations(tree, joint, s, a):
    """Accelerations (nl, 6) of the links' centres and spins, from what ``reduced_rates`` left in s."""
    for i in range(joint.shape[0]):
        e = joint[i]
        spin, angular = get(s, e, SPIN), get(s, e, H)
        arm = mul(get9(s, e, FRAME), at3(tree.centre, e))
        linear = add(add(get(s, e, P), at3_of(tree.gravity)), add(cross(angular, arm), cross(spin, cross(spin, arm))))
        for k in range(3):
            a[i, k] = linear[k]
            a[i, 3 + k] = angular[k]


@part()
def at3_of(u):
    """An array (3,) as a vector."""
    return u[0], u[1], u[2]


@kernel()
def tree_responses(tree, joint, wrench, s, tau, J, W):
    """Joint forces J (nr, n) of wrenches on links, and the joint accelerations W = M⁻¹ J they cause.

    Needs the kinematics and articulated inertias that ``tree_rates`` left in s.

    Parameters
    ----------
    joint : (nr,) the link's joint;  wrench : (nr, 6) force, and torque about the link's centre, world axes
    """
    for r in range(joint.shape[0]):
        clear(s, COR_A, COR_W + 3)
        clear(s, F, T + 3)
        e = joint[r]
        centre = add(get(s, e, ORIGIN), mul(get9(s, e, FRAME), at3(tree.centre, e)))
        f, t = (wrench[r, 0], wrench[r, 1], wrench[r, 2]), (wrench[r, 3], wrench[r, 4], wrench[r, 5])
        for k in range(tau.shape[0]):
            tau[k] = 0.0
        while e >= 0:
            axis = get(s, e, AXIS)
            if tree.kind[e] == SLIDE:
                tau[e] = dot(axis, f)
            else:
                tau[e] = dot(axis, add(t, cross(sub(centre, get(s, e, ORIGIN)), f)))
            e = tree.parent[e]
        for k in range(tau.shape[0]):
            J[r, k] = tau[k]
        solve(tree, tau, (0.0, 0.0, 0.0), s, W[r])
