"""What acts along a joint's axis: springs, dampers, motors and limits, on slides and hinges. Both methods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import towsim
from towsim.errors import SceneError, UsageError
from towsim.scene import Body, Scene, scene_from_data

G = 9.81
METHODS = ("stewart-trinkle", "shake")
POST = {"post": {"position": [0.0, 0.0, 0.0]}}


def slider(mass: float = 2.0, gravity: object = (0.0, 0.0, 0.0), **joint: object) -> Scene:
    """A box that slides along an oblique axis from a post."""
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    return scene_from_data(
        {
            "gravity": gravity,
            "bodies": {"box": {"mass": mass, "shape": {"box": [0.2, 0.3, 0.4]}, "position": list(0.5 * axis)}},
            "robots": POST,
            "joints": {"rail": {"kind": "prismatic", "from": "post", "to": "box", "axis": [1, 2, 2]} | joint},
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_mass_on_a_sprung_slide_oscillates_with_sqrt_k_over_m(
    method: str, simulate: Callable, order: Callable
) -> None:
    mass, k, rest = 2.0, 50.0, 0.3
    scene = slider(mass, spring={"stiffness": k, "rest": rest})
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        result = simulate(scene, method, duration=2.0, step=h)
        exact = rest + 0.2 * np.cos(np.sqrt(k / mass) * result.time)
        errors.append(float(np.abs(result["joint_position"].values[:, 0] - exact).max()))
    assert order(errors) == pytest.approx({"stewart-trinkle": 1.0, "shake": 2.0}[method], abs=0.1)
    assert errors[-1] < {"stewart-trinkle": 5e-3, "shake": 6e-6}[method]  # ω³ h² t a / 12


def test_an_undamped_spring_keeps_its_energy() -> None:
    """At k = 80 N/m, m = 0.5 kg, h = 1 ms: implicit Euler took 27 % in 2 s."""
    mass, k, h = 0.5, 80.0, 1e-3
    result = towsim.simulate(slider(mass, spring={"stiffness": k, "rest": 0.3}), duration=2.0, step=h)
    c, rate = result["joint_position"].values[:, 0] - 0.3, result["joint_velocity"].values[:, 0]
    middle = 0.5 * mass * rate**2 + 0.5 * k * (c - 0.5 * h * rate) ** 2
    np.testing.assert_allclose(middle, middle[0], rtol=1e-11)
    np.testing.assert_allclose(0.5 * mass * rate**2 + 0.5 * k * c**2, middle[0], rtol=1.1 * np.sqrt(k / mass) * h)


@pytest.mark.parametrize("method", METHODS)
def test_a_damper_takes_the_speed_away_exponentially(method: str, simulate: Callable) -> None:
    mass, d, h = 2.0, 3.0, 1e-3
    scene = slider(mass, damping=d).with_values({"bodies.box.velocity": [0.5, 1.0, 1.0]})
    result = simulate(scene, method, duration=2.0, step=h)
    exact = 1.5 * np.exp(-d / mass * result.time)
    error = np.abs(result["joint_velocity"].values[:, 0] - exact).max()
    assert error < {"stewart-trinkle": 1.5 * d / mass * h, "shake": 3e-6}[method]


@pytest.mark.parametrize("method", METHODS)
def test_stiff_springs_and_dampers_are_stable_at_any_step(method: str, simulate: Callable) -> None:
    for k, d in ((1e12, 0.0), (1e3, 1e9), (1e12, 1e9)):
        scene = slider(2.0, [0, 0, -G], spring={"stiffness": k, "rest": 0.5}, damping=d)
        result = simulate(scene, method, duration=1.0, step=1e-2)
        assert np.abs(result["joint_position"].values[:, 0] - 0.5).max() < 1e-6 + 2.0 * G / k


@pytest.mark.parametrize("method", METHODS)
def test_a_motor_drives_with_its_force_whatever_the_mass_does(method: str, simulate: Callable) -> None:
    mass, h = 2.0, 1e-3
    result = simulate(slider(mass, motor="4*sin(3*t)"), method, duration=2.0, step=h)
    exact = 0.5 + 4.0 / mass * (result.time / 3.0 - np.sin(3.0 * result.time) / 9.0)
    error = np.abs(result["joint_position"].values[:, 0] - exact).max()
    assert error < {"stewart-trinkle": 2.0 * h, "shake": 2.0 * h**2}[method]
    # Nothing else acts along the axis: the reaction is the motor's force.
    along = result["joint_reaction"].values[1:-1, 0] @ (np.array([1.0, 2.0, 2.0]) / 3.0)
    late = h if method == "stewart-trinkle" else 0.0
    np.testing.assert_allclose(along, 4.0 * np.sin(3.0 * (result.time[1:-1] - late)), atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_spring_on_a_rotating_arm_feels_the_centrifugal_force(
    method: str, simulate: Callable, order: Callable
) -> None:
    """A bead on an arm that turns freely with huge inertia: s̈ = ω² s − k/m (s − s₀), frequency √(k/m − ω²)."""
    mass, k, omega, rest = 0.1, 40.0, 10.0, 0.3
    frequency = np.sqrt(k / mass - omega**2)
    middle = k / mass * rest / frequency**2
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {
                "arm": {"mass": 1.0, "inertia": [1e9, 1e9, 1e9], "angular_velocity": [0, 0, omega]},
                "bead": {"mass": mass, "point": True, "position": [rest, 0, 0], "velocity": [0, omega * rest, 0]},
            },
            "robots": POST,
            "joints": {
                "hub": {"kind": "revolute", "from": "post", "to": "arm", "axis": [0, 0, 1]},
                "rail": {
                    "kind": "prismatic",
                    "from": "arm",
                    "to": "bead",
                    "axis": [1, 0, 0],
                    "spring": {"stiffness": k, "rest": rest},
                },
            },
        }
    )
    errors = []
    for h in (1e-3, 5e-4):
        result = simulate(scene, method, duration=1.0, step=h)
        exact = middle + (rest - middle) * np.cos(frequency * result.time)
        errors.append(float(np.abs(result["joint_position"].sel(joint="rail").values - exact).max()))
    assert order(errors) == pytest.approx(2.0, abs=0.15)  # the spring begins without force: there is no first half step
    assert errors[-1] < {"stewart-trinkle": 1e-2, "shake": 1e-5}[method]
    angle = result["joint_position"].sel(joint="hub").values
    np.testing.assert_allclose(angle, omega * result.time, rtol=1e-7)  # more than a turn: it is counted


# ---------------------------------------------------------------- given motions


@pytest.mark.parametrize("method", METHODS)
def test_a_slide_whose_motion_is_given_goes_there_with_the_force_that_it_takes(method: str, simulate: Callable) -> None:
    """F = m (s̈ a − g), of order 1 and 2; the place is met within ½ s̈ h² in Stewart–Trinkle, to rounding in SHAKE."""
    mass, axis, errors = 2.0, np.array([1.0, 2.0, 2.0]) / 3.0, []
    scene = slider(mass, [0, 0, -G], motion="0.5 + 0.2*sin(3*t)").with_values({"bodies.box.velocity": list(0.6 * axis)})
    for h in (2e-3, 1e-3):
        result = simulate(scene, method, duration=1.0, step=h)
        off = np.abs(result["joint_position"].values[:, 0] - 0.5 - 0.2 * np.sin(3.0 * result.time)).max()
        assert off < {"stewart-trinkle": 0.9 * h**2, "shake": 1e-14}[method]
        exact = -1.8 * mass * np.sin(3.0 * result.time)[:, None] * axis + [0, 0, mass * G]
        errors.append(float(np.abs(result["joint_reaction"].values[20:, 0] - exact[20:]).max()))
    assert errors[0] / errors[1] == pytest.approx({"stewart-trinkle": 2.0, "shake": 4.0}[method], rel=0.05)


@pytest.mark.parametrize("method", METHODS)
def test_a_slide_that_is_held_at_a_number_stays_there_and_bears_the_weight(method: str, simulate: Callable) -> None:
    result = simulate(slider(2.0, [0, 0, -G], motion=0.5), method, duration=0.1, step=1e-3)
    np.testing.assert_allclose(result["joint_position"].values[:, 0], 0.5, rtol=0, atol=1e-14)
    np.testing.assert_allclose(result["joint_reaction"].values[1:, 0], [[0, 0, 2.0 * G]] * 100, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_hinge_whose_motion_jumps_in_rate_passes_on_an_impulse(method: str, simulate: Callable) -> None:
    """A crane slews at 0.5 rad/s and stops within a step: the torque's impulse is (I + m l²) ω, about the mast.

    SHAKE's kick at the jump is half a step of the force before it, too, ½ h m ω² l, which is of no motion after it.
    """
    data = {
        "gravity": [0, 0, 0],
        "bodies": {
            "jib": {
                "mass": 3.0,
                "inertia": [0.2, 0.2, 0.2],
                "position": [2, 0, 0],
                "velocity": [0, 1.0, 0],
                "angular_velocity": [0, 0, 0.5],
                "points": {"root": [-2, 0, 0]},
            }
        },
        "robots": POST,
        "joints": {
            "hub": {
                "kind": "revolute",
                "from": "post",
                "to": "jib.root",
                "axis": [0, 0, 1],
                "motion": "0.5*t if t < 0.1 else 0.05",
            }
        },
    }
    result = simulate(scene_from_data(data), method, duration=0.2, step=1e-2)
    np.testing.assert_allclose(result["joint_position"].values[:, 0], np.minimum(0.5 * result.time, 0.05), atol=1e-12)
    assert np.abs(result["velocity"].values[-1]).max() < 1e-12
    impulse = result["joint_impulse"].values[:, 0]
    half = 0.5 * 1e-2 * 3.0 * 0.5**2 * 2.0 if method == "shake" else 0.0
    np.testing.assert_allclose(impulse.sum(axis=0), [3.0 * np.sin(0.05) + half, -3.0 * np.cos(0.05), 0.0], atol=2e-3)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"motion": 0.7}, r"motion: is 0\.2 off the joint's coordinate at the start"),
        ({"motion": 0.5, "motor": 1.0}, "motor: the motion of this joint is given"),
        ({"motion": 0.5, "reduced": True}, "takes no motion"),
    ],
)
def test_motions_that_cannot_be_are_refused_by_name(more: dict[str, object], said: str) -> None:
    with pytest.raises(SceneError, match=said):
        slider(**more).check_start()


# ---------------------------------------------------------------- drag along a body's axes


@pytest.mark.parametrize("method", METHODS)
def test_a_hull_that_drifts_broadside_turns_into_the_current(method: str, simulate: Callable, order: Callable) -> None:
    """I θ̈ = −c a (V sin θ + a θ̇) − d |θ̇| θ̇: drag c across the hull, at a behind its mast, and d about the mast."""
    inertia, c, a, d, V = 40.0, 20.0, 1.5, 3.0, 2.0
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "wind": [V, 0, 0],
            "bodies": {
                "hull": {
                    "mass": 1000.0,
                    "inertia": [30, 30, inertia],
                    "quaternion": [np.cos(0.5), 0, 0, np.sin(0.5)],
                    "drag": {"linear": [1, c, 5], "angular_quadratic": d, "at": [a, 0, 0]},
                }
            },
            "robots": POST,
            "joints": {"mast": {"kind": "revolute", "from": "post", "to": "hull", "axis": [0, 0, 1]}},
        }
    )

    def rate(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -(c * a * (V * np.sin(y[0]) + a * y[1]) + d * abs(y[1]) * y[1]) / inertia]

    exact = solve_ivp(rate, (0.0, 2.0), [1.0, 0.0], rtol=1e-10, atol=1e-12).y[0, -1] - 1.0
    errors = []
    for h in (2e-2, 1e-2):
        result = simulate(scene, method, duration=2.0, step=h)
        errors.append(abs(float(result["joint_position"].values[-1, 0]) - exact))
    assert order(errors) == pytest.approx({"stewart-trinkle": 1.0, "shake": 2.0}[method], abs=0.1)
    assert errors[-1] < {"stewart-trinkle": 5e-3, "shake": 1e-5}[method]


@pytest.mark.parametrize("method", METHODS)
def test_drag_along_the_axes_of_a_body_brakes_each_component_at_its_own_rate(method: str, simulate: Callable) -> None:
    """Rᵀv decays by exp(−c_i t/m), however the body is turned."""
    raft = Body(
        mass=2, inertia=(1, 1, 1), quaternion=(0.8, 0.1, 0.2, 0.56), velocity=(1, 2, -1), drag={"linear": [1, 3, 5]}
    )
    scene = slider(2.0)
    scene = scene.replace(bodies={**scene.bodies, "raft": raft})
    R = raft.rotation_matrix()
    result = simulate(scene, method, duration=0.3, step=1e-3)
    k = np.array([1.0, 3.0, 5.0]) / 2.0
    exact = (R.T @ [1, 2, -1] / k * (1 - np.exp(-k * result.time[:, None]))) @ R.T
    moved = result["position"].sel(body="raft").values
    assert np.abs(moved - exact).max() < {"stewart-trinkle": 2e-4, "shake": 6e-9}[method]


BRAKED = {
    "hinge": ({"angular": 3.0}, 3.0),
    "ball": ({"angular": [1.0, 2.0, 3.0]}, 3.0),
    "at": ({"linear": [0.0, 2.0, 0.0], "at": [0.5, 0.0, 0.0]}, 2.0 * 1.5**2),
}
"""Drags of rods that turn about their ends, and the torque about there over the angular velocity [N m s]."""


@pytest.mark.parametrize(("method", "order"), [("stewart-trinkle", 1), ("shake", 2)])
def test_drag_that_brakes_turns_does_so_by_the_inertia_about_the_joint(
    method: str, order: int, simulate: Callable
) -> None:
    """I ω̇ = −c ω, so ω = ω₀ e^(−c t/I), with I = I_c + m r²; and I ω̇ = −c ω² of quadratic drag: ω₀/(1 + ω₀ c t/I)."""
    inertia, r, spin = 0.2 + 2.0, 1.0, 5.0
    rod = {"mass": 2.0, "inertia": [0.1, 0.2, 0.2], "points": {"end": [-r, 0, 0]}}
    rod |= {"velocity": [0, spin * r, 0], "angular_velocity": [0, 0, spin]}
    hinge = {"kind": "revolute", "axis": [0, 0, 1]}
    drags = {name: drag for name, (drag, _) in BRAKED.items()} | {"quadratic": {"angular_quadratic": 0.5}}
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {name: rod | {"position": [r, 0, k], "drag": drags[name]} for k, name in enumerate(drags)},
            "robots": {f"{name}-base": {"position": [0, 0, k]} for k, name in enumerate(drags)},
            "joints": {
                name: ({} if name == "ball" else hinge) | {"from": f"{name}-base", "to": f"{name}.end", "reduced": True}
                for name in drags
            },
        }
    )
    expected = [spin * np.exp(-c / inertia) for _, c in BRAKED.values()] + [spin / (1.0 + spin * 0.5 / inertia)]
    errors = [
        np.abs(simulate(scene, method, duration=1.0, step=h)["angular_velocity"].values[-1, :, 2] - expected)
        for h in (2e-3, 1e-3)
    ]
    np.testing.assert_allclose(errors[0] / errors[1], 2.0**order, rtol=0.05)
    assert errors[1].max() < 1e-2 / 300 ** (order - 1)


def test_drag_that_a_step_cannot_resolve_is_refused_by_name() -> None:
    scene = slider(2.0).with_values({"bodies.box.drag": {"linear": [1, 3, 5000]}})
    with pytest.raises(UsageError, match=r"drag brakes body 'box' within 0\.0004 s, and the step is 0\.001 s"):
        towsim.simulate(scene, duration=0.1, step=1e-3)
    with pytest.raises(UsageError, match="'bdf2' takes plain drag at the centre only"):
        towsim.simulate(scene, duration=0.1, method="bdf2")


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("method", METHODS)
def test_a_slide_stops_at_its_limits_and_leaves_them_when_pulled_back(method: str, simulate: Callable) -> None:
    h = 1e-3
    scene = slider(2.0, limits=[0.2, 0.8], motor="10 if t < 1 else -10")
    result = simulate(scene, method, duration=2.0, step=h)
    position, velocity = result["joint_position"].values[:, 0], result["joint_velocity"].values[:, 0]
    assert position.max() == pytest.approx(0.8, abs=1e-9)
    assert position.min() == pytest.approx(0.2, abs=1e-9)
    # It hits the stop at √(2·0.3/5) s and sticks there: the stop is plastic.
    resting = (result.time > 0.4) & (result.time < 0.95)
    assert np.abs(velocity[resting]).max() < 1e-9
    along = result["joint_reaction"].values[:, 0] @ (np.array([1.0, 2.0, 2.0]) / 3.0)
    assert np.abs(along[resting]).max() < 1e-9  # motor and stop balance


@pytest.mark.parametrize("h", [1e-3, 2e-4])
@pytest.mark.parametrize("method", METHODS)
def test_what_comes_to_a_limit_is_an_event_with_what_that_costs(method: str, h: float, simulate: Callable) -> None:
    """m v and ½ m v² of each of two strokes, v² = 2 a s; resting there and leaving are none."""
    scene = slider(2.0, limits=[0.2, 0.8], motor="10 if t < 1 else -10")
    result = simulate(scene, method, duration=2.0, step=h)
    assert [(event.kind, event.subject) for event in result.events] == [("impact", "rail")] * 2
    for event, start, stroke in zip(result.events, (0.0, 1.0), (0.3, 0.6), strict=True):
        speed = np.sqrt(2.0 * 5.0 * stroke)
        assert event.time == pytest.approx(start + speed / 5.0, abs=2.0 * h)
        assert event.impulse == pytest.approx(2.0 * speed, abs=4.0 * 10.0 * h)
        assert event.energy_lost == pytest.approx(0.5 * 2.0 * speed**2, abs=4.0 * 10.0 * h * speed)


@pytest.mark.parametrize("method", METHODS)
def test_a_hinge_turns_many_times_before_its_limit(method: str, simulate: Callable) -> None:
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"fan": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
            "robots": POST,
            "joints": {
                "hub": {
                    "kind": "revolute",
                    "from": "post",
                    "to": "fan",
                    "axis": [1, 1, 0],
                    "motor": 1.0,
                    "limits": [-1.0, 30.0],
                }
            },
        }
    )
    result = simulate(scene, method, duration=3.0, step=1e-3)
    angle = result["joint_position"].values[:, 0]
    assert angle.max() == pytest.approx(30.0, abs=1e-6)  # nearly five turns, after √6 s
    before = result.time < 2.4
    np.testing.assert_allclose(angle[before], 5.0 * result.time[before] ** 2, atol=0.03)


@pytest.mark.parametrize("h", [1e-3, 1e-4])
@pytest.mark.parametrize("method", METHODS)
def test_a_motion_that_begins_at_once_is_an_impact(method: str, h: float) -> None:
    """A jib at rest whose slewing is given from the start: m ω r at its hinge at once, then m ω² r, at every step.

    In its first step Stewart–Trinkle knows nothing of the turning; ½ h m ω² r of it are made up for at once.
    """
    m, r, rate = 300.0, 2.0, 0.3
    scene = scene_from_data(
        {
            "gravity": [0.0, 0.0, 0.0],
            "bodies": {
                "jib": {"mass": m, "inertia": [5, 400, 400], "position": [r, 0, 0], "points": {"root": [-r, 0, 0]}}
            },
            "robots": POST,
            "joints": {
                "slew": {"kind": "revolute", "from": "post", "to": "jib.root", "axis": [0, 0, 1], "motion": "0.3*t"}
            },
        }
    )
    result = towsim.simulate(scene, method=method, step=h, duration=0.05)
    impulse, force = result["joint_impulse"].values[:, 0], result["joint_reaction"].values[:, 0]
    late = 0.5 * h * m * rate**2 * r if method == "stewart-trinkle" else 0.0
    np.testing.assert_allclose(impulse.sum(axis=0), [-late, m * rate * r, 0.0], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(force[3:], axis=1), m * rate**2 * r, rtol=1e-3)


def test_what_is_read_under_way_is_the_last_row_of_a_run_that_ends_there() -> None:
    """To the bit; of a longer run SHAKE knows the motion to come there: 8 times less in velocity with half the step."""
    scene, apart = slider(motion="0.5 + 0.1*sin(4*t)"), []
    for h in (4e-3, 2e-3):
        n = round(0.04 / h)
        longer, until = (towsim.simulate(scene, method="shake", step=h, duration=k * n * h) for k in (2, 1))
        sim = towsim.Simulation(scene, method="shake", step=h)
        for steps in (1, 3, n - 4):
            sim.step(steps)
            assert np.array_equal(sim["position"].values, longer["position"].values[round(sim.time / h)])
        for name in ("velocity", "joint_velocity", "joint_torque", "joint_reaction"):
            assert np.array_equal(sim[name].values, until[name].values[-1], equal_nan=True), name
        apart.append(np.abs(sim["joint_velocity"].values - longer["joint_velocity"].values[n]).max())
        sim.step(n)
        assert np.array_equal(sim.result()["velocity"].values, longer["velocity"].values)
    assert np.log2(apart[0] / apart[1]) == pytest.approx(3.0, abs=0.1)
