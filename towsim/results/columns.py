"""Columns of a result: arrays with time first that may still lie in pieces, or on disk."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np


class Column(Protocol):
    """What a result asks of a column: its shape, and rows by slice."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows first."""

    def __getitem__(self, rows: slice, /) -> np.ndarray: ...


HELD = 1 << 20
"""Numbers that are held at a time when a whole column is gone through."""


def chunks(*columns: Column) -> Iterator[slice]:
    """Spans of rows, of a bounded size in memory, that cover columns of the same number of rows."""
    rows = columns[0].shape[0]
    size = max(1, HELD // max(1, *(math.prod(column.shape[1:]) for column in columns)))
    return (slice(start, min(start + size, rows)) for start in range(0, rows, size))


class Pieces:
    """Blocks one after the other, read as one column; nothing is copied before it is asked for.

    Parameters
    ----------
    rows : number of rows of each block
    trailing : shape of one row
    read : gives block i
    """

    def __init__(self, rows: Sequence[int], trailing: tuple[int, ...], read: Callable[[int], np.ndarray]) -> None:
        self._ends = np.cumsum(rows, dtype=np.int64)
        self._read = read
        self.shape = (int(sum(rows)), *trailing)

    def __getitem__(self, rows: slice) -> np.ndarray:
        start, stop, _ = slice(rows.start, rows.stop).indices(self.shape[0])
        first = int(np.searchsorted(self._ends, start, "right"))
        last = int(np.searchsorted(self._ends, stop, "left"))
        parts = []
        for i in range(first, min(last, len(self._ends) - 1) + 1):
            begin = int(self._ends[i - 1]) if i else 0
            parts.append(self._read(i)[max(start - begin, 0) : max(stop - begin, 0)])
        if not parts:
            parts = [self._read(0)[:0]]
        whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return whole[:: rows.step]
