"""Logs on another clock than the run: refused; those that cover a part of it, or more, are fitted."""

from __future__ import annotations

import csv
import re

import numpy as np
import pytest

import towsim
from towsim.cli import main
from towsim.fitting import Log, identify
from towsim.fitting.doubts import unlike
from towsim.scene import scene_from_data, scene_to_text

from .logs import noisy, swing


def test_a_log_that_is_far_longer_than_a_run_of_its_scene_is_refused_before_a_run():
    log = noisy(swing(), 0.0)
    with pytest.raises(towsim.UsageError, match=r"to 1000 s, .* lasts 1 s: are they in another unit.*milliseconds"):
        identify(
            swing(),
            Log(1e3 * log.time, {str(column): x for column, x in log.columns.items()}),
            ["bodies.load.drag.linear"],
            progress=lambda runs, rms: pytest.fail("it has run"),
        )


def test_a_log_whose_times_are_in_another_unit_is_refused(tmp_path):
    """Milliseconds: a pendulum's run is over before the second row, and the log says that it swings."""
    wire = {"from": "r", "to": "load", "length": float(np.hypot(0.3, 1.0))}
    load = {"mass": 1.0, "point": True, "position": [0.3, 0.0, 1.0], "drag": {"linear": 0.2}}
    scene = scene_from_data({"robots": {"r": {"position": [0, 0, 2]}}, "bodies": {"load": load}, "wires": {"w": wire}})
    run = towsim.simulate(scene, duration=1.0, step=1e-3)
    time, x = run.time[::10], run["position"].values[::10, 0, 0]
    free = ["bodies.load.drag.linear"]
    assert towsim.identify(scene, towsim.Log(time, {"position[load,x]": x}), free).converged
    with pytest.raises(towsim.UsageError, match="times in another unit"):
        towsim.identify(scene, towsim.Log(1e3 * time, {"position[load,x]": x}), free)


@pytest.mark.parametrize(
    ("clock", "match"),
    [
        (lambda t: t + 5.0, r"from 5 to 6 s, .* lasts 1 s: .* clock begin elsewhere\? Then take 5 s off"),
        (lambda t: t + 0.95, r"from 0\.95 to 1\.95 s, .* clock begin elsewhere.* run\.duration be 1\.95"),
        (lambda t: t + 1.7e9, r"from 1700000000 to 1700000001 s, .* take 1700000000 s off"),
        (lambda t: 1e3 * t, r"from 0 to 1000 s, .* lasts 1 s: are they in another unit"),
        (lambda t: t / 60.0, r"within 0\.0167 s, .* lasts 1 s, goes .* in another unit, such as minutes\?"),
        (lambda t: t / 3600.0, r"rows are 2\.78e-06 s apart, 720 to a step of the run \(0\.002 s\)"),
    ],
)
def test_a_log_on_another_clock_than_its_run_is_refused(tmp_path, capsys, clock, match):
    """From Python, and from the command line by the file's name; before, the drag was up to 51 ± 94, or 7 million."""
    log, drag = noisy(swing(**{"bodies.load.drag.linear": 0.3}), 1e-3), "bodies.load.drag.linear"
    moved = Log(clock(log.time), {str(column): x for column, x in log.columns.items()})
    with pytest.raises(towsim.UsageError, match=f"log: .*{match}"):
        identify(swing(), moved, [drag])
    (tmp_path / "swing.yaml").write_text(scene_to_text(swing()))
    with (tmp_path / "camera.csv").open("w", newline="") as file:
        csv.writer(file).writerow(["time", *map(str, moved.columns)])
        csv.writer(file).writerows(np.column_stack([moved.time, *moved.columns.values()]).tolist())
    assert main(["identify", str(tmp_path / "camera.csv"), str(tmp_path / "swing.yaml"), "--free", drag]) == 2
    assert re.search(f"camera.csv: .*{match}", capsys.readouterr().err)


@pytest.mark.parametrize(("first", "last"), [(0.0, 0.03), (0.4, 0.6), (0.9, 1.0), (0.0, 5.0), (0.9, 1.5)])
def test_a_log_of_a_part_of_a_run_or_of_a_longer_one_is_fitted(first, last):
    """The first 3 % of it, its middle, its end; what goes on after it."""
    run = towsim.simulate(swing(**{"bodies.load.drag.linear": 0.3}), duration=5.0)
    rows = (run.time >= first) & (run.time <= last)
    found = identify(
        swing(),
        Log(run.time[rows], {"position[load,x]": run["position"].values[rows, 0, 0]}),
        ["bodies.load.drag.linear"],
    )
    assert found["bodies.load.drag.linear"] == pytest.approx(0.3, abs=1e-6)
    assert not found.unlike


def test_of_a_column_of_zeros_rounding_is_all_that_is_left():
    time = 0.01 * np.arange(50)
    log = Log(time, {"position[load,y]": np.zeros(50)})
    assert not [*unlike(log, {"position[load,y]": 1e-20 * time}, "log")]
    assert len([*unlike(log, {"position[load,y]": 1e-3 * time}, "log")]) == 1


def test_a_run_that_does_not_do_what_is_logged_is_told_by_column():
    """A clock that is fast by half of the run: x, which swings, is left; y is noise, though none is given."""
    log, drag = noisy(swing(**{"bodies.load.drag.linear": 0.3}), 1e-3), "bodies.load.drag.linear"
    late = identify(swing(), Log(log.time + 0.5, {str(column): x for column, x in log.columns.items()}), [drag])
    assert "log: a run does not do what is logged as position[load,x]" in str(late)
    assert "position[load,y]:" not in str(late)
    assert not identify(swing(), log, [drag]).unlike
