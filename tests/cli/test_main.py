"""The command line: fast to start, one line for wrong usage, never a traceback."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from towsim.cli import VERBS, main
from towsim.results import Result

WRONG = [
    (["rnu"], "unknown verb 'rnu': did you mean 'run'?"),
    (["plto", "old.nc"], "unknown verb 'plto': did you mean 'plot'?"),
    (["made.yaml"], "to simulate it: towsim run made.yaml"),
    (["old.nc"], "to look at it: towsim info old.nc"),
    (["slack-jerk"], "to simulate it: towsim run slack-jerk"),
    (["--what"], "required: VERB"),
    (["run"], "required: NAME-or-FILE"),
    (["run", "x", "--step", "nan"], "argument --step: must be a number > 0, got 'nan'"),
    (["run", "x", "--step", "0"], "argument --step: must be a number > 0"),
    (["run", "x", "--duration", "inf"], "argument --duration: must be a number > 0"),
    (["run", "x", "--record-every", "0"], "must be a whole number >= 1"),
    (["run", "x", "--form", "qp"], "invalid choice: 'qp'"),
    (["run", "x", "--forse"], "unknown option '--forse': did you mean '--force'?"),
    (["run", "x", "y"], "unknown argument 'y'"),
    (["run", "no-such-scenario"], "unknown scenario 'no-such-scenario'"),
    (["run", "missing.yaml"], "no such file: missing.yaml"),
    (["run", "Made.yml"], "no such file: Made.yml: did you mean 'made.yaml'?"),
    (["run", "made"], "nor is there a file 'made': did you mean 'made.yaml'?"),
    (["run", "nowhere/made.yaml"], "no such file: nowhere/made.yaml\n"),
    (["run", "old.nc"], "is a result; name a scenario"),
    (["run", "made.yaml", "-o", "x.csv"], "stored as .nc"),
    (["run", "made.yaml", "--set", "mass"], "--set takes key=value"),
    (
        ["identify", "a.csv", "made.yaml", "--free", "lag", "--noise", "position"],
        "--noise takes key=value, such as --noise",
    ),
    (["identify", "a.csv", "made.yaml", "--free", "lag", "--noise", "position="], "--noise position= has no value; wr"),
    (["run", "made.yaml", "--set", "bodies.bax.mass=1"], "did you mean 'box'"),
    (["run", "made.yaml", "--set", "bodies.box.mass=1", "--set", "bodies.box.mass=2"], "mass is given twice: 1 and 2"),
    (["run", "made.yaml", "--set", "bodies.box.mass=[1"], "--set bodies.box.mass"),
    (["run", "made.yaml", "--set", "bodies.box.mass=-1"], "bodies.box.mass"),
    (["run", "made.yaml", "-o", "no/where.nc"], "there is no folder no"),
    (["run", "made.yaml", "-o", "old.nc"], "old.nc exists already"),
    (["info"], "name a result, a scene file or a scenario"),
    (["info", "missing.nc"], "no such file: missing.nc"),
    (["info", "broken.nc"], "broken.nc is not a result of towsim"),
    (["info", "old.nc", "--metric", "max_tensoin"], "did you mean 'max_tension'"),
    (["info", "old.nc", "--metric", "max_tension@2:1"], "A:B in seconds with A <= B, got '2:1'"),
    (["info", "old.nc", "--metric", "max_tension@9:"], "the run holds 0 to 3 s"),
    (["info", "old.nc", "--metric", "steps@1:"], "steps is of the whole run"),
    (["info", "old.nc", "--set", "a=1"], "--set is for a scenario"),
    (["info", "made.yaml", "--metric", "steps"], "--metric is for a result"),
    (["new", "made"], "made.yaml exists already"),
    (["new", ""], "a scene needs a name"),
    (["plot", "old.nc", "--what", "tensoin"], "did you mean 'tension'"),
    (["plot", "old.nc", "--what", ""], "unknown panel ''"),
    (["plot", "old.nc", "-o", "made.txt"], "a picture is .png, .pdf or .svg"),
    (["export", "old.nc"], "required: -o/--output"),
    (["export", "old.nc", "-o", "made.txt"], "unknown suffix '.txt'"),
    (["export", "old.nc", "-o", "old.nc"], "old.nc exists already"),
    (["plot", "old.nc", "old.nc"], "the same result twice"),
    (["plot", "."], "not a run of towsim"),
    (["view", ""], "not a run of towsim"),
    (["run", "slack-jerk", "-o", "."], "stored as .nc, got '.'"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_usage_is_one_line_and_exit_code_2(folder, result, scene_file, capsys, words, message):
    result.save("old.nc")
    (folder / "broken.nc").write_text("hello")
    try:
        code = main(words)
    except SystemExit as error:
        code = error.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert sorted(file.name for file in folder.iterdir()) == ["broken.nc", "made.yaml", "old.nc"]


def test_import_pulls_in_nothing_heavy(towsim):
    heavy = ("numpy", "numba", "scipy", "matplotlib", "xarray", "h5py", "h5netcdf", "pydantic")
    code = "import sys, towsim, towsim.cli; print([name for name in sys.argv[1:] if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code, *heavy], text=True) == "[]\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_with_examples(capsys, verb):
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    out = capsys.readouterr().out
    assert stop.value.code == 0
    assert "examples:" in out
    assert f"towsim {verb}" in out


def test_towsim_alone_explains_itself(capsys):
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert all(f"\n    {verb} " in out for verb in VERBS)


def test_list_shows_every_scenario_under_its_topic(capsys):
    import scenarios

    assert main(["list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told] == scenarios.names()
    assert {one["topic"] for one in told} == set(scenarios.TOPICS)
    assert main(["list"]) == 0
    out, err = capsys.readouterr()
    groups = [group.splitlines() for group in out.strip().split("\n\n")]
    assert [head for head, *_ in groups] == list(scenarios.TOPICS)
    listed = {line.split()[0]: head for head, *lines in groups for line in lines}
    assert listed == {one["name"]: one["topic"] for one in told}
    assert "towsim run NAME" in err


def test_a_reader_that_stops_early_gets_no_traceback(towsim, folder, result):
    result.save("made.nc")
    command = f"{sys.executable} -u -m towsim info made.nc --json | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stderr == ""
    assert len(done.stdout) == 10


def test_a_terminal_without_unicode_gets_codes_instead(towsim, folder, result):
    result.save("made.nc")
    done = towsim("info", "made.nc", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert r"b\xf8x" in done.stdout


def test_info_tells_what_a_result_holds(folder, result, capsys):
    result.save("made.nc")
    assert main(["info", "made.nc"]) == 0
    out = capsys.readouterr().out
    for text in ("time: 60", "bøx", "stretch   1 nm", "1 jerk", "a: 1 ... (9 characters)"):
        assert text in out
    assert main(["info", "made.nc", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["summary"]["steps"] == 59
    assert data["summary"]["wall_time"] is None
    assert data["coords"]["wire"] == ["left", "right"]
    assert data["events"][0]["impulse"] == 2.0


def test_info_says_where_tensions_are_not_unique(folder, result, capsys):
    unique = np.ones(len(result.time), np.int8)
    unique[7:19] = 0
    columns = {**{name: result[name].values for name in result.variables}, "tension_unique": unique}
    told = {name: one for name, one in result.attributes.items() if name != "extremes"}
    told |= {"wall_time": 0.0625, "peak_memory": 3e8}
    Result(columns, result.coords, result.events, told).save("made.nc")
    assert main(["info", "made.nc"]) == 0
    out = capsys.readouterr().out
    assert "not the only possible ones in 12 steps" in out
    assert "wall_time" not in out, "it stands in the summary, with a unit"
    assert "memory    300 MB" in out


def test_info_tells_whether_a_scene_file_is_right(scene_file, capsys):
    assert main(["info", "made.yaml"]) == 0
    out = capsys.readouterr().out
    assert "bodies  1  box" in out
    assert "start pose is consistent" in out
    assert "method stewart-trinkle" in out
    assert main(["info", "made.yaml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["start"] is None


def test_info_prints_the_schema_of_scene_files(capsys):
    assert main(["info", "--schema"]) == 0
    assert "wires" in json.loads(capsys.readouterr().out)["properties"]


@pytest.mark.parametrize("name", ["out.csv", "out.npz", "out.nc"])
def test_export_converts_and_keeps_existing_files(folder, result, capsys, name):
    result.save("made.nc")
    assert main(["export", "made.nc", "-o", name]) == 0
    assert capsys.readouterr().out.splitlines()[0] == name
    assert main(["export", "made.nc", "-o", name]) == 2
    assert main(["export", "made.nc", "-o", name, "--force"]) == 0


def test_plot_writes_a_picture_beside_the_caller(folder, result, capsys):
    result.save("made.nc")
    assert main(["plot", "made.nc"]) == 0
    assert capsys.readouterr().out == "made.png\n"
    assert (folder / "made.png").read_bytes()[:4] == b"\x89PNG"
    assert main(["plot", "made.nc"]) == 2
    assert main(["plot", "made.nc", "--force", "--what", "gap,status"]) == 0


def test_plot_of_several_results_compares_them(folder, result, capsys):
    result.save("rigid.nc")
    result.save("elastic.nc")
    assert main(["plot", "rigid.nc", "elastic.nc"]) == 0
    assert capsys.readouterr().out == "rigid-elastic.png\n"
    assert (folder / "rigid-elastic.png").read_bytes()[:4] == b"\x89PNG"
    assert main(["plot", "rigid.nc", "elastic.nc", "--what", "tension", "-o", "x.png"]) == 2
    (folder / "rigid-elastic.html").touch()
    assert main(["view", "rigid.nc", "elastic.nc"]) == 2  # a page of several is called as a picture of them
    assert "rigid-elastic.html" in capsys.readouterr().err


def test_showing_without_a_display_is_an_error(towsim, folder, result):
    result.save("made.nc")
    done = towsim("plot", "made.nc", "--show", env={"MPLBACKEND": "agg"})
    assert done.returncode == 2
    assert "there is no display" in done.stderr
    assert done.stderr.count("\n") == 1


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
