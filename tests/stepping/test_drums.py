"""Winch drums with inertia: closed forms, unique tensions on hard wires, conserved momenta, brakes, rope, refusals."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import towsim
from towsim.scene import scene_from_data, scene_from_text
from towsim.scene.expand import expand

METHODS = ("stewart-trinkle", "shake")
HOIST = """
bodies: {load: {mass: 10.0, point: true, position: [0, 0, -2]}}
robots: {crane: {position: [0, 0, 0]}}
drums: {d: {at: crane, radius: 0.1, inertia: 0.05, gear: 10, motor_inertia: 2e-4, torque: "0.5 + 0.7", rope: 5}}
wires: {w: {from: load, to: crane, length: 2.0, drum: d}}
"""


@pytest.mark.parametrize("method", METHODS)
def test_a_motor_hoists_by_its_torque_over_all_that_it_moves(method):
    """a = (n τ/r − m g)/(m + (I + n² I_m)/r²);  T = m (g + a)."""
    a = (12.0 / 0.1 - 98.1) / (10.0 + (0.05 + 100 * 2e-4) / 0.01)
    result = towsim.simulate(scene_from_text(HOIST), duration=0.2, step=1e-3, method=method)
    late = 0.5 * a * 1e-3 * result.time if method == "stewart-trinkle" else 0.0  # symplectic Euler from rest
    z = result["position"].sel(body="load").values[:, 2]
    np.testing.assert_allclose(z + 2.0 - late, 0.5 * a * result.time**2, atol=1e-12)
    np.testing.assert_allclose(result["length"].values[:, 0], -z, atol=1e-9)
    np.testing.assert_allclose(result["tension"].values[1:, 0], 10.0 * (9.81 + a), rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_motor_behind_its_gear_may_resist_more_than_its_drum(method):
    """(I + n² I_m) dω/dt = r T − n τ − d ω, however large n² I_m is, also about a slanted axis."""
    geared = HOIST.replace("motor_inertia: 2e-4", "axis: [1, 2, 0.5], damping: 0.3, motor_inertia: 2e-2")
    resists = 10.0 + (0.05 + 100 * 2e-2) / 0.01
    a, rate = (12.0 / 0.1 - 98.1) / resists, 0.3 / 0.01 / resists
    result = towsim.simulate(scene_from_text(geared), duration=0.2, step=1e-4, method=method)
    speed = result["velocity"].sel(body="load").values[:, 2]
    np.testing.assert_allclose(speed, a / rate * -np.expm1(-rate * result.time), atol=3e-7)
    still = scene_from_text(geared.replace('"0.5 + 0.7"', "0.981"))
    assert towsim.equilibrium(still).tension["w"] == pytest.approx(98.1)
    assert towsim.modes(still).eigenvalue.real.min() == pytest.approx(-rate, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_hoisted_load_and_its_wire_have_the_derivatives_of_the_closed_form(method):
    resists = 10.0 + (0.05 + 100 * 2e-4) / 0.01
    a = (12.0 / 0.1 - 98.1) / resists
    slopes = {"bodies.load.mass": -(9.81 + a) / resists, "drums.d.inertia": -a / (0.01 * resists)}
    model = towsim.compile(scene_from_text(HOIST), step=1e-3, method=method)
    found = model.sensitivities([*slopes], ["position", "length"], duration=0.2)
    time = found.time
    run = 0.5 * (time**2 + (1e-3 * time if method == "stewart-trinkle" else 0.0))
    for path, slope in slopes.items():
        np.testing.assert_allclose(found["position"].sel(parameter=path).values[:, 0, 2], slope * run, atol=1e-11)
        np.testing.assert_allclose(found["length"].sel(parameter=path).values[:, 0], -slope * run, atol=1e-9)


def planar(torque: list[float], **more: float) -> towsim.Scene:
    base = [[-2, 0, 3], [2, 0, 3], [2, 0, 0], [-2, 0, 0]]
    corner = [[-0.1, 0, 0.1], [0.1, 0, 0.1], [0.1, 0, -0.1], [-0.1, 0, -0.1]]
    drum = {"radius": 0.05, "inertia": 1e-3, "gear": 5, "motor_inertia": 2e-5, **more}
    return scene_from_data(
        {
            "bodies": {
                "p": {
                    "mass": 2.0,
                    "inertia": [0.02, 0.03, 0.02],
                    "position": [0, 0, 1.5],
                    "points": {f"c{i}": corner[i] for i in range(4)},
                }
            },
            "robots": {f"r{i}": {"position": base[i]} for i in range(4)},
            "drums": {f"d{i}": {"at": f"r{i}", "torque": torque[i], **drum} for i in range(4)},
            "wires": {
                f"w{i}": {"from": f"p.c{i}", "to": f"r{i}", "length": np.hypot(1.9, 1.4), "drum": f"d{i}"}
                for i in range(4)
            },
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_four_hard_wires_on_three_freedoms_have_the_tensions_of_their_motors(method):
    """At rest T = n τ/r, as many as there are winches; the equilibrium says the same."""
    low = 40.0
    high = low + 2.0 * 9.81 / (2.0 * 1.4 / np.hypot(1.9, 1.4))
    scene = planar([high / 100, high / 100, low / 100, low / 100])
    result = towsim.simulate(scene, duration=0.1, step=1e-3, method=method)
    assert result["tension"].values == pytest.approx(np.tile([high, high, low, low], (101, 1)), rel=1e-9)
    assert (result["tension_unique"].values == 1).all()
    assert np.abs(result["position"].sel(body="p").values - [0, 0, 1.5]).max() < 1e-12
    assert list(towsim.equilibrium(scene).tension.values()) == pytest.approx([high, high, low, low], rel=1e-9)


def test_a_brake_holds_until_it_is_released_and_the_rope_ends_at_its_length():
    result = towsim.simulate(planar([0.0] * 4, release=0.05), duration=0.1, step=1e-3)
    z = result["position"].sel(body="p").values[:, 2]
    assert np.abs(z[:50] - 1.5).max() < 1e-9
    assert z[-1] < 1.5 - 1e-4
    falling = HOIST.replace('torque: "0.5 + 0.7", rope: 5', "rope: 2.2")
    end = towsim.simulate(scene_from_text(falling), duration=0.6, step=1e-3)
    assert end["length"].values.max() < 2.2 + 1e-3
    assert end["tension"].values[-1, 0] == pytest.approx(98.1, rel=1e-6)


@pytest.mark.parametrize("gone", ["cut: 0.1", "detach: 0.1", "break: {tension: 100}"])
@pytest.mark.parametrize("method", METHODS)
def test_a_drum_without_its_wire_turns_freely(method, gone):
    """(I + n² I_m) c̈ = −n τ, past the stops that it has with the wire."""
    result = towsim.simulate(
        scene_from_text(HOIST.replace("drum: d}", f"drum: d, {gone}}}")), method=method, duration=1
    )
    turn, speed = result["joint_position"].values[:, 0], result["joint_velocity"].values[:, 0]
    assert turn.min() < -50.0
    length = result["length"].values[:, 0]
    assert np.isnan(length[-1])
    assert np.nanmin(length) > 0.01
    np.testing.assert_allclose(np.diff(speed)[200:-1], -12.0 / 0.07 * 1e-3, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_drum_hauls_in_to_its_shortest_and_no_farther(method):
    scene = scene_from_text(HOIST.replace("rope: 5", "rope: 5, shortest: 1.9"))
    length = towsim.simulate(scene, method=method, duration=2.0)["length"].values[:, 0]
    assert length.min() > 1.9 - 1e-3
    assert length[-1] == pytest.approx(1.9, abs=1e-6)


def test_a_wire_is_not_attached_to_a_drum_that_has_turned_past_its_stops():
    text = "gravity: [0, 0, 0]\n" + HOIST.replace("0.5 + 0.7", "-1.2").replace("drum: d}", "drum: d, attach: 0.8}")
    with pytest.raises(towsim.SimulationError, match="drum 'd' has turned past its stops; have a brake hold it"):
        towsim.simulate(scene_from_text(text), duration=1.0)


def test_a_torque_that_is_no_number_is_told_as_it_was_written():
    scene = scene_from_text(HOIST.replace('"0.5 + 0.7"', '"1/t"'))
    with pytest.raises(towsim.SimulationError, match="the torque of drum 'd' is inf at t = 0 s"):
        towsim.simulate(scene, duration=0.1)


def test_a_wire_on_a_drum_is_not_fed_past_its_stops_by_hand():
    scene = scene_from_text(HOIST)
    for stepping in (towsim.Simulation(scene), towsim.Batch(scene, 2)):
        with pytest.raises(towsim.errors.UsageError, match=r"'w' is on drum 'd', whose .* a torque"):
            stepping.feed("w", rate=-0.5)


@pytest.mark.parametrize("method", METHODS)
def test_a_drum_on_a_body_makes_no_momentum(method):
    scene = scene_from_text("""
gravity: [0, 0, 0]
bodies:
  load: {mass: 3.0, point: true, position: [0.3, 0.1, -2]}
  ship: {mass: 5, inertia: [0.5, 0.4, 0.3], angular_velocity: [0.2, 0.3, 0.1],
         points: {eye: [0.2, 0, -0.3], deck: [0.1, 0.1, 0.2]}}
drums:
  d: {at: ship.deck, axis: [1, 2, 0.5], radius: 0.1, inertia: 0.05, mass: 2, torque: "1 + sin(7*t)", max_torque: 1.5}
wires: {w: {from: load, to: ship.eye, length: 1.71, drum: d}}
""")
    result = towsim.simulate(scene, duration=0.3, step=1e-3, method=method)
    assert result["tension"].values.max() > 1.0
    linear, angular = np.zeros((301, 3)), np.zeros((301, 3))
    for name, body in expand(scene).bodies.items():
        x, v, w = (result[what].sel(body=name).values for what in ("position", "velocity", "angular_velocity"))
        linear += body.mass * v
        angular += body.mass * np.cross(x, v)
        if not body.point:
            turn = Rotation.from_quat(np.roll(result["quaternion"].sel(body=name).values, -1, axis=1))
            angular += turn.apply(turn.inv().apply(w) @ body.inertia_matrix())
    assert np.abs(linear - linear[0]).max() < 1e-11
    assert np.abs(angular - angular[0]).max() < 1e-11


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rope: 5", "rope: 1.5", "2 m of wire 'w' are paid out at the start, and its rope is 1.5 m long"),
        ("drum: d}", "drum: e}", "unknown drum 'e'"),
        ("rope: 5", "shortest: 2.5", "2 m of wire 'w' are paid out at the start, and the drum stops at 2.5 m"),
        (", drum: d}", "}", "no wire is on it"),
        ('"0.5 + 0.7"', "3, max_torque: 2", "beyond max_torque: 2 N m, got 3 N m"),
        ("length: 2.0", "length: {start: 2.0, rate: 0.1}", "pays the wire out by itself"),
        ("length: 2.0", "length: 2.0, model: elastic, material: {axial_stiffness: 1e5}", "is for rigid wires"),
        ("at: crane", "at: crne", "did you mean 'crane'"),
        ("drums: {d: ", "drums: {load: ", "'load' already means something else"),
    ],
)
def test_drums_that_make_no_sense_are_refused_by_name(old, new, said):
    assert old in HOIST
    with pytest.raises(towsim.SceneError, match=said):
        scene_from_text(HOIST.replace(old, new, 1))
    with pytest.raises(towsim.UsageError, match="takes no drums, such as 'd'"):
        towsim.simulate(scene_from_text(HOIST), method="bdf2", duration=0.1)
