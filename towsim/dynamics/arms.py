"""Arms as sub-systems: free motion in joint coordinates, responses to impulses on their bodies, advance.

With generalised forces Q = Xᵀ F by virtual work (loads of the bodies, motors, springs and dampers) and pseudo-forces
c(q, u) = Xᵀ 𝓜 Ẋ u of the velocities, one step of h takes the rates u of the joints to

    (M + h D + α h² K) (u⁺ − u) = h (Q − K (q + s h u − q₀) − D u − c(q, ū)) + Xᵀ Jᵀ p,    q⁺ = q + h u⁺,  ū = ½(u + u⁺)

Rates are those of the middles of the steps, so q lies between u and u⁺: with c at ū the step is its own inverse when
time is turned round (u⁺ and −u change places). Energy then comes and goes by O(h) and does not grow; with c at u it
grew by O(h) t in arms of more than one joint, whose M(q) changes. ū is found by iteration: of the free motion in
``free_motion``, and once more after the impulses, which changes the rates of rows by O(h²). α, s: see model/springs.

M = Xᵀ 𝓜 X is never formed: the sweeps of ``tree`` solve with it, springs and dampers in the pivots. A unit impulse on
side s gives g_s = Xᵀ J_sᵀ and y_s = (M + ..)⁻¹ g_s; rows that meet on an arm couple by g_a · y_b, whatever bodies of it
they are on. Positions are at the beginning of the step, bases move as known.

Source: reduced coordinates by virtual work; the velocity-level step of Stewart & Trinkle. Symmetric methods and energy:
Hairer, Lubich & Wanner, Geometric Numerical Integration (2006), chapter XI.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.tree import (
    COR_A,
    COR_W,
    FRAME,
    ORIGIN,
    SHARE,
    SPEED,
    SPIN,
    F,
    T,
    articulate,
    clear,
    get9,
    increase,
    kinematics,
    product,
    solve,
    velocities,
    velocity_terms,
)
from towsim.dynamics.tree_rates import generalised
from towsim.model.sides import force_of, torque_of
from towsim.model.trees import BALL, BALL_END
from towsim.model.vectors import (
    add,
    at3,
    at9,
    cross,
    exponential,
    get,
    mul,
    put9,
    quaternion_product,
    rotated,
    rotation,
    scale,
)

NONE = (0.0, 0.0, 0.0)

ROUNDS = 3
"""Iterations for ū: each leaves one more power of h."""


@part()
def begin_arms(arms, drive, k, h, q, v, work):
    """Free motion of the arms over the step from drive sample k, and what their bodies add to ``work.A``."""
    if arms is not None:
        free_motion(arms, drive, k, h, q, v, work.f, work.u, work.forest)
        couple(arms, work.J, work.A, work.forest)


@part()
def kick_arms(arms, bodies, h, v, work):
    """Rates of the joints after the impulses ``work.p``; velocities and momenta of the bodies go to ``work.v_new``."""
    if arms is not None:
        kick(arms, work.p, h, v, work.forest)
        tell_motion(arms, bodies, work.R, work.forest.s, work.v_new)


@part()
def advance_arms(arms, bodies, robot, robot_rate, h, q, work):
    """Coordinates after the step, then poses, velocities and momenta of the bodies; robots as given."""
    if arms is not None:
        advance(arms, h, q, work.forest, work.v_new)
        move_bases(arms, robot, robot_rate, work.forest.base)
        pose(arms, q, work.R, work.forest)
        tell_motion(arms, bodies, work.R, work.forest.s, work.v_new)


@part()
def move_bases(arms, robot, robot_rate, base):
    """Positions and velocities of the bases."""
    for b in range(arms.robot.shape[0]):
        r = arms.robot[b]
        for j in range(3):
            base[9 * b + j] = robot[r, j] if r >= 0 else arms.place[b, j]
            base[9 * b + 3 + j] = robot_rate[r, j] if r >= 0 else 0.0


@part(forceinline=False)
def free_motion(arms, drive, k, h, q, v, f, u, own):
    """Rates of the joints after the step as if nothing were attached, and the velocities u (nn, 6) of their bodies.

    f : (nb, 6) forces and torques on the bodies, weights among them
    """
    tree = arms.tree
    s, base = own.s, own.base
    q0, v0 = arms.q[0], arms.v[0]
    move_bases(arms, drive.robot[k], drive.robot_rate[k], base)
    for b in range(arms.robot.shape[0]):
        r = arms.robot[b]
        for j in range(3):
            base[9 * b + 6 + j] = (drive.robot_rate[k + 1, r, j] - drive.robot_rate[k, r, j]) / h if r >= 0 else 0.0
    kinematics(tree, base, q[q0:], s)
    articulate(tree, h, s)
    for e in range(tree.kind.shape[0]):
        pull = drive.motor[k, arms.motor[e]] if arms.motor[e] >= 0 else 0.0
        if tree.stiffness[e] != 0.0:
            pull -= tree.stiffness[e] * (q[q0 + tree.q[e]] + s[e, SHARE] * h * v[v0 + e] - tree.rest[e])
        own.tau[e] = pull - tree.damping[e] * v[v0 + e]
    clear(s, COR_A, COR_W + 3)
    clear(s, F, T + 3)
    for i in range(arms.body.shape[0]):
        e, body = arms.joint[i], arms.body[i]
        force, torque = (-f[body, 0], -f[body, 1], -f[body, 2]), (-f[body, 3], -f[body, 4], -f[body, 5])
        increase(s, e, F, force)
        increase(s, e, T, add(torque, cross(mul(get9(s, e, FRAME), at3(arms.centre, i)), force)))
    solve(tree, own.tau, base, 6, NONE, s, own.u)
    for e in range(tree.kind.shape[0]):
        own.still[e] = v[v0 + e] + h * own.u[e]
        own.u[e] = v[v0 + e]
        own.tau[e] = 0.0
    swing(arms, h, v, ROUNDS, own)
    move_bases(arms, drive.robot[k], drive.robot_rate[k + 1], base)
    velocities(tree, base, own.u, s)
    for i in range(arms.body.shape[0]):
        speed, spin = motion(arms, i, s)
        for j in range(3):
            u[arms.body[i], j] = speed[j]
            u[arms.body[i], 3 + j] = spin[j]


@part(forceinline=False)
def swing(arms, h, v, rounds, own):
    """Rates ``own.u`` after the step from a first guess: ``own.still`` and pseudo-forces at ū. ``own.tau`` is zero."""
    tree, s, v0 = arms.tree, own.s, arms.v[0]
    for _ in range(rounds):
        for e in range(tree.kind.shape[0]):
            own.u[e] = 0.5 * (v[v0 + e] + own.u[e])
        velocities(tree, own.base, own.u, s)
        velocity_terms(tree, own.base, own.u, s)
        solve(tree, own.tau, own.base, -1, NONE, s, own.u)
        for e in range(tree.kind.shape[0]):
            own.u[e] = own.still[e] + h * own.u[e]


@part()
def motion(arms, i, s):
    """Velocity and spin of body i of the arms."""
    e = arms.joint[i]
    spin = get(s, e, SPIN)
    return add(get(s, e, SPEED), cross(spin, mul(get9(s, e, FRAME), at3(arms.centre, i)))), spin


@part(forceinline=False)
def couple(arms, J, A, own):
    """Joint forces g and responses y of a unit impulse on every side at an arm; adds their products to A."""
    s = own.s
    for k in range(arms.side.shape[0]):
        side, i = arms.side[k], arms.at[k]
        e = arms.joint[i]
        centre = add(get(s, e, ORIGIN), mul(get9(s, e, FRAME), at3(arms.centre, i)))
        force, torque = force_of(J, side), torque_of(J, side)
        generalised(arms.tree, e, centre, force, torque, s, own.g[k])
        clear(s, COR_A, COR_W + 3)
        clear(s, F, T + 3)
        solve(arms.tree, own.g[k], own.base, -1, NONE, s, own.y[k])
    for c in range(arms.entry.shape[0]):
        a, b = arms.pair[c, 0], arms.pair[c, 1]
        total = 0.0
        for e in range(own.u.shape[0]):
            total += own.g[a, e] * own.y[b, e]
        A[arms.entry[c]] += total


@part(forceinline=False)
def kick(arms, p, h, v, own):
    """Rates of the joints, and motions of the links, after the impulses p of the rows."""
    pulled = False
    for k in range(arms.side.shape[0]):
        x = p[arms.row[k]]
        if x != 0.0:
            pulled = True
            for e in range(own.u.shape[0]):
                own.still[e] += x * own.y[k, e]
                own.u[e] += x * own.y[k, e]
    if pulled:
        swing(arms, h, v, ROUNDS - 1, own)
    velocities(arms.tree, own.base, own.u, own.s)


@part()
def tell_motion(arms, bodies, R, s, v_new):
    """Velocities and angular momenta of the bodies, of orientations R."""
    for i in range(arms.body.shape[0]):
        body = arms.body[i]
        speed, spin = motion(arms, i, s)
        momentum = mul(rotated(at9(R, body), at9(bodies.inertia, body)), spin)
        for j in range(3):
            v_new[6 * body + j] = speed[j]
            v_new[6 * body + 3 + j] = momentum[j]


@part(forceinline=False)
def advance(arms, h, q, own, v_new):
    """Coordinates after a step of h with the rates ``own.u``, which go to ``v_new``."""
    tree, q0, v0 = arms.tree, arms.q[0], arms.v[0]
    for e in range(tree.kind.shape[0]):
        k = q0 + tree.q[e]
        v_new[v0 + e] = own.u[e]
        if tree.kind[e] == BALL_END:
            turn = exponential(scale(h, (own.u[e - 2], own.u[e - 1], own.u[e])))
            new = quaternion_product(turn, (q[k], q[k + 1], q[k + 2], q[k + 3]))
            c = 1.5 - 0.5 * (new[0] * new[0] + new[1] * new[1] + new[2] * new[2] + new[3] * new[3])
            for j in range(4):
                q[k + j] = c * new[j]
        elif tree.kind[e] != BALL:
            q[k] += h * own.u[e]


@part(forceinline=False)
def pose(arms, q, R, own):
    """Poses and rotations of the bodies at the coordinates, and motions of the links."""
    s = own.s
    kinematics(arms.tree, own.base, q[arms.q[0] :], s)
    velocities(arms.tree, own.base, own.u, s)
    for i in range(arms.body.shape[0]):
        e, body = arms.joint[i], arms.body[i]
        frame = get9(s, e, FRAME)
        x = add(get(s, e, ORIGIN), mul(frame, at3(arms.centre, i)))
        start = (arms.turn[i, 0], arms.turn[i, 1], arms.turn[i, 2], arms.turn[i, 3])
        r = product(frame, rotation(start))
        turn = quaternion_of(r, q, 7 * body + 3)
        for j in range(3):
            q[7 * body + j] = x[j]
        for j in range(4):
            q[7 * body + 3 + j] = turn[j]
        put9(R, body, r)


@part()
def quaternion_of(m, q, k):
    """Unit quaternion of a rotation matrix, of the sign that is nearer to q[k:k+4]."""
    w, x, y, z = 1.0 + m[0] + m[4] + m[8], 1.0 + m[0] - m[4] - m[8], 1.0 - m[0] + m[4] - m[8], 1.0 - m[0] - m[4] + m[8]
    if w >= x and w >= y and w >= z:
        a, b, c, d = w, m[7] - m[5], m[2] - m[6], m[3] - m[1]
    elif x >= y and x >= z:
        a, b, c, d = m[7] - m[5], x, m[1] + m[3], m[2] + m[6]
    elif y >= z:
        a, b, c, d = m[2] - m[6], m[1] + m[3], y, m[5] + m[7]
    else:
        a, b, c, d = m[3] - m[1], m[2] + m[6], m[5] + m[7], z
    n = (a * a + b * b + c * c + d * d) ** -0.5
    if a * q[k] + b * q[k + 1] + c * q[k + 2] + d * q[k + 3] < 0.0:
        n = -n
    return n * a, n * b, n * c, n * d
