"""Plans: goals are met and limits held in the run that flies them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import towsim
from towsim.errors import SceneWarning
from towsim.fitting import plan
from towsim.fitting.optimum import independent, slope_left
from towsim.scene import scene_from_data

TIME, STEP = 2.4, 2e-3


def _crane(length=1.5, points=5, smooth=True, **extra):
    """A trolley that goes 2 m by a spline through some points, or starts and stops roughly, a load on its wire."""
    t = np.linspace(0.0, TIME, points)
    x = 2.0 * (3.0 * (t / TIME) ** 2 - 2.0 * (t / TIME) ** 3) if smooth else 2.0 * t / TIME
    waypoints = {"t": t.tolist(), "position": [[float(at), 0.0, 3.0] for at in x], "kind": "cubic"}
    return scene_from_data(
        {
            "name": "crane",
            "robots": {"trolley": {"motion": {"waypoints": waypoints}}},
            "bodies": {"load": {"mass": 5.0, "point": True, "position": [0.0, 0.0, 3.0 - length]}},
            "wires": {"hoist": {"from": "trolley", "to": "load", "length": length}},
            "run": {"step": STEP, "duration": TIME, "method": "shake"},
        }
        | extra
    )


FREE = [f"robots.trolley.motion.waypoints.position.{i}.0" for i in (1, 2, 3)]
REST = {"position[load,x]": 2.0, "velocity[load,x]": 0.0}


def _swing(scene):
    """How far the load swings after the trolley has stopped [m]."""
    run = towsim.simulate(scene, duration=TIME + 4.0)
    return np.abs(run["position"].values[run.time > TIME, 0, 0] - 2.0).max()


def test_a_crane_is_shaped_so_that_no_swing_is_left():
    assert _swing(_crane()) > 0.05
    found = plan(_crane(), FREE, REST)
    assert found.converged
    assert max(found.missed.values()) < 1e-8
    assert _swing(found.scene) < 1e-9
    assert found.runs < 12


def test_limits_are_held_on_the_way():
    crane, free = (
        _crane(points=9, smooth=False),
        [f"robots.trolley.motion.waypoints.position.{i}.0" for i in range(1, 8)],
    )
    peak = float(towsim.simulate(plan(crane, free, REST).scene)["tension"].values.max())
    limit = 0.99 * peak  # gentle as the plan is already, there is little below
    found = plan(crane, free, REST, {"tension[hoist]": (30.0, limit)})
    assert found.converged
    held = float(towsim.simulate(found.scene)["tension"].values.max())
    assert held < limit * (1.0 + 1e-5)  # in every step, and not only at the samples
    assert found.margin["tension[hoist]"] == pytest.approx(limit - held, abs=1e-6)
    assert _swing(found.scene) < 1e-6


def test_a_function_of_the_run_keeps_within_bounds_that_change_with_time():
    def swing(run):
        return run["position"].sel(body="load")[:, 0] - run["robot_position"].sel(robot="trolley")[:, 0]

    def early(time):
        return np.where(time < 1.0, 0.1, np.inf)

    crane, free = _crane(points=9), [f"robots.trolley.motion.waypoints.position.{i}.0" for i in range(1, 8)]
    freely = _lag(plan(crane, free, REST).scene)
    assert np.abs(freely[: round(1.0 / STEP)]).max() > 0.11
    limits = {swing: (lambda time: -early(time), early)}
    found = plan(crane, free, REST, limits, of=("position", "robot_position"))
    assert found.converged
    held = _lag(found.scene)[: round(1.0 / STEP)]
    assert np.abs(held).max() < 0.1 * (1.0 + 1e-5)
    assert found.margin["swing"] == pytest.approx(0.1 - np.abs(held).max(), abs=1e-8)


def _lag(scene):
    run = towsim.simulate(scene)
    return run["position"].values[:, 0, 0] - run["robot_position"].values[:, 0, 0]


def test_one_number_moves_several_in_plans_and_in_sensitivities():
    """Derivatives along a direction are those of its numbers, weighed; a plan finds the same along it."""
    weights = {FREE[0]: 1.0, FREE[1]: 0.5}
    model = towsim.compile(_crane())
    along = model.sensitivities([{"both": weights}], ["position"], duration=1.0)
    each = model.sensitivities([*weights], ["position"], duration=1.0)
    assert along.parameters == ("both",)
    expected = each["position"].values @ [*weights.values()]
    np.testing.assert_allclose(along["position"].values[..., 0], expected, atol=1e-10)
    found = plan(_crane(), [{"both": weights}, {"last": {FREE[2]: 1.0}}], REST)
    assert found.converged
    moved = np.array([found.scene.robots["trolley"].motion.waypoints.position[i][0] for i in (1, 2, 3)])
    start = np.array([_crane().robots["trolley"].motion.waypoints.position[i][0] for i in (1, 2, 3)])
    np.testing.assert_allclose(moved - start, [found.values[0], 0.5 * found.values[0], found.values[1]], atol=1e-12)


FOLLOWS = {"position[load,z]": 1.5, "velocity[load,z]": 0.0, "gap[hoist]": 0.0, "position[load,y]": 0.0}


@pytest.mark.parametrize(
    ("goal", "follows"),
    [
        (REST, FOLLOWS),
        ({"position[load,x]": 2.3, "velocity[load,x]": -0.2}, {"position[load,z]": 3.0 - np.sqrt(1.5**2 - 0.3**2)}),
    ],
    ids=["rest", "swing"],
)
@pytest.mark.parametrize("first", [True, False])
def test_goals_that_follow_from_others_lead_to_the_same_plan(goal, follows, first):
    """They took up to 200 runs, and most ended beside the optimum: their rows depend, and at rest they are zero."""
    crane = _crane(points=8, smooth=False)
    free = [f"robots.trolley.motion.waypoints.position.{i}.0" for i in range(1, 7)]
    without = plan(crane, free, goal)
    found = plan(crane, free, {**follows, **goal} if first else {**goal, **follows})
    assert found.converged
    assert max(found.missed.values()) < 1e-9
    assert found.runs < without.runs + 8  # least squares to where all are met
    assert found.cost == pytest.approx(without.cost, rel=1e-6)


def test_a_goal_that_contradicts_those_it_follows_from_is_named():
    found = plan(_crane(points=8), [f"{FREE[0][:-3]}{i}.0" for i in range(1, 7)], {**REST, "position[load,z]": 1.6})
    assert not found.converged
    assert "position[load,z] is missed most, by 0.1 m" in found.message


@pytest.mark.parametrize(
    ("rows", "held"),
    [
        ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [0, 1]),
        ([[0.1, 0.1, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [1, 2]),
        ([[0.0, 0.0], [1.0, 1e-5], [1.0, 0.0]], [1]),
        ([[1.0, 0.0], [1.0, 0.1]], [0, 1]),
        ([[0.0, 0.0]], []),
    ],
)
def test_rows_that_follow_from_longer_ones_are_left_out(rows, held):
    assert independent(np.array(rows)).tolist() == held


def test_a_search_makes_no_more_runs_than_it_may():
    found = plan(_crane(), FREE, REST, most_runs=3)
    assert not found.converged
    assert found.runs <= 4  # and the one that is told of
    assert "as many runs" in found.message


@pytest.mark.parametrize("error", [towsim.SimulationError("refused", time=0.0), towsim.UsageError("no derivative")])
def test_a_trial_with_which_no_run_can_go_on_is_a_step_too_far(monkeypatch, error):
    from towsim.fitting import asked

    honest, refused = asked.sensitivities, []

    def brittle(scene, *arguments, **options):
        run = honest(scene, *arguments, **options)
        if len(refused) == 0 and scene != _crane():
            refused.append(scene)
            raise error
        return run

    monkeypatch.setattr(asked, "sensitivities", brittle)
    found = plan(_crane(), FREE, REST)
    assert len(refused) == 1
    assert found.converged
    assert _swing(found.scene) < 1e-9


@pytest.mark.parametrize("bounds", [{}, {"wires.hoist.length": (1.0, 2.5)}])
def test_a_trial_with_which_the_scene_does_not_start_is_a_step_too_far(bounds):
    """A shorter hoist would be stretched at the start: the search ends there, and says what it tried and what helps."""
    found = plan(_crane(), ["wires.hoist.length", *FREE], REST, bounds=bounds, most_runs=40)
    assert not found.converged
    assert found.values[0] == pytest.approx(1.5, abs=1e-8)
    assert "with wires.hoist.length = 1." in found.message
    assert "stretched" in found.message
    assert "taut=True" in found.message
    towsim.simulate(found.scene, duration=0.01)
    taut = plan(_crane(), ["wires.hoist.length", *FREE], REST, bounds=bounds, taut=True)
    assert taut.converged
    assert "stretched" not in taut.message


def test_a_first_guess_with_which_the_scene_does_not_start_is_named():
    stretched = _crane().with_values({"wires.hoist.length": 1.4})
    with pytest.raises(towsim.SceneError, match=r"wires.hoist.length = 1.4: .*stretched by 0.1 m(.|\n)*taut=True"):
        plan(stretched, ["wires.hoist.length"], {"position[load,x]": 1.3})


def test_a_goal_out_of_reach_of_a_wires_length_is_told():
    """A load that a trolley takes 2 m along cannot be 0.7 m behind it at the end, however long its wire is."""
    found = plan(_crane(), ["wires.hoist.length"], {"position[load,x]": 1.3}, taut=True, most_runs=60)
    assert not found.converged
    assert found.missed["position[load,x]"] > 0.5


def test_a_goal_that_no_free_number_moves_is_named():
    found = plan(_crane(), FREE, {**REST, "position[load,y]": 1.0}, most_runs=20)
    assert not found.converged
    assert found.message.startswith("no free number moves the goal position[load,y] there; free one that does")


def _held(samples=60, low=45.5, high=54.0, goal=None, **options):
    return plan(
        _rough(), FREE, goal or {"position[load,x]": 2.0}, {"tension[hoist]": (low, high)}, samples=samples, **options
    )


def _rough():
    return _crane().with_values({FREE[0]: 0.3, FREE[2]: 1.7})


def test_a_search_ends_where_less_than_a_run_is_rounded_by_could_be_gained():
    """From few samples the same plan as from many: the last line search was for a fall of 1e-14, until runs ran out."""
    many, few = _held(), _held(samples=7)
    assert few.converged
    assert few.runs < 3 * many.runs
    np.testing.assert_allclose(few.values, many.values, rtol=1e-5)
    assert few.margin["tension[hoist]"] > -1e-6
    assert few.missed["position[load,x]"] < 1e-9


GLIDE = {"mass": 1.0, "point": True, "velocity": [1.0, 0.0, 0.0]}
FAR = {**GLIDE, "position": [5.0, 0.0, 0.0]}


@pytest.mark.parametrize(
    ("bodies", "goal", "limits"),
    [
        (("load",), {}, {}),
        (("load",), {}, {"position[load,x]": (-10.0, 10.0)}),
        (("load", "far"), {"position[far,x]": 6.0}, {"position[load,x]": (-10.0, 10.0)}),
    ],
)
def test_a_step_exactly_twice_too_far_is_no_optimum(bodies, goal, limits):
    """The first step along a parabola of curvature 2 leads from 1 to 5, which costs the same; least is 3."""
    scene = scene_from_data(
        {"bodies": {"load": GLIDE, "far": FAR}, "gravity": [0, 0, 0], "run": {"step": 0.01, "duration": 1.0}}
    )

    def off(run):
        return (run["position"].sel(body="load")[-1, 0] - 3.0) ** 2

    free = [f"bodies.{name}.velocity.0" for name in bodies]
    found = plan(scene, free, goal, limits, cost=off, of=("position",))
    assert found.converged
    assert found.values[0] == pytest.approx(3.0, abs=1e-4)
    assert found.cost < 1e-9


def test_a_sum_of_squares_falls_to_zero():
    scene = scene_from_data({"bodies": {"load": GLIDE}, "gravity": [0, 0, 0], "run": {"step": 0.01, "duration": 1.0}})

    def off(run):
        return np.sum((run["position"].sel(body="load")[-1] - np.array([3.0, -2.0, 0.5])) ** 2)

    found = plan(scene, ["bodies.load.velocity"], {}, cost=off, of=("position",))
    assert found.converged
    np.testing.assert_allclose(found.values, [3.0, -2.0, 0.5], atol=1e-4)


@pytest.mark.parametrize(
    ("slope", "levels", "walls", "left"),
    [
        ([3.0, 4.0], [], [], 5.0),
        ([3.0, 4.0], [[2.0, 0.0]], [], 4.0),
        ([3.0, 4.0], [[-2.0, 0.0], [4.0, 0.0]], [[0.0, 7.0]], 0.0),
        ([3.0, 4.0], [[0.0, 1.0]], [[-1.0, 5.0]], 3.0),  # a wall bears no slope that leads away from it
        ([3.0, 4.0], [], [[1.0, 0.0], [0.0, -1.0]], 4.0),
    ],
)
def test_constraints_bear_a_slope_that_leads_against_them(slope, levels, walls, left):
    levels, walls = (np.array(rows, float).reshape(-1, 2) for rows in (levels, walls))
    assert slope_left(np.array(slope), levels, walls) == pytest.approx(left, abs=1e-12)


def test_limits_are_judged_by_the_tolerance_that_is_asked_for():
    found = _held(low=45.2, tolerance=1e-6)
    assert found.converged
    assert found.margin["tension[hoist]"] > -1e-6 * 45.2
    assert found.missed["position[load,x]"] < 1e-6


def test_a_free_number_on_which_nothing_depends_is_refused_by_name():
    """A load on a wire swings as any other mass does: but for rounding nothing of its place depends on it."""
    with pytest.raises(towsim.UsageError, match=r"bodies.load.mass changes nothing of what is asked for; leave it out"):
        plan(_crane(), [*FREE, "bodies.load.mass"], REST)
    found = plan(_crane(), [*FREE, "bodies.load.mass"], REST, {"tension[hoist]": (10.0, 100.0)})
    assert found.converged


def test_a_number_that_begins_to_count_with_another_one_is_free():
    """A frequency whose amplitude is zero at first."""
    body = {"mass": 1.0, "point": True, "force": {"x": "A*sin(w*t)"}}
    data = {"parameters": {"A": 0.0, "w": 3.0}, "bodies": {"load": body}, "run": {"step": 0.01, "duration": 1.0}}
    found = plan(scene_from_data(data), ["parameters.A", "parameters.w"], {"position[load,x]": 0.3})
    assert found.converged
    assert found.missed["position[load,x]"] < 1e-9
    assert found.values[1] != 3.0


def test_a_number_that_counts_for_nothing_by_symmetry_is_free():
    """Drag slows by the speed, which has its least where there is no velocity across."""
    body = {**GLIDE, "drag": {"quadratic": 0.3}}
    scene = scene_from_data({"bodies": {"load": body}, "gravity": [0, 0, 0], "run": {"step": 0.01, "duration": 1.0}})
    free = ["bodies.load.velocity.0", "bodies.load.velocity.1"]
    found = plan(scene, free, {"position[load,x]": 1.0})
    assert found.converged
    assert found.values[1] == pytest.approx(0.0, abs=1e-9)


def test_a_limit_that_cannot_be_held_is_named_with_the_most_it_is_passed_by():
    found = _held(low=48.9, high=49.2, goal=REST)
    assert not found.converged
    by = -found.margin["tension[hoist]"]
    assert found.message.startswith(f"the limit of tension[hoist] is passed most, by {by:.3g} at ")


def test_a_limit_on_a_force_asks_nothing_of_rows_that_lack_some_of_it():
    """A load that swings from the start is held by m (g + v²/L), which stewart-trinkle tells from row 2 on."""
    crane = _crane().with_values({"bodies.load.velocity.0": 0.5})
    limits = {"tension[hoist]": (lambda time: np.where(time < 0.1, 49.5, 0.0), 80.0)}
    assert towsim.simulate(crane, method="stewart-trinkle")["tension"].values[0, 0] < 49.1
    found = plan(crane, FREE, REST, limits, method="stewart-trinkle")
    assert found.converged
    assert towsim.simulate(found.scene, method="shake")["tension"].values[:40].min() > 49.5


def test_what_is_asked_for_and_no_number_is_refused_by_name():
    crane = _crane()

    def _root(run):
        return np.sqrt(run["position"].sel(body="load")[:, 0] - 0.1)

    for limits, cost, match in (
        ({_root: (-1.0, 1.5)}, None, r"limits: _root is nan at 0 s"),
        ({}, lambda run: np.log(run["position"][-1, 0, 0] - 9.0), "the cost is nan, so"),
        ({}, lambda run: run["position"][-1, 0, 0] / 0.0, "the cost is inf, so"),
    ):
        with pytest.raises(towsim.UsageError, match=match):
            plan(crane, FREE, REST, limits, cost=cost, of=("position",))


def test_a_cost_of_ones_own_is_lowered():
    def effort(run):
        return np.mean((run["tension"] - 49.05) ** 2)

    first = towsim.compile(_crane()).gradient(effort, FREE, ["tension"])[0]
    found = plan(_crane(), FREE, {}, cost=effort, of=("tension",), bounds={FREE[0]: (0.1, 0.9)}, most_runs=30)
    assert found.cost < first
    assert 0.1 <= found.values[0] <= 0.9


@pytest.mark.parametrize(
    ("free", "goal", "limits", "match"),
    [
        (FREE, {}, {}, "nothing is asked for"),
        (["robots.trolley.motion.waypoints.position.9.0"], REST, {}, "unknown parameter"),
        (FREE, {"position[box,x]": 1.0}, {}, "unknown body"),
        (FREE, {"residual": 1.0}, {}, "title"),
        (FREE, REST, {"tension[hoist]": (2.0, 1.0)}, "must be below"),
        (FREE, REST, {"tension[hoist]": 3.0}, "two bounds"),
        (FREE, {"position[load,x]": np.nan}, {}, r"goal position\[load,x\] must be a finite number, got nan"),
        (FREE[:1], REST, {}, "2 goals cannot be reached by 1 free numbers"),
        (["lag"], REST, {}, "no sensors"),
        (FREE, REST, {"tension[hoist]": (lambda time: 1.0, lambda time: 0.5)}, "below the largest"),
        (FREE, REST, {lambda run: run["position"]: (0.0, 1.0)}, "one number for each"),
        (FREE, REST, {lambda run: 1.0: (0.0, 1.0)}, "does not depend"),
        (
            FREE,
            REST,
            {"tension[hoist]": (0.0, lambda time: np.full(3, 60.0))},
            r"a bound must give \d+ numbers.*got array",
        ),
        (FREE, REST, {"tension[hoist]": (0.0, lambda time: "high")}, "a bound must be numbers, got 'high'"),
    ],
)
def test_what_cannot_be_planned_is_refused_by_name(free, goal, limits, match):
    with pytest.raises(towsim.UsageError, match=match):
        plan(_crane(), free, goal, limits)


@pytest.mark.parametrize(
    ("option", "match"),
    [
        ({"tolerance": -1.0}, "tolerance must be a finite number > 0, got -1"),
        ({"most_runs": 0}, "most_runs must be a whole number, 1 to"),
        ({"samples": 1}, "samples must be a whole number, 2 to"),
    ],
)
def test_options_of_the_search_are_refused_by_name(option, match):
    with pytest.raises(towsim.UsageError, match=match):
        plan(_crane(), FREE, REST, **option)


def test_a_plan_may_begin_on_a_bound():
    bounds = {FREE[0]: (0.0, _crane().robots["trolley"].motion.waypoints.position[1][0])}
    found = plan(_crane(), FREE, REST, bounds=bounds)
    assert max(found.missed.values()) < 1e-8
    assert found.values[0] <= bounds[FREE[0]][1]


def test_a_search_for_what_is_out_of_reach_ends_soon_and_names_it():
    """A load on 1.5 m of wire below a trolley at 3 m does not rest at 4 m; of what far trials warn nothing is told."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = plan(_crane(), FREE, {"position[load,x]": 2.0, "position[load,z]": 4.0})
    assert not found.converged
    assert found.runs < 40  # the last of them look for what is nearest
    expected = (
        "the goal position[load,z] is missed most, by 2.5 m (it seems out of reach: no numbers nearby come closer)"
    )
    assert found.message == expected.replace("2.5", f"{found.missed['position[load,z]']:.3g}")
    assert np.abs(found.values).max() < 10.0


def test_a_search_that_comes_no_closer_between_bounds_ends():
    """Its trials went on for all the runs it may make, 0.6 m away."""
    found = plan(_crane(), FREE, {"position[load,x]": 5.0}, bounds=dict.fromkeys(FREE, (-0.5, 2.5)))
    assert not found.converged
    assert found.runs < 80
    assert "out of reach" in found.message


def test_a_cost_that_falls_for_ever_is_told():
    """How far a trolley goes by its last waypoint, in micrometres: each trial is some metres on."""

    def cost(run):
        return -run["robot_position"].sel(robot="trolley")[-1, 0] * 2e12

    found = plan(_crane(), [{"on": {f"{FREE[0][:-3]}4.0": 1e-6}}], {}, cost=cost, of=["robot_position"])
    assert not found.converged
    assert "ran away" in found.message


def test_a_search_that_gets_stuck_goes_on_from_where_least_is_missed():
    """Limits are those of a run that there is, and 0.02 m/s: of 60 such plans 18 were not found."""
    crane = _crane().with_values(dict(zip(FREE, [0.1, 1.3, 1.1], strict=True)))
    goal = {"position[load,x]": 2.733, "velocity[load,x]": -0.188}
    found = plan(crane, FREE, goal, {"velocity[load,x]": (-0.21, 2.53)})
    assert found.converged
    assert max(found.missed.values()) < 1e-8
    assert min(found.margin.values()) > -1e-8


def test_a_plan_warns_once_of_what_its_run_warns_of():
    crane = _crane(ground={})
    with pytest.warns(SceneWarning) as told:
        assert plan(crane, FREE, REST).converged
    assert [str(one.message).partition(":")[0] for one in told] == ["ground"]
