"""Semismooth Newton on the Fischer-Burmeister equations, globalised by a line search; any M, free rows as they are.

    F_i = z_i + w_i - sqrt(z_i² + w_i²) = 0   (F_i = w_i on free rows)

The generalised Jacobian is Da + Db M. M is perturbed by mu I there, mu falling with the residual, so that it stays
regular for monotone problems with dependent rows. Where Newton's direction does not descend, the gradient of ½|F|²
does. Where ½|F|² has a minimum that is not zero, 0 = Daᵀ F + Mᵀ Db F: then y = -Db F is a Farkas vector if F ≤ 0, and
otherwise (possible if M is not monotone) nothing is concluded.

Large sparse problems are first tried with min(z, w) = 0 in place of F: w = 0 on the rows where z > w, z = 0 elsewhere,
one sparse factorisation after the other until the set stays (primal-dual active set), from all rows on. Of M-matrices,
as differences of elliptic equations with an obstacle give, it always comes to stay; others it may leave as they were.

Where factors are costly (random graphs, spatial meshes), the equations of a set are first tried by stabilised
biconjugate gradients, which large diagonals make quick.

Sources: De Luca, Facchinei & Kanzow, Math. Program. 75 (1996) 407-439; Hintermüller, Ito & Kunisch, SIAM J. Optim. 13
(2002) 865-888; van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631-644.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.log import Callback, Notes
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.solution import Answer
from solvers.status import Status

Solve = Callable[[Any, Array], Array | None]

REFINEMENTS, STEPS = 3, 2000
"""Of iterated solutions, and iterations of each."""

ROUNDS = 300
"""Sets that are tried for a large sparse problem; an obstacle problem takes some tens."""


def solve(
    problem: MLCP,
    start: Array | None = None,
    *,
    max_iterations: int = 200,
    tolerance: float = 1e-12,
    log: bool = False,
    callback: Callback | None = None,
) -> Answer:
    """Back-end; stops when max|F| is below ``tolerance`` (the problem is scaled).

    The log has max|F| after each iteration, the ``residual``, and the share of the ``step`` that the line search left;
    in rounds of the primal-dual active set the residual is max|min(z, w)|, and steps are taken in full.
    """
    notes = Notes(("residual", "step"), log, callback)
    answer = _solve(problem, start, max_iterations, tolerance, notes)
    return answer._replace(log=notes.log(), message=notes.message or answer.message)


def _solve(problem: MLCP, start: Array | None, max_iterations: int, tolerance: float, notes: Notes) -> Answer:
    n, q, free = problem.n, problem.q, problem.free
    sparse = not isinstance(problem.M, np.ndarray) and n > mx.SMALL
    M: Any = mx.to_sparse(problem.M) if sparse else mx.to_dense(problem.M)
    z = np.zeros(n) if start is None else start.copy()
    solved = _iterated if sparse and mx.costly_factors(M) else _factored
    if sparse:
        active = free | (z > M @ z + q) if start is not None else np.ones(n, bool)
        found, rounds = _primal_dual(M, q, free, active, notes, solved)
        if found is not None:
            return Answer(found, Status.SOLVED, rounds)
        if notes.stopped:
            return Answer(None, Status.ITERATION_LIMIT, rounds)
    F, w = _equations(M, q, free, z)
    y = np.zeros(n)
    for iteration in range(max_iterations):
        worst = float(np.max(np.abs(F)))
        if worst <= tolerance:
            return Answer(z, Status.SOLVED, iteration)
        r = np.hypot(z, w)
        # At z = w = 0 any (a, b) with (1 - a)² + (1 - b)² = 1 is an element of the Jacobian.
        corner = r <= 1e-14
        r = np.where(corner, 1.0, r)
        a = np.where(free, 0.0, np.where(corner, 1 - np.sqrt(0.5), 1 - z / r))
        b = np.where(free, 1.0, np.where(corner, 1 - np.sqrt(0.5), 1 - w / r))
        gradient = a * F + M.T @ (b * F)
        y = -b * F
        if np.max(np.abs(gradient)) <= 1e-12 * worst:
            return Answer(z, Status.NO_CONCLUSION, iteration, y=y, message="newton stands in a minimum of ½|F|²")
        merit = 0.5 * float(F @ F)
        step = _direction(M, a, b, F, min(1e-4, 1e-2 * worst), solved if sparse else None)
        if step is None or not gradient @ step <= -1e-10 * np.linalg.norm(step) ** 2.1:
            step = -gradient
        slope, t = float(gradient @ step), 1.0
        while True:
            F_new, w_new = _equations(M, q, free, z + t * step)
            if 0.5 * float(F_new @ F_new) <= merit + 1e-4 * t * slope:
                break
            t *= 0.5
            if t < 1e-12:
                return Answer(z, Status.NO_CONCLUSION, iteration, y=y, message="newton came to a standstill")
        z, F, w = z + t * step, F_new, w_new
        if notes(float(np.max(np.abs(F))), t):
            return Answer(z, Status.ITERATION_LIMIT, iteration + 1)
    return Answer(z, Status.ITERATION_LIMIT, max_iterations, y=y)


def _factored(A: Any, b: Array) -> Array | None:
    """A⁻¹ b by sparse factors, None if A is exactly singular."""
    from scipy.sparse.linalg import splu

    try:
        return np.asarray(splu(A.tocsc()).solve(b))
    except RuntimeError:
        return None


def _iterated(A: Any, b: Array) -> Array | None:
    """A⁻¹ b by iterations, refined to rounding; by factors if they do not converge."""
    import scipy.sparse as sp
    from scipy.sparse.linalg import bicgstab

    d = A.diagonal()
    scale = sp.diags_array(1.0 / np.where(d > 0.0, d, 1.0))
    x, left = np.zeros(len(b)), b
    for _ in range(REFINEMENTS):
        size = np.abs(left).max() or 1.0  # bicgstab breaks off where products of residuals are small by themselves
        step, failed = bicgstab(A, left / size, rtol=1e-9, atol=0.0, maxiter=STEPS, M=scale)
        if failed:
            return _factored(A, b)
        x = x + size * step
        left = b - A @ x
    return x


def _primal_dual(M: Any, q: Array, free: Array, active: Array, notes: Notes, solved: Solve) -> tuple[Array | None, int]:
    """(z, factorisations) with min(z, w) = 0 to rounding, None where the set does not come to stay."""
    seen: set[bytes] = set()
    for rounds in range(1, ROUNDS + 1):
        rows = np.flatnonzero(active)
        z, key = np.zeros(len(q)), np.packbits(active).tobytes()
        if key in seen:
            return None, rounds
        seen.add(key)
        if rows.size:
            x = solved(M[rows][:, rows], -q[rows])
            if x is None:
                return None, rounds
            z[rows] = x
        w = M @ z + q
        w[rows] = 0.0
        ends = notes(float(np.max(np.abs(np.where(free, w, np.minimum(z, w))))), 1.0)
        if ends or not np.isfinite(w).all():
            return None, rounds
        chosen = free | (z > w)
        if np.array_equal(chosen | ((z == w) & active), active):
            return z, rounds
        active = chosen
    return None, ROUNDS


def _equations(M: Any, q: Array, free: Array, z: Array) -> tuple[Array, Array]:
    w = np.asarray(M @ z) + q
    s = z + w
    r = np.hypot(z, w)
    # z + w - r without cancellation where both are positive.
    F = np.where(s > 0, 2 * z * w / np.where(s > 0, s + r, 1.0), s - r)
    return np.where(free, w, F), w


def _direction(M: Any, a: Array, b: Array, F: Array, mu: float, solved: Solve | None) -> Array | None:
    """Solve (Da + Db (M + mu I)) step = -F, a sparse one by ``solved``; None if that fails."""
    if solved is not None:
        import scipy.sparse as sp

        step = solved(sp.csr_array(sp.diags_array(a + mu * b) + sp.diags_array(b) @ M), -F)
    else:
        J = b[:, None] * M
        J[np.diag_indices_from(J)] += a + mu * b
        try:
            step = np.linalg.solve(J, -F)
        except np.linalg.LinAlgError:
            return None
    return step if step is not None and np.all(np.isfinite(step)) else None
