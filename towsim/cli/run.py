"""``towsim run``."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from towsim.cli.info import verdict
from towsim.cli.options import FLAGS, add_options
from towsim.cli.output import as_json, fail, hint, say, say_when_compiling, word
from towsim.cli.progress import Progress
from towsim.cli.targets import assignments, file_stem, scenario_or_scene, scene_with
from towsim.ctrl_c import CtrlC
from towsim.errors import ResultError, SimulationError, TowsimError, UsageError

if TYPE_CHECKING:
    from scenarios import Scenario
    from towsim import Result

EPILOG = """\
a scenario is judged by its own check; a scene file is simulated as its section 'run' says, unless options say otherwise

examples:
  towsim run four-robots-box
  towsim run four-robots-box --set mass=3.0 --method shake -o heavy.nc
  towsim run barge.yaml --duration 20 --set bodies.barge.mass=800
  towsim run barge.yaml --project                 moves loads that hard wires are too short for
  towsim run drag-box-rough-ground --friction polyhedral --friction-directions 16 --solver lemke
  towsim run payload-chain --solver lemke --json | jq .summary.time_per_step
  towsim run barge.yaml --duration 86400 --record-every 100 --checkpoint-every 60
  towsim run --resume barge.nc                    goes on where that one was killed or interrupted, with the same bits
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument(
        "what", nargs="?", metavar="NAME-or-FILE", help="a scenario ('towsim list') or a scene file (.yaml)"
    )
    parser.add_argument("--resume", metavar="FILE.nc", help="go on with a run that has checkpoints; it has all options")
    parser.add_argument("-o", "--output", metavar="FILE.nc", help="result to write (default NAME.nc in this folder)")
    parser.add_argument("--force", action="store_true", help="overwrite an existing result")
    parser.add_argument("--json", action="store_true", help="print the summary for programs")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar")
    scene = parser.add_argument_group("the scene")
    scene.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter of the scenario, or a path in the scene such as bodies.box.mass; may be repeated",
    )
    scene.add_argument(
        "--project",
        action="store_true",
        help="move the loads as little as needed, until the start is allowed: hard wires are long enough, mrfe cables "
        "are stretched by 1 %% at most (elastic wires may be by any amount), joints closed, contacts above ground",
    )
    steps = parser.add_argument_group("the simulation")
    add_options(steps)


def run(arguments: argparse.Namespace) -> int:
    """Simulate, save, check and summarise."""
    with CtrlC():  # imports make other errors of it
        say_when_compiling()
        work = _resumed(arguments) if arguments.resume else _new(arguments)
    report: dict[str, Any] = {
        "name": work.name,
        "output": str(work.output),
        "error": None,
        "summary": None,
        "checks": [],
    }
    older = _stamp(work.output)
    result: Result | None
    try:
        with Progress(wanted=not arguments.no_progress, label=work.name) as progress:
            result = work.go(progress)
    except KeyboardInterrupt:
        return _interrupted(work.output, older)
    except SimulationError as error:
        result = error.result or _saved(work.output, older)
        report["error"] = str(error)

    code = 1 if report["error"] else 0
    if result is not None:
        if work.scenario and code == 0:
            report["checks"] = _judged(work.scenario, result, work.output)
            code = 0 if all(check["passed"] for check in report["checks"]) else 1
        elif code == 0:
            code = 0 if result.summary().outcome == "complete" else 1
        report["summary"] = result.summary().to_dict()
    if arguments.json:
        print(as_json(report))
    else:
        _print(report, result)
    if report["error"]:
        fail("towsim run", f"the run failed: {report['error']}")
    return code


class _Work(NamedTuple):
    """What is to be run: its name, the scenario that judges it, its file, and how to run it."""

    name: str
    scenario: Scenario | None
    output: Path
    go: Callable[[Progress], Result]


def _new(arguments: argparse.Namespace) -> _Work:
    import towsim
    from scenarios import Scenario
    from towsim.results.store import Store

    if arguments.what is None:
        raise UsageError("required: NAME-or-FILE, a scenario ('towsim list') or a scene file, or --resume a run")
    target = scenario_or_scene(arguments.what)
    scenario = target if isinstance(target, Scenario) else None
    name = scenario.name if scenario else Path(arguments.what).stem
    output = Path(arguments.output or f"{file_stem(name)}.nc")
    Store(output, force=arguments.force)  # refuses before anything is computed
    scene = scene_with(target, assignments(arguments.set))
    if arguments.project:
        scene = scene.project()
    options: dict[str, Any] = dict(scenario.defaults) if scenario else {}
    options |= {key: value for key in FLAGS if (value := getattr(arguments, key)) is not None}
    if scenario:
        options["notes"] = {"scenario": scenario.name}
    return _Work(
        name,
        scenario,
        output,
        lambda progress: towsim.simulate(scene, output=output, force=arguments.force, progress=progress, **options),
    )


def _resumed(arguments: argparse.Namespace) -> _Work:
    import scenarios
    import towsim

    given = ["what", "output", "project", "set", *(key for key in FLAGS if key != "checkpoint_every")]
    for key in given:
        if getattr(arguments, key):
            given_word = arguments.what if key == "what" else f"--{key.replace('_', '-')}"
            raise UsageError(f"--resume goes on with the run's own scene and options; leave out {given_word}")
    attributes = towsim.open_result(arguments.resume).attributes
    name = str(attributes.get("name", arguments.resume))
    judge = attributes.get("scenario")
    path = Path(arguments.resume)
    return _Work(
        str(judge or name),
        scenarios.get(str(judge)) if judge else None,
        path.with_suffix("") if path.suffix == ".parts" else path,
        lambda progress: towsim.resume(path, checkpoint_every=arguments.checkpoint_every, progress=progress),
    )


def _judged(scenario: Scenario, result: Result, output: Path) -> list[dict[str, Any]]:
    """The scenario's verdict, also written into the file."""
    from towsim.results.netcdf import annotate
    from towsim.results.result import from_json

    try:
        checks = [asdict(check) for check in scenario.check(result)]
    except TowsimError as error:  # such as a time that a shortened run never reached
        if isinstance(error, ResultError) and from_json(result.attributes, "options").get("record"):
            say(f"towsim run: not checked, as not all was recorded: {error}")
            return []
        checks = [{"name": "check", "value": math.nan, "expected": str(error), "unit": "1", "passed": False}]
    annotate(output, {"checks": json.dumps(checks)})
    return checks


def _print(report: dict[str, Any], result: Result | None) -> None:
    if result is not None:
        print(f"{report['name']}\n\n{result.summary()}\n")
    if report["checks"]:
        print(f"{verdict(report['checks'])}\n")
    if result is not None and (file := Path(report["output"])).exists():
        print(f"saved     {file}")
        hint(*(f"towsim {verb} {word(file)}" for verb in ("plot", "view", "info")))


def _interrupted(output: Path, older: int) -> int:
    """Make what was computed a valid file, unless it can be resumed, and say where it is."""
    from towsim.results.files import open_result
    from towsim.run.checkpoint import can_resume

    if can_resume(output):
        time = open_result(output).time
        say(
            f"towsim run: interrupted{f' at t = {time[-1]:g} s' if len(time) else ''}; "
            f"go on with: towsim run --resume {word(output)}"
        )
        return 130
    saved = _saved(output, older)
    if saved is None:
        say("towsim run: interrupted before the first step")
    else:
        end = f"until t = {saved.time[-1]:g} s" if len(saved.time) else "nothing yet"
        say(f"towsim run: interrupted; what was computed ({end}) is saved")
        print(output)
    return 130


def _saved(output: Path, older: int) -> Result | None:
    """What is on disk of a run that was cut short, as a finished file; None if there is only the ``older`` file."""
    from towsim.results.files import open_result, parts_folder
    from towsim.results.store import assemble

    if parts_folder(output).is_dir():
        return assemble(output)
    return open_result(output) if _stamp(output) != older else None


def _stamp(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0
