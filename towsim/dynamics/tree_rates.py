"""Equations of motion of trees of joints, in rates (q, u) or in momenta (q, p), their integration, and what they show.

    u̇ = M⁻¹ (τ − pseudo-forces)            reduced coordinates
    u = M⁻¹ p,   ṗ = τ + F·a + P·ȧ  (slide),   ṗ = τ + (T − v × P)·a + H·ȧ  (turn)          momentum states

M⁻¹ by the sweeps of ``tree``; both forms share them.

Sources: as for ``tree``; the rates of momenta from ∂T/∂q by virtual work.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import kernel, part
from towsim.dynamics.tree import (
    AXIS,
    COR_A,
    COR_W,
    FRAME,
    ORIGIN,
    SPEED,
    SPIN,
    SWING,
    F,
    H,
    P,
    T,
    articulate,
    at3_of,
    clear,
    get9,
    inertias,
    kinematics,
    momenta,
    solve,
    velocities,
    velocity_terms,
)
from towsim.model.trees import BALL, BALL_END, SLIDE
from towsim.model.vectors import (
    ROUNDINGS,
    add,
    at3,
    cross,
    dot,
    extent,
    get,
    mul,
    put3,
    put9,
    quaternion_product,
    sub,
    without_rounding,
)


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
    inertias(tree, s)
    articulate(tree, 0.0, 1.0, s)
    velocities(tree, base, u, s)
    velocity_terms(tree, base, u, s)
    for e in range(tree.kind.shape[0]):
        tau[e] = joint_force(tree, e, q, u, applied)
    solve(tree, tau, base, 6, at3_of(tree.gravity), s, du)
    coordinate_rates(tree, q, u, dq)


@part(forceinline=False)
def rates_of_momenta(tree, base, q, p, s, tau, u):
    """Solve p = M(q) u (+ the momentum of the base's motion) for the rates u."""
    kinematics(tree, base, q, s)
    inertias(tree, s)
    articulate(tree, 0.0, 1.0, s)
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
    solve(tree, tau, base, 3, (0.0, 0.0, 0.0), s, u)


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
def runge_kutta(tree, momentum, base, applied, h, every, y, scratch, record):
    """Classical Runge–Kutta steps of h (order 4); y after every ``every``-th step goes to the next row of ``record``.

    base : (2K+1, 9) or (1, 9), applied : (2K+1, n) or (1, n): at the beginning, middle and end of each of K steps
    scratch : s (n, WIDTH), tau (n,), u (n,), and stage (5, len(y))
    """
    s, tau, u, stage = scratch
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


@part(forceinline=False)
def generalised(tree, e, x, f, t, s, tau):
    """Joint forces tau (n,) of a force f at the place x and a torque t on the link of joint e: virtual work.

    Zero where the force passes the joint's axis, or is parallel to it, but for rounding errors.
    """
    for k in range(tau.shape[0]):
        tau[k] = 0.0
    while e >= 0:
        axis = get(s, e, AXIS)
        a, b = (f, (0.0, 0.0, 0.0)) if tree.kind[e] == SLIDE else (t, cross(sub(x, get(s, e, ORIGIN)), f))
        tau[e] = without_rounding(dot(axis, add(a, b)), ROUNDINGS * (extent(a) + extent(b)))
        e = tree.parent[e]


@kernel()
def tree_responses(tree, joint, wrench, s, J, W):
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
        generalised(tree, e, centre, f, t, s, J[r])
        solve(tree, J[r], wrench[r], -1, (0.0, 0.0, 0.0), s, W[r])
