"""Derivatives of variables that are products of what is recorded and numbers of the scene: closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside
from towsim.errors import UsageError
from towsim.scene import scene_from_data

METHODS = ["stewart-trinkle", "shake", "bdf2"]
M, L, G = 2.0, 1.5, 9.81
CENTRE = {"centre": {"bodies.arm.position.0": 1.0, "bodies.arm.points.root.0": -1.0}}
"""The centre of mass moves away from the hinge, which stays."""

POST = {"post": {"position": [0.0, 0.0, 0.0]}}


def _arm(kind, reduced=False, axis=(0.0, 0.0, 1.0), length=L):
    """A beam that a joint at its root holds level, so that its weight is the joint's."""
    hinge = {"kind": kind, "from": "post", "to": "arm.root", "reduced": reduced}
    if kind != "fixed":
        hinge["axis"] = list(axis)
    arm = {"mass": M, "inertia": [0.2, 0.5, 0.5], "position": [length, 0, 0], "points": {"root": [-length, 0, 0]}}
    run = {"step": 1e-3, "duration": 0.02}
    scene = scene_from_data({"bodies": {"arm": arm}, "robots": POST, "joints": {"hinge": hinge}, "run": run})
    return beside(scene, "wheel") if reduced else scene


def _rate(scene, parameter, of, method="stewart-trinkle", **options):
    """Derivative in the last row."""
    scene = beside(scene, "cable") if method == "bdf2" else scene
    found = towsim.compile(scene, method=method, **options).sensitivities([parameter], of=[of])
    return found[of].values[-1, ..., 0].ravel()


@pytest.mark.parametrize(("method", "reduced"), [*((one, False) for one in METHODS), ("stewart-trinkle", True)])
def test_the_torque_that_holds_a_beam_grows_with_its_lever(method, reduced):
    """τ = r × (−m g) = (0, −m g r, 0)."""
    found = _rate(_arm("revolute", reduced), CENTRE, "joint_torque", method)
    np.testing.assert_allclose(found, [0.0, -M * G, 0.0], atol=1e-9)  # rounding, of step 1e-3 twice


@pytest.mark.parametrize("method", METHODS)
def test_the_torque_on_a_beam_turns_with_it(method):
    """A beam fixed to a post and turned about the vertical there, dφ: τ = (m g L φ, −m g L, 0), whatever holds it."""
    swing = {"swing": {"bodies.arm.quaternion.3": 0.5, "bodies.arm.position.1": L}}
    found = _rate(_arm("fixed"), swing, "joint_torque", method)
    np.testing.assert_allclose(found, [M * G * L, 0.0, 0.0], atol=1e-9)


@pytest.mark.parametrize("reduced", [False, True])
def test_the_torque_of_a_hinge_turns_with_its_axis(reduced):
    """Of a beam at rest: τ = I α n − r × F, α = n · (r × F)/(n · I n), n the axis, of which one component is moved."""
    n = np.array([0.0, 0.2, 1.0]) / np.hypot(0.2, 1.0)

    def torque(y):
        axis = np.array([0.0, y, n[2]])
        axis /= np.linalg.norm(axis)
        r, force = np.array([L, 0.0, 0.0]), np.array([0.0, 0.0, -M * G])
        inertia = np.diag([0.2, 0.5, 0.5]) + M * (r @ r * np.eye(3) - np.outer(r, r))
        moment = np.cross(r, force)
        return inertia @ axis * (axis @ moment) / (axis @ inertia @ axis) - moment

    scene = _arm("revolute", reduced, axis=(0.0, 0.2, 1.0))
    model = towsim.compile(scene, step=1e-5)
    found = model.sensitivities(["joints.hinge.axis.1"], of=["joint_torque"], duration=2e-5)["joint_torque"]
    want = (torque(n[1] + 1e-5) - torque(n[1] - 1e-5)) / 2e-5
    np.testing.assert_allclose(found.values[1, 0, :, 0], want, atol=1e-6)  # of the first step, of 1e-5 s


@pytest.mark.parametrize("method", METHODS)
def test_an_angle_begins_at_zero_however_a_wheel_is_turned(method):
    wheel = {"mass": 2.0, "inertia": [0.1, 0.1, 0.15], "angular_velocity": [0.0, 0.0, 0.5]}
    hinge = {"kind": "revolute", "from": "post", "to": "wheel", "axis": [0, 0, 1]}
    data = {"gravity": [0, 0, 0], "bodies": {"wheel": wheel}, "robots": POST, "joints": {"hinge": hinge}}
    scene = scene_from_data(data | {"run": {"step": 1e-3, "duration": 0.02}})
    found = _rate(scene, {"turn": {"bodies.wheel.quaternion.3": 0.5}}, "joint_position", method)
    np.testing.assert_allclose(found, 0.0, atol=1e-9)


@pytest.mark.parametrize(("method", "reduced"), [*((one, False) for one in METHODS), ("stewart-trinkle", True)])
def test_a_slide_is_where_its_point_on_the_body_is(method, reduced):
    """x = x₀ + v t + the point's place on a body that does not turn."""
    car = {"mass": 2.0, "inertia": [0.1, 0.1, 0.15], "position": [1, 0, 0], "velocity": [0.5, 0, 0]}
    car |= {"points": {"q": [0.1, 0, 0]}}
    slide = {"kind": "prismatic", "from": "post", "to": "car.q", "axis": [1, 0, 0], "reduced": reduced}
    data = {"gravity": [0, 0, 0], "bodies": {"car": car}, "robots": POST, "joints": {"slide": slide}}
    scene = scene_from_data(data | {"run": {"step": 1e-3, "duration": 0.02}})
    scene = beside(scene, "wheel") if reduced else scene
    found = _rate(scene, {"q": {"bodies.car.points.q.0": 1.0}}, "joint_position", method)
    np.testing.assert_allclose(found, 1.0, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_force_of_the_ground_turns_with_its_normal(method):
    """A point that rests where gravity is along the normal: F = −m g n."""
    data = {"bodies": {"ball": {"mass": 3.0, "point": True}}, "ground": {"contacts": ["ball"]}}
    scene = scene_from_data(data | {"run": {"step": 1e-3, "duration": 0.02}})
    lean = {"lean": {"gravity.0": G, "ground.normal.0": -1.0}}
    np.testing.assert_allclose(_rate(scene, lean, "contact_force", method), [-3.0 * G, 0.0, 0.0], atol=1e-9)


def test_the_impulse_of_the_ground_turns_with_its_normal():
    """A point that lands on a plane tilted about its point of landing, at v along z: P = m v n_z n, dP/dn_x = m v."""
    data = {"gravity": [0, 0, 0], "bodies": {"ball": {"mass": 3.0, "point": True, "velocity": [0, 0, -2.0]}}}
    scene = scene_from_data(data | {"ground": {"contacts": ["ball"]}, "run": {"step": 1e-3, "duration": 2e-3}})
    model = towsim.compile(scene)
    found = model.sensitivities([{"lean": {"ground.normal.0": 1.0}}], of=["contact_impulse"])["contact_impulse"]
    assert found.values[..., 0, :].sum() == pytest.approx(6.0, abs=1e-9)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_what_a_drum_pays_out_depends_on_its_radius(method):
    """Off a drum that a motor with gear n brakes: r φ T²/2, φ̈ = (M g r − n τ)/(I + n² I_m + M r²)."""
    mass, inertia, n, of_motor, torque, length, r, T = 10.0, 0.05, 10.0, 2e-4, 0.5, 2.0, 0.1, 0.1
    hoist = {"at": "crane", "radius": r, "inertia": inertia, "gear": n, "motor_inertia": of_motor, "torque": torque}
    data = {
        "bodies": {"load": {"mass": mass, "point": True, "position": [0.0, 0.0, -length]}},
        "robots": {"crane": {"position": [0.0, 0.0, 0.0]}},
        "drums": {"hoist": hoist | {"rope": 20.0}},
        "wires": {"fall": {"from": "load", "to": "crane", "length": length, "drum": "hoist"}},
        "run": {"step": 1e-3, "duration": T},
    }

    def paid_out(r):
        return r * (mass * G * r - n * torque) / (inertia + n * n * of_motor + mass * r * r) * T * T / 2.0

    want = (paid_out(r + 1e-5) - paid_out(r - 1e-5)) / 2e-5
    found = _rate(scene_from_data(data), {"r": {"drums.hoist.radius": 1.0}}, "length", method)
    # SHAKE's steps are exact here; those of Stewart-Trinkle err by h/T in T².
    np.testing.assert_allclose(found, want, rtol=1e-6 if method == "shake" else 2.0 * 1e-3 / T)


@pytest.mark.parametrize("reduced", [False, True])
def test_a_centre_of_mass_is_identified_from_a_joints_torque(reduced):
    run = towsim.simulate(_arm("revolute", reduced=True, length=L + 0.2))
    log = towsim.Log(run.time, {"joint_torque[hinge,y]": run["joint_torque"].values[:, 0, 1]})
    found = towsim.identify(_arm("revolute", reduced), log, [CENTRE])
    assert found["centre"] == pytest.approx(0.2, abs=1e-9)


def test_a_cost_of_what_is_a_product_is_refused_backwards():
    model = towsim.compile(_arm("revolute"))

    def cost(run):
        return (run["joint_torque"] ** 2).sum()

    with pytest.raises(UsageError, match="joint_torque is made of several numbers of a step"):
        model.gradient(cost, [CENTRE], of=["joint_torque"], mode="reverse")
    _, slope = model.gradient(cost, [CENTRE], of=["joint_torque"])
    rows = len(model.run()["joint_torque"].values)
    assert slope == pytest.approx([2.0 * rows * (M * G) ** 2 * L], rel=1e-9)


def test_a_variable_that_a_run_lacks_is_refused_by_name():
    ball = {"kind": "ball", "from": "post", "to": "wheel"}
    bodies = {"wheel": {"mass": 2.0, "inertia": [0.1, 0.1, 0.15]}}
    scene = scene_from_data({"bodies": bodies, "robots": POST, "joints": {"hinge": ball}})
    for name in ("joint_torque", "command"):
        with pytest.raises(UsageError, match=f"{name}' in this run|variable of this run '{name}'"):
            towsim.compile(scene, step=1e-3).sensitivities(["bodies.wheel.mass"], of=[name], duration=0.01)
