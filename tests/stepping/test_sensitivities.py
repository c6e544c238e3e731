"""Derivatives of runs: laws that they obey, differences of runs, and what has none."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data, scene_from_text

STEP = 1e-3
METHODS = ("stewart-trinkle", "shake")


def tow(**changes):
    """A load on two wires, the second with some slack at the start: it is jerked, and so is the first one later."""
    robots = {
        "a": {"motion": {"formula": {"x": "0.3*sin(2*t)", "y": 0.0, "z": "2+0.2*sin(3*t)"}}},
        "b": {"motion": {"waypoints": {"t": [0, 1], "position": [[1.0, 0.5, 2.0], [1.2, 0.6, 2.3]]}}},
    }
    load = {
        "mass": 1.2,
        "inertia": [0.02, 0.03, 0.04],
        "position": [0.4, 0.1, 1.0],
        "velocity": [0.1, 0.05, 0.02],
        "angular_velocity": [0.3, 0.2, 1.0],
        "points": {"p": [0.1, 0.0, 0.05], "q": [-0.1, 0.02, 0.05]},
        "drag": {"linear": 0.1, "quadratic": 0.05},
    }
    wires = {
        "left": {"from": "a", "to": "load.p", "length": 1.15},
        "right": {"from": "b", "to": "load.q", "length": 1.24},
    }
    return scene_from_data({"name": "tow", "robots": robots, "bodies": {"load": load | changes}, "wires": wires})


@pytest.fixture(scope="module", params=METHODS)
def model(request):
    return towsim.compile(tow(), step=STEP, method=request.param)


def _difference(model, path, reach, *, of, duration):
    """Central difference of order four between runs in which the same wires are taut in every step."""
    whole, _, index = path.rpartition(".")
    value = model.parameters[path] if path in model.parameters else model.parameters[whole][int(index)]
    taut, runs = model.run(duration=duration)["tension"].values > 0.0, []
    for k in (1, -1, 2, -2):
        run = towsim.simulate(model.scene.with_values({path: value + k * reach}), duration=duration, **model.options)
        assert np.array_equal(run["tension"].values > 0.0, taut), "the reach is too large: another active set"
        runs.append(run)
    return {
        name: (8.0 * (runs[0][name].values - runs[1][name].values) - (runs[2][name].values - runs[3][name].values))
        / (12.0 * reach)
        for name in of
    }


def test_the_run_in_duals_is_the_run(model):
    found = model.sensitivities(["bodies.load.mass"], ["position", "tension"], duration=0.2)
    run = model.run(duration=0.2)
    for name, tolerance in (("position", 1e-14), ("velocity", 1e-11), ("tension", 1e-7)):  # products are not fused
        np.testing.assert_allclose(found.result[name].values, run[name].values, rtol=0, atol=tolerance)
    assert [event.kind for event in found.result.events] == [event.kind for event in run.events]
    assert found["position"].dims == ("time", "body", "xyz", "parameter")
    assert found["tension"].sel(wire="left", parameter="bodies.load.mass").shape == (201,)


def test_derivatives_through_slack_jerks_and_taut_wires_are_those_of_runs(model):
    """Reaches are such that the steps in which wires become taut stay the same; differences of runs err by 1e-7."""
    of = ["position", "quaternion", "velocity", "angular_velocity"]
    reaches = {
        "bodies.load.mass": 3e-5,
        "bodies.load.points.p.0": 3e-6,
        "bodies.load.velocity.2": 3e-6,
        "wires.left.length": 3e-6,
        "robots.b.motion.waypoints.position.1.0": 3e-5,
        "bodies.load.inertia.1": 1e-6,
        "bodies.load.drag.quadratic": 1e-5,
        "gravity.2": 1e-5,
    }
    found = model.sensitivities([*reaches], of, duration=0.3)
    assert {event.subject for event in found.result.events.select("jerk")} == {"left", "right"}
    for path, reach in reaches.items():
        expected = _difference(model, path, reach, of=of, duration=0.3)
        for name in of:
            mine = found[name].sel(parameter=path).values
            scale = np.abs(expected[name]).max()
            np.testing.assert_allclose(mine, expected[name], rtol=0, atol=1e-6 * scale, err_msg=f"{path} {name}")


def test_motion_does_not_depend_on_the_scale_of_masses_and_tensions_are_proportional_to_it(model):
    """Euler's theorem: Σ θ ∂x/∂θ over masses, inertias and drag is 0 of a motion, and T of a tension."""
    paths = ["bodies.load.mass", "bodies.load.inertia", "bodies.load.drag.linear", "bodies.load.drag.quadratic"]
    found = model.sensitivities(paths, ["position", "velocity", "tension", "impulse"], duration=0.3)
    for name in ("position", "velocity"):
        terms = found[name].values * found.at
        np.testing.assert_allclose(terms.sum(axis=-1), 0.0, atol=1e-12 * np.abs(terms).max() / STEP)
    for name in ("tension", "impulse"):
        total = (found[name].values * found.at).sum(axis=-1)
        expected = found.result[name].values
        np.testing.assert_allclose(total, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def test_what_is_moved_as_a_whole_moves_as_a_whole(model):
    """∂x/∂(places of load and robots) along one axis sums to 1: space is homogeneous."""
    scene = model.scene.with_values({"robots.a.motion": None, "robots.a.position": [0.0, 0.0, 2.0]})
    paths = ["bodies.load.position.0", "robots.a.position.0"]
    paths += [f"robots.b.motion.waypoints.position.{i}.0" for i in range(2)]
    still = towsim.compile(scene, step=STEP, method=model.options["method"])
    moved = still.sensitivities(paths, ["position", "quaternion", "tension"], duration=0.2)
    total = moved["position"].values[:, 0].sum(axis=-1)
    np.testing.assert_allclose(total, np.tile([1.0, 0.0, 0.0], (len(total), 1)), atol=1e-9)
    np.testing.assert_allclose(moved["quaternion"].values.sum(axis=-1), 0.0, atol=1e-9)


def test_a_number_that_is_rounding_has_the_derivatives_of_zero():
    """cos 90° is 6e-17, and a thousandth of that moves nothing; what must not be negative goes by its own size."""
    paths = ["bodies.load.velocity.2", "bodies.load.drag.quadratic"]
    exact, near = (
        towsim.compile(tow(velocity=[0.1, 0.05, z], drag={"linear": 0.1, "quadratic": drag}), step=STEP)
        .sensitivities(paths, ["position"], duration=0.1)["position"]
        .values
        for z, drag in ((0.0, 1e-5), (6e-17, 1e-7))
    )
    size = np.abs(exact).max(axis=(0, 1, 2))
    assert size.min() > 1e-5
    np.testing.assert_allclose(near / size, exact / size, rtol=0, atol=1e-4)  # the drags differ by 1e-5


def test_a_robot_that_starts_from_rest_has_derivatives_by_its_path():
    """The rate of a clamped spline at its end is rounding, and so is what that rate changes by."""
    t = np.linspace(0.0, 8.0, 7).tolist()
    way = [[8.0 * s * s * (3 - 2 * s) + 1.34 * (0 < s < 1), 1.5, 2.0] for s in np.linspace(0, 1, 7)]
    scene = scene_from_data(
        {
            "name": "start",
            "robots": {"r": {"motion": {"waypoints": {"t": t, "position": way, "kind": "cubic"}}}},
            "bodies": {"m": {"point": True, "mass": 1.0, "position": [0.0, 1.5, 1.0]}},
            "wires": {"w": {"from": "r", "to": "m", "length": 1.0}},
        }
    )
    paths = [f"robots.r.motion.waypoints.position.{i}.{axis}" for i in range(1, 6) for axis in (0, 1)]
    found = towsim.compile(scene, step=5e-3, method="shake").sensitivities(paths, duration=0.1)
    assert np.isfinite(found["position"].values).all()


def test_more_than_seven_numbers_are_those_of_several_passes(model):
    many = model.sensitivities(["bodies.load.inertia", "bodies.load.position", "bodies.load.velocity"], duration=0.1)
    assert len(many.parameters) == 9
    one = model.sensitivities(["bodies.load.velocity.1"], duration=0.1, record_every=10)
    expected = many["position"].sel(parameter="bodies.load.velocity.1").values[::10]
    np.testing.assert_array_equal(one["position"].values[..., 0], expected)


@pytest.mark.parametrize(
    ("paths", "of", "match"),
    [
        (["bodies.load.mas"], ["position"], "did you mean 'bodies.load.mass'"),
        (["bodies.load.mass"], ["residual"], "variable with derivatives"),
        (["bodies.load.mass", "bodies.load.mass"], ["position"], "named twice"),
        (["run.step"], ["position"], "belongs to the run"),
        (["bodies.load.thrust.at"], ["position"], "changes nothing"),
        (["wires.left.friction"], ["position"], "edge of what it may be"),
        (["bodies.load.force.x"], ["position"], "which laws are present"),
        (["bodies.load.mass"], ["contact_force"], "no contact"),
        ([], ["position"], "no parameters"),
        ("bodies.load.mass", ["position"], "must be a list"),
    ],
)
def test_what_has_no_derivative_is_refused_by_name(model, paths, of, match):
    with pytest.raises(towsim.UsageError, match=match):
        model.sensitivities(paths, of, duration=0.1)


@pytest.mark.parametrize(("drag", "path"), [(0.0, "wind"), (0.0, "wind.1"), (0.3, "robots.r.vehicle.mass")])
def test_what_is_declared_and_acts_on_nothing_is_refused_by_name(drag, path):
    """Wind where nothing has drag, and the data of a vehicle of a robot that moves as declared."""
    load = {"point": True, "mass": 1.0, "position": [0.3, 0.0, 0.0], "drag": {"linear": drag}}
    robots = {"r": {"motion": {"formula": {"x": "0.1*t", "y": 0.0, "z": 1.0}}}}
    wires = {"w": {"from": "r", "to": "m", "length": 1.1}}
    scene = scene_from_data({"robots": robots, "bodies": {"m": load}, "wires": wires, "wind": [1.0, 0.0, 0.0]})
    model = towsim.compile(scene, step=STEP)
    with pytest.raises(towsim.UsageError, match=f"{path} changes nothing in a run"):
        model.sensitivities([path], duration=0.1)
    for mode in ("forward", "reverse"):
        with pytest.raises(towsim.UsageError, match=f"{path} changes nothing in a run"):
            model.gradient(lambda run: np.mean(run["position"] ** 2), [path], duration=0.1, mode=mode)
    blown = towsim.compile(scene.with_values({"bodies.m.drag.linear": 0.3}), step=STEP)
    assert blown.sensitivities(["wind.1"], duration=0.1)["position"].values[-1].any()


def test_a_start_without_derivatives_is_refused_by_name():
    still = scene_from_data(
        {
            "name": "still",
            "start": "equilibrium",
            "robots": {"r": {"position": [0.0, 0.0, 1.0]}},
            "bodies": {"m": {"point": True, "mass": 1.0, "position": [0.0, 0.0, 0.0]}},
            "wires": {"w": {"from": "r", "to": "m", "length": 1.0}},
        }
    )
    with pytest.raises(towsim.UsageError, match="start: equilibrium"):
        towsim.compile(still, step=STEP).sensitivities(["bodies.m.mass"])


def test_a_wire_at_the_border_of_acting_is_told_of():
    """A weightless wire at its length neither pulls nor opens: its solution has one-sided derivatives."""
    wire = {"from": "r", "to": "m", "length": 1.0}
    body = {"point": True, "mass": 1.0, "position": [1.0, 0.0, 0.0]}
    scene = scene_from_data(
        {"name": "idle", "gravity": [0.0, -9.81, 0.0], "robots": {"r": {"position": [0.0, 0.0, 0.0]}}}
        | {"bodies": {"m": body}, "wires": {"w": wire}}
    )
    found = towsim.compile(scene, step=STEP, method="stewart-trinkle").sensitivities(
        ["bodies.m.velocity.0"], ["position", "tension"], duration=2 * STEP
    )
    assert found.one_sided[0] == (STEP, "w")
    assert np.isfinite(found["position"].values).all()
    assert "one-sided" in repr(found)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_joints_springs_routes_and_contacts_have_derivatives_by_the_same_kernels(method):
    load = {
        "mass": 1.2,
        "inertia": [0.02, 0.03, 0.04],
        "position": [0.4, 0.1, 1.0],
        "points": {"a": [0.1, 0, 0.05], "b": [-0.1, 0.02, 0.05], "c": [0, 0, -0.1]},
    }
    points = {"t": [0, 0, 0.2], "e": [0, 0, -0.2]}
    arm = {"mass": 0.4, "inertia": [0.004, 0.005, 0.002], "position": [0.4, 0.1, 0.7], "points": points}
    hinge = {"kind": "revolute", "from": "load.c", "to": "arm.t", "axis": [0, 1, 0], "damping": 0.05}
    material = {"axial_stiffness": 400.0, "axial_damping": 2.0}
    scene = scene_from_data(
        {
            "name": "mixed",
            "robots": {
                "r": {"motion": {"formula": {"x": "0.3*sin(2*t)", "y": 0.0, "z": "2+0.2*sin(3*t)"}}},
                "s": {"position": [1.0, 0.5, 2.0]},
            },
            "bodies": {"load": load, "arm": arm, "ball": {"mass": 0.3, "point": True, "position": [0.5, 0.3, 0.52]}},
            "joints": {"hinge": hinge | {"spring": {"stiffness": 0.5}}},
            "wires": {
                "hard": {"from": "r", "to": "load.a", "length": 1.15},
                "soft": {"from": "s", "to": "load.b", "length": 1.19, "model": "elastic", "material": material},
                "idle": {"from": "s", "to": "ball", "length": 1.6},
                "over": {"from": "load.b", "via": ["arm.e"], "to": "ball", "length": 1.2},
            },
            "ground": {"height": 0.49, "contacts": ["ball"]},
        }
    )
    model = towsim.compile(scene, step=STEP, method=method)
    of = dict.fromkeys(["position", "velocity", "joint_position", "joint_velocity", "joint_impulse"], 1e-6)
    of |= {"joint_torque": 2e-6, "joint_reaction": 1e-4}  # forces err by 1e-9 over the reach
    reaches = {
        "bodies.arm.mass": 1e-5,
        "bodies.load.inertia.1": 1e-6,
        "wires.soft.material.axial_stiffness": 1e-2,
        "joints.hinge.spring.stiffness": 1e-5,
        "joints.hinge.damping": 1e-6,
    }
    found = model.sensitivities([*reaches], [*of], duration=0.2)
    assert {"jerk", "taut", "contact"} <= {event.kind for event in found.result.events}
    for path, reach in reaches.items():
        expected = _difference(model, path, reach, of=of, duration=0.2)
        for name, share in of.items():
            mine = found[name].sel(parameter=path).values
            scale = np.abs(expected[name]).max()
            np.testing.assert_allclose(mine, expected[name], rtol=0, atol=share * scale, err_msg=f"{path} {name}")


def test_a_gradient_is_that_of_the_cost(model):
    """Through selections, sums, roots, extremes; against differences of the cost itself, and against its own slopes."""
    # A jerk in SHAKE rings on, and what of it counts as tension turns with the length soon.
    paths = {"bodies.load.mass": 3e-5, "wires.left.length": 1e-6, "bodies.load.velocity.0": 3e-6}
    goal = np.array([0.4, 0.1, 1.0])

    def cost(run):
        x, v = run["position"].sel(body="load"), run["velocity"].sel(body="load", xyz=["x", "y"])
        away = np.mean(np.sum((x - goal) ** 2, axis=1)) + 0.1 * np.max(np.linalg.norm(v, axis=1))
        return away + 1e-3 * np.maximum(run["tension"].sel(wire="left"), 5.0).mean() + x[-1, 2] / 7.0

    of = ["position", "velocity", "tension"]
    value, slope = model.gradient(cost, [*paths], of, duration=0.2)
    plain = model.run(duration=0.2)
    assert value == pytest.approx(_plain_cost(plain, goal), rel=1e-12)
    for found, (path, reach) in zip(slope, paths.items(), strict=True):
        around = []
        for k in (1, -1, 2, -2):
            at = {path: _number(model, path) + k * reach}
            around.append(
                _plain_cost(towsim.simulate(model.scene.with_values(at), duration=0.2, **model.options), goal)
            )
        expected = (8.0 * (around[0] - around[1]) - (around[2] - around[3])) / (12.0 * reach)
        assert found == pytest.approx(expected, rel=1e-6)


def _number(model, path):
    whole, _, index = path.rpartition(".")
    return model.parameters[path] if path in model.parameters else model.parameters[whole][int(index)]


def _plain_cost(run, goal):
    x, v = run["position"].values[:, 0], run["velocity"].values[:, 0, :2]
    away = np.mean(np.sum((x - goal) ** 2, axis=1)) + 0.1 * np.max(np.linalg.norm(v, axis=1))
    return away + 1e-3 * np.maximum(run["tension"].values[:, 0], 5.0).mean() + x[-1, 2] / 7.0


def test_a_cost_may_bring_its_own_derivative(model):
    paths = ["bodies.load.mass", "bodies.load.velocity.0"]

    def own(run):
        x = run["position"].value
        return np.sum(x**3), {"position": 3.0 * x**2}

    value, slope = model.gradient(own, paths, duration=0.1)
    expected = model.gradient(lambda run: np.sum(run["position"] ** 3), paths, duration=0.1)
    assert value == pytest.approx(expected[0])
    np.testing.assert_allclose(slope, expected[1], rtol=1e-12)


@pytest.mark.parametrize(
    ("cost", "match"),
    [
        (lambda run: np.sort(run["position"]), "numpy.sort"),
        (lambda run: np.floor(run["position"]).sum(), "numpy.floor"),
        (lambda run: run["position"] ** 2, "one number"),
        (lambda run: float(run["position"][0, 0, 0]), "lose its derivatives"),
        (lambda run: 3.0, "does not depend"),
        (lambda run: run["tension"].sum(), "name what the cost looks at"),
        (lambda run: (1.0, {"position": np.zeros(3)}), "must have its shape"),
    ],
)
def test_a_cost_whose_derivative_would_be_lost_is_refused(model, cost, match):
    with pytest.raises(towsim.UsageError, match=match):
        model.gradient(cost, ["bodies.load.mass"], duration=0.01)


PATHS = [
    "bodies.load.mass",
    "bodies.load.inertia",
    "bodies.load.points.p",
    "bodies.load.position",
    "bodies.load.velocity",
    "bodies.load.drag.quadratic",
    "wires.left.length",
    "robots.b.motion.waypoints.position.1",
    "gravity",
]


def test_backwards_the_gradient_is_that_of_forward_mode(monkeypatch):
    """Through a jerk and over several segments, of a cost that knows its own slopes and of one that does not."""
    model, draw = towsim.compile(tow(), step=STEP, method="stewart-trinkle"), np.random.default_rng(3)
    slopes = {"position": draw.normal(size=(301, 1, 3)), "tension": draw.normal(size=(301, 2))}
    slopes["robot_position"] = draw.normal(size=(301, 2, 3))

    def linear(run):
        return sum(float(np.sum(run[name].value * slope)) for name, slope in slopes.items()), slopes

    def swing(run):
        x, v = run["position"].sel(body="load"), run["velocity"].sel(body="load", xyz=["x", "y"])
        late = np.linalg.norm(x[-100:] - np.array([0.4, 0.1, 1.0]), axis=1)
        turns = np.sum(np.diff(v, axis=0) ** 2) + np.max(np.hypot(v[:, 0], v[:, 1]))
        return np.mean(late) + turns / 7.0 + np.mean(np.concatenate([x[::3, 0], np.abs(v[:, 1])]))

    for cost, of in ((linear, [*slopes]), (swing, ["position", "velocity"])):
        value, expected = model.gradient(cost, PATHS, of, duration=0.3, mode="forward")
        other, found = model.gradient(cost, PATHS, of, duration=0.3, mode="reverse")
        assert len(found) == 21
        assert other == pytest.approx(value, rel=1e-9)  # tensions differ by rounding over h: products are fused or not
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-10 * np.abs(expected).max())
    monkeypatch.setattr("towsim.run.gradient.MOST_FORWARD", 20)
    np.testing.assert_array_equal(model.gradient(swing, PATHS, duration=0.3)[1], found)  # chosen for so many numbers


def test_a_mode_that_does_not_exist_is_refused(model):
    with pytest.raises(towsim.UsageError, match="did you mean 'reverse'"):
        model.gradient(lambda run: 0.0, ["bodies.load.mass"], duration=0.01, mode="revers")


def test_a_bob_on_its_circle_nods_as_the_spherical_pendulum():
    """About a steady cone at Ω² = g/(L cos θ) it nods at Ω √(1 + 3 cos² θ), as seen from the turning frame."""
    length, lean = 1.0, 0.6
    about = np.sqrt(9.81 / (length * np.cos(lean)))
    far, down = length * np.sin(lean), length * np.cos(lean)
    scene = scene_from_text(f"""
bodies: {{bob: {{mass: 1.0, point: true, position: [{far}, 0, {-down}], velocity: [0, {about * far}, 0]}}}}
robots: {{post: {{position: [0, 0, 0]}}}}
wires: {{wire: {{from: post, to: bob, length: {length}}}}}
""")
    one = towsim.compile(scene, step=1e-3).step_map(2)
    with pytest.raises(towsim.UsageError, match=r"turning must be three finite numbers, got \[0.0, 2.0\]"):
        one.modes(turning=[0.0, 2.0])
    rates, shapes = one.modes(turning=[0.0, 0.0, about])
    assert rates[-1].imag == pytest.approx(about * np.sqrt(1 + 3 * np.cos(lean) ** 2), rel=1e-4)
    assert abs(rates[-1].real) < 1e-5
    assert abs(shapes[:3, -1] @ [-far, 0.0, down]) < 1e-2  # along the sphere


def test_a_step_as_a_linear_map_is_what_the_step_does_to_small_changes():
    """The product of the maps of successive steps is the sensitivity to the start."""
    model = towsim.compile(tow(), step=STEP, method="stewart-trinkle")
    steps, wanted = 24, ["position", "velocity", "angular_velocity"]  # wire "right" is jerked on the way
    maps = [model.step_map(k, ["bodies.load.mass"]) for k in range(steps)]
    assert maps[0].taut == ()
    assert maps[-1].taut == ("right",)
    starts = ["position", "velocity", "angular_velocity"]
    found = model.sensitivities(
        [*(f"bodies.load.{name}" for name in starts), "bodies.load.mass"], wanted, duration=steps * STEP
    )
    rows = [i for i, name in enumerate(maps[0].state) if not name.startswith("turn")]
    whole, by_mass = np.eye(12), np.zeros((12, 1))
    for one in maps:
        whole, by_mass = one.A @ whole, one.A @ by_mass + one.B
    total = np.concatenate([found[name].values[-1, 0] for name in wanted])  # (9, 10)
    np.testing.assert_allclose(whole[np.ix_(rows, rows)], total[:, :9], rtol=0, atol=1e-9 * np.abs(total).max())
    np.testing.assert_allclose(by_mass[rows, 0], total[:, 9], rtol=0, atol=1e-9 * np.abs(total[:, 9]).max())
    with pytest.raises(towsim.UsageError, match="stewart-trinkle"):
        towsim.compile(tow(), step=STEP, method="shake").step_map(0)
    model = towsim.compile(tow().with_values({"run.duration": 10 * STEP}), step=STEP, method="stewart-trinkle")
    assert model.step_map(np.int64(9)).A.shape == (12, 12)
    for number in (10, 10**9, -1, 1.0):
        with pytest.raises(towsim.UsageError, match=f"0 to 9 in this scene's run of .* s, got {number}"):
            model.step_map(number)


def test_what_has_passed_has_no_derivatives_any_more():
    """A waypoint of a path by quintics acts up to the next one; blocks of later steps know nothing of it."""
    way = {"t": [0, 0.5, 1, 6], "position": [[0, 0, 2], [0.1, 0, 2], [0.2, 0, 2], [0.6, 0, 2]], "kind": "quintic"}
    scene = scene_from_data(
        {
            "robots": {"r": {"motion": {"waypoints": way}}},
            "bodies": {"m": {"mass": 1.0, "point": True, "position": [0, 0, 1]}},
            "wires": {"w": {"from": "r", "to": "m", "length": 1.0}},
        }
    )
    paths = ["robots.r.motion.waypoints.position.1.0", "wires.w.length"]
    found = towsim.compile(scene, step=1e-3).sensitivities(paths, ["robot_position", "length"], duration=5.0)
    moved = found["robot_position"].sel(robot="r", parameter=paths[0]).values[:, 0]
    assert moved[500] == pytest.approx(1.0)
    np.testing.assert_allclose(moved[1000:], 0.0, atol=1e-11)
    np.testing.assert_allclose(found["length"].sel(parameter=paths[1]).values, 1.0, atol=1e-11)
    np.testing.assert_array_equal(found["length"].sel(parameter=paths[0]).values, 0.0)
    np.testing.assert_array_equal(found["robot_position"].sel(parameter=paths[1]).values, 0.0)
