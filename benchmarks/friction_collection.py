"""Does the exact cone solve a published collection of friction problems? ``friction_collection.py FOLDER`` tells.

The folder is ``numerics/src/FrictionContact/test/data`` of Siconos (https://github.com/siconos/siconos, Apache-2.0),
which is not part of towsim. Taken are the files of local problems in three dimensions,

    u = M r + q,    K* ∋ u + μ |u_t| n ⟂ r ∈ K = {r: |r_t| <= μ r_n}        (one cone a contact),

stored as a dense matrix or as blocks. The answer is judged by the natural map of that law, written here once more,
r − proj_K(r − ρ (u + μ |u_t| n)), over ρ = 1 / M_nn and the size of q, with the file's own M.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np
import scipy.sparse as sp
from report import header, table, verdict

from solvers import Coulomb, ProblemError, solve_coulomb

GOOD = 1e-8
"""Natural map, over the size of q, up to which a problem counts as solved."""


def read(path: Path) -> Coulomb | None:
    """The problem of a file; None of another kind of file."""
    try:
        numbers = iter(path.read_text(encoding="utf-8").split())
        dimension, count, storage = (int(next(numbers)) for _ in range(3))
        if dimension != 3 or storage not in (0, 1) or path.name.startswith("G"):  # G: with the velocities
            return None
        rows, _ = int(next(numbers)), int(next(numbers))
        M = _dense(numbers) if storage == 0 else _blocks(numbers)
        q, mu = (np.array([float(next(numbers)) for _ in range(n)]) for n in (rows, count))
    except (ValueError, StopIteration, UnicodeDecodeError):
        return None
    return Coulomb(M, q, np.arange(rows).reshape(-1, 3), mu)


def _dense(numbers) -> np.ndarray:
    rows, columns = int(next(numbers)), int(next(numbers))
    return np.array([float(next(numbers)) for _ in range(rows * columns)]).reshape(columns, rows).T


def _blocks(numbers) -> sp.csr_array:
    _, high, wide = (int(next(numbers)) for _ in range(3))
    row_ends, column_ends = ([0] + [int(next(numbers)) for _ in range(n)] for n in (high, wide))
    lengths = int(next(numbers)), int(next(numbers))
    starts, place = ([int(next(numbers)) for _ in range(n)] for n in lengths)
    M = sp.lil_array((row_ends[-1], column_ends[-1]))
    for i in range(high):
        for k in range(starts[i], starts[i + 1]):
            next(numbers)  # of the block
            j = place[k]
            shape = column_ends[j + 1] - column_ends[j], row_ends[i + 1] - row_ends[i]
            block = np.array([float(next(numbers)) for _ in range(shape[0] * shape[1])]).reshape(shape).T
            M[row_ends[i] : row_ends[i + 1], column_ends[j] : column_ends[j + 1]] = block
    return M.tocsr()


def natural_map(M, q: np.ndarray, mu: np.ndarray, r: np.ndarray) -> float:
    """Largest component of r − proj_K(r − ρ û), over ρ and the largest q."""
    u = (M @ r + q).reshape(-1, 3)
    r = r.reshape(-1, 3)
    rho = 1.0 / M.diagonal().reshape(-1, 3)[:, :1]
    s = r - rho * (u + np.outer(mu * np.hypot(u[:, 1], u[:, 2]), [1.0, 0.0, 0.0]))
    n, t = s[:, 0], np.hypot(s[:, 1], s[:, 2])
    on_cone = np.clip((n + mu * t) / (1.0 + mu**2), 0.0, None)  # normal of the nearest point, from without
    inside = t <= mu * n
    normal = np.where(inside, n, on_cone)
    shrink = np.where(inside, 1.0, mu * on_cone / np.where(t > 0.0, t, 1.0))
    nearest = np.column_stack([normal, s[:, 1] * shrink, s[:, 2] * shrink])
    return float((np.abs(r - nearest) / rho).max() / max(np.abs(q).max(), 1e-300))


def main() -> None:
    """Solve all of them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, help="where the files are")
    options.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV, too")
    given = options.parse_args()
    header("scipy")
    lines, solved = [], 0
    for path in sorted(given.folder.glob("*.dat")):
        try:
            problem = read(path)
        except ProblemError as error:
            lines.append([path.name, 0, 0.0, f"refused: {error}", np.nan, 0.0])
            continue
        if problem is None:
            continue
        begin = process_time()
        solution = solve_coulomb(problem)
        spent = process_time() - begin
        residual = natural_map(problem.M, problem.q, problem.mu, solution.z) if solution.solved else np.nan
        solved += bool(residual <= GOOD)
        off = float(abs(problem.M - problem.M.T).max() / abs(problem.M).max())
        lines.append([path.name, len(problem.mu), off, str(solution.status), residual, spent])
    table(["problem", "contacts", "asymmetry", "status", "natural map", "processor s"], lines, given.csv)
    print()
    verdict("solved", solved, len(lines), f"of {len(lines)}", at_least=True)


if __name__ == "__main__":
    main()
