"""Numbers from logs: those that made them, how well they are known, and which cannot be told."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest

import towsim
from towsim.cli import main
from towsim.fitting import Log, identify
from towsim.scene import scene_from_data, scene_to_text

from .logs import noisy, swing

STEP, DURATION = 2e-3, 0.6
METHOD = "shake"


def _scene(**numbers):
    """A load on two wires, one robot of which swings it."""
    robots = {
        "a": {"motion": {"formula": {"x": "0.3*sin(6*t)", "y": "0.1*sin(5*t)", "z": "2+0.2*sin(3*t)"}}},
        "b": {"position": [1.0, 0.5, 2.0]},
    }
    load = {
        "mass": 1.2,
        "inertia": [0.02, 0.03, 0.04],
        "position": [0.4, 0.1, 1.0],
        "points": {"p": [0.1, 0.0, 0.05], "q": [-0.1, 0.02, 0.05]},
        "drag": {"linear": 0.4, "quadratic": 0.2},
    }
    wires = {
        "left": {"from": "a", "to": "load.p", "length": 1.15},
        "right": {"from": "b", "to": "load.q", "length": 1.24},
    }
    data = {"name": "swing", "robots": robots, "bodies": {"load": load}, "wires": wires}
    return scene_from_data(data | {"run": {"step": STEP, "method": METHOD}}).with_values(numbers)


def _log(scene, every=5, seed=None, sigma=0.0, lag=0.0, **extra):
    """Positions and tensions of a run, late by ``lag``, with noise."""
    run = towsim.simulate(scene, duration=DURATION)
    time = run.time[::every] + lag
    draw = np.random.default_rng(seed)
    columns = {
        f"position[load,{axis}]": run["position"].values[::every, 0, i] + sigma * draw.standard_normal(len(time))
        for i, axis in enumerate("xyz")
    }
    return Log(time, columns | {title: function(run, every) for title, function in extra.items()})


def test_an_exact_log_gives_back_its_numbers():
    truth = {"bodies.load.drag.linear": 0.55, "bodies.load.velocity.1": 0.2, "bodies.load.points.p.2": 0.07}
    found = identify(_scene(), _log(_scene(**truth)), [*truth], taut=False)
    assert found.converged
    assert found.runs < 15
    assert found.rank == 3
    for name, value in truth.items():
        assert found[name] == pytest.approx(value, rel=1e-6)
    assert found.rms["log"]["position[load,x]"] < 1e-8


def test_intervals_hold_the_true_numbers_as_often_as_they_say():
    """Of 40 logs 38 are expected inside; fewer than 33 or none outside of three numbers is less likely than 1e-3."""
    truth = {"bodies.load.drag.linear": 0.5, "bodies.load.velocity.1": 0.1, "bodies.load.mass": 1.3}
    scene, inside = _scene(**truth), np.zeros((40, 3), bool)
    clean = _log(scene)
    draw = np.random.default_rng(5)
    for i in range(len(inside)):
        noisy = {str(column): x + 1e-3 * draw.standard_normal(len(x)) for column, x in clean.columns.items()}
        found = identify(scene, Log(clean.time, noisy), [*truth])
        low, high = found.interval.T
        inside[i] = (low <= [*truth.values()]) & ([*truth.values()] <= high)
    assert (inside.sum(axis=0) >= 33).all()
    assert not inside.all()


def test_what_the_log_cannot_tell_is_said():
    """Motion depends on ratios of mass, inertia and drag only: their common scale cannot be told."""
    free = ["bodies.load.mass", "bodies.load.inertia", "bodies.load.drag.linear", "bodies.load.drag.quadratic"]
    found = identify(_scene(), _log(_scene(**{"bodies.load.drag.linear": 0.5})), free, most_runs=8)
    assert found.rank == 5
    assert np.isinf(found.sigma).all()
    assert len(found.not_told) == 1
    assert "cannot be told apart" in str(found)


def test_offsets_and_the_lag_of_a_sensor_are_found_with_the_rest():
    scene = _scene(**{"bodies.load.drag.linear": 0.5})
    log = _log(scene, lag=0.0124)
    shifted = {str(column): x + 0.03 * (column.place[1] == "z") for column, x in log.columns.items()}
    found = identify(
        _scene(),
        Log(log.time[:-3], {title: x[:-3] for title, x in shifted.items()}),
        ["bodies.load.drag.linear", "offset.position[load,z]", "lag"],
    )
    assert found["offset.position[load,z]"] == pytest.approx(0.03, abs=2e-5)  # lines between rows: ẍ h²/8 = 1e-5 m
    assert found["lag"] == pytest.approx(0.0124, abs=2e-4)
    assert found["bodies.load.drag.linear"] == pytest.approx(0.5, abs=5e-3)


def test_a_number_and_a_direction_that_moves_it_too_add_up():
    """A pendulum that is swung: its mass is 1.3 by a mass of its own and 0.15 that it has in common with its drag."""
    data = {
        "robots": {"hook": {"motion": {"formula": {"x": "0.2*sin(3*t)", "z": 2.0}}}},
        "bodies": {"load": {"mass": 1.0, "point": True, "position": [0, 0, 1], "drag": {"linear": 0.2}}},
        "wires": {"w": {"from": "hook", "to": "load", "length": 1.0}},
    }
    scene = scene_from_data(data | {"run": {"step": STEP, "method": METHOD}})
    truth = scene.with_values({"bodies.load.mass": 1.3, "bodies.load.drag.linear": 0.35})
    log = _log(truth, **{"tension[w]": lambda run, every: run["tension"].values[::every, 0]})
    both = {"both": {"bodies.load.mass": 1.0, "bodies.load.drag.linear": 1.0}}
    for free in (["bodies.load.mass", both], [both, "bodies.load.mass"]):
        found = identify(scene, log, free, noise={"position": 1e-3, "tension": 1e-2})
        assert found["both"] == pytest.approx(0.15, abs=1e-6)
        assert found["bodies.load.mass"] == pytest.approx(1.15, abs=1e-6)
        assert found.scene.bodies["load"].mass == pytest.approx(1.3, abs=1e-6)


def test_outliers_do_not_drag_a_robust_fit_along():
    scene = _scene(**{"bodies.load.drag.linear": 0.5})
    log = _log(scene, seed=1, sigma=1e-3)
    wild = {str(column): x.copy() for column, x in log.columns.items()}
    for x in wild.values():
        x[7::11] += 0.2
    free, noise = ["bodies.load.drag.linear", "bodies.load.velocity.1"], {"position": 1e-3}
    robust = identify(_scene(), Log(log.time, wild), free, loss="cauchy", noise=noise)
    plain = identify(_scene(), Log(log.time, wild), free, noise=noise)
    assert abs(robust["bodies.load.drag.linear"] - 0.5) < 0.1 * abs(plain["bodies.load.drag.linear"] - 0.5)


def test_several_logs_share_some_numbers_and_have_others_of_their_own():
    starts = 0.1, -0.2
    logs = [_log(_scene(**{"bodies.load.mass": 1.5, "bodies.load.velocity.1": v})) for v in starts]
    found = identify(_scene(), logs, ["bodies.load.mass", "bodies.load.velocity.1"], own=["bodies.load.velocity.1"])
    assert found.names == ("bodies.load.mass", "bodies.load.velocity.1@1", "bodies.load.velocity.1@2")
    np.testing.assert_allclose(found.values, [1.5, *starts], rtol=1e-6)
    assert [scene.bodies["load"].velocity[1] for scene in found.scenes] == pytest.approx(starts, rel=1e-6)


def test_each_log_is_compared_with_a_run_in_the_steps_of_its_own_scene():
    scenes = [swing(**{"run.step": step}) for step in (2e-3, 5e-3)]
    logs = [noisy(one.with_values({"bodies.load.drag.linear": 0.3}), 0.0) for one in scenes]
    found = identify(scenes, logs, ["bodies.load.drag.linear"])
    assert found["bodies.load.drag.linear"] == pytest.approx(0.3, abs=1e-9)
    assert all(rms < 1e-9 for columns in found.rms.values() for rms in columns.values())


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_a_fit_finds_the_same_in_any_units(unit):
    """The drag in units of its own: in small ones the slope of the sum of squares was taken for that of a minimum.

    Tolerance: the gain below which a fit has converged, 1e-7 of the sum over 300 readings, is 5e-3 of the error."""
    log = noisy(swing(**{"bodies.load.drag.linear": 0.3}), 1e-3)
    plain = identify(swing(), log, ["bodies.load.drag.linear"])
    other = identify(swing(), log, [{"more": {"bodies.load.drag.linear": unit}}])
    assert 0.2 + other["more"] * unit == pytest.approx(plain.values[0], abs=5e-3 * plain.sigma[0])
    assert other.sigma[0] * unit == pytest.approx(plain.sigma[0], rel=1e-3)


def test_tensions_tell_the_mass_that_motion_does_not():
    def tension(run, every):
        return run["tension"].values[::every, 0]

    log = _log(_scene(**{"bodies.load.mass": 1.5}), **{"tension[left]": tension})
    with pytest.raises(towsim.UsageError, match="weighed by their noise"):
        identify(_scene(), log, ["bodies.load.mass"])
    found = identify(_scene(), log, ["bodies.load.mass"], noise={"position": 1e-3, "tension": 0.1})
    assert found["bodies.load.mass"] == pytest.approx(1.5, rel=1e-6)


@pytest.mark.parametrize(
    ("free", "changed", "match"),
    [
        (["bodies.load.mas"], {}, "did you mean 'bodies.load.mass'"),
        (["offset.position[load,w]"], {}, "offset"),
        (["bodies.load.mass", "bodies.load.mass"], {}, "free twice"),
        ([], {}, "nothing is free"),
        (["bodies.load.thrust.at"], {}, "changes nothing"),
        (["bodies.load.mass"], {"position[load,x]": 1000.0}, "another unit"),
        (["bodies.load.drga"], {}, "did you mean 'bodies.load.drag.linear'"),
        (["bodies.load.mass"], {"position[load,x]": np.inf}, r"row 1, position\[load,x\]: a number that is not finite"),
        (["bodies.load.mass"], {"position[box,x]": 1.0}, "body"),
        (["bodies.load.mass"], {"position[load]": 1.0}, "2 names in brackets"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(free, changed, match):
    log = _log(_scene())
    columns = {str(column): x for column, x in log.columns.items()}
    for title, factor in changed.items():
        columns[title] = factor * log.columns[next(iter(log.columns))] + factor
    with pytest.raises(towsim.UsageError, match=match):
        identify(_scene(), Log(log.time, columns), free)


def test_an_axis_on_which_there_is_nothing_but_noise_has_no_unit_to_be_doubted():
    """By its components together, or by the noise that is given; without either it is asked for."""
    scene, free = swing(**{"bodies.load.drag.linear": 0.3}), ["bodies.load.drag.linear"]
    found = identify(swing(), noisy(scene, 2e-3), free)
    assert found["bodies.load.drag.linear"] == pytest.approx(0.3, abs=5 * found.sigma[0])
    alone = noisy(scene, 2e-3, "y")
    with pytest.raises(towsim.UsageError, match=r"another unit.*noise, give that"):
        identify(swing(), alone, free)
    identify(swing(), alone, free, noise={"position": 2e-3}, most_runs=1)
    with pytest.raises(towsim.UsageError, match="another unit"):
        identify(swing(), noisy(scene, 2e-3, factor=1e3), free, noise={"position": 2e-3})


def test_a_number_that_ends_on_its_bound_has_no_interval():
    scene, drag = swing(**{"bodies.load.drag.linear": 0.6}), "bodies.load.drag.linear"
    log, noise = noisy(scene, 1e-4), {"position": 1e-4}
    found = identify(swing(), log, [drag], noise=noise, bounds={drag: (0.1, 0.4)})
    assert found.at_bound == (drag,)
    assert "at its bound: no interval holds there" in str(found)
    assert "bound" not in str(identify(swing(), log, [drag], noise=noise, bounds={drag: (0.1, 0.9)}))
    with pytest.raises(towsim.UsageError, match=r"bounds of .*linear are \(least, largest\), got 5 and 0\.1"):
        identify(swing(), log, [drag], bounds={drag: (5.0, 0.1)})


@pytest.mark.parametrize("loss", ["linear", "huber"])
def test_a_scene_that_does_not_explain_its_log_within_the_noise_is_told(loss):
    """The log has a wind across that the scene has not."""
    drag, noise = "bodies.load.drag.linear", {"position": 1e-3}
    good = identify(swing(), noisy(swing(), 1e-3), [drag], noise=noise, loss=loss)
    assert good.misfit == pytest.approx(1.0, abs=0.2)
    assert "explain" not in str(good)
    blown = noisy(swing(wind=[0.0, 9.0, 0.0]), 1e-3)
    bad = identify(swing(), blown, [drag], noise=noise, loss=loss)
    assert bad.misfit > 6.0
    assert "the scene does not explain the logs" in str(bad)
    assert np.isnan(identify(swing(), blown, [drag], loss=loss).misfit)


def test_a_first_guess_that_is_rounding_is_one_of_zero():
    """cos 90° is 6e-17: no size of a number, and no length of a first step."""
    truth = {"bodies.load.velocity.1": 0.2}
    log = _log(_scene(**truth))
    for first in (0.0, 6e-17):
        found = identify(_scene(**{"bodies.load.velocity.1": first}), log, [*truth])
        assert found.converged
        assert found["bodies.load.velocity.1"] == pytest.approx(0.2, abs=1e-9)


def test_a_log_that_is_too_short_is_refused():
    log = Log([0.0, 0.1], {"position[load,x]": [0.4, np.nan]})
    with pytest.raises(towsim.UsageError, match="too few"):
        identify(_scene(), log, ["bodies.load.drag.linear"])


def test_a_trial_with_which_the_scene_does_not_start_is_a_step_too_far():
    """The wire was shorter than it is declared: where it begins taut only taut=True lets it be."""
    hook = {"motion": {"formula": {"x": "0.2*sin(3*t)", "y": 0.0, "z": 2.0}}}
    load = {"mass": 1.0, "point": True, "position": [0.0, 0.0, 1.0], "drag": {"linear": 0.2}}
    data = {
        "robots": {"hook": hook},
        "bodies": {"load": load},
        "run": {"step": 2e-3, "duration": 2.0, "method": "shake"},
    }
    scene = scene_from_data(data | {"wires": {"w": {"from": "hook", "to": "load", "length": 1.0}}})
    run = towsim.simulate(scene.with_values({"wires.w.length": 0.95, "bodies.load.position.2": 1.05}))
    log = Log(run.time, {"position[load,x]": run["position"].values[:, 0, 0]})
    found = identify(scene, log, ["wires.w.length"])
    assert not found.converged
    assert "stretched" in found.message
    assert "taut=True" in found.message
    found = identify(scene, log, ["wires.w.length"], taut=True)
    assert found.converged
    assert found["wires.w.length"] == pytest.approx(0.95, abs=1e-9)
    stretched = scene.with_values({"wires.w.length": 0.9})
    with pytest.raises(towsim.SceneError, match=r"with wires.w.length = 0.9: .*stretched by 0.1 m(.|\n)*taut=True"):
        identify(stretched, log, ["wires.w.length"])
    slowed = towsim.simulate(scene.with_values({"bodies.load.drag.linear": 0.35}))["position"].values[:, 0]
    log = Log(run.time, {f"position[load,{axis}]": slowed[:, i] for i, axis in enumerate("xyz")})
    found = identify(scene, log, ["bodies.load.position"])
    assert re.search(r"stretched by 0\.0\d* m(.|\n)*taut=True", found.message)  # not what shortened steps end in


def test_a_trial_without_a_derivative_is_a_step_too_far(monkeypatch):
    from towsim.fitting import residuals

    honest, refused = residuals.sensitivities, []

    def brittle(scene, *arguments, **options):
        if scene != swing() and not refused:
            refused.append(scene)
            raise towsim.UsageError("a kink passes a time step")
        return honest(scene, *arguments, **options)

    monkeypatch.setattr(residuals, "sensitivities", brittle)
    found = identify(swing(), noisy(swing(**{"bodies.load.drag.linear": 0.3}), 1e-3), ["bodies.load.drag.linear"])
    assert refused
    assert found.converged
    assert found["bodies.load.drag.linear"] == pytest.approx(0.3, abs=4.0 * found.sigma[0])


def test_a_number_that_counts_for_nothing_at_the_first_guess_only_is_refused_as_such():
    """A swing in x: how fast it is across moves x and z by its square. Rates along the wire slacken it, or jerk."""
    scene = swing(**{"robots.r.motion.formula.y": 0.0})
    log = noisy(scene.with_values({"bodies.load.velocity.1": 0.6}), 1e-3, axes="xz")
    with pytest.raises(towsim.UsageError, match=r"velocity.1 changes .* first guess, though elsewhere it does"):
        identify(scene, log, ["bodies.load.drag.linear", "bodies.load.velocity.1"])
    along = {"along": {"bodies.load.velocity.0": 0.3, "bodies.load.velocity.2": -1.0}}
    with pytest.raises(towsim.UsageError, match=r"along changes .* first guess, though elsewhere it does"):
        identify(scene, noisy(scene, 1e-3), ["bodies.load.velocity.1", along])


def test_the_command_line_finds_and_writes_the_numbers(tmp_path, capsys):
    (tmp_path / "swing.yaml").write_text(scene_to_text(_scene()))
    truth = _scene(**{"bodies.load.drag.linear": 0.5})
    towsim.simulate(truth, duration=DURATION, record_every=10).save(tmp_path / "log.csv")
    # Of an exported table only the positions are taken: all its columns together would need their noise.
    titles, *rows = (tmp_path / "log.csv").read_text().splitlines()
    table = list(csv.reader([titles, *rows]))
    kept = [i for i, title in enumerate(table[0]) if title.startswith(("time", "position["))]
    with (tmp_path / "log.csv").open("w", newline="") as file:
        csv.writer(file).writerows([[row[i] for i in kept] for row in table])
    files = [str(tmp_path / name) for name in ("log.csv", "swing.yaml")]
    free = "bodies.load.drag.linear,offset.position[load,x]"
    save, plot = str(tmp_path / "found.yaml"), str(tmp_path / "left.png")
    code = main(["identify", *files, "--free", free, "--json", "--save", save, "--plot", plot])
    assert code == 0
    numbers = json.loads(capsys.readouterr().out)["numbers"]
    assert numbers["bodies.load.drag.linear"]["value"] == pytest.approx(0.5, rel=1e-6)
    assert towsim.load_scene(tmp_path / "found.yaml").bodies["load"].drag.linear == pytest.approx(0.5, rel=1e-6)
    assert (tmp_path / "left.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("option", "name", "match"),
    [
        ("--save", "nodir/found.yaml", "there is no folder"),
        ("--plot", "nodir/left.png", "there is no folder"),
        ("--plot", "left.bmp", "a picture is .png, .pdf or .svg"),
        ("--plot", "left", "a picture is .png, .pdf or .svg"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_fit(tmp_path, capsys, option, name, match):
    (tmp_path / "swing.yaml").write_text(scene_to_text(swing()))
    words = ["identify", str(tmp_path / "no.csv"), str(tmp_path / "swing.yaml"), "--free", "lag"]
    assert main([*words, option, str(tmp_path / name)]) == 2
    assert match in capsys.readouterr().err


@pytest.mark.parametrize("lag", [-0.05, 0.02])
def test_a_lag_of_either_sign_is_found(lag):
    """Readings of a clock that is fast go on to the end of the log: what comes later in the run is compared with them.

    Tolerances: lines between rows, ẍ h²/8 = 1e-5 m."""
    truth = _scene(**{"bodies.load.drag.linear": 0.5})
    run = towsim.simulate(truth, duration=DURATION)
    time = np.arange(max(lag, 0.0), DURATION - 0.05, 5 * STEP)
    place = {
        f"position[load,{axis}]": np.interp(time - lag, run.time, run["position"].values[:, 0, i])
        for i, axis in enumerate("xyz")
    }
    found = identify(_scene(), Log(time, place), ["bodies.load.drag.linear", "lag"])
    assert found["lag"] == pytest.approx(lag, abs=1e-5)
    assert found["bodies.load.drag.linear"] == pytest.approx(0.5, abs=1e-3)
    assert max(found.rms["log"].values()) < 2e-5


def test_what_sensors_read_before_the_start_is_left_out():
    """A load that flew at 0.5 m/s when the run begins: a fit held those rows against its place at the start.

    Tolerances: lines between rows, ẍ h²/8 = 1e-5 m."""
    truth = swing(**{"bodies.load.drag.linear": 0.4, "bodies.load.velocity.1": 0.5})
    run, lags = towsim.simulate(truth), (0.045, 0.0)
    time, logs = run.time[::5], []
    for lag in lags:
        place = np.interp(time - lag, run.time, run["position"].values[:, 0, 1]) + 0.5 * np.minimum(time - lag, 0.0)
        x = np.interp(time - lag, run.time, run["position"].values[:, 0, 0])
        logs.append(Log(time, {"position[load,x]": x, "position[load,y]": place}))
    free = ["bodies.load.drag.linear", "bodies.load.velocity.1", "offset.position[load,y]", "lag"]
    found = identify(truth.with_values({"bodies.load.drag.linear": 0.2}), logs, free, own=["lag"])
    assert found.values == pytest.approx([0.4, 0.5, 0.0, *lags], abs=1e-4)
    assert max(rms for columns in found.rms.values() for rms in columns.values()) < 2e-5
    assert np.isnan(found.residuals["log 1"]["position[load,y]"]).sum() == 5
    assert found.left_out[0] == "log 1: rows before 0.045 s are left out: the lag is as long, and a run has no past"


@pytest.mark.parametrize("side", [0, 1])
def test_a_number_may_begin_on_its_bound(side):
    """As a lag that is not negative does; it leaves the bound, or stays there and is told. Beyond it is refused."""
    scene, drag = swing(**{"bodies.load.drag.linear": 0.4}), "bodies.load.drag.linear"
    log, start = noisy(scene, 1e-4), (0.2, 0.6)[side]
    begun = swing(**{drag: start})
    found = identify(begun, log, [drag, "lag"], bounds={drag: (0.2, 0.6), "lag": (0.0, 0.02)})
    assert found[drag] == pytest.approx(0.4, abs=0.01)
    assert 0.0 <= found["lag"] < 1e-3
    with pytest.raises(towsim.UsageError, match=r"linear begins at .*, which is not between its bounds 0\.3 and 0\.5"):
        identify(begun, log, [drag], bounds={drag: (0.3, 0.5)})
    scenes = [swing(**{drag: 0.4}), begun]
    with pytest.raises(towsim.UsageError, match=r"linear begins at .*, which is not between its bounds 0\.3 and 0\.5"):
        identify(scenes, [log, noisy(scene, 2e-4)], [drag], own=[drag], bounds={drag: (0.3, 0.5)})


def test_a_quaternion_of_the_other_sign_is_the_same_attitude():
    scene = scene_from_data(
        {
            "bodies": {"b": {"shape": {"box": [0.3, 0.2, 0.1]}, "mass": 1.0, "angular_velocity": [1, 0.5, 3]}},
            "sensors": {"gps": {"kind": "pose", "of": "b", "rate": 1000.0}},
            "run": {"duration": 0.5},
        }
    )
    free = ["bodies.b.angular_velocity.2"]
    run = towsim.simulate(scene.with_values({free[0]: 3.1}))
    q, time = run["quaternion"].values[::10, 0], run.time[::10]
    q[7, 2] = np.nan
    sides = np.ones(len(q)), -np.ones(len(q)), np.where(np.arange(len(q)) % 3, 1.0, -1.0)
    titles = "quaternion[b,{}]", "reading[gps.q{}]"
    logs = [
        Log(time, {title.format(c): side * q[:, i] for i, c in enumerate("wxyz")}) for side in sides for title in titles
    ]
    for log in logs:
        found = towsim.identify(scene, log, free)
        assert found[free[0]] == pytest.approx(3.1, rel=1e-6)
        assert max(found.rms["log"].values()) < 1e-9


def test_readings_are_predicted_without_the_noise_of_the_scenes_seed():
    """Or it would count as an error of the log: what is left would be √2 of it, and intervals too narrow by that."""
    sigma, drag = 0.01, "bodies.load.drag.linear"
    gps = {"kind": "pose", "of": "load", "rate": 100.0, "noise": sigma}
    scene = swing(**{"sensors.gps": gps})
    run = towsim.simulate(scene.with_values({"seed": 7}))
    log = Log(
        run.time[::5], {f"reading[gps.{axis}]": run["reading"].sel(channel=f"gps.{axis}").values[::5] for axis in "xyz"}
    )
    found = identify(scene, log, [drag], noise={"reading": sigma})
    assert found.misfit == pytest.approx(1.0, abs=0.1)
    assert found.scene.sensors["gps"].noise == sigma


def test_centimetres_are_suspected_though_a_load_might_go_as_far():
    log, drag = noisy(swing(), 1e-3, factor=100.0), "bodies.load.drag.linear"
    with pytest.raises(towsim.UsageError, match="another unit"):
        identify(swing(), log, [drag])
    far = {"bodies.load.velocity.0": 20.0}  # a hundredth of that is no swing of this scene
    assert identify(swing(), noisy(swing(**far), 1e-3), [drag], most_runs=1).runs


def test_a_log_that_is_given_twice_is_refused():
    log, drag = noisy(swing(), 1e-3), "bodies.load.drag.linear"
    again = Log(log.time, {str(column): x for column, x in log.columns.items()}, "again")
    with pytest.raises(towsim.UsageError, match="logs 1 and 2, log and again, are the same"):
        identify(swing(), [log, again], [drag])


def test_noise_is_that_of_all_variables_or_of_none():
    log = noisy(swing(), 1e-3)
    both = Log(log.time, {**{str(column): x for column, x in log.columns.items()}, "gap[w]": 0.0 * log.time})
    with pytest.raises(towsim.UsageError, match="weighed by their noise: give that of 'gap', in m"):
        identify(swing(), both, ["bodies.load.drag.linear"], noise={"position": 1e-3})
