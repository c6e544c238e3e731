"""Derivatives of runs under control: laws, sensors and actuators are differentiated by the kernels that they are."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside, held_against_differences
from towsim.scene import Scene, scene_from_data

STEP = 1e-3
OF = ("position", "velocity", "command")


def slung(**law: float) -> Scene:
    """A quadcopter that carries a bob along an eight."""
    eight = {"formula": {"x": "0.9*sin(0.8*t)", "y": "0.9*sin(0.8*t)*cos(0.8*t)", "z": "0"}}
    motion = {"formula": {"x": "0.72*t", "y": "0.72*t", "z": "1"}}
    drone = {"motion": motion, "dynamics": "quadcopter", "vehicle": {"mass": 1.5, "inertia": [0.008, 0.008, 0.015]}}
    lift = {"law": "slung-load", "vehicle": "drone", "load": "bob", "path": eight, **law}
    return scene_from_data(
        {
            "name": "slung",
            "bodies": {"bob": {"mass": 0.5, "point": True, "velocity": [0.72, 0.72, 0]}},
            "robots": {"drone": drone},
            "wires": {"w": {"from": "bob", "to": "drone", "length": 1.0}},
            "controllers": {"lift": lift},
        }
    )


def fleet() -> Scene:
    """Four quadcopters and a box, by least-norm tensions, from rest to half a metre aside."""
    points, robots, wires = {}, {}, {}
    for i, (x, y) in enumerate([(0.3, 0.3), (-0.3, 0.3), (-0.3, -0.3), (0.3, -0.3)], start=1):
        points[f"p{i}"] = [x, y, 0.35]
        out = np.array([x, y, 0.0]) * 0.3 / np.hypot(x, y) + [0.0, 0.0, 1.0]
        place = np.array([x, y, 0.35]) + out / np.linalg.norm(out)
        robots[f"q{i}"] = {"position": place.tolist(), "dynamics": "quadcopter", "vehicle": {"mass": 1.0, "lag": 0.02}}
        wires[f"w{i}"] = {"from": f"box.p{i}", "to": f"q{i}", "length": 1.0}
    path = {"waypoints": {"t": [0, 1.5], "position": [[0, 0, 0], [0.5, 0, 0.3]]}}
    law = {"law": "carry", "vehicles": [*robots], "load": "box", "path": path, "spread": 0.3}
    box = {"mass": 1.6, "shape": {"box": [0.6, 0.6, 0.3]}, "points": points}
    scene = {"name": "fleet", "bodies": {"box": box}, "robots": robots, "wires": wires, "controllers": {"fleet": law}}
    return scene_from_data(scene)


def tracked() -> Scene:
    """A quadcopter on its own path with a load whose pull it reads from a noisy cell."""
    motion = {"waypoints": {"t": [0, 1], "position": [[0, 0, 1], [0.3, 0.1, 1.2]]}}
    drone = {"motion": motion, "dynamics": "quadcopter", "vehicle": {"mass": 1.5, "lag": 0.02}}
    return scene_from_data(
        {
            "name": "tracked",
            "bodies": {"bob": {"mass": 0.5, "point": True}},
            "robots": {"drone": drone},
            "wires": {"w": {"from": "bob", "to": "drone", "length": 1.0}},
            "sensors": {"cell": {"kind": "load-cell", "of": "w", "rate": 500, "noise": 0.01}},
        }
    )


def winch(target: str = "2 + 0.2*sin(2*t)") -> Scene:
    """A load on a winch that hauls it to a length, and one beside it on a spring."""
    drum = {"max_rate": 2.0, "lag": 0.05}
    return scene_from_data(
        {
            "name": "winch",
            "bodies": {"load": {"mass": 5.0, "point": True, "velocity": [0.3, 0, 0]}},
            "robots": {"top": {"position": [0, 0, 2]}},
            "wires": {"rope": {"from": "load", "to": "top", "length": 2.0, "winch": drum}},
            "controllers": {"haul": {"law": "winch", "wire": "rope", "mode": "length", "target": target, "gain": 4.0}},
        }
    )


CASES = {
    "slung": (
        slung,
        {
            "bodies.bob.mass": 2e-3,
            "bodies.bob.velocity.0": 2e-3,
            "robots.drone.vehicle.mass": 2e-3,
            "controllers.lift.bandwidth": 1e-2,
            "controllers.lift.integral": 1e-1,
            "controllers.lift.attitude_bandwidth": 1e-1,
        },
    ),
    "fleet": (
        fleet,
        {
            "bodies.box.mass": 2e-3,
            "robots.q1.vehicle.mass": 2e-3,
            "robots.q2.vehicle.lag": 1e-4,
            "controllers.fleet.bandwidth": 1e-2,
            "controllers.fleet.path.waypoints.position.1.0": 4e-3,
            "controllers.fleet.spread": 1e-3,
        },
    ),
    "tracked": (
        tracked,
        {
            "bodies.bob.mass": 2e-3,
            "robots.drone.vehicle.mass": 2e-3,
            "robots.drone.motion.waypoints.position.1.0": 1e-2,
            "sensors.cell.noise": 2e-3,
        },
    ),
    "winch": (
        winch,
        {"bodies.load.velocity.0": 1e-2, "controllers.haul.gain": 1e-2, "wires.rope.winch.lag": 2e-4},
    ),
}


@pytest.fixture(scope="module", params=["slung", *(pytest.param(one, marks=pytest.mark.slow) for one in [*CASES][1:])])
def case(request):
    build, reaches = CASES[request.param]
    return towsim.compile(build(), step=STEP, method="stewart-trinkle"), reaches


def _judge(model, reaches, duration):
    found = model.sensitivities([*reaches], OF, duration=duration)
    run = model.run(duration=duration)
    for name, tolerance in (("position", 1e-12), ("velocity", 1e-10), ("command", 1e-9)):
        np.testing.assert_allclose(found.result[name].values, run[name].values, rtol=0, atol=tolerance)
    held_against_differences(found, model, reaches, OF, duration)


def test_derivatives_under_control_are_differences_of_runs(case):
    """To 1e-7 of the largest, what differences of runs of order four lose to rounding."""
    _judge(*case, duration=0.4)


@pytest.mark.slow
def test_and_so_they_are_by_shake():
    for build, reaches in (CASES["slung"], CASES["winch"]):
        _judge(towsim.compile(build(), step=STEP, method="shake"), reaches, 0.4)


def _forward_and_backward(model, paths, duration):
    """A linear cost of all rows of all that is asked for, with random weights."""
    draw, steps = np.random.default_rng(3), round(duration / STEP)
    shapes = {name: model.run(duration=STEP)[name].values.shape[1:] for name in OF}
    slopes = {name: draw.normal(size=(steps + 1, *shape)) for name, shape in shapes.items()}

    def cost(run):
        return sum(float(np.sum(run[name].value * slope)) for name, slope in slopes.items()), slopes

    return [model.gradient(cost, paths, OF, duration=duration, mode=mode)[1] for mode in ("forward", "reverse")]


def test_backwards_under_control_as_forwards(case):
    """Over four segments: what laws and actuators keep is handed from one to the other."""
    model, reaches = case
    forward, backward = _forward_and_backward(model, [*reaches], 0.4)
    np.testing.assert_allclose(backward, forward, rtol=0, atol=1e-9 * np.abs(forward).max())


@pytest.mark.slow
def test_backwards_by_shake_the_last_kick_has_what_is_held_then():
    build, reaches = CASES["winch"]
    model = towsim.compile(beside(build(), "arm"), step=STEP, method="shake")
    forward, backward = _forward_and_backward(model, [*reaches], 0.2)
    np.testing.assert_allclose(backward, forward, rtol=0, atol=1e-9 * np.abs(forward).max())


def test_motion_under_control_does_not_depend_on_the_scale_of_masses_and_commands_are_proportional_to_it():
    """Euler's theorem over masses and inertias, which the law knows as well: no difference of runs is needed."""
    model = towsim.compile(slung(), step=STEP)
    masses = ["bodies.bob.mass", "robots.drone.vehicle.mass", "robots.drone.vehicle.inertia"]
    found = model.sensitivities(masses, [*OF, "tension"], duration=0.4)
    for name, scale in (("position", 0.0), ("velocity", 0.0), ("command", 1.0), ("tension", 1.0)):
        terms = found[name].values * found.at
        expected = scale * found.result[name].values
        np.testing.assert_allclose(terms.sum(axis=-1), expected, rtol=0, atol=1e-9 * np.abs(terms).max())


@numba.njit
def _hauled(t, measured, reference, memory, command):
    """The winch's law of lengths, as a user may write it."""
    memory[0] = reference[0, 0, 0] - measured.length[0]
    command[0] = reference[0, 1, 0] + 4.0 * memory[0]


def test_a_compiled_law_of_ones_own_has_the_derivatives_of_the_one_that_is_shipped():
    paths = ["bodies.load.velocity.0", "wires.rope.winch.lag"]
    own = {"haul": towsim.Control(_hauled, rate=250.0, memory=np.zeros(1))}
    mine = towsim.compile(winch(), step=STEP, controllers=own).sensitivities(paths, OF, duration=0.2)
    expected = towsim.compile(winch(), step=STEP).sensitivities(paths, OF, duration=0.2)
    for name in OF:
        np.testing.assert_allclose(mine[name].values, expected[name].values, rtol=1e-12, atol=1e-12)


@numba.njit
def _guarded(t, measured, reference, memory, command):
    """As the documentation says that tensions are to be read."""
    if not np.isnan(measured.tension[0]):
        command[0] = 1e-3 * (measured.tension[0] - 40.0)


def test_a_law_that_asks_whether_a_tension_is_there_has_derivatives_forwards_and_backwards():
    own, path = {"haul": towsim.Control(_guarded, rate=250.0)}, "wires.rope.winch.lag"
    model = towsim.compile(winch(), step=STEP, controllers=own)
    found = model.sensitivities([path], of=["length"], duration=0.2)["length"].values[-1].item()
    few = [model.run({path: 0.05 + e}, duration=0.2)["length"].values[-1, 0] for e in (1e-5, -1e-5)]
    assert found == pytest.approx((few[0] - few[1]) / 2e-5, rel=1e-5)
    forward, backward = _forward_and_backward(model, [path], 0.2)
    np.testing.assert_allclose(backward, forward, rtol=1e-9)


@numba.njit
def _by_arrays(t, measured, reference, memory, command):
    command[:] = np.dot(measured.position, np.ones(3))[:1]


@pytest.mark.parametrize(
    ("law", "match"),
    [(_hauled.py_func, "controller 'haul' is plain Python"), (_by_arrays, "one number at a time")],
)
def test_a_law_of_ones_own_without_derivatives_is_refused_by_name(law, match):
    own = {"haul": towsim.Control(law, rate=250.0, memory=np.zeros(1))}
    model = towsim.compile(winch(), step=STEP, controllers=own)
    with pytest.raises(towsim.UsageError, match=match):
        model.sensitivities(["bodies.load.velocity.0"], duration=0.01)


@pytest.mark.parametrize("gravity", [0.0, -1e-3, -9.81])
def test_what_a_vehicle_gives_against_gravity_has_its_derivative_without_gravity_too(gravity):
    """F = m (a − g) of one that hovers: it stays there in any gravity."""
    robots = {"v": {"position": [0, 0, 1], "dynamics": "point-mass", "vehicle": {"mass": 3.0}}}
    scene = scene_from_data({"gravity": [0, 0, gravity], "robots": robots})
    found = towsim.compile(scene, step=STEP).sensitivities(["gravity.2"], of=["position", "command"], duration=0.1)
    assert found["command"].values[..., 2, 0] == pytest.approx(-3.0, rel=1e-9)
    assert found["position"].values == pytest.approx(0.0, abs=1e-9)


def test_times_of_samples_and_of_failures_have_no_derivatives():
    model = towsim.compile(winch().with_values({"wires.rope.winch.jam": 0.1}), step=STEP)
    with pytest.raises(towsim.UsageError, match="when something is sampled"):
        model.sensitivities(["controllers.haul.rate"], duration=0.01)
    with pytest.raises(towsim.UsageError, match="when something fails"):
        model.sensitivities(["wires.rope.winch.jam"], duration=0.01)
    with pytest.raises(towsim.UsageError, match="step_map"):
        model.step_map(0)


def test_a_vehicle_that_is_lost_is_told_of_as_in_a_run():
    model = towsim.compile(slung(lost=0.01), step=STEP)
    with pytest.raises(towsim.SimulationError, match="'bob' is out of control"):
        model.sensitivities(["bodies.bob.mass"], duration=5.0)
