"""``towsim view``."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
the page is one file that opens by double click, without a network: bodies, wires coloured by tension and dashed when
slack, paths of robots, ground; play, scrub, speed, camera; tensions and gaps under the scene follow the time

examples:
  towsim view run.nc                     writes run.html
  towsim view run.nc -o page.html --fps 50 --open
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    from towsim.cli.targets import positive

    parser.add_argument("result", metavar="FILE.nc", help="a result (.nc, .npz, or the .parts folder of a killed run)")
    parser.add_argument("-o", "--output", metavar="FILE.html", help="page to write (default FILE.html)")
    parser.add_argument("--fps", type=positive, default=100.0, metavar="N", help="frames per second (default 100)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--force", action="store_true", help="overwrite an existing page")


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from towsim.cli.targets import beside_caller
    from towsim.results import open_result
    from towsim.results.files import refuse_existing
    from towsim.view.page3d import write_page

    output = Path(arguments.output or beside_caller(arguments.result, ".html"))
    refuse_existing(output, force=arguments.force)
    print(write_page(open_result(arguments.result), output, fps=arguments.fps))
    if arguments.open:
        import webbrowser

        webbrowser.open(output.resolve().as_uri())
    return 0
