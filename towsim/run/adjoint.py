"""The gradient of one number of a run with respect to everything: the run is taken backwards.

    λ_k = (∂s_{k+1}/∂s_k)ᵀ λ_{k+1} + ∂J/∂s_k,      ∂J/∂θ = Σ_k (∂s_{k+1}/∂θ)ᵀ λ_{k+1} + (∂s_0/∂θ)ᵀ λ_0

s_k is all that a step leaves to the next one, θ the arrays of the model and the samples of known motions. The run goes
forward in segments of about √N of its N steps; what each begins with is kept. Then, from the last one, each segment is
run again in recorded numbers (``solvers.kernels.recorded``), with their entries on a tape, and the tape is swept. So
memory grows as √N, and a gradient costs two runs in such numbers and a sweep, whatever the number of parameters.

Source: checkpoints and reversal: Griewank & Walther, Evaluating Derivatives (2008), ch. 12.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from solvers.kernels import recorded
from solvers.kernels.recorded import RECORDED, Tape
from towsim.arena import owner
from towsim.methods.block import Block
from towsim.methods.stepper import Stepper
from towsim.model.arrays import Drive, Floats
from towsim.model.switches import Owner
from towsim.run import columns
from towsim.run.carried import Carried
from towsim.run.known import Known
from towsim.run.seeds import Seed, rates_of_springs

FEWEST = 128
"""Steps of a segment at least."""

ROOM = 1 << 16
"""Entries of the first tape; it grows to what a segment takes."""


class _Segment(NamedTuple):
    """Steps of the run, and all that they begin with: values of the numbers, and copies of the other arrays.

    switched : ``Schedule.place``
    """

    done: int
    steps: int
    switched: tuple[int, frozenset[Owner]]
    values: list[Floats]
    others: list[np.ndarray]


class Adjoint(Carried):
    """A run in recorded numbers: forward, then backward.

    Numbers lie side by side in a few arrays (see ``Carried.carried``). Those that a step reads (state, model, scratch)
    begin each segment as the first places of its tape; what does not change has the same place at the end, so that its
    adjoint adds up from segment to segment.

    Parameters
    ----------
    stepper : at the start of the scene; nothing is written to it
    seeds : what the gradient is asked for
    steps : of the run
    """

    convert = staticmethod(recorded.recorded)
    plain = staticmethod(recorded.values)

    def __init__(self, stepper: Stepper, seeds: Sequence[Seed], steps: int) -> None:
        super().__init__(stepper, seeds)
        self.steps = steps
        self.size = max(FEWEST, math.isqrt(steps))
        self._segments: list[_Segment] = []
        written = [one for one in self.written() if one[0] != "watch.event"]
        self._named = {path: one for path, one in (*self.numbers(), *written) if one.dtype == RECORDED}
        self._numbers = list({id(owner(one)): owner(one) for one in self._named.values()}.values())
        self._others = [array for _, array in written if array.dtype != RECORDED]
        self._tape, self.differentiated = Tape(0, 0), False
        self._known: list[tuple[np.ndarray, list[Floats | None]]] = []

    def forward(self) -> Iterator[Block]:
        """The blocks of the run, in numbers without a tape; what each begins with is kept."""
        while self.done < self.steps:
            done, switched = self.done, self.schedule.place
            values, others = [one["value"].copy() for one in self._numbers], [one.copy() for one in self._others]
            block = next(self.blocks(self.steps))
            self._segments.append(_Segment(done, block.steps, switched, values, others))
            yield block

    def backward(self, slopes: Mapping[str, Floats], every: int) -> Floats:
        """Gradient in the directions of the seeds, of J with these derivatives in the recorded rows.

        slopes : by variable (rows, ..);  every : steps between rows
        """
        total = np.zeros(len(self.seeds))
        after = np.zeros(sum(map(len, self._numbers)))
        for segment in reversed(self._segments):
            block = self._again(segment)
            np.add.at(self._tape.adjoint, np.concatenate([one["node"] for one in self._numbers]), after)
            self._add_rows(block, slopes, every)
            swept = self._tape.sweep()
            at = 1 + len(after)
            after = swept[1:at].copy()
            for array, rates in self._known:
                here = swept[at : at + array.size].reshape(array.shape)
                at += array.size
                total += np.array([0.0 if rate is None else np.vdot(here, rate) for rate in rates])
            swept[:] = 0.0
        return total + self._at_the_start(after)

    def seeded(self, known: Known, of_drive: list[dict[str, Floats]], of_references: list[list[Floats]]) -> Known:
        """See ``Carried``; what begins on the tape gets its places there."""
        drive = zip(Drive._fields, known.arrays.drive, strict=True)
        self._known = [
            (part, [rates.get(name) for rates in of_drive]) for name, part in drive if part.dtype == RECORDED
        ]
        self._known += [
            (one, [rates[i] if rates else None for rates in of_references]) for i, one in enumerate(known.references)
        ]
        if self.differentiated:
            self._put_on_tape([*self._numbers, *(array for array, _ in self._known)])
        return known

    def _put_on_tape(self, begun: list[np.ndarray]) -> None:
        leaf = 1 + sum(array.size for array in begun)
        if self._tape.leaves != leaf or not self._tape.room:
            self._tape = Tape(leaf, max(self._tape.room, leaf + ROOM))
        self._tape.rewind()
        at, address = 1, self._tape.address
        for array in begun:
            array["node"] = np.arange(at, at + array.size).reshape(array.shape)
            array["tape"] = address
            at += array.size

    def _again(self, segment: _Segment) -> Block:
        """Run a segment again, on the tape."""
        self.differentiated = True
        while True:
            for numbers, values in zip(self._numbers, segment.values, strict=True):
                numbers["value"] = values
            for array, kept in zip(self._others, segment.others, strict=True):
                array[...] = kept
            self.done = segment.done
            self.schedule.recall(*segment.switched)
            block = self.block(segment.steps, self.steps)
            if self._tape.used <= self._tape.room:
                return block
            self._tape = Tape(self._tape.leaves, self._tape.used + self._tape.used // 8)

    def _add_rows(self, block: Block, slopes: Mapping[str, Floats], every: int) -> None:
        """Add what the cost depends on the rows of a block to the adjoints of their entries."""
        number = self.done - block.steps + np.arange(block.first, block.stop)
        kept = np.flatnonzero((number % every == 0) | (number == self.steps))
        rows = np.where(number[kept] == self.steps, -1, number[kept] // every)
        nodes = columns.entries(self.compiled, _nodes_of(block))
        for name, slope in slopes.items():
            places = nodes[name][kept].astype(np.int64)
            np.add.at(self._tape.adjoint, places.ravel(), slope[rows].ravel())

    def _at_the_start(self, after: Floats) -> Floats:
        """What the numbers with which the run begins add to the gradient."""
        first = dict(zip(map(id, self._numbers), np.cumsum([0, *map(len, self._numbers)]), strict=False))

        def adjoint(path: str) -> Floats:
            one = self._named[path]
            at = first[id(owner(one))] + (one.ctypes.data - owner(one).ctypes.data) // one.itemsize
            return after[at : at + one.size]

        found, staggered = np.zeros(len(self.seeds)), self.stepper.method.staggered
        for i, seed in enumerate(self.seeds):
            for path, rate in seed.begun().items():
                if path in self._named:
                    found[i] += np.vdot(adjoint(path), rate)
            for row, softer in rates_of_springs(self.compiled.model, seed, self.h, staggered):
                found[i] += adjoint("rows.compliance")[row] * softer
        return found


def _nodes_of(block: Block) -> Block:
    """A block with places on the tape in place of numbers."""
    return block._replace(record=_nodes(block.record), drive=_nodes(block.drive), inputs=_nodes(block.inputs))


def _nodes(thing: Any) -> Any:
    if isinstance(thing, tuple):
        return type(thing)(*map(_nodes, thing))
    return thing["node"] if isinstance(thing, np.ndarray) and thing.dtype == RECORDED else thing
