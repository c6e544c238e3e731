"""Scenarios with massive cables: the published robot, a chain, a rod; their checks, files and figures."""

from importlib.resources import files

import numpy as np
import pytest

import scenarios
import towsim
from scenarios import _cdpr44
from scenarios._cdpr44_figures import _rates
from towsim.errors import SceneWarning, UsageError
from towsim.scene import scene_from_text

CDPR = ("cdpr44-kinematic", "cdpr44-quadcopters", "cdpr44-inclined", "cdpr44-winches")
NAMES = (*CDPR, "cantilever", "hanging-chain", "towed-cable")

pytestmark = pytest.mark.filterwarnings("ignore:wire .* its first joint zy:towsim.errors.SceneWarning")


def run(name, parameters=None, **options):
    one = scenarios.get(name)
    return one, towsim.simulate(one.build(**(parameters or {})), **(one.defaults | options))


def failed(one, result):
    return [f"{check.name}: {check.value:.6g}, not {check.expected}" for check in one.check(result) if not check.passed]


@pytest.fixture(scope="module")
def results():
    """Runs of the published robot with the defaults, made when asked for."""
    made = {}

    def get(name):
        if name not in made:
            made[name] = run(name)
        return made[name]

    return get


@pytest.mark.parametrize("name", CDPR)
def test_the_published_robot_meets_its_reference(name, results):
    assert failed(*results(name)) == []


@pytest.mark.parametrize("name", ["cdpr44-kinematic", "cdpr44-quadcopters"])
def test_the_other_order_of_axes_meets_its_own_reference(name):
    one, result = run(name, {"axes": "yx"})
    assert failed(one, result) == []
    assert len(one.check(result)) > 5


@pytest.mark.parametrize("name", ["cantilever", "hanging-chain", "towed-cable"])
def test_cables_obey_the_theory_of_their_limit(name):
    assert failed(*run(name)) == []


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("cantilever", {"elements": 5, "force": 0.05}),
        ("cantilever", {"elements": 60, "length": 0.7}),
        ("hanging-chain", {"elements": 20, "length": 0.5}),
        ("hanging-chain", {"elements": 80, "angle": 0.5}),
        ("cdpr44-kinematic", {"elements": 8, "axes": "ball"}),
        ("cdpr44-winches", {"elements": 3, "axes": "yx"}),
        ("cdpr44-quadcopters", {"failure": 2.0}),
    ],
)
def test_other_parameters_obey_the_same_laws(name, parameters):
    assert failed(*run(name, parameters)) == []


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("cdpr44-kinematic", {"bodies.platform.mass": 0.52}),
        ("cdpr44-quadcopters", {"ground.spring.damping": 90.0}),
        ("cdpr44-inclined", {"gravity": [0, 0, -9.7]}),
        ("cdpr44-winches", {"bodies.platform.mass": 0.52}),
        ("cantilever", {"wires.rod.material.bending_stiffness": 2.1}),
        ("hanging-chain", {"gravity": [0, 0, -9.7]}),
    ],
)
def test_the_check_notices_a_run_that_obeys_other_physics(name, spoil):
    one = scenarios.get(name)
    scene = one.build()
    result = towsim.simulate(scene.with_values(spoil), **one.defaults)
    result.attributes["scene"] = towsim.simulate(scene, duration=1e-2, step=1e-2).attributes["scene"]
    assert failed(one, result)


@pytest.mark.parametrize("name", NAMES)
def test_the_scene_runs_by_itself_as_the_scenario_does(name):
    one = scenarios.get(name)
    declared = one.build().run
    assert (declared.duration, declared.step, declared.method) == tuple(
        one.defaults[key] for key in ("duration", "step", "method")
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_saved_file_is_the_scenario(name):
    """After a change: ``towsim.scene.save_scene(scenarios.get(name).build(), "scenarios/files/<name>.yaml")``."""
    text = (files("scenarios") / "files" / f"{name}.yaml").read_text(encoding="utf-8")
    assert scene_from_text(text) == scenarios.get(name).build()


@pytest.mark.parametrize(
    ("given", "message"),
    [({"elements": 0}, "elements must be 1 or more, got 0"), ({"axes": "xy"}, "axes must be one of zy, yx, ball")],
)
def test_wrong_parameters_of_the_robot_are_refused(given, message):
    for name in CDPR:
        with pytest.raises(UsageError, match=message):
            scenarios.get(name).build(**given)


def test_the_inclined_start_is_told_that_its_axes_are_meant_for_vertical_cables():
    with pytest.warns(SceneWarning, match="75 degrees away from the vertical"):
        scenarios.get("cdpr44-inclined").build().check_start()


def test_the_exit_points_follow_equation_21():
    exit1 = scenarios.get("cdpr44-kinematic").build().robots["exit1"]
    t = np.array([0.0, 1.0, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0])
    position, velocity, _ = exit1.sample(t)
    moved = position - position[0]
    r = np.sqrt(0.5)
    # Each segment is ΔL (3 s² − 2 s³): a half in the middle of its time.
    np.testing.assert_allclose(moved[:, 0], [0, 0, 0, r / 4, r / 2, 3 * r / 4, r, r, r], atol=1e-12)
    np.testing.assert_allclose(moved[:, 1], moved[:, 0], atol=1e-12)
    up = np.sqrt(3.0) / 2.0
    np.testing.assert_allclose(moved[:, 2], [0, 0.5, 1, 1 + up / 2, 1 + up, 1 + up / 2, 1, 0.5, 0], atol=1e-12)
    np.testing.assert_allclose(velocity[[0, 2, 4, 6, 8]], 0.0, atol=1e-12)  # at rest at the corners of the path


def test_euler_angles_and_their_rates_are_those_of_the_rotation():
    from scipy.spatial.transform import Rotation

    random = np.random.default_rng(2)
    angles = random.uniform(-1.2, 1.2, (50, 3))
    rotations = Rotation.from_euler("XYZ", angles)
    q = rotations.as_quat(scalar_first=True)
    assert np.abs(np.sin(_cdpr44.euler_xyz(q) - angles)).max() < 1e-12
    rate, h = random.normal(size=(50, 3)), 1e-6
    after = Rotation.from_euler("XYZ", angles + h * rate)
    omega = (after * rotations.inv()).as_rotvec() / h

    from towsim.results import Result

    result = Result({"time": np.arange(50.0), "angular_velocity": omega[:, None]}, {"body": ("platform",)}, (), {})
    np.testing.assert_allclose(_rates(result, angles)[0], rate, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        (
            "cdpr44-kinematic",
            ("8", "14", "9a", "9b", "10a", "10b", "10c", "10d", "11", "12a", "12d", "13a", "13d", "15", "16"),
        ),
        (
            "cdpr44-quadcopters",
            ("18", "23", "19a", "19b", "20a", "20d", "21a", "21d", "22a", "22d", "24a", "24d", "26", "27"),
        ),
        ("cdpr44-winches", ("28", "29a", "29b", "30a", "30d", "31", "32a", "32d", "33", "34a", "34d")),
    ],
)
def test_the_drawing_holds_the_papers_figures(name, figures, results):
    one, result = results(name)
    sheet = one.drawing(result)
    titles = [ax.get_title(loc="left").split(":")[0] for ax in sheet.axes]
    assert set(figures) <= set(titles)
    assert len(set(titles)) == len(titles)


def test_plot_draws_the_own_figures_of_a_scenario(tmp_path, results):
    from towsim.cli import main

    _, result = results("cdpr44-kinematic")
    saved = result.save(tmp_path / "k.nc")
    picture = tmp_path / "k.png"
    assert main(["plot", str(saved), "-o", str(picture)]) == 0
    assert picture.stat().st_size > 200_000
    assert main(["plot", str(saved), "-o", str(tmp_path / "t.png"), "--what", "tension"]) == 0
    assert (tmp_path / "t.png").stat().st_size < picture.stat().st_size
