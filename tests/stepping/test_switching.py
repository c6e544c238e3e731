"""Wires that break, are cut, attached and detached; joints that come apart. Both methods, both loops."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.scene import Scene, scene_from_data

G = 9.81
METHODS = ("stewart-trinkle", "shake")


def hung(wire: dict[str, object], z: float = -1.0, **more: object) -> Scene:
    """A bob below a post."""
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": 2.0, "point": True, "position": [0, 0, z]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "bob", "to": "post", "length": 1.0} | wire},
        }
        | more
    )


@pytest.mark.parametrize("word", ["cut", "detach"])
@pytest.mark.parametrize("method", METHODS)
def test_a_bob_falls_freely_from_the_cut_on(method: str, word: str) -> None:
    h, when = 1e-3, 0.3
    result = towsim.simulate(hung({word: when}), method=method, duration=0.8, step=h)
    after = np.maximum(result.time - when, 0.0)
    late = 0.5 * G * h * after  # Stewart–Trinkle moves with the new velocity; SHAKE's kick covers half a step before
    np.testing.assert_allclose(result["position"].values[:, 0, 2], -1.0 - 0.5 * G * after**2 - late, atol=1e-9)
    tension = result["tension"].values[:, 0]
    held = result.time < when - 1.5 * h
    np.testing.assert_allclose(tension[held][2:], 2.0 * G, rtol=1e-9)
    assert (tension[result.time > when + 0.5 * h] == 0.0).all()
    assert np.isnan(result["gap"].values[result.time > when + 0.5 * h]).all()
    assert result.summary().stretch < 1e-6  # what is gone does not stretch
    event = result.events.select("break" if word == "cut" else "user")[0]
    assert event.time == pytest.approx(when, abs=1e-9)
    assert event.subject == "w"
    assert "cut" in event.note if word == "cut" else "detached" in event.note


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_breaks_when_its_tension_exceeds_what_it_bears(method: str) -> None:
    """The bob's own weight grows: the wire lets go when m g + F(t) reaches the breaking tension."""
    h = 1e-3
    scene = hung({"break": {"tension": 30.0}}).with_values({"bodies.bob.force": {"z": "-20*t"}})
    result = towsim.simulate(scene, method=method, duration=1.0, step=h)
    when = (30.0 - 2.0 * G) / 20.0
    event = result.events.select("break")[0]
    assert event.time == pytest.approx(when, abs=2.5 * h)
    assert event.impulse == event.energy_lost == 0.0  # a force, in no time
    tension = result["tension"].values[1:, 0]
    assert np.nanmax(tension) == 30.0  # never more than it bears
    assert (tension[result.time[1:] > when + 3 * h] == 0.0).all()


def jerked(limit: dict[str, float], h: float, method: str, **options: object) -> towsim.Result:
    """A robot jerks 4 kg at 1.5 m/s: 6 N s if the wire holds."""
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"load": {"mass": 4.0, "point": True}},
            "robots": {"r": {"motion": {"formula": {"x": "0.5 + 1.5*t"}}}},
            "wires": {"w": {"from": "load", "to": "r", "length": 1.0, "break": limit}},
        }
    )
    return towsim.simulate(scene, step=h, method=method, duration=0.6, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("h", [1e-3, 3e-4])
@pytest.mark.parametrize("method", METHODS)
def test_a_wire_that_breaks_in_a_jerk_passes_on_the_impulse_it_bears(method: str, h: float) -> None:
    result = jerked({"impulse": 5.0}, h, method)
    assert result["velocity"].values[-1, 0, 0] == pytest.approx(5.0 / 4.0, rel=1e-12)
    (event,) = result.events.select("break")
    assert event.impulse == pytest.approx(5.0, rel=1e-12)
    whole = jerked({"impulse": 7.0}, h, method)
    assert whole["velocity"].values[-1, 0, 0] == pytest.approx(1.5, rel=1e-9)
    assert len(whole.events.select("break")) == 0


@pytest.mark.parametrize("h", [2e-3, 1e-4])
@pytest.mark.parametrize("method", METHODS)
def test_a_breaking_tension_is_held_against_forces_alone_whatever_the_step(method: str, h: float) -> None:
    """A jerk has no tension in a hard wire: one that bears little holds in it, and in what others pass on.

    Gravity pulls the load by 294 N. A wire that bears an impulse as well breaks where the jerk is more.
    """
    bears = {"tension": 300.0}
    assert jerked(bears, h, method)["velocity"].values[-1, 0, 0] == pytest.approx(1.5, rel=1e-9)
    (event,) = jerked(bears | {"impulse": 5.0}, h, method).events.select("break")
    assert event.impulse == pytest.approx(5.0, rel=1e-12)
    chain = {
        "bodies": {
            "hook": {"mass": 50.0, "point": True, "position": [0, 0, -3]},
            "load": {"mass": 30.0, "point": True, "position": [0, 0, -5]},
        },
        "robots": {"crane": {"motion": {"formula": {"z": "0.2*max(t - 0.05, 0)"}}}},
        "wires": {
            "rope": {"from": "hook", "to": "crane", "length": 3.0},
            "sling": {"from": "load", "to": "hook", "length": 2.0, "break": bears},
        },
    }
    result = towsim.simulate(scene_from_data(chain), method=method, step=h, duration=0.1)
    assert [len(result.events.select(kind)) for kind in ("jerk", "break")] == [2, 0]
    assert result["tension"].max() == pytest.approx(80.0 * 9.81, rel=1e-6)


@pytest.mark.parametrize("h", [1e-3, 2.5e-4])
@pytest.mark.parametrize("method", METHODS)
def test_a_wire_that_breaks_by_force_after_a_jerk_passes_all_of_the_jerk_on(method: str, h: float) -> None:
    """A hook that goes up at 1 m/s takes 5 kg along, which fall behind until 0.1 m of wire are taut: m (V + g t).

    Of this anything between nothing and all falls to the step in which the wire is taut, as the gap closes within it.
    """
    scene = scene_from_data(
        {
            "bodies": {
                "hook": {"mass": 10.0, "point": True, "position": [0, 0, -1], "velocity": [0, 0, 1.0]},
                "load": {"mass": 5.0, "point": True, "position": [0, 0, -2]},
            },
            "robots": {"crane": {"motion": {"formula": {"z": "t"}}}},
            "wires": {
                "rope": {"from": "hook", "to": "crane", "length": 1.0, "break": {"tension": 120.0}},
                "sling": {"from": "load", "to": "hook", "length": 1.1},
            },
        }
    )
    taut = (np.sqrt(1.0 + 0.2 * G) - 1.0) / G
    result = towsim.simulate(scene, method=method, step=h, duration=0.15)
    (event,) = result.events.select("break")
    assert event.time == pytest.approx(taut, abs=2 * h)
    assert event.impulse == pytest.approx(5.0 * (1.0 + G * taut), abs=2.0 * 5.0 * G * h)  # of the speed of two steps


@pytest.mark.parametrize("h", [1e-3, 2.5e-4])
@pytest.mark.parametrize("method", METHODS)
def test_of_wires_that_bear_too_much_the_one_that_bears_least_of_its_share_breaks_and_spares_the_others(
    method: str, h: float
) -> None:
    """16 and 8 N s if neither breaks; where the first one breaks at 5, the other one bears 2.5 of its 3.5."""
    ends = {"wagon": "r", "trailer": "wagon"}
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {
                n: {"mass": 2.0, "point": True, "position": [x, 0, 0]} for n, x in zip(ends, (0, -1), strict=True)
            },
            "robots": {"r": {"motion": {"formula": {"x": "0.5 + 4*t"}}}},
            "wires": {
                name: {"from": name, "to": end, "length": 1.0, "break": {"impulse": bears}}
                for (name, end), bears in zip(ends.items(), (5.0, 3.5), strict=True)
            },
        }
    )
    result = towsim.simulate(scene, method=method, step=h, duration=0.2)
    assert [event.subject for event in result.events.select("break")] == ["wagon"]
    assert result["velocity"].values[-1, :, 0] == pytest.approx(5.0 / 4.0, rel=1e-9)


def carried(wires: dict[str, dict[str, object]]) -> Scene:
    points = {"l": [-0.3, 0, 0.1], "r": [0.3, 0, 0.1]}
    return scene_from_data(
        {
            "bodies": {"box": {"mass": 3.0, "shape": {"box": [0.6, 0.2, 0.2]}, "points": points}},
            "robots": {"L": {"position": [-0.4, 0, 1.0]}, "R": {"motion": {"formula": {"x": "0.4", "z": "1 + 0.1*t"}}}},
            "wires": {
                "l": {"from": "box.l", "to": "L", "length": 0.92},
                "r": {"from": "box.r", "to": "R", "length": 0.92},
            }
            | wires,
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_both_loops_break_and_switch_wires_alike(method: str) -> None:
    scene = carried(
        {
            "extra": {"from": "box", "to": "L", "length": 1.3, "attach": 0.1, "detach": 0.25},
            "weak": {"from": "box", "to": "R", "length": 1.085, "break": {"tension": 15.0}},
        }
    )
    compiled, python = (
        towsim.simulate(scene, method=method, duration=0.4, loop=loop) for loop in ("compiled", "python")
    )
    kinds = {"break", "user"}
    one, other = ([e for e in r.events if e.kind in kinds] for r in (compiled, python))
    assert [(e.time, e.kind, e.subject) for e in one] == [(e.time, e.kind, e.subject) for e in other]
    assert [e.kind for e in one].count("user") == 2
    assert [e.kind for e in one].count("break") == 1
    for name in ("position", "quaternion", "velocity", "tension", "gap"):
        a, b = compiled[name].values, python[name].values
        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-12 * max(1.0, np.nanmax(np.abs(a))), err_msg=name)


def test_every_back_end_breaks_the_wire_alike() -> None:
    scene = carried({"weak": {"from": "box", "to": "R", "length": 1.085, "break": {"tension": 15.0}}})
    reference = towsim.simulate(scene, duration=0.3)
    assert len(reference.events.select("break")) == 1
    for options in ({"solver": "lemke"}, {"solver": "newton"}, {"form": "mlcp"}):
        result = towsim.simulate(scene, duration=0.3, **options)  # type: ignore[arg-type]
        np.testing.assert_allclose(result["position"].values, reference["position"].values, atol=1e-8)


def parting() -> Scene:
    """Two free bodies fly apart, and turn; their wire breaks in the jerk."""
    body = {"inertia": [0.02, 0.05, 0.06], "points": {"p": [0.1, 0.2, 0.0]}}
    return scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {
                "a": body | {"mass": 1.0, "velocity": [-1, 0.3, 0], "angular_velocity": [0, 2, 1]},
                "b": body | {"mass": 2.0, "velocity": [1, 0, 0.2], "position": [1, 0, 0]},
            },
            "wires": {"w": {"from": "a.p", "to": "b.p", "length": 1.5, "break": {"impulse": 0.4}}},
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_momentum_through_a_break_is_that_of_the_impulse_passed_on(method: str) -> None:
    """Each gets the breaking impulse, opposite ways."""
    result = towsim.simulate(parting(), method=method, duration=1.0, step=1e-3)
    v = result["velocity"].values
    change = v[-1] - v[0]
    np.testing.assert_allclose(1.0 * change[0] + 2.0 * change[1], 0.0, atol=1e-12)
    assert np.linalg.norm(change[0]) == pytest.approx(0.4, rel=1e-3)  # in two steps, between which the wire turns
    assert [e.kind for e in result.events if e.kind == "break"] == ["break"]


@pytest.mark.parametrize("h", [1e-3, 3e-4])
@pytest.mark.parametrize("method", METHODS)
def test_a_break_loses_what_its_impulse_takes_of_the_kinetic_energy(method: str, h: float) -> None:
    """P v − P²/(2 m) of a bob that falls on its wire; what is missing after it of two bodies that are torn apart."""
    m, fall, impulse = 2.0, 0.8, 5.0
    result = towsim.simulate(hung({"break": {"impulse": impulse}}, fall - 1.0), method=method, duration=0.6, step=h)
    (event,) = result.events.select("break")
    v = np.sqrt(2.0 * G * fall)
    assert event.energy_lost == pytest.approx(impulse * v - impulse**2 / (2.0 * m), rel=5.0 * h)
    result = towsim.simulate(parting(), method=method, duration=0.6, step=h)
    (event,) = result.events
    energy = result["energy"].values
    assert event.energy_lost == pytest.approx(energy[0] - energy[-1], rel=1.0 * h)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [100.0, 1e6])
def test_friction_on_a_post_has_its_share_of_what_a_jerk_loses(limit: float) -> None:
    """The wire of two loads that fall jerks over a post, and breaks or holds."""
    h = 3e-4
    scene = scene_from_data(
        {
            "bodies": {
                "heavy": {"mass": 80.0, "point": True, "position": [0, 0, 4]},
                "light": {"mass": 20.0, "point": True, "position": [1, 0, 5]},
            },
            "robots": {"post": {"position": [0.5, 0, 10]}},
            "wires": {
                "rope": {
                    "from": "heavy",
                    "to": "light",
                    "via": ["post"],
                    "length": 20.0,
                    "friction": 0.1,
                    "break": {"impulse": limit},
                }
            },
        }
    )
    result = towsim.simulate(scene, duration=0.975, step=h)
    (event,) = result.events
    assert event.kind == ("break" if limit == 100.0 else "jerk")
    before, after = (np.argmin(np.abs(result.time - at)) for at in (event.time - h, event.time + 4.0 * h))
    energy = result["energy"].values
    assert event.energy_lost == pytest.approx(energy[before] - energy[after], rel=10.0 * h)


@pytest.mark.parametrize("method", METHODS)
def test_a_cut_wire_no_longer_holds_robots_together(method: str) -> None:
    """Robots that fly apart are refused while the chain between them holds, not once it is cut or could break."""

    def chain(**right: object) -> Scene:
        return scene_from_data(
            {
                "bodies": {"bob": {"mass": 1.0, "point": True, "position": [0.5, 0, -0.5]}},
                "robots": {"l": {"position": [0, 0, 0]}, "r": {"motion": {"formula": {"x": "1 + 2*t"}}}},
                "wires": {
                    "l": {"from": "bob", "to": "l", "length": 1.0},
                    "r": {"from": "bob", "to": "r", "length": 1.0} | right,
                },
            }
        )

    with pytest.raises(towsim.RefusedError, match="driven apart"):
        towsim.simulate(chain(), method=method, duration=1.0)
    for right in ({"cut": 0.4}, {"break": {"tension": 500.0}}):
        result = towsim.simulate(chain(**right), method=method, duration=1.0)
        assert len(result.events.select("break", "r")) == 1


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_attached_in_time_catches_the_load(method: str) -> None:
    falling = hung({"attach": 0.2}, z=0.5)
    result = towsim.simulate(falling, method=method, duration=1.5, step=1e-3)
    assert result["position"].values[-1, 0, 2] == pytest.approx(-1.0, abs=1e-5)
    (attached,) = result.events.select("user")
    assert attached.note == "wire w is attached"
    assert len(result.events.select("jerk")) == 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("h", [1e-3, 2.5e-4])
def test_a_wire_attached_at_its_length_jerks_the_load_that_leaves(method: str, h: float) -> None:
    """P = m v and ½ m v² whatever the step, and no tension: nothing pulls before, nor after."""
    m, v = 2.0, 1.0
    flying = hung({"attach": 0.5}, z=-0.5, gravity=[0, 0, 0]).with_values({"bodies.bob.velocity": [0, 0, -v]})
    result = towsim.simulate(flying, method=method, duration=0.7, step=h)
    (jerk,) = result.events.select("jerk")
    assert jerk.impulse == pytest.approx(m * v, rel=1e-9)
    assert jerk.energy_lost == pytest.approx(0.5 * m * v**2, rel=1e-9)
    assert result["impulse"].values.sum() == pytest.approx(m * v, rel=1e-9)
    assert result["tension"].values.max() < 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_a_load_that_is_handed_over_jerks_who_takes_it_and_is_borne_by_its_weight(method: str) -> None:
    """A robot that rises at v takes a hanging load over on a wire at its length: P = m v, and m g in any row."""
    m, v, when = 2.0, 0.5, 0.4
    data = hung({"detach": when}).model_dump(exclude_defaults=True, by_alias=True)
    lift = {"from": "bob", "to": "lift", "length": 1.2, "attach": when}
    data["robots"]["lift"] = {"motion": {"formula": {"z": f"{v}*t"}}}
    result = towsim.simulate(
        scene_from_data({**data, "wires": {**data["wires"], "u": lift}}), method=method, duration=0.8, step=1e-3
    )
    (jerk,) = result.events.select("jerk")
    assert (jerk.subject, jerk.impulse) == ("u", pytest.approx(m * v, rel=1e-6))
    assert jerk.energy_lost == pytest.approx(0.5 * m * v**2, rel=1e-6)
    assert result["tension"].values[2:].sum(axis=1) == pytest.approx(m * G, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_that_is_attached_too_late_is_an_error_with_its_time(method: str) -> None:
    falling = hung({"attach": 0.5}, z=-0.5)
    with pytest.raises(
        towsim.SimulationError, match=r"at t = 0\.5 s wire 'w' is attached, but its ends are 1\.7"
    ) as bad:
        towsim.simulate(falling, method=method, duration=1.0, step=1e-3)
    assert bad.value.result is not None
    assert bad.value.result.time[-1] == pytest.approx(0.5, abs=1.1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_is_attached_to_ends_no_farther_apart_than_it_may_stretch(method: str) -> None:
    """What it is too short by is taken back in the next step: 30 mm in 20 ms would throw the load at 1.5 m/s."""
    still = hung({"attach": 0.1}).replace(gravity=(0.0, 0.0, 0.0), robots={"post": {"position": [0.0, 0.0, 0.03]}})
    with pytest.raises(towsim.SimulationError, match=r"wire 'w' is attached, but its ends are 1\.03 m apart"):
        towsim.simulate(still, method=method, duration=0.2, step=0.02)


@pytest.mark.parametrize("method", METHODS)
def test_a_detached_joint_lets_go_with_the_speed_it_had(method: str) -> None:
    h, when = 1e-3, 0.5
    joint = {"kind": "revolute", "from": "post", "to": "bar.end", "axis": [0, 1, 0], "detach": when}
    scene = scene_from_data(
        {
            "bodies": {
                "bar": {
                    "mass": 2.0,
                    "shape": {"box": [1.0, 0.1, 0.1]},
                    "position": [0.5, 0, 0],
                    "points": {"end": [-0.5, 0, 0]},
                }
            },
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {"hinge": joint},
        }
    )
    result = towsim.simulate(scene, method=method, duration=1.0, step=h)
    at = round(when / h)
    spin = result["angular_velocity"].values[at + 2 :, 0]
    np.testing.assert_allclose(spin, np.broadcast_to(spin[0], spin.shape), atol=1e-9)
    assert abs(spin[0, 1]) > 3.0
    v = result["velocity"].values[at + 2 :, 0]
    np.testing.assert_allclose(np.diff(v, axis=0), np.broadcast_to([0, 0, -G * h], (len(v) - 1, 3)), atol=1e-9)
    assert (np.abs(result["joint_reaction"].values[at + 2 :]) == 0.0).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_motor_turns_a_wheel_until_its_joint_is_detached(method: str) -> None:
    """The torque is the motor's in every step before, also where all rows are read at the end."""
    h, when, torque = 1e-3, 0.05, 0.3
    hinge = {"kind": "revolute", "from": "post", "to": "wheel", "axis": [0, 0, 1], "motor": torque, "detach": when}
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"wheel": {"mass": 2.0, "inertia": [0.1, 0.1, 0.15]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {"hinge": hinge},
        }
    )
    result = towsim.simulate(scene, method=method, duration=0.1, step=h)
    at = round(when / h)
    along = result["joint_torque"].values[:, 0, 2]
    np.testing.assert_allclose(along[1:at], torque, rtol=1e-12)
    assert (along[at + 1 :] == 0.0).all()


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        ({"break": {"tension": 0.0}}, r"break\.tension: must be > 0 N, got 0"),
        ({"break": {"impulse": -1.0}}, r"break\.impulse: must be > 0 N s"),
        ({"break": {}}, "break: says what the wire bears: a tension, the impulse of a jerk, or both"),
        ({"cut": -1.0}, "cut: must be >= 0 s"),
        ({"attach": 2.0, "detach": 1.0}, "must be before 1 s, when the wire is gone again"),
        ({"detach": 1.0, "cut": 1.0}, "a wire is detached or cut, not both"),
    ],
)
def test_wrong_properties_of_a_wire_are_named(wire: dict[str, object], message: str) -> None:
    with pytest.raises(towsim.SceneError, match=message):
        hung(wire)


@pytest.mark.parametrize("form", ["lcp", "mlcp"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "law", [{"spring": {"stiffness": 3.0}}, {"spring": {"stiffness": 3.0}, "damping": 0.5}, {"damping": 0.5}]
)
def test_a_detached_joint_takes_its_spring_and_damper_with_it(method: str, form: str, law: dict[str, object]) -> None:
    """No torque from then on, and no energy: what its spring held is lost at once."""
    top = {"mass": 1.0, "inertia": [1, 1, 1], "angular_velocity": [0, 0, 2.0]}
    hinge = {"kind": "revolute", "from": "post", "to": "top", "axis": [0, 0, 1], "detach": 0.2}
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"top": top},
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {"hinge": hinge | law},
        }
    )
    result = towsim.simulate(scene, duration=0.6, step=1e-3, method=method, form=form)
    free = result.time > 0.2015  # SHAKE's last kick with it reaches half a step beyond
    assert (result["joint_torque"].values[free] == 0.0).all()
    assert np.ptp(result["angular_velocity"].values[free], axis=0).max() < 1e-14  # rounding of its turning
    np.testing.assert_array_equal(result["energy"].values[free], result["kinetic_energy"].values[free].sum(axis=1))
    # Stewart–Trinkle has rates of half a step before: a spring's energy is off by ½ h k c ċ, 1.1e-3 J at most.
    assert result["dissipated_energy"].values.min() > -1.2e-3
