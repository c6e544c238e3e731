"""Problems as Matrix Market files, text that other programs read: ``NAME.mtx`` holds M, ``NAME_q.mtx`` the vector q.

Free rows are told by a third file, ``NAME_free.mtx``, a vector with 1 for a free row and 0 for others; without it all
rows are unilateral. M is in coordinate or array format, the vectors are n x 1 in either. Names of rows and the factors
of wires have no place there (an archive keeps them).

Source: Boisvert, Pozo & Remington, The Matrix Market exchange formats, NISTIR 5935 (1996).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import LCP, MLCP, ProblemError

Q, FREE = "_q", "_free"
"""What is put behind the name of M."""


def is_matrix(path: Path) -> bool:
    """Whether a file is the M of a problem, and not one of its vectors."""
    return path.suffix == ".mtx" and not path.stem.endswith((Q, FREE))


def write(folder: Path, problems: Mapping[str, MLCP]) -> None:
    """Write problems into a folder, those of the family "a" (labels "a/b") into its folder "a"; numbers in full."""
    from scipy.io import mmwrite

    taken: set[Path] = set()
    for label, problem in problems.items():
        parts = [re.sub(r"[^\w.=+-]+", "_", part).strip("._") or "problem" for part in label.split("/")]
        base = stem = folder.joinpath(*parts)
        while stem in taken:
            stem = base.with_name(f"{base.name}-{sum(one.name.startswith(base.name) for one in taken) + 1}")
        taken.add(stem)
        stem.parent.mkdir(parents=True, exist_ok=True)
        full = isinstance(problem.M, np.ndarray) and 2 * np.count_nonzero(problem.M) > problem.M.size
        M = problem.M if full else mx.to_sparse(problem.M)
        about = f" {label}\n w = M z + q, 0 <= w, z; q in {stem.name}{Q}.mtx"
        mmwrite(_file(stem), M, comment=about, precision=17)
        mmwrite(_file(stem, Q), problem.q[:, None], precision=17)
        if problem.free.any():
            mmwrite(_file(stem, FREE), problem.free.astype(int)[:, None])
        else:
            _file(stem, FREE).unlink(missing_ok=True)


def read(path: Path) -> MLCP:
    """The problem whose M is in this file. Raises ``ProblemError`` if a file is missing, or is none of this kind."""
    M, q = _read(path), _vector(_read(_file(path.with_suffix(""), Q)))
    free = np.zeros(q.size, bool)
    if _file(path.with_suffix(""), FREE).exists():
        mask = _vector(_read(_file(path.with_suffix(""), FREE)))
        if mask.size != q.size or not np.isin(mask, (0, 1)).all():
            raise ProblemError(f"{path.stem}{FREE}.mtx must hold {q.size} numbers 0 or 1, 1 for a free row")
        free = mask == 1
    if mx.is_sparse(M) and M.shape[0] <= mx.SMALL:
        M = M.toarray()
    return MLCP(M, q, free) if free.any() else LCP(M, q)


def _file(stem: Path, what: str = "") -> Path:
    return stem.with_name(f"{stem.name}{what}.mtx")


def _read(path: Path) -> Any:
    from scipy.io import mmread
    from scipy.sparse import csr_array

    try:
        found = mmread(path)
    except FileNotFoundError:
        raise ProblemError(f"no such file: {path} (M is in NAME.mtx, q in NAME{Q}.mtx)") from None
    except (ValueError, TypeError, OverflowError, EOFError) as error:
        raise ProblemError(f"{path.name} is not in Matrix Market format: {error}") from None
    if found.dtype.kind not in "iuf":
        raise ProblemError(f"{path.name} must hold real numbers, not {found.dtype}")
    return np.asarray(found, float) if isinstance(found, np.ndarray) else csr_array(found, dtype=float)


def _vector(x: Any) -> Array:
    x = x.toarray() if mx.is_sparse(x) else x
    if x.shape[1] != 1:
        raise ProblemError(f"a vector is n x 1, got {x.shape[0]} x {x.shape[1]}")
    return np.asarray(x[:, 0])
