"""Results as numpy archives: one array per variable, and a JSON header for everything that has a name.

The segments of a run under way are such archives, too. ``np.load("run.npz")["tension"]`` works without towsim.
"""

from __future__ import annotations

import json
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

import numpy as np

from towsim.errors import ResultError
from towsim.results.columns import Pieces
from towsim.results.events import Event, Events
from towsim.results.result import Result

HEADER = "towsim_header"
FORMAT = 1
DAMAGES = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    SyntaxError,
    tokenize.TokenError,
)
"""What numpy and zipfile raise on spoiled bytes: a flag of encryption, an unknown compression, sizes of any kind."""

_ONE_BY_ONE = Lock()
"""numpy has Python parse the header of an array, and some releases of 3.11 count the depths that threads have parsed to
together, which now and then is a SystemError (python/cpython#106905)."""


def pack(file: BinaryIO, arrays: Mapping[str, np.ndarray], header: Mapping[str, Any]) -> None:
    """Write arrays and a header as one archive."""
    text = json.dumps({"format": FORMAT, **header}, ensure_ascii=False)
    np.savez(file, **{HEADER: np.frombuffer(text.encode(), np.uint8), **arrays})  # type: ignore[arg-type]


def unpack_header(path: Path) -> dict[str, Any]:
    """Header of an archive. Raises ResultError if it is not one of towsim's, or damaged."""
    try:
        with np.load(path) as archive:
            if HEADER not in archive:
                raise ResultError(f"{path} is a numpy archive, but not a result of towsim (no {HEADER})")
            return checked(json.loads(_member(archive, HEADER).tobytes()), path)
    except DAMAGES as error:
        raise _damaged(path, error) from error


def unpack(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """All arrays of an archive, and its header. Raises ResultError as ``unpack_header``."""
    header = unpack_header(path)
    try:
        with np.load(path) as archive:
            return {name: _member(archive, name) for name in archive.files if name != HEADER}, header
    except DAMAGES as error:
        raise _damaged(path, error) from error


def checked(header: Any, path: Path) -> dict[str, Any]:
    """The header, if this version can read it. Raises ValueError if it is none, ResultError if it is too new."""
    if not isinstance(header, dict) or not isinstance(header.get("format"), int):
        raise ValueError("its header is none")
    if not header["format"] <= FORMAT:
        raise ResultError(f"{path} was written by a newer towsim (format {header['format']}); upgrade towsim")
    return header


def unpack_array(path: Path, name: str) -> np.ndarray:
    """One array of an archive. Raises ResultError if it is missing or damaged."""
    try:
        with np.load(path) as archive:
            return _member(archive, name)
    except DAMAGES as error:
        raise _damaged(path, error) from error


def _member(archive: Mapping[str, Any], name: str) -> np.ndarray:
    """An array of an open archive, which answers bytes where the array's own header is not there."""
    with _ONE_BY_ONE:
        array = archive[name]
    if not isinstance(array, np.ndarray):
        raise ValueError(f"its {name} is no array")
    return array


def _array(path: Path, name: str, _: int) -> np.ndarray:
    """The one piece of a variable."""
    return unpack_array(path, name)


def write_npz(file: BinaryIO, result: Result) -> None:
    """Write a result; names along each dimension are arrays as well, for readers without towsim."""
    arrays = {name: np.asarray(result.column(name)[slice(None)]) for name in result.recorded}
    names = {f"{dim}_names": np.array(names) for dim, names in result.coords.items()}
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    header = {
        "coords": result.coords,
        "shapes": shapes,
        "events": result.events.to_dicts(),
        "attributes": result.attributes,
    }
    pack(file, {**arrays, **names}, header)


def read_npz(path: Path) -> Result:
    """Open a result that ``write_npz`` wrote; arrays are read when asked for."""
    header = unpack_header(path)
    if "shapes" not in header:
        raise ResultError(f"{path} is one segment of a run; open its folder {path.parent}")
    columns = {
        name: Pieces([shape[0]], tuple(shape[1:]), partial(_array, path, name))
        for name, shape in header["shapes"].items()
    }
    coords = {dim: tuple(names) for dim, names in header["coords"].items()}
    return Result(columns, coords, Events([Event(**event) for event in header["events"]]), header["attributes"])


def _damaged(path: Path, error: Exception) -> ResultError:
    return ResultError(f"{path} is damaged or cut short ({error}); export or run it again")
