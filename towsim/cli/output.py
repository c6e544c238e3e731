"""Printing: tables and colour for people, JSON for programs."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TextIO

from towsim.errors import SceneWarning

Style = Literal["good", "bad", "title", "faint"]

CODES: dict[Style, str] = {"good": "32", "bad": "1;31", "title": "1", "faint": "2"}
"""Of a terminal (ECMA-48, select graphic rendition): green, bold red, bold, faint."""


def paint(text: str, style: Style, stream: TextIO | None = None) -> str:
    """The text in colour, if ``stream`` (default: stdout) is a terminal and the user wants colour.

    ``NO_COLOR`` (https://no-color.org) and ``TERM=dumb`` switch it off, ``FORCE_COLOR`` on, as in other programs.
    """
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR"):
        return text
    coloured = os.environ.get("FORCE_COLOR") or (stream.isatty() and os.environ.get("TERM") != "dumb")
    return f"\033[{CODES[style]}m{text}\033[0m" if coloured else text


def table(rows: Iterable[Sequence[str]], *, indent: str = "", head: bool = False) -> str:
    """Left-aligned columns as wide as they need to be; with ``head`` the first row is a title."""
    rows = [tuple(row) for row in rows]
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]) - 1)] if rows else []
    lines = [
        indent
        + "  ".join([*(_padded(cell, width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
    if head and lines:
        lines[0] = paint(lines[0], "title")
    return "\n".join(lines)


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(cell: str) -> int:
    """Characters that are seen."""
    return len(re.sub(r"\033\[[\d;]*m", "", cell))


def as_json(content: Any) -> str:
    """JSON text; numbers that JSON does not know (NaN, infinity) become null."""
    return json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False)


def say(text: str) -> None:
    """A line for the user that is no result: to stderr."""
    print(text, file=sys.stderr, flush=True)


def say_when_compiling() -> None:
    """Say so when a kernel is compiled, once: that takes half a minute."""
    from solvers.kernels.cache import base, keeps
    from solvers.kernels.compiled import announce

    if keeps():
        text = "compiling kernels, once after installing or upgrading; the next start is fast ..."
    else:
        text = f"compiling kernels, as in every start: they cannot be kept in {base()} (set NUMBA_CACHE_DIR) ..."
    announce(lambda: say(text))


def fail(program: str, message: str) -> None:
    """What went wrong, to stderr."""
    say(f"{program}: {paint('error', 'bad', sys.stderr)}: {message}")


@contextmanager
def warned(program: str) -> Iterator[None]:
    """Within, what a scene is warned about is one line for the user, and names no line of towsim's code."""
    formatted = warnings.formatwarning

    def one(message: Warning | str, category: type[Warning], *where: Any, **line: Any) -> str:
        if issubclass(category, SceneWarning):
            return f"{program}: {paint('warning', 'title', sys.stderr)}: {message}\n"
        return formatted(message, category, *where, **line)

    warnings.formatwarning = one
    try:
        yield
    finally:
        warnings.formatwarning = formatted


def word(what: object) -> str:
    """A name as one word of a command to copy: quoted where a shell needs it."""
    return shlex.quote(str(what))


def hint(*commands: str) -> None:
    """What to do next: commands to copy, to stderr."""
    for k, command in enumerate(commands):
        say(paint(f"{'' if k else 'next':<10}{command}", "faint", sys.stderr))


def _plain(content: Any) -> Any:
    if isinstance(content, float) and not math.isfinite(content):
        return None
    if isinstance(content, dict):
        return {str(key): _plain(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_plain(value) for value in content]
    return content
