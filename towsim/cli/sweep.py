"""``towsim sweep``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from towsim.cli.options import add_options
from towsim.cli.output import as_json, say, say_when_compiling, table
from towsim.cli.progress import Progress
from towsim.cli.targets import assignments, file_stem, scenario_or_scene, whole

if TYPE_CHECKING:
    from scenarios import Scenario
    from towsim import Scene

EPILOG = """\
a parameter is one of the scenario's, or a path in the scene such as bodies.box.mass; it takes
  a:b:n    n values from a to b       a,b,c    these values
  a:b      a range, with --samples    a:b:n:log and a:b:log    spaced, and drawn, in ratios
lists and grids are dimensions of the result and crossed with each other; ranges are sampled along one more

examples:
  towsim sweep four-robots-box --set mass=1:10:50 --set lean=0,5,10
  towsim sweep lift.yaml --set bodies.box.mass=1:4 --set wires.e.length=1:1.2 --samples sobol:256
  towsim sweep slack-jerk --set mass=0.5:5:100:log --metric max_impulse,energy_lost,final_position.load.z
  towsim sweep four-robots-box --set mass=1:10:1000 --scheduler tcp://node1:8786

metrics: max_tension min_tension (outside jerks) stretch residual steps end_time jerks max_impulse energy_lost, and
max_ min_ mean_ final_ of any variable, of what is named: final_position.box.z, max_tension.left; of a vector without
a component its size: max_velocity.box is the greatest speed; of a window of time with @A:B in seconds:
max_tension.left@1:4, which sees events, and of a thinned run (record_every) the rows that were recorded
A sweep that was killed goes on where it stopped: give the same command again. Runs that fail are recorded.
The exit code is 1 if none came to its end.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("what", metavar="NAME-or-FILE", help="a scenario ('towsim list') or a scene file (.yaml)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUES", help="a parameter; may be repeated")
    parser.add_argument("--samples", metavar="KIND:N", help="sobol:N or monte-carlo:N points in the ranges a:b")
    parser.add_argument(
        "--seed", type=int, default=0, help="of everything random, noise and turbulence included (default 0)"
    )
    parser.add_argument("--metric", metavar="NAME,...", help="numbers to keep of each run")
    parser.add_argument("-o", "--output", metavar="FILE.nc", help="dataset to write (default NAME-sweep.nc)")
    parser.add_argument("--force", action="store_true", help="overwrite it, and start an unfinished sweep over")
    parser.add_argument("-j", "--processes", type=whole, metavar="N", help="processes of this machine (default: cores)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="run on the cluster of a Dask scheduler")
    add_options(parser, ("duration", "step", "method", "solver"))
    parser.add_argument("--no-plot", action="store_true", help="no picture (FILE.png) of the sweep")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar")
    parser.add_argument("--json", action="store_true", help="print a summary for programs")


@dataclass(slots=True)
class OfScenario:
    """Builds points of a scenario; a worker looks it up once.

    Attributes
    ----------
    word : its name
    fixed : options of ``simulate`` from the command line
    """

    word: str
    fixed: Mapping[str, Any]
    scenario: Scenario | None = field(default=None, compare=False)

    def __call__(self, point: Mapping[str, Any], seed: int) -> tuple[Scene, Mapping[str, Any]]:
        """See ``towsim.sweep.work.Build``."""
        import scenarios
        from towsim.scene import Scene
        from towsim.sweep.work import at_point

        one = self.scenario = self.scenario or scenarios.get(self.word)
        sections = Scene.keys()
        own = {k: value for k, value in point.items() if k in one.parameters or k.split(".")[0] not in sections}
        paths = {key: value for key, value in point.items() if key not in own}
        if "seed" in one.parameters:  # which knows what of it is random
            scene = one.build(**({"seed": seed} | own)).with_values(paths)
        else:
            scene = at_point(one.build(**own), paths, seed)
        defaults = {key: value for key, value in one.defaults.items() if f"run.{key}" not in paths}
        return scene, {**defaults, "on_failure": "raise", **self.fixed}

    def __getstate__(self) -> tuple[Any, ...]:
        return self.word, self.fixed

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.word, self.fixed = state
        self.scenario = None


def run(arguments: argparse.Namespace) -> int:
    """Sweep, save, draw and summarise."""
    from scenarios import Scenario
    from towsim.run.options import refuse_said_twice
    from towsim.sweep import axis_from_text, sweep
    from towsim.sweep.run import METRICS

    target = scenario_or_scene(arguments.what)
    name = target.name if isinstance(target, Scenario) else Path(arguments.what).stem
    output = Path(arguments.output or f"{file_stem(name)}-sweep.nc")
    fixed = {key: value for key in ("duration", "step", "method", "solver") if (value := getattr(arguments, key))}
    axes = [axis_from_text(key, text) for key, text in assignments(arguments.set).items()]
    refuse_said_twice([axis.key for axis in axes], fixed)
    what = OfScenario(arguments.what, fixed) if isinstance(target, Scenario) else target
    say_when_compiling()
    try:
        with Progress(wanted=not arguments.no_progress, label=name, unit="run") as progress:
            result = sweep(
                what,
                axes,
                options=None if isinstance(what, OfScenario) else fixed,
                metrics=arguments.metric.split(",") if arguments.metric else METRICS,
                samples=arguments.samples,
                seed=arguments.seed,
                output=output,
                force=arguments.force,
                processes=arguments.processes or -1,
                scheduler=arguments.scheduler,
                label=", ".join([name, *(f"{key} = {value}" for key, value in fixed.items())]),
                units=_units(target),
                progress=progress,
            )
    except KeyboardInterrupt:
        say("towsim sweep: interrupted; what was computed is kept, the same command goes on with the rest")
        return 130
    return _report(result, output, arguments)


def _units(target: Scenario | Scene) -> dict[str, str]:
    """Units of a scenario's parameters, which end their descriptions."""
    from scenarios import Scenario

    described = target.parameters if isinstance(target, Scenario) else {}  # those of a scene are numbers
    ends = {key: one.doc.rpartition("[") for key, one in described.items()}
    return {key: unit.rstrip("]") for key, (_, bracket, unit) in ends.items() if bracket and unit.endswith("]")}


def _report(result: Any, output: Path, arguments: argparse.Namespace) -> int:
    """Draw and summarise. Returns the exit code: 1 if no run came to its end."""
    from collections import Counter

    from towsim.sweep.plan import OF_EACH_RUN
    from towsim.sweep.work import DONE, STATUS

    words = {code: word for word, code in STATUS.items()}
    counts = Counter(words[int(code)] for code in result["status"].values.ravel())
    ranges = [
        (str(name), f"{float(result[name].min()):.6g}", f"{float(result[name].max()):.6g}", result[name].units)
        for name in result.data_vars
        if name not in OF_EACH_RUN
    ]
    rate, wall_time = float(result.attrs["runs_per_second"]), float(result.attrs["wall_time"])
    if arguments.json:
        metrics = {name: {"min": float(low), "max": float(high), "unit": unit} for name, low, high, unit in ranges}
        dims = {str(key): size for key, size in result.sizes.items()}
        facts = {"output": str(output), "runs": dict(counts), "dims": dims, "metrics": metrics}
        print(as_json({**facts, "wall_time": wall_time, "runs_per_second": rate}))
    else:
        total = ", ".join(f"{number} {word}" for word, number in counts.items())
        print(f"runs      {total} in {wall_time:.3g} s ({rate:.4g} runs/s)\n")
        print(table([("metric", "least", "greatest", "unit"), *ranges], head=True))
        failed = [message for message in result["message"].values.ravel() if message]
        if failed:
            print(f"\nthe first that did not come to its end: {failed[0]}")
    if not arguments.no_plot:
        from towsim.sweep.picture import draw

        draw(result).savefig(output.with_suffix(".png"), dpi=120)
        if not arguments.json:
            print(f"\npicture   {output.with_suffix('.png')}")
    if not arguments.json:
        print(f"saved     {output}")
    return 0 if words[DONE] in counts else 1
