"""Certified problems (``data/certified.json``): no method claims anything false, auto is right on all of them.

Answers were proved in rational arithmetic, by enumeration of all bases up to 14 rows, or hold by construction. Of wires
``Minv``, ``G``, ``v_free`` and ``b0`` are given. Published ones name their source.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import solvers
from solvers import Status

FILE = Path(__file__).parent / "data" / "certified.json"


def matrix(given):
    if isinstance(given, dict):
        M = np.zeros(given["shape"])
        M[given["row"], given["col"]] = given["val"]
        return M
    return np.array(given, float)


@pytest.fixture(scope="module")
def cases():
    return json.loads(FILE.read_text(encoding="utf-8"))


def problem_of(case):
    free = np.isin(np.arange(case["n"]), case.get("free_rows", []))
    wire = case.get("wire")
    if wire:
        return solvers.MLCP.from_wires(matrix(wire["Minv"]), matrix(wire["G"]), wire["v_free"], wire["b0"], free=free)
    M = matrix(case.get("M", [])).reshape(case["n"], case["n"])
    return solvers.MLCP(M, np.array([float(x) for x in case.get("q", [])]), free)


def verdict(case, problem, solution):
    """'right', 'open' (no claim) or 'false', against the certified answer."""
    expected = case["expected"]["status"]
    tiny = "tolerance-decides" in (case.get("tags") or ())
    if solution.status is Status.INVALID or expected == "invalid":
        return "right" if (solution.status, expected) == (Status.INVALID, "invalid") else "false"
    if solution.status is Status.INFEASIBLE:
        return "right" if expected == "infeasible" else "false"
    if solution.status is not Status.SOLVED:
        return "open"
    if expected == "infeasible":
        return "right" if tiny else "false"
    if expected != "solved" or not problem.residual(solution.z) <= 1e-9:
        return "false"
    known = case["expected"]
    if known.get("w_unique") and known.get("w") is not None:
        error = np.max(np.abs(solution.w - np.array(known["w"], float)) / problem.d, initial=0) / problem.scale
        if error > 1e-6:
            return "false"
    if known.get("v") is not None and solution.v is not None:
        # Velocities carry the rounding of impulses that may be far larger than themselves.
        size = max(1.0, np.abs(problem.wires.v_free).max(), np.abs(np.array(known["v"], float)).max())
        if np.abs(solution.v - np.array(known["v"], float)).max() > 1e-6 * size:
            return "false"
    return "right"


@pytest.fixture(scope="module")
def solved(cases):
    """Each case, its problem, and what auto says."""
    problems = [(case, problem_of(case)) for case in cases]
    return [(case, p, solvers.solve(p)) for case, p in problems]


def test_auto_is_right_on_all_of_them(solved):
    verdicts = {}
    for case, p, s in solved:
        verdicts[case["id"]] = verdict(case, p, s)
        if s.status is Status.INFEASIBLE:
            proof = s.certificate
            y, q = proof.y, p.q
            slope = p.M.T @ y
            size = np.maximum(p.entries.T @ np.abs(y), 1e-6 * p.d * np.abs(p.d * y).max())
            assert np.all(y[~p.free] >= 0)
            assert np.max(np.where(p.free, np.abs(slope), slope) / size) <= 1e-12 * proof.margin
            assert proof.speed == pytest.approx(-q @ y)
            assert proof.speed > 0
    assert Counter(verdicts.values())["false"] == 0, [k for k, v in verdicts.items() if v == "false"]
    assert Counter(verdicts.values())["right"] == len(solved), [k for k, v in verdicts.items() if v != "right"]


def test_infeasible_beyond_tolerance_is_always_refused(solved):
    for case, _, s in solved:
        if case["expected"]["status"] == "infeasible" and "tolerance-decides" not in (case.get("tags") or ()):
            assert s.status is Status.INFEASIBLE, case["id"]
            assert s.certificate.margin > 1e-9


# The share of small cases each method concludes: what is promised, below what was measured.
@pytest.mark.parametrize(
    ("method", "least"),
    [
        ("active-set", 115),
        ("lemke", 160),
        ("pgs", 140),
        ("newton", 145),
        ("osqp", 110),
        ("interior-point", 110),
        ("cvxpy", 110),
        ("enumerate", 135),
    ],
)
def test_no_method_claims_anything_false(solved, method, least):
    count = Counter()
    for case, p, _ in solved:
        if case["n"] <= 64:
            v = verdict(case, p, solvers.solve(p, method))
            assert v != "false", case["id"]
            count[v] += 1
    assert count["right"] >= least, count


def test_uniqueness_of_z_agrees_where_known(solved):
    for case, _, s in solved:
        known = case["expected"].get("z_unique")
        if None not in (known, s.z_unique) and case["expected"]["status"] == "solved":
            assert s.z_unique == known, case["id"]


def test_ranges_of_z_agree_where_known(solved):
    for case, p, s in solved:
        low = case["expected"].get("z_min")
        if low is None or case["expected"]["status"] != "solved" or not 0 < case["n"] <= 30:
            continue
        if not p.psd:
            continue
        a = solvers.analyse(p, s)
        both = (case["expected"]["z_min"], case["expected"]["z_max"])
        bounds = [np.array([np.nan if x is None else x for x in side], float) for side in both]
        size = max(np.nanmax(np.abs(bounds)), float(p.scale / p.d.max()))
        for ours, theirs, unbounded in zip((a.low, a.high), bounds, (-np.inf, np.inf), strict=True):
            want = np.where(np.isnan(theirs), unbounded, theirs)
            assert np.array_equal(np.isinf(ours), np.isinf(want)), case["id"]
            finite = np.isfinite(want)
            assert np.abs(ours[finite] - want[finite]).max(initial=0) <= 1e-6 * size, case["id"]
        least = case["expected"].get("z_minnorm")
        if least is not None:
            assert np.abs(a.least_norm - np.array(least, float)).max() <= 1e-6 * size, case["id"]
