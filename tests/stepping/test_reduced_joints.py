"""Arms as sub-systems: bodies that move in joint coordinates, beside free bodies, wires, cables and contacts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import towsim
from towsim.formulations.from_scene import scene_tree
from towsim.formulations.reduced import Reduced
from towsim.scene import Scene, scene_from_data

G = 9.81


def crane(reduced: bool, **more: object) -> Scene:
    """A boom with a spring and a driven jib on a carriage that accelerates; a load swings on a rope from its tip."""
    joint = {"kind": "revolute", "axis": [0, 1, 0], "reduced": reduced}
    return scene_from_data(
        {
            "bodies": {
                "boom": {"mass": 5.0, "shape": {"box": [1.0, 0.1, 0.1]}, "position": [0.5, 0, 0],
                         "points": {"a": [-0.5, 0, 0], "b": [0.5, 0, 0]}},
                "jib": {"mass": 2.0, "shape": {"box": [0.8, 0.1, 0.1]}, "position": [1.4, 0, 0],
                        "points": {"a": [-0.4, 0, 0], "tip": [0.4, 0, 0]}},
                "load": {"mass": 3.0, "shape": {"box": [0.2, 0.2, 0.2]}, "position": [1.8, 0, -0.6],
                         "points": {"eye": [0, 0, 0.1]}, "velocity": [0, 0.3, 0]},
            },
            "robots": {"carriage": {"motion": {"formula": {"x": "0.5*t**2", "y": "0.2*t**3", "z": 0}}}},
            "joints": {
                "slew": joint | {"from": "carriage", "to": "boom.a", "spring": {"stiffness": 400.0}, "damping": 5.0},
                "luff": joint | {"from": "boom.b", "to": "jib.a", "motor": "-30*sin(2*t)"},
            },
            "wires": {"rope": {"from": "load.eye", "to": "jib.tip", "length": 0.5}},
        }
        | more
    )  # fmt: skip


def test_an_arm_in_joint_coordinates_moves_as_one_held_by_rows(simulate: Callable) -> None:
    """Both are of first order, with the same error of it; what is held by coordinates does not drift."""
    apart = []
    for h in (2e-3, 1e-3):
        rows, reduced = (simulate(crane(r), duration=1.0, step=h) for r in (False, True))
        apart.append(float(np.abs(rows["position"].values - reduced["position"].values).max()))
        assert np.abs(rows["joint_position"].values - reduced["joint_position"].values).max() < 1.0 * h
        assert reduced["joint_gap"].values.max() < 1e-13
        assert rows["joint_gap"].values.max() > 1e-7
    assert apart[1] < 5e-4
    assert apart[0] / apart[1] == pytest.approx(4.0, abs=0.4)


def test_it_converges_to_an_independent_method_with_order_one(simulate: Callable) -> None:
    reference = towsim.simulate(crane(False), method="shake", duration=1.0, step=1e-4)["position"].values[-1]
    errors = [
        float(np.abs(simulate(crane(True), duration=1.0, step=h)["position"].values[-1] - reference).max())
        for h in (2e-3, 1e-3)
    ]
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.1)
    assert errors[1] < 2e-3


def test_shake_moves_an_arm_with_order_two(simulate: Callable) -> None:
    """Places, accelerations and pulls of order 2, a stretch of order 4, and joints that stay closed."""
    reference = simulate(crane(False), method="shake", duration=1.0, step=1e-4)
    errors = []
    for h in (2e-3, 1e-3):
        result = simulate(crane(True), method="shake", duration=1.0, step=h)
        every = round(h / 1e-4)
        off = {
            name: float(np.abs(result[name].values[5:-1] - reference[name].values[::every][5:-1]).max())
            for name in ("position", "velocity", "acceleration", "angular_acceleration", "tension")
        }
        errors.append([*off.values(), float(-result["gap"].values.min())])
        assert result["joint_gap"].values.max() < 1e-13
    coarse, fine = np.array(errors)
    np.testing.assert_allclose(coarse[:5] / fine[:5], 4.0, atol=0.3)
    assert coarse[5] / fine[5] == pytest.approx(16.0, abs=1.0)
    assert fine[0] < 1e-5


@pytest.mark.parametrize(("method", "order"), [("stewart-trinkle", 1), ("shake", 2)])
def test_reactions_of_an_arm_are_those_of_rows(method: str, order: int, simulate: Callable) -> None:
    """Forces, and torques with those of spring, damper and motor; drag, and joints declared from the tip inwards."""
    ways = ("carriage", "boom.a", "boom.b", "jib.a", "-30"), ("boom.a", "carriage", "jib.a", "boom.b", "30")
    for a, b, c, d, torque in ways:

        def scene(reduced: bool, a: str = a, b: str = b, c: str = c, d: str = d, torque: str = torque) -> Scene:
            joint = {"kind": "revolute", "axis": [0, 1, 0], "reduced": reduced}
            slew = joint | {"from": a, "to": b, "spring": {"stiffness": 400.0}, "damping": 5.0}
            luff = joint | {"from": c, "to": d, "motor": f"{torque}*sin(2*t)"}
            return crane(reduced, joints={"slew": slew, "luff": luff}).with_values({"bodies.jib.drag.linear": 4.0})

        reference = simulate(scene(False), method="shake", duration=1.0, step=2e-4)
        errors = []
        for h in (2e-3, 1e-3):
            result = simulate(scene(True), method=method, duration=1.0, step=h)
            late = 0 if method == "shake" else 1  # forces act at the beginning of a step
            every = round(h / 2e-4)
            errors.append(
                [
                    float(
                        np.abs(result[name].values[5:-2] - reference[name].values[::every][5 - late : -2 - late]).max()
                    )
                    for name in ("joint_reaction", "joint_torque")
                ]
            )
        assert np.abs(reference["joint_torque"].values).max() > 20.0
        np.testing.assert_allclose(np.divide(*errors), 2.0**order, rtol=0.25)


@pytest.mark.parametrize(("method", "order"), [("stewart-trinkle", 1), ("shake", 2)])
def test_a_ball_passes_no_torque_and_a_post_bears_all_that_falls_on_it(
    method: str, order: int, simulate: Callable
) -> None:
    """The chain's hook: its force is the rate of all momenta less the weights, its torque the method's error."""
    torque = []
    for h in (2e-3, 1e-3):
        result = simulate(chain(True), method=method, duration=0.5, step=h)
        torque.append(float(np.abs(result["joint_torque"].sel(joint="hook").values[2:]).max()))
        total = result["acceleration"].values.sum(axis=1) + np.array([0.0, 0.0, 3.0 * G])
        np.testing.assert_allclose(result["joint_reaction"].sel(joint="hook").values[1:], total[1:], atol=1e-9)
    assert torque[0] / torque[1] == pytest.approx(2.0**order, rel=0.1)
    assert torque[1] < 0.1


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_jerk_passes_an_impulse_and_no_force_through_the_joints(method: str, simulate: Callable) -> None:
    """Two links hang from a post; a ball on a wire falls below them and jerks: the post bears the whole jerk."""
    link = {"mass": 1.0, "shape": {"box": [0.1, 0.1, 0.6]}, "points": {"a": [0, 0, 0.3], "b": [0, 0, -0.3]}}
    hinge = {"kind": "revolute", "axis": [0, 1, 0], "reduced": True}
    scene = scene_from_data(
        {
            "bodies": {
                "upper": link | {"position": [0, 0, -0.3]},
                "lower": link | {"position": [0, 0, -0.9]},
                "ball": {"mass": 2.0, "point": True, "position": [0, 0, -1.3]},
            },
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {
                "hip": hinge | {"from": "post", "to": "upper.a"},
                "knee": hinge | {"from": "upper.b", "to": "lower.a"},
            },
            "wires": {"w": {"from": "lower.b", "to": "ball", "length": 0.5}},
        }
    )
    result = simulate(scene, method=method, duration=0.5)
    speed = np.sqrt(2.0 * G * 0.4)
    for joint in ("hip", "knee"):
        assert result["joint_impulse"].sel(joint=joint).values[:, 2].sum() == pytest.approx(2.0 * speed, rel=5e-3)
    weights = result["joint_reaction"].sel(joint="hip").values[:, 2]
    assert weights[:200] == pytest.approx(2.0 * G, rel=1e-9)
    assert weights[-20:] == pytest.approx(4.0 * G, rel=1e-6)
    assert weights.max() < 4.0 * G * (1.0 + 1e-6)


@pytest.mark.parametrize(("method", "order"), [("stewart-trinkle", 1), ("shake", 2)])
def test_drag_brakes_the_bodies_of_an_arm(method: str, order: int, simulate: Callable) -> None:
    """As of bodies that are held by rows: linear and quadratic drag and a wind, at the centres of boom and jib."""
    drag = {"bodies.boom.drag.linear": 3.0, "bodies.jib.drag.quadratic": 2.0, "wind": [2.0, 0.0, 0.0]}
    reference = simulate(crane(False).with_values(drag), method="shake", duration=1.0, step=1e-4)["position"].values[-1]
    still = simulate(crane(False), method="shake", duration=1.0, step=1e-3)["position"].values[-1]
    assert np.abs(reference - still).max() > 0.05
    errors = [
        float(
            np.abs(
                simulate(crane(True).with_values(drag), method=method, duration=1.0, step=h)["position"].values[-1]
                - reference
            ).max()
        )
        for h in (4e-3, 2e-3)
    ]
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.2)


def test_a_drag_however_large_stops_an_arm_and_does_no_more(simulate: Callable) -> None:
    """Implicit: a pendulum that is braked within a hundredth of a step creeps down, at m g sin φ = c v."""
    for method in ("stewart-trinkle", "shake"):
        scene = crane(True).with_values({"bodies.boom.drag.linear": 5e5, "joints.luff.motor": 0.0})
        result = simulate(scene, method=method, duration=0.2)
        assert np.abs(result["velocity"].sel(body="boom").values[:, 2]).max() < 1e-3


def chain(reduced: bool) -> Scene:
    """A ball joint, a slide and a hinge one after the other, spinning: every kind of joint, no wires."""
    box = {"mass": 1.0, "shape": {"box": [0.2, 0.3, 0.4]}}
    spin = [0.4, -0.3, 0.5]
    places = {"first": [0.2, 0.0, -0.3], "second": [0.9, 0.1, -0.3], "third": [1.3, 0.1, -0.6]}
    bodies = {
        name: box | {"position": at, "angular_velocity": spin, "velocity": np.cross(spin, at).tolist()}
        for name, at in places.items()
    }
    bodies["first"] |= {"points": {"hook": [-0.2, 0, 0.3], "rail": [0.1, 0.1, 0]}}
    bodies["second"] |= {"points": {"end": [0.2, 0, -0.2]}}
    bodies["third"] |= {"points": {"end": [-0.2, 0, 0.1]}}
    return scene_from_data(
        {
            "bodies": bodies,
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {
                "hook": {"from": "post", "to": "first.hook", "reduced": reduced},
                "rail": {
                    "kind": "prismatic",
                    "from": "first.rail",
                    "to": "second",
                    "axis": [1, 0, 0],
                    "spring": {"stiffness": 50.0, "rest": 0.6},
                    "damping": 2.0,
                    "reduced": reduced,
                },
                "hinge": {
                    "kind": "revolute",
                    "from": "second.end",
                    "to": "third.end",
                    "axis": [0, 1, 1],
                    "reduced": reduced,
                },
            },
        }
    )


@pytest.mark.parametrize(("method", "order", "bound"), [("stewart-trinkle", 1, 5e-3), ("shake", 2, 5e-6)])
def test_all_kinds_of_joints_follow_the_reduced_equations(
    method: str, order: int, bound: float, simulate: Callable
) -> None:
    scene = chain(True)
    tree = scene_tree(chain(False))
    motion = Reduced(tree.tree).run(1.0, 1e-3)
    reference = tree.positions(motion)[-1]
    errors = [
        float(np.abs(simulate(scene, method=method, duration=1.0, step=h)["position"].values[-1] - reference).max())
        for h in (1e-3, 5e-4)
    ]
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.05)
    assert errors[1] < bound


@pytest.mark.parametrize(("method", "order", "bound"), [("stewart-trinkle", 1, 2e-2), ("shake", 2, 1e-4)])
def test_a_swinging_arm_neither_gains_nor_loses_energy(
    method: str, order: int, bound: float, simulate: Callable
) -> None:
    """Two sprung links that swing: the error of energy, O(h) or O(h²), comes and goes and does not grow with time."""
    link = {"mass": 1.0, "shape": {"box": [0.1, 0.1, 0.6]}, "points": {"a": [0, 0, 0.3], "b": [0, 0, -0.3]}}
    k, ends, bodies = 2.0, np.zeros(3), {}
    for name, angle in (("upper", 0.9), ("lower", 0.5)):
        along = np.array([-np.sin(angle), 0.0, -np.cos(angle)])
        turn = [np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0]
        bodies[name] = link | {"position": (ends + 0.3 * along).tolist(), "quaternion": turn}
        ends = ends + 0.6 * along
    joint = {"kind": "revolute", "axis": [0, 1, 0], "reduced": True}
    joints = {
        "hip": joint | {"from": "post", "to": "upper.a"},
        "knee": joint | {"from": "upper.b", "to": "lower.a", "spring": {"stiffness": k}},
    }
    scene = scene_from_data({"bodies": bodies, "robots": {"post": {"position": [0, 0, 0]}}, "joints": joints})
    inertia = (0.6**2 + 0.1**2) / 12.0
    worst = []
    for h in (2e-3, 1e-3):
        result = simulate(scene, method=method, duration=20.0, step=h)
        speed, spin = result["velocity"].values, result["angular_velocity"].values[:, :, 1]
        bent = result["joint_position"].sel(joint="knee").values
        kinetic = 0.5 * (speed**2).sum(axis=(1, 2)) + 0.5 * inertia * (spin**2).sum(axis=1)
        error = kinetic + G * result["position"].values[:, :, 2].sum(axis=1) + 0.5 * k * bent**2
        error -= error[0]
        worst.append(float(np.abs(error).max()))
        quarter = len(error) // 4
        assert abs(error[-quarter:].mean() - error[:quarter].mean()) < 0.2 * worst[-1]  # with c at u: 5 times worst
    assert worst[0] / worst[1] == pytest.approx(2.0**order, rel=0.1)
    assert worst[1] < bound


def test_two_free_arms_that_pull_at_each_other_keep_their_momentum_to_first_order(simulate: Callable) -> None:
    link = {"mass": 1.0, "shape": {"box": [0.1, 0.1, 0.6]}, "points": {"a": [0, 0, 0.3], "b": [0, 0, -0.3]}}
    bodies = {
        f"{arm}{k}": link | {"position": [x, 0, -0.6 * k], "velocity": [v, 0.2 * v, 0]}
        for arm, x, v in (("p", 0.0, -0.5), ("q", 0.8, 0.7))
        for k in range(2)
    }
    joints = {
        arm: {"kind": "revolute", "from": f"{arm}0.b", "to": f"{arm}1.a", "axis": [0, 1, 0], "reduced": True}
        for arm in "pq"
    }
    wires = {"w": {"from": "p0.a", "to": "q1.b", "length": 1.8}}
    scene = scene_from_data({"gravity": [0, 0, 0], "bodies": bodies, "joints": joints, "wires": wires})
    drift = []
    for h in (2e-3, 1e-3):
        result = simulate(scene, duration=1.5, step=h)
        assert result["impulse"].values.max() > 1e-3, "they jerk the wire"
        momentum = result["velocity"].values.sum(axis=1)
        drift.append(float(np.abs(momentum - momentum[0]).max()))
    assert drift[1] < 1e-2
    assert drift[0] / drift[1] == pytest.approx(2.0, abs=0.4)


def hoist() -> Scene:
    """An arm carries a load by two wires, one of which breaks, and a bob, and rests on a foot that slides."""
    return scene_from_data(
        {
            "bodies": {
                "arm": {"mass": 4.0, "shape": {"box": [1.0, 0.1, 0.1]}, "position": [0.5, 0, 1.0],
                        "points": {"root": [-0.5, 0, 0], "tip": [0.5, 0, 0]}},
                "foot": {"mass": 1.0, "shape": {"box": [0.1, 0.1, 1.0]}, "position": [1.0, 0, 0.5],
                         "points": {"top": [0, 0, 0.5], "toe": [0, 0, -0.5]}},
                "load": {"mass": 2.0, "shape": {"box": [0.2, 0.2, 0.2]}, "position": [0.5, 0.0, 0.3],
                         "points": {"l": [-0.1, 0, 0.1], "r": [0.1, 0, 0.1]}},
                "bob": {"mass": 0.5, "point": True, "position": [0.5, 0.3, 0.5]},
            },
            "robots": {"post": {"motion": {"formula": {"x": "0.3*t**2", "y": 0, "z": 1.0}}}},
            "joints": {
                "root": {"kind": "revolute", "from": "post", "to": "arm.root", "axis": [0, 1, 0], "reduced": True},
                "knee": {"kind": "revolute", "from": "arm.tip", "to": "foot.top", "axis": [0, 1, 0], "damping": 20.0,
                         "reduced": True},
            },
            "wires": {
                "l": {"from": "load.l", "to": "arm", "length": 0.61, "break": {"tension": 12.0, "impulse": 0.012}},
                "r": {"from": "load.r", "to": "arm", "length": 0.61},
                "c": {"from": "arm", "to": "bob", "length": 0.6},
            },
            "ground": {"contacts": ["foot.toe", "load"]},
        }
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"loop": "python"}, {"solver": "lemke"}])
def test_shake_in_every_way_gives_the_same_motion(options: dict[str, object], simulate: Callable) -> None:
    """A loop that a joint of rows closes, a wire that breaks, and one that jerks."""
    scene = hoist().with_values({"joints.root.reduced": False})
    reference = simulate(scene, method="shake", duration=0.15)
    assert len(reference.events.select("break")) == 1
    other = simulate(scene, method="shake", duration=0.15, **options)
    np.testing.assert_allclose(other["position"].values, reference["position"].values, atol=1e-8)


def test_a_loop_that_rows_close_over_an_arm_moves_with_order_two(simulate: Callable) -> None:
    """A four-bar linkage: two bars in coordinates, the third by rows."""
    bar = {"mass": 1.0, "shape": {"box": [1.0, 0.1, 0.1]}, "points": {"a": [-0.5, 0, 0], "b": [0.5, 0, 0]}}
    up = [np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0]

    def linkage(reduced: bool) -> Scene:
        hinge = {"kind": "revolute", "axis": [0, 1, 0], "reduced": reduced}
        return scene_from_data(
            {
                "bodies": {
                    "left": bar
                    | {
                        "position": [0, 0, 0.5],
                        "quaternion": up,
                        "velocity": [0.5, 0, 0],
                        "angular_velocity": [0, 1, 0],
                    },
                    "top": bar | {"position": [0.5, 0, 1.0], "velocity": [1.0, 0, 0]},
                    "right": bar
                    | {
                        "position": [1, 0, 0.5],
                        "quaternion": up,
                        "velocity": [0.5, 0, 0],
                        "angular_velocity": [0, 1, 0],
                    },
                },
                "robots": {"a": {"position": [0, 0, 0]}, "b": {"position": [1, 0, 0]}},
                "joints": {
                    "one": hinge | {"from": "a", "to": "left.a"},
                    "two": hinge | {"from": "left.b", "to": "top.a"},
                    "three": {"kind": "revolute", "axis": [0, 1, 0], "from": "top.b", "to": "right.b"},
                    "four": {"kind": "revolute", "axis": [0, 1, 0], "from": "b", "to": "right.a"},
                },
            }
        )

    # The bars lie in one line later, where the linkage may fold another way.
    reference = simulate(linkage(False), method="shake", duration=0.4, step=1e-4)["position"].values[-1]
    errors = []
    for h in (4e-3, 2e-3):
        result = simulate(linkage(True), method="shake", duration=0.4, step=h)
        errors.append(float(np.abs(result["position"].values[-1] - reference).max()))
        assert result["joint_gap"].values.max() < 1e-6
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.4)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"loop": "python"}, {"solver": "lemke"}])
def test_every_way_to_solve_it_gives_the_same_motion(options: dict[str, object], simulate: Callable) -> None:
    reference = simulate(hoist(), duration=0.15)
    assert len(reference.events.select("break")) == 1
    other = simulate(hoist(), duration=0.15, **options)
    np.testing.assert_allclose(other["position"].values, reference["position"].values, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["lemke", "active-set", "newton", "osqp", "interior-point", "pgs", "cvxpy"])
def test_every_back_end_moves_an_arm_with_a_load(solver: str, simulate: Callable) -> None:
    reference = simulate(crane(True), duration=0.1)
    other = simulate(crane(True), duration=0.1, solver=solver)
    np.testing.assert_allclose(other["position"].values, reference["position"].values, atol=1e-9)


def test_a_load_on_an_arm_stays_where_spring_and_weight_balance(simulate: Callable) -> None:
    """κ φ = (m_arm L/2 + m L) g cos φ at a hinge with a stiff spring."""
    scene = scene_from_data(
        {
            "bodies": {
                "arm": {
                    "mass": 2.0,
                    "shape": {"box": [1.0, 0.05, 0.05]},
                    "position": [0.5, 0, 0],
                    "points": {"root": [-0.5, 0, 0], "tip": [0.5, 0, 0]},
                },
                "load": {"mass": 1.5, "point": True, "position": [1.0, 0, -0.4]},
            },
            "robots": {"wall": {"position": [0, 0, 0]}},
            "joints": {
                "root": {
                    "kind": "revolute",
                    "from": "wall",
                    "to": "arm.root",
                    "axis": [0, 1, 0],
                    "reduced": True,
                    "spring": {"stiffness": 300.0},
                    "damping": 60.0,
                }
            },
            "wires": {"w": {"from": "load", "to": "arm.tip", "length": 0.4}},
        }
    )
    result = simulate(scene, duration=10.0, step=2e-3)
    angle = result["joint_position"].values[-1, 0]
    assert 300.0 * angle == pytest.approx((2.0 * 0.5 + 1.5) * G * np.cos(angle), rel=1e-3)
    assert result["tension"].values[-1, 0] == pytest.approx(1.5 * G, rel=1e-2)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ({"kind": "fixed"}, "fixed joint has no coordinate"),
        ({"limits": [-1.0, 1.0]}, "takes no limits"),
        ({"detach": 1.0}, "takes no detach"),
    ],
)
def test_what_a_reduced_joint_cannot_be_is_refused(joint: dict[str, object], message: str) -> None:
    hinge = {"kind": "revolute", "axis": [0, 1, 0], "from": "carriage", "to": "boom.a", "reduced": True} | joint
    if hinge["kind"] == "fixed":
        del hinge["axis"]
    with pytest.raises(towsim.SceneError, match=message):
        crane(True, joints={"slew": hinge})


def test_a_loop_of_reduced_joints_is_refused_by_name() -> None:
    joint = {"kind": "revolute", "axis": [0, 1, 0], "reduced": True}
    with pytest.raises(towsim.SceneError, match=r"joints.third.reduced.*closes a loop"):
        crane(
            True,
            joints={
                "slew": joint | {"from": "carriage", "to": "boom.a"},
                "luff": joint | {"from": "boom.b", "to": "jib.a"},
                "third": {"kind": "prismatic", "axis": [0, 0, 1], "from": "boom", "to": "jib", "reduced": True},
            },
        )


@pytest.mark.parametrize("method", ["dae", "bdf2"])
def test_other_methods_refuse_it_by_name(method: str) -> None:
    with pytest.raises(towsim.UsageError, match="takes no reduced joints, such as 'slew'"):
        towsim.simulate(
            crane(True).with_values({"joints.slew.spring": None, "joints.slew.damping": 0.0}), method=method
        )


def test_a_start_that_tears_at_a_reduced_joint_is_refused() -> None:
    scene = crane(True).with_values({"bodies.boom.velocity": [0.0, 0.0, 0.5]})
    with pytest.raises(towsim.SceneError, match=r"joint 'slew': .* differ by 0\.5 m/s"):
        towsim.simulate(scene)
