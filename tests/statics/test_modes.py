"""Small motions about rest: closed forms, free swinging of runs, and differences of runs."""

import numpy as np
import pytest
from scipy.linalg import eigh, expm

import towsim
from towsim.scene import scene_from_text

CHAIN = """
schema: 1
bodies: {a: {mass: 1, point: true, position: [0, 0, -1]}, b: {mass: 2, point: true, position: [0, 0, -1.5]}}
robots: {hook: {position: [0, 0, 0]}}
wires: {upper: {from: hook, to: a, length: 1}, lower: {from: a, to: b, length: 0.5}}
"""
BOX = """
schema: 1
bodies:
  box: {mass: 2, shape: {box: [0.6, 0.4, 0.2]}, position: [0.02, 0.03, 0.05],
        points: {a: [0.3, 0.2, 0.1], b: [0.3, -0.2, 0.1], c: [-0.3, -0.2, 0.1]}}
robots: {A: {position: [0.6, 0.5, 2]}, B: {position: [0.6, -0.5, 2]}, C: {position: [-0.6, -0.5, 2]}}
wires:
  a: {from: A, to: box.a, length: 2.0}
  b: {from: B, to: box.b, length: 2.0}
  c: {from: C, to: box.c, length: 2.1}
"""


def test_two_weights_below_each_other_ring_as_the_double_pendulum():
    """M = [[3, 1], [1, 0.5]] kg m² and K = g diag(3, 1) N m in the angles of the wires (lengths 1 and 0.5)."""
    M = np.array([[3 * 1.0, 2 * 0.5], [2 * 0.5, 2 * 0.25]])
    K = 9.81 * np.diag([3 * 1.0, 2 * 0.5])
    expected = np.sqrt(eigh(K, M, eigvals_only=True)) / (2 * np.pi)
    found = towsim.modes(scene_from_text(CHAIN))
    np.testing.assert_allclose(found.frequency, np.repeat(expected, 2), rtol=1e-8)  # in x and in y
    assert not found.damping.any()


@pytest.mark.parametrize("size", [1e-5, 1e5])
def test_a_scene_of_another_size_swings_and_is_judged_as_its_model_does(size):
    """With all lengths times a, inertias times a² and the same gravity, frequencies go with 1/√a (Froude)."""
    scene = scene_from_text(BOX)
    box, far = scene.bodies["box"], {name: robot.position for name, robot in scene.robots.items()}
    scaled = scene.replace(
        bodies={
            "box": {
                "mass": box.mass,
                "inertia": (size**2 * box.inertia_matrix()).tolist(),
                "position": [size * x for x in box.position],
                "points": {name: [size * x for x in at] for name, at in box.points.items()},
            }
        },
        robots={name: {"position": [size * x for x in at]} for name, at in far.items()},
        wires={
            name: {"from": one.from_, "to": one.to, "length": size * one.length} for name, one in scene.wires.items()
        },
    )
    model, found = towsim.modes(scene), towsim.modes(scaled)
    np.testing.assert_allclose(found.frequency * np.sqrt(size), model.frequency, rtol=1e-8)
    assert towsim.equilibrium(scaled).stability == towsim.equilibrium(scene).stability == "stable"


def test_drag_damps_a_pendulum_by_half_its_rate():
    text = CHAIN.replace("mass: 2", "mass: 2, drag: {linear: 0.4}").replace("a: {mass: 1", "a: {mass: 1e-9")
    slow = towsim.modes(scene_from_text(text))
    omega = np.sqrt(9.81 / 1.5)
    assert slow.frequency[0] * 2 * np.pi == pytest.approx(omega, rel=1e-6)
    assert slow.damping[0] == pytest.approx(0.4 / 2 / (2 * omega), rel=1e-6)


@pytest.mark.parametrize("drag", ["", ", drag: {linear: 0.3}"])
def test_motions_that_are_alike_are_told_apart_by_what_they_move(drag):
    """Of two like pendulums any mixture of the four motions is one; what moved most stood there twice."""
    load = f"mass: 1, point: true{drag}"
    text = f"""
    schema: 1
    bodies: {{a: {{{load}, position: [0, 0, -1]}}, b: {{{load}, position: [3, 0, -1]}}}}
    robots: {{over_a: {{position: [0, 0, 0]}}, over_b: {{position: [3, 0, 0]}}}}
    wires: {{a: {{from: a, to: over_a, length: 1}}, b: {{from: b, to: over_b, length: 1}}}}
    """
    found = towsim.modes(scene_from_text(text))
    assert sorted(found.most) == ["a, along x", "a, along y", "b, along x", "b, along y"]
    np.testing.assert_allclose(np.abs(found.shape).sum(axis=(1, 2)), 1.0, atol=1e-7)  # nothing else moves


@pytest.mark.parametrize("beside", [0.4, -0.4])
def test_drag_beside_the_centre_of_mass_damps_by_the_velocity_of_its_point(beside):
    """Along x and about z: u = v - y ω of the point at y, so D = c [[1, -y], [-y, y²]]; springs pull at y = 0.2."""
    scene = scene_from_text(f"""
gravity: [0, 0, 0]
bodies:
  b: {{mass: 2, inertia: [0.3, 0.3, 0.3], points: {{p: [0.3, 0.2, 0], q: [-0.3, 0.2, 0]}},
      drag: {{linear: [1.5, 0, 0], at: [0, {beside}, 0]}}}}
robots: {{A: {{position: [1.3, 0.2, 0]}}, B: {{position: [-1.3, 0.2, 0]}}}}
wires:
  a: {{from: A, to: b.p, length: 0.8, model: {{spring: {{stiffness: 100}}}}}}
  c: {{from: B, to: b.q, length: 0.8, model: {{spring: {{stiffness: 100}}}}}}
""")
    pull = 100 * 0.2
    M = np.diag([2.0, 0.3])
    D = 1.5 * np.array([[1.0, -beside], [-beside, beside**2]])
    K = np.array([[200.0, -40.0], [-40.0, 200 * 0.2**2 + 2 * pull * (0.3 + 0.3**2 / 1.0)]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    expected = np.linalg.eigvals(A)
    found = towsim.modes(scene).eigenvalue
    for value in expected[expected.imag > 0.0]:
        assert np.abs(found - value).min() < 1e-8 * abs(value)


def test_a_taut_cable_rings_as_a_string():
    """f_k = k/2L √(T/μ) (Mersenne), less (kπ/2n)²/6 for n elements whose masses are spread along them."""
    scene = scene_from_text("""
schema: 1
gravity: [0, 0, 0]
robots: {a: {position: [0, 0, 0]}, b: {position: [2.002, 0, 0]}}
wires:
  string:
    from: a
    to: b
    length: 2
    material: {mass_per_length: 0.01, diameter: 1e-3, axial_stiffness: 1e5, bending_stiffness: 0}
    model: {mrfe: {elements: 40}}
""")
    found = towsim.modes(scene, count=8).frequency
    found = found[found > 1e-3]  # a straight line spins freely
    exact = np.sqrt(100.0 / 0.01 * 2.002 / 2.0) / (2 * 2.002) * np.repeat([1, 2, 3], 2)
    np.testing.assert_allclose(found[:6], exact, rtol=5e-3)


def test_a_clamped_rod_rings_as_a_beam():
    """(1.8751)² √(EI/μ l⁴)/2π (Euler and Bernoulli)."""
    scene = scene_from_text("""
schema: 1
gravity: [0, 0, 0]
bodies: {bob: {mass: 1e-9, point: true, position: [1, 0, 0]}}
robots: {wall: {position: [0, 0, 0]}}
wires:
  rod:
    from: wall
    to: bob
    length: 1
    material: {mass_per_length: 0.1, diameter: 1e-3, axial_stiffness: 1e6, bending_stiffness: 2}
    model: {mrfe: {elements: 40, from_end: clamped}}
""")
    exact = 1.8751040687**2 * np.sqrt(2 / 0.1) / (2 * np.pi)
    np.testing.assert_allclose(towsim.modes(scene, count=2).frequency, exact, rtol=1e-3)


def swing(scene, velocity, spin, seconds, step, motion=None):
    """Places and turns of a box (m, 6), by rotation vectors, of a run of SHAKE from rest with these velocities."""
    if motion:
        scene = scene.replace(robots={**scene.robots, "A": scene.robots["A"].replace(position=None, motion=motion)})
    sim = towsim.Simulation(scene.replace(start="equilibrium"), method="shake", step=step)
    q0 = sim["quaternion"].sel(body="box").values.copy()
    sim.place("box", velocity=velocity, angular_velocity=spin)
    sim.step(round(seconds / step))
    q = sim["quaternion"].sel(body="box").values
    w0, u0 = q0[0], -q0[1:]
    turn = q[0] * u0 + w0 * q[1:] + np.cross(q[1:], u0)
    return np.concatenate([sim["position"].sel(body="box").values, 2.0 * np.sign(q @ q0) * turn])


@pytest.mark.slow
def test_the_linear_motion_is_the_derivative_of_runs():
    """expm(A t) x₀ against central differences of runs of SHAKE, whose step makes (ω h)² t of it."""
    scene = scene_from_text(BOX)
    space = towsim.linearize(scene, inputs=[])
    r = len(space.states) // 2
    rates = np.array([0.7, -0.4, 0.5])
    way = space.moves[:, :r] @ rates
    small, seconds = 2e-5, 0.25
    ends = [swing(scene, sign * small * way[:3], sign * small * way[3:], seconds, 1e-4) for sign in (1, -1)]
    found = (ends[0] - ends[1]) / (2 * small)
    expected = space.moves @ expm(space.A * seconds) @ np.concatenate([np.zeros(r), rates])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


@pytest.mark.slow
def test_a_robot_that_accelerates_moves_the_load_as_b_says():
    scene = scene_from_text(BOX)
    space = towsim.linearize(scene, inputs=["robots.A.x"])
    seconds, small = 0.25, 1e-3
    n = len(space.states)
    whole = expm(np.block([[space.A, space.B], [np.zeros((1, n + 1))]]) * seconds)
    expected = space.moves @ whole[:n, n]
    ends = []
    for sign in (1, -1):
        motion = {"formula": {"x": f"0.6 + {0.5 * sign * small}*t**2", "y": 0.5, "z": 2.0}}
        changed = scene.with_values({"robots.A": {"motion": motion}})
        ends.append(swing(changed, (0, 0, 0), (0, 0, 0), seconds, 1e-4))
    found = (ends[0] - ends[1]) / (2 * small)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


CRANE = """
schema: 1
bodies:
  trolley: {mass: 30, shape: {box: [0.4, 0.4, 0.2]}, position: [0.2, 0, 3]}
  boom: {mass: 50, shape: {box: [2, 0.1, 0.1]}, position: [1.2, 0, 3], points: {heel: [-1, 0, 0], tip: [1, 0, 0]}}
  box: {mass: 2, shape: {box: [0.6, 0.4, 0.2]}, position: [2.2, 0, 1.9], points: {lug: [0.1, 0.05, 0.1]}}
robots: {rail: {position: [0, 0, 3]}}
joints:
  travel: {kind: prismatic, from: rail, to: trolley, axis: [1, 0, 0], motion: 0.2}
  luff: {kind: revolute, from: trolley, to: boom.heel, axis: [0, 1, 0], motion: -0.3}
wires: {fall: {from: boom.tip, to: box.lug, length: 1}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("joint", "rest"), [("travel", 0.2), ("luff", -0.3)])
def test_a_joint_s_drive_that_accelerates_moves_the_load_as_b_says(joint, rest):
    """Central differences of runs with c = c0 ± a t²/2: what is left are (ω h)² of SHAKE's step, and a²."""
    scene = scene_from_text(CRANE)
    space = towsim.linearize(scene, inputs=[f"joints.{joint}.motion"])
    assert space.units[f"joints.{joint}.motion"] == ("rad/s²" if joint == "luff" else "m/s²")
    seconds, small, n = 0.25, 2e-4, len(space.states)
    whole = expm(np.block([[space.A, space.B], [np.zeros((1, n + 1))]]) * seconds)
    ends = []
    for sign in (1, -1):
        moving = scene.with_values({f"joints.{joint}.motion": f"{rest} + {0.5 * sign * small}*t**2"})
        ends.append(swing(moving, (0, 0, 0), (0, 0, 0), seconds, 1e-4))
    found = (ends[0] - ends[1]) / (2 * small)
    at = 6 * list(scene.bodies).index("box")
    expected = (space.moves @ whole[:n, n])[at : at + 6]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def test_a_drive_at_zero_or_below_is_a_place_to_rest_at():
    """The given coordinate of a joint is no length of the scene: it may be 0 or less."""
    for rest in (0.0, -0.2):
        scene = scene_from_text(CRANE.replace("motion: 0.2", f"motion: {rest}"))
        found = towsim.equilibrium(scene)
        np.testing.assert_allclose(found.position[0], [rest, 0.0, 3.0], atol=1e-12)
        assert found.tension["fall"] == pytest.approx(2 * 9.81, rel=1e-12)


def test_the_tension_of_a_boom_that_is_luffed_up_is_the_load_s_mass_times_the_tip_s_acceleration():
    scene = scene_from_text(CRANE.replace("[0.1, 0.05, 0.1]", "[0, 0, 0.1]"))
    space = towsim.linearize(scene, inputs=["joints.luff.motion"], outputs=["wires.fall.tension"])
    np.testing.assert_allclose(space.D, [[-2 * 2.0 * np.cos(0.3)]], rtol=1e-9)


def test_a_joint_without_a_given_motion_is_no_input():
    text = CRANE.replace("axis: [0, 1, 0], motion: -0.3", "axis: [0, 1, 0], spring: {stiffness: 3000}")
    with pytest.raises(towsim.UsageError, match=r"joints\.luff\.motion.*joints\.travel\.motion"):
        towsim.linearize(scene_from_text(text), inputs=["joints.luff.motion"])


def test_the_tension_of_a_hook_that_is_lifted_is_the_load_s_mass_times_its_acceleration():
    space = towsim.linearize(
        scene_from_text(CHAIN),
        inputs=["robots.hook.z", "wires.lower.length"],
        outputs=["wires.upper.tension", "wires.lower.tension"],
    )
    np.testing.assert_allclose(space.D, [[3.0, -2.0], [2.0, -2.0]], atol=1e-8)
    assert space.inputs == ("robots.hook.z", "wires.lower.length")


ELASTIC = "{from: A, to: b, length: 1, material: {axial_stiffness: 1000, axial_damping: 10}, model: elastic}"
SPRING = "{from: A, to: b, length: 1, model: {spring: {stiffness: 1000, damping: 10}}}"


@pytest.mark.parametrize("input", ["robots.A.z", "wires.w.length"])
@pytest.mark.parametrize("wire", [ELASTIC, SPRING])
def test_a_damper_in_a_wire_answers_the_rates_of_its_ends_and_of_its_length(wire, input):
    """T = EA (ℓ/L - 1) + c/L (ℓ' - L'), or k (ℓ - L) + c (ℓ' - L'), and m x'' = T - m g.

    By accelerations of the upper end (+) or length (-).
    """
    scene = scene_from_text(f"""
bodies: {{b: {{mass: 2, point: true, position: [0, 0, -1]}}}}
robots: {{A: {{position: [0, 0, 0]}}}}
wires: {{w: {wire}}}
""")
    A, B, C, D = towsim.linearize(scene, inputs=[input], outputs=["wires.w.tension"])
    k, c, m = 1000.0, 10.0, 2.0
    # EA/L falls with L, and k does not
    softer = 1.0 + m * 9.81 / k if (wire, input) == (ELASTIC, "wires.w.length") else 1.0
    for s in (1j, 20j, 300j):
        exact = m * (softer * k + c * s) / (m * s**2 + c * s + k) * (1.0 if input == "robots.A.z" else -1.0)
        assert (C @ np.linalg.solve(s * np.eye(len(A)) - A, B) + D)[0, 0] == pytest.approx(exact, rel=1e-8)


def test_a_linear_model_names_what_it_takes_for_slack_though_it_is_just_taut():
    scene = scene_from_text("""
gravity: [0, 0, 0]
bodies: {sled: {mass: 20, point: true, drag: {linear: 40}}}
robots: {left: {position: [2, 0, 0]}}
wires: {left: {from: sled, to: left, length: 2}}
""")
    space, ringing = towsim.linearize(scene, inputs=[]), towsim.modes(scene)
    assert space.slack == ringing.slack == ("left",)
    assert space.kept == ringing.kept == ()
    assert "taken for slack: left" in repr(space)


def test_an_unknown_input_is_told_what_was_meant():
    with pytest.raises(towsim.UsageError, match=r"robots\.hook\.z"):
        towsim.linearize(scene_from_text(CHAIN), inputs=["robots.hok.z"])


def test_the_table_tells_what_moves_freely_what_decays_and_which_cable_moves():
    """A spar between two moorings, which spin about their own lines as it does about its axis, braked by its drag."""
    rope = "material: {mass_per_length: 1, diameter: 0.02, axial_stiffness: 1e6, bending_stiffness: 0}"
    found = towsim.modes(
        scene_from_text(f"""
bodies: {{spar: {{mass: 200, shape: {{cylinder: [0.5, 4]}}, points: {{f: [0, 0, -2]}}, force: {{z: 2862}},
                  drag: {{linear: 50, angular: 30}}}}}}
robots: {{a: {{position: [20, 0, -15]}}, c: {{position: [-20, 0, -15]}}}}
wires:
  m: {{from: spar.f, to: a, length: 25, {rope}, model: {{mrfe: {{elements: 8}}}}}}
  n: {{from: spar.f, to: c, length: 25, {rope}, model: {{mrfe: {{elements: 8}}}}}}
""")
    )
    free = found.eigenvalue == 0.0
    assert free.sum() == 3
    assert not found.frequency[free].any()
    assert not found.damping[free].any()
    assert (found.eigenvalue.real <= 0.0).all()
    spin = next(i for i, value in enumerate(found.eigenvalue) if value.imag == 0.0 and value.real < 0.0)
    assert found.eigenvalue[spin].real == pytest.approx(-30.0 / (0.5 * 200 * 0.5**2))
    lines = found.table().splitlines()
    assert lines[1].split()[1:] == ["0", "Hz", "-", "free", "-", "spar,", "about", "z"]
    assert lines[1 + spin].split()[1:] == ["0", "Hz", "-", "1", "1.2", "1/s", "spar,", "about", "z"]
    still = scene_from_text("""
robots: {a: {position: [0, 0, 0]}, b: {position: [2.002, 0, 0]}}
gravity: [0, 0, 0]
wires: {string: {from: a, to: b, length: 2, model: mrfe, material: {mass_per_length: 1, axial_stiffness: 1e5}}}
""")
    assert towsim.modes(still).most[-1] == "cable string"
    ends = [line.split("end ")[1] for line in towsim.equilibrium(still).table().splitlines()]
    assert ends == ["a held by (-100, 0, 0) N", "b held by (100, 0, 0) N"]


def test_a_scene_that_is_held_fully_has_no_modes_and_says_so():
    held = scene_from_text("""
bodies: {a: {mass: 1, point: true}}
robots: {hook: {position: [0, 0, 0]}}
joints: {j: {kind: ball, from: hook, to: a}}
""")
    assert towsim.modes(held).table().startswith("nothing moves")
