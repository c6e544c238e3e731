"""A number that is zero is one like others, but for coefficients of laws: these are not there then.

Where no law comes or goes a compiled scene takes it, with the bits of a scene compiled anew, and there are derivatives.
"""

import numpy as np
import pytest

import scenarios
import towsim
from tests.stepping.conftest import anew
from towsim.analysis.replay import differences
from towsim.scene import scene_from_text

PULLED = """
parameters: {amp: 0.0}
bodies:
  load: {mass: 1, point: true, position: [0, 0, 0], velocity: [0.1, 0, 0], force: {x: "amp*t", y: 0, z: 0.5}}
  ball: {mass: 1, shape: {sphere: 0.1}, position: [3, 0, 0.105], velocity: [0, 0, -0.5]}
  cart: {mass: 2, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 3, 0]}
  probe: {mass: 2, inertia: [0.1, 0.1, 0.2], position: [0, 6, 0], thrust: {x: 0, z: 1, at: [0.1, 0, 0]}}
  flyer: {mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 9, 0], rotors: {arm: 0.2, thrust: [2, "2 + amp*t", 2, 2]}}
robots: {hook: {position: [0, 0, 2]}, rail: {position: [0, 3, 0]}}
wires:
  line: {from: load, to: hook, length: {start: 2, rate: 0}}
  soft: {from: cart, to: hook, length: {formula: "3.2 + amp*t"}, model: {spring: {stiffness: 30, damping: 0}}}
joints: {slide: {kind: prismatic, from: rail, to: cart, axis: [1, 0, 0], spring: {stiffness: 20}, motor: "1 + amp*t"}}
ground: {height: 0, contacts: [ball]}
run: {duration: 0.2, step: 4e-3}
"""
COMMANDED = """
bodies:
  load: {mass: 0.4, point: true, position: [0, 0, -0.9]}
  bob: {mass: 0.2, point: true, position: [5, 0, 0]}
  tug: {mass: 4.0, inertia: [0.1, 0.2, 0.2], position: [0, -2, 0], actuator: {max_force: 20, max_torque: 2}}
robots:
  r: {motion: {formula: {x: "0.1*t", y: 0, z: 0}}, dynamics: point-mass, vehicle: {mass: 1.0, lag: 0}}
  still: {position: [5, 0, 2]}
wires:
  w: {from: load, to: r, length: 1.0}
  reel: {from: bob, to: still, length: 2.0, winch: {max_rate: 0.5, lag: 0}}
controllers: {hoist: {law: winch, wire: reel, mode: rate, target: 0}, fly: {law: track, vehicles: [r], integral: 0}}
sensors: {place: {kind: pose, of: r, noise: 0}}
run: {duration: 0.2, step: 4e-3}
"""
WOUND = """
bodies: {load: {mass: 10.0, point: true, position: [0, 0, -2]}}
robots: {crane: {position: [0, 0, 0]}}
drums: {d: {at: crane, radius: 0.1, inertia: 0.05, torque: 9, motor_inertia: 0}}
wires: {w: {from: load, to: crane, length: 2.0, drum: d}}
run: {duration: 0.2, step: 4e-3}
"""
TEXTS = {"pulled": PULLED, "commanded": COMMANDED, "wound": WOUND}


def scene_of(name):
    return scene_from_text(TEXTS[name]) if name in TEXTS else scenarios.get(name).build()


NUMBERS = [  # that are zero, and another value
    ("pulled", "ground.height", -0.02),
    ("pulled", "joints.slide.spring.rest", 0.05),
    ("pulled", "wires.line.length.rate", -0.1),
    ("pulled", "wires.soft.model.spring.damping", 1.0),
    ("pulled", "bodies.load.force.y", 0.3),
    ("pulled", "bodies.probe.thrust.x", 0.3),
    ("pulled", "parameters.amp", 0.5),
    ("commanded", "robots.r.motion.formula.y", 0.1),
    ("commanded", "robots.r.vehicle.lag", 0.02),
    ("commanded", "wires.reel.winch.lag", 0.02),
    ("commanded", "bodies.tug.actuator.lag", 0.02),
    ("commanded", "controllers.hoist.target", 0.1),
    ("commanded", "controllers.fly.integral", 0.5),
    ("commanded", "sensors.place.noise", 0.01),
    ("wound", "drums.d.motor_inertia", 0.01),
    ("quadcopters-carry-box", "controllers.fleet.heading", 0.2),
]


@pytest.mark.parametrize(("name", "path", "value"), NUMBERS)
def test_a_compiled_scene_takes_a_zero_where_no_law_goes_with_it(name, path, value):
    scene, options = scene_of(name), {"duration": 0.2, "step": 4e-3}
    other, zero = scene.with_values({path: value}), scene.with_values({path: 0.0})
    runs = [anew(one, **options) for one in (zero, other)]
    for compiled in (zero, other):
        model = towsim.compile(compiled, step=4e-3)
        for given, alone in zip((0.0, value), runs, strict=True):
            assert not differences(model.run({path: given}, duration=0.2), alone)
    if path not in ("bodies.tug.actuator.lag", "wires.reel.winch.lag"):  # which stand still
        assert differences(*runs)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("pulled", "ground.height"),
        ("pulled", "joints.slide.spring.rest"),
        ("pulled", "wires.line.length.rate"),
        ("pulled", "bodies.load.force.y"),
        ("pulled", "bodies.probe.thrust.x"),
        ("pulled", "parameters.amp"),
        ("commanded", "controllers.hoist.target"),
        ("commanded", "robots.r.motion.formula.y"),
    ],
)
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_the_derivative_at_zero_is_that_of_central_differences(name, path, method):
    model = towsim.compile(scene_of(name), method=method)
    variables = "position", "velocity", "actuation" if name == "commanded" else "joint_torque"
    found = model.sensitivities([path], variables)
    (forth, back), reach = (model.run({path: reach}) for reach in (1e-5, -1e-5)), 1e-5
    moved = 0.0
    for variable in variables:
        expected = (forth[variable].values - back[variable].values) / (2.0 * reach)
        scale = np.nanmax(np.abs(expected))
        moved = max(moved, scale)
        np.testing.assert_allclose(found[variable].values[..., 0], expected, rtol=0, atol=1e-6 * max(scale, 1e-2))
    assert moved > 1e-3, "something depends on it"


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("pulled", {"joints.slide.damping": 0.5}),
        ("pulled", {"joints.slide.motor": 0.0}),
        ("pulled", {"ground.friction": 0.5}),
        ("pulled", {"bodies.load.force": {"x": 0, "y": 0, "z": 0}}),
        ("pulled", {"bodies.ball.drag.angular": 0.1}),
        ("commanded", {"bodies.tug.actuator.max_torque": 0.0}),
        ("wound", {"drums.d.torque": 0.0}),
        ("wound", {"drums.d.damping": 0.1}),
    ],
)
def test_a_law_with_a_coefficient_of_zero_is_not_there(name, changes):
    scene = scene_of(name)
    assert scene.with_values(changes).outline() != scene.outline()
