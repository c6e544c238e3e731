"""Bodies on wires that robots hold go through the kernels by fours: the same rows and motion as through lists."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import scenarios
import towsim
from towsim.model.compile import compile_scene
from towsim.model.model import by_lists
from towsim.run import start
from towsim.run.engine import kept

ONE = "four-robots-box", "eight-wires-box", "slack-jerk", "two-robots-sled", "crane-winch", "circular-tow"


def always_by_lists(monkeypatch):
    """Scenes are compiled without it."""

    def compiled(scene):
        one = compile_scene(scene)
        return replace(one, structure=one.structure._replace(tow=None), model=by_lists(one.model))

    monkeypatch.setattr(start, "compile_scene", compiled)
    kept.swap([])


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("name", ONE)
def test_the_motion_is_that_through_lists_of_rows(name, method, monkeypatch):
    scene = scenarios.get(name).build()
    options = {"duration": 0.5, "step": 1e-3, "method": method}
    assert compile_scene(scene).model.rows.tow is not None
    own = towsim.simulate(scene, **options)
    always_by_lists(monkeypatch)
    lists = towsim.simulate(scene, **options)
    kept.swap([])
    for variable in ("position", "velocity", "quaternion", "gap"):  # sums in another order
        np.testing.assert_allclose(own[variable].values, lists[variable].values, atol=1e-11, err_msg=variable)


def test_the_end_at_which_the_body_is_does_not_matter():
    """Wires from the robots to the body, and from the body to the robots."""
    scene = scenarios.get("four-robots-box").build()
    turned = scene.replace(
        wires={name: wire.replace(from_=wire.to, to=wire.from_) for name, wire in scene.wires.items()}
    )
    one, other = (towsim.simulate(each, duration=0.5, step=1e-3) for each in (scene, turned))
    np.testing.assert_array_equal(one["tension"].values, other["tension"].values)
    np.testing.assert_array_equal(one["position"].values, other["position"].values)


def test_the_rows_of_a_step_are_those_of_the_law():
    """J = [n, r x n] with n from the body to the robot, by numpy from the pose alone."""
    scene = scenarios.get("four-robots-box").build()
    problem = towsim.step_problem(scene, method="stewart-trinkle")
    body = scene.bodies["box"]
    local = np.array([body.points[wire.from_.split(".")[1]] for wire in scene.wires.values()])
    arm = local @ body.rotation_matrix().T
    away = np.array([scene.robots[wire.to].start() for wire in scene.wires.values()]) - arm - np.array(body.position)
    n = away / np.linalg.norm(away, axis=1)[:, None]
    J = np.hstack([n, np.cross(arm, n)])
    turn = body.rotation_matrix()
    inverse = np.zeros((6, 6))
    inverse[:3, :3] = np.eye(3) / body.mass
    inverse[3:, 3:] = turn @ np.linalg.inv(body.inertia_matrix()) @ turn.T
    np.testing.assert_allclose(problem.M.val, (J @ inverse @ J.T)[np.tril_indices(4)], rtol=1e-13)


def with_wires(wires):
    """The box on any number of wires, in the places of the eight by turns."""
    scene = scenarios.get("eight-wires-box").build()
    body, old = scene.bodies["box"], list(scene.wires.values())
    points = {f"p{i}": old[i % 8].from_.split(".")[1] for i in range(wires)}
    return scene.replace(
        bodies={"box": body.replace(points={name: body.points[place] for name, place in points.items()})},
        wires={f"w{i}": old[i % 8].replace(from_=f"box.p{i}") for i in range(wires)},
    )


@pytest.mark.parametrize("wires", [12, 13, 40])
def test_any_number_of_wires_stays_in_its_order_and_goes_this_way(wires):
    more = with_wires(wires)
    compiled = compile_scene(more)
    assert compiled.model.rows.tow is not None
    assert compiled.owners == tuple(more.wires)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("wires", [0, 1, 2, 3, 5, 6, 7, 9])
def test_wires_that_are_no_fours_are_those_of_lists(wires, method, monkeypatch):
    """The box falls, or swings wildly, until wires tighten; then it is chaotic."""
    scene, options = with_wires(wires), {"duration": 0.2, "step": 1e-3, "method": method}
    own = towsim.simulate(scene, **options)
    always_by_lists(monkeypatch)
    lists = towsim.simulate(scene, **options)
    kept.swap([])
    for variable in ("position", "velocity", "quaternion", "gap")[: None if wires else -1]:
        np.testing.assert_allclose(own[variable].values, lists[variable].values, atol=1e-10, err_msg=variable)


def test_a_box_with_other_points_moves_as_in_a_scene_of_its_own():
    """The points of a scene before it, with the same structure, are not kept."""
    one, other = with_wires(5), with_wires(5)
    points = {name: (0.9 * x, y, z) for name, (x, y, z) in other.bodies["box"].points.items()}
    lengths = {name: wire.replace(length=1.2 * wire.length) for name, wire in other.wires.items()}
    other = other.replace(bodies={"box": other.bodies["box"].replace(points=points)}, wires=lengths)
    one = one.replace(wires={name: wire.replace(length=1.2 * wire.length) for name, wire in one.wires.items()})
    runs = {}
    for order in ((one, other), (other, one)):
        kept.swap([])
        for scene in order:
            result = towsim.simulate(scene, duration=0.3, step=1e-3)
            runs.setdefault(id(scene), []).append(result["position"].values.copy())
    assert all(np.array_equal(*pair) for pair in runs.values())
    assert not np.array_equal(runs[id(one)][0], runs[id(other)][0])


@pytest.mark.parametrize("name", ["payload-chain", "drag-box-rough-ground", "block-and-tackle", "slewing-crane"])
def test_other_scenes_go_through_lists(name):
    rows = compile_scene(scenarios.get(name).build()).model.rows
    assert rows.tow is None
    assert rows.lists


@pytest.mark.parametrize("name", ONE)
def test_a_tow_is_compiled_without_what_goes_through_lists(name):
    rows = compile_scene(scenarios.get(name).build()).model.rows
    assert rows.tow is not None
    assert rows.lists is None


def boxes_apart():
    """A box on three wires and one on five, 10 m apart, whose wires are declared by turns, and each by itself."""
    three, five = with_wires(3), with_wires(5)
    away = np.array([10.0, 0.0, 0.0])
    robots = {
        f"far_{name}": robot.replace(motion=None, position=tuple(robot.start() + away))
        for name, robot in five.robots.items()
    }
    box = five.bodies["box"].replace(position=tuple(np.array(five.bodies["box"].position) + away))
    wires = {
        f"far_{name}": wire.replace(from_=wire.from_.replace("box", "far"), to=f"far_{wire.to}")
        for name, wire in five.wires.items()
    }
    alone = three, three.replace(bodies={"far": box}, robots=robots, wires=wires)
    turns = sorted([*three.wires.items(), *wires.items()], key=lambda pair: pair[0][-1], reverse=True)
    both = three.replace(
        bodies={"far": box, "box": three.bodies["box"]}, robots=three.robots | robots, wires=dict(turns)
    )
    return both, alone


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_bodies_on_wires_of_their_own_move_as_each_would_alone(method):
    """Differences are those of rounding bounds, which are taken from the largest coordinate of a scene.

    SHAKE's velocities are differences of positions over h, so that rounding of those is 1000 times that in velocities.
    """
    both, alone = boxes_apart()
    exact = {"position": 1e-11, "velocity": 1e-10, "angular_velocity": 1e-10} if method == "shake" else {}
    rows = compile_scene(both).model.rows
    assert rows.tow is not None
    assert list(rows.parts) in ([0, 3, 8], [0, 5, 8])
    together = towsim.simulate(both, duration=0.3, step=1e-3, method=method)
    for scene in alone:
        (name,) = scene.bodies
        own = towsim.simulate(scene, duration=0.3, step=1e-3, method=method)
        for variable in ("position", "velocity", "angular_velocity"):
            mine = together[variable].sel(body=name).values
            np.testing.assert_allclose(
                mine, own[variable].values[:, 0], atol=exact.get(variable, 1e-11), err_msg=variable
            )
        for wire in scene.wires:
            mine, theirs = (run["tension"].sel(wire=wire).values for run in (together, own))
            np.testing.assert_allclose(mine, theirs, atol=1e-7)


def test_rows_that_nothing_couples_are_parts():
    """Two pairs of boxes, joined by wires and declared by turns: two parts, whose rows follow each other."""
    scene = scenarios.get("four-robots-box").build()
    box = next(iter(scene.bodies.values()))
    points = box.replace(points={"top": (0.0, 0.0, 0.1)})
    bodies = {name: points.replace(position=(3.0 * i, 0.0, 0.0)) for i, name in enumerate("abcd")}
    wire = next(iter(scene.wires.values()))
    ends = [("a.top", "b.top"), ("c.top", "d.top"), ("b.top", "a.top"), ("d.top", "c.top")]
    wires = {f"w{i}": wire.replace(from_=a, to=b, length=3.5) for i, (a, b) in enumerate(ends)}
    compiled = compile_scene(scene.replace(bodies=bodies, robots={}, wires=wires))
    assert list(compiled.model.rows.parts) == [0, 2, 4]
    assert compiled.owners == ("w0", "w2", "w1", "w3")
