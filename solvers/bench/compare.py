"""Compare methods on problems from files.

    python -m solvers.bench problems.npz folder --solvers pgs:relaxation=1.5,lemke,mine.solve --table out.md

Files and folders are those of ``solvers.files``: what ``towsim bench --save`` wrote, or M and q in an archive, in JSON
or as Matrix Market files. A solver with a dot in its name is a function (M, q) -> z: here ``solve`` of ``mine.py`` in
the current folder, or that of an installed package.
Exit codes: 0 good, 1 some claim was wrong, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.quote import show

if TYPE_CHECKING:
    from solvers.bench.report import Report
    from solvers.problem import MLCP

PICTURES = (".png", ".pdf", ".svg")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that every front end of the bench shares."""
    parser.add_argument(
        "--solvers",
        metavar="A,B",
        help="methods to compare, with options (pgs:relaxation=1.5), or your own (module.function); default: all",
    )
    parser.add_argument("--repeats", type=_whole, default=7, metavar="N", help="timed calls of each kind (default 7)")
    parser.add_argument("--csv", metavar="FILE", help="write every measurement as a table, times in s")
    parser.add_argument("--table", metavar="FILE", help="write the summary: .md or .tex (.csv: every measurement)")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw performance profiles by time and iterations: .png, .pdf or .svg"
    )
    parser.add_argument(
        "--save", metavar="FILE.npz", help="write the problems, to be benched later; a folder: as Matrix Market files"
    )
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse before anything is computed what could not be written later. Raises ``ProblemError``."""
    from solvers.bench.report import TABLES
    from solvers.problem import ProblemError

    for option, suffixes in (("csv", ()), ("table", tuple(TABLES)), ("plot", PICTURES), ("save", (".npz", ""))):
        if (name := getattr(arguments, option)) is None:
            continue
        path = Path(name)
        if suffixes and path.suffix not in suffixes:
            raise ProblemError(f"--{option} {name}: the file must end in {' or '.join(filter(None, suffixes))}")
        folder = "" in suffixes and not path.suffix
        if (path.is_dir() and not folder) or not path.parent.is_dir():
            raise ProblemError(f"--{option} {name}: {'is a folder' if path.is_dir() else 'there is no such folder'}")
        if path.exists() and not arguments.force and not (folder and path.is_dir() and not any(path.iterdir())):
            what = "folder" if folder else "file"
            raise ProblemError(f"--{option} {name}: the {what} exists already; overwrite it with --force")


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
        if "." in method.partition(":")[0]:
            _import(method.partition(":")[0])
        named(method)
    return methods


def _import(name: str) -> None:
    """Register the function ``module.function``. Raises ``ProblemError`` if there is none."""
    from solvers.backends.registry import register
    from solvers.problem import ProblemError

    place, _, function = name.rpartition(".")
    sys.path.insert(0, os.getcwd())  # of a script it is the folder of the script
    try:
        register(name, getattr(import_module(place), function))
    except (ImportError, AttributeError, ValueError) as error:
        raise ProblemError(f"--solvers {name}: {error}") from None
    finally:
        sys.path.pop(0)


def families(found: Mapping[str, Mapping[str, MLCP]]) -> dict[str, MLCP]:
    """Problems of several sources in one table: without a family of their own they get their source's name for it."""
    if len(found) == 1:
        return dict(next(iter(found.values())))
    problems: dict[str, MLCP] = {}
    for name, own in found.items():
        labelled = {label if "/" in label else f"{Path(name).stem}/{label}": problem for label, problem in own.items()}
        if not problems.keys().isdisjoint(labelled):
            labelled = {f"{name.replace('/', '-')}/{label}": problem for label, problem in own.items()}
        problems |= labelled
    return problems


def run(
    problems: Mapping[str, MLCP],
    arguments: argparse.Namespace,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Measure, write what was asked for, and return the report."""
    from solvers.bench.measure import benchmark
    from solvers.bench.report import TABLES

    methods = chosen(arguments)
    if arguments.save:
        from solvers.files import save

        save(arguments.save, problems)
    report = benchmark(problems, methods, repeats=arguments.repeats, progress=progress)
    if arguments.csv:
        Path(arguments.csv).write_text(report.to_csv(), encoding="utf-8")
    if arguments.table:
        text = getattr(report, TABLES[Path(arguments.table).suffix])()
        Path(arguments.table).write_text(text, encoding="utf-8")
    if arguments.plot:
        from solvers.bench.plot import save_plot

        save_plot(report, arguments.plot)
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """``python -m solvers.bench.compare``."""
    parser = argparse.ArgumentParser(
        prog="python -m solvers.bench", description="Compare complementarity solvers on problems from files."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="problems: .npz, .json, .mtx or a folder")
    add_options(parser)
    arguments = parser.parse_args(argv)
    from solvers.files import load
    from solvers.problem import ProblemError

    try:
        check_outputs(arguments)
        chosen(arguments)
        report = run(families({name: load(name) for name in arguments.files}), arguments)
    except (ProblemError, OSError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    print(report)
    return 0 if report.honest else 1


def _whole(text: str) -> int:
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"must be a whole number >= 1, got {show(text)}")
    return int(text)
