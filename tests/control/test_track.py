"""The law ``track`` knows what wires pull its vehicles with: at rest nothing is left for its integral to learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data

VEHICLE = {"position": [0, 0, 0], "dynamics": "point-mass", "vehicle": {"mass": 2.0}}
SPRING = {"model": {"spring": {"stiffness": 50.0, "damping": 20.0}}}


def left(data: dict[str, Any], duration: float = 25.0, **options: Any) -> float:
    """How far the vehicle "v" is from its place at the end [m]: 0.125 m for each newton that it does not know."""
    law = {"law": "track", "vehicles": ["v"], "integral": 0.0, "lost": 1e3}
    data = {**data, "robots": {"v": VEHICLE, **data.get("robots", {})}, "controllers": {"c": law}}
    result = towsim.simulate(scene_from_data(data), duration=duration, step=2e-3, record_every=100, **options)
    return float(np.abs(result["tracking_error"].sel(body="v").values[-1]).max())


@pytest.mark.parametrize("length", [0.8, 1.2])
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_the_push_of_a_strut_is_known_as_the_pull_of_a_spring_is(method: str, length: float) -> None:
    wire = {"from": "post", "to": "v", "length": length, **SPRING}
    data = {"gravity": [0, 0, 0], "robots": {"post": {"position": [-1, 0, 0]}}, "wires": {"s": wire}}
    assert left(data, method=method) < 1e-6


@pytest.mark.parametrize("ends", [("load", "v"), ("v", "load")])
def test_of_a_rope_that_rubs_the_tension_at_the_vehicle_counts(ends: tuple[str, str]) -> None:
    load = {"mass": 1.0, "point": True, "position": [-2, 0, -1], "force": {"z": -9.81}}
    wire = {"from": ends[0], "via": ["ring"], "to": ends[1], "length": 3.0, "friction": 0.3}
    ring = {"ring": {"position": [-2, 0, 0]}}
    assert left({"gravity": [0, 0, 0], "bodies": {"load": load}, "robots": ring, "wires": {"w": wire}}) < 1e-6


def load(x: float) -> dict[str, Any]:
    return {"a": {"mass": 1.0, "point": True, "position": [x, 0, -2], "drag": {"linear": 2.0}}}


def test_a_wire_over_a_ring_on_the_vehicle_pulls_it_by_both_its_parts() -> None:
    wire = {"from": "a", "via": ["v"], "to": "p", "length": 5.0}
    assert left({"bodies": load(0.0), "robots": {"p": {"position": [0, 0, -3]}}, "wires": {"w": wire}}) < 1e-6


@pytest.mark.parametrize("radius", [0.1, 0.05])
def test_of_a_block_on_the_vehicle_the_arm_is_left_to_the_integral(radius: float) -> None:
    """The lines to its centre lean by r/l where the wire is plumb: no more than T (r/2 m + r/3 m) of it is left."""
    wire = {"from": "a", "via": ["b"], "to": "p", "length": 5.0 + np.pi * radius}
    data = {"pulleys": {"b": {"at": "v", "radius": radius}}, "robots": {"p": {"position": [radius, 0, -3]}}}
    assert left({**data, "bodies": load(-radius), "wires": {"w": wire}}) < 0.125 * 9.81 * radius * (1 / 2 + 1 / 3)


FAR = {
    "a post": {"position": [-1, 0, 0]},
    "a robot that went there": {"motion": {"waypoints": {"t": [0, 1], "position": [[-1, 1, 0], [-1, 0, 0]]}}},
    "a point of a frame": {"position": [-2, 0, 0], "points": {"tip": [1, 0, 0]}},
}


@pytest.mark.parametrize("kind", FAR)
def test_the_pull_of_a_wire_to_a_robot_is_known_however_that_moves(kind: str) -> None:
    far = FAR[kind]
    wire = {"from": "v", "to": "far.tip" if "points" in far else "far", "length": 0.8, **SPRING}
    assert left({"gravity": [0, 0, 0], "robots": {"far": far}, "wires": {"s": wire}}, 30.0) < 1e-6


def test_and_also_of_one_that_is_steered_by_hand() -> None:
    law = {"law": "track", "vehicles": ["v"], "integral": 0.0}
    robots, wire = {"v": VEHICLE, "far": {"position": [-1, 0, 0]}}, {"from": "v", "to": "far", "length": 0.8, **SPRING}
    scene = scene_from_data({"gravity": [0, 0, 0], "robots": robots, "wires": {"s": wire}, "controllers": {"c": law}})
    sim, batch = towsim.Simulation(scene, step=2e-3), towsim.Batch(scene, 2, step=2e-3)
    for one in (sim, batch):
        one.steer("far", velocity=[0.0, 0.1, 0.0])
        one.step(5000)
        one.steer("far", velocity=[0.0, 0.0, 0.0])
        one.step(10000)
        assert one["robot_position"].values[..., 0, 1] == pytest.approx(1.0)
        assert np.abs(one["position"].sel(body="v").values).max() < 1e-6
