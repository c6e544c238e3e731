"""Taut, slack, jerk: when, with which impulse, at what loss of energy; and how little that depends on the step."""

import numpy as np
import pytest

import scenarios
import towsim
from towsim.methods.work import EVENT_ROOM
from towsim.scene import Scene, scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81


def scene(position, velocity=(0, 0, 0), *, mass=3.0, length=1.0, robot=None, gravity=(0, 0, 0), body=None):
    return scene_from_data(
        {
            "gravity": list(gravity),
            "bodies": {
                "load": body or {"mass": mass, "point": True, "position": list(position), "velocity": list(velocity)}
            },
            "robots": {"robot": robot or {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "load" + (".p" if body else ""), "to": "robot", "length": length}},
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_plastic_jerk_takes_two_steps_and_exchanges_the_whole_momentum(method):
    """m v = 3 · 2 N s in 4 + 2: the gap lasts a third of a step, and the first impulse stops two thirds of the rate."""
    h = 1e-3
    result = towsim.simulate(
        scene([0.5 - 1e-3 * 2 * (1 / 3), 0, 0], [2, 0, 0], length=0.5 + 2e-1), duration=0.2, step=h, method=method
    )
    impulses = result["impulse"].values[1:, 0]
    taut = np.flatnonzero(impulses)
    assert np.nanmax(result["tension"].values) < 1e-6  # all of it is an impact
    assert len(taut) == 2
    assert taut[1] == taut[0] + 1
    assert impulses[taut] == pytest.approx([4.0, 2.0], rel=1e-6) or impulses[taut] == pytest.approx(
        [2.0, 4.0], rel=1e-6
    )
    (jerk,) = result.events.select("jerk")
    assert jerk.subject == "w"
    assert jerk.impulse == pytest.approx(6.0, rel=1e-9)
    assert jerk.energy_lost == pytest.approx(0.5 * 3.0 * 2.0**2, rel=1e-9)
    assert result["velocity"].values[-1, 0] == pytest.approx([0, 0, 0], abs=1e-9)


@pytest.mark.parametrize("step", [0.02, 0.0137, 1e-3, 1e-4])
@pytest.mark.parametrize("method", METHODS)
def test_a_resting_load_gains_what_the_jerk_loses(method, step):
    """A robot at v: impulse m v, loss ½ m v², gain of kinetic energy ½ m v², whatever the step."""
    m, v = 3.0, 2.0
    robot = {"motion": {"formula": {"x": f"0.4 + {v}*t"}}}
    result = towsim.simulate(scene([0, 0, 0], mass=m, robot=robot), duration=0.6, step=step, method=method)
    (jerk,) = result.events.select("jerk")
    assert jerk.time == pytest.approx(0.3, abs=1.01 * step)
    assert jerk.impulse == pytest.approx(m * v, rel=1e-9)
    assert jerk.energy_lost == pytest.approx(0.5 * m * v**2, rel=1e-9)
    assert result["velocity"].values[-1, 0, 0] == pytest.approx(v, rel=1e-9)


def catch(L, side, drop):
    """A load is released ``drop`` above the post, beside it: direction of the taut wire, velocity and time then."""
    below = np.sqrt(L**2 - side**2)
    speed = np.sqrt(2 * G * (drop + below))
    return np.array([side, 0, -below]) / L, np.array([0, 0, -speed]), speed / G


@pytest.mark.parametrize("method", METHODS)
def test_a_falling_load_caught_askew_loses_the_velocity_along_the_wire(method):
    """Impulse m |v·n|, loss ½ m (v·n)²; the velocity across the wire stays."""
    m, L, side, drop, h = 3.0, 1.0, 0.6, 0.3, 1e-3
    n, v, when = catch(L, side, drop)
    result = towsim.simulate(
        scene([side, 0, drop], mass=m, length=L, gravity=(0, 0, -G)), duration=when + 0.05, step=h, method=method
    )
    jerk = result.events.select("jerk")[0]
    assert jerk.time == pytest.approx(when, abs=2 * h)
    # Two steps of weight and of the turning of the wire: (g + v²/L) h / v in a second of two or three m/s.
    assert jerk.impulse == pytest.approx(m * abs(v @ n), rel=1e-2)
    assert jerk.energy_lost == pytest.approx(0.5 * m * (v @ n) ** 2, rel=2e-2)
    k = np.searchsorted(result.time, jerk.time + jerk.duration + 1.5 * h)
    across = v - (v @ n) * n
    assert result["velocity"].values[k, 0] == pytest.approx(across, abs=0.02 * np.linalg.norm(v))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("step", [8e-4, 5.3e-4, 3e-4])
def test_halving_the_step_changes_a_jerk_by_less_than_one_percent(method, step):
    """The two steps of a jerk also hold the tension that follows it, 2 h T of p: v h / L, here 0.4 % at most."""
    box = {
        "mass": 2.0,
        "shape": {"box": [0.4, 0.3, 0.2]},
        "position": [0.5, 0.1, 0.2],
        "velocity": [0.0, 0.0, -2.0],
        "angular_velocity": [0.5, -1.0, 0.3],
        "points": {"p": [0.2, 0.15, 0.1]},
    }
    jerks = []
    for h in (step, step / 2):
        result = towsim.simulate(
            scene(None, body=box, length=1.2, gravity=(0, 0, -G)), duration=0.7, step=h, method=method
        )
        jerks.append(result.events.select("jerk")[0])
    assert jerks[0].impulse > 1.0
    assert jerks[0].impulse == pytest.approx(jerks[1].impulse, rel=1e-2)
    assert jerks[0].energy_lost == pytest.approx(jerks[1].energy_lost, rel=2e-2)


@pytest.mark.parametrize("method", METHODS)
def test_a_jerk_is_no_part_of_the_tension_and_both_are_what_they_are_at_any_step(method):
    """A tug at 0.1 m/s takes up its hawser: m v in one jerk, then the pull is the drag c v, and never more."""
    data = {
        "gravity": [0, 0, 0],
        "bodies": {"barge": {"mass": 3e4, "point": True, "drag": {"linear": 1.2e4}}},
        "robots": {"tug": {"motion": {"formula": {"x": "49.95 + 0.1*t"}}}},
        "wires": {"hawser": {"from": "barge", "to": "tug", "length": 50.0}},
    }
    for h in (0.02, 0.01, 0.005, 0.002, 0.001):
        result = towsim.simulate(scene_from_data(data), duration=1.0, step=h, method=method)
        (jerk,) = result.events.select("jerk")
        assert jerk.time == pytest.approx(0.5, abs=1.01 * h)
        # The drag of the step of the jerk, which is implicit in its speed, is told with it: h c / m.
        assert jerk.impulse == pytest.approx(3e3, rel=1.01 * h * 1.2e4 / 3e4)
        assert result["impulse"].values.sum() == pytest.approx(jerk.impulse, rel=1e-9)
        assert np.nanmax(result["tension"].values) == pytest.approx(1.2e3, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_the_peak_of_the_tension_after_a_jerk_is_the_same_at_any_step(method):
    """Quadratic drag is that of the speed half way through a kick, for which an impact must not be foreseen twice."""
    data = {
        "gravity": [0, 0, 0],
        "bodies": {"barge": {"mass": 3e4, "point": True, "drag": {"linear": 2e3, "quadratic": 1e3}}},
        "robots": {"tug": {"motion": {"formula": {"x": "23.5 + t", "y": "0.2*t"}}}},
        "wires": {"hawser": {"from": "barge", "to": "tug", "length": 24.0}},
    }
    peaks = []
    for h in (0.02, 0.01, 0.005):
        result = towsim.simulate(scene_from_data(data), duration=2.0, step=h, method=method)
        assert len(result.events.select("jerk")) == 1
        peaks.append(float(result["tension"].max()))
    assert peaks == pytest.approx([peaks[-1]] * 3, rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_catch_is_an_impact_and_after_it_the_wire_bears_weight_and_turning_from_the_first_row(method):
    """m |v·n| of impact; then T = m (g·n + v²/L), also in the two steps of the jerk, in which the wire turns little."""
    m, L, side, drop = 3.0, 1.0, 0.6, 0.3
    n, v, when = catch(L, side, drop)
    across = v - (v @ n) * n
    bears = m * (-G * n[2] + across @ across / L)
    errors = []
    for h in (1e-3, 5e-4):
        result = towsim.simulate(
            scene([side, 0, drop], mass=m, length=L, gravity=(0, 0, -G)), duration=when + 0.01, step=h, method=method
        )
        tension, impulse = result["tension"].values[:, 0], result["impulse"].values[:, 0]
        first = np.flatnonzero(impulse)[0]
        errors.append(abs(tension[first : first + 3] - bears).max() / bears)
        assert impulse.sum() == pytest.approx(m * abs(v @ n), rel=1e-2)
        share = np.nan_to_num(tension[: first + 2]).sum() * h
        assert share < 3 * h * bears  # what is not of the impact is of the size of a force in its steps
    assert max(errors) < 2e-2


@pytest.mark.parametrize("method", METHODS)
def test_carnots_loss_is_the_energy_that_is_missing(method):
    """For a free load caught by a post at rest the loss in kinetic energy across the jerk is the event's."""
    m, L, side, h = 3.0, 1.0, 0.3, 5e-4
    velocity = np.array([2.0, 0.7, -0.4])
    result = towsim.simulate(scene([0, side, 0], velocity, mass=m, length=L), duration=1.0, step=h, method=method)
    kinetic = 0.5 * m * np.sum(result["velocity"].values[:, 0] ** 2, axis=1)
    jerk = result.events.select("jerk")[0]
    before = np.searchsorted(result.time, jerk.time - 2.5 * h)
    after = np.searchsorted(result.time, jerk.time + jerk.duration + 2.5 * h)
    assert kinetic[before] - kinetic[after] == pytest.approx(jerk.energy_lost, rel=5e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_that_tightens_gently_is_taut_without_a_jerk(method):
    """A robot that leaves with zero rate, x = 1 + t³: no impulse to speak of, and the wire stays taut."""
    robot = {"motion": {"formula": {"x": "1 + t**3"}}}
    result = towsim.simulate(scene([0, 0, 0], robot=robot), duration=0.5, step=1e-3, method=method)
    assert [event.kind for event in result.events] == ["taut"]


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_goes_slack_when_its_robot_turns_back(method):
    """Without gravity the load goes on at the speed that the robot has had at its fastest, x = 1 + sin²(t)."""
    robot = {"motion": {"formula": {"x": "1 + sin(t)**2"}}}
    result = towsim.simulate(scene([0, 0, 0], robot=robot), duration=1.5, step=1e-3, method=method)
    slack = result.events.select("slack")
    assert len(slack) == 1
    # Fastest at π/4, with 1 m/s; the gap (t − π/4)³ · 2/3 must first pass the hysteresis.
    assert slack[0].time == pytest.approx(np.pi / 4, abs=0.1)
    assert slack[0].time > np.pi / 4
    assert result["velocity"].values[-1, 0, 0] == pytest.approx(1.0, abs=2e-3)
    late = result.time > slack[0].time
    assert (result["tension"].values[late] == 0.0).all()


@pytest.mark.parametrize("method", METHODS)
def test_resting_on_a_wire_is_no_chain_of_events(method):
    """A load that hangs still on four wires to one point, more than are needed, neither slackens nor jerks."""
    posts = {f"p{i}": {"position": [0.5 * np.cos(a), 0.5 * np.sin(a), 1.0]} for i, a in enumerate((0.1, 1.7, 3.3, 4.8))}
    data = {
        "bodies": {"load": {"mass": 2.0, "point": True}},
        "robots": posts,
        "wires": {name: {"from": "load", "to": name, "length": np.sqrt(1.25)} for name in posts},
    }
    result = towsim.simulate(scene_from_data(data), duration=3.0, step=1e-3, method=method)
    assert {event.kind for event in result.events} <= {"taut"}
    assert np.abs(result["position"].values).max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_bouncing_on_a_rope_loses_energy_only(method):
    """Thrown up and caught again and again: mechanical energy goes down with each jerk, and by what the events say."""
    m, h = 3.0, 5e-4
    result = towsim.simulate(
        scene([0.4, 0, -0.3], [1.0, 0.5, 3.0], mass=m, gravity=(0, 0, -G)), duration=4.0, step=h, method=method
    )
    assert len(result.events.select("jerk")) >= 2
    energy = 0.5 * m * np.sum(result["velocity"].values[:, 0] ** 2, axis=1) + m * G * result["position"].values[:, 0, 2]
    lost = sum(event.energy_lost for event in result.events)
    # Errors of first order everywhere, through jerks that is true of both methods: h times the power m g v.
    assert energy[0] - energy[-1] == pytest.approx(lost, abs=4 * h * m * G * 5.0)
    assert np.diff(energy).max() < 2 * h * m * G * 5.0 * 0.1


def test_bdf_tells_of_a_landing_at_the_instant_that_it_locates() -> None:
    ball = {"mass": 1.0, "shape": {"sphere": 0.1}, "position": [0, 0, 0.5]}
    scene = scene_from_data({"bodies": {"ball": ball}, "ground": {"contacts": ["ball"]}})
    events = list(towsim.simulate(scene, method="bdf2", duration=0.5, step=1e-3).events)
    assert [event.kind for event in events] == ["contact"]
    assert events[0].time == pytest.approx(np.sqrt(0.8 / 9.81), abs=2e-6)
    assert events[0].impulse == pytest.approx(np.sqrt(0.8 * 9.81), rel=1e-3)
    assert events[0].energy_lost == pytest.approx(0.4 * 9.81, rel=1e-3)
    ball |= {"position": [0, 0, 0.1], "velocity": [0, 0, -2.0]}  # it begins on the ground, and comes down
    scene = scene_from_data({"bodies": {"ball": ball}, "ground": {"contacts": ["ball"]}})
    (landing,) = towsim.simulate(scene, method="bdf2", duration=0.1, step=1e-3).events
    assert (landing.kind, landing.impulse) == ("contact", pytest.approx(2.0, rel=1e-4))
    assert landing.energy_lost == pytest.approx(0.5 * 2.0**2, rel=1e-4)


def shaken(*, hung: bool) -> Scene:
    """A plate with its corners on the ground, shaken at 60 Hz; hung on a cable the ground is elastic as well."""
    rope = {
        "diameter": 5e-3,
        "mass_per_length": 0.1,
        "axial_stiffness": 1e3,
        "axial_damping": 5.0,
        "bending_stiffness": 1e-3,
        "bending_damping": 1e-3,
    }
    spring = {"spring": {"stiffness": 2e5, "damping": 20.0}}
    cable = {"from": "hook", "to": "plate.top", "length": 1.0, "material": rope, "model": {"mrfe": {"elements": 3}}}
    return scene_from_data(
        {
            "bodies": {
                "plate": {
                    "mass": 1.0,
                    "shape": {"box": [0.4, 0.4, 0.02]},
                    "position": [0, 0, 0.01],
                    "points": {"top": [0, 0, 0.01]},
                    "force": {"z": "30*sin(2*pi*60*t)"},
                }
            },
            "robots": {"hook": {"position": [0, 0, 1.02]}},
            "wires": {"c": cable} if hung else {},
            "ground": {"height": 0.0, "contacts": ["plate.corners"]} | (spring if hung else {}),
        }
    )


@pytest.mark.parametrize("hung", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_more_events_than_the_watch_has_room_for_are_all_told(hung: bool) -> None:
    """One block of steps, and blocks that are too short to fill the watch, find the same: the bound is checked."""
    scene = shaken(hung=hung)
    whole = towsim.simulate(scene, method="bdf2", duration=3.0, step=1e-3)
    by_hand = towsim.Simulation(scene, method="bdf2", step=1e-3)
    for _ in range(30):
        by_hand.step(100)
    assert len(whole.events) > EVENT_ROOM + 100
    assert whole.events == by_hand.result().events
    np.testing.assert_array_equal(whole["position"].values, by_hand.result()["position"].values)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_what_bears_no_force_but_a_jerk_has_no_tension(method):
    """A load that is caught without gravity: the jerk is all its wire ever passes on, at every step."""
    result = towsim.simulate(scenarios.get("slack-jerk").build(), method=method, step=1e-3)
    assert result["impulse"].sum() > 1.0
    assert result.summary().wires[0].tension_max == 0.0


def pair(stop: str, limit: object = None) -> Scene:
    """Two loads of 10 kg at 3 m/s, one behind the other on a taut line; what is in the way stops the one behind."""
    bodies = {
        name: {"mass": 10.0, "position": [x, 0, 0], "velocity": [3.0, 0, 0]} for name, x in (("a", 0.0), ("b", 2.0))
    }
    bodies["b"]["point"] = True
    bodies["a"] |= {"point": True} if stop == "wall" else {"inertia": [1.0, 1.0, 1.0]}
    wire = {"from": "a", "to": "b", "length": 2.0} | ({} if limit is None else {"break": {"impulse": limit}})
    stops = {
        "wall": {"ground": {"normal": [-1, 0, 0], "height": -1.0, "contacts": ["a"]}},
        "joint": {
            "joints": {"rail": {"kind": "prismatic", "from": "post", "to": "a", "axis": [1, 0, 0], "limits": [-5, 1]}}
        },
    }
    whole = {"gravity": [0, 0, 0], "bodies": bodies, "robots": {"post": {"position": [0, 0, 0]}}, "wires": {"w": wire}}
    return scene_from_data(whole | stops[stop])


@pytest.mark.parametrize("stop", ["wall", "joint"])
@pytest.mark.parametrize("method", [*METHODS, "bdf2"])
def test_a_taut_wire_is_jerked_where_what_it_is_tied_to_is_stopped(method, stop):
    """It stops the load in front with m v."""
    result = towsim.simulate(pair(stop), method=method, duration=0.6, step=1e-3)
    (jerk,) = result.events.select("jerk")
    assert jerk.impulse == pytest.approx(30.0, rel=1e-9)
    assert jerk.time == pytest.approx(1 / 3, abs=2e-3)
    assert result["impulse"].sum() == pytest.approx(30.0, rel=1e-9)


@pytest.mark.parametrize("method", [*METHODS, "bdf2"])
def test_a_limit_and_the_wire_that_it_jerks_share_what_is_lost(method):
    """All that the loads had: the limit stops both by 2 m v."""
    result = towsim.simulate(pair("joint"), method=method, duration=0.6, step=1e-3)
    (impact,) = result.events.select("impact", "rail")
    assert impact.impulse == pytest.approx(60.0, rel=1e-9)
    assert result.events["energy_lost"].sum() == pytest.approx(2.0 * 0.5 * 10.0 * 3.0**2, rel=1e-9)


@pytest.mark.parametrize("stop", ["wall", "joint"])
@pytest.mark.parametrize("method", METHODS)
def test_a_taut_wire_that_bears_less_than_such_a_jerk_breaks(method, stop):
    """And passes on what it bears: so much slower is the load in front."""
    parted = towsim.simulate(pair(stop, limit=20.0), method=method, duration=0.6, step=1e-3)
    (event,) = parted.events.select("break")
    assert event.impulse == pytest.approx(20.0, rel=1e-9)
    assert parted["velocity"].values[-1, :, 0] == pytest.approx([0.0, 1.0], abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_taut_wire_breaks_by_what_it_passes_on_at_once_beside_its_force(method):
    """A force that in one step is more than the impulse which the wire bears at once does not break it."""
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {
                "load": {"mass": 100.0, "point": True, "position": [0, 0, -1], "force": {"z": "-5000*min(t, 0.2)"}}
            },
            "robots": {"crane": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "crane", "to": "load", "length": 1.0, "break": {"impulse": 5.0}}},
        }
    )
    result = towsim.simulate(scene, method=method, duration=0.5, step=1e-2)  # at last 10 N s a step
    assert not result.events.select("break")
    np.testing.assert_allclose(result["tension"].values[30:], 1000.0, rtol=1e-9)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
@pytest.mark.parametrize("step", [1e-3, 2e-3])
def test_a_chain_that_hangs_and_is_towed_smoothly_is_not_jerked(method, step):
    """Bodies below each other would fall alike: forces make nothing of what the wires between them stop."""
    run = towsim.simulate(scenarios.get("payload-chain").build(), duration=0.5, step=step, method=method)
    assert {event.kind for event in run.events} == {"taut"}


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_an_acceleration_is_what_the_velocity_does_in_the_step_jerk_included(step):
    """A fall of 0.5 m onto the wire: Σ a h = 0 from rest to rest, which needs the jerk's Δv/h; BDF leaves it out."""
    fall = scene([0, 0, -0.5], gravity=(0, 0, -G))
    found = towsim.simulate(fall, duration=0.5, step=step)
    passed = (found["acceleration"].values[1:, 0, 2] * found["step_size"].values[1:]).sum()
    assert passed == pytest.approx(found["velocity"].values[-1, 0, 2], abs=1e-9)
    assert found["acceleration"].max() * step > 0.5 * np.sqrt(2.0 * G * 0.5)
    assert np.abs(towsim.simulate(fall, duration=0.5, step=step, method="bdf2")["acceleration"]).max() < 1.001 * G
