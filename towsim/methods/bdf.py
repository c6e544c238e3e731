"""The linearly implicit BDF-p step in delta form, on the position level; p = 1..4, one complementarity problem a step.

Through the last p states and the new one at t goes a polynomial; its derivative at t gives, for any spacing in time,

    q⁺ = Q + b v⁺,   v⁺ = V + b a⁺,      Q = Σ w_i q_i,  V = Σ w_i v_i

and a polynomial through the last p velocities alone predicts v* = Σ e_i v_i, q* = Q + b v*, a* = (v* − V)/b. Then

    (M + b C + b² K) d − Jᵀ p = b (f − C v* − K (q* − q₀) − M a*),   v⁺ = v* + d,   q⁺ = q* + b d
    0 ≤ p ⟂ J d + φ(q*, t)/b ≥ 0     (free rows: = 0),      force = p/b

with M, f, J at the starred state. Forces with springs and dampers of their own (elastic ground) are rows with a
compliance: from λ = −(k φ + c φ̇) at the end of the step,

    J d + p/(b (c + b k)) + (k φ* + c φ̇*)/(c + b k) = 0

A step starts anew (BDF1, then BDF2 in steps that double, then up to order p) at the start, at known kinks, and where
the pattern of held rows or touching springs changes; such an event is located by bisection of the step.

Source: BDF with variable coefficients (Hairer & Wanner II, ch. III.5 of vol. I); linearly implicit on index-3 DAEs.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import part
from towsim.constraints.rows import row_rates, wrenches
from towsim.dynamics.cables import kick_cables, locate_cables, respond
from towsim.dynamics.delta import correct_bodies, free_bodies, move_cables, predict_bodies
from towsim.methods.geometry import gaps, geometry, row_directions
from towsim.methods.recording import record_cables, record_pose, record_rates, record_rows
from towsim.methods.stewart_trinkle import responses_and_matrix
from towsim.model.arrays import FREE, OFF, UNILATERAL, Drive, Flags, Floats, Ints
from towsim.model.compile import Compiled

MOST = 4
"""Highest order."""

FIRST = 1.0 / 128.0
"""First step after a start, relative to the full one: with doubling, eight steps make a full one."""

LOCATED = 1e-5
"""Width of the bracket in which an event counts as located, relative to the full step."""

RESTARTS = 64
"""Events that are located between two recorded instants; further ones are only started from."""

TIME, SIZE, LOW, HIGH, NEXT, SHARE = 0, 1, 2, 3, 4, 5  # places in ``clock``
HEAD, COUNT, ORDER, GROWN, SAMPLE, EVENTS, BRACKET = 0, 1, 2, 3, 4, 5, 6  # places in ``place``


class Multistep(NamedTuple):
    """What a multistep method keeps from step to step, and its scratch."""

    clock: (
        Floats  # (6,) time of the state, last step, bracket of an event (step sizes), time and b of the step under way
    )
    place: (
        Ints  # (7,) newest state, number of states, order, ..., drive sample of the interval, events in it, bracketing
    )
    time: Floats  # (4,) of the last states
    q: Floats  # (4, nq)
    v: Floats  # (4, nv)
    robot_rate: Floats  # (4, n_robots, 3)
    feed_rate: Floats  # (4, nk)
    e: Floats  # (4,) weights of the prediction
    w: Floats  # (4,) weights of the history sums
    Q: Floats  # (nq,)
    V: Floats  # (nv,)
    q_star: Floats  # (nq,)
    v_star: Floats  # (nv,)
    guess: Floats  # (nq,)
    spin: Floats  # (nb, 3)
    known: Drive  # known motions at the end of the step under way, one sample
    pattern: Flags  # (nr,) unilateral rows that were held at the last start
    touching: Flags  # (number of springs,) elastic wires that are stretched, elastic contacts that are closed


def make_multistep(compiled: Compiled) -> Multistep:
    """Memory for a compiled scene."""
    start, model = compiled.start(), compiled.model
    nq, nv, nb = len(start.q), len(start.v), len(model.bodies.mass)
    zeros = np.zeros
    return Multistep(
        clock=zeros(6),
        place=np.zeros(7, np.int64),
        time=zeros(MOST),
        q=zeros((MOST, nq)),
        v=zeros((MOST, nv)),
        robot_rate=zeros((MOST, len(compiled.scene.robots), 3)),
        feed_rate=zeros((MOST, len(compiled.cable_names))),
        e=zeros(MOST),
        w=zeros(MOST),
        Q=zeros(nq),
        V=zeros(nv),
        q_star=zeros(nq),
        v_star=zeros(nv),
        guess=zeros(nq),
        spin=zeros((nb, 3)),
        known=compiled.driver.blank(1),
        pattern=np.zeros(len(model.rows.kind), np.bool_),
        touching=np.zeros(0 if model.springs is None else len(model.springs.row), np.bool_),
    )


@part()
def weights(time, head, order, t, e, w):
    """Weights of the prediction (e) and of the history sums (w) for a step to t; returns b.

    time : of the last states, the newest at ``head``, the one before at ``head`` − 1, cyclic
    """
    rate = 0.0
    for i in range(MOST):
        e[i] = 0.0
        w[i] = 0.0
    for i in range(order):
        at = (head - i) % MOST
        product = 1.0
        for j in range(order):
            if j != i:
                other = time[(head - j) % MOST]
                product *= (t - other) / (time[at] - other)
        e[at] = product
        w[at] = product / (t - time[at])
        rate += 1.0 / (t - time[at])
    b = 1.0 / rate
    for i in range(MOST):
        w[i] *= b
    return b


@part()
def blend(weight, history, out):
    """Σ weight_i history_i of the four last states, element by element."""
    a, b, c, d = weight[0], weight[1], weight[2], weight[3]
    for i in range(out.shape[0]):
        out[i] = a * history[0, i] + b * history[1, i] + c * history[2, i] + d * history[3, i]


@part()
def hermite(a, b, rate_a, rate_b, h, x):
    """Value and rate at the share x of an interval h with these values and rates at its ends."""
    y = 1.0 - x
    value = a * y * y * (1.0 + 2.0 * x) + b * x * x * (3.0 - 2.0 * x) + h * x * y * (rate_a * y - rate_b * x)
    rate = 6.0 * x * y * (b - a) / h + rate_a * y * (1.0 - 3.0 * x) + rate_b * x * (3.0 * x - 2.0)
    return value, rate


@part()
def know(drive, time, k, t, known):
    """Bring ``known`` to the instant t between samples k and k + 1: exact at these, cubics and lines between them."""
    h = time[k + 1] - time[k]
    x = (t - time[k]) / h
    if t >= time[k + 1]:
        x = 1.0
    for i in range(drive.robot.shape[1]):
        for j in range(3):
            at, rate = drive.robot, drive.robot_rate
            known.robot[0, i, j], known.robot_rate[0, i, j] = hermite(
                at[k, i, j], at[k + 1, i, j], rate[k, i, j], rate[k + 1, i, j], h, x
            )
    for i in range(drive.length.shape[1]):
        known.length[0, i], known.length_rate[0, i] = hermite(
            drive.length[k, i], drive.length[k + 1, i], drive.length_rate[k, i], drive.length_rate[k + 1, i], h, x
        )
    for i in range(drive.feed.shape[1]):
        known.feed[0, i], known.feed_rate[0, i] = hermite(
            drive.feed[k, i], drive.feed[k + 1, i], drive.feed_rate[k, i], drive.feed_rate[k + 1, i], h, x
        )
    for j in range(3):
        known.wind[0, j] = (1.0 - x) * drive.wind[k, j] + x * drive.wind[k + 1, j]
        for i in range(drive.load.shape[1]):
            known.load[0, i, j] = (1.0 - x) * drive.load[k, i, j] + x * drive.load[k + 1, i, j]
        for i in range(drive.exit_force.shape[1]):
            known.exit_force[0, i, j] = (1.0 - x) * drive.exit_force[k, i, j] + x * drive.exit_force[k + 1, i, j]


@part()
def remember(past, t, q, v, robot_rate, feed_rate):
    """Make the state at t the newest one of the history."""
    head = (past.place[HEAD] + 1) % MOST
    past.place[HEAD] = head
    past.place[COUNT] = min(past.place[COUNT] + 1, MOST)
    past.time[head] = t
    for i in range(q.shape[0]):
        past.q[head, i] = q[i]
    for i in range(v.shape[0]):
        past.v[head, i] = v[i]
    for i in range(robot_rate.shape[0]):
        for j in range(3):
            past.robot_rate[head, i, j] = robot_rate[i, j]
    for i in range(feed_rate.shape[0]):
        past.feed_rate[head, i] = feed_rate[i]


@part()
def start_anew(past, t, state, robot_rate, feed_rate, h):
    """Forget the history: the next step is a small one of order 1, from the state at t."""
    past.place[COUNT] = 0
    past.place[GROWN] = 0
    past.place[BRACKET] = 0
    past.clock[TIME] = t
    past.clock[SIZE] = 0.5 * FIRST * h
    remember(past, t, state.q, state.v, robot_rate, feed_rate)


@part()
def choose(past, order, h, end):
    """Size, order and b of the next step towards the instant ``end``: its time goes to ``past.clock[NEXT]``."""
    clock, place = past.clock, past.place
    left = end - clock[TIME]
    if place[BRACKET] == 1:
        size = 0.5 * (clock[LOW] + clock[HIGH])
    else:
        size = min(2.0 * clock[SIZE], h)
        if size >= left * (1.0 - 1e-9):
            size = left
        elif 2.0 * size > left:
            size = 0.5 * left
        # The order rises by one a step, and not beyond 2 while steps grow.
        growing = size > 1.01 * clock[SIZE]
        place[ORDER] = min(place[COUNT], 2 if growing else order, place[GROWN] + 1)
    t = clock[TIME] + size
    if place[BRACKET] == 0 and size == left:
        t = end
    clock[NEXT] = t
    clock[SHARE] = weights(past.time, place[HEAD], place[ORDER], t, past.e, past.w)


@part()
def predict(model, cables, past, work):
    """Starred state, history sums and rates for the step under way; rotations and inverse inertias go to ``work``."""
    b = past.clock[SHARE]
    blend(past.e, past.v, past.v_star)
    blend(past.w, past.v, past.V)
    blend(past.w, past.q, past.Q)
    frequency = 1.0 / b
    nb = model.bodies.mass.shape[0]
    for i in range(nb):
        for j in range(7 * i + 3, 7 * i + 7):
            past.guess[j] = (
                past.e[0] * past.q[0, j]
                + past.e[1] * past.q[1, j]
                + past.e[2] * past.q[2, j]
                + past.e[3] * past.q[3, j]
            )
    for i in range(past.V.shape[0]):
        work.cable.rate[i] = frequency * (past.v_star[i] - past.V[i])
    predict_bodies(model.bodies, b, past.guess, past.Q, past.v_star, past.q_star, past.spin, work.R, work.Y)
    if cables is not None:
        move_cables(cables, b, past.Q, past.v_star, past.q_star)
        known, scratch = past.known, work.cable
        w = past.w
        for i in range(scratch.robot_acceleration.shape[0]):
            for j in range(3):
                sums = 0.0
                for n in range(MOST):
                    sums += w[n] * past.robot_rate[n, i, j]
                scratch.robot_acceleration[i, j] = frequency * (known.robot_rate[0, i, j] - sums)
        for c in range(scratch.feed_acceleration.shape[0]):
            sums = 0.0
            for n in range(MOST):
                sums += w[n] * past.feed_rate[n, c]
            scratch.feed_acceleration[c] = frequency * (known.feed_rate[0, c] - sums)


@part()
def begin(model, cables, state, past, work):
    """Write the problem of the step under way, to the instant of ``past.known``, to ``work`` (A, q)."""
    b = past.clock[SHARE]
    known = past.known
    predict(model, cables, past, work)
    free_bodies(
        model.bodies, model.loads, known.load[0], known.wind[0], b, past.v_star, work.cable.rate, work.R, work.Y,
        work.minv, work.f, work.u,
    )  # fmt: skip
    if cables is not None:
        motions = known.robot[0], known.robot_rate[0], known.feed[0], known.feed_rate[0], known.exit_force[0]
        respond(cables, model.bodies.gravity, past.q_star, past.v_star, past.q_star, state.q, state.v, motions, b, work)
    gaps(model, past.q_star, known.robot[0], known.length[0], work)
    row_directions(model, known.robot_rate[0], known.length[0], known.length_rate[0], work)
    spring_compliance(model, model.springs, past, work)
    responses_and_matrix(model.rows.tow, model.rows.lists, model, cables, work)
    frequency = 1.0 / b
    for i in range(work.bias.shape[0]):
        work.bias[i] = frequency * work.gap[i]
    spring_bias(model, model.springs, past, work)
    row_rates(model.rows, work.J, work.u, work.bias, work.q)


@part()
def spring_compliance(model, springs, past, work):
    """Kinds and compliances of the rows of springs: switched off while they do not touch."""
    if springs is not None:
        b = past.clock[SHARE]
        for i in range(springs.row.shape[0]):
            row = springs.row[i]
            per = 1.0 / past.known.length[0, springs.wire[i]] if springs.wire[i] >= 0 else 1.0
            model.rows.compliance[row] = 0.0
            work.kind[row] = OFF
            if past.touching[i]:
                model.rows.compliance[row] = 1.0 / (b * per * (springs.damping[i] + b * springs.stiffness[i]))
                work.kind[row] = FREE if springs.pulls[i] else UNILATERAL


@part()
def spring_bias(model, springs, past, work):
    """Bias (k φ* + c φ̇*)/(c + b k) of the rows of springs that touch."""
    if springs is not None:
        b, nb = past.clock[SHARE], model.bodies.mass.shape[0]
        for i in range(springs.row.shape[0]):
            if past.touching[i]:
                row = springs.row[i]
                rate = work.rate[row]
                for s in range(model.rows.ptr[row], model.rows.ptr[row + 1]):
                    n = model.rows.node[s]
                    if n < nb:
                        for j in range(3):
                            rate += work.J[s, j] * past.v_star[6 * n + j] + work.J[s, 3 + j] * past.spin[n, j]
                k, c = springs.stiffness[i], springs.damping[i]
                work.bias[row] = (k * work.gap[row] + c * rate) / (c + b * k)


@part()
def gap_after(model, past, work, row):
    """Gap of a row after the step under way, to first order in d: φ* + b J d [m]."""
    moved = work.w[row] - work.bias[row] - model.rows.compliance[row] * work.p[row]
    return work.gap[row] + past.clock[SHARE] * moved


@part()
def correct(model, cables, past, work):
    """State after the step under way, from its impulses ``work.p``, into ``work.q_new`` and ``work.v_new``."""
    b = past.clock[SHARE]
    wrenches(model.rows, work.J, work.p, work.wrench)
    correct_bodies(
        model.bodies, b, past.Q, past.q_star, past.v_star, past.spin, work.Y, work.minv, work.f, work.u, work.wrench,
        work.q_new, work.v_new,
    )  # fmt: skip
    if cables is not None:
        kick_cables(cables, b, work)
        for i in range(cables.v[0], work.v_new.shape[0]):
            work.v_new[i] = past.v_star[i] + work.cable.d[i]
        move_cables(cables, b, past.Q, work.v_new, work.q_new)


@part()
def record(model, cables, state, past, work, out, row):
    """Record the state and what the step to it has found in row ``row``."""
    b, known = past.clock[SHARE], past.known
    if cables is not None:
        locate_cables(
            cables, state.q, state.v, known.robot[0], known.robot_rate[0], known.feed[0], known.feed_rate[0], work
        )
    geometry(model, state.q, known.robot[0], known.length[0], work)
    record_pose(model.bodies, state.q, work.gap, out, row)
    record_rates(model.bodies, past.V, state.v, 0.0, 1.0, b, work.Y, out, row)
    record_rows(work.p, work.impulse, b, out, row)
    for i in range(work.passed.shape[0]):
        out.impulse[row, i] = work.passed[i]
        work.passed[i] = 0.0
    if cables is not None:
        record_cables(model, cables, known, 0, state.q, state.v, b, work, out.cables, row)
