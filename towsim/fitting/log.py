"""Logs: what sensors recorded of a real run, over time."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from towsim.errors import SceneWarning, UsageError
from towsim.given import a_mapping, numbers
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.results.derived import DERIVED
from towsim.results.variables import AXES, VARIABLES
from towsim.run.sensitivities import DIFFERENTIATED
from towsim.scene.sensors import CHANNELS
from towsim.suggest import is_one_of, meant_by, unknown

TITLE = re.compile(r"^\s*(\w+)\s*\[([^\]]*)\]\s*(?:\(([^)]*)\))?\s*$")
CLOCK = re.compile(r"(time|t)(\s*\(s\))?")
LARGEST_FILE = 256 * 1024 * 1024
INFINITE = "a number that is not finite; a reading that is missing is NaN, or an empty cell"
SEPARATORS = ";", "\t", "|"


@dataclass(frozen=True)
class Column:
    """One quantity: a variable of results, and its place, such as ``position`` and ``("load", "x")``."""

    variable: str
    place: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.variable}[{','.join(self.place)}]"


class Log:
    """Times and the quantities measured at them, in SI units; NaN where a value is missing.

    Parameters
    ----------
    time : (n,) [s], ascending, counted from the start of the run
    columns : by title, as in exported tables: ``position[load,x]``, ``tension[left]``; (n,) each; of a body's
        quaternion, if all four are there, either sign will do, since both are the same attitude
    name : in what is told
    lines : of a file in which the rows are, in what is told

    Raises
    ------
    UsageError : what cannot be compared with a run, by name
    """

    def __init__(self, time: Any, columns: Mapping[str, Any], name: str = "log", *, lines: Sequence[int] = ()) -> None:
        self.name = name
        self.time = _numbers(time, f"{name}: time")
        if len(self.time) < 2:
            raise UsageError(f"{name}: at least two times are needed, got {len(self.time)}")
        row = [f"line {line}" for line in lines] or [f"row {i + 1}" for i in range(len(self.time))]
        if not np.isfinite(self.time).all():
            i = int(np.flatnonzero(~np.isfinite(self.time))[0])
            raise UsageError(f"{name}: {row[i]} has no time, but {self.time[i]:g}")
        late = np.flatnonzero(np.diff(self.time) <= 0.0)
        if len(late):
            i = int(late[0])
            raise UsageError(
                f"{name}: times must ascend, and {self.time[i + 1]:g} s ({row[i + 1]}) follows {self.time[i]:g} s"
            )
        if self.time[0] < 0.0:
            raise UsageError(f"{name}: times count from the start of the run, and the first one is {self.time[0]:g} s")
        self.columns: dict[Column, Floats] = {}
        for title, values in a_mapping("columns", columns, "from titles to numbers").items():
            column, found = column_of(title, name), _numbers(values, f"{name}: {title}")
            if len(found) != len(self.time):
                raise UsageError(f"{name}: {title} has {len(found)} values for {len(self.time)} times")
            if np.isinf(found).any():
                raise UsageError(f"{name}: {row[int(np.isinf(found).argmax())]}, {title}: {INFINITE}")
            if not np.isfinite(found).any():
                raise UsageError(f"{name}: {title} has no finite value")
            if column in self.columns:
                raise UsageError(f"{name}: {column} is there twice; leave one of the two out")
            self.columns[column] = found
        if not self.columns:
            raise UsageError(f"{name}: no quantities; name columns such as position[load,x] or tension[left]")

    def same_as(self, other: Log) -> bool:
        """Whether all times and numbers are those of the other one."""
        return (
            self.columns.keys() == other.columns.keys()
            and np.array_equal(self.time, other.time)
            and all(np.array_equal(x, other.columns[one], equal_nan=True) for one, x in self.columns.items())
        )

    def __repr__(self) -> str:
        return f"<Log {self.name}: {len(self.time)} rows, {self.time[0]:g} .. {self.time[-1]:g} s, " + (
            ", ".join(map(str, self.columns)) + ">"
        )


def read_log(path: str | Path) -> Log:
    """A log from a CSV file: a column ``time`` (or ``t``), and one for each quantity; empty cells are gaps.

    Titles are those of exported results, ``position[load,x] (m)``; units may be left out, and are SI. Columns that
    runs do not predict are left alone, unless there are no others; with a warning if their titles are almost those of
    columns that runs do predict. Lines that begin with # are comments.

    Raises
    ------
    UsageError : it cannot be read, or says something that cannot be compared with a run
    """
    if not isinstance(path, str | PathLike):
        raise UsageError(f"a log is a Log, or the path of a CSV file, got {show(path)}")
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UsageError(f"{path} is larger than {LARGEST_FILE >> 20} MiB")
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.reader(file)
            read = [(table.line_num, row) for row in table if row and not row[0].lstrip().startswith("#")]
    except UnicodeError:
        exported = f"; of a result: towsim export {path} -o {path.stem}.csv" if path.suffix in (".nc", ".npz") else ""
        raise UsageError(f"cannot read the log {path}: it is no text{exported}") from None
    except (OSError, ValueError, csv.Error) as error:  # also of a name with a null byte
        raise UsageError(f"cannot read the log {path}: {error}") from None
    if len(read) < 2:
        raise UsageError(f"{path}: a line of titles and rows of numbers are needed, got {len(read)} lines")
    titles, lines, rows = _titles(read[0][1]), *zip(*read[1:], strict=True)
    clock = [j for j, title in enumerate(titles) if CLOCK.fullmatch(title)]
    if len(clock) != 1:
        raise UsageError(f"{path}: {_no_clock(titles)}")
    cells = np.empty((len(rows), len(titles)))
    for line, row, mine in zip(lines, rows, cells, strict=True):
        if len(row) != len(titles):
            raise UsageError(f"{path}: line {line} has {len(row)} cells for {len(titles)} titles")
        mine[:] = [_number(cell, f"{path}: line {line}, {title}") for cell, title in zip(row, titles, strict=True)]
    named: dict[str, Floats] = {}
    for j, title in enumerate(titles):
        if _is_predicted(title):
            if title in named:
                raise UsageError(f"{path}: {title} is there twice; leave one of the two out")
            named[title] = cells[:, j]
        elif j not in clock and (likely := _likely(title)) is not None:
            text = f"{path}: column {show(title)} is no variable of a run, and left out; did you mean {likely}?"
            warnings.warn(text, SceneWarning, stacklevel=2)
    if not named:
        raise UsageError(
            f"{path}: no column that a run predicts; titles are such as position[load,x] or tension[left], got "
            + ", ".join(titles[:12])
        )
    return Log(cells[:, clock[0]], named, str(path), lines=lines)


def _titles(cells: list[str]) -> list[str]:
    """Titles with commas inside of their brackets, be they in quotes or not."""
    found: list[str] = []
    for cell in cells:
        if found and found[-1].count("[") > found[-1].count("]"):
            found[-1] += "," + cell.strip()
        else:
            found.append(cell.strip())
    return found


def _no_clock(titles: list[str]) -> str:
    """Why it is not clear which column has the times."""
    for mark in SEPARATORS:
        if any(mark in title for title in titles):
            return f"cells are separated by commas, numbers have decimal points; here {show(mark)} separates"
    likely = next((title for title in titles if re.match(r"(?i)t(ime)?([^a-z]|$)", title)), None)
    meant = "" if likely is None or CLOCK.fullmatch(likely) else f"; is it {show(likely)}?"
    return f"one column must be called time (in s){meant}; there are {', '.join(titles[:12])}"


def _is_predicted(title: str) -> bool:
    found = TITLE.match(title)
    return found is not None and found[1] in DIFFERENTIATED


def _likely(title: str) -> str | None:
    """The title that a column of a foreign name was probably to have."""
    word, rest = re.match(r"\s*(\w*)(.*)", title, re.DOTALL).groups()  # type: ignore[union-attr]
    variable = word if word in DIFFERENTIATED else meant_by(word, DIFFERENTIATED)
    if variable is None or (word != variable and (word in VARIABLES or word in DERIVED)):
        return None
    return variable + rest.strip() if TITLE.match(variable + rest) else f"{variable}[..]"


def _number(cell: str, what: str) -> float:
    if not cell.strip():
        return np.nan
    try:
        found = float(cell)
    except ValueError:
        raise UsageError(f"{what}: a number is needed, got {show(cell)}") from None
    if np.isinf(found):
        raise UsageError(f"{what}: {INFINITE}")
    return found


def _numbers(values: Any, what: str) -> Floats:
    found: Floats = numbers(what, values)
    if found.ndim != 1:
        raise UsageError(f"{what} must be one number a row, got shape {found.shape}")
    return found


def nearer(columns: Mapping[Column, Floats], predicted: Mapping[Column, Floats]) -> dict[Column, Floats]:
    """What was logged, whole quaternions with the sign that is nearer to what is predicted."""
    found = dict(columns)
    attitudes: dict[tuple[str, str], list[Column]] = {}
    for one in columns:
        sensor, _, channel = one.place[0].rpartition(".")
        if one.variable == "quaternion" or channel in CHANNELS["pose"][3:]:
            attitudes.setdefault((one.variable, sensor or one.place[0]), []).append(one)
    for mine in attitudes.values():
        if len(mine) == len(AXES["quat"]):
            across = np.nansum([columns[one] * predicted[one] for one in mine], axis=0) < 0.0
            found |= {one: np.where(across, -columns[one], columns[one]) for one in mine}
    return found


def column_of(title: str, name: str) -> Column:
    """The quantity of a title, such as ``position[load,x]``. Raises UsageError; ``name``: who asks."""
    found = TITLE.match(title) if isinstance(title, str) else None
    if found is None:
        raise UsageError(f"{name}: a column's title is such as position[load,x] or tension[left], got {show(title)}")
    variable, place, unit = found[1], tuple(part.strip() for part in found[2].split(",")), found[3]
    if not is_one_of(variable, DIFFERENTIATED):
        raise UsageError(f"{name}: {title}: {unknown('variable that a run predicts', variable, DIFFERENTIATED)}")
    if unit is not None and unit.strip() != VARIABLES[variable].unit:
        raise UsageError(f"{name}: {title}: the unit must be {VARIABLES[variable].unit}; convert the numbers")
    return Column(variable, place)
