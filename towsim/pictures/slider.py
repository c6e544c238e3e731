"""Pictures behind a slider: drawn beforehand, for pages without a network (``Slider``), or live (``explore``)."""

from __future__ import annotations

import base64
import html
import io
import json
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from towsim.errors import UsageError

_numbers = count()

PAGE = """\
<figure class="towsim-slider" id="{id}" style="margin:0">
<img alt="{alt}" style="max-width:100%" src="data:image/svg+xml;base64,{first}">
<figcaption><label>{label}
<input type="range" min="0" max="{last}" value="{start}" style="width:60%;vertical-align:middle">
<output>{value}</output></label></figcaption>
<script>
(function () {{
  const box = document.getElementById("{id}"), frames = {frames}, values = {values};
  const picture = box.querySelector("img"), range = box.querySelector("input"), shown = box.querySelector("output");
  range.addEventListener("input", function () {{
    picture.src = "data:image/svg+xml;base64," + frames[range.value];
    shown.textContent = values[range.value];
  }});
}})();
</script>
</figure>
"""


class Slider:
    """Frames of a figure over a parameter; shown in a notebook as it is, and by ``html()`` on a page.

    Attributes
    ----------
    label : name and unit of the parameter
    values : what the slider shows at each frame
    frames : the pictures (SVG)
    start : number of the frame that is shown first
    """

    def __init__(
        self,
        draw: Callable[[float], Figure],
        values: Sequence[float],
        *,
        label: str,
        start: float | None = None,
    ) -> None:
        """Draw all frames.

        Parameters
        ----------
        draw : makes the figure of a value; all of the same size, so that the page does not jump
        values : of the parameter, in their order
        label : name and unit of the parameter
        start : shown first; default the first of the values

        Raises
        ------
        UsageError : no values, or a start that is none of them
        """
        if not len(values):
            raise UsageError("a slider needs at least one value")
        if start is not None and start not in values:
            raise UsageError(f"the slider starts at one of its values, got {start}")
        self.label = label
        self.values = [f"{value:.6g}" for value in values]
        self.start = 0 if start is None else list(values).index(start)
        self.frames = [picture(draw(value)) for value in values]

    def html(self) -> str:
        """The slider as a piece of HTML that needs nothing else."""
        frames = [base64.b64encode(frame).decode() for frame in self.frames]
        return PAGE.format(
            id=f"slider-{next(_numbers)}",
            alt=html.escape(f"{self.label}: {len(frames)} pictures", quote=True),
            label=html.escape(self.label),
            last=len(frames) - 1,
            start=self.start,
            first=frames[self.start],
            value=html.escape(self.values[self.start]),
            frames=json.dumps(frames),
            values=json.dumps(self.values).replace("<", "\\u003c"),
        )

    def _repr_html_(self) -> str:
        return self.html()

    def __repr__(self) -> str:
        size = sum(map(len, self.frames)) / 1e3
        return f"<Slider: {self.label}, {len(self.frames)} frames, {size:.0f} kB>"

    def save(self, path: str | Path) -> Path:
        """Write a page with the slider alone."""
        path = Path(path)
        title = html.escape(self.label)
        head = f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>\n<body>\n'
        path.write_text(f"{head}{self.html()}</body></html>\n", encoding="utf-8")
        return path


def explore(draw: Callable[..., Figure], **sliders: tuple[float, float, float, float]) -> Any:
    """Sliders in a notebook that draw anew as they are moved, for more parameters than frames can be drawn of.

    Parameters
    ----------
    draw : makes the figure of the parameters, given by name
    sliders : of each parameter least, largest, step and start; all of them whole numbers for a whole one

    Returns the widget. Raises ``UsageError`` without ipywidgets.
    """
    try:
        import ipywidgets
    except ImportError:
        raise UsageError("explore needs ipywidgets: pip install 'towsim[notebook]'") from None
    made = {}
    for name, (least, largest, step, start) in sliders.items():
        whole = all(isinstance(value, int) for value in (least, largest, step, start))
        kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
        made[name] = kind(value=start, min=least, max=largest, step=step, description=name, continuous_update=True)
    shown = ipywidgets.Image(format="svg+xml")

    def redraw(_: Any = None) -> None:
        shown.value = picture(draw(**{name: one.value for name, one in made.items()}))

    for one in made.values():
        one.observe(redraw, names="value")
    redraw()
    return ipywidgets.VBox([shown, *made.values()])


def picture(figure: Figure) -> bytes:
    """A figure as SVG, a point of its size one pixel: sharp at any zoom, and drawn in half the time of dots.

    The text is left to whoever shows it; drawing letters would take four fifths of the time.
    """
    file = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "towsim"}):
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(file, metadata={"Date": None})
    return file.getvalue().replace('pt"', 'px"', 2).encode()
