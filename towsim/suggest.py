"""One sentence for an unknown name: what was asked, what was probably meant, what there is."""

from __future__ import annotations

from collections.abc import Iterable


def unknown(what: str, name: object, known: Iterable[object]) -> str:
    """Sentence such as ``unknown wire 'lefft': did you mean 'left'? There are: left, right``."""
    from difflib import get_close_matches

    names = [str(one) for one in known]
    close = get_close_matches(str(name), names, n=1)
    meant = f": did you mean {close[0]!r}?" if close else "."
    shown = ", ".join(names[:30]) + (f" and {len(names) - 30} more" if len(names) > 30 else "")
    return f"unknown {what} {name!r}{meant} " + (f"There are: {shown}" if names else "There are none")
