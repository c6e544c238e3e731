"""Rows that come and go: wires that break, are cut, attached or detached, and joints that are detached.

The layout of the rows never changes. A row that is off acts nowhere (J = 0) and is slack: it has a compliance of its
own, and a wire's gap is its whole length; so its impulse is zero whatever solver and form of the problem are used.

Of a step's impulse p = P + h λ (see ``methods/impulses``) the force λ is held against the breaking tension, and the
impact P, with what the jerk under way has passed on before, against the breaking impulse: whichever a wire declares. A
jerk has no tension in a wire that does not stretch, and a force no impulse, whatever the step. Which share of an impact
falls to the first of its steps is chance: the force is held against the breaking tension once all has been passed on.

A wire breaks in the step in which either would be more than it bears: of several the one that bears the least share of
its own first, as it may spare the others. What it does bear, p_max, is passed on as a known impulse, and the step's
problem is solved again without the wire,

    q_j ← q_j + A_jr p_max

after which it acts as those of the other rows do (``pass_on``).

A wire with friction on what it passes breaks where its tension is largest; p_max is then passed on without friction.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.dual import value
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
def strained(switches, routes, span, work, watch):
    """Whether any wire bears so much in a step that it may break, be it by force or by impact.

    span : duration of the kick [s]
    """
    for i in range(switches.row.shape[0]):
        if not work.off[i] and switches.wire[i] >= 0:
            most = min(switches.tension[i] * span, spared(switches, i, watch))
            if largest(routes, switches.row[i], work.p) > most:
                return True
    return False


@part()
def spared(switches, i, watch):
    """Impulse that the jerk under way leaves of what a wire bears [N s]."""
    wire = switches.wire[i]
    passed = watch.impulse[wire] if watch.phase[wire] == JERK else 0.0
    return max(switches.impulse[i] - passed, 0.0)


@part()
def overload(switches, routes, rows, length, h, span, most, work, watch):
    """Break the wire that breaks first; True if one did, and the problem is to be solved again.

    h, span : step, and duration of the kick [s];  most : steps that an impact may take which a row's closing makes
    """
    first, share = -1, 1.0
    for i in range(switches.row.shape[0]):
        if not work.off[i] and switches.wire[i] >= 0:
            borne = share_borne(switches, routes, i, span, most, work, watch)
            if borne < share:
                first, share = i, borne
    if first >= 0:
        row = switches.row[first]
        impact = largest(routes, row, work.impulse)
        work.off[first] = True
        work.snap[first] = min(impact, spared(switches, first, watch))
        work.cap[first] = work.snap[first] + min(largest(routes, row, work.p) - impact, switches.tension[first] * span)
        release(rows, row, work.cap[first], work.snap[first], length[switches.wire[first]] / h, work)
    return first >= 0


@part()
def share_borne(switches, routes, i, span, most, work, watch):
    """Share of what a wire is to bear at which it breaks, 1 if it does not; impacts grow all together, as forces do."""
    row = switches.row[i]
    whole, impact = value(largest(routes, row, work.p)), value(largest(routes, row, work.impulse))
    force, bears, left = whole - impact, value(switches.tension[i] * span), value(spared(switches, i, watch))
    if impact > left:
        return left / impact
    struck = impact > 0.0 and (work.age[row] < most or impact > force)
    return bears / force if force > bears and not struck else 1.0


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
