"""Rigid bodies and cables in delta form: what a linearly implicit multistep method asks of a sub-system.

With the history sums Q and V, a share b of the new velocity and predicted (starred) quantities,

    q* = Q + b v*,   a* = (v* − V)/b,   (M + b C) d = b (f − C v* − M a*) + Jᵀ p,   v⁺ = v* + d,   q⁺ = q* + b d

Rotations follow q̇ = ½ ω q (ω in world axes): q⁺ = (1 − s)⁻¹ Q with s = ½ b ω⁺, renormalised. A body's velocity is its
world angular momentum ℓ, so that there is no gyroscopic term: ω = Y(q) ℓ. Without torques ℓ is constant to rounding,
and the rotational energy stays between ‖ℓ‖²/2 over the largest and over the smallest inertia.

Source: linearly implicit BDF; drag −(c₁ + c₂‖v_r‖) v_r is implicit with its magnitude taken at v*.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.bodies import applied
from towsim.model.arrays import BALL
from towsim.model.vectors import (
    at9,
    mul,
    norm,
    normalised,
    put9,
    quaternion_product,
    rotated,
    rotation,
    scale,
    sub,
)


@part()
def turned_by(Q, b, w):
    """Unit quaternion (1 − s)⁻¹ Q, s = ½ b w: the implicit rotation with the angular velocity w."""
    s = scale(0.5 * b, w)
    return normalised(quaternion_product((1.0, s[0], s[1], s[2]), Q))


@part()
def at4(a, i):
    """Four numbers of a from i on."""
    return a[i], a[i + 1], a[i + 2], a[i + 3]


@part()
def put4(a, i, p):
    """Write a quaternion to a from i on."""
    a[i] = p[0]
    a[i + 1] = p[1]
    a[i + 2] = p[2]
    a[i + 3] = p[3]


@part()
def predict_bodies(bodies, b, past, work):
    """Poses q* of the bodies at their velocities and momenta v*, with rotations R and inverse inertias Y there.

    past : in: extrapolated poses ``guess``, history sums Q, v*; out: q* and the angular velocities ω* ``spin`` [rad/s]
    work : out: R, Y
    """
    guess, Q, v, q, spin, R, Y = past.guess, past.Q, past.v_star, past.q_star, past.spin, work.R, work.Y
    for i in range(bodies.mass.shape[0]):
        k = 7 * i
        for j in range(3):
            q[k + j] = Q[k + j] + b * v[6 * i + j]
        if bodies.rotates[i]:
            momentum = (v[6 * i + 3], v[6 * i + 4], v[6 * i + 5])
            sums = at4(Q, k + 3)
            inverse = at9(bodies.inertia_inv, i)
            p = normalised(at4(guess, k + 3))
            w = mul(rotated(rotation(p), inverse), momentum)
            for _ in range(2):
                p = turned_by(sums, b, w)
                w = mul(rotated(rotation(p), inverse), momentum)
            p = turned_by(sums, b, w)
            r = rotation(p)
            put4(q, k + 3, p)
            put9(R, i, r)
            put9(Y, i, rotated(r, inverse))
            for j in range(3):
                spin[i, j] = w[j]


@part()
def free_bodies(bodies, loads, load, wind, b, v, work):
    """Free motions d of the bodies into ``work.u`` (nn, 6), with their inverse masses ``work.minv``.

    v : predicted velocities v*; a* is in ``work.cable.rate``
    work : its f (nb, 6) gets the force and, in the torque's place, b (τ − ℓ̇*)
    """
    rate, Y, minv, f, u = work.cable.rate, work.Y, work.minv, work.f, work.u
    applied(bodies, loads, load, work.R, f)
    air = (wind[0], wind[1], wind[2])
    for i in range(bodies.mass.shape[0]):
        k = 6 * i
        m = bodies.mass[i]
        c = 0.0
        if bodies.drag[i, 0] != 0.0 or bodies.drag[i, 1] != 0.0:
            relative = sub((v[k], v[k + 1], v[k + 2]), air)
            c = bodies.drag[i, 0] + bodies.drag[i, 1] * norm(relative)
            for j in range(3):
                f[i, j] -= c * relative[j]
        minv[i] = 1.0 / (m + b * c)
        for j in range(3):
            u[i, j] = minv[i] * b * (f[i, j] - m * rate[k + j])
        if bodies.rotates[i]:
            ell = (b * (f[i, 3] - rate[k + 3]), b * (f[i, 4] - rate[k + 4]), b * (f[i, 5] - rate[k + 5]))
            w = mul(at9(Y, i), ell)
            for j in range(3):
                f[i, 3 + j] = ell[j]
                u[i, 3 + j] = w[j]


@part()
def correct_bodies(bodies, b, past, work):
    """Poses and velocities after the step, in ``work.q_new`` and ``work.v_new``: predicted, free motions, impulses."""
    Q, q, v, spin = past.Q, past.q_star, past.v_star, past.spin
    Y, minv, f, u, wrench, q_new, v_new = work.Y, work.minv, work.f, work.u, work.wrench, work.q_new, work.v_new
    for i in range(bodies.mass.shape[0]):
        k, n = 7 * i, 6 * i
        for j in range(3):
            d = u[i, j] + minv[i] * wrench[i, j]
            v_new[n + j] = v[n + j] + d
            q_new[k + j] = q[k + j] + b * d
        if bodies.rotates[i]:
            ell = (f[i, 3] + wrench[i, 3], f[i, 4] + wrench[i, 4], f[i, 5] + wrench[i, 5])
            w = mul(at9(Y, i), ell)
            for j in range(3):
                v_new[n + 3 + j] = v[n + 3 + j] + ell[j]
            p = turned_by(at4(Q, k + 3), b, (spin[i, 0] + w[0], spin[i, 1] + w[1], spin[i, 2] + w[2]))
            put4(q_new, k + 3, p)


@part()
def move_cables(cables, b, Q, v, q):
    """Coordinates q of the cables with history sums Q and velocities v: Q + b v, quaternions turned."""
    if cables is not None:
        for c in range(cables.tip.shape[0]):
            i, k = cables.q[c], cables.v[c]
            if cables.joint[c] == BALL:
                if cables.root[c] >= 0:
                    for _ in range(3):
                        q[i] = Q[i] + b * v[k]
                        i += 1
                        k += 1
                put4(q, i, turned_by(at4(Q, i), b, (v[k], v[k + 1], v[k + 2])))
                i += 4
                k += 3
            for n in range(cables.v[c + 1] - k):
                q[i + n] = Q[i + n] + b * v[k + n]
