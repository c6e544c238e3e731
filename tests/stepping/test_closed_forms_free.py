"""Bodies without wires: free fall, drag and wind, thrust, the torque-free top. Both methods."""

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81


def run(body, *, duration, step, method, **scene):
    data = {"bodies": {"b": body}, **scene}
    return towsim.simulate(scene_from_data(data), duration=duration, step=step, method=method)


def limit(method, step, first, second):
    """Error bound: ``first`` · h or ``second`` · h², by the order of the method."""
    return first * step if method == "stewart-trinkle" else second * step**2


@pytest.mark.parametrize("method", METHODS)
def test_free_fall(method):
    """x = x₀ + v₀ t + ½ g t²; Stewart–Trinkle moves with each step's last velocity: ½ g h t more, exactly."""
    h, v0 = 0.01, np.array([1.0, -2.0, 3.0])
    result = run(
        {"mass": 3.0, "point": True, "position": [1, 2, 3], "velocity": v0.tolist()},
        duration=2.0,
        step=h,
        method=method,
    )
    t = result.time[:, None]
    late = h if method == "stewart-trinkle" else 0.0
    expected = np.array([1, 2, 3]) + v0 * t + 0.5 * np.array([0, 0, -G]) * t * (t + late)
    assert np.abs(result["position"].values[:, 0] - expected).max() < 1e-12  # rounding of 200 sums
    assert np.abs(result["velocity"].values[:, 0] - (v0 + np.array([0, 0, -G]) * t)).max() < 1e-12
    assert np.abs(result["acceleration"].values[1:, 0] - [0, 0, -G]).max() < 1e-10


@pytest.mark.parametrize("method", METHODS)
def test_linear_drag_and_wind_end_in_terminal_velocity(method):
    """v = v_∞ + (v₀ − v_∞) exp(−c t/m), v_∞ = wind + m g / c."""
    m, c, h, wind, v0 = 2.0, 1.5, 1e-3, np.array([3.0, -1.0, 0.5]), np.array([0.0, 4.0, 0.0])
    result = run(
        {"mass": m, "point": True, "velocity": v0.tolist(), "drag": {"linear": c}},
        wind=wind.tolist(),
        duration=20.0,
        step=h,
        method=method,
    )
    end = wind + np.array([0, 0, -G]) * m / c
    velocity = result["velocity"].values[:, 0]
    expected = end + (v0 - end) * np.exp(-c / m * result.time)[:, None]
    # Half of (c/m)² |v₀ − v_∞| / e is what one step too late comes to.
    assert np.abs(velocity - expected).max() < limit(method, h, 4.0, 4.0)
    assert np.abs(velocity[-1] - end).max() < 1e-4  # exp(−15) of 16 m/s are left


@pytest.mark.parametrize("method", METHODS)
def test_quadratic_drag_falls_as_tanh(method):
    """In air that moves along: v = −v_∞ tanh(g t / v_∞), z = −v_∞²/g log cosh(g t / v_∞), v_∞ = √(m g / k)."""
    m, k, h, wind = 1.3, 0.4, 1e-3, np.array([2.0, -3.0, 0.0])
    result = run(
        {"mass": m, "point": True, "velocity": wind.tolist(), "drag": {"quadratic": k}},
        wind=wind.tolist(),
        duration=5.0,
        step=h,
        method=method,
    )
    end, t = np.sqrt(m * G / k), result.time
    velocity, position = result["velocity"].values[:, 0], result["position"].values[:, 0]
    assert np.abs(velocity[:, 2] + end * np.tanh(G * t / end)).max() < limit(method, h, 4.0, 4.0)
    fall = end**2 / G * np.log(np.cosh(G * t / end))
    assert np.abs(position - np.stack([2.0 * t, -3.0 * t, -fall], 1)).max() < limit(method, h, 5.0, 5.0)
    assert velocity[-1, 2] == pytest.approx(-end, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_thrust_turns_with_its_body(method):
    """Spin ω about z, thrust F along the body's x axis: v = F/(m ω) (sin ω t, 1 − cos ω t)."""
    m, force, spin, h = 2.0, 3.0, 2.5, 1e-3
    result = run(
        {"mass": m, "inertia": [0.3, 0.4, 0.5], "angular_velocity": [0, 0, spin], "thrust": {"x": force}},
        gravity=[0, 0, 0],
        duration=4.0,
        step=h,
        method=method,
    )
    phase = spin * result.time
    expected = force / (m * spin) * np.stack([np.sin(phase), 1 - np.cos(phase), 0 * phase], 1)
    assert np.abs(result["velocity"].values[:, 0] - expected).max() < limit(method, h, 2.0, 2.0)


@pytest.mark.parametrize("method", METHODS)
def test_thrust_beside_the_centre_turns_the_body(method):
    """A force F at the distance d: angle ½ F d/I t², whatever way it goes; angular velocity F d/I t."""
    force, arm, inertia, h = 0.8, 0.2, 0.5, 1e-3
    body = {"mass": 2.0, "inertia": [0.3, 0.4, inertia], "thrust": {"y": force, "at": [arm, 0, 0]}}
    result = run(body, gravity=[0, 0, 0], duration=2.0, step=h, method=method)
    q, t, rate = result["quaternion"].values[:, 0], result.time, force * arm / inertia
    assert np.abs(2.0 * np.arctan2(q[:, 3], q[:, 0]) - 0.5 * rate * t**2).max() < limit(method, h, rate * 2.0, 1.0)
    assert np.abs(result["angular_velocity"].values[:, 0, 2] - rate * t).max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_forces_and_torques_are_functions_of_time(method):
    """m v = ∫ F dt and I ω = ∫ τ dt for F = sin t, τ = cos 2t along axes that do not couple."""
    h = 1e-3
    body = {"mass": 2.0, "inertia": [0.3, 0.4, 0.5], "force": {"z": "19.62 + sin(t)"}, "torque": {"y": "cos(2*t)"}}
    result = run(body, duration=3.0, step=h, method=method)
    t = result.time
    assert np.abs(result["velocity"].values[:, 0, 2] - (1 - np.cos(t)) / 2.0).max() < limit(method, h, 1.0, 1.0)
    spin = result["angular_velocity"].values[:, 0, 1]
    assert np.abs(spin - np.sin(2 * t) / (2 * 0.4)).max() < limit(method, h, 3.0, 3.0)


def top(inertia, spin, duration):
    """Quaternions (101, 4) of a torque-free top from Euler's equations, by an adaptive method of order 8."""
    from scipy.integrate import solve_ivp

    def rates(_, y):
        w, q = y[:3], y[3:]
        turn = [
            -q[1] * w[0] - q[2] * w[1] - q[3] * w[2],
            q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
            q[0] * w[1] + q[3] * w[0] - q[1] * w[2],
            q[0] * w[2] + q[1] * w[1] - q[2] * w[0],
        ]
        return [*(np.cross(inertia * w, w) / inertia), *(0.5 * np.array(turn))]

    t = np.linspace(0, duration, 101)
    return solve_ivp(rates, (0, duration), [*spin, 1, 0, 0, 0], "DOP853", t, rtol=1e-12, atol=1e-13).y[3:].T


@pytest.mark.parametrize("spin", [[3.0, 4.0, 5.0], [0.02, 6.0, 0.01]], ids=["tumbling", "about the middle axis"])
@pytest.mark.parametrize("method", METHODS)
def test_torque_free_asymmetric_top(method, spin):
    inertia, duration = np.array([0.02, 0.05, 0.06]), 6.0
    expected = top(inertia, np.array(spin), duration)
    errors = []
    for h in (2e-3, 1e-3):
        body = {"mass": 1.0, "inertia": inertia.tolist(), "angular_velocity": spin}
        result = run(body, gravity=[0, 0, 0], duration=duration, step=h, method=method)
        q = result["quaternion"].values[:: round(duration / h / 100), 0]
        # Angle between the two orientations.
        errors.append(2.0 * np.arccos(np.minimum(1.0, np.abs(np.sum(q * expected, axis=1)))).max())
    assert errors[1] < 1e-3
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)  # the midpoint rotation is of order 2


@pytest.mark.parametrize("h", [1e-3, 1e-2])
@pytest.mark.parametrize("method", METHODS)
def test_a_tumbling_top_keeps_momentum_and_energy(method, h):
    inertia, spin = np.array([0.02, 0.05, 0.06]), np.array([3.0, 4.0, 5.0])
    body = {"mass": 1.0, "inertia": inertia.tolist(), "angular_velocity": spin.tolist()}
    result = run(body, gravity=[0, 0, 0], duration=20.0, step=h, method=method)
    from scipy.spatial.transform import Rotation

    R = Rotation.from_quat(result["quaternion"].values[:, 0], scalar_first=True)
    in_body = R.apply(result["angular_velocity"].values[:, 0], inverse=True)
    momentum = R.apply(inertia * in_body)
    assert np.abs(momentum - inertia * spin).max() < 1e-12 * np.linalg.norm(inertia * spin) + 1e-13
    energy = 0.5 * np.sum(inertia * in_body**2, axis=1)
    error = np.abs(energy / energy[0] - 1.0)
    assert error.max() < 0.5 * h**2 + 1e-12  # 5e-7 at h = 1e-3
    assert error[len(error) // 2 :].max() < 1.05 * error[: len(error) // 2].max()  # it comes and goes, it does not grow


@pytest.mark.parametrize("method", METHODS)
def test_a_symmetric_top_precesses_about_its_angular_momentum(method):
    """The axis of a torque-free symmetric top circles its angular momentum ℓ at ‖ℓ‖/I₁ (I₁ across the axis)."""
    across, along, h = 0.05, 0.02, 1e-3
    spin = np.array([1.0, 0.0, 8.0])
    body = {"mass": 1.0, "inertia": [across, across, along], "angular_velocity": spin.tolist()}
    result = run(body, gravity=[0, 0, 0], duration=5.0, step=h, method=method)
    from scipy.spatial.transform import Rotation

    ell = np.array([across, across, along]) * spin
    axis = Rotation.from_quat(result["quaternion"].values[:, 0], scalar_first=True).apply([0.0, 0.0, 1.0])
    turn = Rotation.from_rotvec(np.outer(result.time / across, ell))
    assert np.abs(axis - turn.apply([0.0, 0.0, 1.0])).max() < 20.0 * h**2  # (ω t) (ω h)²/24 and the like
