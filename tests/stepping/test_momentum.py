"""Payloads that pull on each other: wires exchange momentum, they do not make any. Both methods, to rounding."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")


def simulate(bodies, wires, *, duration, step, method, gravity=(0.0, 0.0, 0.0)):
    data = {"gravity": list(gravity), "bodies": bodies, "wires": wires}
    return towsim.simulate(scene_from_data(data), duration=duration, step=step, method=method)


def momenta(result, bodies):
    """Linear (n, 3) and angular momentum (n, 3) about the origin, and kinetic energy (n,)."""
    P, H, E = 0.0, 0.0, 0.0
    for name, body in bodies.items():
        x, v = result["position"].sel(body=name).values, result["velocity"].sel(body=name).values
        P, H = P + body["mass"] * v, H + body["mass"] * np.cross(x, v)
        E = E + 0.5 * body["mass"] * np.sum(v**2, axis=1)
        if "inertia" in body:
            R = Rotation.from_quat(result["quaternion"].sel(body=name).values, scalar_first=True)
            spin = R.apply(result["angular_velocity"].sel(body=name).values, inverse=True)
            H = H + R.apply(spin * body["inertia"])
            E = E + 0.5 * np.sum(spin**2 * body["inertia"], axis=1)
    return P, H, E


def tumblers():
    """Three tumbling asymmetric bodies in a row, joined by slack wires between points off their centres."""
    random = np.random.default_rng(4)
    bodies = {
        f"b{k}": {
            "mass": float(random.uniform(0.5, 3.0)),
            "inertia": [0.02, 0.05, 0.06],
            "position": [1.0 * k, 0.1 * k, 0.0],
            "velocity": random.normal(0.0, 1.0, 3).tolist(),
            "angular_velocity": random.normal(0.0, 3.0, 3).tolist(),
            "points": {"l": [-0.2, 0.1, 0.05], "r": [0.2, -0.05, 0.1]},
        }
        for k in range(3)
    }
    wires = {f"w{k}": {"from": f"b{k}.r", "to": f"b{k + 1}.l", "length": 0.9} for k in range(2)}
    return bodies, wires


@pytest.mark.parametrize("method", METHODS)
def test_total_momentum_is_conserved_through_jerks_and_tumbling(method):
    bodies, wires = tumblers()
    result = simulate(bodies, wires, duration=4.0, step=1e-3, method=method)
    P, H, E = momenta(result, bodies)
    assert len(result.events.select("jerk")) >= 2  # the wires do something
    scale = sum(body["mass"] for body in bodies.values()) * 3.0  # kg m/s, and m away from the origin
    assert np.abs(P - P[0]).max() < 1e-12 * scale
    # Impulses act along the line between the ends of a wire: no moment either, except for rounding of 4000 steps.
    assert np.abs(H - H[0]).max() < 1e-11 * scale
    assert E[-1] < E[0]
    # Nothing but plastic jerks takes energy; steps between them miss it by their order.
    lost = result.events["energy_lost"].sum()
    assert E[0] - E[-1] == pytest.approx(lost, abs=0.02 * E[0])


@pytest.mark.parametrize("method", METHODS)
def test_gravity_changes_total_momentum_by_weight_times_time(method):
    bodies, wires = tumblers()
    g = np.array([0.3, -0.2, -9.81])
    result = simulate(bodies, wires, duration=1.0, step=1e-3, method=method, gravity=g)
    P, _, _ = momenta(result, bodies)
    mass = sum(body["mass"] for body in bodies.values())
    assert np.abs(P - P[0] - mass * np.outer(result.time, g)).max() < 1e-11 * mass * 9.81


@pytest.mark.parametrize("method", METHODS)
def test_two_loads_that_fly_apart_end_with_their_common_velocity(method):
    """Along one line: v = (m₁ v₁ + m₂ v₂)/(m₁ + m₂), impulse μ Δv, loss ½ μ Δv², μ = m₁ m₂/(m₁ + m₂)."""
    m1, m2, v1, v2 = 2.0, 3.0, -1.0, 2.5
    bodies = {
        "a": {"mass": m1, "point": True, "velocity": [v1, 0, 0]},
        "b": {"mass": m2, "point": True, "position": [0.2, 0, 0], "velocity": [v2, 0, 0]},
    }
    result = simulate(bodies, {"w": {"from": "a", "to": "b", "length": 1.0}}, duration=1.0, step=1e-3, method=method)
    together, mu = (m1 * v1 + m2 * v2) / (m1 + m2), m1 * m2 / (m1 + m2)
    assert result["velocity"].values[-1, :, 0] == pytest.approx(together, rel=1e-10)
    (jerk,) = result.events.select("jerk")
    assert jerk.impulse == pytest.approx(mu * (v2 - v1), rel=1e-10)
    assert jerk.energy_lost == pytest.approx(0.5 * mu * (v2 - v1) ** 2, rel=1e-10)
    assert jerk.time == pytest.approx(0.8 / (v2 - v1), abs=2e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_pull_beside_the_centre_meets_the_effective_mass(method):
    """p = Δv / (1/m₁ + 1/m₂ + (r × n)·I⁻¹(r × n)): the body gives way by turning."""
    m1, m2, inertia, lever, v = 2.0, 3.0, 0.05, 0.15, 1.7
    bodies = {
        "a": {"mass": m1, "inertia": [0.04, 0.05, inertia], "points": {"p": [0.0, lever, 0.0]}},
        "b": {"mass": m2, "point": True, "position": [0.6, lever, 0], "velocity": [v, 0, 0]},
    }
    result = simulate(bodies, {"w": {"from": "a.p", "to": "b", "length": 1.0}}, duration=0.25, step=1e-4, method=method)
    jerk = result.events.select("jerk")[0]
    impulse = v / (1 / m1 + 1 / m2 + lever**2 / inertia)
    # The two steps of the jerk see the body turned by 0.1 mrad: 1e-3 is ample.
    assert jerk.impulse == pytest.approx(impulse, rel=1e-3)
    assert jerk.energy_lost == pytest.approx(0.5 * impulse * v, rel=1e-3)
    k = np.searchsorted(result.time, jerk.time + jerk.duration + 1e-4)
    assert result["angular_velocity"].sel(body="a").values[k, 2] == pytest.approx(-lever * impulse / inertia, rel=2e-3)
    assert result["velocity"].sel(body="a").values[k, 0] == pytest.approx(impulse / m1, rel=2e-3)


@pytest.mark.parametrize("method", METHODS)
def test_two_loads_on_a_taut_wire_turn_about_their_centre_of_mass(method):
    """T = μ L ω², and the centre of mass goes straight on."""
    m1, m2, L, rate, h = 1.0, 3.0, 1.2, 2.0, 1e-3
    r1, r2 = L * m2 / (m1 + m2), L * m1 / (m1 + m2)
    drift = np.array([0.3, 0.1, -0.2])
    bodies = {
        "a": {"mass": m1, "point": True, "position": [-r1, 0, 0], "velocity": [0.3, 0.1 - rate * r1, -0.2]},
        "b": {"mass": m2, "point": True, "position": [r2, 0, 0], "velocity": [0.3, 0.1 + rate * r2, -0.2]},
    }
    result = simulate(bodies, {"w": {"from": "a", "to": "b", "length": L}}, duration=6.0, step=h, method=method)
    centre = (m1 * result["position"].values[:, 0] + m2 * result["position"].values[:, 1]) / (m1 + m2)
    assert np.abs(centre - np.outer(result.time, drift)).max() < 1e-11
    tension = m1 * m2 / (m1 + m2) * L * rate**2
    order = 5.0 * h if method == "stewart-trinkle" else 10.0 * h**2
    assert result["tension"].values[4:-1] == pytest.approx(tension, rel=order)
    apart = result["position"].values[:, 1] - result["position"].values[:, 0]
    turned = np.unwrap(np.arctan2(apart[:, 1], apart[:, 0]))
    assert np.abs(turned - rate * result.time).max() < 3.0 * order
