"""Printing: tables for people, JSON for programs, progress for the patient."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def table(rows: Iterable[Sequence[str]], *, indent: str = "") -> str:
    """Left-aligned columns as wide as they need to be."""
    rows = [tuple(row) for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)] if rows else []
    return "\n".join(
        indent + "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    )


def as_json(content: Any) -> str:
    """JSON text; numbers that JSON does not know (NaN, infinity) become null."""
    return json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False)


def say(text: str) -> None:
    """A line for the user that is no result: to stderr."""
    print(text, file=sys.stderr, flush=True)


def _plain(content: Any) -> Any:
    if isinstance(content, float) and not math.isfinite(content):
        return None
    if isinstance(content, dict):
        return {str(key): _plain(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_plain(value) for value in content]
    return content
