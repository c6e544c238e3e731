"""``towsim bench``."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from towsim.cli.options import add_options
from towsim.cli.output import say, say_when_compiling
from towsim.cli.progress import Progress
from towsim.cli.targets import anything, assignments, scene_with, whole
from towsim.errors import SimulationError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from solvers import MLCP
    from towsim import Result, Scene

EPILOG = """\
problems are those of every N-th step of a run, or come from a file; every answer is judged again by M and q alone
distance is that of w from the best answer; time is that of a call from Python on a problem never seen before, algorithm
the part of it in the method's own compiled code (or in its function, if that is Python); unpolished is the residual
before the guard solved once more on the active set; profiles by iterations compare pivots with sweeps

examples:
  towsim bench eight-wires-box --solvers auto,lemke,pgs,osqp
  towsim bench barge.yaml --every 50 --csv barge.csv --plot barge.png
  towsim bench payload-chain --duration 1 --save chain.npz
  towsim bench chain.npz --solvers pgs:relaxation=1.5,lemke      problems saved before, a method with an option
  towsim bench eight-wires-box payload-chain --table families.md --plot families.png
  towsim bench folder --solvers auto,mine.solve        your problems, and solve(M, q) of your mine.py
  towsim bench payload-chain --save problems           M and q as Matrix Market files
  towsim bench run.nc --every 100                      a result: its run is done again, step by step
  towsim bench mine.json                               {"M": [[2, 1], [1, 2]], "q": [-1, 1], "free": []}
"""

PROBLEMS = (".npz", ".json", ".mtx")
RUN = ("every", "set", "duration", "step", "method", "form")
"""Options of a run."""
MOST = 50
"""Steps of a run that are taken unless --every is given."""


OF_RUN = ("duration", "step", "method", "form")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    from solvers.bench import compare as bench

    parser.add_argument(
        "what",
        nargs="+",
        metavar="NAME-or-FILE",
        help="scenarios, scenes (.yaml), results (.nc), problems (.npz, .json, .mtx, a folder); several are families",
    )
    bench.add_options(parser)
    run = parser.add_argument_group("the run whose steps are taken")
    run.add_argument("--every", type=whole, metavar="N", help=f"take every N-th step (default: about {MOST} steps)")
    run.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as for towsim run")
    add_options(run, OF_RUN)
    parser.add_argument("--no-progress", action="store_true", help="no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Collect problems, measure, and print the report."""
    from solvers import ProblemError
    from solvers.bench import compare as bench

    say_when_compiling()
    try:
        bench.check_outputs(arguments)
        bench.chosen(arguments)
        problems = bench.families({what: _problems(what, arguments) for what in arguments.what})
        with Progress(wanted=not arguments.no_progress) as progress:
            report = bench.run(problems, arguments, progress)
    except ProblemError as error:
        raise UsageError(str(error)) from None
    print(report)
    return 0 if report.honest else 1


def _problems(what: str, arguments: argparse.Namespace) -> dict[str, MLCP]:
    if not _holds_problems(what):
        return _recorded(what, arguments)
    from solvers.files import load

    if all(map(_holds_problems, arguments.what)):
        for option in RUN:
            if getattr(arguments, option):
                raise UsageError(f"--{option} is for a run; {what} holds problems")
    return load(what)


def _holds_problems(what: str) -> bool:
    """Whether that is a file or folder of problems; a scenario may share its name with a folder."""
    import scenarios

    return Path(what).suffix in PROBLEMS or (Path(what).is_dir() and what not in scenarios.names())


def _recorded(what: str, arguments: argparse.Namespace) -> dict[str, MLCP]:
    """The problems of a run; one that stops early gives those until then, the unsolvable one included."""
    from scenarios import Scenario
    from towsim import Result
    from towsim.analysis import step_problems

    target = anything(what)
    defaults: Mapping[str, Any] = {}
    if isinstance(target, Result):
        target, defaults = _again(target, what)
    elif isinstance(target, Scenario):
        defaults = target.defaults
    scene = scene_with(target, assignments(arguments.set))
    options: dict[str, Any] = {"duration": scene.run.duration, "step": scene.run.step}
    options |= {key: defaults[key] for key in OF_RUN if key in defaults}
    for key in OF_RUN:
        if (value := getattr(arguments, key)) is not None:
            options[key] = value
    every = arguments.every or max(1, math.ceil(options["duration"] / options["step"] / MOST))
    found: dict[str, MLCP] = {}
    try:
        for time, problem in step_problems(scene, every=every, **options):
            if problem.n:
                found[f"t = {time:.9g} s"] = problem
    except SimulationError as error:
        say(f"towsim bench: {error}")
    if not found:
        raise UsageError("no step of this run has a wire, joint or contact that could act: there is nothing to solve")
    return found


def _again(result: Result, name: str) -> tuple[Scene, Mapping[str, Any]]:
    """Scene and options of a recorded run. Raises ``UsageError`` if the result does not carry them."""
    from towsim.scene import scene_from_text

    known = result.provenance
    if not isinstance(known.get("scene"), str) or not isinstance(known.get("options"), dict):
        raise UsageError(f"{name} does not say which scene it came from; bench that scene (.yaml)")
    return scene_from_text(known["scene"], name=f"the scene in {name}"), known["options"]
