"""Wires that rub on the rings and pulleys they pass: Euler and Eytelwein's law, sticking and slipping."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import towsim
from scenarios import _laws
from towsim.scene import Scene, scene_from_data

G = 9.81
MU = 0.3
HALF_TURN = math.exp(MU * math.pi)


def bob(mass: float, *position: float) -> dict[str, object]:
    return {"mass": mass, "point": True, "position": list(position)}


def atwood(m1: float, m2: float, **wire: object) -> Scene:
    """Two bobs on a rope that lies over two fixed rods: it bends by a quarter turn at each."""
    return scene_from_data(
        {
            "bodies": {"a": bob(m1, -0.2, 0, -1), "b": bob(m2, 0.2, 0, -1)},
            "robots": {"left": {"position": [-0.2, 0, 0]}, "right": {"position": [0.2, 0, 0]}},
            "wires": {
                "rope": {"from": "a", "via": ["left", "right"], "to": "b", "length": 2.4, "friction": MU, **wire}
            },
        }
    )


@pytest.mark.parametrize("ratio", [0.999 * HALF_TURN, 1.001 / HALF_TURN])
def test_a_rope_over_rods_sticks_below_the_limit(ratio: float, simulate: Callable) -> None:
    result = simulate(atwood(1.0, ratio), duration=0.5)
    assert np.abs(result["velocity"].values).max() < 1e-12
    part = result["part_tension"].values[-1]
    assert part[[0, -1]] == pytest.approx([G, ratio * G], rel=1e-9)


@pytest.mark.parametrize("m2", [1.001 * HALF_TURN, 5.0, 0.1])
def test_a_rope_over_rods_slips_beyond_it_with_the_capstan_ratio(m2: float, simulate: Callable) -> None:
    result = simulate(atwood(1.0, m2), duration=0.3)
    k = HALF_TURN if m2 > 1.0 else 1.0 / HALF_TURN
    a = (m2 - k) / (m2 + k) * G
    np.testing.assert_allclose(
        result["acceleration"].values[1:, :, 2], a * np.array([1.0, -1.0]) + np.zeros((300, 2)), rtol=1e-7
    )
    part = result["part_tension"].values[1:]
    np.testing.assert_allclose(part[:, 0], a + G, rtol=1e-7)
    np.testing.assert_allclose(part[:, 1:] / part[:, :-1], math.sqrt(k), rtol=1e-7)


def test_full_turns_around_a_bollard_multiply_the_grip(simulate: Callable) -> None:
    grip = math.exp(MU * (math.pi + 2 * 2 * math.tau))
    assert np.abs(simulate(atwood(1.0, 0.99 * grip, turns=2), duration=0.1)["velocity"].values).max() < 1e-9
    falling = simulate(atwood(1.0, 1.01 * grip, turns=2), duration=0.1)
    assert falling["velocity"].values[-1, 1, 2] == pytest.approx(-0.01 / 2.01 * G * 0.1, rel=1e-3)


def tackle(rate: float, friction: float) -> Scene:
    """A load on four parts of a rope between two blocks, hauled in by a winch beside the upper one."""
    deep, width = 50.0, 0.01
    robots = {f"t{k}": {"position": [width * (2 * k + 1), 0, 0]} for k in range(2)}
    robots |= {"anchor": {"position": [-width, 0, 0]}, "winch": {"position": [3 * width, 0, -deep]}}
    points = {f"s{k}": [width * (2 * k - 1), 0, 0] for k in range(2)}
    load = {"mass": 10.0, "inertia": [10.0, 10.0, 10.0], "position": [width, 0, -deep], "points": points}
    via = ["load.s0", "t0", "load.s1", "t1"]
    span = 4 * math.hypot(width, deep) + deep
    return scene_from_data(
        {
            "bodies": {"load": load},
            "robots": robots,
            "wires": {
                "rope": {
                    "from": "anchor",
                    "via": via,
                    "to": "winch",
                    "friction": friction,
                    "length": {"start": span, "rate": rate},
                }
            },
        }
    )


@pytest.mark.parametrize("rate", [-0.2, 0.2])
def test_friction_in_a_tackle_adds_up_from_sheave_to_sheave(rate: float, simulate: Callable) -> None:
    """Hauling, each part pulls more than the one before by e^{μθ}; lowering, less."""
    result = simulate(tackle(rate, 0.1), duration=0.2)
    part = result["part_tension"].values[-1]
    ratio = part[1:] / part[:-1]
    assert ratio == pytest.approx(math.exp(math.copysign(0.1, -rate) * math.pi), rel=2e-3)  # the parts are not parallel
    assert part[:4].sum() == pytest.approx(10.0 * G, rel=2e-3)


def bead(friction: float, start: float) -> Scene:
    """A bead on a wire of 2 m between two posts 1.2 m apart, at an angle on its ellipse; no side of it is marked."""
    a, b = 1.0, 0.8  # half-axes of the ellipse of places that a taut wire allows
    x, z = a * math.sin(start), -b * math.cos(start)
    span = math.hypot(x + 0.6, z) + math.hypot(x - 0.6, z)
    return scene_from_data(
        {
            "bodies": {"bead": bob(1.0, x, 0, z)},
            "robots": {"left": {"position": [-0.6, 0, 0]}, "right": {"position": [0.6, 0, 0]}},
            "wires": {"wire": {"from": "left", "via": ["bead"], "to": "right", "length": span, "friction": friction}},
        }
    )


def statics(start: float) -> float:
    """Friction that a bead at rest on the ellipse needs: log of the ratio of tensions over the angle of the bend."""
    x, z = math.sin(start), -0.8 * math.cos(start)
    u = np.array([-0.6 - x, -z]) / math.hypot(x + 0.6, z)
    v = np.array([0.6 - x, -z]) / math.hypot(x - 0.6, z)
    left, right = np.linalg.solve(np.array([u, v]).T, [0.0, G])
    bend = math.pi - math.acos(float(u @ v))
    return abs(math.log(right / left)) / bend


def test_a_bead_rests_on_a_wire_where_friction_bears_the_difference_of_tensions(simulate: Callable) -> None:
    start = 0.2
    needed = statics(start)
    rest = simulate(bead(1.01 * needed, start), duration=0.3, step=1e-3)
    assert np.abs(rest["velocity"].values).max() < 1e-9
    slides = simulate(bead(0.99 * needed, start), duration=0.3, step=1e-3)
    assert slides["velocity"].values[-1, 0, 0] < -1e-3


def test_friction_takes_energy_from_a_bead_on_a_wire_and_never_adds_any(simulate: Callable) -> None:
    result = simulate(bead(0.05, 0.5), duration=4.0, step=1e-3)
    v, z = result["velocity"].values[:, 0], result["position"].values[:, 0, 2]
    energy = 0.5 * (v**2).sum(axis=1) + G * z
    # What is lost is the difference of tensions times the slip, the speed at which the right part gets longer.
    place = result["position"].values[:, 0] - [0.6, 0.0, 0.0]
    slip = (place * v).sum(axis=1) / np.linalg.norm(place, axis=1)
    part = np.nan_to_num(result["part_tension"].values)
    power = -(part[:, 1] - part[:, 0]) * slip
    lost = np.cumsum(0.5 * (power[1:] + power[:-1]) * 1e-3)
    assert power.max() < 0.0 + 0.05 * np.abs(power).max()  # at turning points the row before still has the old sign
    assert energy[-1] - energy[0] < -0.05
    assert energy[1:] - energy[0] == pytest.approx(lost, abs=0.02)  # first order: rate of the power times h


def tangle(friction: float) -> Scene:
    """Three bends, one on a swinging ring, the load dragging on rough ground."""
    return scene_from_data(
        {
            "bodies": {
                "crate": {"mass": 5.0, "shape": {"box": [0.4, 0.3, 0.2]}, "position": [0, 0, 0.1],
                          "points": {"eye": [0.2, 0, 0.05], "a": [-0.2, -0.15, -0.1], "b": [-0.2, 0.15, -0.1],
                                     "c": [0.2, 0, -0.1]}},
                "ring": bob(0.5, 1.0, 0.0, 0.6), "bob": bob(3.0, 1.6, 0.3, 0.5),
            },
            "ground": {"friction": 0.2, "contacts": ["crate.a", "crate.b", "crate.c"]},
            "robots": {"hook": {"position": [1.0, 0, 1.6]}, "p": {"position": [1.4, 0.2, 1.2]},
                       "q": {"position": [1.6, 0.3, 1.3]}},
            "wires": {
                "hanger": {"from": "hook", "to": "ring", "length": 1.0},
                "rope": {"from": "crate.eye", "via": ["ring", "p", "q"], "to": "bob", "length": 2.7112,
                         "friction": friction},
            },
        }
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{"loop": "python"}, {"solver": "cone-sweeps"}, {"friction": "polyhedral", "friction_directions": 4}],
)
def test_every_way_to_solve_it_gives_the_same_motion(options: dict[str, object], simulate: Callable) -> None:
    reference = simulate(tangle(0.2), duration=0.05)
    other = simulate(tangle(0.2), duration=0.05, **options)
    assert np.abs(reference["velocity"].values[-1]).max() > 0.01
    # The crate is drawn along x, one of the directions of the polygon: the circle's answer but for its turning.
    np.testing.assert_allclose(
        other["position"].values, reference["position"].values, atol=1e-8 if "friction" not in options else 1e-4
    )


def test_without_friction_to_speak_of_the_tension_is_one(simulate: Callable) -> None:
    smooth, almost = (simulate(tangle(mu), duration=0.2) for mu in (0.0, 1e-9))
    np.testing.assert_allclose(almost["position"].values, smooth["position"].values, atol=1e-7)
    assert "part_tension" not in smooth


def test_momentum_of_a_ring_is_what_the_parts_of_the_wire_pull(simulate: Callable) -> None:
    result = simulate(tangle(0.2), duration=0.3)
    for body in ("ring", "bob"):
        assert _laws.momentum_error(result, body) < 1e-11  # rounding


def test_a_rope_that_rubs_breaks_where_its_tension_is_largest(simulate: Callable) -> None:
    k = HALF_TURN
    a = (5.0 - k) / (5.0 + k) * G
    T = 5.0 * (G - a)  # at the heavy bob; the other end bears less than half
    assert not len(simulate(atwood(1.0, 5.0, **{"break": {"tension": 1.01 * T}}), duration=0.1).events.select("break"))
    assert len(simulate(atwood(1.0, 5.0, **{"break": {"tension": 0.99 * T}}), duration=0.1).events.select("break")) == 1


def test_an_impact_of_a_rope_that_slips_is_told_from_its_force_as_it_is_alone(simulate: Callable) -> None:
    """The force is that of the steps behind the jerk, whatever hangs elsewhere, as a slack wire on a drum.

    What is told iterates until all is told, so that 1e-10 of it may differ.
    """
    rope = {
        "bodies": {"a": bob(1.0, -0.2, 0, -2), "b": bob(1.9, 0.2, 0, -2)},
        "robots": {"top": {"position": [0, 0, 0]}},
        "wires": {"rope": {"from": "a", "via": ["top"], "to": "b", "length": 4.05, "friction": 0.1}},
    }
    drum = {
        "bodies": {"c": bob(1.0, 9.2, 0, -2)},
        "robots": {"beam": {"position": [9, 0, 0]}},
        "drums": {"drum": {"at": "beam", "radius": 0.1, "inertia": 0.02, "gear": 3, "motor_inertia": 0.001}},
        "wires": {"other": {"from": "c", "to": "beam", "length": 2.05, "drum": "drum"}},
    }
    both = {key: {**rope.get(key, {}), **drum[key]} for key in drum}
    alone, beside = (simulate(scene_from_data(one), duration=0.07) for one in (rope, both))
    for name in ("tension", "impulse"):
        expected = alone[name].sel(wire="rope").values
        np.testing.assert_allclose(beside[name].sel(wire="rope").values, expected, rtol=1e-9, err_msg=name)
    jerk = int(np.argmax(alone["impulse"].values[:, 0]))
    pull = beside["tension"].sel(wire="rope").values
    assert pull[jerk] == pytest.approx(pull[jerk + 1], rel=1e-3)


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        ({"via": [], "friction": 0.3}, "friction.*no via"),
        ({"friction": 0.0, "turns": 2}, "turns.*give the wire a friction"),
        ({"friction": -0.1}, "friction.*>= 0"),
        ({"friction": 0.5, "turns": 9}, "tie the wire there instead"),
    ],
)
def test_friction_that_makes_no_sense_is_refused(wire: dict[str, object], message: str) -> None:
    with pytest.raises(towsim.SceneError, match=message):
        atwood(1.0, 1.0, **wire)


def test_shake_takes_no_friction() -> None:
    with pytest.raises(towsim.UsageError, match="takes no friction; use 'stewart-trinkle'"):
        towsim.simulate(atwood(1.0, 1.0), method="shake", duration=0.1)
