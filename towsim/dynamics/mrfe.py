"""MRFE cables (modified rigid finite elements) as sub-systems: an O(n) recursion in joint coordinates.

An element of length Le = L/n_e is a universal joint (two revolutes), a link of Le/2, a prismatic joint along it and
another link of Le/2; every joint has a spring and a damper. With b the share of the step that a method gives to the
new velocity (h for Stewart–Trinkle, βh for BDF), starred quantities as predicted and d = v⁺ − v*,

    (M + b C + b² K) d = b (f − C v* − K (q* − q₀) − M a*) + Jᵀ p

f holds gravity and what velocities cause. C and K are diagonal in joint coordinates, so they only add to the pivots of
the articulated-body recursion, whose cost per element is constant, whatever the stiffness:

    D_j = S_jᵀ I_j S_j + b c_j + b² k_j,   I_{j−1} ← I_{j−1} + X (I_j − U_j U_jᵀ/D_j) Xᵀ,   U_j = I_j S_j

The same sweep carries the residual and a unit force (or moment) at the tip for each direction; with u_j their joint
forces, the inverse inertia at the tip is Y = Σ_j u_j u_jᵀ/D_j. A root that no robot carries has three translations
without inertia of their own as first joint, and Y couples both ends.

A taut link resists turning: a couple T l per angle. It is part of f; its derivative b² T l stands on the left side as
a transverse inertia of the link, or else soft cables under tension would be unstable in steps longer than the time a
transverse wave takes over an element. What it multiplies is d, so that no order is lost.

Feed (Type I). All links keep L/(2 n_e): their masses, inertias, centres and stiffnesses follow L(t), densities stay.
The prismatic coordinate is the extension, so that its damper acts on extension alone, not on the feed. Each link obeys
d(m v_c)/dt = F and dH/dt = N: the mass-rate force ṁ v_c and the moment İ ω belong to the inertia forces (mass enters a
link with velocity zero, as in Lagrange's equations of T(q, q̇, t)).

Spatial quantities are (linear, angular) in world axes at the joints: the recursion shifts, it never rotates.

Every function is for one cable and numbers, or for four alike cables side by side: then c is the first of them, numbers
are lanes, and arrays are seen by lanes (see towsim/lanes).

Source: Adamiec-Wójcik et al. (MRFE); Featherstone's articulated-body recursion; Mamidi & Bandyopadhyay, Robotica 2024.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.lanes import not_negative, some
from towsim.dynamics.mrfe_joints import (
    CALLED,
    X,
    first_joint,
    first_spin,
    freedoms,
    universal,
    universal_spin,
)
from towsim.dynamics.spatial import (
    FUSED,
    NO_MATRIX,
    NO_SYMMETRIC,
    add_rod,
    axpy,
    combine,
    cross,
    dot,
    inverse_symmetric,
    plus_cross,
    reduced,
    shifted,
    symmetric_times,
    times,
    transposed_times,
)
from towsim.model.arrays import BALL
from towsim.model.vectors import add, get, put, put3

# Columns of the scratch row of an element: direction, axes of its universal joint, its length; inertia forces of both
# links and their moment; then of its joints (prismatic, second and first revolute) U, 1/D, and u: of the residual and
# of the three unit forces at the tip.
Z, A1, A2, REACH, F1, F2, N = 0, 3, 6, 9, 10, 13, 16
U3, U2, U1, R3, R2, R1, B3, B2, B1 = 19, 25, 31, 37, 38, 39, 40, 44, 48
WIDTH = 52

# Columns of the scratch row of a cable: force at the root (residual; unit forces at the tip), inverse of its inertia;
# the third axis of a ball joint as above.
FREE_ROOT, ROOT_T, INVERSE, U0, R0, B0 = 0, 3, 12, 18, 24, 25
ENDS = 29

# Columns of the rows and columns of the inverse inertia at a cable's ends.
TIP, TIP_TURN, ROOT = 0, 3, 6

NOTHING = (0.0, 0.0, 0.0)


@part(**FUSED, **CALLED)
def outward(cables, c, q, v, rate, root, feed, b, gravity, S):
    """Directions, axes and inertia forces (times b) of cable c's links, root to tip; returns the tip's position.

    Parameters
    ----------
    q, v, rate : coordinates, velocities and their rates
    root : position, velocity and acceleration of a carried root [m], [m/s], [m/s²]
    feed : length of a link, its rate and the rate of that [m], [m/s], [m/s²]
    """
    nq, nv = freedoms(cables, c)
    i, k = cables.q[c] + nq, cables.v[c] + nv
    p, velocity, a = root
    if cables.root[c] >= 0:
        p = (q[cables.q[c]], q[cables.q[c] + 1], q[cables.q[c] + 2])
        velocity = (v[cables.v[c]], v[cables.v[c] + 1], v[cables.v[c] + 2])
        a = (rate[cables.v[c]], rate[cables.v[c] + 1], rate[cables.v[c] + 2])
    l, l1, l2 = feed  # noqa: E741
    line, r2 = cables.section[c, 0], cables.section[c, 1] * cables.section[c, 1]
    m, m1 = line * l, b * line * l1
    bm, bt, ba = b * m, b * m * (3.0 * r2 + l * l) / 12.0, b * 0.5 * m * r2
    bt1, ba1 = m1 * (3.0 * r2 + l * l) / 12.0 + bm * l * l1 / 6.0, 0.5 * m1 * r2
    fed = some(l1) or some(l2)
    frame, a1, a2 = first_joint(cables, c, q, i - (4 if cables.joint[c] == BALL else 2))
    w, alpha = first_spin(cables, c, v, rate, k - (3 if cables.joint[c] == BALL else 2), a1, a2)
    first = cables.first[c]
    for e in range(first, cables.first[c + 1]):
        if e > first:
            frame, a1, a2 = universal(frame, q[i], q[i + 1])
            w, alpha = universal_spin(w, alpha, a1, a2, v[k], v[k + 1], rate[k], rate[k + 1])
            i += 2
            k += 2
        z = frame[2]
        z1 = cross(w, z)
        z2 = plus_cross(1.0, w, z1, cross(alpha, z))
        s, s1, s2 = q[i], v[k], rate[k]
        i += 1
        k += 1
        spin, spin1 = dot(w, z), dot(alpha, z)
        # Centres at the distances l/2 and 3l/2 + s from the universal joint, with the rates of these.
        o = (a[0] - gravity[0], a[1] - gravity[1], a[2] - gravity[2])
        d, d1, d2 = 1.5 * l + s, 1.5 * l1 + s1, 1.5 * l2 + s2
        f1 = axpy(0.5 * l, z2, axpy(l1, z1, axpy(0.5 * l2, z, o)))
        f2 = axpy(d, z2, axpy(2.0 * d1, z1, axpy(d2, z, o)))
        f1 = (bm * f1[0], bm * f1[1], bm * f1[2])
        f2 = (bm * f2[0], bm * f2[1], bm * f2[2])
        moment = plus_cross(bt, z, z2, combine(ba * spin1, z, ba * spin, z1))
        reach, reach1 = 2.0 * l + s, 2.0 * l1 + s1
        if fed:
            f1 = axpy(m1, axpy(0.5 * l, z1, axpy(0.5 * l1, z, velocity)), f1)
            f2 = axpy(m1, axpy(d, z1, axpy(d1, z, velocity)), f2)
            moment = axpy(bt1, w, axpy((ba1 - bt1) * spin, z, moment))
            velocity = axpy(reach, z1, axpy(reach1, z, velocity))
        put(S, e, Z, z)
        put(S, e, A1, a1)
        put(S, e, A2, a2)
        S[e, REACH] = reach
        put(S, e, F1, f1)
        put(S, e, F2, f2)
        put(S, e, N, moment)
        a = axpy(reach, z2, axpy(2.0 * reach1, z1, axpy(2.0 * l2 + s2, z, a)))
        p = axpy(reach, z, p)
    return p


@part(**FUSED)
def along_axis(W, axis, at, k):
    """Component of the force (``at`` = 0) or moment (12) of column k of W along an axis."""
    return axis[0] * W[at + k] + axis[1] * W[at + 4 + k] + axis[2] * W[at + 8 + k]


@part(**FUSED)
def give_way(W, G, u, r, f, t):
    """Columns W less what a joint takes of them, U r u with U = (f; t); r u uᵀ is added to G."""
    x = (r * u[0], r * u[1], r * u[2], r * u[3])
    for k in range(4):
        W[k] -= x[k] * f[0]
        W[4 + k] -= x[k] * f[1]
        W[8 + k] -= x[k] * f[2]
        W[12 + k] -= x[k] * t[0]
        W[16 + k] -= x[k] * t[1]
        W[20 + k] -= x[k] * t[2]
    for k in range(4):
        G[k] += x[0] * u[k]
        G[4 + k] += x[1] * u[k]
        G[8 + k] += x[2] * u[k]
        G[12 + k] += x[3] * u[k]


@part()
def keep_joint(S, e, at, f, t, r, u):
    """Store U = (f; t), the reciprocal pivot and the joint forces u of a joint in row e of S."""
    put(S, e, at[0], f)
    put(S, e, at[0] + 3, t)
    S[e, at[1]] = r
    for k in range(4):
        S[e, at[2] + k] = u[k]


@part(**FUSED)
def add_inertia_force(W, force, moment):
    """Column 0 of W less the force and moment that a link's motion asks for."""
    W[0] -= force[0]
    W[4] -= force[1]
    W[8] -= force[2]
    W[12] -= moment[0]
    W[16] -= moment[1]
    W[20] -= moment[2]


@part(**FUSED)
def shift_columns(W, s, z):
    """Moments of the columns about the point s z before: t + s z × f."""
    x, y, w = s * z[0], s * z[1], s * z[2]
    for k in range(4):
        W[12 + k] += y * W[8 + k] - w * W[4 + k]
        W[16 + k] += w * W[k] - x * W[8 + k]
        W[20 + k] += x * W[4 + k] - y * W[k]


@part(**FUSED, **CALLED)
def inward(cables, c, v, spring, before, rate_before, link, push, b, scratch):
    """Articulated inertias, joint forces and unit responses of cable c, tip to root; Y at its ends goes to H[c].

    Four wrenches run along, as columns of W (force x, y, z, moment x, y, z, four numbers each): the residual, and the
    unit forces at the tip. With u_j a joint's share of them, G sums u_j u_jᵀ/D_j.

    Parameters
    ----------
    v : velocities;  spring : coordinates at which the springs act
    before, rate_before : coordinates and velocities at the beginning of the step, for the tension that stiffens links
    link : length of a link [m];  push : impulse on a root that no robot carries [N s]

    Returns
    -------
    free motion d of the tip, and of a root that no robot carries
    """
    S, E, W, G = scratch.S, scratch.E, scratch.W, scratch.G
    first, last = cables.first[c], cables.first[c + 1]
    i, k = cables.q[c + 1], cables.v[c + 1]
    line, r2 = cables.section[c, 0], cables.section[c, 1] * cables.section[c, 1]
    m = line * link
    axial, transverse = 0.5 * m * r2, m * (3.0 * r2 + 4.0 * link * link) / 12.0
    share = 0.5 / link
    ka, kt = share * cables.section[c, 2], share * cables.section[c, 3]
    ca, ct = share * cables.section[c, 4], share * cables.section[c, 5]
    pa, pt = b * (ca + b * ka), b * (ct + b * kt)
    moment = 0.5 * m * link
    A, B, C = NO_SYMMETRIC, NO_MATRIX, NO_SYMMETRIC
    for j in range(24):
        W[j] = 0.0
    W[1] = W[6] = W[11] = 1.0
    for j in range(16):
        G[j] = 0.0
    for back in range(last - first):
        e = last - 1 - back
        i -= 1
        k -= 1
        z, n, reach = get(S, e, Z), get(S, e, N), S[e, REACH]
        tension = not_negative(ka * before[i] + ca * rate_before[k])
        stiff = transverse + b * b * tension * link
        # The second link, about its end; then the prismatic joint before it.
        A, B, C = add_rod(m, -moment, stiff, axial, z, A, B, C)
        f = get(S, e, F2)
        add_inertia_force(W, f, plus_cross(-0.5 * link, z, f, n))
        f, t = symmetric_times(A, z), transposed_times(B, z)
        r = 1.0 / (dot(z, f) + pa)
        u = (
            along_axis(W, z, 0, 0) - b * (ka * spring[i] + ca * v[k]),
            along_axis(W, z, 0, 1),
            along_axis(W, z, 0, 2),
            along_axis(W, z, 0, 3),
        )
        keep_joint(S, e, (U3, R3, B3), f, t, r, u)
        give_way(W, G, u, r, f, t)
        A, B, C = reduced(A, B, C, f, t, r)
        # To the universal joint; the first link, about its beginning.
        B, C = shifted(A, B, C, reach, z)
        shift_columns(W, reach, z)
        A, B, C = add_rod(m, moment, stiff, axial, z, A, B, C)
        f = get(S, e, F1)
        add_inertia_force(W, f, plus_cross(0.5 * link, z, f, n))
        p = 1.0
        if e == first:
            p = cables.hinge[c]
        s1 = s2 = 0.0
        if some(p):
            i -= 2
            k -= 2
            s1 = -b * p * (kt * (spring[i] - cables.rest[e, 0]) + ct * v[k])
            s2 = -b * p * (kt * (spring[i + 1] - cables.rest[e, 1]) + ct * v[k + 1])
        # Both revolutes: the second one gives way first, and takes its share of what the first one moves.
        a1, a2 = get(S, e, A1), get(S, e, A2)
        f1, t1, f2, t2 = times(B, a1), symmetric_times(C, a1), times(B, a2), symmetric_times(C, a2)
        shared = dot(a1, t2)
        r2 = 1.0 / (dot(a2, t2) + p * pt)
        g = shared * r2
        f1, t1 = axpy(-g, f2, f1), axpy(-g, t2, t1)
        r1 = 1.0 / (dot(a1, t1) + p * pt)
        u2 = (
            along_axis(W, a2, 12, 0) + s2,
            along_axis(W, a2, 12, 1),
            along_axis(W, a2, 12, 2),
            along_axis(W, a2, 12, 3),
        )
        u1 = (
            along_axis(W, a1, 12, 0) + s1 - g * u2[0],
            along_axis(W, a1, 12, 1) - g * u2[1],
            along_axis(W, a1, 12, 2) - g * u2[2],
            along_axis(W, a1, 12, 3) - g * u2[3],
        )
        keep_joint(S, e, (U2, R2, B2), f2, t2, r2, u2)
        keep_joint(S, e, (U1, R1, B1), f1, t1, r1, u1)
        give_way(W, G, u2, r2, f2, t2)
        give_way(W, G, u1, r1, f1, t1)
        A, B, C = reduced(A, B, C, f2, t2, r2)
        A, B, C = reduced(A, B, C, f1, t1, r1)
    if cables.joint[c] == BALL:
        f, t = times(B, X), symmetric_times(C, X)
        r = 1.0 / dot(X, t)
        u = (W[12], W[13], W[14], W[15])
        keep_joint(E, c, (U0, R0, B0), f, t, r, u)
        give_way(W, G, u, r, f, t)
        A, B, C = reduced(A, B, C, f, t, r)
    return ends(cables, c, A, push, scratch)


@part(**FUSED, **CALLED)
def ends(cables, c, A, push, scratch):
    """Write Y at the ends of cable c to H[c]; free motion of the tip and of the root (see ``inward``)."""
    E, H, W, G = scratch.E, scratch.H, scratch.W, scratch.G
    free = (W[0] + push[0], W[4] + push[1], W[8] + push[2])
    x, y, z = (W[1], W[5], W[9]), (W[2], W[6], W[10]), (W[3], W[7], W[11])
    put(E, c, FREE_ROOT, free)
    put(E, c, ROOT_T, x)
    put(E, c, ROOT_T + 3, y)
    put(E, c, ROOT_T + 6, z)
    xx, xy, xz, yy, yz, zz = G[5], G[6], G[7], G[10], G[11], G[15]
    ox, oy, oz = G[1], G[2], G[3]
    root = NOTHING
    if cables.root[c] >= 0:
        inverse = inverse_symmetric(A)
        root = symmetric_times(inverse, free)
        gx, gy, gz = symmetric_times(inverse, x), symmetric_times(inverse, y), symmetric_times(inverse, z)
        xx, xy, xz = xx + dot(x, gx), xy + dot(x, gy), xz + dot(x, gz)
        yy, yz, zz = yy + dot(y, gy), yz + dot(y, gz), zz + dot(z, gz)
        ox, oy, oz = ox + dot(x, root), oy + dot(y, root), oz + dot(z, root)
        for i in range(3):
            E[c, INVERSE + i] = inverse[i]
            E[c, INVERSE + 3 + i] = inverse[3 + i]
            H[c, ROOT + i, TIP] = H[c, TIP, ROOT + i] = gx[i]
            H[c, ROOT + i, TIP + 1] = H[c, TIP + 1, ROOT + i] = gy[i]
            H[c, ROOT + i, TIP + 2] = H[c, TIP + 2, ROOT + i] = gz[i]
        put_symmetric(H, c, ROOT, inverse)
    put_symmetric(H, c, TIP, (xx, xy, xz, yy, yz, zz))
    return (ox, oy, oz), root


@part()
def put_symmetric(H, c, at, a):
    """Write a symmetric matrix to the diagonal block of H[c] at ``at``."""
    H[c, at, at] = a[0]
    H[c, at, at + 1] = H[c, at + 1, at] = a[1]
    H[c, at, at + 2] = H[c, at + 2, at] = a[2]
    H[c, at + 1, at + 1] = a[3]
    H[c, at + 1, at + 2] = H[c, at + 2, at + 1] = a[4]
    H[c, at + 2, at + 2] = a[5]


@part(**FUSED)
def joint_motion(S, k, at, a, alpha, p):
    """Motion d of a joint stored in row k of S: impulse p at the tip, parent's motion (a, alpha) at the joint."""
    u, r, o = at
    force = S[k, o] + (S[k, o + 1] * p[0] + S[k, o + 2] * p[1] + S[k, o + 3] * p[2])
    return S[k, r] * (force - dot(get(S, k, u), a) - dot(get(S, k, u + 3), alpha))


@part(**FUSED, **CALLED)
def kicked(cables, c, tip, root, sweep):
    """Write the motions d of cable c's joints to ``sweep.d``, with the impulses ``tip`` and ``root`` at its ends.

    Returns the impulse of a carrying robot on the root [N s].
    """
    S, E, d = sweep.S, sweep.E, sweep.d
    k = cables.v[c]
    free = get(E, c, FREE_ROOT)
    x, y, z = get(E, c, ROOT_T), get(E, c, ROOT_T + 3), get(E, c, ROOT_T + 6)
    free = axpy(tip[0], x, axpy(tip[1], y, axpy(tip[2], z, free)))
    a = NOTHING
    if cables.root[c] >= 0:
        inverse = (*get(E, c, INVERSE), *get(E, c, INVERSE + 3))
        a = symmetric_times(inverse, add(root, free))
        d[k] = a[0]
        d[k + 1] = a[1]
        d[k + 2] = a[2]
        k += 3
    alpha = NOTHING
    if cables.joint[c] == BALL:
        x = joint_motion(E, c, (U0, R0, B0), a, alpha, tip)
        d[k] = x
        alpha = axpy(x, X, alpha)
        k += 1
    for e in range(cables.first[c], cables.first[c + 1]):
        x = joint_motion(S, e, (U1, R1, B1), a, alpha, tip)
        alpha = axpy(x, get(S, e, A1), alpha)
        d[k] = x
        x = joint_motion(S, e, (U2, R2, B2), a, alpha, tip)
        alpha = axpy(x, get(S, e, A2), alpha)
        d[k + 1] = x
        reach, z = S[e, REACH], get(S, e, Z)
        a = plus_cross(reach, alpha, z, a)
        x = joint_motion(S, e, (U3, R3, B3), a, alpha, tip)
        a = axpy(x, z, a)
        d[k + 2] = x
        k += 3
    return -free[0], -free[1], -free[2]


@part(**FUSED, **CALLED)
def nodes(cables, c, q, v, root, root_rate, link, link_rate, node):
    """Write the positions of cable c's nodes (n_e + 1, 3), root first.

    Returns
    -------
    position and velocity of its tip, and its energy without that of gravity: Σ ½ m v² + ½ ω·I ω of the links, and
    ½ k s² of the springs
    """
    nq, nv = freedoms(cables, c)
    i, k = cables.q[c] + nq, cables.v[c] + nv
    p, velocity = root, root_rate
    if cables.root[c] >= 0:
        p = (q[cables.q[c]], q[cables.q[c] + 1], q[cables.q[c] + 2])
        velocity = (v[cables.v[c]], v[cables.v[c] + 1], v[cables.v[c] + 2])
    frame, a1, a2 = first_joint(cables, c, q, i - (4 if cables.joint[c] == BALL else 2))
    w, _ = first_spin(cables, c, v, v, k - (3 if cables.joint[c] == BALL else 2), a1, a2)
    first = cables.first[c]
    at = first + c
    put3(node, at, p)
    r2 = cables.section[c, 1] * cables.section[c, 1]
    m, share = cables.section[c, 0] * link, 0.5 / link
    transverse, axial = m * (3.0 * r2 + link * link) / 12.0, 0.5 * m * r2
    ka, kt = share * cables.section[c, 2], share * cables.section[c, 3]
    twice = 0.0 * link
    if cables.joint[c] != BALL:
        b1, b2 = q[i - 2] - cables.rest[first, 0], q[i - 1] - cables.rest[first, 1]
        twice += cables.hinge[c] * (kt * (b1 * b1 + b2 * b2))
    for e in range(first, cables.first[c + 1]):
        if e > first:
            frame, a1, a2 = universal(frame, q[i], q[i + 1])
            w = axpy(v[k + 1], a2, axpy(v[k], a1, w))
            b1, b2 = q[i] - cables.rest[e, 0], q[i + 1] - cables.rest[e, 1]
            twice += kt * (b1 * b1 + b2 * b2)
            i += 2
            k += 2
        z = frame[2]
        z1, spin = cross(w, z), dot(w, z)
        near = axpy(0.5 * link, z1, axpy(0.5 * link_rate, z, velocity))
        far = axpy(1.5 * link + q[i], z1, axpy(1.5 * link_rate + v[k], z, velocity))
        twice += m * (dot(near, near) + dot(far, far)) + 2.0 * (transverse * dot(z1, z1) + axial * (spin * spin))
        twice += ka * (q[i] * q[i])
        reach, reach_rate = 2.0 * link + q[i], 2.0 * link_rate + v[k]
        p = axpy(reach, z, p)
        velocity = axpy(reach_rate, z, plus_cross(reach, w, z, velocity))
        i += 1
        k += 1
        at += 1
        put3(node, at, p)
    return p, velocity, 0.5 * twice
