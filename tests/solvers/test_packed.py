"""One compiled call per problem: the same verdict for every storage, layout, and number of calls."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import solvers
from solvers.active_set import packed


def body(n=12, seed=0):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(n, 6))
    return J @ J.T, J @ rng.normal(size=6) + np.where(rng.random(n) < 0.3, 1.0, 0.0)


def test_every_layout_runs_the_same_compiled_kernel():
    """Another order of memory, a protected array, or integers must not make numba compile for ten seconds."""
    M, q = body()
    z = solvers.solve(solvers.LCP(M, q)).z
    compiled = len(packed._solve.signatures)
    big, wide = np.zeros((24, 24)), np.zeros(24)
    big[::2, ::2], wide[::2] = M, q
    kept = M.copy()
    kept.flags.writeable = False
    for A, b in ((M.T, q), (np.asfortranarray(M), q), (big[::2, ::2], wide[::2]), (kept, q), (M.tolist(), q.tolist())):
        problem = solvers.LCP(A, b)
        for start in (None, z, list(z), np.repeat(z, 2)[::2]):
            assert solvers.solve(problem, start=start).z == pytest.approx(z)
    assert solvers.solve(solvers.MLCP(M, q, np.zeros(24, bool)[::2])).z == pytest.approx(z)
    assert len(packed._solve.signatures) == compiled


def test_first_and_later_calls_agree_and_a_start_saves_the_search():
    M, q = body()
    problem = solvers.LCP(M, q)
    first, second, third = (solvers.solve(problem) for _ in range(3))
    assert np.array_equal(first.z, second.z)
    assert np.array_equal(first.z, third.z)
    warm = solvers.solve(problem, start=first.z)
    assert (warm.iterations, first.iterations > 1) == (1, True)
    assert np.array_equal(first.z, second.z)  # no call writes to the answer of another
    other = problem.with_q(2 * q)
    assert solvers.solve(other).z == pytest.approx(2 * first.z)
    assert solvers.solve(problem).z == pytest.approx(first.z)


def test_free_rows_are_free_in_every_storage():
    M, q = body()
    M = M + np.eye(len(q))
    free = np.arange(len(q)) % 3 == 0
    want = solvers.solve(solvers.MLCP(M, q, free), "enumerate").z
    for A in (M, sp.csr_array(M), solvers.MLCP(M, q).envelope):
        problem = solvers.MLCP(A, q, free)
        for start in (None, None, want):
            s = solvers.solve(problem, start=start)
            assert s.solved
            assert s.z == pytest.approx(want)
    assert np.any(want[free] < 0)


def test_large_problems_leave_no_memory_behind():
    kept = packed._block_rows
    n = packed._KEPT + 1
    s = solvers.solve(solvers.LCP(np.eye(n), -np.ones(n)))
    assert s.solved
    assert packed._block_rows == kept


@pytest.mark.parametrize("n", [2, 17, 40])
def test_asymmetry_is_seen_in_every_tile_and_rounding_is_not_asymmetry(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    A = A @ A.T
    A = A + A.T
    assert packed.equals_transpose(A)
    d = np.sqrt(np.diag(A))
    for i in range(n):
        for j in range(i):
            for change, fine in ((1e-14, True), (1e-12, False), (np.nan, False)):
                for k, m in ((i, j), (j, i)):
                    B = A.copy()
                    B[k, m] += change * d[k] * d[m]
                    assert packed.equals_transpose(B) is fine
