"""Pulleys with a radius: tangents and arcs, exact rates, closed forms, refusals. What runs, runs in both methods."""

import numpy as np
import pytest

import towsim
from towsim import cdpr
from towsim.model.compile import compile_scene
from towsim.scene import scene_from_text
from towsim.scene.expand import expand
from towsim.scene.start import Places
from towsim.statics.system import System

BLOCKS = """
bodies:
  a: {mass: 2.0, inertia: [0.1, 0.2, 0.15], position: [0.3, 0.2, -1], quaternion: [0.9, 0.2, -0.3, 0.1],
      points: {p: [0.1, 0.2, 0.1], s: [0.3, -0.1, 0.2]}}
  b: {mass: 2.0, inertia: [0.1, 0.2, 0.15], position: [1.5, -0.4, -1.5], quaternion: [0.9, -0.2, 0.3, 0.3],
      points: {p: [0.1, 0.1, 0.1], e: [0.3, 0, 0]}}
robots: {top: {position: [0.8, -0.3, 0.5]}, post: {position: [-1, 0.4, 0.2]}}
pulleys:
  wheel: {at: top, radius: 0.25}
  on_a: {at: a.p, radius: 0.2}
  on_b: {at: b.p, radius: 0.15}
  fork: {at: a.s, radius: 0.1, swivel: [0.2, 0.3, 1]}
wires:
  rope: {from: post, via: [on_a, wheel, on_b], to: fork, length: 8.4}
  other: {from: b.e, to: fork, length: 2.0, model: elastic, material: {axial_stiffness: 1e4}}
"""
ATWOOD = """
bodies:
  a: {{mass: 2.0, point: true, position: [-0.2, 0, -1]}}
  b: {{mass: 1.5, point: true, position: [0.2, 0, -1]}}
robots: {{top: {{position: [0, 0, 0]}}}}
pulleys: {{wheel: {{at: top, radius: {radius}}}}}
wires: {{rope: {{from: a, via: [wheel], to: b, length: {length}}}}}
"""


def test_the_row_of_a_wire_is_the_derivative_of_its_length_over_pulleys():
    """Blocks beside each other, one after the other on bodies, and forks on a body, none of them in one plane."""
    scene = scene_from_text(BLOCKS)
    system = System(compile_scene(scene))
    look, kept, step = system.look(stiffness=False), system.keep(), 1e-6
    assert np.count_nonzero(system.model.routes.arc > 0.1) == 5
    for i in range(len(system.moves)):
        gaps = []
        for sign in (1.0, -1.0):
            system.back(kept)
            system.move(sign * step * np.eye(len(system.moves))[i])
            gaps.append(system.look(stiffness=False).gap)
        assert (gaps[0] - gaps[1]) / (2 * step) == pytest.approx(look.J[:, i], abs=1e-8)
    places = Places(expand(scene))
    told = [float(wire.length) - places.wound(wire).length for wire in scene.wires.values()]
    assert told == pytest.approx(look.gap, abs=1e-13)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_two_weights_over_a_wheel_fall_with_the_difference_over_the_sum_of_their_masses(method):
    step = 1e-3
    scene = scene_from_text(ATWOOD.format(radius=0.2, length=2.0 + 0.2 * np.pi))
    result = towsim.simulate(scene, duration=0.3, step=step, method=method)
    a, t = 0.5 / 3.5 * 9.81, result.time
    late = 0.5 * a * step * t if method == "stewart-trinkle" else 0.0  # symplectic Euler from rest
    z = result["position"].values[:, :, 2]
    np.testing.assert_allclose(z[:, 0] + 1.0 + late, -0.5 * a * t**2, atol=1e-9)
    np.testing.assert_allclose(z.sum(axis=1), -2.0, atol=1e-9)
    np.testing.assert_allclose(result["tension"].values[2:-1, 0], 2 * 2.0 * 1.5 / 3.5 * 9.81, rtol=1e-8)


def test_a_cable_robot_s_pulleys_are_those_of_its_scene_and_it_rests_where_its_path_begins():
    base = [[2, 1.5, 2], [-2, 1.5, 2], [-2, -1.5, 2]]
    robot = cdpr.CableRobot(
        base, [[0.1, 0.1, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0]], mass=5.0, inertia=[0.1] * 3, radius=0.08, stiffness=1e5
    )
    scene = cdpr.to_scene(robot, [0.0, 1.0], [[0.3, 0.2, 0.4], [0.0, 0.0, 0.5]], model="rigid")
    lengths = [wire.length_at_start() for wire in scene.wires.values()]
    assert lengths == pytest.approx(cdpr.lengths(robot, [0.3, 0.2, 0.4]), rel=1e-12)
    places = Places(expand(scene))
    assert [places.wound(wire).length for wire in scene.wires.values()] == pytest.approx(lengths, rel=1e-12)
    again = cdpr.from_scene(scene)
    assert np.array_equal(again.radius, robot.radius)
    rest = towsim.equilibrium(scene)
    at = cdpr.wrench_map(again, rest.position[0], rest.quaternion[0]) @ list(rest.tension.values())
    assert at + cdpr.weight(again, rest.position[0], rest.quaternion[0]) == pytest.approx(np.zeros(6), abs=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "on_a: {at: a.p, radius: 0.2}",
            "on_a: {at: a.p, radius: 3}",
            "'post' is inside pulley 'on_a' at the start: 1.61",
        ),
        ("radius: 0.15}", "radius: 2.5}", "'wheel' and 'on_b' are inside each other at the start: 2.14"),
        ("to: fork, length: 8.4", "to: wheel, length: 8.4", "cannot end at the block 'wheel'; give it a swivel"),
        ("wheel, on_b]", "fork, on_b]", "'fork' has a swivel, which is for a wire's end"),
        ("length: 8.4", "friction: 0.1, length: 8.4", "turns without friction"),
        ("at: top", "at: tip", "did you mean 'top'"),
        ("radius: 0.1,", "radius: 0,", "must be > 0 m"),
        ("fork: {at", "top: {at", "already means something else"),
        ("length: 8.4", "length: 8.2", "its path over on_a, wheel, on_b, fork is 8.31"),
    ],
)
def test_pulleys_that_make_no_sense_are_refused_by_name(old, new, said):
    assert old in BLOCKS
    text = BLOCKS.replace(old, new, 1).replace("1e4", "1e4, mass_per_length: 0.1")
    with pytest.raises(towsim.SceneError, match=said):
        scene_from_text(text).check_start()


def test_pulleys_that_are_driven_into_each_other_are_told():
    scene = scene_from_text("""
bodies: {load: {mass: 10, point: true, position: [2.2, 0, -2]}}
robots: {hook: {position: [-0.2, 0, -2]}, tip: {position: [0, 0, 1]},
         moving: {motion: {formula: {x: "2 - t", y: 0, z: 1}}}}
pulleys: {one: {at: tip, radius: 0.2}, two: {at: moving, radius: 0.2}}
wires: {w: {from: hook, to: load, via: [one, two], length: 9}}
""")
    with pytest.raises(towsim.errors.RefusedError, match="pulleys 'one' and 'two' are inside each other"):
        towsim.simulate(scene, duration=3.0, step=1e-3)


CRANE = """
bodies: {hook: {mass: 200, shape: {box: [0.5, 0.3, 0.4]}, position: [6, 0, 2.2], points: {eye: [0, 0, 0.2]}}}
robots: {mast: {position: [0, 0, 8]}, tip: {position: [6, 0, 8]}, anchor: {position: [6.4, 0, 7.8]}}
pulleys: {head: {at: tip, radius: 0.25}, block: {at: hook.eye, radius: 0.2}}
wires: {fall: {from: mast, via: [head, block], to: anchor, length: 18.06}}
"""


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_a_wire_over_two_wheels_beside_each_other_holds_its_load(method):
    """Two parts carry the hook; every run of it is the same, whatever ran before."""
    scene = scene_from_text(CRANE)
    aside = scene.with_values({"bodies.hook.position": [6.1, 0.2, 2.3]})
    first, _, again = (towsim.simulate(one, duration=0.2, step=1e-3, method=method) for one in (scene, aside, scene))
    for name in ("position", "velocity", "tension"):
        np.testing.assert_array_equal(first[name].values, again[name].values)
    energy = first["energy"].values
    assert energy.max() < energy[0] + 1e-6 * abs(energy[0])
    assert first["gap"].values.min() > -2e-5
    assert 0.5 < first["tension"].values[-50:].mean() / (0.5 * 200 * 9.81) < 1.5


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_a_load_that_is_hauled_into_its_pulley_is_refused_when_no_straight_part_is_left(method):
    """A metre below the wheel, at a metre a second."""
    scene = scene_from_text("""
bodies: {load: {mass: 2.0, point: true, position: [0.2, 0, -1], velocity: [0, 0, 1]}}
robots: {top: {position: [0, 0, 0]}, winch: {position: [-0.2, 0, -2]}}
pulleys: {wheel: {at: top, radius: 0.2}}
wires: {rope: {from: load, via: [wheel], to: winch, length: {start: 3.628318530717959, rate: -1}}}
""")
    said = "wire 'rope' has no straight part left between 'load' and pulley 'wheel'"
    with pytest.raises(towsim.RefusedError, match=said) as refused:
        towsim.simulate(scene, duration=2.0, step=1e-3, method=method)
    assert refused.value.time == pytest.approx(1.0, abs=0.02)


FORKED = """
gravity: [0, 0, 0]
bodies: {load: {mass: 1.0, point: true, position: [-0.2, -0.6, 0], velocity: [0, 1, 0]}}
robots: {anchor: {position: [0, 0, 0]}, post: {position: [0.9, -1.7, 1.7]}}
pulleys: {fork: {at: anchor, radius: 0.1, swivel: [0, 0, 1]}, block: {at: load, radius: 0.3}}
wires: {rope: {from: fork, via: [block], to: post, length: 3.53}}
"""


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_a_wire_makes_no_energy_until_its_pulleys_are_inside_each_other_which_ends_the_run(method):
    """Of half a joule; with one in the other, where the wire may lie anywhere, it made 23 J."""
    with pytest.raises(
        towsim.RefusedError, match="pulleys 'fork' and 'block' are inside each other, 400 mm"
    ) as refused:
        towsim.simulate(scene_from_text(FORKED), duration=0.3, step=2e-4, method=method)
    energy = refused.value.result["energy"].values
    assert energy.max() < energy[0] * (1 + 1e-9)


@pytest.mark.parametrize("gone", ["cut: 0.01", "attach: 0.4"])
def test_a_wire_that_is_not_there_does_not_end_a_run_where_its_load_comes_to_its_pulley(gone):
    scene = scene_from_text(f"""
gravity: [0, 0, 0]
bodies: {{load: {{mass: 2.0, point: true, position: [0.2, 0, -1], velocity: [0, 0, 6]}}}}
robots: {{top: {{position: [0, 0, 0]}}, winch: {{position: [-0.2, 0, -2]}}}}
pulleys: {{wheel: {{at: top, radius: 0.2}}}}
wires: {{rope: {{from: load, via: [wheel], to: winch, length: 6, {gone}}}}}
""")
    result = towsim.simulate(scene, duration=0.35, step=1e-3)
    assert result["position"].values[-1, 0, 2] == pytest.approx(1.1, abs=1e-9)


def test_pulleys_inside_each_other_are_told_however_little_moves_the_wire_on_them():
    scene = scene_from_text("""
bodies: {load: {mass: 1, point: true, position: [1.2, 0, -1.6]}}
robots: {a: {position: [2, 0, -0.4]}, b: {position: [-0.3, 0, -0.1]}, c: {position: [0.10000000000000003, 0, -0.1]}}
pulleys: {one: {at: b, radius: 0.5}, two: {at: c, radius: 0.4}}
wires: {w: {from: a, via: [one, two], to: load, length: 20}}
""")
    with pytest.raises(towsim.SceneError, match=r"'one' and 'two' are inside each other at the start: 0\.4 m"):
        scene.check_start()


TURNING_OVER = """
gravity: [20, 0, 0]
bodies: {hook: {mass: 100, point: true, position: [7.2644, 0.0681, -0.75], velocity: [2.3, 0, 7.0]}}
robots: {dead: {position: [4.2, 0, 0]}, tip: {position: [5, 0, 0]}, winch: {position: [-4, 0, 0.6]}}
pulleys: {head: {at: tip, radius: 0.4}, block: {at: hook, radius: 0.3}}
wires: {fall: {from: dead, via: [block, head], to: winch, length: 15.6075336}}
"""


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_two_wheels_about_to_turn_over_make_no_energy_and_end_the_run_where_there_is_no_way(method):
    """Of -11.8 kJ; a wire that lies beside its tangents made 158 J of them."""
    scene = scene_from_text(TURNING_OVER)
    with pytest.raises(towsim.errors.RefusedError, match="fall has no way over neighbouring pulleys") as refused:
        towsim.simulate(scene, duration=0.06, step=1e-4, method=method)
    assert refused.value.time == pytest.approx(0.042, abs=1e-3)
    energy = refused.value.result["energy"].values
    assert energy.max() < energy[0] + 1e-8 * abs(energy[0])


def test_the_row_is_the_derivative_of_the_length_wherever_there_is_a_way_over_wheels_that_nearly_turn_over():
    """And there is one for the declared scene where there is one for the kernel. Half of these places have none."""
    scene, rng, step, found = scene_from_text(TURNING_OVER), np.random.default_rng(1), 1e-6, 0
    system = System(compile_scene(scene))
    for place in np.array([7.2644, 0.0681, -0.5]) + rng.uniform(-1, 1, (60, 3)) * [0.3, 0.1, 0.6]:
        wound = Places(expand(scene.with_values({"bodies.hook.position": place.tolist()}))).wound(scene.wires["fall"])
        system.still.q[:3] = place
        if not wound.settled:
            with pytest.raises(towsim.SceneError, match="fall: on the way to rest it has no way"):
                system.look(stiffness=False)
            continue
        look, rate = system.look(stiffness=False), np.zeros(3)
        assert look.gap[0] == pytest.approx(15.6075336 - wound.length, abs=1e-12)
        for i in range(3):
            for sign in (1.0, -1.0):
                system.still.q[:3] = place + sign * step * np.eye(3)[i]
                rate[i] += sign * system.look(stiffness=False).gap[0] / (2 * step)
        assert rate == pytest.approx(look.J[0, :3], abs=1e-7)
        found += 1
    assert 20 < found < 50


SEVERAL_WAYS = """
bodies: {load: {mass: 1, point: true, position: [4.381343, 0, 0.091237]}}
robots:
  dead: {position: [0.318483, 0, -0.185029]}
  left: {position: [1.156144, 0, 0.138955]}
  middle: {position: [2.552804, 0, -0.154111]}
  right: {position: [3.838286, 0, -0.041522]}
pulleys: {one: {at: left, radius: 0.147359}, two: {at: middle, radius: 0.105798}, three: {at: right, radius: 0.396155}}
wires: {rope: {from: dead, via: [one, two, three], to: load, length: 4.5707}}
"""


def test_a_wire_takes_the_longest_way_so_that_its_length_is_convex_in_the_places_of_its_blocks():
    """The largest of linear functions has no jumps along any line, and kinks upwards alone. It jumped by 5 mm."""
    system = System(compile_scene(scene_from_text(SEVERAL_WAYS)))
    at, rng = system.still.q[:3].copy(), np.random.default_rng(1)
    for way in rng.normal(size=(8, 3)) * [0.05, 0.02, 0.05]:
        length = []
        for t in np.linspace(-1.0, 1.0, 81):
            system.still.q[:3] = at + t * way
            length.append(4.5707 - system.look(stiffness=False).gap[0])
        assert np.diff(length, 2).min() > -1e-9
        assert np.abs(np.diff(length)).max() < 1.01 * np.linalg.norm(way) / 40


def test_a_wire_without_a_way_over_its_pulleys_is_refused_at_the_start():
    scene = scene_from_text(TURNING_OVER.replace("[7.2644, 0.0681, -0.75]", "[7.2644, 0.0681, -0.4]"))
    with pytest.raises(towsim.SceneError, match="at the start it has no way over neighbouring pulleys"):
        scene.check_start()
