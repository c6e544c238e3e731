"""Every method against rational arithmetic: no verdict is wrong, on small problems in any units and any company.

q = w − M z with w, z ≥ 0 complementary is a point of the cone of independent columns of e_i or −M e_i, at most one for
each i (Carathéodory), so that trying all of them in fractions decides whether there is a solution; q = w − M z with
any columns, whether there are z, w ≥ 0 at all.
"""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import solvers
from solvers import certificates

COUNT = int(os.environ.get("EXACT_PROBLEMS", "6"))
"""Problems of each family."""

METHODS = [name for name in solvers.available() if name != "cvxpy"]
DECIDED = ("solved", "infeasible", "no_solution")


def in_cone(columns, q):
    """Whether q = Σ x_j columns_j with x ≥ 0, of independent columns; False if they are not."""
    n, k = len(q), len(columns)
    A = [[column[i] for column in columns] + [q[i]] for i in range(n)]
    for j in range(k):
        at = next((i for i in range(j, n) if A[i][j] != 0), None)
        if at is None:
            return False
        A[j], A[at] = A[at], A[j]
        A[j] = [a / A[j][j] for a in A[j]]
        for i in range(n):
            if i != j and A[i][j] != 0:
                A[i] = [a - A[i][j] * b for a, b in zip(A[i], A[j], strict=True)]
    return all(A[i][k] == 0 for i in range(k, n)) and all(A[i][k] >= 0 for i in range(k))


def truth(M, q, free):
    """What there is to say of a problem, decided in fractions."""
    n = len(q)
    q = [Fraction(x) for x in q]
    unit = [[Fraction(int(i == j)) for i in range(n)] for j in range(n)]
    minus = [[-Fraction(x) for x in M[:, j]] for j in range(n)]
    either = [([-x for x in minus[j]] if free[j] else unit[j], minus[j]) for j in range(n)]
    for choice in product((None, 0, 1), repeat=n):
        if in_cone([either[j][c] for j, c in enumerate(choice) if c is not None], q):
            return "solved"
    every = [column for pair in either for column in pair]
    for k in range(n + 1):
        if any(in_cone(some, q) for some in combinations(every, k)):
            return "no_solution"
    return "infeasible"


def whole(rng, *shape, most=3):
    return rng.integers(-most, most + 1, shape).astype(float)


def skew(rng, n, most=3):
    K = np.triu(whole(rng, n, n, most=most), 1)
    return K - K.T


def drawn(family, rng):
    """M, q, free of at most four rows."""
    n = int(rng.integers(1, 5))
    free, q = rng.random(n) < 0.2, whole(rng, n)
    J = whole(rng, n, int(rng.integers(1, n + 1)))
    if family == "semidefinite and skew":
        M = J @ J.T + skew(rng, n)
    elif family == "coincident rows":
        twin = rng.integers(0, n, n)
        M = (J @ J.T)[np.ix_(twin, twin)]
        q = M @ whole(rng, n) if rng.random() < 0.5 else q
    elif family == "copositive with ties":
        M, q, free = rng.integers(0, 2, (n, n)) + skew(rng, n, 1), -rng.integers(0, 2, n).astype(float), free & False
    elif family == "any":
        M = whole(rng, n, n, most=1)
    elif family == "indefinite":
        M = whole(rng, n, n)
        M = M + M.T
    elif family == "linear programs":
        k = n // 2
        M = np.zeros((n, n))
        M[k:, :k] = whole(rng, n - k, k)
        M -= M.T
    elif family == "all but singular":
        M = J @ J.T
        M[0, 0] += 2.0 ** -int(rng.integers(10, 34))  # some 1e-12 is singular, see solvers.certificates
    else:  # a contradiction that is small beside q
        M = J @ J.T
        q = J @ whole(rng, J.shape[1]) + whole(rng, n) * 2.0 ** -int(rng.integers(1, 20))
    return M.astype(float), q, free


FAMILIES = (
    "semidefinite and skew",
    "coincident rows",
    "copositive with ties",
    "any",
    "indefinite",
    "linear programs",
    "all but singular",
    "small contradictions",
)


def disguised(M, q, free, rng):
    """The same problem with two rows that have nothing to do with it, in other units and another order."""
    n = len(q)
    far = 10.0 ** rng.integers(-12, 13, (2, 2))
    M = np.block([[M, np.zeros((n, 2))], [np.zeros((2, n)), np.diag(far[0])]])
    q, free = np.append(q, rng.choice([-1.0, 1.0], 2) * far[1]), np.append(free, [False, False])
    s, t = 2.0 ** rng.integers(-15, 16, (2, n + 2))
    if np.array_equal(M, M.T):
        t = s
    order = rng.permutation(n + 2)
    return (M * s[:, None] * t)[np.ix_(order, order)], (q * s)[order], free[order]


def check(M, q, free, said, methods, complete=("auto", "enumerate")):
    problem = solvers.MLCP(M, q, free)
    for method in methods:
        s = solvers.solve(problem, method)
        assert s.status == said or s.status not in DECIDED, (method, M, q, free)
        if method in complete:
            assert s.status == said, (method, M, q, free, s.message)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_verdict_is_wrong(family):
    """Of 10 000 problems all but singular, enumeration leaves a few open; no other family, and auto none at all."""
    complete = ("auto",) if family == "all but singular" else ("auto", "enumerate")
    seen = set()
    for k in range(COUNT):
        rng = np.random.default_rng([FAMILIES.index(family), k])
        M, q, free = drawn(family, rng)
        said = truth(M, q, free)
        seen.add(said)
        check(M, q, free, said, METHODS, complete)
        check(*disguised(M, q, free, rng), said, METHODS, complete)
    assert "solved" in seen


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
def test_the_readable_model_is_not_wrong_either():
    for k in range(6):
        rng = np.random.default_rng([1, k])
        M, q, free = drawn("coincident rows", rng)
        check(M, q, free, truth(M, q, free), ["cvxpy"])


def test_rows_that_are_small_among_large_ones_are_tried_by_themselves():
    """Scaled, these have a q of 1e-8 in a block with 1: −1e-8 is not a sign that is right."""
    M = np.zeros((4, 4))
    M[0, 1], M[0, 3], M[1, 0], M[2, 3], M[3, 0], M[3, 2] = -1024.0, -0.1875, 8192.0, -3.0, 0.09375, 1.5
    q = np.array([384.0, 0.0, 2048.0, -(2.0**-14)])
    free = np.zeros(4, bool)
    assert truth(M, q, free) == "solved"
    check(M, q, free, "solved", METHODS)


def test_what_is_nothing_beside_the_largest_of_a_ray_proves_nothing():
    """A row of 1e-50 of a ray makes a qᵀy with it, and slopes that are nothing beside those of the row of 1."""
    M = np.array([[0.0, 0.0, -2.0, -2.0], [0.0, 10.0, 0.0, 12.0], [2.0, 0.0, 10.0, 3.0], [2.0, 10.0, 3.0, 13.0]])
    problem = solvers.LCP(M, [0.0, 0.0, -2.0, 3.0])
    assert certificates.check(problem, np.array([1.0, 0.0, 1e-50, 0.0])) is None
    check(M, problem.q, problem.free, "solved", METHODS)
