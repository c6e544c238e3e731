"""Points of a sweep: grids, lists, samples; the same seed gives the same points."""

import numpy as np
import pytest

import towsim
from towsim.errors import SceneError, UsageError
from towsim.results import Event, Result
from towsim.sweep import axis_from_text, make_plan
from towsim.sweep.metrics import metric


def test_grids_and_lists_are_crossed():
    plan = make_plan({"mass": "1:10:4", "method": "shake,bdf2", "flag": 3})
    assert plan.dims == {"mass": 4, "method": 2, "flag": 1}
    assert [plan.point(k) for k in (0, 1, 7)] == [
        {"mass": 1.0, "method": "shake", "flag": 3},
        {"mass": 1.0, "method": "bdf2", "flag": 3},
        {"mass": 10.0, "method": "bdf2", "flag": 3},
    ]


def test_a_vector_in_brackets_is_one_value():
    assert axis_from_text("p", "[0, 0, 1], [0, 0, 2]").values == ([0, 0, 1], [0, 0, 2])


def test_logarithmic_axes_are_spaced_in_ratios():
    assert axis_from_text("m", "1:100:3:log").values == pytest.approx((1, 10, 100))
    plan = make_plan({"m": "1:100:log"}, "monte-carlo:2000", seed=1)
    assert np.median(plan.samples) == pytest.approx(10, rel=0.15)


@pytest.mark.parametrize("samples", ["sobol:256", "monte-carlo:256"])
def test_samples_fill_their_ranges_and_belong_to_the_seed(samples):
    axes = {"a": "1:2", "b": "-3:-1", "grid": "0,1"}
    plan = make_plan(axes, samples, seed=3)
    assert plan.dims == {"grid": 2, "sample": 256}
    assert plan.samples.min(0) == pytest.approx([1, -3], abs=0.05)
    assert plan.samples.max(0) == pytest.approx([2, -1], abs=0.05)
    assert np.array_equal(plan.samples, make_plan(axes, samples, seed=3).samples)
    assert not np.array_equal(plan.samples, make_plan(axes, samples, seed=4).samples)
    assert plan.point(256 + 5) == {"grid": 1, "a": plan.samples[5, 0], "b": plan.samples[5, 1]}


def test_sobol_points_are_balanced():
    """Each eighth of a range holds an eighth of the points."""
    share = np.histogram(make_plan({"a": "0:1"}, "sobol:256").samples, bins=8, range=(0, 1))[0]
    assert (share == 32).all()


def test_every_run_has_a_seed_of_its_own():
    plan = make_plan({"a": "0:1"}, "sobol:512")
    seeds = [plan.seed_of(k) for k in range(512)]
    assert len(set(seeds)) == 512
    assert seeds == [plan.seed_of(k) for k in range(512)]


@pytest.mark.parametrize(
    ("axes", "samples", "message"),
    [
        ({"a": "1:2"}, None, "a is a range"),
        ({"a": "1:2:3"}, "sobol:4", "needs a parameter with a range"),
        ({"a": "1:2"}, "sobol:0", "samples must be"),
        ({"a": "1:2"}, "halton:4", "samples must be"),
        ({"a": "2:2:3"}, None, "two different finite numbers"),
        ({"a": "1:2:3:4"}, None, "a grid is"),
        ({"a": "-1:2:3:log"}, None, "numbers > 0"),
        ({"a": "1:2:2.5"}, None, "whole number"),
        ({"a": "0:1:10000", "b": "0:1:10000"}, None, "too many"),
        ({"a": "1:2:1e9"}, None, "whole number, 1 to 10000000"),
        ({"a": ""}, None, "a= has no value"),
        ({"a": []}, None, "'a' has no values"),
        ({"status": "1,2"}, None, "'status' is a word of the sweep"),
    ],
)
def test_wrong_axes_are_named(axes, samples, message):
    with pytest.raises(UsageError, match=message):
        make_plan(axes, samples)


def test_a_list_does_not_undo_the_values_of_one_of_its_numbers():
    one, whole = {"bodies.box.velocity.2": "0,0.1"}, {"bodies.box.velocity": [[0, 0, 0.05]]}
    with pytest.raises(SceneError, match=r"bodies\.box\.velocity\.2 is given, and then bodies\.box\.velocity,"):
        make_plan(one | whole)
    assert len(make_plan(whole | one)) == 2


@pytest.mark.parametrize("seed", [-1, 1.5, True, "3"])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(UsageError, match="seed must be a whole number"):
        make_plan({"a": "1,2"}, seed=seed)


def test_an_unknown_metric_is_named_with_a_suggestion():
    with pytest.raises(UsageError, match="max_tension"):
        metric("max_tensoin")
    with pytest.raises(UsageError, match="has the dimensions"):
        metric("max_gap.a.b.c")
    for name in ("max_position.box.w", "max_velocity.box.w"):
        with pytest.raises(UsageError, match=f"metric '{name}': unknown component 'w'. There are: x, y, z"):
            metric(name)


def test_a_vector_without_a_component_counts_with_its_size():
    load = {"mass": 1.0, "point": True, "velocity": [0.3, 0.0, -1.0]}
    result = towsim.simulate(towsim.Scene(bodies={"load": load}), duration=0.1)
    velocity = result["velocity"].values
    speed = np.linalg.norm(velocity, axis=-1)
    assert velocity.max() < speed.min()
    for name, value in (("max_velocity", speed.max()), ("final_velocity.load", speed[-1, 0])):
        assert metric(name)[1](result) == pytest.approx(value, rel=1e-15)
    assert metric("min_velocity.load.z")[1](result) == velocity[:, 0, 2].min()


def test_a_window_includes_the_rows_and_events_at_its_ends_whatever_their_times_are_rounded_to():
    time = np.arange(101) * 1e-3
    events = tuple(Event(float(t), "jerk", "a", 1.0, 2.0) for t in time)
    result = Result({"time": time, "tension": np.arange(101.0)[:, None]}, {"wire": ("a",)}, events)
    for k in range(101):
        assert metric(f"jerks@:{k / 1000}")[1](result) == k + 1
        assert metric(f"max_tension.a@:{k / 1000}")[1](result) == k
        assert metric(f"min_tension.a@{k / 1000}:")[1](result) == k


def test_the_largest_impulse_of_a_named_wire_is_that_of_its_jerks():
    events = Event(0.1, "jerk", "a", 3.0), Event(0.5, "jerk", "a", 5.0), Event(0.6, "jerk", "b", 4.0)
    columns = {"time": np.array([0.0, 1.0]), "impulse": np.zeros((2, 3))}
    result = Result(columns, {"wire": ("a", "b", "c")}, (*events, Event(0.7, "break", "b", 9.0)))
    for name, value in (("", 5.0), (".a", 5.0), (".b", 4.0), (".c", 0.0), ("@:0.4", 3.0), (".a@:0.4", 3.0)):
        assert metric(f"max_impulse{name}")[1](result) == value
    with pytest.raises(UsageError, match="unknown wire 'd'"):
        metric("max_impulse.d")[1](result)


def test_what_has_dots_in_its_name_is_named_with_them():
    robots = {
        "ship": {"position": [0, 0, 8], "orientation": {"angles": {"yaw": "0.1*t"}}, "points": {"tip": [0, 1, 2]}},
        "tug": {"position": [9, 0, 0], "dynamics": "point-mass"},
    }
    scene = towsim.scene.scene_from_data(
        {
            "bodies": {"load": {"mass": 50.0, "point": True}},
            "robots": robots,
            "wires": {"rope": {"from": "load", "to": "ship.tip", "length": 10.1, "winch": {}}},
            "controllers": {"hoist": {"law": "winch", "wire": "rope", "mode": "rate", "target": -0.1}},
            "sensors": {"cell": {"kind": "load-cell", "of": "rope"}, "pose": {"kind": "pose", "of": "load"}},
        }
    )
    result = towsim.simulate(scene, duration=0.1)
    for name, variable, labels in (
        ("final_command.rope.rate", "command", {"actuator": "rope.rate"}),
        ("final_command.tug.force.z", "command", {"actuator": "tug.force.z"}),
        ("final_reading.cell.tension", "reading", {"channel": "cell.tension"}),
        ("final_robot_position.ship.tip.y", "robot_position", {"robot": "ship.tip", "xyz": "y"}),
        ("final_robot_position.ship.z", "robot_position", {"robot": "ship", "xyz": "z"}),
    ):
        assert metric(name)[1](result) == result[variable].sel(**labels).values[-1] != 0.0, name
    for wrong, match in (("rope.rat", "did you mean 'rope.rate'"), ("rope", "unknown actuator 'rope'")):
        with pytest.raises(towsim.TowsimError, match=match):
            metric(f"final_command.{wrong}")[1](result)
    with pytest.raises(UsageError, match=r"such as final_robot_position\.ship\.tip\.z$"):
        metric("final_robot_position.ship.tip")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("final_position.box", "final_position.box.z"),
        ("max_position", "max_position.BODY.z"),
        ("mean_quaternion.box", "mean_quaternion.box.z"),
        ("max_node_position.c.3", "max_node_position.c.3.z"),
    ],
)
def test_of_a_place_a_component_has_to_be_named(name, told):
    with pytest.raises(UsageError, match=f"name a component, such as {told}$"):
        metric(name)
