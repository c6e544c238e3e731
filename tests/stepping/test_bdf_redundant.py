"""BDF methods with more wires than are needed: which of them bear load may differ each time that it is asked."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import towsim
from scenarios import get
from towsim.scene import Scene, scene_from_data


def box(seed: int, wires: int = 10) -> Scene:
    """A box on wires anywhere on it, robots above that move sideways; half of the wires tighten soon."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-0.3, 0.3, (wires, 3))
    tops = points + np.array([0.0, 0.0, 1.0]) + rng.uniform(-0.5, 0.5, (wires, 3))
    rates = rng.uniform(-1.0, 1.0, wires)
    body = {"mass": 2.0, "shape": {"box": [0.4, 0.3, 0.2]}}
    return scene_from_data(
        {
            "bodies": {"box": body | {"points": {f"p{i}": points[i].tolist() for i in range(wires)}}},
            "robots": {
                f"r{i}": {"motion": {"formula": {"x": f"{x} + {0.1 * rates[i]}*t", "y": f"{y}", "z": f"{z}"}}}
                for i, (x, y, z) in enumerate(tops)
            },
            "wires": {
                f"w{i}": {"from": f"box.p{i}", "to": f"r{i}", "length": float(np.linalg.norm(tops[i] - points[i]))}
                for i in range(wires)
            },
        }
    )


def test_a_search_for_an_instant_ends_though_what_was_seen_is_gone_when_it_is_asked_again() -> None:
    """In a process of its own, as compiled code that never ends cannot be interrupted."""
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["11"]


@pytest.mark.parametrize("method", ["bdf1", "bdf2", "bdf3"])
def test_no_wire_stretches(method: str) -> None:
    for seed in range(3):
        result = towsim.simulate(box(seed), duration=0.05, step=1e-3, method=method)
        assert float(result["gap"].min()) > -1e-6


@pytest.mark.parametrize("method", ["bdf1", "bdf2", "bdf3"])
def test_a_box_at_rest_on_more_wires_than_are_needed_stays_there(method):
    """Which of eight wires bear it is for rounding to say, and changes from step to step: events that are none."""
    scene = get("eight-wires-box").build().with_values({"start": "equilibrium"})
    still = {name: {"position": robot.sample(np.zeros(1))[0][0].tolist()} for name, robot in scene.robots.items()}
    run = towsim.simulate(scene.replace(robots=still), duration=0.1, step=1e-3, method=method)
    assert np.abs(run["position"] - run["position"][0]).max() < 1e-12
    assert np.abs(run["velocity"]).max() < 1e-8  # ψ/b of rounding in the shortest steps


@pytest.mark.parametrize("method", ["bdf2", "bdf3"])
@pytest.mark.parametrize(("name", "parameters"), [("four-robots-box", {"turn": 0.0}), ("eight-wires-box", {})])
def test_no_wire_is_jerked_in_smooth_motion(name, parameters, method):
    """Radial wires, or eight of them: others bear the load every few steps, in which no velocity jumps."""
    run = towsim.simulate(get(name).build(**parameters), duration=2.0, step=1e-3, method=method)
    wires = len(run.scene.wires)
    assert [event.kind for event in run.events] == ["taut"] * wires


if __name__ == "__main__":
    import faulthandler

    faulthandler.dump_traceback_later(200, exit=True)
    print(len(towsim.simulate(box(932), duration=0.01, step=1e-3, method="bdf2").time))  # went round for ever
