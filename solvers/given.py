"""What was given in place of a problem, a solution or a start: told in words, with what to call instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from solvers.matrix import Array
from solvers.problem import ProblemError, numbers
from solvers.quote import show

PLAIN = ("LCP", "MLCP", "MCP")
"""Classes of problems without friction."""

OURS = (*PLAIN, "Coulomb", "Solution", "BoxSolution", "CoulombSolution")
"""Classes that have something that they are for."""


def wrong(caller: str, takes: str, given: object, instead: dict[str, str] | None = None) -> ProblemError:
    """The error of a function that takes something else.

    Parameters
    ----------
    takes : what, with its article
    instead : by the name of a class, what to do with one of it
    """
    kind = type(given).__name__
    got = f"{'a' if kind[0] in 'SBC' else 'an'} {kind}" if kind in OURS else show(given)
    hint = (instead or {}).get(kind)
    return ProblemError(f"{caller} takes {takes}, got {got}{f'; {hint}' if hint else ''}")


def expect(
    kinds: type | tuple[type, ...], caller: str, takes: str, given: object, instead: dict[str, str] | None = None
) -> None:
    """Raise the error of ``wrong`` for what is of none of these classes."""
    if not isinstance(given, kinds):
        raise wrong(caller, takes, given, instead)


def expect_problems(kind: type, caller: str, given: Any) -> None:
    """Raise ``ProblemError`` for what is no mapping from labels to LCPs and MLCPs."""
    if not isinstance(given, Mapping):
        raise wrong(caller, "problems by their labels, {label: problem, ..}", given)
    for problem in given.values():
        expect(kind, caller, "LCPs and MLCPs", problem, {"MCP": "the MLCP behind its bounds is its .reduced"})


def expect_solution(kind: type, caller: str, source: str, solution: Any, n: int) -> None:
    """Raise ``ProblemError`` for what is no solution, of that class and with z (n,), as ``source`` gives it."""
    expect(kind, caller, f"the solution that {source} gives of the problem", solution)
    if solution.z.shape != (n,):
        raise ProblemError(
            f"{caller} takes the solution of its problem, of {n} rows, got one of {len(solution.z)} rows"
        )


def start_of(given: Any, n: int) -> Array:
    """A start as (n,) floats; ProblemError if it is not as many finite numbers."""
    start: Array = numbers("start", given, np.asarray)
    if start.shape != (n,):
        raise ProblemError(f"start must have length {n}, got shape {start.shape}")
    finite = np.isfinite(start)
    if not finite.all():
        i = int(finite.argmin())
        raise ProblemError(f"start[{i}] is {start[i]}; every number must be finite")
    return start


def rows_of(what: str, given: Any, width: int) -> Array:
    """Row numbers (k, ``width``) as integers; ProblemError if they are none, or not as many in a row.

    Whole numbers in floats are taken: a table that has been through a file may have them.
    """
    table: Array = numbers(what, given, np.asarray)
    if table.size and (table.shape[1:] != (width,) if table.ndim != 1 else table.size % width):
        raise ProblemError(f"{what} must have shape (k, {width}), got {table.shape}")
    table = table.reshape(-1, width)
    whole = np.isfinite(table) & (table == np.rint(table))
    if not whole.all():
        k = int((~whole).any(axis=1).argmax())
        raise ProblemError(f"{what}[{k}] must be row numbers, got {show(table[k].tolist())}")
    return np.ascontiguousarray(table, np.int64)
