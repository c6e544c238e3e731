"""Plain data as YAML text: one block for each section, one line for each object in it."""

from __future__ import annotations

import re
from typing import Any

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
RESERVED = re.compile(r"true|false|null|yes|no|on|off|y|n", re.IGNORECASE)  # the latter in YAML 1.1 only


def emit(data: dict[str, Any]) -> str:
    """YAML 1.2 text; floats are written with the digits that read back to the same bits."""
    lines = []
    for key, value in data.items():
        if isinstance(value, dict) and value and all(isinstance(item, dict) for item in value.values()):
            lines.append(f"{_text(key)}:")
            lines += [f"  {_text(name)}: {_flow(item)}" for name, item in value.items()]
        else:
            lines.append(f"{_text(key)}: {_flow(value)}")
    return "\n".join(lines) + "\n"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    return "null" if value is None else repr(value)


def _text(text: str) -> str:
    if PLAIN.fullmatch(text) and not RESERVED.fullmatch(text):
        return text
    return '"' + "".join(_escape(c) for c in text) + '"'


def _escape(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    if c.isprintable() and c != "\ufeff":
        return c
    return f"\\U{ord(c):08X}"
