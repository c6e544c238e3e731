"""``towsim view``."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
the page is one file that opens by double click, without a network: bodies, robots, wires (a slack one dashed, in the
length it has; none where it is cut, broken or detached), ground or water; a list of what happened; under the scene two
panels that show any variable of the result; click a wire or body to find it in scene and curves, hover for its numbers

keys: space plays, arrows step, f 1 2 3 look (all, front, side, top), n names, t paths, a forces
several runs are laid over each other or stand side by side, under one camera and one clock; the page has a choice of it
an address may say what to show first: run.html#t=3&camera=side&layout=side

examples:
  towsim view run.nc                     writes run.html
  towsim view rigid.nc elastic.nc        both in one scene and in the same curves: rigid-elastic.html
  towsim view rigid.nc elastic.nc --layout side
  towsim view run.nc -o page.html --fps 50 --open
"""


PAGES = (".html", ".htm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    from towsim.cli.targets import positive

    parser.add_argument(
        "results",
        nargs="+",
        metavar="FILE.nc",
        help="a result (.nc, .npz, or the .parts folder of a killed run); others are laid over the first",
    )
    parser.add_argument(
        "--layout",
        default="over",
        metavar="over|side",
        help="of several results, to begin with: over each other (default) or side by side",
    )
    parser.add_argument("-o", "--output", metavar="FILE.html", help="page to write (default FILE.html)")
    parser.add_argument(
        "--fps", type=positive, metavar="N", help="frames per second of the run (default 100, less beyond 30 s)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--force", action="store_true", help="overwrite an existing page")


def run(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from towsim.cli.targets import beside_caller, result_names
    from towsim.errors import UsageError
    from towsim.pictures.page3d import write_page
    from towsim.results import open_result
    from towsim.results.files import refuse_existing

    output = Path(arguments.output or beside_caller("-".join(result_names(arguments.results)), ".html"))
    if output.suffix not in PAGES:
        raise UsageError(f"{output}: a page is {' or '.join(PAGES)}")
    refuse_existing(output, force=arguments.force)
    names = result_names(arguments.results) if len(arguments.results) > 1 else ()
    results = [open_result(name) for name in arguments.results]
    print(write_page(results, output, names=names, fps=arguments.fps, layout=arguments.layout))
    if arguments.open:
        import webbrowser

        webbrowser.open(output.resolve().as_uri())
    return 0
