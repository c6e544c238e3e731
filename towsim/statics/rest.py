"""A system brought to rest, or why it is not."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from towsim.errors import SceneError
from towsim.statics.certificate import refuse
from towsim.statics.search import Found, NoRestError, search
from towsim.statics.system import System
from towsim.statics.wheels import check_wheels


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
                return found
        other = ", or ask for tensions that bear the loads" if system.given else ""
        raise SceneError(
            f"scene {system.compiled.declared.name!r}: no rest was found from its start: {_going_on(system, error)}; "
            f"start it nearer to rest, or hold what is driven{other}"
        ) from None
    check_wheels(system)
    return found


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
