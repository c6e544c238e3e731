"""A cable as an open chain in joint coordinates: M q̈ = f by composite bodies and recursive Newton–Euler.

All spatial quantities are taken at one common point, the exit point b, in world axes. A joint's twist there is
S = (p × a; a) for a revolute about a through p, (a; 0) for a prismatic along a, (e_i; 0) for the coordinates of b. Then
composite bodies add up without any shift, and with (P_j; H_j) = I_j S_j, the momentum about b of all that j moves,

    M_ij = S_i · (P_j; H_j)  (i ≤ j),      f_j = τ_j − S_j · Σ_{links after j} (F; N),
    F = m (c̈ − g) + ṁ ċ,   N = c × F + I α + ω × I ω + İ ω   at q̈ = 0.

A fed cable (Type I) keeps its density: the links' lengths l = L/2n, masses and inertias follow L(t), and so do the
springs, EA/Le and EI/Le. ṁ ċ and İ ω are the mass-rate force: mass enters a link with the velocity zero, which makes
these Lagrange's equations of T(q, q̇, t). Coordinates of prismatic joints are extensions, so that their dampers act on
the extension alone and not on the feed.

Source: Mamidi & Bandyopadhyay, Robotica 2024, Eqs. (1), (2), (6), (7); composite bodies after Featherstone 2008.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.formulations.dae.arrays import AXIAL, BENDING, EA, EI, HINGE, MASS, RADIUS
from towsim.model.vectors import (
    add,
    at3,
    axpy,
    cross,
    dot,
    exponential,
    normalised,
    put3,
    quaternion_product,
    scale,
    sub,
    turned,
)


@part()
def unit(k):
    """Unit vector along axis k."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@part(forceinline=False)
def link_terms(store, mass, z, inertia, inertia_rate, c, velocity, acceleration, w, alpha, gravity):
    """Write mass, first moment, inertia, force and moment about b of one link, and its kinetic energy.

    mass : m and its rate;  z : its direction;  inertia, inertia_rate : (transverse, axial);  c : its centre from b
    w, alpha : angular velocity and acceleration
    """
    m, mass_rate = mass
    h = scale(m, c)
    force = axpy(mass_rate, velocity, scale(m, sub(acceleration, gravity)))
    along, twist = dot(w, z), dot(alpha, z)
    spin = axpy((inertia[1] - inertia[0]) * along, z, scale(inertia[0], w))  # I ω
    change = axpy((inertia[1] - inertia[0]) * twist, z, scale(inertia[0], alpha))  # I α
    feed = axpy((inertia_rate[1] - inertia_rate[0]) * along, z, scale(inertia_rate[0], w))  # İ ω
    moment = add(cross(c, force), add(change, add(cross(w, spin), feed)))
    cc = dot(c, c)
    difference = inertia[1] - inertia[0]
    store[0] = m
    store[16] = 0.5 * (m * dot(velocity, velocity) + dot(w, spin))
    for i in range(3):
        store[1 + i] = h[i]
        store[4 + i] = inertia[0] + difference * z[i] * z[i] + m * (cc - c[i] * c[i])  # xx, yy, zz
        store[10 + i] = force[i]
        store[13 + i] = moment[i]
    store[7] = difference * z[1] * z[2] - m * c[1] * c[2]  # yz
    store[8] = difference * z[0] * z[2] - m * c[0] * c[2]  # xz
    store[9] = difference * z[0] * z[1] - m * c[0] * c[1]  # xy


@part(forceinline=False)
def twist(S, j, v, w):
    """Write the twist of joint j."""
    for i in range(3):
        S[j, i] = v[i]
        S[j, 3 + i] = w[i]


@part(forceinline=False)
def sweep_out(chains, c, y, feed, gravity, S, link, tip, node):
    """Outward: joint twists, links, tip and nodes of cable c, with the accelerations at q̈ = 0."""
    n = chains.elements[c]
    i, k = chains.q[c], chains.u[c]
    l, l1, l2 = 0.5 * feed[0] / n, 0.5 * feed[1] / n, 0.5 * feed[2] / n  # noqa: E741
    r2 = chains.section[c, RADIUS] * chains.section[c, RADIUS]
    m, m1 = chains.section[c, MASS] * l, chains.section[c, MASS] * l1
    inertia = (m * (3.0 * r2 + l * l) / 12.0, 0.5 * m * r2)
    inertia1 = (m1 * (3.0 * r2 + l * l) / 12.0 + m * l * l1 / 6.0, 0.5 * m1 * r2)
    g = (gravity[0], gravity[1], gravity[2])
    zero = (0.0, 0.0, 0.0)
    for j in range(3):
        twist(S, j, unit(j), zero)
    frame = (chains.frame[c, 0], chains.frame[c, 1], chains.frame[c, 2], chains.frame[c, 3])
    p, v, a = zero, (y[k], y[k + 1], y[k + 2]), zero  # the universal joint: from b, velocity, acceleration
    w, alpha = zero, zero
    put3(node, 0, zero)
    i, k, j = i + 3, k + 3, 3
    for e in range(n):
        if e == 0 and chains.ball[c]:
            frame = normalised((y[i], y[i + 1], y[i + 2], y[i + 3]))
            w = (y[k], y[k + 1], y[k + 2])
            for s in range(3):
                twist(S, j + s, zero, unit(s))
            i, k, j = i + 4, k + 3, j + 3
        else:
            for s in range(2):
                local = unit(1) if s == 0 else (-1.0, 0.0, 0.0)
                if e == 0:
                    local = (chains.axis[c, s, 0], chains.axis[c, s, 1], chains.axis[c, s, 2])
                axis = turned(frame, local)
                twist(S, j, cross(p, axis), axis)
                alpha = axpy(y[k], cross(w, axis), alpha)
                w = axpy(y[k], axis, w)
                frame = quaternion_product(frame, exponential(scale(y[i], local)))
                i, k, j = i + 1, k + 1, j + 1
        z = turned(frame, unit(2))
        z1 = cross(w, z)  # ż
        z2 = add(cross(alpha, z), cross(w, z1))  # z̈
        twist(S, j, z, zero)
        extension, extension1 = y[i], y[k]
        i, k, j = i + 1, k + 1, j + 1
        for s in range(3):  # centres of both links and the end, at d z from the universal joint; d′, d″ with the feed
            share = 0.5 + s if s < 2 else 2.0
            d, d1, d2 = share * l, share * l1, share * l2
            if s > 0:
                d, d1 = d + extension, d1 + extension1
            at = axpy(d, z, p)
            velocity = add(v, axpy(d1, z, scale(d, z1)))
            acceleration = add(a, axpy(d2, z, axpy(2.0 * d1, z1, scale(d, z2))))
            if s < 2:
                link_terms(link[2 * e + s], (m, m1), z, inertia, inertia1, at, velocity, acceleration, w, alpha, g)
            else:
                p, v, a = at, velocity, acceleration
        put3(node, e + 1, p)
    put3(tip, 0, p)
    put3(tip, 1, v)
    put3(tip, 2, a)


@part(forceinline=False)
def joint_force(section, rest, j, first, per_element, angle, rate):
    """Spring and damper of joint j: τ of Eq. (2). first: the first prismatic joint; per_element: 1/Le."""
    if (j - first) % 3 == 0:
        return -per_element * (section[EA] * angle + section[AXIAL] * rate)
    share, e, k = section[HINGE], 0, j - first + 2
    if j > first:
        share, e, k = 1.0, (j - first + 2) // 3, (j - first - 1) % 3
    return -share * per_element * (section[EI] * (angle - rest[e, k]) + section[BENDING] * rate)


@part(forceinline=False)
def sweep_in(chains, c, y, per_element, pull, S, link, M, f):
    """Inward: generalised inertia M (upper triangle) and forces f of cable c."""
    columns = chains.u[c + 1] - chains.u[c]
    first = 6 if chains.ball[c] else 5
    shift = 1 if chains.ball[c] else 0  # a quaternion has one coordinate more than rates
    m = 0.0
    h = (0.0, 0.0, 0.0)
    d = (0.0, 0.0, 0.0)  # xx, yy, zz
    o = (0.0, 0.0, 0.0)  # yz, xz, xy
    force = (0.0, 0.0, 0.0)
    moment = (0.0, 0.0, 0.0)
    for back in range(columns):
        j = columns - 1 - back
        body = -1
        if j >= first and (j - first) % 3 == 0:
            body = 2 * ((j - first) // 3) + 1  # the link after the prismatic joint
        elif j == first - 1 or (j > first and (j - first) % 3 == 2):
            body = 2 * ((j - first + 1) // 3)  # the link after the universal joint
        if body >= 0:
            b = link[body]
            m += b[0]
            h = add(h, (b[1], b[2], b[3]))
            d = add(d, (b[4], b[5], b[6]))
            o = add(o, (b[7], b[8], b[9]))
            force = add(force, (b[10], b[11], b[12]))
            moment = add(moment, (b[13], b[14], b[15]))
        v = (S[j, 0], S[j, 1], S[j, 2])
        w = (S[j, 3], S[j, 4], S[j, 5])
        P = add(scale(m, v), cross(w, h))
        spin = (
            d[0] * w[0] + o[2] * w[1] + o[1] * w[2],
            o[2] * w[0] + d[1] * w[1] + o[0] * w[2],
            o[1] * w[0] + o[0] * w[1] + d[2] * w[2],
        )
        H = add(cross(h, v), spin)
        for i in range(j + 1):
            M[i, j] = (
                S[i, 0] * P[0] + S[i, 1] * P[1] + S[i, 2] * P[2] + S[i, 3] * H[0] + S[i, 4] * H[1] + S[i, 5] * H[2]
            )
        f[j] = -dot(v, force) - dot(w, moment)
        if j < 3:
            f[j] += pull[j]
        elif j >= first or not chains.ball[c]:
            angle, rate = y[chains.q[c] + j + shift], y[chains.u[c] + j]
            f[j] += joint_force(chains.section[c], chains.rest[c], j, first, per_element, angle, rate)


@part(forceinline=False)
def factorise(M, n):
    """Cholesky factor U, M = Uᵀ U, of the upper triangle of M, in place; False if M is not positive definite."""
    for i in range(n):
        if not M[i, i] > 0.0:
            return False
        root = math.sqrt(M[i, i])
        for j in range(i, n):
            M[i, j] /= root
        for j in range(i + 1, n):
            s = M[i, j]
            for k in range(j, n):
                M[j, k] -= s * M[i, k]
    return True


@part(forceinline=False)
def solve(M, n, x):
    """Solve Uᵀ U x = b in place."""
    for i in range(n):
        x[i] /= M[i, i]
        s = x[i]
        for k in range(i + 1, n):
            x[k] -= M[i, k] * s
    for back in range(n):
        i = n - 1 - back
        s = x[i]
        for k in range(i + 1, n):
            s -= M[i, k] * x[k]
        x[i] = s / M[i, i]


@part(forceinline=False)
def ports(n, S, M, tip, J, W, E):
    """Jacobians J of exit point and tip, W = M⁻¹ Jᵀ and E = J W."""
    end = at3(tip, 0)
    for j in range(n):
        v = add((S[j, 0], S[j, 1], S[j, 2]), cross((S[j, 3], S[j, 4], S[j, 5]), end))
        for i in range(3):
            J[i, j] = 1.0 if i == j else 0.0
            J[3 + i, j] = v[i]
    for i in range(6):
        for j in range(n):
            W[i, j] = J[i, j]
        solve(M, n, W[i])
        for s in range(i + 1):
            total = 0.0
            for j in range(n):
                total += W[i, j] * J[s, j]
            E[i, s] = total
            E[s, i] = total


@part(forceinline=False)
def free_chain(chains, c, y, known, gravity, work):
    """Free accelerations a = M⁻¹ f (Eq. 14) of cable c, and the responses of its ends; False if M is singular."""
    feed = known.length[c]
    S, M, a = work.S[c], work.M[c], work.a[c]
    sweep_out(chains, c, y, feed, gravity, S, work.link[c], work.tip[c], work.node[c])
    sweep_in(chains, c, y, chains.elements[c] / feed[0], known.pull[c], S, work.link[c], M, a)
    n = chains.u[c + 1] - chains.u[c]
    if not factorise(M, n):
        return False
    solve(M, n, a)
    ports(n, S, M, work.tip[c], work.J[c], work.W[c], work.E[c])
    return True
