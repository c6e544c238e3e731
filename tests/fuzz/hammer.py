"""Hits towsim with spoiled scenes, options, calls, files, problems and arguments, each case in a worker process.

    python tests/fuzz/hammer.py --seconds 3600 --seed 7      hammer for an hour
    python tests/fuzz/hammer.py --case run:1234              one case again, with its traceback
    python tests/fuzz/hammer.py --case run:1234 --keep 0,2   with some of its edits only

A finding is a signal, a hang, too much memory, an error that is none of towsim's, a warning of numpy, a message that is
empty or too long, or a number that is not finite in a result that is said to be complete. Every finding is made
smaller: edits of the case are left out as long as the finding stays. The exit code is 1 if there are findings.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import copy
import io
import json
import os
import random
import resource
import select
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

FAMILIES = ("scene", "run", "hand", "file", "problem", "words")
SECONDS, GIGABYTES = 100.0, 4.0  # of a case, without the compiling of its kernels; of a worker
COMPILING = 600.0  # seconds that one kernel may take, with all that it calls
LONGEST = 1000

SCENES = ("four-robots-box", "drag-box-rough-ground", "crane-winch", "slack-jerk", "hand-over", "slung-load-gust")
CABLES = ("cdpr44-kinematic", "towed-cable")
ODD = [None, True, 0, -1, 1, 3, 1e-320, 1e-30, 1e-9, 0.5, 1e9, 1e30, 1e300, -1e300, float("nan"), float("inf"), 10**400]
ODD += [
    "",
    "t",
    "1/t",
    "exp(exp(t))",
    "box",
    "box.left",
    "x" * 3000,
    "\x00",
    "é\u2028",
    "../..",
    "auto",
    b"x",
    1j,
    {},
    [],
]
ODD += [
    [0, 0, 0],
    [1, 2],
    [[1]],
    [float("nan")] * 3,
    {"x": 1},
    {"box": [1, 1, 1]},
    {"formula": "1/t"},
    list(range(3000)),
]
TOKENS = [
    "{",
    "}",
    "[",
    "]",
    ":",
    "-",
    "&a ",
    "*a",
    "!!python/name:os.system ",
    "\t",
    "\x00",
    "1e400",
    ".nan",
    "'",
    '"',
    "#",
]
TIMES = [1e-300, 1e-12, 1e-6, 1e-3, 0.01, 0.1, 1.0, 1e3, 1e12, 1e300]


class Edits:
    """Decisions of a case that may be left out one by one: ``keep`` are those that are made."""

    def __init__(self, rng, most, keep):
        self.count = rng.choice((1, 1, 2, 3, most))
        self.keep = range(self.count) if keep is None else keep

    def __iter__(self):
        return iter(range(self.count))


def places(data, loc=()):
    if loc:
        yield loc
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(value, (*loc, key))


def edit_data(data, rng, made):
    """Spoil one place of nested data, if ``made``; the random numbers are drawn in any case."""
    loc = rng.choice(list(places(data)))
    what, value, factor = rng.randrange(8), rng.choice(ODD), rng.choice((0.0, -1.0, 1e-9, 0.5, 2.0, 1e6, 1e200))
    other = rng.choice(list(places(data)))
    if not made:
        return
    inside = data
    for key in loc[:-1]:
        inside = inside[key]
    here = inside[loc[-1]]
    if what == 0:
        del inside[loc[-1]]
    elif what == 1:
        source = data
        for key in other:
            source = source[key]
        inside[loc[-1]] = copy.deepcopy(source)
    elif what == 2 and isinstance(inside, dict):
        inside[f"{loc[-1]}2"] = copy.deepcopy(here)
    elif isinstance(here, int | float) and not isinstance(here, bool) and what < 7:
        inside[loc[-1]] = float(min(here, 1e308)) * factor
    else:
        inside[loc[-1]] = copy.deepcopy(value)


def edit_text(text, rng, made):
    i, j = rng.randrange(len(text) + 1), rng.choice((0, 1, 3, 30))
    token, copies = rng.choice(TOKENS), rng.choice((1, 1, 2, 40))
    return text[:i] + token * copies + text[i + j :] if made else text


def edit_bytes(content, rng, made):
    i, bit, what, size = (
        int(rng.random() * len(content)),
        1 << rng.randrange(8),
        rng.randrange(4),
        rng.choice((1, 8, 400)),
    )
    if not made:
        return content
    if what == 0:
        return content[:i]
    if what == 1:
        return content[:i] + content[i + size :]
    if what == 2:
        return content[:i] + bytes(size) + content[i + size :]
    return content[:i] + bytes([content[i] ^ bit]) + content[i + 1 :]


def declared(name):
    import scenarios
    from towsim.scene.data import to_data

    return json.loads(json.dumps(to_data(scenarios.get(name).build())))


def spoiled_scene(rng, keep, most=8, names=SCENES):
    from towsim.scene import scene_from_data, scene_from_text, scene_to_text

    data, text = declared(rng.choice(names)), rng.random() < 0.3
    edits = Edits(rng, most, keep)
    for k in edits:
        if not text:
            edit_data(data, rng, k in edits.keep)
    if not text:
        return scene_from_data(data)
    written = scene_to_text(scene_from_data(data))
    for k in edits:
        written = edit_text(written, rng, k in edits.keep)
    return scene_from_text(written)


def sound(result, scene):
    """A complete result has finite poses and tensions, and tells so."""
    import numpy as np

    str(result.summary())
    repr(result)
    if result.summary().outcome != "complete" or len(result.time) == 1:  # without any step, there is no tension
        return
    for name in ("position", "velocity", "tension", "gap"):
        if name not in result:
            continue
        values = result[name].values
        if name == "gap":  # which a wire has not that is not there yet, or no more
            wires = list(scene.wires.values())
            values = values[:, [i for i, one in enumerate(wires) if one.attach is one.detach is one.cut is None]]
        if not np.isfinite(values).all():
            raise AssertionError(f"{name} is not finite in a complete result")


def scene_case(rng, keep):
    from towsim.scene import scene_from_text, scene_to_text

    scene = spoiled_scene(rng, keep, names=SCENES + CABLES)
    assert scene_from_text(scene_to_text(scene)) == scene
    project = rng.random() < 0.5
    (scene.project if project else scene.check_start)()


def run_case(rng, keep):
    import towsim

    scene = spoiled_scene(rng, keep, 3, SCENES + CABLES[:1]) if rng.random() < 0.7 else from_name(rng.choice(SCENES))
    step = rng.choice(TIMES)
    options = {"step": step, "duration": rng.choice((*TIMES, step, 100 * step, 1500 * step))}
    if 3000 < options["duration"] / step <= 1e9:  # takes long, and may
        options["duration"] = 300 * step
    choices = {
        "method": ["stewart-trinkle", "shake", "bdf1", "bdf2", "bdf3", "bdf4", "dae", "", 7],
        "solver": [
            "auto",
            "active-set",
            "pgs",
            "lemke",
            "newton",
            "osqp",
            "interior-point",
            "enumerate",
            "cone-newton",
            "radau",
        ],
        "form": ["lcp", "mlcp", "x"],
        "loop": ["auto", "python", "compiled"],
        "friction": ["cone", "polyhedral"],
        "friction_directions": [3, 8, 2, 50, 10**9],
        "record_every": [1, 7, 10**12, 0, 2.5],
        "on_failure": ["raise", "record"],
        "stretch_limit": [1e-12, 1e-3, 1e9, 0.0],
        "rtol": [1e-6, 1e-20],
        "controllers": [{}, {"box": len}, {"east": lambda *given: 1 / 0}],
    }
    for key, values in choices.items():
        given, value = rng.random() < 0.2, rng.choice(values if rng.random() < 0.9 else ODD)
        if given:
            options[key] = value
    if options.get("method") == "dae":
        options["duration"] = min(options["duration"], 20 * step)
    sound(towsim.simulate(scene, **options), scene)


def from_name(name):
    import scenarios

    return scenarios.get(name).build()


def everything(sim):
    """What steps of a simulation depend on, as bytes."""
    import pickle

    return pickle.dumps((tuple(sim.state), sim.time, sim._commands.memory(), sim._stepper.anew))


def hand_case(rng, keep):
    import towsim

    scene = from_name(rng.choice(SCENES))
    sim = towsim.Simulation(
        scene, step=rng.choice((1e-3, 1e-2)), record=rng.random() < 0.8, forces=list(scene.bodies)[:1]
    )
    names, moments = [*scene.bodies, *scene.robots, *scene.wires, "no"], []
    edits = Edits(rng, 12, keep)

    def value():
        if rng.random() < 0.3:
            return rng.choice(ODD)
        return [rng.choice((0.0, 1.0, -1.0, 0.1, 1e3)) * rng.random() for _ in range(rng.choice((3, 3, 3, 4)))]

    for k in edits:
        what, name, vector, other, number = (
            rng.randrange(13),
            rng.choice(names),
            value(),
            value(),
            rng.choice((1, 3, 50, *ODD)),
        )
        if k not in edits.keep:
            continue
        before = everything(sim)
        try:
            match what:
                case 0:
                    sim.push(name, vector, other)
                case 1:
                    sim.place(name, position=vector, velocity=other)
                case 2:
                    sim.place(name, quaternion=vector, angular_velocity=other)
                case 3:
                    sim.steer(name, velocity=vector)
                case 4:
                    sim.steer(name, acceleration=vector)
                case 5:
                    moments.append(sim.snapshot())
                case 6 if moments:
                    sim.restore(moments[0])
                case 7:
                    sim.reset()
                case 8:
                    sim.state = sim.state._replace(v=sim.state.v * 1e3)
                case 9:
                    sim.feed(name, rate=number, length=rng.choice((None, *ODD)))
                case 10:
                    sim.command(name, vector)
                case 11:
                    sim[number]
                case _:
                    sim.step(number)
        except towsim.SimulationError as error:
            told(error)
        except towsim.TowsimError as error:
            told(error)
            assert everything(sim) == before, f"a call ({what}) that is refused changes something"
        for shown in ("position", "tension"):
            sim[shown]
    sound(sim.result(), scene)


def file_case(rng, keep):
    import numpy as np

    import towsim

    with tempfile.TemporaryDirectory() as folder:
        kind = rng.choice(("nc", "npz", "parts"))
        path = Path(folder) / ("run.nc" if kind != "npz" else "run.npz")
        scene = from_name("four-robots-box")

        def stop(done, steps):
            if kind == "parts":
                raise InterruptedError

        with contextlib.suppress(InterruptedError):
            result = towsim.simulate(
                scene,
                duration=0.05,
                output=path if kind != "npz" else None,
                progress=stop,
                checkpoint_every=0.0 if kind != "npz" else None,
            )
            if kind == "npz":
                result.save(path)
        targets = sorted(file for file in Path(folder).rglob("*") if file.is_file())
        target, content = rng.choice(targets), b""
        content = target.read_bytes()
        edits = Edits(rng, 20, keep)
        for k in edits:
            content = edit_bytes(content, rng, k in edits.keep) or b" "
        target.write_bytes(content)
        result = towsim.open_result(path)
        for name in result:
            np.asarray(result[name].values)
        str(result.summary())
        result.events  # noqa: B018
        result.provenance  # noqa: B018
        if kind == "parts":
            towsim.resume(path)


def problem_case(rng, keep):
    import numpy as np

    import solvers

    numbers = np.random.default_rng(rng.randrange(1 << 30))
    n = rng.choice((0, 1, 2, 3, 4, 6, 8, 20))
    B = numbers.normal(size=(n, rng.choice((n, max(1, n // 2)))))
    M = B @ B.T if rng.random() < 0.6 else numbers.normal(size=(n, n))
    q, free, start = numbers.normal(size=n), numbers.random(n) < rng.choice((0, 0, 0.3)), None
    M, q = M * 10.0 ** rng.choice((0, 0, -300, -150, 150, 300)), q * 10.0 ** rng.choice((0, 0, -300, 300))
    given = {"M": M, "q": q, "free": free, "start": start}
    edits = Edits(rng, 3, keep)
    for k in edits:
        key, value, what, i = rng.choice(list(given)), rng.choice(ODD), rng.randrange(5), rng.randrange(max(1, n))
        if k in edits.keep and what == 0:
            given[key] = value
        elif k in edits.keep and what == 1 and n:
            given["M"] = np.array(M)
            given["M"][i] = rng.choice((0.0, np.nan, np.inf, 1e308))
        elif k in edits.keep and what == 2:
            given[key] = np.zeros((n, n, 2))
    method = rng.choice((*solvers.available(), "no", 3))
    problem = solvers.MLCP(given["M"], given["q"], given["free"])
    solution = solvers.solve(problem, method, start=given["start"])
    if solution.status == "solved":
        assert np.isfinite(solution.z).all()
        assert problem.residual(solution.z) < 1e-8, "a wrong z is said to be solved"


def words_case(rng, keep):
    from towsim.cli import VERBS, main

    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            words = [
                rng.choice([*VERBS, "no"]) if rng.random() < 0.4 else "run",
                rng.choice(("four-robots-box", "slack-jerk", "no.yaml", "", "x.nc")),
            ]
            words += ["--duration", "0.02"] if words[0] in ("run", "sweep") else []
            edits = Edits(rng, 5, keep)
            options = [
                "--duration",
                "--step",
                "--method",
                "--solver",
                "--set",
                "--form",
                "--project",
                "--json",
                "--force",
            ]
            options += [
                "--resume",
                "-o",
                "--record-every",
                "--checkpoint-every",
                "--friction",
                "--rtol",
                "--help",
                "-x",
            ]
            values = [
                "1e-3",
                "0",
                "nan",
                "-1",
                "1e-300",
                "1e300",
                "shake",
                "mass=3",
                "mass=",
                "=",
                "bodies.box.mass=1e300",
            ]
            values += ["bodies.box.mass=[1", "x" * 3000, "run.nc", "/no/run.nc", ".", "\udce9", "é", "9" * 400, "cone"]
            for k in edits:
                option, value = rng.choice(options), rng.choice(values)
                if k in edits.keep:
                    words += [option, value] if option not in ("--project", "--json", "--force", "--help") else [option]
            heard = io.StringIO()
            try:
                with contextlib.redirect_stderr(heard), contextlib.redirect_stdout(io.StringIO()):
                    main(words)
            except SystemExit:
                pass
            assert len(heard.getvalue()) < 3 * LONGEST, f"{len(heard.getvalue())} characters"
        finally:
            os.chdir(before)


CASES = dict(zip(FAMILIES, (scene_case, run_case, hand_case, file_case, problem_case, words_case), strict=True))


def told(error):
    assert 10 < len(str(error)) <= LONGEST, f"a message of {len(str(error))} characters: {str(error)[:200]}"


def judged(family, seed, keep):
    """What became of a case: "" if nothing is wrong, or what is."""
    import solvers
    import towsim

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            try:
                CASES[family](random.Random(f"{family} {seed}"), keep)
            except (towsim.TowsimError, solvers.ProblemError) as error:
                told(error)
        except BaseException as error:
            where = [one for one in traceback.extract_tb(error.__traceback__) if "fuzz" not in one.filename] or [None]
            last = where[-1]
            place = f"{Path(last.filename).name}:{last.lineno}" if last else "hammer"
            return f"{type(error).__name__} at {place}: {str(error)[:200]}", traceback.format_exc()
    return "", ""


def tell_compiling(answers):
    """Let this process say when it begins to compile a kernel, and when it has done so."""
    from numba.core import event

    class Compiling(event.Listener):
        depth = 0  # of a kernel, those that it calls

        def on_start(self, event):
            self.depth += 1
            if self.depth == 1:
                print(json.dumps(COMPILING), file=answers, flush=True)

        def on_end(self, event):
            self.depth -= 1
            if self.depth == 0:
                print(json.dumps(None), file=answers, flush=True)

    event.register("numba:compile", Compiling())


def worker():
    """Judge cases that are named on stdin, one a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    tell_compiling(answers)
    limit = int(GIGABYTES * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for line in sys.stdin:
        family, seed, keep = json.loads(line)
        print(json.dumps(judged(family, seed, keep)), file=answers, flush=True)


class Worker:
    """A process that judges cases; another one takes its place when it dies or hangs."""

    def __init__(self):
        self.process = None

    def judge(self, family, seed, keep=None):
        if self.process is None or self.process.poll() is not None:
            words = [sys.executable, __file__, "--worker"]
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
        self.process.stdin.write(json.dumps([family, seed, keep]).encode() + b"\n")
        self.process.stdin.flush()
        left, compiling, self.trace = SECONDS, False, ""
        while True:
            asked = time.monotonic()
            if not select.select([self.process.stdout], [], [], COMPILING if compiling else left)[0]:
                self.close()
                return f"compiles for {COMPILING:g} s" if compiling else f"hangs for {SECONDS:g} s"
            line = self.process.stdout.readline()
            if not line:
                return f"died with exit code {self.process.wait()}"
            if isinstance(answer := json.loads(line), list):
                self.trace = answer[1]
                return answer[0]
            left, compiling = (left if compiling else max(0.0, left - time.monotonic() + asked)), answer is not None

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def kind(wrong):
    """What findings of one cause have in common: the error, its place, and how its message begins."""
    place, _, message = wrong.partition(": ")
    return place + message[:12]


def smaller(worker, family, seed, wrong):
    """The edits that a finding needs."""
    keep = list(range(20))
    for k in range(20):
        without = [one for one in keep if one != k]
        if kind(worker.judge(family, seed, without)) == kind(wrong):
            keep = without
    return keep


def hammer(seed, seconds, families=FAMILIES, cases=None, shrink=True):
    """Cases until the time is over (or so many): how many there were, and the findings."""
    rng, worker, count, found = random.Random(seed), Worker(), collections.Counter(), {}
    end = time.monotonic() + seconds
    while time.monotonic() < end and (cases is None or count.total() < cases):
        family, number = families[count.total() % len(families)], rng.randrange(1 << 30)
        count[family] += 1
        wrong, trace = worker.judge(family, number), worker.trace
        if wrong and kind(wrong) not in found:
            again = f"--case {family}:{number}"
            if shrink and not wrong.startswith(("hangs", "compiles")):
                kept = smaller(worker, family, number, wrong)
                again += f" --keep {','.join(map(str, kept)) or '-'}"
            found[kind(wrong)] = f"{wrong}\n    {sys.argv[0]} {again}"
            print(trace or wrong, f"    {again}", sep="\n", flush=True)
    worker.close()
    return count, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", choices=FAMILIES, action="append")
    parser.add_argument("--case")
    parser.add_argument("--keep")
    parser.add_argument("--worker", action="store_true")
    given = parser.parse_args()
    if given.worker:
        worker()
        return 0
    if given.case:
        family, _, number = given.case.partition(":")
        keep = None if given.keep is None else [int(one) for one in given.keep.split(",") if one.isdigit()]
        wrong, trace = judged(family, int(number), keep)
        print(trace or "nothing is wrong")
        return bool(wrong)
    count, found = hammer(given.seed, given.seconds, tuple(given.only or FAMILIES))
    print(f"{count.total()} cases ({', '.join(f'{name} {n}' for name, n in count.items())}), {len(found)} findings")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
