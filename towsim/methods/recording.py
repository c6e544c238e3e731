"""Kernels that write one row of a block's record."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part, shared
from solvers.kernels.fours import place_of_four, put_all, width
from solvers.kernels.lanes import along
from towsim.dynamics.flow import Z_ROOT, Z_TIP
from towsim.dynamics.mrfe import TIP_TURN
from towsim.dynamics.wheel_rows import MASS, RUN, energy_on_wheels, out_of
from towsim.model.arrays import BALL
from towsim.model.sides import component
from towsim.model.vectors import add, at3, at9, cross, mul, norm, scale, sub


@part()
def record_pose(bodies, q, record, row):
    """Poses of the bodies."""
    for i in range(bodies.mass.shape[0]):
        for j in range(3):
            record.position[row, i, j] = q[7 * i + j]
        for j in range(4):
            record.quaternion[row, i, j] = q[7 * i + 3 + j]


@part()
def record_gaps(gap, record, row):
    """Gaps of the rows."""
    put_all(gap, record.gap[row])


@shared
@part()
def record_rates(bodies, before, after, a, b, h, Y, record, row):
    """Velocity a·before + b·after and acceleration (after − before)/h.

    before, after: velocities and angular momenta ℓ around a kick of duration h; Y: inverse inertias at the pose of
    this row. ω = Y ℓ and, from ℓ̇ = I ω̇ + ω × ℓ, ω̇ = Y (ℓ̇ − ω × ℓ).
    """
    frequency = 1.0 / h
    for i in range(bodies.mass.shape[0]):
        k = 6 * i
        for j in range(3):
            record.velocity[row, i, j] = a * before[k + j] + b * after[k + j]
            record.acceleration[row, i, j] = frequency * (after[k + j] - before[k + j])
            record.angular_velocity[row, i, j] = 0.0
            record.angular_acceleration[row, i, j] = 0.0
        if bodies.rotates[i]:
            old = (before[k + 3], before[k + 4], before[k + 5])
            new = (after[k + 3], after[k + 4], after[k + 5])
            ell = (a * old[0] + b * new[0], a * old[1] + b * new[1], a * old[2] + b * new[2])
            inverse = at9(Y, i)
            omega = mul(inverse, ell)
            torque = sub(scale(frequency, sub(new, old)), cross(omega, ell))
            alpha = mul(inverse, torque)
            for j in range(3):
                record.angular_velocity[row, i, j] = omega[j]
                record.angular_acceleration[row, i, j] = alpha[j]


@part()
def record_rows(p, impact, frequency, record, row):
    """Impacts of the rows, and forces: what is left of their impulses p, times the frequency of kicks [1/s]."""
    force, impulse = record.force[row], record.impulse[row]
    if p.size < width(p):
        for i in range(p.size):
            _record_row(p, impact, frequency, force, impulse, i)
    else:
        i = 0
        while i < p.size:
            k = place_of_four(i, p)
            _record_row(along(p), along(impact), frequency, along(force), along(impulse), k)
            i += width(p)


@part()
def _record_row(p, impact, frequency, force, impulse, i):
    force[i] = frequency * (p[i] - impact[i]) + 0.0  # not -0.0
    impulse[i] = impact[i]


@part(forceinline=False)
def point_rate(model, drive, k, v, work, point):
    """Velocity of a point on a body or robot [m/s]."""
    i = model.points.node[point]
    if i < 0:
        return at3(drive.robot_rate[k], model.points.robot[point])
    rate = (v[6 * i], v[6 * i + 1], v[6 * i + 2])
    if model.bodies.rotates[i]:
        w = mul(at9(work.Y, i), (v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]))
        rate = add(rate, cross(w, at3(work.arm, point)))
    return rate


@part()
def height(cables, c, model, length, node):
    """Energy of cable c in gravity [J]: the centres of an element's two links lie about the middle of its ends."""
    first, last = cables.first[c] + c, cables.first[c + 1] + c
    pull = 0.0
    for i in range(first, last):
        for j in range(3):
            pull += model.bodies.gravity[j] * (node[i, j] + node[i + 1, j])
    return -0.5 * cables.section[c, 0] * length / (last - first) * pull


@shared
@part()
def record_cables(cables, model, drive, k, q, v, b, work, record, row):
    """Forces at the ends of the cables, their extensions, nodes, energies, and the errors of the closures at both.

    v : velocities, the bodies' angular momenta among them;  b : share of the step for which the impulses stand [s]
    record : of all; its impulses are known
    """
    if cables is not None:
        out = record.cables
        frequency = 1.0 / b
        for c in range(cables.tip.shape[0]):
            out.length[row, c] = drive.feed[k, c]
        record_lengths(cables.flow, q, out, row)
        for i in range(work.cable.node.shape[0]):
            for j in range(3):
                out.node[row, i, j] = work.cable.node[i, j]
        for c in range(cables.tip.shape[0]):
            stretch = 0.0
            i = cables.q[c] + (0 if cables.root[c] < 0 else 3) + (4 if cables.joint[c] == BALL else 2)
            while i < cables.q[c + 1]:
                stretch += q[i]
                i += 3
            out.extension[row, c] = stretch
            length = out.length[row, c]
            out.energy[row, c] = work.cable.energy[c] + height(cables, c, model, length, work.cable.node)
            load = model.balls.a[cables.closure[c]]
            rate = point_rate(model, drive, k, v, work, load)
            out.closure[row, c, 0] = norm(sub(at3(work.P, load), at3(work.P, cables.tip_point[c])))
            out.closure[row, c, 1] = norm(sub(rate, at3(work.cable.tip_rate, c)))
            out.closure[row, c, 2] = 0.0  # a root on a robot is where the robot is
            out.closure[row, c, 3] = 0.0
            if cables.root_closure[c] >= 0:
                carrier = model.balls.b[cables.root_closure[c]]
                rate = point_rate(model, drive, k, v, work, carrier)
                i = cables.v[c]
                out.closure[row, c, 2] = norm(sub(at3(work.P, carrier), at3(work.P, cables.root_point[c])))
                out.closure[row, c, 3] = norm(sub(rate, (v[i], v[i + 1], v[i + 2])))
            for j in range(3):
                end = model.balls.row[cables.closure[c], j]
                out.tip_force[row, c, j] = frequency * (work.p[end] - work.impulse[end])
                out.exit_force[row, c, j] = work.cable.exit[c, j] + drive.exit_force[k, c, j]
        energy_on_wheels(model.wheels, model, drive.robot_rate[k], q, v, work, out.energy[row])
        record_pulls(cables.flow, False, frequency, work, out, row)
        record_pulls_of_wheels(model.wheels, cables.flow, False, frequency, work, out, row)
        turn_spans(cables.flow, cables, model, frequency, work, out, row)
        record_pulls(cables.flow, True, frequency, work, out, row)
        record_pulls_of_wheels(model.wheels, cables.flow, True, frequency, work, out, row)
        for c in range(cables.tip.shape[0]):
            first, last, ends = cables.first[c] + c, cables.first[c + 1] + c, model.balls.row[at_load(cables, c)]
            out.tension[row, c] = norm(at3(out.tip_force[row], c))
            out.impulse[row, c] = norm(
                (record.impulse[row, ends[0]], record.impulse[row, ends[1]], record.impulse[row, ends[2]])
            )
            out.gap[row, c] = out.length[row, c] - norm(sub(at3(out.node[row], last), at3(out.node[row], first)))


@part()
def record_lengths(flow, q, record, row):
    """Lengths of the spans."""
    if flow is not None:
        for i in range(flow.cable.shape[0]):
            record.length[row, flow.cable[i]] = q[flow.q[i]]


@part()
def record_pulls(flow, roots, frequency, work, record, row):
    """Add the tension at rings and wheels to the forces of the spans' tips on what they are closed to.

    roots : to those of the roots instead, of the spans that are told the other way round
    """
    if flow is not None:
        for r in range(flow.row.shape[0]):
            for j in range(2):
                i, n = flow.end[r, j], flow.row[r]
                if i >= 0 and flow.at_tip[r, j] != roots and (flow.turned[i] or not roots):
                    pull, z = frequency * (work.p[n] - work.impulse[n]), Z_ROOT if roots else Z_TIP
                    for k in range(3):
                        record.tip_force[row, flow.cable[i], k] -= flow.sign[r, j] * pull * work.cable.flow.K[i, z + k]


@part()
def record_pulls_of_wheels(wheels, flow, roots, frequency, work, record, row):
    """Add what the wire on the wheels bears to the forces of the spans' tips on them; ``roots`` as above."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            if not wheels.swivels[i]:
                for j in range(2):
                    c, sign = wheels.cable[i, j], wheels.sign[i, j]
                    if (sign > 0.0) != roots and (is_turned(flow, c) or not roots):
                        pull = 0.0
                        for k in range(MASS, RUN + 1):
                            n = wheels.row[i, k]
                            turn = component(wheels.side[i, k, j], TIP_TURN + (0 if roots else 1))
                            pull += work.J[turn] * (work.p[n] - work.impulse[n])
                        z = out_of(wheels, i, j, work.cable.node)
                        for k in range(3):
                            record.tip_force[row, c, k] += sign * frequency * pull * z[k]


@part()
def at_load(cables, c):
    """Ball joint at the end of cable c that is told as its tip."""
    return cables.root_closure[c] if is_turned(cables.flow, c) else cables.closure[c]


@part()
def is_turned(flow, c):
    """Whether cable c is told from its tip, at a pulley, to its root, at its load."""
    found = False
    if flow is not None:
        for i in range(flow.cable.shape[0]):
            found = found or (flow.turned[i] and flow.cable[i] == c)
    return found


@part()
def turn_spans(flow, cables, model, frequency, work, record, row):
    """Exchange the ends of the spans that are told the other way round; the forces at their tips are known.

    What rings and wheels add to those at their roots is added behind that.
    """
    if flow is not None:
        for i in range(flow.cable.shape[0]):
            if flow.turned[i]:
                c = flow.cable[i]
                first, last = cables.first[c] + c, cables.first[c + 1] + c
                for j in range(3):
                    end = model.balls.row[cables.root_closure[c], j]
                    record.exit_force[row, c, j] = -record.tip_force[row, c, j]
                    record.tip_force[row, c, j] = -frequency * (work.p[end] - work.impulse[end])
                    for e in range(last - first + 1):
                        record.node[row, last - e, j] = work.cable.node[first + e, j]
                for j in range(2):
                    error = record.closure[row, c, j]
                    record.closure[row, c, j] = record.closure[row, c, 2 + j]
                    record.closure[row, c, 2 + j] = error
