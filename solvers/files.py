"""Problems in files: numpy archives without pickle, Matrix Market files (``save`` writes both), or JSON.

``load`` also reads what others make: an archive with arrays ``M``, ``q`` and optionally ``free`` (bool mask or row
numbers) and ``names``; JSON with an object of those keys, or a list of them; ``NAME.mtx`` beside ``NAME_q.mtx``
(:mod:`solvers.matrix_market`); and a folder of all these. A sparse M is ``M.data``, ``M.indices``, ``M.indptr`` and
``M.shape`` (by rows) in an archive; in JSON, M is a table of rows or ``{"shape": [n, n], "row": [...], "col": [...],
"val": [...]}``. Labels of a folder's problems are their paths in it, so that the folders in it are families.
"""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers import matrix_market
from solvers.given import expect_problems
from solvers.matrix import Array
from solvers.problem import LCP, MLCP, ProblemError, Wires
from solvers.quote import show

HEADER = "complementarity_problems"
VERSION = 1
# What numpy and zipfile raise on files that were cut or changed.
DAMAGED = (ValueError, LookupError, TypeError, EOFError, ArithmeticError, RuntimeError, zipfile.BadZipFile, zlib.error)
KEYS = ("M", "q", "free", "free_rows", "names", "id")


def save(path: str | Path, problems: Mapping[str, MLCP]) -> Path:
    """Write problems under their labels to a ``.npz`` file, whole or not at all; an existing file is replaced.

    A name without a suffix is a folder, into which each problem is written as Matrix Market files. Raises
    ``ProblemError`` for other names, and other problems.
    """
    path = Path(path)
    expect_problems(MLCP, "save", problems)
    if not path.suffix:
        matrix_market.write(path, problems)
        return path
    if path.suffix != ".npz":
        raise ProblemError(
            f"problems are saved as .npz, or in a folder (a name without a suffix); got {show(path.name)}"
        )
    arrays: dict[str, Array] = {}
    names: list[list[str]] = []
    entries = []
    for k, (label, problem) in enumerate(problems.items()):
        _put(arrays, f"{k}.M", problem.M)
        arrays[f"{k}.q"], arrays[f"{k}.free"] = problem.q, problem.free
        if problem.rate is not None:
            arrays[f"{k}.rate"] = problem.rate
        if problem.wires is not None:
            wires = problem.wires
            _put(arrays, f"{k}.G", wires.G)
            arrays |= {f"{k}.Minv": wires.Minv, f"{k}.v_free": wires.v_free, f"{k}.bias": wires.bias}
            if wires.compliance is not None:
                arrays[f"{k}.compliance"] = wires.compliance
        own = [str(name) for name in problem.names]
        if own not in names[-1:]:  # the steps of a run share their names
            names.append(own)
        entries.append({"label": label, "names": len(names) - 1, "kind_of_row": problem.kind_of_row})
    header = json.dumps({"version": VERSION, "names": names, "problems": entries})
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            np.savez_compressed(file, **{HEADER: np.frombuffer(header.encode(), np.uint8), **arrays})  # type: ignore[arg-type]
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def load(path: str | Path) -> dict[str, MLCP]:
    """Problems of a ``.npz``, ``.json`` or ``.mtx`` file by label, in the order of the file; or of a folder of them.

    Raises ``ProblemError`` if there is no such file, or it holds something else; the message says where and what.
    """
    path = Path(path)
    if path.is_dir():
        return _from_folder(path)
    try:
        if path.suffix == ".mtx":
            found = {path.stem: matrix_market.read(path)}
        elif path.suffix == ".json":
            found = _from_json(path.read_text(encoding="utf-8"), path.stem)
        elif path.suffix == ".npz" or not path.exists():
            found = _from_archive(path)
        else:
            raise ProblemError("problems are in .npz, .json and .mtx files, and in folders of them")
    except FileNotFoundError:
        raise ProblemError(f"no such file: {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError(f"cannot read {path}: {error}") from None
    except ProblemError as error:
        raise ProblemError(f"{path}: {error}") from None
    if not found:
        raise ProblemError(f"{path} holds no problem")
    return found


def _from_folder(folder: Path) -> dict[str, MLCP]:
    """Problems by their path in the folder, without the suffix; those of a file of several by path and label."""
    found: dict[str, MLCP] = {}
    for path in sorted(folder.rglob("*")):
        if not (path.suffix in (".npz", ".json") or matrix_market.is_matrix(path)):
            continue
        own, stem = load(path), path.relative_to(folder).with_suffix("").as_posix()
        for label, problem in own.items():
            name = stem if len(own) == 1 else f"{stem}/{label}"
            found[name if name not in found else f"{name} ({path.suffix[1:]})"] = problem
    if not found:
        raise ProblemError(f"{folder} holds no problems: no file ends in .npz, .json or .mtx")
    return found


def _from_archive(path: Path) -> dict[str, MLCP]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise ProblemError("is one array, not an archive of them; save M and q with np.savez(file, M=M, q=q)")
            if HEADER in archive:
                return _saved(archive)
            given: dict[str, Any] = {key: archive[key] for key in archive.files if not key.startswith("M.")}
            if "M.data" in archive:
                given["M"] = _get(archive, "M")
            return {path.stem: _plain(given)}
    except DAMAGED as error:
        if isinstance(error, ProblemError):
            raise
        raise ProblemError(f"is not an archive of problems, or is damaged ({error})") from None


def _saved(archive: Any) -> dict[str, MLCP]:
    header = json.loads(archive[HEADER].tobytes())
    if not header["version"] <= VERSION:
        raise ProblemError(f"was written by a newer version (format {header['version']})")
    found: dict[str, MLCP] = {}
    for k, entry in enumerate(header["problems"]):
        label, q = str(entry["label"]), np.asarray(archive[f"{k}.q"], float)
        try:
            wires = None
            if f"{k}.Minv" in archive:
                Minv, v_free, bias = (np.asarray(archive[f"{k}.{key}"], float) for key in ("Minv", "v_free", "bias"))
                give = np.asarray(archive[f"{k}.compliance"], float) if f"{k}.compliance" in archive else None
                wires = Wires(Minv, _get(archive, f"{k}.G"), v_free, bias, give)
                m = v_free.size
                fits = Minv.shape in ((m,), (m, m)) and wires.G.shape == (m, q.size) and bias.shape == q.shape
                if not fits or (give is not None and (give.shape != q.shape or np.any(give < 0))):
                    raise ProblemError(f"the factors of {q.size} wires do not fit together")
            free = np.asarray(archive[f"{k}.free"], bool)
            problem = _problem(_get(archive, f"{k}.M"), q, free, header["names"][entry["names"]], wires)
        except ProblemError as error:
            raise ProblemError(f"problem {label!r}: {error}") from None
        if f"{k}.rate" in archive:
            problem.rate = np.broadcast_to(np.asarray(archive[f"{k}.rate"], float), q.shape)
        problem.kind_of_row = str(entry["kind_of_row"])
        found[label] = problem
    return found


def _from_json(text: str, stem: str) -> dict[str, MLCP]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProblemError(f"is not JSON: {error}") from None
    if isinstance(content, dict):
        return {str(content.get("id", stem)): _plain(content)}
    if not isinstance(content, list):
        raise ProblemError(f"holds {type(content).__name__}; an object with M and q, or a list of them, is needed")
    found: dict[str, MLCP] = {}
    for k, one in enumerate(content):
        if not isinstance(one, dict):
            raise ProblemError(f"entry {k} must be an object with M and q, got {type(one).__name__}")
        label = str(one.get("id", f"{stem} {k}"))
        if label in found:
            raise ProblemError(f"two problems are called {label!r}")
        try:
            found[label] = _plain(one)
        except ProblemError as error:
            raise ProblemError(f"problem {label!r}: {error}") from None
    return found


def _plain(given: Mapping[str, Any]) -> MLCP:
    """The problem of M, q, free and names; other entries are notes, unless one looks like a misspelt key."""
    for key in set(given) - set(KEYS):
        if meant := get_close_matches(key, KEYS[2:5], n=1):
            raise ProblemError(f"there is no key {key!r}; did you mean {meant[0]!r}?")
    for key in ("M", "q"):
        if key not in given:
            raise ProblemError(f"has no {key!r}; a problem is M and q, and optionally free and names")
    q = _numbers("q", given["q"])
    names = given.get("names")
    if names is not None:
        names = [str(name) for name in np.atleast_1d(np.asarray(names))]
    return _problem(_table(given["M"], q.size), q, _rows(given.get("free", given.get("free_rows")), q.size), names)


def _problem(M: Any, q: Array, free: Array, names: list[str] | None, wires: Wires | None = None) -> MLCP:
    return MLCP(M, q, free, names=names, wires=wires) if free.any() else LCP(M, q, names=names, wires=wires)


def _table(M: Any, n: int) -> Any:
    if mx.is_sparse(M):
        return M
    if not isinstance(M, dict):
        return _numbers("M", M)
    import scipy.sparse as sp

    try:
        row, col = (np.asarray(M[key], np.int64) for key in ("row", "col"))
        sparse = sp.csr_array(sp.coo_array((_numbers("M", M["val"]), (row, col)), shape=tuple(M["shape"])))
    except (KeyError, ValueError, TypeError, IndexError, OverflowError) as error:
        raise ProblemError(f"M must be a table, or shape, row, col and val that fit together: {error}") from None
    return sparse.toarray() if n <= mx.SMALL else sparse


def _numbers(what: str, value: Any) -> Array:
    try:
        given = np.asarray(value)
        if given.dtype.kind in "biuf":
            return np.asarray(given, float)
    except ValueError:  # rows of different length
        pass
    raise ProblemError(f"{what} must be real numbers in a {'vector' if what == 'q' else 'table of equal rows'}")


def _rows(free: Any, n: int) -> Array:
    mask = np.zeros(n, bool)
    if free is None or np.size(free) == 0:
        return mask
    rows = np.asarray(free)
    if rows.dtype == bool and rows.shape == (n,):
        return rows
    whole = rows.dtype.kind in "iu" and rows.ndim == 1 and rows.min() >= 0 and rows.max() < n
    if not whole or np.unique(rows).size != rows.size:
        raise ProblemError(f"free must be a mask of {n} true or false, or different row numbers from 0 to {n - 1}")
    mask[rows] = True
    return mask


def _put(arrays: dict[str, Array], key: str, M: mx.Matrix) -> None:
    if isinstance(M, mx.Envelope):
        arrays |= {f"{key}.val": M.val, f"{key}.ptr": M.ptr}
        if M.order is not None:
            arrays[f"{key}.order"] = M.order
    elif mx.is_sparse(M):
        M = M.tocsr()
        parts = {"data": M.data, "indices": M.indices, "indptr": M.indptr, "shape": np.array(M.shape)}
        arrays |= {f"{key}.{part}": array for part, array in parts.items()}
    else:
        arrays[key] = M


def _get(archive: Any, key: str) -> mx.Matrix:
    if key in archive:
        return np.asarray(archive[key], float)
    if f"{key}.val" in archive:
        return _envelope(archive, key)
    import scipy.sparse as sp

    data, indices, indptr, shape = (archive[f"{key}.{part}"] for part in ("data", "indices", "indptr", "shape"))
    M = sp.csr_array((np.asarray(data, float), indices, indptr), shape=tuple(int(k) for k in shape))
    M.check_format(full_check=True)  # compiled code reads where the indices say
    return M


def _envelope(archive: Any, key: str) -> mx.Envelope:
    val, ptr = np.asarray(archive[f"{key}.val"], float), np.asarray(archive[f"{key}.ptr"], np.int64)
    order = np.asarray(archive[f"{key}.order"], np.int64) if f"{key}.order" in archive else None
    n = len(ptr) - 1
    length = np.diff(ptr)
    # Kernels do not check bounds.
    if n < 0 or ptr[0] != 0 or ptr[-1] != val.size or np.any(length < 1) or np.any(length > np.arange(1, n + 1)):
        raise ProblemError("the envelope of M is damaged")
    if order is not None and not np.array_equal(np.sort(order), np.arange(n)):
        raise ProblemError("the order of the envelope of M is not a permutation")
    return mx.Envelope(val, ptr, order)
