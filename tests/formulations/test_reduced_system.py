"""Reduced coordinates from any x(q, t): exact derivatives, pseudo-forces, generalised forces by virtual work."""

import numpy as np
import pytest

from towsim.errors import UsageError
from towsim.formulations import jets
from towsim.formulations.reduced import Reduced
from towsim.formulations.reduced_system import Mass, ReducedSystem
from towsim.formulations.tree_terms import generalised_impulse, mass_matrix
from towsim.model.trees import compile_tree
from towsim.scene.arms import Arm


def turn_y(a):
    """Rotation about y; written so that it takes floats and jets."""
    c, s, o = np.cos(a), np.sin(a), 0.0 * a
    return np.array([[c, o, s], [o, o + 1.0, o], [-s, o, c]])


def turn_z(a):
    c, s, o = np.cos(a), np.sin(a), 0.0 * a
    return np.array([[c, -s, o], [s, c, o], [o, o, o + 1.0]])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sin(x[0]) * np.exp(x[1]) / (2.0 + x[2]) ** 3,
        lambda x: np.sqrt(x[0] ** 2 + x[1] * x[2]) - np.log(x[2]) + 2.0 ** x[0],
        lambda x: np.arctan2(x[0], x[1]) + np.arctan2(-x[1], x[2]) + np.hypot(x[0], x[2]),
        lambda x: np.tanh(x[0]) ** x[1] + abs(-x[2]) * np.arcsin(0.1 * x[0]) - np.linalg.norm(x),
    ],
)
def test_jets_are_the_derivatives(f):
    x = np.array([0.7, 1.3, 0.4])
    value, gradient, hessian = jets.parts(f(jets.variables(x)), 3)
    assert value == pytest.approx(f(x), rel=1e-15)
    step = 1e-3 * np.eye(3)

    def slope(g, i):
        return (8.0 * (g(x + step[i]) - g(x - step[i])) - (g(x + 2 * step[i]) - g(x - 2 * step[i]))) / 0.012

    assert gradient == pytest.approx([slope(f, i) for i in range(3)], rel=1e-9)
    second = [slope(lambda y, i=i: jets.parts(f(jets.variables(y)), 3)[1][i], j) for i in range(3) for j in range(3)]
    assert hessian.ravel() == pytest.approx(second, rel=1e-8, abs=1e-9)


def crane(**more):
    """A gyroscopic one: a mast turns (z), a boom luffs (y), and a load slides along it on a spring."""
    inertia = np.diag([0.3, 0.5, 0.2])

    def place(q, t):
        R = turn_z(q[0]) @ turn_y(q[1])
        return [(R @ np.array([0.4, 0.1, 0.0]), R), R @ np.array([1.0, 0.0, 0.0]) * q[2]]

    return ReducedSystem(
        [Mass(2.0, inertia), Mass(0.5)],
        place,
        start=[0.3, -0.4, 1.2],
        rate=[1.5, 0.7, -0.4],
        potential=lambda q, t: 20.0 * (q[2] - 1.0) ** 2,
        force=lambda q, u, t: [0.2, 0.0, -0.1 * u[2]],
        **more,
    )


def crane_tree():
    """The same as a tree of joints; its mast has next to no inertia."""
    inertia = [0.3, 0.5, 0.2]
    links = {
        "mast": {"mass": 1e-9, "inertia": [1e-12] * 3, "joint": {"start": 0.3, "rate": 1.5, "force": 0.2}},
        "boom": {
            "on": "mast",
            "mass": 2.0,
            "inertia": inertia,
            "centre": [0.4, 0.1, 0.0],
            "joint": {"axis": [0, 1, 0], "start": -0.4, "rate": 0.7},
        },
        "load": {"on": "boom", "mass": 0.5, "point": True},
    }
    slide = {"kind": "prismatic", "axis": [1, 0, 0], "start": 1.2, "rate": -0.4}
    links["load"]["joint"] = slide | {"stiffness": 40.0, "rest": 1.0, "damping": 0.1}
    return compile_tree(Arm(links=links))


def test_a_map_and_a_tree_of_joints_are_the_same_equations():
    system, tree = crane(), crane_tree()
    q, t = np.array([0.3, -0.4, 1.2]), 0.0
    assert np.abs(system.mass_matrix(q) - mass_matrix(tree, q)).max() < 1e-9
    recursive = Reduced(tree)
    assert system.rate(t, system.start()) == pytest.approx(recursive.rate(t, recursive.start()), rel=1e-8)
    p, at = np.array([0.3, -1.0, 2.0]), np.array([0.5, 0.0, 0.2])
    one = system.generalised_impulse(q, 0, at - [0.4, 0.1, 0.0], p)
    assert one == pytest.approx(generalised_impulse(tree, q, 1, at, p), rel=1e-14)


def test_velocities_and_accelerations_are_derivatives_of_the_places():
    """Also of places that move by themselves: v = X q̇ + ∂x/∂t."""

    def place(q, t):
        R = turn_z(np.sin(2.0 * t)) @ turn_y(q[0])
        return [(R @ np.array([q[1], 0.0, 0.0]) + np.array([0.0, 0.0, 1.0]) * np.exp(-t), R)]

    system = ReducedSystem([Mass(1.0, np.eye(3))], place, start=[0.3, 0.8], rate=[1.0, -2.0])
    u, h = system._u, 1e-4
    now = system.terms(system._q, u, 0.2)
    ahead, behind = (system.terms(system._q + s * h * u, u, 0.2 + s * h) for s in (1.0, -1.0))
    assert now.velocity[:, :3] == pytest.approx((ahead.position - behind.position) / (2 * h), rel=1e-7)
    assert now.bias == pytest.approx((ahead.velocity - behind.velocity) / (2 * h), rel=1e-6)


def test_a_derivative_given_by_the_user_serves_as_well():
    def derivative(q, u, t):
        c, s = np.cos(q[0]), np.sin(q[0])
        X = np.array([[[c], [0.0], [s], [0.0], [0.0], [0.0]]])
        return X, np.array([[-s * u[0] ** 2, 0.0, c * u[0] ** 2, 0.0, 0.0, 0.0]])

    def place(q, t):
        return [np.array([np.sin(q[0]), 0.0 * q[0], -np.cos(q[0])])]

    start = {"start": [0.5], "rate": [0.3]}
    given = ReducedSystem([Mass(1.0)], place, derivative=derivative, **start)
    found = ReducedSystem([Mass(1.0)], place, **start)
    assert given.rate(0.0, given.start()) == pytest.approx(found.rate(0.0, found.start()), rel=1e-15)
    assert found.rate(0.0, found.start())[1] == pytest.approx(-9.81 * np.sin(0.5), rel=1e-14)


def test_a_bead_on_a_turning_hoop_rests_where_the_hoop_says():
    """cos θ = g/(ω² r): the map depends on t, and Coriolis and centrifugal forces come from it."""
    spin, r = 5.0, 0.8

    def place(q, t):
        out = r * np.sin(q[0])
        return [np.array([out * np.cos(spin * t), out * np.sin(spin * t), -r * np.cos(q[0])])]

    rest = np.arccos(9.81 / (spin**2 * r))
    bead = ReducedSystem([Mass(0.2)], place, start=[rest])
    run = bead.adaptive([0.0, 1.0, 2.0], rtol=1e-11, atol=1e-13)
    assert run.state[:, 0] == pytest.approx(rest, abs=1e-9)


def test_energy_of_an_undamped_system_is_constant():
    system = crane()
    system.force = None
    run = system.adaptive([0.0, 0.5, 1.0], rtol=1e-11, atol=1e-12)
    E = [system.energy(t, y) for t, y in zip(run.time, run.state, strict=True)]
    assert np.ptp(E) < 1e-9
    assert abs(run.state[-1, 0] - run.state[0, 0]) > 0.5


def test_places_of_the_wrong_shape_are_refused():
    with pytest.raises(UsageError, match="each of the 2 bodies, got 1"):
        ReducedSystem([Mass(1.0), Mass(1.0)], lambda q, t: [np.zeros(3)], start=[0.0])
    with pytest.raises(UsageError, match="one length"):
        ReducedSystem([Mass(1.0)], lambda q, t: [np.zeros(3)], start=[0.0], rate=[0.0, 1.0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.where(x[0] > x[1], x[0] * x[1], x[0] ** 2) + x[2],
        lambda x: x[0] * np.where(x[2] > 0.0, x[2], 0.0) - x[1] / np.where(x[0] > 0.0, x[0], 1.0),
        lambda x: (x[2] * np.array([1.0, 2.0, 3.0]) - x[0]) @ (x[1] + np.array([0.5, 0.0, -1.0])),
    ],
)
def test_jets_go_through_choices_and_arrays_as_numbers_do(f):
    x, h = np.array([0.7, 1.3, 0.4]), 1e-6 * np.eye(3)
    value, gradient, _ = jets.parts(f(jets.variables(x)), 3)
    assert value == pytest.approx(f(x), rel=1e-15)
    assert gradient == pytest.approx([(f(x + h[i]) - f(x - h[i])) / 2e-6 for i in range(3)], rel=1e-8, abs=1e-8)


def no_rotation(q, t):
    return [(np.array([0.0, 0.0, 1.0]) * q[0], np.array([[1.0 + q[0], 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))]


def mirror(q, t):
    return [(np.array([0.0, 0.0, 1.0]) * q[0], -np.eye(3))]


@pytest.mark.parametrize(
    ("bodies", "place", "start", "message"),
    [
        (
            Mass(1.0),
            lambda q, t: [0.0 * q[:1] * np.zeros(3)],
            [2.0],
            r"motion of q\[0\] moves no mass at t = 0 s",
        ),
        (
            Mass(1.0),
            lambda q, t: [np.array([1.0, 0.0, 2.0]) * (q[0] + q[1])],
            [2.0, 1.0],
            r"motion of q\[0\] and q\[1\] moves",
        ),
        (Mass(1.0), lambda q, t: [np.ones(3) * np.cbrt(q[0])], [2.0], "place.* cannot be differentiated.*cbrt.*np.sin"),
        (0.2, lambda q, t: [np.ones(3) * q[0]], [2.0], r"masses, such as \[Mass\(0.2\)\], got 0.2"),
        (Mass(-1.0), lambda q, t: [np.ones(3) * q[0]], [2.0], "mass of body 0 must not be negative, got -1.0 kg"),
        (Mass(1.0, np.diag([1.0, 1.0, -1.0])), no_rotation, [0.0], "inertia of body 0 must have no negative moment"),
        (Mass(1.0, np.eye(2)), no_rotation, [0.0], r"inertia of body 0 must be a symmetric matrix \(3, 3\)"),
        (Mass(1.0, np.eye(3)), no_rotation, [0.5], "gives body 0 at t = 0 s a matrix that is no rotation"),
        (Mass(1.0, np.eye(3)), mirror, [0.5], "a matrix that is no rotation"),
    ],
)
def test_what_no_body_has_and_what_no_equation_tells_is_refused(bodies, place, start, message):
    with pytest.raises(UsageError, match=message):
        ReducedSystem([bodies], place, start=start).run(0.1, 0.01)


@pytest.mark.parametrize("times", [[1.0, 0.5], 4.0, [], [-1.0, 1.0], ["soon"]])
def test_times_that_do_not_ascend_from_the_start_are_refused(times):
    with pytest.raises(UsageError, match="times must be"):
        ReducedSystem([Mass(1.0)], lambda q, t: [np.ones(3) * q[0]], start=[2.0]).adaptive(times)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"duration": 1.0, "step": "0.1"}, "step must be a finite number, got '0.1'"),
        ({"duration": 1.0, "step": 2.0}, "step <= duration, got 2.0 and 1.0"),
        ({"duration": 1.0, "step": 0.1, "every": 1.5}, "every must be a whole number >= 1, got 1.5"),
    ],
)
def test_a_run_that_is_none_is_refused(run, message):
    with pytest.raises(UsageError, match=message):
        ReducedSystem([Mass(1.0)], lambda q, t: [np.ones(3) * q[0]], start=[2.0]).run(**run)
