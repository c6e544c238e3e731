"""The closest problem that has a solution, for a step whose rows contradict each other by no more than the method errs.

Rows hold to the order of the method only: a rate w_i = (A p + q)_i makes a gap ψ_i(t+h) = h (w_i ± R_i), and R_i is the
error of q_i. Rows that depend on each other (hard wires in a closed set, joints of an overconstrained mechanism, a pull
that ends exactly taut) agree in their gaps, and contradict each other in q by as much. Then q + s is solved in place of
q, with the smallest shift s for which there is a solution,

    min Σ s²/A_ii   such that   0 ≤ z ⟂ A z + q + s ≥ 0   (free rows: = 0)   can be solved,

so that v⁺ meets dependent rows in the sense of least squares: the *closest feasible problem*. The proximal iteration
A z' + q + r (z' − z) ⟂ z' with r = ρ A_ii leads to it, s = r (z' − z), whether or not there is a solution (augmented
Lagrangian: Chiche & Gilbert, J. Convex Analysis 23, 2016). What it gathers in z on the way only braces dependent rows
against each other; the same from z = 0 for q + s, which has a solution, is free of that.

y = s/A_ii is the Farkas vector of the contradiction (y ≥ 0, A y = 0): no motion of the loads changes Σ y w, so that
rows part at −y·q = Σ y s. This proves something if it is more than the errors of q may make, and as a gap that a row
comes with is nothing that the step does, the step is taken if, for each set of rows that contradict each other,

    Σ y s ≤ Σ |y| E,   E_i = 2 R_i + max(−ψ_i, 0)/h + rounding   (free rows: |ψ_i|),

with h the time over which w acts (b of BDF). R is known once the step is tried, to its leading order; where gaps agree
to the last digit Σ y s is Σ y R. No wire grows by more than the method errs in a step, and what it is stretched by in
all is judged as ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from solvers.active_set.envelope import multiply
from solvers.status import SOLVED
from towsim.methods.solve import active_set, warm_start_large
from towsim.methods.work import GAPS
from towsim.model.arrays import FREE, OFF, Codes, Flags, Floats, Ints

if TYPE_CHECKING:
    from solvers.kernels.handle import Handle
    from towsim.methods.stepper import Stepper

PROXIMAL = 1e-8, 1e-6
"""ρ: far below what tells independent rows apart. A contradiction makes z of its size over ρ; where that loses too many
digits, because it is all there is in q, the larger one is taken."""

PASSES = 3
"""Steps of the proximal iteration: what independent rows are off by is then some ρ³ of what they were."""

SAME = 1e-14
"""Share of an impulse that rounding may change."""

TINY = 1e-300

ORDER = 2.0
"""Bound of an error that is known to its leading order only, in units of that."""

ROUNDING = 16.0
"""What rounding may add to a rate, in units of that of a gap over h."""


class Closest(NamedTuple):
    """Solution of the closest feasible problem.

    z, w : (n,) impulses and the rates A z + q that they give
    shift : (n,) s
    iterations : factorisations
    """

    z: Floats
    w: Floats
    shift: Floats
    iterations: int

    def share(self, q: Floats, d: Floats, kind: Codes) -> float:
        """The largest s/d in units of the largest q/d of the rows that act: what is slack lends them no size."""
        acting = (kind == FREE) | (self.z != 0.0)
        return float(np.abs(self.shift / d).max() / max(np.abs(q / d)[acting].max(initial=0.0), TINY))


def closest(
    A: Floats,
    ptr: Ints,
    q: Floats,
    kind: Codes,
    memory: tuple[Floats, Ints],
    guess: Flags | None = None,
    large: Handle | None = None,
) -> Closest | None:
    """Solve it; None if even that fails. ``A``, ``ptr``: an envelope; ``kind``, ``memory``: as of the active set.

    guess : (n,) rows that act; none unless given
    large : order of a problem with many rows, of which the factors are overwritten
    """
    begin = np.zeros(len(q), np.bool_) if guess is None else guess
    found = (_closest(A, ptr, q, kind, memory, begin, large, share) for share in PROXIMAL)
    return next((one for one in found if one is not None), None)


def _closest(
    A: Floats,
    ptr: Ints,
    q: Floats,
    kind: Codes,
    memory: tuple[Floats, Ints],
    guess: Flags,
    large: Handle | None,
    share: float,
) -> Closest | None:
    n, diagonal = len(q), A[ptr[1:] - 1]
    r = share * np.where(diagonal > 0.0, diagonal, 1.0)
    near = A.copy()
    near[ptr[1:] - 1] += r
    z, w, taut, shift = np.empty(n), np.empty(n), guess.copy(), np.zeros(n)
    spent, known = 0, False
    for _ in range(2):
        before, move = np.zeros(n), np.zeros(n)
        for _ in range(PASSES):
            b = q + shift - r * before
            if large is not None:
                residual, iterations, _, _ = warm_start_large(
                    near, ptr, large, b, kind, z, w, taut, *memory, 0.0, known
                )
                spent, known = spent + iterations, residual >= 0.0
            if not known:
                status, iterations, _, _ = active_set(near, ptr, b, kind, z, w, taut, *memory)
                spent += iterations
                if status != SOLVED:
                    return None
            move = r * (z - before)
            before = z.copy()
        shift = shift + move
    multiply(A, ptr, q, z, w)
    return Closest(z, w, shift, spent)


def rate_of_rounding(stepper: Stepper) -> float:
    """What rounding of gaps may make of a rate in the step at hand [m/s]."""
    return ROUNDING * float(stepper.work.rounding[GAPS]) * stepper.h / stepper.share


class Attempt:
    """A step by the closest feasible problem: answered here, taken by the loop, and then judged.

    stepper : has begun the step, to which ``undo()`` brings it back;  gap : (nr,) of the rows before it [m]
    """

    def __init__(self, stepper: Stepper, gap: Floats) -> None:
        self._stepper, self._gap = stepper, gap.copy()
        self.undo = stepper.keep()

    def answer(self, most: float) -> bool:
        """Put the answer to the problem in the stepper's ``work`` there; False if there is none.

        most : relative difference up to which it is one; what rounding may add is none
        """
        work, ptr = self._stepper.work, self._stepper.compiled.model.rows.envelope
        found = closest(work.A, ptr, work.q, work.kind, self._stepper.memory, large=self._stepper.large)
        if found is None:
            return False
        self._answer = found
        self._diagonal = np.where((a := work.A[ptr[1:] - 1]) > 0.0, a, 1.0)
        share = found.share(work.q, np.sqrt(self._diagonal), work.kind)
        if not (share <= most or np.abs(found.shift).max() <= rate_of_rounding(self._stepper)):
            return False
        work.p[:], work.w[:], work.taut[:] = found.z, found.w, found.z != 0.0
        work.answer[:] = share, found.iterations, -1, -1
        work.known[0] = -2  # the basis is not known: have the rank factored
        return True

    def explained(self, gap: Floats) -> bool:
        """Whether the method's error is all there is to the contradiction.

        gap : (nr,) after the step [m]
        """
        stepper, (_, w, shift, _) = self._stepper, self._answer
        work, h = stepper.work, stepper.share
        if not self.stands:
            return True  # the step's last problem had a solution after all
        error = np.where(work.kind == FREE, np.abs(self._gap), np.maximum(-self._gap, 0.0)) / h
        error += ORDER * np.abs(gap / h - w)
        rounding = rate_of_rounding(stepper)
        error += rounding
        y = shift / self._diagonal
        sets = _sets(work.A, stepper.compiled.model.rows.envelope, (np.abs(shift) > rounding) & (work.kind != OFF))
        return all(float(y[rows] @ shift[rows]) <= float(np.abs(y[rows]) @ error[rows]) for rows in sets)

    @property
    def stands(self) -> bool:
        """Whether the answer is that of the step; its last problem may have had a solution after all.

        Where events are looked for, impulses are scaled and scaled back, which leaves a rounding error.
        """
        z = self._answer.z
        return bool((np.abs(self._stepper.work.p - z) <= SAME * np.abs(z)).all())


def _sets(A: Floats, ptr: Ints, chosen: np.ndarray) -> list[Ints]:
    """The chosen rows, in sets that A couples."""
    label = np.where(chosen, np.arange(len(chosen)), -1)
    for i in np.flatnonzero(chosen):
        first = i + 1 - (ptr[i + 1] - ptr[i])
        met = np.zeros(len(chosen) + 1, np.bool_)  # by label; the last is that of rows that are not chosen
        met[label[first : i + 1][(A[ptr[i] : ptr[i + 1]] != 0.0) & chosen[first : i + 1]]] = True
        label[met[label]] = i
    return [np.flatnonzero(label == k) for k in np.unique(label[chosen])]
