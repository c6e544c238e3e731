"""A film of a result, for papers and slides: by the renderer of the 3-D page where a browser is there, or matplotlib's.

Who draws (``headless``, ``drawing``) and what the file is (``reel``) have nothing to do with each other: pictures pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from PIL import Image

from towsim.errors import UsageError
from towsim.given import a_function, a_list, a_number
from towsim.pictures import reel
from towsim.pictures.drawing import VIEWS, drawn
from towsim.pictures.headless import filmed
from towsim.pictures.page3d import FINEST, LAYOUTS
from towsim.pictures.stage import stage
from towsim.quote import show
from towsim.results import Result
from towsim.results.result import a_result
from towsim.suggest import is_one_of, unknown

RENDERERS = ("auto", "browser", "matplotlib")

LONGEST = 1_000_000
"""Pictures of the longest film: eleven hours."""


def animate(
    result: Result | Sequence[Result],
    path: str | Path,
    *,
    fps: int = 25,
    speed: float = 1.0,
    size: tuple[int, int] = (800, 600),
    camera: str = "auto",
    layout: str = "over",
    names: Sequence[str] = (),
    renderer: str = "auto",
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a film of a result: bodies, wires, robots and paths in the colours of ``plot`` and of the 3-D page.

    Parameters
    ----------
    result : what is seen; several, for which a browser is needed, under one clock until the last of them ends
    path : .gif or .webp, which browsers show as pictures that move; .mp4 or .webm (need ffmpeg: the program, or
        ``pip install imageio-ffmpeg``); a name without suffix is a folder of numbered .png files
    fps : pictures per second of the film, up to 50 of a .gif and 90 of a .webp
    speed : simulated seconds per second of the film
    size : breadth and height [px];  camera : ``fit``, ``front`` (along +y), ``side`` (along -x), ``top``, or
        ``auto``, which in the browser follows a load that goes far
    layout : of several results, laid ``over`` each other or ``side`` by side, each under its name
    names : what each of several is called (default: what tells them apart)
    renderer : ``browser`` draws the 3-D page (needs Chromium or Chrome, and ``pip install playwright``),
        ``matplotlib`` needs neither; ``auto`` takes the browser where it is there
    progress : called with (pictures done, pictures in all)

    Raises
    ------
    UsageError : another suffix, camera, layout or renderer; too many pictures, per second or at all; what it needs is
        missing
    ResultError : nothing to draw
    """
    results = (result,) if isinstance(result, Result) else tuple(map(a_result, a_list("results", result)))
    choices = (("camera", camera, tuple(VIEWS)), ("layout", layout, LAYOUTS), ("renderer", renderer, RENDERERS))
    for kind, given, known in choices:
        if not is_one_of(given, known):
            raise UsageError(unknown(kind, given, known))
    for kind, rate in (("fps", fps), ("speed", speed)):
        if a_number(kind, rate) <= 0.0:
            raise UsageError(f"{kind} must be > 0, got {show(rate)}")
    if (
        not isinstance(size, tuple | list)
        or len(size) != 2
        or not all(isinstance(one, int) and one > 0 for one in size)
    ):
        raise UsageError(f"size must be breadth and height in whole pixels, such as (800, 600), got {show(size)}")
    if progress is not None:
        a_function("progress", progress, "of the pictures done, and of all")
    if not results:
        raise UsageError("a film needs at least one result")
    path = Path(path)
    reel.check(path, fps)
    seen = stage(max(results, key=_end), fps / speed)
    times = _moments(float(seen.time[0]), float(seen.time[-1]), fps / speed)
    pictures: Iterator[Image.Image] | None = None
    if renderer != "matplotlib":
        try:
            options = {"fps": max(FINEST, fps / speed), "layout": layout, "names": names}
            pictures = _begun(filmed(results, times, size=size, camera=camera, **options))
        except UsageError:
            if renderer == "browser" or len(results) > 1:
                raise
    elif len(results) > 1:
        raise UsageError("matplotlib draws one result: renderer 'browser' draws several")
    if pictures is None:
        pictures = drawn(seen, times, str(results[0].attributes.get("name", "")), size=size, camera=camera)
    return reel.write(_told(pictures, len(times), progress), path, fps)


def _end(result: Result) -> float:
    return float(result.time[-1]) if len(result.time) else 0.0


def _moments(first: float, last: float, rate: float) -> list[float]:
    """Times of the pictures [s], ``rate`` a second of simulated time, however many rows there are; the last is last."""
    more = (last - first) * rate
    if more > LONGEST:
        raise UsageError(f"a film of {more:.3g} pictures: at most {LONGEST:,} are written; take fewer, or go faster")
    count = int(np.ceil(more - 1e-6))  # the product may be rounded up
    return [*(first + k / rate for k in range(count)), last]


def _begun(pictures: Iterator[Image.Image]) -> Iterator[Image.Image]:
    """The same pictures, of which the first is there: whoever draws them can."""
    return chain((next(pictures),), pictures)


def _told(
    pictures: Iterator[Image.Image], count: int, progress: Callable[[int, int], None] | None
) -> Iterator[Image.Image]:
    for k, picture in enumerate(pictures, 1):
        yield picture
        if progress is not None:
            progress(k, count)
