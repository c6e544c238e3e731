"""Other solutions of a problem with friction: w need not be unique, and a second one is shown where it is found.

M is symmetric, but the law of the contacts is not monotone: friction that is proportional to the normal impulse feeds
back on it. Two classical cases: a rod that slides on its end may leave the ground or jam (Painlevé 1895), when
A_nn + μ A_nt·d < 0; a box on four feet shares its weight between them in many ways, and each share drags differently.

Starts for Newton's method: rest, polygons of the circle by Lemke's method, and impulses drawn from the cones at
several sizes. That no other solution is found proves nothing: ``w_unique`` is then None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers.friction.coulomb import DIRECTIONS, Coulomb, CoulombSolution, _polygon, solve_coulomb
from solvers.given import PLAIN, expect, expect_solution
from solvers.matrix import Array, diagonal
from solvers.problem import ProblemError

DIFFERENT = 1e-6
"""Relative difference of two w, or z, that is no error of theirs: answers are exact to 1e-9."""

SIZES = (0.03, 0.3, 3.0, 30.0)
DRAWS = 6


@dataclass(frozen=True, eq=False)
class CoulombAnalysis:
    """What is known about all solutions of a problem with friction, from one of them.

    Attributes
    ----------
    w_unique : False if another w was found, else None (not decided)
    z_unique : False if another z was found, else None
    other : (n,) another solution, with another w if one was found; None if none was
    text : the same in words
    """

    w_unique: bool | None
    z_unique: bool | None
    other: Array | None
    text: str

    def __str__(self) -> str:
        return self.text


def analyse_coulomb(problem: Coulomb, solution: CoulombSolution, *, seed: int = 0) -> CoulombAnalysis:
    """Look for other solutions of the problem than the given one, from :func:`solvers.solve_coulomb`.

    Raises ``ProblemError`` for what is no Coulomb or solution of one, or if it is not solved.
    """
    expect(Coulomb, "analyse_coulomb", "a Coulomb", problem, dict.fromkeys(PLAIN[:2], "it is for solvers.analyse"))
    expect_solution(CoulombSolution, "analyse_coulomb", "solvers.solve_coulomb", solution, problem.n)
    if not solution.solved:
        raise ProblemError(f"only a solved problem can be analysed; this one is {solution.status}: {solution.message}")
    d = np.sqrt(np.maximum(diagonal(problem.M), 1e-300))
    w_size, z_size = np.abs(problem.q / d).max(initial=0.0), np.abs(d * solution.z).max(initial=0.0)
    other = None
    for start in _starts(problem, solution, d, seed):
        answer = solve_coulomb(problem, "cone-newton", start)
        if not answer.solved:
            continue
        if np.abs((answer.w - solution.w) / d).max() > DIFFERENT * w_size:
            text = "w is not unique: with friction, another solution with another w was found"
            return CoulombAnalysis(False, False, answer.z, text)
        if np.abs(d * (answer.z - solution.z)).max() > DIFFERENT * max(z_size, w_size):
            other = answer.z
    if other is not None:
        return CoulombAnalysis(None, False, other, "z is not unique; w, with friction, is not known to be unique")
    return CoulombAnalysis(None, None, None, "with friction w need not be unique; no other solution was found")


def _starts(problem: Coulomb, solution: CoulombSolution, d: Array, seed: int) -> Iterator[Array]:
    yield np.zeros(problem.n)
    for directions in DIRECTIONS:
        guess = _polygon(problem, directions)
        if guess is not None:
            yield guess
    rng = np.random.default_rng(seed)
    size = max(np.abs(problem.q / d).max(initial=0.0), np.abs(d * solution.z).max(initial=0.0))
    for share in SIZES:
        for _ in range(DRAWS):
            z = share * size / d * rng.random(problem.n)
            angle = 2.0 * np.pi * rng.random(len(problem.mu))
            normal = z[problem.contacts[:, 0]]
            z[problem.contacts[:, 1]] = problem.mu * normal * np.cos(angle)
            z[problem.contacts[:, 2]] = problem.mu * normal * np.sin(angle)
            yield z
