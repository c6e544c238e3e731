"""Rows that come and go: wires that break, are cut, attached or detached, and joints that are detached.

The layout of the rows never changes. A row that is off acts nowhere (J = 0) and is slack: it has a compliance of its
own, and a wire's gap is its whole length; so its impulse is zero whatever solver and form of the problem are used.

A wire breaks in the step in which its impulse p would exceed what it bears, p_max: the breaking tension times the
step's duration, or the breaking impulse, less what a jerk under way has passed on, or, of a taut wire, beside the force
of the step before. The impulse p_max is passed on, as a known one, and the step's problem is solved again without it,

    q_j ← q_j + A_jr p_max

after which it acts as those of the other rows do (``pass_on``).

A wire with friction on what it passes breaks where its tension is largest; p_max is then passed on without friction.

As the step is halved a breaking tension passes less and less of a jerk on, in the limit nothing: a wire that does not
stretch and bears a finite tension breaks at once.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.model.arrays import OFF_COMPLIANCE
from towsim.model.sides import component

SLACK, JERK, TAUT = 0, 1, 2
"""Phases of a wire, as the watch over taut and slack wires knows them."""


@part()
def silence_gaps(switches, rows, length, off, J, gap):
    """Rows that are off are slack (wires) or met (joints), and act nowhere."""
    if switches is not None:
        for i in range(switches.row.shape[0]):
            if off[i]:
                if J is not None:
                    clear_sides(rows, switches.row[i], J)
                gap[switches.row[i]] = length[switches.wire[i]] if switches.wire[i] >= 0 else 0.0


@part()
def silence_rows(switches, rows, off, J, rate):
    """Rows that are off act nowhere."""
    if switches is not None:
        for i in range(switches.row.shape[0]):
            if off[i]:
                clear_sides(rows, switches.row[i], J)
                rate[switches.row[i]] = 0.0


@part()
def clear_sides(rows, row, J):
    """Zero the directions of a row's sides."""
    for k in range(rows.ptr[row], rows.ptr[row + 1]):
        for j in range(6):
            J[component(rows.side[k], j)] = 0.0


@part()
def largest(routes, row, p):
    """Largest impulse along a wire: that of its row, or with friction of one of its parts."""
    here = most = p[row]
    if routes is not None:
        for c in range(routes.rubbing.shape[0]):
            if routes.rubbing[c, 1] == row:
                here += p[routes.rubbing[c, 0]]
                most = max(most, here)
    return most


@part()
def overload(switches, routes, rows, length, h, span, work, watch):
    """Break the wires whose impulses exceed what they bear; True if any did, and the problem is to be solved again.

    h, span : step, and duration of the kick [s]
    """
    found = False
    if switches is not None:
        for i in range(switches.row.shape[0]):
            row, wire = switches.row[i], switches.wire[i]
            if work.off[i] or wire < 0:
                continue
            most, passed, smooth = switches.tension[i] * span, 0.0, 0.0
            if watch.phase[wire] == JERK:
                passed = watch.impulse[wire]
            elif watch.phase[wire] == TAUT:
                smooth = watch.force[wire] * span
            most = min(most, max(switches.impulse[i] - passed, 0.0) + smooth)
            if largest(routes, row, work.p) > most:
                found = True
                work.off[i] = True
                work.cap[i] = most
                work.snap[i] = most - smooth if most < switches.tension[i] * span else 0.0
                release(rows, row, most, work.snap[i], length[wire] / h, work)
    return found


@part()
def release(rows, row, impulse, snap, rate, work):
    """Make a row's impulse, of which ``snap`` is an impact, a known one, and the row slack at the given rate."""
    n = rows.kind.shape[0]
    for j in range(n):
        i, k = max(j, row), min(j, row)
        diagonal = rows.envelope[i + 1] - 1
        at = diagonal - (i - k)
        if at >= rows.envelope[i]:
            work.q[j] += work.A[at] * impulse
            work.snapped[j] += work.A[at] * snap
            work.A[at] = 0.0
    work.A[rows.envelope[row + 1] - 1] = OFF_COMPLIANCE
    rows.compliance[row] = OFF_COMPLIANCE
    work.q[row] = rate
    work.taut[row] = False


@part()
def pass_on(switches, work):
    """Before the impulses of the step are applied: those with which wires broke are among them."""
    if switches is not None:
        for i in range(switches.row.shape[0]):
            if work.cap[i] >= 0.0:
                work.p[switches.row[i]] = work.cap[i]
                work.impulse[switches.row[i]] = work.snap[i]


@part()
def mend(switches, rows, work):
    """A step begins: wires that broke in one that was not finished are whole."""
    if switches is not None:
        for i in range(work.snapped.shape[0]):
            work.snapped[i] = 0.0
        for i in range(switches.row.shape[0]):
            if work.cap[i] >= 0.0:
                work.cap[i] = -1.0
                work.off[i] = False
                rows.compliance[switches.row[i]] = 0.0
