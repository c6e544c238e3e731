"""``towsim run``: what is computed is saved, judged and summarised; what fails says so by its exit code."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import scenarios
from towsim import open_result
from towsim.cli import main
from towsim.cli.output import say_when_compiling
from towsim.cli.progress import Progress

PULLED_APART = """
name: pulled-apart
gravity: [0, 0, 0]
bodies:
  bob: {mass: 1.0, point: true, position: [0, 0, 0]}
robots:
  east: {motion: {formula: {x: "1 + 0.5*t"}}}
  west: {motion: {formula: {x: "-1 - 0.5*t"}}}
wires:
  right: {from: bob, to: east, length: 1.1}
  left: {from: bob, to: west, length: 1.1}
run: {duration: 2.0, step: 1e-3}
"""


@pytest.fixture
def made():
    """A scenario of this test, with a check that can fail."""
    from towsim import load_scene

    @scenarios.scenario("cli-test", duration=0.2, step=1e-3, summary="For this test.")
    def build(*, mass: float = 2.0):
        """For this test.

        Parameters
        ----------
        mass : mass of the box [kg]
        """
        return load_scene("made.yaml").with_values({"bodies.box.mass": mass})

    @build.check
    def _(result):
        tension = result["tension"].sel(time=0.1).max()
        return [scenarios.Check.below("tension", tension, 20.0, "N")]

    yield build
    del scenarios.registry._REGISTRY["cli-test"]


def test_a_scene_file_is_run_saved_and_summarised(folder, scene_file, capsys):
    assert main(["run", "made.yaml"]) == 0
    out, err = capsys.readouterr()
    assert "steps     500 to t = 0.5 s" in out
    assert "stretch" in out
    assert out.splitlines()[-1] == "saved     made.nc"
    assert "error" not in err
    assert "towsim plot made.nc" in err, "what to do next"
    result = open_result("made.nc")
    assert result.time[-1] == pytest.approx(0.5)
    assert result.coords["wire"] == ("e", "w")
    assert sorted(file.name for file in folder.iterdir()) == ["made.nc", "made.yaml"]


def test_options_reach_the_simulation(folder, scene_file, capsys):
    words = "run made.yaml -o x.nc --duration 0.1 --step 2e-3 --method shake --set bodies.box.mass=4 --record-every 10"
    assert main([*words.split(), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["steps"] == 50
    assert report["output"] == "x.nc"
    assert len(open_result("x.nc").time) == 6


def test_an_existing_result_is_refused_before_anything_is_computed(folder, scene_file, capsys):
    (folder / "made.nc").write_text("mine")
    start = time.perf_counter()
    assert main(["run", "made.yaml", "--duration", "1e5"]) == 2
    assert time.perf_counter() - start < 2.0
    assert (folder / "made.nc").read_text() == "mine"
    assert "--force" in capsys.readouterr().err
    assert main(["run", "made.yaml", "--force"]) == 0


def test_a_stretched_start_is_refused_and_can_be_projected(folder, scene_file, capsys):
    scene_file.write_text(scene_file.read_text().replace("length: 1.0}", "length: 0.9}"))
    assert main(["run", "made.yaml"]) == 2
    assert "--project" in capsys.readouterr().err
    assert not (folder / "made.nc").exists()
    assert main(["run", "made.yaml", "--project"]) == 0


def test_a_refused_pull_is_exit_code_1_and_saved_until_then(folder, capsys):
    (folder / "apart.yaml").write_text(PULLED_APART)
    assert main(["run", "apart.yaml"]) == 1
    out, err = capsys.readouterr()
    assert "left" in err
    assert "right" in err
    assert out.splitlines()[-1] == "saved     apart.nc"
    # 2 (1 + t/2) = 2.2 m of wire in all are used up at t = 0.2 s
    assert open_result("apart.nc").time[-1] == pytest.approx(0.2, abs=2e-3)
    assert main(["run", "apart.yaml", "--force", "--on-failure", "record"]) == 1


def test_a_scenario_is_judged_and_the_verdict_is_kept(folder, scene_file, made, capsys):
    assert main(["run", "cli-test"]) == 0
    assert re.search(r"pass +tension +\d", capsys.readouterr().out)
    assert open_result("cli-test.nc").provenance["checks"][0]["passed"]
    assert main(["info", "cli-test.nc"]) == 0
    assert re.search(r"pass +tension +\d", capsys.readouterr().out)


def test_a_scenario_whose_check_fails_is_exit_code_1(folder, scene_file, made, capsys):
    assert main(["run", "cli-test", "--set", "mass=50", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [check["passed"] for check in report["checks"]] == [False]
    assert open_result(report["output"]).summary().steps == 200


def test_a_check_that_cannot_be_done_fails(folder, scene_file, made, capsys):
    assert main(["run", "cli-test", "--duration", "0.05"]) == 1
    assert "was not recorded" in capsys.readouterr().out


def test_a_scenario_takes_its_parameters_and_paths_of_its_scene(folder, scene_file, made, capsys):
    assert main(["run", "cli-test", "--set", "mas=3"]) == 2
    assert "did you mean 'mass'" in capsys.readouterr().err
    assert main(["run", "cli-test", "--set", "mass=3", "--set", "gravity=[0, 0, -1]", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["checks"][0]["value"] < 8.0  # 3 kg under 1 m/s² on two wires


@pytest.mark.parametrize(
    ("words", "law", "directions"),
    [
        ([], "cone", 8),
        (["--friction", "polyhedral", "--friction-directions", "4", "--solver", "lemke"], "polyhedral", 4),
    ],
)
def test_the_law_of_friction_can_be_chosen(folder, words, law, directions):
    short = ["--duration", "0.02", "--step", "1e-2", "-o", "rough.nc"]
    main(["run", "drag-box-rough-ground", *short, *words])  # too short for the scenario's check
    options = open_result("rough.nc").provenance["options"]
    assert (options["friction"], options["friction_directions"]) == (law, directions)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGINT")
def test_ctrl_c_leaves_a_valid_file_and_exit_code_130(folder, scene_file):
    for name, words in (("made.nc", []), ("python.nc", ["-o", "python.nc", "--loop", "python"])):
        command = [sys.executable, "-m", "towsim", "run", "made.yaml", "--duration", "1e5", *words]
        process = _start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            _wait_for(folder / f"{name}.parts" / "segment-000001.npz")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
        assert process.returncode == 130, err
        assert out == f"{name}\n"
        assert "Traceback" not in err
        result = open_result(name)
        assert len(result.time) > 100
        assert not (folder / f"{name}.parts").exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_run_can_be_read_and_exported(folder, scene_file, capsys):
    command = [sys.executable, "-m", "towsim", "run", "made.yaml", "--duration", "1e5"]
    process = subprocess.Popen(command)
    _wait_for(folder / "made.nc.parts" / "segment-000001.npz")
    process.kill()
    process.wait()
    assert main(["info", "made.nc"]) == 0
    told = capsys.readouterr().out
    assert "UNFINISHED" in told
    assert ", 0 kB" not in told  # that of its parts
    assert main(["export", "made.nc", "-o", "saved.nc"]) == 0
    assert len(open_result("saved.nc").time) > 4096
    assert main(["run", "made.yaml"]) == 2
    assert "not finished" in capsys.readouterr().err


def test_no_bar_is_drawn_into_a_file(capsys):
    with Progress(wanted=True) as progress:
        progress(1, 10)
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_bar_is_drawn_on_a_terminal():
    import fcntl
    import pty
    import struct
    import termios

    main_end, other_end = pty.openpty()
    fcntl.ioctl(other_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    code = (
        "from towsim.cli.progress import Progress\n"
        "with Progress(wanted=True, label='lift') as progress:\n"
        "    progress(3, 10)\n    import time; time.sleep(0.2)\n    progress(10, 10)\n"
    )
    subprocess.run([sys.executable, "-c", code], stderr=other_end, check=True)
    drawn = os.read(main_end, 10_000)
    assert b"10.0/10.0" in drawn
    assert b"lift:" in drawn, "what it is that takes long"


def _wait_for(path):
    deadline = time.monotonic() + 120  # a first run compiles
    while not path.exists():
        assert time.monotonic() < deadline, f"no {path}"
        time.sleep(0.02)


def _start(command, **how):
    """A process that hears Ctrl-C also where the tests run in the background, whose children ignore it."""
    return subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **how)


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))


def test_an_interrupted_run_with_checkpoints_is_resumed_and_judged(folder, capsys):
    words = ["run", "four-robots-box", "--duration", "1e4", "--checkpoint-every", "0.01", "-o", "run.nc"]
    command = [sys.executable, "-m", "towsim", *words]
    process = _start(command, stderr=subprocess.PIPE, text=True)
    while not (folder / "run.nc.parts" / "segment-000002.npz").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1]
    assert process.returncode == 130, said
    assert "go on with: towsim run --resume run.nc" in said
    assert main(["run", "--resume", "run.nc", "--step", "1e-4"]) == 2
    assert "leave out --step" in capsys.readouterr().err


def test_a_resumed_scenario_is_judged(folder, monkeypatch, capsys):
    from towsim.run import blocks, checkpoint

    monkeypatch.setattr(blocks, "BLOCK", 64)
    write, calls = checkpoint.write, []

    def interrupting(path, run, how):
        write(path, run, how)
        calls.append(run.stepper.done)
        if len(calls) == 9:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "write", interrupting)
    assert main(["run", "four-robots-box", "--checkpoint-every", "1e-9"]) == 130
    assert "go on with" in capsys.readouterr().err
    assert main(["run", "--resume", "four-robots-box.nc"]) == 0
    out = capsys.readouterr().out
    assert "steps     5000 to t = 5 s" in out
    assert "pass" in out
    assert open_result("four-robots-box.nc").attributes["scenario"] == "four-robots-box"


def test_replay_exits_with_1_on_a_difference(folder, scene_file, capsys):
    import netCDF4

    assert main(["run", "made.yaml"]) == 0
    assert main(["replay", "made.nc", "--check"]) == 0
    with netCDF4.Dataset("made.nc", "a") as file:
        file["tension"][100, 1] += 1e-13
    assert main(["replay", "made.nc", "--check"]) == 1
    assert "tension" in capsys.readouterr().out


def test_after_warm_up_a_run_compiles_nothing(towsim, scene_file, capsys):
    told = towsim("warm-up", scene_file.name, "--jobs", "2")
    assert told.returncode == 0
    assert told.stdout.split()[:5] == ["scene", "method", "seconds", scene_file.name, "stewart-trinkle"]
    assert "compiling" not in towsim("run", scene_file.name).stderr
    assert main(["warm-up", "made.yml"]) == 2
    assert "made.yml" in capsys.readouterr().err


def test_where_kernels_cannot_be_kept_it_is_said(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "file" / "kernels"))
    monkeypatch.setattr("solvers.kernels.compiled.announce", lambda say: say())
    say_when_compiling()
    assert "cannot be kept" in capsys.readouterr().err
    assert main(["warm-up", "slack-jerk"]) == 2
    assert "NUMBA_CACHE_DIR" in capsys.readouterr().err
