"""Massive wires that run over rings: the flow of material through the elements of a span, from its root to its tip.

A span of unstretched length L has its elements at fixed fractions of it. Material flows in at its root at the rate a
and out at its tip at the rate b (unstretched length per time), L̇ = a − b, and passes the beginning of element e at

    u_e = a − (e/n) L̇

A rigid link is a tube: its material runs along it at the one speed u_e, seen from the beginning of element e's first
link, as the length of the links before grows at L̇ too. With a_e the acceleration of that beginning, Σ 4 l̇ ω × z of the
elements before it included, material has the acceleration of a fixed link and

    Δ_e = Σ_{i<e} 4 l̇ (ω_i × z_i) + 2 u_e (ω_e × z_e)            l̇ = L̇/(2n)

It is turned at the joints, which takes the force μ u_e² (z_e − z_{e−1}); through the extension s of an element it comes
to ṡ z + s ω × z more, which takes μ w times that, half of it on each side. Both act along the links or at their
centres.

The flows are velocities of their own. Under δa all material is displaced by z; under δL, with a = 0, that of element e
is by D_e = A_e − (e/n) z_e, where A_e = Σ_{i<e} z_i/n is how its beginning moves. Their equations are those of virtual
work: with F the inertia forces less weight of the links, and V the elastic energy of the elements,

    Σ z·F = 0,      Σ D·F + kinks·A + ∂V/∂L = A_n·(force on the tip),      p_a on δa, p_b on δb at the ends

Unit accelerations of the flows are two right sides more for the factors that dynamics/mrfe leaves behind. With w_f such
a column, S = M_ff − w_fᵀ M̃⁻¹ w_f is the inertia of the flows, and ends, root and flows respond together.

Where the wire is straight, elements that slide along it move no material: S is singular there, and only the closures
at the ends say where the elements are. So S gets the share ``SHARE`` of the mass, and the rates that rows see at an end
are those of the material, y_a = a + z_0·v_root and y_b = b + z_n·v_tip (columns TIP_TURN, TIP_TURN + 1 of the inverse
inertia), to which every force meets true mass. A carried root has y_a = a.

A ring leaves as much as enters: the flow out of the span before it is the flow into the one behind. The multiplier of
that row is the tension there; rings have no friction, and the kinks at them belong to both spans by halves. What is
left out is rotation of the cross-sections with the material, of order (radius/length)².

Source: Lagrange's equations of systems that material enters and leaves (Irschik & Holl, 2002), for MRFE.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.mrfe import (
    A1,
    A2,
    B0,
    B1,
    B2,
    B3,
    F1,
    F2,
    FREE_ROOT,
    INVERSE,
    R0,
    R1,
    R2,
    R3,
    REACH,
    ROOT,
    ROOT_T,
    TIP_TURN,
    U0,
    U1,
    U2,
    U3,
    Z,
    inward,
    kicked,
    nodes,
    outward,
)
from towsim.dynamics.mrfe_joints import CALLED, first_joint, first_spin, freedoms, universal
from towsim.dynamics.spatial import axpy, cross, dot, plus_cross, symmetric_times
from towsim.model.arrays import BALL
from towsim.model.sides import component
from towsim.model.vectors import add, at3, get, put, put3, scale

SHARE = 1e-6
"""Of a span's mass that the flows have as inertia of their own."""

# Columns of the scratch row of an element: how its material moves with L; joint forces of both flows.
D, V3, V2, V1 = 0, 3, 5, 7
WIDTH = 9

# Columns of the scratch row of a span: inertia forces of the flows less other forces, flows' inertia, how the tip moves
# with L; responses of the tip and of the root to both flows; inverse inertia of the flows, their free impulses;
# directions of the first and last element; of both columns, force on the root and joint force of a ball joint.
FREE, MASS, A_TIP, Y_TIP, Y_ROOT, S_INVERSE, RHO, Z_ROOT, Z_TIP, W_ROOT, V0 = 0, 2, 5, 8, 14, 20, 23, 25, 28, 31, 37
ENDS = 39

NOTHING = (0.0, 0.0, 0.0)


@part()
def respond_spans(flow, cables, motion, known, g, b, sweep, work):
    """As ``respond`` of dynamics/cables, for the spans.

    known : robots' positions, velocities and accelerations, lengths of the cables
    """
    if flow is not None:
        q, v, spring, before, rate_before = motion
        robot, robot_rate, robot_acceleration, length = known
        still = (0.0, 0.0, 0.0)
        for i in range(flow.cable.shape[0]):
            c = flow.cable[i]
            link = 0.5 * length[c] / (cables.first[c + 1] - cables.first[c])
            root = (still, still, still)
            r = cables.robot[c]
            if r >= 0:
                root = (at3(robot, r), at3(robot_rate, r), at3(robot_acceleration, r))
            tip = outward(cables, c, q, v, sweep.rate, root, (link, 0.0, 0.0), b, g, sweep.S)
            put3(sweep.P, cables.tip_point[c], tip)
            add_flow(flow, i, cables, c, v, spring, link, b, g, sweep.S, work)
            d, d_root = inward(cables, c, v, spring, before, rate_before, link, still, b, sweep)
            columns(cables, c, i, link, sweep.S, sweep.E, work)
            d, d_root, free = open_ends(flow, i, cables, c, d, d_root, sweep, work)
            put3(sweep.u, cables.tip[c], d)
            sweep.u[cables.tip[c], TIP_TURN] = free[0]
            sweep.u[cables.tip[c], TIP_TURN + 1] = free[1]
            if cables.root[c] >= 0:
                k = cables.q[c]
                put3(sweep.P, cables.root_point[c], (q[k], q[k + 1], q[k + 2]))
                put3(sweep.u, cables.root[c], d_root)


@part(**CALLED)
def add_flow(flow, i, cables, c, v, spring, link, b, g, S, work):
    """Add what material does that flows to the inertia forces (times b) of span i, and write those of the flows."""
    F, K = work.F, work.K
    first, last = cables.first[c], cables.first[c + 1]
    nq, nv = freedoms(cables, c)
    j, k = cables.q[c] + nq, cables.v[c] + nv
    share = 1.0 / (last - first)
    inflow, outflow = v[flow.v[i]], v[flow.v[i] + 1]
    link_rate = 0.5 * share * (inflow - outflow)
    line = cables.section[c, 0]
    m = line * link
    ka, kt = 0.5 / link * cables.section[c, 2], 0.5 / link * cables.section[c, 3]
    twice = 0.0  # the elastic energy
    if cables.joint[c] != BALL:
        b1, b2 = spring[j - 2] - cables.rest[first, 0], spring[j - 1] - cables.rest[first, 1]
        twice += cables.hinge[c] * (kt * (b1 * b1 + b2 * b2))
    a1, a2 = get(S, first, A1), get(S, first, A2)
    w, _ = first_spin(cables, c, v, v, k - (3 if cables.joint[c] == BALL else 2), a1, a2)
    delta = along = NOTHING
    u = inflow
    of_a = of_l = 0.0
    aa = al = ll = 0.0
    for e in range(first, last):
        if e > first:
            w = axpy(v[k + 1], get(S, e, A2), axpy(v[k], get(S, e, A1), w))
            b1, b2 = spring[j] - cables.rest[e, 0], spring[j + 1] - cables.rest[e, 1]
            twice += kt * (b1 * b1 + b2 * b2)
            j += 2
            k += 2
        z = get(S, e, Z)
        z1 = cross(w, z)
        s, s1 = S[e, REACH] - 2.0 * link, v[k]
        twice += ka * (spring[j] * spring[j])
        j += 1
        k += 1
        past = share * (e - first)
        middle, behind = u - link_rate, u - 2.0 * link_rate
        through = 0.5 * b * line * middle
        more = axpy(b * m, axpy(2.0 * u, z1, delta), axpy(through * s1, z, scale(through * s, z1)))
        f1, f2 = add(get(S, e, F1), more), add(get(S, e, F2), more)
        total = add(f1, f2)
        d = axpy(-past, z, along)
        after = axpy(share, z, along)
        enters, leaves = b * line * u * u, b * line * behind * behind
        weight = b * line * s * dot(g, z)
        of_a += weight - dot(z, total)
        of_l -= dot(d, total) + enters * dot(along, z) - leaves * dot(after, z) + (past + 0.5 * share) * weight
        aa += 2.0 * m
        al += 2.0 * m * dot(z, d)
        ll += 2.0 * m * dot(d, d)
        put(S, e, F1, axpy(enters, z, f1))
        put(S, e, F2, axpy(-leaves, z, f2))
        put(F, e, D, d)
        delta = axpy(4.0 * link_rate, z1, delta)
        along = after
        u = behind
    K[i, FREE] = of_a
    K[i, FREE + 1] = of_l + b * 0.5 * twice * share / (2.0 * link)
    K[i, MASS], K[i, MASS + 1], K[i, MASS + 2] = aa, al, ll
    put(K, i, A_TIP, along)
    put(K, i, Z_ROOT, get(S, first, Z))
    put(K, i, Z_TIP, get(S, last - 1, Z))


@part()
def given(f, t, u, r, at):
    """Columns of force and moment f, t less what a joint of U = ``at`` takes of them, U r u."""
    return axpy(-r * u, at[0], f), axpy(-r * u, at[1], t)


@part()
def stored(S, e, at):
    """U of a joint: force and moment."""
    return get(S, e, at), get(S, e, at + 3)


@part(**CALLED)
def columns(cables, c, i, link, S, E, work):
    """Joint forces of unit accelerations of the flows of span i, tip to root, by the factors that ``inward`` has left.

    Adds their products with the residual to the flows' free impulses, and with each other to their inertia; those with
    unit forces at the tip are how the tip answers.
    """
    F, K = work.F, work.K
    first, last = cables.first[c], cables.first[c + 1]
    m = cables.section[c, 0] * link
    fa = ta = fl = tl = NOTHING
    for k in range(3):
        K[i, Y_TIP + k] = 0.0
        K[i, Y_TIP + 3 + k] = K[i, A_TIP + k]
    for back in range(last - first):
        e = last - 1 - back
        z, d = get(S, e, Z), get(F, e, D)
        # The second link, about its end; the prismatic joint; to the universal joint; the first link.
        fa, fl = axpy(-m, z, fa), axpy(-m, d, fl)
        tl = plus_cross(0.5 * link * m, z, d, tl)
        U, r = stored(S, e, U3), S[e, R3]
        x, y = dot(z, fa), dot(z, fl)
        gather(K, i, S, e, B3, x, y, r)
        F[e, V3], F[e, V3 + 1] = x, y
        fa, ta = given(fa, ta, x, r, U)
        fl, tl = given(fl, tl, y, r, U)
        ta, tl = plus_cross(S[e, REACH], z, fa, ta), plus_cross(S[e, REACH], z, fl, tl)
        fa, fl = axpy(-m, z, fa), axpy(-m, d, fl)
        tl = plus_cross(-0.5 * link * m, z, d, tl)
        # Both revolutes: the second one first, of whose part the first one has its share.
        a1, a2 = get(S, e, A1), get(S, e, A2)
        U, r = stored(S, e, U2), S[e, R2]
        shared = dot(a1, U[1]) * r
        x2, y2 = dot(a2, ta), dot(a2, tl)
        x1, y1 = dot(a1, ta) - shared * x2, dot(a1, tl) - shared * y2
        gather(K, i, S, e, B2, x2, y2, r)
        F[e, V2], F[e, V2 + 1] = x2, y2
        fa, ta = given(fa, ta, x2, r, U)
        fl, tl = given(fl, tl, y2, r, U)
        U, r = stored(S, e, U1), S[e, R1]
        gather(K, i, S, e, B1, x1, y1, r)
        F[e, V1], F[e, V1 + 1] = x1, y1
        fa, ta = given(fa, ta, x1, r, U)
        fl, tl = given(fl, tl, y1, r, U)
    if cables.joint[c] == BALL:
        U, r = stored(E, c, U0), E[c, R0]
        x, y = ta[0], tl[0]
        gather(K, i, E, c, B0, x, y, r)
        K[i, V0], K[i, V0 + 1] = x, y
        fa, ta = given(fa, ta, x, r, U)
        fl, tl = given(fl, tl, y, r, U)
    put(K, i, W_ROOT, fa)
    put(K, i, W_ROOT + 3, fl)


@part()
def gather(K, i, S, e, at, x, y, r):
    """Add the products of the flows' joint forces x, y with the stored ones, and with each other."""
    K[i, FREE] += x * r * S[e, at]
    K[i, FREE + 1] += y * r * S[e, at]
    for k in range(3):
        K[i, Y_TIP + k] += x * r * S[e, at + 1 + k]
        K[i, Y_TIP + 3 + k] += y * r * S[e, at + 1 + k]
    K[i, MASS] -= x * r * x
    K[i, MASS + 1] -= x * r * y
    K[i, MASS + 2] -= y * r * y


@part(**CALLED)
def open_ends(flow, i, cables, c, d_tip, d_root, sweep, work):
    """Inverse inertia of ends and flows together, into H[c]; free motions of tip and root, and of the flows a and b."""
    E, H, K = sweep.E, sweep.H, work.K
    wa, wl = get(K, i, W_ROOT), get(K, i, W_ROOT + 3)
    if cables.root[c] >= 0:
        inverse = (*get(E, c, INVERSE), *get(E, c, INVERSE + 3))
        free = symmetric_times(inverse, get(E, c, FREE_ROOT))
        ga, gl = symmetric_times(inverse, wa), symmetric_times(inverse, wl)
        K[i, FREE] += dot(wa, free)
        K[i, FREE + 1] += dot(wl, free)
        K[i, MASS] -= dot(wa, ga)
        K[i, MASS + 1] -= dot(wa, gl)
        K[i, MASS + 2] -= dot(wl, gl)
        for k in range(3):
            x = get(E, c, ROOT_T + 3 * k)
            K[i, Y_TIP + k] += dot(x, ga)
            K[i, Y_TIP + 3 + k] += dot(x, gl)
        put(K, i, Y_ROOT, ga)
        put(K, i, Y_ROOT + 3, gl)
    else:
        put(K, i, Y_ROOT, NOTHING)
        put(K, i, Y_ROOT + 3, NOTHING)
    # From (a, L) to (a, b): L̇ = a − b.
    for at in (Y_TIP, Y_ROOT):
        for k in range(3):
            K[i, at + k] += K[i, at + 3 + k]
            K[i, at + 3 + k] = -K[i, at + 3 + k]
    K[i, FREE] += K[i, FREE + 1]
    K[i, FREE + 1] = -K[i, FREE + 1]
    own = SHARE * cables.section[c, 0] * work.length[c]
    aa = K[i, MASS] + 2.0 * K[i, MASS + 1] + K[i, MASS + 2] + own
    ab = -K[i, MASS + 1] - K[i, MASS + 2]
    bb = K[i, MASS + 2] + own
    at_root, at_tip = flow.free[i, 0], flow.free[i, 1]
    iaa = iab = ibb = 0.0
    if at_root and at_tip:
        det = 1.0 / (aa * bb - ab * ab)
        iaa, iab, ibb = bb * det, -ab * det, aa * det
    elif at_root:
        iaa = 1.0 / aa
    else:
        ibb = 1.0 / bb
    K[i, S_INVERSE], K[i, S_INVERSE + 1], K[i, S_INVERSE + 2] = iaa, iab, ibb
    ra, rb = K[i, FREE], K[i, FREE + 1]
    K[i, RHO], K[i, RHO + 1] = ra, rb
    fa, fb = iaa * ra + iab * rb, iab * ra + ibb * rb
    ta, tb = get(K, i, Y_TIP), get(K, i, Y_TIP + 3)
    ya, yb = get(K, i, Y_ROOT), get(K, i, Y_ROOT + 3)
    couple(H, c, 0, ta, tb, 0, ta, tb, iaa, iab, ibb)
    couple(H, c, 0, ta, tb, ROOT, ya, yb, iaa, iab, ibb)
    couple(H, c, ROOT, ya, yb, 0, ta, tb, iaa, iab, ibb)
    couple(H, c, ROOT, ya, yb, ROOT, ya, yb, iaa, iab, ibb)
    a, b = TIP_TURN, TIP_TURN + 1
    for k in range(3):
        H[c, a, k] = iaa * ta[k] + iab * tb[k]
        H[c, b, k] = iab * ta[k] + ibb * tb[k]
        H[c, a, ROOT + k] = iaa * ya[k] + iab * yb[k]
        H[c, b, ROOT + k] = iab * ya[k] + ibb * yb[k]
    H[c, a, a], H[c, a, b], H[c, b, a], H[c, b, b] = iaa, iab, iab, ibb
    for k in range(3):
        for j in (0, ROOT):
            H[c, j + k, a] = H[c, a, j + k]
            H[c, j + k, b] = H[c, b, j + k]
    # The rates of the material in their place.
    if at_root and cables.root[c] >= 0:
        seen_along(H, c, a, ROOT, get(K, i, Z_ROOT))
    if at_tip:
        seen_along(H, c, b, 0, get(K, i, Z_TIP))
    d_tip = axpy(fa, ta, axpy(fb, tb, d_tip))
    return d_tip, axpy(fa, ya, axpy(fb, yb, d_root)), (fa, fb)


@part()
def couple(H, c, row, ra, rb, column, ca, cb, aa, ab, bb):
    """Add r S⁻¹ cᵀ to a block of H[c]."""
    for j in range(3):
        x, y = aa * ra[j] + ab * rb[j], ab * ra[j] + bb * rb[j]
        for k in range(3):
            H[c, row + j, column + k] += x * ca[k] + y * cb[k]


@part()
def seen_along(H, c, flow, end, z):
    """Make the rate ``flow`` of H[c] that rate and the velocity at ``end`` along z."""
    for j in range(12):
        H[c, flow, j] += z[0] * H[c, end, j] + z[1] * H[c, end + 1, j] + z[2] * H[c, end + 2, j]
    for j in range(12):
        H[c, j, flow] += z[0] * H[c, j, end] + z[1] * H[c, j, end + 1] + z[2] * H[c, j, end + 2]


@part()
def free_flows(flow, cables, v, work):
    """Complete the material's rates at the spans' ends in ``work.u``, from how the flows change and the ends move."""
    if flow is not None:
        K, u = work.cable.flow.K, work.u
        for i in range(flow.cable.shape[0]):
            c, k = flow.cable[i], flow.v[i]
            tip, root = cables.tip[c], cables.root[c]
            u[tip, TIP_TURN] += v[k]
            u[tip, TIP_TURN + 1] += v[k + 1] + dot(get(K, i, Z_TIP), at3(u, tip))
            if root >= 0:
                u[tip, TIP_TURN] += dot(get(K, i, Z_ROOT), at3(u, root))


@part()
def respond_along(flow, J, H, W):
    """Responses of the spans' ends, flows included, to unit impulses along their sides."""
    if flow is not None:
        for n in range(flow.sides.shape[0]):
            s, c, at = flow.sides[n, 0], flow.sides[n, 1], flow.sides[n, 2]
            twin, other = flow.sides[n, 3], flow.sides[n, 4]
            for i in range(6):
                here = there = 0.0
                for j in range(6):
                    here += H[c, at + i, at + j] * J[component(s, j)]
                    there += H[c, other + i, at + j] * J[component(s, j)]
                W[component(s, i)] = here
                if twin >= 0:
                    W[component(twin, i)] = there


@part()
def kick_spans(flow, cables, b, v, sweep, work):
    """Motions d of the spans and changes of their flows, from the impulses at their ends; forces at the roots."""
    if flow is not None:
        K, F, S, E, wrench = work.K, work.F, sweep.S, sweep.E, sweep.wrench
        for i in range(flow.cable.shape[0]):
            c, k = flow.cable[i], flow.v[i]
            at = cables.tip[c]
            pa, pb = wrench[at, TIP_TURN], wrench[at, TIP_TURN + 1]
            tip = axpy(pb, get(K, i, Z_TIP), at3(wrench, at))
            root = NOTHING
            if cables.root[c] >= 0:
                root = axpy(pa, get(K, i, Z_ROOT), at3(wrench, cables.root[c]))
            pa += K[i, RHO] + dot(get(K, i, Y_TIP), tip) + dot(get(K, i, Y_ROOT), root)
            pb += K[i, RHO + 1] + dot(get(K, i, Y_TIP + 3), tip) + dot(get(K, i, Y_ROOT + 3), root)
            aa, ab, bb = K[i, S_INVERSE], K[i, S_INVERSE + 1], K[i, S_INVERSE + 2]
            x, y = aa * pa + ab * pb, ab * pa + bb * pb
            sweep.d[k], sweep.d[k + 1] = x, y
            y = x - y
            for e in range(cables.first[c], cables.first[c + 1]):
                S[e, B3] += x * F[e, V3] + y * F[e, V3 + 1]
                S[e, B2] += x * F[e, V2] + y * F[e, V2 + 1]
                S[e, B1] += x * F[e, V1] + y * F[e, V1 + 1]
            E[c, B0] += x * K[i, V0] + y * K[i, V0 + 1]
            for j in range(3):
                E[c, FREE_ROOT + j] += x * K[i, W_ROOT + j] + y * K[i, W_ROOT + 3 + j]
            pull = kicked(cables, c, tip, root, sweep)
            put3(sweep.exit, c, scale(1.0 / b, root if cables.root[c] >= 0 else pull))
        for r in range(flow.row.shape[0]):  # both sides of a ring, to the last digit
            out, into = flow.through[r, 0], flow.through[r, 1]
            if flow.wheel[r]:
                continue  # takes up what its length changes by
            x, y = flow.sign[r, 0], -flow.sign[r, 1]
            both = 0.5 * (x * (v[out] + sweep.d[out]) + y * (v[into] + sweep.d[into]))
            sweep.d[out] = x * both - v[out]
            sweep.d[into] = y * both - v[into]


@part()
def locate_spans(flow, cables, q, v, known, sweep):
    """As ``locate_cables``, for the spans.

    known : robots' positions and velocities, lengths of the cables and their rates
    """
    if flow is not None:
        robot, robot_rate, length, rate = known
        for i in range(flow.cable.shape[0]):
            c = flow.cable[i]
            twice = 2.0 * (cables.first[c + 1] - cables.first[c])
            link, link_rate = length[c] / twice, rate[c] / twice
            p = p1 = NOTHING
            r = cables.robot[c]
            if r >= 0:
                p, p1 = at3(robot, r), at3(robot_rate, r)
            tip, tip_rate, energy = nodes(cables, c, q, v, p, p1, link, link_rate, sweep.node)
            sweep.energy[c] = energy + running(cables, c, q, v, p1, link, link_rate, v[flow.v[i]])
            put3(sweep.P, cables.tip_point[c], tip)
            put3(sweep.tip_rate, c, tip_rate)
            if cables.root[c] >= 0:
                put3(sweep.P, cables.root_point[c], at3(sweep.node, cables.first[c] + c))


@part(**CALLED)
def running(cables, c, q, v, velocity, link, link_rate, u):
    """Kinetic energy [J] that the material of span c has beyond that of elements which stretch evenly; u : inflow."""
    nq, nv = freedoms(cables, c)
    i, k = cables.q[c] + nq, cables.v[c] + nv
    if cables.root[c] >= 0:
        velocity = (v[cables.v[c]], v[cables.v[c] + 1], v[cables.v[c] + 2])
    frame, a1, a2 = first_joint(cables, c, q, i - (4 if cables.joint[c] == BALL else 2))
    w, _ = first_spin(cables, c, v, v, k - (3 if cables.joint[c] == BALL else 2), a1, a2)
    first = cables.first[c]
    twice = 0.0
    for e in range(first, cables.first[c + 1]):
        if e > first:
            frame, a1, a2 = universal(frame, q[i], q[i + 1])
            w = axpy(v[k + 1], a2, axpy(v[k], a1, w))
            i += 2
            k += 2
        z = frame[2]
        along = dot(velocity, z)
        near, far = u - 0.5 * link_rate, u - 1.5 * link_rate
        twice += near * (2.0 * (along + 0.5 * link_rate) + near)
        twice += far * (2.0 * (along + 1.5 * link_rate + v[k]) + far)
        velocity = axpy(2.0 * link_rate + v[k], z, plus_cross(2.0 * link + q[i], w, z, velocity))
        i += 1
        k += 1
        u -= 2.0 * link_rate
    return 0.5 * cables.section[c, 0] * link * twice
