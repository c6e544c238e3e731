"""``towsim export``."""

from __future__ import annotations

import argparse
from pathlib import Path

from towsim.cli.output import say

EPILOG = """\
a table has one column per number, such as 'tension[left] (N)'; events go to a second table, run-events.csv

examples:
  towsim export run.nc -o run.csv
  towsim export run.nc -o run.npz        numpy.load("run.npz")["tension"]
  towsim export run.nc.parts -o saved.nc     a run that was killed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("result", metavar="FILE.nc", help="a result (.nc, .npz, or the .parts folder of a killed run)")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="where to: .csv, .npz or .nc")
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def run(arguments: argparse.Namespace) -> int:
    """Write the result in another format."""
    from towsim.results import open_result
    from towsim.results.export import targets

    files = targets(Path(arguments.output), force=arguments.force)
    open_result(arguments.result).save(arguments.output, force=arguments.force)
    for file in files:
        print(file)
    say(f"exported {arguments.result}")
    return 0
