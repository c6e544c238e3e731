"""Sampled motions from CSV files."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from towsim.quote import show
from towsim.scene.base import problem

LARGEST_FILE = 64 * 1024 * 1024  # bytes; about a million samples


def read_samples(source: Any, folder: str | Path) -> dict[str, Any]:
    """Times and positions from the columns t, x, y, z of a CSV file; a header line is optional.

    Parameters
    ----------
    source : path of the file, relative to ``folder``
    """
    _, t, position = read_columns(source, folder, (("x", "y", "z"),), header=False)
    return {"t": t, "position": position}


def read_columns(
    source: Any, folder: str | Path, choices: tuple[tuple[str, ...], ...], *, header: bool = True
) -> tuple[tuple[str, ...], list[float], list[list[float]]]:
    """Which of the choices of columns a CSV file has beside t, the times, and the rows of these columns.

    Parameters
    ----------
    source : path of the file, relative to ``folder``
    header : whether it needs a header line, which may name other columns as well; else t and the first choice stand so
    """
    if not isinstance(source, str):
        raise problem(f"must be the path of a CSV file, got {show(source)}", "csv")
    path = Path(folder, source)
    try:
        if not path.is_file():
            raise problem(f"no such file: {path}", "csv")
        if path.stat().st_size > LARGEST_FILE:
            raise problem(f"{path} is larger than {LARGEST_FILE >> 20} MiB", "csv")
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return _parse(csv.reader(lines), path, choices, header)
    except (OSError, UnicodeError, csv.Error) as error:
        raise problem(f"cannot read {path}: {error}", "csv") from None


COUNTS = {4: "four", 5: "five"}


def _parse(
    rows: Any, path: Path, choices: tuple[tuple[str, ...], ...], header: bool
) -> tuple[tuple[str, ...], list[float], list[list[float]]]:
    found = None if header else choices[0]
    order = list(range(len(choices[0]) + 1))
    width = len(order)
    t: list[float] = []
    values: list[list[float]] = []
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if not t and (named := _named(cells, choices)):
            found, width = named, len(cells)
            order = [cells.index(name) for name in ("t", *named)]
            continue
        if found is None:
            ways = " or ".join(", ".join(("t", *names)) for names in choices)
            raise problem(f"{path}:{rows.line_num}: a header line with {ways} is needed, got {show(row)}", "csv")
        try:
            numbers = [float(cell) for cell in cells] if width == len(order) else [float(cells[i]) for i in order]
        except (ValueError, IndexError):
            what = f"{COUNTS[len(order)]} numbers t, {', '.join(found)} are needed"
            raise problem(f"{path}:{rows.line_num}: {what}, got {show(row)}", "csv") from None
        if len(cells) != width:
            what = f"{COUNTS[width]} columns t, {', '.join(found)}" if width == len(order) else f"{width} columns"
            raise problem(f"{path}:{rows.line_num}: {what} are needed, got {len(cells)}", "csv")
        one = [numbers[i] for i in order] if width == len(order) else numbers
        t.append(one[0])
        values.append(one[1:])
    return found or choices[0], t, values


def _named(cells: list[str], choices: tuple[tuple[str, ...], ...]) -> tuple[str, ...] | None:
    """The first of the choices that a header line names, with t."""
    return next((names for names in choices if {"t", *names} <= set(cells)), None)
