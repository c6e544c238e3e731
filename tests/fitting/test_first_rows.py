"""Rows of a run in which forces lack what Stewart–Trinkle learns in its first step say nothing of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.fitting import Log, identify
from towsim.fitting.first_rows import lacking
from towsim.fitting.log import Column
from towsim.methods.method import METHODS
from towsim.scene import scene_from_data
from towsim.scene.data import to_data

MASS, DRAG, STEP = 2.0, 0.5, 2e-3


def _bob(mass=MASS, drag=DRAG):
    """A bob that swings from the start: m v²/L = 18 N of 37.6 N."""
    load = {"mass": mass, "point": True, "position": [0, 0, 1], "velocity": [3, 0, 0], "drag": {"linear": drag}}
    return scene_from_data(
        {
            "robots": {"hook": {"position": [0, 0, 2]}},
            "bodies": {"load": load},
            "wires": {"w": {"from": "hook", "to": "load", "length": 1.0}},
            "run": {"step": STEP, "duration": 0.6},
        }
    )


@pytest.fixture(scope="module")
def runs():
    return {method: towsim.simulate(_bob(), method=method) for method in ("stewart-trinkle", "shake")}


@pytest.mark.parametrize("variable", ["tension", "acceleration"])
def test_first_rows_lack_what_the_step_learns_and_no_others(runs, variable):
    """Within 2 %: methods of order 1 and 2, a step apart."""
    rough, good = (np.abs(runs[method][variable].values.reshape(301, -1)).max(axis=1) for method in runs)
    lacking = METHODS["stewart-trinkle"].lacking(variable)
    wrong = np.abs(rough / good - 1.0) > 0.02
    assert wrong[:lacking].all()
    assert not wrong[lacking:50].any()
    assert METHODS["shake"].lacking(variable) == 0


@pytest.mark.parametrize("lag", [False, True])
def test_a_fit_does_not_believe_rows_that_lack_something(runs, lag):
    """The log is the run but for its first rows, which are the true ones: a lag of −2 steps loses them, too."""
    tension = runs["stewart-trinkle"]["tension"].values[:, 0].copy()
    tension[:2] = runs["shake"]["tension"].values[:2, 0]
    log = Log(runs["shake"].time, {"tension[w]": tension})
    found = identify(_bob(1.8, 0.3), log, ["bodies.load.mass", "bodies.load.drag.linear", *["lag"] * lag])
    assert found.values[:2] == pytest.approx([MASS, DRAG], rel=1e-6)
    assert found.values[2:] == pytest.approx([0.0] * lag, abs=1e-6)
    assert "rows before 0.004 s are left out of tension[w]: stewart-trinkle" in str(found)
    assert np.isnan(found.residuals["log"]["tension[w]"][:2]).all()
    assert not identify(_bob(), log, ["bodies.load.mass"], method="shake", most_runs=1).left_out


def test_a_log_of_no_other_rows_is_refused():
    log = Log([0.0, STEP], {"tension[w]": [37.6, 37.6]})
    with pytest.raises(towsim.UsageError, match="no row but the first ones"):
        identify(_bob(), log, ["bodies.load.mass"])


def _measured(rate):
    data = to_data(_bob())
    data["bodies"]["load"] = data["bodies"]["load"] | {"point": False, "inertia": [0.01, 0.01, 0.01]}
    cell, box = {"kind": "load-cell", "of": "w", "rate": rate}, {"kind": "imu", "of": "load", "rate": rate}
    return scene_from_data(data | {"sensors": {"cell": cell, "box": box}})


CELL, BOX, TURN = (Column("reading", (channel,)) for channel in ("cell.tension", "box.fz", "box.gx"))


@pytest.mark.parametrize(("every", "cell", "box"), [(1, 3, 3), (2, 4, 4), (5, 5, 10)])
def test_readings_of_forces_lack_it_until_one_is_whole(every, cell, box):
    scene = _measured(1.0 / (every * STEP))
    learning, other = METHODS["stewart-trinkle"], METHODS["shake"]
    assert [lacking(scene, learning, STEP, one) for one in (CELL, BOX, TURN)] == [cell, box, 0]
    assert [lacking(scene, other, STEP, one) for one in (CELL, BOX, TURN)] == [every, every, 0]


@pytest.mark.slow
@pytest.mark.parametrize("every", [1, 2, 5])
def test_and_so_they_do_in_runs(every):
    """As above, of a mean over a few steps the share of one: within 3 %."""
    scene = _measured(1.0 / (every * STEP))
    rough, good = (towsim.simulate(scene, duration=0.05, method=how)["reading"] for how in ("stewart-trinkle", "shake"))
    for one in (CELL, BOX):
        first = lacking(scene, METHODS["stewart-trinkle"], STEP, one)
        mine, other = (run.sel(channel=one.place[0]).values for run in (rough, good))
        wrong = ~(np.abs(mine / other - 1.0) < 0.03)
        assert wrong[first - every : first].all() or not np.isfinite(mine[first - every])
        assert not wrong[first:].any()
