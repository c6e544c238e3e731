"""A scene at rest, linearised: masses, damping, stiffness, constraints, and what robots, winches and drives do to them.

    M ÿ + D ẏ + K y + K_s s = Jᵀ δp + E f,      J y + J_s s = 0

y are small moves: six a body (see ``forces``), then those of the cables, translations of the root and joint
coordinates, then of wheels that massless wires turn (see ``sheaves``); s are displacements of the robots, changes of
the wires' lengths and of the joints' given coordinates. Hard active rows, joints, and the ends of cables are in J;
active springs are in K and D. A slack wire stays slack, a taut one taut.

M and K of a cable are those of dynamics/mrfe and statics/cable: with the points x of its links,

    M_jk = Σ m ∂x/∂q_j·∂x/∂q_k + Σ I ω_j·ω_k,      K = H

Source: linearised equations of constrained multibody systems, such as Schiehlen & Eberhard, Applied Dynamics (2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag, qr, solve_triangular

from towsim.constraints.axis import SPRING
from towsim.errors import UsageError
from towsim.model.arrays import BALL, Drags, Floats, jacobian
from towsim.statics.forces import forces_at
from towsim.statics.search import Found
from towsim.statics.shape import ERROR
from towsim.statics.sheaves import axial_stiffness, turning_wires, with_wheels
from towsim.statics.system import DIFFERENCE, System

DEPENDENT = 1e-9
"""Pivot, relative to the largest, below which rows depend on each other."""

STIFF_ROUNDING = 1e-13
"""Share of a stiffness that is rounding."""

CABLE_ROUNDING = 1e-11
"""Share of pull times length by which a cable's stiffness in turns is in doubt: rolls have valleys of it (see rest)."""


@dataclass(frozen=True)
class Linear:
    """The matrices of the head; n moves, m constraints, k displacements of what is known.

    Attributes
    ----------
    M, D, K : (n, n);  J : (m, n);  J_s : (m, k);  K_s : (n, k)
    D_s : (n, k) what rates of s do by dampers
    rows : (r,) row of the model of each of the first rows of J
    pull, pull_rate : multipliers of the active springs, by row: −∂p/∂y (q, n), −∂p/∂ẏ (q, n)
    pull_s, pull_rate_s : the same of s: −∂p/∂s (q, k), −∂p/∂ṡ (q, k)
    springs : (q,) their rows
    bodies : number of the bodies' moves among n;  others : what each of the other moves is one of
    doubt : (n,) of the other moves: what rounding leaves in their stiffness, of the forces that it is made of
    names : of s: robots.NAME.x and so on, wires.NAME.length, joints.NAME.motion
    """

    M: Floats
    D: Floats
    K: Floats
    J: Floats
    J_s: Floats
    K_s: Floats
    D_s: Floats
    rows: np.ndarray
    pull: Floats
    pull_rate: Floats
    pull_s: Floats
    pull_rate_s: Floats
    springs: np.ndarray
    bodies: int
    others: tuple[str, ...]
    doubt: Floats
    names: tuple[str, ...]

    def free(self) -> Floats:
        """Moves (n, r) that keep the constraints, see ``free_moves``."""
        return free_moves(self.J, len(self.M))


def free_moves(J: Floats, n: int) -> Floats:
    """Moves (n, r) with J y = 0: a basis in which each of r moves is free and the others follow it.

    Moves that no constraint holds stand alone in it, so that what is stiff leaves no rounding in their stiffness.
    Source: Golub & Van Loan, Matrix Computations (2013), section 5.4.2 (QR with column pivoting).
    """
    if not len(J):
        return np.eye(n)
    R, order = qr(J, mode="r", pivoting=True)
    size = np.abs(np.diagonal(R))
    rank = int(np.sum(size > DEPENDENT * size[0]))
    Z = np.zeros((n, n - rank))
    Z[order[:rank]] = -solve_triangular(R[:rank, :rank], R[:rank, rank:])
    Z[order[rank:]] = np.eye(n - rank)
    return Z


def linearise(system: System, found: Found, at_work: np.ndarray) -> Linear:
    """The matrices at the rest that was found, with those of its active rows that are ``at_work`` (see verdict).

    Raises
    ------
    UsageError : a massive wire runs over rings or pulleys
    """
    scene = system.compiled.declared
    slipping = next(filter(scene.spanned, scene.wires), None)
    if slipping is not None:
        raise UsageError(
            f"wire {slipping!r} is a massive cable over rings or pulleys, whose slipping is in no linear model; let it "
            "be rigid or elastic"
        )
    n = len(system.moves)
    p = np.zeros(system.nr)
    p[system.rows] = found.p
    look, rows = found.look, system.rows
    hard, soft = at_work & (look.sigma == 0.0), at_work & (look.sigma > 0.0)
    names, gap_s, K_s = _known(system, look.J.shape[0])
    stretch_s = gap_s + _softening(system, names, p)
    k = len(names)
    damping = _row_damping(system)
    K = system.still.K[np.ix_(system.moves, system.moves)].copy()
    D, D_s = drag(system), np.zeros((n, k))
    J_soft, stiff = look.J[soft], 1.0 / look.sigma[soft]
    c = damping[rows[soft]]
    K += (J_soft.T * stiff) @ J_soft
    K_s += (J_soft.T * stiff) @ stretch_s[soft]
    D += (J_soft.T * c) @ J_soft
    D_s += (J_soft.T * c) @ gap_s[soft]
    D += _pure_dampers(system, damping)
    blocks: list[tuple[Floats, Floats, Floats]] = [(system.mass(), D, K)]
    J, J_s = [look.J[hard]], [gap_s[hard]]
    columns, others, doubt = n, list[str](), [np.zeros(n)]
    closures: list[tuple[int, Floats, Floats, Floats]] = []
    if system.cables is not None:
        for c_number in range(len(system.cables.tip)):
            M_c, D_c, H_c, tip, bears = _cable(system, c_number)
            on_bodies, on_s = _ends(system, c_number, names)
            blocks.append((M_c, D_c, H_c))
            for end, (body, known) in enumerate(zip(on_bodies, on_s, strict=True)):
                own = tip if end == 0 else np.eye(3, M_c.shape[0])
                if body is not None:
                    closures.append((columns, own, body, known))
            columns += len(M_c)
            doubt.append((CABLE_ROUNDING + system.answer[c_number, ERROR]) * bears)
            others += [f"cable {system.compiled.cable_names[c_number]}"] * len(M_c)
    wide = np.zeros((sum(len(one) for one in J), columns))
    wide[:, :n] = J[0]
    parts = [wide]
    for at, own, body, known in closures:
        row = np.zeros((3, columns))
        row[:, at : at + own.shape[1]] = own
        row[:, :n] -= body
        parts.append(row)
        J_s.append(-known)
    whole = Linear(
        M=block_diag(*(one[0] for one in blocks)),
        D=block_diag(*(one[1] for one in blocks)),
        K=block_diag(*(one[2] for one in blocks)),
        J=np.concatenate(parts),
        J_s=np.concatenate(J_s),
        K_s=np.concatenate([K_s, np.zeros((columns - n, k))]),
        D_s=np.concatenate([D_s, np.zeros((columns - n, k))]),
        rows=rows[hard],
        pull=np.pad(stiff[:, None] * J_soft, ((0, 0), (0, columns - n))),
        pull_rate=np.pad(c[:, None] * J_soft, ((0, 0), (0, columns - n))),
        pull_s=stiff[:, None] * stretch_s[soft],
        pull_rate_s=c[:, None] * gap_s[soft],
        springs=rows[soft],
        bodies=n,
        others=tuple(others),
        doubt=np.concatenate(doubt),
        names=names,
    )
    return with_wheels(whole, turning_wires(system, names, p))


def _known(system: System, rows: int) -> tuple[tuple[str, ...], Floats, Floats]:
    """Names of s; ∂ψ/∂s (rows, k) of the active rows, and K_s (n, k), by differences over robots' places."""
    model, still, work = system._handles
    names = [f"robots.{name}.{axis}" for name in system.rowed.scene.robots for axis in "xyz"]
    gaps, forces = [], []
    step = DIFFERENCE * system.size
    for robot in range(len(still.robot)):
        for axis in range(3):
            both = []
            for sign in (1.0, -1.0):
                still.robot[robot, axis] += sign * step
                forces_at(model, still, work, 0.0, system.size)
                both.append((system.work.gap[system.rows].copy(), still.G.ravel()[system.moves].copy()))
                still.robot[robot, axis] -= sign * step
            gaps.append((both[0][0] - both[1][0]) / (2.0 * step))
            forces.append((both[1][1] - both[0][1]) / (2.0 * step))
    for name, row in zip(system.rowed.massless, system.model.wires.row, strict=True):
        names.append(f"wires.{name}.length")
        gaps.append(1.0 * (system.rows == row))
        forces.append(np.zeros(len(system.moves)))
    for name, row in system.driven().items():
        names.append(f"joints.{name}.motion")
        gaps.append(-1.0 * (system.rows == row))
        forces.append(np.zeros(len(system.moves)))
    system.place()
    shape = len(names)
    gap_s = np.array(gaps).T.reshape(rows, shape) if shape else np.zeros((rows, 0))
    K_s = np.array(forces).T.reshape(len(system.moves), shape) if shape else np.zeros((len(system.moves), 0))
    return tuple(names), gap_s, K_s


def _softening(system: System, names: Sequence[str], p: Floats) -> Floats:
    """What s adds to the stretches (rows, k), as a longer wire is softer: p = −ψ EA/L, so ∂p/∂L = −(1 + p/EA) EA/L.

    Those whose stiffness is given are not: theirs is the same at every length.
    """
    found, springs = np.zeros((len(system.rows), len(names))), system.model.springs
    if springs is not None:
        elastic = springs.row[springs.wire >= 0]
        for name, row in zip(system.rowed.massless, system.model.wires.row, strict=True):
            if row in elastic:
                found[system.rows == row, names.index(f"wires.{name}.length")] = p[row] / axial_stiffness(springs, row)
    return found


def _row_damping(system: System) -> Floats:
    """Damping (nr,) of the springs' rows."""
    c, model = np.zeros(system.nr), system.model
    if model.springs is not None:
        springs = model.springs
        per = np.where(springs.wire >= 0, system.still.length[springs.wire] if len(system.still.length) else 1.0, 1.0)
        c[springs.row] = springs.damping / per
    if model.joints is not None:
        axes = model.joints.axes
        has = axes.row[:, SPRING] >= 0
        c[axes.row[has, SPRING]] = axes.damping[has]
    return c


def _pure_dampers(system: System, damping: Floats) -> Floats:
    """Damping of joints that have a damper and no spring, whose rows are not active at rest."""
    moves, J = system.moves, jacobian(system.model.rows, system.work.J, system.nb)
    D = np.zeros((6 * system.nb, 6 * system.nb))
    if system.model.joints is not None:
        axes = system.model.joints.axes
        for row in axes.row[(axes.row[:, SPRING] >= 0) & (axes.stiffness == 0.0), SPRING]:
            D += damping[row] * np.outer(J[row], J[row])
    return D[np.ix_(moves, moves)]


def drag(system: System) -> Floats:
    """Derivative of the drag (c₁ + c₂‖v − w‖)(v − w) by v, at rest in the wind w."""
    wind = system.still.wind
    speed = float(np.linalg.norm(wind))
    D = np.zeros((6 * system.nb, 6 * system.nb))
    for i, (c1, c2) in enumerate(system.model.bodies.drag):
        D[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = (c1 + c2 * speed) * np.eye(3)
        if speed > 0.0:
            D[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] += c2 / speed * np.outer(wind, wind)
    drags = system.model.drags
    if drags is not None:
        for d, i in enumerate(drags.body):
            D[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] += _own_drag(drags, d, system.work.R[i], wind)
    return D[np.ix_(system.moves, system.moves)]


def _own_drag(drags: Drags, d: int, R: Floats, wind: Floats) -> Floats:
    """Derivative (6, 6) of what drag d brakes by v and ω, at rest in the wind."""
    r, w = R @ drags.at[d], float(np.linalg.norm(wind))
    C = R * (drags.linear[d] + w * drags.quadratic[d]) @ R.T
    if w > 0.0:
        C += np.outer(R * drags.quadratic[d] @ R.T @ wind, wind) / w
    arm = np.hstack([np.eye(3), np.cross(np.eye(3), r).T])  # u = v + ω × r
    D = arm.T @ C @ arm
    D[3:, 3:] += R * drags.angular[d] @ R.T
    return np.asarray(D)


def _ends(system: System, c: int, names: tuple[str, ...]) -> tuple[list[Floats | None], list[Floats]]:
    """How tip and root of cable c move with the bodies (3, n) and with s (3, k); None for a root that hangs free."""
    cables, model = system.cables, system.model
    assert cables is not None
    points, n, k = model.points, len(system.moves), len(names)

    def at(point: int) -> tuple[Floats, Floats]:
        move, known = np.zeros((3, 6 * system.nb)), np.zeros((3, k))
        node, robot = int(points.node[point]), int(points.robot[point])
        if node >= 0:
            x, y, z = system.work.arm[point]
            move[:, 6 * node : 6 * node + 3] = np.eye(3)
            move[:, 6 * node + 3 : 6 * node + 6] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
        else:
            known[:, 3 * robot : 3 * robot + 3] = np.eye(3)
        return move[:, system.moves].reshape(3, n), known

    tip, tip_s = at(int(model.balls.a[cables.closure[c]]))
    if cables.robot[c] >= 0:
        known = np.zeros((3, k))
        known[:, 3 * cables.robot[c] : 3 * cables.robot[c] + 3] = np.eye(3)
        return [tip, np.zeros((3, n))], [tip_s, known]
    if cables.root_closure[c] >= 0:
        root, root_s = at(int(model.balls.b[cables.root_closure[c]]))
        return [tip, root], [tip_s, root_s]
    return [tip, None], [tip_s, np.zeros((3, k))]


def _cable(system: System, c: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """M, D and K of cable c in translations of its root and its joints, how its tip moves with them, forces in K."""
    cables = system.cables
    assert cables is not None
    assert system._hang is not None
    first, last = int(cables.first[c]), int(cables.first[c + 1])
    n, nodes = last - first, system.nodes(c)
    links = system._hang[1].links[first:last]
    link = 0.5 * system.feed[c] / n
    line, radius, EA, EI, ca, ct = cables.section[c]
    m, g = line * link, system.model.bodies.gravity
    ball = cables.joint[c] == BALL
    axis, start, turns, spring, damper = [], [], [], [], []  # of each joint: where it stands along the cable
    for e in range(n):
        hinge = float(cables.hinge[c]) if e == 0 else 1.0
        around = list(np.eye(3)) if e == 0 and ball else [links[e, 3:6], links[e, 6:9]]
        for a in around:
            axis.append(a)
            start.append(e)
            turns.append(True)
            spring.append(0.5 * hinge * EI / link)
            damper.append(0.5 * hinge * ct / link)
        axis.append(links[e, :3])
        start.append(e)
        turns.append(False)
        spring.append(0.5 * EA / link)
        damper.append(0.5 * ca / link)
    a, at, rot = np.array(axis), np.array(start), np.array(turns)
    z = links[:, :3]
    centres = np.concatenate([nodes[:-1] + 0.5 * link * z, nodes[1:] - 0.5 * link * z])  # first links, second links
    element = np.concatenate([np.arange(n), np.arange(n)])
    second = np.repeat([False, True], n)
    behind = (element[:, None] > at) | ((element[:, None] == at) & (rot | second[:, None]))
    arm = centres[:, None, :] - nodes[at][None]
    move = np.where(rot[:, None], np.cross(a[None], arm), a[None]) * behind[:, :, None]
    spin = np.where(rot[:, None], a[None], 0.0) * (element[:, None] >= at)[:, :, None]
    move = np.concatenate([np.broadcast_to(np.eye(3), (2 * n, 3, 3)), move], axis=1)
    across, along = m * (3.0 * radius**2 + link**2) / 12.0, 0.5 * m * radius**2
    M = m * np.einsum("xja,xka->jk", move, move, optimize=True)
    turn = np.einsum("xja,xa->xj", spin, z[element], optimize=True)
    M[3:, 3:] += across * np.einsum("xja,xka->jk", spin, spin, optimize=True)
    M[3:, 3:] += (along - across) * np.einsum("xj,xk->jk", turn, turn, optimize=True)
    tip = np.concatenate([np.eye(3), np.where(rot[:, None], np.cross(a, nodes[-1] - nodes[at]), a).T], axis=1)
    H = np.diag(np.concatenate([np.zeros(3), spring]))
    F = system.answer[c, :3]
    # H_jk = u_j·v_k, j before k: v of the forces behind joint k (see statics/cable).
    for k in range(len(a)):
        x = centres[behind[:, k]] - nodes[at[k]]
        end = nodes[-1] - nodes[at[k]]
        if rot[k]:
            S = np.outer(x.sum(axis=0), m * g) + np.outer(end, F)
            v = np.trace(S) * a[k] - S @ a[k]
        else:
            v = -np.cross(a[k], len(x) * m * g + F)
        upto = k + 1 if rot[k] else k
        column = np.where(rot[:upto], a[:upto] @ v, 0.0)
        H[3 : 3 + upto, 3 + k] += column
        H[3 + k, 3 : 3 + upto] += column
        if rot[k]:
            H[3 + k, 3 + k] -= column[k]
    pull = float(np.linalg.norm(F) + line * system.feed[c] * np.linalg.norm(g)) * system.feed[c]
    bears = np.concatenate([np.zeros(3), np.where(rot, pull, 0.0)])
    return M, np.diag(np.concatenate([np.zeros(3), damper])), H, tip, bears
