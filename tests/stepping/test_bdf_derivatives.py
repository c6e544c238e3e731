"""Derivatives of runs by BDF: through events whose instants move, against differences, closed forms, other methods."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside
from tests.stepping.test_sensitivities import tow
from towsim.scene import scene_from_data

STEP = 1e-3


def _tow(**changes):
    """A load on two wires with some slack, which are both jerked; the force on it has a kink at 0.1503 s."""
    return tow(force={"x": "0.5*abs(t-0.1503)"}, **changes)


def hop(**changes):
    """A ball on an elastic cord, pressed into a springy floor: it lifts off, the cord slackens, it lands again."""
    ball = {"mass": 0.5, "point": True, "position": [0.1, 0.0, -0.01]}
    cord = {"from": "hook", "to": "ball", "length": 1.0, "material": {"axial_stiffness": 60.0, "axial_damping": 0.05}}
    return scene_from_data(
        {
            "name": "hop",
            "robots": {"hook": {"position": [0.0, 0.0, 1.2]}},
            "bodies": {"ball": ball | changes},
            "wires": {"cord": cord | {"model": "elastic"}},
            "ground": {"height": 0.0, "contacts": ["ball"], "spring": {"stiffness": 2e3, "damping": 3.0}},
        }
    )


def _slope(scene, path, reach, *, of, duration, **options):
    """∂/∂θ of the runs around it: the linear term of a polynomial through 11 of them, which must be smooth."""
    parameters, places = towsim.compile(scene, **options).parameters, np.linspace(-1.0, 1.0, 11)
    whole, _, index = path.rpartition(".")
    value = parameters[path] if path in parameters else parameters[whole][int(index)]
    runs = [towsim.simulate(scene.with_values({path: value + x * reach}), duration=duration, **options) for x in places]
    kinds = [[event.kind for event in run.events] for run in runs]
    assert all(one == kinds[0] for one in kinds), "the reach is too large: other events"
    found = {}
    for name in of:
        rows = np.array([run[name].values.ravel() for run in runs])
        terms = np.polynomial.polynomial.polyfit(places, rows, 5)
        found[name] = (terms[1] / reach).reshape(runs[0][name].values.shape)
    return found


@pytest.mark.parametrize("method", ["bdf2", "bdf3"])
def test_derivatives_through_jerks_and_a_kink_are_those_of_runs(method):
    """Reaches are those within which as many steps follow each event; positions err by 1e-15 m, over the reach."""
    model = towsim.compile(_tow(), step=STEP, method=method)
    reaches = {
        "bodies.load.mass": 1e-4,
        "bodies.load.points.p.0": 1e-6,
        "bodies.load.velocity.2": 6e-6,
        "wires.left.length": 1e-6,
        "robots.b.motion.waypoints.position.1.0": 3e-5,
        "bodies.load.inertia.1": 3e-6,
        "gravity.2": 1e-4,
    }
    of = ["position", "quaternion"]
    found = model.sensitivities([*reaches], of, duration=0.3)
    jerks = [event.subject for event in found.result.events.select("jerk")]
    assert jerks == ["right", "left", "right"]  # the left one's jerk strikes the right one, which is taut
    assert not found.one_sided
    for path, reach in reaches.items():
        expected = _slope(model.scene, path, reach, of=of, duration=0.3, **model.options)
        for name in of:
            mine = found[name].sel(parameter=path).values
            scale = np.abs(expected[name]).max()
            np.testing.assert_allclose(mine, expected[name], rtol=0, atol=1e-7 * scale, err_msg=f"{path} {name}")


@pytest.mark.parametrize("method", ["bdf1", "bdf2"])
def test_derivatives_through_a_jerk_that_lets_another_wire_go_are_those_of_runs(method):
    """Shortly behind the instant the second wire's force in a step is more than the jerk's impulse, and both act."""
    scene = scene_from_data(
        {
            "bodies": {
                "a": {"mass": 1.0, "point": True, "position": [0, 0, 0], "velocity": [0, 0.5, 0]},
                "b": {"mass": 1.0, "point": True, "position": [1, 0, 0]},
            },
            "robots": {"r": {"position": [0.2, 0, 1.5]}},
            "wires": {"ab": {"from": "a", "to": "b", "length": 1.0}, "br": {"from": "b", "to": "r", "length": 1.72}},
        }
    )
    options = {"method": method, "step": STEP}
    found = towsim.compile(scene, **options).sensitivities(["bodies.a.velocity.1"], ["position"], duration=0.1)
    assert {event.kind for event in found.result.events} == {"taut", "jerk", "slack"}  # the first wire turns, unstruck
    expected = _slope(scene, "bodies.a.velocity.1", 1e-6, of=["position"], duration=0.1, **options)["position"]
    np.testing.assert_allclose(found["position"].values[..., 0], expected, rtol=0, atol=1e-7)


def test_derivatives_through_springs_that_part_and_touch_are_those_of_runs():
    """Reaches are so small because the steps after an event are halved, and another number of them is another map."""
    model = towsim.compile(beside(hop(), "cable"), step=STEP, method="bdf2")
    reaches = {
        "bodies.ball.mass": 1e-6,
        "bodies.ball.position.2": 1e-8,
        "wires.cord.length": 1e-7,
        "wires.cord.material.axial_stiffness": 1e-4,
        "ground.spring.stiffness": 1e-3,
        "ground.spring.damping": 1e-5,
    }
    found = model.sensitivities([*reaches], ["position", "velocity"], duration=0.6)
    assert {"lift", "slack", "taut", "contact"} <= {event.kind for event in found.result.events}
    assert not found.one_sided
    for path, reach in reaches.items():
        expected = _slope(model.scene, path, reach, of=["position", "velocity"], duration=0.6, **model.options)
        for name in ("position", "velocity"):
            mine, balls = found[name].sel(parameter=path, body="ball").values, expected[name][:, 0]
            scale = np.abs(balls).max()
            np.testing.assert_allclose(mine, balls, rtol=0, atol=1e-6 * scale, err_msg=f"{path} {name}")


def _caught(offset, speed, length, time):
    """A mass that passes a post at a distance, without gravity, until its wire tightens: then it circles the post.

    x = (v t, d) until (v t)² + d² = L²; from there at the rate v d/L² along the circle.
    """
    tight = np.sqrt(length**2 - offset**2) / speed
    angle = np.arctan(np.sqrt(length**2 - offset**2) / offset) + speed * offset / length**2 * (time - tight)
    free = np.array([speed * time, offset + 0.0 * time])
    held = np.array([length * np.sin(angle), length * np.cos(angle)])
    return np.where(time < tight.real, free, held)


def test_a_mass_that_is_caught_by_its_wire_has_the_derivatives_of_the_closed_form():
    """By complex steps, through the jerk. The first step after it is one of order 1, and so are the errors."""
    offset, speed, length, duration = 0.63, 1.0, 1.0, 1.6
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "robots": {"post": {"position": [0, 0, 0]}},
            "bodies": {"m": {"mass": 2.0, "point": True, "position": [0, offset, 0], "velocity": [speed, 0, 0]}},
            "wires": {"w": {"from": "post", "to": "m", "length": length}},
        }
    )
    paths = ["bodies.m.position.1", "bodies.m.velocity.0", "wires.w.length"]
    errors = []
    for step in (8e-3, 4e-3):
        found = towsim.compile(scene, step=step, method="bdf3").sensitivities(paths, duration=duration)
        errors.append([])
        for i, path in enumerate(paths):
            at = np.array([offset, speed, length], complex)
            at[i] += 1e-30j
            expected = _caught(*at, found.time).imag.T / 1e-30
            mine = found["position"].sel(body="m", parameter=path).values
            errors[-1].append(np.abs(mine[:, :2] - expected).max())
    assert np.max(errors[0]) < 1e-4
    assert np.max(errors[1]) < 0.55 * np.max(errors[0])


def test_reverse_mode_is_forward_mode():
    model = towsim.compile(beside(_tow(), "cable"), step=STEP, method="bdf2")
    paths = ["bodies.load.mass", "bodies.load.position", "wires.left.length", "robots.b.motion.waypoints.position.1"]
    of = ["position", "velocity", "tension", "length"]

    def cost(run):
        position, velocity = (run[name].sel(body="load") for name in ("position", "velocity"))
        work = np.sum(position**2) + np.sum(velocity[5:] ** 2) + np.sum(run["length"][:, :2])
        return work + 1e-3 * np.sum(run["tension"][30:90, :2] ** 2)

    value, forward = model.gradient(cost, paths, of, mode="forward", duration=0.3)
    again, backward = model.gradient(cost, paths, of, mode="reverse", duration=0.3)
    assert again == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(backward, forward, rtol=0, atol=1e-8 * np.abs(forward).max())


def test_derivatives_tend_to_those_of_shake_as_steps_are_halved():
    """Both err by O(h²), through all events."""
    apart = []
    for step in (2e-3, 1e-3):
        found = [
            towsim.compile(_tow(), step=step, method=method).sensitivities(["bodies.load.mass"], duration=0.09)
            for method in ("bdf2", "shake")
        ]
        bdf, shake = (one["position"].values for one in found)
        apart.append(np.abs(bdf - shake).max() / np.abs(shake).max())
    assert apart[1] < 0.02
    assert apart[1] < apart[0]


def test_wires_that_tighten_at_once_are_told():
    """Two loads side by side: which wire is first decides on what follows, and there are one-sided derivatives."""
    load = {"mass": 1.0, "point": True, "position": [0.0, 0.0, 1.1], "velocity": [0.2, 0.0, 0.0]}
    scene = scene_from_data(
        {
            "robots": {"a": {"position": [0, 0, 2]}, "b": {"position": [0, 1, 2]}},
            "bodies": {"first": load, "second": load | {"position": [0.0, 1.0, 1.1]}},
            "wires": {
                "one": {"from": "a", "to": "first", "length": 1.0},
                "other": {"from": "b", "to": "second", "length": 1.0},
            },
        }
    )
    found = towsim.compile(scene, step=STEP, method="bdf2").sensitivities(["gravity.2"], duration=0.3)
    assert [one.owner for one in found.one_sided] == ["other"]
    assert np.isfinite(found["position"].values).all()


def test_a_parameter_that_moves_a_kink_is_refused():
    model = towsim.compile(_tow(), step=STEP, method="bdf2")
    with pytest.raises(towsim.UsageError, match=r"not smooth in it \(a kink of a known motion passes a time step\)"):
        model.sensitivities(["robots.b.motion.waypoints.t.1"], duration=1.2)
