"""Arms as sub-systems: free motion in joint coordinates, responses to impulses on their bodies, advance.

With generalised forces Q = Xᵀ F by virtual work (loads of the bodies, motors, springs and dampers) and pseudo-forces
c(q, u) = Xᵀ 𝓜 Ẋ u of the velocities, one step of h takes the rates u of the joints to

    (M + h D + α h² K) (u⁺ − u) = h (Q − K (q + s h u − q₀) − D u − c(q, ū)) + Xᵀ Jᵀ p,    q⁺ = q + h u⁺,  ū = ½(u + u⁺)

Rates are those of the middles of the steps, so q lies between u and u⁺: with c at ū the step is its own inverse when
time is turned round (u⁺ and −u change places). Energy then comes and goes by O(h) and does not grow; with c at u it
grew by O(h) t in arms of more than one joint, whose M(q) changes. ū is found by iteration: of the free motion in
``free_motion``, and once more after the impulses, which changes the rates of rows by O(h²). α, s: see model/springs.

With θ = ½ dampers act at the middle of a kick and springs at the mean of three poses, (c⁺ + 2c + c⁻)/4, which is α = ¼,
s = 0: so the kick is symmetric about the pose at which all else is taken, and a leapfrog of them is of order 2 (SHAKE).
Drag of a body acts as a damper at its centre, D += θ Xᵀ c X: in the sweeps it is a mass h θ c more.

M = Xᵀ 𝓜 X is never formed: the sweeps of ``tree`` solve with it, springs and dampers in the pivots. A unit impulse on
side s gives g_s = Xᵀ J_sᵀ and y_s = (M + ..)⁻¹ g_s; rows that meet on an arm couple by g_a · y_b, whatever bodies of it
they are on. Positions are at the beginning of the step, bases move as known.

Source: reduced coordinates by virtual work; the velocity-level step of Stewart & Trinkle. Symmetric methods and energy:
Hairer, Lubich & Wanner, Geometric Numerical Integration (2006), chapter XI.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.dynamics.bodies import braking
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
    burden,
    clear,
    get9,
    increase,
    inertias,
    kinematics,
    product,
    solve,
    velocities,
    velocity_terms,
)
from towsim.dynamics.tree_rates import generalised
from towsim.model.sides import component, force, torque
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
def begin_arms(run, drive, k, span, theta):
    """Free motion of the arms over ``span`` from drive sample k, and what their bodies add to ``work.A``."""
    _begin_arms(run.model.arms, run, drive, k, span, theta)


@part()
def _begin_arms(arms, run, drive, k, span, theta):
    if arms is not None:
        work, q, v = run.work, run.state.q, run.state.v
        own = work.forest
        kinematics(arms.tree, own.base, q[arms.q[0] :], own.s)
        inertias(arms.tree, own.s)
        brake(arms, run.model.bodies, drive.wind[k], theta * span, v, work)
        articulate(arms.tree, run.h, theta, own.s)
        free_motion(arms, drive.motor[k], span, q, v, work.f, work.u, own)
        couple(arms, work.J, work.W, work.A, own)


@part()
def bases_of_step(arms, drive, k, h, work):
    """Bases of a step from sample k to the next, and from the velocity with which robots come there to that there."""
    if arms is not None:
        own = work.forest
        come(arms, drive, k, own.before)
        come(arms, drive, k + 1, own.after)
        accelerate(arms, drive, k, h, own)


@part()
def bases_of_kick(arms, drive, k, robot, span, h, work):
    """Bases of a kick over ``span`` at sample k: from the mean velocity of the step before to that of the one after.

    A run begins with the velocities themselves. ``robot``: places at the end of the step.
    """
    if arms is not None:
        own = work.forest
        if span < h:
            come(arms, drive, k, own.before)
        for b in range(arms.robot.shape[0]):
            r = arms.robot[b]
            for j in range(3):
                own.after[b, j] = (robot[r, j] - drive.robot[k, r, j]) / h if r >= 0 else 0.0
        accelerate(arms, drive, k, span, own)


@part()
def come(arms, drive, k, out):
    """Velocities (nt, 3) with which the bases come to sample k, without what they jump by in the step from there on."""
    for b in range(arms.robot.shape[0]):
        r = arms.robot[b]
        for j in range(3):
            out[b, j] = drive.robot_rate[k, r, j] - drive.robot_jump[k, r, j] if r >= 0 else 0.0


@part()
def accelerate(arms, drive, k, span, own):
    """Bases at sample k, with accelerations that take ``span`` from ``before`` to ``after``, and jumps among these."""
    move_bases(arms, drive.robot[k], own.base)
    for b in range(arms.robot.shape[0]):
        r = arms.robot[b]
        for j in range(3):
            own.base[9 * b + 3 + j] = own.before[b, j]
            own.base[9 * b + 6 + j] = (own.after[b, j] - own.before[b, j]) / span
            own.jump[b, j] = drive.robot_jump[k, r, j] if r >= 0 else 0.0


@part()
def kick_arms(arms, bodies, p, span, v, work):
    """Rates of the joints after the impulses p; velocities and momenta of the bodies go to ``work.v_new``."""
    if arms is not None:
        kick(arms, p, span, v, work.forest)
        tell_motion(arms, bodies, work.R, work.forest.s, work.v_new)


@part()
def half_way_of_arms(arms, bodies, p, span, v, work):
    """Velocities and momenta of the bodies in the middle of a kick with the impulses p, to ``work.v_drag``."""
    if arms is not None:
        own = work.forest
        kick(arms, p, span, v, own)
        for e in range(own.u.shape[0]):
            own.u[e] = 0.5 * (own.u[e] + v[arms.v[0] + e])
        for b in range(arms.robot.shape[0]):
            for j in range(3):
                own.base[9 * b + 3 + j] = 0.5 * (own.before[b, j] + own.after[b, j])
        velocities(arms.tree, own.base, own.u, own.s)
        tell_motion(arms, bodies, work.R, own.s, work.v_new)
        for i in range(arms.body.shape[0]):
            for j in range(6):
                work.v_drag[arms.body[i], j] = work.v_new[6 * arms.body[i] + j]


@part()
def mean_motion_of_arms(arms, bodies, robot, h, q, work):
    """Velocities and momenta of the bodies in the middle of a step with the rates after the kick, to ``work.v_new``.

    They are the means of those at the pose at hand and at the next one; their differences from step to step then are
    accelerations, with those of the joints' axes.
    """
    if arms is not None:
        look_ahead(arms, robot, h, q, work.forest)
        velocities(arms.tree, work.forest.ahead, work.forest.u, work.forest.s_ahead)
        for i in range(arms.body.shape[0]):
            body = arms.body[i]
            speed, spin = motion(arms, i, work.forest.s_ahead)
            momentum = mul(rotated(place(arms, i, work.forest.s_ahead)[1], at9(bodies.inertia, body)), spin)
            for j in range(3):
                work.v_new[6 * body + j] += 0.5 * (speed[j] - work.v_new[6 * body + j])
                work.v_new[6 * body + 3 + j] += 0.5 * (momentum[j] - work.v_new[6 * body + 3 + j])


@part()
def advance_arms(arms, robot, h, q, work):
    """Coordinates after the step, and poses of the bodies; robots as given."""
    if arms is not None:
        own = work.forest
        for e in range(own.u.shape[0]):
            work.v_new[arms.v[0] + e] = own.u[e]
        for b in range(arms.robot.shape[0]):
            for j in range(3):
                own.before[b, j] = own.after[b, j]
        advance(arms.tree, h, own.u, arms.q[0], q)
        move_bases(arms, robot, own.base)
        pose(arms, q, work.R, own)


@part()
def motion_of_arms(arms, bodies, work):
    """Velocities and momenta of the bodies at the pose after the step, to ``work.v_new``."""
    if arms is not None:
        velocities(arms.tree, work.forest.base, work.forest.u, work.forest.s)
        tell_motion(arms, bodies, work.R, work.forest.s, work.v_new)


@part()
def foresee_arms(arms, bodies, robot, span, h, q, v, work):
    """What ``work.wrench`` on the bodies would do: rates of rows to ``work.bias``, velocities and poses to expect.

    The free motion and the kinematics of the pose at hand stay as they are.
    """
    if arms is not None:
        own = work.forest
        respond(arms, work.wrench, own.base, -1, own)
        for k in range(arms.side.shape[0]):
            for e in range(own.z.shape[0]):
                work.bias[arms.row[k]] += own.g[k, e] * own.z[e]
        for e in range(own.u.shape[0]):
            own.free[0, e], own.free[1, e] = own.still[e], own.u[e]
            own.still[e] += own.z[e]
            own.u[e] += own.z[e]
        swing(arms, span, v, ROUNDS - 1, own)
        velocities(arms.tree, own.base, own.u, own.s)
        tell_motion(arms, bodies, work.R, own.s, work.v_new)
        look_ahead(arms, robot, h, q, own)
        for i in range(arms.body.shape[0]):
            x, _ = place(arms, i, own.s_ahead)
            for j in range(3):
                work.q_new[7 * arms.body[i] + j] = x[j]
        for e in range(own.u.shape[0]):
            own.still[e], own.u[e] = own.free[0, e], own.free[1, e]


@part(forceinline=False)
def look_ahead(arms, robot, h, q, own):
    """Kinematics at the pose after a step of h with the rates ``own.u``, to ``own.s_ahead``."""
    for i in range(own.q.shape[0]):
        own.q[i] = q[arms.q[0] + i]
    advance(arms.tree, h, own.u, 0, own.q)
    for i in range(own.base.shape[0]):
        own.ahead[i] = own.base[i]
    move_bases(arms, robot, own.ahead)
    kinematics(arms.tree, own.ahead, own.q, own.s_ahead)


@part()
def orient_arms_ahead(arms, work):
    """Rotations of the arms' bodies that ``foresee_arms`` has found, to ``work.R_new``."""
    if arms is not None:
        for i in range(arms.body.shape[0]):
            put9(work.R_new, arms.body[i], place(arms, i, work.forest.s_ahead)[1])


@part()
def move_bases(arms, robot, base):
    """Put the bases where the robots are."""
    for b in range(arms.robot.shape[0]):
        r = arms.robot[b]
        for j in range(3):
            base[9 * b + j] = robot[r, j] if r >= 0 else 0.0


@part(forceinline=False)
def brake(arms, bodies, wind, span, v, work):
    """Drag of the bodies, as of a damper at each one's centre: loads at its velocity before, and masses c ``span``.

    These masses take part in all that accelerates the bodies, Ẋ u included: ``v`` is half a step of it behind a kick.
    """
    s = work.forest.s
    for i in range(arms.body.shape[0]):
        body, e = arms.body[i], arms.joint[i]
        c = braking(bodies, body, wind, work.v_drag)
        work.forest.brake[i] = c * span
        if c != 0.0:
            for j in range(3):
                work.f[body, j] -= c * v[6 * body + j]
            burden(s, e, mul(get9(s, e, FRAME), at3(arms.centre, i)), c * span)


@part(forceinline=False)
def free_motion(arms, motor, h, q, v, f, u, own):
    """Rates of the joints after the step as if nothing were attached, and the velocities u (nn, 6) of their bodies.

    f : (nb, 6) forces and torques on the bodies, weights among them
    """
    tree = arms.tree
    s, base = own.s, own.base
    q0, v0 = arms.q[0], arms.v[0]
    for e in range(tree.kind.shape[0]):
        pull = motor[arms.motor[e]] if arms.motor[e] >= 0 else 0.0
        if tree.stiffness[e] != 0.0:
            pull -= tree.stiffness[e] * (q[q0 + tree.q[e]] + s[e, SHARE] * h * v[v0 + e] - tree.rest[e])
        own.tau[e] = pull - tree.damping[e] * v[v0 + e]
    clear(s, COR_A, COR_W + 3)
    clear(s, F, T + 3)
    for i in range(arms.body.shape[0]):
        load(arms, i, f, s)
    solve(tree, own.tau, base, 6, NONE, s, own.u)
    for e in range(tree.kind.shape[0]):
        own.still[e] = v[v0 + e] + h * own.u[e]
        own.u[e] = v[v0 + e]
        own.tau[e] = 0.0
    swing(arms, h, v, ROUNDS, own)
    for b in range(arms.robot.shape[0]):
        for j in range(3):
            base[9 * b + 3 + j] = own.after[b, j]
    velocities(tree, base, own.u, s)
    for i in range(arms.body.shape[0]):
        speed, spin = motion(arms, i, s)
        for j in range(3):
            u[arms.body[i], j] = speed[j]
            u[arms.body[i], 3 + j] = spin[j]


@part()
def load(arms, i, f, s):
    """Put the force and torque f (nb, 6) on body i of the arms among the bias forces of its link."""
    e, body = arms.joint[i], arms.body[i]
    force, torque = (-f[body, 0], -f[body, 1], -f[body, 2]), (-f[body, 3], -f[body, 4], -f[body, 5])
    increase(s, e, F, force)
    increase(s, e, T, add(torque, cross(mul(get9(s, e, FRAME), at3(arms.centre, i)), force)))


@part(forceinline=False)
def respond(arms, wrench, base, at, own):
    """Rates of the joints that impulses (nn, 6) on the bodies give, to ``own.z``; ``base``, ``at``: see ``solve``."""
    s = own.s
    clear(s, COR_A, COR_W + 3)
    clear(s, F, T + 3)
    for i in range(arms.body.shape[0]):
        load(arms, i, wrench, s)
    solve(arms.tree, own.tau, base, at, NONE, s, own.z)


@part(forceinline=False)
def swing(arms, h, v, rounds, own):
    """Rates ``own.u`` after the step from a first guess: ``own.still`` and pseudo-forces at ū. ``own.tau`` is zero."""
    tree, s, v0 = arms.tree, own.s, arms.v[0]
    for _ in range(rounds):
        for e in range(tree.kind.shape[0]):
            own.u[e] = 0.5 * (v[v0 + e] + own.u[e])
        velocities(tree, own.base, own.u, s)
        velocity_terms(tree, own.base, own.u, s)
        for i in range(arms.body.shape[0]):
            if own.brake[i] != 0.0:
                spin, centre = get(s, arms.joint[i], SPIN), mul(get9(s, arms.joint[i], FRAME), at3(arms.centre, i))
                force = scale(own.brake[i], cross(spin, cross(spin, centre)))
                increase(s, arms.joint[i], F, force)
                increase(s, arms.joint[i], T, cross(centre, force))
        solve(tree, own.tau, own.base, -1, NONE, s, own.u)
        for e in range(tree.kind.shape[0]):
            own.u[e] = own.still[e] + h * own.u[e]


@part(forceinline=False)
def motion(arms, i, s):
    """Velocity and spin of body i of the arms."""
    e = arms.joint[i]
    spin = get(s, e, SPIN)
    return add(get(s, e, SPEED), cross(spin, mul(get9(s, e, FRAME), at3(arms.centre, i)))), spin


@part(forceinline=False)
def couple(arms, J, W, A, own):
    """Joint forces g and responses y of a unit impulse on every side at an arm; adds their products to A.

    Of a body by itself there is no response W.
    """
    s = own.s
    for k in range(arms.side.shape[0]):
        side, i = arms.side[k], arms.at[k]
        e = arms.joint[i]
        centre = add(get(s, e, ORIGIN), mul(get9(s, e, FRAME), at3(arms.centre, i)))
        generalised(arms.tree, e, centre, force(J, side), torque(J, side), s, own.g[k])
        clear(s, COR_A, COR_W + 3)
        clear(s, F, T + 3)
        solve(arms.tree, own.g[k], own.base, -1, NONE, s, own.y[k])
        for j in range(6):
            W[component(side, j)] = 0.0
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


@part(forceinline=False)
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
def advance(tree, h, u, q0, q):
    """Bring the coordinates, from q0 on in q, a step of h further with the rates u."""
    for e in range(tree.kind.shape[0]):
        k = q0 + tree.q[e]
        if tree.kind[e] == BALL_END:
            turn = exponential(scale(h, (u[e - 2], u[e - 1], u[e])))
            new = quaternion_product(turn, (q[k], q[k + 1], q[k + 2], q[k + 3]))
            c = 1.5 - 0.5 * (new[0] * new[0] + new[1] * new[1] + new[2] * new[2] + new[3] * new[3])
            for j in range(4):
                q[k + j] = c * new[j]
        elif tree.kind[e] != BALL:
            q[k] += h * u[e]


@part(forceinline=False)
def place(arms, i, s):
    """Position and rotation of body i of the arms."""
    e = arms.joint[i]
    frame = get9(s, e, FRAME)
    x = add(get(s, e, ORIGIN), mul(frame, at3(arms.centre, i)))
    return x, product(frame, rotation((arms.turn[i, 0], arms.turn[i, 1], arms.turn[i, 2], arms.turn[i, 3])))


@part(forceinline=False)
def pose(arms, q, R, own):
    """Poses and rotations of the bodies at the coordinates, and motions of the links."""
    s = own.s
    kinematics(arms.tree, own.base, q[arms.q[0] :], s)
    velocities(arms.tree, own.base, own.u, s)
    for i in range(arms.body.shape[0]):
        body = arms.body[i]
        x, r = place(arms, i, s)
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
    n = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)
    if a * q[k] + b * q[k + 1] + c * q[k + 2] + d * q[k + 3] < 0.0:
        n = -n
    return n * a, n * b, n * c, n * d
