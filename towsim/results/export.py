"""Saving a result in the format its suffix names, and handing it to xarray."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from towsim.errors import ResultError
from towsim.results.events import COLUMNS, UNITS, Events
from towsim.results.files import refuse_existing, whole, write_whole
from towsim.results.result import Result
from towsim.suggest import unknown

if TYPE_CHECKING:
    import xarray

SUFFIXES = (".nc", ".npz", ".csv")
TABLE_ROWS = 2048
"""Rows of a table that are held as text at a time."""


def targets(path: Path, *, force: bool) -> list[Path]:
    """Files that saving to ``path`` writes. Raises ResultError for an unknown suffix or an existing file."""
    if path.suffix not in SUFFIXES:
        raise ResultError(f"{path}: {unknown('suffix', path.suffix, SUFFIXES)}")
    files = [path, path.with_name(f"{path.stem}-events.csv")] if path.suffix == ".csv" else [path]
    for file in files:
        refuse_existing(file, force=force)
    return files


def save(result: Result, path: Path, *, force: bool = False) -> Path:
    """Write ``result``; see ``Result.save``."""
    files = targets(path, force=force)
    if path.suffix == ".csv":
        write_whole(files[1], lambda file: _write_events(file, result.events))
        write_whole(path, lambda file: _write_table(file, result))
    elif path.suffix == ".npz":
        from towsim.results.npz import write_npz

        write_whole(path, lambda file: write_npz(file, result))
    else:
        from towsim.results.netcdf import write_netcdf

        with whole(path) as temporary:
            write_netcdf(temporary, result)
    return path


def to_xarray(result: Result) -> xarray.Dataset:
    """The same as an ``xarray.Dataset``; events lie along the dimension ``event``."""
    import xarray

    data = {}
    for name, variable in result.variables.items():
        about: dict[str, object] = {"units": variable.unit, "long_name": variable.description}
        if variable.flags:
            values = np.array(list(variable.flags.values()), variable.dtype)
            about |= {"flag_values": values, "flag_meanings": " ".join(variable.flags)}
        data[name] = (variable.dims, result[name].values, about)
    for name in COLUMNS:
        about = {"units": UNITS[name]} if name in UNITS else {}
        data[f"event_{name}"] = (("event",), result.events[name], about)
    coords = {
        dim: np.array(names, object if isinstance(names[0], str) else None) for dim, names in result.coords.items()
    }
    return xarray.Dataset(data, {"time": data.pop("time"), **coords}, dict(result.attributes))


def header(result: Result) -> list[str]:
    """Columns of the table, such as ``tension[left] (N)`` and ``position[box,x] (m)``."""
    titles = []
    for name, variable in result.variables.items():
        unit = "" if variable.unit == "1" else f" ({variable.unit})"
        for place in itertools.product(*(map(str, result.coords[dim]) for dim in variable.dims[1:])):
            where = f"[{','.join(place)}]" if place else ""
            titles.append(f"{name}{where}{unit}")
    return titles


def _write_table(file: BinaryIO, result: Result) -> None:
    _write_csv(file, itertools.chain([header(result)], _table_rows(result)))


def _table_rows(result: Result) -> Iterator[list[float | int]]:
    columns = [result.column(name) for name in result.variables]
    for start in range(0, columns[0].shape[0], TABLE_ROWS):
        chunks = [np.asarray(column[start : start + TABLE_ROWS]) for column in columns]
        tables = [chunk.reshape(len(chunk), -1).tolist() for chunk in chunks]
        for row in zip(*tables, strict=True):
            yield [value for part in row for value in part]


def _write_events(file: BinaryIO, events: Events) -> None:
    titles = [f"{name} ({UNITS[name]})" if name in UNITS else name for name in COLUMNS]
    _write_csv(file, itertools.chain([titles], (event.values() for event in events.to_dicts())))


def _write_csv(file: BinaryIO, rows: Iterator[object]) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    csv.writer(text, lineterminator="\n").writerows(rows)  # type: ignore[arg-type]
    text.detach()
