"""A system brought to rest, or why it is not."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import BALL
from towsim.statics.certificate import refuse
from towsim.statics.ends import refuse_locked
from towsim.statics.friction import share_of_feet
from towsim.statics.moves import roll
from towsim.statics.search import ROUGH, Found, NoRestError, has_potential, search
from towsim.statics.shape import UNSTABLE
from towsim.statics.system import System
from towsim.statics.wheels import check_wheels

EIGHTH = 0.25 * np.pi
"""Of a turn [rad]: bends about two axes, one after the other, are alike four times in a turn about the third."""


def rest(system: System) -> Found:
    """Bring a system to rest, with what its rows bear shared evenly, and so that feet hold.

    Raises
    ------
    SceneError : nothing holds a body (by name), friction does not hold what stands, or no rest was found; says why
    """
    found = _found(system)
    p = share_of_feet(system, found)
    if (p == found.p).all():
        return found
    system.still.p[system.rows] = p
    return replace(found, p=p, look=system.look())


def _found(system: System) -> Found:
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
        if not has_potential(system):
            system.back(start)
            with suppress(SceneError):
                found = search(system, twisted=True)
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
    if cables is not None:
        refuse_locked(system.answer, cables, system.feed, system.compiled.cable_names)
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
    """What still moved when the search ended, if anything did, and what was out of balance most."""
    missed = f"forces missed balance by {error.error:.1e} of the loads"
    if not len(error.drift):
        return missed
    size = np.where(system.moves % 6 >= 3, 1.0, system.size)
    i, k = int(np.argmax(np.abs(error.drift) / size)), int(np.argmax(np.abs(error.left) * size / system.size))
    told = ""
    if abs(error.drift[i]) > ROUGH * size[i]:
        how, unit = ("turned about", "rad") if system.moves[i] % 6 >= 3 else ("moved along", "m")
        told = f"body {_body(system, i)} still {how} {_axis(system, i)} by {error.drift[i]:.3g} {unit} a step, and "
    how, unit = ("about", "N m") if system.moves[k] % 6 >= 3 else ("along", "N")
    return f"{told}{missed}, at body {_body(system, k)} by {error.left[k]:.3g} {unit} {how} {_axis(system, k)}"


def _body(system: System, i: int) -> str:
    return repr(tuple(system.rowed.scene.bodies)[int(system.moves[i]) // 6])


def _axis(system: System, i: int) -> str:
    return "xyz"[int(system.moves[i]) % 3]
