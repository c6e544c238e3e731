"""Plans: goals are met and limits held in the run that flies them."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.fitting import plan
from towsim.scene import scene_from_data

TIME, STEP = 2.4, 2e-3


def _crane(length=1.5, points=5):
    """A trolley that goes 2 m by a spline through some points, a load on its wire."""
    t = np.linspace(0.0, TIME, points)
    x = 2.0 * (3.0 * (t / TIME) ** 2 - 2.0 * (t / TIME) ** 3)
    waypoints = {"t": t.tolist(), "position": [[float(at), 0.0, 3.0] for at in x], "kind": "cubic"}
    return scene_from_data(
        {
            "name": "crane",
            "robots": {"trolley": {"motion": {"waypoints": waypoints}}},
            "bodies": {"load": {"mass": 5.0, "point": True, "position": [0.0, 0.0, 3.0 - length]}},
            "wires": {"hoist": {"from": "trolley", "to": "load", "length": length}},
            "run": {"step": STEP, "duration": TIME, "method": "shake"},
        }
    )


FREE = [f"robots.trolley.motion.waypoints.position.{i}.0" for i in (1, 2, 3)]
REST = {"position[load,x]": 2.0, "velocity[load,x]": 0.0}


def _swing(scene):
    """How far the load swings after the trolley has stopped [m]."""
    run = towsim.simulate(scene, duration=TIME + 4.0)
    return np.abs(run["position"].values[run.time > TIME, 0, 0] - 2.0).max()


def test_a_crane_is_shaped_so_that_no_swing_is_left():
    assert _swing(_crane()) > 0.05
    found = plan(_crane(), FREE, REST)
    assert found.converged
    assert max(found.missed.values()) < 1e-8
    assert _swing(found.scene) < 1e-9
    assert found.runs < 12


def test_limits_are_held_on_the_way():
    crane, free = _crane(points=9), [f"robots.trolley.motion.waypoints.position.{i}.0" for i in range(1, 8)]
    peak = float(towsim.simulate(plan(crane, free, REST).scene)["tension"].values.max())
    limit = 0.95 * peak
    found = plan(crane, free, REST, {"tension[hoist]": (30.0, limit)})
    assert found.converged
    held = float(towsim.simulate(found.scene)["tension"].values.max())
    assert held < limit * (1.0 + 1e-5)  # in every step, and not only at the samples
    assert found.margin["tension[hoist]"] == pytest.approx(limit - held, abs=1e-6)
    assert _swing(found.scene) < 1e-6


def test_a_cost_of_ones_own_is_lowered():
    def effort(run):
        return np.mean((run["tension"] - 49.05) ** 2)

    first = towsim.compile(_crane()).gradient(effort, FREE, ["tension"])[0]
    found = plan(_crane(), FREE, {}, cost=effort, of=("tension",), bounds={FREE[0]: (0.1, 0.9)}, most_runs=30)
    assert found.cost < first
    assert 0.1 <= found.values[0] <= 0.9


@pytest.mark.parametrize(
    ("free", "goal", "limits", "match"),
    [
        (FREE, {}, {}, "nothing is asked for"),
        (["robots.trolley.motion.waypoints.position.9.0"], REST, {}, "unknown parameter"),
        (FREE, {"position[box,x]": 1.0}, {}, "unknown body"),
        (FREE, {"residual": 1.0}, {}, "title"),
        (FREE, REST, {"tension[hoist]": (2.0, 1.0)}, "must be below"),
        (FREE, REST, {"tension[hoist]": 3.0}, "two numbers"),
        (["lag"], REST, {}, "no sensors"),
    ],
)
def test_what_cannot_be_planned_is_refused_by_name(free, goal, limits, match):
    with pytest.raises(towsim.UsageError, match=match):
        plan(_crane(), free, goal, limits)
