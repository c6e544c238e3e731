"""Joints as rows: laws of mechanics that bodies on hinges, slides and welds must obey. Both methods, both loops."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import towsim
from towsim.scene import Scene, scene_from_data

G = 9.81
METHODS = ("stewart-trinkle", "shake")
POST = {"post": {"position": [0.0, 0.0, 0.0]}}


# ---------------------------------------------------------------- pendulums


def rod(name: str, at: object, angle: float, mass: float, length: float) -> dict[str, object]:
    """A rod in the xz plane, hung from ``at``, at an angle from the vertical."""
    down = np.array([np.sin(angle), 0.0, -np.cos(angle)])
    inertia = mass * length**2 / 12.0
    return {
        "mass": mass,
        "inertia": [inertia, inertia, 1e-3 * inertia],
        "position": list(np.asarray(at) + 0.5 * length * down),
        "quaternion": [np.cos(angle / 2), 0.0, -np.sin(angle / 2), 0.0],
        "points": {"top": [0, 0, 0.5 * length], "end": [0, 0, -0.5 * length]},
    }


def double_pendulum(kind: str) -> tuple[Scene, tuple[float, ...]]:
    m1, m2, l1, l2, a1, a2 = 1.3, 0.8, 0.7, 0.5, 1.2, -0.6
    elbow = l1 * np.array([np.sin(a1), 0.0, -np.cos(a1)])
    joint = {"kind": kind} | ({"axis": [0, -1, 0]} if kind == "revolute" else {})
    scene = scene_from_data(
        {
            "bodies": {"upper": rod("upper", [0, 0, 0], a1, m1, l1), "lower": rod("lower", elbow, a2, m2, l2)},
            "robots": POST,
            "joints": {
                "shoulder": {"from": "post", "to": "upper.top"} | joint,
                "elbow": {"from": "upper.end", "to": "lower.top"} | joint,
            },
        }
    )
    return scene, (m1, m2, l1, l2, a1, a2)


def lagrangian(m1: float, m2: float, l1: float, l2: float, a1: float, a2: float, time: np.ndarray) -> np.ndarray:
    """Angles (2, n) of two uniform rods in a row from Lagrange's equations, by an adaptive method of order 8."""

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        a, b, u, v = y
        c, s = np.cos(a - b), np.sin(a - b)
        M = np.array([[(m1 / 3 + m2) * l1**2, m2 * l1 * l2 / 2 * c], [m2 * l1 * l2 / 2 * c, m2 * l2**2 / 3]])
        Q = [
            -m2 * l1 * l2 / 2 * s * v**2 - (m1 / 2 + m2) * G * l1 * np.sin(a),
            m2 * l1 * l2 / 2 * s * u**2 - m2 * G * l2 / 2 * np.sin(b),
        ]
        return np.concatenate([[u, v], np.linalg.solve(M, Q)])

    return solve_ivp(rates, (0, time[-1]), [a1, a2, 0, 0], "DOP853", time, rtol=1e-12, atol=1e-12).y[:2]


@pytest.mark.parametrize("kind", ["revolute", "ball"])
@pytest.mark.parametrize("method", METHODS)
def test_a_double_pendulum_of_rods_follows_its_lagrangian(
    method: str, kind: str, simulate: Callable, order: Callable
) -> None:
    scene, numbers = double_pendulum(kind)
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        result = simulate(scene, method, duration=1.5, step=h)
        a, _ = lagrangian(*numbers, result.time)
        elbow = numbers[2] * np.stack([np.sin(a), -np.cos(a)], axis=1)
        x = result["position"].sel(body="upper").values[:, [0, 2]]
        errors.append(float(np.abs(2.0 * x - elbow).max()))
    assert order(errors) == pytest.approx({"stewart-trinkle": 1.0, "shake": 2.0}[method], abs=0.15)
    assert errors[-1] < {"stewart-trinkle": 1e-2, "shake": 2e-5}[method]
    if kind == "revolute":
        start = numbers[4:]
        want = np.array(lagrangian(*numbers, result.time)) - np.array(start)[:, None]
        want[1] -= want[0]  # the elbow's angle is relative
        got = result["joint_position"].values.T
        assert np.abs(got - want).max() < {"stewart-trinkle": 3e-2, "shake": 1e-4}[method]


@pytest.mark.parametrize("method", METHODS)
def test_joints_do_not_open_and_do_not_tilt(method: str, simulate: Callable, order: Callable) -> None:
    """Stewart–Trinkle drifts within O(h²), SHAKE is free of it; both say so in the summary."""
    scene, _ = double_pendulum("revolute")
    drift = []
    for h in (2e-3, 1e-3):
        result = simulate(scene, method, duration=1.5, step=h)
        drift.append(float(result["joint_gap"].values.max()))
        worst, joint, _ = result.summary().drift["joint_gap"]
        assert worst == drift[-1]
        assert joint in scene.joints
    assert order(drift) > {"stewart-trinkle": 1.8, "shake": 3.8}[method]
    # ½ h² ω² l, with the lower rod at up to 12 rad/s.
    assert drift[-1] < {"stewart-trinkle": 6e-5, "shake": 1e-7}[method]
    assert "drift" in str(result.summary())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("h", [1e-3, 2.5e-4])
def test_a_joint_that_is_struck_bears_weight_and_turning_all_along(method: str, h: float, simulate: Callable) -> None:
    """The pivot of a pendulum jumps to v: the reaction is m g, then m (g + v²/L) at most, P = m v I/(I + m L²)."""
    m, L, v = 2.0, 1.0, 3.0
    inertia = 1e-3
    bell = {"mass": m, "inertia": [inertia] * 3, "position": [0, 0, -L], "points": {"pivot": [0, 0, L]}}
    post = {"post": {"motion": {"formula": {"x": f"{v}*max(t - 0.1, 0)"}}}}
    joint = {"j": {"from": "post", "to": "bell.pivot"}}
    scene = scene_from_data({"bodies": {"bell": bell}, "robots": post, "joints": joint})
    result = simulate(scene, method, duration=0.2, step=h)
    reaction = np.linalg.norm(result["joint_reaction"].values[:, 0], axis=1)
    before = round(0.1 / h)
    assert reaction[1:before] == pytest.approx(m * G, rel=1e-6)
    turning = m * L * (m * L * v / (inertia + m * L**2)) ** 2  # m ω² L
    assert reaction[before:].max() == pytest.approx(m * G + turning, rel=1e-3)
    impulse = result["joint_impulse"].values[:, 0].sum(axis=0)
    assert impulse[0] == pytest.approx(m * v * inertia / (inertia + m * L**2), rel=0.02)


@pytest.mark.parametrize("method", METHODS)
def test_a_rod_that_turns_from_the_start_is_held_by_its_centripetal_force(method: str, simulate: Callable) -> None:
    """m ω² d in every row, but for the first step of Stewart–Trinkle, which learns in it that it turns."""
    m, d, w = 2.0, 0.5, 4.0
    bar = {"mass": m, "inertia": [0.1, 0.2, 0.3], "position": [d, 0, 0], "points": {"r": [-d, 0, 0]}}
    bar |= {"angular_velocity": [0, 0, w], "velocity": [0, d * w, 0]}
    joint = {"j": {"kind": "revolute", "axis": [0, 0, 1], "from": "post", "to": "bar.r"}}
    scene = scene_from_data({"gravity": [0, 0, 0], "bodies": {"bar": bar}, "robots": POST, "joints": joint})
    result = simulate(scene, method, duration=0.05, step=1e-4)
    reaction = np.linalg.norm(result["joint_reaction"].values[:, 0], axis=1)
    assert reaction[2:] == pytest.approx(m * w**2 * d, rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_dumbbell_on_a_ball_joint_swings_like_the_physical_pendulum_it_is(method: str, simulate: Callable) -> None:
    """Two point masses welded to a light bar, hung at a third of it: I θ̈ = −(m₁ a − m₂ b) g sin θ."""
    m1, m2, a, b, start = 2.0, 1.0, 0.8, 0.4, 1.0
    mass, lever = m1 + m2, (m1 * a - m2 * b) / (m1 + m2)
    about_pivot = m1 * a**2 + m2 * b**2
    inertia = about_pivot - mass * lever**2
    turn = Rotation.from_euler("y", -start)
    body = {
        "mass": mass,
        "inertia": [inertia, inertia, 1e-2 * inertia],
        "position": turn.apply([0, 0, -lever]).tolist(),
        "quaternion": turn.as_quat(scalar_first=True).tolist(),
        "points": {"pivot": [0, 0, lever]},
    }
    scene = scene_from_data(
        {"bodies": {"bell": body}, "robots": POST, "joints": {"j": {"from": "post", "to": "bell.pivot"}}}
    )
    h = 1e-3
    result = simulate(scene, method, duration=4.0, step=h)
    w2 = mass * lever * G / about_pivot
    theta = solve_ivp(
        lambda _, y: [y[1], -w2 * np.sin(y[0])], (0, 4), [start, 0], "DOP853", result.time, rtol=1e-12, atol=1e-12
    ).y[0]
    path = lever * np.stack([np.sin(theta), 0 * theta, -np.cos(theta)], axis=1)
    error = np.abs(result["position"].values[:, 0] - path).max()
    assert error < {"stewart-trinkle": 5.0 * h, "shake": 20.0 * h**2}[method]
    # m a = m g + R + P/h: what the gap is closed by that the first steps leave as the body begins to turn is P
    acceleration = result["acceleration"].values[2:-1, 0]
    reaction = (result["joint_reaction"].values + result["joint_impulse"].values / h)[2:-1, 0]
    np.testing.assert_allclose(mass * (acceleration - np.array(scene.gravity)), reaction, atol=1e-8 * mass * G)


# ---------------------------------------------------------------- closed and redundant mechanisms


def four_bar(h: float = 1e-3, turned: Rotation | None = None) -> Scene:
    """A planar four-bar of revolutes: a crank, a coupler, a rocker. 20 rows hold 17 of 18 degrees of freedom.

    turned : about the post, gravity with it
    """
    R = Rotation.identity() if turned is None else turned
    crank, coupler, rocker, base = 0.3, 0.9, 0.6, 0.8
    start = 1.1
    p = crank * np.array([np.cos(start), 0.0, np.sin(start)])
    ground = np.array([base, 0.0, 0.0])
    apart = ground - p
    far = np.linalg.norm(apart)
    along = (coupler**2 - rocker**2 + far**2) / (2 * far)
    across = np.sqrt(coupler**2 - along**2)
    n = apart / far
    q = p + along * n + across * np.array([-n[2], 0.0, n[0]])

    def link(a: np.ndarray, b: np.ndarray, mass: float) -> dict[str, object]:
        length = float(np.linalg.norm(b - a))
        d = (b - a) / length
        turn = Rotation.from_matrix(np.stack([d, [0, 1, 0], np.cross(d, [0, 1, 0])], axis=1))
        return {
            "mass": mass,
            "shape": {"box": [length, 0.05, 0.05]},
            "position": R.apply(0.5 * (a + b)).tolist(),
            "quaternion": (R * turn).as_quat(scalar_first=True).tolist(),
            "points": {"a": [-0.5 * length, 0, 0], "b": [0.5 * length, 0, 0]},
        }

    hinge = {"kind": "revolute", "axis": R.apply([0, 1, 0]).tolist()}
    return scene_from_data(
        {
            "gravity": R.apply([0, 0, -G]).tolist(),
            "bodies": {"crank": link(np.zeros(3), p, 1.0), "coupler": link(p, q, 1.5), "rocker": link(q, ground, 1.2)},
            "robots": POST | {"ground": {"position": R.apply(ground).tolist()}},
            "joints": {
                "j1": {"from": "post", "to": "crank.a"} | hinge,
                "j2": {"from": "crank.b", "to": "coupler.a"} | hinge,
                "j3": {"from": "coupler.b", "to": "rocker.a"} | hinge,
                "j4": {"from": "rocker.b", "to": "ground"} | hinge,
            },
            "run": {"duration": 2.0, "step": h},
        }
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_a_redundant_loop_moves_the_same_whichever_way_it_is_turned(method: str, seed: int, simulate: Callable) -> None:
    """Rows in world axes then share out-of-plane bracing at random, which must not tear at the loop later on."""
    turned = Rotation.random(random_state=seed)
    upright, askew = (simulate(four_bar(turned=R), method, duration=20.0, step=4e-3) for R in (None, turned))
    np.testing.assert_allclose(askew["joint_position"].values, upright["joint_position"].values, atol=1e-6)


def energy(result: towsim.Result, scene: Scene) -> np.ndarray:
    """Kinetic and potential energy (n,) [J], springs not included."""
    E = np.zeros(len(result.time))
    for name, body in scene.bodies.items():
        v = result["velocity"].sel(body=name).values
        E += 0.5 * body.mass * np.sum(v**2, axis=1)
        E -= body.mass * result["position"].sel(body=name).values @ np.array(scene.gravity)
        if not body.point:
            R = Rotation.from_quat(result["quaternion"].sel(body=name).values, scalar_first=True)
            spin = R.apply(result["angular_velocity"].sel(body=name).values, inverse=True)
            E += 0.5 * np.einsum("ni,ij,nj->n", spin, body.inertia_matrix(), spin)
    return E


@pytest.mark.parametrize("method", METHODS)
def test_a_closed_four_bar_stays_closed_keeps_its_energy_and_shows_its_redundancy(
    method: str, simulate: Callable, order: Callable
) -> None:
    scene = four_bar()
    drift = []
    for h in (1e-3, 5e-4):
        result = simulate(scene, method, step=h)
        E = energy(result, scene)
        drift.append(float(np.abs(E - E[0]).max()))
    assert (result["rank"].values[2:-1] == 17).all()
    assert not result["tension_unique"].values[2:-1].any()
    assert result["joint_gap"].values.max() < {"stewart-trinkle": 1e-4, "shake": 1e-7}[method]
    assert order(drift) == pytest.approx({"stewart-trinkle": 1.0, "shake": 2.0}[method], abs=0.2)
    assert np.ptp(result["joint_position"].sel(joint="j1").values) > 0.5  # it moves


@pytest.mark.parametrize("method", METHODS)
def test_a_door_on_two_hinges_swings_as_on_one(method: str, simulate: Callable) -> None:
    lean = Rotation.from_euler("x", 0.3)

    def door(hinges: tuple[str, ...]) -> Scene:
        heights = {"upper": 1.6, "lower": 0.4}
        body = {
            "mass": 20.0,
            "shape": {"box": [0.8, 0.04, 2.0]},
            "position": lean.apply([0.4, 0, 1.0]).tolist(),
            "quaternion": lean.as_quat(scalar_first=True).tolist(),
            "points": {k: [-0.4, 0, z - 1.0] for k, z in heights.items()},
        }
        axis = lean.apply([0, 0, 1]).tolist()
        return scene_from_data(
            {
                "bodies": {"door": body},
                "robots": {k: {"position": lean.apply([0, 0, z]).tolist()} for k, z in heights.items()},
                "joints": {
                    k: {"kind": "revolute", "from": k, "to": f"door.{k}", "axis": axis, "motor": 5.0 if i == 0 else 0.0}
                    for i, k in enumerate(hinges)
                },
            }
        )

    one, two = (simulate(door(h), method, duration=2.0, step=1e-3) for h in (("upper",), ("upper", "lower")))
    np.testing.assert_allclose(two["position"].values, one["position"].values, atol=1e-9)
    assert (two["rank"].values[2:-1] == 5).all()
    both = two["joint_reaction"].values.sum(axis=1)[2:-1]
    np.testing.assert_allclose(both, one["joint_reaction"].values[2:-1, 0], atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_weld_makes_one_body_of_two(method: str, simulate: Callable) -> None:
    """A tumbling bar in two halves moves as the whole one."""
    whole = {"mass": 2.0, "shape": {"box": [1.0, 0.1, 0.2]}, "velocity": [1, 0, 2], "angular_velocity": [1.0, 2.0, 3.0]}
    half = {"mass": 1.0, "shape": {"box": [0.5, 0.1, 0.2]}, "angular_velocity": [1.0, 2.0, 3.0]}
    speed = {s: (np.array([1, 0, 2]) + np.cross([1.0, 2.0, 3.0], [s * 0.25, 0, 0])).tolist() for s in (1, -1)}
    halves = {
        name: half | {"position": [s * 0.25, 0, 0], "velocity": speed[s], "points": {"joint": [-s * 0.25, 0, 0]}}
        for name, s in (("left", -1), ("right", 1))
    }
    weld = {"weld": {"kind": "fixed", "from": "left.joint", "to": "right.joint"}}
    a = simulate(scene_from_data({"bodies": {"bar": whole}}), method, duration=1.0, step=5e-4)
    b = simulate(scene_from_data({"bodies": halves, "joints": weld}), method, duration=1.0, step=5e-4)
    centre = b["position"].values.mean(axis=1)
    np.testing.assert_allclose(centre, a["position"].values[:, 0], atol=1e-9)
    turns = [Rotation.from_quat(r["quaternion"].values[:, 0], scalar_first=True) for r in (a, b)]
    angle = (turns[0].inv() * turns[1]).magnitude()
    assert angle.max() < {"stewart-trinkle": 1e-2, "shake": 1e-5}[method]
    assert b["joint_tilt"].values.max() < {"stewart-trinkle": 1e-5, "shake": 1e-9}[method]


# ---------------------------------------------------------------- momentum


def mobile(*, smooth: bool = False) -> Scene:
    """Five bodies in free flight, joined by one joint of each kind, with a spring, a damper and a motor.

    ``smooth``: they start as one rigid body, else each with its own velocities, which the first step must reconcile.
    """
    random = np.random.default_rng(7)
    spin = [1.0, 2.0, -1.5]
    bodies = {
        f"b{k}": {
            "mass": float(random.uniform(0.5, 2.0)),
            "inertia": [0.02, 0.05, 0.06],
            "position": [0.4 * k, 0.1 * k, 0.0],
            "velocity": (np.cross(spin, [0.4 * k, 0.1 * k, 0.0]) if smooth else random.normal(0.0, 0.5, 3)).tolist(),
            "angular_velocity": spin if smooth else random.normal(0.0, 2.0, 3).tolist(),
            "points": {"l": [-0.2, -0.05, 0.0], "r": [0.2, 0.05, 0.0]},
        }
        for k in range(5)
    }
    return scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": bodies,
            "joints": {
                "ball": {"from": "b0.r", "to": "b1.l"},
                "hinge": {"kind": "revolute", "from": "b1.r", "to": "b2.l", "axis": [0, 1, 2], "motor": "0.5*sin(5*t)"},
                "slide": {
                    "kind": "prismatic",
                    "from": "b2.r",
                    "to": "b3.l",
                    "axis": [1, 1, 0],
                    "damping": 0.3,
                    "spring": {"stiffness": 30.0, "rest": 0.1},
                },
                "weld": {"kind": "fixed", "from": "b3.r", "to": "b4.l"},
            },
            "run": {"duration": 1.0, "step": 1e-3},
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_joints_exchange_momentum_and_make_none(method: str, simulate: Callable) -> None:
    scene = mobile()
    result = simulate(scene, method)
    P, H = np.zeros(3), np.zeros(3)
    for name, body in scene.bodies.items():
        x, v = result["position"].sel(body=name).values, result["velocity"].sel(body=name).values
        R = Rotation.from_quat(result["quaternion"].sel(body=name).values, scalar_first=True)
        spin = R.apply(result["angular_velocity"].sel(body=name).values, inverse=True)
        P = P + body.mass * v
        H = H + body.mass * np.cross(x, v) + R.apply(spin @ body.inertia_matrix())
    assert result["joint_gap"].values.max() > 1e-12  # an open joint that pulled in two places would make momentum
    assert np.abs(P - P[0]).max() < 1e-12
    # SHAKE's velocity at a step is the mean of two: x × v is that of momenta before and after, exact as well.
    assert np.abs(H - H[0]).max() < 1e-11
    assert np.abs(np.diff(result["joint_position"].sel(joint="slide").values)).max() > 1e-5


# ---------------------------------------------------------------- loops, back-ends, order


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_both_loops_compute_the_same_motion_of_joints(method: str, simulate: Callable) -> None:
    scene = mobile()
    compiled, python = (simulate(scene, method, duration=0.1, loop=loop) for loop in ("compiled", "python"))
    for name in ("position", "quaternion", "velocity", "joint_position", "joint_reaction", "joint_torque"):
        a, b = compiled[name].values, python[name].values
        np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-9 * np.nanmax(np.abs(a)), err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["lemke", "newton", "osqp", "interior-point"])
def test_every_back_end_moves_joints_the_same_way(solver: str, simulate: Callable) -> None:
    scene = mobile()
    reference = simulate(scene, "stewart-trinkle", duration=0.02)
    result = simulate(scene, "stewart-trinkle", duration=0.02, solver=solver)
    np.testing.assert_allclose(result["position"].values, reference["position"].values, atol=1e-9)
    np.testing.assert_allclose(result["joint_position"].values, reference["joint_position"].values, atol=1e-8)


@pytest.mark.slow
def test_the_mixed_form_of_the_problem_has_springs_as_compliance(simulate: Callable) -> None:
    scene = mobile()
    reference = simulate(scene, "stewart-trinkle", duration=0.02)
    mixed = simulate(scene, "stewart-trinkle", duration=0.02, form="mlcp")
    np.testing.assert_allclose(mixed["position"].values, reference["position"].values, atol=1e-9)


def test_shake_is_of_order_two_with_all_joints(simulate: Callable, order: Callable) -> None:
    scene = mobile(smooth=True)
    runs = [simulate(scene, "shake", duration=0.5, step=h) for h in (4e-3, 2e-3, 1e-3, 5e-4)]
    at = [run["position"].values[-1] for run in runs]
    steps = [float(np.abs(b - a).max()) for a, b in pairwise(at)]
    assert order(steps) == pytest.approx(2.0, abs=0.15)


# ---------------------------------------------------------------- contradictions


def test_robots_that_tear_a_joint_apart_are_refused_by_name() -> None:
    bar = {"mass": 1.0, "shape": {"box": [1.0, 0.1, 0.1]}, "points": {"a": [-0.5, 0, 0], "b": [0.5, 0, 0]}}
    scene = scene_from_data(
        {
            "bodies": {"bar": bar},
            "robots": {
                "left": {"position": [-0.5, 0, 0]},
                "right": {"motion": {"formula": {"x": "0.5 + 0.1*t", "y": 0, "z": 0}}},
            },
            "joints": {"p": {"from": "left", "to": "bar.a"}, "q": {"from": "bar.b", "to": "right"}},
        }
    )
    with pytest.raises(towsim.RefusedError, match=r"joints p and q .* driven apart at 0\.1 m/s") as caught:
        towsim.simulate(scene)
    assert set(caught.value.wires) == {"p", "q"}


@pytest.mark.parametrize("method", METHODS)
def test_a_slide_across_a_moving_slide_is_refused_by_name(method: str) -> None:
    """Two rails at right angles hold the box; one of them moves off."""
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"box": {"mass": 1.0, "shape": {"box": [0.1, 0.1, 0.1]}}},
            "robots": {
                "still": {"position": [-1, 0, 0]},
                "mover": {"motion": {"formula": {"x": 0, "y": "-1", "z": "0.2*max(t - 0.1, 0)"}}},
            },
            "joints": {
                "along-x": {"kind": "prismatic", "from": "still", "to": "box", "axis": [1, 0, 0]},
                "along-y": {"kind": "prismatic", "from": "mover", "to": "box", "axis": [0, 1, 0]},
            },
        }
    )
    with pytest.raises(towsim.RefusedError, match=r"joints along-[xy] and along-[xy] are driven apart") as caught:
        towsim.simulate(scene, method=method, step=1e-3, duration=1.0)
    assert caught.value.time == pytest.approx(0.101, abs=2e-3)
