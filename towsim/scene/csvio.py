"""Sampled motions from CSV files."""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path
from typing import Any

from towsim.quote import show
from towsim.scene.base import problem
from towsim.scene.motion import too_close

LARGEST_FILE = 64 * 1024 * 1024  # bytes; about a million samples


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
            if twice := [name for name in ("t", *named) if cells.count(name) > 1]:
                raise problem(f"{path}:{rows.line_num}: column {twice[0]} is there twice; leave one out", "csv")
            order = [cells.index(name) for name in ("t", *named)]
            continue
        numbers = [_number(cell) for cell in cells]
        one = [numbers[i] for i in order] if found is not None and len(cells) == width else []
        if one and all(map(math.isfinite, one)):
            if t and (what := too_close(t[-1], one[0])):
                raise problem(f"{path}:{rows.line_num}: {what}", "csv")
            t.append(one[0])
            values.append(one[1:])
            continue
        if any(";" in cell or DECIMAL_COMMA.fullmatch(cell) for cell in cells):
            what = "columns separated by commas, and numbers with a decimal point"
        elif found is None or not (t or any(map(math.isfinite, numbers))):
            ways = " or ".join(", ".join(("t", *names)) for names in choices)
            what = f"a header line with {ways}{'' if header else ', or none'}"
        elif len(cells) != width:
            what = f"{COUNTS[width]} columns t, {', '.join(found)}" if width == len(order) else f"{width} columns"
        else:
            what = f"{COUNTS[len(order)]} finite numbers t, {', '.join(found)}"
        raise problem(f"{path}:{rows.line_num}: needs {what}, got {show(row)}", "csv")
    if len(t) < 2:
        raise problem(f"{path}: at least 2 rows of numbers are needed, got {len(t)}", "csv")
    return found or choices[0], t, values


DECIMAL_COMMA = re.compile(r"[-+]?[0-9]*,[0-9]+")


def _number(cell: str) -> float:
    """What a cell says; NaN if that is no number."""
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _named(cells: list[str], choices: tuple[tuple[str, ...], ...]) -> tuple[str, ...] | None:
    """The first of the choices that a header line names, with t."""
    return next((names for names in choices if {"t", *names} <= set(cells)), None)
