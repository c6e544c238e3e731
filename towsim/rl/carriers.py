"""Who carries the load: robots that are accelerated, or quadcopters with thrust and torques. What an action does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from towsim.model.arrays import Floats
from towsim.run import Simulation
from towsim.scene import Scene
from towsim.scene.data import from_data

GRAVITY = 9.81


class Carriers(Protocol):
    """How carriers take part in a scene, take actions, and are seen.

    Attributes
    ----------
    scene : the scene;  forces : bodies on which forces are commanded
    count : how many there are
    actions : what each number of an action, in −1..1, is a share of, with its unit
    seen : what each number of an observation is, with its unit
    """

    scene: Scene
    forces: tuple[str, ...]
    count: int
    actions: tuple[str, ...]
    seen: tuple[str, ...]

    def begin(self, sim: Simulation) -> None:
        """The simulation was reset."""

    def act(self, sim: Simulation, action: Floats, duration: float) -> None:
        """Command what the action says for the next ``duration`` seconds."""

    def places(self, sim: Simulation) -> Floats:
        """Where the carriers are, (n, 3) [m]."""

    def observe(self, sim: Simulation, load: Floats) -> Floats:
        """Where the carriers are, relative to the load's position (3,) [m], and how fast [m/s]; named in ``seen``."""

    def lost(self, sim: Simulation) -> bool:
        """Whether a carrier is beyond help."""


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

    def __init__(self, n: int, mass: float, *, acceleration: float = 2.0, speed: float = 2.0) -> None:
        self._limit, self._speed = acceleration, speed
        self._start = _ring(n, 0.5, 1.0)
        self._names = tuple(f"robot{k + 1}" for k in range(n))
        self._position, self._velocity = self._start.copy(), np.zeros((n, 3))
        self.forces: tuple[str, ...] = ()
        self.count = n
        self.actions = each("acceleration", self._names, "xyz", f"{acceleration:g} m/s^2")
        self.seen = each("from load", self._names, "xyz", "m") + each("velocity", self._names, "xyz", "m/s")
        robots = {name: {"position": at.tolist()} for name, at in zip(self._names, self._start, strict=True)}
        self.scene = _scene(mass, self._names, self._start, robots=robots)

    def begin(self, sim: Simulation) -> None:
        """See ``Carriers``."""
        self._position, self._velocity = self._start.copy(), np.zeros_like(self._start)

    def act(self, sim: Simulation, action: Floats, duration: float) -> None:
        """See ``Carriers``."""
        wanted = self._velocity + self._limit * duration * action.reshape(-1, 3)
        new = np.clip(wanted, -self._speed, self._speed)
        for name, before, after in zip(self._names, self._velocity, new, strict=True):
            sim.steer(name, acceleration=(after - before) / duration)
        self._position += 0.5 * (self._velocity + new) * duration
        self._velocity = new

    def places(self, sim: Simulation) -> Floats:
        """See ``Carriers``."""
        return self._position

    def observe(self, sim: Simulation, load: Floats) -> Floats:
        """See ``Carriers``."""
        return np.concatenate([(self._position - load).ravel(), self._velocity.ravel()])

    def lost(self, sim: Simulation) -> bool:
        """See ``Carriers``."""
        return False


class Quadcopters:
    """Flying carriers: an action is thrust about hovering, and three torques, of each."""

    MASS, INERTIA = 1.0, (0.01, 0.01, 0.02)
    TORQUE = 0.05  # [N m]
    TILT = 1.3  # beyond which one is lost [rad]

    def __init__(self, n: int, mass: float) -> None:
        self._hover = GRAVITY * (self.MASS + mass / n)
        places = _ring(n, 0.3, 1.0)
        self.forces = tuple(f"quadcopter{k + 1}" for k in range(n))
        self.count = n
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

    def begin(self, sim: Simulation) -> None:
        """See ``Carriers``."""

    def act(self, sim: Simulation, action: Floats, duration: float) -> None:
        """See ``Carriers``."""
        for name, (thrust, *torque) in zip(self.forces, action.reshape(-1, 4), strict=True):
            force = [0.0, 0.0, self._hover * (1.0 + float(thrust))]
            sim.push(name, force, self.TORQUE * np.array(torque, float), body_axes=True)

    def places(self, sim: Simulation) -> Floats:
        """See ``Carriers``."""
        return np.asarray(sim.state.q.reshape(-1, 7)[1:, :3])

    def observe(self, sim: Simulation, load: Floats) -> Floats:
        """See ``Carriers``: position, quaternion, velocity, angular momentum over inertia's scale."""
        state = sim.state
        pose, rate = state.q.reshape(-1, 7)[1:].copy(), state.v.reshape(-1, 6)[1:].copy()
        pose[:, :3] -= load
        rate[:, 3:] /= self.INERTIA[0]
        return np.concatenate([pose.ravel(), rate.ravel()])

    def lost(self, sim: Simulation) -> bool:
        """See ``Carriers``."""
        quaternion = sim.state.q.reshape(-1, 7)[1:, 3:]
        upright = 1.0 - 2.0 * (quaternion[:, 1] ** 2 + quaternion[:, 2] ** 2)  # cosine of the tilt
        return bool((upright < np.cos(self.TILT)).any())
