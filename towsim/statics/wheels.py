"""Wires at rest on their pulleys: massive spans hang, and touch their wheels where they hang, by turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import Floats
from towsim.model.compile import Compiled, compile_scene
from towsim.model.routes import without_way
from towsim.scene import Scene
from towsim.scene.base import scene_error
from towsim.scene.pulleys import NO_WAY
from towsim.scene.start import impassable

if TYPE_CHECKING:
    from towsim.statics.system import System

MOST_LAID, LAID, NEARLY_LAID = 200, 1e-15, 1e-9
"""Rounds of hanging spans and laying their ends on wheels; moves, relative to the scene's length, at which they end,
and below which they end once these no longer fall."""

WIDE = 1e-4
"""Move over which forces are differenced, in m relative to the scene's length, and in rad; they are found to 1e-12."""


def refuse_astray(system: System) -> None:
    """Refuse wires that have no way over their pulleys where the search for rest has come.

    Raises
    ------
    SceneError : names one, as of ``check_way``
    """
    compiled, q = system.compiled, system.still.q[: 7 * system.nb]
    for name in without_way(compiled.model.routes, compiled.massless, system.work.gap):
        start = np.array_equal(q, compiled.initial.q[: 7 * system.nb])
        check_way(system, "at the start" if start else "on the way to rest")
        raise SceneError(f"wire {name!r} {NO_WAY}")


def lay_on_wheels(system: System) -> None:
    """Bring the ends of the spans to where they touch their wheels as they hang, and back, until that is one.

    Raises
    ------
    SceneError : they were not found
    """
    wheels = system.model.wheels
    assert wheels is not None
    touch = wheels.touch[wheels.touch >= 0]
    best = np.inf
    for _ in range(MOST_LAID):
        before, lies = system.work.P[touch].copy(), system.still.q[wheels.arc_q].copy()
        for c in range(len(system.feed)):
            system.put_nodes(c, system.nodes(c))
        system.place()
        system.still.q[wheels.arc_q] = wheels.arc / np.sqrt(1.0 + 2.0 * _pulls(system) / wheels.axial)
        more = system.still.q[wheels.arc_q] - lies
        moved = max(float(np.abs(system.work.P[touch] - before).max()), float(np.abs(more).max()))
        for pair, longer in zip(wheels.cable, more, strict=True):
            system.feed[pair[pair >= 0]] -= longer / (pair >= 0).sum()
        system.hang_here()
        if moved <= LAID * system.size or (moved <= NEARLY_LAID * system.size and moved >= 0.5 * best):
            break
        best = min(best, moved)
    else:
        raise SceneError(
            f"scene {system.compiled.declared.name!r}: massive wires were not found at rest on their pulleys, where "
            f"they still moved by {moved:.1e} m: take smaller pulleys, or shorter wires"
        )


def _pulls(system: System) -> Floats:
    """T (n,) of what lies on the wheels, as of ``System.pulls``: the mean of those of the spans beside them."""
    sides = [[system.pulls(c)[end] for _, c, end in one.sides] for one in system.rowed.table.wheels]
    return np.array([np.mean(pulls) for pulls in sides])


def check_wheels(system: System) -> None:
    """Make sure that wires have a way over their points, and that massive ones lie on the wheels over which they hang.

    Raises
    ------
    SceneError : pulleys are inside each other; or a wire would have to push up from its wheel; by name
    """
    check_way(system, "at rest")
    wheels = system.model.wheels
    off = np.flatnonzero(wheels.arc <= 0.0) if wheels is not None else np.empty(0, np.int64)
    if len(off):
        one = system.rowed.table.wheels[off[0]]
        raise SceneError(
            f"wire {system.rowed.table.cables[one.sides[0][1]].name.rpartition('.')[0]!r} does not lie on pulley "
            f"{one.name!r} as it hangs; put that to the other side of the wire, or leave it out"
        )


def check_way(system: System, when: str) -> None:
    """Make sure that wires have a way over their points, as runs do at their start.

    when : what the state is, for the message

    Raises
    ------
    SceneError : pulleys, or a pulley and a point, are inside each other, or points in one place; by name
    """
    scene = system.compiled.declared
    if any(scene.bent(wire) for wire in scene.wires.values()):
        with np.errstate(all="ignore"):
            told = list(impassable(_with_poses(scene, system), when))
        if told:
            raise scene_error(told, scene.name)


def _with_poses(scene: Scene, system: System) -> Scene:
    """The scene with its bodies where the system has them."""
    poses = system.still.q[: 7 * system.nb].reshape(-1, 7).tolist()
    if not np.isfinite(poses).all():
        return scene
    placed = zip(system.rowed.scene.bodies, poses, strict=True)
    moved = {name: (tuple(pose[:3]), tuple(pose[3:])) for name, pose in placed if name in scene.bodies}
    bodies = {name: scene.bodies[name].replace(position=at, quaternion=turn) for name, (at, turn) in moved.items()}
    return scene.replace(bodies=bodies)


def stiffness(system: System, p: Floats) -> Floats:
    """−∂(f + Jᵀp)/∂x at constant p (m,), as ``Look.geometric``, by differences of cables that hang anew each time.

    It knows how the places move where massive wires touch their wheels, which ``look`` leaves out.
    """
    turns, kept = system.moves % 6 >= 3, system.keep()
    K = np.zeros((len(system.moves), len(system.moves)))
    for i, d in enumerate(np.diag(np.where(turns, 1.0, system.size) * WIDE)):
        for sign in (1.0, -1.0):
            system.move(sign * d)
            look = system.look(stiffness=False)
            K[:, i] -= sign * (look.force + look.J.T @ p) / (2.0 * d[i])
            system.back(kept)
    system.hang()
    return 0.5 * (K + K.T)


def without_inertia(compiled: Compiled) -> Compiled:
    """The scene in which massless wires turn no wheels: these stand still, and so do not resist."""
    still = compiled.scene.turned_pulleys
    if not still:
        return compiled
    scene = compiled.declared
    wheels = {name: one.replace(inertia=0.0) if name in still else one for name, one in scene.pulleys.items()}
    return compile_scene(scene.replace(pulleys=wheels))
