"""The paper's cases by BDF-p against the stored runs of method dae: values, orders of convergence, stability.

Both share the declared scene and nothing of the dynamics. Instants within 5 ms of the kinks of the inputs are left out.
"""

import runpy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import scenarios
import towsim
from towsim.scene import scene_from_data

DATA = Path(__file__).parent / "data"
KINKS = {"kinematic": (0, 2, 3, 4, 6), "winches": (0, 2, 3, 4, 6), "quadcopters": (0, 0.5, 3), "inclined": (0, 0.5, 3)}
G = 9.81
scene = runpy.run_path(str(DATA / "cdpr44.py"))["scene"]

pytestmark = pytest.mark.filterwarnings("ignore:wire .* its first joint zy:towsim.errors.SceneWarning")


def errors(case, method, step, until=6.0):
    """Largest errors of positions [m] and velocities of the platform [m/s], and the run."""
    kind, _, axes = case.partition("-")
    reference = np.load(DATA / f"cdpr44-{case}.npz")
    t = reference["time"]
    chosen = (np.abs(t[:, None] - np.array(KINKS[kind])).min(axis=1) > 5e-3) & (t <= until)
    result = towsim.simulate(scene(kind, axes or "zy"), method=method, step=step)
    rows = np.round(t / step).astype(int)[chosen]
    position = np.abs(result["position"].values[rows] - reference["position"][chosen]).max()
    velocity = np.abs(result["velocity"].values[rows, 0] - reference["velocity"][chosen]).max()
    return position, velocity, result


@pytest.mark.parametrize(
    ("case", "limit"),
    [
        ("kinematic-zy", 1e-6),
        ("kinematic-yx", 1e-6),
        ("winches", 1e-6),
        ("quadcopters", 1e-5),
        ("inclined", 1e-5),
    ],
)
def test_bdf3_at_a_millisecond_meets_the_independent_run(case, limit):
    position, velocity, result = errors(case, "bdf3", 1e-3)
    assert position < limit
    assert velocity < 10.0 * limit
    assert np.nanmax(result["e1"].values) < 1e-8


@pytest.mark.parametrize(("method", "order"), [("bdf1", 1), ("bdf2", 2), ("bdf3", 3)])
def test_errors_fall_with_the_order_of_the_method(method, order):
    """Before the platform grazes the ground; bdf1's next term still shows at these steps."""
    coarse, fine = (errors("kinematic-zy", method, step, 5.9)[0] for step in (5e-3, 2.5e-3))
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.12)


@pytest.mark.parametrize("elements", [5, 50, 1000])
def test_a_hundredth_of_a_second_is_stable_with_any_number_of_elements(elements):
    one = scenarios.get("cdpr44-kinematic")
    result = towsim.simulate(one.build(elements=elements), step=1e-2, duration=3.5)
    reference = towsim.simulate(one.build(elements=elements), step=5e-3, duration=3.5)
    apart = np.abs(result["position"].values - reference["position"].values[::2]).max()
    assert apart < 2e-4  # bdf3: 6e-5 m at 1e-2 s, as with five elements
    assert np.nanmax(result["e1"].values) < 1e-6


def test_the_motion_converges_as_elements_are_added():
    one = scenarios.get("cdpr44-kinematic")
    places = [
        towsim.simulate(one.build(elements=n), step=1e-2, duration=4.0)["position"].values for n in (5, 10, 20, 40, 80)
    ]
    apart = [np.abs(a - b).max() for a, b in pairwise(places)]
    assert 2e-3 < apart[0] < 2e-2  # five elements are not yet the limit: about a centimetre
    assert all(fine < 0.6 * coarse for coarse, fine in pairwise(apart))


THIN = {"diameter": 2e-3, "mass_per_length": 1e-4, "axial_stiffness": 1e6, "bending_stiffness": 0.0}


def hung(velocity, robot=None):
    """A load under a robot on a thin cable with the default first joint."""
    cable = {"from": "top", "to": "load", "length": 1.0, "material": THIN | {"axial_damping": 1e4}}
    return scene_from_data(
        {
            "bodies": {"load": {"mass": 1.0, "point": True, "position": [0.0, 0.0, -1.0], "velocity": velocity}},
            "robots": {"top": robot or {"position": [0.0, 0.0, 0.0]}},
            "wires": {"c": cable | {"model": {"mrfe": {"elements": 4}}}},
        }
    )


@pytest.mark.parametrize("axis", [0, 1])
def test_a_cable_swings_through_full_circles_without_a_singular_direction(axis):
    velocity = [0.0, 0.0, 0.0]
    velocity[axis] = float(np.sqrt(7.0 * G))  # 5 g L is enough to keep the cable taut on top
    result = towsim.simulate(hung(velocity), method="bdf3", step=1e-3, duration=1.6)
    x, v = result["position"].values[:, 0], result["velocity"].values[:, 0]
    turns = np.unwrap(np.arctan2(x[:, axis], -x[:, 2]))[-1] / (2.0 * np.pi)
    assert turns > 1.0
    energy = 0.5 * np.sum(v**2, axis=1) + G * x[:, 2]
    assert np.abs(energy - energy[0]).max() < 2e-3 * 7.0 * G  # the cable's mass is 1e-4 of the load's
    assert np.abs(np.linalg.norm(x, axis=1) - 1.0).max() < 1e-3
    assert np.abs(x[:, 1 - axis]).max() < 1e-9


def test_what_hangs_first_and_is_then_towed_goes_alike_in_every_direction():
    runs = []
    for to in ([1.5, 0.0, 0.0], [0.0, 1.5, 0.0], [-1.5, 0.0, 0.0], [0.0, 0.0, 1.5]):
        robot = {"motion": {"waypoints": {"t": [0.2, 1.2], "position": [[0.0, 0.0, 0.0], to]}}}
        # bdf2: a thin cable without damping in bending rings at 2500 rad/s, where bdf3 is not stable.
        result = towsim.simulate(hung([0.0, 0.0, 0.0], robot), method="bdf2", step=1e-3, duration=2.0)
        assert np.nanmax(result["e1"].values) < 1e-8
        runs.append(result["position"].values[:, 0])
    along_x, along_y, back, up = runs
    np.testing.assert_allclose(along_y[:, [1, 0, 2]] * [1, -1, 1], along_x, atol=1e-8)
    np.testing.assert_allclose(back * [-1, 1, 1], along_x, atol=1e-8)
    assert np.abs(along_x[:, 0] - 1.5)[-800:].max() > 0.05  # it does swing
    np.testing.assert_allclose(up[-1], [0.0, 0.0, 0.5], atol=1e-4)
