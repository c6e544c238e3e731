"""A spring and damper between two points pulls and pushes: T = k (d − L) + c (ḋ − L̇), of either sign."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.errors import SceneError
from towsim.scene import Scene, scene_from_data

M, G, L, K = 2.0, 9.81, 1.5, 800.0
OMEGA = np.sqrt(K / M)


def standing(above: float, *, damping: float = 0.0, start: str = "declared", **more: object) -> Scene:
    """A bob ``above`` the unstretched end of a spring that stands on a post in the origin."""
    spring = {"spring": {"stiffness": K, "damping": damping}}
    return scene_from_data(
        {
            "start": start,
            "bodies": {"bob": {"mass": M, "point": True, "position": [0, 0, L + above]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {"fender": {"from": "post", "to": "bob", "length": L, "model": spring} | more},
        }
    )


def errors(method: str, damping: float, steps: tuple[float, ...]) -> list[float]:
    """Largest error of a bob that is let go 0.05 m above the unstretched end."""
    a = damping / M / 2.0
    w = np.sqrt(OMEGA**2 - a * a)
    sag, found = M * G / K, []
    for h in steps:
        result = towsim.simulate(standing(0.05, damping=damping), duration=0.4, step=h, method=method)
        t = result.time
        exact = -sag + (0.05 + sag) * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
        found.append(float(np.abs(result["position"].values[:, 0, 2] - L - exact).max()))
        assert not len(result.events)
    return found


@pytest.mark.parametrize("damping", [0.0, 15.0])
def test_a_load_on_a_spring_oscillates_between_pull_and_push(damping: float) -> None:
    # It passes the unstretched length and back, 2 and 4 are the ratios of orders 1 and 2.
    first, second = (errors(method, damping, (4e-3, 2e-3, 1e-3)) for method in ("stewart-trinkle", "shake"))
    assert np.all(np.array(first[:-1]) / first[1:] > 1.8)
    assert np.all(np.array(second[:-1]) / second[1:] > 3.7)
    assert second[-1] < 3e-5  # (ω h)² = 4e-4 of 0.07 m, over 1.3 turns


def test_the_forces_of_a_spring_are_hookes_and_the_dampers_law() -> None:
    result = towsim.simulate(standing(0.05, damping=15.0), duration=0.4, step=1e-3, method="shake")
    stretch, rate = result["position"].values[:, 0, 2] - L, result["velocity"].values[:, 0, 2]
    tension = result["tension"].values[:, 0]
    assert tension.min() < -50.0 < 30.0 < tension.max()
    law = K * stretch + 15.0 * rate
    np.testing.assert_allclose(tension[1:], law[1:], atol=0.1)  # (ω h)² of 60 N, twice; row 0 is the first half step's
    stored = result["elastic_energy"].values
    np.testing.assert_allclose(stored, 0.5 * K * stretch**2, atol=1e-9)


def test_a_load_stands_on_a_compressed_spring_as_an_inverted_pendulum_does() -> None:
    rest = towsim.equilibrium(standing(-0.01))
    height = L - M * G / K
    np.testing.assert_allclose(rest.position[0], (0.0, 0.0, height), atol=1e-8)
    np.testing.assert_allclose(rest.tension["fender"], -M * G, rtol=1e-9)
    np.testing.assert_allclose(rest.curvature, (-G / height, -G / height, K / M), rtol=1e-6)  # differenced
    assert rest.stability == "unstable"
    assert rest.slack == ()
    run = towsim.simulate(standing(-0.01, start="equilibrium"), duration=0.1, step=0.01)
    np.testing.assert_allclose(run["tension"].values, -M * G, rtol=1e-8)
    np.testing.assert_allclose(run["velocity"].values, 0.0, atol=1e-7)  # it falls from 1e-9 m aside


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bdf2", "dae"])
def test_methods_that_integrate_to_higher_order_agree(method: str) -> None:
    assert errors(method, 15.0, (1e-3,))[0] < 2e-5


def test_a_cylinder_moves_its_load_by_its_length() -> None:
    # Rest length L + 0.1 t of a stiff, damped spring: the load follows, at constant speed at the end.
    grows = {"formula": f"{L} + 0.1*t"}
    run = towsim.simulate(standing(-M * G / K, damping=60.0, length=grows), duration=1.5, step=1e-3)
    np.testing.assert_allclose(run["velocity"].values[-1, 0], (0.0, 0.0, 0.1), atol=1e-5)
    np.testing.assert_allclose(run["tension"].values[-1], -M * G, rtol=1e-3)


def test_what_is_no_spring_is_refused_by_name() -> None:
    with pytest.raises(SceneError, match="a spring needs its stiffness"):
        standing(0.0, model="spring")
    with pytest.raises(SceneError, match="stiffness: must be > 0 N/m, got 0"):
        standing(0.0, model={"spring": {"stiffness": 0}})
    with pytest.raises(SceneError, match="material: a spring has its own stiffness"):
        standing(0.0, material={"axial_stiffness": 1e4})
    with pytest.raises(SceneError, match="exactly one of mrfe, spring"):
        standing(0.0, model={"spring": {"stiffness": 1.0}, "mrfe": {}})
    with pytest.raises(SceneError, match="cut: is for rigid wires"):
        standing(0.0, cut=1.0)
