"""The shipped laws keep loads on their paths, within what the issue of each asks for; saturation and lag matter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import towsim
from towsim.scene import Scene, scene_from_data

EIGHT = {"formula": {"x": "0.9*sin(0.8*t)", "y": "0.9*sin(0.8*t)*cos(0.8*t)", "z": "0"}}
"""A figure of eight that is flown at up to 1.02 m/s."""


def slung(**more: Any) -> Scene:
    vehicle = {"mass": 1.5, **more.pop("vehicle", {})}
    law = {"law": "slung-load", "vehicle": "drone", "load": "bob", "path": EIGHT, **more.pop("law", {})}
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": 0.5, "point": True, "velocity": [0.72, 0.72, 0]}},
            "robots": {
                "drone": {
                    "motion": {"formula": {"x": "0.72*t", "y": "0.72*t", "z": "1"}},
                    "dynamics": "quadcopter",
                    "vehicle": vehicle,
                }
            },
            "wires": {"w": {"from": "bob", "to": "drone", "length": 1.0}},
            "controllers": {"lift": law},
            **more,
        }
    )


def fleet(path: dict, fail: float | None = None, **law: Any) -> Scene:
    """Four quadcopters of 1 kg and a box of 1.6 kg on lugs 0.35 m above its centre; wires of 1 m with a slope."""
    lugs = [[0.3, 0.3], [-0.3, 0.3], [-0.3, -0.3], [0.3, -0.3]]
    points, robots, wires = {}, {}, {}
    for i, (x, y) in enumerate(lugs, start=1):
        slope, size = 0.3, np.hypot(x, y)
        up = 1.0 / np.hypot(1.0, slope)
        points[f"p{i}"] = [x, y, 0.35]
        place = [x * (1 + slope * up / size), y * (1 + slope * up / size), 0.35 + up]
        fails = {"failures": [{"time": fail}]} if fail and i == 1 else {}
        robots[f"q{i}"] = {
            "position": place,
            "dynamics": "quadcopter",
            "vehicle": {"mass": 1.0, "max_thrust": 8.0} | fails,
        }
        wires[f"w{i}"] = {"from": f"box.p{i}", "to": f"q{i}", "length": 1.0}
        if fails:
            wires[f"w{i}"]["cut"] = fail + 0.1  # type: ignore[operator]
    return scene_from_data(
        {
            "bodies": {"box": {"mass": 1.6, "shape": {"box": [0.6, 0.6, 0.3]}, "points": points}},
            "robots": robots,
            "wires": wires,
            "controllers": {
                "fleet": {
                    "law": "carry",
                    "vehicles": list(robots),
                    "load": "box",
                    "path": path,
                    "spread": 0.3,
                    **law,
                }
            },
        }
    )


def errors(result: towsim.Result, scene: Scene, body: str) -> np.ndarray:
    (law,) = scene.controllers.values()
    path = law.path.sample(result.time)[0]  # type: ignore[union-attr]
    return np.linalg.norm(result["position"].sel(body=body).values - path, axis=1)


def rms(error: np.ndarray) -> float:
    return float(np.sqrt(np.mean(error**2)))


@pytest.mark.parametrize("model", ["rigid", "elastic", "mrfe"])
def test_a_slung_load_stays_within_2_cm_of_a_figure_of_eight_at_1_m_s(model: str) -> None:
    # A wire that rings without any damping is too much for a law that knows of no elasticity, at any step and method.
    material = {"mass_per_length": 0.005, "axial_stiffness": 2e3, "bending_stiffness": 1e-3, "diameter": 0.003}
    material["axial_damping"] = 0.5
    scene = slung().with_values({"wires.w.material": material, "wires.w.model": model})
    result = towsim.simulate(scene, duration=16.0, step=1e-3)
    speed = np.linalg.norm(result["velocity"].sel(body="bob").values, axis=1)
    assert speed.max() > 1.0
    assert rms(errors(result, scene, "bob")) < 0.02


def test_four_quadcopters_keep_a_box_within_5_cm_of_their_waypoints() -> None:
    path = {"waypoints": {"t": [0, 4, 8, 12], "position": [[0, 0, 0], [2, 0, 1], [2, 2, 1], [0, 2, 0.5]]}}
    scene = fleet(path)
    result = towsim.simulate(scene, duration=14.0, step=1e-3)
    assert rms(errors(result, scene, "box")) < 0.01  # half a centimetre, to be precise
    assert (result["tension"].values[1:] > 0.0).all()


def test_four_quadcopters_keep_a_box_within_5_cm_of_a_figure_of_eight() -> None:
    scene = fleet(EIGHT)
    result = towsim.simulate(scene, duration=16.0, step=2e-3)
    error = errors(result, scene, "box")
    assert rms(error[result.time > 6.0]) < 0.05  # it has to catch up: the path begins at 1 m/s, the fleet at rest


def test_a_fleet_that_loses_one_keeps_its_load_in_the_air() -> None:
    hover = {"waypoints": {"t": [0, 4], "position": [[0, 0, 0], [1, 0, 0.5]]}}
    scene = fleet(hover, fail=5.0)
    result = towsim.simulate(scene, duration=14.0, step=1e-3)
    error = errors(result, scene, "box")
    after = result.time > 5.0
    assert error[after].max() < 0.1
    assert rms(error[result.time > 11.0]) < 0.02
    tension = result["tension"].values[-1]
    assert tension[0] == 0.0
    # The load hangs from the middle of the three lugs: each bears a third of the weight (and some of the spread).
    np.testing.assert_allclose(tension[1:], 1.6 * 9.81 / 3.0, rtol=0.2)
    box = result["quaternion"].sel(body="box").values[-1]
    tilt = np.arccos(1.0 - 2.0 * (box[1] ** 2 + box[2] ** 2))
    assert tilt == pytest.approx(np.arctan(np.hypot(0.1, 0.1) / 0.35), abs=0.05)


def test_saturation_matters() -> None:
    # 2 kg of weight are 4.9 N a rotor; what a path of 1 m/s takes on top is little, a gust of 16 N is more: with 24 N
    # of thrust the vehicle is blown away by metres, with 60 N by decimetres.
    gust = {"gusts": [{"start": 2.0, "duration": 1.0, "velocity": [20, 0, 4]}]}
    drag = {"drag": {"linear": 0.8}}
    worst = {}
    for limit in (6.0, 15.0):
        scene = slung(vehicle={"max_thrust": limit, **drag}, wind=gust)
        result = towsim.simulate(scene, duration=6.0, step=1e-3)
        worst[limit] = errors(result, scene, "bob").max()
        assert result["actuation"].values.max() <= limit
        assert (result["command"].values.max() > limit) == (limit < 10.0)
    assert worst[15.0] < 0.4
    assert worst[6.0] > 2.0


def test_lag_matters() -> None:
    # At an attitude bandwidth of 20 rad/s, 20 ms of lag cost phase; 60 ms cost the stability.
    error = {}
    for lag in (0.0, 0.02, 0.06):
        scene = slung(vehicle={"lag": lag}, law={"lost": 1e3})
        result = towsim.simulate(scene, duration=8.0, step=1e-3)
        error[lag] = rms(errors(result, scene, "bob"))
    assert error[0.0] < 0.02
    assert error[0.02] < 0.02
    assert error[0.06] > 10.0 * error[0.02]


def test_noise_of_the_sensors_costs_effort_but_not_the_path() -> None:
    sensors = {
        "gps": {"kind": "pose", "of": "drone", "noise": 0.005, "turn_noise": 0.002},
        "bob": {"kind": "pose", "of": "bob", "noise": 0.005},
        "imu": {"kind": "imu", "of": "drone", "noise": 0.1, "turn_noise": 0.01},
    }
    scene = slung(sensors=sensors, seed=7)
    clean = rms(errors(towsim.simulate(slung(), duration=8.0, step=1e-3), scene, "bob"))
    one, two = (towsim.simulate(scene, duration=8.0, step=1e-3) for _ in range(2))
    assert abs(rms(errors(one, scene, "bob")) - clean) < 0.005
    # Rotors work hard on noise of 5 mm, sampled 250 times a second, and of 0.1 m/s².
    assert one["command"].values.std() > 1.0
    assert all(np.array_equal(one[name].values, two[name].values, equal_nan=True) for name in one.variables)


def test_a_scene_under_control_is_as_exact_as_its_step() -> None:
    # Halving the step at a fixed rate of the controller halves the error of Stewart–Trinkle.
    ends = {}
    for step in (2e-3, 1e-3, 0.5e-3, 0.25e-3):
        ends[step] = towsim.simulate(slung(), duration=2.0, step=step)["position"].values[-1, 0]
    coarse, middle = (np.linalg.norm(ends[2 * h] - ends[h]) for h in (1e-3, 0.5e-3))
    fine = np.linalg.norm(ends[0.5e-3] - ends[0.25e-3])
    assert coarse / middle == pytest.approx(2.0, rel=0.25)
    assert middle / fine == pytest.approx(2.0, rel=0.25)


def test_the_example_flies_its_eight_through_the_gust() -> None:
    scene = towsim.load_scene(Path(__file__).parents[2] / "examples" / "flight.yaml")
    result = towsim.simulate(scene)
    error = errors(result, scene, "load")
    assert rms(error[result.time < 6.0]) < 0.03
    assert error.max() < 0.3
    assert rms(error[result.time > 12.0]) < 0.03


STOPS = {"waypoints": {"t": [1, 5, 9], "position": [[0, 0, 0], [2, 0, 1], [2, 2, 1]]}}


def bouquet(n: int, *, slope: float = 0.4, **wire: Any) -> Scene:
    """So many quadcopters of 1 kg with a point load of 0.6 kg on wires of 1 m; the first wire may be cut or break."""
    robots, wires = {}, {}
    for i in range(n):
        angle, up = 2.0 * np.pi * i / n, 1.0 / np.hypot(1.0, slope)
        place = [slope * up * np.cos(angle), slope * up * np.sin(angle), up]
        robots[f"q{i}"] = {"position": place, "dynamics": "quadcopter", "vehicle": {"mass": 1.0, "max_thrust": 6.0}}
        wires[f"w{i}"] = {"from": "bob", "to": f"q{i}", "length": 1.0} | (wire if i == 0 else {})
    law = {"law": "carry", "vehicles": list(robots), "load": "bob", "path": STOPS}
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": 0.6, "point": True}},
            "robots": robots,
            "wires": wires,
            "controllers": {"fleet": law},
        }
    )


def strayed(result: towsim.Result, scene: Scene) -> np.ndarray:
    """Distance of the load from its path (n,) [m]."""
    at, _, _ = scene.controllers["fleet"].path.sample(result.time)
    return np.linalg.norm(result["position"].sel(body="bob").values - at, axis=1)


def apart(result: towsim.Result, n: int) -> np.ndarray:
    """Least distance of any two of the vehicles (n,) [m]."""
    at = [result["position"].sel(body=f"q{i}").values for i in range(n)]
    return np.min([np.linalg.norm(at[i] - at[j], axis=1) for i in range(n) for j in range(i)], axis=0)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_quadcopters_that_carry_a_point_keep_apart(n: int) -> None:
    """Wires of 1 m that lean by 0.4: neighbours on a circle of 0.37 m."""
    scene = bouquet(n)
    result = towsim.simulate(scene, duration=12.0, step=1e-3)
    assert strayed(result, scene).max() < 0.06
    assert strayed(result, scene)[-1] < 0.01
    even = 2.0 * 0.371 * np.sin(np.pi / n)
    assert apart(result, n).min() > 0.9 * even
    assert apart(result, n).max() < 1.15 * even
    assert result["tension"].values[1:].min() > 0.0


@pytest.mark.parametrize(("n", "mass"), [(3, 0.2), (4, 0.4), (6, 0.1)])
def test_a_light_load_is_carried_as_steadily_as_a_heavy_one(n: int, mass: float) -> None:
    """A tenth of what the vehicles weigh, and less: on wires that lean the law must not answer to its own shaking."""
    scene = bouquet(n).with_values({"bodies.bob.mass": mass})
    result = towsim.simulate(scene, duration=10.0, step=1e-3)
    assert strayed(result, scene).max() < 0.06
    assert strayed(result, scene)[-1] < 0.01
    assert result["tension"].values[1:].min() > 0.5 * mass * 9.81 / n
    assert not result.events.select("jerk")


def test_quadcopters_that_start_in_one_place_spread_about_the_load() -> None:
    result = towsim.simulate(bouquet(3, slope=0.0), duration=6.0, step=1e-3)
    assert apart(result, 3)[0] == 0.0
    assert apart(result, 3)[3000:].min() > 0.55


@pytest.mark.parametrize("loss", [{"cut": 4.0}, {"detach": 4.0}, {"break": {"tension": 2.2}}])
@pytest.mark.parametrize("n", [3, 4])
def test_the_others_take_over_when_a_wire_is_gone(n: int, loss: dict) -> None:
    """The load goes on, on the pulls of the others alone; who has lost its wire rises out of the way and hovers."""
    scene = bouquet(n, **loss)
    result = towsim.simulate(scene, duration=12.0, step=1e-3)
    gone = result["tension"].sel(wire="w0").values[-1] == 0.0
    assert gone or (n == 4 and "break" in loss)  # of four, none has to bear so much
    assert strayed(result, scene).max() < 0.25
    assert strayed(result, scene)[-1] < 0.03
    assert apart(result, n).min() > 0.4
    if gone:
        up = 1.0 / np.hypot(1.0, 0.4)
        pull = result["tension"].values[-1, 1:] * up
        assert pull.sum() == pytest.approx(0.6 * 9.81, rel=0.1)
        free = result["velocity"].sel(body="q0").values[-1]
        assert np.abs(free).max() < 0.02
        assert result["position"].sel(body="q0").values[-1, 2] > 0.92 + 1.99  # two wires up from where it was


def test_a_box_goes_on_when_one_of_four_wires_is_cut() -> None:
    scene = fleet({"waypoints": {"t": [0, 1], "position": [[0, 0, 0], [0, 0, 0.1]]}})
    cut = scene.with_values({"wires.w1.cut": 2.0})
    result = towsim.simulate(cut, duration=8.0, step=1e-3)
    assert np.linalg.norm(result["position"].sel(body="box").values[-1] - [0, 0, 0.1]) < 0.05
    assert np.abs(result["velocity"].sel(body="q1").values[-1]).max() < 0.02


def test_no_spread_is_refused_for_a_point() -> None:
    with pytest.raises(
        towsim.SceneError, match=r"controllers\.fleet\.spread: 0 puts all vehicles above the point 'bob'"
    ):
        bouquet(3).with_values({"controllers.fleet.spread": 0.0})


def box_on_three(duration: float, **losses: dict[str, float]) -> towsim.Result:
    """A run of a box on three quadcopters that takes it 2 m aside and 1 m up; ``losses``: how wires are lost."""
    points = {"a": [0.3, 0, 0.1], "b": [-0.3, 0.3, 0.1], "c": [-0.3, -0.3, 0.1]}
    scene = scene_from_data(
        {
            "bodies": {"box": {"mass": 2.0, "shape": {"box": [0.6, 0.6, 0.2]}, "points": points}},
            "robots": {f"r{k}": {"position": [x, y, 1.1], "dynamics": "quadcopter"} for k, (x, y, _) in points.items()},
            "wires": {f"w{k}": {"from": f"box.{k}", "to": f"r{k}", "length": 1.0} | losses.get(k, {}) for k in points},
            "controllers": {
                "fleet": {
                    "law": "carry",
                    "vehicles": ["ra", "rb", "rc"],
                    "load": "box",
                    "path": {"waypoints": {"t": [0, 4], "position": [[0, 0, 0], [2, 0, 1]]}},
                }
            },
        }
    )
    return towsim.simulate(scene, duration=duration, step=1e-3)


def test_a_box_on_three_wires_about_its_centre_is_held_level() -> None:
    """Their pulls are those of statics: half the weight at the one in front, a quarter at each of the two behind."""
    result = box_on_three(8.0)
    assert np.abs(result["quaternion"].sel(body="box", quat="w").values).min() > np.cos(0.5 * np.deg2rad(3.0))
    np.testing.assert_allclose(result["tension"].values[-1], np.array([0.5, 0.25, 0.25]) * 2.0 * 9.81, rtol=0.01)


@pytest.mark.parametrize("lost", ["a", "ab"])
def test_a_box_that_loses_all_but_a_line_of_wires_hangs_from_it(lost: str) -> None:
    """No pulls turn it about that line: it drops into hanging, and comes to rest beneath, where its path ends."""
    result = box_on_three(24.0, **{name: {"cut": 2.0 + 2.0 * i} for i, name in enumerate(lost)})
    place = result["position"].sel(body="box").values
    assert (
        np.linalg.norm(place - [2.0, 0.0, 1.0], axis=1)[result.time > 4.0].max() < 2.0
    )  # it swings out, some arm's lengths
    np.testing.assert_allclose(place[result.time > 22.0], np.tile([2.0, 0.0, 1.0], (2000, 1)), atol=0.15)
    # Around its pulls at rest, which bear its weight in equal shares, it still swings a little.
    late = result["tension"].values[result.time > 22.0].mean(axis=0)
    left = [name not in lost for name in "abc"]
    np.testing.assert_allclose(late, np.where(left, 2.0 * 9.81 / sum(left), 0.0), rtol=0.03)
