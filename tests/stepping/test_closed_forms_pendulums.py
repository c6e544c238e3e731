"""Loads that swing on wires, against elliptic integrals, conserved quantities and independent integration."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import ellipj, ellipk

import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81


def run(bodies, robots, wires, *, duration, step, method, **scene):
    data = {"bodies": bodies, "robots": robots, "wires": wires, **scene}
    return towsim.simulate(scene_from_data(data), duration=duration, step=step, method=method)


def bob(position, velocity=(0.0, 0.0, 0.0), mass=0.7):
    return {"bob": {"mass": mass, "point": True, "position": list(position), "velocity": list(velocity)}}


POST = {"post": {"position": [0.0, 0.0, 0.0]}}


def wire(length):
    return {"w": {"from": "bob", "to": "post", "length": length}}


def limit(method, step, first, second):
    """Error bound: ``first`` · h or ``second`` · h², by the order of the method."""
    return first * step if method == "stewart-trinkle" else second * step**2


@pytest.mark.parametrize("method", METHODS)
def test_large_angle_pendulum_follows_the_elliptic_sine(method):
    """sin(θ/2) = k sn(ω₀ t + K), k = sin(θ₀/2); T = m g (3 cos θ − 2 cos θ₀). Released at 85°, nearly horizontal."""
    L, m, h, start = 1.3, 0.7, 1e-3, np.radians(85.0)
    k2, rate = np.sin(start / 2) ** 2, np.sqrt(G / L)
    period = 4.0 * ellipk(k2) / rate
    result = run(
        bob([L * np.sin(start), 0, -L * np.cos(start)], mass=m),
        POST,
        wire(L),
        duration=2 * period,
        step=h,
        method=method,
    )
    sn = ellipj(rate * result.time + ellipk(k2), k2)[0]
    theta = 2.0 * np.arcsin(np.sqrt(k2) * sn)
    path = L * np.stack([np.sin(theta), 0 * theta, -np.cos(theta)], 1)
    # The bob moves at up to 4.8 m/s and 20 m/s².
    assert np.abs(result["position"].values[:, 0] - path).max() < limit(method, h, 2.5, 40.0)
    tension = m * G * (3 * np.cos(theta) - 2 * np.cos(start))
    late = slice(4, -1)  # Stewart–Trinkle's first tensions do not know of the curvature yet
    error = np.abs(result["tension"].values[late, 0] - tension[late]).max()
    assert error < limit(method, h, 2.0 * m * G * rate * 3, 50.0 * m * G)
    turns = result.time[np.flatnonzero(np.diff(np.sign(result["position"].values[:, 0, 0]))) + 1]
    assert turns[2] - turns[0] == pytest.approx(period, abs=2 * h)


@pytest.mark.parametrize("method", METHODS)
def test_a_whirling_pendulum_follows_the_elliptic_amplitude(method):
    """θ = 2 am(v₀ t/2L | 4 g L/v₀²): it goes over the top, where the wire stays taut for v₀² > 5 g L."""
    L, h = 0.8, 5e-4
    v0 = np.sqrt(7.0 * G * L)
    result = run(bob([0, 0, -L], [v0, 0, 0]), POST, wire(L), duration=2.0, step=h, method=method)
    amplitude = ellipj(v0 * result.time / (2 * L), 4 * G * L / v0**2)[3]
    path = L * np.stack([np.sin(2 * amplitude), 0 * amplitude, -np.cos(2 * amplitude)], 1)
    # Some 2.5 turns at 10 m/s: errors grow with the phase.
    assert np.abs(result["position"].values[:, 0] - path).max() < limit(method, h, 40.0, 600.0)
    assert result["gap"].values.max() < 1e-6
    assert result.events.select("slack").to_dicts() == []


@pytest.mark.parametrize("method", METHODS)
def test_conical_pendulum(method):
    """ω² = g / (L cos α): the height and the tension m g / cos α stay as they are."""
    L, m, h, cone = 1.5, 2.0, 1e-3, np.radians(40.0)
    rate, radius, depth = np.sqrt(G / (L * np.cos(cone))), L * np.sin(cone), L * np.cos(cone)
    result = run(
        bob([radius, 0, -depth], [0, rate * radius, 0], m), POST, wire(L), duration=10.0, step=h, method=method
    )
    position = result["position"].values[:, 0]
    bound = limit(method, h, radius * rate, 3 * radius * rate**2)
    assert np.abs(position[:, 2] + depth).max() < bound
    assert np.abs(np.hypot(position[:, 0], position[:, 1]) - radius).max() < bound
    tension = result["tension"].values[4:-1, 0]
    assert np.abs(tension - m * G / np.cos(cone)).max() < limit(method, h, 3 * rate, 10 * rate**2) * m * G
    angle = np.unwrap(np.arctan2(position[:, 1], position[:, 0]))
    # Mean angular rate over ten seconds.
    assert angle[-1] / 10.0 == pytest.approx(rate, abs=limit(method, h, 0.5 * rate**2, rate**3))


@pytest.mark.parametrize("method", METHODS)
def test_bifilar_pendulum_has_the_period_of_its_quadrature(method):
    """A bar on two parallel wires turns by ±φ₀ about the vertical, and rises: z = −√(L² − 4 a² sin²(φ/2)).

    ½ I φ̇² + ½ m ż² = m g (z(φ₀) − z(φ));  for small angles the period is 2π √(I L / (m g a²)).
    """
    L, a, m, inertia, h, start = 1.2, 0.35, 1.5, 0.08, 1e-3, np.radians(50.0)

    def z(phi):
        return -np.sqrt(L**2 - 4 * a**2 * np.sin(phi / 2) ** 2)

    def time_of(u):  # φ = φ₀ sin u takes the singularity at the turning point away
        phi = start * np.sin(u)
        slope = -(a**2) * np.sin(phi) / z(phi)
        head = max(z(start) - z(phi), 1e-300)
        return start * np.cos(u) * np.sqrt((inertia + m * slope**2) / (2 * m * G * head))

    period = 4.0 * quad(time_of, 0.0, np.pi / 2 - 1e-7, epsabs=1e-10)[0]
    small = 2 * np.pi * np.sqrt(inertia * L / (m * G * a**2))
    assert small * 1.01 < period < small * 1.2  # so the test tells them apart
    bar = {
        "mass": m,
        "inertia": [0.01, inertia, inertia],
        "position": [0, 0, z(start)],
        "quaternion": [np.cos(start / 2), 0, 0, np.sin(start / 2)],
        "points": {"p": [a, 0, 0], "n": [-a, 0, 0]},
    }
    result = run(
        {"bar": bar},
        {"p": {"position": [a, 0, 0]}, "n": {"position": [-a, 0, 0]}},
        {"p": {"from": "bar.p", "to": "p", "length": L}, "n": {"from": "bar.n", "to": "n", "length": L}},
        duration=3.2 * period,
        step=h,
        method=method,
    )
    q, t = result["quaternion"].values[:, 0], result.time
    phi = 2.0 * np.arctan2(q[:, 3], q[:, 0])
    k = np.flatnonzero((phi[:-1] > 0) & (phi[1:] <= 0))
    crossings = t[k] + h * phi[k] / (phi[k] - phi[k + 1])
    assert len(crossings) == 3
    assert np.diff(crossings) == pytest.approx([period] * 2, abs=limit(method, h, 0.5, 20.0))
    height = np.abs(result["position"].values[:, 0] - np.stack([0 * t, 0 * t, z(phi)], 1)).max()
    assert height < limit(method, h, 0.1, 1.0)


@pytest.mark.parametrize("method", METHODS)
def test_a_winch_that_hauls_in_a_circling_load_keeps_its_angular_momentum(method):
    """Without gravity the pull is central: ℓ² θ̇ = const, θ = c/u (1/ℓ − 1/ℓ₀), T = m c²/ℓ³ for ℓ = ℓ₀ − u t."""
    L, haul, m, h, rate = 2.0, 0.25, 0.7, 1e-3, 0.8
    c = L**2 * rate
    result = run(
        bob([L, 0, 0], [-haul, L * rate, 0], m),
        POST,
        wire({"start": L, "rate": -haul}),
        gravity=[0, 0, 0],
        duration=4.0,
        step=h,
        method=method,
    )
    length = L - haul * result.time
    position, velocity = result["position"].values[:, 0], result["velocity"].values[:, 0]
    momentum = position[:, 0] * velocity[:, 1] - position[:, 1] * velocity[:, 0]
    # Impulses along the wire have no moment about the post, and the step adds v × v = 0.
    assert np.abs(momentum / c - 1.0).max() < 1e-12
    theta = np.unwrap(np.arctan2(position[:, 1], position[:, 0]))
    assert np.abs(theta - c / haul * (1 / length - 1 / L)).max() < limit(method, h, 5.0, 20.0)  # ω reaches 3.2 rad/s
    tension = result["tension"].values[4:-1, 0]
    exact = (m * c**2 / length**3)[4:-1]
    assert np.abs(tension / exact - 1.0).max() < limit(method, h, 5.0, 30.0)


@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_under_a_winch_programme_follows_its_equation(method):
    """L θ̈ = −g sin θ − 2 L̇ θ̇ with L = 1.6 − 0.6 sin²(0.7 t), from 40°, by an adaptive method of order 8."""
    h, start, formula = 1e-3, np.radians(40.0), "1.6 - 0.6*sin(0.7*t)**2"

    def length(t):
        return 1.6 - 0.6 * np.sin(0.7 * t) ** 2, -0.6 * 0.7 * np.sin(1.4 * t)

    def rates(t, y):
        L, rate = length(t)
        return [y[1], -(G * np.sin(y[0]) + 2 * rate * y[1]) / L]

    result = run(
        bob([1.6 * np.sin(start), 0, -1.6 * np.cos(start)]),
        POST,
        wire({"formula": formula}),
        duration=5.0,
        step=h,
        method=method,
    )
    assert result["tension"].values[1:].min() > 0.5  # never slack, as it would be beyond 90°
    theta = solve_ivp(rates, (0, 5.0), [start, 0.0], "DOP853", result.time, rtol=1e-11, atol=1e-12).y[0]
    path = length(result.time)[0][:, None] * np.stack([np.sin(theta), 0 * theta, -np.cos(theta)], 1)
    assert np.abs(result["position"].values[:, 0] - path).max() < limit(method, h, 3.0, 30.0)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_slow_hauling_keeps_the_adiabatic_invariant(method):
    """E/ω is kept when L changes slowly: the amplitude grows as L^(−3/4)."""
    h, start, first, last = 1e-3, np.radians(4.0), 2.0, 1.0
    result = run(
        bob([first * np.sin(start), 0, -first * np.cos(start)]),
        POST,
        wire({"start": first, "rate": -(first - last) / 100.0}),
        duration=100.0,
        step=h,
        method=method,
    )
    position = result["position"].values[:, 0]
    theta = np.arctan2(position[:, 0], -position[:, 2])
    amplitude = np.abs(theta[-2500:]).max()  # more than a period
    mean_length = last + 0.0125
    # Corrections are of the order of the hauling per period (1 %) and of the amplitude squared (0.1 %).
    assert amplitude / start == pytest.approx((first / mean_length) ** 0.75, rel=0.01)
