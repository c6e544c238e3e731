"""Right-hand side of the DAE: free sub-systems, the multipliers that close them, accelerations (RSSLM).

    a_j = M_j⁻¹ f_j                                          (Eq. 14)
    ψ_i = ∂²η_i/∂t² + J̇ q̇ + Σ_j J_ij a_j + 2 γ η̇_i + γ² η_i   (Eq. 13; J̇ q̇ where the Jacobian moves)
    Σ_s A_is λ_s + ψ_i = 0,   A = J M⁻¹ Jᵀ                    (Eq. 15)
    q̈_j = a_j + M_j⁻¹ J_jᵀ λ                                  (Eq. 1)

η = p_B − p_A, and λ pushes end B. γ is Baumgarte's gain: what the integration leaves of η decays like e^(−γt). The exit
points' closures to robots are the rheonomic ones, Eq. 10.

Source: Mamidi & Bandyopadhyay, Robotica 2024.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import kernel, part
from towsim.formulations.dae.arrays import BODY, EXIT, ROBOT
from towsim.formulations.dae.chain import factorise, free_chain, solve, unit
from towsim.formulations.dae.solid import free_solids, matrix
from towsim.model.vectors import add, at3, axpy, cross, mul, quaternion_product

GOOD, SINGULAR_CHAIN, SINGULAR_CLOSURE = 0, 1, 2

GAIN = 20.0
"""Baumgarte's γ [1/s]: far above the rates of the motion's drift, far below those that limit the step."""

NUDGE = 1.5e-8
"""Forward difference of the Jacobian, relative to the size of a coordinate."""


@part(forceinline=False)
def end_state(closures, chains, known, y, rates, i, e, work):
    """Position, velocity and free acceleration of end e of closure i."""
    kind, n = closures.end[i, e, 0], closures.end[i, e, 1]
    if kind == ROBOT:
        r = known.robot[n]
        return at3(r, 0), at3(r, 1), at3(r, 2)
    if kind == BODY:
        q, u = 7 * n, rates + 6 * n
        arm = mul(matrix(work.R[n, 0]), (closures.at[i, e, 0], closures.at[i, e, 1], closures.at[i, e, 2]))
        for s in range(3):
            work.arm[i, e, s] = arm[s]
        w = (y[u + 3], y[u + 4], y[u + 5])
        turn = cross(w, arm)
        a = (work.solid[n, 0], work.solid[n, 1], work.solid[n, 2])
        alpha = (work.solid[n, 3], work.solid[n, 4], work.solid[n, 5])
        return (
            add((y[q], y[q + 1], y[q + 2]), arm),
            add((y[u], y[u + 1], y[u + 2]), turn),
            add(a, add(cross(alpha, arm), cross(w, turn))),
        )
    q, u = chains.q[n], chains.u[n]
    b = (y[q], y[q + 1], y[q + 2])
    free = work.a[n]
    if kind == EXIT:
        return b, (y[u], y[u + 1], y[u + 2]), (free[0], free[1], free[2])
    a = at3(work.tip[n], 2)
    J = work.J[n]
    for j in range(chains.u[n + 1] - u):
        a = axpy(free[j], (J[3, j], J[4, j], J[5, j]), a)
    return add(b, at3(work.tip[n], 0)), at3(work.tip[n], 1), a


@part(forceinline=False)
def respond(closures, mass, i, e, s, d, R, E, arm, A):
    """Add to A what a force at end d of closure s does to the acceleration of end e of closure i."""
    kind, n = closures.end[i, e, 0], closures.end[i, e, 1]
    other = closures.end[s, d, 0]
    if kind == ROBOT or other == ROBOT or n != closures.end[s, d, 1] or (kind == BODY) != (other == BODY):
        return
    sign = 1.0 if e == d else -1.0
    row, column = 0 if kind == EXIT else 3, 0 if other == EXIT else 3
    for k in range(3):
        if kind == BODY:
            turn = mul(matrix(R[n, 1]), cross(at3(arm[s], d), unit(k)))
            a = axpy(1.0 / mass[n], unit(k), cross(turn, at3(arm[i], e)))
        else:
            a = (E[n, row, column + k], E[n, row + 1, column + k], E[n, row + 2, column + k])
        for r in range(3):
            A[3 * i + r, 3 * s + k] += sign * a[r]


@part(forceinline=False)
def close(system, known, y, rates, work):
    """Residual accelerations ψ and A of Eq. 15; solves for λ. False if the closures depend on each other."""
    closures, A = system.closures, work.A
    n = closures.end.shape[0]
    for i in range(n):
        for r in range(9):
            work.eta[i, r // 3, r % 3] = 0.0
        for e in range(2):
            p, v, a = end_state(closures, system.chains, known, y, rates, i, e, work)
            sign = 1.0 if e == 1 else -1.0
            for r in range(3):
                work.eta[i, 0, r] += sign * p[r]
                work.eta[i, 1, r] += sign * v[r]
                work.eta[i, 2, r] += sign * a[r]
        for r in range(3):
            work.eta[i, 2, r] += 2.0 * GAIN * work.eta[i, 1, r] + GAIN * GAIN * work.eta[i, 0, r]
            work.lam[3 * i + r] = -work.eta[i, 2, r]
    for i in range(3 * n):
        for s in range(i, 3 * n):
            A[i, s] = 0.0
    for i in range(n):
        for s in range(i, n):
            for e in range(4):
                respond(closures, system.solids.mass, i, e // 2, s, e % 2, work.R, work.E, work.arm, A)
    if not factorise(A, 3 * n):
        return False
    solve(A, 3 * n, work.lam)
    return True


@part(forceinline=False)
def constrain(closures, chains, mass, rates, lam, R, arm, W, out):
    """Add the responses of all sub-systems to λ (Eq. 1)."""
    for i in range(closures.end.shape[0]):
        for e in range(2):
            kind, n = closures.end[i, e, 0], closures.end[i, e, 1]
            sign = 1.0 if e == 1 else -1.0
            force = (sign * lam[3 * i], sign * lam[3 * i + 1], sign * lam[3 * i + 2])
            if kind == BODY:
                u = rates + 6 * n
                alpha = mul(matrix(R[n, 1]), cross(at3(arm[i], e), force))
                for r in range(3):
                    out[u + r] += force[r] / mass[n]
                    out[u + 3 + r] += alpha[r]
            elif kind != ROBOT:
                row = 0 if kind == EXIT else 3
                u = chains.u[n]
                for j in range(chains.u[n + 1] - u):
                    out[u + j] += W[n, row, j] * force[0] + W[n, row + 1, j] * force[1] + W[n, row + 2, j] * force[2]


@part(forceinline=False)
def turning(y, q, u, out):
    """Write q̇ = ½ ω q to out[q:q+4], with a pull back to unit length."""
    p = (y[q], y[q + 1], y[q + 2], y[q + 3])
    rate = quaternion_product((0.0, y[u], y[u + 1], y[u + 2]), p)
    excess = 1.0 - (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    for s in range(4):
        out[q + s] = 0.5 * rate[s] + GAIN * excess * p[s]


@part(forceinline=False)
def motion(chains, nb, y, rates, out):
    """q̇ of all coordinates."""
    for b in range(nb):
        for j in range(3):
            out[7 * b + j] = y[rates + 6 * b + j]
        turning(y, 7 * b + 3, rates + 6 * b + 3, out)
    for c in range(chains.elements.shape[0]):
        q, u = chains.q[c], chains.u[c]
        before = 6 if chains.ball[c] else 3
        shift = 1 if chains.ball[c] else 0
        for j in range(3):
            out[q + j] = y[u + j]
        if chains.ball[c]:
            turning(y, q + 3, u + 3, out)
        for j in range(before, chains.u[c + 1] - u):
            out[q + j + shift] = y[u + j]


@part(forceinline=False)
def finish(system, known, y, rates, work, out):
    """Close the free sub-systems and write ẏ."""
    chains, nb = system.chains, system.solids.mass.shape[0]
    if not close(system, known, y, rates, work):
        return SINGULAR_CLOSURE
    motion(chains, nb, y, rates, out)
    for b in range(nb):
        for j in range(6):
            out[rates + 6 * b + j] = work.solid[b, j]
    for c in range(chains.elements.shape[0]):
        u = chains.u[c]
        for j in range(chains.u[c + 1] - u):
            out[u + j] = work.a[c, j]
    constrain(system.closures, chains, system.solids.mass, rates, work.lam, work.R, work.arm, work.W, out)
    return GOOD


@part(forceinline=False)
def free(system, known, strained, y, rates, s, work):
    """Free accelerations of sub-system s: a cable, or after them all the bodies together."""
    if s < system.chains.elements.shape[0]:
        return GOOD if free_chain(system.chains, s, y, known, system.gravity, work) else SINGULAR_CHAIN
    free_solids(
        system.solids, system.springs, y, rates, known, system.gravity, strained, work.R, work.solid, work.strain
    )
    return GOOD


@kernel()
def evaluate(system, known, strained, y, size, work, out, J, moved):
    """ẏ = (q̇, u̇) of the state y = (q, u), and if ``size`` is not empty ∂ẏ/∂y as well.

    Only the sub-system that a coordinate belongs to is evaluated anew for its column.

    Parameters
    ----------
    known : what is known at this instant
    strained : (ns,) which springs act
    size : (n,) natural size of coordinates and rates, or (0,)
    out : (n,) out: ẏ; λ and all else is left in ``work``
    J : (n, n) out, transposed: row i is the derivative by y_i
    moved : (n,) scratch
    """
    chains = system.chains
    nk, nb = chains.elements.shape[0], system.solids.mass.shape[0]
    n = y.shape[0]
    rates = chains.u[0] - 6 * nb
    for s in range(nk + 1):
        status = free(system, known, strained, y, rates, s, work)
        if status != GOOD:
            return status
    status = finish(system, known, y, rates, work, out)
    if status != GOOD or size.shape[0] == 0:
        return status
    for s in range(nk + 1):
        for half in range(2):
            if s < nk:
                first = chains.q[s] if half == 0 else chains.u[s]
                last = chains.q[s + 1] if half == 0 else chains.u[s + 1]
            else:
                first = 0 if half == 0 else rates
                last = 7 * nb if half == 0 else rates + 6 * nb
            for i in range(first, last):
                keep = y[i]
                y[i] = keep + NUDGE * max(abs(keep), size[i])
                step = y[i] - keep
                free(system, known, strained, y, rates, s, work)
                finish(system, known, y, rates, work, moved)
                y[i] = keep
                for j in range(n):
                    J[i, j] = (moved[j] - out[j]) / step
        free(system, known, strained, y, rates, s, work)
    return GOOD


@kernel()
def impulse(system, y, work, jump):
    """Change ``jump`` (n,) of the rates by the impulses that make η̇ vanish, after an ``evaluate`` at y.

    Of all changes that do it, it is the one of least kinetic energy.
    """
    n = system.closures.end.shape[0]
    nb = system.solids.mass.shape[0]
    for i in range(n):
        for r in range(3):
            work.lam[3 * i + r] = -work.eta[i, 1, r]
    solve(work.A, 3 * n, work.lam)
    for j in range(y.shape[0]):
        jump[j] = 0.0
    rates = system.chains.u[0] - 6 * nb
    constrain(system.closures, system.chains, system.solids.mass, rates, work.lam, work.R, work.arm, work.W, jump)
