"""What a solver may say about a problem, as words for people and as integers for kernels."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Verdict on a problem; ``SOLVED``, ``INFEASIBLE`` and ``NO_SOLUTION`` are claims, and are checked in numbers.

    ``INFEASIBLE``: no z gives all signs. ``NO_SOLUTION``: some do, but none is complementary (all bases were tried).
    """

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    NO_CONCLUSION = "no_conclusion"
    ITERATION_LIMIT = "iteration_limit"
    UNSUPPORTED = "unsupported"
    INVALID = "invalid"
    NO_SOLUTION = "no_solution"


CODES = tuple(Status)
"""``CODES[k]`` is the status that a kernel returns as the integer k."""

SOLVED, INFEASIBLE, NO_CONCLUSION, ITERATION_LIMIT, UNSUPPORTED, INVALID, NO_SOLUTION, RAY = range(8)
"""The same as integers; ``RAY`` is lemke's own, no conclusion from a secondary ray, whose z-part z holds then."""

ACCEPT = 1e-9
"""Largest scaled residual of an answer that may be called solved (see ``Problem.residual``)."""

FARKAS_GAP = 1e-12
"""Share of its margin by which a Farkas vector may miss Mᵀy ≤ 0 (see ``certificates``)."""

ROUNDED_GAP, ROUNDED_SHARE = 1e-15, 1e-8
"""A miss of Mᵀy ≤ 0 that is rounding of its terms, and the share of the margin that it may be then."""
