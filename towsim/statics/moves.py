"""Small moves of bodies, cables rolled about their own lines, and the coordinates of reduced joints at given poses."""

from __future__ import annotations

import numpy as np

from towsim.errors import UsageError
from towsim.model.arms import find_arms
from towsim.model.arrays import Cables, Floats
from towsim.model.bends import product
from towsim.model.compile import Compiled


def moved(q: Floats, d: Floats) -> None:
    """Move the bodies in q by d (nb, 6): a translation, and a rotation vector in world axes."""
    for i, move in enumerate(d):
        q[7 * i : 7 * i + 3] += move[:3]
        angle = float(np.linalg.norm(move[3:]))
        if angle > 0.0:
            turn = np.concatenate([[np.cos(0.5 * angle)], np.sin(0.5 * angle) / angle * move[3:]])
            turned = product(turn, q[7 * i + 3 : 7 * i + 7])
            q[7 * i + 3 : 7 * i + 7] = turned / np.linalg.norm(turned)


def roll(cables: Cables, c: int, q: Floats, angle: float) -> None:
    """Turn the frames of all elements of cable c, whose first joint is a ball, about their own lines by an angle [rad].

    The line stays as it is but for small things: bends, about y and then −x of the element before, are seen from there.
    """
    ball = int(cables.q[c]) + (3 if cables.root[c] >= 0 else 0)
    cosine, sine = np.cos(angle), np.sin(angle)
    q[ball : ball + 4] = product(q[ball : ball + 4], np.array([np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle)]))
    for i in range(ball + 5, int(cables.q[c + 1]), 3):
        x, y, z = np.sin(q[i]) * np.cos(q[i + 1]), np.sin(q[i + 1]), np.cos(q[i]) * np.cos(q[i + 1])
        q[i], q[i + 1] = np.arctan2(cosine * x + sine * y, z), np.arcsin(cosine * y - sine * x)


def joint_coordinates(compiled: Compiled, coordinate: dict[str, float], q: Floats) -> None:
    """Put reduced joints at their coordinates [m or rad] by name, in the state's q.

    Raises
    ------
    UsageError : an arm is free, or has a ball joint, whose turn is not one number
    """
    arms = compiled.model.arms
    assert arms is not None
    forest = find_arms(compiled.scene)
    joint_of = {body: name for builder in forest.builders for body, name in builder.joints.items()}
    bodies = list(compiled.scene.bodies)
    if len(joint_of) < len(arms.tree.kind):
        missing = next(bodies[i] for i in arms.body if bodies[i] not in joint_of)
        raise UsageError(
            f"a run cannot start at rest in the coordinates of the joint that carries body {missing!r}: it has no "
            "single axis; leave out reduced there"
        )
    for body, joint in zip(arms.body, arms.joint, strict=True):
        q[arms.q[0] + arms.tree.q[joint]] = coordinate[joint_of[bodies[body]]]
