"""One sentence for an unknown name: what was asked, what was probably meant, what there is."""

from __future__ import annotations

from collections.abc import Container, Iterable

from towsim.quote import shorten, show

LISTED = 400
"""Characters of the names that are listed."""

ALIKE = 0.65
"""Likeness of a name that was probably meant: 'bux' is like 'box', and 'friction' is not like 'position' (0.62)."""

SHORTEST = 3
"""Letters of what a name may be cut to: 'pos' is short for 'position'."""


def is_one_of(name: object, known: Container[str]) -> bool:
    """Whether it is a text, and one of those known; of a list or an array ``in`` itself makes other errors."""
    return isinstance(name, str) and name in known


def meant_by(name: str, known: Iterable[str]) -> str | None:
    """The one of the names known that was probably meant, if any; of paths the first that begins like it.

    If none is alike, one that begins with the name, but for its last letter: 'body' is one of 'bodies'.
    """
    from difflib import get_close_matches

    parts = name[:100].count(".") + 1
    begins: dict[str, str] = {}
    for one in known:
        begins.setdefault(".".join(one.split(".")[:parts]), one)
        begins[one] = one
    alike = get_close_matches(name[:100], begins, n=1, cutoff=ALIKE)
    stem = name[: max(SHORTEST, len(name) - 1)]
    cut = (one for one in begins if len(stem) >= SHORTEST and one.startswith(stem))
    return next((begins[one] for one in (*alike, *cut)), None)


def unknown(what: str, name: object, known: Iterable[object]) -> str:
    """Sentence such as ``unknown wire 'lefft': did you mean 'left'? There are: left, right``."""
    names = [str(one) for one in known]
    close = meant_by(name, names) if isinstance(name, str) else None
    meant = f": did you mean {close!r}?" if close is not None else "."
    few = [shorten(one, 60) for one in names[:30]]
    while len(", ".join(few)) > LISTED:
        few.pop()
    shown = ", ".join(few) + (f" and {len(names) - len(few)} more" if len(names) > len(few) else "")
    return f"unknown {what} {show(name)}{meant} " + (f"There are: {shown}" if names else "There are none")
