"""A pendulum, and logs of it."""

from __future__ import annotations

import numpy as np

import towsim
from towsim.fitting import Log
from towsim.scene import scene_from_data


def swing(**numbers):
    """A pendulum in the plane y = 0, but for what is changed."""
    wire = {"from": "r", "to": "load", "length": float(np.hypot(0.3, 1.0))}
    load = {"mass": 1.0, "point": True, "position": [0.3, 0.0, 1.0], "drag": {"linear": 0.2}}
    robots = {"r": {"motion": {"formula": {"x": "0", "y": "1e-6*sin(5*t)", "z": "2"}}}}
    data = {"robots": robots, "bodies": {"load": load}, "wires": {"w": wire}, "run": {"duration": 1.0, "step": 2e-3}}
    return scene_from_data(data).with_values(numbers)


def noisy(scene, sigma, axes="xyz", factor=1.0):
    run, draw = towsim.simulate(scene), np.random.default_rng(3)
    x = run["position"].values[::5, 0] + sigma * draw.standard_normal((len(run.time[::5]), 3))
    return Log(run.time[::5], {f"position[load,{axis}]": factor * x[:, "xyz".index(axis)] for axis in axes})
