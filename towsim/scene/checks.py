"""Checks of what a scene turns out to be in the course of a run; the caller samples, these name what is wrong."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from towsim.errors import SceneError

Array = NDArray[np.float64]


def check_finite(what: str, t: Array, *values: Array) -> None:
    """Refuse NaN and infinity in ``values`` (n, ...) sampled at ``t`` (n,) [s].

    Raises
    ------
    SceneError : names ``what`` (such as ``"robots.east"``) and the first time
    """
    for value in values:
        if not np.isfinite(value).all():
            rows = value.reshape(len(t), -1)
            i = int((~np.isfinite(rows)).any(axis=1).argmax())
            got = next(float(x) for x in rows[i] if not math.isfinite(x))
            raise SceneError(
                f"{what}: not a finite number at t = {t[i]:.9g} s (got {got}). Check its formulas there: "
                "division by zero, a root or log of a negative number, or a derivative that is infinite"
            )


def check_length(what: str, t: Array, length: Array) -> None:
    """Refuse lengths (n,) that are not finite and > 0 at the times ``t`` (n,) [s].

    Raises
    ------
    SceneError : names ``what`` (such as ``"wires.hoist"``), the first time and the length there
    """
    check_finite(what, t, length)
    if not length.min(initial=math.inf) > 0.0:
        i = int((length <= 0.0).argmax())
        raise SceneError(
            f"{what}: length must stay > 0 m, but is {length[i]:.6g} m at t = {t[i]:.9g} s; stop the winch"
        )
