"""A run on disk survives the death of its process at any moment."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from towsim.errors import ResultError
from towsim.results import Event, Recorder, open_result
from towsim.results.files import parts_folder
from towsim.results.store import Store, assemble

COORDS = {"body": ["bøx"], "wire": ["left", "right"]}
ROWS = 64


def block(index):
    """Block ``index`` of a run whose values tell their own row."""
    rows = np.arange(index * ROWS, (index + 1) * ROWS, dtype=float)
    return {
        "time": rows * 1e-3,
        "position": np.stack([rows, rows + 0.25, -rows], 1)[:, None, :],
        "tension": np.stack([rows + 1, 2 * rows], 1),
        "gap": np.zeros((ROWS, 2)),
        "status": np.zeros(ROWS, np.int8),
    }


def record(path, blocks, **options):
    recorder = Recorder(COORDS, {"name": "test"}, Store(path, **options))
    for index in range(blocks):
        recorder.append(block(index), [Event(index * ROWS * 1e-3, "taut", "left")])
    return recorder


def assert_whole_blocks(result):
    """The result is the run up to the end of some block. Returns the number of blocks."""
    count = len(result.time)
    rows = np.arange(count, dtype=float)
    assert count % ROWS == 0
    np.testing.assert_array_equal(result.time, rows * 1e-3)
    if count:
        np.testing.assert_array_equal(result["position"].sel(body="bøx", xyz="y"), rows + 0.25)
        np.testing.assert_array_equal(result["tension"].sel(wire="right"), 2 * rows)
    assert len(result.events) == count // ROWS
    return count // ROWS


def test_a_finished_run_is_one_file(tmp_path):
    result = record(tmp_path / "run.nc", 5).finish({"wall_time": 1.0})
    assert assert_whole_blocks(result) == 5
    assert [file.name for file in tmp_path.iterdir()] == ["run.nc"]
    assert result.attributes["wall_time"] == 1.0
    assert "unfinished" not in result.attributes
    assert result.summary().steps == 5 * ROWS - 1
    assert result.summary().wires[1].tension_max == 2 * (5 * ROWS - 1)


@pytest.mark.parametrize("every", [1, 7])
def test_disk_and_memory_give_the_same_result(tmp_path, every):
    results = []
    for store in (None, Store(tmp_path / "run.nc")):
        recorder = Recorder(COORDS, {"name": "test"}, store, every=every)
        for index in range(5):
            recorder.append(block(index), [Event(index * ROWS * 1e-3, "taut", "left")])
        results.append(recorder.finish({"wall_time": 1.0}))
    memory, disk = results
    assert list(memory.variables) == list(disk.variables)
    for name in memory.variables:
        assert memory[name].values.tobytes() == disk[name].values.tobytes()
    assert memory.events == disk.events
    assert memory.attributes == disk.attributes


def test_a_run_under_way_can_be_read(tmp_path):
    path = tmp_path / "run.nc"
    recorder = record(path, 0)
    for index in range(4):
        for name in (path, tmp_path / "run.nc.parts"):
            result = open_result(name)
            assert assert_whole_blocks(result) == index
            assert result.attributes["unfinished"] == 1
            assert result.summary().steps == max(0, index * ROWS - 1)
        recorder.append(block(index), [Event(index * ROWS * 1e-3, "taut", "left")])


def test_an_unfinished_run_can_be_finished_later(tmp_path):
    record(tmp_path / "run.nc", 3)
    result = assemble(tmp_path / "run.nc")
    assert assert_whole_blocks(result) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["run.nc"]


def test_an_empty_run_is_a_readable_file(tmp_path):
    result = record(tmp_path / "run.nc", 0).finish()
    assert len(open_result(tmp_path / "run.nc").time) == 0
    assert result.coords["wire"] == ("left", "right")


def test_existing_runs_are_refused_before_anything_is_written(tmp_path):
    record(tmp_path / "run.nc", 1).finish()
    before = (tmp_path / "run.nc").read_bytes()
    with pytest.raises(ResultError, match=r"run.nc exists already.*--force"):
        Store(tmp_path / "run.nc")
    assert (tmp_path / "run.nc").read_bytes() == before
    assert assert_whole_blocks(record(tmp_path / "run.nc", 2, force=True).finish()) == 2


def test_an_unfinished_run_is_not_overwritten_unless_forced(tmp_path):
    record(tmp_path / "run.nc", 2)
    with pytest.raises(ResultError, match=r"run.nc.parts holds a run that was not finished.*--force"):
        Store(tmp_path / "run.nc")
    assert assert_whole_blocks(record(tmp_path / "run.nc", 1, force=True).finish()) == 1


def test_forcing_keeps_the_old_file_until_the_new_run_begins(tmp_path):
    record(tmp_path / "run.nc", 1).finish()
    Store(tmp_path / "run.nc", force=True)
    assert assert_whole_blocks(open_result(tmp_path / "run.nc")) == 1


@pytest.mark.parametrize(
    ("name", "message"), [("run.csv", "stored as .nc"), (".", "stored as .nc"), ("no/run.nc", "there is no folder")]
)
def test_impossible_targets_are_named(tmp_path, name, message):
    with pytest.raises(ResultError, match=message):
        Store(tmp_path / name)


def test_a_damaged_segment_is_named(tmp_path):
    record(tmp_path / "run.nc", 2)
    segment = tmp_path / "run.nc.parts" / "segment-000001.npz"
    segment.write_bytes(segment.read_bytes()[:-200])
    with pytest.raises(ResultError, match=r"segment-000001.npz is damaged"):
        open_result(tmp_path / "run.nc")


@pytest.mark.parametrize(
    "spoil",
    [lambda _: b"7", lambda text: text.replace(b"coords", b"coorde"), lambda text: text.replace(b"left", b"lefu")],
)
def test_a_manifest_with_another_byte_is_damaged(tmp_path, spoil):
    record(tmp_path / "run.nc", 2)
    manifest = tmp_path / "run.nc.parts" / "manifest.json"
    whole = manifest.read_bytes()
    manifest.write_bytes(spoil(whole))
    assert manifest.read_bytes() != whole
    with pytest.raises(ResultError, match=r"manifest\.json is missing or damaged"):
        open_result(tmp_path / "run.nc")


def started(work, *given):
    """A process that does ``work(*given, say)``, where ``say`` sends a line to the file that comes with it."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            work(*given, lambda text: os.write(writes, f"{text}\n".encode()))
        finally:
            os._exit(0)
    os.close(writes)
    return child, open(reads)


def killed(child, file):
    """Kill it; what it had said since."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with file:
        return file.read().split()


def write_a_run(path, blocks, say):
    recorder = record(path, 0)
    for index in range(blocks):
        recorder.append(block(index), [Event(index * ROWS * 1e-3, "taut", "left")])
        say(index + 1)
    recorder.finish()
    say("finished")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")
def test_kill_9_at_any_moment_loses_at_most_the_block_under_way(tmp_path):
    moment = random.Random(1)
    survived = []
    for attempt in range(5):
        path = tmp_path / f"run{attempt}.nc"
        child, file = started(write_a_run, path, 300)
        file.readline()  # the first block is on disk
        time.sleep(moment.uniform(0.0, 0.4))
        said = killed(child, file)
        kept = assert_whole_blocks(open_result(path))
        acknowledged = 300 if "finished" in said else int(said[-1]) if said else 1
        assert acknowledged <= kept <= acknowledged + 1
        survived.append(kept)
        assert (
            assert_whole_blocks(open_result(path).save(tmp_path / f"saved{attempt}.nc") and open_result(path)) == kept
        )
    assert len(set(survived)) > 1


def assemble_a_run(path, say):
    say("begins")
    assemble(path)


@pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")
def test_kill_9_while_the_file_is_assembled_loses_nothing(tmp_path):
    path = tmp_path / "run.nc"
    moment = random.Random(2)
    record(path, 100)
    for _ in range(5):
        child, file = started(assemble_a_run, path)
        file.readline()
        time.sleep(moment.uniform(0.0, 0.15))
        killed(child, file)
        assert assert_whole_blocks(open_result(path)) == 100
        if path.exists():
            break


@pytest.mark.slow
def test_memory_does_not_grow_with_the_run(tmp_path):
    """Eight times the steps, about the same peak: 32 blocks of 6 MB against 4."""
    script = tmp_path / "grow.py"
    script.write_text(
        textwrap.dedent("""
        import resource, sys
        import numpy as np
        from towsim.results import Recorder
        from towsim.results.store import Store
        rows = 2048
        names = [f"b{i}" for i in range(128)]
        recorder = Recorder({"body": names}, {}, Store(sys.argv[1]))
        for k in range(int(sys.argv[2])):
            time = np.arange(k * rows, (k + 1) * rows) * 1e-3
            recorder.append({"time": time, "position": np.full((rows, 128, 3), float(k))})
        result = recorder.finish()
        assert len(result.time) == rows * int(sys.argv[2])
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        """)
    )
    peak = [
        int(subprocess.check_output([sys.executable, script, tmp_path / f"run{blocks}.nc", str(blocks)]))
        for blocks in (4, 32)
    ]
    assert peak[1] < peak[0] + 50, peak  # the run is 170 MB longer


def test_a_run_has_one_writer(tmp_path):
    path = tmp_path / "run.nc"
    recorder = record(path, 1)
    files = {file.name: file.read_bytes() for file in parts_folder(path).iterdir()}
    with pytest.raises(ResultError, match=r"run\.nc\.parts is still under way"):
        assemble(path)
    with pytest.raises(ResultError, match="still under way"):
        Store(path, force=True)
    assert {file.name: file.read_bytes() for file in parts_folder(path).iterdir()} == files
    recorder.release()
    assert assert_whole_blocks(assemble(path)) == 1
