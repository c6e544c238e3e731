"""Why a scene has no equilibrium: bodies that nothing holds, and directions in which the loads go on doing work.

Bodies that are connected with each other, but with no robot and no ground, have no equilibrium unless their loads
balance: a common translation keeps every gap between them, so that no multiplier can take part in f·d = 0. That is a
proof, whatever their poses. A search that ended without rest shows the direction in which it went on.
"""

from __future__ import annotations

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import Floats, jacobian, sides_of
from towsim.statics.system import System

BALANCED = 1e-12
"""Sum of the loads on bodies that are held by nothing, relative to their largest, up to which they balance."""


def refuse(system: System) -> None:
    """Refuse a scene in which something falls.

    Raises
    ------
    SceneError : names the bodies, and the force that moves them
    """
    names = tuple(system.rowed.scene.bodies)
    system.hang()
    system.place()
    for group in _afloat(system):
        forces = system.work.f[group, :3]
        total = forces.sum(axis=0) + _ends(system, group)
        if np.abs(total).max() > BALANCED * max(float(np.abs(forces).max()), 1e-300):
            who = ", ".join(repr(names[i]) for i in group)
            size = float(np.linalg.norm(total))
            along = total / size
            falls = "falls" if along @ system.model.bodies.gravity > 0.0 else "is driven off"
            raise SceneError(
                f"scene {system.compiled.declared.name!r} has no equilibrium: {who} {falls}. A move along "
                f"({along[0]:.3g}, {along[1]:.3g}, {along[2]:.3g}) changes the length of no wire, joint or contact "
                f"that is fixed to a robot or to the ground, and the loads, {size:.6g} N, do work in it; hold it"
            )


def _ends(system: System, group: list[int]) -> Floats:
    """Weights of the cables that hang on bodies which nothing holds."""
    cables = system.cables
    total = np.zeros(3)
    if cables is not None:
        node, balls = system.model.points.node, system.model.balls
        for c, closure in enumerate(cables.closure):
            if int(node[balls.a[closure]]) in group:
                total += cables.section[c, 0] * system.feed[c] * system.model.bodies.gravity + system.push[c]
    return total


def _afloat(system: System) -> list[list[int]]:
    """Groups of connected bodies that no row or cable connects with a robot or with the ground."""
    nb, rows, points, cables = system.nb, system.model.rows, system.model.points, system.cables
    root = list(range(nb + 1))  # the last one is whatever does not move
    at_rest = nb

    def find(i: int) -> int:
        while root[i] != i:
            i = root[i]
        return i

    held = np.zeros(nb, bool)
    held[system.moves // 6] = True
    for i in np.flatnonzero(~held).tolist():
        root[find(i)] = find(at_rest)
    on = {*system.on.tolist(), *system.given.values()}
    J = jacobian(rows, system.work.J, nb).reshape(len(rows.kind), nb, 6)
    for row in on:
        nodes = [int(node) for node in rows.node[sides_of(rows, row)] if node < nb]
        ends = nodes if _between(J[row], len(nodes)) else [*nodes, at_rest]
        for i in ends[1:]:
            root[find(i)] = find(ends[0])
    if cables is not None:
        for c, closure in enumerate(cables.closure):
            tip = int(points.node[system.model.balls.a[closure]])
            ends = [tip if tip >= 0 else at_rest]
            if cables.robot[c] >= 0:
                ends.append(at_rest)
            elif cables.root_closure[c] >= 0:
                ends.append(int(points.node[system.model.balls.b[cables.root_closure[c]]]))
            for i in ends[1:]:
                root[find(i)] = find(ends[0])
    groups: dict[int, list[int]] = {}
    for i in range(nb):
        groups.setdefault(find(i), []).append(i)
    return [group for key, group in groups.items() if key != find(at_rest)]


def _between(J: Floats, sides: int) -> bool:
    """Whether a row with directions J (nb, 6) ties bodies to each other only: a translation keeps its gap."""
    return sides > 1 and float(np.abs(J[:, :3].sum(axis=0)).max()) < 1e-12
