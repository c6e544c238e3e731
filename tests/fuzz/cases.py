"""Cases of the hammer, a function for each family: scenes, options, calls by hand, files, problems and words."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from pathlib import Path

from .edits import ODD, TIMES, Edits, edit_bytes, edit_data, edit_text

FAMILIES = ("scene", "run", "hand", "file", "problem", "words")
LONGEST = 1000
"""Characters that a message may have."""

SCENES = ("four-robots-box", "drag-box-rough-ground", "crane-winch", "slack-jerk", "hand-over", "slung-load-gust")
CABLES = ("cdpr44-kinematic", "towed-cable")


def told(error):
    assert 10 < len(str(error)) <= LONGEST, f"a message of {len(str(error))} characters: {str(error)[:200]}"


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
        target = rng.choice(targets)
        content = target.read_bytes() or b" "
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
            words += ["--duration", "0.02"] if words[0] in ("run", "sweep", "bench") else []
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
            text = heard.getvalue()
            assert len(text) < 3 * LONGEST, f"{len(text)} characters: {text[:300]} ... {text[-300:]}"
        finally:
            os.chdir(before)


CASES = dict(zip(FAMILIES, (scene_case, run_case, hand_case, file_case, problem_case, words_case), strict=True))
