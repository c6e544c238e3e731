"""Results as NetCDF-4 files after the CF conventions; ``xarray.open_dataset`` reads them as they are.

They are written and read through h5netcdf and h5py, every call of which holds one lock: threads may write and read, and
a file may be open elsewhere in the process. The NetCDF C library allows neither. Strings are characters, as in
NetCDF-3: two handles of the C library to a file with strings of variable length end in a segmentation fault (Unidata,
netcdf-c #2510). Files of earlier versions of towsim have such strings, and are read as well.
"""

from __future__ import annotations

import math
import shutil
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import h5netcdf
import h5py
import numpy as np

from towsim.ctrl_c import CtrlC
from towsim.errors import ResultError
from towsim.results.columns import Column, chunks
from towsim.results.events import COLUMNS, UNITS, Event, Events
from towsim.results.files import whole
from towsim.results.npz import FORMAT, checked
from towsim.results.result import Attribute, Names, Result
from towsim.results.seal import check_seal, seal
from towsim.results.variables import VARIABLES, Variable

ROWS, NUMBERS = 4096, 1 << 16
"""Rows and numbers of a compressed chunk at most: one that HDF5 cannot hold in 1 MB it packs anew at every write."""

_CONVENTIONS = ("Conventions", "_NCProperties")
_BARE = b"This is a netCDF dimension but not a netCDF variable"
LIBRARY = ("v108", "v108")
"""HDF5 versions that can read a file: as with the C library, those of the last fifteen years."""

BROKEN = (OSError, RuntimeError, ValueError, KeyError, IndexError, TypeError, AttributeError, MemoryError)
"""What h5py and h5netcdf raise of a file that is not what it should be."""


def write_netcdf(path: Path, result: Result) -> None:
    """Write a result, some rows at a time; everything reads back bit by bit. Ctrl-C waits for a variable's end."""
    with CtrlC() as ctrl_c, h5netcdf.File(path, "w", libver=LIBRARY) as file:
        file.attrs["Conventions"] = "CF-1.11"
        file.attrs["towsim_format"] = FORMAT
        file.attrs.update(result.attributes)
        file.dimensions["time"] = result.column("time").shape[0] or None
        for dim, names in result.coords.items():
            file.dimensions[dim] = len(names)
            _write_names(file, dim, names)
        for variable in result.recorded.values():
            _write_column(file, variable, result.column(variable.name))
            ctrl_c.here()
        _write_events(file, result.events)
    seal(path)


def read_netcdf(path: Path) -> Result:
    """Open a NetCDF file that towsim wrote; variables are read when they are asked for.

    Raises
    ------
    ResultError : damaged, cut short, or not written by towsim
    """
    try:
        stamp = _stamp(path)
        check_seal(path)
        with h5py.File(path) as file:
            attributes = {key: _plain(value) for key, value in file.attrs.items() if key not in _CONVENTIONS}
            if "towsim_format" not in attributes and "sweep" in attributes:
                raise ResultError(f"{path} is the dataset of a sweep, not a run: open it with xarray.open_dataset")
            if "towsim_format" not in attributes:
                raise ResultError(f"{path} is a NetCDF file, but not a result of towsim (no attribute towsim_format)")
            checked({"format": attributes.pop("towsim_format")}, path)
            coords: dict[str, Names] = {}
            variables, columns = {}, {}
            for name, column in file.items():
                if name == "time" or not (column.is_scale or name.startswith("event_")):
                    variables[name] = VARIABLES.get(name) or _described(name, column)
                    columns[name] = _OnDisk(path, stamp, name, column.shape)
                elif column.is_scale and not column.attrs["NAME"].startswith(_BARE):
                    coords[name] = tuple(column[:].tolist()) if column.dtype.kind == "i" else tuple(_texts(column))
            ordered = {name: variables[name] for name in (*VARIABLES, *variables) if name in variables}
            return Result(columns, coords, _read_events(file), attributes, ordered)
    except ResultError:
        raise
    except BROKEN as error:
        raise _damaged(path, error) from error


def annotate(path: Path, attributes: Mapping[str, Attribute]) -> Result:
    """Add attributes to a finished file (a changed copy takes its place) and open it."""
    with whole(path) as temporary:
        shutil.copyfile(path, temporary)
        with h5netcdf.File(temporary, "a", libver=LIBRARY) as file:
            file.attrs.update(attributes)
        seal(temporary)
    return read_netcdf(path)


class _OnDisk:
    """A variable of a file, which is open only while rows are read, so that it can be replaced or removed."""

    def __init__(self, path: Path, stamp: tuple[int, ...], name: str, shape: tuple[int, ...]) -> None:
        self._path = path
        self._stamp = stamp
        self._name = name
        self.shape = shape

    def __getitem__(self, rows: slice) -> np.ndarray:
        try:
            if _stamp(self._path) != self._stamp:
                raise ResultError(f"{self._path} was changed since it was opened; open it again")
            with h5py.File(self._path) as file:
                return np.asarray(file[self._name][rows])
        except ResultError:
            raise
        except BROKEN as error:
            raise _damaged(self._path, error) from error


def _stamp(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _write_text(file: Any, name: str, dim: str, texts: Sequence[str]) -> None:
    """Strings along a dimension: as many characters each, of which those that are too many are zero."""
    raw = np.array([text.encode() for text in texts], np.bytes_)  # of one byte at least
    width = f"string{raw.itemsize}"
    if width not in file.dimensions:
        file.dimensions[width] = raw.itemsize
    letters = raw.view("S1").reshape(-1, raw.itemsize)
    target = file.create_variable(name, (dim, width), "S1")
    target.attrs["_Encoding"] = "utf-8"
    if len(texts):
        target[...] = letters


def _texts(column: Any) -> list[str]:
    """Strings along a dimension; in files of earlier versions they have a variable length."""
    if column.ndim == 1:
        return [text.decode() for text in column[:]]
    return [text.decode() for text in column[:].view(f"S{column.shape[1]}")[:, 0].tolist()]


def _write_names(file: Any, dim: str, names: Names) -> None:
    if all(isinstance(name, str) for name in names):
        _write_text(file, dim, dim, [str(name) for name in names])
    else:
        file.create_variable(dim, (dim,), "i8")[...] = np.array(names)


def _write_column(file: Any, variable: Variable, column: Column) -> None:
    sample = np.asarray(column[:1024])
    options = {}
    # Trajectories end in noise and shrink by a quarter at four times the cost; counts, flags and constants vanish.
    if sample.size and len(zlib.compress(sample.tobytes(), 1)) < sample.nbytes // 2:
        count = min(ROWS, column.shape[0], max(1, NUMBERS // math.prod(column.shape[1:])))
        chunk = (count, *column.shape[1:])
        options = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "chunks": chunk}
    target = file.create_variable(variable.name, variable.dims, sample.dtype, **options)
    target.attrs.update({"units": variable.unit, "long_name": variable.description})
    if variable.flags:
        target.attrs["flag_values"] = np.array(list(variable.flags.values()), sample.dtype)
        target.attrs["flag_meanings"] = " ".join(variable.flags)
    for rows in chunks(column):
        target[rows] = column[rows]


def _write_events(file: Any, events: Events) -> None:
    file.dimensions["event"] = len(events) or None
    for name in COLUMNS:
        if name in UNITS:
            target = file.create_variable(f"event_{name}", ("event",), "f8")
            target.attrs["units"] = UNITS[name]
            if len(events):
                target[...] = events[name]
        else:
            _write_text(file, f"event_{name}", "event", events[name].tolist())


def _read_events(file: Any) -> Events:
    found = {name: file[f"event_{name}"] for name in COLUMNS}
    columns = [found[name][:].tolist() if name in UNITS else _texts(found[name]) for name in COLUMNS]
    return Events([Event(*row) for row in zip(*columns, strict=True)])


def _described(name: str, column: Any) -> Variable:
    unit, text = (str(_plain(column.attrs.get(key, other))) for key, other in (("units", "1"), ("long_name", "")))
    return Variable(name, tuple(dim[0].name.strip("/") for dim in column.dims), unit, text, str(column.dtype))


def _plain(value: Any) -> str | int | float:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode()
    number: int | float = np.asarray(value).item()
    return number


def _damaged(path: Path, error: Exception) -> ResultError:
    return ResultError(f"{path} is damaged or cut short ({error}); export or run it again")
