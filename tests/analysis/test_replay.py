"""A result holds all that its run needs: replayed from the file alone, every number is the same, bit for bit."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import towsim
from scenarios import get
from towsim import RefusedError, ResultError, simulate
from towsim.analysis.replay import differences, replay
from towsim.results import Result


@pytest.mark.parametrize("name", ["four-robots-box", "eight-wires-box", "slack-jerk", "crane-winch"])
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_replay_from_the_file_is_the_same_bit_for_bit(name: str, method: str, tmp_path: Path) -> None:
    scene = get(name).build()
    simulate(scene, duration=0.5, method=method, record_every=3, output=tmp_path / "run.nc")
    assert replay(towsim.open_result(tmp_path / "run.nc")).same


def test_a_replay_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    simulate(get("slack-jerk").build(), duration=0.1, output=path)
    with pytest.raises(
        ResultError, match=r"run\.nc exists already, and a replay overwrites nothing; use another name$"
    ):
        replay(towsim.open_result(path), output=path)


def test_a_refused_run_is_refused_again(tmp_path: Path) -> None:
    with pytest.raises(RefusedError):
        simulate(get("pulled-apart").build(), output=tmp_path / "run.nc")
    assert replay(towsim.open_result(tmp_path / "run.nc")).same


def test_a_changed_number_is_found_with_its_time() -> None:
    one = simulate(get("four-robots-box").build(), duration=0.1)
    columns = {name: np.array(one[name].values) if name != "time" else one.time for name in one.variables}
    columns["tension"][40, 1] += 1e-12
    other = Result(columns, one.coords, one.events, one.attributes)
    (found,) = differences(other, one)
    assert (found.variable, found.first) == ("tension", one.time[40])
    assert found.largest == pytest.approx(1e-12, rel=1e-2)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_an_interrupted_run_is_replayed_as_far_as_it_went(method: str, tmp_path: Path) -> None:
    def interrupt(done: int, _: int) -> None:
        if done > 5000:
            raise KeyboardInterrupt

    scene, path = get("four-robots-box").build(), tmp_path / "run.nc"
    with pytest.raises(KeyboardInterrupt):
        simulate(scene, duration=1e4, method=method, record_every=7, output=path, progress=interrupt)
    left = towsim.open_result(path)
    assert left.attributes["outcome"] == "interrupted"
    again = replay(left)
    assert again.same
    assert again.result.time[-1] < left.time[-1] + 0.1


def test_a_result_without_a_scene_cannot_be_replayed() -> None:
    with pytest.raises(ResultError, match="holds no scene"):
        replay(Result({"time": np.zeros(1)}, {}))


def test_a_result_of_a_run_by_hand_says_why_it_cannot_be_replayed() -> None:
    sim = towsim.Simulation(get("four-robots-box").build(), forces=["box"], step=1e-3)
    sim.push("box", force=[0, 5, 0])
    sim.step(5)
    with pytest.raises(ResultError, match="it was steered, pushed, placed or commanded by hand, and does not hold how"):
        replay(sim.result())


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs kill")
def test_what_a_killed_run_leaves_is_replayed_bit_for_bit(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "towsim", "run", "four-robots-box", "--duration", "100000", "-o", "run.nc"]
    process = subprocess.Popen(run, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(list((tmp_path / "run.nc.parts").glob("segment-*"))) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    left = towsim.open_result(tmp_path / "run.nc")
    whole = simulate(get("four-robots-box").build(), duration=float(left.time[-1]) + 1e-3)
    assert not differences(left, whole)
