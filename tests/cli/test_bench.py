"""``towsim bench``: problems of a run or of a file, measured and judged; nothing is overwritten."""

import csv

import pytest

from solvers import files
from towsim.cli import main


def test_a_scene_is_benched_saved_and_benched_again(folder, scene_file, capsys):
    words = ["--solvers", "auto,lemke", "--repeats", "1"]
    assert main(["bench", "made.yaml", "--every", "100", "--save", "made.npz", "--csv", "made.csv", *words]) == 0
    out, _ = capsys.readouterr()
    assert "5/5" in out
    with open("made.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["problem"] for row in rows[::2]] == ["t = 0 s", "t = 0.1 s", "t = 0.2 s", "t = 0.3 s", "t = 0.4 s"]
    saved = files.load("made.npz")
    assert list(next(iter(saved.values())).names) == ["e", "w"]
    assert main(["bench", "made.npz", "--plot", "made.png", *words]) == 0
    assert "5/5" in capsys.readouterr().out
    assert (folder / "made.png").stat().st_size > 1000


def test_a_scenario_with_its_parameters_and_the_other_form(folder, capsys):
    words = ["four-robots-box", "--set", "mass=3", "--duration", "0.01", "--every", "5", "--form", "mlcp"]
    assert main(["bench", *words, "--solvers", "lemke", "--repeats", "1", "--save", "p.npz"]) == 0
    assert "2/2" in capsys.readouterr().out
    first = next(iter(files.load("p.npz").values()))
    assert first.free.sum() == 6
    assert first.M[0, 0] == pytest.approx(3.0)


def test_a_run_that_stops_is_benched_until_then(folder, capsys):
    assert main(["bench", "pulled-apart", "--every", "100", "--solvers", "auto", "--repeats", "1"]) == 0
    out, err = capsys.readouterr()
    assert "the run stops at t = 0.5" in err
    assert "t = 0.5 s" in out


def test_a_result_is_benched_by_doing_its_run_again(folder, scene_file, capsys):
    assert main(["run", "made.yaml", "-o", "run.nc", "--duration", "0.01", "--step", "0.002", "--no-progress"]) == 0
    capsys.readouterr()
    assert main(["bench", "run.nc", "--solvers", "auto", "--repeats", "1", "--save", "p.npz"]) == 0
    assert "5/5" in capsys.readouterr().out
    assert list(files.load("p.npz"))[-1] == "t = 0.008 s"


def test_json_from_elsewhere(folder, capsys):
    (folder / "mine.json").write_text('{"M": [[0, 1], [-1, 0]], "q": [-1, 1], "names": ["a", "b"]}')
    assert main(["bench", "mine.json", "--solvers", "auto,osqp", "--repeats", "1"]) == 0
    out = capsys.readouterr().out
    assert "not symmetric" in out  # osqp's refusal is shown


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["made.yaml", "--solvers", "lemk"], "no method 'lemk'"),
        (["mad.yaml"], "mad.yaml"),
        (["nothing.npz"], "no such file"),
        (["made.yaml", "--plot", "a.gif"], "must end in .png"),
        (["made.yaml", "--save", "made.json"], "must end in .npz"),
        (["made.yaml", "--csv", "made.yaml"], "exists already"),
        (["p.npz", "--every", "3"], "--every is for a run"),
        (["made.yaml", "--every", "0"], "whole number"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(folder, scene_file, capsys, words, says):
    files.save("p.npz", {})
    try:
        code = main(["bench", *words])
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    err = capsys.readouterr().err
    assert says in err
    assert "Traceback" not in err
