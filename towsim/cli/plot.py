"""``towsim plot``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from towsim.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scenarios import Scenario
    from towsim.results import Result

EPILOG = """\
unasked it draws tensions, gaps, the path of loads and robots, and the solver's residual; jerks are marked; a result of
the scenarios cdpr44-* is drawn as the figures of the paper they come from, with its published values; several results
are drawn over each other: tensions, how far apart the loads are, and their paths

examples:
  towsim plot run.nc                     writes run.png
  towsim plot run.nc -o run.pdf --what tension,gap
  towsim plot run.nc --what energy       kinetic, potential (above its least), elastic energy, what is lost
  towsim plot rigid.nc elastic.nc        compares two runs or more
  towsim plot run.nc --show              opens a window
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument(
        "results",
        nargs="+",
        metavar="FILE.nc",
        help="a result (.nc, .npz, or the .parts folder of a killed run); several are compared",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="picture to write: .png, .pdf or .svg (default FILE.png)"
    )
    parser.add_argument(
        "--what", metavar="A,B", help="panels to draw: tension, gap, path, residual, energy, or any variable"
    )
    parser.add_argument("--show", action="store_true", help="open a window instead of writing a file")
    parser.add_argument("--force", action="store_true", help="overwrite an existing picture")


def run(arguments: argparse.Namespace) -> int:
    """Draw the result."""
    from towsim.cli.targets import beside_caller, picture_to_write, result_names
    from towsim.pictures import save_figure, show
    from towsim.results import open_result

    output = Path(arguments.output or beside_caller("-".join(result_names(arguments.results)), ".png"))
    if not arguments.show:
        picture_to_write(output, force=arguments.force)
    results = dict(zip(result_names(arguments.results), map(open_result, arguments.results), strict=True))
    draw = _several(results, arguments) if len(results) > 1 else _one(next(iter(results.values())), arguments)
    if arguments.show:
        show(draw)
        return 0
    save_figure(draw(), output)
    print(output)
    return 0


def _several(results: dict[str, Result], arguments: argparse.Namespace) -> Callable[..., Figure]:
    from towsim.cli.output import say
    from towsim.pictures import plot_runs
    from towsim.pictures.versus import unlike

    if arguments.what is not None:
        raise UsageError("--what is for one result; several are compared by tensions and paths")
    if note := unlike(results):
        say(f"not alike: {note}")
    return lambda figure=None: plot_runs(results, figure=figure)


def _one(result: Result, arguments: argparse.Namespace) -> Callable[..., Figure]:
    from towsim.pictures import plot

    what = None if arguments.what is None else [name.strip() for name in arguments.what.split(",")]
    own = _own_figures(result) if what is None else None
    if own is not None:
        return lambda figure=None: own.drawing(result, figure)
    return lambda figure=None: plot(result, what, figure=figure)


def _own_figures(result: Result) -> Scenario | None:
    """The scenario that the result is of, if it has figures of its own."""
    import scenarios

    name = str(result.attributes.get("name", ""))
    if name not in scenarios.names():
        return None
    one = scenarios.get(name)
    return one if one.draws else None
