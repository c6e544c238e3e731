"""All cables of a scene: their free motion and inverse inertias at the ends, impulses, motion over a step.

The recursion for one cable is in dynamics/mrfe; here are the loops over cables, and where quantities come from.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import part
from towsim.dynamics.mrfe import inward, kicked, nodes, outward
from towsim.model.arrays import BALL
from towsim.model.vectors import at3, exponential, put3, quaternion_product, scale


@part()
def link(cables, c, length):
    """Length of a link of cable c, whose unstrained length is ``length``; also from rate to rate."""
    return 0.5 * length / (cables.first[c + 1] - cables.first[c])


@part()
def extension(cables, c, q):
    """Sum of the extensions of cable c's elements [m]."""
    total = 0.0
    i = cables.q[c] + (0 if cables.root[c] < 0 else 3) + (4 if cables.joint[c] == BALL else 2)
    while i < cables.q[c + 1]:
        total += q[i]
        i += 3
    return total


@part()
def carrier(cables, c, robot, robot_rate, robot_acceleration):
    """Position, velocity and acceleration of the robot that carries the root of cable c; zero if none does."""
    r = cables.robot[c]
    if r < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    return at3(robot, r), at3(robot_rate, r), at3(robot_acceleration, r)


@part()
def respond(cables, gravity, q, v, spring, before, rate_before, known, b, work):
    """Free motions d of the cables' ends (into ``work.u``), their inverse inertias, and where the ends are (into P).

    Parameters
    ----------
    q, v : coordinates and velocities of the sweep (see dynamics/mrfe), whose rates are in ``work.cable.rate``
    spring : coordinates at which the springs act;  before, rate_before : state before the step
    known : robots' positions and velocities (n_robots, 3), lengths of the cables, their rates (nk,), and forces on free
        ends (nk, 3), at the end of the step; accelerations are in ``work.cable``
    """
    robot, robot_rate, length, length_rate, pull = known
    scratch = work.cable
    g = (gravity[0], gravity[1], gravity[2])
    for c in range(cables.tip.shape[0]):
        root = carrier(cables, c, robot, robot_rate, scratch.robot_acceleration)
        half = link(cables, c, length[c])
        feed = (half, link(cables, c, length_rate[c]), link(cables, c, scratch.feed_acceleration[c]))
        tip = outward(cables, c, q, v, scratch.rate, root, feed, b, g, scratch.S)
        put3(work.P, cables.tip_point[c], tip)
        push = scale(b, at3(pull, c))
        d, d_root = inward(
            cables, c, v, spring, before, rate_before, half, push, b, scratch
        )  # fmt: skip
        put3(work.u, cables.tip[c], d)
        if cables.root[c] >= 0:
            i = cables.q[c]
            put3(work.P, cables.root_point[c], (q[i], q[i + 1], q[i + 2]))
            put3(work.u, cables.root[c], d_root)


@part()
def responses(cables, J, H, W):
    """Responses of the cables' ends to unit impulses along their sides, at both ends."""
    for n in range(cables.sides.shape[0]):
        s, c, at, twin, other = (
            cables.sides[n, 0], cables.sides[n, 1], cables.sides[n, 2], cables.sides[n, 3], cables.sides[n, 4]
        )  # fmt: skip
        x, y, z = J[s, 0], J[s, 1], J[s, 2]
        for i in range(3):
            W[s, i] = H[c, at + i, at] * x + H[c, at + i, at + 1] * y + H[c, at + i, at + 2] * z
        if twin >= 0:
            for i in range(3):
                W[twin, i] = H[c, other + i, at] * x + H[c, other + i, at + 1] * y + H[c, other + i, at + 2] * z


@part()
def kick_cables(cables, wrench, b, work):
    """Motions d of all cables into ``work.cable.d``, and the forces at the roots, from the ends' impulses (nn, 6)."""
    scratch = work.cable
    for c in range(cables.tip.shape[0]):
        tip = (wrench[cables.tip[c], 0], wrench[cables.tip[c], 1], wrench[cables.tip[c], 2])
        root = (0.0, 0.0, 0.0)
        if cables.root[c] >= 0:
            root = (wrench[cables.root[c], 0], wrench[cables.root[c], 1], wrench[cables.root[c], 2])
        pull = kicked(cables, c, tip, root, scratch.S, scratch.E, scratch.d)
        if cables.root[c] >= 0:
            pull = root
        put3(scratch.exit, c, scale(1.0 / b, pull))


@part()
def advance_cables(cables, q, v, h, out):
    """Coordinates after a step of h at the velocities v; writes ``out`` (may be q)."""
    for c in range(cables.tip.shape[0]):
        i, k = cables.q[c], cables.v[c]
        if cables.joint[c] == BALL:
            if cables.root[c] >= 0:
                for _ in range(3):
                    out[i] = q[i] + h * v[k]
                    i += 1
                    k += 1
            turn = exponential((h * v[k], h * v[k + 1], h * v[k + 2]))
            p = quaternion_product(turn, (q[i], q[i + 1], q[i + 2], q[i + 3]))
            s = 1.5 - 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
            for j in range(4):
                out[i + j] = s * p[j]
            i += 4
            k += 3
        while k < cables.v[c + 1]:
            out[i] = q[i] + h * v[k]
            i += 1
            k += 1


@part()
def locate_cables(cables, q, v, robot, robot_rate, length, length_rate, work):
    """Nodes of the cables, positions of their ends (into P) and velocities of their tips and roots."""
    scratch = work.cable
    for c in range(cables.tip.shape[0]):
        p, rate, _ = carrier(cables, c, robot, robot_rate, robot)
        tip, tip_rate = nodes(
            cables, c, q, v, p, rate, link(cables, c, length[c]), link(cables, c, length_rate[c]), scratch.node
        )
        put3(work.P, cables.tip_point[c], tip)
        put3(scratch.tip_rate, c, tip_rate)
        if cables.root[c] >= 0:
            put3(work.P, cables.root_point[c], at3(scratch.node, cables.first[c] + c))
