"""What is read of an instant, and set there, is of that instant, also by a method with velocities between instants."""

import pickle

import numpy as np
import pytest

import towsim

METHODS = ["stewart-trinkle", "shake"]

LAWS = ["0.3*t + 0.5*max(t - 0.05, 0)", "0.3*t if t < 0.05 else 0.8*t - 0.025", "0.3*t if t <= 0.05 else 0.8*t - 0.025"]


def tow(law="0.3*t + 0.5*t**2", mass=1.0, driven=None):
    """A robot drags a load, and a box that hangs on it; beside them a top. One may have a force to be commanded."""
    box = {"mass": 2.0, "shape": {"box": [0.2, 0.3, 0.4]}}
    bodies = {
        "load": {"mass": mass, "point": True, "position": [-0.3, 0, 0.6], "velocity": [0.3, 0, 0]},
        "box": {**box, "position": [-0.3, 0, 0], "velocity": [0.3, 0.2, 0]},
        "top": {**box, "position": [3, 0, 0], "angular_velocity": [1, 2, 3]},
    }
    if driven is not None:
        bodies[driven]["actuator"] = {"max_force": 50.0}
    return towsim.Scene(
        name="tow",
        robots={"r": {"motion": {"formula": {"x": law, "y": "0", "z": "1"}}}},
        bodies=bodies,
        wires={"w": {"from": "r", "to": "load", "length": 0.5}, "v": {"from": "load", "to": "box", "length": 0.6}},
    )


@pytest.mark.parametrize("h", [2e-3, 5e-4])
@pytest.mark.parametrize("begin", [0.0, 0.05])
def test_a_force_that_is_held_from_an_instant_on_acts_from_then_on(h, begin):
    """Half a t² at any step by SHAKE, whose kicks are about the instants, pushed or by an actuator without a lag."""
    acceleration, held = np.array([2.0, 0, 4.5]), 0.1
    ends = {}
    for do, scene in {"push": tow(), "command": tow(driven="top")}.items():
        how = {"method": "shake", "step": h, "forces": ["top"]}
        sim, batch = towsim.Simulation(scene, **how), towsim.Batch(scene, 2, **how)
        for many in (sim, batch):
            if begin:
                many.step(round(begin / h))
            getattr(many, do)("top", 2.0 * acceleration)
            many.step(round(held / 2 / h))
        copy = pickle.loads(pickle.dumps(sim))
        for many in (sim, batch, copy):
            many.step(round(held / 2 / h))
            getattr(many, do)("top", np.zeros(3))
        moment, some = sim.snapshot(), batch.snapshot()
        for again in (False, True):
            if again:  # half of the kick that is due has the force before
                sim.restore(moment), batch.restore(some)
            for many in (sim, batch, copy):
                many.step(round(0.05 / h))
            ends[do] = sim["position"].sel(body="top").values
            assert np.array_equal(ends[do], copy["position"].sel(body="top").values)
            assert np.array_equal(ends[do], batch["position"].sel(body="top").values[1])
            if not again:
                copy = pickle.loads(pickle.dumps(sim))
                copy.restore(moment)
        t = sim.time
        expected = np.array([3, 0, -0.5 * 9.81 * t**2]) + acceleration * (0.5 * held**2 + held * 0.05)
        assert ends[do] == pytest.approx(expected, abs=1e-13)
        assert sim["velocity"].sel(body="top").values == pytest.approx(
            acceleration * held - [0, 0, 9.81 * t], abs=1e-12
        )


def test_what_is_put_at_the_instant_of_a_push_is_kicked_from_then_on():
    """A body that is given a velocity, before a push or after it, has that and F t/m, from then on."""
    for order in ("place", "push"), ("push", "place"):
        sim = towsim.Simulation(tow(), method="shake", step=1e-3, forces=["top"])
        sim.step(50)
        x = sim["position"].sel(body="top").values
        for do in order:
            sim.place("top", velocity=[0, 1, 0]) if do == "place" else sim.push("top", [4.0, 0, 0])
        sim.step(100)
        expected = x + np.array([0.5 * 2.0 * 0.01, 0.1, -0.5 * 9.81 * 0.01])
        assert sim["position"].sel(body="top").values == pytest.approx(expected, abs=1e-13)


def numbers(sim):
    return {
        name: sim[name].values for name in ("position", "velocity", "angular_velocity", "tension", "robot_position")
    }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("order", "one", "other"),
    [
        (("steer", "r"), {"velocity": [0.5, 0.1, 0]}, {"velocity": [0, 0, 0.2]}),
        (("steer", "r"), {"acceleration": [1, 0, 3]}, {"velocity": [0, 0, 0.2]}),
        (("feed", "v"), {"rate": -0.3}, {"rate": 0.1}),
        (("push", "load"), {"force": [9, 0, 3]}, {"force": [0, 0, -2]}),
        (("command", "load"), {"values": [9, 0, 3]}, {"values": [0, 0, -2]}),
    ],
    ids=str,
)
def test_a_command_changes_nothing_of_the_instant_in_which_it_is_given(method, order, one, other):
    """Not even an impact: tensions and velocities are those before it. Then of what was commanded a step before."""
    do, name = order
    scene = tow(driven="load" if do == "command" else None)
    how = {"method": method, "forces": ["load"]}
    sim, batch = towsim.Simulation(scene, **how), towsim.Batch(scene, 2, **how)
    for many in (sim, batch):
        many.step(50)
    for command in (one, other):
        before = numbers(sim)
        for many in (sim, batch):
            getattr(many, do)(name, **command)
        assert before["tension"].min() > 1.0
        # By SHAKE the last row foresees the next pose, from what was known before by polynomials of degree 3 and 2.
        for what, value in numbers(sim).items():
            assert value == pytest.approx(before[what], abs=1e-7), what
            assert np.array_equal(batch[what].values[1], value), what
        sim.step(), batch.step()


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
