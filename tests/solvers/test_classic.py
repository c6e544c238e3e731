"""Named problems of the literature and the known stumbling blocks, with answers known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import solvers
from solvers import Status

METHODS = solvers.available()


def murty(n):
    """Murty 1978: Lemke's method takes 2^n pivots; z = (0, ..., 0, 1)."""
    return np.eye(n) + 2 * np.tril(np.ones((n, n)), -1).T, np.eye(n)[-1]


def fathi(n):
    """Fathi 1979, symmetric positive definite; q = -1 gives z = (1, 0, ..., 0)."""
    U = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1)
    return U @ U.T, np.eye(n)[0]


def solvable(problem, method):
    backend = solvers.backends.registry.BUILT_IN.get(method)
    return backend is None or (not backend.needs_psd or problem.psd)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("family", [murty, fathi])
@pytest.mark.parametrize("n", [3, 8, 14])
def test_murty_and_fathi(method, family, n):
    M, z = family(n)
    p = solvers.LCP(M, -np.ones(n))
    s = solvers.solve(p, method)
    if not solvable(p, method):
        assert s.status is Status.UNSUPPORTED
    elif s.solved:
        assert s.z == pytest.approx(z, abs=1e-5)
    else:
        assert method in ("pgs", "newton"), s.message


@pytest.mark.slow
@pytest.mark.parametrize("family", [murty, fathi])
@pytest.mark.parametrize("q", ["ones", "powers", "reversed"])
def test_murty_and_fathi_at_twenty(family, q):
    n = 20
    M, _ = family(n)
    vector = {"ones": np.ones(n), "powers": 2.0 ** np.arange(n), "reversed": 2.0 ** np.arange(n)[::-1]}[q]
    for A in (M, M.T):
        p = solvers.LCP(A, -vector)
        s = solvers.solve(p)
        assert s.solved, s.message
        assert p.residual(s.z) <= 1e-9


def test_kostreva_cycling():
    """A cyclic P-matrix: exchanging the most negative row over and over returns to where it began (Kostreva 1979)."""
    M = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]])
    for q in ([-1.0, -1.0, -1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, -1.0], [-1.0, 1.0, -1.0]):
        oracle = solvers.solve(solvers.LCP(M, q), "enumerate")
        for method in ("auto", "lemke", "newton"):
            s = solvers.solve(solvers.LCP(M, q), method)
            assert s.solved
            assert s.w == pytest.approx(oracle.w, abs=1e-8)


@pytest.mark.parametrize("voltage", [-1.0, 0.0, 2.5])
def test_diode_bridge_rectifies(voltage):
    """Four ideal diodes, a source with 1 Ω in series, a load of 1 Ω: the load's current is |V| / 2.

    M is not symmetric, and its diagonal is zero on all diodes.
    """
    # u: potentials of the nodes a, b, c against d = 0; z: currents of the diodes a->c, b->c, d->a, d->b.
    # Nodes a, b: source V with 1 Ω between them; nodes c, d: load 1 Ω.
    K = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    inject = np.array([voltage, -voltage, 0.0])
    # Diode currents leave a and b towards c, and enter them from d.
    C = np.array([[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0], [-1.0, -1.0, 0.0, 0.0]])
    # Reverse voltages: c - a, c - b, a - d, b - d.
    D = -C.T
    p = solvers.MLCP.from_blocks(K, C, D, np.zeros((4, 4)), -inject, np.zeros(4))
    assert not p.psd
    for method in ("auto", "newton", "enumerate"):
        s = solvers.solve(p, method)
        if method == "newton" and not s.solved:
            continue
        assert s.solved, s.message
        assert s.z[2] == pytest.approx(abs(voltage) / 2, abs=1e-9)


@pytest.mark.parametrize("bits", [-10, 10])
@pytest.mark.parametrize("method", METHODS)
def test_mass_ratios_on_a_doubled_rod(method, bits):
    """Two rods between the same bodies, mass ratio 2^±10: the velocity is unique, the rods share the impulse."""
    heavy = 2.0**bits
    G = np.array([[1.0, 1.0], [-1.0, -1.0]])
    p = solvers.MLCP.from_wires([1.0, 1 / heavy], G, [1.0, 0.0], [0.0, 0.0], free=[True, True])
    s = solvers.solve(p, method)
    assert s.solved, s.message
    assert s.v == pytest.approx(np.full(2, 1 / (1 + heavy)), rel=1e-8)
    assert s.z_unique is False


@pytest.mark.parametrize("method", METHODS)
def test_borderline_rows(method):
    """Three of four wires are exactly on the border: w = 0 without any tension."""
    G = np.array([[1.0, 0.0, -1.0, 0.6], [0.0, 1.0, 0.0, 0.8]])
    p = solvers.LCP.from_wires([1.0, 1.0], G, [0.0, -1.0], [0.0, 0.0, 0.0, 1.0])
    s = solvers.solve(p, method)
    assert s.solved, s.message
    assert s.v == pytest.approx([0, 0], abs=1e-8)
    assert s.z[1] == pytest.approx(1.0, abs=1e-6)


def test_long_sparse_chain_is_not_made_dense(monkeypatch):
    from solvers import matrix

    monkeypatch.setattr(matrix, "to_dense", None)
    n = 10_000
    M = sp.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1]).tocsr()
    rng = np.random.default_rng(0)
    z = np.where(rng.random(n) < 0.6, rng.integers(1, 256, n) / 64, 0.0)
    w = np.where(z > 0, 0.0, rng.integers(0, 128, n) / 64)
    s = solvers.solve(solvers.LCP(M, w - M @ z))
    assert s.solved
    assert s.z == pytest.approx(z, abs=1e-9)
    assert s.z_unique
    warm = solvers.solve(solvers.LCP(M, w - M @ z), start=s.z)
    assert warm.iterations == 1


def test_tree_in_any_numbering_and_as_an_envelope():
    rng = np.random.default_rng(1)
    nb = 400
    row, col, data = [], [], []
    for k in range(1, nb):
        d = rng.normal(size=2)
        for t in range(2):
            row += [2 * int(rng.integers(max(0, k - 9), k)) + t, 2 * k + t]
            col += [k - 1, k - 1]
            data += [d[t], -d[t]]
    G = sp.csr_array((data, (row, col)), shape=(2 * nb, nb - 1))
    p = solvers.LCP.from_wires(np.ones(2 * nb), G, rng.normal(size=2 * nb), np.zeros(nb - 1))
    s = solvers.solve(p)
    assert s.solved
    dense = solvers.LCP(p.M.toarray(), p.q)
    assert solvers.solve(dense, "lemke").w == pytest.approx(s.w, abs=1e-8)
    E = dense.envelope
    assert solvers.solve(solvers.LCP(solvers.Envelope(E.val, E.ptr), p.q)).w == pytest.approx(s.w, abs=1e-8)


def test_warm_start_survives_a_change_of_q():
    rng = np.random.default_rng(2)
    J = rng.normal(size=(40, 60))
    p = solvers.LCP(J @ J.T, rng.normal(size=40))
    s = solvers.solve(p)
    again = solvers.solve(p.with_q(p.q * (1 + 1e-6 * rng.normal(size=40))), start=s.z)
    assert again.solved
    assert again.iterations == 1
