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
    if not isinstance(source, str):
        raise problem(f"must be the path of a CSV file, got {show(source)}", "csv")
    path = Path(folder, source)
    try:
        if not path.is_file():
            raise problem(f"no such file: {path}", "csv")
        if path.stat().st_size > LARGEST_FILE:
            raise problem(f"{path} is larger than {LARGEST_FILE >> 20} MiB", "csv")
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return _parse(csv.reader(lines), path)
    except (OSError, UnicodeError, csv.Error) as error:
        raise problem(f"cannot read {path}: {error}", "csv") from None


def _parse(rows: Any, path: Path) -> dict[str, Any]:
    order = [0, 1, 2, 3]
    t: list[float] = []
    position: list[list[float]] = []
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if not t and sorted(cells) == ["t", "x", "y", "z"]:
            order = [cells.index(name) for name in "txyz"]
            continue
        try:
            numbers = [float(cell) for cell in cells]
        except ValueError:
            raise problem(
                f"{path}:{rows.line_num}: four numbers t, x, y, z are needed, got {show(row)}", "csv"
            ) from None
        if len(numbers) != 4:
            raise problem(f"{path}:{rows.line_num}: four columns t, x, y, z are needed, got {len(numbers)}", "csv")
        t.append(numbers[order[0]])
        position.append([numbers[i] for i in order[1:]])
    return {"t": t, "position": position}
