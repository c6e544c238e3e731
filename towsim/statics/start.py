"""Where a run starts: as declared, or at rest."""

from __future__ import annotations

import numpy as np

from towsim.errors import SceneError, UsageError
from towsim.model.compile import Compiled, compile_scene
from towsim.scene import Scene
from towsim.statics.certificate import refuse
from towsim.statics.search import Found, NoRestError, search
from towsim.statics.system import System


def rest(system: System) -> Found:
    """Bring a system to rest.

    Raises
    ------
    SceneError : nothing holds a body (by name), or no rest was found; says why
    """
    refuse(system)
    try:
        return search(system)
    except NoRestError as error:
        raise SceneError(
            f"scene {system.compiled.declared.name!r}: no rest was found from its start: {_going_on(system, error)}; "
            "start it nearer to rest, or hold what is driven"
        ) from None


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


def check_start(scene: Scene) -> None:
    """Refuse a start in which a wire is stretched, a joint open or a contact in the ground, if it is taken as declared.

    Raises
    ------
    SceneError : says by how much
    """
    if scene.start == "declared":
        scene.check_start()


def settled(compiled: Compiled) -> Compiled:
    """The same compiled scene, whose initial state is at rest if its scene is to start at equilibrium.

    Raises
    ------
    SceneError : it has no equilibrium, or none was found
    UsageError : it has reduced joints
    """
    if compiled.declared.start == "equilibrium":
        system = System(compiled)
        rest(system)
        state = system.state()
        for mine, found in zip(compiled.initial[:2], state[:2], strict=True):
            mine[:] = found
    return compiled


def at_start(scene: Scene) -> Compiled:
    """Compile a scene whose start is sound.

    Raises
    ------
    SceneError : its start is wrong (see ``Scene.check_start``), or it has no equilibrium to start at
    """
    check_start(scene)
    return settled(compile_scene(scene))


def declared_start(scene: Scene, method: str) -> None:
    """Check the start of a scene for a method that starts as declared.

    Raises
    ------
    UsageError : ``start: equilibrium``
    SceneError : the declared start is wrong
    """
    if scene.start == "equilibrium":
        raise UsageError(f"method {method!r} starts as declared; leave out start: equilibrium, or name another method")
    scene.check_start()
