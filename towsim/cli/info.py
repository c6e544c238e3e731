"""``towsim info``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from towsim.cli.list_scenarios import describe
from towsim.cli.output import as_json, table
from towsim.cli.targets import anything, positive
from towsim.errors import SceneError, UsageError

if TYPE_CHECKING:
    from scenarios import Scenario
    from towsim import Result, Scene

EPILOG = """\
examples:
  towsim info four-robots-box            parameters of a scenario
  towsim info barge.yaml                 is this scene file right?
  towsim info run.nc                     summary of a run, also one that was killed
  towsim info run.nc --ea 2e5             estimated peak forces of its jerks, for an axial stiffness EA of 2e5 N
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

    if isinstance(thing, Scenario):
        print(as_json(describe(thing)) if arguments.json else _scenario_text(thing))
    elif isinstance(thing, Result):
        print(as_json(_result_data(thing, arguments.ea)) if arguments.json else _result_text(thing, arguments.ea))
    else:
        print(as_json(_scene_data(thing)) if arguments.json else _scene_text(thing))
    return 0


def _scenario_text(one: Scenario) -> str:
    rows = [(f"--set {p.name}={p.default}", p.type.__name__, p.doc) for p in one.parameters.values()]
    defaults = ", ".join(f"{key} {value}" for key, value in one.defaults.items())
    return "\n".join((f"{one.name}: {one.summary}", "", table(rows, indent="  ") or "  no parameters", "", defaults))


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


def _result_text(result: Result, ea: float | None) -> str:
    lines = [repr(result), "", str(result.summary())]
    if result.attributes.get("unfinished"):
        lines.insert(0, "UNFINISHED: this run was interrupted, or is still under way.\n")
    if jerks := _jerk_table(result, ea):
        lines += ["", jerks]
    if energy := _energy_text(result):
        lines += ["", energy]
    if doubt := _doubt_text(result):
        lines += ["", doubt]
    if checks := result.provenance.get("checks"):
        lines += ["", verdict(checks)]
    known = {"extremes", "checks", "unfinished", "peak_memory", "wall_time"}  # told above
    rows = [(key, _shortened(value)) for key, value in result.provenance.items() if key not in known]
    return "\n".join((*lines, "", table(rows)))


def _doubt_text(result: Result) -> str:
    """In how many rows the forces are not the only possible ones."""
    several = int((result["tension_unique"].values == 0).sum()) if "tension_unique" in result else 0
    where = f"in {several} of {len(result.time)} rows"
    return f"tensions are not the only possible ones {where}: towsim.analysis.uniqueness tells" if several else ""


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
            f"{jerk.speed:.4g} m/s",
            "-" if math.isnan(jerk.mass) else f"{jerk.mass:.4g} kg",
            "- (give --ea, or a material)" if math.isnan(jerk.peak_force) else f"{jerk.peak_force:.4g} N",
        )
        for jerk in found
    ]
    return table([head, *rows])


def verdict(checks: list[dict[str, object]]) -> str:
    """Table of checks: passed or not, value, what was expected."""
    rows = [
        (
            "pass" if check["passed"] else "FAIL",
            str(check["name"]),
            "nan" if check["value"] is None else f"{check['value']:.6g}",
            f"{check['expected']} {'' if check['unit'] == '1' else check['unit']}".rstrip(),
        )
        for check in checks
    ]
    return table([("check", "", "value", "expected"), *rows])


def _shortened(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    text = str(value).strip()
    line = text.split("\n")[0]
    return text if text == line and len(text) <= 80 else f"{line[:76]} ... ({len(text)} characters)"


def _scene_data(scene: Scene) -> dict[str, object]:
    return {**_counts(scene), "run": scene.run.model_dump(), "start": _start_problem(scene)}


def _scene_text(scene: Scene) -> str:
    from towsim.methods.method import choose

    rows = [(kind, str(len(names)), ", ".join(names)) for kind, names in _named(scene).items() if names]
    told = {**scene.run.model_dump(), "method": choose(None, scene).name}
    run = ", ".join(f"{key} {value}" for key, value in told.items())
    problem = _start_problem(scene)
    start = f"The start pose is WRONG: {problem}" if problem else "The start pose is consistent."
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
    try:
        scene.check_start()
    except SceneError as error:
        return str(error)
    return None
