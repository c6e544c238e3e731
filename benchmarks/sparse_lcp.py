"""How long do large sparse LCPs take that are not symmetric: an American put, M-matrices of a mesh and of a graph?

One call of ``solvers.solve`` each, its checks included. The put is one implicit step of the Black-Scholes operator in
the logarithm of the price (Wilmott, Dewynne & Howison, Option Pricing, 1993); the mesh is a five-point Laplacian with
wind; of the graph every row has three neighbours on average. Time is that of the processor as well, as a core may be
shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter, process_time

import numpy as np
import report
import scipy.sparse as sp

import solvers


def american_put(n: int, step: float = 0.02, rate: float = 0.05, volatility: float = 0.3) -> solvers.LCP:
    """w = (1/Δt − L)(z + payoff) − payoff/Δt, z = value − payoff ≥ 0, L z = ½σ² z″ + (r − ½σ²) z′ − r z."""
    x = np.linspace(-4.0, 4.0, n)
    second, first = 0.5 * (volatility / (x[1] - x[0])) ** 2, (rate - 0.5 * volatility**2) / (2.0 * (x[1] - x[0]))
    beside = np.full(n - 1, -second - first), np.full(n - 1, -second + first)
    M = sp.diags_array([np.full(n, 1.0 / step + 2.0 * second + rate), *beside], offsets=[0, 1, -1]).tocsr()
    payoff = np.maximum(1.0 - np.exp(x), 0.0)
    return solvers.LCP(M, M @ payoff - payoff / step)


def mesh(side: int, wind: float = 0.3) -> solvers.LCP:
    """Obstacle problem on a square of ``side`` by ``side`` points."""
    line = np.ones(side - 1)
    T = sp.diags_array([np.full(side, 2.0), -line, -line], offsets=[0, 1, -1])
    W = sp.diags_array([np.full(side, wind), -wind * line], offsets=[0, -1])
    one = sp.eye_array(side)
    M = (sp.kron(one, T) + sp.kron(T, one) + sp.kron(one, W)).tocsr()
    return solvers.LCP(M, np.random.default_rng(0).normal(size=side**2) - 0.1)


def graph(n: int) -> solvers.LCP:
    """Diagonally dominant M-matrix on a random directed graph."""
    rng = np.random.default_rng(0)
    G = sp.random_array((n, n), density=3.0 / n, rng=rng, format="csr")
    G = G - sp.diags_array(G.diagonal())
    return solvers.LCP((sp.diags_array(np.asarray(G.sum(axis=1)).ravel() + 0.5) - G).tocsr(), rng.normal(size=n))


def problems(small: bool) -> Iterator[tuple[str, solvers.LCP]]:
    """(name, problem), a tenth of the size if small."""
    part = 10 if small else 1
    yield "American put", american_put(20_000 // part)
    yield "mesh with wind", mesh(100 if small else 316)
    yield "random graph", graph(100_000 // part)


def main() -> None:
    arguments = report.parser(str(__doc__)).parse_args()
    report.header("numpy", "scipy")
    rows: list[list[report.Cell]] = []
    for name, problem in problems(arguments.quick):
        begin, spent = perf_counter(), process_time()
        s = solvers.solve(problem)
        wall, cpu = perf_counter() - begin, process_time() - spent
        rows.append([name, problem.n, str(s.status), s.method, s.iterations, s.residual, wall, cpu])
    columns = ("problem", "n", "status", "method", "iterations", "residual", "s", "processor s")
    report.table(columns, rows, arguments.csv)
    print()
    for row in rows:
        report.verdict(str(row[0]), float(row[-1]), 30.0, "s")


if __name__ == "__main__":
    main()
