"""Joints at acceleration level: the notes' 15 equations, and the drift that they promise."""

import numpy as np
import pytest

from towsim.errors import UsageError
from towsim.formulations.kkt import Kkt
from towsim.formulations.measures import drift, energy
from towsim.formulations.reduced import Reduced
from towsim.model.trees import compile_tree
from towsim.scene.arms import Arm

C1, C2 = np.array([0.3, -0.1, 0.2]), np.array([-0.2, 0.15, 0.1])


def two_bodies():
    """Two free bodies with a ball joint between c₁ on the first and c₂ on the second."""
    first = {"mass": 2.0, "inertia": [0.02, 0.03, 0.04], "joint": {"kind": "free", "rate": [1, 2, 3, 0.5, -0.4, 0.3]}}
    second = {
        "on": "a",
        "at": C1.tolist(),
        "centre": (-C2).tolist(),
        "mass": 3.0,
        "inertia": [0.05, 0.06, 0.07],
        "joint": {"kind": "ball", "rate": [0.2, 0.7, -1.0]},
    }
    return compile_tree(Arm(links={"a": first, "b": second}))


def test_two_bodies_and_a_ball_are_the_fifteen_equations_of_the_notes():
    tree = two_bodies()
    kkt = Kkt(tree)
    y = kkt.start()
    K, right = kkt.system(0.0, y)
    _, R, _, w = kkt.links(0.0, y)
    I1, I2 = (R[i] @ tree.arrays.inertia[e] @ R[i].T for i, e in enumerate(tree.joint))
    c1, c2 = R[0] @ C1, R[1] @ C2

    def tilde(c):
        return np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])

    o, e = np.zeros((3, 3)), np.eye(3)
    notes = np.block(
        [
            [2.0 * e, o, o, o, -e],
            [o, I1, o, o, -tilde(c1)],
            [o, o, 3.0 * e, o, e],
            [o, o, o, I2, tilde(c2)],
            [e, -tilde(c1), -e, tilde(c2), o],
        ]
    )
    g = np.array([0.0, 0.0, -9.81])
    rhs = [
        2.0 * g,
        -np.cross(w[0], I1 @ w[0]),
        3.0 * g,
        -np.cross(w[1], I2 @ w[1]),
        -np.cross(w[0], np.cross(w[0], c1)) + np.cross(w[1], np.cross(w[1], c2)),
    ]
    assert K.shape == (15, 15)
    assert np.abs(K - notes).max() < 1e-15
    assert np.abs(right - np.concatenate(rhs)).max() < 1e-14


@pytest.mark.parametrize(("root", "seed"), [(None, 1), ("ball", 2), ("free", 3)])
def test_trees_of_any_joints_accelerate_as_in_reduced_coordinates(random_tree, root, seed):
    tree = random_tree(7, seed, root=root)
    reduced, kkt = Reduced(tree), Kkt(tree)
    reduced.rate(0.0, reduced.start())
    nl = len(tree.links)
    rates = kkt.rate(0.0, kkt.start())[7 * nl :].reshape(2, nl, 3)
    assert np.abs(np.concatenate(rates, axis=1) - reduced.accelerations()).max() < 1e-12 * np.abs(rates).max()


@pytest.mark.parametrize(("root", "seed"), [(None, 1), ("free", 3)])
def test_trees_of_any_joints_move_as_in_reduced_coordinates(random_tree, root, seed):
    tree = random_tree(5, seed, root=root)
    one, other = (kind(tree).adaptive([0.0, 0.5], rtol=1e-12, atol=1e-13) for kind in (Reduced, Kkt))
    assert np.abs(one.position - other.position).max() < 1e-9
    assert np.abs(one.rotation - other.rotation).max() < 1e-9
    assert np.abs(energy(tree, one) - energy(tree, other)).max() < 1e-9


def pendulum(n=1):
    """Links on ball joints, swinging in space."""
    links = {}
    for i in range(n):
        joint = {"kind": "ball", "start": [0.0, 0.8, 0.0] if i == 0 else [0.0, 0.0, 0.0], "rate": [0.9, 0.0, 0.2]}
        links[f"l{i}"] = {"mass": 1.0, "inertia": [0.02, 0.02, 0.01], "centre": [0, 0, -0.25], "joint": joint}
        if i:
            links[f"l{i}"] |= {"on": f"l{i - 1}", "at": [0, 0, -0.5]}
    return compile_tree(Arm(links=links))


class Nudged(Kkt):
    """A start at which the joint opens with a small speed."""

    def start(self):
        y = super().start()
        y[7:10] += [0.0, 1e-6, 0.0]
        return y


def test_a_speed_of_opening_stays_and_the_joint_opens_linearly():
    tree = pendulum()
    run = Nudged(tree).run(10.0, 2e-3, every=500)
    # φ̈ = 0 is exact in the equations: φ = 1e-6 t; truncation errors are far below that at this step.
    assert drift(tree, run)[1:] == pytest.approx(1e-6 * run.time[1:], rel=1e-3)


def test_truncation_errors_open_joints_quadratically_in_time():
    """A swing errs alike in every period: a mean error ε of φ̈ makes ½ ε t²."""
    link = {"mass": 1.0, "inertia": [0.02, 0.02, 0.01], "centre": [0, 0, -0.25]}
    link["joint"] = {"kind": "ball", "start": [0.0, 1.0, 0.0]}
    tree = compile_tree(Arm(links={"bob": link}))
    run = Kkt(tree).run(20.0, 1e-2, every=100)
    late = run.time >= 4.0
    power = np.polyfit(np.log(run.time[late]), np.log(drift(tree, run)[late]), 1)[0]
    assert power == pytest.approx(2.0, abs=0.05)


def test_drift_falls_with_the_order_of_the_integrator():
    tree = pendulum(2)
    ends = [drift(tree, Kkt(tree).run(4.0, h, every=round(4.0 / h)))[-1] for h in (8e-3, 4e-3)]
    assert 3.6 < np.log2(ends[0] / ends[1]) < 5.5


def test_nothing_drifts_in_reduced_coordinates():
    tree = pendulum(3)
    assert drift(tree, Reduced(tree).run(10.0, 1e-2, every=100)).max() < 1e-14


@pytest.mark.parametrize(("how", "bound"), [("baumgarte", 1e-6), ("projection", 1e-14)])
def test_stabilised_joints_stay_closed(how, bound):
    tree = pendulum(2)
    free = Kkt(tree).run(10.0, 1e-2, every=100)
    held = Kkt(tree, how).run(10.0, 1e-2, every=100)
    assert drift(tree, free)[-1] > 1e-5
    assert drift(tree, held).max() < bound
    # Projection is no force that feeds the motion: the energy stays as good as the integrator keeps it.
    E = energy(tree, held)
    assert np.abs(E - E[0]).max() < 2e-3 * abs(E[0])


def test_what_is_no_tree_is_refused_and_the_message_says_where_that_is():
    with pytest.raises(UsageError, match=r"Kkt takes a tree, that of a scene: scene_tree\(scene\).tree"):
        Kkt("chain")


def test_an_unknown_stabilisation_is_refused():
    with pytest.raises(UsageError, match=r"'none', 'baumgarte' or 'projection'.*'glue'"):
        Kkt(pendulum(), "glue")
