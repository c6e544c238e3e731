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
