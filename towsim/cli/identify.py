"""``towsim identify``."""

from __future__ import annotations

import argparse
from pathlib import Path

from towsim.cli.options import add_options
from towsim.cli.output import as_json, say, say_when_compiling
from towsim.cli.targets import assignments, picture_to_write, scenario_or_scene, scene_with, whole
from towsim.ctrl_c import CtrlC

EPILOG = """\
a log is a table (.csv) with a column time [s] and columns such as position[load,x], tension[left], length[left], in SI
units; 'towsim export' writes such tables. Numbers are found by least squares with exact derivatives of the run; with
several logs, numbers given to --own differ from log to log.

examples:
  towsim identify log.csv barge.yaml --free bodies.barge.mass,bodies.barge.drag.linear
  towsim identify log.csv barge.yaml --free bodies.load.velocity,lag --noise position=0.002 --noise tension=1.5
  towsim identify one.csv two.csv barge.yaml --free bodies.load.mass,bodies.load.velocity --own bodies.load.velocity
  towsim identify log.csv barge.yaml --free 'wires.left.length,offset.position[load,z]' --taut --save found.yaml
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("logs", nargs="+", metavar="LOG.csv", help="what was recorded, one file for each run")
    parser.add_argument("scene", metavar="SCENE", help="a scene file (.yaml) or a scenario, with first guesses")
    parser.add_argument(
        "--free", action="append", required=True, metavar="PATH,..", help="numbers to find; may be repeated"
    )
    parser.add_argument("--own", action="append", default=[], metavar="PATH,..", help="of these, what each log has own")
    parser.add_argument(
        "--noise", action="append", default=[], metavar="VARIABLE=SIGMA", help="standard deviation of a variable [SI]"
    )
    parser.add_argument("--loss", default="linear", help="linear, soft_l1, huber or cauchy (outliers)")
    parser.add_argument("--confidence", type=float, default=0.95, help="of the intervals (default 0.95)")
    parser.add_argument("--most-runs", type=whole, default=60, metavar="N", help="after so many the fit ends")
    parser.add_argument("--taut", action="store_true", help="loads begin where every rigid wire is at its length")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a number of the scene")
    add_options(parser, ("step", "method"))
    parser.add_argument("--save", metavar="FILE.yaml", help="write the scene with the numbers found")
    parser.add_argument("--plot", metavar="FILE.png", help="draw what is left, over time (.png, .pdf, .svg)")
    parser.add_argument("--force", action="store_true", help="overwrite files that exist")
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Fit, and print what was found. Exit code 1 if the fit did not converge or cannot tell a number."""
    with CtrlC():
        from towsim.errors import UsageError
        from towsim.fitting import identify
        from towsim.results.files import refuse_existing
        from towsim.scene import scene_to_text

        say_when_compiling()
        scene = scene_with(scenario_or_scene(arguments.scene), assignments(arguments.set))
        if arguments.save is not None:
            refuse_existing(Path(arguments.save), force=arguments.force)
        if arguments.plot is not None:
            picture_to_write(arguments.plot, force=arguments.force)
    noise = {}
    for name, text in assignments(arguments.noise, "--noise", "position=0.002").items():
        try:
            noise[name] = float(text)
        except ValueError:
            raise UsageError(f"--noise {name}: a number is needed, got {text!r}") from None
    fit = identify(
        scene,
        arguments.logs,
        _names(arguments.free),
        own=_names(arguments.own),
        noise=noise,
        loss=arguments.loss,
        confidence=arguments.confidence,
        most_runs=arguments.most_runs,
        taut=arguments.taut,
        step=arguments.step,
        method=arguments.method,
        progress=lambda runs, rms: say(f"run {runs}: rms {rms:.6g}"),
    )
    if arguments.json:
        rows = zip(fit.names, fit.values, fit.sigma, fit.interval, strict=True)
        print(
            as_json(
                {
                    "numbers": {
                        name: {"value": float(value), "sigma": float(sigma), "interval": [float(low), float(high)]}
                        for name, value, sigma, (low, high) in rows
                    },
                    "at_bound": list(fit.at_bound),
                    "rank": fit.rank,
                    "not_told": list(fit.not_told),
                    "left_out": list(fit.left_out),
                    "unlike": list(fit.unlike),
                    "rms": {log: dict(columns) for log, columns in fit.rms.items()},
                    "misfit": fit.misfit,
                    "runs": fit.runs,
                    "converged": fit.converged,
                }
            )
        )
    else:
        print(fit)
    if arguments.save is not None:
        Path(arguments.save).write_text(scene_to_text(fit.scene), encoding="utf-8")
        say(f"wrote {arguments.save}")
    if arguments.plot is not None:
        say(f"wrote {fit.plot(arguments.plot)}")
    return 0 if fit.converged and not fit.not_told else 1


def _names(words: list[str]) -> list[str]:
    """Names between commas, but for those in brackets: ``lag,offset.position[load,x]`` are two."""
    found, depth = [""], 0
    for letter in ",".join(words):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [name.strip() for name in found if name.strip()]
