"""Rows by groups of up to four: whatever a scene is made of, they are those of the laws, in any order and number."""

from __future__ import annotations

import numpy as np
import pytest

import scenarios
import towsim
from towsim.methods.method import choose
from towsim.methods.multistep import make_stepper
from towsim.model.compile import compile_scene
from towsim.run.engine import kept
from towsim.scene import scene_from_data


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


WIRES = {  # interleaved, from either end, one between robots
    "a0": ("a.p0", "north"), "ab0": ("b.p0", "a.p1"), "b0": ("east", "b.p1"), "a1": ("south", "a.p1"),
    "ab1": ("a.p2", "b.p2"), "a2": ("a.p2", "east"), "b1": ("b.p3", "north"),
    "aa": ("a.p3", "south"), "a4": ("a.p3", "north"), "a5": ("a.p0", "west"), "none": ("north", "south"),
    "cb": ("c", "b.p0"), "c0": ("c", "west"), "ab2": ("a.p0", "b.p1"), "ab3": ("a.p1", "b.p1"), "ab4": ("b.p2", "a.p0"),
}  # fmt: skip


def entangled(wires: int):
    """Two boxes and a point mass, tied to each other and to robots by the first so many of the wires."""
    rng = np.random.default_rng(3)
    points = {f"p{i}": (0.3 * rng.uniform(-1, 1, 3)).tolist() for i in range(4)}
    turn = (lambda q: (q / np.linalg.norm(q)).tolist())(rng.normal(size=4))
    bodies = {
        "a": {"mass": 2.0, "shape": {"box": [0.4, 0.3, 0.2]}, "points": points, "quaternion": turn},
        "b": {"mass": 1.0, "inertia": [0.02, 0.03, 0.04], "position": [1.0, 0.2, -0.4], "points": points},
        "c": {"mass": 0.3, "point": True, "position": [0.5, 0.9, 0.3]},
    }
    places = {"north": [0.2, 1.5, 2.0], "south": [-0.3, -1.2, 2.1], "east": [1.8, 0.1, 1.9], "west": [-1.5, 0.4, 2.2]}
    ends = dict(list(WIRES.items())[:wires])
    return scene_from_data(
        {
            "bodies": bodies,
            "robots": {name: {"position": place} for name, place in places.items()},
            "wires": {name: {"from": a, "to": b, "length": 4.0} for name, (a, b) in ends.items()},
        }
    )


@pytest.mark.parametrize("wires", [1, 3, 5, 9, 12, len(WIRES)])
def test_wires_between_bodies_and_robots_in_any_order_give_the_matrix_of_the_laws(wires):
    """A = Σ (∂ψ_i/∂body) Y (∂ψ_j/∂body)ᵀ, ψ differenced in the pose of each body."""
    scene = entangled(wires)
    compiled = compile_scene(scene)
    problem = towsim.step_problem(scene, method="stewart-trinkle")
    order = [list(scene.wires).index(owner) for owner in compiled.owners]
    J, inverse = gradients(scene)
    np.testing.assert_allclose(dense(problem), (J @ inverse @ J.T)[np.ix_(order, order)] + rigid(compiled), atol=1e-8)


def gradients(scene):
    """∂ψ/∂(x, φ) (nw, 6 nb) by central differences, and the inverse inertia (6 nb, 6 nb)."""
    names, step = list(scene.bodies), 1e-6

    def gap(wire, moved):
        places = []
        for end in (wire.from_, wire.to):
            owner, _, point = end.partition(".")
            if owner in scene.robots:
                places.append(np.array(scene.robots[owner].start()))
            else:
                body, (dx, turn) = scene.bodies[owner], moved.get(owner, (np.zeros(3), np.eye(3)))
                local = np.array(body.points[point]) if point else np.zeros(3)
                places.append(np.array(body.position) + dx + turn @ body.rotation_matrix() @ local)
        return -np.linalg.norm(places[1] - places[0])

    J, inverse = np.zeros((len(scene.wires), 6 * len(names))), np.zeros((6 * len(names), 6 * len(names)))
    for b, name in enumerate(names):
        body = scene.bodies[name]
        inverse[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = np.eye(3) / body.mass
        if not body.point:
            turn = body.rotation_matrix()
            inverse[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = turn @ np.linalg.inv(body.inertia_matrix()) @ turn.T
        for k in range(6):
            e = np.zeros(3)
            e[k % 3] = step
            ends = []
            for sign in (1.0, -1.0):
                s = sign * e
                skew = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
                moved = (s, np.eye(3)) if k < 3 else (np.zeros(3), np.eye(3) + skew)
                ends.append([gap(wire, {name: moved}) for wire in scene.wires.values()])
            J[:, 6 * b + k] = (np.array(ends[0]) - np.array(ends[1])) / (2.0 * step)
    return J, inverse


def dense(problem):
    """The matrix of a problem as an array."""
    from solvers.matrix import to_dense

    return to_dense(problem.M)


def rigid(compiled):
    """What rows that act on nothing have in place of a coupling."""
    return np.diag(compiled.model.rows.compliance)


def test_impulses_act_on_bodies_as_power_demands():
    """Σ p w = u · Jᵀp for any velocities and impulses, in a scene with every law that has rows."""
    for name in ("slewing-crane", "payload-chain", "block-and-tackle", "drag-box-rough-ground"):
        scene = scenarios.get(name).build()
        stepper = make_stepper(compile_scene(scene), choose("stewart-trinkle", scene, 1e-3), 1e-3)
        stepper.begin()
        from towsim.methods.problem import _free, _jacobian

        J, rows = _jacobian(stepper), stepper.compiled.model.rows
        nb = len(stepper.compiled.model.bodies.mass)
        bodies_only = np.array([(rows.node[rows.ptr[g] : rows.ptr[g + 1]] < nb).all() for g in rows.group])
        rates = stepper.work.q - stepper.work.bias
        np.testing.assert_allclose((J @ _free(stepper))[bodies_only], rates[bodies_only], rtol=1e-9, atol=1e-12)


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
def test_any_number_of_wires_on_one_body_stays_in_its_order(wires):
    more = with_wires(wires)
    assert compile_scene(more).owners == tuple(more.wires)


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
