"""A robot's velocity, or the rate of a length, jumps on a taut wire: an impact, told apart from forces at any step."""

import itertools

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
STEPS = (0.02, 0.01, 0.005, 0.002, 0.001)
G = 9.81


def tow(kink, *, m=3e4, c=1.2e3, v=1.0, jump=0.5):
    """A tug at v that goes faster by ``jump`` from the kink on; the barge behind it at v, on a taut hawser."""
    return scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"barge": {"mass": m, "point": True, "velocity": [v, 0, 0], "drag": {"linear": c}}},
            "robots": {"tug": {"motion": {"formula": {"x": f"50 + {v}*t + {jump}*max(t - {kink}, 0)"}}}},
            "wires": {"hawser": {"from": "barge", "to": "tug", "length": 50.0}},
        }
    )


@pytest.mark.parametrize("method", [*METHODS, "bdf2"])
@pytest.mark.parametrize("kink", [0.5, 0.5037])
def test_a_jump_of_the_tugs_velocity_is_one_jerk_and_no_force(method, kink):
    """P = m Δ, loss ½ m Δ²; the pull is the drag c v before and c (v + Δ) after, wherever the kink lies in a step."""
    m, c, jump = 3e4, 1.2e3, 0.5
    for h in STEPS:
        result = towsim.simulate(tow(kink, m=m, c=c, jump=jump), duration=1.0, step=h, method=method)
        (jerk,) = result.events.select("jerk")
        drag = 1.01 * h * c / m  # of the jerk's own step, implicit in the speed
        assert jerk.time == pytest.approx(kink, abs=1.01 * h)
        assert jerk.impulse == pytest.approx(m * jump, rel=drag)
        assert jerk.energy_lost == pytest.approx(0.5 * m * jump**2, rel=drag)
        assert result["impulse"].values.sum() == pytest.approx(jerk.impulse, rel=1e-9)
        assert float(result["tension"].max()) == pytest.approx(1.5 * c, rel=1e-4)
        assert float(result["tension"].min()) == pytest.approx(c, rel=1e-4)  # BDF's short steps round 50 m: 0.2 N
        assert result["velocity"].values[-1, 0, 0] == pytest.approx(1.5, rel=1e-9)


@pytest.mark.parametrize("method", [*METHODS, "bdf2"])
@pytest.mark.parametrize(
    "law",
    [
        "max(t - 0.1, 0)",
        "max(0, t - 0.1)",
        "t - 0.1 if t > 0.1 else 0",
        "0 if t <= 0.1 else t - 0.1",
        "0.5*(abs(t - 0.1) + t - 0.1)",
        "t - min(t, 0.1)",
        "t - 0.1 + max(0.1 - t, 0)",
    ],
)
def test_motions_are_what_they_are_however_they_are_written(method, law):
    """At a kink that falls on a sample a law may have the rate before it, the one after it, or a mean."""
    scene = scene_from_data(
        {
            "bodies": {"load": {"mass": 2.0, "point": True, "position": [0, 0, -1]}},
            "robots": {"hook": {"motion": {"formula": {"z": f"0.5*({law})"}}}},
            "wires": {"line": {"from": "load", "to": "hook", "length": 1.0}},
        }
    )
    result = towsim.simulate(scene, duration=0.2, step=1e-3, method=method)
    (jerk,) = result.events.select("jerk")
    assert jerk.impulse == pytest.approx(2.0 * 0.5, rel=1e-6)
    assert result["velocity"].values[102:, 0, 2] == pytest.approx(0.5, rel=1e-6)
    assert result["tension"].values[102:] == pytest.approx(2.0 * 9.81, rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kink", [1.0 / 33.0, float(np.nextafter(0.03, 1.0)), 0.0304123456789123])
def test_kinks_that_rounding_tells_apart_are_one(method, kink):
    """Found exactly and an ulp beside it, or of two laws with the same number: v jumps once, by 0.5 m/s."""
    motion = {"formula": {"x": f"0*max(t - {kink + 5e-18!r}, 0)", "z": f"0.5*max(t - {kink!r}, 0)"}}
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"load": {"mass": 1.0, "point": True, "position": [0, 0, -1]}},
            "robots": {"hook": {"motion": motion}},
            "wires": {"line": {"from": "load", "to": "hook", "length": 1.0}},
        }
    )
    result = towsim.simulate(scene, duration=0.06, step=1e-3, method=method)
    assert result["impulse"].values.sum() == pytest.approx(0.5, rel=1e-9)
    assert result["velocity"].values[:, 0, 2].max() == pytest.approx(0.5, rel=1e-9)
    assert result["tension"].values.max() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("method", [*METHODS, "bdf2"])
def test_what_jumps_at_the_end_of_a_run_lies_beyond_it(method):
    """The tug stops at the instant at which the run ends, or half a step later: until then it has pulled c v."""
    c, h = 1.2e3, 0.01
    for kink in (0.5, 0.505):
        scene = tow(kink, c=c, jump=-1.0)
        result = towsim.simulate(scene, duration=0.5, step=h, method=method)
        assert result["tension"].values == pytest.approx(c, rel=1e-4)
        sim = towsim.Simulation(scene, step=h, method=method)
        sim.step(50)
        assert sim["tension"].values == pytest.approx(c, rel=1e-4)


@pytest.mark.parametrize("method", ["bdf1", "bdf2", "bdf3", "bdf4"])
def test_bdf_tells_the_impulse_of_a_wire_that_tightens_from_its_tension(method):
    """A bob is thrown outwards on a slack wire at v, without gravity: P = m v, and the tension is 0 all along.

    At 1.25 m/s it tightens at a recorded instant: the step that is located, 1e-5 h at most, is all overlap, and removes
    v size/b, where 1/b = 1/size + 1/(size + h) + ... up to 1.9/h more.
    """
    m = 0.8
    for v, h in itertools.product((1.3, 1.25), (0.01, 1e-3)):
        data = {
            "gravity": [0, 0, 0],
            "bodies": {"bob": {"mass": m, "point": True, "velocity": [v, 0, 0]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "bob", "to": "post", "length": 0.5}},
        }
        result = towsim.simulate(scene_from_data(data), duration=0.6, step=h, method=method)
        passed = result["impulse"].values[:, 0]
        assert passed.sum() == pytest.approx(m * v, rel=1e-5 if v == 1.3 else 1.9e-5)
        assert result.time[np.flatnonzero(passed > 1e-6 * m * v)].tolist() == pytest.approx([0.5 / v], abs=1.01 * h)
        assert np.abs(result["tension"].values).max() < 1e-3


@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_whose_pivot_is_struck_bears_weight_and_turning_all_along(method):
    """The pivot of a hanging load jumps, v sideways and a up: P = m a, then T = m (g + v²/L), whatever the step."""
    m, L, v, a = 2.0, 1.5, 0.8, 0.4
    kink = 0.2517
    formula = {"x": f"{v}*max(t - {kink}, 0)", "z": f"{L} + {a}*max(t - {kink}, 0)"}
    data = {
        "gravity": [0, 0, -G],
        "bodies": {"load": {"mass": m, "point": True}},
        "robots": {"pivot": {"motion": {"formula": formula}}},
        "wires": {"w": {"from": "load", "to": "pivot", "length": L}},
    }
    for h in STEPS[1:]:
        result = towsim.simulate(scene_from_data(data), duration=0.4, step=h, method=method)
        (jerk,) = result.events.select("jerk")
        # While it is passed on, the pivot is beside the load already, by v h / L; and a swing is followed to order h.
        assert jerk.impulse == pytest.approx(m * a, rel=3.0 * h * v**2 / L / a)
        assert jerk.energy_lost == pytest.approx(0.5 * m * a**2, rel=6.0 * h * v**2 / L / a)
        tension = result["tension"].values[:, 0]
        assert tension[: int(kink / h)] == pytest.approx(m * G, rel=1e-6)
        assert tension.max() == pytest.approx(m * (G + v**2 / L), rel=1.5 * h)
        assert tension.min() > 0.99 * m * G


@pytest.mark.parametrize("method", METHODS)
def test_a_steered_robot_and_a_winch_that_starts_and_stops_jerk_what_hangs_there(method):
    """By hand: P = m v where the robot is steered up, m r where the winch begins to haul in; not where it stops."""
    m, v, r = 2.0, 1.0, 0.5
    data = {
        "gravity": [0, 0, -G],
        "bodies": {"load": {"mass": m, "point": True}},
        "robots": {"pivot": {"position": [0, 0, 3.0]}},
        "wires": {"w": {"from": "load", "to": "pivot", "length": 3.0}},
    }
    for h in STEPS[1:]:
        simulation = towsim.Simulation(scene_from_data(data), step=h, method=method)
        simulation.step(round(0.2 / h))
        simulation.steer("pivot", velocity=[0, 0, v / 2])
        simulation.steer("pivot", velocity=[0, 0, v])  # what was said at the same instant is not done
        simulation.step(1)
        simulation.step(round(0.2 / h) - 1)
        simulation.feed("w", rate=-r, length=2.9)
        simulation.step(round(0.3 / h))
        result = simulation.result()
        hauled = result.events.select("jerk")[:2]
        assert [jerk.impulse for jerk in hauled] == pytest.approx([m * v, m * r], rel=1e-9)
        assert [jerk.energy_lost for jerk in hauled] == pytest.approx([0.5 * m * v**2, 0.5 * m * r**2], rel=1e-9)
        assert [jerk.time for jerk in hauled] == pytest.approx([0.2, 0.4], abs=1.01 * h)
        assert np.flatnonzero(result["tension"].values[:, 0] < m * G * (1 - 1e-6)).min() * h > 0.59  # it stops at 0.6
        assert float(result["tension"].max()) == pytest.approx(m * G, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("jump", ["declared", "steered", "fed", "placed"])
def test_what_bears_nothing_at_its_length_is_jerked_by_a_jump(method, jump):
    """A hawser lies straight, and does not pull: P = m v and ½ m v² are of a jerk, as from tension or slack."""
    m, v = 1.5, 1.0
    data = {
        "gravity": [0, 0, 0],
        "bodies": {"barge": {"mass": m, "point": True}},
        "robots": {"tug": {"motion": {"formula": {"x": f"5 + {v if jump == 'declared' else 0}*max(t - 0.1, 0)"}}}},
        "wires": {"hawser": {"from": "barge", "to": "tug", "length": 5.0}},
    }
    sim = towsim.Simulation(scene_from_data(data), step=1e-3, method=method)
    sim.step(100)
    if jump == "steered":
        sim.steer("tug", velocity=[v, 0, 0])
    elif jump == "fed":
        sim.feed("hawser", rate=-v)
    elif jump == "placed":
        sim.place("barge", velocity=[-v, 0, 0])
    sim.step(50)
    (jerk,) = sim.result().events.select("jerk")
    assert (jerk.impulse, jerk.energy_lost) == pytest.approx((m * v, 0.5 * m * v**2), rel=1e-5)
    assert jerk.time == pytest.approx(0.1, abs=1.01e-3)


@pytest.mark.parametrize("h", STEPS[3:])
def test_after_a_jerk_a_taut_wire_has_the_pull_of_the_new_motion_at_once(h):
    """A bob that circles is jerked by another wire, across: in no row is more than m v²/L before it, less behind."""
    m, v, L = 2.0, 4.0, 1.0
    data = {
        "gravity": [0, 0, 0],
        "bodies": {"bob": {"mass": m, "point": True, "position": [0, 0, -L], "velocity": [v, 0, 0]}},
        "robots": {"pivot": {"position": [0, 0, 0]}, "side": {"position": [-1, 1, -1]}},
        "wires": {
            "w": {"from": "bob", "to": "pivot", "length": L},
            "u": {"from": "bob", "to": "side", "length": 1.6},
        },
    }
    result = towsim.simulate(scene_from_data(data), duration=0.2, step=h, method="stewart-trinkle")
    (jerk,) = result.events.select("jerk", "u")
    k = round(jerk.time / h) + 2  # the rows behind those of gap and rate
    tension = result["tension"].values
    assert tension[3 : k - 4, 0] == pytest.approx(m * v**2 / L, rel=1e-3)
    assert tension[k : k + 5] == pytest.approx(np.tile(tension[k + 10], (5, 1)), rel=0.05)
    assert tension[2:k].max() < 1.001 * m * v**2 / L


def test_a_smooth_start_is_no_jump():
    """A quintic from rest to rest: no impulse at all, though its third derivative jumps at both ends."""
    data = {
        "gravity": [0, 0, -G],
        "bodies": {"load": {"mass": 2.0, "point": True}},
        "robots": {"pivot": {"motion": {"waypoints": {"t": [0.1, 0.4], "position": [[0, 0, 1], [0.3, 0, 1]]}}}},
        "wires": {"w": {"from": "load", "to": "pivot", "length": 1.0}},
    }
    for method in METHODS:
        result = towsim.simulate(scene_from_data(data), duration=0.6, step=1e-3, method=method)
        assert not result["impulse"].values[2:].any()
        assert len(result.events.select("jerk")) == 0


@pytest.mark.parametrize("method", ["bdf1", "bdf3"])
@pytest.mark.parametrize("cause", ["start", "kink", "steer", "place"])
def test_a_joint_passes_on_what_the_velocity_of_its_robot_jumps_by(method, cause):
    """A body whose centre is d beside its ball joint is struck across by Δ: P = m Δ I/(I + m d²), at any step.

    So it is where not the robot jumps but the body, by Δ the other way, or where it begins with another velocity.
    """
    m, inertia, d, jump = 2.0, 0.3, 0.5, 0.8
    law = {"start": f"{jump}*t", "kink": f"{jump}*max(t - 0.0537, 0)"}.get(cause)
    body = {"mass": m, "inertia": [0.1, 0.2, inertia], "position": [d, 0, 0], "points": {"end": [-d, 0, 0]}}
    data = {
        "gravity": [0, 0, 0],
        "bodies": {"b": body},
        "robots": {"r": {"motion": {"formula": {"y": law}}} if law else {"position": [0, 0, 0]}},
        "joints": {"j": {"kind": "ball", "from": "r", "to": "b.end"}},
    }
    impulse = m * jump * inertia / (inertia + m * d**2)
    for h in (0.01, 0.001):
        simulation = towsim.Simulation(scene_from_data(data), step=h, method=method)
        simulation.step(round(0.05 / h))
        if cause == "steer":
            simulation.steer("r", velocity=[0, jump, 0])
        elif cause == "place":
            simulation.place("b", velocity=[0, -jump, 0])
        simulation.step(round(0.05 / h))
        result = simulation.result()
        passed = np.linalg.norm(result["joint_impulse"].values[:, 0], axis=1)
        assert passed.sum() == pytest.approx(impulse, rel=1e-6)
        assert np.count_nonzero(passed) == 1
        assert np.linalg.norm(result["joint_reaction"].values[:, 0], axis=1).max() < 10.0  # m d ω², not P/h


@pytest.mark.parametrize("method", ["bdf1", "bdf2", "bdf4"])
@pytest.mark.parametrize("law", [{"z": "1 + 0.2*(1 - cos(2*t))"}, {"x": "3*max(t - 0.1037, 0)", "z": "1"}])
@pytest.mark.parametrize("g", [0.0, 9.81])
def test_where_no_rate_jumps_nothing_is_jerked(method, law, g):
    """A robot that accelerates from rest, or jumps across the wire, which then turns: accelerations only."""
    data = {
        "gravity": [0, 0, -g],
        "bodies": {"load": {"mass": 2.0, "point": True}},
        "robots": {"hook": {"motion": {"formula": law}}},
        "wires": {"w": {"from": "load", "to": "hook", "length": 1.0}},
    }
    for h in (0.01, 0.001):
        result = towsim.simulate(scene_from_data(data), duration=0.2, step=h, method=method)
        assert [event.kind for event in result.events] == ["taut"]
        assert not result["impulse"].values.any()


@pytest.mark.parametrize("method", ["bdf1", "bdf2", "bdf4"])
def test_a_velocity_that_is_set_by_hand_is_passed_on_by_taut_wires_as_an_impulse(method):
    """A chain of two loads, the lower one at v downwards at once: P = m v in both wires, of which ½ m v² is lost.

    One that swings and is put where it is passes on nothing.
    """
    m, v = 3.0, 1.0
    loads = {name: {"mass": m, "point": True, "position": [0, 0, z]} for name, z in (("a", -1.0), ("b", -2.0))}
    data = {
        "bodies": loads,
        "robots": {"r": {"position": [0, 0, 0]}},
        "wires": {"w": {"from": "r", "to": "a", "length": 1.0}, "v": {"from": "a", "to": "b", "length": 1.0}},
    }
    for h in (0.01, 0.001):
        simulation = towsim.Simulation(scene_from_data(data), step=h, method=method)
        simulation.step(20)
        simulation.place("b", velocity=[0, 0, -v])
        simulation.step(20)
        result = simulation.result()
        assert result["impulse"].values.sum(axis=0) == pytest.approx([m * v, m * v], rel=1e-9)
        jerks = result.events.select("jerk")
        assert sum(jerk.energy_lost for jerk in jerks) == pytest.approx(0.5 * m * v**2, rel=1e-9)
        assert result["tension"].values == pytest.approx(np.tile([2 * m * G, m * G], (41, 1)), rel=1e-6)
    loads["b"]["velocity"] = [v, 0, 0]
    simulation = towsim.Simulation(scene_from_data(data), step=0.01, method=method)
    simulation.step(20)
    simulation.place("b", velocity=simulation["velocity"].sel(body="b").values)
    simulation.step(20)
    assert not simulation.result()["impulse"].values.any()
