"""How a robot's frame turns, and how the points that it carries move: p(t) + R(t) r, with exact rates.

R is world from body axes. Points are turned component by component in jets (jets.py), so that velocities R′ r and
accelerations R″ r are those of the same formulas:

    roll φ, pitch θ, yaw ψ       R = R_z(ψ) R_y(θ) R_x(φ)               (z, then the new y, then the new x axis)
    rotation vector v, s = v·v   R r = r + c₁(s) v × r + c₂(s) v × (v × r)             (Rodrigues)
    quaternion (w, u)            R r = ((w² − u·u) r + 2 u (u·r) + 2 w u × r)/(w² + u·u)

c_n(s) = Σ (−s)^k/(n + 2k)! are Stumpff's functions, c₁ = sin θ/θ, c₂ = (1 − cos θ)/θ² at s = θ², with
c_n′ = ½ (n c_{n+2} − c_{n+1}). A quaternion need not be of length one: curves through samples pass beside the sphere.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.formula import formula
from towsim.scene.jets import Jet, add, chain, div, mul, sub, unary
from towsim.scene.motion import Axes, FromFile, Motion, check_times, inside
from towsim.scene.piecewise import Piecewise, Samples, through
from towsim.scene.quantity import Direction, Expression, Quaternion, Series, Vec3

Array = NDArray[np.float64]
Triple = tuple[Jet, Jet, Jet]
NEAR, TERMS = 4.0, 12
"""The series of c_n are summed up to this s, and so many terms of them, which leave 4¹³/26! < 1e-18."""


class Angles(Declared):
    """Roll, pitch and yaw, each a number or a formula in t: about x, then y, then z, all axes of the world."""

    roll: Annotated[float | str, Expression("angle about x: a number or a formula in t", "rad")] = 0.0
    pitch: Annotated[float | str, Expression("angle about y", "rad")] = 0.0
    yaw: Annotated[float | str, Expression("angle about z", "rad")] = 0.0


class TurnPoints(Declared):
    """Orientations at given times, in one of three ways; the frame stands still before the first and after the last.

    ``quintic``: at rest at every one. ``cubic``: one C² spline, at rest at both ends. ``samples``: a recorded turn, a
    C² spline (not-a-knot). Quaternions are taken on the shorter way from one to the next.
    """

    t: Annotated[tuple[float, ...], Series("times", "s")]
    roll_pitch_yaw: Annotated[tuple[Vec3, ...], Series("angles at these times", "rad", count=3)] | None = None
    rotation_vector: Annotated[tuple[Vec3, ...], Series("axis times angle at these times", "rad", count=3)] | None = (
        None
    )
    quaternion: Annotated[tuple[Quaternion, ...], Series("wxyz, body to world, at these times", count=4)] | None = None
    kind: Literal["quintic", "cubic", "samples"] = Field(default="quintic", description="curve through the points")

    @model_validator(mode="after")
    def _check(self) -> Self:
        way = self.only(*WAYS)
        rows = getattr(self, way)
        check_times(self.t, rows, way)
        for i, row in enumerate(rows if way == "quaternion" else ()):
            if not math.hypot(*row) > 1e-9:
                raise problem(f"must not be zero, got {list(row)}", "quaternion", i)
        return self

    def curve(self) -> tuple[str, Piecewise]:
        """Which way it is declared, and its numbers as polynomials between the times."""
        way = self.only(*WAYS)
        rows = getattr(self, way)
        if way == "quaternion":
            rows = _near_each_other(rows)
        return way, through(self.t, rows, self.kind)


WAYS = ("roll_pitch_yaw", "rotation_vector", "quaternion")
CSV = {
    "roll_pitch_yaw": ("roll", "pitch", "yaw"),
    "rotation_vector": ("rx", "ry", "rz"),
    "quaternion": ("qw", "qx", "qy", "qz"),
}
"""Columns of a file beside t, for each way."""


def _near_each_other(rows: tuple[Quaternion, ...]) -> tuple[Quaternion, ...]:
    """The same turns as quaternions of length one, each of the sign that is nearer to the one before."""
    q = np.array(rows)
    q /= np.linalg.norm(q, axis=1)[:, None]
    flips = np.concatenate([[1.0], np.where((q[1:] * q[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)])
    q *= np.cumprod(flips)[:, None]
    return tuple(tuple(map(float, row)) for row in q)  # type: ignore[misc]


class Orientation(FromFile):
    """How a robot is turned, one of: ``quaternion`` (it stays so), ``angles`` or ``rotation_vector`` (numbers or
    formulas in t), ``waypoints``, or a ``csv`` file, read into waypoints of the kind samples, whose columns are t and
    roll, pitch, yaw; or rx, ry, rz; or qw, qx, qy, qz; among others.
    """

    quaternion: Annotated[Quaternion, Direction("wxyz, body to world; normalised", count=4)] | None = None
    angles: Angles | None = None
    rotation_vector: Axes | None = Field(default=None, description="axis times angle, world axes [rad]")
    waypoints: TurnPoints | None = None
    csv: str | None = Field(default=None, description="path of a CSV file with a header line")

    FILED = "waypoints"

    @classmethod
    def _read(cls, source: Any, folder: str | Path) -> dict[str, Any]:
        from towsim.scene.csvio import read_columns

        names, t, rows = read_columns(source, folder, tuple(CSV.values()))
        way = next(way for way, columns in CSV.items() if columns == names)
        return {"t": t, way: rows, "kind": "samples"}

    @model_validator(mode="after")
    def _check(self) -> Self:
        self.only("quaternion", "angles", "rotation_vector", "waypoints")
        return self

    @property
    def stands(self) -> bool:
        """Whether it never changes."""
        return self.waypoints is None and not self._formulas()

    def _formulas(self) -> list[str]:
        laws: list[float | str] = []
        if self.angles is not None:
            laws = [self.angles.roll, self.angles.pitch, self.angles.yaw]
        elif self.rotation_vector is not None:
            laws = [self.rotation_vector.x, self.rotation_vector.y, self.rotation_vector.z]
        return [law for law in laws if isinstance(law, str)]

    def turned(self, r: Vec3, t: Array) -> Samples:
        """R r, R′ r and R″ r, (n, 3) each, at the times ``t`` (n,) [s]."""
        with np.errstate(all="ignore"):
            point = _turned(*self._numbers(t), tuple(Jet(np.float64(x)) for x in r))  # type: ignore[arg-type]
        out = np.empty((3, len(t), 3))
        for axis, jet in enumerate(point):
            for order, values in enumerate(jet):
                out[order, :, axis] = values
        return out[0], out[1], out[2]

    def _numbers(self, t: Array) -> tuple[str, list[Jet]]:
        """The way in which it is declared, and its numbers as jets."""
        if self.quaternion is not None:
            return "quaternion", [Jet(np.float64(x)) for x in self.quaternion]
        if self.waypoints is not None:
            way, curve = self.waypoints.curve()
            values, first, second = curve.sample(t)
            return way, [Jet(values[:, i], first[:, i], second[:, i]) for i in range(values.shape[1])]
        if self.angles is not None:
            one = self.angles
            return "roll_pitch_yaw", [_law(law, t) for law in (one.roll, one.pitch, one.yaw)]
        axes = self.rotation_vector
        assert axes is not None  # _check
        return "rotation_vector", [_law(law, t) for law in (axes.x, axes.y, axes.z)]

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which some derivative jumps; of samples only the first and the last."""
        if self.waypoints is not None:
            times = self.waypoints.t
            return inside((times[0], times[-1]) if self.waypoints.kind == "samples" else times, until)
        return np.unique(np.concatenate([np.empty(0), *(formula(law).kinks(until) for law in self._formulas())]))


def _law(law: float | str, t: Array) -> Jet:
    return Jet(*formula(law).sample(t)) if isinstance(law, str) else Jet(np.float64(law))


def _turned(way: str, numbers: list[Jet], r: Triple) -> Triple:
    """R r by the formulas of the module."""
    if way == "roll_pitch_yaw":
        (x, y, z), (roll, pitch, yaw) = r, numbers
        y, z = _turn(y, z, roll)
        z, x = _turn(z, x, pitch)
        x, y = _turn(x, y, yaw)
        return x, y, z
    if way == "rotation_vector":
        v = numbers[0], numbers[1], numbers[2]
        s, across = _dot(v, v), _cross(v, r)
        return _sum(r, _sum(_scale(_stumpff(1, s), across), _scale(_stumpff(2, s), _cross(v, across))))
    w, u = numbers[0], (numbers[1], numbers[2], numbers[3])
    ww, uu = mul(w, w), _dot(u, u)
    two = Jet(np.float64(2.0))
    total = _sum(_scale(sub(ww, uu), r), _scale(two, _sum(_scale(_dot(u, r), u), _scale(w, _cross(u, r)))))
    size = add(ww, uu)
    return div(total[0], size), div(total[1], size), div(total[2], size)


def _turn(a: Jet, b: Jet, angle: Jet) -> tuple[Jet, Jet]:
    """(a, b) turned from a towards b."""
    c, s = unary("cos", angle), unary("sin", angle)
    return sub(mul(c, a), mul(s, b)), add(mul(s, a), mul(c, b))


def _dot(a: Triple, b: Triple) -> Jet:
    return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))


def _cross(a: Triple, b: Triple) -> Triple:
    pairs = ((1, 2), (2, 0), (0, 1))
    x, y, z = (sub(mul(a[i], b[j]), mul(a[j], b[i])) for i, j in pairs)
    return x, y, z


def _scale(f: Jet, a: Triple) -> Triple:
    return mul(f, a[0]), mul(f, a[1]), mul(f, a[2])


def _sum(a: Triple, b: Triple) -> Triple:
    return add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])


def _stumpff(n: int, s: Jet) -> Jet:
    """c_n of a jet; c_n″ = ¼ (n (n + 2) c_{n+4} − (2n + 1) c_{n+3} + c_{n+2})."""
    c = stumpff(np.asarray(s.v, np.float64), n + 4)
    return chain(
        s,
        c[n],
        lambda: 0.5 * (n * c[n + 2] - c[n + 1]),
        lambda: 0.25 * (n * (n + 2) * c[n + 4] - (2 * n + 1) * c[n + 3] + c[n + 2]),
    )


def stumpff(s: Array, highest: int) -> list[Array]:
    """c₀ .. c_highest at s ≥ 0: the series for s ≤ 4; beyond it c₀ = cos √s, c₁ = sin √s/√s, s c_{n+2} = 1/n! − c_n."""
    small = s <= NEAR
    near, far = np.where(small, s, NEAR), np.where(small, NEAR, s)
    root = np.sqrt(far)
    beyond = [np.cos(root), np.sin(root) / root]
    for n in range(highest - 1):
        beyond.append((1.0 / math.factorial(n) - beyond[n]) / far)
    found = []
    for n in range(highest + 1):
        total = np.zeros_like(near)
        for k in range(TERMS, -1, -1):  # Horner's rule
            total = 1.0 / math.factorial(n + 2 * k) - near * total
        found.append(np.where(small, total, beyond[n]))
    return found


class Frame(NamedTuple):
    """Where a robot's frame is, and how it is turned; without ``motion`` it stands at ``position``."""

    motion: Motion | None
    position: Vec3
    orientation: Orientation

    @property
    def stands(self) -> bool:
        """Whether it neither moves nor turns."""
        return self.motion is None and self.orientation.stands


class Carried(Motion):
    """The motion of a point that a robot carries at ``offset`` (robot's axes) [m]; made by ``expand``, not declared."""

    frame: Frame
    offset: Vec3

    def _check_declared(self) -> None:
        """It is not."""

    def sample(self, t: Array) -> Samples:
        """Position, velocity, acceleration, (n, 3) each, at the times ``t`` (n,) [s]."""
        motion, position, orientation = self.frame
        arm, arm_rate, arm_rate2 = orientation.turned(self.offset, t)
        if motion is None:
            return arm + np.array(position), arm_rate, arm_rate2
        x, v, a = motion.sample(t)
        return x + arm, v + arm_rate, a + arm_rate2

    def start(self) -> Array:
        """Position (3,) [m] at t = 0."""
        position: Array = self.sample(np.zeros(1))[0][0]
        return position

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which some derivative jumps."""
        motion, _, orientation = self.frame
        found = [orientation.kinks(until)] + ([] if motion is None else [motion.kinks(until)])
        return np.unique(np.concatenate(found))
