"""Before any step: what is read by hand is the first row of a run, what is commanded by hand has to be waited for."""

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_before_any_step_sensors_and_commands_are_those_of_the_first_row_of_a_run(method):
    def hover(t, measured, reference, memory, command):
        memory[0] += 1.0
        command[:4] = 3.0 + 0.1 * memory[0]

    scene = scene_from_data(
        {
            "robots": {
                "q": {"position": [3, 0, 5], "dynamics": "quadcopter", "vehicle": {"mass": 1.3, "lag": 0.02}},
                "v": {"position": [0, 0, 5], "dynamics": "point-mass"},
            },
            "sensors": {"p": {"kind": "pose", "of": "q"}, "i": {"kind": "imu", "of": "q", "noise": 0.1}},
        }
    )
    how = {"method": method, "controllers": {"q": towsim.Control(hover, rate=100.0, memory=np.zeros(1))}}
    run = towsim.simulate(scene, duration=0.1, **how)
    sim, batch = towsim.Simulation(scene, **how), towsim.Batch(scene, 2, **how)
    for _ in range(2):
        for name in ("reading", "command", "actuation", "thrust"):
            first = run[name].values[0]
            assert first.any()
            np.testing.assert_array_equal(sim[name].values, first)
            np.testing.assert_array_equal(sim.result()[name].values, [first])
            np.testing.assert_array_equal(batch[name].values, [first, first])
        batch.reset()
    sim.step(round(0.1 / sim.h))  # and looking has changed nothing
    np.testing.assert_array_equal(sim.result()["command"].values, run["command"].values)
    batch.reset()
    batch.command("v", [[1.0, 0.0, 0.0]], copies=[1])
    assert batch["command"].sel(actuator="v.force.x").values.tolist() == [0.0, 1.0]


def test_what_is_commanded_by_hand_is_late_at_the_start_as_at_any_other_time():
    """a = u (1 − e^{−t/τ}), so that v = u/m (t − τ (1 − e^{−t/τ})) from a rest as long as one likes."""
    body = {"mass": 2.0, "point": True, "actuator": {"max_force": 10.0, "lag": 0.5}}
    scene = scene_from_data({"gravity": [0, 0, 0], "bodies": {"b": body}})
    expected = 3.0 / 2.0 * (1.0 - 0.5 * (1.0 - np.exp(-2.0)))
    batch = towsim.Batch(scene, 2, step=1e-3)
    for steps_before in (0, 1):
        sim = towsim.Simulation(scene, step=1e-3)
        for one in (sim, batch):
            if steps_before:
                one.step(steps_before)
            one.command("b", [3.0, 0.0, 0.0])
            one.step(1000)
            assert one["velocity"].sel(body="b").values[..., 0] == pytest.approx(expected, rel=2e-3)
        batch.reset()


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_what_belongs_to_a_step_is_unknown_until_there_is_one_at_the_start_and_where_a_state_is_set(method):
    scene = scene_from_data(
        {
            "bodies": {"b": {"mass": 2.0, "point": True}},
            "robots": {"r": {"position": [0, 0, 1]}},
            "wires": {"w": {"from": "b", "to": "r", "length": 1.0}},
        }
    )
    sim, batch = (kind(scene, *n, step=1e-3, method=method) for kind, *n in ((towsim.Simulation,), (towsim.Batch, 2)))
    for one in (sim, batch):
        for set_anew in (
            lambda one: one.place("b", velocity=[0.0, 0.0, 0.0]),
            lambda one: setattr(one, "state", one.state),
        ):
            for name in ("tension", "acceleration"):
                assert np.isnan(one[name].values).all()
            one.step(2)
            assert one["tension"].values == pytest.approx(2.0 * 9.81)
            assert one["acceleration"].values == pytest.approx(0.0, abs=1e-9)
            set_anew(one)
        assert np.isnan(one["tension"].values).all()
    assert sim.result()["tension"].values == pytest.approx(2.0 * 9.81)  # row 0 has that of the step that followed
