"""BDF methods and the modes of massive cables: what grows, what is chosen and what is refused; runs repeat."""

from __future__ import annotations

import math

import numpy as np
import pytest

import scenarios
import towsim
from towsim.methods.method import choose
from towsim.methods.stability import HARMLESS, fastest_growth, growth
from towsim.scene import Material, Mrfe, Robot, Scene, Wire, scene_from_data

G = 9.81
ROPE = {"diameter": 0.018, "mass_per_length": 1.2, "axial_stiffness": 2.5e7, "bending_stiffness": 50.0}
"""A steel wire rope of 18 mm, without damping."""


def hoist(elements: int = 20, *, load: float = 1000.0, length: float = 20.0, **material: float) -> Scene:
    """A load that is jerked upwards on a steel wire rope."""
    stops = {"t": [0, 0.5, 10], "position": [[0, 0, length], [0, 0, length + 0.3], [0, 0, length + 6]]}
    return scene_from_data(
        {
            "bodies": {"load": {"mass": load, "point": True, "position": [0, 0, 0]}},
            "robots": {"crane": {"motion": {"waypoints": stops}}},
            "wires": {
                "rope": {
                    "from": "crane",
                    "to": "load",
                    "length": length,
                    "material": ROPE | material,
                    "model": {"mrfe": {"elements": elements}},
                }
            },
        }
    )


@pytest.mark.parametrize(("order", "angle"), [(3, 86.03), (4, 73.35)])
def test_bdf_is_stable_within_its_angle_and_not_beyond(order: int, angle: float) -> None:
    """Hairer & Wanner II, table V.2.1: A(α) with α = 86.03° and 73.35°; orders 1 and 2 are A-stable."""
    size = np.geomspace(1e-2, 1e2, 400)
    inside, beyond = (size * np.exp(1j * (math.pi - math.radians(angle + off))) for off in (-0.05, 0.05))
    assert growth(order, inside).max() < 0.0 < growth(order, beyond).max()
    for low in (1, 2):
        assert growth(low, 1j * size).max() < 1e-12


def test_a_load_on_a_rope_without_damping_bounces_up_as_fast_as_foreseen() -> None:
    """The bounce of the load, ω = √(EA/L(M + ½ mL)), grows with bdf3 by what the roots of the polynomial say."""
    soft = {"axial_stiffness": 2e4, "mass_per_length": 0.2, "bending_stiffness": 1e-3}
    hung = hoist(1, load=3.0, length=2.0, **soft)
    scene = hung.replace(robots={"crane": Robot(position=(0, 0, 2.0))})
    h = 0.15 / math.sqrt(2e4 / (2.0 * (3.0 + 0.2)))  # half of the only element bounces as well
    result = towsim.simulate(scene, method="bdf3", step=h, duration=8000 * h)
    stretch = result["extension"].values[:, 0] - result["extension"].values[:, 0].mean()
    early, late = np.ptp(stretch[400:900]), np.ptp(stretch[7400:7900])
    found = fastest_growth(scene, 3, h)
    assert found is not None
    assert found.rate == pytest.approx(growth(3, np.array([0.15j]))[0])
    assert math.log(late / early) / 7000 == pytest.approx(growth(3, np.array([0.15j]))[0], rel=0.01)


def test_the_usual_method_for_a_rope_without_damping_is_one_that_does_not_blow_up() -> None:
    """Waves along the rope grow by 4.5 % a step with bdf3. The load is lifted, and the rope bears it, with bdf2."""
    scene = hoist()
    result = towsim.simulate(scene, step=1e-3, duration=11.0)
    assert result.provenance["options"]["method"] == "bdf2"
    assert result["position"].values[-1, 0, 2] == pytest.approx(6.0, abs=0.02)
    pull = np.abs(result["exit_force"].values[1:, 0, 2])
    assert pull[-900:].mean() == pytest.approx((1000.0 + 24.0) * G, rel=0.05)  # it bounces on, undamped
    assert pull.max() < 4.0 * 1024.0 * G


def test_a_method_that_would_blow_up_is_refused_with_what_would_do() -> None:
    scene = hoist()
    for order in (3, 4):
        with pytest.raises(
            towsim.UsageError, match=rf"method 'bdf{order}' is not stable in steps of 0.001 s: .*'rope'"
        ):
            towsim.simulate(scene, method=f"bdf{order}", step=1e-3)
    found = fastest_growth(scene, 3, 1e-3)
    assert found is not None
    assert not found.across
    axial, bending = found.damping
    assert axial is not None
    assert bending is not None
    assert "axial_damping: 3.4e+03 N s" in str(found)
    damped = {"axial_damping": 1.01 * axial, "bending_damping": 1.01 * bending}
    assert fastest_growth(hoist(20, **damped), 3, 1e-3) is None
    less = fastest_growth(hoist(20, **damped | {"axial_damping": 0.9 * axial}), 3, 1e-3)
    assert less is not None
    assert less.rate > HARMLESS


@pytest.mark.parametrize("name", ["cdpr44-kinematic", "cdpr44-inclined", "cdpr44-winches", "cantilever"])
def test_cables_that_damp_themselves_keep_the_third_order(name: str) -> None:
    scene = scenarios.get(name).build()
    for step in (1e-3, 1e-2):
        assert choose("bdf3", scene, step).order == 3
        assert fastest_growth(scene, 3, step, at_work=True) is None


def test_the_tension_at_the_start_is_that_of_an_elastic_catenary() -> None:
    """Three hanging cables of MoorPy's tests, by closed form (H, V at the upper end): slack, taut, nearly straight."""
    from towsim.methods.stability import _start_tension
    from towsim.model.cables import ends_at_start

    for x, z, length, EA, w, H, V in (
        (400.0, 200.0, 500.0, 7.51e12, 200.0, 43694.6, 77634.4),
        (89.9, 59.2, 130.0, 7.51e8, 881.05, 31373.2, 87886.2),
        (246.22420940032947, 263.55766330843164, 360.62566262396927, 7e8, 3.08735, 71116.8, 76680.6),
    ):
        material = Material(diameter=0.02, mass_per_length=w / G, axial_stiffness=EA, bending_stiffness=0.0)
        scene = Scene(
            robots={"a": Robot(position=(0, 0, 0)), "b": Robot(position=(x, 0, z))},
            wires={"w": Wire(from_="a", to="b", length=length, material=material, model=Mrfe())},
        )
        found = _start_tension(ends_at_start(scene, scene.wires["w"]), length, EA, np.array([0, 0, -w]))
        assert H < found < 1.01 * math.hypot(H, V)
    for there in (np.nan, np.inf, 1e300, 0.0):  # where no run can begin, or nothing is stretched
        assert _start_tension((np.zeros(3), np.array([there, 0, 0])), 1.0, EA, np.array([0, 0, -w])) == 0.0


@pytest.mark.parametrize("method", ["bdf2", "bdf3"])
def test_the_same_scene_and_options_give_the_same_numbers(method: str) -> None:
    """Whatever else a run is asked for: its duration, what is recorded, blocks of steps, who makes the steps."""
    scene = hoist(axial_damping=2e4, bending_damping=50.0)
    first = towsim.simulate(scene, method=method, step=1e-3, duration=0.3)
    by_hand = towsim.Simulation(scene, method=method, step=1e-3)
    for steps in (1, 99, 200):
        by_hand.step(steps)
    others = [
        towsim.simulate(scene, method=method, step=1e-3, duration=0.3),
        towsim.simulate(scene, method=method, step=1e-3, duration=0.5),
        by_hand.result(),
    ]
    sparse = towsim.simulate(scene, method=method, step=1e-3, duration=0.3, record_every=7)
    for name in ("position", "tip_force", "exit_force", "extension"):
        for other in others:
            np.testing.assert_array_equal(other[name].values[:301], first[name].values)
        np.testing.assert_array_equal(sparse[name].values[:-1], first[name].values[::7])


@pytest.mark.parametrize("x", ["6", "6 + 0.1*sin(t)"])
@pytest.mark.parametrize("method", [None, "bdf3", "dae"])
def test_a_cable_at_a_point_of_a_robot_runs_as_one_at_a_post_there(method: str | None, x: str) -> None:
    """A point of a robot that stands or moves is a robot of its own: in the choice of the method as well."""
    wire = {"to": "load", "length": 3.0, "material": ROPE, "model": {"mrfe": {"elements": 3}}}
    load = {"mass": 2.0, "point": True, "position": [6, 0, -3]}
    runs = []
    for start, points, end in ("0" + x[1:], {"aft": [6, 0, 0], "bow": [-1, 0, 0]}, "tug.aft"), (x, {}, "tug"):
        robot = {"motion": {"formula": {"x": start}}, "points": points}
        scene = scene_from_data(
            {"bodies": {"load": load}, "robots": {"tug": robot}, "wires": {"tow": wire | {"from": end}}}
        )
        options = {} if method is None else {"method": method}
        runs.append(towsim.simulate(scene, step=1e-4, duration=0.01, **options))
    carried, post = runs
    assert carried.provenance["options"]["method"] == post.provenance["options"]["method"]
    for name in ("position", "tension", "node_position"):
        np.testing.assert_allclose(carried[name].values, post[name].values, rtol=0, atol=1e-9 * G)
