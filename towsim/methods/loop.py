"""What the loops of the methods share: how a block begins, who solves a step's problem, how it is noted and judged.

A loop runs over a block of steps, compiled: problem, solution, state, again. A step that cannot be solved, or would
stretch a wire beyond the limit, ends the block; the caller learns the number of good steps and why, and takes it from
there. A problem that the loop does not solve itself (it needs a search, or was asked for) is handed out as UNDECIDED:
its answer goes to ``work``, and the loop is called to go on. One that is to be looked at, as many rows of it depend on
each other, is handed out with its answer, as REDUNDANT.

What is None (no cables, no friction) is handed to the parts that use it as an argument of its own: numba leaves out the
branches of an argument that is None, so a scene compiles only what it needs.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from solvers.active_set.unique import UNKNOWN
from solvers.kernels.compiled import part
from solvers.kernels.dual import value
from solvers.kernels.fours import largest
from solvers.kernels.indices import piece
from towsim.constraints.pulley import runs_out
from towsim.constraints.sheave import stretched_parts
from towsim.dynamics.cables import locate_cables, spent, strained
from towsim.dynamics.sheaves import record_sheaves
from towsim.dynamics.wheels import left_wheels
from towsim.methods.geometry import geometry
from towsim.methods.recording import record_cables, record_gaps, record_pose, record_rates
from towsim.methods.solve import cone_newton_as_typed, solve_as_typed, to_least_norm, uniqueness, warm_start_large
from towsim.methods.watch import hysteresis
from towsim.methods.work import GAPS, ITERATIONS, RANK, RESIDUAL, SCALE, STEP

if TYPE_CHECKING:
    from solvers.active_set.implicit import Values
    from solvers.friction.cone import Cones
    from solvers.kernels.handle import Handle
    from towsim.methods.work import Record, Work
    from towsim.model.arrays import Cables, Drive, Floats, Ints, State
    from towsim.model.model import Model

GOOD, UNSOLVED, STRETCHED, FULL, NOT_FINITE, UNDECIDED, STRAINED, LOST, SPENT, LEFT, REDUNDANT, HAULED_IN = range(12)

HANDED_OUT = UNDECIDED, REDUNDANT
"""Why a problem is handed out."""

EPSILON = 2.0**-52
"""From 1 to the next number."""

FARTHEST = 1e12
"""Largest coordinate or velocity that counts as finite."""


class RunArrays(NamedTuple):
    """What a loop gets once a run."""

    model: Model
    cables: Cables | None
    cones: Cones | None  # of the friction
    large: Handle | None  # of a ``Large``, where there are many rows
    h: float  # step [s]
    share: float  # stretch at which a step is refused, of a wire's length
    state: State
    work: Work
    scratch: Floats  # the solvers' memory
    counts: Ints
    watch: Handle  # of a Watch
    values: Values | None  # where the numbers above are duals; None of plain ones


class BlockArrays(NamedTuple):
    """What a loop gets once a block."""

    drive: Drive
    time: Floats  # (K+1,) [s]
    first: bool  # whether the block begins the run
    record: Record


@part()
def rounding_of_gaps(model, drive, k, q, h, work):
    """Bound the rounding errors of ψ/h in a step: a gap is a difference of numbers of the size of places and lengths.

    k : sample of the drive at which the step begins
    """
    length = piece(drive.length[k], 0, model.wires.row.shape[0])
    work.rounding[GAPS] = 4.0 * EPSILON * largest(q, drive.robot[k], length, 1e-9) / h


@part(forceinline=False)
def begin_block(run, block):
    """Bring the geometry to the state, and make row 0 from it: forces and accelerations are not known there (NaN)."""
    model, state, work, drive, record = run.model, run.state, run.work, block.drive, block.record
    known = drive.robot[0], drive.robot_rate[0], drive.feed[0], drive.feed_rate[0]
    locate_cables(run.cables, state.q, state.v, known, work)
    geometry(model, state.q, drive.robot[0], drive.length[0], work)
    record_pose(model.bodies, state.q, record, 0)
    record_gaps(work.gap, record, 0)
    record_rates(model.bodies, state.v, state.v, 0.0, 1.0, 1.0, work.Y, record, 0)
    for i in range(model.bodies.mass.shape[0]):
        for j in range(3):
            record.acceleration[0, i, j] = math.nan
            record.angular_acceleration[0, i, j] = math.nan
    for i in range(work.p.shape[0]):
        record.force[0, i] = math.nan
        record.impulse[0, i] = 0.0
    record.residual[0] = math.nan
    record.unique[0] = UNKNOWN
    for i in range(work.cable.exit.shape[0]):
        for j in range(3):
            work.cable.exit[i, j] = math.nan
    record_cables(run.cables, model, drive, 0, state.q, state.v, math.nan, work, record, 0)
    record_sheaves(model.sheaves, model.routes, drive.length[0], state.v, record.sheaves, 0)


@part()
def solve_problem(run, cones, large, k, rounding):
    """Solve step k's problem in ``work``: (GOOD or why it is handed out, a number for the caller, who learns more).

    UNDECIDED tells how many factorisations there were before ``active_set.search`` takes over, UNSOLVED the solver's
    status; REDUNDANT that the problem is solved, on many rows that depend on each other.

    cones, large : of the run, or None;  rounding : rounding errors in q [m/s]
    """
    work, answer, scratch = run.work, run.work.answer, (run.scratch, run.counts)
    good = GOOD
    if cones is not None:
        status, iterations, residual = cone_newton_as_typed(run.values, k, run.model.rows, work, cones, scratch)
        answer[RESIDUAL], answer[ITERATIONS], answer[RANK], answer[SCALE] = residual, iterations, -1.0, -1.0
        return GOOD if status == 0 else UNSOLVED, status
    if large is not None:
        problem, found = (work.A, run.model.rows.envelope, large, work.q, work.kind), (work.p, work.w, work.taut)
        residual, iterations, rank, redundant = warm_start_large(*problem, *found, *scratch, rounding, False)
        scale, good = -1.0, REDUNDANT if redundant else GOOD
    else:
        residual, iterations, rank, scale = solve_as_typed(run.values, k, run.model.rows, work, scratch, rounding)
    answer[RESIDUAL], answer[ITERATIONS], answer[RANK], answer[SCALE] = residual, iterations, rank, scale
    return good if residual >= 0.0 else UNDECIDED, iterations


@part()
def decide(run, ask, k):
    """As ``solve_problem``; with ``ask`` the problem is handed out: UNDECIDED."""
    if ask:
        return UNDECIDED, 0
    return solve_problem(run, run.cones, run.large, k, run.work.rounding[STEP])


@part()
def note(run, cones, record, row):
    """Record how the step was solved in row ``row``."""
    work, answer = run.work, run.work.answer
    rank, scale = int(value(answer[RANK])), value(answer[SCALE])
    record.residual[row] = answer[RESIDUAL]
    record.iterations[row] = int(value(answer[ITERATIONS]))
    unique, of_held = uniqueness(run.model.rows, cones, run.large, work, rank, scale, run.scratch, run.counts)
    record.rank[row] = of_held
    record.unique[row] = unique


@part()
def record_least_norm(values, work, record, row):
    """Of forces and impacts that are not unique, record those of least norm: of runs with derivatives."""
    to_least_norm(values, work.kind, record.force[row])
    to_least_norm(values, work.kind, record.impulse[row])


@part()
def judge(run, cables, length, feed, h):
    """(GOOD, or why the step that led to the state is refused; whether all wires are and were taut, see slack_step).

    length : of the wires as the step began [m];  feed : of the cables as it ends [m]
    h : duration of the step's kick [s]
    """
    work, q, v, wires = run.work, run.state.q, run.state.v, run.model.wires
    closed, open_from = True, hysteresis(h)
    for i in range(wires.row.shape[0]):
        gap = work.gap[wires.row[i]]
        if not (gap >= -run.share * value(length[i]) or wires.elastic[i]):
            return STRETCHED if all_numbers(work.gap) else NOT_FINITE, False
        closed &= gap <= open_from
    if stretched_parts(run.model.sheaves, run.model, length, run.share, work):
        return STRETCHED if all_numbers(work.gap) else NOT_FINITE, False
    if runs_out(run.model.routes, work.gap):
        return HAULED_IN, False
    for i in range(run.model.bodies.mass.shape[0]):
        x = q[7 * i] + q[7 * i + 1] + q[7 * i + 2] + q[7 * i + 6]
        if not abs(x) < FARTHEST:
            return NOT_FINITE, False
    if cables is not None:
        for i in range(cables.q[0], q.shape[0]):
            if not abs(q[i]) < FARTHEST:
                return NOT_FINITE, False
        for i in range(cables.v[0], v.shape[0]):
            if not abs(v[i]) < FARTHEST:
                return NOT_FINITE, False
        if strained(cables, feed, q):
            return STRAINED, False
        if spent(cables.flow, q):
            return SPENT, False
        if left_wheels(run.model.wheels):
            return LEFT, False
    return GOOD, closed and run.watch.calm[0]


@part()
def all_numbers(x):
    """Whether none of them is NaN."""
    numbers = True
    for i in range(x.shape[0]):
        numbers &= x[i] == x[i]
    return numbers
