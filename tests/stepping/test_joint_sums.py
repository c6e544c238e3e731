"""Forces of reduced joints are summed from joint to joint: once each, and whatever the order they are declared in."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from towsim.run import joint_columns
from towsim.scene import Scene


@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize("robot", [False, True])
def test_what_is_told_of_joints_takes_as_many_calls_as_there_are_joints(
    simulate: Callable, star: bool, robot: bool
) -> None:
    def calls(n: int) -> int:
        made = []
        rod = {"mass": 1.0, "inertia": [0.01, 0.1, 0.1], "points": {"l": [-0.5, 0, 0], "r": [0.5, 0, 0]}}
        ball = {"kind": "ball", "reduced": True}
        bodies = {f"b{i}": rod | {"position": [i, 0, 0]} for i in range(n)}
        joints = {f"j{i}": ball | {"from": f"b{i}.r", "to": f"b{i + 1}.l"} for i in range(n - 1)}
        if star:
            bodies |= {f"b{i}": rod | {"position": [1, 0, 0]} for i in range(1, n)}
            joints = {f"j{i}": ball | {"from": "b0.r", "to": f"b{i}.l"} for i in range(1, n)}
        robots = {"hand": {"position": [-0.5, 0, 0]}} if robot else {}
        if robot:
            joints["held"] = ball | {"from": "hand", "to": "b0.l"}
        sys.setprofile(lambda frame, *_: made.append(1) if frame.f_code.co_filename == joint_columns.__file__ else None)
        try:
            simulate(Scene(bodies=bodies, joints=joints, robots=robots), duration=1e-3)
        finally:
            sys.setprofile(None)
        return len(made)

    few, more, most = (calls(n) for n in (5, 10, 20))
    assert most - more == 2 * (more - few)


def test_what_is_told_of_joints_in_the_air_does_not_depend_on_their_order(simulate: Callable) -> None:
    rod = {"mass": 1.0, "inertia": [0.01, 0.1, 0.1], "points": {"l": [-0.5, 0, 0], "r": [0.5, 0, 0]}}
    bodies = {f"b{i}": rod | {"position": [i, 0, 0]} for i in range(4)}
    bodies["b0"] |= {"force": {"z": 20.0}}
    bodies["b3"] |= {"force": {"y": 5.0}}
    ends = {"first": ("b0.r", "b1.l"), "second": ("b2.l", "b1.r"), "third": ("b3.l", "b2.r")}
    ball = {"kind": "ball", "reduced": True}
    told = []
    for names in (list(ends), list(ends)[::-1]):
        joints = {name: ball | {"from": ends[name][0], "to": ends[name][1]} for name in names}
        result = simulate(Scene(bodies=bodies, joints=joints), duration=0.2, step=1e-3)
        told.append(result["joint_reaction"].sel(joint=list(ends)).values)
    assert np.abs(told[0]).max() > 0.3
    assert told[0] == pytest.approx(told[1], abs=1e-12)
