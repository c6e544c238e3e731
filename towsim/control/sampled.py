"""The loop over a block of a scene under command: it pauses where something is to be sampled.

    sense; call the laws that are due; hold what they command up to the next sample; step there; keep what acts

The kernels of a step know nothing of control: they read loads, lengths and feeds from the drive, which is filled from
one sample to the next (zero-order hold). The method's loop and the laws are called by their addresses, and this one as
the method's would be. A law that is plain Python is handed out, as problems are.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any, NamedTuple

from solvers.kernels.compiled import kernel, part
from solvers.kernels.entry import call_loop
from towsim.control.actuators import hold, keep, obey, start_steady
from towsim.control.calls import ASKED, OBEYED
from towsim.control.seen import sense
from towsim.model.arrays import Ints, Ints5

EVERY, CALL, ENTRY = 0, 1, 2
"""Of ``Sampling.laws``."""

ROW, LAW = 0, 1
"""Of ``Sampling.at``."""


class Sampling(NamedTuple):
    """What the loop gets once a run."""

    entry: int  # address of the method's loop
    run: int  # address of what that gets
    laws: Ints5  # (m, 5) steps between samples; addresses of what a law is called with, and of its calls, 0 for none
    periods: Ints  # steps between samples, of all that is sampled
    sight: Any  # handle of ``Sight``
    acting: Any  # handle of ``Acting``
    sampled: Ints  # (1,) the last step before which all that was due was sampled
    at: Ints  # (2,) row at which something was sampled last, and the law that was called there last


class SampledBlock(NamedTuple):
    """What it gets once a block."""

    block: int  # address of what the method's loop gets
    begun: Ints  # (1,) steps before the block
    told_from: Ints  # (1,) step from which laws are told of references
    filled: Any  # handle of ``Filled``
    told: Ints  # (m,) addresses of what the laws are told


@kernel()
def run_block(run, block, ask, k, solved, last):
    """As of a method; commands are sampled at row ``last``, too.

    Where it ends with a negative reason the last number is that of a law, see ``calls``; a law that was ASKED of is to
    be called, and the loop to go on from the row that was reached, with −1 − that number in place of ``solved``.

    run, block : handles of ``Sampling`` and ``SampledBlock``
    """
    while True:
        if solved <= 0:
            reason = sample(run, block, k, -solved)
            if reason != OBEYED:
                return k, reason, 0, run.at[LAW]
        begun = block.begun[0]
        stop = min(last, next_after(run.periods, begun + k) - begun)
        hold(run.acting, block.filled, k, stop, False)
        if k == last:
            return last, OBEYED, 0, 0
        began = k
        k, reason, solved, detail = call_loop(run.entry, run.run, block.block, ask, k, max(solved, 0), stop)
        if k > began:
            keep(run.acting, block.filled, k)
        if reason != OBEYED:
            return k, reason, solved, detail
        solved = 0


@kernel()
def write_row(run, block, ask, k, solved, last):
    """Write row k as it is, with what is held; nothing is sampled."""
    hold(run.acting, block.filled, k, k, False)
    return call_loop(run.entry, run.run, block.block, ask, k, 0, k)


@part(forceinline=False)
def sample(run, block, k, law):
    """Sample what is due at row k, and was not yet, from a law on; what is said of the one at which it stops."""
    laws, at, filled, step = run.laws, run.at, block.filled, block.begun[0] + k
    if not (run.sampled[0] < step and due(run.periods, step)):
        return OBEYED
    at[ROW] = k
    if law == 0:
        if run.sampled[0] < 0:  # sensors need the geometry of the start, and lengths
            call_loop(run.entry, run.run, block.block, False, k, 0, k)
            hold(run.acting, filled, k, k, False)
        sense(run.sight, filled, k, step)
    for i in range(law, laws.shape[0]):
        at[LAW] = i
        every = laws[i, EVERY]
        if step % every == 0:
            if laws[i, ENTRY] == 0:
                return ASKED
            row = step // every - -(-block.told_from[0] // every)
            for j in range(ENTRY, laws.shape[1]):
                if laws[i, j] != 0:
                    _, said, _, _ = call_loop(laws[i, j], laws[i, CALL], block.told[i], False, k, row, step)
                    if said != OBEYED:
                        return said
    if run.sampled[0] < 0:  # with what controllers command: what is by hand has to be waited for
        start_steady(run.acting)
    obey(run.acting)
    run.sampled[0] = step
    return OBEYED


@part()
def due(periods, step):
    """Whether something is to be sampled before this step."""
    found = step == 0
    for i in range(periods.shape[0]):
        found |= step % periods[i] == 0
    return found


@part()
def next_after(periods, step):
    """The next step before which something is to be sampled."""
    found = step + (1 << 40)
    for i in range(periods.shape[0]):
        found = min(found, step - step % periods[i] + periods[i])
    return found
