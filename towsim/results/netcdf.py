"""Results as NetCDF-4 files after the CF conventions; ``xarray.open_dataset`` reads them as they are."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np

from towsim.ctrl_c import CtrlC
from towsim.errors import ResultError
from towsim.results.columns import Column, chunks
from towsim.results.events import COLUMNS, UNITS, Event, Events
from towsim.results.files import into_place
from towsim.results.npz import FORMAT, checked
from towsim.results.result import Attribute, Names, Result
from towsim.results.variables import VARIABLES, Variable

ROWS = 4096
"""Rows in one compressed chunk."""


def write_netcdf(path: Path, result: Result) -> None:
    """Write a result, some rows at a time; everything reads back bit by bit. Ctrl-C waits for a variable's end."""
    with CtrlC() as ctrl_c, netCDF4.Dataset(str(path), "w") as file:
        file.setncattr("Conventions", "CF-1.11")
        file.setncattr("towsim_format", FORMAT)
        _write_attributes(file, result.attributes)
        file.createDimension("time", result.column("time").shape[0] or None)
        for dim, names in result.coords.items():
            file.createDimension(dim, len(names))
            _write_names(file, dim, names)
        for variable in result.recorded.values():
            _write_column(file, variable, result.column(variable.name))
            ctrl_c.here()
        _write_events(file, result.events)


def read_netcdf(path: Path) -> Result:
    """Open a NetCDF file that towsim wrote; variables are read when they are asked for.

    Raises
    ------
    ResultError : damaged, cut short, or not written by towsim
    """
    try:
        stamp = _stamp(path)
        with netCDF4.Dataset(str(path)) as file:
            file.set_auto_maskandscale(False)
            attributes = {key: _plain(file.getncattr(key)) for key in file.ncattrs() if key != "Conventions"}
            if "towsim_format" not in attributes:
                raise ResultError(f"{path} is a NetCDF file, but not a result of towsim (no attribute towsim_format)")
            checked({"format": attributes.pop("towsim_format")}, path)
            coords: dict[str, Names] = {
                dim: tuple(one if isinstance(one, str) else int(one) for one in file[dim][:])  # type: ignore[misc]
                for dim in file.dimensions
                if dim not in ("time", "event")
            }
            variables, columns = {}, {}
            for name, column in file.variables.items():
                if name not in file.dimensions.keys() - {"time"} and "event" not in column.dimensions:
                    variables[name] = VARIABLES.get(name) or _described(column)
                    columns[name] = _OnDisk(path, stamp, name, tuple(column.shape))
            ordered = {name: variables[name] for name in (*VARIABLES, *variables) if name in variables}
            return Result(columns, coords, _read_events(file), attributes, ordered)
    except (OSError, RuntimeError, KeyError, IndexError) as error:
        raise _damaged(path, error) from error


def annotate(path: Path, attributes: Mapping[str, Attribute]) -> Result:
    """Add attributes to a finished file (a changed copy takes its place) and open it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        shutil.copyfile(path, temporary)
        with netCDF4.Dataset(str(temporary), "a") as file:
            _write_attributes(file, attributes)
        into_place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
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
            with netCDF4.Dataset(str(self._path)) as file:
                file.set_auto_maskandscale(False)
                return np.asarray(file[self._name][rows])
        except (OSError, RuntimeError) as error:
            raise _damaged(self._path, error) from error


def _stamp(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _write_attributes(file: Any, attributes: Mapping[str, Attribute]) -> None:
    for key, value in attributes.items():
        if isinstance(value, str):
            file.setncattr_string(key, value)
        else:
            file.setncattr(key, value)


def _write_names(file: Any, dim: str, names: Names) -> None:
    if all(isinstance(name, str) for name in names):
        file.createVariable(dim, str, (dim,))[:] = np.array(names, object)
    else:
        file.createVariable(dim, "i8", (dim,), fill_value=False)[:] = np.array(names)


def _write_column(file: Any, variable: Variable, column: Column) -> None:
    sample = np.asarray(column[:1024])
    options = {}
    # Trajectories end in noise and shrink by a quarter at four times the cost; counts, flags and constants vanish.
    if sample.size and len(zlib.compress(sample.tobytes(), 1)) < sample.nbytes // 2:
        options = {"zlib": True, "complevel": 1, "chunksizes": (min(ROWS, column.shape[0]), *column.shape[1:])}
    target = file.createVariable(variable.name, sample.dtype, variable.dims, fill_value=False, **options)
    target.set_auto_maskandscale(False)
    if options:  # or else every variable would keep tens of megabytes of its chunks until the file is closed
        target.set_var_chunk_cache(size=4 * ROWS * sample[:1].nbytes, nelems=97, preemption=1.0)
    target.setncatts({"units": variable.unit, "long_name": variable.description})
    if variable.flags:
        target.setncattr("flag_values", np.array(list(variable.flags.values()), sample.dtype))
        target.setncattr("flag_meanings", " ".join(variable.flags))
    for rows in chunks(column):
        target[rows] = column[rows]


def _write_events(file: Any, events: Events) -> None:
    file.createDimension("event", len(events) or None)
    for name in COLUMNS:
        kind = "f8" if name in UNITS else str
        target = file.createVariable(f"event_{name}", kind, ("event",), fill_value=False if kind == "f8" else None)
        if name in UNITS:
            target.setncattr("units", UNITS[name])
        if len(events):
            target[:] = events[name]


def _read_events(file: Any) -> Events:
    columns = [file[f"event_{name}"][:].tolist() for name in COLUMNS]
    return Events(Event(*row) for row in zip(*columns, strict=True))


def _described(column: Any) -> Variable:
    attributes = {key: column.getncattr(key) for key in column.ncattrs()}
    unit, text = str(attributes.get("units", "1")), str(attributes.get("long_name", ""))
    return Variable(column.name, tuple(column.dimensions), unit, text, str(column.dtype))


def _plain(value: Any) -> str | int | float:
    if isinstance(value, str):
        return value
    number: int | float = value.item()
    return number


def _damaged(path: Path, error: Exception) -> ResultError:
    return ResultError(f"{path} is damaged or cut short ({error}); export or run it again")
