"""Wheels that massless wires turn, in small motions about rest: one move each, and the wires by their parts.

A wheel has the mass I/r² at its rim, where its move is; the part j of a wire, from wheel A to wheel B, has the row

    J_j y + s_A − s_B + J_j,s s,      Σ_j of the parts: the row of the whole wire

which is hard, or a spring of k/a_j and a damper of c/a_j with the share a_j of the straight length (see
constraints/sheave); what is paid out comes at the end B, and makes all parts softer. At rest all
parts bear the same tension, so that what it does to the stiffness K is that of the whole wire; shares stay as they are,
which is true to the strain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import block_diag

from towsim.model.arrays import Floats, Springs

if TYPE_CHECKING:
    from towsim.statics.linear import Linear
    from towsim.statics.system import System


@dataclass(frozen=True)
class Turning:
    """A massless wire that turns w wheels.

    Attributes
    ----------
    row : of the wire, in the model of a scene at rest
    wheels : (w,) names of their pulleys
    mass : (w,) of the wheels at their rims [kg]
    J : (w+1, n) directions of its parts in the bodies' moves;  J_s : (w+1, k) what known motions do to their gaps
    stretch_s : (w+1, k) what they do to the stretches that tensions are in proportion to: a longer wire is softer
    share : (w+1,) of its straight length
    """

    row: int
    wheels: tuple[str, ...]
    mass: Floats
    J: Floats
    J_s: Floats
    stretch_s: Floats
    share: Floats


def turning_wires(system: System, names: Sequence[str], p: Floats) -> list[Turning]:
    """Those of a scene at rest; names : of what is known, as of Linear;  p : (nr,) multipliers of the rows."""
    scene, model = system.compiled.scene, system.model
    wheels, routes = system.compiled.model.sheaves, model.routes
    found: list[Turning] = []
    if wheels is None or routes is None:
        return found
    count = 0
    for i, number in enumerate(routes.wire):
        name = system.rowed.massless[number]
        turned = scene.turned(scene.wires[name])
        if not turned:
            continue
        row, length = int(routes.row[i]), list(names).index(f"wires.{name}.length")
        J, J_s, share = _parts(system, i, turned, len(names))
        J_s[-1, length] = 1.0
        stretch_s = J_s.copy()
        if model.springs is not None and row in model.springs.row:
            stretch_s[:, length] += share * p[row] / axial_stiffness(model.springs, row)
        names_of = tuple(scene.wires[name].ends[k] for k in turned)
        found.append(Turning(row, names_of, wheels.mass[count : count + len(turned)], J, J_s, stretch_s, share))
        count += len(turned)
    return found


def axial_stiffness(springs: Springs, row: int) -> float:
    """EA [N] of the elastic wire of this row."""
    return float(springs.stiffness[springs.row == row][0])


def _parts(system: System, route: int, turned: tuple[int, ...], known: int) -> tuple[Floats, Floats, Floats]:
    """J, J_s and shares of the parts of a wire with a route, at the geometry at hand."""
    routes, points, work = system.model.routes, system.model.points, system.work
    assert routes is not None
    own = slice(int(routes.first[route]), int(routes.first[route + 1]))
    at, meet, leave = routes.point[own], routes.touch[own, :3], routes.touch[own, 3:]
    straight = work.P[at[1:]] + meet[1:] - work.P[at[:-1]] - leave[:-1]
    far = np.linalg.norm(straight, axis=1)
    n = straight / far[:, None]
    ends = [0, *turned, len(at) - 1]
    J, J_s = np.zeros((len(ends) - 1, 6 * system.nb)), np.zeros((len(ends) - 1, known))
    for j, (begin, end) in enumerate(pairwise(ends)):
        for k in range(begin, end + 1):
            after, before = n[k] if k < end else np.zeros(3), n[k - 1] if k > begin else np.zeros(3)
            node, robot = int(points.node[at[k]]), int(points.robot[at[k]])
            if node < 0:
                J_s[j, 3 * robot : 3 * robot + 3] += after - before
                continue
            turn = np.cross(work.arm[at[k]], after - before)
            if k not in turned:
                turn = turn + np.cross(leave[k], after) - np.cross(meet[k], before)
            J[j, 6 * node : 6 * node + 6] += np.concatenate([after - before, turn])
    share = np.array([far[begin:end].sum() for begin, end in pairwise(ends)]) / far.sum()
    return J[:, system.moves], J_s, share


def with_wheels(linear: Linear, wires: Sequence[Turning]) -> Linear:
    """The matrices with the moves of wheels behind all others, and the wires that turn them by their parts."""
    for wire in wires:
        linear = _with_wire(linear, wire)
    return linear


def _with_wire(linear: Linear, wire: Turning) -> Linear:
    w, n, bodies = len(wire.mass), len(linear.M), linear.bodies
    a = np.zeros((w + 1, n + w))
    a[:, :bodies] = wire.J
    a[1:, n:] += np.eye(w)  # a part begins at one wheel
    a[:-1, n:] -= np.eye(w)  # and ends at the next
    wide = {name: np.pad(getattr(linear, name), ((0, 0), (0, w))) for name in ("J", "pull", "pull_rate")}
    K_s, D_s = (np.pad(one, ((0, w), (0, 0))) for one in (linear.K_s, linear.D_s))
    K, D = (np.pad(one, ((0, w), (0, w))) for one in (linear.K, linear.D))
    J, J_s = wide["J"], linear.J_s
    by_s = {"pull": linear.pull_s.copy(), "pull_rate": linear.pull_rate_s.copy()}
    if wire.row in linear.rows:
        at = int(np.flatnonzero(linear.rows == wire.row)[0])
        J[at] = a[0]
        J, J_s = np.concatenate([J, a[1:]]), np.concatenate([J_s, wire.J_s[1:]])
        J_s[at] = wire.J_s[0]
    elif wire.row in linear.springs:
        at = int(np.flatnonzero(linear.springs == wire.row)[0])
        whole = a.sum(axis=0)
        for name, matrix, known, known_s in (("pull", K, K_s, wire.stretch_s), ("pull_rate", D, D_s, wire.J_s)):
            here = wide[name]
            k = float(here[at] @ whole / (whole @ whole))
            matrix += k * ((a.T / wire.share) @ a - np.outer(whole, whole))
            known += k * ((a.T / wire.share) @ known_s - np.outer(whole, known_s.sum(axis=0)))
            here[at] = k / wire.share[0] * a[0]
            by_s[name][at] = k / wire.share[0] * known_s[0]
    return replace(
        linear,
        M=block_diag(linear.M, np.diag(wire.mass)),
        D=D,
        K=K,
        J=J,
        J_s=J_s,
        pull=wide["pull"],
        pull_rate=wide["pull_rate"],
        pull_s=by_s["pull"],
        pull_rate_s=by_s["pull_rate"],
        K_s=K_s,
        D_s=D_s,
        doubt=np.concatenate([linear.doubt, np.zeros(w)]),
        others=(*linear.others, *(f"pulley {name}" for name in wire.wheels)),
    )
