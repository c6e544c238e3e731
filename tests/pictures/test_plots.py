"""Every result can be drawn, whatever it holds, and nothing that matters is lost in the picture."""

import numpy as np
import pytest

import scenarios
import towsim
from towsim.analysis import suspension
from towsim.errors import ResultError
from towsim.pictures import plot, plot_runs, save_figure
from towsim.pictures.drawing import _Drawing
from towsim.pictures.figures import BINS, STEEL, colours, curve, new_figure
from towsim.pictures.panels import same_curves
from towsim.pictures.paths import views
from towsim.pictures.rest import _corners
from towsim.pictures.solids import beams, corners, outline
from towsim.pictures.stage import Figurine, figurine, stage
from towsim.results import Event, Result, open_result
from towsim.scene import scene_from_text, scene_to_text
from towsim.scene.expand import expand


def made(wires=4, rows=50, bodies=1, jerks=(), **change):
    time = np.linspace(0, 5, rows)
    random = np.random.default_rng(0)
    position = np.zeros((rows, bodies, 3))
    position[:, :, 0], position[:, :, 2] = time[:, None], np.sin(time)[:, None] + np.arange(bodies)
    columns = {
        "time": time,
        "position": position,
        "robot_position": position[:, :1] + [1.0, 0.0, 1.0],
        "tension": random.uniform(1, 9, (rows, wires)),
        "gap": random.uniform(-1e-7, 1e-2, (rows, wires)),
        "residual": random.uniform(0, 1e-14, rows),
        "status": random.integers(0, 3, rows).astype(np.int8),
    } | change
    names = tuple(f"w{i}" for i in range(wires))
    coords = {"body": tuple(f"b{i}" for i in range(bodies)), "wire": names, "robot": ("r",)}
    return Result(columns, coords, [Event(t, "jerk", names[-1], 3.0, 1.0, 0.2) for t in jerks], {"name": "made"})


def labels(figure):
    return [ax.get_ylabel().split(" (")[0] for ax in figure.axes if ax.get_label() != "<colorbar>"]


@pytest.mark.parametrize(
    ("wires", "rows"),
    [*((wires, 300) for wires in (1, 8, 9, 24, 25, 200)), *((wires, rows) for wires in (1, 200) for rows in (0, 1, 2))],
)
def test_unasked_a_figure_shows_tension_gap_residual_and_path(tmp_path, wires, rows):
    result = made(wires, rows, bodies=3, jerks=(2.0,))
    figure = plot(result)
    assert len(labels(figure)) == 4
    save_figure(figure, tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 10_000


def test_a_result_without_wires_is_drawn_without_their_panels():
    result = made()
    bare = Result({name: result.column(name) for name in ("time", "position", "residual")}, {"body": ("b",)})
    assert labels(plot(bare)) == ["residual", "z"]


def test_the_title_tells_what_the_scene_says_of_itself_however_yaml_writes_it():
    words = 'He said: "lift it"; it is heavier than all the others, ' + "so it is lifted slowly " * 3
    scene = scenarios.get("slack-jerk").build().model_copy(update={"description": words})
    for text, title in ((scene_to_text(scene), f"made: {words}"[:130].rstrip()), ("schema: 999", "made")):
        result = made()
        result.attributes = {"name": "made", "scene": text}  # the last is of another version
        assert plot(result, "residual").get_suptitle() == title


@pytest.mark.parametrize("row", [0, 799, 1600])
def test_a_map_of_many_wires_shows_the_largest_tension_whenever_it_is(row):
    tension = np.ones((1601, 30))
    tension[row, 7] = 5.0
    image = plot(made(30, 1601, tension=tension), "tension").axes[0].images[0]
    assert image.get_array().max() == 5.0


def test_asked_for_panels_are_drawn_in_that_order():
    assert labels(plot(made(), ["status", "position", "tension", "status"])) == ["status", "position", "tension"]
    assert labels(plot(made(), "tension")) == ["tension"]


@pytest.mark.parametrize(
    ("what", "message"),
    [(["tensoin"], "did you mean 'tension'"), (["time"], "unknown panel"), ([], "at least one"), (["e1"], "unknown")],
)
def test_unknown_panels_are_named(what, message):
    with pytest.raises(ResultError, match=message):
        plot(made(), what)


def test_peaks_survive_long_runs():
    values = np.zeros(1_000_003)
    values[[17, 500_000, 1_000_001]] = [9.0, -7.0, 5.0]
    time, short = curve(np.arange(len(values)) * 1e-3, values)
    assert len(short) < 3 * BINS
    assert len(time) == len(short)
    assert {short.max(), short.min(), short[-2]} >= {9.0, -7.0}
    assert 5.0 in short
    assert abs(time[short.argmax()] - 0.017) < 1.0  # within one bin of its place


def test_tension_axis_leaves_out_jerks_but_marks_them():
    time = np.linspace(0, 5, 500)
    result = made(2, 500, jerks=(time[200],), tension=np.full((500, 2), 5.0))
    ax = plot(result, ["tension"]).axes[0]
    assert ax.get_ylim()[1] < 10
    markers = [line for line in ax.lines if line.get_marker() == "v"]
    assert [line.get_xdata()[0] for line in markers] == [time[200]]
    assert [text.get_text() for text in ax.texts] == ["3 N s"]


def test_gap_scale_shows_stretch_beside_slack():
    assert plot(made(), ["gap"]).axes[0].get_yscale() == "symlog"
    taut = made(gap=np.full((50, 4), -3e-8))
    ax = plot(taut, ["gap"]).axes[0]
    assert (ax.get_yscale(), ax.get_ylabel()) == ("linear", "gap (nm)")


@pytest.mark.parametrize(("still", "plane"), [(0, (1, 2)), (1, (0, 2)), (2, (0, 1))])
def test_paths_are_shown_in_the_plane_in_which_they_lie(still, plane):
    position = np.random.default_rng(0).normal(size=(50, 1, 3))
    position[:, :, still] = 0.0
    assert views(made(position=position, robot_position=position)) == [plane]


def test_paths_in_space_are_shown_from_the_side_and_from_above():
    position = np.random.default_rng(0).normal(size=(50, 1, 3)) * [1.0, 3.0, 2.0]
    assert views(made(position=position, robot_position=position)) == [(1, 2), (0, 1)]


def test_a_run_that_has_only_begun_is_refused_by_what_it_lacks():
    with pytest.raises(ResultError, match="holds none of tension, gap"):
        plot(Result({"time": np.zeros(0)}, {}, (), {"name": "begun"}))


def test_undefined_and_infinite_values_do_not_stop_a_picture(tmp_path):
    broken = np.full((50, 4), np.nan)
    broken[10, 1], broken[11, 1] = np.inf, 3.0
    result = made(tension=broken, gap=broken, residual=np.full(50, np.nan), position=np.full((50, 1, 3), np.nan))
    save_figure(plot(result), tmp_path / "run.png")


def test_names_are_never_read_as_formulas(tmp_path):
    names = ("$x_$", "_hidden", "荷物 " * 20, "a\\b")
    result = made()
    odd = Result({n: result.column(n) for n in result.variables}, {**result.coords, "wire": names}, (), {"name": "$%_"})
    save_figure(plot(odd), tmp_path / "run.svg")
    save_figure(plot(odd, ["tension", "gap"]), tmp_path / "few.png")


def test_a_saved_result_gives_the_same_picture(tmp_path):
    result = made(jerks=(2.0,))
    save_figure(plot(result), tmp_path / "a.png")
    save_figure(plot(open_result(result.save(tmp_path / "run.nc"))), tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_curves_upon_each_other_are_told_and_both_are_seen():
    tension = np.random.default_rng(0).uniform(1, 9, (50, 4))
    tension[:, 3] = tension[:, 1] + 1e-6
    result = made(tension=tension)
    figure = plot(result)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["w0", "w1", "w2", "w3 = w1"]
    styles = [line.get_linestyle() for line in figure.axes[0].lines[:4]]
    assert styles == ["-", "-", "-", "--"]
    assert same_curves(np.stack([tension[:, 0], np.full(50, np.nan)], 1)) == {}


def test_curves_that_part_are_dashed_while_they_lie_upon_each_other():
    tension = np.full((50, 2), 3.0)
    tension[20:, 1] = 5.0
    result = made(wires=2, tension=tension)
    _, both, alone, *_ = plot(result, "tension").axes[0].lines
    assert (both.get_linestyle(), alone.get_linestyle()) == ("--", "-")
    assert both.get_xdata()[0] == result.time[0]
    assert list(alone.get_xdata()[[0, -1]]) == [result.time[19], result.time[-1]]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Event(2.0, "break", "w1"), "w1 breaks"),
        (Event(2.0, "break", "w1", note="wire w1 is cut"), "w1 is cut"),
        (Event(2.0, "user", "w1", note="wire w1 is attached"), "w1 attached"),
        (Event(5.0, "infeasible", "w1", note="no"), "refused"),
    ],
)
def test_what_breaks_is_marked_in_every_panel_and_named_in_the_first(event, text):
    bare = made()
    result = Result({n: bare.column(n) for n in bare.variables}, bare.coords, [event])
    first, *others = plot(result, ["tension", "gap", "residual"]).axes
    assert text in [one.get_text() for one in first.texts]
    for ax in (first, *others):
        assert event.time in [line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1]
    assert not any(ax.texts for ax in others)


def test_labels_of_jerks_do_not_stand_on_each_other():
    bare = made(2)
    for times in ([1.0, 1.02, 1.04, 4.99], [2.0] * 4, [0.0, 0.3, 0.6, 0.9, 1.2, 5.0]):
        events = [Event(t, "jerk", "w0", 10.0 ** (k - 2)) for k, t in enumerate(times)]
        result = Result({n: bare.column(n) for n in bare.variables}, bare.coords, events)
        figure = plot(result, ["tension", "gap", "residual"])
        figure.draw_without_rendering()
        ax = figure.axes[0]
        boxes = [text.get_window_extent() for text in ax.texts]
        assert len(boxes) == len(times[:4]) or len(boxes) == 6
        assert all(not a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
        assert all(ax.bbox.x0 - 1 <= box.x0 and box.x1 <= ax.bbox.x1 + 1 for box in boxes)


def test_a_long_tow_is_no_thread_and_the_axis_says_so():
    time = np.linspace(0, 5, 50)
    position = np.stack([200 * time, np.sin(time), 0 * time], 1)[:, None]
    ax = plot(made(position=position, robot_position=position + np.array([5.0, 0, 0])), ["path"]).axes[0]
    assert ax.get_aspect() > 1
    assert f"drawn {ax.get_aspect():g} times larger" in ax.get_ylabel()
    square = plot(made(position=position * [0.01, 1, 1], robot_position=position * [0.01, 1, 1]), ["path"]).axes[0]
    assert square.get_aspect() == 1


def test_the_shape_of_a_load_that_goes_far_is_drawn_to_scale_and_not_stretched():
    time = np.linspace(0, 5, 50)
    columns = {
        "time": time,
        "residual": 0 * time,
        "position": np.stack([200 * time, np.sin(time), 0 * time], 1)[:, None],
        "quaternion": np.tile([0.9239, 0.0, 0.0, 0.3827], (50, 1, 1)),  # turned by 45 degrees
    }
    scene = towsim.Scene(bodies={"b0": {"mass": 1.0, "shape": {"box": [40.0, 10.0, 2.0]}}})
    result = Result(columns, {"body": ("b0",)}, (), {"name": "made", "scene": scene_to_text(scene)})
    _, way, end = plot(result).axes
    assert (len(end.patches), len(way.patches)) == (1, 0)
    hull = end.patches[0].get_path().get_extents()
    assert (hull.width, hull.height) == pytest.approx((50 / np.sqrt(2),) * 2, rel=1e-3)
    assert end.get_aspect() == 1 < way.get_aspect()


def test_a_wire_is_drawn_on_its_way_only_while_it_is_there():
    scene = scenarios.get("hand-over").build()
    result = towsim.simulate(scene, duration=6.0, step=1e-3)
    ax = plot(result, ["path"]).axes[0]
    given, taken = colours(2)

    def drawn(colour):
        return sum(line.get_color() == colour and line.get_linewidth() == 0.8 for line in ax.lines)

    # Drawn at 0, 1.5, 3, 4.5 and 6 s; one is detached at 4.5 s, the other attached at 0.25 s.
    assert (drawn(given), drawn(taken)) == (3, 4)


def test_frames_lugs_and_robots_are_drawn_as_in_films():
    """From a robot to the point that it carries, and from a box to one outside of it; robots as diamonds."""
    scene = scene_from_text("""
bodies:
  box: {mass: 9, shape: {box: [1, 0.6, 0.4]}, position: [0.4, 0, 1], points: {a: [0.4, 0, 0.6], b: [0, 0, 0.2]}}
robots: {crane: {motion: {formula: {x: "0.1*t", y: "0", z: "4"}}, points: {bow: [1.5, 0, -0.5]}}}
wires: {f: {from: crane.bow, to: box.a, length: 2.2}, s: {from: crane, to: box.b, length: 3}}
""")
    result = towsim.simulate(scene, duration=0.1)
    seen = stage(result, 40)
    spar, lug = beams(seen, 0)
    np.testing.assert_allclose(spar, [[0, 0, 4], [1.5, 0, 3.5]], atol=1e-12)
    np.testing.assert_allclose(lug, [[0.8, 0, 1.2], [0.8, 0, 1.6]], atol=1e-12)
    ax = plot(result, ["path"]).axes[0]
    last = [line.get_xydata() for line in ax.lines if line.get_color() == STEEL][-3:]
    for drawn, one in zip(last, [seen.robot[-1], *beams(seen, len(seen.time) - 1)], strict=True):
        np.testing.assert_allclose(drawn, one[:, [0, 2]])
    assert len(_Drawing(new_figure(3, 3).add_subplot(projection="3d"), seen).beams) == 2


def test_a_picture_of_energy_says_from_where_that_of_gravity_counts():
    scene = towsim.Scene(bodies={"load": {"mass": 1.0, "point": True, "position": [0.0, 0.0, 2.0]}})
    result = towsim.simulate(scene, duration=0.01)
    (ax,) = plot(result, ["energy"]).axes
    least = result["potential_energy"].values.sum(axis=1).min()
    assert ax.lines[0].get_ydata()[0] == pytest.approx(result["energy"].values[0] - least)
    assert ax.get_title(loc="right") == f"total and potential: less the least potential, {least:.5g} J"


@pytest.mark.parametrize(("wires", "told"), [(3, ""), (8, "forces are not the only possible ones in 20 steps")])
def test_a_picture_of_tensions_says_in_how_many_steps_forces_are_not_unique(wires, told):
    (ax,) = plot(towsim.simulate(suspension(wires), duration=0.02), ["tension"]).axes
    assert ax.get_title(loc="left") == told


def test_balls_and_cylinders_are_drawn_round():
    upright, place = np.array([1.0, 0.0, 0.0, 0.0]), np.ones(3)
    around = corners(Figurine("ball", "sphere", (0.5,)), place, upright)
    np.testing.assert_allclose(np.linalg.norm(around - place, axis=1), 0.5)
    around = corners(Figurine("can", "cylinder", (0.5, 2.0)), place, upright) - place
    np.testing.assert_allclose(np.linalg.norm(around[:, :2], axis=1), 0.5)
    np.testing.assert_allclose(np.abs(around[:, 2]), 1.0)


@pytest.mark.parametrize("axis", [[0, 1, 0], [0, 0, 1], [1, -2, -2]])
def test_a_drum_is_drawn_as_large_as_it_is_about_its_axis(axis):
    scene = scene_from_text(f"""
bodies: {{load: {{mass: 1, point: true, position: [0, 0, -2]}}}}
robots: {{crane: {{position: [0, 0, 0]}}}}
drums: {{d: {{at: crane, radius: 0.1, inertia: 30, axis: {axis}}}}}
wires: {{fall: {{from: load, to: crane, length: 2, drum: d}}}}
""")
    drum, along = figurine("d", expand(scene)), np.array(axis) / np.linalg.norm(axis)
    turn = np.array([0.8, *(0.6 * along)])  # about its axis, as it turns: it fills the same space
    for quaternion in (np.array([1.0, 0.0, 0.0, 0.0]), turn):
        around = corners(drum, np.zeros(3), drum.turned(quaternion))
        np.testing.assert_allclose(np.abs(around @ along), 0.1)
        np.testing.assert_allclose(np.linalg.norm(around, axis=1), np.hypot(0.1, 0.1))
    at_rest = towsim.equilibrium(scene.with_values({"drums.d.release": 1.0}))
    assert np.ptp(_corners(at_rest, "d", np.zeros(3), turn), axis=0).max() < 0.3  # a box of its inertia is 13 m long


def test_outlines_are_convex_hulls():
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.2, 0.9], [1, 0.5]])
    assert outline(square).tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert len(outline(np.zeros((8, 2)))) == 1


@pytest.mark.parametrize(("high", "label"), [(5.0, "tension (N)"), (2e4, "tension (kN)"), (3e7, "tension (MN)")])
def test_tensions_are_drawn_in_the_unit_that_fits(high, label):
    ax = plot(made(tension=np.full((50, 4), high)), ["tension"]).axes[0]
    assert ax.get_ylabel() == label
    assert 1 < ax.get_ylim()[1] < 1e4


def test_several_runs_are_drawn_over_each_other(tmp_path):
    straight = np.linspace(0, 5, 100)[:, None, None] * [1.0, 0.0, 2.0]
    first = made(3, 100, position=straight, robot_position=straight)
    time = np.linspace(0, 4, 77)  # other steps, and shorter
    moved = np.stack([np.interp(time, first.time, first["position"].values[:, 0, k]) for k in range(3)], 1)
    moved[:, 1] += 0.03
    columns = {"time": time, "position": moved[:, None], "tension": np.ones((77, 2))}
    second = Result(columns, {"body": ("b0",), "wire": ("w1", "w0")}, (), {"name": "made"})
    figure = plot_runs({"a": first, "b": second})
    assert labels(figure) == ["tension", "tension", "distance", "z"]
    (apart,) = [ax for ax in figure.axes if ax.get_ylabel() == "distance (mm)"]
    np.testing.assert_allclose(apart.lines[0].get_ydata(), 30.0, atol=1e-9)
    assert apart.lines[0].get_xdata().max() <= 4.0
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]
    assert figure.legends[0].get_title().get_text() == "a: 0 to 5 s, b: 0 to 4 s; wire w2: in a only"
    save_figure(figure, tmp_path / "both.png")
    same = made(3, 100, position=straight * (1.0 + 1e-15), robot_position=straight)
    (apart,) = [ax for ax in plot_runs({"a": first, "b": same}).axes if ax.get_ylabel() == "distance (m)"]
    assert apart.texts[0].get_text().startswith("the same up to rounding")


@pytest.mark.parametrize("rows", [8, 12])  # every seventh instant is of both; hardly any
def test_how_far_apart_runs_are_holds_no_error_of_interpolation_and_is_the_same_both_ways(rows):
    def fall(time):
        z = 3.0 * time - 0.5 * 9.81 * time**2
        still = np.zeros_like(time)
        columns = {"time": time, "position": np.stack([still, still, z], 1)[:, None]}
        return Result(
            columns | {"velocity": np.stack([still, still, 3.0 - 9.81 * time], 1)[:, None]},
            {"body": ("b",)},
            (),
            {"name": "made"},
        )

    fine, coarse = fall(np.linspace(0.0, 0.49, 50)), fall(np.linspace(0.0, 0.49, rows))
    for one, other in ((fine, coarse), (coarse, fine)):
        figure = plot_runs({"a": one, "b": other})
        (apart,) = [ax for ax in figure.axes if ax.get_ylabel() == "distance (m)"]
        assert apart.texts[0].get_text().startswith("the same up to rounding")


def test_runs_with_nothing_in_common_are_refused():
    other = made()
    strange = Result({"time": other.time, "tension": other["tension"].values}, {"wire": tuple("abcd")}, (), {})
    with pytest.raises(ResultError, match="neither wires nor bodies"):
        plot_runs({"a": other, "b": strange})
    with pytest.raises(ResultError, match="two results or more"):
        plot_runs({"a": other})
    with pytest.raises(ResultError, match="b: nothing was recorded"):
        plot_runs({"a": other, "b": made(rows=0)})


def test_a_damaged_attribute_is_named():
    result = towsim.simulate(scenarios.get("slack-jerk").build(), duration=0.1)
    for text in ('{"step": [1]', "5"):
        spoiled = Result(
            {name: result[name].values for name in result.recorded},
            result.coords,
            (),
            result.attributes | {"options": text},
        )
        with pytest.raises(ResultError, match="attribute 'options' of this result is missing or damaged"):
            plot(spoiled)


@pytest.mark.parametrize(("drones", "named"), [(2, "d0.rotor1"), (3, "d0")])
def test_the_rotors_of_few_vehicles_have_colours_of_their_own(drones, named):
    actuators = tuple(f"d{i}.rotor{k}" for i in range(drones) for k in (1, 2, 3, 4))
    values = np.linspace(1.0, 9.0, 50)[:, None] + np.arange(4.0 * drones)
    columns = {"time": np.linspace(0, 5, 50), "actuation": values, "command": values}
    (ax,) = plot(Result(columns, {"actuator": actuators}), "actuation").axes
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend[0] == named
    shades = {line.get_color() for line in ax.lines}
    assert len(legend) == len(shades) == (8 if drones == 2 else drones)
