"""A controller of one's own: in Python or compiled, one signature and the same numbers; sampled at its own rate."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import pytest

import solvers
import towsim
from towsim import Control
from towsim.errors import ResultError, SimulationError, UsageError
from towsim.scene import scene_from_text

TEXT = """
bodies: {load: {mass: 0.4, point: true}}
robots: {r: {motion: {formula: {x: 0.3*sin(t), z: "1"}}, dynamics: point-mass, vehicle: {mass: 1.0, lag: 0.01}}}
wires: {w: {from: load, to: r, length: 1.0}}
sensors: {pose: {kind: pose, of: r, noise: 1e-3}}
"""
SCENE = scene_from_text(TEXT)


def spring(t, measured, reference, memory, command):
    """A spring and damper to the declared motion, which carries 1.4 kg; counts its calls."""
    memory[0] += 1.0
    for j in range(3):
        error = measured.position[1, j] - reference[0, 0, j]
        command[j] = -40.0 * error - 8.0 * (measured.velocity[1, j] - reference[0, 1, j])
    command[2] += 1.4 * 9.81


def run(function, rate=200.0, **options):
    memory = np.zeros(1)
    return towsim.simulate(
        SCENE, **({"duration": 1.0, "step": 1e-3} | options), controllers={"r": Control(function, rate, memory)}
    )


def same(one, other):
    return all(np.array_equal(one[name].values, other[name].values, equal_nan=True) for name in one.variables)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_python_and_compiled_give_the_same_bits(method):
    assert same(run(spring, method=method), run(numba.njit(spring), method=method))


def test_the_python_loop_samples_at_the_same_instants():
    one, other = run(spring), run(spring, loop="python", solver="active-set")
    assert np.abs(one["position"].values - other["position"].values).max() < 1e-12
    assert np.abs(one["command"].values - other["command"].values).max() < 1e-9


def test_where_a_block_ends_makes_no_difference(monkeypatch):
    from towsim.run import blocks

    whole = run(spring)
    monkeypatch.setattr(blocks, "BLOCK", 37)
    monkeypatch.setattr(blocks, "BLOCK_NUMBERS", 37)
    assert np.abs(run(spring)["position"].values - whole["position"].values).max() < 1e-12
    assert same(run(spring), run(spring))


def test_commands_are_held_between_samples():
    command = run(spring, rate=50.0)["command"].values
    changes = np.flatnonzero((np.diff(command, axis=0) != 0.0).any(axis=1)) + 1
    np.testing.assert_array_equal(changes, np.arange(20, 1001, 20))


@pytest.mark.parametrize("h", [4e-3, 1e-3])
def test_forces_of_samples_act_from_one_to_the_next_by_shake(h):
    """x'' = u/m with u held for 20 ms is summed without an error: kicks at samples have half of both forces."""
    text = "{gravity: [0, 0, 0], bodies: {b: {mass: 2.0, point: true, actuator: {max_force: 50.0}}}}"

    def law(t, measured, reference, memory, command):
        command[0] = -18.0 * (measured.position[0, 0] - 1.0)

    found = towsim.simulate(
        scene_from_text(text), duration=1.0, step=h, method="shake", controllers={"b": Control(law, rate=50.0)}
    )
    x, v, expected = 0.0, 0.0, [(0.0, 0.0)]
    for _ in range(50):
        a = -9.0 * (x - 1.0)
        x, v = x + 0.02 * v + 2e-4 * a, v + 0.02 * a
        expected.append((x, v))
    samples = slice(None, None, round(0.02 / h))
    np.testing.assert_allclose(found["position"].values[samples, 0, 0], [x for x, _ in expected], atol=1e-13)
    assert found["velocity"].values[-1, 0, 0] == pytest.approx(v, abs=1e-12)
    np.testing.assert_array_equal(found["actuation"].values, found["command"].values)


def failing(fails, lag, cut="null"):
    """A mass of 2 kg whose drive fails, and far from it a wire that may be cut."""
    drive = f"max_force: 50, lag: {lag}, fails: {fails}"
    return scene_from_text(f"""
        gravity: [0, 0, 0]
        bodies:
          b: {{mass: 2, point: true, actuator: {{{drive}}}}}
          far: {{mass: 1, point: true, position: [0, 5, 0]}}
        robots: {{r: {{position: [0, 6, 0]}}}}
        wires: {{w: {{from: far, to: r, length: 1, cut: {cut}}}}}
    """)


def a_step(t, measured, reference, memory, command):
    """1 N, and from 0.04 s on 3 N."""
    command[0] = 1.0 if t < 0.0399 else 3.0


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("lag", [0.0, 0.05])
@pytest.mark.parametrize("rate", [50.0, None])
@pytest.mark.parametrize("fails", [0.1, 0.105])
def test_a_failure_is_the_same_however_a_run_is_cut_into_blocks(fails, rate, lag, method):
    how = {"step": 5e-3, "method": method, "controllers": {"b": Control(a_step, rate)}}
    scene = failing(fails, lag)
    found = [towsim.simulate(one, duration=0.2, **how) for one in (scene, failing(fails, lag, cut=fails))]
    found.append(towsim.simulate(scene, duration=0.2, loop="python", **how))
    ends = [[one[name].sel(body="b").values[-1] for name in ("position", "velocity")] for one in found]
    for blocks in ([40], [1] * 40, [20, 20], [21, 19]):
        for by_hand in (towsim.Simulation(scene, **how), towsim.Batch(scene, 2, **how)):
            for n in blocks:
                by_hand.step(n)
            last = [by_hand[name].sel(body="b").values for name in ("position", "velocity")]
            ends += [last] if last[0].ndim == 1 else [[one[c] for one in last] for c in range(2)]
    assert all(np.array_equal(one, ends[0]) for one in ends)
    given = found[0]["actuation"].sel(actuator="b.force.x").values
    assert (given[found[0].time > fails - 1e-9] == 0.0).all()
    assert (given[found[0].time < fails - 1e-9] > 0.0).all()


@pytest.mark.parametrize("fails", [0.1, 0.105])
def test_what_a_force_adds_before_it_fails_is_of_order_two_by_shake(fails):
    lag, since, mass, end = 0.05, fails - 0.04, 2.0, 0.2
    left = np.exp(-since / lag)
    late = lag * ((end - 0.04) * (1.0 - left) - lag + (lag + since) * left)  # ∫ (end − t) exp(−(t − 0.04)/lag) dt
    whole = 0.5 * (3.0 * (end - 0.04) ** 2 - 3.0 * (end - fails) ** 2 + end**2 - (end - 0.04) ** 2)
    exact = (whole - 2.0 * late) / mass
    error = []
    for h in (5e-3, 2.5e-3, 1.25e-3):
        how = {"duration": end, "step": h, "method": "shake", "controllers": {"b": Control(a_step, 50.0)}}
        error.append(towsim.simulate(failing(fails, lag), **how)["position"].values[-1, 0, 0] - exact)
    np.testing.assert_allclose(np.divide(error[:-1], error[1:]), 4.0, rtol=0.01)


@pytest.mark.parametrize("fails", [0.1, 0.105])
def test_a_force_without_a_lag_acts_until_it_fails_by_shake(fails):
    how = {"duration": 0.2, "step": 5e-3, "method": "shake", "controllers": {"b": Control(a_step, 50.0)}}
    run = towsim.simulate(failing(fails, 0.0), **how)
    exact = 0.5 * (3.0 * 0.16**2 - 3.0 * (0.2 - fails) ** 2 + 0.2**2 - 0.16**2) / 2.0
    assert run["position"].values[-1, 0, 0] == pytest.approx(exact, rel=1e-13)
    assert run["velocity"].values[-1, 0, 0] == pytest.approx((0.04 + 3.0 * (fails - 0.04)) / 2.0, rel=1e-13)


def test_the_declared_memory_is_copied_for_every_run():
    control = Control(spring, 200.0, np.zeros(1))
    for _ in range(2):
        towsim.simulate(SCENE, duration=0.1, controllers={"r": control})
    assert control.memory[0] == 0.0


def test_what_is_written_beyond_ones_own_part_is_not_taken_over():
    scene = scene_from_text(TEXT.replace("robots: {", "robots: {other: {position: [5, 0, 0], dynamics: point-mass}, "))

    def greedy(t, measured, reference, memory, command):
        command[:] = np.nan
        command[3:] = 0.0, 0.0, 1.4 * 9.81

    result = towsim.simulate(scene, duration=0.2, step=1e-3, controllers={"r": greedy})
    assert np.abs(result["position"].sel(body="other").values - [5, 0, 0]).max() < 0.05


def spoil(t, measured, reference, memory, command):
    """Flies as ``spring`` does, and leaves nothing as it was."""
    for j in range(3):
        command[j] = -40.0 * (measured.position[0, j] - reference[0, 0, j])
    for array in (measured.position, measured.quaternion, measured.velocity, measured.gyro, measured.robot_position):
        array[:] = 7.0
    measured.tension[:] = 7.0
    measured.alive[:] = False
    reference[:] = 7.0


@pytest.mark.parametrize("compile_", [lambda law: law, numba.njit])
def test_what_a_law_writes_into_what_it_sees_changes_nothing_for_others(compile_):
    text = """
    robots:
      a: {position: [0, 0, 1], dynamics: point-mass, vehicle: {mass: 1.0}}
      b: {motion: {formula: {x: 0.3*sin(t), z: "1"}}, dynamics: quadcopter}
    sensors: {pose: {kind: pose, of: b, rate: 100}}
    gravity: [0, 0, -9.81]
    """
    scene, b = scene_from_text(text), []
    for law in (nothing, compile_(spoil)):
        result = towsim.simulate(scene, duration=0.5, step=1e-3, controllers={"a": Control(law, rate=250.0)})
        b.append(result["position"].sel(body="b").values)
    assert np.array_equal(*b)


def nothing(t, measured, reference, memory, command):
    pass


def test_names_lead_to_indices():
    indices = towsim.plant(SCENE)
    assert indices.bodies == ("load", "r")
    assert indices.body("r") == 1
    assert indices.wire("w") == 0
    assert indices.actuator("r.force.z") == 2
    assert indices.owned("r") == [0, 1, 2]
    with pytest.raises(UsageError, match=r"unknown actuator 'r.force.q': did you mean 'r.force"):
        indices.actuator("r.force.q")


@pytest.mark.parametrize(
    ("controllers", "message"),
    [
        ({"rr": spring}, r"controller 'rr': unknown vehicle or winch 'rr': did you mean 'r'"),
        ({"load": spring}, r"unknown vehicle or winch 'load'"),
        ({"r": 3.0}, r"controller 'r' must be a function, got 3.0"),
        ({"r": Control(spring, 300.0)}, r"every 0.00333333 s, which is not a whole number of steps of 0.001 s; take r"),
        ({"r": Control(spring, 5000.0)}, r"take rate 1000, or a step of 0.0002 s"),
        ({"a": Control(spring, vehicles=("r",)), "b": Control(spring, vehicles=("r",))}, "is commanded by 'a' and by"),
        (
            {"r": lambda t, measured, reference, command: None},
            r"controller 'r' takes \(t, measured, reference, command\)",
        ),
        (
            {"r": numba.njit(lambda t, seen: None)},
            r"controller 'r' takes \(t, seen\), and is called with \(t, measured, r",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(controllers, message):
    with pytest.raises(UsageError, match=message):
        towsim.simulate(SCENE, duration=0.1, step=1e-3, controllers=controllers)


def test_a_scene_in_which_nothing_can_be_commanded_says_what_to_do():
    kinematic = scene_from_text(TEXT.replace("dynamics: point-mass", "dynamics: kinematic").partition("sensors")[0])
    with pytest.raises(UsageError, match="nothing in this scene can be commanded; give a robot dynamics: point-mass"):
        towsim.simulate(kinematic, duration=0.1, controllers={"r": spring})
    both = scene_from_text(TEXT.replace("robots: {", "robots: {post: {position: [5, 0, 0]}, "))
    with pytest.raises(UsageError, match="robot 'post' is kinematic: give it dynamics: quadcopter"):
        towsim.simulate(both, duration=0.1, controllers={"post": spring})


def test_rotors_that_nobody_commands_are_refused():
    text = "bodies: {d: {mass: 1, inertia: [1, 1, 1], rotors: {arm: 0.2, thrust: commanded}}}"
    with pytest.raises(UsageError, match="the rotors of 'd' are to be commanded, and nothing does; add a controller"):
        towsim.simulate(scene_from_text(text), duration=0.1)


def test_the_problem_of_a_step_under_control_can_be_studied():
    scene = SCENE.with_values({"run.step": 1e-3})
    problem = towsim.step_problem(scene, time=0.5)
    result = towsim.simulate(scene, duration=0.501)
    solution = solvers.solve(problem)
    assert solution.z[0] / 1e-3 == pytest.approx(result["tension"].values[-1, 0], rel=1e-9)


@pytest.mark.parametrize("method", ["bdf3", "dae"])
def test_methods_without_controllers_say_so(method):
    with pytest.raises(UsageError, match=f"method '{method}' takes no controllers, sensors or dynamic robots"):
        towsim.simulate(SCENE, duration=0.1, method=method)


def test_a_command_that_is_not_finite_is_reported_with_time_and_vehicle():
    def broken(t, measured, reference, memory, command):
        command[:] = 0.0, 0.0, 1.4 * 9.81
        if t >= 0.25:
            command[1] = np.nan

    with pytest.raises(SimulationError, match=r"at t = 0.25 s controller 'r' commands r.force.y = nan") as caught:
        towsim.simulate(SCENE, duration=1.0, step=1e-3, controllers={"r": broken})
    assert caught.value.result is not None
    assert caught.value.result.time[-1] == pytest.approx(0.25)
    assert np.isfinite(caught.value.result["position"].values).all()


def test_an_error_of_the_controller_is_reported_with_its_time():
    def broken(t, measured, reference, memory, command):
        if t > 0.1:
            raise ZeroDivisionError("by hand")

    with pytest.raises(SimulationError, match=r"at t = 0.101 s controller 'r' raised ZeroDivisionError: by hand"):
        towsim.simulate(SCENE, duration=1.0, step=1e-3, controllers={"r": broken})


@pytest.mark.parametrize("made", [lambda law: law, numba.njit])
def test_what_is_not_measured_is_told_with_what_is(made):
    def law(t, measured, reference, memory, command):
        command[0] = measured.velocities[1, 0]

    with pytest.raises(SimulationError) as caught:
        run(made(law), duration=0.01)
    told = "controller 'r': unknown attribute of measured 'velocities': did you mean 'velocity'? There are: position, "
    assert told in str(caught.value)


def no_memory(t, measured, reference, memory, command):
    memory[0] += 1.0


def beyond_its_command(t, measured, reference, memory, command):
    command[7] = 1.0


@pytest.mark.parametrize("law", [no_memory, beyond_its_command])
def test_a_law_that_writes_where_no_array_is_is_told_compiled_or_not(law):
    told = r"at t = 0 s controller 'r' raised IndexError: index .*is out of bounds"
    for function in (law, numba.njit(law)):
        with pytest.raises(SimulationError, match=told):
            towsim.simulate(SCENE, duration=0.1, step=1e-3, controllers={"r": function})


def test_a_law_that_returns_its_command_is_told_where_to_write_it():
    def returning(t, measured, reference, memory, command):
        return -0.1

    for function in (returning, numba.njit(returning)):
        with pytest.raises(SimulationError, match=r"at t = 0 s controller 'r' returned -0.1, .* write to command"):
            towsim.simulate(SCENE, duration=0.1, step=1e-3, controllers={"r": function})


def test_two_laws_of_one_vehicle_are_refused_in_any_order():
    scene = scene_from_text(TEXT + "controllers: {follow: {law: track, vehicles: [r]}}\n")
    for names in (("follow", "r"), ("r", "follow")):
        with pytest.raises(
            UsageError, match=r"r.force.x is commanded by '(r|follow)' and by '(r|follow)'; leave one out"
        ):
            towsim.simulate(scene, duration=0.1, step=1e-3, controllers=dict.fromkeys(names, spring))


def test_divergence_is_reported_with_time_and_vehicle_and_never_as_nan():
    def wrong_sign(t, measured, reference, memory, command):
        for j in range(3):
            command[j] = 400.0 * (measured.position[1, j] - reference[0, 0, j] + 1e-3)

    free = SCENE.with_values({"robots.r.vehicle.max_force": 1e30})
    told = r"at t = \S+ s 'r' is out of control: .* controller 'r' is unstable"
    with pytest.raises(SimulationError, match=told) as e:
        towsim.simulate(free, duration=20.0, step=1e-3, controllers={"r": wrong_sign})
    assert 0.3 < e.value.time < 5.0
    result = e.value.result
    assert all(np.isfinite(result[name].values[1:]).all() for name in ("position", "velocity", "quaternion", "tension"))
    assert "out of control" in str(result.attributes["outcome"])


def test_a_named_controller_that_is_unstable_is_given_up_too():
    text = """
        robots: {q: {position: [0, 0, 0], dynamics: quadcopter, vehicle: {lag: 0.3}}}
        controllers: {follow: {law: track, vehicles: [q], lost: 5.0}}
    """
    wobble = scene_from_text(text).with_values({"robots.q.position": None, "robots.q.motion": _dash()})
    with pytest.raises(SimulationError, match=r"at t = \S+ s 'q' is out of control: \S+ m from where it should be"):
        towsim.simulate(wobble, duration=20.0)


@pytest.mark.parametrize("rotor", [1, 2])
def test_a_vehicle_out_of_control_after_a_rotor_failed_is_told_which(rotor):
    failure = f"{{time: 0.1, rotors: [{rotor}]}}"
    text = f"robots: {{q: {{position: [0, 0, 0], dynamics: quadcopter, vehicle: {{failures: [{failure}]}}}}}}"
    told = rf"'q' is out of control: .* which these have failed: q\.rotor{rotor} from 0\.1 s on \("
    with pytest.raises(SimulationError, match=told):
        towsim.simulate(scene_from_text(text), duration=20.0)


def _dash():
    return {"waypoints": {"t": [0, 1], "position": [[0, 0, 0], [1, 1, 0]]}}


def test_a_controller_takes_the_place_of_the_one_of_the_scene():
    text = TEXT + "controllers: {follow: {law: track, vehicles: [r]}}\n"
    for name in ("follow", "r"):
        result = towsim.simulate(
            scene_from_text(text), duration=0.1, step=1e-3, controllers={name: Control(spring, 200.0, np.zeros(1))}
        )
        assert np.array_equal(result["command"].values, run(spring, duration=0.1)["command"].values)


def test_a_result_of_functions_says_that_it_cannot_be_replayed():
    from towsim.analysis.replay import replay

    with pytest.raises(ResultError, match="controllers r were functions"):
        replay(run(spring, duration=0.1))


def test_a_result_of_named_controllers_is_replayed_bit_for_bit(tmp_path):
    from towsim.analysis.replay import replay

    towsim.simulate(SCENE, duration=0.3, output=tmp_path / "run.nc")
    assert replay(towsim.open_result(tmp_path / "run.nc")).same


class Kept(NamedTuple):
    """What a law keeps, by name."""

    calls: np.ndarray
    last: np.ndarray


def damped(t, measured, reference, memory, command):
    """A spring whose damping is that of the last two errors."""
    memory.calls[0] += 1.0
    for j in range(3):
        error = measured.position[1, j] - reference[0, 0, j]
        command[j] = -40.0 * error - 1600.0 * (error - memory.last[j]) * (memory.calls[0] > 1.0)
        memory.last[j] = error
    command[2] += 1.4 * 9.81


def test_a_law_may_keep_arrays_by_name_and_has_the_same_bits_compiled_or_not():
    found = []
    for law in (damped, numba.njit(damped)):
        kept = Kept(np.zeros(1), np.zeros(3))
        found.append(towsim.simulate(SCENE, duration=0.5, step=1e-3, controllers={"r": Control(law, 200.0, kept)}))
        assert kept.calls[0] == 0.0  # every run begins with a copy
    assert same(*found)


def test_laws_of_both_kinds_are_called_in_the_order_of_the_samples():
    text = TEXT.replace("robots: {r:", "robots: {s: {position: [5, 0, 1], dynamics: point-mass}, r:")
    scene = scene_from_text(text)

    def hover(t, measured, reference, memory, command):
        command[memory[0] + 2] = 9.81

    found = []
    for laws in ((spring, hover), (numba.njit(spring), hover), (spring, numba.njit(hover))):
        own = {
            "r": Control(laws[0], 200.0, np.zeros(1)),
            "s": Control(laws[1], 125.0, np.full(1, 0)),
        }
        found.append(towsim.simulate(scene, duration=0.3, step=1e-3, controllers=own))
    assert same(found[0], found[1])
    assert same(found[0], found[2])


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("loop", ["compiled", "python"])
def test_a_law_that_fails_at_once_leaves_the_start_in_the_result(method, loop):
    def refuse(t, measured, reference, memory, command):
        raise ValueError("no")

    how = {"duration": 0.1, "method": method, "loop": loop, "on_failure": "record"}
    found = towsim.simulate(SCENE, controllers={"r": Control(refuse)}, **how)
    assert list(found.time) == [0.0]
    assert found["position"].values[0, 1].tolist() == [0.0, 0.0, 1.0]
    assert found["quaternion"].values[0].tolist() == [[1.0, 0.0, 0.0, 0.0]] * 2


@pytest.mark.parametrize("memory", [[0.0], 1, None, {"calls": 0}])
def test_what_a_law_keeps_is_an_array_or_a_tuple_of_arrays(memory):
    with pytest.raises(UsageError, match="memory must be an array"):
        Control(spring, memory=memory)


@pytest.mark.parametrize("rate", [0, 0.0, -1.0, np.nan, np.inf, "a", True, [100.0]])
def test_a_rate_that_cannot_be_is_refused_where_it_is_declared(rate):
    with pytest.raises(UsageError, match="rate must be a finite number"):
        Control(spring, rate=rate)
