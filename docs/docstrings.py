"""Docstrings of the house for the documentation: their sections become bold titles and lists."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from typing import Any

import griffe
from mathematics import prose  # beside this file, where generate.py has Python look

TITLE = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)

SESSION = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


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
            rows.append(f"- `{name.strip()}`: {_plain(what)}" if colon else f"- {_plain(item)}")
        out += [f"**{title}**\n", "\n".join(rows), "", _plain(rest)]
    return "\n".join(out)


def _plain(text: str) -> str:
    """Plain Markdown with letters' indices set; what is indented is an example and stays so, as sessions become."""
    text = SESSION.sub(lambda found: textwrap.indent(found[0], "    "), text)
    text = re.sub(r":(?:class|meth|func|mod):`~?([^`]*)`", r"`\1`", text.replace("``", "`"))
    return "\n".join(line if line.startswith("    ") else prose(line) for line in text.split("\n"))


def _real(path: str) -> Any:
    """What stands under a path: in a module, or in a class of one."""
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        return getattr(_real(module), name)


def _with_options(function: griffe.Function) -> griffe.Parameters:
    """Parameters of a function whose options are declared elsewhere: those of its signature at run time."""
    kinds = {one.value: one for one in griffe.ParameterKind}
    found = inspect.signature(_real(function.canonical_path)).parameters.values()
    named = {one.name: one for one in function.parameters}
    return griffe.Parameters(
        *(
            named[one.name]
            if one.name in named
            else griffe.Parameter(
                one.name,
                annotation=one.annotation
                if isinstance(one.annotation, str)
                else inspect.formatannotation(one.annotation),
                kind=kinds[one.kind.description],
                default=repr(one.default),
            )
            for one in found
        )
    )


class House(griffe.Extension):
    """Rewrites every docstring that is shown."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if isinstance(obj, griffe.Function) and any("Unpack[" in str(one.annotation) for one in obj.parameters):
            obj.parameters = _with_options(obj)
        if obj.docstring is not None:
            if "\noptions : " in obj.docstring.value:
                obj.docstring.value = inspect.getdoc(_real(obj.canonical_path)) or ""
            obj.docstring.value = as_markdown(obj.docstring.value)
