"""Where derivatives begin: how often a scene is read for them, and that numbers moved together are told apart."""

from __future__ import annotations

import numpy as np
import pytest

import scenarios
import towsim
from towsim.model.compile import Compiled, compile_scene
from towsim.run.seeds import directions, seeds
from towsim.scene.parameters import Parameters

PATHS = [
    "bodies.box.mass",
    "bodies.box.position",
    "bodies.box.velocity",
    "bodies.box.angular_velocity",  # zero: how it moves the angular momentum depends on the mass
    "gravity",
    "wires.w0.length",
    "wires.w1.length",
]


@pytest.fixture(scope="module")
def compiled():
    return compile_scene(scenarios.get("four-robots-box").build())


def found(compiled, paths):
    return seeds(compiled, directions(Parameters(compiled.declared), paths))


def times_read(monkeypatch, compiled, paths):
    read, calls = Compiled.read, []

    def counted(*args, **options):
        calls.append(args)
        return read(*args, **options)

    monkeypatch.setattr(Compiled, "read", counted)
    found(compiled, paths)
    return len(calls)


def test_numbers_moved_together_have_the_derivatives_that_each_has_alone(compiled):
    wanted = directions(Parameters(compiled.declared), PATHS)
    for seed, direction in zip(found(compiled, PATHS), wanted, strict=True):
        (alone,) = found(compiled, [direction.path])
        mine, others = seed.begun(), alone.begun()
        assert mine.keys() == others.keys()
        for name, rate in mine.items():
            scale = max(1.0, np.abs(others[name]).max(initial=0.0))
            np.testing.assert_allclose(rate, others[name], rtol=0.0, atol=1e-12 * scale)  # what subtracting loses


def test_numbers_that_move_different_things_cost_one_reading_each_and_two_for_all(compiled, monkeypatch):
    paths = ["bodies.box.mass", "bodies.box.position", "wires.w0.length", "wires.w1.length"]
    assert times_read(monkeypatch, compiled, paths) == 6 + 2


def test_a_number_alone_whose_scene_is_a_straight_line_of_it_costs_three_readings(compiled, monkeypatch):
    assert times_read(monkeypatch, compiled, ["bodies.box.mass"]) == 3


def test_what_is_bent_costs_five_readings_and_has_the_derivative_of_its_formula(compiled, monkeypatch):
    body = compiled.declared.bodies["box"]
    assert times_read(monkeypatch, compiled, ["bodies.box.shape.box.0"]) == 5
    (seed,) = found(compiled, ["bodies.box.shape.box.0"])
    slope = body.mass * body.shape.box[0] / 6.0  # of m (a² + b²) / 12
    np.testing.assert_allclose(seed.numbers["bodies.inertia"][0], np.diag([0.0, slope, slope]), rtol=0.0, atol=1e-12)


@pytest.fixture(scope="module")
def carried():
    """A box that four robots carry along paths through points, the first two past these at the same times."""
    scene = scenarios.get("four-robots-box").build()
    robots = {}
    for i, (name, robot) in enumerate(scene.robots.items()):
        place = robot.motion.start() if robot.motion is not None else np.array(robot.position)
        path = [(place + np.array([0.1 * k, 0.02 * k * k, 0.0])).tolist() for k in range(4)]
        t = [0.0, 1.0, 2.0 if i < 2 else 1.9, 3.0]
        robots[name] = {"motion": {"waypoints": {"t": t, "position": path, "kind": "cubic"}}}
    return compile_scene(scene.with_values({"robots": robots}))


def test_points_of_paths_cost_one_reading_each_and_two_for_all(carried, monkeypatch):
    points = [f"robots.{name}.motion.waypoints.position.{i}" for name in carried.declared.robots for i in (1, 2)]
    assert times_read(monkeypatch, carried, points) == 24 + 2


def test_a_time_and_a_point_of_one_path_are_moved_apart_and_those_of_two_together(carried, monkeypatch):
    first, second = [f"robots.{name}.motion.waypoints" for name in carried.declared.robots][:2]
    time, mine, other = f"{first}.t.1", f"{first}.position.2.0", f"{second}.position.2.0"
    assert times_read(monkeypatch, carried, [time, mine]) == 2 + 1 + 2
    assert times_read(monkeypatch, carried, [time, other]) == 2 + 1 + 1


def test_one_number_at_its_edge_is_named_among_others(compiled):
    scene = compiled.declared.with_values({"bodies.box.mass": 5.0})
    with pytest.raises(towsim.UsageError, match=r"parameter bodies\.box\.drag\.linear"):
        found(compile_scene(scene), ["bodies.box.mass", "bodies.box.drag.linear", "bodies.box.position"])
