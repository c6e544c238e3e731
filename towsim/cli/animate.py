"""``towsim animate``."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
examples:
  towsim animate run.nc                  writes run.gif
  towsim animate run.nc -o tow.mp4 --speed 0.5 --fps 30
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    from towsim.cli.targets import positive, whole

    parser.add_argument("result", metavar="FILE.nc", help="a result (.nc, .npz, or the .parts folder of a killed run)")
    parser.add_argument("-o", "--output", metavar="FILE", help=".gif, or .mp4 (needs ffmpeg) (default FILE.gif)")
    parser.add_argument("--fps", type=whole, default=25, metavar="N", help="pictures per second (default 25)")
    parser.add_argument("--speed", type=positive, default=1.0, metavar="X", help="slower (< 1) or faster than life")
    parser.add_argument("--force", action="store_true", help="overwrite an existing film")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Write the film."""
    from towsim.cli.progress import Progress
    from towsim.cli.targets import beside_caller
    from towsim.pictures.animate import animate
    from towsim.results import open_result
    from towsim.results.files import refuse_existing

    output = Path(arguments.output or beside_caller(arguments.result, ".gif"))
    refuse_existing(output, force=arguments.force)
    result = open_result(arguments.result)
    with Progress(wanted=not arguments.no_progress, label=output.name, unit="picture") as progress:
        print(animate(result, output, fps=arguments.fps, speed=arguments.speed, progress=progress))
    return 0
