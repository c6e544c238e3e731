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
from towsim.methods.block import Block
from towsim.methods.stepper import Stepper
from towsim.model.arrays import Drive, Floats
from towsim.run import columns
from towsim.run.known import Known
from towsim.run.seeds import Seed
from towsim.run.tangents import Carried, rates_of_springs

FEWEST = 128
"""Steps of a segment at least."""

ROOM = 1 << 16
"""Entries of the first tape; it grows to what a segment takes."""


class _Segment(NamedTuple):
    """Steps of the run, and all that they begin with."""

    done: int
    steps: int
    arrays: list[np.ndarray]


class Adjoint(Carried):
    """A run in recorded numbers: forward, then backward.

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
        self._kept = [array for _, array in written]
        self._changing = {path: array for path, array in written if array.dtype == RECORDED}
        self._fixed = {path: array for path, array in self.numbers() if array.dtype == RECORDED}
        self._tape, self._taped = Tape(0, 0), False
        self._known: list[tuple[np.ndarray, list[Floats | None]]] = []

    def forward(self) -> Iterator[Block]:
        """The blocks of the run, in numbers without a tape; what each begins with is kept."""
        while self.done < self.steps:
            before = self.done, [array.copy() for array in self._kept]
            block = next(self.blocks(self.steps))
            self._segments.append(_Segment(before[0], block.steps, before[1]))
            yield block

    def backward(self, slopes: Mapping[str, Floats], every: int) -> Floats:
        """Gradient in the directions of the seeds, of J with these derivatives in the recorded rows.

        slopes : by variable (rows, ..);  every : steps between rows
        """
        total = np.zeros(len(self.seeds))
        after = np.zeros(sum(array.size for array in self._changing.values()))
        fixed = {path: np.zeros(array.shape) for path, array in self._fixed.items()}
        for segment in reversed(self._segments):
            block = self._again(segment)
            adjoint = self._tape.adjoint
            at = 0
            for array in self._changing.values():
                np.add.at(adjoint, array["node"].ravel(), after[at : at + array.size])
                at += array.size
            self._add_rows(block, slopes, every)
            swept = self._tape.sweep()
            after, at = swept[1 : 1 + at].copy(), 1 + at
            for path, array in self._fixed.items():
                fixed[path] += swept[at : at + array.size].reshape(array.shape)
                at += array.size
            for array, rates in self._known:
                here = swept[at : at + array.size].reshape(array.shape)
                at += array.size
                total += [np.sum(here * rate) if rate is not None else 0.0 for rate in rates]
            swept[:] = 0.0
        return total + self._at_the_start(after, fixed)

    def seeded(self, known: Known, of_drive: list[dict[str, Floats]], of_references: list[list[Floats]]) -> Known:
        """See ``Carried``; what begins on the tape gets its places there."""
        drive = zip(Drive._fields, known.arrays.drive, strict=True)
        self._known = [
            (part, [rates.get(name) for rates in of_drive]) for name, part in drive if part.dtype == RECORDED
        ]
        self._known += [
            (one, [rates[i] if rates else None for rates in of_references]) for i, one in enumerate(known.references)
        ]
        if self._taped:
            self._put_on_tape([*self._changing.values(), *self._fixed.values(), *(array for array, _ in self._known)])
        return known

    def _put_on_tape(self, begun: list[np.ndarray]) -> None:
        leaf = 1 + sum(array.size for array in begun)
        if self._tape.leaves != leaf or not self._tape.room:
            self._tape = Tape(leaf, max(self._tape.room, leaf + ROOM))
        self._tape.rewind()
        at = 1
        for array in begun:
            array["node"] = np.arange(at, at + array.size).reshape(array.shape)
            array["tape"] = self._tape.address
            at += array.size

    def _again(self, segment: _Segment) -> Block:
        """Run a segment again, on the tape."""
        self._taped = True
        while True:
            for array, kept in zip(self._kept, segment.arrays, strict=True):
                array[...] = kept
            self.done = segment.done
            block = self.block(segment.steps, self.steps)
            if self._tape.used <= self._tape.room:
                return block
            self._tape = Tape(self._tape.leaves, self._tape.used + self._tape.used // 8)

    def _add_rows(self, block: Block, slopes: Mapping[str, Floats], every: int) -> None:
        """Add what the cost depends on the rows of a block to the adjoints of their entries."""
        number = self.done - block.steps + np.arange(block.first, block.stop)
        kept = np.flatnonzero((number % every == 0) | (number == self.steps))
        rows = np.where(number[kept] == self.steps, -1, number[kept] // every)
        nodes = columns.linear(self.compiled, _nodes_of(block))
        for name, slope in slopes.items():
            places = nodes[name][kept].astype(np.int64)
            np.add.at(self._tape.adjoint, places.ravel(), slope[rows].ravel())

    def _at_the_start(self, after: Floats, fixed: Mapping[str, Floats]) -> Floats:
        """What the arrays with which the run begins add to the gradient."""
        ends = np.cumsum([array.size for array in self._changing.values()])[:-1]
        by_path = dict(zip(self._changing, np.split(after, ends), strict=True)) | dict(fixed)
        found = np.zeros(len(self.seeds))
        for i, seed in enumerate(self.seeds):
            for path, rate in seed.begun().items():
                if path in by_path:
                    found[i] += np.sum(by_path[path].ravel() * rate.ravel())
            staggered = self.stepper.method.staggered
            for row, softer in rates_of_springs(self.compiled.model, seed, self.h, staggered):
                found[i] += by_path["rows.compliance"][row] * softer
        return found


def _nodes_of(block: Block) -> Block:
    """A block with places on the tape in place of numbers."""
    return block._replace(record=_nodes(block.record), drive=_nodes(block.drive), inputs=_nodes(block.inputs))


def _nodes(thing: Any) -> Any:
    if isinstance(thing, tuple):
        return type(thing)(*map(_nodes, thing))
    return thing["node"] if isinstance(thing, np.ndarray) and thing.dtype == RECORDED else thing
