"""Winches under command: at a rate, to a length, to a tension; within the limits of the drum, and until it jams."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import towsim
from towsim.errors import SceneError
from towsim.scene import Scene, scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81
RESTORING = {"restoring": 5.0}


def hoist(law: dict[str, Any] | None = None, winch: dict[str, Any] | None = None, **wire: Any) -> Scene:
    return scene_from_data(
        {
            "bodies": {"load": {"mass": 2.0, "point": True, "position": [0, 0, -2]}},
            "robots": {"crane": {"position": [0, 0, 0]}},
            "wires": {"rope": {"from": "load", "to": "crane", "length": 2.0, "winch": winch or {}, **wire}},
            "controllers": {"winch": {"law": "winch", "wire": "rope", **law}} if law else {},
        }
    )


def length(result: towsim.Result) -> np.ndarray:
    return result["length"].values[:, 0]


@pytest.mark.parametrize("method", METHODS)
def test_a_rate_is_kept(method: str) -> None:
    result = towsim.simulate(hoist({"mode": "rate", "target": -0.5}), duration=1.0, method=method)
    np.testing.assert_allclose(length(result), 2.0 - 0.5 * result.time, rtol=1e-12)
    assert result["position"].values[-1, 0, 2] == pytest.approx(-1.5, abs=1e-6)


def test_a_rate_is_held_between_samples_whatever_the_block() -> None:
    # A formula that changes between samples: the winch sees it every 20 ms only, L = 2 + Σ 0.02 t_i.
    result = towsim.simulate(hoist({"mode": "rate", "target": "t", "rate": 50.0}), duration=0.2, step=1e-3)
    starts = np.arange(10) * 0.02
    np.testing.assert_allclose(length(result)[20::20], 2.0 + np.cumsum(0.02 * starts), rtol=1e-12)


def test_a_length_is_reached_and_followed() -> None:
    result = towsim.simulate(hoist({"mode": "length", "target": "1.5 - 0.2*t", "gain": 5.0}), duration=3.0)
    late = result.time > 2.0  # the limit of 1 m/s, then exp(−5 t), are over
    np.testing.assert_allclose(length(result)[late], (1.5 - 0.2 * result.time)[late], atol=2e-3)


@pytest.mark.parametrize("method", METHODS)
def test_the_drum_accelerates_no_faster_than_it_can(method: str) -> None:
    winch = {"max_rate": 0.8, "max_acceleration": 2.0}
    result = towsim.simulate(hoist({"mode": "rate", "target": -5.0}, winch), duration=0.8, step=1e-3, method=method)
    rate = result["actuation"].values[:, 0]
    np.testing.assert_allclose(rate, -np.minimum(2.0 * result.time, 0.8), atol=2.1e-3)
    early = (result.time > 0.01) & (result.time < 0.39)
    np.testing.assert_allclose(result["tension"].values[early, 0], 2.0 * (G + 2.0), rtol=1e-3)


def test_a_lag_rounds_the_start() -> None:
    result = towsim.simulate(hoist({"mode": "rate", "target": -0.5}, {"lag": 0.1}), duration=0.5, step=1e-3)
    np.testing.assert_allclose(result["actuation"].values[:, 0], -0.5 * (1.0 - np.exp(-result.time / 0.1)), atol=1e-9)


@pytest.mark.parametrize("h", [1e-3, 1e-4])
def test_shake_s_tension_on_a_lagging_drum_is_of_order_two_up_to_the_last_row(h: float) -> None:
    """T = m (g - u e^(-t/τ)/τ). A kick takes the mean over a step, of order 2, in row 0 over the first half of one.

    The last row is as if the run went on, and so is what is seen of it by hand.
    """
    m, u, lag = 2.0, 0.3, 0.05
    scene = hoist({"mode": "rate", "target": u}, {"lag": lag})
    simulation = towsim.Simulation(scene, method="shake", step=h)
    long = towsim.simulate(scene, duration=0.1, step=h, method="shake")
    exact = m * (G - u / lag * np.exp(-long.time / lag))
    tension = long["tension"].values[:, 0]
    np.testing.assert_allclose(tension[1:], exact[1:], rtol=0, atol=m * u / lag * (h / lag) ** 2 / 20)
    assert tension[0] == pytest.approx(exact[0], abs=m * u / lag * h / lag / 4 * 1.01)
    rows = [0, round(0.03 / h), round(0.05 / h)]
    for before, k in itertools.pairwise(rows):
        short = towsim.simulate(scene, duration=k * h, step=h, method="shake")
        simulation.step(k - before)
        # The lengths before are subtracted otherwise in the last row: roundings of 2 m over h².
        assert short["tension"].values[-1, 0] == pytest.approx(tension[k], abs=1e-15 / h**2)
        assert simulation["tension"].values[0] == pytest.approx(tension[k], abs=1e-15 / h**2)


LAG, EVERY = 0.05, 0.02


def _reeled(t: float, u: float, length: float, rate: float) -> tuple[float, float]:
    """L and r after t of a drum with a lag: τ ṙ = u − r."""
    left = np.exp(-t / LAG)
    return length + u * t + (rate - u) * LAG * (1.0 - left), u + left * (rate - u)


@pytest.mark.parametrize("h", [2e-3, 1e-3])
def test_a_lagging_drum_follows_each_command_from_its_instant_on_to_order_two_by_shake(h: float) -> None:
    """Of commands by hand, and by a law at its samples: the error is h²/24 τ of what the rate changes by, at most."""
    simulation = towsim.Simulation(hoist(None, {"lag": LAG}), method="shake", step=h)
    expected = 2.0, 0.0
    for u in (0.0, 0.4, -0.3):
        simulation.command("rope", u)
        simulation.step(round(0.06 / h))
        expected = _reeled(0.06, u, *expected)
        assert simulation["length"].values[0] == pytest.approx(expected[0], abs=1.1 * h**2 / 24 / LAG)
        assert simulation["actuation"].values[0] == pytest.approx(expected[1], abs=1e-12)

    law = {"mode": "length", "target": "2 - 0.4*(1 - cos(2*t))", "gain": 2.0, "rate": 1.0 / EVERY}
    found = towsim.simulate(hoist(law, {"lag": LAG}), duration=1.0, step=h, method="shake")
    one, exact = (2.0, 0.0), [2.0]
    for t in np.arange(50) * EVERY:
        one = _reeled(EVERY, 2.0 * (2.0 - 0.4 * (1.0 - np.cos(2.0 * t)) - one[0]) - 0.8 * np.sin(2.0 * t), *one)
        exact.append(one[0])
    np.testing.assert_allclose(length(found)[:: round(EVERY / h)], exact, rtol=0, atol=1.1 * h**2 / 24 / LAG)


@pytest.mark.parametrize(("target", "end"), [(-1.0, 1.7), (1.0, 2.2)])
def test_the_drum_stops_at_its_ends(target: float, end: float) -> None:
    winch = {"shortest": 1.7, "longest": 2.2}
    result = towsim.simulate(hoist({"mode": "rate", "target": target}, winch), duration=1.0)
    assert length(result)[-1] == pytest.approx(end, abs=1e-12)
    assert 1.7 - 1e-12 <= length(result).min() <= length(result).max() <= 2.2 + 1e-12


STOPPED = {"mode": "rate", "target": 0.5}, {"lag": 0.1}
"""A drum that pays out 2.35 m until 0.8 s, when it has its speed but for e^-8 of it."""


@pytest.mark.parametrize("ends", [{"jam": 0.8}, {"longest": 2.35}])
@pytest.mark.parametrize("h", [1e-3, 2e-4])
@pytest.mark.parametrize("method", METHODS)
def test_a_drum_that_stops_at_once_jerks_its_load(method: str, h: float, ends: dict[str, float]) -> None:
    """m v and ½ m v² are lost at any step, and the tension is that of the weight."""
    law, lag = STOPPED
    result = towsim.simulate(hoist(law, lag | ends), duration=1.0, step=h, method=method)
    np.testing.assert_allclose(length(result)[result.time >= 0.81], 2.35, atol=h)
    assert result["command"].values[-1, 0] == 0.5
    assert result["actuation"].values[-1, 0] == pytest.approx(0.0, abs=1e-9)
    (jerk,) = result.events.select("jerk")
    assert jerk.time == pytest.approx(0.8, abs=2.1 * h)
    assert jerk.impulse == pytest.approx(2.0 * 0.5, rel=1e-3)
    assert jerk.energy_lost == pytest.approx(0.5 * 2.0 * 0.5**2, rel=2e-3)
    assert result["tension"].values.max() == pytest.approx(2.0 * G, rel=1e-6)


@pytest.mark.parametrize("ends", [{"jam": 0.8}, {"longest": 2.35}])
@pytest.mark.parametrize("method", METHODS)
def test_by_hand_and_among_copies_such_a_drum_stops_as_in_a_run(method: str, ends: dict[str, float]) -> None:
    law, lag = STOPPED
    scene = hoist(law, lag | ends)
    run = towsim.simulate(scene, duration=1.0, step=1e-3, method=method)
    one, copies = towsim.Simulation(scene, step=1e-3, method=method), towsim.Batch(scene, 2, step=1e-3, method=method)
    told: list[Any] = []
    for n in [1] * 20 + [750] + [1] * 80 + [150]:
        one.step(n)
        copies.step(n)
        told += [event for event in one.events if event.kind == "jerk"]
    assert told == list(run.events.select("jerk"))
    for name in ("position", "velocity", "length"):
        np.testing.assert_array_equal(one[name].values, run[name].values[-1])
        np.testing.assert_array_equal(copies[name][1], run[name].values[-1])


@pytest.mark.parametrize("model", ["rigid", "elastic", "mrfe"])
def test_a_free_load_hangs_on_a_winch_at_constant_tension_as_on_an_admittance(model: str) -> None:
    # Steadily L̈ = ρ k (T − T_d) = g − T/m: T = (ρ k T_d + g)/(ρ k + 1/m), and so near T_d as ρ k m is large.
    material = {"mass_per_length": 0.01, "axial_stiffness": 2e4, "bending_stiffness": 1e-3, "diameter": 0.004}
    law = {"mode": "tension", "target": 25.0, "gain": 0.02, "restoring": 5.0}
    scene = hoist(law, {"lag": 0.1, "max_rate": 10.0}, material={**material, "axial_damping": 200.0}, model=model)
    result = towsim.simulate(scene, duration=0.8, step=1e-3)
    late = result.time > 0.6
    steady = (0.1 * 25.0 + G) / (0.1 + 0.5)
    # A massive rope (18 g) is not what the formula knows; the rest are samples every 4 ms.
    atol = 0.25 if model == "mrfe" else 0.03
    np.testing.assert_allclose(result["tension"].values[late, 0], steady, atol=atol)
    np.testing.assert_allclose(result["acceleration"].values[late, 0, 2], steady / 2.0 - G, atol=atol)


@pytest.mark.parametrize("rate", [2.0, 50.0])
def test_a_load_that_hangs_at_the_tension_asked_for_hangs_on_whatever_its_cell_reads_at(rate: float) -> None:
    law = {"mode": "tension", "target": 2.0 * G, "gain": 0.02}
    data = hoist(law, {"lag": 0.05})
    scene = data.replace(sensors={"cell": {"kind": "load-cell", "of": "rope", "rate": rate}})
    result = towsim.simulate(scene, duration=1.0, step=1e-3)
    assert np.abs(length(result) - 2.0).max() < 1e-12
    np.testing.assert_allclose(result["tension"].values, 2.0 * G, rtol=1e-9)


def test_a_constant_tension_is_kept_whatever_the_ship_does() -> None:
    # The ship heaves by ±0.5 m (0.31 m/s); the load lies on a stiff mooring, which the rope keeps at 40 N.
    text = {
        "bodies": {"load": {"mass": 2.0, "point": True}},
        "robots": {"ship": {"motion": {"formula": {"z": "4 + 0.5*sin(0.628*t)"}}}, "sea": {"position": [0, 0, -1]}},
        "wires": {
            "rope": {"from": "load", "to": "ship", "length": 4.0, "winch": {"lag": 0.05}},
            "mooring": {
                "from": "load",
                "to": "sea",
                "length": 0.99,
                "model": "elastic",
                "material": {"axial_stiffness": 2000.0, "axial_damping": 50.0},
            },
        },
        "controllers": {
            "w": {"law": "winch", "wire": "rope", "mode": "tension", "target": 40.0, "gain": 0.01, **RESTORING}
        },
    }
    result = towsim.simulate(scene_from_data(text), duration=20.0, step=2e-3)
    tension = result["tension"].sel(wire="rope").values[result.time > 5.0]
    # The winch follows the ship, v = k e + ρ k ∫e: e is v over k |1 + ρ/(jω)|. Without it, half a metre makes 1 kN.
    expected = 0.5 * 0.628 / (0.01 * np.hypot(1.0, 5.0 / 0.628))
    assert np.abs(tension - 40.0).max() == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("target", [-30.0, 30.0])
def test_a_winch_of_a_strut_that_pushes_goes_by_the_push(target: float) -> None:
    """k (1 + ρ t)(T − T_d) of the tension law, with T = −m g whatever it does to a load that is moved slowly."""
    gain, weight, t = 2e-3, 2.0 * 9.81, 2.0
    scene = scene_from_data(
        {
            "bodies": {"load": {"mass": 2.0, "point": True, "position": [0, 0, 1.5 - weight / 800]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {
                "strut": {
                    "from": "post",
                    "to": "load",
                    "length": 1.5,
                    "model": {"spring": {"stiffness": 800, "damping": 15}},
                    "winch": {"max_rate": 0.5, "lag": 0.02},
                }
            },
            "controllers": {"c": {"law": "winch", "wire": "strut", "mode": "tension", "target": target, "gain": gain}},
        }
    )
    paid_out = length(towsim.simulate(scene, duration=t, step=1e-3))[-1] - 1.5
    assert paid_out == pytest.approx(gain * (-weight - target) * (t + 0.5 * t**2), rel=0.03)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"controllers.winch.wire": "rop"}, "controllers.winch.wire: unknown winch 'rop': did you mean 'rope'"),
        ({"controllers.winch.mode": "tensoin"}, "controllers.winch.mode: must be 'rate', 'length' or 'tension', got"),
        ({"controllers.winch.mode": "tension"}, "a tension needs a gain"),
        ({"wires.rope.length": 0.001}, r"must be within its winch's 0.01 .. inf m, got 0.001 m"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(SceneError, match=message):
        hoist({"mode": "rate", "target": 0.1}).with_values(change)


def test_a_winch_takes_no_programme_too() -> None:
    with pytest.raises(SceneError, match="a winch under command starts from a length; make it a number"):
        hoist(None, {"max_rate": 2.0}, length={"start": 2.0, "rate": 0.1})


def test_one_number_commands_a_winch_with_and_without_a_list():
    lengths = []
    for rate in (-0.5, [-0.5]):
        sim, batch = towsim.Simulation(hoist(), step=1e-3), towsim.Batch(hoist(), 2, step=1e-3)
        for one in (sim, batch):
            one.command("rope", rate)
            one.step(100)
        lengths += [sim["length"].values[0], *batch["length"].values[:, 0]]
    np.testing.assert_allclose(lengths, 2.0 - 0.5 * 0.1, rtol=1e-12)
