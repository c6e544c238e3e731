"""The 3-D page as a renderer: a browser without a window draws it moment by moment.

Playwright drives the browser: a Chromium or Chrome that is installed, or one of Playwright's own. It must stay on one
thread, and not on one where an event loop runs, as in notebooks; so it gets a thread of its own.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from PIL import Image

from towsim.errors import UsageError
from towsim.results import Result

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")
BARE = "nav, #panels, #events, #legend { display: none !important } #status { font-variant-numeric: tabular-nums }"
"""The scene alone, under its title and the time."""

SHOW = "t => { viewer.seek(t); document.getElementById('status').textContent = `t = ${t.toFixed(2)} s`; }"


def filmed(
    results: Sequence[Result], times: Sequence[float], *, size: tuple[int, int], camera: str, **options: Any
) -> Generator[Image.Image]:
    """Pictures of the page of the results at these times [s]; ``size`` in pixels, the options as of ``page``.

    Raises
    ------
    UsageError : Playwright or a browser is not there, or the page did not come up; ResultError : nothing to draw
    """
    from towsim.pictures.page3d import write_page

    end = object()
    with tempfile.TemporaryDirectory(prefix="towsim-") as folder, ThreadPoolExecutor(1) as thread:
        page = write_page(results, Path(folder, "film.html"), **options)
        pictures = _pictures(page.as_uri(), times, size, camera)
        try:
            while isinstance(picture := thread.submit(next, pictures, end).result(), Image.Image):
                yield picture
        finally:
            thread.submit(pictures.close).result()


def _pictures(address: str, times: Sequence[float], size: tuple[int, int], camera: str) -> Generator[Image.Image]:
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise UsageError("a film of the 3-D page needs a browser and Playwright: pip install playwright") from None
    flags = [*FLAGS, "--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else FLAGS
    with sync_playwright() as driver:
        try:
            installed = next(filter(None, map(shutil.which, BROWSERS)), None)
            browser = driver.chromium.launch(executable_path=installed, args=flags)
            view = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
            view.goto(address)
            view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
        except Error as error:
            reason = error.message.strip().splitlines()[0]
            raise UsageError(f"no browser could draw the page ({reason}); playwright install chromium") from None
        view.add_style_tag(content=BARE)
        view.wait_for_function("() => document.getElementById('canvas').clientHeight > innerHeight / 2")
        view.evaluate("camera => camera === 'auto' ? viewer.begin() : viewer.look(camera)", camera)
        for time in times:
            view.evaluate(SHOW, time)
            yield Image.open(io.BytesIO(view.screenshot(type="png"))).convert("RGB")
        browser.close()
