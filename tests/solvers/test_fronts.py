"""Large sparse problems, eliminated by fronts, have the solutions that the envelope finds."""

import numpy as np
import pytest

import towsim
from solvers.active_set import elimination
from solvers.active_set.basis import DEPENDENT, minimise, rank_in_envelope
from solvers.active_set.envelope import multiply, workspace
from solvers.active_set.fronts import factor, room, solve
from solvers.active_set.large import Large, warm_start_large
from solvers.active_set.loop import active_set
from solvers.matrix import to_envelope
from towsim.methods import stepper
from towsim.scene import scene_from_data


@pytest.fixture(autouse=True)
def _always(monkeypatch):
    """Small problems, too."""
    monkeypatch.setattr(elimination, "LARGE", 1)
    monkeypatch.setattr(elimination, "BETTER", 0.0)


def grid(side, rng, *, twice=0):
    """A = J Jᵀ of a net of unit masses and wires in random directions, and where its entries are; some wires twice."""
    from scipy.sparse import csr_matrix

    ends = [(side * i + j, side * i + j + 1) for i in range(side) for j in range(side - 1)]
    ends += [(side * i + j, side * i + side + j) for i in range(side - 1) for j in range(side)]
    ends += [ends[k] for k in range(twice)]
    J = np.zeros((len(ends), 3 * side * side))
    for row, (a, b) in enumerate(ends):
        way = rng.normal(size=3)
        J[row, 3 * a : 3 * a + 3], J[row, 3 * b : 3 * b + 3] = way, -way
    J[len(ends) - twice :] = J[:twice]
    E = to_envelope(csr_matrix(J @ J.T))
    return E, np.flatnonzero(E.val != 0.0)


@pytest.mark.parametrize("side", [2, 3, 7, 12])
def test_active_rows_are_solved_as_in_the_envelope(side):
    rng = np.random.default_rng(side)
    E, at = grid(side, rng)
    n = len(E.ptr) - 1
    tree = elimination.plan(E.ptr, at)
    m, q = room(tree), rng.normal(size=n)
    for share in (1.0, 0.7, 0.2, 0.0):
        active = rng.random(n) < share
        rank = factor(E.val, E.ptr, tree, active, DEPENDENT, m, np.zeros(n, np.int64), np.zeros(n))
        assert rank == rank_in_envelope(type(E)(E.val, E.ptr), active)
        m.x[:] = -q[tree.row]
        solve(tree, m)
        z, w = np.empty(n), np.empty(n)
        minimise(E.val, E.ptr, q, active, z, w, *workspace(n, len(E.val)))
        mine = np.empty(n)
        mine[tree.row] = m.x
        assert np.abs(mine - z).max() <= 1e-9 * max(1.0, np.abs(z).max())  # cond(A) is some 1e4


def test_every_row_and_every_entry_has_one_place():
    E, at = grid(9, np.random.default_rng(1))
    tree = elimination.plan(E.ptr, at)
    n = len(E.ptr) - 1
    assert sorted(tree.row) == list(range(n))
    assert sorted(tree.fill[:, 0]) == at.tolist()
    assert len(set(tree.fill[:, 1])) == len(at)
    assert tree.first[0] == 0
    assert tree.first[-1] == n
    assert (np.diff(tree.first) > 0).all()


def test_dependent_rows_are_skipped_and_their_rates_vanish():
    rng = np.random.default_rng(5)
    E, at = grid(6, rng, twice=9)
    n = len(E.ptr) - 1
    tree = elimination.plan(E.ptr, at)
    m = room(tree)
    rank = factor(E.val, E.ptr, tree, np.ones(n, bool), DEPENDENT, m, np.zeros(n, np.int64), np.zeros(n))
    assert rank == rank_in_envelope(type(E)(E.val, E.ptr), np.ones(n, bool)) == n - 9


def test_complementarity_problems_have_the_same_rates():
    settled = 0
    for seed in range(16):
        rng = np.random.default_rng(seed)
        E, at = grid(6, rng, twice=seed % 4)
        n, ptr, q = len(E.ptr) - 1, E.ptr, rng.normal(size=len(E.ptr) - 1)
        if seed % 4:  # wires that are there twice have a solution if q is in the range of A
            multiply(E.val, ptr, np.zeros(n), rng.normal(size=n), q)
        kind = np.zeros(n, np.int8)
        one, other = (np.zeros(n), np.zeros(n), np.zeros(n, bool)), (np.zeros(n), np.zeros(n), np.zeros(n, bool))
        status, *_ = active_set(E.val, ptr, q, kind, *other, *workspace(n, len(E.val)))
        assert status == 0
        tree = elimination.plan(ptr, at)
        order, scratch = Large(tree, room(tree)), workspace(n, len(E.val))
        residual, _, rank, _ = warm_start_large(E.val, ptr, order, q, kind, *one, *scratch, 0.0, False)
        if residual < 0.0:  # the search takes over
            continue
        settled += 1
        assert one[0].min() >= 0.0
        assert rank == one[2].sum()
        assert np.abs(one[1] - other[1]).max() <= 1e-9 * np.abs(q).max()
    assert settled >= 12  # it does of nearly all: a block exchange rarely cycles


def shell(side):
    """A, q and where entries are: a net of unit masses in a frame, sagging as a product of parabolas, begins to fall.

    Wires along x that pull brace those along y that push, in one way: A n = 0, with entries of both signs.
    """
    from scipy.sparse import csr_matrix

    def place(i, j):
        x, y = (2.0 * (k + 1) / (side + 1) - 1.0 for k in (i, j))
        return np.array([x, y, -0.2 * (1.0 - x * x) * (1.0 - y * y)])

    rows, q = [], []
    for i, j in np.ndindex(side + 1, side + 1):
        for k, m in ((i - 1, j), (i, j - 1)):
            ends = [at for at in ((i, j), (k, m)) if min(at) >= 0 and max(at) < side]
            if ends:
                way = place(i, j) - place(k, m)
                way /= np.linalg.norm(way)
                row = np.zeros((side, side, 3))
                for at in ends:
                    row[at] = way if at == (k, m) else -way
                rows.append(row.ravel())
                q.append(-row[:, :, 2].sum())
    J = np.array(rows)
    E = to_envelope(csr_matrix(J @ J.T))
    order = np.arange(len(q)) if E.order is None else E.order
    return E, np.flatnonzero(E.val != 0.0), np.array(q)[order]


@pytest.mark.parametrize("contradiction", [0.0, 1e-7, -1e-7])
def test_rows_that_brace_each_other_part_where_one_must(contradiction):
    E, at, q = shell(5)
    n, ptr = len(q), E.ptr
    tree = elimination.plan(ptr, at)
    order, scratch, kind = Large(tree, room(tree)), workspace(n, len(E.val)), np.zeros(n, np.int8)
    assert rank_in_envelope(type(E)(E.val, ptr), np.ones(n, bool)) == n - 1
    q = q + contradiction * np.random.default_rng(3).normal(size=n)
    one, other = (np.zeros(n), np.zeros(n), np.ones(n, bool)), (np.zeros(n), np.zeros(n), np.zeros(n, bool))
    status, *_ = active_set(E.val, ptr, q, kind, *other, *workspace(n, len(E.val)))
    residual, spent, rank, redundant = warm_start_large(E.val, ptr, order, q, kind, *one, *scratch, 0.0, False)
    assert status == 0
    assert residual >= 0.0
    assert redundant
    assert spent <= 8
    assert rank == one[2].sum() <= n - 1
    assert one[0].min() >= 0.0
    assert np.abs(one[1] - other[1]).max() <= 1e-12


def test_a_net_falls_as_in_the_envelope(monkeypatch):
    mass = {"mass": 0.1, "point": True}
    data = {"bodies": {}, "robots": {}, "wires": {}}
    for i in range(6):
        for j in range(6):
            data["bodies"][f"m{i}{j}"] = mass | {"position": [0.1 * i, 0.1 * j, 0.0]}
            for k, m in ((i - 1, j), (i, j - 1)):
                if min(k, m) >= 0:
                    data["wires"][f"w{i}{j}{k}{m}"] = {"from": f"m{i}{j}", "to": f"m{k}{m}", "length": 0.102}
    for i, j in ((0, 0), (0, 5), (5, 0), (5, 5)):
        data["robots"][f"r{i}{j}"] = {"position": [0.1 * i, 0.1 * j, 0.2]}
        data["wires"][f"r{i}{j}w"] = {"from": f"m{i}{j}", "to": f"r{i}{j}", "length": 0.2}
    scene = scene_from_data(data)
    asked = []
    plan = stepper.large_problem
    monkeypatch.setattr(stepper, "large_problem", lambda model: asked.append(1) or plan(model))
    ours = towsim.Simulation(scene, step=1e-3, stretch_limit=0.02)
    ours.step(250)
    assert asked
    monkeypatch.setattr(stepper, "large_problem", lambda model: None)
    other = towsim.Simulation(scene, step=1e-3, stretch_limit=0.02)
    other.step(250)
    a, b = ours.result(), other.result()
    assert set(a["status"].values) == {0}
    assert np.abs(a["position"].values - b["position"].values).max() < 1e-9  # impacts multiply rounding
    assert (a["gap"].values > -1e-3).all()
