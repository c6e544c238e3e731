"""Derivatives of runs with massive cables: laws that they obey, closed forms, differences of runs, and both modes."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "bdf2")
ROPE = {
    "diameter": 0.01,
    "mass_per_length": 0.2,
    "axial_stiffness": 2e4,
    "bending_stiffness": 1e-2,
    "axial_damping": 400.0,
    "bending_damping": 1e-2,
}
TAUT = 0.999 * float(np.linalg.norm([0.4, 0.1, 0.95]))
SCALED = ["bodies.load.mass", "bodies.load.inertia", "bodies.load.drag.linear"] + [
    f"wires.{wire}.material.{name}" for wire in ("left", "right", "tail") for name in ROPE if name != "diameter"
]
"""All that the motion depends on through its ratios alone."""


def compile_(scene, step=2e-3, method="stewart-trinkle"):
    """By Stewart–Trinkle beside a line over a wheel, whose test uses the same loops."""
    scene = beside(scene, "line") if method == "stewart-trinkle" else scene
    return towsim.compile(scene, step=step, method=method)


def sling():
    """A box on two cables that stay taut, one of a robot that moves, one that is reeled; a third one hangs through."""
    robots = {
        "a": {"motion": {"formula": {"x": "0.2*sin(2*t)", "y": 0.0, "z": "2+0.1*sin(3*t)"}}},
        "b": {"position": [1.0, 0.2, 2.0]},
    }
    load = {
        "mass": 1.5,
        "inertia": [0.02, 0.03, 0.04],
        "position": [0.5, 0.1, 1.0],
        "velocity": [0.1, 0.05, 0.02],
        "points": {"p": [-0.1, 0.0, 0.05], "q": [0.1, 0.02, 0.05]},
        "drag": {"linear": 0.3},
    }
    begin = 0.999 * float(np.linalg.norm([0.4, 0.08, 0.95]))
    reel = {"waypoints": {"t": [0.0, 0.5], "length": [begin, begin - 0.1]}}
    model = {"mrfe": {"elements": 2}}
    wires = {
        "left": {"from": "a", "to": "load.p", "length": TAUT, "model": model},
        "right": {"from": "b", "to": "load.q", "length": reel, "model": model},
        "tail": {"from": "b", "to": "load.q", "length": 1.4, "model": {"mrfe": {"elements": 3}}},
    }
    for wire in wires.values():
        wire["material"] = ROPE
    return scene_from_data({"name": "sling", "robots": robots, "bodies": {"load": load}, "wires": wires})


@pytest.fixture(scope="module", params=METHODS)
def model(request):
    return compile_(sling(), method=request.param)


def _of_the_sling(name, values):
    """Of its body or its three wires, which come first."""
    return values[:, : 1 if name in ("position", "quaternion") else 3]


def _slope(model, path, share, name, duration):
    """∂/∂θ of the runs around it: the linear term of a polynomial through nine of them."""
    places = np.linspace(-1.0, 1.0, 9)
    whole, _, index = path.rpartition(".")
    value = model.parameters[path] if path in model.parameters else model.parameters[whole][int(index)]
    reach = share * (abs(value) or 1.0)
    runs = [
        towsim.simulate(model.scene.with_values({path: value + x * reach}), duration=duration, **model.options)
        for x in places
    ]
    rows = np.array([run[name].values.ravel() for run in runs])
    return (np.polynomial.polynomial.polyfit(places, rows, 6)[1] / reach).reshape(runs[0][name].values.shape)


def test_the_run_in_duals_is_the_run(model):
    of = ["position", "tension", "tip_force", "exit_force", "node_position", "extension", "gap", "length"]
    found, run = model.sensitivities(["bodies.load.mass"], of, duration=0.2), model.run(duration=0.2)
    for name in of:
        values = run[name].values
        # Sweeps of the cables are the same sums, rounded elsewhere; forces are known to 1e-13 of EA.
        np.testing.assert_allclose(found.result[name].values, values, rtol=1e-10, atol=1e-8, err_msg=name)


def test_motion_does_not_depend_on_the_scale_of_masses_and_stiffnesses_and_forces_are_proportional_to_it(model):
    of = ["position", "quaternion", "node_position", "tension", "tip_force", "cable_energy"]
    found = model.sensitivities(SCALED, of, duration=0.4)
    for name in of:
        terms = _of_the_sling(name, found[name].values) * found.at
        expected = (
            _of_the_sling(name, found.result[name].values) if name in ("tension", "tip_force", "cable_energy") else 0.0
        )
        # Sums of terms that are far larger than what is left. A slack cable begins with forces that are known to the
        # rounding of its ends' places over its flexibility, EA times that of one, in each difference over 2⁻¹⁰.
        lost = (
            16.0 * np.finfo(float).eps * ROPE["axial_stiffness"] * 2.0**10 if name in ("tension", "tip_force") else 0.0
        )
        atol = 1e-9 * np.nanmax(np.abs(terms)) + lost
        np.testing.assert_allclose(np.nansum(terms, axis=-1), np.nan_to_num(expected), rtol=0, atol=atol)


def test_derivatives_are_those_of_runs(model):
    shares = {
        "bodies.load.mass": 3e-4,
        "bodies.load.position.2": 3e-6,
        "bodies.load.points.q.0": 3e-4,
        "wires.left.length": 3e-6,
        "wires.tail.length": 3e-4,
        "wires.right.length.waypoints.length.1": 1e-4,
        "wires.left.material.mass_per_length": 3e-3,
        "wires.tail.material.bending_stiffness": 3e-3,
        "wires.right.material.axial_damping": 3e-4,
        "gravity.0": 3e-3,
    }
    of = ["position", "node_position"]
    found = model.sensitivities([*shares], of, duration=0.4)
    for path, share in shares.items():
        for name in of:
            expected = _of_the_sling(name, _slope(model, path, share, name, 0.4))
            mine = _of_the_sling(name, found[name].sel(parameter=path).values)
            scale = np.nanmax(np.abs(expected))
            # Places err by 1e-13 m over the reach, within which no element changes from pull to push.
            np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-7 * scale, err_msg=f"{path} {name}")


def test_a_load_at_rest_sinks_by_what_its_weight_adds_to_the_stretch(model):
    """ε = (m + ρL/2) g L/EA with springs at the middles, whatever the number of elements (see test_cable_laws)."""
    length, mass, g = 2.0, 3.0, 9.81
    wire = {"from": "top", "to": "bob", "length": length, "material": ROPE, "model": {"mrfe": {"elements": 3}}}
    start = length + (mass + 0.5 * 0.2 * length) * g * length / 2e4
    bob = {"mass": mass, "point": True, "position": [0.0, 0.0, -start]}
    scene = scene_from_data({"bodies": {"bob": bob}, "robots": {"top": {"position": [0, 0, 0]}}, "wires": {"c": wire}})
    still = compile_(scene, 5e-3, model.options["method"])
    paths = [
        "bodies.bob.mass",
        "wires.c.material.mass_per_length",
        "wires.c.material.axial_stiffness",
        "wires.c.length",
    ]
    found = still.sensitivities(paths, ["extension", "tension"], duration=3.0)
    stretch = (mass + 0.5 * 0.2 * length) * g * length / 2e4
    expected = [g * length / 2e4, 0.5 * length**2 * g / 2e4, -stretch / 2e4, (mass + 0.2 * length) * g / 2e4]
    np.testing.assert_allclose(found["extension"].values[-1, 0], expected, rtol=1e-6)
    np.testing.assert_allclose(found["tension"].values[-1, 0], [g, 0.0, 0.0, 0.0], rtol=1e-6, atol=1e-6)


def test_backwards_the_gradient_is_that_of_forward_mode():
    model = towsim.compile(sling(), step=2e-3, method="bdf2")
    paths = ["bodies.load.mass", "wires.left.length", "wires.tail.material.bending_stiffness", "gravity"]

    def cost(run):
        return np.mean(run["position"] ** 2) + 1e-3 * np.mean(run["tension"])

    value, forward = model.gradient(cost, paths, ["position", "tension"], duration=0.3, mode="forward")
    same, backward = model.gradient(cost, paths, ["position", "tension"], duration=0.3, mode="reverse")
    assert same == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(backward, forward, rtol=0, atol=1e-10 * np.abs(forward).max())


@pytest.fixture(params=[0, 1], ids=["exact", "rounded"])
def straight(request, model):
    """A weight that begins at rest at the end of an inclined cable without stretch, but for a rounding error."""
    place = [1.3, 0.4, -0.7]
    length = float(np.linalg.norm(place))
    wire = {"from": "top", "to": "bob", "material": ROPE, "model": {"mrfe": {"elements": 2}}}
    wire["length"] = float(np.nextafter(length, 2.0)) if request.param else length
    bob = {"mass": 1.5, "point": True, "position": place}
    data = {"bodies": {"bob": bob}, "robots": {"top": {"position": [0, 0, 0]}}, "wires": {"c": wire}}
    return compile_(scene_from_data(data), method=model.options["method"])


def test_a_cable_that_begins_straight_has_the_derivatives_of_the_side_on_which_it_is_stretched(straight):
    """A longer one would hang through, by the root of what it is longer."""
    length, reach = straight.parameters["wires.c.length"], 2e-6
    found = straight.sensitivities(["wires.c.length"], ["position"], duration=0.1)["position"].values[..., 0]
    places = np.linspace(-1.0, 0.0, 9)
    runs = [straight.run({"wires.c.length": length + x * reach}, duration=0.1)["position"].values for x in places]
    rows = np.array([run.ravel() for run in runs])
    expected = (np.polynomial.polynomial.polyfit(places, rows, 3)[1] / reach).reshape(found.shape)
    # Places err by 1e-15 m over the reach; the derivative of the side that pushes is 8e-6 away.
    np.testing.assert_allclose(found, expected, rtol=0, atol=3e-7 * np.abs(expected).max())


def _upright(first_joint, velocity):
    """A weight on a cable that begins along z, stretched."""
    bob = {"mass": 1.5, "point": True, "position": [0.0, 0.0, -2.0], "velocity": velocity}
    wire = {"from": "top", "to": "bob", "length": 1.99, "material": ROPE}
    wire["model"] = {"mrfe": {"elements": 2, "first_joint": first_joint}}
    data = {"bodies": {"bob": bob}, "robots": {"top": {"position": [0, 0, 0]}}, "wires": {"c": wire}}
    return compile_(scene_from_data(data))


@pytest.mark.parametrize(
    ("first_joint", "axes"), [("ball", (0, 1)), ("yx", (0, 1)), ("zy", (0,))], ids=["ball", "yx", "zy"]
)
def test_an_upright_cable_has_derivatives_in_where_its_ends_are(first_joint, axes):
    """Central differences of a wide swing: its root frame must turn smoothly as the ends leave the vertical."""
    upright = _upright(first_joint, [2.0, 0.0 if first_joint == "zy" else 1.0, 0.0])
    paths, reach = [f"bodies.bob.position.{axis}" for axis in axes], 1e-5
    found = upright.sensitivities(paths, ["position"], duration=0.4)["position"]
    for path in paths:
        forth, back = (upright.run({path: x}, duration=0.4)["position"].values for x in (reach, -reach))
        expected = (forth - back) / (2.0 * reach)
        mine = found.sel(parameter=path).values
        # They err by rounding over the reach and by its square.
        np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def test_what_tilts_an_upright_cable_out_of_the_plane_of_its_first_joint_is_refused():
    """Tilted along y it swings along y, however little: runs do not come near the upright one, which swings along x."""
    upright = _upright("zy", [0.0, 0.0, 0.0])
    for path in ("bodies.bob.position", "robots.top.position.1"):
        with pytest.raises(towsim.UsageError, match=r"position\.1 tilts wire 'c' along y, .* first_joint: ball, or yx"):
            upright.sensitivities([path], duration=0.1)
    both = {"both": {"bodies.bob.position.1": 1.0, "robots.top.position.1": 1.0}}
    found = upright.sensitivities([both, "bodies.bob.velocity.1"], duration=0.1)["position"].values
    np.testing.assert_allclose(found[:, 0, 1, 0], 1.0, rtol=1e-12)


@pytest.mark.parametrize("slack", [0.003, 0.03])
def test_how_a_cable_that_sags_a_little_begins_is_differentiated_by_its_length(slack):
    """Its shape turns the faster with its length the less it sags: differences of runs over 1/50 of the slack."""
    load = {"mass": 3.0, "point": True, "position": [0.9, 0.1, -1.6]}
    wire = {"from": "top", "to": "load", "length": float(np.linalg.norm(load["position"])) + slack}
    wire |= {"model": {"mrfe": {"elements": 5}}, "material": ROPE | {"bending_stiffness": 0.0}}
    scene = scene_from_data(
        {"robots": {"top": {"position": [0, 0, 0]}}, "bodies": {"load": load}, "wires": {"c": wire}}
    )
    model = compile_(scene, 1e-3)
    found = model.sensitivities(["wires.c.length"], ["position", "node_position"], duration=0.03)
    share = 0.02 * slack / wire["length"]
    for name in found:
        expected = _slope(model, "wires.c.length", share, name, 0.03)
        scale = np.nanmax(np.abs(expected))
        np.testing.assert_allclose(found[name].values[..., 0], expected, rtol=1e-5, atol=1e-5 * scale)
