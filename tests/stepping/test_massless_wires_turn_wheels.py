"""Massless wires turn the wheels of pulleys: closed forms, both limits, jerks, slack parts, and what is refused."""

import numpy as np
import pytest
import yaml
from scipy.integrate import solve_ivp

import towsim
from tests.stepping.conftest import beside
from towsim.scene import scene_from_text, scene_to_text

G = 9.81
RADIUS, INERTIA = 0.2, 0.06
WHEEL = INERTIA / RADIUS**2
"""Mass at the rim that resists as the wheel does [kg]."""

OVER = np.pi * RADIUS
"""Length on the wheel of an Atwood machine [m]."""


def atwood(
    a: str = "mass: 2.0, position: [-0.2, 0, -1]",
    b: str = "mass: 1.5, position: [0.2, 0, -1]",
    inertia: float = INERTIA,
    length: float = 2.0 + OVER,
    more: str = "",
    rest: str = "",
) -> towsim.Scene:
    """Point masses a and b on a wire over a wheel."""
    return scene_from_text(f"""
bodies:
  a: {{{a}, point: true}}
  b: {{{b}, point: true}}
robots: {{top: {{position: [0, 0, 0]}}}}
pulleys: {{wheel: {{at: top, radius: {RADIUS}, inertia: {inertia}}}}}
wires: {{rope: {{from: a, via: [wheel], to: b, length: {length}{more}}}}}
{rest}
""")


def tackle(one: float = 0.02, other: float = 0.03) -> towsim.Scene:
    """A load of 20 kg in the bight of a wire from an eye over its own wheel and a fixed one to a pull of 8 kg."""
    return scene_from_text(f"""
bodies:
  load: {{mass: 20.0, point: true, position: [0, 0, -2]}}
  pull: {{mass: 8.0, point: true, position: [0.3, 0, -1]}}
robots: {{eye: {{position: [-0.1, 0, 0]}}, top: {{position: [0.2, 0, 0]}}}}
pulleys:
  moving: {{at: load, radius: 0.1, inertia: {one}}}
  fixed: {{at: top, radius: 0.1, inertia: {other}}}
wires: {{rope: {{from: eye, via: [moving, fixed], to: pull, length: {5.0 + 0.2 * np.pi}}}}}
""")


def swinging(inertia: float = 0.1, more: str = "") -> towsim.Scene:
    """A counterweight, and a load that swings in space, at their wire's length over a wheel."""
    far = np.hypot(1.0, 1.5)
    lies = RADIUS * (np.pi - (np.arccos(RADIUS / far) - np.arctan2(1.5, 1.0)))
    length = 1.0 + np.sqrt(far**2 - RADIUS**2) + lies
    return scene_from_text(f"""
bodies:
  load: {{mass: 20.0, point: true, position: [1.0, 0, -1.5], velocity: [0, 0.3, 0]}}
  pull: {{mass: 20.0, point: true, position: [-0.2, 0, -1]}}
robots: {{top: {{position: [0, 0, 0]}}}}
pulleys: {{wheel: {{at: top, radius: {RADIUS}, inertia: {inertia}}}}}
wires: {{rope: {{from: pull, via: [wheel], to: load, length: {length}{more}}}}}
""")


def run(scene: towsim.Scene, duration: float, step: float = 1e-3, **options: object) -> towsim.Result:
    return towsim.simulate(scene, duration=duration, step=step, method="stewart-trinkle", **options)


def test_two_weights_and_a_wheel_fall_with_the_difference_over_the_sum_of_all_that_moves():
    """ẍ = (m₁ − m₂) g/(m₁ + m₂ + I/r²), and m₁ (g − ẍ) and m₂ (g + ẍ) on both sides, in every step to rounding."""
    result = run(atwood(), 0.3)
    a = 0.5 * G / (3.5 + WHEEL)
    np.testing.assert_allclose(result["velocity"].values[:, 0, 2], -a * result.time, rtol=0, atol=1e-14)
    np.testing.assert_allclose(result["pulley_speed"].values[:, 0] * RADIUS, -a * result.time, rtol=0, atol=1e-14)
    np.testing.assert_allclose(result["part_tension"].values, [[2.0 * (G - a), 1.5 * (G + a)]] * 301, rtol=1e-12)
    np.testing.assert_allclose(result["tension"].values[:, 0], 2.0 * (G - a), rtol=1e-12)
    np.testing.assert_allclose(np.abs(result["gap"].values), 0.0, atol=1e-14)
    late = 0.5 * a * 0.5 * G * 1e-3 * result.time  # symplectic Euler falls late by ½ a h t
    np.testing.assert_allclose(result["energy"].values + late, result["energy"].values[0], rtol=0, atol=1e-12)


def test_without_inertia_it_is_a_plain_pulley():
    """The wheel changes the acceleration by the share I/r²/(m₁ + m₂), and the tensions differ by I/r² times that."""
    plain, light = (run(atwood(inertia=inertia), 0.3) for inertia in (0.0, 1e-9))
    share = 1e-9 / RADIUS**2 / 3.5
    np.testing.assert_allclose(light["velocity"].values[1:, 0, 2], plain["velocity"].values[1:, 0, 2], rtol=2 * share)
    np.testing.assert_allclose(light["part_tension"].values, np.tile(plain["tension"].values, 2), rtol=1e-7)


def test_a_massive_wire_that_weighs_little_turns_the_wheel_likewise():
    """The other formulation, of 4 g/m and of 1 g/m: what is left goes with the mass of the wire, and to nothing."""
    section = "material: {{mass_per_length: {}, diameter: 0.003, axial_stiffness: 1e9, bending_stiffness: 1e-7}}"
    massless = run(atwood(), 0.2)["position"].values[-1, 0, 2]
    off = []
    for line in (4e-3, 1e-3):
        more = f", model: {{mrfe: {{elements: 8}}}}, {section.format(line)}"
        off.append(run(atwood(more=more), 0.2)["position"].values[-1, 0, 2] - massless)
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.01)
    assert abs(off[1]) < 6e-4 * abs(massless + 1.0)  # 2.6 g of 5 kg that move


def test_a_block_and_tackle_moves_as_its_masses_and_both_wheels_resist():
    """The load rises by x, the pull sinks by 2 x, and so do the rims: (M + 4 m + w₁ + 4 w₂) ẍ = (2 m − M) g."""
    result = run(tackle(), 0.2)
    w1, w2 = 2.0, 3.0
    a = (2 * 8.0 - 20.0) * G / (20.0 + 4 * 8.0 + w1 + 4 * w2)
    np.testing.assert_allclose(result["velocity"].values[-1, :, 2], [0.2 * a, -0.4 * a], rtol=1e-12)
    np.testing.assert_allclose(result["pulley_speed"].values[-1] * 0.1, [0.2 * a, 0.4 * a], rtol=1e-12)
    last = 8.0 * (G - 2 * a)
    told = [last - w2 * 2 * a - w1 * a, last - w2 * 2 * a, last]
    np.testing.assert_allclose(result["part_tension"].values, [told] * 201, rtol=1e-11)
    assert list(result.coords["part"]) == ["rope[1]", "rope[2]", "rope[3]"]
    assert list(result.coords["pulley"]) == ["moving", "fixed"]


def springs(stiffness: float, y: np.ndarray) -> list[float]:
    """Rates of what a has sunk, what the rim has run and what b has risen, and of their speeds: two springs."""
    a, rim, b, va, vr, vb = y
    hang = np.array([1.0 + a, 1.0 - b])
    one, two = stiffness / (2.0 + OVER) * hang.sum() / hang * [max(a - rim, 0.0), max(rim - b, 0.0)]
    return [va, vr, vb, G - one / 2.0, (one - two) / WHEEL, two / 1.5 - G]


def test_beside_massive_cables_a_wheel_turns_as_it_does_alone():
    """One that hangs, one over a ring: nothing couples them; loops for other scenes may round otherwise."""
    rope = {"model": "mrfe", "material": {"mass_per_length": 0.5, "axial_stiffness": 1e4, "axial_damping": 10.0}}
    cable = {
        "bodies": {
            "c": {"mass": 1.0, "point": True, "position": [2.3, 0.0, -1.0]},
            "d": {"mass": 1.0, "point": True, "position": [2.6, 0.0, -1.0]},
            "e": {"mass": 1.0, "point": True, "position": [4.3, 0.0, -1.0]},
        },
        "robots": {"hook": {"position": [2.0, 0.0, 0.1]}, "post": {"position": [4.0, 0.0, 0.1]}},
        "wires": {
            "over": {"from": "c", "via": ["hook"], "to": "d", "length": 2.4} | rope,
            "down": {"from": "post", "to": "e", "length": 1.2} | rope,
        },
    }
    wheel = yaml.safe_load(scene_to_text(atwood()))
    both = {part: wheel.get(part, {}) | cable.get(part, {}) for part in ("bodies", "robots", "pulleys", "wires")}
    run = {"method": "stewart-trinkle", "duration": 0.2, "step": 1e-3}
    alone, apart, beside = (
        towsim.simulate(scene_from_text(yaml.safe_dump(one)), **run) for one in (wheel, cable, both)
    )
    for body, one in (("a", alone), ("b", alone), ("c", apart), ("d", apart), ("e", apart)):
        expected = one["position"].sel(body=body).values
        np.testing.assert_allclose(beside["position"].sel(body=body).values, expected, rtol=0, atol=1e-13, err_msg=body)
    for name, one in (("pulley_speed", alone), ("node_position", apart)):
        np.testing.assert_allclose(beside[name].values, one[name].values, rtol=0, atol=1e-11, err_msg=name)


def test_an_elastic_wire_rings_as_two_springs_with_the_wheel_between_them():
    """Against the equations of springs of EA/L by the lengths of the parts; order 1."""
    stiffness = 4e3
    exact = solve_ivp(lambda _, y: springs(stiffness, y), (0.0, 0.4), np.zeros(6), rtol=1e-11, atol=1e-13).y[:, -1]
    elastic = atwood(more=f", model: elastic, material: {{axial_stiffness: {stiffness}}}")
    errors = []
    for step in (4e-4, 2e-4):
        result = run(elastic, 0.4, step)
        told = [*(result["position"].values[-1, :, 2] + 1.0), result["pulley_speed"].values[-1, 0] * RADIUS]
        errors.append(np.array(told) - [-exact[0], exact[2], -exact[4]])
    assert np.abs(errors[1]).max() < 1e-4
    np.testing.assert_allclose(errors[0][:2] / errors[1][:2], 2.0, atol=0.1)


def test_the_elastic_energy_is_that_of_the_parts():
    """Of a wire that is undamped: Σ ½ T_j² L_j/EA."""
    result = run(atwood(more=", model: elastic, material: {axial_stiffness: 4e3}"), 0.1)
    gap, length = result["part_gap"].values, result["part_length"].values
    np.testing.assert_allclose(length.sum(axis=1), result["length"].values[:, 0], rtol=1e-14)
    np.testing.assert_allclose(gap.sum(axis=1), result["gap"].values[:, 0], atol=1e-15)
    assert (gap[:, 0] != gap[:, 1]).any()
    np.testing.assert_allclose(
        result["elastic_energy"].values, 0.5 * 4e3 * (np.minimum(gap, 0.0) ** 2 / length).sum(axis=1), rtol=1e-12
    )


@pytest.mark.parametrize("more", ["", ", model: elastic, material: {axial_stiffness: 1e5}"])
def test_a_swinging_load_and_a_turning_wheel_keep_their_energy_as_over_a_plain_pulley(more):
    """To the order of the step; with a wheel no worse than without."""
    off = [
        np.abs(np.ptp(run(swinging(inertia, more), 1.0, step)["energy"].values))
        for inertia, step in ((0.0, 5e-4), (0.1, 1e-3), (0.1, 5e-4))
    ]
    assert off[1] / off[2] == pytest.approx(2.0, abs=0.1)
    assert off[2] < 1.05 * off[0]


def test_a_jerk_sets_the_wheel_turning_by_its_share_of_the_momentum():
    """At the end of its slack (m₁ + m₂ + I/r²) u = m₁ v₁ − m₂ v₂; the impulses on both sides, and what is lost."""
    step = 1e-5
    scene = atwood(a="mass: 2.0, position: [-0.2, 0, -1], velocity: [0, 0, -1]", length=2.0 + OVER + 0.01)
    result = run(scene, 0.03, step)
    end = (np.sqrt(1.0 + 0.04 * G) - 1.0) / (2.0 * G)  # 0.01 m = (1 m/s) t + g t²: both fall
    slack = result.time < end - 3 * step
    assert (result["part_tension"].values[slack] == 0.0).all()
    assert (result["pulley_speed"].values[slack] == 0.0).all()
    v1, v2 = 1.0 + G * end, G * end
    u = (2.0 * v1 - 1.5 * v2) / (3.5 + WHEEL)
    a = 0.5 * G / (3.5 + WHEEL)
    later = result.time > end + 5 * step
    rim = u + a * (result.time[later] - end)
    np.testing.assert_allclose(-result["velocity"].values[later, 0, 2], rim, rtol=0, atol=5 * step * G)
    np.testing.assert_allclose(-result["pulley_speed"].values[later, 0] * RADIUS, rim, rtol=0, atol=5 * step * G)
    passed = result["part_impulse"].values.sum(axis=0)
    np.testing.assert_allclose(passed, [2.0 * (v1 - u), 1.5 * (u + v2)], atol=10 * step * G)
    (jerk,) = [event for event in result.events if event.kind == "jerk"]
    lost = 0.5 * (2.0 * v1**2 + 1.5 * v2**2 - (3.5 + WHEEL) * u**2)
    assert jerk.impulse == pytest.approx(passed[0], rel=1e-6)
    assert jerk.energy_lost == pytest.approx(lost, rel=1e-3)


def test_a_wire_grips_its_wheel_while_one_side_of_it_is_slack():
    """a lands and rests on the ground: b and the wheel go on alone, (m₂ + I/r²) ẍ = −m₂ g, and pay slack out to a."""
    ground = "ground: {height: -1.1, contacts: [a]}"
    result = run(atwood(rest=ground), 0.7)
    landing = next(event.time for event in result.events if event.kind == "contact")
    later = result.time > landing + 2e-3
    at = int(np.flatnonzero(later)[0])
    rim, time = -result["pulley_speed"].values[later, 0] * RADIUS, result.time[later]
    rising = rim[0] - 1.5 * G / (1.5 + WHEEL) * (time - time[0])
    up = rising > 0.0
    np.testing.assert_allclose(rim[up], rising[up], atol=1e-10)
    np.testing.assert_allclose(result["velocity"].values[at:][up, 1, 2], rising[up], atol=1e-10)
    np.testing.assert_allclose(result["part_tension"].values[at + 1 :][up[1:], 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(
        result["part_tension"].values[at + 1 :][up[1:], 1], 1.5 * G * WHEEL / (1.5 + WHEEL), rtol=1e-9
    )
    slack = result["part_gap"].values[at:][up]
    np.testing.assert_allclose(np.diff(slack[:, 0]), 1e-3 * rising[up][1:], atol=1e-9)
    np.testing.assert_allclose(slack[:, 1], 0.0, atol=1e-9)


def test_a_taut_wire_turns_its_wheel_from_the_start():
    """As fast as it runs there: no impact."""
    spun = atwood(
        a="mass: 2.0, position: [-0.2, 0, -1], velocity: [0, 0, -0.5]",
        b="mass: 1.5, position: [0.2, 0, -1], velocity: [0, 0, 0.5]",
    )
    result = run(spun, 0.1)
    a = 0.5 * G / (3.5 + WHEEL)
    np.testing.assert_allclose(result["pulley_speed"].values[:, 0] * RADIUS, -0.5 - a * result.time, atol=1e-13)
    assert (result["impulse"].values == 0.0).all()


def test_a_winch_at_the_end_to_turns_the_wheel():
    """L = L₀ − ½ a t²: T₁ = m (g + a) on the load, and T₂ − T₁ = (I/r²) a more at the winch.

    What the length of a step lacks, ½ a h², is taken back from both parts, by lengths that change: 1e-6.
    """
    scene = scene_from_text(f"""
bodies: {{load: {{mass: 3, point: true, position: [-0.2, 0, -2]}}}}
robots: {{top: {{position: [0, 0, 0]}}, winch: {{position: [0.2, 0, -1]}}}}
pulleys: {{wheel: {{at: top, radius: {RADIUS}, inertia: {INERTIA}}}}}
wires:
  rope: {{from: load, via: [wheel], to: winch, length: {{formula: "{3.0 + OVER} - 0.25*t**2"}}}}
""")
    result = run(scene, 0.5)
    np.testing.assert_allclose(
        result["part_tension"].values[2:-1], [[3 * (G + 0.5), 3 * (G + 0.5) + 0.5 * WHEEL]] * 498, rtol=1e-6
    )
    assert result["pulley_speed"].values[-1, 0] * RADIUS == pytest.approx(0.25, abs=1e-3)


@pytest.mark.parametrize("stop", [1.4, 1.4003, 1.40055])
def test_a_winch_that_stops_takes_all_the_energy_of_load_and_wheel_wherever_in_a_step_it_does(stop):
    """½ (m + I/r²) v²: the jump is passed on in two steps, which share it as the stop lies in the first one."""
    speed, mass = 0.5, 2.0
    scene = scene_from_text(f"""
bodies: {{a: {{mass: {mass}, position: [-0.2, 0, -1], point: true}}}}
robots: {{top: {{position: [0, 0, 0]}}, winch: {{position: [0.2, 0, -1]}}}}
pulleys: {{wheel: {{at: top, radius: {RADIUS}, inertia: {INERTIA}}}}}
wires: {{rope: {{from: a, via: [wheel], to: winch, length: {{formula: "{2.0 + OVER} + {speed}*min(t, {stop} - 1)"}}}}}}
""")
    jerk = run(scene, 0.5).events.select("jerk")[-1]
    assert jerk.impulse == pytest.approx(mass * speed, rel=1e-9)
    assert jerk.energy_lost == pytest.approx(0.5 * (mass + WHEEL) * speed**2, rel=1e-9)


def test_at_rest_inertia_does_nothing():
    """The same equilibrium, and a run that starts there stays there."""
    balanced = {"a": "mass: 1.5, position: [-0.25, 0, -1]", "b": "mass: 1.5, position: [0.2, 0.1, -1.1]"}
    scenes = [atwood(**balanced, length=3.0, inertia=inertia) for inertia in (0.0, INERTIA)]
    plain, turned = (towsim.equilibrium(scene) for scene in scenes)
    np.testing.assert_allclose(turned.position, plain.position, atol=1e-12)
    assert turned.tension == pytest.approx(plain.tension, rel=1e-12)
    result = run(scenes[1].replace(start="equilibrium"), 0.2)
    np.testing.assert_allclose(result["velocity"].values, 0.0, atol=1e-9)
    np.testing.assert_allclose(result["pulley_speed"].values, 0.0, atol=1e-9)


def test_solvers_loops_batches_and_runs_by_hand_agree():
    scene = swinging()
    result = run(scene, 0.1)
    names = "position", "pulley_speed", "part_tension", "part_gap"
    for options in ({"loop": "python"}, {"solver": "lemke"}):
        other = run(scene, 0.1, **options)
        for name in names:
            np.testing.assert_allclose(other[name].values, result[name].values, rtol=1e-8, atol=1e-10)
    model = towsim.compile(scene, step=1e-3)
    many = model.run_many({"pulleys.wheel.inertia": [0.1, 0.3, 0.1]}, duration=0.1)
    again = run(scene.with_values({"pulleys.wheel.inertia": 0.3}), 0.1)
    for run_, same in zip(many, (result, again, result), strict=True):
        for name in names:
            np.testing.assert_array_equal(run_[name].values, same[name].values)
        np.testing.assert_array_equal(run_["energy"].values, same["energy"].values)
    simulation = towsim.Simulation(scene, step=1e-3)
    simulation.step(50)
    moment = simulation.snapshot()
    simulation.step(20)
    simulation.restore(moment)
    simulation.step(50)
    np.testing.assert_array_equal(simulation.result()["pulley_speed"].values, result["pulley_speed"].values)


@pytest.mark.parametrize("method", ["shake", "bdf2", "dae"])
def test_other_methods_refuse_it_by_name(method):
    with pytest.raises(towsim.UsageError, match="such as 'rope' that of pulley 'wheel'; use 'stewart-trinkle'"):
        towsim.simulate(atwood(), duration=0.1, method=method)


@pytest.mark.parametrize(
    ("more", "rest", "said"),
    [
        (", friction: 0.1", "", "turns without friction"),
        (", cut: 1.0", "", "turns no inertia; leave that of pulley 'wheel' out"),
        ("}, other: {from: a, via: [wheel], to: b, length: 3.0", "", "is turned by one massless wire"),
    ],
)
def test_what_turns_no_wheel_is_refused_by_name(more, rest, said):
    with pytest.raises(towsim.SceneError, match=said):
        atwood(more=more, rest=rest)


def test_derivatives_are_those_of_runs_beside_each_other():
    """Forward against differences, and in reverse mode against forward."""
    scene = swinging(more=", model: elastic, material: {axial_stiffness: 1e5}")
    model = towsim.compile(beside(scene, "wheel", "arm"), step=1e-3)
    values = {"bodies.load.mass": 20.0, "pulleys.wheel.inertia": 0.1}
    of = ["position", "gap", "pulley_speed", "part_length", "part_tension"]
    found = model.sensitivities([*values], of, duration=0.1)
    for path, value in values.items():
        runs = [run(model.scene.with_values({path: value * (1 + k * 1e-5)}), 0.1) for k in (1, -1)]
        for name in of:
            expected = (runs[0][name].values - runs[1][name].values) / (2e-5 * value)
            scale = np.abs(expected).max()
            np.testing.assert_allclose(found[name].sel(parameter=path).values, expected, rtol=0, atol=1e-5 * scale)

    def last(result):
        return result["position"][-1, 0, 2]

    forward, backward = (
        model.gradient(last, [*values], ["position"], mode=mode, duration=0.1)[1] for mode in ("forward", "reverse")
    )
    np.testing.assert_allclose(backward, forward, rtol=1e-9)


def test_it_is_all_the_same_which_end_of_a_wire_that_stretches_is_its_first():
    ends = "mass: 1.5, position: [-0.2, 0, -1], velocity: [0, 0, -1]", "mass: 1.5, position: [0.2, 0, -1]"
    more = ", model: elastic, material: {axial_stiffness: 3000}"
    one, other = (towsim.simulate(atwood(*given, more=more), duration=0.3, step=1e-3) for given in (ends, ends[::-1]))
    for name in ("position", "velocity"):
        np.testing.assert_allclose(one[name].values, other[name].values[:, ::-1], atol=1e-12)
    np.testing.assert_allclose(one["pulley_speed"].values, -other["pulley_speed"].values, atol=1e-12)
    assert one["pulley_speed"].values[0, 0] == -0.5 / RADIUS
