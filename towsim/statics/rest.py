"""A system brought to rest, or why it is not."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import BALL
from towsim.statics.cable import UNSTABLE
from towsim.statics.certificate import refuse
from towsim.statics.moves import roll
from towsim.statics.search import Found, NoRestError, search
from towsim.statics.system import System
from towsim.statics.wheels import check_wheels

EIGHTH = 0.25 * np.pi
"""Of a turn [rad]: bends about two axes, one after the other, are alike four times in a turn about the third."""


def rest(system: System) -> Found:
    """Bring a system to rest.

    Raises
    ------
    SceneError : nothing holds a body (by name), or no rest was found; says why
    """
    refuse(system)
    start = system.keep()
    try:
        found = search(system)
    except NoRestError as error:
        if (system.model.contacts.row[:, 1] >= 0).sum() > len(system.stuck):  # friction may hold what lands
            system.back(start)
            with suppress(NoRestError):
                found = search(system, landing=True)
                check_wheels(system)
                return _off_saddles(system, found)
        other = ", or ask for tensions that bear the loads" if system.given else ""
        raise SceneError(
            f"scene {system.compiled.declared.name!r}: no rest was found from its start: {_going_on(system, error)}; "
            f"start it nearer to rest, or hold what is driven{other}"
        ) from None
    check_wheels(system)
    return _off_saddles(system, found)


def _off_saddles(system: System, found: Found) -> Found:
    """Where a search has led, or rest nearby where cables lie otherwise in the roll about their own lines.

    The springs of a universal joint, ½ k (α² + β²), are not quite alike in all directions of a bend: by that alone a
    cable on a ball end lies in valleys of its roll, a quarter of a turn apart. Newton's method may stop on the ridge
    between two of them, where a run stays for long: then it goes on from the nearer valley.
    """
    cables, before = system.cables, system.sagging
    if cables is None or not before:
        return found
    kept = system.keep()
    for c in np.flatnonzero((system.answer[:, UNSTABLE] > 0) & (np.asarray(cables.joint) == BALL)):
        roll(cables, int(c), system.still.q, EIGHTH)
    with suppress(SceneError):
        again = search(system)
        check_wheels(system)
        if system.sagging < before:
            return again
    system.back(kept)
    return replace(found, look=system.look())


def _going_on(system: System, error: NoRestError) -> str:
    """What still moved when the search ended."""
    if not len(error.drift):
        return f"forces missed balance by {error.error:.1e} of the loads"
    i = int(np.argmax(np.abs(error.drift)))
    move = int(system.moves[i])
    body = tuple(system.rowed.scene.bodies)[move // 6]
    how, unit = ("turned about", "rad") if move % 6 >= 3 else ("moved along", "m")
    return (
        f"body {body!r} still {how} {'xyz'[move % 3]} by {error.drift[i]:.3g} {unit} a step, and forces missed balance "
        f"by {error.error:.1e} of the loads"
    )
