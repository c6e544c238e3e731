"""Gusts have their shape, turbulence its power, and a seed decides about both."""

from __future__ import annotations

import numpy as np
import pytest

from towsim.scene import Gust, Turbulence, Wind, scene_from_text, scene_to_text


def test_a_gust_rises_and_falls_once() -> None:
    wind = Wind(x=1.0, gusts=(Gust(start=2.0, duration=3.0, velocity=(4.0, 0.0, -2.0)),))
    t = np.array([0.0, 2.0, 2.75, 3.5, 5.0, 9.0])
    shape = np.array([0.0, 0.0, 0.5, 1.0, 0.0, 0.0])
    np.testing.assert_allclose(wind.at(t), np.stack([1 + 4 * shape, 0 * shape, -2 * shape], axis=1), atol=1e-12)
    np.testing.assert_array_equal(wind.kinks(4.0), [2.0])


def test_turbulence_has_its_intensity() -> None:
    wind = Turbulence(intensity=(1.0, 2.0, 0.5), length=10.0, airspeed=10.0, seed=3)
    w = wind.at(np.arange(0.0, 2000.0, 0.05))
    # Of 64 sinusoids the slowest takes 630 s: a few percent of the power are not seen.
    np.testing.assert_allclose(w.std(axis=0), [1.0, 2.0, 0.5], rtol=0.05)


@pytest.mark.parametrize("axis", [0, 2])
def test_turbulence_has_drydens_spectrum(axis: int) -> None:
    length, speed, n, dt = 20.0, 10.0, 1 << 12, 0.05
    x = (np.arange(1, n // 2) * 2 * np.pi / (n * dt)) * length / speed  # L Ω
    power = np.zeros(n // 2 - 1)
    window = np.hanning(n)
    for seed in range(40):
        wind = Turbulence(intensity=(1.0, 1.0, 1.0), length=length, airspeed=speed, seed=seed)
        series = wind.at(np.arange(n) * dt)[:, axis] * window
        power += np.abs(np.fft.rfft(series)[1 : n // 2]) ** 2 / 40
    power *= 2 * dt / (window**2).sum()  # one-sided, per Hz
    longitudinal = 4 * length / speed / (1 + x**2)
    across = 2 * length / speed * (1 + 3 * x**2) / (1 + x**2) ** 2
    expected = longitudinal if axis == 0 else across
    for low, high in ((0.3, 1.0), (1.0, 3.0), (3.0, 10.0)):
        band = (x > low) & (x < high)
        assert power[band].sum() == pytest.approx(expected[band].sum(), rel=0.15)


def test_a_seed_decides() -> None:
    t = np.linspace(0.0, 10.0, 50)
    one, same, other = (Turbulence(intensity=(1.0, 1.0, 1.0), seed=seed).at(t) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert np.abs(one - other).max() > 0.1


def test_wind_survives_a_file() -> None:
    text = """
        bodies: {b: {mass: 1, point: true}}
        wind: {x: "sin(t)", gusts: [{start: 1, duration: 2, velocity: [1, 2, 3]}], turbulence: {intensity: [1, 1, 1]}}
    """
    scene = scene_from_text(text)
    assert scene_from_text(scene_to_text(scene)) == scene
    assert isinstance(scene.wind, Wind)
