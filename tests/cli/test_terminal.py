"""What the terminal shows: colour where there is one, scenes to start from, numbers of a window of time."""

import io
import json
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

import scenarios
from towsim import load_scene, open_result
from towsim.cli import main
from towsim.cli.info import verdict
from towsim.cli.new import SCENE
from towsim.cli.output import paint, table, warned
from towsim.errors import SceneWarning
from towsim.results import Result
from towsim.scene import scene_from_text


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_there_is_colour_on_a_terminal_and_nowhere_else(monkeypatch):
    assert paint("x", "bad", Terminal()) == "\033[1;31mx\033[0m"
    assert paint("x", "bad", io.StringIO()) == "x"
    monkeypatch.setenv("TERM", "dumb")
    assert paint("x", "bad", Terminal()) == "x"


def test_no_color_switches_colour_off_and_force_color_on(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert paint("x", "good", io.StringIO()) == "\033[32mx\033[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint("x", "good", Terminal()) == "x"
    monkeypatch.setenv("NO_COLOR", "")  # no-color.org: present and not empty
    assert paint("x", "good", Terminal()) != "x"


def test_colour_does_not_shift_columns(monkeypatch):
    checks = [{"name": name, "value": 1.0, "expected": "<= 2", "unit": "N", "passed": name == "a"} for name in "ab"]
    without = verdict(checks)
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = verdict(checks)
    assert "\033[1;31mFAIL\033[0m" in coloured
    assert "\033[1;31m1 of 2 checks FAILED\033[0m" in coloured
    assert re.sub(r"\033\[[\d;]*m", "", coloured) == without
    assert table([("a", "b"), (paint("long", "bad"), "c")]).endswith("long\033[0m  c")


def test_an_error_is_red(folder, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["info", "missing.nc"]) == 2
    assert capsys.readouterr().err.startswith("towsim info: \033[1;31merror\033[0m: no such file")


def test_what_info_prints_of_a_scenario_is_a_scene_file(folder, capsys):
    assert main(["info", "slack-jerk", "--set", "mass=5", "--set", "run.step=2e-3"]) == 0
    out = capsys.readouterr().out
    assert "--set speed=1.5" in out
    (folder / "mine.yaml").write_text(out)
    expected = scenarios.get("slack-jerk").build(mass=5.0).with_values({"run.step": 2e-3})
    assert load_scene("mine.yaml") == expected
    assert main(["info", "slack-jerk", "--json"]) == 0
    assert scene_from_text(json.loads(capsys.readouterr().out)["scene"]) == scenarios.get("slack-jerk").build()


def test_info_tells_times_and_sizes_with_units(folder, result, scene_file, capsys):
    assert main(["info", "made.yaml"]) == 0
    assert "duration 500 ms, step 1 ms" in capsys.readouterr().out
    result.save("made.nc")
    assert main(["info", "made.nc"]) == 0
    assert re.search(r"file +made.nc, [\d.]+ kB", capsys.readouterr().out)


def test_metrics_of_a_window_see_its_rows_and_events_only(folder, result, capsys):
    tension = np.stack([np.arange(60.0), -np.arange(60.0)], 1)  # row k at k 3/59 s
    columns = {**{name: result[name].values for name in result.variables}, "tension": tension}
    Result(columns, result.coords, result.events, result.attributes).save("made.nc")
    time = open_result("made.nc").time
    window = f"{time[10]}:{time[20]}"
    names = [
        "max_tension",
        f"max_tension@{window}",
        f"min_tension.right@{window}",
        f"mean_tension.left@{window}",
        "max_tension.left@:1",
        f"final_tension.left@{time[50]}:",
        "jerks@0:0.5",
        "jerks@1:1.1",
        "max_impulse@1:",
        "energy_lost@2:",
        f"stretch@{window}",
        f"residual@{window}",
    ]
    assert main(["info", "made.nc", "--json", "--metric", ",".join(names)]) == 0
    told = json.loads(capsys.readouterr().out)["metrics"]
    last = np.searchsorted(time, 1.0, "right") - 1
    assert [one["value"] for one in told] == [59, 20, -20, 15, last, 59, 0, 1, 2.0, 0.0, 1e-9, 1e-14]
    assert [one["unit"] for one in told[:2]] == ["N", "N"]
    assert main(["info", "made.nc", "--metric", "jerks@1:1.1"]) == 0
    assert capsys.readouterr().out == "metric       value  unit\njerks@1:1.1  1\n"


def test_a_new_scene_is_right_as_written_and_with_every_line_that_is_commented_out(folder, capsys):
    assert main(["new", "my lift"]) == 0
    out, err = capsys.readouterr()
    assert out == "my-lift.yaml\n"
    assert "towsim run my-lift.yaml" in err
    written = (folder / "my-lift.yaml").read_text(encoding="utf-8")
    scene = load_scene("my-lift.yaml")
    scene.check_start()
    assert scene.name == "my-lift"
    lines = written.splitlines()
    offers = [k for k, line in enumerate(lines) if re.match(r"\s*# [a-z]+: ", line)]
    assert len(offers) >= 9
    for k in offers:
        taken = scene_from_text("\n".join([*lines[:k], lines[k].replace("# ", "", 1), *lines[k + 1 :]]))
        taken.check_start()
        assert taken != scene
    assert max(map(len, SCENE.splitlines())) <= 120


def test_a_new_scene_runs(folder, capsys):
    assert main(["new", "lift"]) == 0
    assert main(["run", "lift.yaml", "--duration", "0.1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.split("\n", 1)[1])["summary"]["outcome"] == "complete"


@pytest.mark.parametrize("name", ["1", "null", "true", "1e3", "0x10"])
def test_a_new_scene_may_be_called_as_what_yaml_takes_for_something_else(folder, name):
    assert main(["new", name]) == 0
    assert load_scene(f"{name}.yaml").name == name


def test_commands_to_copy_quote_names(folder, capsys):
    assert main(["run", "slack-jerk", "--duration", "0.01", "-o", "r un.nc", "--no-progress"]) in (0, 1)
    assert "towsim plot 'r un.nc'" in capsys.readouterr().err


def test_a_page_has_the_suffix_of_one(folder, result, capsys):
    result.save("made.nc")
    assert main(["view", "made.nc", "-o", "made.txt"]) == 2
    assert "made.txt: a page is .html or .htm" in capsys.readouterr().err
    assert [file.name for file in folder.iterdir()] == ["made.nc"]


def test_what_a_scene_is_warned_about_is_one_line_without_a_place_in_the_code():
    usual = warnings.formatwarning
    with warned("towsim run"):
        assert warnings.formatwarning(SceneWarning("it sinks"), SceneWarning, "start.py", 7) == (
            "towsim run: warning: it sinks\n"
        )
        told = DeprecationWarning("old"), DeprecationWarning, "other.py", 7
        assert warnings.formatwarning(*told) == usual(*told)
    assert warnings.formatwarning is usual


def test_a_verb_that_warns_of_a_scene_shows_no_line_of_code(tmp_path):
    path = tmp_path / "sled.yaml"
    path.write_text(
        "bodies: {sled: {mass: 1, shape: {box: [1, 1, 1]}, position: [0, 0, 2]}}\nground: {contacts: [sled]}\n"
    )
    told = subprocess.run(
        [sys.executable, "-m", "towsim", "info", path], capture_output=True, text=True, check=True
    ).stderr
    assert "towsim info: warning: ground.contacts[0]: 'sled' is the centre of the body alone" in told
    assert ".py:" not in told
    assert "check_start" not in told
