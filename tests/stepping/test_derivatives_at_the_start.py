"""Derivatives where a run begins at rest, exactly at its joints and wires: what takes up a rate there is an impact."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data
from towsim.scene.data import to_data

METHODS = ["stewart-trinkle", "shake"]
M, H = 2.0, 1e-3


def _pinned(gravity, v=0.0):
    """A point mass that a ball joint holds."""
    data = {"gravity": [0, 0, gravity], "bodies": {"ball": {"mass": M, "point": True, "velocity": [v, 0, 0]}}}
    data |= {"robots": {"post": {"position": [0, 0, 0]}}, "run": {"step": H, "duration": 5 * H}}
    return scene_from_data(data | {"joints": {"pin": {"kind": "ball", "from": "post", "to": "ball"}}})


def _hung(v=0.0):
    """A point mass on a wire that is exactly taut."""
    load = {"mass": M, "point": True, "position": [0, 0, -1], "velocity": [0, 0, v]}
    data = {"bodies": {"load": load}, "robots": {"post": {"position": [0, 0, 0]}}}
    wire = {"from": "post", "to": "load", "length": 1.0}
    return scene_from_data(data | {"wires": {"w": wire}, "run": {"step": H, "duration": 5 * H}})


@pytest.mark.parametrize("gravity", [0.0, -9.81])
@pytest.mark.parametrize("method", METHODS)
def test_a_joint_takes_up_the_rate_of_what_begins_at_rest_as_an_impulse(method, gravity):
    """P = −m v in the first step, F = m g, for v of either sign: so dP/dv = −m and dF/dv = 0 at v = 0 as well."""
    model = towsim.compile(_pinned(gravity), method=method)
    found = model.sensitivities(["bodies.ball.velocity.0", "gravity.0"], of=["joint_impulse", "joint_reaction"])
    up, down = (towsim.simulate(_pinned(gravity, v), method=method) for v in (0.1, -0.1))
    for name in found:
        central = (up[name].values - down[name].values) / 0.2
        np.testing.assert_allclose(found[name].values[..., 0], central, atol=1e-9)
    np.testing.assert_allclose(found["joint_impulse"].values.sum(axis=0)[0, 0], [-M, 0.0], atol=1e-12)
    # What holds a weight is a force, also beside it.
    np.testing.assert_allclose(found["joint_reaction"].values[1:, 0, 0, 1], -M, atol=1e-12)
    assert not found.one_sided


@pytest.mark.parametrize("method", [*METHODS, "bdf2"])
def test_a_joint_holds_where_nothing_acts(method):
    """All impulses and rates are zero: the pin takes up a velocity nonetheless."""
    found = towsim.compile(_pinned(0.0), method=method).sensitivities(["bodies.ball.velocity.0"], ["velocity"])
    np.testing.assert_allclose(found["velocity"].values[2:, 0, 0, 0], 0.0, atol=1e-12)


def test_a_joint_holds_where_nothing_acts_backwards():
    model = towsim.compile(_pinned(0.0))

    def cost(run):
        return run["velocity"][-1, 0, 0]

    _, slope = model.gradient(cost, ["bodies.ball.velocity.0"], of=["velocity"], mode="reverse")
    np.testing.assert_allclose(slope, 0.0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_taut_at_rest_has_two_derivatives_in_a_velocity_and_says_so(method):
    """Outward it is jerked, towards slack it pulls less: the derivative is that towards slack."""
    others = [f"bodies.load.{name}" for name in ("mass", "position.0", "position.1", "velocity.0", "velocity.1")]
    more = [*others, "gravity.0", "gravity.1", "gravity.2"]  # so that the velocity is in the second pass
    model = towsim.compile(_hung(), method=method)
    found = model.sensitivities([*more, "bodies.load.velocity.2"], of=["tension", "impulse"])
    assert [(one.time, one.owner) for one in found.one_sided] == [(H, "w")]
    v = 1e-3
    less = (towsim.simulate(_hung(v), method=method)["tension"].values - M * 9.81) / v
    np.testing.assert_allclose(found["tension"].values[..., -1], less, atol=1e-6)
    jerked = towsim.simulate(_hung(-v), method=method)["impulse"].values / v
    assert jerked.sum() == pytest.approx(M)
    assert not model.sensitivities(["bodies.load.mass"], of=["tension"]).one_sided


@pytest.mark.parametrize("method", METHODS)
def test_ground_holds_what_begins_on_it_at_its_height(method):
    """Raised a little it comes down in the first step, which its weight bears: ∂z/∂z₀ = 0, ∂v/∂z₀ = −1/h, once."""
    data = {"bodies": {"ball": {"mass": M, "point": True}}, "ground": {"contacts": ["ball"]}}
    scene = scene_from_data(data | {"run": {"step": H, "duration": 5 * H}})
    paths = ["bodies.ball.position.2", "bodies.ball.velocity.2", "ground.height"]
    found = towsim.compile(scene, method=method).sensitivities(paths, of=["position", "velocity"])
    raised = 1e-8
    for path, sign in zip(paths, (1.0, -1.0, -1.0), strict=True):
        runs = [towsim.simulate(scene.with_values({path: x}), method=method) for x in (0.0, sign * raised)]
        for name in found:
            slope = (runs[1][name].values - runs[0][name].values) / (sign * raised)
            mine = found[name].sel(parameter=path).values
            np.testing.assert_allclose(mine, slope, atol=1e-6 * max(1.0, np.abs(slope).max()), err_msg=path)
    np.testing.assert_allclose(found["position"].values[1:, 0, 2], [[0.0, 0.0, 1.0]] * 5, atol=1e-12)


def test_a_step_as_a_linear_map_names_what_is_at_the_border():
    """Between two wires that are just taut and pull nothing, a step is of the side on which neither does."""
    wires = {name: {"from": "load", "to": name, "length": 2.0} for name in ("left", "right")}
    robots = {"left": {"position": [-2, 0, 0]}, "right": {"position": [2, 0, 0]}}
    data = {"gravity": [0, 0, 0], "bodies": {"load": {"mass": M, "point": True}}, "robots": robots, "wires": wires}
    one = towsim.compile(scene_from_data(data), step=H, method="stewart-trinkle").step_map(2)
    assert one.taut == ()
    assert one.one_sided == ("left", "right")
    assert towsim.compile(_hung(), method="stewart-trinkle").step_map(2, ["bodies.load.mass"]).one_sided == ()


def test_a_step_as_a_linear_map_has_no_place_for_wheels_that_turn():
    wire = {"from": "load", "via": ["wheel"], "to": "other", "length": 3.1, "model": "elastic"}
    wire["material"] = {"axial_stiffness": 3e3}
    loads = {"load": [-0.1, 0, 0.5], "other": [0.1, 0, 0.5]}
    data = {
        "bodies": {name: {"mass": M, "point": True, "position": place} for name, place in loads.items()},
        "robots": {"top": {"position": [0, 0, 2]}},
        "pulleys": {"wheel": {"at": "top", "radius": 0.1, "inertia": 0.02}},
        "wires": {"w": wire},
    }
    with pytest.raises(towsim.UsageError, match="no place for the speeds of pulleys"):
        towsim.compile(scene_from_data(data), step=H, method="stewart-trinkle").step_map(0)


def test_a_step_as_a_linear_map_has_no_place_for_joint_coordinates():
    data = to_data(_pinned(-9.81))
    data["bodies"]["ball"] |= {"point": False, "inertia": [0.1, 0.1, 0.1]}
    data["joints"]["pin"]["reduced"] = True
    with pytest.raises(towsim.UsageError, match="no place for the coordinate of joint 'pin'"):
        towsim.compile(scene_from_data(data), method="stewart-trinkle").step_map(0)


@pytest.mark.slow
def test_an_elastic_wire_that_begins_at_its_length_has_two_derivatives_in_it_and_says_so():
    """By Stewart–Trinkle, which takes min(ψ⁻, 0): the derivative is that of a shorter one, which begins stretched."""
    data = to_data(_hung())
    data["wires"]["w"] |= {"model": "elastic", "material": {"axial_stiffness": 1e4}}
    scene = scene_from_data(data)
    model = towsim.compile(scene, method="stewart-trinkle")
    found = model.sensitivities(["bodies.load.mass", "wires.w.length"], of=["position"])
    assert [(one.time, one.owner) for one in found.one_sided] == [(H, "w")]
    assert not model.sensitivities(["bodies.load.mass"], of=["position"]).one_sided
    longer, same, shorter = (
        towsim.simulate(scene.with_values({"wires.w.length": 1.0 + d}), method="stewart-trinkle")["position"].values
        for d in (1e-6, 0.0, -1e-6)
    )
    np.testing.assert_allclose(found["position"].values[..., 1], (same - shorter) / 1e-6, atol=1e-5)
    assert np.abs((longer - same) / 1e-6 - found["position"].values[..., 1]).max() > 1e-3
