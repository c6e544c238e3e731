"""How kinematic robots move: position, velocity and acceleration as exact functions of time."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationInfo, model_validator

from towsim.quote import show
from towsim.scene.base import Declared, outlines, problem
from towsim.scene.formula import formula
from towsim.scene.piecewise import Piecewise, Rows, Samples, integrated, side_by_side, through
from towsim.scene.quantity import Direction, Expression, Quantity, Series, Vec3, Vector

Array = NDArray[np.float64]


def check_times(t: tuple[float, ...], rows: tuple[Any, ...], what: str) -> None:
    """Refuse times that are fewer than 2, not increasing, or not as many as the rows."""
    if len(t) != len(rows):
        raise problem(f"t and {what} must be of one length, got {len(t)} and {len(rows)}")
    if len(t) < 2:
        raise problem(f"at least 2 times are needed, got {len(t)}", "t")
    for i, (a, b) in enumerate(pairwise(t), start=1):
        if what := too_close(a, b):
            raise problem(what, "t", i)


def too_close(before: float, after: float) -> str:
    """What is wrong with two times that follow each other; nothing if one is after the other."""
    if after - before >= 1e-9:  # closer ones would give rates beyond the range of floats
        return ""
    return f"times must increase by at least 1e-9 s, got {show(before)} then {after!r}"


def inside(times: Iterable[float], until: float) -> Array:
    """Those of the times that lie in (0, until), ascending, each once."""
    return np.array(sorted({t for t in times if 0.0 < t < until}), float)


class Axes(Declared):
    """Three numbers or formulas in t, one for each axis [m, of turns rad]."""

    x: Annotated[float | str, Expression("x component: a number or a formula in t")] = 0.0
    y: Annotated[float | str, Expression("y component: a number or a formula in t")] = 0.0
    z: Annotated[float | str, Expression("z component: a number or a formula in t")] = 0.0

    def outlined(self) -> Hashable:
        """Whether there is any component; what they are is known at every instant."""
        here, axes = self.__dict__, ("x", "y", "z")
        more = outlines(self, [name for name in type(self).model_fields if name not in axes])
        return type(self), any(here[axis] != 0.0 for axis in axes), *more

    def at(self, t: Array) -> Array:
        """The components (n, 3) at the times ``t`` (n,) [s]."""
        columns = [formula(c).value(t) if isinstance(c, str) else np.full(len(t), c) for c in (self.x, self.y, self.z)]
        return np.stack(columns, axis=1)

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which a component or some derivative of it jumps."""
        found = [formula(c).kinks(until) for c in (self.x, self.y, self.z) if isinstance(c, str)]
        return np.unique(np.concatenate([np.empty(0), *found]))

    def sample(self, t: Array) -> Samples:
        """Components and their first and second derivatives, (n, 3) each."""
        out = (np.empty((len(t), 3)), np.zeros((len(t), 3)), np.zeros((len(t), 3)))
        for axis, component in enumerate((self.x, self.y, self.z)):
            if isinstance(component, str):
                for array, values in zip(out, formula(component).sample(t), strict=True):
                    array[:, axis] = values
            else:
                out[0][:, axis] = component
        return out


class Course(NamedTuple):
    """Points at given times, and how a curve goes through them."""

    t: tuple[float, ...]
    position: Rows
    kind: str
    velocity: Rows | None

    @property
    def like(self) -> tuple[Any, ...]:
        """What courses must have in common to be one curve, side by side."""
        return self.t, self.kind, self.velocity is None


def curve(courses: Sequence[Course]) -> Piecewise:
    """Courses that are alike as polynomials between their times, side by side."""
    first = courses[0]
    velocity = None if first.velocity is None else [course.velocity or () for course in courses]
    return side_by_side(first.t, [course.position for course in courses], first.kind, velocity)


class Waypoints(Declared):
    """Points reached at given times; the robot stands still before the first and after the last.

    ``quintic``: at rest at every point (velocity and acceleration zero), or passing with ``velocity`` and zero
    acceleration. ``cubic``: one C² spline through all points, at rest at both ends.
    """

    t: Annotated[tuple[float, ...], Series("times", "s")]
    position: Annotated[tuple[Vec3, ...], Series("positions at these times, world axes", "m", count=3)]
    kind: Literal["quintic", "cubic"] = Field(default="quintic", description="curve through the points")
    velocity: Annotated[tuple[Vec3, ...], Series("velocities (quintic only)", "m/s", count=3)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_times(self.t, self.position, "position")
        if self.velocity is not None:
            if self.kind != "quintic":
                raise problem("only kind: quintic takes velocities; a cubic finds its own", "velocity")
            check_times(self.t, self.velocity, "velocity")
        return self

    @property
    def course(self) -> Course:
        """The motion as what its curve is made of."""
        return Course(self.t, self.position, self.kind, self.velocity)

    def sample(self, t: Array) -> Samples:
        """Position, velocity, acceleration, (n, 3) each."""
        return through(*self.course).sample(t)


class Sampled(Declared):
    """A recorded motion: cubic spline (not-a-knot) through all samples; still before the first and after the last."""

    t: Annotated[tuple[float, ...], Series("times", "s")]
    position: Annotated[tuple[Vec3, ...], Series("positions at these times, world axes", "m", count=3)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_times(self.t, self.position, "position")
        return self

    @property
    def course(self) -> Course:
        """The motion as what its curve is made of."""
        return Course(self.t, self.position, "samples", None)

    def sample(self, t: Array) -> Samples:
        """Position, velocity, acceleration, (n, 3) each."""
        return through(*self.course).sample(t)


class Profile(Declared):
    """A motion by its velocity, or its acceleration and the velocity that it begins with, linear between given times.

    It is at ``start`` at the first of the times. Before it and after the last one the velocity stays as it is there.
    """

    start: Annotated[Vec3, Vector("position at the first time, world axes", "m")]
    t: Annotated[tuple[float, ...], Series("times", "s")]
    velocity: Annotated[tuple[Vec3, ...], Series("velocities at these times, world axes", "m/s", count=3)] | None = None
    acceleration: Annotated[tuple[Vec3, ...], Series("accelerations at these times", "m/s²", count=3)] | None = None
    start_velocity: Annotated[Vec3, Vector("(acceleration) velocity at the first time", "m/s")] = (0.0, 0.0, 0.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = self.only("velocity", "acceleration")
        check_times(self.t, getattr(self, given), given)
        if given == "velocity" and self.start_velocity != (0.0, 0.0, 0.0):
            raise problem("is for acceleration; the first velocity says it already", "start_velocity")
        return self

    def sample(self, t: Array) -> Samples:
        """Position, velocity, acceleration, (n, 3) each."""
        curve, before, after = integrated(self.start, self.t, self.velocity, self.acceleration, self.start_velocity)
        x, v, a = curve.sample(t)
        for outside, end, rate in ((t < self.t[0], self.t[0], before), (t >= self.t[-1], self.t[-1], after)):
            x[outside] += (t[outside] - end)[:, None] * rate
            v[outside] = rate
        return x, v, a


def plane_axes(normal: Vec3) -> tuple[Array, Array]:
    """Unit vectors e₁ and e₂ = normal × e₁; e₁ is the x axis (the y axis if the normal is along x) made orthogonal."""
    n = np.array(normal)
    seed = np.eye(3)[1 if abs(n[0]) > 0.999 else 0]
    e1 = seed - n * (n @ seed)
    e1 /= math.sqrt(e1 @ e1)
    return e1, np.cross(n, e1)


class Circle(Declared):
    """Uniform motion on a circle: c + r (cos φ e₁ + sin φ e₂), φ = phase + rate t, e₁ × e₂ = normal.

    e₁ is the x axis projected onto the circle's plane (the y axis if the normal is along x).
    """

    center: Annotated[Vec3, Vector("centre, world axes", "m")]
    radius: Annotated[float, Quantity("radius", "m", above=0.0)]
    period: Annotated[float, Quantity("time of one turn", "s", above=0.0)] | None = None
    rate: Annotated[float, Quantity("angular rate; negative turns the other way", "rad/s")] | None = None
    phase: Annotated[float, Quantity("angle at t = 0", "rad")] = 0.0
    normal: Annotated[Vec3, Direction("axis of the turn (right-hand rule)")] = (0.0, 0.0, 1.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        self.only("period", "rate")
        return self

    def sample(self, t: Array) -> Samples:
        """Position, velocity, acceleration, (n, 3) each."""
        w = self.rate if self.rate is not None else 2.0 * math.pi / self.period  # type: ignore[operator]
        e1, e2 = plane_axes(self.normal)
        phi = self.phase + w * t
        cos, sin = np.cos(phi)[:, None], np.sin(phi)[:, None]
        # No matrix products: their last bits depend on how many instants there are.
        arm = self.radius * (cos * e1 + sin * e2)
        velocity = self.radius * w * (cos * e2 - sin * e1)
        acceleration = arm * (-w * w)
        arm += self.center
        return arm, velocity, acceleration


class FromFile(Declared):
    """What may be given as a ``csv`` file, which is read into another of its fields, ``FILED``."""

    FILED: ClassVar[str]

    @classmethod
    @abstractmethod
    def _read(cls, source: Any, folder: str | Path) -> dict[str, Any]:
        """What that field is after a file, whose path starts at the folder."""

    @model_validator(mode="before")
    @classmethod
    def _read_csv(cls, data: Any, info: ValidationInfo) -> Any:
        if isinstance(data, dict) and data.get("csv") is not None:
            if data.get(cls.FILED) is not None:
                raise problem(f"exactly one of csv and {cls.FILED} is needed, got both")
            rest = {key: value for key, value in data.items() if key != "csv"}
            return rest | {cls.FILED: cls._read(data["csv"], (info.context or {}).get("folder", "."))}
        return data


class Motion(FromFile):
    """One of: waypoints, circle, formula, samples, profile (of velocity or acceleration), or a csv file (columns t, x,
    y, z), which is read into samples.
    """

    waypoints: Waypoints | None = None
    circle: Circle | None = None
    formula: Axes | None = None
    samples: Sampled | None = None
    profile: Profile | None = None
    csv: str | None = Field(default=None, description="path of a CSV file with the columns t, x, y, z [s, m]")

    FILED = "samples"

    @classmethod
    def _read(cls, source: Any, folder: str | Path) -> dict[str, Any]:
        from towsim.scene.csvio import read_columns

        _, t, position = read_columns(source, folder, (("x", "y", "z"),), header=False)
        return {"t": t, "position": position}

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_declared()
        return self

    def _check_declared(self) -> None:
        self.only("waypoints", "circle", "formula", "samples", "profile")

    def sample(self, t: Array) -> Samples:
        """Position, velocity, acceleration, (n, 3) each, at the times ``t`` (n,) [s]."""
        chosen = self.waypoints or self.circle or self.formula or self.samples or self.profile
        assert chosen is not None  # _check
        return chosen.sample(t)

    def start(self) -> Array:
        """Position (3,) [m] at t = 0."""
        points = self.waypoints or self.samples
        if points is not None and points.t[0] >= 0.0:  # at rest until then
            return np.array(points.position[0])
        position: Array = self.sample(np.zeros(1))[0][0]
        return position

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which some derivative jumps; of samples only the first and the last.

        Between samples the spline's third derivative jumps as well, by what the samples leave open.
        """
        if self.waypoints is not None:
            return inside(self.waypoints.t, until)
        if self.samples is not None:
            return inside((self.samples.t[0], self.samples.t[-1]), until)
        if self.profile is not None:
            return inside(self.profile.t, until)
        return self.formula.kinks(until) if self.formula is not None else np.empty(0)
