"""Values and texts as messages quote them: no message grows with what is wrong."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence

LONGEST = 1000
"""Characters of a message."""

_VALUES = reprlib.Repr()
_VALUES.maxlevel, _VALUES.maxstring, _VALUES.maxother, _VALUES.maxlong = 2, 60, 60, 60
_MOST = 80


def show(value: object) -> str:
    """A value as it is quoted in a message: one short line, texts in quotes."""
    try:
        text = _VALUES.repr(value)
    except ValueError:  # Python refuses to print integers of more than 4300 digits
        text = "a number with thousands of digits"
    text = " ".join(text.split())  # arrays are printed in lines
    return text if len(text) <= _MOST else text[: _MOST - 20] + "... (cut)"


def shorten(text: str, most: int = LONGEST) -> str:
    """A text without its middle, if it is longer than that; what to do stands at the end of a message."""
    if len(text) <= most:
        return text
    head, tail = most * 2 // 3, most // 4
    return f"{text[:head]} ... (cut) ... {text[-tail:]}"


def number(value: float, least: float = 0.0) -> str:
    """A number in six digits, 0 if it is below what is rounding beside its like; never −0."""
    return f"{value if abs(value) > least else 0.0:.6g}"


def aligned(rows: Sequence[Sequence[str]], right: int = 1) -> list[str]:
    """Lines of a table in columns, from column ``right`` on to the right; each row as long as the first."""
    width = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [c.rjust(k) if j >= right else c.ljust(k) for j, (c, k) in enumerate(zip(row, width, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines
