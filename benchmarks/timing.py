"""Timing on a machine that others use too: short pieces of work by turns, minima, medians, ratios within a round.

The clock is the processor time of this process: it stands still while others have the core, and counts the work of
all threads, so that a hidden second thread cannot flatter anyone. On an idle machine it is the wall clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from towsim.methods import bdf, shake, stewart_trinkle

Array = NDArray[np.float64]
now = time.process_time


def timed(work: Callable[[], object]) -> float:
    """Processor seconds one call takes."""
    start = now()
    work()
    return now() - start


def warm(work: Callable[[], float]) -> Callable[[], float]:
    """The same, called once before it counts: caches then hold its own memory and code, not those of others."""

    def again() -> float:
        work()
        return work()

    return again


def by_turns(candidates: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, Array]:
    """Call every candidate once a round; each returns the seconds it spent. One round before goes uncounted.

    What disturbs the machine for a while disturbs all candidates of a round, so that ratios within it hold.
    """
    seconds = {name: np.empty(rounds) for name in candidates}
    for work in candidates.values():
        work()
    for k in range(rounds):
        for name, work in candidates.items():
            seconds[name][k] = work()
    return seconds


class Clock:
    """Processor seconds spent in compiled blocks."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def during(self, work: Callable[[], object]) -> float:
        """Seconds spent in compiled blocks while ``work`` is called.

        Raises
        ------
        RuntimeError : no compiled block ran, so there is nothing to report
        """
        before = self.seconds
        work()
        if self.seconds == before:
            raise RuntimeError("no compiled block ran: the loop has moved, or the run took the Python loop")
        return self.seconds - before


@contextmanager
def block_clock() -> Iterator[Clock]:
    """Clock the compiled loops of the methods from outside while all around them runs as usual."""
    clock = Clock()

    def clocked(run_block: Callable[..., object]) -> Callable[..., object]:
        def timed_block(*arguments: object) -> object:
            start = now()
            out = run_block(*arguments)
            clock.seconds += now() - start
            return out

        return timed_block

    loops = {module: module.run_block for module in (stewart_trinkle, shake, bdf)}
    for module, run_block in loops.items():
        module.run_block = clocked(run_block)  # type: ignore[attr-defined]
    try:
        yield clock
    finally:
        for module, run_block in loops.items():
            module.run_block = run_block  # type: ignore[attr-defined]
