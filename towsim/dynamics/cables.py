"""All cables of a scene: their free motion and inverse inertias at the ends, impulses, motion over a step.

The recursion for one cable is in dynamics/mrfe; here are the loops over cables, and where quantities come from. Four
alike cables are swept side by side, by the same functions.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any, NamedTuple

from solvers.kernels.compiled import part
from solvers.kernels.lanes import abreast, across, lanes
from towsim.dynamics.flow import (
    free_flows,
    kick_spans,
    locate_spans,
    respond_along,
    respond_spans,
)
from towsim.dynamics.mrfe import NOTHING, inward, kicked, nodes, outward
from towsim.dynamics.wheel_rows import advance_arcs, kick_wheels
from towsim.model.arrays import BALL
from towsim.model.sides import component, force
from towsim.model.vectors import at3, dot, exponential, put3, quaternion_product, scale
from towsim.scene.cable import MOST_STRAIN


class Alike(NamedTuple):
    """What a sweep reads of cables (see model/arrays), as it is or as lanes see it."""

    first: Any
    q: Any
    v: Any
    joint: Any
    tip: Any
    root: Any
    tip_point: Any
    root_point: Any
    frame: Any
    axis: Any
    hinge: Any
    section: Any
    rest: Any


class Sweep(NamedTuple):
    """What a sweep reads and writes besides (see stepping/work), as it is or as lanes see it."""

    S: Any
    E: Any
    W: Any
    G: Any
    H: Any
    rate: Any
    d: Any
    feed_acceleration: Any
    node: Any
    tip_rate: Any
    energy: Any
    exit: Any
    P: Any
    u: Any
    wrench: Any


@part()
def one(work):
    """The sweep of one cable."""
    s = work.cable
    return Sweep(
        s.S,
        s.E,
        s.W,
        s.G,
        s.H,
        s.rate,
        s.d,
        s.feed_acceleration,
        s.node,
        s.tip_rate,
        s.energy,
        s.exit,
        work.P,
        work.u,
        work.wrench,
    )


@part()
def side_by_side(cables, c, work):
    """Cables c .. c + 3, which are alike, and their sweep, as lanes see them."""
    x, s = cables, work.cable
    first, n, k = x.first[c], x.first[c + 1] - x.first[c], x.v[c + 1] - x.v[c]
    alike = Alike(
        x.first,
        x.q,
        x.v,
        x.joint,
        x.tip,
        x.root,
        x.tip_point,
        x.root_point,
        across(x.frame, 1),
        across(x.axis, 1),
        across(x.hinge, 1),
        across(x.section, 1),
        across(x.rest, n),
    )
    return alike, Sweep(
        abreast(s.S, first), abreast(s.E, c), abreast(s.W, 0), abreast(s.G, 0), across(s.H, 1), across(s.rate, k),
        across(s.d, k), across(s.feed_acceleration, 1), across(s.node, n + 1), across(s.tip_rate, 1),
        across(s.energy, 1), across(s.exit, 1), across(work.P, 1), across(work.u, 1), across(work.wrench, 1),
    )  # fmt: skip


@part()
def together(a, b, c, d):
    """Four vectors as one of lanes."""
    return lanes(a[0], b[0], c[0], d[0]), lanes(a[1], b[1], c[1], d[1]), lanes(a[2], b[2], c[2], d[2])


@part()
def link(cables, c, length):
    """Length of a link of cable c, whose unstrained length is ``length``; also from rate to rate."""
    return 0.5 * length / (cables.first[c + 1] - cables.first[c])


@part()
def lengths(flow, feed, rate, q, v, share, work):
    """Lengths of all cables and their rates, as known or, of spans, by the state; rates of spans times ``share``."""
    if flow is None:
        return feed, rate
    else:  # numba leaves one of the branches out
        length, length_rate = work.cable.flow.length, work.cable.flow.rate
        for c in range(length.shape[0]):
            length[c], length_rate[c] = feed[c], rate[c]
        for i in range(flow.cable.shape[0]):
            length[flow.cable[i]] = q[flow.q[i]]
            length_rate[flow.cable[i]] = share * (v[flow.v[i]] - v[flow.v[i] + 1])
        return length, length_rate


@part()
def advance_lengths(flow, q, v, h, out):
    """Lengths of the spans after a step of h at the flows v."""
    if flow is not None:
        for i in range(flow.cable.shape[0]):
            k = flow.v[i]
            out[flow.q[i]] = q[flow.q[i]] + h * (v[k] - v[k + 1])


@part()
def spent(flow, q):
    """Whether a span has run out of length."""
    if flow is not None:
        for i in range(flow.cable.shape[0]):
            if not q[flow.q[i]] > flow.least[i]:
                return True
    return False


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
def strained(cables, feed, q):
    """Whether a cable is stretched by more than ``MOST_STRAIN`` of its length, which is known or that of a span."""
    for c in range(cables.tip.shape[0]):
        if extension(cables, c, q) > MOST_STRAIN * length_of(cables.flow, feed, c, q):
            return True
    return False


@part()
def length_of(flow, feed, c, q):
    """Unstretched length of cable c, that of a span by the state q [m]."""
    length = feed[c] + 0.0 * q[0]  # a number of q's type, as a span has
    if flow is not None:
        for i in range(flow.cable.shape[0]):
            length = q[flow.q[i]] if flow.cable[i] == c else length
    return length


@part()
def carrier(cables, c, robot, robot_rate, robot_acceleration):
    """Position, velocity and acceleration of the robot that carries the root of cable c; zero if none does."""
    r = cables.robot[c]
    if r < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    return at3(robot, r), at3(robot_rate, r), at3(robot_acceleration, r)


@part()
def carriers(cables, c, robot, robot_rate, robot_acceleration):
    """The same for cables c .. c + 3, as lanes."""
    p0, v0, a0 = carrier(cables, c, robot, robot_rate, robot_acceleration)
    p1, v1, a1 = carrier(cables, c + 1, robot, robot_rate, robot_acceleration)
    p2, v2, a2 = carrier(cables, c + 2, robot, robot_rate, robot_acceleration)
    p3, v3, a3 = carrier(cables, c + 3, robot, robot_rate, robot_acceleration)
    return together(p0, p1, p2, p3), together(v0, v1, v2, v3), together(a0, a1, a2, a3)


@part()
def free_cables(cables, gravity, drive, k, h, q, v, work):
    """Velocities of the cables' ends after a step of h as if nothing were attached, with springs at q + h v."""
    if cables is not None:
        frequency, scratch = 1.0 / h, work.cable
        for i in range(scratch.robot_acceleration.shape[0]):
            for j in range(3):
                scratch.robot_acceleration[i, j] = frequency * (
                    drive.robot_rate[k + 1, i, j] - drive.robot_rate[k, i, j]
                )
        for c in range(cables.tip.shape[0]):
            scratch.feed_acceleration[c] = frequency * (drive.feed_rate[k + 1, c] - drive.feed_rate[k, c])
        advance_cables(cables, None, q, v, h, scratch.spring)
        length, still = lengths(cables.flow, drive.feed[k], drive.feed_rate[k], q, v, 0.0, work)
        known = drive.robot[k], drive.robot_rate[k], length, still, drive.exit_force[k]
        respond(cables, gravity, (q, v, scratch.spring, q, v), known, h, work)
        # The velocities of the ends: what they were, with the known motions of the end of the step, and d.
        locate_cables(
            cables, q, v, (drive.robot[k], drive.robot_rate[k + 1], drive.feed[k], drive.feed_rate[k + 1]), work
        )
        for c in range(cables.tip.shape[0]):
            for j in range(3):
                work.u[cables.tip[c], j] += scratch.tip_rate[c, j]
                if cables.root[c] >= 0:
                    work.u[cables.root[c], j] += v[cables.v[c] + j]
        free_flows(cables.flow, cables, v, work)


@part()
def respond(cables, gravity, motion, known, b, work):
    """Free motions d of the cables' ends (into ``work.u``), their inverse inertias, and where the ends are (into P).

    Parameters
    ----------
    motion : coordinates and velocities of the sweep (see dynamics/mrfe), whose rates are in ``work.cable.rate``;
        coordinates at which the springs act; coordinates and velocities before the step
    known : robots' positions and velocities (n_robots, 3), lengths of the cables, their rates (nk,), and forces on free
        ends (nk, 3), at the end of the step; accelerations are in ``work.cable``
    """
    g = (gravity[0], gravity[1], gravity[2])
    robot, robot_rate, length, length_rate, pull = known
    for i in range(cables.single.shape[0]):
        c = cables.single[i]
        root = carrier(cables, c, robot, robot_rate, work.cable.robot_acceleration)
        swept(cables, c, root, g, motion, (length, length_rate, pull), b, one(work))
    respond_fours(cables.four, cables, g, motion, known, b, work)
    carried = robot, robot_rate, work.cable.robot_acceleration, length
    respond_spans(cables.flow, cables, motion, carried, g, b, one(work), work.cable.flow)


@part()
def respond_fours(four, cables, g, motion, known, b, work):
    """``respond`` of the cables that are swept side by side."""
    if four is not None:
        q, v, spring, before, rate_before = motion
        robot, robot_rate, length, length_rate, pull = known
        for i in range(four.shape[0]):
            c = four[i]
            roots = carriers(cables, c, robot, robot_rate, work.cable.robot_acceleration)
            alike, sweep = side_by_side(cables, c, work)
            m, k = cables.q[c + 1] - cables.q[c], cables.v[c + 1] - cables.v[c]
            motions = across(q, m), across(v, k), across(spring, m), across(before, m), across(rate_before, k)
            feeds = across(length, 1), across(length_rate, 1), across(pull, 1)
            swept(alike, c, roots, g, motions, feeds, b, sweep)


@part()
def swept(cables, c, root, g, motion, known, b, sweep):
    """Free motion d of the ends of cable c, their inverse inertias, and where they are.

    motion : as of ``respond``;  known : lengths of the cables, their rates, and forces on free ends
    """
    q, v, spring, before, rate_before = motion
    length, length_rate, pull = known
    half = link(cables, c, length[c])
    feed = (half, link(cables, c, length_rate[c]), link(cables, c, sweep.feed_acceleration[c]))
    tip = outward(cables, c, q, v, sweep.rate, root, feed, b, g, sweep.S)
    put3(sweep.P, cables.tip_point[c], tip)
    d, d_root = inward(cables, c, v, spring, before, rate_before, half, scale(b, at3(pull, c)), b, sweep)
    put3(sweep.u, cables.tip[c], d)
    if cables.root[c] >= 0:
        i = cables.q[c]
        put3(sweep.P, cables.root_point[c], (q[i], q[i + 1], q[i + 2]))
        put3(sweep.u, cables.root[c], d_root)


@part()
def responses(cables, J, H, W):
    """Responses of the cables' ends to unit impulses along their sides, at both ends."""
    if cables is not None:
        for n in range(cables.sides.shape[0]):
            s, c, at = cables.sides[n, 0], cables.sides[n, 1], cables.sides[n, 2]
            twin, other = cables.sides[n, 3], cables.sides[n, 4]
            f = force(J, s)
            for i in range(3):
                j = at + i
                W[component(s, i)] = dot((H[c, j, at], H[c, j, at + 1], H[c, j, at + 2]), f)
                if twin >= 0:
                    j = other + i
                    W[component(twin, i)] = dot((H[c, j, at], H[c, j, at + 1], H[c, j, at + 2]), f)
        respond_along(cables.flow, J, H, W)


@part()
def kick_cables(cables, wheels, rows, b, v, work):
    """Motions d of all cables, velocities v + d in ``work.v_new``, and the forces at the roots, from the impulses."""
    if cables is not None:
        for i in range(cables.single.shape[0]):
            kick_cable(cables, cables.single[i], b, one(work))
        kick_fours(cables.four, cables, b, work)
        kick_spans(cables.flow, cables, b, v, one(work), work.cable.flow)
        kick_wheels(wheels, rows, work.p, work.cable.d)
        for i in range(cables.v[0], work.v_new.shape[0]):
            work.v_new[i] = v[i] + work.cable.d[i]


@part()
def kick_fours(four, cables, b, work):
    """Motions d of the cables that are swept side by side, and the forces at their roots."""
    if four is not None:
        for i in range(four.shape[0]):
            alike, sweep = side_by_side(cables, four[i], work)
            kick_cable(alike, four[i], b, sweep)


@part()
def kick_cable(cables, c, b, sweep):
    """Motions d of cable c, and the force at its root."""
    tip = at3(sweep.wrench, cables.tip[c])
    if cables.root[c] >= 0:
        root = at3(sweep.wrench, cables.root[c])
        kicked(cables, c, tip, root, sweep)
        put3(sweep.exit, c, scale(1.0 / b, root))
    else:
        pull = kicked(cables, c, tip, NOTHING, sweep)
        put3(sweep.exit, c, scale(1.0 / b, pull))


@part()
def advance_cables(cables, wheels, q, v, h, out):
    """Coordinates after a step of h at the velocities v; writes ``out`` (may be q)."""
    if cables is not None:
        advance_arcs(wheels, q, v, h, out)
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
        advance_lengths(cables.flow, q, v, h, out)


@part(forceinline=False)
def locate_cables(cables, q, v, known, work):
    """Nodes of the cables, positions of their ends (into P), velocities of their tips and roots, and energies.

    known : robots' positions and velocities (n_robots, 3), lengths of the cables and their rates (nk,)
    """
    if cables is not None:
        robot, robot_rate, feed, feed_rate = known
        length, length_rate = lengths(cables.flow, feed, feed_rate, q, v, 1.0, work)
        for i in range(cables.single.shape[0]):
            c = cables.single[i]
            locate_cable(cables, c, q, v, carrier(cables, c, robot, robot_rate, robot), length, length_rate, one(work))
        locate_fours(cables.four, cables, q, v, (robot, robot_rate, length, length_rate), work)
        locate_spans(cables.flow, cables, q, v, (robot, robot_rate, length, length_rate), one(work))


@part()
def locate_fours(four, cables, q, v, known, work):
    """``locate_cables`` of those that are swept side by side."""
    if four is not None:
        robot, robot_rate, length, length_rate = known
        for i in range(four.shape[0]):
            c = four[i]
            alike, sweep = side_by_side(cables, c, work)
            roots = carriers(cables, c, robot, robot_rate, robot)
            q4, v4 = across(q, cables.q[c + 1] - cables.q[c]), across(v, cables.v[c + 1] - cables.v[c])
            locate_cable(alike, c, q4, v4, roots, across(length, 1), across(length_rate, 1), sweep)


@part()
def locate_cable(cables, c, q, v, root, length, length_rate, sweep):
    """Nodes of cable c, positions of its ends, velocity of its tip, energy but for that of gravity."""
    p, rate, _ = root
    tip, tip_rate, sweep.energy[c] = nodes(
        cables, c, q, v, p, rate, link(cables, c, length[c]), link(cables, c, length_rate[c]), sweep.node
    )
    put3(sweep.P, cables.tip_point[c], tip)
    put3(sweep.tip_rate, c, tip_rate)
    if cables.root[c] >= 0:
        put3(sweep.P, cables.root_point[c], at3(sweep.node, cables.first[c] + c))
