"""What the ends of massive cables feel: bounds of ∂F/∂x_B, joints that cannot turn, and loops that turn freely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import BALL, Cables, Floats, Ints
from towsim.statics.shape import ERROR, STIFFNESS

STIFFEST = 1e2
"""What a cable's ends feel at most, relative to the axial stiffness."""

IMMOVABLE = 1e4
"""Stiffness of a single element, relative to its axial stiffness, from which its first joint cannot turn that way."""

HUNG = 1e-8
"""Error, relative to length and weight, up to which a cable counts as hanging at rest."""

BELOW, ASIDE = 1e-9, 1e-6
"""Distances, relative to a cable's length, where it turns freely about the line of its ends: of one end from the
vertical through the other, at most; and of the cable from that line, at least."""


def restless(answer: Floats) -> Ints:
    """Cables that were not found at rest, of those of ``answer`` (nk, ANSWER, see shape)."""
    return np.flatnonzero(~(answer[:, ERROR] <= HUNG) | ~np.isfinite(answer).all(axis=1))


def unhung(name: str, apart: Floats, length: float) -> SceneError:
    """What a cable's name, the way (3,) between its ends [m] and its length [m] say of its not being found at rest."""
    return SceneError(
        f"wire {name!r} was not found at rest between its ends, {np.linalg.norm(apart):.6g} m apart and {length:.6g} m "
        "long: start it nearer to how it hangs, or give it more bending stiffness"
    )


def stiffness_of(answer: Floats) -> Floats:
    """∂F/∂x_B (nk, 3, 3) [N/m]."""
    return answer[:, STIFFNESS : STIFFNESS + 9].reshape(-1, 3, 3)


def axial(cables: Cables | None, length: Floats) -> Floats:
    """Stiffness (nk,) of cables of unstrained ``length`` (nk,) [m] when they are straight [N/m]."""
    return np.empty(0) if cables is None else np.asarray(cables.section[:, 2] / length)


def bounded(answer: Floats, along: Floats) -> Floats:
    """∂F/∂x_B (nk, 3, 3) with eigenvalues up to STIFFEST of the axial stiffness ``along`` (nk,) [N/m].

    Those of a loop whose ends are one above the other have no bound: the least move across turns its plane.
    """
    stiff = stiffness_of(answer)
    size, axes = np.linalg.eigh(0.5 * (stiff + stiff.swapaxes(1, 2)))
    most = STIFFEST * along[:, None]
    return np.asarray((axes * np.clip(size, -most, most)[:, None, :]) @ axes.swapaxes(1, 2))


def refuse_locked(
    answer: Floats, cables: Cables, length: Floats, names: Sequence[str], most: float = IMMOVABLE
) -> None:
    """Refuse single elements that lie along the first axis of a first joint with two: it cannot turn to one side.

    most : stiffness from which they are refused, relative to the axial one; infinite: only where there is none

    Raises
    ------
    SceneError : names the cable
    """
    stiff, along = stiffness_of(answer), axial(cables, length)
    single = (np.diff(cables.first) == 1) & (np.asarray(cables.joint) != BALL) & (np.asarray(cables.hinge) == 0.0)
    for c in np.flatnonzero(single).tolist():
        if not np.abs(stiff[c]).max() <= most * along[c]:
            raise SceneError(
                f"wire {names[c]!r} cannot be brought to rest: its one element lies along the first axis of its first "
                "joint, about which it only spins, so that it swings to one side alone; say first_joint: ball, or take "
                "more elements"
            )


def turns_freely(nodes: Floats, length: float, gravity: Floats) -> bool:
    """Whether a cable that joints hold at both ends is as well at rest when turned about the line of its ends.

    So are loops whose ends are one above the other, and all that hang slack without gravity.

    nodes : (n + 1, 3) [m];  length : unstrained [m];  gravity : (3,) [m/s²]
    """
    apart = nodes[-1] - nodes[0]
    size = float(np.linalg.norm(gravity)) or 1.0
    if float(np.linalg.norm(np.cross(apart, gravity / size))) > BELOW * length:
        return False
    line = gravity if np.any(gravity) else apart
    line = line / (float(np.linalg.norm(line)) or 1.0)
    aside = nodes - nodes[0] - ((nodes - nodes[0]) @ line)[:, None] * line
    return float(np.linalg.norm(aside, axis=1).max()) > ASIDE * length
