"""The history of a multistep method: the last states, the polynomials through them, and the size of the next step.

Through the last p states and the new one at t goes a polynomial; its derivative at t gives, for any spacing in time,
the history sums Q, V and the share b of q⁺ = Q + b v⁺, v⁺ = V + b a⁺. One through the last p velocities alone predicts.

Source: BDF with variable coefficients (Hairer & Wanner, Solving Ordinary Differential Equations, vol. I, ch. III.5).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import part, shared
from towsim.model.arrays import Drive, Flags, Floats, Floats3, Ints
from towsim.model.compile import Compiled

MOST = 4
"""Highest order."""

FIRST = 1.0 / 128.0
"""First step after a start, relative to the full one: with doubling, eight steps make a full one."""

TIME, SIZE, LOW, HIGH, NEXT, SHARE, END, AT, HERE, SLOPE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9  # places in ``clock``
HEAD, COUNT, ORDER, GROWN, SAMPLE, EVENTS, BRACKET, STAGE, WHICH, TOLD, SAME = range(11)  # places in ``place``


class Multistep(NamedTuple):
    """What a multistep method keeps from step to step, and its scratch."""

    clock: Floats  # (10,) time of the state, last step, bracket of an event (sizes), time and b of the step under way,
    #                and four of methods/bdf_events
    place: Ints  # (11,) newest state, how many, order, the last one's, drive sample, events since then, bracketing, and
    #              four of methods/bdf_events
    time: Floats  # (4,) of the last states
    q: Floats  # (4, nq)
    v: Floats  # (4, nv)
    robot_rate: Floats3  # (4, n_robots, 3)
    feed_rate: Floats  # (4, nk)
    e: Floats  # (4,) weights of the prediction
    w: Floats  # (4,) weights of the history sums
    Q: Floats  # (nq,)
    V: Floats  # (nv,)
    q_star: Floats  # (nq,)
    v_star: Floats  # (nv,)
    guess: Floats  # (nq,)
    spin: Floats3  # (nb, 3)
    known: Drive  # known motions at the end of the step under way, one sample
    pattern: Flags  # (nr,) unilateral rows that were held at the last start
    touching: Flags  # (number of springs,) elastic wires that are stretched, elastic contacts that are closed


def make_multistep(compiled: Compiled) -> Multistep:
    """Memory for a compiled scene."""
    start, model = compiled.start(), compiled.model
    nq, nv, nb = len(start.q), len(start.v), len(model.bodies.mass)
    zeros = np.zeros
    return Multistep(
        clock=zeros(10),
        place=np.zeros(11, np.int64),
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


@shared
@part()
def know(drive, time, k, t, known):
    """Bring ``known`` to the instant t between samples k and k + 1: exact at these, cubics and lines between them."""
    h = time[k + 1] - time[k]
    x = (t - time[k]) / h  # 1 at t = time[k + 1]
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


@part(forceinline=False)
def start_anew(past, t, state, robot_rate, feed_rate, h):
    """Forget the history: the next step is a small one of order 1, from the state at t."""
    past.place[COUNT] = 0
    past.place[GROWN] = 0
    past.place[BRACKET] = 0
    past.place[STAGE] = 0
    past.clock[TIME] = t
    past.clock[SIZE] = 0.5 * FIRST * h
    remember(past, t, state.q, state.v, robot_rate, feed_rate)


@part()
def choose_step(past, order, h, end):
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
