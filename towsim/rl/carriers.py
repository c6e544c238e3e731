"""Who carries the load: robots that are accelerated, or quadcopters with thrust and torques. What an action does.

All is written for the copies of a batch: arrays have an axis of the copies in front.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from towsim.model.arrays import Flags, Floats, State
from towsim.run import Batch
from towsim.scene import Scene
from towsim.scene.data import from_data

GRAVITY = 9.81


class Carriers(Protocol):
    """How carriers take part in a scene, take actions, and are seen.

    Attributes
    ----------
    scene : the scene;  forces : bodies on which forces are commanded
    count : how many there are, m
    actions : what each number of an action, in −1..1, is a share of, with its unit
    seen : what each number of an observation is, with its unit
    """

    scene: Scene
    forces: tuple[str, ...]
    count: int
    actions: tuple[str, ...]
    seen: tuple[str, ...]

    def begin(self, batch: Batch, copies: Flags) -> None:
        """Some copies were reset."""

    def act(self, batch: Batch, action: Floats, duration: float, copies: Flags | None) -> None:
        """Command what the actions (copies, ..) say for the next ``duration`` seconds, of some copies or all."""

    def places(self, state: State) -> Floats:
        """Where the carriers are, (n, m, 3) [m]."""

    def observe(self, state: State, load: Floats) -> Floats:
        """Where carriers are, relative to the loads' positions (n, 3) [m], and how fast [m/s]; named in ``seen``."""

    def lost(self, state: State) -> Flags:
        """(n,) whether a carrier is beyond help."""


def each(quantity: str, names: Sequence[str], parts: Sequence[str], unit: str) -> tuple[str, ...]:
    """Names of numbers: of each of these the parts, ``quantity[name,part] [unit]``."""
    return tuple(f"{quantity}[{name},{part}] [{unit}]" for name in names for part in parts)


def _ring(n: int, radius: float, height: float) -> Floats:
    """Places (n, 3) above the load; one alone is right above it."""
    angle = 2.0 * np.pi * np.arange(n) / n
    r = radius if n > 1 else 0.0
    return np.stack([r * np.cos(angle), r * np.sin(angle), np.full(n, height)], axis=1)


def _scene(mass: float, names: Sequence[str], places: Floats, **carriers: Mapping[str, Any]) -> Scene:
    """A load in the origin on a wire from each carrier; carriers are ``bodies`` or ``robots``."""
    wires = {
        f"wire{k + 1}": {"from": "load", "to": name, "length": float(np.linalg.norm(at))}
        for k, (name, at) in enumerate(zip(names, places, strict=True))
    }
    bodies = {"load": {"mass": mass, "point": True}, **carriers.get("bodies", {})}
    return from_data({"name": "carry", "wires": wires, **carriers, "bodies": bodies}, source="carry")


class Robots:
    """Kinematic carriers: an action is an acceleration, as long as the speed stays within its limit."""

    def __init__(self, m: int, mass: float, copies: int, *, acceleration: float = 2.0, speed: float = 2.0) -> None:
        self._limit, self._speed = acceleration, speed
        self._start = _ring(m, 0.5, 1.0)
        self._names = tuple(f"robot{k + 1}" for k in range(m))
        self._position, self._velocity = np.tile(self._start, (copies, 1, 1)), np.zeros((copies, m, 3))
        self.forces: tuple[str, ...] = ()
        self.count = m
        self.actions = each("acceleration", self._names, "xyz", f"{acceleration:g} m/s^2")
        self.seen = each("from load", self._names, "xyz", "m") + each("velocity", self._names, "xyz", "m/s")
        robots = {name: {"position": at.tolist()} for name, at in zip(self._names, self._start, strict=True)}
        self.scene = _scene(mass, self._names, self._start, robots=robots)

    def begin(self, batch: Batch, copies: Flags) -> None:
        """See ``Carriers``."""
        self._position[copies], self._velocity[copies] = self._start, 0.0

    def act(self, batch: Batch, action: Floats, duration: float, copies: Flags | None) -> None:
        """See ``Carriers``."""
        some = slice(None) if copies is None else copies
        before = self._velocity[some]
        wanted = before + self._limit * duration * action.reshape(before.shape)
        after = np.minimum(np.maximum(wanted, -self._speed), self._speed)
        batch.steer(self._names, acceleration=(after - before) / duration, copies=copies)
        self._position[some] += 0.5 * (before + after) * duration
        self._velocity[some] = after

    def places(self, state: State) -> Floats:
        """See ``Carriers``."""
        return self._position

    def observe(self, state: State, load: Floats) -> Floats:
        """See ``Carriers``."""
        n = len(load)
        away = self._position - load[:, None]
        return np.concatenate([away.reshape(n, -1), self._velocity.reshape(n, -1)], axis=1)

    def lost(self, state: State) -> Flags:
        """See ``Carriers``."""
        return np.zeros(len(state.q), np.bool_)


class Quadcopters:
    """Flying carriers: an action is thrust about hovering, and three torques, of each."""

    MASS, INERTIA = 1.0, (0.01, 0.01, 0.02)
    TORQUE = 0.05  # [N m]
    TILT = 1.3  # beyond which one is lost [rad]

    def __init__(self, m: int, mass: float) -> None:
        self._hover = GRAVITY * (self.MASS + mass / m)
        places = _ring(m, 0.3, 1.0)
        self.forces = tuple(f"quadcopter{k + 1}" for k in range(m))
        self.count = m
        spin = f"angular momentum / {self.INERTIA[0]:g} kg m^2"
        hover, torque = f"{self._hover:.6g} N beyond hovering", f"{self.TORQUE:g} N m"
        self.actions = tuple(
            name for one in self.forces for name in (f"thrust[{one}] [{hover}]", *each("torque", [one], "xyz", torque))
        )
        self.seen = tuple(
            name
            for one in self.forces
            for name in each("from load", [one], "xyz", "m") + each("quaternion", [one], "wxyz", "1")
        ) + tuple(
            name
            for one in self.forces
            for name in each("velocity", [one], "xyz", "m/s") + each(spin, [one], "xyz", "rad/s")
        )
        carriers = {
            name: {"mass": self.MASS, "inertia": self.INERTIA, "position": at.tolist()}
            for name, at in zip(self.forces, places, strict=True)
        }
        self.scene = _scene(mass, self.forces, places, bodies=carriers)

    def begin(self, batch: Batch, copies: Flags) -> None:
        """See ``Carriers``."""

    def act(self, batch: Batch, action: Floats, duration: float, copies: Flags | None) -> None:
        """See ``Carriers``."""
        given = action.reshape(len(action), self.count, 4)
        force = np.zeros((len(action), self.count, 3))
        force[..., 2] = self._hover * (1.0 + given[..., 0])
        batch.push(self.forces, force, self.TORQUE * given[..., 1:], body_axes=True, copies=copies)

    def places(self, state: State) -> Floats:
        """See ``Carriers``."""
        return np.asarray(self._poses(state)[..., :3])

    def observe(self, state: State, load: Floats) -> Floats:
        """See ``Carriers``: position, quaternion, velocity, angular momentum over inertia's scale."""
        n = len(load)
        pose, rate = self._poses(state).copy(), state.v.reshape(n, -1, 6)[:, 1:].copy()
        pose[..., :3] -= load[:, None]
        rate[..., 3:] /= self.INERTIA[0]
        return np.hstack([pose.reshape(n, -1), rate.reshape(n, -1)])

    def lost(self, state: State) -> Flags:
        """See ``Carriers``."""
        quaternion = self._poses(state)[..., 3:]
        upright = 1.0 - 2.0 * (quaternion[..., 1] ** 2 + quaternion[..., 2] ** 2)  # cosine of the tilt
        return np.asarray((upright < np.cos(self.TILT)).any(axis=1))

    def _poses(self, state: State) -> Floats:
        """Position and quaternion of each, (n, m, 7)."""
        return np.asarray(state.q.reshape(len(state.q), -1, 7)[:, 1:])
