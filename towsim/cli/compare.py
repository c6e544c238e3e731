"""``towsim compare``."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from towsim.cli.output import as_json, paint, say, say_when_compiling, table
from towsim.cli.targets import assignments, parsed, picture_to_write, positive, scenario_or_scene, scene_with

if TYPE_CHECKING:
    from towsim.formulations.comparison import Comparison
    from towsim.scene import Scene

EPILOG = """\
cases: spring-arm, chain, slider-boom, cable; or a scene of bodies, joints and mrfe cables that form a tree
formulations: reduced, momentum, kkt, kkt-baumgarte, kkt-projection, rsslm, and the methods of towsim run

The reference is the reduced formulation, refined. "refined" is each one's own limit: adaptive with a tight tolerance,
or extrapolated to zero steps. "drift" is how far joints open, "energy" its change in parts of the kinetic energy.

examples:
  towsim compare chain --set n=10
  towsim compare slider-boom --formulations reduced,momentum,kkt,shake --plot slider-boom.png
  towsim compare pendulum.yaml --duration 2 --step 5e-3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("what", metavar="SCENE-or-CASE", help="a case, a scene file or a scenario")
    parser.add_argument("--formulations", metavar="A,B,..", help="which ones; left out: all that take the scene")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the case or scene"
    )
    parser.add_argument("--duration", type=positive, metavar="SECONDS", help="simulated time")
    parser.add_argument("--step", type=positive, metavar="SECONDS", help="coarsest step")
    parser.add_argument("--plot", metavar="FILE", help="draw work against precision (.png, .pdf, .svg)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Compare, print, and draw."""
    from towsim.formulations.comparison import compare

    picture = None if arguments.plot is None else picture_to_write(arguments.plot, force=True)
    scene = _scene(arguments)
    names = arguments.formulations.split(",") if arguments.formulations else None
    say_when_compiling()
    found = compare(scene, names, duration=arguments.duration, step=arguments.step)
    print(as_json(asdict(found)) if arguments.json else text(found))
    if picture is not None:
        from towsim.pictures.figures import new_figure, save_figure
        from towsim.pictures.formulations import draw_comparison

        figure = new_figure(7.0, 5.0)
        draw_comparison(figure, found)
        save_figure(figure, picture)
        say(f"work against precision: {picture}")
    return 1 if any(row.failed for row in found.rows) else 0


def text(found: Comparison) -> str:
    """The table for people."""
    rows: list[tuple[str, ...]] = [
        ("formulation", "integrator", "step", "difference, m", "order", "refined, m", "drift, m", "energy", "µs/step")
    ]
    for row in found.rows:
        if row.failed:
            rows.append((row.formulation, row.how, *["-"] * 6, f"{paint('failed', 'bad')}: {row.failed}"))
            continue
        first = row.levels[0]
        cost = _number(1e6 * row.step_cost, ".1f")
        figures = (row.refined, row.drift, row.energy)
        rows.append(
            (
                row.formulation,
                row.how,
                f"{first.step:g}",
                _number(first.difference),
                _number(row.order, ".2f"),
                *map(_number, figures),
                cost,
            )
        )
    worst = max((row.refined for row in found.rows if not row.failed), default=math.nan)
    return (
        f"{found.name}, {found.duration:g} s; differences from {found.reference}\n\n{table(rows, head=True)}\n\n"
        f"refined, all agree within {worst:.1e} m"
    )


def _number(value: float, form: str = ".1e") -> str:
    return "-" if math.isnan(value) else f"{value:{form}}"


def _scene(arguments: argparse.Namespace) -> Scene:
    from towsim.formulations.cases import CASES, case

    values = assignments(arguments.set)
    if arguments.what not in CASES:
        return scene_with(scenario_or_scene(arguments.what, CASES), values)
    own = {key: value for key, value in parsed(values).items() if "." not in key}
    scene = case(arguments.what, **own)
    paths = {key: value for key, value in parsed(values).items() if "." in key}
    return scene.with_values(paths) if paths else scene
