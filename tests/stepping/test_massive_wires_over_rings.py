"""Massive wires that run over rings: a heavy Atwood machine, energy, momentum, rest, the massless limit."""

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_text

G = 9.81


def atwood(first: float = 2.0, second: float = 3.0, line: float = 1.0, below: float = 6.0) -> towsim.Scene:
    """Two loads on 10 m of a stiff line over a ring, the first one ``below`` it."""
    return scene_from_text(f"""
bodies:
  first: {{mass: {first}, point: true, position: [0, 0, {-below}]}}
  second: {{mass: {second}, point: true, position: [0, 0, {below - 10.0}]}}
robots: {{ring: {{position: [0, 0, 0]}}}}
wires:
  line:
    from: first
    via: [ring]
    to: second
    length: 10
    material: {{mass_per_length: {line}, diameter: 0.01, axial_stiffness: 1e7, bending_stiffness: 1e-6}}
    model: {{mrfe: {{elements: 20}}}}
""")


def carriage(model: str = "{mrfe: {elements: 12}}", line: float = 0.2, place: str = "[1.9, 0, -1.335]") -> towsim.Scene:
    """A carriage on a track rope between two masts."""
    bends = ", bending_stiffness: 1e-4" if "mrfe" in model else ""
    return scene_from_text(f"""
bodies: {{carriage: {{mass: 5, point: true, position: {place}}}}}
robots: {{a: {{position: [0, 0, 0]}}, b: {{position: [5, 0, 1]}}}}
wires:
  line:
    from: a
    via: [carriage]
    to: b
    length: 6.2
    material: {{mass_per_length: {line}, diameter: 0.01, axial_stiffness: 2e5{bends}}}
    model: {model}
""")


HOIST = """
bodies:
  load:
    mass: 20
    shape: {box: [0.6, 0.4, 0.3]}
    position: [0.5, 0, -3.0]
    points: {left: [-0.1, 0, 0.2], right: [0.1, 0.05, 0.2]}
  cart: {mass: 6, shape: {box: [0.4, 0.4, 0.4]}, position: [2.0, 0, 0.0], points: {hook: [0, 0, -0.25]}}
robots: {a: {position: [-0.5, 0, 0.2]}, k: {position: [2.0, 0, 3.0]}}
wires:
  hang:
    from: cart
    to: k
    length: 3.01
    material: {mass_per_length: 0.01, diameter: 0.01, axial_stiffness: 1e5}
    model: elastic
  line:
    from: a
    via: [load.left, load.right]
    to: cart.hook
    length: 7
    material: {mass_per_length: 0.3, diameter: 0.01, axial_stiffness: 2e5, bending_stiffness: 1e-2}
    model: {mrfe: {elements: 12}}
start: equilibrium
"""


def run(scene: towsim.Scene, duration: float, step: float, **options: object) -> towsim.Result:
    return towsim.simulate(scene, duration=duration, step=step, method="stewart-trinkle", **options)


@pytest.mark.parametrize(("first", "second", "line"), [(2.0, 3.0, 1.0), (2.0, 2.0, 1.0), (3.0, 1.0, 0.1)])
def test_a_heavy_line_over_a_ring_runs_as_the_closed_form_says(first, second, line):
    """(M₁ + M₂ + μ L) ẍ = g (M₁ − M₂ + μ (2 x − L)), order 1; extrapolated to h = 0 to the line's strain of 1e-5."""
    whole, time, below = first + second + 10.0 * line, 0.8, 6.0
    rate = np.sqrt(2.0 * line * G / whole)
    still = 5.0 - (first - second) / (2.0 * line)
    exact = still + (below - still) * np.cosh(rate * time)
    errors = [float(-run(atwood(first, second, line), time, h)["position"][-1, 0, 2]) - exact for h in (2e-3, 1e-3)]
    assert abs(errors[1]) < 2e-3
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.2)
    assert 2.0 * errors[1] - errors[0] == pytest.approx(0.0, abs=1e-4)


def test_tension_at_the_ring_is_that_of_the_closed_form():
    """T = (M₂ + μ x₂) (g + ẍ) + momentum flux none, as the line leaves the ring as fast as it comes."""
    result = run(atwood(), 0.4, 1e-3)
    x, a = -result["position"][:, :, 2], result["acceleration"][:, :, 2]
    pull = np.linalg.norm(result["exit_force"][-1], axis=1)  # of the second span at the ring, which is its root
    assert pull[1] == pytest.approx((3.0 + x[-1, 1]) * (G + a[-1, 1]), rel=2e-3)  # of order h


def test_energy_is_kept_to_the_order_of_the_step():
    lost = []
    for h in (2e-3, 1e-3):
        energy = run(atwood(), 0.8, h)["energy"]
        lost.append(float(np.abs(energy - energy[0]).max()))
    fallen = 5 * G * 1.0  # of the order of what the loads exchange [J]
    assert lost[1] < 2e-3 * fallen
    assert lost[0] / lost[1] == pytest.approx(2.0, abs=0.3)


def test_what_starts_at_equilibrium_stays_there():
    scenes = [carriage(place="[2.2, 0, -0.5]").with_values({"start": "equilibrium"}), scene_from_text(HOIST)]
    for scene in scenes:
        result = run(scene, 0.5, 1e-3)
        assert np.abs(result["position"] - result["position"][0]).max() < 1e-10
        assert np.abs(result["length"] - result["length"][0]).max() < 1e-10


def test_a_light_line_runs_as_the_massless_elastic_one():
    """The difference is of the order of its mass, 0.5 m/s² × 2 s² by 6.2 m μ/5 kg, down to that of the step."""
    massless = run(carriage("elastic"), 2.0, 5e-4)["position"]
    off = [float(np.abs(run(carriage(line=line), 2.0, 5e-4)["position"] - massless).max()) for line in (0.1, 0.01)]
    assert off[1] < 0.012
    assert off[0] / off[1] == pytest.approx(10.0, abs=2.0)


def test_a_carriage_on_a_light_track_rope_swings_as_its_modes_say():
    slow = towsim.modes(carriage("elastic")).frequency[0]
    rest = towsim.equilibrium(carriage(line=0.002)).position[0]
    result = run(carriage(line=0.002, place=f"[{rest[0] + 0.01}, 0, {rest[2]}]"), 10.0, 1e-3)
    x, t = result["position"][:, 0, 0] - rest[0], result.time
    down = np.flatnonzero((x[:-1] > 0.0) & (x[1:] <= 0.0))
    crossing = t[down] + 1e-3 * x[down] / (x[down] - x[down + 1])
    assert np.diff(crossing).mean() == pytest.approx(1.0 / slow, rel=2e-3)


def test_momentum_of_loads_and_line_is_kept_where_nothing_holds_them():
    """Without gravity the centre of all mass goes straight on, though the line runs over a ring and turns there."""
    scene = scene_from_text("""
gravity: [0, 0, 0]
bodies:
  first: {mass: 1, point: true, position: [-2, 0, 0], velocity: [-1, 1, 0]}
  ring: {mass: 4, point: true, position: [0, 0, 0], velocity: [0, 0, 0.5]}
  second: {mass: 2, point: true, position: [1, 2, 0], velocity: [-0.5, -1, 0]}
wires:
  line:
    from: first
    via: [ring]
    to: second
    length: 4.232
    material: {mass_per_length: 1, diameter: 0.01, axial_stiffness: 1e6, bending_stiffness: 1e-3}
    model: {mrfe: {elements: 12}}
""")
    off = []
    for h in (1e-3, 5e-4):
        result = run(scene, 0.3, h)
        node, length = np.asarray(result["node_position"]), np.asarray(result["length"])
        moment = (np.array([1.0, 4.0, 2.0])[:, None] * np.asarray(result["position"])).sum(axis=1)
        for k in range(2):
            ends = node[:, k][:, np.isfinite(node[0, k, :, 0])]
            moment += length[:, k, None] * 0.5 * (ends[:, 1:] + ends[:, :-1]).mean(axis=1)
        path, t = (moment - moment[0]) / (7.0 + 4.232), np.asarray(result.time)
        off.append(float(np.abs(path - t[:, None] * path[-1] / t[-1]).max()))
        assert length[-1, 0] - length[0, 0] > 0.3  # it does run
    assert off[1] < 3e-6
    assert off[0] / off[1] == pytest.approx(2.0, abs=0.3)


def test_length_is_kept_to_the_last_digit_over_rings_that_move():
    scene = scene_from_text("""
bodies: {load: {mass: 5, point: true, position: [0, 0, -2]}, far: {mass: 4, point: true, position: [3, 0, -3]}}
robots:
  one: {motion: {formula: {x: "0.2*sin(3*t)", y: "0", z: "0.1*t"}}}
  two: {motion: {formula: {x: "3", y: "0.3*sin(2*t)", z: "0"}}}
wires:
  line:
    from: load
    via: [one, two]
    to: far
    length: 8.001
    material: {mass_per_length: 0.5, diameter: 0.01, axial_stiffness: 1e6, bending_stiffness: 1e-3}
    model: {mrfe: {elements: 16}}
""")
    result = run(scene, 1.0, 1e-3)
    assert result["length"].shape[1] == 3
    np.testing.assert_allclose(result["length"].sum(axis=1), 8.001, rtol=0, atol=1e-12)
    assert result["e1"].max() < 1e-4


def test_any_step_is_stable_and_any_back_end_finds_the_same():
    coarse = run(atwood(2.0, 2.0), 1.2, 0.05)["position"][-1, 0, 2]
    still = 5.0 + np.cosh(np.sqrt(2 * G / 14.0) * 1.2)
    assert -coarse == pytest.approx(still, abs=0.1)
    one = run(carriage(), 0.05, 1e-3)["position"]
    for solver in ("lemke", "interior-point"):
        other = run(carriage(), 0.05, 1e-3, solver=solver)["position"]
        np.testing.assert_allclose(other, one, rtol=0, atol=1e-8)


def test_a_span_that_runs_out_ends_the_run_by_name():
    with pytest.raises(towsim.RefusedError, match=r"span 'line\.2' .* from 'ring' to 'second', has run out"):
        run(atwood(5.0, 1.0, below=8.0), 2.0, 1e-3)


def test_what_does_not_run_over_rings_is_told():
    scene = atwood()
    with pytest.raises(
        towsim.UsageError, match="method 'bdf2' takes no massive cables over rings or pulleys, such as 'line'"
    ):
        towsim.simulate(scene, duration=0.1, method="bdf2")
    with pytest.raises(towsim.UsageError, match="method 'shake' takes no mrfe cables"):
        towsim.simulate(scene, duration=0.1, method="shake")
    with pytest.raises(
        towsim.UsageError, match="'line' is a massive cable over rings or pulleys, whose length does not change"
    ):
        run(scene.with_values({"wires.line.length": {"start": 10.0, "rate": 0.1}}), 0.1, 1e-3)


@pytest.mark.parametrize("via", ["robots: {ring: {position: [0, 0, 0]}}", "robots: {top: {position: [0, 0, 0]}}"])
def test_a_wire_that_runs_from_the_start_is_not_stretched_by_it(via):
    """One side takes from the other what moves apart: tensions are those of it at rest, far below v √(EA μ)."""
    wheel = "pulleys: {ring: {at: top, radius: 0.2}}" if "top" in via else ""
    out = 0.2 if wheel else 0.0
    most = []
    for v in (0.0, 1.0):
        scene = scene_from_text(f"""
bodies:
  first: {{mass: 2.5, point: true, position: [{-out}, 0, -6], velocity: [0, 0, {v}]}}
  second: {{mass: 2.5, point: true, position: [{out}, 0, -4], velocity: [0, 0, {-v}]}}
{via}
{wheel}
wires:
  line:
    from: first
    via: [ring]
    to: second
    length: {10.0 + np.pi * out}
    material: {{mass_per_length: 1, diameter: 0.01, axial_stiffness: 1e7, bending_stiffness: 1e-6, axial_damping: 10}}
    model: {{mrfe: {{elements: 10}}}}
""")
        run = towsim.simulate(scene, duration=0.05, step=1e-4, method="stewart-trinkle")
        most.append(np.nanmax(run["tension"].values))
    np.testing.assert_allclose(most[1], most[0], rtol=0.05)
