"""``towsim warm-up``."""

from __future__ import annotations

import argparse
import os
import time as clock
from contextlib import suppress

from towsim.cli.output import table
from towsim.cli.progress import Progress
from towsim.cli.targets import positive, scenario_or_scene, whole
from towsim.errors import SimulationError, UsageError

EPILOG = """\
Scenes of one kind share their kernels, which are compiled when the first of them runs, and kept. This compiles them
before: a computer for a lecture, an image for a cluster, a continuous integration. Each scene makes two steps.

examples:
  towsim warm-up                                       all scenarios, each with its own method
  towsim warm-up four-robots-box cdpr44-inclined       some of them
  towsim warm-up lift.yaml --method shake,bdf2         a scene of yours, with other methods
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("scenes", nargs="*", metavar="FILE-or-NAME", help="scene files and scenarios; all if none")
    parser.add_argument("--method", metavar="A,B", help="methods; each scene's own if none")
    parser.add_argument("--step", type=positive, metavar="H", help="step [s]; each scene's own if none")
    parser.add_argument("--jobs", type=whole, default=os.cpu_count() or 1, metavar="N", help="processes (all cores)")


def run(arguments: argparse.Namespace) -> int:
    """Compile the kernels, several at a time, and print what each scene took."""
    import signal
    from multiprocessing import get_context

    import scenarios
    from solvers.kernels.cache import base, keeps

    if not keeps():
        raise UsageError(f"compiled kernels cannot be kept in {base()}: let NUMBA_CACHE_DIR name a folder to write to")
    words = arguments.scenes or scenarios.names()
    for word in words:
        scenario_or_scene(word)  # what is wrong is said before anything is compiled
    methods = arguments.method.split(",") if arguments.method else [None]
    jobs = [(word, method, arguments.step) for method in methods for word in words]
    rows = [("scene", "method", "seconds")]
    ignoring = signal.SIGINT, signal.SIG_IGN  # Ctrl-C ends them from here
    with (
        get_context("spawn").Pool(min(arguments.jobs, len(jobs)), signal.signal, ignoring) as pool,
        Progress(wanted=True, label="compiling", unit="scene") as progress,
    ):
        for row in pool.imap_unordered(warm, jobs):
            rows.append(row)
            progress(len(rows) - 1, len(jobs))
    print(table(rows, head=True))
    return 0


def warm(job: tuple[str, str | None, float | None]) -> tuple[str, str, str]:
    """Two steps of a scene: what it is called, the method, and the seconds that they took, most of them compiling."""
    import warnings

    from scenarios import Scenario
    from towsim import simulate
    from towsim.methods.method import choose

    started = clock.perf_counter()
    word, method, step = job
    target = scenario_or_scene(word)
    scene, options = (target.build(), target.defaults) if isinstance(target, Scenario) else (target, {})
    name = choose(method or options.get("method"), scene).name
    h = step or options.get("step", scene.run.step)
    with warnings.catch_warnings(), suppress(SimulationError):  # of a step that fails the kernels are there as well
        warnings.simplefilter("ignore")
        simulate(scene, method=name, duration=2.0 * h, step=h)
    return word, name, f"{clock.perf_counter() - started:.1f}"
