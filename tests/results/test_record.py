"""What is kept of a run can be chosen: it is the same, bit for bit, and what is told of the run covers all."""

import os
from pathlib import Path

import numpy as np
import pytest

import towsim
from scenarios import get
from towsim.analysis.replay import replay
from towsim.cli import main

LIFT = towsim.load_scene(Path(__file__).parents[2] / "examples" / "lift.yaml")


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("every", [1, 7])
def test_what_is_kept_is_that_of_a_whole_run_and_so_is_what_is_told(method: str, every: int, tmp_path: Path) -> None:
    how = {"method": method, "record_every": every, "duration": 1.0}
    whole = towsim.simulate(LIFT, **how)
    for more in ({}, {"output": tmp_path / "run.nc"}):
        some = towsim.simulate(LIFT, record=["position", "tension"], **how, **more)
        assert set(some.recorded) == {"time", "position", "tension"}
        for name in some.recorded:
            np.testing.assert_array_equal(some[name].values, whole[name].values)
        assert some.events == whole.events
        told, of_all = some.summary(), whole.summary()
        assert told.wires == of_all.wires
        assert (told.steps, told.stretch, told.residual) == (of_all.steps, of_all.stretch, of_all.residual)


def test_what_follows_from_others_is_kept_with_them() -> None:
    some = towsim.simulate(LIFT, record="energy, tension", duration=0.2)
    np.testing.assert_array_equal(some["energy"].values, towsim.simulate(LIFT, duration=0.2)["energy"].values)
    assert "acceleration" not in some


def test_a_run_goes_on_and_is_repeated_with_what_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.nc"

    def stop(done: int, of: int) -> None:
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(LIFT, duration=20.0, record=["tension"], output=path, checkpoint_every=0.0, progress=stop)
    result = towsim.resume(path)
    assert set(result.recorded) == {"time", "tension"}
    whole = towsim.simulate(LIFT, duration=20.0)
    np.testing.assert_array_equal(result["tension"].values, whole["tension"].values)
    assert replay(result).same


def test_a_simulation_keeps_what_it_is_told_to() -> None:
    sim = towsim.Simulation(LIFT, record=["tension"])
    sim.step(10)
    assert set(sim.result().recorded) == {"time", "tension"}
    assert sim["velocity"].values.shape == (3, 3)  # at the instant everything can be read


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["positoin"], "unknown variable 'positoin': did you mean 'position'"),
        (["contact_force"], "no 'contact_force' to record: the scene has no contact"),
        (["tracking_error"], "no 'tracking_error' to record: the scene does not tell"),
        ([3], "record must be names of variables"),
        ([], "record must be names of variables"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name(names: list, message: str) -> None:
    with pytest.raises(towsim.UsageError, match=message):
        towsim.simulate(LIFT, record=names)


def test_the_command_line_keeps_what_it_is_told_to_and_says_what_it_cannot_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "four-robots-box", "--record", "position,tension", "--no-progress"]) == 0
    said = capsys.readouterr()
    assert "not checked, as not all was recorded: unknown variable" in said.err
    assert "FAIL" not in said.out
    assert set(towsim.open_result("four-robots-box.nc").recorded) == {"time", "position", "tension"}
    assert main(["view", "four-robots-box.nc", "-o", "page.html"]) != 0
    assert "quaternion, robot_position not recorded" in capsys.readouterr().err


def test_a_run_that_memory_could_not_hold_whole_can_be_kept_in_part() -> None:
    """Rows of 35 numbers are half as many again as there is room for; two numbers of each are not."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    how = {"duration": 1.5e-3 * memory / (8.0 * 35), "step": 1e-3, "progress": _begun}
    with pytest.raises(towsim.UsageError, match="GB of memory"):
        towsim.simulate(get("slack-jerk").build(), **how)
    with pytest.raises(_BegunError):
        towsim.simulate(get("slack-jerk").build(), record=["rank"], **how)


class _BegunError(Exception):
    """The run was not refused."""


def _begun(done: int, of: int) -> None:
    raise _BegunError
