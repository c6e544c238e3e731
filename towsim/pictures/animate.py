"""A film of a result, for papers and slides: by the renderer of the 3-D page where a browser is there, or matplotlib's.

Who draws (``headless``, ``drawing``) and what the file is (``reel``) have nothing to do with each other: pictures pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from PIL import Image

from towsim.errors import UsageError
from towsim.pictures import reel
from towsim.pictures.drawing import VIEWS, drawn
from towsim.pictures.headless import filmed
from towsim.pictures.page3d import FINEST
from towsim.pictures.stage import stage
from towsim.results import Result
from towsim.suggest import unknown

RENDERERS = ("auto", "browser", "matplotlib")


def animate(
    result: Result | Sequence[Result],
    path: str | Path,
    *,
    fps: int = 25,
    speed: float = 1.0,
    size: tuple[int, int] = (800, 600),
    camera: str = "auto",
    renderer: str = "auto",
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a film of a result: bodies, wires, robots and paths in the colours of ``plot`` and of the 3-D page.

    Parameters
    ----------
    result : what is seen; several are laid over each other, for which a browser is needed
    path : .gif or .webp, which browsers show as pictures that move; .mp4 or .webm (need ffmpeg: the program, or
        ``pip install imageio-ffmpeg``); a name without suffix is a folder of numbered .png files
    fps : pictures per second of the film;  speed : simulated seconds per second of the film
    size : breadth and height [px];  camera : ``fit``, ``front`` (along +y), ``side`` (along -x), ``top``, or
        ``auto``, which in the browser follows a load that goes far
    renderer : ``browser`` draws the 3-D page (needs Chromium or Chrome, and ``pip install playwright``),
        ``matplotlib`` needs neither; ``auto`` takes the browser where it is there
    progress : called with (pictures done, pictures in all)

    Raises
    ------
    UsageError : another suffix, camera or renderer; what the film needs is not there
    ResultError : nothing to draw
    """
    results = (result,) if isinstance(result, Result) else tuple(result)
    for kind, given, known in (("camera", camera, tuple(VIEWS)), ("renderer", renderer, RENDERERS)):
        if given not in known:
            raise UsageError(unknown(kind, given, known))
    if not results:
        raise UsageError("a film needs at least one result")
    path = Path(path)
    reel.check(path)
    seen = stage(results[0], fps / speed)
    times = [float(time) for time in seen.time]
    pictures: Iterator[Image.Image] | None = None
    if renderer != "matplotlib":
        try:
            pictures = _begun(filmed(results, times, fps=max(FINEST, fps / speed), size=size, camera=camera))
        except UsageError:
            if renderer == "browser" or len(results) > 1:
                raise
    elif len(results) > 1:
        raise UsageError("matplotlib draws one result: renderer 'browser' lays several over each other")
    if pictures is None:
        pictures = drawn(seen, str(results[0].attributes.get("name", "")), size=size, camera=camera)
    return reel.write(_told(pictures, len(times), progress), path, fps)


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
