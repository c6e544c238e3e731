"""Laws that a run of method dae obeys, whatever its cables do; all forces and motions are taken from the result."""

import math

import numpy as np
import pytest

import towsim
from towsim.errors import RefusedError, UsageError
from towsim.scene import scene_from_data

G = 9.81
ROPE = {
    "mass_per_length": 0.3,
    "diameter": 0.01,
    "axial_stiffness": 2e4,
    "bending_stiffness": 0.05,
    "axial_damping": 20.0,
    "bending_damping": 2e-3,
}
LOSSLESS = ROPE | {"axial_damping": 0.0, "bending_damping": 0.0}


def swinging(material=ROPE, elements=3, first_joint="ball", from_end="ball", velocity=(0.0, 1.1, 0.0), **more):
    """A box on a cable that hangs on a post and swings in space."""
    span = np.array([0.6, 0.0, -0.8])
    return scene_from_data(
        {
            "schema": 1,
            "bodies": {
                "box": {
                    "mass": 0.7,
                    "shape": {"box": [0.2, 0.15, 0.1]},
                    "position": (span - [0, 0, 0.05]).tolist(),
                    "velocity": list(velocity),
                    "points": {"top": [0, 0, 0.05]},
                }
            },
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {
                "c": {
                    "from": "post",
                    "to": "box.top",
                    "length": 1.0,
                    "material": material,
                    "model": {"mrfe": {"elements": elements, "first_joint": first_joint, "from_end": from_end}},
                }
            },
            **more,
        }
    )


def link_centres(result, length):
    """Centres (time, link, xyz) of the links: half a link's length from the ends of their element."""
    nodes = result["node_position"].values[:, 0]
    span = np.diff(nodes, axis=1)
    z = span / np.linalg.norm(span, axis=2, keepdims=True)
    quarter = 0.25 * length / (nodes.shape[1] - 1)
    return np.concatenate([nodes[:, :-1] + quarter * z, nodes[:, 1:] - quarter * z], axis=1), z


def derivative(x, h):
    """Fourth-order central differences, two rows lost at each end."""
    return (x[:-4] - 8 * x[1:-3] + 8 * x[3:-1] - x[4:]) / (12 * h)


@pytest.fixture(scope="module")
def swing():
    return towsim.simulate(swinging(), method="dae", duration=0.5, step=1e-3, rtol=1e-9)


def test_the_whole_system_obeys_newtons_law(swing):
    centres, _ = link_centres(swing, 1.0)
    momentum = derivative(0.7 * swing["position"].values[:, 0] + 0.05 * centres.sum(axis=1), 1e-3)
    force = swing["exit_force"].values[:, 0] + np.array([0, 0, -G * (0.7 + 0.3)])
    late = slice(100, None)  # the waves that run along the cable at first are too fast for differences of the output
    np.testing.assert_allclose(derivative(momentum, 1e-3)[late], force[4:-4][late], atol=2e-4)


def test_the_cable_pulls_the_load_as_the_load_moves(swing):
    force = 0.7 * (swing["acceleration"].values[:, 0] + [0, 0, G])
    np.testing.assert_allclose(swing["tip_force"].values[:, 0], force, atol=1e-9)
    change = derivative(swing["velocity"].values, 1e-3)
    np.testing.assert_allclose(change[100:], swing["acceleration"].values[102:-2], atol=2e-4)


def test_closures_stay_closed_within_the_tolerance(swing):
    assert swing["e1"].values.max() < 1e-8
    assert swing["e2"].values.max() < 1e-6
    box, quaternion = swing["position"].values[-1, 0], swing["quaternion"].values[-1, 0]
    w, e = quaternion[0], quaternion[1:]
    arm = np.array([0, 0, 0.05])
    corner = box + arm + 2 * (w * np.cross(e, arm) + np.cross(e, np.cross(e, arm)))
    np.testing.assert_allclose(swing["node_position"].values[-1, 0, -1], corner, atol=1e-8)


def test_the_extension_is_what_the_nodes_span_beyond_the_length(swing):
    span = np.linalg.norm(np.diff(swing["node_position"].values[:, 0], axis=1), axis=2).sum(axis=1)
    np.testing.assert_allclose(span - 1.0, swing["extension"].values[:, 0], atol=1e-12)


def energy(result, length):
    """Kinetic and potential energy but for springs (two rows lost at each end) of a run of ``swinging``."""
    centres, z = link_centres(result, length)
    link = 0.15 / len(z[0])  # mass
    transverse = link * (3 * 0.005**2 + (0.5 * length / len(z[0])) ** 2) / 12
    speed, turn = derivative(centres, 1e-3), derivative(z, 1e-3)
    kinetic = 0.5 * link * (speed**2).sum(axis=(1, 2)) + transverse * (turn**2).sum(axis=(1, 2))
    box = result["angular_velocity"].values[2:-2, 0]
    kinetic += 0.35 * (result["velocity"].values[2:-2, 0] ** 2).sum(axis=1)
    Q = result["quaternion"].values[2:-2, 0]
    inertia = 0.7 / 12 * np.array([0.15**2 + 0.1**2, 0.2**2 + 0.1**2, 0.2**2 + 0.15**2])
    e, w = -Q[:, 1:], Q[:, :1]
    body = box + 2 * (w * np.cross(e, box) + np.cross(e, np.cross(e, box)))
    kinetic += 0.5 * (body**2 * inertia).sum(axis=1)
    height = 0.7 * result["position"].values[2:-2, 0, 2] + link * centres[2:-2, :, 2].sum(axis=1)
    return kinetic + G * height


def test_without_losses_the_energy_of_one_element_stays():
    scene = swinging(LOSSLESS, elements=1)
    result = towsim.simulate(scene, method="dae", duration=0.4, step=1e-3, rtol=1e-9)
    total = energy(result, 1.0) + 0.5 * 2e4 * result["extension"].values[2:-2, 0] ** 2
    np.testing.assert_allclose(total, total[0], atol=3e-6)
    np.testing.assert_allclose(result["energy"].values[2:-2], total, atol=1e-6)
    assert np.ptp(result["position"].values[:, 0, 2]) > 0.03


@pytest.mark.parametrize("from_end", ["ball", "guided"])
def test_without_losses_the_energy_of_a_stiff_cable_stays(from_end):
    """Bending takes a good part of it here: EI/L is 20 N m."""
    stiff = LOSSLESS | {"bending_stiffness": 20.0}
    scene = swinging(stiff, from_end=from_end)
    result = towsim.simulate(scene, method="dae", duration=0.3, step=1e-2, rtol=1e-9)
    np.testing.assert_allclose(result["energy"].values, result["energy"].values[0], atol=1e-6)
    if from_end == "guided":  # what is neither kinetic nor of extensions nor of gravity
        rest = result["cable_energy"].values[:, 0] - result["elastic_energy"].values
        assert np.ptp(rest) > 0.1


@pytest.mark.slow
def test_the_way_the_first_joint_is_described_does_not_matter():
    """A ball end has no springs, so that quaternion and angles describe the same cable: it may not twist, or hardly."""
    options = {"method": "dae", "duration": 1.0, "step": 0.02, "rtol": 1e-9}
    ball, yx = (towsim.simulate(swinging(first_joint=joint), **options) for joint in ("ball", "yx"))
    np.testing.assert_allclose(ball["position"].values, yx["position"].values, atol=2e-5)


def test_a_load_at_rest_stretches_the_cable_by_its_weight():
    element = 1.0 / 4
    scene = swinging(ROPE | {"axial_damping": 400.0}, 4, velocity=(0, 0, 0))
    data = scene.with_values({"bodies.box.position": [0.0, 0.0, -1.05]})
    result = towsim.simulate(data, method="dae", duration=1.5, step=0.1, rtol=1e-8)
    below = 0.7 + 0.3 * (1.0 - element * (np.arange(4) + 0.5))  # mass below each prismatic joint
    stretch = (below * G * element / 2e4).sum()
    assert result["extension"].values[-1, 0] == pytest.approx(stretch, rel=1e-6)
    assert result["tension"].values[-1, 0] == pytest.approx(0.7 * G, rel=1e-6)
    assert result["gap"].values[-1, 0] == pytest.approx(-stretch, rel=1e-6)


def test_a_force_on_the_free_end_that_bears_all_weight_keeps_the_centre_of_mass_at_rest():
    scene = scene_from_data(
        {
            "schema": 1,
            "bodies": {"bob": {"mass": 0.7, "point": True, "position": [0.6, 0, -0.8]}},
            "wires": {
                "c": {
                    "from": "free",
                    "exit": [0, 0, 0],
                    "to": "bob",
                    "length": 1.0,
                    "material": ROPE,
                    "exit_force": {"x": "0", "y": "0", "z": G},
                    "model": {"mrfe": {"elements": 3}},
                }
            },
        }
    )
    result = towsim.simulate(scene, method="dae", duration=0.5, step=0.01, rtol=1e-8)
    centres, _ = link_centres(result, 1.0)
    mean = 0.7 * result["position"].values[:, 0] + 0.05 * centres.sum(axis=1)
    np.testing.assert_allclose(mean, np.broadcast_to(mean[0], mean.shape), atol=1e-7)
    assert np.ptp(result["position"].values[:, 0, 0]) > 0.05
    np.testing.assert_allclose(result["exit_force"].values[:, 0, 2], G)


def test_errors_fall_with_the_tolerance():
    runs = {
        rtol: towsim.simulate(swinging(), method="dae", duration=0.4, step=0.02, rtol=rtol)["position"].values
        for rtol in (1e-4, 1e-6, 1e-8, 1e-10)
    }
    coarse, middle, fine = (np.abs(runs[rtol] - runs[1e-10]).max() for rtol in (1e-4, 1e-6, 1e-8))
    assert coarse < 1e-2
    assert middle < 0.1 * coarse
    assert fine < 0.1 * middle < 1e-5


def test_both_solvers_agree():
    runs = [
        towsim.simulate(swinging(), method="dae", solver=solver, duration=0.3, step=0.02, rtol=1e-8)
        for solver in ("radau", "bdf")
    ]
    np.testing.assert_allclose(runs[0]["position"].values, runs[1]["position"].values, atol=1e-5)


def test_a_free_body_keeps_its_angular_momentum():
    body = {"mass": 1.0, "inertia": [0.02, 0.05, 0.06], "position": [0, 0, 0], "angular_velocity": [3, 4, 5]}
    scene = scene_from_data({"schema": 1, "gravity": [0, 0, 0], "bodies": {"gyro": body}})
    result = towsim.simulate(scene, method="dae", duration=2.0, step=0.1, rtol=1e-10)
    Q, omega = result["quaternion"].values[:, 0], result["angular_velocity"].values[:, 0]
    w, e = Q[:, :1], Q[:, 1:]
    inside = omega + 2 * (-w * np.cross(e, omega) + np.cross(e, np.cross(e, omega)))
    ell = inside * [0.02, 0.05, 0.06]
    ell = ell + 2 * (w * np.cross(e, ell) + np.cross(e, np.cross(e, ell)))
    np.testing.assert_allclose(ell, np.broadcast_to([0.06, 0.2, 0.3], ell.shape), atol=1e-8)


def test_a_ball_joint_makes_a_pendulum():
    body = {
        "mass": 2.0,
        "inertia": [0.1, 0.1, 0.1],
        "position": [0, 0, -0.5],
        "angular_velocity": [0, 0.02, 0],
        "velocity": [-0.01, 0, 0],
        "points": {"top": [0, 0, 0.5]},
    }
    scene = scene_from_data(
        {
            "schema": 1,
            "bodies": {"rod": body},
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {"hinge": {"from": "post", "to": "rod.top"}},
        }
    )
    result = towsim.simulate(scene, method="dae", duration=2.0, step=0.05, rtol=1e-9)
    omega = math.sqrt(2.0 * G * 0.5 / (0.1 + 2.0 * 0.25))
    expected = -0.01 / omega * np.sin(omega * result.time)
    np.testing.assert_allclose(result["position"].values[:, 0, 0], expected, atol=1e-7)
    np.testing.assert_allclose(result["joint_reaction"].values[0, 0], [0, 0, 2.0 * (G + 0.02**2 * 0.5)], atol=1e-8)


def test_an_elastic_wire_pulls_while_it_is_stretched():
    """A bob is thrown up from rest on its wire: half a swing, free flight, and back into the wire."""
    k, speed = 400.0, 1.0
    omega, rest = math.sqrt(k / 1.0), G / k
    material = {"axial_stiffness": k, "diameter": 0.01}
    scene = scene_from_data(
        {
            "schema": 1,
            "bodies": {"bob": {"mass": 1.0, "point": True, "position": [0, 0, -1.0 - rest], "velocity": [0, 0, speed]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "post", "to": "bob", "length": 1.0, "material": material, "model": "elastic"}},
        }
    )
    result = towsim.simulate(scene, method="dae", duration=0.4, step=0.01, rtol=1e-9)
    amplitude = speed / omega
    slack = math.asin(rest / amplitude) / omega
    up = speed * math.cos(omega * slack)
    events = [(event.kind, event.time) for event in result.events]
    assert [kind for kind, _ in events] == ["slack", "taut"]
    assert events[0][1] == pytest.approx(slack, abs=1e-8)
    assert events[1][1] == pytest.approx(slack + 2 * up / G, abs=1e-7)
    flying = (result.time > events[0][1]) & (result.time < events[1][1])
    assert flying.any()
    assert (result["tension"].values[flying] == 0.0).all()
    pulled = ~flying
    np.testing.assert_allclose(result["tension"].values[pulled, 0], -k * result["gap"].values[pulled, 0], atol=1e-9)


def test_the_ground_pushes_by_its_spring_and_may_pull():
    """The literal law F = k (h − z) − c ż while z ≤ h: the contact is lost at z = h, while F pulls."""
    body = {"mass": 1.0, "point": True, "position": [0, 0, 0.0], "velocity": [0, 0, -0.5]}
    scene = scene_from_data(
        {
            "schema": 1,
            "gravity": [0, 0, 0],
            "bodies": {"ball": body},
            "ground": {"contacts": ["ball"], "spring": {"stiffness": 100.0, "damping": 4.0, "pulls": True}},
        }
    )
    result = towsim.simulate(scene, method="dae", duration=1.0, step=0.01, rtol=1e-9)
    rate = math.sqrt(100.0 - 4.0)  # of the damped oscillation, δ = 2 1/s
    assert [event.note for event in result.events] == ["leaves the ground"]
    assert result.events[0].time == pytest.approx(math.pi / rate, abs=1e-8)
    assert result["velocity"].values[-1, 0, 2] == pytest.approx(0.5 * math.exp(-2.0 * math.pi / rate), abs=1e-8)


def test_a_jump_of_a_robots_velocity_is_an_impulse():
    hand = {"motion": {"formula": {"x": "0 if t < 0.1 else 0.5*(t - 0.1)", "y": 0, "z": 0}}}
    scene = swinging(velocity=(0, 0, 0)).with_values({"bodies.box.position": [0.0, 0.0, -1.05]})
    data = scene.model_copy(update={"robots": {"post": type(scene.robots["post"]).model_validate(hand)}})
    result = towsim.simulate(data, method="dae", duration=0.2, step=0.01, rtol=1e-7)
    assert result["e2"].values.max() < 1e-5
    np.testing.assert_allclose(result["exit_position"].values[-1, 0], [0.05, 0, 0], atol=1e-7)


def test_an_impulse_at_the_top_of_a_rod_reaches_its_load():
    """V jumps at the top: m L V/2 + I Ω = −p L about it, and V + L Ω = p (1/M + a²/J) at the load's point."""
    V, a = 0.5, 0.05
    hand = {"motion": {"formula": {"x": f"{V}*max(t - 0.001, 0)", "y": 0, "z": 0}}}
    scene = swinging(velocity=(0, 0, 0), elements=1).with_values({"bodies.box.position": [0.0, 0.0, -1.0 - a]})
    data = scene.model_copy(update={"robots": {"post": type(scene.robots["post"]).model_validate(hand)}})
    result = towsim.simulate(data, method="dae", duration=0.003, step=1e-3, rtol=1e-7)
    M, m = 0.7, 0.3
    I, J = m / 3.0 + m * 0.005**2 / 4.0, M / 12 * (0.2**2 + 0.1**2)  # noqa: E741
    p = V * (1.0 - 0.5 * m / I) / (1.0 / M + a * a / J + 1.0 / I)
    assert result["impulse"].values[:, 0] == pytest.approx([0.0, 0.0, abs(p), 0.0], rel=1e-5)  # row 1: just before


def test_unilateral_rows_are_refused_by_name():
    with pytest.raises(UsageError, match="takes no rigid wires, and there are c"):
        towsim.simulate(swinging().with_values({"wires.c.model": "rigid"}), method="dae")
    with pytest.raises(UsageError, match="takes no hard ground, and it has the contacts box"):
        towsim.simulate(swinging(ground={"height": -3.0, "contacts": ["box"]}), method="dae")


def test_options_that_mean_nothing_are_refused():
    with pytest.raises(UsageError, match="rtol and atol are for method 'dae'"):
        towsim.simulate(swinging(), method="stewart-trinkle", rtol=1e-6)
    with pytest.raises(UsageError, match="rtol must be between"):
        towsim.simulate(swinging(), method="dae", rtol=2.0)
    with pytest.raises(UsageError, match="did you mean 'radau'"):
        towsim.simulate(swinging(), method="dae", solver="radeau")


def test_a_cable_out_of_reach_stops_the_run_by_name_and_keeps_what_was_computed():
    scene = scene_from_data({
        "schema": 1,
        "bodies": {"bob": {"mass": 0.5, "point": True, "position": [1.0, 0, 0]}},
        "robots": {
            "west": {"position": [0, 0, 0]},
            "east": {"motion": {"formula": {"x": "2 + 4*t", "y": 0, "z": 0}}},
        },
        "wires": {
            "left": {"from": "west", "to": "bob", "length": 1.0, "material": ROPE, "model": {"mrfe": {"elements": 2}}},
            "right": {"from": "east", "to": "bob", "length": 1.0, "material": ROPE, "model": {"mrfe": {"elements": 2}}},
        },
    })  # fmt: skip
    with pytest.raises(RefusedError, match="is stretched by") as failure:
        towsim.simulate(scene, method="dae", duration=2.0, step=0.05)
    assert 0.1 < failure.value.time < 0.8
    assert set(failure.value.wires) <= {"left", "right"}
    result = failure.value.result
    assert 0.1 < result.time[-1] <= failure.value.time
    assert result.events[-1].kind == "infeasible"


def test_ctrl_c_keeps_what_was_computed(tmp_path):
    def interrupt(done, total):
        if done > 100:
            raise KeyboardInterrupt

    path = tmp_path / "run.nc"
    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(swinging(), method="dae", duration=0.3, step=1e-3, rtol=1e-4, output=path, progress=interrupt)
    kept = towsim.open_result(path)
    assert kept.time[-1] > 0.1
    assert kept.summary().outcome == "interrupted"
