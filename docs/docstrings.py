"""Docstrings of the house for the documentation: their sections become bold titles and lists."""

from __future__ import annotations

import re
from typing import Any

import griffe

TITLE = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)


def as_markdown(text: str) -> str:
    """``Parameters / -----`` and its lines ``name : what`` as a title and a list; indented text as it stands."""
    first, *sections = TITLE.split(text)
    out = [_plain(first)]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        items: list[str] = []
        rest = ""
        for line in body.split("\n"):
            if rest or (items and not line.strip()):
                rest += line + "\n"
            elif line.startswith(" ") and items:
                items[-1] += " " + line.strip()
            elif line.strip():
                items.append(line.strip())
        rows = []
        for item in items:
            name, colon, what = item.partition(" : ")
            rows.append(f"- `{name.strip()}`: {what}" if colon else f"- {item}")
        out += [f"**{title}**\n", "\n".join(rows), "", _plain(rest)]
    return "\n".join(out)


def _plain(text: str) -> str:
    """Single line breaks are kept out of the way of lists and of what is indented as an example."""
    return re.sub(r":(?:class|meth|func|mod):`~?([^`]*)`", r"`\1`", text.replace("``", "`"))


class House(griffe.Extension):
    """Rewrites every docstring that is shown."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
