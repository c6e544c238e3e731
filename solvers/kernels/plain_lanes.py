"""Lanes without a compiler: what ``solvers.kernels.lanes`` becomes where kernels run as plain Python (numba disabled).

Lanes are vectors of four then, and views are checked: what reads or writes outside an array's memory is an IndexError.
"""

# mypy: allow-untyped-calls, allow-untyped-defs
from __future__ import annotations

import numpy as np

WIDTH = 4


def lanes(a, b, c, d):
    """Four numbers as lanes."""
    return np.array([a, b, c, d], float)


def lane(x, i):
    """The number in lane i."""
    return x[i]


class _View:
    """Four numbers of an array, ``step`` apart; ``_start`` says where the first one is in its memory."""

    step = 1

    def __init__(self, array, start=0):
        whole = array
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        self.array = array
        self.memory = whole.reshape(-1)
        self.start = start + (array.ctypes.data - whole.ctypes.data) // array.itemsize

    def _at(self, index):
        index = index if isinstance(index, tuple) else (index,)
        one = len(index) > self.array.ndim
        inside = [i * stride for i, stride in zip(index, self.array.strides, strict=False)]
        first = self._place(sum(int(offset) for offset in inside) // self.array.itemsize)
        last = first + (WIDTH - 1) * self.step
        if not 0 <= first <= last < len(self.memory):
            raise IndexError(f"lanes {first} to {last} of {len(self.memory)} numbers")
        return first + self.step * index[-1] if one else slice(first, last + 1, self.step)

    def _place(self, inside):
        return self.start + inside

    def __getitem__(self, index):
        found = self.memory[self._at(index)]
        return found.copy() if isinstance(found, np.ndarray) else found

    def __setitem__(self, index, value):
        self.memory[self._at(index)] = value


class _Abreast(_View):
    def _place(self, inside):
        return self.start + WIDTH * inside


def across(array, step):
    """The array a as x with x[i, ..] = a[i, ..], a[i + step, ..], a[i + 2 step, ..], a[i + 3 step, ..]."""
    view = _View(array)
    view.step = step * array.strides[0] // array.itemsize
    return view


def abreast(array, first):
    """Rows of an array a (n, w) from ``first`` on as x, whose rows are w lanes."""
    return _Abreast(array, -(WIDTH - 1) * first * array.strides[0] // array.itemsize)


def along(array):
    """An array a as x with x[.., i] = a[.., i], a[.., i + 1], a[.., i + 2], a[.., i + 3]."""
    return _View(array)


def root(x):
    """Square root of each."""
    return np.sqrt(x)


def total(x):
    """Sum over all."""
    return float(np.sum(x))


def inverse_above(x, bound):
    """1/x, or 0 unless x > bound."""
    with np.errstate(divide="ignore"):
        return np.where(x > bound, 1.0 / x, 0.0)


def below(x, bound):
    """Whether all are below a bound."""
    return bool(np.all(x < bound))


def some(x):
    """Whether one is not zero."""
    return bool(np.any(x != 0.0))


def larger(x, y):
    """The larger one of each; that of y where one of them is NaN."""
    return np.where(x > y, x, y)


def not_negative(x):
    """The larger one of each and 0."""
    return np.maximum(x, 0.0)


FUNCTIONS = {
    one.__name__: one
    for one in (lanes, lane, across, abreast, along, root, inverse_above, below, larger, some, not_negative, total)
}
