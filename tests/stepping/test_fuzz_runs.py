"""Whatever is declared: a run is a sound Result or an error that says why; never a traceback, warning, hang or NaN."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, event, given, seed, settings
from hypothesis import strategies as st
from numba.core import event as numba_event

import towsim
from towsim.cli import main
from towsim.errors import RefusedError, SceneError, SimulationError, TowsimError
from towsim.results import STATUS_FLAGS, TAKEN, Result
from towsim.scene import Scene, data_from_text, scene_from_data

from ..conftest import CompileClock

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "examples" / "lift.yaml", *sorted((ROOT / "scenarios" / "files").glob("*.yaml"))]
DATA = [data_from_text(path.read_text()) for path in FILES]

ACCEPTED = 1e-9  # the judge's bound on a residual
STRETCH = 1e-3  # the default stretch_limit
compiling = CompileClock()
numba_event.register("numba:compile", compiling)

SECONDS = 5.0  # of processor time, compiling aside: ten times what the worst of these runs takes

# -- scenes ------------------------------------------------------------------------------------------------------------

mild = st.floats(-2.0, 2.0, allow_subnormal=False)
number = st.one_of(mild, st.sampled_from([0.0, 1e-30, -1e-9, 1e-3, 1e4, -1e9, 1e30]))
mild_vector = st.lists(mild, min_size=3, max_size=3)
vector = st.one_of(mild_vector, st.just([0.0, 0.0, 0.0]), st.lists(number, min_size=3, max_size=3))
positive = st.one_of(
    st.floats(0.05, 5.0), st.floats(-30, 30).map(lambda x: 10.0**x), st.sampled_from([1e-30, 1e-9, 1e9, 1e30])
)
mostly_mild = st.one_of(*[st.floats(0.1, 3.0)] * 5, positive)
FORMULAS = [
    "9.81",
    "sin(30*t)",
    "1/t",
    "sqrt(0.01 - t)",
    "exp(1e4*t)",
    "1e30*t",
    "1 if t < 0.01 else -1",
    "1e-30",
    "t**0.5",
]
formula = st.one_of(st.sampled_from(FORMULAS), number)
axes = st.fixed_dictionaries({}, optional={"x": formula, "y": formula, "z": formula})


@st.composite
def bodies(draw):
    body = {"mass": draw(mostly_mild), "position": draw(vector if draw(st.integers(0, 9)) == 0 else mild_vector)}
    body |= draw(st.fixed_dictionaries({}, optional={"velocity": vector, "force": axes}))
    body |= {"drag": draw(st.fixed_dictionaries({}, optional={"linear": positive, "quadratic": positive}))}
    if draw(st.booleans()):
        return body | {"point": True}
    match draw(st.integers(0, 3)):
        case 0:
            body["shape"] = {"box": [draw(st.floats(1e-3, 3.0)) for _ in range(3)]}
        case 1:
            body["shape"] = {"sphere": draw(mostly_mild)}
        case 2:
            body["shape"] = {"cylinder": [draw(st.sampled_from([1e-5, 1e-3, 0.1, 5.0])), draw(st.floats(0.1, 3.0))]}
        case 3:
            a, b, c = (10.0 ** draw(st.floats(-8, 0)) for _ in range(3))
            scale = draw(st.sampled_from([1.0, 1.0, 1e-20, 1e25]))
            body["inertia"] = [scale * (a + b), scale * (b + c), scale * (a + c)]
    body |= {"quaternion": draw(st.lists(st.floats(0.1, 1.0), min_size=4, max_size=4)), "points": {}}
    body |= draw(st.fixed_dictionaries({}, optional={"angular_velocity": vector, "thrust": axes, "torque": axes}))
    for k in range(draw(st.integers(0, 3))):
        body["points"][f"p{k}"] = draw(mild_vector)
    return body


@st.composite
def robots(draw):
    match draw(st.integers(0, 3)):
        case 0:
            return {"position": draw(mild_vector)}
        case 1:
            points = [draw(mild_vector), draw(vector)]
            kind = draw(st.sampled_from(["quintic", "cubic"]))
            return {"motion": {"waypoints": {"t": [0, draw(st.floats(1e-3, 2))], "position": points, "kind": kind}}}
        case 2:
            return {
                "motion": {"circle": {"center": draw(mild_vector), "radius": draw(mostly_mild), "rate": draw(number)}}
            }
        case _:
            return {"motion": {"formula": draw(axes)}}


def distance(scene: Scene, a: str, b: str) -> float:
    """Distance of two ends at the start [m]."""
    places = []
    for end in (scene.attachment(a), scene.attachment(b)):
        if end.is_robot:
            places.append(scene.robots[end.owner].sample(np.zeros(1))[0][0])
        else:
            body = scene.bodies[end.owner]
            places.append(np.array(body.position) + body.rotation_matrix() @ np.array(end.offset))
    with np.errstate(all="ignore"):
        return float(np.linalg.norm(places[1] - places[0]))


CABLES = [
    {"model": {"mrfe": {"elements": elements}}, "material": {"diameter": d, "density": rho, "youngs_modulus": E} | more}
    for elements, d, rho, E, more in (
        (2, 4e-3, 5e3, 1e9, {"damping_modulus": 1e7}),
        (5, 1e-2, 1e3, 1e6, {}),
        (1, 1e-9, 1e-9, 1e30, {}),
    )
]


@st.composite
def drawn_scene(draw):
    """Up to 5 bodies and 4 robots, wires (some many times), joints, ground; starts are mostly good."""
    data = {
        "gravity": draw(st.sampled_from([[0, 0, -9.81], [0, 0, 0], [0, 0, -1e30]])),
        "bodies": {f"b{i}": draw(bodies()) for i in range(draw(st.integers(1, 5)))},
        "robots": {f"r{i}": draw(robots()) for i in range(draw(st.integers(0, 4)))},
    }
    try:
        bare = scene_from_data(data)
    except SceneError:
        return data
    ends = [f"{b}.{p}" for b, body in bare.bodies.items() for p in body.points] + list(bare.bodies)
    wires = data["wires"] = {}
    for _ in range(draw(st.integers(0, 6))):
        a, b = draw(st.sampled_from(ends)), draw(st.sampled_from([*ends, *bare.robots, *bare.robots]))
        if a.partition(".")[0] == b.partition(".")[0]:
            continue
        apart = distance(bare, a, b)
        length = max(apart * draw(st.sampled_from([1.0, 1.0, 1.0 + 1e-12, 1.01, 2.0])), 1e-3)
        if not length < 1e29:
            continue
        programme = {
            "start": {"start": length, "rate": draw(number)},
            "formula": {"formula": f"{length!r}*cos(40*t)"},
            "waypoints": {"waypoints": {"t": [0, 0.02], "length": [length, draw(positive)]}},
        }
        length = programme.get(draw(st.sampled_from(["plain"] * 6 + list(programme))), length)
        for _ in range(draw(st.sampled_from([1, 1, 1, 1, 2, 12]))):
            wires[f"w{len(wires)}"] = {"from": a, "to": b, "length": length}
        if b in bare.robots and apart > 0.1 and draw(st.integers(0, 9)) == 7:
            wires[f"w{len(wires)}"] = {"from": a, "to": b, "length": apart} | draw(st.sampled_from(CABLES))
    if draw(st.integers(0, 7)) == 0 and len(bare.bodies) > 1:  # a ball joint at the first body's centre
        first, second = (data["bodies"][name] for name in ("b0", "b1"))
        if not second.get("point"):
            second["points"]["j"] = [0.0, 0.0, 0.0]
            second["position"] = first["position"]
            data["joints"] = {"j": {"kind": "ball", "from": "b0", "to": "b1.j"}}
    if draw(st.integers(0, 7)) == 0:
        low = min(body.position[2] for body in bare.bodies.values())
        data["ground"] = {"height": low - 3.0, "friction": draw(st.sampled_from([0.0, 0.4])), "contacts": ["b0"]}
    return data


VALUES = [
    *(0, -1, 1, 0.5, 2, 1e-3, 1e-9, 1e-30, 1e30, -1e30, 1e29, math.nan, math.inf, None, True, "t", "1/t"),
    *("sqrt(0.01-t)", "exp(1e4*t)", "box", "bob", "r0", "", [], {}, [0, 0, 0], [1e9, 0, 0]),
    *({"start": 1, "rate": -100}, {"formula": "1-50*t"}),
]

PARTS = (*("bodies", "robots", "wires") * 2, "length", "position", "motion", "mass")
"""Keys at which most changes are made."""


@st.composite
def spoiled(draw, data):
    """Nested data with one place changed: mostly a number, now and then a key or the structure."""
    if isinstance(data, dict) and data:
        key = draw(st.sampled_from([*sorted(data), *(k for k in PARTS if k in data for _ in range(4))]))
        rest = {k: v for k, v in data.items() if k != key}
        match draw(st.integers(0, 40)):
            case 7:
                return rest
            case 8:
                return rest | {draw(st.sampled_from([key + "x", "mass", "box", "t"])): data[key]}
            case _:
                return {k: draw(spoiled(v)) if k == key else v for k, v in data.items()}
    if isinstance(data, list) and data:
        i = draw(st.integers(0, len(data) - 1))
        return [*data[:i], *([draw(spoiled(data[i]))] if draw(st.integers(0, 40)) != 7 else []), *data[i + 1 :]]
    if isinstance(data, int | float) and not isinstance(data, bool) and draw(st.integers(0, 5)):
        return data * draw(st.sampled_from([0.99, 1.01, 0.5, 2, -1, 10, 1e-6, 1e6])) + draw(
            st.sampled_from([0, 0, 0.01])
        )
    return draw(st.sampled_from(VALUES))


@st.composite
def spoiled_file(draw):
    """A scene file's data with one to three places changed."""
    data = draw(st.sampled_from(DATA))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        data = draw(spoiled(data))
    return data


# -- options -----------------------------------------------------------------------------------------------------------

SOLVERS = ["auto"] * 12 + ["active-set", "lemke", "lemke", "pgs", "newton", "osqp", "interior-point", "enumerate"]


@st.composite
def options(draw):
    step = draw(st.sampled_from([1e-3] * 6 + [1e-2, 1e-4, 1e-9, 1.0, 1e10, 1e-30]))
    steps = draw(st.sampled_from([1, 2, 20, 60]))
    solver = draw(st.sampled_from(SOLVERS))
    form, loop = draw(st.sampled_from(["lcp"] * 9 + ["mlcp"])), draw(st.sampled_from(["auto"] * 4 + ["python"]))
    slow = solver not in ("auto", "active-set") or form == "mlcp"
    return {
        "step": step,
        "duration": step * (min(steps, 12) if slow else steps),
        "method": draw(st.sampled_from(["stewart-trinkle", "shake"])),
        "solver": solver,
        "record_every": draw(st.sampled_from([1, 1, 1, 7, 1000])),
        "on_failure": draw(st.sampled_from(["raise", "record"])),
        "form": form,
        "loop": loop,
    }


# -- what must hold ----------------------------------------------------------------------------------------------------

OF_A_STEP = (
    *("acceleration", "angular_acceleration", "tension", "joint_reaction", "joint_torque", "contact_force", "residual"),
    *("tip_force", "exit_force"),
)
"""What the initial state does not have: NaN in row 0 unless the method knows it there (SHAKE does)."""


NOT_FOR_ALL = (
    *("joint_position", "joint_velocity", "node_position", "joint_reaction", "joint_impulse", "joint_torque"),
    *("thrust", "reference", "tracking_error"),
)
"""What joints without an axis, shorter cables, reduced joints, and bodies without a drive do not have at any time."""


def assert_sound(result: Result) -> None:
    """Every number that applies is finite; certificates and physics agree with the statuses."""
    rows = len(result.time)
    solved = np.isin(result["status"].values, TAKEN)
    for name in ("time", *result):
        values = np.asarray(result.column(name)[:rows])
        known = np.isfinite(values)
        if name in NOT_FOR_ALL:
            known |= np.isnan(values).all(axis=0)
        if name == "gap" and re.search(r"\b(break|attach|detach|cut):", str(result.attributes["scene"])):
            known |= np.isnan(values)  # of a wire that is off
        if name == "reading":  # load cells have nothing to read until the first step is done, and then all that they do
            cells = [channel.endswith(".tension") for channel in result.coords["channel"]]
            known |= np.logical_and.accumulate(np.isnan(values), axis=0) & cells
        finite = known.reshape(rows, -1).all(axis=1) if values.size else np.ones(rows, bool)
        if name in OF_A_STEP and rows and not finite[0]:
            assert np.isnan(values[0]).all(), (name, values[0])
            finite[0] = True
        if name == "residual":
            finite |= ~solved
        assert finite.all(), (name, int(np.argmin(finite)), values[np.argmin(finite)])
    assert (np.diff(result.time) > 0.0).all()
    assert solved[:-1].all(), "only the kick of SHAKE's last row may be left unsolved"
    # More is left only where rows depend on each other and contradict each other by less than the method errs.
    left = result["residual"].values[1:] > ACCEPTED
    assert (result["tension_unique"].values[1:][left] < 1).all()
    assert (result["residual"].values[1:][left & solved[1:]] <= 1.0).all()
    assert (result["status"].values[1:][left & solved[1:]] == STATUS_FLAGS["closest"]).all()
    if "quaternion" in result:
        assert (abs(np.linalg.norm(result["quaternion"].values, axis=2) - 1.0) < 1e-9).all()
    assert (result["rank"].values >= 0).all()
    if "tension" in result and rows:
        assert (result["tension"].values[1:] >= 0.0).all()
        rigid = [name not in result.coords.get("cable", ()) for name in result.coords["wire"]]
        stretch = -result["gap"].values[:, rigid] / result["length"].values[:, rigid].max(axis=0)
        assert not (stretch > STRETCH).any() or "elastic" in str(result.attributes["scene"])
    summary = result.summary()
    assert math.isfinite(summary.residual) or summary.unsolved
    assert summary.end_time == (result.time[-1] if rows else 0.0)
    assert_printable(str(summary))


def assert_printable(text: str) -> None:
    """No NaN where a number should be: only the tension range of a wire without a step outside jerks has none."""
    lines = [line for line in text.splitlines() if not line.startswith("outcome")]  # which may name a formula's NaN
    assert not re.search(r"\b(nan|inf)\b", "\n".join(lines), re.IGNORECASE), text


def assert_clear(error: TowsimError, scene: Scene | None) -> None:
    """One paragraph, with the time where there is one, and the names of the wires that are to blame."""
    message = str(error)
    assert 10 < len(message) <= 1000
    assert "\n\n" not in message
    if isinstance(error, SimulationError):
        assert math.isfinite(error.time)
        assert f"t = {error.time:.6g} s" in message
        if error.result is not None:
            assert_sound(error.result)
    if isinstance(error, RefusedError):
        assert scene is not None
        assert error.wires
        assert set(error.wires) <= {*scene.wires, *scene.joints, *(scene.ground.contacts if scene.ground else ())}
        assert error.wires[0] in message
        assert error.speed is None or (math.isfinite(error.speed))
        assert "nan" not in message


def judge(data, chosen) -> str:
    """Declare and run; whatever is not a sound result or a clear error comes out. Returns what it was."""
    scene, failure = None, None
    start = time.process_time() - compiling.seconds.total()
    try:
        scene = scene_from_data(data)
        result = towsim.simulate(scene, **chosen)
        said = result.summary().outcome
        verdict = "complete" if said == "complete" else "recorded failure"
        assert_sound(result)
        if said == "complete":
            assert result.time[-1] == pytest.approx(chosen["duration"])
        else:
            assert chosen["on_failure"] == "record"
            assert f"t = {result.events[-1].time:.6g} s" in said
            assert result.events[-1].note == said
    except TowsimError as error:
        failure = error
        verdict = f"{type(error).__name__}{' at loading' if scene is None else ''}"
    if failure is not None:
        assert_clear(failure, scene)
        assert not (isinstance(failure, SimulationError) and chosen["on_failure"] == "record")
    assert time.process_time() - compiling.seconds.total() - start < SECONDS
    event(verdict)
    return verdict


def compile_all() -> None:
    """Nearly every kernel that the scenes below need."""
    rough, smooth = ({"ground": {"height": -9.0, "friction": mu, "contacts": ["bob"]}} for mu in (0.5, 0.0))
    cable = {"wires": DATA[0]["wires"] | {"c": {"from": "box", "to": "east", "length": 1.118} | CABLES[0]}}
    laws = [({}, "shake"), (smooth, "shake"), (cable, "bdf2")]
    laws += [(more, "stewart-trinkle") for more in ({}, smooth, rough, cable, rough | cable)]
    for more, method in laws:
        towsim.simulate(scene_from_data(DATA[0] | more), duration=2e-3, method=method)
    for solver in SOLVERS:
        towsim.simulate(scene_from_data(DATA[0]), duration=2e-3, solver=solver)


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    compile_all()


def examples(count: int, part: int, **strategies):
    """Decorates a test: so many examples, the same every time for each ``part``."""
    options = settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    return lambda test: seed(part)(options(given(**strategies)(test)))


def fuzz(count: int, part: int, scenes) -> None:
    tally: Counter[str] = Counter()

    @examples(count, part, data=scenes, chosen=options())
    def run(data, chosen):
        tally[judge(data, chosen)] += 1

    run()
    # Mild enough to reach every depth: many run to the end, and many do not.
    assert 0.1 * count < tally["complete"] < 0.9 * count, tally


def test_drawn_scenes_give_sound_runs_or_clear_errors():
    fuzz(120, 0, drawn_scene())


def test_spoiled_scene_files_give_sound_runs_or_clear_errors():
    fuzz(300, 0, spoiled_file())


# -- the command line --------------------------------------------------------------------------------------------------


@st.composite
def spoiled_text(draw) -> str:
    """A scene file whose data, and now and then whose text, was changed."""
    text = yaml.safe_dump(draw(spoiled_file()), sort_keys=False)
    if draw(st.integers(0, 3)) == 3:
        i = draw(st.integers(0, len(text)))
        text = (
            text[:i]
            + draw(st.sampled_from(["", ":", "[", "\t", "\x00", "- ", "!!python/object:os.system "]))
            + text[i + 1 :]
        )
    return text


WORDS = st.lists(
    st.sampled_from(
        [
            ["--method", "shake"],
            ["--method", "euler"],
            ["--solver", "lemke"],
            ["--form", "mlcp"],
            ["--step", "0"],
            ["--set", "gravity=[0, 0, 0]"],
            ["--set", "bodies.box.mass=.nan"],
            ["--project"],
            ["--json"],
            ["--on-failure", "record"],
            ["--record-every", "7"],
        ]
    ),
    max_size=2,
)


def judge_command(folder: Path, text: str, words: list[str]) -> None:
    """Run a file as a user would: an exit code that says how it went, and nothing that looks like a bug."""
    (folder / "scene.yaml").write_text(text, encoding="utf-8", errors="surrogatepass")
    command = ["run", str(folder / "scene.yaml"), "-o", str(folder / "out.nc"), "--force", *words]
    command += [] if "--step" in words else ["--step", "1e-3"]
    out, err = io.StringIO(), io.StringIO()
    (folder / "out.nc").unlink(missing_ok=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([*command, "--duration", "0.02"])
        except SystemExit as exit:  # argparse's way out
            code = exit.code
    event(f"exit code {code}")
    assert code in (0, 1, 2)
    assert "Traceback" not in err.getvalue()
    assert not list(folder.glob("*.parts"))
    assert (folder / "out.nc").exists() == (code != 2)
    if code != 0:
        assert "error:" in err.getvalue() or "the run failed:" in err.getvalue() or "outcome" in out.getvalue()
    if code != 2 and "--json" in words:
        assert json.loads(out.getvalue())["summary"] is not None
    elif code != 2:
        assert_printable(out.getvalue())


def fuzz_commands(count: int, part: int, folder: Path) -> None:
    @examples(count, part, text=spoiled_text(), words=WORDS)
    def run(text, words):
        judge_command(folder, text, [word for group in words for word in group])

    run()


def test_the_command_line_tells_any_file_by_its_exit_code(tmp_path):
    fuzz_commands(60, 0, tmp_path)


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({}, 0, ""),
        ({"gravity": [0, 0, -1e30]}, 1, "the run failed"),
        ({"wires": {"e": {"from": "box"}}}, 2, "'to' is missing"),
    ],
)
def test_a_process_tells_a_file_by_its_exit_code(change, code, said, tmp_path):
    (tmp_path / "scene.yaml").write_text(yaml.safe_dump(DATA[0] | change))
    command = [sys.executable, "-m", "towsim", "run", "scene.yaml", "--duration", "0.05"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stderr
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (tmp_path / "scene.nc").exists() == (code != 2)
