"""Momentum states: p = M(q) u, rates that match ∂T/∂q, and total momenta that do not change at all."""

import numpy as np
import pytest

from towsim.formulations.measures import energy, momentum
from towsim.formulations.momentum import MomentumStates, joint_momenta, joint_rates
from towsim.formulations.reduced import Reduced
from towsim.formulations.tree_terms import mass_matrix
from towsim.model.trees import compile_tree
from towsim.scene.arms import Arm
from towsim.scene.vehicles import Robot


@pytest.mark.parametrize("seed", range(4))
def test_joint_momenta_are_the_inertia_times_the_rates(random_tree, seed):
    tree = random_tree(7, seed)
    M = mass_matrix(tree, tree.start)
    p = joint_momenta(tree, tree.start, tree.rate)
    assert np.abs(p - M @ tree.rate).max() < 1e-14 * np.abs(p).max()
    u = joint_rates(tree, tree.start, p)
    assert np.abs(u - tree.rate).max() < 1e-15 * np.linalg.cond(M) * np.abs(u).max()


@pytest.mark.parametrize("seed", range(4))
def test_rates_of_momenta_are_lagranges(random_tree, seed):
    """ṗ = ∂T/∂q|_u + Q of joints with one coordinate each; Q and q̇ by the reduced equations, ∂T/∂q by differences."""
    tree = random_tree(6, seed, kinds=("revolute", "prismatic", "universal"))
    u, n = tree.rate, tree.n
    states = MomentumStates(tree)
    dp = states.rate(0.0, states.start())[n:]

    def kinetic(q):
        return 0.5 * u @ mass_matrix(tree, q) @ u

    def slope(f, i, h):
        e = h * np.eye(n)[i]
        return (8.0 * (f(tree.start + e) - f(tree.start - e)) - (f(tree.start + 2 * e) - f(tree.start - 2 * e))) / (
            12.0 * h
        )

    lagrange = [
        slope(kinetic, i, 1e-3) - slope(lambda q: joint_potential(tree, q), i, 1e-3) for i in range(n)
    ] - tree.arrays.damping * u
    assert np.abs(dp - lagrange).max() < 1e-9 * np.abs(dp).max()


def joint_potential(tree, q):
    from towsim.formulations.links import links_of

    position = links_of(tree, 0.0, q, np.zeros(tree.n))[0]
    weight = -np.einsum("l,li,i->", tree.arrays.mass[tree.joint], position, tree.arrays.gravity)
    return weight + 0.5 * np.sum(tree.arrays.stiffness * (q - tree.arrays.rest) ** 2)


@pytest.mark.parametrize(("root", "seed"), [(None, 1), ("ball", 2), ("free", 3)])
def test_momentum_states_move_as_reduced_coordinates_do(random_tree, root, seed):
    tree = random_tree(6, seed, root=root)
    times = np.linspace(0.0, 1.0, 5)
    one, other = (kind(tree).adaptive(times, rtol=1e-12, atol=1e-13) for kind in (Reduced, MomentumStates))
    assert np.abs(one.position - other.position).max() < 1e-9
    assert np.abs(one.rotation - other.rotation).max() < 1e-9
    assert np.abs(one.velocity - other.velocity).max() < 1e-9


def free_chain(n=4):
    """A tumbling chain without gravity: a free link, then a slide with a spring, a ball and hinges."""
    joints = [
        {"kind": "free", "rate": [0.02, -0.01, 0.015, 0.8, -0.5, 0.6]},
        {"kind": "prismatic", "axis": [0.6, 0.8, 0.0], "stiffness": 30.0, "rest": 0.1, "rate": 0.4},
        {"kind": "ball", "rate": [0.5, 1.0, -0.7]},
        {"kind": "revolute", "axis": [0.0, 0.6, 0.8], "rate": -1.1},
    ]
    links = {}
    for i in range(n):
        links[f"l{i}"] = {"mass": 1.0 + 0.2 * i, "inertia": [0.02, 0.03, 0.04], "joint": joints[min(i, 3)]}
        if i:
            links[f"l{i}"] |= {"on": f"l{i - 1}", "at": [0.3, 0.0, 0.1], "centre": [0.2, 0.05, 0.0]}
    return compile_tree(Arm(links=links), gravity=(0.0, 0.0, 0.0))


def momentum_errors(tree, run):
    """Largest relative changes of total linear and angular momentum."""
    P, H = momentum(tree, run)
    return np.abs(P - P[0]).max() / np.linalg.norm(P[0]), np.abs(H - H[0]).max() / np.linalg.norm(H[0])


def test_total_momentum_of_a_free_chain_is_a_state_that_never_changes():
    tree = free_chain()
    run = MomentumStates(tree).run(5.0, 5e-3, every=10)
    total = run.state[:, tree.nq : tree.nq + 6]
    assert (total == total[0]).all()  # bit for bit
    P, H = momentum(tree, run)
    assert np.abs(total - np.concatenate([P, H], axis=1)).max() < 1e-13
    inner = run.state[:, tree.nq + 6 :]
    assert (np.ptp(inner, axis=0) > 0.2).all()  # kg m²/s: ∂T/∂q, these are no constants


@pytest.mark.slow
def test_total_momentum_of_a_free_chain_holds_over_400_000_steps():
    tree = free_chain()
    states = MomentumStates(tree)
    run = states.run(800.0, 2e-3, every=10_000)
    assert run.steps == 400_000
    linear, angular = momentum_errors(tree, run)
    assert linear < 1e-12
    assert angular < 1e-12
    E = energy(tree, run)
    assert np.abs(E / E[0] - 1.0).max() < 1e-3  # the motion itself is still the chain's


def test_a_boom_on_a_vertical_axis_keeps_its_momentum_whatever_slides_on_it():
    """p = (J + m r²) ω: nothing turns the boom, neither weights nor the slider's spring."""
    arm = Arm(
        links={
            "boom": {"mass": 2.0, "inertia": [0.1, 0.4, 0.4], "joint": {"axis": [0, 0, 1], "rate": 1.5}},
            "slider": {
                "on": "boom",
                "mass": 0.7,
                "point": True,
                "joint": {"kind": "prismatic", "axis": [1, 0, 0], "start": 0.5, "rest": 0.4, "stiffness": 40.0},
            },
        }
    )
    tree = compile_tree(arm)
    run = MomentumStates(tree).run(4.0, 1e-3, every=100)
    h = run.state[:, tree.nq]
    assert (h == h[0]).all()
    r = run.state[:, 1]
    assert np.ptp(r) > 0.05
    rates = np.array([joint_rates(tree, y[:2], y[2:]) for y in run.state])
    assert (0.4 + 0.7 * r**2) * rates[:, 0] == pytest.approx((0.4 + 0.7 * 0.25) * 1.5, rel=1e-14)
    assert run.state[:, tree.nq + 1] == pytest.approx(0.7 * rates[:, 1], abs=1e-15)  # linear momentum along the boom
    E = energy(tree, run)
    assert np.abs(E - E[0]).max() < 1e-11


def test_a_slider_on_a_driven_boom_feels_the_centrifugal_force_alone():
    """Constant ω by a heavy boom: r̈ = ω² r, r = r₀ cosh ω t."""
    arm = Arm(
        links={
            "boom": {"mass": 1.0, "inertia": [1e12] * 3, "joint": {"axis": [0, 0, 1], "rate": 2.0}},
            "slider": {
                "on": "boom",
                "mass": 1.0,
                "point": True,
                "joint": {"kind": "prismatic", "axis": [1, 0, 0], "start": 0.1},
            },
        }
    )
    run = MomentumStates(compile_tree(arm)).adaptive([0.0, 0.5, 1.0], rtol=1e-12, atol=1e-13)
    assert run.state[:, 1] == pytest.approx(0.1 * np.cosh(2.0 * run.time), rel=1e-10)


@pytest.mark.parametrize("kind", [Reduced, MomentumStates])
def test_fixed_steps_converge_with_order_four(random_tree, kind):
    tree = random_tree(4, 5)
    system = kind(tree)
    exact = system.adaptive([0.0, 1.0], rtol=1e-13, atol=1e-14).position[-1]
    errors = [np.abs(system.run(1.0, h, every=round(1.0 / h)).position[-1] - exact).max() for h in (0.02, 0.01)]
    assert 3.7 < np.log2(errors[0] / errors[1]) < 4.5


@pytest.mark.parametrize("kind", [Reduced, MomentumStates])
def test_a_base_that_moves_evenly_is_as_good_as_one_at_rest(kind):
    """Galilei: a robot with constant velocity carries the same pendulum motion along."""
    links = {
        "a": {"mass": 1.0, "inertia": [0.01] * 3, "centre": [0, 0, -0.5]},
        "b": {"on": "a", "at": [0, 0, -1], "mass": 2.0, "inertia": [0.1, 0.2, 0.3], "joint": {"axis": [0, 1, 0]}},
    }
    links["a"]["joint"] = {"kind": "ball", "start": [0.5, 0.2, 0]}
    moving = Robot(motion={"formula": {"x": "0.3*t", "y": "-0.2*t", "z": "0.1*t"}})
    still = kind(compile_tree(Arm(links=links))).run(1.0, 2e-3, every=100)
    carried = kind(compile_tree(Arm(base="r", links=links), robots={"r": moving})).run(1.0, 2e-3, every=100)
    shift = np.outer(still.time, [0.3, -0.2, 0.1])[:, None]
    # Momenta are those seen by the world: their truncation errors are not quite the same, O(h⁵) a step.
    tolerance = 1e-13 if kind is Reduced else 1e-11
    assert np.abs(carried.position - shift - still.position).max() < tolerance
    assert np.abs(carried.velocity - [0.3, -0.2, 0.1] - still.velocity).max() < tolerance


@pytest.mark.parametrize("kind", [Reduced, MomentumStates])
def test_a_pendulum_in_a_lift_that_accelerates_weighs_more(kind):
    """Robot upwards with a: the pendulum swings as under g + a. A formula drives its joint as well, across blocks."""
    links = {"a": {"mass": 1.3, "point": True, "centre": [0, 0, -0.7], "joint": {"axis": [0, 1, 0], "start": 0.4}}}
    links["a"]["joint"]["force"] = "0.3*sin(3*t)"
    lift = Robot(motion={"formula": {"x": "0", "y": "0", "z": "0.5*2.19*t**2"}})
    carried = kind(compile_tree(Arm(base="lift", links=links), robots={"lift": lift})).run(1.0, 1e-4, every=1000)
    heavy = kind(compile_tree(Arm(links=links), gravity=(0.0, 0.0, -12.0))).adaptive(carried.time, rtol=1e-12)
    angle = np.arcsin(-(carried.position[:, 0, 0]) / 0.7)
    assert angle == pytest.approx(np.arcsin(-heavy.position[:, 0, 0] / 0.7), abs=1e-10)
