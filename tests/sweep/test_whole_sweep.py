"""A sweep is of one scene, has one writer and names of its own; no point decides for the others."""

import joblib
import numpy as np
import pytest
import xarray

import scenarios
import towsim
from towsim.cli import main
from towsim.errors import ResultError, UsageError
from towsim.scene import scene_from_data
from towsim.sweep import sweep
from towsim.sweep.work import DONE, WRONG

OPTIONS = {"duration": 0.05, "method": "stewart-trinkle"}
MASSES = {"bodies.box.mass": "1:4:9"}


@pytest.fixture(scope="module")
def scene():
    return scenarios.get("four-robots-box").build()


class CutError(Exception):
    """Stands for a process that ends at once."""


def cut(done, _):
    if done >= 4:
        raise CutError


def begun(what, path, **more):
    """Some points of a sweep."""
    with pytest.raises(CutError):
        sweep(what, MASSES, output=path, metrics=["end_time"], progress=cut, processes=1, **more)


def gone_on_with(what, path, **more):
    return sweep(what, MASSES, output=path, metrics=["end_time"], processes=1, **more).attrs["resumed"]


def made(scene):
    return lambda point, seed: (scene.with_values(point), OPTIONS)


def test_a_sweep_does_not_go_on_with_another_scene(scene, tmp_path):
    other = scene.with_values({"gravity": [0, 0, -1.62]})
    begun(scene, tmp_path / "a.nc", options=OPTIONS)
    begun(made(scene), tmp_path / "b.nc")
    with pytest.raises(ResultError, match="holds another sweep"):
        gone_on_with(other, tmp_path / "a.nc", options=OPTIONS)
    with pytest.raises(ResultError, match="holds another sweep"):
        gone_on_with(made(other), tmp_path / "b.nc")
    assert gone_on_with(scene, tmp_path / "a.nc", options=OPTIONS) == 4
    assert gone_on_with(made(scene), tmp_path / "b.nc") == 4


def test_a_sweep_of_a_file_knows_the_scene_in_it_and_not_its_comments(scene, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "s.yaml"
    towsim.scene.save_scene(scene, file)
    text = file.read_text()
    words = [
        "sweep",
        "s.yaml",
        "--set",
        "bodies.box.mass=1:4:9",
        "--duration",
        "0.05",
        "-o",
        "s.nc",
        "-j",
        "1",
        "--no-plot",
        "--no-progress",
    ]
    with monkeypatch.context() as patch:
        patch.setattr("towsim.sweep.run.FLUSH_SECONDS", 0.0)
        patch.setattr("towsim.sweep.run.dataset", lambda *_: (_ for _ in ()).throw(CutError))
        with pytest.raises(CutError):
            main(words)
    file.write_text(text.replace("-9.81", "-1.62"))
    assert main(words) == 2
    file.write_text("# moved\n" + text)
    assert main(words) == 0
    with xarray.open_dataset(tmp_path / "s.nc") as found:
        assert found.attrs["resumed"] == 9


def test_a_sweep_has_one_writer(scene, tmp_path):
    path, refused = tmp_path / "s.nc", []

    def another(done, _):
        if done == 3:
            for force in (False, True):
                with pytest.raises(ResultError, match="still under way") as error:
                    sweep(scene, MASSES, output=path, options=OPTIONS, processes=1, force=force)
                refused.append(error)

    found = sweep(scene, MASSES, output=path, options=OPTIONS, processes=1, progress=another)
    assert len(refused) == 2
    assert (found["status"] == DONE).all()
    assert [file.name for file in tmp_path.iterdir()] == ["s.nc"]


def test_points_of_a_damaged_part_are_run_again(scene, tmp_path, monkeypatch):
    monkeypatch.setattr("towsim.sweep.run.FLUSH_SECONDS", 0.0)
    path = tmp_path / "s.nc"
    begun(scene, path, options=OPTIONS)
    parts = sorted((tmp_path / "s.nc.parts").glob("outcomes-*"))
    parts[0].write_bytes(parts[0].read_bytes()[:100])
    parts[1].unlink()
    assert gone_on_with(scene, path, options=OPTIONS) == 2
    with xarray.open_dataset(path) as found:
        assert found["end_time"].values == pytest.approx(np.full(9, 0.05))


def test_a_sweep_that_kept_nothing_leaves_nothing(scene, tmp_path, monkeypatch):
    def stop(*_):
        raise CutError

    monkeypatch.setattr("towsim.sweep.run._run", stop)
    with pytest.raises(CutError):
        sweep(scene, MASSES, output=tmp_path / "s.nc", options=OPTIONS, processes=1)
    assert not [*tmp_path.iterdir()]


def test_a_scheduler_that_does_not_answer_is_refused_whatever_the_size(scene):
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match="no Dask scheduler at 'foo'"):
        sweep(scene, {"bodies.box.mass": [1.0]}, options=OPTIONS, scheduler="foo")


@pytest.mark.parametrize("processes", [0, -2, 1.5, True])
def test_a_number_of_processes_that_cannot_be_is_refused(scene, processes):
    with pytest.raises(UsageError, match="processes"):
        sweep(scene, MASSES, options=OPTIONS, processes=processes)


def test_no_more_processes_are_started_than_there_are_jobs(scene, monkeypatch):
    """Two points are run here, which compiles; five are left."""
    started = []

    class Told(joblib.Parallel):
        def __init__(self, n_jobs, **options):
            started.append(n_jobs)
            super().__init__(2, **options)

    monkeypatch.setattr(joblib, "Parallel", Told)
    found = sweep(scene, {"bodies.box.mass": "1:4:7"}, options=OPTIONS, processes=4000)
    assert started == [5]
    assert not found["status"].values.any()


def test_options_that_do_not_exist_are_refused_before_anything_runs(scene):
    with pytest.raises(UsageError, match="did you mean 'duration'"):
        sweep(scene, MASSES, options={"durtion": 0.05}, processes=1)


def test_a_parameter_called_seed_keeps_its_values(scene):
    found = sweep(made(scene.with_values({})), {"bodies.box.mass": [1.0, 2.0]}, metrics=["end_time"], processes=1)
    internal = found["seed"].values
    build = lambda point, seed: (scene, OPTIONS)  # noqa: E731
    found = sweep(build, {"seed": [1, 2]}, metrics=["end_time"], processes=1)
    assert found["seed"].values.tolist() == [1, 2]
    assert np.array_equal(found["run_seed"], internal)
    drawn = sweep(build, {"seed": "1:2"}, samples="sobol:4", metrics=["end_time"], processes=1)
    assert ((drawn["seed"] >= 1.0) & (drawn["seed"] <= 2.0)).all()


def gusty():
    body = {"mass": 1.0, "point": True, "drag": {"linear": 0.5}}
    return scene_from_data(
        {
            "bodies": {"b": body},
            "wind": {"turbulence": {"intensity": [1.0, 1.0, 0.0], "airspeed": 5.0, "seed": 3}},
            "sensors": {"s": {"kind": "velocity", "of": "b", "noise": 0.01}},
        }
    )


def final(result):
    return float(result["reading"].values[-1, 0])


def test_each_run_of_a_scene_has_the_noise_and_the_turbulence_of_its_seed():
    axes = {"bodies.b.mass": "1:1.000001"}
    found = sweep(gusty(), axes, samples="monte-carlo:3", metrics={"final": final}, options=OPTIONS, processes=1)
    seeds, masses = found["seed"].values.tolist(), found["bodies.b.mass"].values.tolist()
    of = {"seed": seeds, "wind.turbulence.seed": seeds, "bodies.b.mass": masses}
    alone = [
        final(towsim.simulate(gusty().with_values(dict(zip(of, one, strict=True))), **OPTIONS))
        for one in zip(*of.values(), strict=True)
    ]
    assert found["final"].values.tolist() == alone
    assert np.ptp(alone) > 1e-3


@pytest.mark.parametrize("whole", [{"wind": [{"x": 1.0}]}, {"wind.turbulence.seed": [7]}])
def test_seeds_that_are_parameters_stay_what_they_are(whole):
    found = sweep(gusty(), {"seed": [1, 2], **whole}, metrics={"final": final}, options=OPTIONS, processes=1)
    given = {key: value for key, (value,) in whole.items()}
    alone = [final(towsim.simulate(gusty().with_values({"seed": seed, **given}), **OPTIONS)) for seed in (1, 2)]
    assert found["final"].values.ravel().tolist() == alone


def test_a_parameter_called_seed_is_an_axis_of_the_picture(scene):
    from towsim.sweep.picture import draw

    found = sweep(
        lambda point, seed: (scene.with_values({"bodies.box.mass": float(point["seed"])}), OPTIONS),
        {"seed": [1, 2]},
        metrics=["max_tension"],
        processes=1,
    )
    assert "seed" in {ax.get_xlabel() for ax in draw(found).axes}


@pytest.mark.parametrize("name", ["status", "seed", "sample", "bodies.box.mass", "run_seed"])
def test_a_metric_called_as_something_else_of_the_dataset_is_refused(scene, name):
    with pytest.raises(UsageError, match=f"metric '{name}'"):
        sweep(scene, MASSES, metrics={name: lambda result: 1.0}, options=OPTIONS, processes=1)


@pytest.mark.parametrize("name", ["max_tension", "status", "message", "seconds"])
def test_a_parameter_called_as_something_else_of_the_dataset_is_refused(scene, name):
    with pytest.raises(UsageError, match=name):
        sweep(lambda point, seed: (scene, OPTIONS), {name: [1, 2]}, metrics=["max_tension"], processes=1)


@pytest.mark.parametrize("name", ["a/b", ""])
def test_a_name_that_no_file_can_hold_is_refused_before_anything_runs(scene, name, tmp_path):
    def build(point, seed):
        return pytest.fail("it has run")

    with pytest.raises(UsageError, match=f"the parameter '{name}' has a name"):
        sweep(build, {name: [1, 2]}, output=tmp_path / "s.nc", processes=1)
    with pytest.raises(UsageError, match=f"the metric '{name}' has a name"):
        sweep(scene, MASSES, metrics={name: lambda result: pytest.fail("it has run")}, processes=1)


def test_whole_numbers_that_are_too_large_for_a_file_are_kept_as_text(scene, tmp_path):
    sweep(scene, {"seed": [1, 2**70]}, options=OPTIONS, metrics=["jerks"], output=tmp_path / "s.nc", processes=1)
    with xarray.open_dataset(tmp_path / "s.nc") as found:
        assert found["seed"].values.tolist() == ["1", str(2**70)]


def test_a_function_that_builds_no_scene_with_options_is_told_what_it_returns(scene):
    for made in (scene, (scene, None), None):
        with pytest.raises(UsageError, match="must return a scene and options, got"):
            sweep(lambda point, seed, made=made: made, {"n": [1, 2]}, processes=1)


@pytest.mark.parametrize("masses", ["0,1", "1,0", "nan,1"])
def test_a_wrong_value_ends_no_sweep_wherever_it_stands(masses, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = f"sweep slack-jerk --set mass={masses} --duration 0.1 -o s.nc -j 1 --no-plot --no-progress".split()
    assert main(words) == 0
    with xarray.open_dataset("s.nc") as found:
        assert sorted(found["status"].values.tolist()) == [DONE, WRONG]


def test_a_sweep_of_which_every_value_is_wrong_says_why(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert (
        main(
            ["sweep", "slack-jerk", "--set", "mass=0,-1", "--duration", "0.1", "-j", "1", "--no-plot", "--no-progress"]
        )
        == 2
    )
    assert "no point of the sweep is a scene: scene: bodies.load.mass: must be > 0 kg, got 0" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("word", ["lean=", "bodies.box.velocity.0="])
def test_an_empty_value_is_no_value(word, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for verb in ("sweep", "run"):
        assert main([verb, "four-robots-box", "--set", word, "--no-progress"]) == 2
        assert f"--set {word} has no value" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_sweep_of_which_no_run_comes_to_its_end_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", "pulled-apart", "--set", "run.step=1e-3,2e-3", "-j", "1", "--no-plot", "--no-progress"]) == 1
    assert "2 refused" in capsys.readouterr().out


def test_a_sweep_takes_parameters_of_a_scene_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text("""
parameters: {a: 1.0}
bodies: {load: {mass: 1, point: true}}
robots: {r: {motion: {formula: {x: "0.1*a*t**2", z: 2}}}}
wires: {w: {from: load, to: r, length: 2}}
""")
    words = ["sweep", "s.yaml", "--set", "parameters.a=1,2", "--set", "bodies.load.mass=1,3", "--duration", "0.02"]
    assert main([*words, "-j", "1", "--no-plot", "--no-progress"]) == 0
    with xarray.open_dataset("s-sweep.nc") as found:
        assert found["max_tension"].shape == (2, 2)
