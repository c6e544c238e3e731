"""The shape in which an MRFE cable hangs between two given points: downhill by Newton's method in its joints, O(n).

The energy of a cable (see dynamics/mrfe) at rest is V(q) = Σ ½ k_j (q_j − q₀_j)² − Σ w·x, with the weights w of its
links; its tip is held at x_B by the force F. Newton's step solves

    [ H  −Jᵀ ] [ δq ]   [ r   ]        r = −∂V/∂q + Jᵀ F,   c = x_B − x_tip(q)
    [ J   0  ] [ δF ] = [ c   ]

Let N be the sum of the forces behind joint k, and S = Σ x fᵀ their virial about it. With the axis a_k of a revolute or
the direction z_k of a prismatic joint,

    r_k = a_k·axial(S) − k_k (q_k − q₀_k),           z_k·N − k_k q_k
    H_jk = u_j·v_k  (j before k),   u = a, v = (tr S) a − S a  (revolute);   u = 0, v = −z × N  (prismatic)
    H_kk = u_k·v_k + k_k

because ∂²x/∂q_j∂q_k = a_j × (a_k × x). So H is a diagonal plus a semiseparable matrix of order three, and elimination
from the tip to the root keeps that form, with a 3 × 3 matrix Z:

    ṽ_k = v_k − Z u_k,   D_k = k_k + u_k·ṽ_k,   Z ← Z + ṽ_k ṽ_kᵀ/D_k

The same sweep carries r and the three rows of J; C = J H⁻¹ Jᵀ follows from them, and C⁻¹ = ∂F/∂x_B is the stiffness of
the cable as seen by its ends. The signs of the pivots D and of C tell whether the shape is stable (Sylvester): of the
cable with its ends held, #(D < 0) − #(C < 0) directions are unstable.

Where a direction is unstable, or Newton's step goes too far, a shift μ is added to the
turns' H_kk until neither is so. A step is halved, and then μ rises, until the augmented energy

    V(q) − (F + δF)·x_tip + ½ κ |x_B − x_tip|²

falls enough. So the search leads to shapes whose stiffness is positive; one that rests on a saddle is turned off it.

Source: Newton's method in relative coordinates; line search: Armijo (1966); shifts: Levenberg (1944); augmented
Lagrangian: Hestenes (1969), Powell (1969); semiseparable matrices: Vandebril, Van Barel & Mastronardi (2008);
inertia of a bordered matrix: Haynsworth (1968).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import kernel, part
from towsim.dynamics.mrfe_joints import X, first_joint, freedoms, universal
from towsim.model.arrays import BALL
from towsim.model.vectors import add, at3, axpy, cross, dot, exponential, get, norm, put, put3, quaternion_product, sub
from towsim.statics.shape import ERROR, STEPS, STIFFNESS, UNSTABLE, D, Hold, U, V, Y

MOST = 400
"""Steps."""

FAR = 4.0
"""Newton's steps that go farther than so many of what one may take have a shift."""

NEAR, FLAT, FREE = 1e-6, 1e-7, 40
"""Error, and energy relative to the largest couple, below which a stable shape is so near that Newton's steps lead to
rest, as they are: energies, which are rounded, could not judge them. So many at most."""

LEAST_SHIFT, MOST_SHIFT, RISE = 1e-9, 1e3, 8.0
"""Shift of the stiffness at least and at most, relative to the largest couple, and the factor by which it rises."""

HALVINGS = 3
"""Of a step that does not lead down, before the shift rises."""

ENOUGH, ROUNDED = 1e-4, 1e-15
"""Share of the decrease that the slope promises which a step must bring, and what energies are rounded by."""

SPIN = 1e-11
"""Shift, relative to the largest couple, that makes what is free to turn stable, and nothing else."""

KICKS, KICK = 2, 0.01
"""So often a shape is turned off a saddle, by so much [rad]: it may have been led there, or declared as symmetric."""

LEAST = 1e-20
"""A force that is none, relative to the axial stiffness."""

EXACT, ROUNDING = 1e-15, 1e-10
"""Errors, relative to length and weight, at which the search ends, and below which it ends once they no longer fall."""

LARGEST, STRETCHED = 0.4, 0.3
"""Turn of a joint [rad], and of an element's length the change, in one step; longer steps are shortened."""

NEUTRAL = 1e-12
"""A pivot of this size, relative to the largest couple, is none: such as of a spin about a straight line."""

CLEARLY = 1e3
"""A pivot below minus so many of these is a direction in which the shape is unstable."""


@kernel()
def hang_all(cables, q, root, tip, length, gravity, push, answer, scratch):
    """Bring the coordinates q of all cables to rest between ``root`` and ``tip`` (nk, 3), from the shapes they have.

    Parameters
    ----------
    length : (nk,) unstrained [m];  gravity : (3,);  push : (nk, 3) force on a root that hangs on nothing [N]
    answer : (nk, ANSWER); in: forces on the tips to begin with; out: see the columns
    """
    for c in range(cables.tip.shape[0]):
        hang_one(cables, c, q, at3(root, c), at3(tip, c), length[c], gravity, at3(push, c), answer, scratch)


@part(forceinline=False)
def hang_one(cables, c, q, root, tip, length, gravity, push, answer, scratch):
    """The same for cable c."""
    links, joints, stiff = scratch.links, scratch.joints, scratch.stiff
    n = cables.first[c + 1] - cables.first[c]
    loose = cables.root[c] >= 0 and cables.root_closure[c] < 0  # its root hangs on nothing
    link = 0.5 * length / n
    m = cables.section[c, 0] * link
    w = (m * gravity[0], m * gravity[1], m * gravity[2])
    F = at3(answer, c)
    if loose:
        F = (-2 * n * w[0] - push[0], -2 * n * w[1] - push[1], -2 * n * w[2] - push[2])
    if cables.root[c] >= 0:
        put3_at(q, cables.q[c], root)
    best, shift = math.inf, 0.0
    unstable, steps, free, kicks = 0, 0, FREE, KICKS
    while True:
        end = outward(cables, c, q, root, link, links)
        gap = (0.0, 0.0, 0.0) if loose else sub(tip, end)
        size = max(length * (2 * n * norm(w) + norm(F) + norm(push)), LEAST * length * cables.section[c, 2])
        hold = Hold(root, tip, link, w, F, gap, loose, size)
        step = newton_step(cables, c, q, hold, 0.0, scratch)
        worst, longest, unstable, work, dF = step
        if unstable > 0:  # or only free to turn, which by rounding may be either
            step = newton_step(cables, c, q, hold, SPIN * size, scratch)
            _, longest, unstable, work, dF = step
        if n == 1 and not loose:
            unstable = 0  # it has no shape of its own
        error = max(norm(gap) / length, worst / size)
        ends = error <= EXACT or (error <= ROUNDING and error >= 0.5 * best) or steps == MOST
        if ends and unstable > 0 and steps < MOST and kicks > 0:  # a saddle
            kick(cables, c, joints)
            advance(cables, c, q, 1.0, joints)
            best = math.inf
            kicks -= 1
            steps += 1
            continue
        best = error if steps == MOST else min(best, error)
        if ends:
            break
        if unstable == 0 and longest <= 1.0 and free > 0 and (error <= NEAR or abs(work) <= FLAT * size):
            advance(cables, c, q, 1.0, joints)
            share = 1.0
            free -= 1
        else:
            share, shift, dF = descend(cables, c, q, hold, shift, step, scratch)
            if share == 0.0:  # and ∂F/∂x_B is that of a shift
                best = error
                _ = newton_step(cables, c, q, hold, SPIN * size, scratch)
                break
        F = axpy(share, dF, F)
        steps += 1
    if loose:
        end = outward(cables, c, q, root, link, links)
        at = cables.q[c]
        put3_at(q, at, add((q[at], q[at + 1], q[at + 2]), sub(tip, end)))
    put3(answer, c, F)
    for i in range(3):
        for j in range(3):
            answer[c, STIFFNESS + 3 * i + j] = stiff[i, j]
    answer[c, UNSTABLE], answer[c, ERROR], answer[c, STEPS] = unstable, best, steps


@part(forceinline=False)
def descend(cables, c, q, hold, shift, step, scratch):
    """A step of cable c downhill: Newton's, which is in ``joints``, or one with a shift; halved until it leads down.

    Returns the share of the step that was taken, 0 if none leads down, the shift, and δF.
    """
    links, joints, F, gap, size = scratch.links, scratch.joints, hold.F, hold.gap, hold.size
    _, longest, below, work, dF = step
    first, count = cables.q[c], cables.q[c + 1] - cables.q[c]
    for k in range(count):
        scratch.kept[k] = q[first + k]
    shift = shift / RISE if shift > RISE * LEAST_SHIFT * size else 0.0
    share, taken = 1.0, 0.0
    while taken == 0.0:
        if below > 0 or longest > FAR or shift > 0.0:
            shift = max(shift, LEAST_SHIFT * size)
            if shift > MOST_SHIFT * size:
                break
            _, longest, below, work, dF = newton_step(cables, c, q, hold, shift, scratch)
            if below > 0 or longest > FAR:
                shift *= RISE
                continue
        pull, apart = add(F, dF), dot(gap, gap)
        spring = norm(pull) / (2.0 * hold.link * (cables.first[c + 1] - cables.first[c]))
        if work < 0.0 and apart > 0.0:
            spring -= 2.0 * work / apart
        slope = -work - spring * apart
        here, terms = potential(cables, c, q, hold, pull, links)
        share = min(1.0, 1.0 / longest) if longest > 0.0 else 1.0
        for _ in range(HALVINGS):
            advance(cables, c, q, share, joints)
            end = outward(cables, c, q, hold.root, hold.link, links)
            there, _ = potential(cables, c, q, hold, pull, links)
            if not hold.loose:
                left = sub(hold.tip, end)
                there += 0.5 * spring * (dot(left, left) - apart)
            if there - here <= ENOUGH * share * slope + ROUNDED * terms:
                taken = share
                break
            for k in range(count):
                q[first + k] = scratch.kept[k]
            share *= 0.5
        if taken == 0.0:
            outward(cables, c, q, hold.root, hold.link, links)
            shift = max(RISE * shift, LEAST_SHIFT * size)
    return taken, shift, dF


@part(forceinline=False)
def potential(cables, c, q, hold, F, links):
    """Potential energy of cable c with the force F on its tip, from its root on; and the sum of its terms' sizes."""
    ka, kt, w = 0.5 / hold.link * cables.section[c, 2], 0.5 / hold.link * cables.section[c, 3], hold.w
    nq, _ = freedoms(cables, c)
    i = cables.q[c] + nq
    first, last = cables.first[c], cables.first[c + 1]
    total, terms = 0.0, 0.0
    p = (0.0, 0.0, 0.0)
    if cables.hinge[c] > 0.0:
        for k in range(2):
            bend = q[i - 2 + k] - cables.rest[first, k]
            total += 0.5 * cables.hinge[c] * kt * bend * bend
    for e in range(first, last):
        if e > first:
            for k in range(2):
                bend = q[i + k] - cables.rest[e, k]
                total += 0.5 * kt * bend * bend
            i += 2
        total += 0.5 * ka * q[i] * q[i]
        i += 1
        fall = dot(w, p)
        p = axpy(links[e, 9], get(links, e, 0), p)
        fall += dot(w, p)
        total -= fall
        terms += abs(fall)
    total -= dot(F, p)
    terms += abs(dot(F, p))
    return total, terms + abs(total)


@part()
def put3_at(q, i, x):
    """Write a vector to q[i:i + 3]."""
    q[i], q[i + 1], q[i + 2] = x[0], x[1], x[2]


@part()
def kick(cables, c, joints):
    """A small move of cable c in ``joints``, like no symmetry of its own."""
    for k in range(3 * cables.first[c] + c, 3 * cables.first[c + 1] + c + 1):
        u = get(joints, k, U)
        joints[k, Y] = KICK * math.sin(1.0 + 2.0 * k) if dot(u, u) > 0.0 else 0.0


@part(forceinline=False)
def outward(cables, c, q, root, link, links):
    """Directions, axes and reaches of cable c's elements; returns the position of its tip."""
    nq, _ = freedoms(cables, c)
    i = cables.q[c] + nq
    p = root
    frame, a1, a2 = first_joint(cables, c, q, i - (4 if cables.joint[c] == BALL else 2))
    first = cables.first[c]
    for e in range(first, cables.first[c + 1]):
        if e > first:
            frame, a1, a2 = universal(frame, q[i], q[i + 1])
            i += 2
        put(links, e, 0, frame[2])
        put(links, e, 3, a1)
        put(links, e, 6, a2)
        links[e, 9] = 2.0 * link + q[i]
        p = axpy(links[e, 9], frame[2], p)
        i += 1
    return p


@part()
def eliminate(joints, j, u, v, spring, y, Z, z, small):
    """Take joint j out: its pivot, and what it leaves to those before; right sides y (4,)."""
    tv = (
        v[0] - (Z[0, 0] * u[0] + Z[0, 1] * u[1] + Z[0, 2] * u[2]),
        v[1] - (Z[1, 0] * u[0] + Z[1, 1] * u[1] + Z[1, 2] * u[2]),
        v[2] - (Z[2, 0] * u[0] + Z[2, 1] * u[1] + Z[2, 2] * u[2]),
    )
    d = spring + dot(u, tv)
    if abs(d) < small:
        d = small
    put(joints, j, U, u)
    put(joints, j, V, tv)
    joints[j, D] = d
    r = 1.0 / d
    for k in range(4):
        x = y[k] - (u[0] * z[0, k] + u[1] * z[1, k] + u[2] * z[2, k])
        joints[j, Y + k] = x
        for i in range(3):
            z[i, k] += tv[i] * (x * r)
    for i in range(3):
        for k in range(3):
            Z[i, k] += tv[i] * (tv[k] * r)
    return d < -CLEARLY * small


@part(forceinline=False)
def newton_step(cables, c, q, hold, shift, scratch):
    """Newton's step δq of cable c, in column Y of ``joints``, with H + shift in place of H in what turns.

    Returns the largest of r, the largest turn or change of length (1 is what a step may have), the number of unstable
    directions, δq·(H δq), and δF.
    """
    _, _, link, w, F, gap, loose, size = hold
    first, last = cables.first[c], cables.first[c + 1]
    i, j = cables.q[c + 1], 3 * last + c + 1
    ka, kt = 0.5 / link * cables.section[c, 2], 0.5 / link * cables.section[c, 3]
    links, joints, stiff = scratch.links, scratch.joints, scratch.stiff
    S, Z, z4, C, y = scratch.S, scratch.Z, scratch.z, scratch.C, scratch.y
    for a in range(3):
        y[a] = 0.0
        for b in range(3):
            S[a, b] = Z[a, b] = C[a, b] = 0.0
        for b in range(4):
            z4[a, b] = 0.0
    N, reach = F, (0.0, 0.0, 0.0)  # forces behind, and the way from here to the tip
    worst, below = 0.0, 0
    small = NEUTRAL * size
    for back in range(last - first):
        e = last - 1 - back
        i -= 1
        z = get(links, e, 0)
        N = add(N, w)
        for a in range(3):
            for b in range(3):
                S[a, b] -= 0.5 * link * z[a] * w[b]
        r = dot(z, N) - ka * q[i]
        worst = max(worst, abs(r) * link)
        j -= 1
        below += eliminate(joints, j, (0.0, 0.0, 0.0), cross(N, z), ka, (r, z[0], z[1], z[2]), Z, z4, 0.0)
        long = links[e, 9]
        reach = axpy(long, z, reach)
        for a in range(3):
            for b in range(3):
                S[a, b] += long * z[a] * N[b] + 0.5 * link * z[a] * w[b]
        N = add(N, w)
        p = 1.0
        if e == first:
            p = cables.hinge[c]
        trace = S[0, 0] + S[1, 1] + S[2, 2]
        Q = (S[1, 2] - S[2, 1], S[2, 0] - S[0, 2], S[0, 1] - S[1, 0])
        axes = get(links, e, 6), get(links, e, 3), X
        count = 2
        if e == first and cables.joint[c] == BALL:
            axes = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), X
            count = 3
        for k in range(count):
            axis = axes[0] if k == 0 else (axes[1] if k == 1 else axes[2])
            v = (
                trace * axis[0] - (S[0, 0] * axis[0] + S[0, 1] * axis[1] + S[0, 2] * axis[2]),
                trace * axis[1] - (S[1, 0] * axis[0] + S[1, 1] * axis[1] + S[1, 2] * axis[2]),
                trace * axis[2] - (S[2, 0] * axis[0] + S[2, 1] * axis[1] + S[2, 2] * axis[2]),
            )
            r = dot(axis, Q)
            spring = 0.0
            if p > 0.0:
                spring = p * kt
                i -= 1
                r -= spring * (q[i] - cables.rest[e, 1 - k])
            worst = max(worst, abs(r))
            turned = cross(axis, reach)
            j -= 1
            below += eliminate(joints, j, axis, v, spring + shift, (r, turned[0], turned[1], turned[2]), Z, z4, small)
    dF = (0.0, 0.0, 0.0)
    top = 3 * last + c + 1
    if not loose:
        for k in range(j, top):
            for a in range(3):
                y[a] += joints[k, Y] * joints[k, Y + 1 + a] / joints[k, D]
                for b in range(3):
                    C[a, b] += joints[k, Y + 1 + a] * joints[k, Y + 1 + b] / joints[k, D]
        inverse3(C, stiff)
        below -= negative3(C)
        g = (gap[0] - y[0], gap[1] - y[1], gap[2] - y[2])
        dF = (
            stiff[0, 0] * g[0] + stiff[0, 1] * g[1] + stiff[0, 2] * g[2],
            stiff[1, 0] * g[0] + stiff[1, 1] * g[1] + stiff[1, 2] * g[2],
            stiff[2, 0] * g[0] + stiff[2, 1] * g[1] + stiff[2, 2] * g[2],
        )
    s = (0.0, 0.0, 0.0)
    most, work = 0.0, 0.0
    for k in range(j, top):
        y0 = joints[k, Y] + joints[k, Y + 1] * dF[0] + joints[k, Y + 2] * dF[1] + joints[k, Y + 3] * dF[2]
        work += y0 * y0 / joints[k, D]
        u = get(joints, k, U)
        x = (y0 - dot(get(joints, k, V), s)) / joints[k, D]
        s = axpy(x, u, s)
        joints[k, Y] = x
        most = max(most, abs(x) / (LARGEST if dot(u, u) > 0.0 else 2.0 * link * STRETCHED))
    return worst, most, below, work, dF


@part()
def inverse3(a, out):
    """Inverse of a 3 × 3 matrix by its adjugate."""
    for i in range(3):
        for j in range(3):
            p, q, r, s = (j + 1) % 3, (j + 2) % 3, (i + 1) % 3, (i + 2) % 3
            out[i, j] = a[p, r] * a[q, s] - a[p, s] * a[q, r]
    d = a[0, 0] * out[0, 0] + a[0, 1] * out[1, 0] + a[0, 2] * out[2, 0]
    for i in range(3):
        for j in range(3):
            out[i, j] /= d


@part()
def negative3(a):
    """Number of negative eigenvalues of a symmetric 3 × 3 matrix: of changes of sign in its characteristic polynomial.

    Source: Descartes' rule, which is exact where all roots are real.
    """
    trace = a[0, 0] + a[1, 1] + a[2, 2]
    low = a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1]
    minors = low + a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0] + a[0, 0] * a[2, 2] - a[0, 2] * a[2, 0]
    determinant = (
        a[0, 0] * low
        - a[0, 1] * (a[1, 0] * a[2, 2] - a[1, 2] * a[2, 0])
        + a[0, 2] * (a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0])
    )
    count, before = 0, 1.0
    for number in (trace, minors, determinant):
        if number * before < 0.0:
            count += 1
        if number != 0.0:
            before = 1.0 if number > 0.0 else -1.0
    return count


@part()
def advance(cables, c, q, share, joints):
    """Coordinates of cable c after a share of Newton's step."""
    nq, _ = freedoms(cables, c)
    i = cables.q[c] + nq
    j = 3 * cables.first[c] + c
    top = 3 * cables.first[c + 1] + c + 1
    if cables.joint[c] == BALL:
        k = i - 4
        # H takes x as the outermost of the three turns.
        turn = quaternion_product(
            exponential((share * joints[j, Y], 0.0, 0.0)),
            quaternion_product(
                exponential((0.0, share * joints[j + 1, Y], 0.0)), exponential((0.0, 0.0, share * joints[j + 2, Y]))
            ),
        )
        p = quaternion_product(turn, (q[k], q[k + 1], q[k + 2], q[k + 3]))
        s = 1.0 / math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
        for b in range(4):
            q[k + b] = s * p[b]
        j += 3
    else:
        j += 1  # one row of scratch is for the third axis of a ball joint
        q[i - 2] += share * joints[j, Y]
        q[i - 1] += share * joints[j + 1, Y]
        j += 2
    while j < top:
        q[i] += share * joints[j, Y]
        i += 1
        j += 1
