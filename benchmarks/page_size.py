"""Bytes of the 3-D pages of long runs, seconds to write them, and seconds until one can act on them.

Run with ``python benchmarks/page_size.py``; results are made first (a minute). Wanted: a towed cable of 200 elements
over 120 s at most 1 MB, a chain of 120 bodies over 60 s at most 3 MB, each written in at most 3 s, interactive in 2 s.
The last is the least of five openings in a browser without a window, which draws in software: from the address until a
press of the key End has shown the last frame.
"""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import towsim
from scenarios import get
from towsim.pictures.headless import BROWSERS, FLAGS
from towsim.pictures.page3d import write_page

SHOWN = "() => viewer.time() === viewer.span.last && document.getElementById('scrub').value === '10000'"


def seconds_to_act(page: Path, times: int = 5) -> float:
    """Least of some openings of a page in a new tab [s]; needs Playwright and a browser."""
    from playwright.sync_api import sync_playwright

    taken = []
    with sync_playwright() as driver:
        installed = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = driver.chromium.launch(executable_path=installed, args=[*FLAGS, "--no-sandbox"])
        for _ in range(times):
            tab = browser.new_page(viewport={"width": 1440, "height": 900})
            start = time.perf_counter()
            tab.goto(page.as_uri())
            tab.wait_for_selector("body[data-ready=yes]", timeout=60_000)
            tab.keyboard.press("End")
            tab.wait_for_function(SHOWN)
            taken.append(time.perf_counter() - start)
            tab.close()
        browser.close()
    return min(taken)


def main() -> None:
    """Print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chain", type=int, default=120, help="bodies of the chain")
    parser.add_argument("--duration", type=float, default=60.0, help="of the chain's run [s]")
    options = parser.parse_args()
    runs = {
        "towed-cable, 200 elements, 120 s": (get("towed-cable").build(), {}),
        f"payload-chain, {options.chain} bodies, {options.duration:g} s": (
            get("payload-chain").build(n=options.chain),
            {"duration": options.duration, "step": 1e-3, "record_every": 10},
        ),
    }
    with TemporaryDirectory() as folder:
        for name, (scene, how) in runs.items():
            file = towsim.simulate(scene, **how).save(Path(folder, "run.nc"), force=True)
            start = time.perf_counter()
            page = write_page(towsim.open_result(file), Path(folder, "run.html"))
            written = time.perf_counter() - start
            print(f"{name:40} {page.stat().st_size / 1e6:6.2f} MB, written in {written:5.2f} s", end=", ", flush=True)
            print(f"interactive in {seconds_to_act(page):5.2f} s")


if __name__ == "__main__":
    main()
