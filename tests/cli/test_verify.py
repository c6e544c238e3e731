"""``towsim verify`` and ``towsim compare``: tables, exit codes, refusals."""

import json

import pytest

from towsim.analysis.verify_case import built_in
from towsim.cli import main
from towsim.cli.verify import EPILOG

CASE = """\
verify: 1
name: mine
scene: {{bodies: {{stone: {{mass: 1.0, point: true}}}}}}
duration: 0.1
checks: [{{quantity: position, of: stone, axis: z, expected: "-0.5*9.81*t**2", tolerance: {0}, method: reduced}}]
"""


@pytest.mark.parametrize(("tolerance", "code", "verdict"), [("1e-12", 0, "ok"), ("0.0", 1, "FAILED")])
def test_a_users_file_is_verified(folder, capsys, tolerance, code, verdict):
    (folder / "mine.yaml").write_text(CASE.format(tolerance))
    assert main(["verify", "mine.yaml"]) == code
    out = capsys.readouterr().out
    assert verdict in out
    assert f"{1 - code} of 1 checks passed" in out
    assert main(["verify", "mine.yaml", "--json"]) == code
    (finding,) = json.loads(capsys.readouterr().out)
    assert finding["passed"] is (code == 0)


def test_an_unknown_case_is_wrong_usage(folder, capsys):
    assert main(["verify", "free-hall"]) == 2
    assert "free-fall" in capsys.readouterr().err


def test_compare_prints_a_row_for_each_formulation_and_draws_them(folder, capsys):
    words = ["compare", "chain", "--set", "n=2", "--formulations", "reduced,momentum", "--duration", "0.1"]
    assert main([*words, "--plot", "work.png"]) == 0
    out = capsys.readouterr().out
    assert "momentum     Runge-Kutta 4" in out
    assert "refined, all agree within" in out
    assert (folder / "work.png").stat().st_size > 10_000
    assert main([*words, "--json"]) == 0
    assert [row["formulation"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["reduced", "momentum"]


@pytest.mark.parametrize("name", ["work.bmp", "work", "nodir/work.png"])
def test_a_picture_that_cannot_be_written_is_refused_before_anything_is_compared(folder, capsys, name):
    assert main(["compare", "chain", "--duration", "0.1", "--plot", name]) == 2
    told = capsys.readouterr()
    assert name in told.err
    assert not told.out


def test_compare_refuses_a_scene_with_wires(scene_file, capsys):
    assert main(["compare", "made.yaml"]) == 2
    assert "wire 'e' is rigid" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chian"], "unknown case or scenario 'chian': did you mean 'chain'? There are: "),
        (["chain", "--set", "m=3"], "chain: unknown parameter 'm'. There are: n"),
    ],
)
def test_compare_says_what_was_meant(words, told, capsys):
    assert main(["compare", *words]) == 2
    assert told in capsys.readouterr().err


def test_the_cases_of_the_help_are_there():
    named = next(line for line in EPILOG.splitlines() if line.endswith("some of them")).split()[2:-3]
    assert named
    assert set(named) <= {path.stem for path in built_in()}
