"""Known motions and loads of a scene, sampled for a block of steps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from towsim.errors import SimulationError
from towsim.model.arrays import FORCE, THRUST, TORQUE, Drive, Floats
from towsim.scene import Scene


class Driver:
    """Samples robots, lengths of rigid wires, loads and wind of a scene at given times.

    Attributes
    ----------
    load_body, load_kind, load_at : index of the body, kind and point of attack of each load that is not zero
    """

    def __init__(self, scene: Scene) -> None:
        self._robots = list(scene.robots.items())
        self._wires = [(name, wire) for name, wire in scene.wires.items() if wire.model == "rigid"]
        self._wind = scene.wind_at
        self._loads: list[tuple[str, Callable[[Floats], Floats]]] = []
        self.load_body: list[int] = []
        self.load_kind: list[int] = []
        self.load_at: list[tuple[float, float, float]] = []
        for index, (name, body) in enumerate(scene.bodies.items()):
            for kind, word in ((FORCE, "force"), (THRUST, "thrust"), (TORQUE, "torque")):
                axes = getattr(body, word)
                if any(component != 0.0 for component in (axes.x, axes.y, axes.z)):
                    self._loads.append((f"{word} of body {name!r}", axes.at))
                    self.load_body.append(index)
                    self.load_kind.append(kind)
                    self.load_at.append(axes.point if kind == THRUST else (0.0, 0.0, 0.0))

    def sample(self, t: Floats) -> Drive:
        """All known motions and loads at the times t (K+1,) [s].

        Raises
        ------
        SimulationError : a formula gives NaN or infinity, or a wire's length is not positive
        """
        n = len(t)
        robot = np.empty((n, len(self._robots), 3))
        rate = np.empty((n, len(self._robots), 3))
        for i, (name, declared) in enumerate(self._robots):
            robot[:, i], rate[:, i], _ = declared.sample(t)
            _finite(robot[:, i], t, f"position of robot {name!r}")
            _finite(rate[:, i], t, f"velocity of robot {name!r}")
        length = np.empty((n, len(self._wires)))
        length_rate = np.empty((n, len(self._wires)))
        for i, (name, wire) in enumerate(self._wires):
            length[:, i], length_rate[:, i] = wire.length_at(t)
            _finite(length[:, i], t, f"length of wire {name!r}")
            _finite(length_rate[:, i], t, f"length rate of wire {name!r}")
            if not length[:, i].min() > 0.0:
                k = int(np.argmin(length[:, i] > 0.0))
                raise SimulationError(
                    f"wire {name!r} has length {length[k, i]:.6g} m at t = {t[k]:.6g} s; "
                    "a winch can haul a wire in only while some is left",
                    time=float(t[k]),
                )
        load = np.empty((n, len(self._loads), 3))
        for i, (what, at) in enumerate(self._loads):
            load[:, i] = at(t)
            _finite(load[:, i], t, what)
        wind = np.ascontiguousarray(self._wind(t))
        _finite(wind, t, "wind")
        return Drive(robot, rate, length, length_rate, load, wind)


def _finite(values: Floats, t: Floats, what: str) -> None:
    if np.isfinite(values.sum()):  # a finite sum has finite terms only: one pass in the usual case
        return
    bad = ~np.isfinite(values.reshape(len(t), -1)).all(axis=1)
    if not bad.any():
        return
    k = int(np.argmax(bad))
    raise SimulationError(
        f"the {what} is {values[k]} at t = {t[k]:.6g} s; check its formula there", time=float(t[k])
    )
