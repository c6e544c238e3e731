"""Compare methods on problems from files.

    python -m solvers.bench.compare problems.npz --solvers pgs,lemke,osqp --csv out.csv --plot out.png

Files are those of ``solvers.files``: what ``towsim bench --save`` wrote, or M and q in an archive or in JSON.
Exit codes: 0 good, 1 some claim was wrong, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.quote import show

if TYPE_CHECKING:
    from solvers.bench.report import Report
    from solvers.problem import MLCP

PICTURES = (".png", ".pdf", ".svg")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that every front end of the bench shares."""
    parser.add_argument("--solvers", metavar="A,B", help="methods to compare (default: all that work here)")
    parser.add_argument("--repeats", type=_whole, default=7, metavar="N", help="timed calls of each kind (default 7)")
    parser.add_argument("--csv", metavar="FILE", help="write every measurement as a table, times in s")
    parser.add_argument("--plot", metavar="FILE", help="draw performance profiles: .png, .pdf or .svg")
    parser.add_argument("--save", metavar="FILE.npz", help="write the problems, to be benched later")
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse before anything is computed what could not be written later. Raises ``ProblemError``."""
    from solvers.problem import ProblemError

    for option, suffixes in (("csv", ()), ("plot", PICTURES), ("save", (".npz",))):
        if (name := getattr(arguments, option)) is None:
            continue
        path = Path(name)
        if suffixes and path.suffix not in suffixes:
            raise ProblemError(f"--{option} {name}: the file must end in {' or '.join(suffixes)}")
        if path.is_dir() or not path.parent.is_dir():
            raise ProblemError(f"--{option} {name}: {'is a folder' if path.is_dir() else 'there is no such folder'}")
        if path.exists() and not arguments.force:
            raise ProblemError(f"--{option} {name}: the file exists already; overwrite it with --force")


def chosen(arguments: argparse.Namespace) -> list[str]:
    """The methods asked for, without repetition. Raises ``ProblemError`` for an unknown one, or none."""
    from solvers.backends.registry import available, named
    from solvers.problem import ProblemError

    if arguments.solvers is None:
        return list(available())
    methods = list(dict.fromkeys(name.strip() for name in arguments.solvers.split(",") if name.strip()))
    if not methods:
        raise ProblemError(f"--solvers names no method; there are {', '.join(available())}")
    for method in methods:
        named(method)
    return methods


def run(
    problems: Mapping[str, MLCP],
    arguments: argparse.Namespace,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Measure, write what was asked for, and return the report."""
    from solvers.bench.measure import measure

    methods = chosen(arguments)
    if arguments.save:
        from solvers.files import save

        save(arguments.save, problems)
    report = measure(problems, methods, repeats=arguments.repeats, progress=progress)
    if arguments.csv:
        Path(arguments.csv).write_text(report.to_csv(), encoding="utf-8")
    if arguments.plot:
        from solvers.bench.plot import save_plot

        save_plot(report, arguments.plot)
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """``python -m solvers.bench.compare``."""
    parser = argparse.ArgumentParser(
        prog="python -m solvers.bench.compare", description="Compare complementarity solvers on problems from files."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="problems: .npz or .json")
    add_options(parser)
    arguments = parser.parse_args(argv)
    from solvers.files import load
    from solvers.problem import ProblemError

    try:
        check_outputs(arguments)
        chosen(arguments)
        problems: dict[str, MLCP] = {}
        for name in arguments.files:
            for label, problem in load(name).items():
                while label in problems:
                    label = f"{label} ({Path(name).stem})"
                problems[label] = problem
        report = run(problems, arguments)
    except (ProblemError, OSError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    print(report)
    return 0 if report.honest else 1


def _whole(text: str) -> int:
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"must be a whole number >= 1, got {show(text)}")
    return int(text)
