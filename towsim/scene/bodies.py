"""Rigid bodies and point masses: inertia, start pose and velocity, named points, forces and drag."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StrictBool, model_validator

from towsim.quote import show
from towsim.scene.base import Declared, problem
from towsim.scene.motion import Axes
from towsim.scene.quantity import SMALLEST, Direction, Named, Quantity, Quaternion, Vec3, Vector, list_schema
from towsim.scene.rotors import Rotors

Array = NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)
THINNEST = 1e-12
"""Smallest over largest principal moment: below that the inverse is rounding noise."""


class Shape(Declared):
    """One of: box [lx, ly, lz], sphere radius, cylinder [radius, height] (axis z); solid, of constant density."""

    box: Annotated[Vec3, Vector("edge lengths along the body axes", "m", above=0.0)] | None = None
    sphere: Annotated[float, Quantity("radius", "m", above=0.0)] | None = None
    cylinder: Annotated[tuple[float, float], Vector("radius, height", "m", above=0.0, count=2)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        self.only("box", "sphere", "cylinder")
        return self

    def reach(self, n: Array) -> float:
        """How far the shape extends from its centre in the direction of the unit vector ``n`` (3,), body axes [m]."""
        x, y, z = np.abs(n).tolist()
        if self.box is not None:
            return 0.5 * float(np.dot((x, y, z), self.box))
        if self.cylinder is not None:
            radius, height = self.cylinder
            return float(radius * np.hypot(x, y) + 0.5 * height * z)
        assert self.sphere is not None  # _check
        return self.sphere

    def principal_inertia(self, mass: float) -> Vec3:
        """Moments of inertia about the centre along the body axes [kg m²]."""
        if self.box is not None:
            x, y, z = (mass / 12.0 * length * length for length in self.box)
            return y + z, z + x, x + y
        if self.cylinder is not None:
            radius, height = self.cylinder
            across = mass * (3.0 * radius * radius + height * height) / 12.0
            return across, across, 0.5 * mass * radius * radius
        assert self.sphere is not None  # _check
        moment = 0.4 * mass * self.sphere * self.sphere
        return moment, moment, moment


TURNING = ("angular", "angular_quadratic", "at")


class Along(Vector):
    """One number, or one along each of the body's axes."""

    def read(self, value: Any) -> Any:
        """A float, or three of them."""
        return self.numbers(value, 3) if isinstance(value, list | tuple | np.ndarray) else self.number(value)

    def schema(self) -> dict[str, Any]:
        """JSON Schema: a number or 3 of them."""
        return {"anyOf": [self.number_schema(), list_schema(self.number_schema(), 3)]}


class Drag(Declared):
    """Drag force −(linear + quadratic |u|) u, u = velocity relative to the wind, of the centre or of the point ``at``.

    Three numbers are coefficients along the body's axes. ``angular`` ones brake the turn, −(angular + angular_quadratic
    |ω|) ω. All but two plain numbers at the centre are for stewart-trinkle and shake.
    """

    linear: Annotated[float | Vec3, Along("linear drag coefficient", "N s/m", least=0.0)] = 0.0
    quadratic: Annotated[float | Vec3, Along("quadratic drag coefficient", "N s²/m²", least=0.0)] = 0.0
    angular: Annotated[float | Vec3, Along("linear coefficient about the axes", "N m s/rad", least=0.0)] = 0.0
    angular_quadratic: Annotated[float | Vec3, Along("quadratic one about the axes", "N m s²/rad²", least=0.0)] = 0.0
    at: Annotated[Vec3, Vector("point at which the force acts, body axes", "m")] | None = None

    @property
    def turning(self) -> tuple[str, ...]:
        """What of it takes a body that turns."""
        there = self.angular != 0.0, self.angular_quadratic != 0.0, self.at is not None
        return tuple(name for name, is_there in zip(TURNING, there, strict=True) if is_there)

    @property
    def own(self) -> bool:
        """Whether it is more than a linear and a quadratic number at the centre."""
        plain = not isinstance(self.linear, tuple) and not isinstance(self.quadratic, tuple)
        return not (plain and self.angular == 0.0 and self.angular_quadratic == 0.0 and self.at is None)


class Actuator(Declared):
    """What a controller pushes a body with: a force at the centre (world axes) and a torque (body axes).

    Each is limited in size and follows its command with the time constant ``lag``; from ``fails`` on both are zero.
    """

    LAWLESS: ClassVar = frozenset({"lag"})

    max_force: Annotated[float, Quantity("largest force", "N", least=0.0)]
    max_torque: Annotated[float, Quantity("largest torque", "N m", least=0.0)] = 0.0
    lag: Annotated[float, Quantity("time constant", "s", least=0.0)] = 0.0
    fails: Annotated[float, Quantity("time of its failure", "s", least=0.0)] | None = None
    plane: StrictBool = Field(default=False, description="pushes horizontally only")


class Thrust(Axes):
    """A force [N] with components along the body axes, at the point ``at`` of the body."""

    point: Annotated[Vec3, Vector("point of attack, body axes", "m")] = Field(
        default=ZERO, validation_alias="at", serialization_alias="at"
    )


class Inertia(Vector):
    """Three principal moments, or a symmetric 3×3 matrix, about the centre of mass in body axes."""

    def read(self, value: Any) -> tuple[Any, ...]:
        """Nested tuples, checked to be the inertia of some real body."""
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, list | tuple) or len(value) != 3:
            raise problem(f"must be 3 principal moments or a 3x3 matrix, got {show(value)}")
        if not any(isinstance(row, list | tuple | np.ndarray) for row in value):
            moments = self.numbers(value, 3)
            self._physical(np.array(moments), value)
            return moments
        rows = tuple(self.numbers(row, 3, i) for i, row in enumerate(value))
        matrix = np.array(rows)
        if not np.allclose(matrix, matrix.T, rtol=1e-9, atol=1e-9 * np.abs(matrix).max()):
            raise problem(f"the matrix must be symmetric, got {show(value)}")
        self._physical(np.linalg.eigvalsh(0.5 * (matrix + matrix.T)), value)
        return rows

    def _physical(self, moments: Array, value: Any) -> None:
        a, b, c = sorted(float(moment) for moment in moments)
        if not (a >= SMALLEST and a > THINNEST * c):
            raise problem(f"principal moments must be > 0 {self.unit}, got {show(value)}")
        if not a + b >= c * (1.0 - 1e-9):  # a flat plate meets the bound, up to rounding of its numbers
            raise problem(
                f"violates the triangle inequality: the two smaller principal moments {a:g} + {b:g} = {a + b:g} "
                f"are less than the largest, {c:g} {self.unit}; no distribution of mass has such an inertia"
            )

    def schema(self) -> dict[str, Any]:
        """JSON Schema: 3 numbers or 3 lists of 3 numbers."""
        moments = list_schema({"type": "number", "exclusiveMinimum": 0.0}, 3)
        return {"anyOf": [moments, list_schema(list_schema({"type": "number"}, 3), 3)]}


class Body(Declared):
    """A rigid body, or a point mass (``point: true``).

    Exactly one of ``point``, ``inertia`` and ``shape`` gives the rotational inertia; with both an inertia and a
    shape the inertia counts and the shape serves contact and drawing.
    """

    mass: Annotated[float, Quantity("mass", "kg", above=0.0)]
    point: StrictBool = Field(default=False, description="a point mass: it has no orientation")
    inertia: (
        Annotated[Vec3 | tuple[Vec3, Vec3, Vec3], Inertia("inertia about the centre, body axes", "kg m²")] | None
    ) = None
    shape: Shape | None = None
    position: Annotated[Vec3, Vector("centre of mass at the start, world axes", "m")] = ZERO
    quaternion: Annotated[Quaternion, Direction("start orientation wxyz, body to world; normalised", count=4)] = (
        1.0,
        0.0,
        0.0,
        0.0,
    )
    velocity: Annotated[Vec3, Vector("velocity at the start, world axes", "m/s")] = ZERO
    angular_velocity: Annotated[Vec3, Vector("angular velocity at the start, world axes", "rad/s")] = ZERO
    points: Annotated[
        dict[str, Annotated[Vec3, Vector("point relative to the centre, body axes", "m")]],
        Named(),
        Field(description="named points of the body [m]"),
    ] = Field(default={}, validate_default=True)
    drag: Drag = Drag()
    force: Axes = Field(default=Axes(), description="force at the centre, world axes [N]")
    thrust: Thrust = Field(default=Thrust(), description="force along the body axes at a point of the body [N]")
    torque: Axes = Field(default=Axes(), description="torque, world axes [N m]")
    rotors: Rotors | None = None
    actuator: Actuator | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.point:
            turning = ("inertia", "shape", "quaternion", "angular_velocity", "points", "thrust", "torque", "rotors")
            for name in turning:
                if getattr(self, name) != type(self).model_fields[name].default:
                    raise problem("a point mass has no extent and no orientation; leave this out or point: true", name)
            for name in self.drag.turning:
                raise problem("a point mass does not turn; leave this out or point: true", "drag", name)
            if self.actuator is not None and self.actuator.max_torque > 0.0:
                raise problem("a point mass takes no torque; leave this out or point: true", "actuator", "max_torque")
        elif self.inertia is None and self.shape is None:
            raise problem("the rotational inertia is not given; add inertia: [Ixx, Iyy, Izz], a shape, or point: true")
        elif self.inertia is None and self.shape is not None:
            moments = self.shape.principal_inertia(self.mass)
            if not min(moments) > THINNEST * max(moments):
                raise problem(
                    f"is too thin: its principal moments, {show(moments)} kg m², differ by more than a factor of "
                    f"{1.0 / THINNEST:g}; make it thicker, or declare a point mass (point: true)",
                    "shape",
                )
        return self

    def inertia_matrix(self) -> Array:
        """Inertia about the centre of mass in body axes, (3, 3) [kg m²]; zero for a point mass."""
        return inertia_of(self.mass, self.point, self.inertia, self.shape)

    def braking(self) -> float:
        """A bound on the rates 1/τ at which the linear part of a drag of its own brakes it [1/s]; else 0."""
        drag = self.drag
        if not drag.own:
            return 0.0
        push, twist = float(np.max(drag.linear)), float(np.max(drag.angular))
        if self.point:
            return push / self.mass
        arm = float(np.linalg.norm(drag.at or ZERO))
        return push / self.mass + (push * arm**2 + twist) / float(np.linalg.eigvalsh(self.inertia_matrix())[0])

    def rotation_matrix(self) -> Array:
        """Start orientation R_WB, (3, 3): world axes from body axes."""
        return rotation_matrix(self.quaternion)


def inertia_of(mass: float, point: bool, given: object, shape: Shape | None) -> Array:
    """Inertia (3, 3) of a solid from what is declared of it; zero for a point mass [kg m²]."""
    if point:
        return np.zeros((3, 3))
    if given is None:
        assert shape is not None  # which the declaration checks
        return np.diag(shape.principal_inertia(mass))
    inertia = np.array(given, float)
    return np.diag(inertia) if inertia.ndim == 1 else 0.5 * (inertia + inertia.T)


def rotation_matrix(q: Quaternion) -> Array:
    """R with R x = q x q⁻¹ for a unit quaternion wxyz, (3, 3)."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
