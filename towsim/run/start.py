"""Where a run starts: as declared, or at rest."""

from __future__ import annotations

from towsim.errors import UsageError
from towsim.model.compile import Compiled, compile_scene
from towsim.scene import Scene


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
        from towsim.statics.rest import rest  # with SciPy, a tenth of the time in which a process starts
        from towsim.statics.system import System

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
