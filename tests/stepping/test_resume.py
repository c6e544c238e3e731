"""A run that was cut short goes on from its last checkpoint with the same bits as one that never stopped."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import scenarios
import towsim
from towsim.analysis.replay import differences
from towsim.run import blocks
from towsim.run.engine import kept

CASES = {  # friction; a winch, with paths found anew; cables with histories; wires that come and go; control; an arm
    "drag-box-rough-ground": {"method": "stewart-trinkle", "duration": 1.0, "step": 1e-3},
    "crane-winch": {"method": "shake", "duration": 1.0, "step": 1e-3},
    "cdpr44-kinematic": {"method": "bdf3", "duration": 1.0, "step": 5e-3},
    "hand-over": {"method": "shake", "duration": 3.0, "step": 2e-3},
    "slung-load-gust": {"method": "stewart-trinkle", "duration": 1.0, "step": 2e-3},
    "slewing-crane": {"method": "stewart-trinkle", "duration": 1.0, "step": 1e-3},
    "slack-jerk": {"method": "stewart-trinkle", "duration": 1.0, "step": 1e-3, "record_every": 7},
}


@pytest.fixture(autouse=True)
def _no_engines():
    """None is there that knows motions of more steps than a block of these tests has."""
    kept.swap([])


class CutError(Exception):
    """Stands for a process that ends at once."""


def cut_after(steps):
    def progress(done, _):
        if done >= steps:
            raise CutError

    return progress


def assert_same(one, other):
    assert not differences(one, other)
    assert len(one.time) == len(other.time)
    assert list(one.events) == list(other.events)
    assert json.loads(one.attributes["extremes"]) == json.loads(other.attributes["extremes"])


@pytest.mark.parametrize("name", CASES)
def test_a_resumed_run_has_the_same_bits(name, tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    scene, options = scenarios.get(name).build(), CASES[name]
    whole = towsim.simulate(scene, **options)
    path = tmp_path / "run.nc"
    steps = round(options["duration"] / options["step"])
    with pytest.raises(CutError):
        towsim.simulate(scene, output=path, checkpoint_every=0.0, progress=cut_after(0.3 * steps), **options)
    assert towsim.open_result(path).attributes["unfinished"] == 1
    with pytest.raises(CutError):
        towsim.resume(path, progress=cut_after(0.6 * steps))
    assert_same(whole, towsim.resume(path))
    assert [file.name for file in tmp_path.iterdir()] == ["run.nc"]


def test_rows_after_the_last_checkpoint_are_computed_again(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    scene, path = scenarios.get("four-robots-box").build(), tmp_path / "run.nc"
    with pytest.raises(CutError):
        towsim.simulate(scene, duration=1.0, output=path, checkpoint_every=1e9, progress=cut_after(600))
    assert towsim.open_result(path).time[-1] > 0.5
    assert_same(towsim.simulate(scene, duration=1.0), towsim.resume(path))


def test_ctrl_c_leaves_a_run_with_checkpoints_to_be_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    scene, path = scenarios.get("four-robots-box").build(), tmp_path / "run.nc"

    def interrupt(done, _):
        if done > 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(scene, duration=1.0, output=path, checkpoint_every=0.0, progress=interrupt)
    assert_same(towsim.simulate(scene, duration=1.0), towsim.resume(path))


def test_a_refused_run_is_refused_with_the_same_words_after_a_break(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    scene, path = scenarios.get("pulled-apart").build(), tmp_path / "run.nc"
    with pytest.raises(towsim.RefusedError) as whole:
        towsim.simulate(scene, step=1e-3)
    with pytest.raises(CutError):
        towsim.simulate(scene, step=1e-3, output=path, checkpoint_every=0.0, progress=cut_after(100))
    with pytest.raises(towsim.RefusedError) as resumed:
        towsim.resume(path)
    assert str(resumed.value) == str(whole.value)
    assert_same(whole.value.result, resumed.value.result)


def test_what_cannot_be_resumed_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    scene, path = scenarios.get("four-robots-box").build(), tmp_path / "run.nc"
    with pytest.raises(towsim.ResultError, match="no such run"):
        towsim.resume(path)
    with pytest.raises(CutError):
        towsim.simulate(scene, duration=1.0, output=path, progress=cut_after(300))
    with pytest.raises(towsim.ResultError, match="holds no checkpoint"):
        towsim.resume(path)
    towsim.simulate(scene, duration=0.1, output=path, force=True)
    with pytest.raises(towsim.ResultError, match="is finished"):
        towsim.resume(path)
    with pytest.raises(towsim.UsageError, match="needs an output"):
        towsim.simulate(scene, duration=0.1, checkpoint_every=1.0)


def test_a_run_under_way_is_not_gone_on_with_by_others(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    scene, path = scenarios.get("four-robots-box").build(), tmp_path / "run.nc"
    refused = []

    def another(done, _):
        if done in (320, 640):
            for start in (
                lambda: towsim.resume(path),
                lambda: towsim.simulate(scene, duration=1.0, output=path, force=True),
            ):
                with pytest.raises(towsim.ResultError, match="still under way") as error:
                    start()
                refused.append(error)

    result = towsim.simulate(scene, duration=1.0, output=path, checkpoint_every=0.0, progress=another)
    assert len(refused) == 4
    assert_same(towsim.simulate(scene, duration=1.0), result)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_kill_9_again_and_again_changes_no_bit(tmp_path):
    """Killed and resumed at random moments, and readable after each kill."""
    path, moment, kills = tmp_path / "run.nc", random.Random(5), 0
    start = ["run", "eight-wires-box", "--duration", "1500", "-o", path, "--record-every", "500"]
    command = [*start, "--checkpoint-every", "0.02"]
    while not path.exists():
        words = [sys.executable, "-m", "towsim", *map(str, command)]
        process = subprocess.Popen(words, cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL)
        while process.poll() is None and not any(tmp_path.glob("run.nc.parts/segment-*")):
            time.sleep(0.01)  # kernels may have to be compiled first
        if kills < 2:
            time.sleep(moment.uniform(0.05, 0.15))
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
        left = towsim.open_result(path)
        assert np.isfinite(left["position"].values).all()
        command = ["run", "--resume", path]
    whole = towsim.simulate(scenarios.get("eight-wires-box").build(), duration=1500.0, record_every=500)
    assert kills == 2  # it did not come to its end before
    assert_same(whole, towsim.open_result(path))


def test_an_interrupted_run_without_checkpoints_is_not_called_finished(tmp_path):
    def stop(done, steps):
        raise KeyboardInterrupt

    scene, path = scenarios.get("four-robots-box").build(), tmp_path / "run.nc"
    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(scene, duration=1.0, output=path, progress=stop)
    with pytest.raises(
        towsim.ResultError, match=r"run.nc was interrupted, and holds no checkpoint to resume from; start"
    ):
        towsim.resume(path)
    towsim.simulate(scene, duration=0.1, output=path, force=True)
    with pytest.raises(towsim.ResultError, match="is finished, there is nothing to resume"):
        towsim.resume(path)
