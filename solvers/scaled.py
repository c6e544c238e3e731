"""Problems in units in which M and q are of order 1, and the way of their solutions back."""

from __future__ import annotations

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import EQUILIBRATIONS, MLCP, Wires

TOGETHER = 1e3
"""Ratio of the largest q of two blocks up to which one unit serves both."""

UNBALANCED = 1e4
"""Ratio of the largest entries of two rows or columns beyond which rows and columns get units of their own."""


class Scaled:
    """``problem`` in units in which M and q are of order 1; these are powers of two, so that the way is exact.

    Rows and columns are divided by ``sizes``, rows of zeros by q; where that leaves a matrix that is not symmetric out
    of balance, each has a unit of its own. If nothing but the units of its rows keeps M from being symmetric, it is
    made so (their units are no powers of two then). q is normalised in every block of rows that have nothing to do with
    others.

    Attributes
    ----------
    problem : the scaled one
    row, column : (n,) factors of rows and columns of M
    size : (n,) unit of q, one for each block
    largest : (n,) largest |q| of the block's rows that push, or of all where none does, with the rows scaled
    """

    def __init__(self, original: MLCP) -> None:
        d = None if original.symmetric else mx.symmetrizer(original.M)
        sizes = original.sizes if d is None else MLCP(mx.scaled(original.M, d, np.ones(original.n)), original.q).sizes
        self.row = self.column = np.exp2(-np.round(np.log2(sizes)))
        if d is not None:
            self.row = self.row * d
        elif not original.symmetric:
            self.row, self.column = _balanced(original, self.row)
        empty = (original.q != 0.0) & (mx.largest_across(original.M, self.column) == 0.0)
        if empty.any():  # nothing but q gives such a row a size
            same, row = self.row is self.column, self.row.copy()
            row[empty] = np.exp2(np.clip(-np.round(np.log2(np.abs(original.q[empty]))), -1000, 1000))
            self.row, self.column = row, row if same and original.symmetric else self.column
        block, q = original.blocks, np.abs(original.q * self.row)
        largest = np.zeros(int(block.max(initial=0)) + 1)
        np.maximum.at(largest, block, np.where(original.pushes, q, 0.0))
        idle = largest[block] == 0.0
        np.maximum.at(largest, block[idle], q[idle])
        self.largest = largest[block]
        largest[largest == 0.0] = 1.0
        if largest.max() < TOGETHER * largest.min():
            largest[:] = largest.max()
        self.size = size = np.exp2(np.round(np.log2(largest)))[block]
        wires = original.wires
        if wires is not None and np.all(size == size[0]) and self.row is self.column:
            s = self.row
            G = wires.G.multiply(s[None, :]).tocsr() if mx.is_sparse(wires.G) else wires.G * s
            give = None if wires.compliance is None else wires.compliance * s * s
            wires = Wires(wires.Minv, G, wires.v_free / size[0], wires.bias * s / size, give)
        else:  # bodies that share no wire move in units of their own
            wires = None
        M = mx.scaled(original.M, self.row, self.column)
        self.problem = MLCP(
            M if d is None else 0.5 * (M + M.T),
            original.q * self.row / size,
            original.free,
            names=original._names,
            wires=wires,
        )
        self.problem.kind_of_row = original.kind_of_row
        self.problem.set_least(self.largest / size)
        self.problem.blocks = block
        for known in ("symmetric", "psd"):
            if d is None and known in original.__dict__:
                self.problem.__dict__[known] = original.__dict__[known]

    def retrieve(self, z: Array) -> Array:
        """z of the original problem."""
        return np.asarray(z * self.column * self.size)

    def retrieve_farkas(self, y: Array) -> Array:
        """Farkas vector of the original problem."""
        return np.asarray(y * self.row)

    def start(self, z: Array) -> Array:
        """A start vector in the scaled units."""
        return np.asarray(z / (self.column * self.size))


def _balanced(problem: MLCP, s: Array) -> tuple[Array, Array]:
    """Factors of rows and columns, powers of two: s for both if that does, or else Ruiz's equilibration of each.

    Source: Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices (2001).
    """
    M, row, column = problem.M, s, s
    for _ in range(EQUILIBRATIONS):
        across = mx.largest_across(M, column) * row
        down = mx.largest_below(M, row) * column
        sides = [x[x > 0.0] for x in (across, down)]
        if all(x.size == 0 or (x.max() <= UNBALANCED and x.min() >= 1.0 / UNBALANCED) for x in sides):
            break
        across[across == 0.0], down[down == 0.0] = 1.0, 1.0
        row, column = row / np.sqrt(across), column / np.sqrt(down)
    if row is s:
        return s, s
    return np.exp2(np.round(np.log2(row))), np.exp2(np.round(np.log2(column)))
