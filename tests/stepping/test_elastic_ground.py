"""An elastic ground bears loads by k and c, throws them back, and pulls only where it is told to."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import towsim
from towsim.scene import Scene, scene_from_data

M, G, HEIGHT = 0.5, 9.81, 0.1
METHODS = ("stewart-trinkle", "shake")


def on_ground(z: float, *, k: float = 1e3, c: float = 0.0, pulls: bool = False, lift: str = "0") -> Scene:
    spring = {"stiffness": k, "damping": c, "pulls": pulls}
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": M, "point": True, "position": [0, 0, z], "force": {"z": lift}}},
            "ground": {"height": HEIGHT, "contacts": ["bob"], "spring": spring},
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_load_sinks_by_its_weight_over_the_stiffness(method: str) -> None:
    result = towsim.simulate(on_ground(HEIGHT, c=30.0), duration=1.0, method=method)
    assert result["position"].values[-1, 0, 2] == pytest.approx(HEIGHT - M * G / 1e3, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_an_undamped_ground_throws_a_load_back_to_where_it_fell_from(method: str) -> None:
    result = towsim.simulate(on_ground(HEIGHT + 0.2), duration=0.6, step=1e-4, method=method)
    z = result["position"].values[:, 0, 2]
    landed = np.argmin(z)
    # ½k s² = m g (0.2 + s)
    s = (M * G + np.sqrt((M * G) ** 2 + 2.0 * 1e3 * M * G * 0.2)) / 1e3
    loss = 5e-3 if method == "stewart-trinkle" else 1e-3  # it moves by 2e-4 m in a step
    assert z[landed] == pytest.approx(HEIGHT - s, rel=loss)
    assert z[landed:].max() == pytest.approx(HEIGHT + 0.2, rel=loss)
    (landing,) = result.events.select("contact")
    assert landing.energy_lost == 0.0  # a spring gives back what it takes: nothing is stopped at once


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pulls", [False, True])
def test_only_a_ground_that_pulls_holds_back_what_rises(method: str, pulls: bool) -> None:
    """The paper's literal law, F = k (height − z) − c ż for z ≤ height, and the same clipped at zero."""
    k, c = 1e3, 1e2

    def force(z: float, speed: float) -> float:
        law = k * (HEIGHT - z) - c * speed if z <= HEIGHT else 0.0
        return law if pulls else max(law, 0.0)

    def rate(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (force(y[0], y[1]) + 8.0 * t) / M - G]

    scene = on_ground(HEIGHT, k=k, c=c, pulls=pulls, lift="8*t")
    result = towsim.simulate(scene, duration=1.0, step=1e-4, method=method)
    truth = solve_ivp(rate, (0.0, 1.0), [HEIGHT, 0.0], t_eval=result.time, rtol=1e-9, atol=1e-12, max_step=1e-3)
    # Where the law switches by a jump, the step of 1e-4 s is the error in time; the speed grows to 1.2 m/s.
    np.testing.assert_allclose(result["position"].values[:, 0, 2], truth.y[0], atol=1.2e-4)
    lifted = result.time[np.argmax(result["position"].values[:, 0, 2] > HEIGHT + 1e-6)]
    assert lifted == pytest.approx(truth.t[np.argmax(truth.y[0] > HEIGHT + 1e-6)], abs=2e-3)


def test_every_back_end_agrees_on_a_ground_that_pulls() -> None:
    scene = on_ground(HEIGHT, c=1e2, pulls=True, lift="8*t")
    for method in METHODS:
        expected = towsim.simulate(scene, duration=0.8, method=method)["position"].values
        assert expected[-1, 0, 2] > HEIGHT
        for solver, form in (("lemke", "lcp"), ("lemke", "mlcp"), ("auto", "lcp")):
            found = towsim.simulate(scene, duration=0.8, method=method, solver=solver, form=form, loop="python")
            np.testing.assert_allclose(found["position"].values, expected, atol=1e-12)
