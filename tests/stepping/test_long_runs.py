"""Long runs: memory does not grow with the number of steps, and the summary tells what a run took."""

import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import scenarios
import towsim
from towsim.analysis.replay import differences

LONG = """
    import resource, sys
    import h5py, scenarios, towsim
    scene = scenarios.get("four-robots-box").build()
    towsim.simulate(scene, duration=0.1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    output = sys.argv[2] if len(sys.argv) > 2 else None
    result = towsim.simulate(scene, duration=5e2, record_every=int(sys.argv[1]), output=output)
    assert result.summary().steps == 500_000
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs resource")
@pytest.mark.parametrize(("words", "most"), [(["100"], 25), (["1", "all.nc"], 100)])
def test_half_a_million_steps_need_little_memory(words, most, tmp_path):
    """Megabytes above those of a short run: decimated in memory, and every step on disk (105 MB of file)."""
    script = [sys.executable, "-c", textwrap.dedent(LONG), words[0], *(str(tmp_path / name) for name in words[1:])]
    assert int(subprocess.check_output(script, cwd=Path(__file__).parents[2])) < most


def test_the_summary_tells_time_and_memory():
    result = towsim.simulate(scenarios.get("four-robots-box").build(), duration=0.1)
    summary = result.summary()
    assert summary.wall_time > 0.0
    if sys.platform != "win32":
        assert 30e6 < summary.memory < 1e11
        assert "MB at the process's peak" in str(summary)


@pytest.mark.parametrize("every", [3, 100])
def test_decimated_rows_are_those_of_the_whole(every, tmp_path):
    scene = scenarios.get("four-robots-box").build()
    whole = towsim.simulate(scene, duration=6.0)
    some = towsim.simulate(scene, duration=6.0, record_every=every, output=tmp_path / "run.nc")
    for name in ("position", "tension"):
        assert np.array_equal(some[name].values, whole[name].values[::every], equal_nan=True)


def test_runs_of_eight_threads_are_stored_as_one_run_is(tmp_path):
    scene = scenarios.get("four-robots-box").build()
    alone = towsim.simulate(scene, duration=0.05)
    with ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(towsim.simulate, scene, duration=0.05, output=tmp_path / f"{k}.nc") for k in range(8)]
    assert not any(differences(alone, run.result()) for run in runs)
