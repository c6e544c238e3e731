"""Losses that outliers do not drag along: estimates and their errors belong to each other, whatever the first guess."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import towsim
from towsim.fitting import Log, identify
from towsim.scene import scene_from_data

SIGMA, WILD, SHARE = 0.005, 0.3, 0.1
"""Noise, that of outliers [m], and how many of them there are."""

PSI = {
    "soft_l1": (lambda r: r / np.sqrt(1.0 + r**2), lambda r: (1.0 + r**2) ** -1.5),
    "huber": (lambda r: np.clip(r, -1.0, 1.0), lambda r: (np.abs(r) < 1.0).astype(float)),
    "cauchy": (lambda r: r / (1.0 + r**2), lambda r: (1.0 - r**2) / (1.0 + r**2) ** 2),
}
"""Influence of an error, and its derivative."""


def _scene(drag=0.2):
    return scene_from_data(
        {
            "robots": {"hook": {"motion": {"formula": {"x": "0.2*sin(3*t)", "y": 0.0, "z": 2.0}}}},
            "bodies": {"load": {"mass": 1.0, "point": True, "position": [0.0, 0.0, 1.0], "drag": {"linear": drag}}},
            "wires": {"w": {"from": "hook", "to": "load", "length": 1.0}},
            "run": {"step": 5e-3, "duration": 2.0, "method": "shake"},
        }
    )


def _errors(n):
    """As good as normal errors with outliers: of each of the two kinds its quantiles, in no order."""
    wild = round(SHARE * n)
    kinds = (SIGMA, n - wild), (WILD, wild)
    errors = np.concatenate([sigma * norm.ppf((np.arange(m) + 0.5) / m) for sigma, m in kinds if m])
    return np.random.default_rng(2).permutation(errors)


def _log(n=201):
    run = towsim.simulate(_scene(0.35))
    rows = np.linspace(0, len(run.time) - 1, n).round().astype(int)
    return run.time[rows], run["position"].values[rows, 0, 0]


@pytest.mark.parametrize("noise", [None, {"position": SIGMA}])
@pytest.mark.parametrize("loss", PSI)
def test_errors_told_are_those_of_the_estimate_with_outliers(loss, noise):
    """Of a mean the variance is E ψ² / (E ψ′)² / n (Huber 1981, eq. 3.2.13): 14 and 0.75 times it had been told.

    Tolerance: the correction for few rows, 1/n, and the estimate, which is off by some of its error."""
    time, x = _log()
    wrong = _errors(len(time))
    found = identify(
        _scene(0.35), Log(time, {"position[load,x]": x + wrong}), ["offset.position[load,x]"], loss=loss, noise=noise
    )
    scale = SIGMA if noise else np.median(np.abs(wrong)) / norm.ppf(0.75)
    psi, slope = (function(wrong / scale) for function in PSI[loss])
    expected = scale * np.sqrt(np.mean(psi**2) / len(time)) / np.mean(slope)
    assert found.sigma[0] == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("loss", PSI)
def test_a_robust_estimate_does_not_depend_on_the_first_guess(loss):
    """The scale is that of what is left at the end; within a hundredth of the error, as fit and scale settle."""
    time, x = _log()
    log = Log(time, {"position[load,x]": x + _errors(len(time))})
    near, far = (identify(_scene(drag), log, ["bodies.load.drag.linear"], loss=loss) for drag in (0.34, 3.0))
    assert near.converged
    assert far.converged
    assert far.values[0] == pytest.approx(near.values[0], abs=1e-2 * near.sigma[0])
    assert far.sigma[0] == pytest.approx(near.sigma[0], rel=1e-2)
    assert abs(near.values[0] - 0.35) < 4.0 * near.sigma[0]


def test_a_robust_fit_of_an_exact_log_ends():
    time, x = _log()
    found = identify(_scene(), Log(time, {"position[load,x]": x}), ["bodies.load.drag.linear"], loss="cauchy")
    assert found.converged
    assert found.values[0] == pytest.approx(0.35, abs=1e-6)


def test_noise_that_is_far_too_small_leaves_no_minimum_by_the_first_guess():
    """A hundredth of it: of Cauchy's loss each few readings are a minimum. Tolerance: as above, of σ = 0.0055."""
    time, x = _log()
    log, noise = Log(time, {"position[load,x]": x + _errors(len(time))}), {"position": SIGMA / 100.0}
    near, far = (
        identify(_scene(drag), log, ["bodies.load.drag.linear"], loss="cauchy", noise=noise) for drag in (0.34, 3.0)
    )
    assert far.values[0] == pytest.approx(near.values[0], abs=5.5e-5)
    assert near.values[0] == pytest.approx(0.35, abs=2.0 * 5.5e-3)
