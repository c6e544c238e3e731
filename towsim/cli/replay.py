"""``towsim replay``."""

from __future__ import annotations

import argparse

EPILOG = """\
a result holds its scene, options and versions; a replay needs nothing else

examples:
  towsim replay run.nc --check           exit code 1 unless every number is the same, bit for bit
  towsim replay run.nc -o again.nc
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("result", metavar="FILE.nc", help="a result (.nc, .npz, or the .parts folder of a killed run)")
    parser.add_argument("--check", action="store_true", help="exit with 1 unless every number is the same")
    parser.add_argument("-o", "--output", metavar="FILE.nc", help="keep the new run")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run it again and compare."""
    from towsim.analysis.replay import replay
    from towsim.cli.progress import Progress
    from towsim.results import open_result

    result = open_result(arguments.result)
    with Progress(wanted=not arguments.no_progress, label=f"replay {arguments.result}") as progress:
        replayed = replay(result, output=arguments.output, progress=progress)
    print(replayed)
    return 1 if arguments.check and not replayed.same else 0
