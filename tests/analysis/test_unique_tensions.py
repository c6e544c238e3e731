"""Tensions are called unique where they are: against all corners of their set, found by trying every basis."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import towsim
from towsim.analysis import uniqueness
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")


def corners(N, f):
    """Corners of {T ≥ 0, N T = f}: what every independent choice of columns gives."""
    found = []
    for size in range(N.shape[1] + 1):
        for chosen in combinations(range(N.shape[1]), size):
            B = N[:, chosen]
            if size and np.linalg.matrix_rank(B, tol=1e-9) < size:
                continue
            T = np.zeros(N.shape[1])
            if size:
                T[list(chosen)] = np.linalg.lstsq(B, f, rcond=None)[0]
            if np.abs(N @ T - f).max() < 1e-9 and T.min() > -1e-9 and not any(np.allclose(T, one) for one in found):
                found.append(T)
    return found


def is_unique(N, f):
    """Whether {T ≥ 0, N T = f} is one point: it has one corner, and no ray (N r = 0, r ≥ 0, Σ r = 1)."""
    ray = corners(np.vstack([N, np.ones(N.shape[1])]), np.r_[np.zeros(len(N)), 1.0])
    return len(corners(N, f)) == 1 and not ray


def at_rest(rng, point):
    """A body that hangs in balance on wires along whole numbers, of which some may bear nothing: (scene, N, f)."""
    n = int(rng.integers(2, 8))
    flat = rng.random() < 0.4  # wires in a plane make dependent ones likely
    along = rng.integers(-1, 2, (n, 3)).astype(float)
    if flat:
        along[:, 1] = 0.0
    along[np.abs(along).max(axis=1) == 0.0, 2] = 1.0
    at = np.zeros((n, 3)) if point else rng.integers(-1, 2, (n, 3)).astype(float)
    length = np.linalg.norm(along, axis=1)
    tension = rng.integers(1, 4, n) * (rng.random(n) < rng.choice([0.2, 0.5, 1.0]))
    n_ = along / length[:, None]
    N = n_.T if point else np.vstack([n_.T, np.cross(at, n_).T])
    f = N @ tension
    body = {"mass": 1.0, "position": [0, 0, 0], "force": {a: str(float(-x)) for a, x in zip("xyz", f[:3], strict=True)}}
    if point:
        body["point"] = True
        ends = ["bob"] * n
    else:
        body |= {"inertia": [1.0, 1.5, 2.0], "points": {f"p{i}": at[i].tolist() for i in range(n)}}
        body["torque"] = {a: str(float(-x)) for a, x in zip("xyz", f[3:], strict=True)}
        ends = [f"bob.p{i}" for i in range(n)]
    data = {
        "name": "balance",
        "gravity": [0, 0, 0],
        "bodies": {"bob": body},
        "robots": {f"r{i}": {"position": (at[i] + along[i]).tolist()} for i in range(n)},
        "wires": {f"w{i}": {"from": ends[i], "to": f"r{i}", "length": float(length[i])} for i in range(n)},
        "run": {"duration": 6e-3, "step": 1e-3},
    }
    return scene_from_data(data), N, f


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("point", [True, False], ids=["point", "body"])
def test_the_run_the_analysis_and_all_corners_agree(point, method):
    rng = np.random.default_rng(27)
    kinds = Counter()
    for _ in range(40):
        scene, N, f = at_rest(rng, point)
        truth = is_unique(N, f)
        result = towsim.simulate(scene, method=method)
        told = result["tension_unique"].values[1:-1]
        assert (told == truth).all(), (np.round(N, 3), f, told, truth)
        found = uniqueness(result, every=4, ranges=False)
        assert (found.unique == truth).all()
        kinds[bool(truth), bool(result["rank"].values[2] < N.shape[1])] += 1
    assert len(kinds) == 3, kinds  # unique with and without dependent wires, and not unique


def test_a_plate_on_four_wires_up_and_two_down():
    """Gravity alone: two opposed corners bear the plate, or all; the wires below may pull with any tension."""
    rows = {"u": [(1, 1), (-1, 1), (-1, -1), (1, -1)], "d": [(1, 0), (-1, 0)]}
    for down, truth in ((1.0, 0), (0.5, 0)):
        points, robots, wires = {}, {}, {}
        for kind, places in rows.items():
            for i, (x, y) in enumerate(places):
                points[f"{kind}{i}"] = [x, y, 0]
                robots[f"{kind}{i}"] = {"position": [x, y, 1.0 if kind == "u" else -down]}
                wires[f"{kind}{i}"] = {"from": f"plate.{kind}{i}", "to": f"{kind}{i}", "length": 1.0}
        data = {
            "name": "plate",
            "bodies": {"plate": {"mass": 2.0, "inertia": [1, 1, 2], "position": [0, 0, 0], "points": points}},
            "robots": robots,
            "wires": wires,
            "run": {"duration": 0.01, "step": 1e-3},
        }
        assert (towsim.simulate(scene_from_data(data))["tension_unique"].values == truth).all()
