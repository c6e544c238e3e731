"""Derivatives of runs with friction: contacts that slip, stick, land and lift, wires that rub on what they pass."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside, held_against_differences
from towsim.scene import Scene, scene_from_data

STEP = 1e-3
OF = ("position", "velocity")
MU, G = 0.4, 9.81


def sled() -> Scene:
    """A mass that slides, comes to rest, is jerked away and up, lands and slides on."""
    return scene_from_data(
        {
            "name": "sled",
            "bodies": {"m": {"mass": 2.0, "point": True, "position": [0, 0, 0], "velocity": [1.0, 0.3, 0]}},
            "robots": {"r": {"motion": {"formula": {"x": "1.5+0.8*t", "y": "0.2*t", "z": "1.0"}}}},
            "wires": {"w": {"from": "m", "to": "r", "length": 2.0}},
            "ground": {"friction": MU, "contacts": ["m"]},
        }
    )


def box(feet: int = 3, **changes) -> Scene:
    """A box on its feet that slides and turns."""
    three = {"a": [0.2, 0.0, -0.1], "b": [-0.2, 0.15, -0.1], "c": [-0.2, -0.15, -0.1]}
    four = {
        name: [x, y, -0.1]
        for name, x, y in (("a", 0.2, 0.15), ("b", 0.2, -0.15), ("c", -0.2, 0.15), ("d", -0.2, -0.15))
    }
    points = three if feet == 3 else four
    body = {"mass": 2.0, "shape": {"box": [0.4, 0.3, 0.2]}, "position": [0, 0, 0.1], "points": points}
    body |= {"velocity": [1.0, 0.2, 0.0], "angular_velocity": [0.0, 0.0, 2.0]} | changes
    ground = {"friction": MU, "contacts": [f"box.{name}" for name in points]}
    return scene_from_data({"name": "box", "bodies": {"box": body}, "ground": ground})


def capstan() -> Scene:
    """Two masses on a wire that rubs on two pins."""
    wire = {"from": "a", "via": ["q", "p"], "to": "b", "length": 3.2, "friction": 0.2}
    return scene_from_data(
        {
            "name": "capstan",
            "bodies": {
                "a": {"mass": 2.0, "point": True, "position": [1, 0, 0]},
                "b": {"mass": 1.0, "point": True, "position": [-1, 0, 0]},
            },
            "robots": {"p": {"position": [-0.3, 0, 1]}, "q": {"position": [0.3, 0.1, 1.1]}},
            "wires": {"w": wire},
        }
    )


def compile_(scene: Scene) -> towsim.Model:
    """Beside a wheel and an arm, whose tests use the same loops."""
    return towsim.compile(beside(scene, "wheel", "arm"), step=STEP)


CASES = {
    "sled": (
        sled,
        {"ground.friction": 1e-5, "bodies.m.velocity.0": 1e-5, "wires.w.length": 1e-6, "gravity.2": 1e-4},
        0.55,
        {"slip", "stick", "jerk", "lift", "contact"},
    ),
    "box": (
        box,
        {"ground.friction": 1e-5, "bodies.box.angular_velocity.2": 1e-5, "bodies.box.points.a.1": 1e-5},
        0.2,
        {"slip"},
    ),
    "capstan": (capstan, {"wires.w.friction": 1e-4, "bodies.a.mass": 1e-3}, 0.5, {"jerk"}),
}


@pytest.fixture(
    scope="module", params=["sled", *(pytest.param(one, marks=pytest.mark.slow) for one in ("box", "capstan"))]
)
def case(request):
    build, reaches, duration, kinds = CASES[request.param]
    return compile_(build()), reaches, duration, kinds


def test_derivatives_with_friction_are_differences_of_runs(case):
    """To 1e-7 of the largest, through all that contacts do; reaches are such that they do it in the same steps."""
    model, reaches, duration, kinds = case
    found = model.sensitivities([*reaches], OF, duration=duration)
    assert {event.kind for event in found.result.events if event.subject != "over"} == kinds
    run = model.run(duration=duration)
    np.testing.assert_allclose(found.result["velocity"].values, run["velocity"].values, rtol=0, atol=1e-10)
    held_against_differences(found, model, reaches, OF, duration)


def test_backwards_with_friction_as_forwards(case):
    model, reaches, duration, _ = case
    draw, rows = np.random.default_rng(3), round(duration / STEP) + 1
    bodies = len(model.scene.bodies)
    slopes = {name: draw.normal(size=(rows, bodies, 3)) for name in OF}
    slopes["tension"] = draw.normal(size=(rows, len(model.scene.wires)))
    if not model.scene.wires:
        del slopes["tension"]

    def cost(run):
        return sum(float(np.sum(run[name].value * slope)) for name, slope in slopes.items()), slopes

    paths = [*reaches]
    forward, backward = (
        model.gradient(cost, paths, [*slopes], duration=duration, mode=mode)[1] for mode in ("forward", "reverse")
    )
    np.testing.assert_allclose(backward, forward, rtol=0, atol=1e-9 * np.abs(forward).max())


def test_a_mass_that_slides_is_slowed_in_proportion_to_friction_and_gravity_whatever_its_mass():
    """v = v₀ − μ g t d: ∂v/∂μ = −g t d, ∂v/∂g = −μ t d, ∂v/∂m = 0, and Σ θ ∂F/∂θ over masses is F; then it rests."""
    model = compile_(sled())
    paths = ["ground.friction", "gravity.2", "bodies.m.mass", "bodies.m.velocity.0"]
    found = model.sensitivities(paths, [*OF, "contact_force"], duration=0.35)
    d, t = np.array([1.0, 0.3, 0.0]) / np.hypot(1.0, 0.3), found.time[:, None]
    slides = found.time < 0.26
    v = found["velocity"].sel(body="m").values
    np.testing.assert_allclose(v[slides, :, 0], (-G * t * d)[slides], rtol=0, atol=1e-11)
    np.testing.assert_allclose(v[slides, :, 1], (MU * t * d)[slides], rtol=0, atol=1e-11)
    np.testing.assert_allclose(v[..., 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(v[found.time > 0.28], 0.0, atol=1e-12)  # whatever it was, it is at rest
    force = found.result["contact_force"].values
    by_mass = found["contact_force"].sel(parameter="bodies.m.mass").values * 2.0
    np.testing.assert_allclose(by_mass[1:], force[1:], rtol=0, atol=1e-9 * np.abs(force).max())


def test_what_sticks_at_its_limit_is_told_of():
    """A force of exactly μ m g: a little more, and it slides."""
    scene = sled().with_values({"bodies.m.velocity": [0.0, 0.0, 0.0], "bodies.m.force.x": MU * 2.0 * G})
    found = compile_(scene).sensitivities(["bodies.m.force.x"], duration=3 * STEP)
    assert (STEP, "m") in found.one_sided
    assert np.isfinite(found["position"].values).all()
    spare = compile_(scene.with_values({"bodies.m.force.x": 0.9 * MU * 2.0 * G}))
    assert not spare.sensitivities(["bodies.m.force.x"], duration=3 * STEP).one_sided


def test_what_slides_on_four_corners_has_no_derivative_and_what_stands_on_them_has():
    """How four corners share the load decides how the box turns; while all stick it does not move."""
    model = compile_(box(4))
    with pytest.raises(towsim.SimulationError, match="how they share the load decides"):
        model.sensitivities(["bodies.box.velocity.0"], duration=0.01)
    still = box(4, velocity=[0.0] * 3, angular_velocity=[0.0] * 3, force={"x": 1.0})
    found = compile_(still).sensitivities(["bodies.box.force.x"], [*OF, "contact_force"], duration=0.1)
    np.testing.assert_allclose(found["velocity"].values, 0.0, atol=1e-12)
    total = found["contact_force"].values[1:].sum(axis=1)
    np.testing.assert_allclose(total, np.broadcast_to([[-1.0], [0.0], [0.0]], total.shape), rtol=0, atol=1e-9)


def test_wires_that_brace_each_other_are_no_obstacle_where_something_else_slides():
    """Two parallel wires share a load beside the sled: their tensions are not unique, all motions are."""
    data = {"hung": {"mass": 1.0, "point": True, "position": [0, 3, 0]}}
    scene = scene_from_data(
        {
            "bodies": {"m": {"mass": 2.0, "point": True, "velocity": [1.0, 0.3, 0]}, **data},
            "robots": {"top": {"position": [0, 3, 1]}},
            "wires": {name: {"from": "hung", "to": "top", "length": 1.0} for name in ("one", "other")},
            "ground": {"friction": MU, "contacts": ["m"]},
        }
    )
    found = compile_(scene).sensitivities(["ground.friction", "bodies.hung.mass"], OF, duration=0.1)
    v = found["velocity"].values[-1]
    np.testing.assert_allclose(v[0, :, 0], -G * 0.1 * np.array([1.0, 0.3, 0.0]) / np.hypot(1.0, 0.3), atol=1e-9)
    np.testing.assert_allclose(v[1], 0.0, atol=1e-12)


def test_polygons_and_bounces_are_refused_by_name():
    with pytest.raises(towsim.UsageError, match="friction='polyhedral'"):
        towsim.compile(sled(), step=STEP, friction="polyhedral").sensitivities(["ground.friction"], duration=0.01)
    scene = sled().with_values({"ground.restitution": {"coefficient": 0.5}})
    with pytest.raises(towsim.UsageError, match="wherever in its step"):
        towsim.compile(scene, step=STEP).sensitivities(["ground.friction"], duration=0.01)
