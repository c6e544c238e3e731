"""The 4-4 cable-driven parallel robot with exit points on prescribed paths (section 4.2 of the paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _cdpr44, scenario

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scenarios._cdpr44_figures import Panel
    from towsim import Result, Scene

# Largest |MP centre − exit-point motion|, and of its first and second derivative: x, y, z for each choice of axes.
# From an index-1 DAE solution at rtol 1e-8; the paper has 4.46, 3.30, 0.16 cm; 0.34, 0.32, 0.02; 3.37, 4.90, 0.32.
LARGEST = {
    "zy": ((4.4475e-2, 3.2864e-2, 0.2211e-2), (0.3365, 0.3246, 0.0196), (3.397, 4.904, 0.316)),
    "yx": ((4.4428e-2, 4.4429e-2, 0.2904e-2), (0.3361, 0.3361, 0.0230), (3.398, 3.398, 0.369)),
}
YAW = {"zy": 3.6e-4, "yx": 0.0}
STRETCH = 1.0e-6


@scenario(
    "cdpr44-kinematic",
    topic="Cable-driven robots",
    duration=6.0,
    step=1e-3,
    method="bdf3",
    summary="A platform on four massive cables is lifted, carried and put down by moving exit points.",
)
def cdpr44_kinematic(*, elements: int = 5, axes: str = "zy") -> Scene:
    """Case 4.2 of Mamidi & Bandyopadhyay (Robotica 2024): exit points move along Eq. 21, straight up first.

    Parameters
    ----------
    elements : elements of each cable
    axes : first joint of each cable: zy (as in the paper's code), yx, or ball
    """
    return _cdpr44.robot44(
        "cdpr44-kinematic",
        cdpr44_kinematic.summary,
        elements=elements,
        axes=axes,
        ends=[f"exit{k}" for k in (1, 2, 3, 4)],
        robots=_cdpr44.moving(_cdpr44.ABOVE),
        bodies={},
    )


def deviation(result: Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """MP centre minus exit-point motion, and its first and second derivative, (time, 3) each [m, m/s, m/s²]."""
    from scenarios._laws import declared

    exit1 = declared(result).robots["exit1"].sample(result.time)
    motion = [result[name].sel(body="platform").values for name in ("position", "velocity", "acceleration")]
    motion[0] = motion[0] - motion[0][0]
    return (motion[0] - (exit1[0] - exit1[0][0]), motion[1] - exit1[1], motion[2] - exit1[2])


@cdpr44_kinematic.check
def _(result: Result) -> list[Check]:
    from scenarios._laws import declared

    found = _cdpr44.whole(result)
    axes = _cdpr44.published(declared(result))
    if axes not in LARGEST or result.time[-1] < 5.5:
        return found
    rows = _cdpr44.smooth(result) & (result.time > 0.0) & (result.time < 5.99)
    for what, unit, values, expected, share in zip(
        ("position", "velocity", "acceleration"),
        ("m", "m/s", "m/s^2"),
        deviation(result),
        LARGEST[axes],
        (0.01, 0.01, 0.02),
        strict=True,
    ):
        for k, axis in enumerate("xyz"):
            worst = np.nanmax(np.abs(values[rows, k]))
            tolerance = max(share, 0.03 if axis == "z" else 0.0) * expected[k]
            found.append(Check.close(f"largest deviation of {what} in {axis}", worst, expected[k], tolerance, unit))
    yaw = np.abs(_cdpr44.euler_xyz(result["quaternion"].sel(body="platform").values)[:, 2]).max()
    found.append(Check.close("largest yaw", yaw, YAW[axes], max(0.05 * YAW[axes], 1e-6), "rad"))
    found.append(Check.close("axial stretch of a cable", _cdpr44.extension(result), STRETCH, 0.1 * STRETCH, "m"))
    return found


@cdpr44_kinematic.drawing
def _(result: Result, figure: Figure | None = None) -> Figure:
    from scenarios import _cdpr44_figures as figures

    return figures.draw(
        result,
        [
            _input(result),
            *figures.configuration(result, 9),
            *_errors(result),
            *figures.forces(result, 12, 13),
            figures.steps(result, 14),
            *figures.validation(result, 15, 16),
        ],
        figure,
    )


def _input(result: Result) -> Panel:
    from scenarios._cdpr44_figures import XYZ, Panel

    exit1 = result["exit_position"].sel(cable="cable1").values
    return Panel("8: Δe, motion of the exit points", "m", exit1 - exit1[0], XYZ)


def _errors(result: Result) -> list[Panel]:
    """Figure 11, and the largest errors that the paper tells of the rates."""
    from scenarios._cdpr44_figures import XYZ, Panel

    error, rate, acceleration = deviation(result)
    x, y, z = 100.0 * np.nanmax(np.abs(error), axis=0)
    sideways = np.hypot(error[:, 0], error[:, 1])
    rise = 100.0 * float(np.max(_cdpr44.LENGTH - np.sqrt(_cdpr44.LENGTH**2 - sideways**2)))
    note = (
        f"here {x:.2f}, {y:.2f} and {z:.2f} cm at most. Cables of {_cdpr44.LENGTH:g} m that do not stretch lift\n"
        f"the platform by {rise:.2f} cm or more when it is as far aside as here: 0.16 cm in z cannot be met"
    )
    return [
        Panel(
            "11: δξ = Δξ − Δe", "cm", 100.0 * error, XYZ, {"x 4.46": -4.46, "y 3.30": -3.30, "z 0.16": 0.16}, note=note
        ),
        Panel("11′: rate of δξ", "m/s", rate, XYZ, {"x 0.34": 0.34, "y 0.32": -0.32, "z 0.02": 0.02}, clipped=True),
        Panel(
            "11″: acceleration of δξ",
            "m/s²",
            acceleration,
            XYZ,
            {"x 3.37": 3.37, "y 4.90": -4.90, "z 0.32": 0.32},
            clipped=True,
        ),
    ]
