"""Wires that rub on what they bend around, as rows: the law itself, and agreement of independent ways to solve it."""

from __future__ import annotations

import numpy as np
import pytest

import solvers
from solvers.friction.bands import Bands
from solvers.friction.coulomb import Coulomb, solve_coulomb
from solvers.problem import ProblemError


def wire_with_bends(seed: int) -> Coulomb:
    """A wire with up to four bends between bodies of random inertia, beside up to three other wires."""
    rng = np.random.default_rng(seed)
    bends, others, freedoms = rng.integers(1, 5), rng.integers(0, 4), rng.integers(4, 9)
    part = rng.normal(size=(bends + 1, freedoms))
    J = np.array([part.sum(0), *(part[i + 1 :].sum(0) for i in range(bends)), *rng.normal(size=(others, freedoms))])
    q = J @ rng.normal(size=freedoms) * 3.0
    q[0] += 0.3 * rng.normal()
    c = rng.uniform(0.05, 1.5, bends)
    rows = np.array([[1 + i, 0] for i in range(bends)])
    return Coulomb(J @ J.T, q, np.empty((0, 3)), np.empty(0), bands=Bands(rows, -np.expm1(-c), np.expm1(c)))


@pytest.mark.parametrize("seed", range(40))
def test_newton_and_the_lcp_of_slips_by_lemke_agree_on_rates(seed: int) -> None:
    problem = wire_with_bends(seed)
    flat = problem.polyhedral(8)
    by_lemke = solvers.solve(flat.problem, "lemke")
    ours = solve_coulomb(problem)
    assert ours.solved == by_lemke.solved
    if ours.solved:
        assert problem.residual(flat.lift @ by_lemke.z) < 1e-9
        np.testing.assert_allclose(problem.w(flat.lift @ by_lemke.z), ours.w, atol=1e-7 * np.abs(problem.q).max())


def test_an_answer_obeys_the_capstan_equation() -> None:
    slipped = stuck = 0
    for seed in range(40):
        problem = wire_with_bends(seed)
        answer = solve_coulomb(problem)
        if not answer.solved or answer.z[0] == 0.0:
            continue
        scale = np.abs(answer.z).max()
        before = answer.z[0]
        for c, (row, _) in enumerate(problem.bands.row):
            after, w = before + answer.z[row], answer.w[row]
            low, high = (1.0 - problem.bands.low[c]) * before, (1.0 + problem.bands.high[c]) * before
            assert low - 1e-9 * scale <= after <= high + 1e-9 * scale
            if abs(w) > 1e-7:
                assert after == pytest.approx(low if w > 0.0 else high, abs=1e-7 * scale)
                slipped += 1
            else:
                stuck += 1
            before = after
    assert slipped > 10
    assert stuck > 10


@pytest.mark.parametrize(
    ("rows", "low", "high", "message"),
    [
        ([[1, 0]], [1.0], [1.0], "0 <= low < 1"),
        ([[1, 0]], [0.1], [np.inf], "0 <= low < 1"),
        ([[3, 0]], [0.1], [0.1], "rows of 0..2"),
        ([[1, 0], [1, 0]], [0.1, 0.1], [0.1, 0.1], "different rows"),
        ([[1, 0], [2, 1]], [0.1, 0.1], [0.1, 0.1], "must be a unilateral row"),
        ([[1, 0]], [0.1, 0.2], [0.1], "as many bounds"),
    ],
)
def test_bands_that_make_no_sense_are_refused(rows: list, low: list, high: list, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        Coulomb(np.eye(3), np.ones(3), np.empty((0, 3)), np.empty(0), bands=Bands(np.array(rows), low, high))
