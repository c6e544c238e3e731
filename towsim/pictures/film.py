"""The 3-D page from Python: in a notebook it shows itself, elsewhere it is opened or saved."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from towsim.errors import UsageError
from towsim.given import a_number
from towsim.pictures.page3d import page, write_page
from towsim.quote import show
from towsim.results import Result
from towsim.results.result import a_result


class Film:
    """A page of one or more results; as the last line of a notebook's cell it is seen there.

    Attributes
    ----------
    text : the page as HTML, made when it is first asked for
    """

    def __init__(self, results: Sequence[Result], height: int = 720, **options: Any) -> None:
        self._results, self._height, self._options = tuple(results), height, options

    @cached_property
    def text(self) -> str:
        """The page as HTML."""
        return page(*self._results, **self._options)

    def save(self, path: str | Path) -> Path:
        """Write the page, whole or not at all."""
        return write_page(self._results, path, **self._options)

    def open(self) -> Path:
        """Open the page in the browser; returns the file, in a temporary folder."""
        path = self.save(Path(tempfile.mkdtemp(prefix="towsim-"), "page.html"))
        webbrowser.open(path.as_uri())
        return path

    def _repr_html_(self) -> str:
        source = html.escape(self.text, quote=True)
        return f'<iframe srcdoc="{source}" style="width:100%;height:{self._height}px;border:0"></iframe>'


def view(
    *results: Result,
    names: Sequence[str] = (),
    fps: float | None = None,
    height: int = 720,
    layout: str = "over",
) -> Film:
    """The 3-D page of one or more results, over each other or side by side: in a notebook it shows itself.

    Parameters
    ----------
    results : what is seen
    names : what each of several is called (default: what tells them apart)
    fps : frames kept per second of simulated time (default 100, less for runs of more than 30 s)
    height : of the frame in a notebook [px]
    layout : of several results, laid ``over`` each other or ``side`` by side, to begin with; the page can change it

    Raises
    ------
    UsageError : something else than a result; frames that are not a number > 0
    """
    if fps is not None and a_number("fps", fps) <= 0.0:
        raise UsageError(f"fps must be > 0, got {show(fps)}")
    return Film(tuple(map(a_result, results)), height, names=names, fps=fps, layout=layout)
