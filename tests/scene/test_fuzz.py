"""Thousands of mutated scene files and data: each gives a Scene or a SceneError, quickly, and nothing else.

A Scene that came through can be saved and sampled, and its loads can be moved to a good start, or not: a SceneError.
"""

from __future__ import annotations

import random
import re
import time

import numpy as np

from solvers.kernels.spent import seconds_compiling
from towsim.errors import SceneError
from towsim.scene import (
    Scene,
    data_from_text,
    scene_from_data,
    scene_from_text,
    scene_to_text,
)

SEED_TEXTS = [
    """\
schema: 1
name: lift
gravity: [0, 0, -9.81]
bodies:
  box:  {mass: 2.0, shape: {box: [0.4, 0.3, 0.2]}, drag: {linear: 0.1}, points: {left: [-0.2, 0, 0.1], right: [0.2, 0, 0.1]}}
  bob:  {mass: 0.3, point: true, position: [0, 0, -0.6]}
  gyro: {mass: 1.0, inertia: [0.02, 0.05, 0.06], quaternion: [1, 0, 0, 0], angular_velocity: [3, 4, 5], force: {z: "9.81*t"}}
robots:
  east: {motion: {waypoints: {t: [0, 2], position: [[0.2, 0, 1.1], [1.2, 0, 1.6]], kind: quintic}}}
  west: {motion: {formula: {x: "-0.2 + 0.5*(1 - cos(t))", y: "0", z: "1.1 if t < 1 else sqrt(t)"}}}
  post: {position: [0, 0, -0.1]}
wires:
  e: {from: box.right, to: east, length: 1.01}
  w: {from: box.left,  to: west, length: {start: 1.01, rate: -0.02}}
  b: {from: bob, to: box, length: 0.7}
run: {duration: 2.0, step: 1e-3, method: stewart-trinkle, solver: auto}
""",  # noqa: E501
    """\
name: all
wind: {x: "0.1*sin(2*pi*t)", y: 1e-3}
bodies:
  ball:
    mass: 1.5
    shape:
      sphere: 0.25
    position: &here [0, 0, 0.25]
    points:
      top: [0, 0, 0.25]
    thrust: {z: "t**2", at: [0, 0, 0.1]}
  rod: {mass: 1, shape: {cylinder: [0.1, 2]}, inertia: [[1, 0, 0], [0, 1, 0.1], [0, 0.1, 1]], position: [0, 0, 1.5], points: {a: [0, 0, -1]}}
robots:
  r: {motion: {circle: {center: *here, radius: 1, period: 2, normal: [1, 1, 1]}}}
  s: {motion: {samples: {t: [0, 1, 2, 3], position: [[0, 0, 3], [1, 0, 3], [1, 1, 3], [0, 1, 3]]}}}
wires:
  c: {from: ball.top, to: r, length: {waypoints: {t: [0, 1], length: [3, 2], kind: cubic}}}
  d: {from: rod, to: s, length: {formula: "3 + 0.1*sin(t)"}, material: {diameter: 4e-3, density: 5e3, youngs_modulus: 1e11}, model: {mrfe: {elements: 5, to_end: clamped}}}
joints:
  j: {kind: ball, from: ball.top, to: rod.a}
ground: {height: 0, friction: 0.3, contacts: [ball, rod.a]}
""",  # noqa: E501
]
TOKENS = [
    *"{}[]:,-#&*!|>%@`'\"?\n\t\\ ",
    *(
        "0",
        "-1",
        "1e-3",
        "1e308",
        "1e-320",
        "-0.0",
        ".nan",
        ".inf",
        "-.inf",
        "1e400",
        "9" * 400,
        "0x10",
        "1e30",
        "1e29",
    ),
    *(
        "null",
        "true",
        "yes",
        "~",
        "''",
        "{}",
        "[]",
        "- ",
        ": ",
        "? ",
        "---\n",
        "...\n",
        "<<: ",
        "*here",
        "&here ",
        "*no",
    ),
    *(
        "!!python/object/apply:os.system ",
        "!!float ",
        "!x ",
        "%YAML 1.1\n",
        "\x00",
        "\u2028",
        "\ufeff",
        "é",
        "🚀",
        "\ud800",
    ),
    *(
        "mass",
        "point",
        "box",
        "bob",
        "east",
        "from",
        "to",
        "length",
        "formula",
        "motion",
        "csv: /dev/zero",
        "csv: .",
        "t",
    ),
    *(
        "t**t",
        "1/t",
        "9**9**9",
        "exp(1e9*t)",
        "log(-t)",
        "sqrt(t)",
        "((",
        "if",
        "else",
        "lambda: 0",
        "__import__('os')",
    ),
]


def mutated(text: str, rng: random.Random) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        i = rng.randrange(len(text) + 1)
        j = min(len(text), i + rng.choice((0, 1, 1, 2, 5, 20)))
        lines = text.splitlines(keepends=True) or [""]
        match rng.randrange(12):
            case 0:
                text = text[:i] + text[j:]
            case 1:
                text = text[:i] + rng.choice(TOKENS) + text[j:]
            case 2:
                text = text[:i] + text[i:j] * rng.choice((2, 3, 50)) + text[j:]
            case 3:
                lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
                text = "".join(lines)
            case 4:
                del lines[rng.randrange(len(lines))]
                text = "".join(lines)
            case 5:
                words = text.split(" ")
                words[rng.randrange(len(words))] = rng.choice(rng.choice((TOKENS, words)))
                text = " ".join(words)
            case _:
                number = rng.choice(list(re.finditer(r"-?[0-9][0-9.e-]*", text)) or [None])
                if number is not None:
                    text = text[: number.start()] + rng.choice(NUMBERS) + text[number.end() :]
    return text


NUMBERS = [
    "0",
    "-1",
    "1",
    "2",
    "0.5",
    "-0.25",
    "3.5",
    "1e-3",
    "1e29",
    "-1e29",
    "1e-29",
    "1e-9",
    "t",
    "1/t",
    ".nan",
    "1e31",
]
VALUES = [
    *(None, True, False, 0, 1, -1, 0.5, 1e-9, 1e30, 1e29, -1e30, float("nan"), float("inf"), 10**400, -0.0, 1e-30),
    *("", "t", "1/t", "exp(exp(t))", "bob", "box.left", "a.b.c", "cubic", "east", {}, [], [0, 0, 0], [1, 2], {"x": 1}),
    *(
        {"start": 1},
        [[0, 0, 0]],
        {"box": [1, 1, 1]},
        object(),
        b"x",
        1j,
        np.zeros(3),
        np.float32(2),
        np.int64(3),
        {1: 2},
    ),
]


def spoiled(data, rng: random.Random):
    """A copy of nested data with one place changed."""
    if isinstance(data, dict) and data and rng.random() < 0.9:
        key = rng.choice(list(data))
        copy = dict(data)
        match rng.randrange(8):
            case 0:
                del copy[key]
            case 1:
                copy[rng.choice((key + "x", "mass", "t", "", 3))] = copy.pop(key)
            case _:
                copy[key] = spoiled(data[key], rng)
        return copy
    if isinstance(data, list) and data and rng.random() < 0.7:
        copy = list(data)
        i = rng.randrange(len(copy))
        match rng.randrange(4):
            case 0:
                del copy[i]
            case 1:
                copy.insert(i, rng.choice(VALUES))
            case _:
                copy[i] = spoiled(data[i], rng)
        return copy
    return rng.choice(VALUES)


TIMES = np.linspace(0.0, 3.0, 7)


def exercise(scene: Scene) -> None:
    """Use the scene as a run would; whether formulas are finite in a run is the run's to judge."""
    assert scene_from_text(scene_to_text(scene)) == scene
    for robot in scene.robots.values():
        assert [array.shape for array in robot.sample(TIMES)] == [(len(TIMES), 3)] * 3
    for wire in scene.wires.values():
        assert [array.shape for array in wire.length_at(TIMES)] == [(len(TIMES),)] * 2
    for body in scene.bodies.values():
        assert np.isfinite(body.inertia_matrix()).all()
        for load in (body.force, body.thrust, body.torque):
            assert load.at(TIMES).shape == (len(TIMES), 3)
    assert scene.wind_at(TIMES).shape == (len(TIMES), 3)
    for body in scene.project().bodies.values():
        assert np.isfinite([*body.position, *body.quaternion]).all()


def outcome(declare) -> tuple[bool, bool]:
    """Whether a Scene was declared, and whether it could be used; anything but a SceneError comes out."""
    start, compiling = time.process_time(), seconds_compiling()
    declared = used = False
    message = "none"
    try:
        scene = declare()
        declared = True
        exercise(scene)
        used = True
    except SceneError as error:
        message = str(error)
    assert time.process_time() - start - (seconds_compiling() - compiling) < 5.0  # nothing hangs
    assert 0 < len(message) <= 1000
    return declared, used


def fuzz(count: int, seed: int) -> None:
    rng = random.Random(seed)
    texts = [scene_to_text(scene_from_text(text)) for text in SEED_TEXTS] + SEED_TEXTS
    plain = [data_from_text(text) for text in SEED_TEXTS]
    tally = np.zeros(2, int)
    for _ in range(count // 2):
        text = mutated(rng.choice(texts), rng)
        tally += outcome(lambda text=text: scene_from_text(text))
        data = spoiled(rng.choice(plain), rng)
        tally += outcome(lambda data=data: scene_from_data(data))
    # The mutations are mild enough to reach every depth: many are still scenes, and many are not.
    assert 0.1 * count < tally[1] < tally[0] < 0.8 * count


def test_mutated_scenes_give_a_scene_or_a_scene_error():
    fuzz(1500, seed=1)
