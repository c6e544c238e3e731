"""The dialogue with a compiled loop: it runs over a block, hands out what it does not solve, and gets the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

from towsim.methods.closest import TINY, Attempt, closest
from towsim.methods.impulses import sudden
from towsim.methods.locked import locked
from towsim.methods.loop import FULL, GOOD, HANDED_OUT, NOT_FINITE, STRETCHED, UNDECIDED, UNSOLVED
from towsim.methods.solve import Answer, search
from towsim.methods.work import STEP
from towsim.model.arrays import FREE
from towsim.results.variables import STATUS_FLAGS

if TYPE_CHECKING:
    from towsim.methods.stepper import Stepper
    from towsim.methods.work import Record
    from towsim.model.arrays import Floats, Ints

Solve = Callable[["Stepper"], Answer]

Called = tuple[int, int, int, int]


class Call(Protocol):
    """The compiled loop."""

    def __call__(self, k: int, solved: int, stop: int, /, *, ask: bool = ...) -> Called:
        """From step k, ``solved`` of whose problems are, to step ``stop``; ``ask``: it hands all of them out."""


SLIGHT = 1e-2
"""Relative contradiction of a step's rows up to which it is believed without a proof."""

BRACED, EASED = 1e3, 0.1
"""Impulses d p that are looked at, in units of the largest q/d of the rows that act, and what share of them is left
without bracing."""

NO_CONCLUSION = STATUS_FLAGS["no_conclusion"]


class Dialogue:
    """The compiled loop over one block.

    Parameters
    ----------
    stepper : whose block it is
    call : the loop; with ``solve`` it hands out all problems
    record : of the block
    robot : (K+1, nr, 3) where the robots are before each step and after the last [m]
    solve : answers the problems; None for the compiled solvers
    row : (K+1,) row of the record for the state before each step and after the last, −1 for none; None: one each

    Attributes
    ----------
    last : steps of the block, K
    """

    def __init__(
        self,
        stepper: Stepper,
        call: Call,
        record: Record,
        robot: Floats,
        solve: Solve | None,
        row: Ints | None = None,
    ) -> None:
        self._stepper, self.call, self._record, self._solve = stepper, call, record, solve
        self._robot = robot
        self._row = np.arange(len(record.gap)) if row is None else row
        self.last = len(self._row) - 1

    def advance(self, k: int, stop: int) -> tuple[int, int, int]:
        """From step k to step ``stop``: (good steps, why it ended, a solver's status)."""
        stepper, solved = self._stepper, 0
        watched = self._solve is None and stepper.closed and not (stepper.friction or stepper.method.multistep)
        advance = self._watched if watched else self.call
        while True:
            k, reason, solved, detail = advance(k, solved, stop)
            if reason not in HANDED_OUT:
                return k, reason, detail
            doubtful = True
            if self._solve is None:
                status = self._search(detail) if reason == UNDECIDED else 0
            else:
                answer = self._solve(stepper)
                status, doubtful = hand_back(stepper, answer), answer.doubtful
            solved += 1
            braced = status == 0 and self._solve is None and self._braced()
            if status == 0 and not braced:
                continue
            if not doubtful or stepper.friction or locked(stepper, self._robot[k]):
                return k, UNSOLVED, status
            # More than a slight contradiction must be proven, by a back-end that is asked behind the compiled search.
            proven = self._solve is not None and status == STATUS_FLAGS["infeasible"]
            closing = k == self.last
            # SHAKE's last kick meets what is foreseen of robots' paths, to h⁴, and moves nothing: no proof is needed.
            most = np.inf if proven and not closing else SLIGHT
            k, reason, code = self._attempt(k, solved, status or NO_CONCLUSION, most, closing or braced)
            if reason != GOOD or closing:
                return k, reason, code
            solved = 0

    def _watched(self, k: int, solved: int, stop: int) -> Called:
        """As ``call``, but hand out a step that the compiled loop solved by impulses larger by far than those before.

        It carries the basis of a step on to the next one, where rows of it may depend on each other all but exactly.
        """
        stepper = self._stepper
        before, undo = stepper.work.p.copy(), stepper.keep()
        found = self.call(k, solved, stop)
        first = k + (solved > 0)  # which the search has answered
        end = found[0] + (found[1] in (STRETCHED, NOT_FINITE))  # the step that is refused is recorded, too
        odd = self._sudden(first, end, before if first == k else None)
        if odd is None:
            return found
        undo()
        if odd > k:
            self.call(k, solved, odd)
        return self.call(odd, 0, odd + 1, ask=True)

    def _sudden(self, k: int, end: int, before: Floats | None) -> int | None:
        """The first of steps k to ``end`` − 1 that has such impulses; ``before``: those of the step before."""
        stepper, record, lag = self._stepper, self._record, self._stepper.lag
        first = k + lag
        if before is None:
            before = record.force[first - 1] * stepper.h + record.impulse[first - 1]
        size = float(np.abs(before).max(initial=0.0))
        row = sudden(record.force, record.impulse, first, end + lag, size, stepper.h, stepper.weight)
        return None if row < 0 else int(row) - lag

    def _braced(self) -> bool:
        """Whether dependent rows are braced against each other by far more than what they bear.

        Rows that are all but dependent may contradict each other by less than the method errs, and still have a
        solution: its impulses are the contradiction over what is left of A. The closest problem has one without it.
        Loads that strain a wire across its line need large impulses, too, and have them in that one as well.
        """
        stepper, work = self._stepper, self._stepper.work
        if stepper.friction or stepper.method.multistep:
            return False
        d = np.sqrt(np.maximum(work.A[stepper.compiled.model.rows.envelope[1:] - 1], TINY))
        size = float(np.abs(d * work.p).max(initial=0.0))
        acting = (work.kind == FREE) | (work.p != 0.0)
        if not size > BRACED * float(np.abs(work.q / d)[acting].max(initial=0.0)):
            return False
        rows = stepper.compiled.model.rows
        found = closest(work.A, rows.envelope, work.q, work.kind, stepper.memory, work.taut, stepper.large)
        return (
            found is not None
            and float(np.abs(d * found.z).max()) < EASED * size
            and found.share(work.q, d, work.kind) <= SLIGHT
        )

    def _attempt(self, k: int, solved: int, status: int, most: float, plain: bool) -> tuple[int, int, int]:
        """Take step k by the closest problem that has a solution, if the method's error explains the difference.

        status : what is said of the step if not;  most : relative difference up to which it is taken
        plain : whether nothing is to be explained: SHAKE's last row, and what is only eased of bracing
        """
        work, begun = self._stepper.work, k
        attempt = Attempt(self._stepper, self._record.gap[self._row[: k + 1].max()])
        while attempt.answer(most):
            k, reason, solved, detail = self.call(begun, solved, begun + 1)
            solved += 1
            if reason in HANDED_OUT:  # SHAKE's first step has two problems, and a wire that breaks poses another
                continue
            taken = reason in (GOOD, FULL)
            if plain or not taken or attempt.explained(work.gap):
                row = self._row[k if self._stepper.lag else begun]
                if taken and attempt.stands and row >= 0:
                    self._record.status[row] = STATUS_FLAGS["closest"]
                return k, reason, detail
            break
        attempt.undo()
        return begun, UNSOLVED, status

    def _search(self, spent: int) -> int:
        """The active set's search for the problem in ``work``: answer to ``work.answer``; returns the status."""
        stepper, work = self._stepper, self._stepper.work
        problem = work.A, stepper.compiled.model.rows.envelope, work.q, work.kind
        answer = work.p, work.w, work.taut
        status, iterations, residual, rank = search(*problem, *answer, stepper.memory, work.rounding[STEP], spent)
        work.answer[:] = residual, iterations, rank, -1
        return int(status)


def hand_back(stepper: Stepper, answer: Answer) -> int:
    """Hand the answer to the problem in ``work`` back to the loop; returns its status."""
    stepper.work.answer[:] = answer.residual, answer.iterations, -1, -1
    stepper.work.known[0] = -2  # the basis of a step solved outside is not known: have the rank factored
    return 0 if answer.solved else answer.code
