"""Elastic wires stretch by Hooke's law, oscillate as springs do, hang slack without force, and tend to rigid ones."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from tests.stepping.test_bdf_derivatives import hop
from towsim.errors import RefusedError
from towsim.scene import Scene, scene_from_data

M, G, L, EA = 2.0, 9.81, 1.5, 3000.0
K = EA / L
SAG = M * G / K
OMEGA = np.sqrt(K / M)
METHODS = ("stewart-trinkle", "shake")


def hung(below: float, *, speed: float = 0.0, damping: float = 0.0, **more: object) -> Scene:
    """A bob on a vertical elastic wire, ``below`` its unstretched end."""
    material = {"axial_stiffness": EA, "axial_damping": damping}
    wire = {"from": "bob", "to": "top", "length": L, "material": material, "model": "elastic"}
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": M, "point": True, "position": [0, 0, -L - below], "velocity": [0, 0, speed]}},
            "robots": {"top": {"position": [0, 0, 0]}},
            "wires": {"w": wire | more},
        }
    )


def fallen(result: towsim.Result) -> np.ndarray:
    return -L - result["position"].values[:, 0, 2]


@pytest.mark.parametrize("method", METHODS)
def test_a_hanging_load_stretches_its_wire_by_hookes_law(method: str) -> None:
    result = towsim.simulate(hung(SAG), duration=0.2, method=method)
    np.testing.assert_allclose(result["gap"].values, -SAG, rtol=1e-11)
    np.testing.assert_allclose(result["tension"].values[1:], M * G, rtol=1e-11)
    np.testing.assert_array_equal(result["length"].values, L)


def errors(method: str, damping: float) -> list[float]:
    """Largest error of the fall from the unstretched end, at h = 4, 2, 1 ms."""
    a = damping / L / M / 2.0
    w = np.sqrt(OMEGA**2 - a * a)
    found = []
    for h in (4e-3, 2e-3, 1e-3):
        result = towsim.simulate(hung(0.0, damping=damping), duration=0.4, step=h, method=method)
        t = result.time
        exact = SAG * (1.0 - np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t)))
        found.append(float(np.abs(fallen(result) - exact).max()))
    return found


@pytest.mark.parametrize("damping", [0.0, 20.0])
def test_a_load_on_an_elastic_wire_oscillates_with_the_period_of_a_spring(damping: float) -> None:
    # Released at the unstretched end, the wire just stays taut; 2 and 4 are the ratios of orders 1 and 2.
    first, second = errors("stewart-trinkle", damping), errors("shake", damping)
    assert second[-1] < 2e-3 * SAG
    for order, found in ((1, first), (2, second)):
        ratios = np.array(found[:-1]) / found[1:]
        np.testing.assert_allclose(ratios, 2.0**order, rtol=0.25)


@pytest.mark.parametrize("method", METHODS)
def test_a_slack_elastic_wire_leaves_the_load_to_gravity(method: str) -> None:
    # Stretched to three times the sag it throws the load up: ½k(3s)² > mg·3s.
    result = towsim.simulate(hung(3.0 * SAG, damping=5.0), duration=0.6, method=method)
    tension, gap = result["tension"].values[:, 0], result["gap"].values[:, 0]
    slack = gap > 1e-4
    assert slack.sum() > 50
    assert (tension[slack] == 0.0).all()
    assert tension[1:].min() == 0.0
    np.testing.assert_allclose(result["acceleration"].values[slack, 0, 2], -G, rtol=1e-9)
    kinds = [event.kind for event in result.events]
    assert kinds[:3] == ["taut", "slack", "taut"]
    assert "jerk" not in kinds


def energy_midway(result: towsim.Result, k: float = K) -> np.ndarray:
    """Energy of Stewart–Trinkle's steps, whose velocities belong to the middles of the steps."""
    h = result["step_size"].values
    speed = result["velocity"].values[:, 0, 2]
    fall = fallen(result) + 0.5 * h * speed
    return 0.5 * M * speed**2 - M * G * fall + 0.5 * k * np.maximum(fall, 0.0) ** 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("damping", [0.0, 30.0])
def test_an_elastic_wire_takes_energy_out_and_never_puts_any_in(method: str, damping: float) -> None:
    h = 1e-3
    result = towsim.simulate(hung(3.0 * SAG, damping=damping), duration=1.5, step=h, method=method)
    speed, stretch = result["velocity"].values[:, 0, 2], np.maximum(fallen(result), 0.0)
    energy = 0.5 * M * speed**2 - M * G * fallen(result) + 0.5 * K * stretch**2
    scale = energy[0] + M * G * 3.0 * SAG
    # SHAKE's energy oscillates by O((ω h)²) about its own one, and jumps as much where the wire tightens between steps.
    # The midpoint rule's is exact in the middles of steps, and loses O((ω h)²) at worst where the wire tightens.
    if method == "stewart-trinkle":
        energy = energy_midway(result)
        assert np.diff(energy).max() < 1e-12 * scale or damping  # a damper at the end of the step holds ¼ h c w² back
    assert np.diff(energy).max() < 4.0 * (OMEGA * h) ** 2 * scale
    lost = (energy[0] - energy[-1]) / scale
    if damping:
        assert lost > 0.3
    else:
        assert -1e-12 < lost < 0.01 if method == "stewart-trinkle" else abs(lost) < 0.01


def test_a_resolved_spring_keeps_its_energy_for_a_thousand_periods() -> None:
    """The midpoint rule has no secular error; recorded at the ends of steps, energy comes and goes by ½ ω h."""
    h, period = 5e-3, 2.0 * np.pi / OMEGA
    result = towsim.simulate(hung(1.5 * SAG), duration=1000.0 * period, step=h)
    middle = energy_midway(result)
    amplitude = 0.5 * K * (0.5 * SAG) ** 2
    assert np.ptp(middle) < 1e-9 * amplitude
    end = 0.5 * M * result["velocity"].values[:, 0, 2] ** 2 + 0.5 * K * (fallen(result) - SAG) ** 2
    assert np.abs(end / amplitude - 1.0).max() < 1.1 * OMEGA * h


def test_what_the_step_does_not_resolve_dies_out() -> None:
    """Beyond ω h = 2 part of implicit Euler is taken: per step |z| < 1, towards 0 for ever stiffer wires."""
    h = 1e-2
    for stiff, left in ((10.0, 0.9), (1e3, 1e-9), (1e9, 1e-11)):
        k = stiff * M / h**2
        scene = hung(1.5 * M * G / k + 1e-9).with_values({"wires.w.material.axial_stiffness": k * L})
        result = towsim.simulate(scene, duration=0.2, step=h)
        ringing = fallen(result) - M * G / k
        energy = energy_midway(result, k)
        assert np.diff(energy[1:]).max() < 1e-12 * (1.0 + abs(energy[1]))
        assert np.abs(ringing[-3:]).max() < left**20 * np.abs(ringing[0]) + 1e-15


def swinging(model: str, stiffness: float = 1e3, **more: object) -> Scene:
    """A box that is thrown while it hangs on two wires."""
    material = {"axial_stiffness": stiffness}
    wires = {
        name: {"from": f"box.{name}", "to": f"{name}_post", "length": length, "material": material, "model": model}
        for name, length in (("a", float(np.sqrt(0.86))), ("b", float(np.sqrt(0.82))))
    }
    return scene_from_data(
        {
            "bodies": {
                "box": {
                    "mass": 1.0,
                    "shape": {"box": [0.4, 0.3, 0.2]},
                    "position": [0.3, 0.1, -0.8],
                    "velocity": [0.5, 0.4, 0.0],
                    "points": {"a": [-0.2, 0, 0.1], "b": [0.2, 0, 0.1]},
                },
            },
            "robots": {"a_post": {"position": [-0.1, 0, 0.2]}, "b_post": {"position": [0.5, 0, 0.2]}},
            "wires": wires,
        }
        | more
    )


def test_a_box_that_swings_on_wires_that_go_slack_loses_energy_of_order_two_and_gains_none() -> None:
    lost = []
    for h in (2e-3, 1e-3, 5e-4):
        result = towsim.simulate(swinging("elastic"), duration=10.0, step=h)
        assert len(result.events.select("slack")) > 20
        found = result["dissipated_energy"].values
        quarter = len(found) // 4
        early, late = found[:quarter].mean(), found[-quarter:].mean()
        assert late > early > 0.0
        lost.append(late)
    assert lost[0] > 2.5 * lost[1] > 6.25 * lost[2]
    assert lost[2] < 1e-3 * result["kinetic_energy"].values.max()


@pytest.mark.parametrize("method", METHODS)
def test_an_ever_stiffer_elastic_wire_becomes_a_rigid_one(method: str) -> None:
    rigid = towsim.simulate(swinging("rigid"), duration=0.3, method=method)["position"].values
    apart = []
    for stiffness in (1e6, 1e8, 1e10):
        result = towsim.simulate(swinging("elastic", stiffness), duration=0.3, method=method)
        apart.append(float(np.abs(result["position"].values - rigid).max()))
    assert apart[0] > 10.0 * apart[1] > 100.0 * apart[2]
    assert apart[2] < 1e-6


def test_every_back_end_and_both_loops_agree_on_elastic_wires() -> None:
    scene = swinging("elastic").with_values({"bodies.box.velocity": [0.5, 0.4, 0.3]})
    for method in METHODS:
        expected = towsim.simulate(scene, duration=0.1, method=method)
        assert (expected["tension"].values[1:] == 0.0).any()
        for solver, form in (("active-set", "lcp"), ("lemke", "lcp"), ("lemke", "mlcp"), ("pgs", "lcp")):
            result = towsim.simulate(scene, duration=0.1, method=method, solver=solver, form=form, loop="python")
            for name, bound in (("position", 1e-9), ("tension", 1e-5)):
                np.testing.assert_allclose(result[name].values, expected[name].values, rtol=bound, atol=bound)


def test_a_spring_that_does_not_touch_is_no_row_of_either_form_of_a_bdf_step() -> None:
    scene = hop()
    expected = towsim.simulate(scene, method="bdf2", duration=0.2)
    for form in ("lcp", "mlcp"):
        found = towsim.simulate(scene, method="bdf2", duration=0.2, solver="lemke", form=form)
        np.testing.assert_allclose(found["position"].values, expected["position"].values, atol=1e-12)
    aloft = int(np.argmax(expected["position"].values[:, 0, 2] > 0.01))
    names = towsim.step_problem(scene, time=aloft * 1e-3, method="bdf2", form="mlcp").names
    assert list(names) == ["ball.vx", "ball.vy", "ball.vz", "cord"]


def test_a_winch_stretches_what_it_has_paid_out() -> None:
    # Hauled in slowly: the stretch follows F L(t)/EA.
    scene = hung(SAG, damping=300.0, length={"start": L, "rate": -0.05})
    result = towsim.simulate(scene, duration=2.0)
    length = result["length"].values[:, 0]
    np.testing.assert_allclose(length, L - 0.05 * result.time, rtol=1e-12)
    late = result.time > 1.0
    np.testing.assert_allclose(-result["gap"].values[late, 0], M * G * length[late] / EA, rtol=0.02)


def test_an_elastic_wire_is_never_refused_for_its_stretch() -> None:
    motion = {"motion": {"waypoints": {"t": [0, 1], "position": [[0.5, 0, 0], [2.5, 0, 0]]}}}
    scene = hung(SAG).with_values({"robots": {"top": {"position": [0, 0, 0]}, "other": motion}})
    wires = {"w": scene.wires["w"], "o": scene.wires["w"].replace(to="other")}
    wires["o"] = wires["o"].replace(length=1.7)
    stretched = towsim.simulate(scene.replace(wires=wires), duration=1.0, step=1e-3)
    assert stretched["gap"].values.min() < -0.01
    rigid = {name: wire.replace(model="rigid", length=1.7) for name, wire in wires.items()}
    far = {"robots.other.motion.waypoints.position": [[0.5, 0, 0], [5.0, 0, 0]]}
    with pytest.raises(RefusedError, match="farther apart than wires and loads can reach"):
        towsim.simulate(scene.replace(wires=rigid).with_values(far), duration=1.0)
    towsim.simulate(scene.replace(wires=wires).with_values(far), duration=1.0)
