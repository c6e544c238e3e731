"""A process is killed, or interrupted, before every single file operation: what it had computed is never made less."""

import os
import shutil
import signal
import sys

import netCDF4  # noqa: F401  here, and not in every process that is cut
import numpy as np
import pytest

import scenarios
import towsim
from towsim.analysis.replay import differences
from towsim.results import Event, Recorder, open_result, store
from towsim.results.store import Store, assemble
from towsim.run import blocks

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")

OPERATIONS = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.scandir", "os.listdir", "shutil.rmtree"}
ROWS, BLOCKS = 16, 2
ENDED, INTERRUPTED, BROKEN = 0, 130, 1


def cut_at(moment, sign, folder, work, prepare):
    """Do ``work(prepare())`` in a process of its own; ``work`` gets a signal ahead of an operation in ``folder``.

    Returns its exit code, or minus the signal that ended it.
    """
    child = os.fork()
    if child == 0:
        count, code, mine = 0, BROKEN, os.getpid()

        def watch(what, given):
            nonlocal count
            if what in OPERATIONS or (what == "open" and str(folder) in str(given[0])):
                count += 1
                if count == moment and os.getpid() == mine:
                    os.kill(mine, sign)

        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            prepared = prepare()
            sys.addaudithook(watch)
            work(prepared)
            code = ENDED
        except KeyboardInterrupt:
            code = INTERRUPTED
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    return os.waitstatus_to_exitcode(status)


def every_moment(sign, folder, work, prepare=lambda: None, apart=1):
    """The moments of ``work``, ``apart`` from each other, each after it was cut there, until it comes to its end.

    Interrupts, at which a process still tidies up, are tried at every second one of these.
    """
    apart *= 1 if sign == signal.SIGKILL else 2
    for moment in range(1, 500, apart):
        code = cut_at(moment, sign, folder, work, prepare)
        assert code in (ENDED, INTERRUPTED, -sign)
        yield moment
        if code == ENDED:
            return
    raise AssertionError("the work has no end")


def block(index):
    rows = np.arange(index * ROWS, (index + 1) * ROWS, dtype=float)
    return {"time": rows * 1e-3, "tension": np.stack([rows + 1, 2 * rows], 1)}


def record(path, blocks, **options):
    recorder = Recorder({"wire": ["left", "right"]}, {"name": "test"}, Store(path, **options))
    for index in range(blocks):
        recorder.append(block(index), [Event(index * ROWS * 1e-3, "taut", "left")])
    return recorder


def rows_of(path):
    result = open_result(path)
    rows = np.arange(len(result.time), dtype=float)
    np.testing.assert_array_equal(result.time, rows * 1e-3)
    if len(rows):
        np.testing.assert_array_equal(result["tension"].sel(wire="right"), 2 * rows)
    return len(rows)


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_cut_while_it_is_finished_keeps_all_its_rows(tmp_path, sign):
    path, moments = tmp_path / "run.nc", []
    for moment in every_moment(sign, tmp_path, Recorder.finish, lambda: record(path, BLOCKS)):
        moments.append(moment)
        assert rows_of(path) == BLOCKS * ROWS
        if (tmp_path / "run.nc.parts").exists():
            assemble(path)
            assert rows_of(path) == BLOCKS * ROWS
        for file in tmp_path.iterdir():
            shutil.rmtree(file) if file.is_dir() else file.unlink()
    assert len(moments) > (15 if sign == signal.SIGKILL else 7)


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_file_that_is_made_of_its_parts_is_never_made_of_fewer(tmp_path, sign):
    path = tmp_path / "run.nc"
    record(tmp_path / "whole.nc", BLOCKS)
    shutil.copytree(tmp_path / "whole.nc.parts", tmp_path / "run.nc.parts")
    for _ in every_moment(sign, tmp_path, lambda _: assemble(path)):
        assert rows_of(path) == BLOCKS * ROWS
        if (tmp_path / "run.nc.parts").exists():  # resume does this with a run that had come to its end
            assemble(path)
        assert rows_of(path) == BLOCKS * ROWS
        assert not (tmp_path / "run.nc.parts").exists()
        path.unlink()
        shutil.copytree(tmp_path / "whole.nc.parts", tmp_path / "run.nc.parts")


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_an_old_file_is_whole_until_the_run_that_replaces_it_has_begun(tmp_path, sign):
    path = tmp_path / "run.nc"
    record(path, BLOCKS).finish()
    whole = path.read_bytes()
    for _ in every_moment(sign, tmp_path, lambda _: record(path, 0, force=True)):
        if path.exists():
            assert path.read_bytes() == whole
            if (tmp_path / "run.nc.parts" / "manifest.json").exists():
                assert rows_of(assemble(path) and path) == BLOCKS * ROWS
        path.write_bytes(whole)


def test_what_lacks_a_segment_is_not_taken_for_a_whole_run(tmp_path, monkeypatch):
    path, recorder = tmp_path / "run.nc", record(tmp_path / "run.nc", BLOCKS)
    with monkeypatch.context() as patch:
        patch.setattr(store, "assemble", interrupted)
        with pytest.raises(KeyboardInterrupt):
            recorder.finish()
    for missing in range(BLOCKS):
        segment = tmp_path / "run.nc.parts" / f"segment-{missing:06d}.npz"
        held = segment.read_bytes()
        segment.unlink()
        with pytest.raises(towsim.ResultError, match=f"lacks its {segment.name}"):
            assemble(path)
        assert not path.exists()
        segment.write_bytes(held)
    assemble(path)
    assert rows_of(path) == BLOCKS * ROWS


def interrupted(*_):
    raise KeyboardInterrupt


def test_a_leftover_of_a_killed_process_is_removed_by_the_next_one(tmp_path):
    left = tmp_path / ".run.nc.parts.removed"
    left.mkdir()
    (left / "segment-000003.npz").write_bytes(b"left")
    record(tmp_path / "run.nc", 1).finish()
    assert [file.name for file in tmp_path.iterdir()] == ["run.nc"]


@pytest.mark.slow
def test_a_run_cut_at_any_moment_of_its_end_is_resumed_with_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    scene, path = scenarios.get("four-robots-box").build(), tmp_path / "run.nc"
    whole = towsim.simulate(scene, duration=0.1)

    def run(_):
        towsim.simulate(scene, duration=0.1, output=path, checkpoint_every=0.0)

    for moment in every_moment(signal.SIGKILL, tmp_path, run, apart=5):
        if (tmp_path / "run.nc.parts" / "checkpoint.npz").exists():
            result = towsim.resume(path)
            assert not differences(whole, result), moment
            assert len(result.time) == len(whole.time)
        elif path.exists():
            assert not differences(whole, open_result(path)), moment
        for file in tmp_path.iterdir():
            shutil.rmtree(file) if file.is_dir() else file.unlink()
