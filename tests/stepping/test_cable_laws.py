"""Massive cables by stepping: closed forms of statics and swings, the energy of every method (dae: in its own file)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipk

import towsim
from towsim.scene import Scene, scene_from_data

G = 9.81
METHODS = ("stewart-trinkle", "bdf1", "bdf2", "bdf3")
ROPE = {
    "diameter": 0.01,
    "mass_per_length": 0.2,
    "axial_stiffness": 2e4,
    "bending_stiffness": 1e-3,
    "axial_damping": 400.0,
    "bending_damping": 1e-2,
}


def hung(position: list[float], mass: float = 1.0, elements: int = 4, **material: float) -> Scene:
    """A bob at rest on a straight cable under the origin."""
    length = float(np.linalg.norm(position))
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": mass, "point": True, "position": position}},
            "robots": {"top": {"position": [0, 0, 0]}},
            "wires": {
                "c": {
                    "from": "top",
                    "to": "bob",
                    "length": length,
                    "material": ROPE | material,
                    "model": {"mrfe": {"elements": elements}},
                }
            },
        }
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("elements", [1, 5])
def test_a_load_at_rest_stretches_its_cable_by_the_weight_below(method: str, elements: int) -> None:
    result = towsim.simulate(hung([0, 0, -2.0], 3.0, elements), method=method, step=5e-3, duration=2.0)
    expected = (3.0 + 0.5 * 0.2 * 2.0) * G * 2.0 / 2e4  # springs at the middles: exact for any number of elements
    assert result["extension"].values[-1, 0] == pytest.approx(expected, abs=1e-8)
    assert result["position"].values[-1, 0, 2] == pytest.approx(-2.0 - expected, abs=1e-8)
    assert result["tip_force"].values[-1, 0, 2] == pytest.approx(3.0 * G, rel=1e-6)
    assert result["exit_force"].values[-1, 0, 2] == pytest.approx((3.0 + 0.4) * G, rel=1e-6)


@pytest.mark.parametrize("method", [*METHODS, "dae"])
def test_tip_and_tension_are_at_the_load_whichever_end_is_declared_first(method: str) -> None:
    """F = m (a - g) of the cable on the load, whose distance from the last node is the opening there."""
    numbers = {"length": 2.0, "material": ROPE, "model": "mrfe"}
    ends = {"from": "top", "to": "bob"}, {"from": "bob", "to": "top"}
    found = [
        towsim.simulate(
            scene_from_data(
                {
                    "bodies": {"bob": {"mass": 1.0, "point": True, "position": [1.0, 0.5, -1.65]}},
                    "robots": {"top": {"position": [0.2, 0, 0]}},
                    "wires": {"c": pair | numbers},
                    "sensors": {"cell": {"kind": "load-cell", "of": "c", "rate": 500}}
                    if method == "stewart-trinkle"
                    else {},
                }
            ),
            method=method,
            step=2e-3,
            duration=0.3,
        )
        for pair in ends
    ]
    for result in found:
        force = result["acceleration"].values[1:, 0] + [0.0, 0.0, G]
        # The row of an instant has, by Stewart-Trinkle, the force over the step and the change of velocity in it.
        np.testing.assert_allclose(result["tip_force"].values[1:, 0], force, rtol=0, atol=1e-6 * G)
        np.testing.assert_allclose(
            result["tension"].values[1:, 0], np.linalg.norm(force, axis=1), rtol=0, atol=1e-6 * G
        )
        np.testing.assert_allclose(result["exit_position"].values[:, 0], [[0.2, 0.0, 0.0]] * 151, rtol=0, atol=1e-9)
        opening = np.linalg.norm(result["node_position"].values[:, 0, -1] - result["position"].values[:, 0], axis=1)
        np.testing.assert_allclose(opening, result["e1"].values[:, 0], rtol=0, atol=1e-12)
        if method == "stewart-trinkle":  # others take no sensors
            np.testing.assert_allclose(result["reading"].values[1:, 0], result["tension"].values[1:, 0], rtol=1e-14)
    for name in ("tension", "tip_force", "exit_force", "node_position", "e1", "e2", "gap"):
        np.testing.assert_array_equal(found[0][name].values, found[1][name].values, err_msg=name)


@pytest.mark.parametrize("method", ["stewart-trinkle", "bdf3", "dae"])
def test_the_exit_of_a_cable_between_two_loads_is_its_end_from(method: str) -> None:
    scene = scene_from_data(
        {
            "bodies": {
                "a": {"mass": 2.0, "point": True, "position": [0, 0, 1]},
                "b": {"mass": 1.0, "point": True, "position": [0, 0, 0]},
            },
            "wires": {"c": {"from": "a", "to": "b", "length": 1.0, "material": ROPE, "model": "mrfe"}},
        }
    )
    result = towsim.simulate(scene, method=method, step=2e-3, duration=0.1)
    position = result["position"].values
    np.testing.assert_allclose(result["exit_position"].values[:, 0], position[:, 0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(result["node_position"].values[:, 0, -1], position[:, 1], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("method", "tolerance"), [("stewart-trinkle", 3e-3), ("bdf1", 3e-3), ("bdf2", 2e-4)])
def test_a_bob_on_a_light_cable_swings_as_the_large_pendulum(method: str, tolerance: float) -> None:
    # Undamped fast bending is not for bdf3 (see its method).
    angle = 1.2
    light = {
        "mass_per_length": 1e-4,
        "axial_stiffness": 1e6,
        "axial_damping": 1e4,
        "bending_stiffness": 1e-6,
        "bending_damping": 1e-6,
    }
    scene = hung([math.sin(angle), 0.0, -math.cos(angle)], **light)
    result = towsim.simulate(scene, method=method, step=1e-3, duration=1.2)
    x, t = result["position"].values[:, 0, 0], result.time
    down = int(np.flatnonzero(x < 0.0)[0])
    quarter = t[down - 1] + (t[down] - t[down - 1]) * x[down - 1] / (x[down - 1] - x[down])
    # The cable's mass, 1e-4 of the bob's, shifts the period by some 2e-5 of it; steps of first order by a step.
    assert quarter == pytest.approx(math.sqrt(1.0 / G) * ellipk(math.sin(0.5 * angle) ** 2), rel=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["stewart-trinkle", "bdf2"])
def test_a_rope_between_two_posts_hangs_in_a_catenary(method: str) -> None:
    """Half a rope from a post to a bead that may only slide up and down in the middle, by symmetry."""
    half, span, line, end = 1.0, 0.8, 0.2 * G, 1e-3 * G  # m, m, weight per length [N/m], of the bead [N]

    def across(H: float) -> float:
        return H / line * (math.asinh((end + line * half) / H) - math.asinh(end / H))

    H = brentq(lambda H: across(H) - span, 0.1, 100.0)
    depth = H / line * (math.hypot(1.0, (end + line * half) / H) - math.hypot(1.0, end / H))
    errors = []
    for elements in (8, 16):
        scene = scene_from_data(
            {
                "bodies": {"bead": {"mass": 1e-3, "point": True, "position": [0, 0, -0.6]}},
                "robots": {"post": {"position": [-span, 0, 0]}, "rail": {"position": [0, 0, 0]}},
                "joints": {"rail": {"kind": "prismatic", "from": "rail", "to": "bead", "axis": [0, 0, 1]}},
                "wires": {
                    "rope": {
                        "from": "post",
                        "to": "bead",
                        "length": half,
                        "material": ROPE | {"axial_stiffness": 1e6, "bending_stiffness": 1e-6, "bending_damping": 0.05},
                        "model": {"mrfe": {"elements": elements}},
                    }
                },
            }
        )
        result = towsim.simulate(scene, method=method, step=1e-2, duration=60.0)
        assert np.abs(result["velocity"].values[-1]).max() < 1e-6
        errors.append(abs(-result["position"].values[-1, 0, 2] - depth))
    assert errors[1] < 3e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.3)  # a polygon in place of the curve


@pytest.mark.parametrize("method", METHODS)
def test_a_platform_at_rest_loads_four_cables_alike(method: str) -> None:
    corners = {"a": (0.3, 0.2), "b": (-0.3, 0.2), "c": (-0.3, -0.2), "d": (0.3, -0.2)}
    scene = scene_from_data(
        {
            "bodies": {
                "platform": {
                    "mass": 2.0,
                    "shape": {"box": [0.6, 0.4, 0.1]},
                    "position": [0, 0, -1.05],
                    "points": {k: [x, y, 0.05] for k, (x, y) in corners.items()},
                }
            },
            "robots": {k: {"position": [x, y, 0.0]} for k, (x, y) in corners.items()},
            "wires": {
                k: {"from": k, "to": f"platform.{k}", "length": 1.0, "material": ROPE, "model": "mrfe"} for k in corners
            },
        }
    )
    result = towsim.simulate(scene, method=method, step=5e-3, duration=3.0)
    np.testing.assert_allclose(result["tip_force"].values[-1, :, 2], -0.5 * G * np.array([-1.0] * 4), rtol=1e-6)
    np.testing.assert_allclose(result["exit_force"].values[-1, :, 2], (0.5 + 0.2) * G, rtol=1e-6)
    sink = (0.5 + 0.5 * 0.2) * G * 1.0 / 2e4
    np.testing.assert_allclose(result["position"].values[-1, 0], [0, 0, -1.05 - sink], atol=1e-8)
    np.testing.assert_allclose(result["tension"].values[-1], 0.5 * G, rtol=1e-6)


def box_on_one_element() -> Scene:
    """A box on a cable of one element without losses: its energy has a closed form in what is recorded."""
    lossless = ROPE | {"axial_damping": 0.0, "bending_damping": 0.0, "bending_stiffness": 0.05}
    return scene_from_data(
        {
            "bodies": {
                "box": {
                    "mass": 0.7,
                    "shape": {"box": [0.2, 0.15, 0.1]},
                    "position": [0.6, 0.0, -0.85],
                    "velocity": [0.0, 1.1, 0.0],
                    "points": {"top": [0, 0, 0.05]},
                }
            },
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {
                "c": {
                    "from": "post",
                    "to": "box.top",
                    "length": 1.0,
                    "material": lossless,
                    "model": {"mrfe": {"elements": 1}},
                }
            },
        }
    )


def energy(result: towsim.Result) -> np.ndarray:
    """Of box, cable and its spring, from positions and box velocities alone (two rows lost at each end) [J]."""
    h = float(np.diff(result.time)[0])

    def rate(x: np.ndarray) -> np.ndarray:
        return (x[:-4] - 8 * x[1:-3] + 8 * x[3:-1] - x[4:]) / (12 * h)

    tip = result["node_position"].values[:, 0, 1]
    reach = np.linalg.norm(tip, axis=1, keepdims=True)
    z, link = tip / reach, 0.1  # direction; mass of a link of half a metre
    centres = np.stack([0.25 * z, (reach - 0.25) * z], axis=1)
    across = link * (3 * 0.005**2 + 0.5**2) / 12
    kinetic = 0.5 * link * (rate(centres) ** 2).sum(axis=(1, 2)) + across * (rate(z) ** 2).sum(axis=1)
    place, Q = result["position"].values[:, 0], result["quaternion"].values[2:-2, 0]
    spin, e, w = result["angular_velocity"].values[2:-2, 0], -Q[:, 1:], Q[:, :1]
    body = spin + 2 * (w * np.cross(e, spin) + np.cross(e, np.cross(e, spin)))
    inertia = 0.7 / 12 * np.array([0.15**2 + 0.1**2, 0.2**2 + 0.1**2, 0.2**2 + 0.15**2])
    kinetic += 0.35 * (rate(place) ** 2).sum(axis=1) + 0.5 * (body**2 * inertia).sum(axis=1)
    height = 0.7 * place[:, 2] + link * centres[:, :, 2].sum(axis=1)
    return kinetic + G * height[2:-2] + 0.5 * 2e4 * result["extension"].values[2:-2, 0] ** 2


@pytest.mark.parametrize(
    ("method", "order", "steps"),
    [
        ("stewart-trinkle", 1, (1e-4, 5e-5)),
        ("bdf1", 1, (4e-4, 2e-4)),
        ("bdf2", 2, (1e-3, 5e-4)),
        ("bdf3", 3, (1e-3, 5e-4)),
        ("bdf4", 4, (1e-3, 5e-4)),
    ],
)
def test_every_method_keeps_the_energy_of_cable_and_load_to_its_order(
    method: str, order: int, steps: tuple[float, ...]
) -> None:
    """It is not gained; what rings fast along the cable is damped by the method, the more the longer the step."""
    lost = []
    for h in steps:
        E = energy(towsim.simulate(box_on_one_element(), method=method, step=h, duration=0.4))
        assert np.diff(E[20:]).max() < 1e-3 * abs(E[0])
        lost.append(float(np.abs(E[20:] - E[20]).max()))
    assert lost[0] / lost[1] > 2.0 ** (order - 0.5)


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_one_element_in_its_singular_direction_is_refused_by_name(step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vertical cable of one element on a joint that turns about z, then y, has no way to follow along x at once.

    So it does not start there; a run that comes there, as this one does where the start is let pass, ends.
    """
    import scenarios

    scene = scenarios.get("cdpr44-kinematic").build(elements=1)
    with pytest.raises(towsim.SceneError, match=r"wires\.cable1: one element cannot move sideways where"):
        towsim.simulate(scene, method="bdf3", step=step, duration=6.0)
    with pytest.raises(towsim.SceneError, match=r"'cable1': one element cannot move sideways where"):
        towsim.equilibrium(scene)
    for module in "towsim.scene.start", "towsim.model.cables":
        monkeypatch.setattr(f"{module}.LOCKED", 0.0)
    with pytest.raises(towsim.SimulationError, match=r"cable1, cable2, cable3 and cable4 of one element cannot move"):
        towsim.simulate(scene, method="bdf3", step=step, duration=6.0)


NYLON = {"diameter": 0.04, "mass_per_length": 1.0, "axial_stiffness": 1.2e6}


@pytest.mark.parametrize("method", ["stewart-trinkle", "bdf1", "bdf2"])
@pytest.mark.parametrize("length", [5.0, 50.0])
def test_a_soft_rope_bears_a_load_that_is_let_go_on_it_as_far_as_that_stretches_it(method: str, length: float) -> None:
    """A load that begins to hang doubles its weight's stretch (Hooke): 8 % of a nylon rope, where steel bears 0.2 %."""
    scene = scene_from_data(
        {
            "bodies": {"load": {"mass": 5000.0, "point": True, "position": [0, 0, -length]}},
            "robots": {"hook": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "load", "to": "hook", "length": length, "material": NYLON, "model": "mrfe"}},
        }
    )
    period = math.tau * math.sqrt(5000.0 * length / NYLON["axial_stiffness"])
    result = towsim.simulate(scene, method=method, duration=period, step=period / 400)
    # The rope weighs a hundredth of the load at most; order 1 damps two per cent in half a period.
    stretched = float(-result["gap"].min() / length)
    assert stretched == pytest.approx(2 * 5000.0 * G / NYLON["axial_stiffness"], rel=0.03)


def test_a_cable_that_whips_farther_than_its_elements_are_long_in_a_step_asks_for_a_smaller_one() -> None:
    """At half that step the same run goes through; nothing pulls the cable, as its ends move at 1.5 m/s at most."""
    tow = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "wind": [-0.3, 0, 0],
            "bodies": {
                "barge": {
                    "mass": 5e4,
                    "shape": {"box": [8, 3, 1]},
                    "points": {"bow": [4, 0, 0]},
                    "drag": {"linear": 500, "quadratic": 1250},
                }
            },
            "robots": {
                "ship": {
                    "motion": {
                        "profile": {
                            "start": [8.975, 0, 0],
                            "t": [0, 15, 40],
                            "velocity": [[0, 0, 0], [1.5, 0, 0], [1.5, 0, 0]],
                        }
                    }
                }
            },
            "wires": {
                "w": {
                    "from": "barge.bow",
                    "to": "ship",
                    "length": 5.0,
                    "model": "mrfe",
                    "material": {"mass_per_length": 1.4, "axial_stiffness": 1.8e7, "diameter": 0.02},
                }
            },
        }
    )
    with pytest.raises(towsim.RefusedError, match=r"elements move too far in one step of 0\.02 s; use a smaller step"):
        towsim.simulate(tow, duration=10.0, step=0.02)
    assert towsim.simulate(tow, duration=10.0, step=0.01)["tension"].max() < 5e4


@pytest.mark.parametrize("method", ["stewart-trinkle", "bdf2", "dae"])
def test_no_cable_is_stretched_by_more_than_its_length(method):
    """With m g = 2 EA a load falls through the doubled length at t = acos(1/2) √(m L/EA)."""
    material = {"axial_stiffness": 5.0, "mass_per_length": 1e-4, "diameter": 0.01}
    scene = scene_from_data(
        {
            "gravity": [0.0, 0.0, -10.0],
            "bodies": {"load": {"mass": 1.0, "point": True, "position": [0.0, 0.0, -1.0]}},
            "robots": {"post": {"position": [0.0, 0.0, 0.0]}},
            "wires": {"rope": {"from": "post", "to": "load", "length": 1.0, "model": "mrfe", "material": material}},
        }
    )
    with pytest.raises(towsim.RefusedError, match=r"cable '?rope'?") as caught:
        towsim.simulate(scene, duration=1.0, step=1e-3, method=method)
    assert caught.value.time == pytest.approx(
        np.arccos(0.5) * np.sqrt(0.2), abs=0.02
    )  # dae: at the end of a step of its own
