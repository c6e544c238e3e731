"""Logs as files: what is read of them, what is refused and with which place, and what is doubted."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import towsim
from towsim.errors import SceneWarning
from towsim.fitting import Log, read_log
from towsim.fitting.doubts import check_clock, check_units
from towsim.scene import scene_from_text


def _run():
    scene = """
    bodies: {load: {mass: 1.2, point: true, position: [0, 0, 1]}}
    robots: {a: {position: [0, 0, 2]}}
    wires: {left: {from: a, to: load, length: 1}}
    """
    return towsim.simulate(scene_from_text(scene), duration=0.01)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("time,position[load,x]\n0,1\n0,2\n", "must ascend"),
        ("time,position[load,x]\n0,1\n1,two\n", "a number is needed"),
        ("time,position[load,x]\n0,1\n1\n", "1 cells for 2 titles"),
        ("clock,position[load,x]\n0,1\n1,2\n", "called time"),
        ("Time,position[load,x]\n0,1\n1,2\n", "called time .*; is it 'Time'?"),
        ("n,time [s],position[load,x]\n0,0,1\n1,1,2\n", r"called time .*; is it 'time \[s\]'?"),
        ("time;position[load,x]\n0;1\n1;2\n", "here ';' separates"),
        ("time\tposition[load,x]\n0\t1\n1\t2\n", r"here '\\t' separates"),
        ("time,position[load,x]\n0,1\n1,-inf\n", r"line 3, position\[load,x\]: a number that is not finite"),
        ("time,x\n0,1\n1,2\n", "no column that a run predicts"),
        ("time,position[load,x] (mm)\n0,1\n1,2\n", "unit must be m"),
        ("time,position[load,x]\n0,\n1,\n", "no finite value"),
        ("time,position[load,x]\n0,1\nnan,2\n", "line 3 has no time"),
        ("# of\n\n# a day\ntime,position[load,x]\n0,1\n\n1,two\n", "line 7, position"),
        ("# of\n\n# a day\ntime,position[load,x]\n0,1\n\n0,2\n", r"0 s \(line 7\) follows"),
        ("time,position[load,x]\n", "rows of numbers"),
        ("time,position[load,x],position[load,x]\n0,1,2\n1,2,3\n", r"position\[load,x\] is there twice"),
        ('time,position[load,x],"position [load, x] (m)"\n0,1,2\n1,2,3\n', r"position\[load,x\] is there twice"),
    ],
)
def test_a_damaged_log_is_refused_with_its_place(tmp_path, text, match):
    file = tmp_path / "log.csv"
    file.write_text(text)
    with pytest.raises(towsim.UsageError, match=match):
        read_log(file)


def test_a_log_whose_name_has_a_null_byte_is_refused(tmp_path):
    with pytest.raises(towsim.UsageError, match=r"cannot read the log .*: embedded null byte"):
        read_log(tmp_path / "a\0b.csv")


def test_a_result_is_no_log_and_the_message_says_how_it_becomes_one(tmp_path):
    _run().save(tmp_path / "run.nc")
    with pytest.raises(towsim.UsageError, match=r"it is no text; of a result: towsim export .*run\.nc -o run\.csv"):
        read_log(tmp_path / "run.nc")


def test_titles_may_have_spaces_and_one_that_is_almost_right_is_told(tmp_path):
    file = tmp_path / "log.csv"
    file.write_text('time,position [load, x],"position[load, y] (m)",gps_week,battery[left]\n0,1,2,3,4\n1,2,3,4,5\n')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [*map(str, read_log(file).columns)] == ["position[load,x]", "position[load,y]"]
    for title, likely in (("positon[load,y]", r"position\[load,y\]"), ("position_load_y", r"position\[\.\.\]")):
        file.write_text(f"time,tension[left],{title}\n0,1,2\n1,2,3\n")
        with pytest.warns(SceneWarning, match=rf"{re.escape(title)}' .*left out; did you mean {likely}"):
            assert [*map(str, read_log(file).columns)] == ["tension[left]"]


def test_an_exported_table_has_no_title_that_is_doubted(tmp_path):
    _run().save(tmp_path / "run.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(read_log(tmp_path / "run.csv").columns) > 6


def test_a_run_that_stays_where_it_is_has_no_clock_and_no_unit_to_be_doubted():
    """It goes to and fro by rounding; one that does so as far as the log goes is on another clock."""
    time = 0.01 * np.arange(51)
    log = Log(time, {"position[load,y]": 1e-3 * np.sin(3.0 * time)})
    (column, smooth), to_and_fro = *log.columns.items(), (-1.0) ** np.arange(51)
    check_clock(column, smooth, 1e-18 * to_and_fro, log, 1.0, "log")
    check_clock(column, smooth, 1e-18 * to_and_fro, log, 1e3, "log")
    check_units(log, {column: 1e-18 * to_and_fro}, {}, "log")
    with pytest.raises(towsim.UsageError, match="in another unit"):
        check_units(log, {column: 1e-6 * to_and_fro}, {}, "log")
    with pytest.raises(towsim.UsageError, match="goes to and fro"):
        check_clock(column, smooth, 1e-3 * to_and_fro, log, 1.0, "log")


def test_a_masked_reading_is_missing():
    numbers = np.ma.array([1.0, 1e20, 2.0], mask=[False, True, False])
    (read,) = Log([0.0, 1.0, 2.0], {"position[load,x]": numbers}).columns.values()
    np.testing.assert_array_equal(read, [1.0, np.nan, 2.0])


@pytest.mark.parametrize(
    ("time", "got"),
    [
        (np.array([0, 1000, 2000], "timedelta64[ms]"), r"array.*timedelta64\[ms\]"),
        (np.array([0.0, 1.0, 2.0], complex), "array"),
        ([0.0, 1.0, 10**400], r"\[0\.0, 1\.0, 1000"),
    ],
)
def test_times_that_are_no_plain_numbers_are_refused(time, got):
    with pytest.raises(towsim.UsageError, match=f"log: time must be numbers, got {got}"):
        Log(time, {"position[load,x]": [1.0, 2.0, 3.0]})


def test_columns_that_are_no_mapping_are_refused():
    with pytest.raises(towsim.UsageError, match="columns must be a mapping from titles to numbers, got 3"):
        Log([0.0, 1.0], 3)
