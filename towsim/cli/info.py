"""``towsim info``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from towsim.cli.list_scenarios import describe
from towsim.cli.output import as_json, hint, paint, table
from towsim.cli.targets import anything, assignments, positive, scene_with
from towsim.errors import SceneError, UsageError

if TYPE_CHECKING:
    from scenarios import Scenario
    from towsim import Result, Scene
    from towsim.analysis import Jerk

EPILOG = """\
examples:
  towsim info four-robots-box            parameters of a scenario, and its scene
  towsim info crane-winch --set mass=800 > crane.yaml    that scene as a file, to start from
  towsim info barge.yaml                 is this scene file right?
  towsim info run.nc                     summary of a run, also one that was killed
  towsim info run.nc --ea 2e5             estimated peak forces of its jerks, for an axial stiffness EA of 2e5 N
  towsim info run.nc --metric max_tension.left@1:4,mean_kinetic_energy@2:    numbers, of a window of time if wanted
  towsim info run.nc --json | jq .summary.stretch
  towsim info --schema > scene.schema.json     for the editor
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("what", nargs="?", metavar="FILE-or-NAME", help="a result, a scene file or a scenario")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument(
        "--ea", type=positive, metavar="N", help="axial stiffness EA of wires without material, to estimate peak forces"
    )
    parser.add_argument(
        "--metric",
        metavar="NAME,...",
        help="numbers of a result, as for towsim sweep; NAME@A:B from A to B seconds, of recorded rows",
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="of a scenario or scene, as for towsim run"
    )
    parser.add_argument("--schema", action="store_true", help="the JSON Schema of scene files")


def run(arguments: argparse.Namespace) -> int:
    """Print what the thing holds."""
    if arguments.schema:
        from towsim.scene import json_schema

        print(as_json(json_schema()))
        return 0
    if not arguments.what:
        raise UsageError("name a result, a scene file or a scenario, or ask for --schema")
    thing = anything(arguments.what)
    from scenarios import Scenario
    from towsim.results import Result
    from towsim.scene import scene_to_text

    if isinstance(thing, Result):
        if arguments.set:
            raise UsageError(f"--set is for a scenario or a scene file, and {arguments.what} is a result")
        metrics = _metrics(thing, arguments.metric.split(",")) if arguments.metric else []
        if arguments.json:
            print(as_json(_result_data(thing, arguments.ea) | ({"metrics": metrics} if metrics else {})))
        else:
            print(_metrics_text(metrics) if metrics else _result_text(thing, arguments.ea, arguments.what))
        return 0
    if arguments.metric:
        raise UsageError(
            f"--metric is for a result, and {arguments.what} is none: towsim run {arguments.what} makes one"
        )
    scene = scene_with(thing, assignments(arguments.set))
    if isinstance(thing, Scenario):
        text = scene_to_text(scene)
        print(as_json(describe(thing) | {"scene": text}) if arguments.json else _scenario_text(thing, text))
        if not arguments.json:
            hint(f"towsim run {thing.name}", f"towsim info {thing.name} > mine.yaml, which runs too: change it")
    else:
        print(as_json(_scene_data(scene)) if arguments.json else _scene_text(scene))
    return 0


def _scenario_text(one: Scenario, scene: str) -> str:
    """What there is to set, as comments, and the scene: together they are a scene file."""
    rows = [(f"--set {p.name}={p.default}", p.type.__name__, p.doc) for p in one.parameters.values()]
    about = [
        one.summary,
        "",
        *(table(rows, indent="  ") or "  no parameters").splitlines(),
        "",
        _told(one.defaults),
        "",
    ]
    return "\n".join([*(paint(f"# {line}".rstrip(), "faint") for line in about), scene.rstrip()])


def _told(options: Mapping[str, object]) -> str:
    """Options of a run in words, with units."""
    from towsim.run.options import declared

    units = {name: option.unit for name, (_, option) in declared().items()}
    rows = ((key, value, units.get(key)) for key, value in options.items())
    return ", ".join(f"{key} {_with_unit(value, unit)}" for key, value, unit in rows if value is not None)


def _with_unit(value: object, unit: str | None) -> str:
    from towsim.results.summary import duration

    if unit == "s" and isinstance(value, float | int):
        return duration(value)
    return f"{value} {unit}" if unit else str(value)


def _metrics(result: Result, names: list[str]) -> list[dict[str, object]]:
    from towsim.sweep.metrics import metric

    found = [(name, *metric(name)) for name in names]
    return [{"metric": name, "value": value(result), "unit": unit} for name, unit, value in found]


def _metrics_text(metrics: list[dict[str, object]]) -> str:
    rows = [
        (str(one["metric"]), f"{one['value']:.8g}", "" if one["unit"] == "1" else str(one["unit"])) for one in metrics
    ]
    return table([("metric", "value", "unit"), *rows], head=True)


def _result_data(result: Result, ea: float | None) -> dict[str, object]:
    from towsim.analysis import jerks

    return {
        "variables": {
            name: {"dims": one.dims, "unit": one.unit, "description": one.description}
            for name, one in result.variables.items()
        },
        "rows": len(result.time),
        "coords": result.coords,
        "summary": result.summary().to_dict(),
        "jerks": [asdict(jerk) for jerk in jerks(result, ea)],
        "events": result.events.to_dicts(),
        "attributes": result.provenance,
    }


def _result_text(result: Result, ea: float | None, file: str) -> str:
    lines = [repr(result), "", str(result.summary())]
    if result.attributes.get("unfinished"):
        lines.insert(0, f"{paint('UNFINISHED', 'bad')}: this run was interrupted, or is still under way.\n")
    if jerks := _jerk_table(result, ea):
        lines += ["", jerks]
    if energy := _energy_text(result):
        lines += ["", energy]
    if checks := result.provenance.get("checks"):
        lines += ["", verdict(checks)]
    known = {"extremes", "checks", "unfinished", "peak_memory", "wall_time"}  # told above
    rows = [(key, _shortened(value)) for key, value in result.provenance.items() if key not in known]
    return "\n".join((*lines, "", table([("file", f"{file}, {_size(Path(file))}"), *rows])))


def _size(path: Path) -> str:
    """Of a file, or of all in a folder, such as the parts of a run that is not yet a file."""
    whole = path if path.exists() else Path(f"{path}.parts")
    size = sum(one.stat().st_size for one in (whole, *whole.rglob("*")) if one.is_file())
    return f"{size / 1e6:.3g} MB" if size >= 1e6 else f"{size / 1e3:.3g} kB"


def _energy_text(result: Result) -> str:
    """Energy at the start and at the end, and what was dissipated in between."""
    if "energy" not in result or not len(result.time):
        return ""
    ends = result["energy"].values[[0, -1]]
    lost = f", {result['dissipated_energy'].values[-1]:.6g} J dissipated" if "dissipated_energy" in result else ""
    return f"energy {ends[0]:.6g} J at the start, {ends[1]:.6g} J at the end{lost}"


def _jerk_table(result: Result, ea: float | None) -> str:
    """Every jerk: time, wire, impulse, energy lost, speed, effective mass, and the peak force of a real wire."""
    from towsim.analysis import jerks

    found = jerks(result, ea)
    if not found:
        return ""
    head = ("jerk at", "wire", "impulse", "energy lost", "speed", "effective mass", "peak force (estimate)")
    rows = [
        (
            f"{jerk.time:.6g} s",
            jerk.wire,
            f"{jerk.impulse:.4g} N s",
            f"{jerk.energy_lost:.4g} J",
            "-" if math.isnan(jerk.speed) else f"{jerk.speed:.4g} m/s",
            "-" if math.isnan(jerk.mass) else f"{jerk.mass:.4g} kg",
            _peak(jerk),
        )
        for jerk in found
    ]
    told = table([head, *rows], head=True)
    if all(math.isnan(jerk.peak_force) for jerk in found):
        return told
    return (
        f"{told}\npeak force: T + √(T² + k m v²), k = EA/L, of m at v; T is what the wire bears afterwards; v √(EA μ) "
        "more where its material has a mass per length μ"
    )


def _peak(jerk: Jerk) -> str:
    if math.isnan(jerk.speed):
        return "- (it passed on what was stopped elsewhere)"
    if math.isnan(jerk.tension):
        return "- (no tension was recorded)"
    if math.isnan(jerk.length):
        return "- (no length was recorded)"
    return "- (give --ea, or a material)" if math.isnan(jerk.peak_force) else f"{jerk.peak_force:.4g} N"


def verdict(checks: list[dict[str, object]]) -> str:
    """Table of checks: passed or not, value, what was expected."""
    rows = [
        (
            paint("pass", "good") if check["passed"] else paint("FAIL", "bad"),
            str(check["name"]),
            "nan" if check["value"] is None else f"{check['value']:.6g}",
            f"{check['expected']} {'' if check['unit'] == '1' else check['unit']}".rstrip(),
        )
        for check in checks
    ]
    failed = sum(not check["passed"] for check in checks)
    closing = paint(f"{failed} of {len(checks)} checks FAILED", "bad") if failed else f"all {len(checks)} checks passed"
    return f"{table([('check', '', 'value', 'expected'), *rows], head=True)}\n{closing}"


def _shortened(value: object) -> str:
    if isinstance(value, dict):
        return _told(value)
    text = str(value).strip()
    line = text.split("\n")[0]
    return text if text == line and len(text) <= 80 else f"{line[:76]} ... ({len(text)} characters)"


def _scene_data(scene: Scene) -> dict[str, object]:
    return {**_counts(scene), "run": scene.run.model_dump(), "start": _start_problem(scene)}


def _scene_text(scene: Scene) -> str:
    from towsim.methods.method import choose

    rows = [(kind, str(len(names)), ", ".join(names)) for kind, names in _named(scene).items() if names]
    run = _told({**scene.run.model_dump(), "method": choose(None, scene).name})
    problem = _start_problem(scene)
    start = f"The start pose is {paint('WRONG', 'bad')}: {problem}" if problem else "The start pose is consistent."
    return "\n".join((f"{scene.name}: {scene.description}".rstrip(": "), "", table(rows, indent="  "), "", run, start))


def _named(scene: Scene) -> dict[str, tuple[str, ...]]:
    kinds: dict[str, Mapping[str, object]] = {
        "bodies": scene.bodies,
        "robots": scene.robots,
        "wires": scene.wires,
        "joints": scene.joints,
        "controllers": scene.controllers,
        "sensors": scene.sensors,
    }
    return {kind: tuple(named) for kind, named in kinds.items()}


def _counts(scene: Scene) -> dict[str, object]:
    return {"name": scene.name, "description": scene.description, **_named(scene)}


def _start_problem(scene: Scene) -> str | None:
    from towsim.run.start import check_start

    try:
        check_start(scene)
    except SceneError as error:
        return str(error)
    return None
