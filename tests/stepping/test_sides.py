"""Sides of bodies go through the kernels four at a time: the rows of the laws, and the motion of each body alone."""

from __future__ import annotations

import numpy as np
import pytest

import scenarios
import towsim
from solvers.matrix import to_dense
from towsim.model.compile import compile_scene
from towsim.run.engine import kept


def test_the_end_at_which_the_body_is_does_not_matter():
    """Wires from the robots to the body, and from the body to the robots."""
    scene = scenarios.get("four-robots-box").build()
    turned = scene.replace(
        wires={name: wire.replace(from_=wire.to, to=wire.from_) for name, wire in scene.wires.items()}
    )
    one, other = (towsim.simulate(each, duration=0.5, step=1e-3) for each in (scene, turned))
    np.testing.assert_array_equal(one["tension"].values, other["tension"].values)
    np.testing.assert_array_equal(one["position"].values, other["position"].values)


def with_wires(wires):
    """The box on any number of wires, in the places of the eight by turns."""
    scene = scenarios.get("eight-wires-box").build()
    body, old = scene.bodies["box"], list(scene.wires.values())
    points = {f"p{i}": old[i % 8].from_.split(".")[1] for i in range(wires)}
    return scene.replace(
        bodies={"box": body.replace(points={name: body.points[place] for name, place in points.items()})},
        wires={f"w{i}": old[i % 8].replace(from_=f"box.p{i}") for i in range(wires)},
    )


def joined(boxes, wires):
    """Boxes above each other on so many wires each, the next one's robots in the one above."""
    scene, bodies, lines = with_wires(wires), {}, {}
    box = scene.bodies["box"]
    for i in range(boxes):
        place = np.array(box.position) - [0.1 * i, 0.2 * i, 2.0 * i]
        bodies[f"box{i}"] = box.replace(position=tuple(place), quaternion=(0.9, 0.1 * i, 0.2, 0.1))
        for name, wire in scene.wires.items():
            above = wire.to if i == 0 else f"box{i - 1}.{wire.from_.split('.')[1]}"
            ends = {"from_": wire.from_.replace("box", f"box{i}"), "to": above}
            lines[f"{name}_{i}"] = wire.replace(length=5.0, **ends)
    turns = {name: lines[name] for name in sorted(lines, reverse=True)}
    return scene.replace(bodies=bodies, wires=turns)


def of_the_law(scene):
    """A = J Y Jᵀ of a scene of boxes on straight wires at its start, by numpy from the poses alone."""
    bodies = list(scene.bodies)
    J, Y = np.zeros((len(scene.wires), 6 * len(bodies))), np.zeros((6 * len(bodies), 6 * len(bodies)))
    for i, body in enumerate(scene.bodies.values()):
        turn = body.rotation_matrix()
        Y[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = np.eye(3) / body.mass
        Y[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = turn @ np.linalg.inv(body.inertia_matrix()) @ turn.T
    for row, wire in enumerate(scene.wires.values()):
        arms, places = {}, {}
        for end in (wire.from_, wire.to):
            owner, _, point = end.partition(".")
            if owner in scene.robots:
                places[end] = np.array(scene.robots[owner].start())
            else:
                body = scene.bodies[owner]
                arms[end] = body.rotation_matrix() @ np.array(body.points[point])
                places[end] = np.array(body.position) + arms[end]
        n = places[wire.to] - places[wire.from_]
        n /= np.linalg.norm(n)
        for end, d in ((wire.from_, n), (wire.to, -n)):
            if end in arms:
                k = 6 * bodies.index(end.partition(".")[0])
                J[row, k : k + 6] += np.concatenate([d, np.cross(arms[end], d)])
    return J @ Y @ J.T


@pytest.mark.parametrize("boxes", [1, 2, 5])
@pytest.mark.parametrize("wires", [1, 2, 3, 4, 5, 6, 8, 9, 13])
def test_the_problem_of_a_step_is_that_of_the_law(wires, boxes):
    scene = joined(boxes, wires)
    problem = towsim.step_problem(scene, method="stewart-trinkle")
    order = [list(scene.wires).index(name) for name in problem.names]
    expected = of_the_law(scene)[np.ix_(order, order)]
    np.testing.assert_allclose(to_dense(problem.M), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["payload-chain", "block-and-tackle"])
def test_whatever_has_rows_the_products_of_their_sides_are_those_of_the_directions(name):
    """A = J M⁻¹ Jᵀ of the factors that go with the problem, each by its own way; compliant rows have more on A."""
    problem = towsim.step_problem(scenarios.get(name).build(), method="stewart-trinkle")
    J, inverse = problem.wires.G.T, problem.wires.Minv
    product = J @ inverse @ J.T
    A = to_dense(problem.M)
    np.testing.assert_allclose(A - np.diag(A - product), product, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("wires", [12, 13, 40])
def test_any_number_of_wires_stays_in_its_order(wires):
    more = with_wires(wires)
    assert compile_scene(more).owners == tuple(more.wires)


@pytest.mark.parametrize("boxes", [1, 3])
@pytest.mark.parametrize("wires", [1, 2, 3, 4, 5, 6])
def test_four_at_a_time_is_one_after_the_other(wires, boxes):
    """Numbers that carry derivatives go through the same formulas one by one: the same run to rounding."""
    scene = joined(boxes, wires)
    options = {"duration": 0.05, "step": 1e-3, "method": "stewart-trinkle"}
    plain = towsim.simulate(scene, **options)
    model = towsim.compile(scene, step=1e-3, method="stewart-trinkle")
    carried = model.sensitivities(["bodies.box0.mass"], of=["position", "gap"], duration=0.05)
    for variable in ("position", "gap"):
        np.testing.assert_allclose(
            carried.result[variable].values, plain[variable].values, atol=1e-12, err_msg=variable
        )


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


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_a_wire_from_robot_to_robot_has_a_gap_and_pulls_nothing(method):
    """Beside a box on wires, and with nothing else: L − ‖p_B − p_A‖ along the robots' paths, declared either way."""
    scene = with_wires(3)
    robots = scene.robots | {"low": scene.robots[scene.wires["w0"].to].replace(motion=None, position=(0.0, 0.0, -3.0))}
    high = scene.wires["w1"].to
    between = scene.wires["w0"].replace(from_="low", to=high, length=9.0)
    both = {"up": between, "down": between.replace(from_=high, to="low")}
    options = {"duration": 0.1, "step": 1e-3, "method": method}
    for wires in (both, both | scene.wires):
        result = towsim.simulate(scene.replace(robots=robots, wires=wires), **options)
        away = scene.robots[high].sample(result.time)[0] - np.array([0.0, 0.0, -3.0])
        for name in both:
            gap = result["gap"].sel(wire=name).values
            np.testing.assert_allclose(gap, 9.0 - np.linalg.norm(away, axis=1), atol=1e-12)
            assert not np.nan_to_num(result["tension"].sel(wire=name).values).any()


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
