"""The recursion of method dae against Lagrange's equations of one element, derived by hand.

A cable of one element hangs on a robot that moves, and swings in the x–z plane about the y axis by θ; s is its
extension, a point mass M hangs on its tip, and its length 2 l is fed. With d₁ = l/2, d₂ = 3l/2 + s, r = 2l + s from the
exit point, J the transverse inertia of a link about its centre, and the exit point accelerated by (aₓ, a_z):

    d/dt[(m d₁² + m d₂² + 2J + M r²) θ̇]  = −(m d₁ + m d₂ + M r) ((g + a_z) sin θ + aₓ cos θ) − kθ − cθ̇ + mass rate
    d/dt[m ḋ₂ + M ṙ] − (m d₂ + M r) θ̇²  = (m + M) ((g + a_z) cos θ − aₓ sin θ) − k′s − c′ṡ + mass rate

where mass that enters at zero velocity brings −ṁ ẋ of the exit point's velocity, and the link grows with the feed.
"""

import math

import numpy as np
import pytest

from towsim.formulations.dae.integrate import Integration
from towsim.formulations.dae.system import assemble
from towsim.scene import scene_from_data

G = 9.81
MATERIAL = {
    "mass_per_length": 0.4,
    "diameter": 0.02,
    "axial_stiffness": 900.0,
    "bending_stiffness": 1.3,
    "axial_damping": 7.0,
    "bending_damping": 0.2,
}


def pendulum(first_joint="yx", from_end="guided", motion="0", length="0.8", rest="straight"):
    return scene_from_data(
        {
            "schema": 1,
            "bodies": {"bob": {"mass": 0.3, "point": True, "position": [0, 0, -0.8]}},
            "robots": {"hand": {"motion": {"formula": {"x": motion, "y": "0", "z": f"0.3*({motion})"}}}},
            "wires": {
                "c": {
                    "from": "hand",
                    "to": "bob",
                    "length": {"formula": length},
                    "material": MATERIAL,
                    "model": {"mrfe": {"elements": 1, "first_joint": first_joint, "from_end": from_end, "rest": rest}},
                }
            },
        }
    )


def by_hand(theta, rate, s, s_rate, hand, feed):
    """θ̈ and s̈ from Lagrange's equations. hand: (velocity, acceleration) of the exit point in x and z; feed: L, L̇, L̈."""
    rho, r2 = MATERIAL["mass_per_length"], (0.5 * MATERIAL["diameter"]) ** 2
    l, l1, l2 = (0.5 * x for x in feed)  # noqa: E741
    m, m1 = rho * l, rho * l1
    J = m * (3 * r2 + l * l) / 12
    J1 = m1 * (3 * r2 + l * l) / 12 + m * l * l1 / 6
    M = 0.3
    (vx, vz), (ax, az) = hand
    sin, cos = math.sin(theta), math.cos(theta)
    d = np.array([0.5 * l, 1.5 * l + s, 2.0 * l + s])
    d1 = np.array([0.5 * l1, 1.5 * l1 + s_rate, 2.0 * l1 + s_rate])
    d2 = np.array([0.5 * l2, 1.5 * l2, 2.0 * l2])  # without s̈
    mass, mass_rate = np.array([m, m, M]), np.array([m1, m1, 0.0])
    along = -((G + az) * sin + ax * cos)  # apparent gravity across the cable, towards larger θ
    down = (G + az) * cos - ax * sin  # and along it
    across_v, along_v = vx * cos + vz * sin, vx * sin - vz * cos  # of the exit point
    k, c = MATERIAL["bending_stiffness"] / feed[0], MATERIAL["bending_damping"] / feed[0]
    K, C = MATERIAL["axial_stiffness"] / feed[0], MATERIAL["axial_damping"] / feed[0]
    moment = (mass * d).sum() * along - k * theta - c * rate
    moment -= (mass_rate * d * (d * rate + across_v)).sum() + 2 * (mass * d * d1).sum() * rate + 2 * J1 * rate
    angular = moment / ((mass * d * d).sum() + 2 * J)
    moving = np.array([0.0, 1.0, 1.0])
    force = (mass * moving).sum() * down - K * s - C * s_rate + (mass * moving * d).sum() * rate**2
    force -= (mass * moving * d2).sum() + (mass_rate * moving * (d1 + along_v)).sum()
    return angular, force / (mass * moving).sum()


def at_state(scene, t, theta, rate, s, s_rate):
    """θ̈ and s̈ from the recursion, the bob being where the tip is."""
    integration = Integration(assemble(scene), "auto", 1e-6, 1e-6)
    assembly, y = integration.assembly, integration.assembly.start.copy()
    known = integration.inputs.at(t)
    position, velocity = known.robot[0, 0], known.robot[0, 1]
    r, r1 = known.length[0, 0] + s, known.length[0, 1] + s_rate
    z = np.array([math.sin(theta), 0.0, -math.cos(theta)])
    across = np.array([math.cos(theta), 0.0, math.sin(theta)])
    y[:3] = position + r * z
    y[assembly.rates : assembly.rates + 3] = velocity + r1 * z + r * rate * across
    q, u = assembly.system.chains.q[0], assembly.system.chains.u[0]
    sign = -1.0  # the cable's z axis points down: turning about +y moves its tip to −x
    y[q : q + 3], y[u : u + 3] = position, velocity
    y[q + 3 : q + 6], y[u + 3 : u + 6] = (sign * theta, 0.0, s), (sign * rate, 0.0, s_rate)
    rates = integration.evaluate(t, y)
    np.testing.assert_allclose(integration.work.eta[:, :2], 0.0, atol=1e-12)
    return sign * rates[u + 3], rates[u + 5]


@pytest.mark.parametrize("state", [(0.0, 0.0, 0.0, 0.0), (0.7, -1.3, 0.02, 0.4), (-2.1, 2.0, -0.05, -0.3)])
def test_an_element_obeys_lagranges_equations(state):
    found = at_state(pendulum(), 0.0, *state)
    np.testing.assert_allclose(found, by_hand(*state, ((0, 0), (0, 0)), (0.8, 0, 0)), rtol=1e-11, atol=1e-11)


def test_a_moving_exit_point_adds_apparent_gravity():
    t, state = 0.4, (0.7, -1.3, 0.02, 0.4)
    v, a = 3 * math.cos(3 * t), -9 * math.sin(3 * t)
    found = at_state(pendulum(motion="sin(3*t)"), t, *state)
    hand = ((v, 0.3 * v), (a, 0.3 * a))
    np.testing.assert_allclose(found, by_hand(*state, hand, (0.8, 0, 0)), rtol=1e-9)


def test_a_fed_element_obeys_lagranges_equations_with_growing_mass():
    t, state = 0.3, (0.7, -1.3, 0.02, 0.4)
    feed = (0.8 + 0.1 * math.sin(2 * t), 0.2 * math.cos(2 * t), -0.4 * math.sin(2 * t))
    found = at_state(pendulum(length="0.8 + 0.1*sin(2*t)"), t, *state)
    np.testing.assert_allclose(found, by_hand(*state, ((0, 0), (0, 0)), feed), rtol=1e-9)


def test_mass_that_enters_a_moving_cable_has_the_velocity_zero():
    t, state = 0.3, (0.7, -1.3, 0.02, 0.4)
    feed = (0.8 + 0.1 * math.sin(2 * t), 0.2 * math.cos(2 * t), -0.4 * math.sin(2 * t))
    hand = ((2.0, 0.6), (0.0, 0.0))
    found = at_state(pendulum(motion="2*t", length="0.8 + 0.1*sin(2*t)"), t, *state)
    np.testing.assert_allclose(found, by_hand(*state, hand, feed), rtol=1e-9)


def test_the_first_joint_of_a_ball_end_has_no_springs():
    state = (0.7, 0.0, 0.02, 0.0)
    guided, ball = (at_state(pendulum(from_end=end), 0.0, *state)[0] for end in ("guided", "ball"))
    k = MATERIAL["bending_stiffness"] / 0.8
    m, l = 0.16, 0.4  # noqa: E741
    inertia = m * (0.5 * l) ** 2 + m * (1.5 * l + 0.02) ** 2 + 2 * m * (3e-4 + l * l) / 12 + 0.3 * 0.82**2
    assert (guided - ball) * inertia == pytest.approx(-k * 0.7, rel=1e-10)


def test_springs_rest_at_the_rest_angles():
    state = (0.7, 0.0, 0.02, 0.0)
    bent, straight = (at_state(pendulum(rest=rest), 0.0, *state) for rest in ([(-0.3, 0.0)], "straight"))
    inertia = 0.16 * (0.2**2 + 0.62**2) + 2 * 0.16 * (3e-4 + 0.4**2) / 12 + 0.3 * 0.82**2
    assert (bent[0] - straight[0]) * inertia == pytest.approx(MATERIAL["bending_stiffness"] / 0.8 * 0.3, rel=1e-10)


def test_what_energy_is_lost_went_into_the_dampers():
    scene = pendulum().with_values({"bodies.bob.position": [0.48, 0.0, -0.64]})  # 3-4-5: the springs rest there
    integration = Integration(assemble(scene), "auto", 1e-9, 1e-9)
    h = 1e-3
    rows = list(integration.rows(np.arange(601) * h))
    chains = integration.assembly.system.chains
    theta, _, s = np.array([row.y[chains.q[0] + 3 : chains.q[0] + 6] for row in rows]).T
    rate, _, s_rate = np.array([row.y[chains.u[0] + 3 : chains.u[0] + 6] for row in rows]).T
    m, l, M, L = 0.16, 0.4, 0.3, 0.8  # noqa: E741
    J = m * (3e-4 + l * l) / 12
    d1, d2, r = 0.5 * l, 1.5 * l + s, 2.0 * l + s
    kinetic = 0.5 * (m * d1**2 + m * d2**2 + 2 * J + M * r**2) * rate**2 + 0.5 * (m + M) * s_rate**2
    below = np.cos(np.arctan2(0.48, 0.64) + theta)  # about −y here
    potential = -G * (m * d1 + m * d2 + M * r) * below
    springs = 0.5 * (MATERIAL["bending_stiffness"] * theta**2 + MATERIAL["axial_stiffness"] * s**2) / L
    power = (MATERIAL["bending_damping"] * rate**2 + MATERIAL["axial_damping"] * s_rate**2) / L
    lost = h / 3 * (power[0:-2:2] + 4 * power[1:-1:2] + power[2::2]).sum()
    total = kinetic + potential + springs
    assert lost > 0.05
    assert total[0] - total[-1] == pytest.approx(lost, rel=1e-5)
