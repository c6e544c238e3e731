"""A sweep is what single runs give, loses nothing when it is killed, and records what fails."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import xarray

import scenarios
import towsim
from towsim.cli import main
from towsim.errors import UsageError
from towsim.sweep import sweep
from towsim.sweep.work import REFUSED, WRONG

OPTIONS = {"duration": 0.05, "method": "stewart-trinkle"}


@pytest.fixture(scope="module")
def scene():
    return scenarios.get("four-robots-box").build()


class CutError(Exception):
    """Stands for a process that ends at once."""


def test_a_sweep_is_what_single_runs_give(scene):
    wire = next(iter(scene.wires))
    metrics = (
        "max_tension",
        f"max_tension.{wire}",
        "final_position.box.z",
        "end_time",
        "mean_residual",
        "max_energy",
        "final_kinetic_energy.box",
    )
    found = sweep(
        scene,
        {"bodies.box.mass": "1:4:3", "gravity": [[0, 0, -9.81], [0, 0, -1.62]]},
        metrics=metrics,
        options=OPTIONS,
        processes=1,
    )
    assert dict(found.sizes) == {"bodies.box.mass": 3, "gravity": 2}
    one = towsim.simulate(scene.with_values({"bodies.box.mass": 2.5, "gravity": [0, 0, -1.62]}), **OPTIONS)
    got = found.isel({"bodies.box.mass": 1, "gravity": 1})
    assert got["max_tension"].item() == max(wire.tension_max for wire in one.summary().wires)
    assert got[metrics[1]].item() == one.summary().wires[0].tension_max
    assert got["final_position.box.z"].item() == one["position"].values[-1, 0, 2]
    assert got["max_energy"].item() == one["energy"].max()
    assert got["final_kinetic_energy.box"].item() == one["kinetic_energy"].sel(body="box").values[-1]
    assert got["end_time"].item() == pytest.approx(0.05)
    assert found["max_tension"].attrs["units"] == "N"
    assert (found["status"] == 0).all()


def test_processes_and_this_one_give_the_same_numbers(scene):
    axes = {"bodies.box.mass": "1:4"}
    here, there = (sweep(scene, axes, samples="sobol:16", seed=1, options=OPTIONS, processes=count) for count in (1, 2))
    for name in ("max_tension", "stretch", "seed", "bodies.box.mass"):
        assert np.array_equal(here[name], there[name]), name


def test_failures_are_recorded_and_not_fatal(scene):
    def build(point, seed):
        if point["kind"] == "refused":
            return scenarios.get("pulled-apart").build(), {"duration": 5.0, "step": 1e-3}
        if point["kind"] == "wrong":
            return scene.with_values({"bodies.box.mass": -1.0}), {}
        if point["kind"] == "bug":
            raise ZeroDivisionError("of the user's own")
        return scene, OPTIONS

    found = sweep(build, {"kind": ["good", "refused", "wrong", "bug", "good"]}, metrics=["end_time"], processes=1)
    assert found["status"].values.tolist() == [0, REFUSED, WRONG, WRONG, 0]
    assert "driven apart" in found["message"].values[1]
    assert "mass" in found["message"].values[2]
    assert "ZeroDivisionError: of the user's own" in found["message"].values[3]
    assert 0.0 < found["end_time"].values[1] < 5.0
    assert np.isnan(found["end_time"].values[2:4]).all()


def test_a_sweep_of_which_no_point_is_a_scene_is_refused_before_it_runs(scene):
    with pytest.raises(UsageError, match=r"no point of the sweep is a scene: set bodies\.boxx\.mass: unknown name"):
        sweep(scene, {"bodies.boxx.mass": [1.0, 2.0]}, processes=1)
    found = sweep(scene, {"bodies.box.mass": [-1.0, 1.0]}, metrics=["end_time"], options=OPTIONS, processes=1)
    assert "must be > 0" in str(found["message"].values[0])  # one that is none is recorded
    assert found["end_time"].values[1] > 0.0


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("max_tension.zz", "unknown wire 'zz'"),
        ("final_position.boxx.z", "did you mean 'box'"),
        ("mean_gap@0.01:", "unknown variable 'gap'"),
        ("max_tension@0.01:", "unknown variable 'tension'"),
        ("max_tension@1:2", r"begins after the end of the run, at 0\.05 s"),
    ],
)
def test_a_metric_of_what_no_run_has_is_refused_before_the_first(scene, tmp_path, name, match):
    with pytest.raises(UsageError, match=match):
        sweep(
            scene,
            {"bodies.box.mass": "1:4:9"},
            metrics=["jerks", name],
            options={**OPTIONS, "record": ["position"]},
            output=tmp_path / "s.nc",
            processes=1,
            progress=lambda done, total: pytest.fail("it has run"),
        )
    assert not [*tmp_path.iterdir()]


def test_a_metric_that_only_some_points_have_is_recorded(scene):
    def build(point, seed):
        return scene if point["n"] < 3 else scenarios.get("two-robots-sled").build(), OPTIONS

    found = sweep(build, {"n": [1, 2, 3]}, metrics=["final_position.box.z"], processes=1)
    assert found["status"].values.tolist() == [0, 0, WRONG]
    assert np.isfinite(found["final_position.box.z"].values[:2]).all()


def test_what_all_runs_share_is_no_axis_and_no_file(scene, tmp_path, capsys):
    options = OPTIONS | {"output": tmp_path / "one.nc", "force": True}
    with pytest.raises(UsageError, match=r"one\.nc' holds one run"):
        sweep(scene, {"bodies.box.mass": [1.0, 2.0]}, options=options, processes=1)
    with pytest.raises(UsageError, match=r"both run\.duration and the option duration=0\.05 are given"):
        sweep(scene, {"run.duration": [0.1, 0.2]}, options=OPTIONS, processes=1)
    assert main(["sweep", "four-robots-box", "--set", "run.step=1e-3,2e-3", "--step", "1e-3"]) == 2
    assert "both run.step and the option step=0.001" in capsys.readouterr().err


def test_functions_of_a_result_are_metrics_too(scene):
    found = sweep(
        scene,
        {"bodies.box.mass": [1.0, 2.0]},
        metrics={"rows": lambda result: float(len(result.time))},
        options=OPTIONS,
        processes=1,
    )
    assert found["rows"].values.tolist() == [51.0, 51.0]


def test_a_metric_that_fails_is_told_by_name_and_the_others_are_kept(scene):
    metrics = {"ratio": lambda result: 1 / 0, "none": lambda result: None, "end_time": None}
    for name, kind in (("ratio", "ZeroDivisionError"), ("none", "TypeError")):
        wanted = {one: metrics[one] for one in (name, "end_time")}
        found = sweep(scene, {"bodies.box.mass": [2.0]}, metrics=wanted, options=OPTIONS, processes=1)
        assert found["status"].item() == WRONG
        assert f"metric {name}: {kind}: " in found["message"].item()
        assert np.isnan(found[name].item())
        assert found["end_time"].item() == pytest.approx(0.05)


def test_a_sweep_that_stopped_goes_on_where_it_was(scene, tmp_path):
    path, runs = tmp_path / "s.nc", []
    axes, options = {"bodies.box.mass": "1:4:9"}, {"metrics": ["max_tension"], "options": OPTIONS, "processes": 1}

    def cut(done, _):
        runs.append(done)
        if done >= 5:
            raise CutError

    with pytest.raises(CutError):
        sweep(scene, axes, output=path, progress=cut, **options)
    with pytest.raises(towsim.ResultError, match="holds another sweep"):
        sweep(scene, {"bodies.box.mass": "1:5:9"}, output=path, **options)
    found = sweep(scene, axes, output=path, progress=lambda done, _: runs.append(done), **options)
    assert runs == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert found.attrs["resumed"] == 5
    assert np.array_equal(found["max_tension"], sweep(scene, axes, **options)["max_tension"])
    assert [file.name for file in tmp_path.iterdir()] == ["s.nc"]
    with xarray.open_dataset(path) as kept:
        assert np.array_equal(kept["max_tension"], found["max_tension"])
        assert (kept["message"] == "").all()
    with pytest.raises(towsim.ResultError, match="exists already"):
        sweep(scene, axes, output=path, **options)


def test_the_command_sweeps_draws_and_summarises(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = "sweep four-robots-box --set mass=1:3 --set lean=0,5 --set run.step=1e-3 --samples sobol:4 --duration 0.02"
    assert main([*words.split(), "-j", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["runs"] == {"done": 8}
    assert report["dims"] == {"lean": 2, "run.step": 1, "sample": 4}
    assert (tmp_path / "four-robots-box-sweep.png").read_bytes()[:4] == b"\x89PNG"
    assert main(["sweep", "four-robots-box", "--set", "mas=1:3:2"]) == 2
    assert "did you mean 'mass'" in capsys.readouterr().err.lower()


@pytest.mark.parametrize(
    ("axes", "kind"),
    [
        ({"mass": "1:3:7", "lean": "0:4:7"}, "map"),
        ({"mass": "1:3:7", "lean": "0,4"}, "curves"),
        ({"lean": "0,4", "mass": "1:3:7"}, "curves"),
        ({"mass": "1:3:3"}, "points"),
        ({"mass": "1:3", "lean": "0,5"}, "points"),
    ],
)
def test_every_kind_of_sweep_has_a_picture_with_units(axes, kind, tmp_path):
    from scenarios import get
    from towsim.cli.sweep import OfScenario, _units
    from towsim.sweep.picture import draw

    samples = "sobol:4" if "1:3" in axes.values() else None
    build, units = OfScenario("four-robots-box", {"duration": 0.02}), _units(get("four-robots-box"))
    metrics = ["max_tension", "jerks", "residual"]
    found = sweep(build, axes, metrics=metrics, samples=samples, processes=1, units=units)
    figure = draw(found)
    figure.savefig(tmp_path / "a.png")
    labels = {ax.get_xlabel() for ax in figure.axes} | {ax.get_ylabel() for ax in figure.axes}
    assert {"mass (kg)", "max_tension (N)"} <= labels
    assert any(ax.collections for ax in figure.axes) == (kind == "map")
    legends = [ax.get_legend() for ax in figure.axes if ax.get_legend()]
    assert [text.get_text() for one in legends for text in one.get_texts()] == (["0", "4"] if kind == "curves" else [])
    told = figure.get_suptitle().splitlines()
    assert told[1] == "jerks: 0 in every run"
    assert told[2].startswith("residual: rounding")


def test_runs_that_fail_are_seen_in_the_picture(scene):
    from towsim.sweep.picture import draw

    found = sweep(scene, {"run.step": [1e-3, 3.0]}, metrics=["max_tension"], processes=1)
    figure = draw(found)
    assert "1 not to their end (red)" in figure.get_suptitle()


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("bodies.box.mass", "kg"),
        ("wires.w0.length", "m"),
        ("gravity.2", "m/s²"),
        ("run.step", "s"),
        ("robots.r.motion.circle.radius", "m"),
        ("bodies.box.nothing", ""),
        ("name", ""),
    ],
)
def test_the_unit_of_a_path_is_what_the_schema_says(path, unit):
    from towsim.scene.schema import unit_of

    assert unit_of(path) == unit


COMMAND = shlex.split(
    "sweep four-robots-box --set mass=1:10:40 --set lean=0:5:15 --duration 1 "
    "--metric max_tension -j 2 -o s.nc --no-plot --no-progress"
)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_sweep_killed_by_kill_9_goes_on(tmp_path, monkeypatch):
    words = [sys.executable, "-m", "towsim", *COMMAND]
    process = subprocess.Popen(words, cwd=tmp_path, start_new_session=True)
    while len(list((tmp_path / "s.nc.parts").glob("outcomes-*"))) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)  # the workers with it
    process.wait()
    monkeypatch.chdir(tmp_path)
    assert main([*COMMAND, "-j", "1"]) == 0
    with xarray.open_dataset(tmp_path / "s.nc") as found:
        assert 0 < found.attrs["resumed"] < 600
        assert (found["status"] == 0).all()
        assert np.isfinite(found["max_tension"]).all()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGINT")
def test_ctrl_c_in_a_sweep_is_one_line_and_keeps_what_there_is(tmp_path):
    """The terminal sends it to every process of the group."""
    words = [sys.executable, "-m", "towsim", *COMMAND]
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    process = subprocess.Popen(words, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE, text=True, **heard)
    while not list((tmp_path / "s.nc.parts").glob("outcomes-*")):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    lines = [line for line in said.splitlines() if not line.startswith("compiling")]
    assert process.returncode == 130
    assert len(lines) == 1, said
    assert "the same command goes on" in lines[0]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_cluster_that_loses_a_worker_loses_no_run(tmp_path):
    """A Dask scheduler and two workers, one of which is killed while it works."""
    pytest.importorskip("distributed")

    def start(module, *words):
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", "where.json", *words]
        return subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)

    processes = [start("dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1")]
    try:
        while not (tmp_path / "where.json").exists():
            time.sleep(0.1)
        address = json.loads((tmp_path / "where.json").read_text())["address"]
        processes += [start("dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
        command = [sys.executable, "-m", "towsim", *COMMAND, "--scheduler", address]
        swept = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
        while len(list((tmp_path / "s.nc.parts").glob("outcomes-*"))) < 3:
            assert swept.poll() is None
            time.sleep(0.05)
        processes[1].send_signal(signal.SIGKILL)
        assert swept.wait(120) == 0
    finally:
        for process in processes:
            process.kill()
            process.wait()
    with xarray.open_dataset(tmp_path / "s.nc") as found:
        assert found.sizes == {"mass": 40, "lean": 15}
        assert (found["status"] == 0).all()
        assert np.isfinite(found["max_tension"]).all()
