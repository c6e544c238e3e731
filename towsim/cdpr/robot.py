"""A cable robot as geometry: where its cables come from, where they hold the platform, what they may bear.

Frames: the base (world), and the platform's own, whose origin is at the pose's position and whose axes are turned by
the pose's quaternion (w, x, y, z). Cable i runs from base point A_i to platform point B_i = x + R b_i; u_i is its
direction at the platform, towards the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from towsim.errors import UsageError
from towsim.given import a_list, numbers
from towsim.quote import show

Floats = NDArray[np.float64]

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
"""The quaternion of a platform whose axes are those of the base."""


@dataclass(frozen=True, eq=False)
class CableRobot:
    """A platform on n cables whose lengths are set at the base.

    Parameters
    ----------
    base : (n, 3) points A_i where cables leave the base, or reach the groove of their pulley, base axes [m]
    platform : (n, 3) points b_i where they hold the platform, platform axes [m]
    mass : of the platform with its load [kg]
    centre : (3,) its centre of mass, platform axes [m]
    inertia : (3, 3), (3,) or None, about the centre of mass, platform axes [kg m²]
    least, most : (n,) or one number, tensions between which the cables work [N]
    radius : (n,) or one number, of the pulleys at the base [m]; 0 for a point
    axis : (n, 3) or (3,), about which the pulleys swivel: the way cables come in, base axes
    stiffness : (n,) or one number, axial stiffness EA [N]; None where cables do not stretch
    gravity : (3,) base axes [m/s²]
    names : of the cables; default c1, c2, ..

    Raises
    ------
    UsageError : which argument has the wrong shape or value
    """

    base: Floats
    platform: Floats
    mass: float
    centre: Floats = (0.0, 0.0, 0.0)  # type: ignore[assignment]
    inertia: Floats | None = None
    least: Floats = 0.0  # type: ignore[assignment]
    most: Floats = np.inf  # type: ignore[assignment]
    radius: Floats = 0.0  # type: ignore[assignment]
    axis: Floats = (0.0, 0.0, 1.0)  # type: ignore[assignment]
    stiffness: Floats | None = None
    gravity: Floats = (0.0, 0.0, -9.81)  # type: ignore[assignment]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        base = _array("base", self.base, (None, 3))
        n = len(base)
        if n == 0:
            raise UsageError("base has no points: a cable robot needs at least one cable")
        settled: dict[str, Any] = {
            "base": base,
            "platform": _array("platform", self.platform, (n, 3)),
            "mass": float(_array("mass", self.mass, ())),
            "centre": _array("centre", self.centre, (3,)),
            "gravity": _array("gravity", self.gravity, (3,)),
            "least": _array("least", self.least, (n,)),
            "most": _array("most", self.most, (n,), finite=False),
            "radius": _array("radius", self.radius, (n,)),
            "axis": _array("axis", self.axis, (n, 3)),
            "names": tuple(a_list("names", self.names)) or tuple(f"c{i + 1}" for i in range(n)),
        }
        if self.inertia is not None:
            inertia = numbers("inertia", self.inertia)
            inertia = np.diag(inertia) if inertia.shape == (3,) else inertia
            settled["inertia"] = _array("inertia", inertia, (3, 3))
        if self.stiffness is not None:
            settled["stiffness"] = _array("stiffness", self.stiffness, (n,))
        self._check(settled)
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    def _check(self, settled: dict[str, Any]) -> None:
        """Raise UsageError for the first value that makes no sense, by cable; make the axes unit vectors."""
        names = settled["names"]
        if len(names) != len(settled["base"]) or len(set(names)) != len(names):
            raise UsageError(f"names must be {len(settled['base'])} different ones, got {show(list(names))}")
        if not all(isinstance(name, str) for name in names):
            raise UsageError(f"names must be texts, got {show(list(names))}")
        if not settled["mass"] >= 0.0:
            raise UsageError(f"mass must not be negative, got {settled['mass']:g} kg")
        inertia = settled.get("inertia", np.zeros((3, 3)))
        rounding = 1e-9 * np.abs(inertia).max()
        symmetric = np.allclose(inertia, inertia.T, rtol=1e-9, atol=rounding)
        if not symmetric or np.linalg.eigvalsh(inertia)[0] < -rounding:
            raise UsageError(
                f"inertia must be symmetric, and about no axis negative, got {show(inertia.tolist())} kg m²"
            )
        for what, wrong, need in (
            ("least", settled["least"] < 0.0, "not negative: cables cannot push"),
            ("most", ~(settled["most"] >= settled["least"]), "no less than its least tension"),
            ("radius", settled["radius"] < 0.0, "not negative"),
            ("stiffness", settled.get("stiffness", settled["least"] + 1.0) <= 0.0, "positive"),
        ):
            if wrong.any():
                i = int(np.argmax(wrong))
                raise UsageError(f"{what} of cable {names[i]!r} must be {need}, got {settled[what][i]:g}")
        size = np.linalg.norm(settled["axis"], axis=1)
        if (size == 0.0).any():
            raise UsageError(f"axis of cable {names[int(np.argmin(size))]!r} must not be zero")
        settled["axis"] = settled["axis"] / size[:, None]

    def __repr__(self) -> str:
        return f"CableRobot({len(self.base)} cables, {self.mass:g} kg, tensions {_span(self.least, self.most)} N)"

    @property
    def arm(self) -> float:
        """Length with which moments are made forces to compare them [m]: mean distance of the platform's points."""
        return float(np.sqrt((self.platform**2).sum(axis=1).mean())) or 1.0

    def known(self, cable: str | int) -> int:
        """Number of a cable by its name; UsageError if there is none."""
        from towsim.suggest import unknown

        if isinstance(cable, str):
            if cable not in self.names:
                raise UsageError(unknown("cable", cable, self.names))
            return self.names.index(cable)
        return cable


def a_robot(given: object) -> CableRobot:
    """What was given, if it is a cable robot. Raises UsageError."""
    if not isinstance(given, CableRobot):
        raise UsageError(f"a CableRobot is needed, got {show(given)}; of a scene, towsim.cdpr.from_scene(..) makes one")
    return given


def rotations(quaternion: ArrayLike) -> Floats:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4), w first, of any length but zero."""
    q = numbers("quaternions", quaternion)
    if q.shape[-1:] != (4,):
        raise UsageError(f"a quaternion has four numbers (w, x, y, z), got shape {q.shape}")
    with np.errstate(over="ignore"):
        size = np.linalg.norm(q, axis=-1, keepdims=True)
    if not (np.isfinite(size) & (size > 0.0)).all():
        raise UsageError(f"quaternions must be finite, and none of them zero; got {show(quaternion)}")
    w, x, y, z = np.moveaxis(q / size, -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def poses(position: ArrayLike, quaternion: ArrayLike = UPRIGHT) -> tuple[Floats, Floats]:
    """Positions (..., 3) and rotations (..., 3, 3) of one pose or many, in step.

    Raises
    ------
    UsageError : shapes that do not go together, or numbers that are not finite
    """
    x = numbers("positions", position)
    if x.shape[-1:] != (3,):
        raise UsageError(f"positions must have three numbers each; got shape {x.shape}")
    if not np.isfinite(x).all():
        raise UsageError(f"positions must be finite; got {show(position)}")
    R = rotations(quaternion)
    try:
        shape = np.broadcast_shapes(x.shape[:-1], R.shape[:-2])
    except ValueError:
        raise UsageError(f"{x.shape[:-1]} positions and {R.shape[:-2]} quaternions do not go together") from None
    return np.broadcast_to(x, (*shape, 3)), np.broadcast_to(R, (*shape, 3, 3))


OF_CABLES = ("platform", "least", "most", "radius", "axis", "stiffness")
"""What there is one of for each point of the base."""


def _array(name: str, value: Any, shape: Sequence[int | None], *, finite: bool = True) -> Floats:
    """The value as an array of that shape (None: any size); of cables, one row or number stands for all."""
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"{name} must hold numbers, got {show(value)}") from None
    cables = f": base has {shape[0]} points, one for each cable" if name in OF_CABLES else ""
    if name in OF_CABLES and array.shape == tuple(shape[1:]):
        array = np.array(np.broadcast_to(array, tuple(shape)))  # type: ignore[arg-type]
    if array.ndim != len(shape) or any(want not in (None, got) for want, got in zip(shape, array.shape, strict=True)):
        wanted = tuple("n" if size is None else size for size in shape)
        raise UsageError(f"{name} must have shape {str(wanted).replace(chr(39), '')}, got {array.shape}{cables}")
    if np.isnan(array).any() or (finite and not np.isfinite(array).all()):
        raise UsageError(f"{name} must be finite, got {show(value)}")
    array.flags.writeable = False
    return array


def _span(least: Floats, most: Floats) -> str:
    return f"{least.min():g} to {most.max():g}"
