"""What is read of an instant, and set there, is of that instant, also by a method with velocities between instants."""

import numpy as np
import pytest

import towsim

METHODS = ["stewart-trinkle", "shake"]

LAWS = ["0.3*t + 0.5*max(t - 0.05, 0)", "0.3*t if t < 0.05 else 0.8*t - 0.025", "0.3*t if t <= 0.05 else 0.8*t - 0.025"]


def tow(law="0.3*t + 0.5*t**2", mass=1.0):
    """A robot drags a load, and a box that hangs on it; beside them a top."""
    box = {"mass": 2.0, "shape": {"box": [0.2, 0.3, 0.4]}}
    return towsim.Scene(
        name="tow",
        robots={"r": {"motion": {"formula": {"x": law, "y": "0", "z": "1"}}}},
        bodies={
            "load": {"mass": mass, "point": True, "position": [-0.3, 0, 0.6], "velocity": [0.3, 0, 0]},
            "box": {**box, "position": [-0.3, 0, 0], "velocity": [0.3, 0.2, 0]},
            "top": {**box, "position": [3, 0, 0], "angular_velocity": [1, 2, 3]},
        },
        wires={"w": {"from": "r", "to": "load", "length": 0.5}, "v": {"from": "load", "to": "box", "length": 0.6}},
    )


def numbers(sim):
    return {
        name: sim[name].values for name in ("position", "velocity", "angular_velocity", "tension", "robot_position")
    }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("command", [{"velocity": [0.5, 0.1, 0]}, {"acceleration": [1, 0, 3]}, {"rate": -0.3}], ids=str)
def test_a_command_changes_nothing_of_the_instant_in_which_it_is_given(method, command):
    """Not even an impact: tensions and velocities are those before it. Then of what was commanded a step before."""
    sim, batch = towsim.Simulation(tow(), method=method), towsim.Batch(tow(), 2, method=method)
    for many in (sim, batch):
        many.step(50)
    for _ in range(2):
        before = numbers(sim)
        for many in (sim, batch):
            many.feed("v", **command) if "rate" in command else many.steer("r", **command)
        assert before["tension"].min() > 1.0
        # By SHAKE the last row foresees the next pose, from what was known before by polynomials of degree 3 and 2.
        for name, value in numbers(sim).items():
            assert value == pytest.approx(before[name], abs=1e-7), name
            assert np.array_equal(batch[name].values[1], value), name
        sim.step(), batch.step()
        command = {"rate": 0.1} if "rate" in command else {"velocity": [0, 0, 0.2]}


@pytest.mark.parametrize("method", METHODS)
def test_what_is_put_where_it_is_goes_on_as_it_was(method):
    """Also all others: velocities of half a step before are no velocities of this instant."""
    kept, placed, state = (towsim.Simulation(tow(), method=method) for _ in range(3))
    batch = towsim.Batch(tow(), 2, method=method)
    for one in (kept, placed, state, batch):
        one.step(50)
    placed.place("top", position=placed["position"].sel(body="top").values)
    batch.place("top", position=placed["position"].sel(body="top").values, copies=[1])
    state.state = state.state
    same = numbers(kept)
    for one in (placed, state):
        for name, value in numbers(one).items():
            if name != "tension":  # of which there is none before a step
                assert value == pytest.approx(same[name], abs=1e-12), name
    for one in (kept, placed, state, batch):
        one.step(100)
    for x in (placed["position"].values, state["position"].values, batch["position"].values[1]):
        assert x == pytest.approx(kept["position"].values, abs=1e-12)
    assert np.array_equal(batch["position"].values[0], kept["position"].values)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("h", [1e-3, 2.5e-4])
def test_a_velocity_that_is_given_to_what_hangs_is_an_impact(method, h):
    """Downwards at u: P = m u in both wires, ½ m u² is lost, tensions are weights in every row, however given."""
    m, M, u, g = 2.0, 1.0, 0.7, 9.81
    scene = tow("0").with_values({f"bodies.{one}.velocity": [0, 0, 0] for one in ("load", "box", "top")})
    scene = scene.with_values({"bodies.load.position": [0, 0, 0.5], "bodies.box.position": [0, 0, -0.1]})
    sims = [towsim.Simulation(scene, step=h, method=method) for _ in range(2)]
    batch = towsim.Batch(scene, 2, step=h, method=method)
    for one in (*sims, batch):
        one.step(50)
    sims[0].place("box", velocity=[0, 0, -u])
    state = sims[1].state
    state.v[8] = -u
    sims[1].state = state
    batch.place("box", velocity=[0, 0, -u], copies=[1])
    batch.step(), [sim.step() for sim in sims]
    for name in ("tension", "impulse", "velocity"):
        assert np.array_equal(batch[name].values[1], sims[0][name].values), name
    for sim in sims:
        sim.step(20)
        result = sim.result()
        jerks = result.events.select("jerk")
        assert sorted(jerk.subject for jerk in jerks) == ["v", "w"]
        assert [jerk.impulse for jerk in jerks] == pytest.approx([m * u] * 2, rel=1e-6)
        assert sum(jerk.energy_lost for jerk in jerks) == pytest.approx(0.5 * m * u**2, rel=1e-6)
        assert result["impulse"].values.sum(axis=0) == pytest.approx([m * u] * 2, rel=1e-6)
        for tension, weight in zip(result["tension"].values[2:].T, ((m + M) * g, m * g), strict=True):
            assert tension == pytest.approx(weight, rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_what_swings_has_no_impact_where_it_is_put_as_it_is(method):
    """Its wires turn: what is removed of their rates is of forces, with a velocity given to another body as well."""
    kept, placed = (towsim.Simulation(tow(), method=method) for _ in range(2))
    for one in (kept, placed):
        one.step(50)
    placed.place("box", velocity=placed["velocity"].sel(body="box").values)
    placed.place("top", velocity=[1, 2, 3])
    for one in (kept, placed):
        one.step(20)
    mine, others = kept.result(), placed.result()
    assert not others["impulse"].values[50:].any()
    assert others["tension"].values[50:] == pytest.approx(
        mine["tension"].values[50:], rel=1e-4
    )  # SHAKE begins with half a kick


@pytest.mark.parametrize("method", METHODS)
def test_a_snapshot_in_a_scene_whose_robots_are_faster_is_an_impact(method):
    """As if the robot were steered there: all rates are others, P is that of the jump."""
    sim, faster, steered = (towsim.Simulation(tow(law), method=method) for law in ("0.3*t", "0.8*t - 0.025", "0.3*t"))
    sim.step(50), steered.step(50)
    faster.restore(sim.snapshot())
    steered.steer("r", velocity=[0.8, 0, 0])
    for one in (faster, steered):
        one.step(20)
    mine, given = faster.result(), steered.result()
    assert mine["impulse"].values.sum(axis=0) == pytest.approx(given["impulse"].values.sum(axis=0), rel=5e-3)
    assert mine["tension"].values.max() == pytest.approx(given["tension"].values.max(), rel=5e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_tells_and_takes_the_states_of_its_simulations(method):
    sim, batch = towsim.Simulation(tow(), method=method), towsim.Batch(tow(), 2, method=method)
    for one in (sim, batch):
        one.step(50)
    for mine, ours in zip(sim.state, batch.state, strict=True):
        assert np.array_equal(ours, [mine, mine])
    assert np.array_equal(batch["velocity"].values[0], sim.state.v.reshape(-1, 6)[:, :3])
    batch.state = batch.state
    batch.step(100), sim.step(100)
    assert batch["position"].values[1] == pytest.approx(sim["position"].values, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_snapshot_in_a_scene_with_other_numbers_has_the_velocities_of_its_instant(method):
    sim, heavier = towsim.Simulation(tow(), method=method), towsim.Simulation(tow(mass=3.0), method=method)
    sim.step(50)
    heavier.restore(sim.snapshot())
    for name in ("position", "velocity", "angular_velocity"):
        assert heavier[name].values == pytest.approx(sim[name].values, abs=1e-14), name


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("velocity", [[0.5, 0, 0], None])
def test_a_command_at_the_very_instant_of_a_kink_takes_its_place(method, velocity):
    """However the kink is written: of the declared jump nothing is left, and who goes on does so without one."""
    found = []
    for law in (*LAWS, "0.3*t"):
        sim, batch = towsim.Simulation(tow(law), method=method), towsim.Batch(tow(law), 2, method=method)
        for one in (sim, batch):
            one.step(50), one.steer("r", velocity=velocity), one.step(20)
        assert np.array_equal(batch["velocity"].values[1], sim["velocity"].values)
        jerk = sum(event.impulse for event in sim.result().events if event.kind == "jerk" and event.subject == "w")
        found.append([jerk, *sim["position"].sel(body="load").values])
    assert velocity is None or found[-1][0] > 0.05
    for one in found:
        assert one == pytest.approx(found[-1], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_feed_that_begins_where_another_ends_takes_its_place(method):
    """Hauled in at 0.3 m/s, then twice as fast: one jerk of m Δv, and a tension of m g."""
    scene = towsim.Scene(
        name="hoist",
        robots={"r": {"position": [0, 0, 1]}},
        bodies={"load": {"mass": 2.0, "point": True}},
        wires={"w": {"from": "r", "to": "load", "length": 1.0}},
    )
    sim, batch = towsim.Simulation(scene, method=method), towsim.Batch(scene, 2, method=method)
    for one in (sim, batch):
        one.feed("w", rate=-0.3, length=1.0 - 0.3 * 0.05)
        one.step(50)
    before = numbers(sim)
    for one in (sim, batch):
        one.feed("w", rate=-0.6)
    for name, value in numbers(sim).items():
        assert value == pytest.approx(before[name], abs=1e-7), name
        assert np.array_equal(batch[name].values[1], value), name
    sim.step(20), batch.step(20)
    assert np.array_equal(batch["velocity"].values[1], sim["velocity"].values)
    jerks = [one.impulse for one in sim.result().events if one.kind == "jerk"]
    assert jerks == pytest.approx([2.0 * 0.3, 2.0 * 0.3], rel=1e-6)
    assert sim["tension"].values[0] == pytest.approx(2.0 * 9.81, rel=1e-6)
