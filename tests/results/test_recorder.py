"""The recorder keeps what it is given, and its summary covers every row."""

import dataclasses
import itertools
import json
import time

import numpy as np
import pytest

from towsim.errors import ResultError
from towsim.results import Event, Recorder, Result
from towsim.results.extremes import Extremes
from towsim.sweep.metrics import metric

COORDS = {"body": ["box"], "wire": ["left", "right"], "robot": [], "joint": []}


def block(rows, seed=0, step=1e-3):
    """Rows ``rows`` (a range) of a run with random values."""
    random = np.random.default_rng((seed, rows.start))
    n = len(rows)
    return {
        "time": np.array(rows) * step,
        "position": random.normal(size=(n, 1, 3)),
        "tension": random.uniform(1, 2, (n, 2)),
        "gap": random.uniform(-1e-9, 1, (n, 2)),
        "residual": random.uniform(0, 1e-12, n),
        "status": np.zeros(n, np.int64),
        "tension_unique": np.ones(n, bool),
        "joint_reaction": np.empty((n, 0, 3)),
    }


def record(blocks, every=1, events=(), **attributes):
    recorder = Recorder(COORDS, {"name": "test"}, every=every)
    for one in blocks:
        recorder.append(one, events)
        events = ()
    return recorder.finish(attributes)


def test_blocks_are_put_together_unchanged():
    parts = [block(range(5)), block(range(5, 5)), block(range(5, 12))]
    result = record(parts)
    for name in ("time", "position", "tension"):
        expected = np.concatenate([part[name] for part in parts])
        np.testing.assert_array_equal(result[name].values, expected)
    assert result["status"].values.dtype == np.int8
    assert result.column("gap")[3:7].tolist() == result["gap"].values[3:7].tolist()


@pytest.mark.parametrize("every", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("sizes", [(20,), (1,) * 20, (4, 6, 0, 10), (7, 7, 6), (19, 1)])
def test_every_nth_row_and_the_last_are_recorded(every, sizes):
    starts = np.concatenate(([0], np.cumsum(sizes)))
    result = record([block(range(a, b)) for a, b in itertools.pairwise(starts)], every=every)
    expected = sorted({*range(0, 20, every), 19})
    assert np.rint(result.time / 1e-3).astype(int).tolist() == expected


@pytest.mark.parametrize("every", [1, 5])
def test_summary_covers_rows_that_were_not_recorded(every):
    parts = [block(range(9)), block(range(9, 20))]
    parts[0]["gap"][3, 1] = -0.25
    parts[1]["residual"][2] = 1e-3
    parts[1]["status"][4] = 1
    parts[0]["tension_unique"][0], parts[1]["tension_unique"][5:8] = False, False  # before any step, and in three
    summary = record(parts, every=every).summary()
    assert summary.steps == 19
    assert (summary.stretch, summary.stretch_wire) == (0.25, "right")
    assert summary.stretch_time == pytest.approx(3e-3)
    assert (summary.residual, summary.unsolved, summary.not_unique) == (1e-3, 1, 3)
    assert summary.residual_time == pytest.approx(11e-3)


def test_tension_range_is_that_of_all_steps_in_those_of_a_jerk_as_well():
    parts = [block(range(10)), block(range(10, 20))]
    parts[0]["tension"][9, 0] = 500.0
    recorder = Recorder(COORDS)
    recorder.append(parts[0])
    recorder.append(parts[1], [Event(9e-3, "jerk", "left", impulse=1.0, duration=1e-3)])
    left, right = recorder.finish().summary().wires
    assert left.tension_max == 500.0
    assert left.jerks == 1
    assert right.jerks == 0
    both = np.concatenate([part["tension"][:, 1] for part in parts])
    assert (right.tension_min, right.tension_max) == (both[1:].min(), both[1:].max())  # without the initial state


def test_tension_range_leaves_out_the_initial_state():
    rows = block(range(10))
    rows["tension"][0] = 0.0
    assert record([rows]).summary().wires[0].tension_min >= 1.0


def test_a_row_that_does_not_apply_hides_no_stretch():
    rows = block(range(10))
    rows["gap"][2, 0], rows["gap"][5, 0] = np.nan, -0.5
    assert record([rows]).summary().stretch == 0.5


def test_undefined_residual_is_reported_as_the_worst():
    rows = block(range(10))
    rows["residual"][4] = np.nan
    summary = record([rows, block(range(10, 20))]).summary()
    assert np.isnan(summary.residual)
    assert summary.residual_time == pytest.approx(4e-3)


def test_a_run_whose_steps_have_no_residual_tells_none():
    rows = {name: values for name, values in block(range(10)).items() if name != "residual"}
    result = record([rows])
    assert np.isnan(result.summary().residual)
    assert "residual" not in str(result.summary())
    assert np.isnan(metric("residual")[1](result))


def test_summary_from_variables_equals_the_recorded_one():
    rows = block(range(50))
    rows["tension"][20:22, 0] = 99.0
    jerk = Event(0.020, "jerk", "left", 1.0, 0.5, 1e-3)
    result = record([rows], events=[jerk], wall_time=0.5)
    again = Result({name: result.column(name) for name in rows if name in result}, result.coords, result.events)
    assert "extremes" not in again.attributes
    assert again.summary().wires == result.summary().wires
    assert result.summary().time_per_step == pytest.approx(0.5 / 49)
    assert json.dumps(again.summary().to_dict())


@pytest.mark.parametrize("every", [1, 3])
def test_what_is_written_to_its_rows_does_not_change_the_summary(every):
    """The run is summed up when it is asked for, as it was computed."""
    parts = [block(range(9)), block(range(9, 20))]
    before, result = record(parts, every=every).summary(), record(parts, every=every)
    for name in ("tension", "gap", "residual", "time"):
        result[name].values[:] = 7.0
    after = dataclasses.replace(result.summary(), memory=before.memory)  # the process may have grown
    assert repr(after) == repr(before)  # NaN, too


def test_nothing_recorded_is_a_result_of_zero_rows():
    result = Recorder(COORDS).finish()
    assert len(result.time) == 0
    assert result.summary().steps == 0
    assert "Result" in repr(result)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tension": np.zeros((5, 3))}, r"tension: shape \(5, 3\) in a block, expected \(5, 2\)"),
        ({"tensoin": np.zeros((5, 2))}, "did you mean 'tension'"),
    ],
)
def test_wrong_blocks_are_named(change, message):
    with pytest.raises(ResultError, match=message):
        Recorder(COORDS).append({**block(range(5)), **change})


def test_blocks_must_hold_the_same_variables():
    recorder = Recorder(COORDS)
    recorder.append(block(range(5)))
    with pytest.raises(ResultError, match="the first one held"):
        recorder.append({"time": np.zeros(2)})


def test_recording_5000_steps_costs_less_than_a_microsecond_each():
    parts = [block(range(4096)), block(range(4096, 5001))]
    best = np.inf
    for _ in range(20):
        start = time.perf_counter()
        record(parts).summary()
        best = min(best, time.perf_counter() - start)
    assert best < 5e-3  # 0.2 ms when the machine is idle; python work for each step would cost 10 times the limit


@pytest.mark.parametrize("size", [1, 2, 3, 5, 40])
def test_a_peak_that_passes_in_three_rows_is_told_whatever_the_blocks(size):
    """Wire a: 2, 9, 90, 60, 5; b: the same over six rows; c: as a, in the last rows; d: barely above the rest."""
    time = 0.1 * np.arange(40.0)
    tension = np.full((40, 4), 2.0)
    tension[10:13, 0] = 9.0, 90.0, 60.0
    tension[20:26, 1] = 9.0, 50.0, 90.0, 90.0, 60.0, 50.0
    tension[38:, 2] = 9.0, 90.0
    tension[30, 3] = 5.0
    extremes = Extremes(["a", "b", "c", "d"])
    for k in range(0, 40, size):
        extremes.update({"time": time[k : k + size], "tension": tension[k : k + size]})
    wires = extremes.report()["wires"]
    assert [wires[name].get("short_peak") for name in "abcd"] == [time[11], None, None, None]
