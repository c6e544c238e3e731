"""MRFE wires of a scene as joints with springs, dampers and links (see dynamics/mrfe).

Per element of length Le = L/n_e: two revolutes (bending, k = EI/Le, c = ηI/Le), a link of Le/2, a prismatic joint
(stretching, k = EA/Le, c = ηA/Le), a link of Le/2. Links are solid cylinders: transverse inertia m(3r² + l²)/12, axial
m r²/2. Springs rest at the straight, unstretched shape in the direction of the start.

Source: MRFE model and parameters of Mamidi & Bandyopadhyay, Robotica 2024.
"""

from __future__ import annotations

import numpy as np

from towsim.errors import SceneError
from towsim.scene import FREE, Mrfe, Scene, Wire


class CableTable:
    """The MRFE wires of a scene, joint by joint; lists are converted to arrays by the compiler."""

    def __init__(self, scene: Scene) -> None:
        self.names: list[str] = []
        self.robot: list[str] = []
        self.load_end: list[str] = []
        self.first: list[int] = [0]
        self.frame: list[np.ndarray] = []
        self.slides: list[bool] = []
        self.axis: list[tuple[float, float, float]] = []
        self.length: list[float] = []
        self.mass: list[float] = []
        self.inertia: list[tuple[float, float]] = []
        self.stiffness: list[float] = []
        self.damping: list[float] = []
        self._start: list[float] = []
        for name, wire in scene.wires.items():
            if isinstance(wire.model, Mrfe):
                self._add(scene, name, wire, wire.model)

    def start(self) -> np.ndarray:
        """Joint coordinates at t = 0: straight; what the ends' distance adds to the length is spread as extension."""
        return np.array(self._start, float)

    def _add(self, scene: Scene, name: str, wire: Wire, cable: Mrfe) -> None:
        from_, to, length, section = wire.from_, wire.to, wire.length, wire.section()
        carrier, load = (to, from_) if to in scene.robots else (from_, to)
        if carrier not in scene.robots or load in scene.robots or load == FREE:
            raise SceneError(
                f"wire {name!r}: an mrfe cable needs one end on a robot and the other on a body, "
                f"got {from_!r} and {to!r}"
            )
        if not isinstance(length, float):
            raise SceneError(f"wire {name!r}: the length of an mrfe cable must be constant")
        body_name, _, point = load.partition(".")
        body = scene.bodies[body_name]
        end = np.array(body.position)
        if point:
            end = end + body.rotation_matrix() @ np.array(body.points[point])
        root = scene.robots[carrier].sample(np.zeros(1))[0][0]
        distance = float(np.linalg.norm(end - root))
        if not abs(distance - length) <= 0.05 * length:
            raise SceneError(
                f"wire {name!r}: an mrfe cable starts straight, but its ends are {distance:.6g} m apart and it is "
                f"{length:.6g} m long; set the length to that distance"
            )
        self.names.append(name)
        self.robot.append(carrier)
        self.load_end.append(load)
        self.frame.append(_frame((end - root) / distance))
        n = cable.elements
        element = length / n
        half = 0.5 * element
        mass = section.mass_per_length * half
        radius = 0.5 * section.diameter
        link = (mass * (3.0 * radius**2 + half**2) / 12.0, 0.5 * mass * radius**2)
        bend = (section.bending_stiffness / element, section.bending_damping / element)
        stretch = (section.axial_stiffness / element, section.axial_damping / element)
        for _ in range(n):
            self._joint(False, (1.0, 0.0, 0.0), 0.0, 0.0, (0.0, 0.0), bend, 0.0)
            self._joint(False, (0.0, 1.0, 0.0), half, mass, link, bend, 0.0)
            self._joint(True, (0.0, 0.0, 1.0), half, mass, link, stretch, (distance - length) / n)
        self.first.append(len(self.slides))

    def _joint(
        self,
        slides: bool,
        axis: tuple[float, float, float],
        length: float,
        mass: float,
        inertia: tuple[float, float],
        spring: tuple[float, float],
        start: float,
    ) -> None:
        self.slides.append(slides)
        self.axis.append(axis)
        self.length.append(length)
        self.mass.append(mass)
        self.inertia.append(inertia)
        self.stiffness.append(spring[0])
        self.damping.append(spring[1])
        self._start.append(start)


def _frame(z: np.ndarray) -> np.ndarray:
    """Right-handed frame (columns) whose third axis is z."""
    seed = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(seed, z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)
