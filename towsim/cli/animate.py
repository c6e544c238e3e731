"""``towsim animate``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

EPILOG = """\
examples:
  towsim animate run.nc                  writes run.gif
  towsim animate run.nc -o tow.mp4 --speed 0.5 --fps 30 --size 1280x720
  towsim animate rigid.nc elastic.nc -o both.webm --camera side
  towsim animate rigid.nc elastic.nc -o both.webm --layout side --size 1280x600
  towsim animate run.nc -o pictures      a folder: pictures/00000.png, ...
The renderer of the 3-D page draws where a browser is there (Chromium or Chrome, and pip install playwright),
matplotlib otherwise.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    from towsim.cli.targets import positive, whole

    parser.add_argument("results", nargs="+", metavar="FILE.nc", help="one result, or several under one clock")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help=".gif, .webp, .mp4, .webm, or a folder (default FILE.gif)"
    )
    parser.add_argument(
        "--fps", type=whole, default=25, metavar="N", help="pictures per second (default 25; .gif: up to 50)"
    )
    parser.add_argument("--speed", type=positive, default=1.0, metavar="X", help="slower (< 1) or faster than life")
    parser.add_argument("--size", type=_size, default=(800, 600), metavar="BxH", help="in pixels (default 800x600)")
    parser.add_argument(
        "--camera", default="auto", help="fit, front, side, top, or auto (default): what goes far is followed"
    )
    parser.add_argument(
        "--layout", default="over", metavar="over|side", help="of several: over each other (default) or side by side"
    )
    parser.add_argument("--renderer", default="auto", help="browser, matplotlib, or auto (default): what is there")
    parser.add_argument("--force", action="store_true", help="overwrite an existing film")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Write the film."""
    from towsim.cli.progress import Progress
    from towsim.cli.targets import beside_caller, result_names
    from towsim.pictures.animate import animate
    from towsim.pictures.reel import check_folder
    from towsim.results import open_result
    from towsim.results.files import refuse_existing

    output = Path(arguments.output or beside_caller(arguments.results[0], ".gif"))
    refuse_existing(output, force=arguments.force, folder=check_folder)
    results = [open_result(name) for name in arguments.results]
    options = {name: getattr(arguments, name) for name in ("fps", "speed", "size", "camera", "layout", "renderer")}
    names = result_names(arguments.results) if len(results) > 1 else ()
    with Progress(wanted=not arguments.no_progress, label=output.name, unit="picture") as progress:
        print(animate(results, output, progress=progress, names=names, **options))
    return 0


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)x(\d+)", text)
    if not found or not all(16 <= int(one) <= 8192 for one in found.groups()):
        raise argparse.ArgumentTypeError(f"{text!r}: breadth x height in pixels, 16 to 8192 each, such as 1280x720")
    return int(found[1]), int(found[2])
