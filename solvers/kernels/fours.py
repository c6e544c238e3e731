"""Loops that take four numbers at a time, or one where numbers carry derivatives, which are wide as they are.

A loop in steps of ``width(a)`` over ``along(a)`` goes through an array of floats by fours, and through one of duals one
by one, by the same formula:

    gather      four numbers whose places a list has; put_each and add_each write them back
    number_of   where a place is in memory by fours: the first numbers of four places, then their second ones, and so on
    place_of_four  for vectors of any length from four on, the last four overlap those before
    largest     of all numbers of three arrays;  put_all writes those of one to another, put_less differences
"""

# mypy: allow-untyped-calls, allow-untyped-defs
from __future__ import annotations

from numba.extending import overload

from solvers.kernels.compiled import PART, part
from solvers.kernels.dual import Carrying, value
from solvers.kernels.indices import flat
from solvers.kernels.lanes import WIDTH, View, along, lane, lanes, larger


def width(array):
    """How many numbers of an array ``along`` takes at a time."""
    return WIDTH


@part()
def place_of_four(i, x):
    """Where the numbers are taken that stand from place i of a vector on: of fours that are not whole the last one
    overlaps the one before."""
    return min(i, x.size - width(x))


def number_of(x, i, n):
    """Where the first number of place i is in memory by fours, n numbers a place; ``WIDTH`` from one to the next.

    Of places that ``along`` takes together the first one is a multiple of four.
    """
    return n * (i & -WIDTH) + (i & (WIDTH - 1))


def nothing(array):
    """Zero, as many times as ``along`` takes numbers of an array at a time."""
    return lanes(0.0, 0.0, 0.0, 0.0)


def gather(x, index, run, i):
    """Numbers x[index[i]], x[index[i + 1]], .. as ``along`` would take them.

    run : of each four places the first one if they follow each other, or else −1
    """
    first = run[i >> 2]
    if first >= 0:
        return along(x)[first]
    return lanes(x[index[i]], x[index[i + 1]], x[index[i + 2]], x[index[i + 3]])


def gather_from(x, c, index, i):
    """Numbers x[c + index[i]], x[c + index[i + 1]], .. as ``along`` would take them."""
    return lanes(x[c + index[i]], x[c + index[i + 1]], x[c + index[i + 2]], x[c + index[i + 3]])


def gather_column(x, index, i, c):
    """Numbers x[index[i], c], x[index[i + 1], c], .. as ``along`` would take them."""
    return lanes(x[index[i], c], x[index[i + 1], c], x[index[i + 2], c], x[index[i + 3], c])


def put_each(x, index, run, i, value):
    """Write x[index[i]], x[index[i + 1]], ..; where places are the same, the first one is what stays. See ``gather``.

    What is written one by one is slow to read as lanes by who comes next.
    """
    first = run[i >> 2]
    if first >= 0:
        along(x)[first] = value
    else:
        x[index[i + 3]] = lane(value, 3)
        x[index[i + 2]] = lane(value, 2)
        x[index[i + 1]] = lane(value, 1)
        x[index[i]] = lane(value, 0)


def add_each(x, index, run, i, value):
    """Add to x[index[i]], x[index[i + 1]], .., one after the other; see ``gather``."""
    first = run[i >> 2]
    if first >= 0:
        along(x)[first] = along(x)[first] + value
    else:
        x[index[i]] += lane(value, 0)
        x[index[i + 1]] += lane(value, 1)
        x[index[i + 2]] += lane(value, 2)
        x[index[i + 3]] += lane(value, 3)


@part()
def highest(x):
    """The largest of four lanes."""
    return max(max(lane(x, 0), lane(x, 1)), max(lane(x, 2), lane(x, 3)))


def largest(x, y, z, least):
    """The largest size of a number in three arrays, or ``least``."""
    return highest(_sizes(x, _sizes(y, _sizes(z, lanes(least, least, least, least)))))


@part()
def _sizes(x, found):
    """The largest sizes in an array and so far, by lanes; of fours that are not whole the last one overlaps."""
    numbers = flat(x)
    n = numbers.size
    if n < WIDTH:
        for i in range(n):
            one = numbers[i]
            found = larger(lanes(one, -one, one, one), found)
        return found
    fours = along(numbers)
    i = 0
    while i < n - WIDTH:
        found = larger(larger(fours[i], -fours[i]), found)
        i += WIDTH
    last = fours[n - WIDTH]
    return larger(larger(last, -last), found)


@part()
def _largest(x, least):
    numbers = flat(x)
    for i in range(numbers.shape[0]):
        least = max(least, abs(value(numbers[i])))
    return least


def put_all(x, y):
    """Write all numbers of a vector to another one of its length."""
    n = x.size
    if n < WIDTH:
        _put_all(x, y)
    else:
        source, to = along(x), along(y)
        i = 0
        while i < n - WIDTH:
            to[i] = source[i]
            i += WIDTH
        to[n - WIDTH] = source[n - WIDTH]


@part()
def put_less(x, y, z):
    """Write all differences x − y of two vectors to a third one of their length."""
    if x.size < width(x):
        for i in range(x.size):
            z[i] = x[i] - y[i]
    else:
        i = 0
        while i < x.size:
            k = place_of_four(i, x)
            along(z)[k] = along(x)[k] - along(y)[k]
            i += width(x)


@part()
def _put_all(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i]


def _carries(array):
    return isinstance(array.dtype, Carrying)


@overload(width, jit_options=PART)
def _(array):
    return (lambda array: 1) if _carries(array) else width


@overload(number_of, jit_options=PART)
def _(x, i, n):
    return (lambda x, i, n: n * i) if isinstance(x, View) else number_of


@overload(nothing, jit_options=PART)
def _(array):
    return (lambda array: 0.0) if _carries(array) else nothing


@overload(gather, jit_options=PART)
def _(x, index, run, i):
    return (lambda x, index, run, i: x[index[i]]) if _carries(x) else gather


@overload(gather_from, jit_options=PART)
def _(x, c, index, i):
    return (lambda x, c, index, i: x[c + index[i]]) if _carries(x) else gather_from


@overload(gather_column, jit_options=PART)
def _(x, index, i, c):
    return (lambda x, index, i, c: x[index[i], c]) if _carries(x) else gather_column


@overload(put_each, jit_options=PART)
def _(x, index, run, i, value):
    def put(x, index, run, i, value):
        x[index[i]] = value

    return put if _carries(x) else put_each


@overload(add_each, jit_options=PART)
def _(x, index, run, i, value):
    def add(x, index, run, i, value):
        x[index[i]] += value

    return add if _carries(x) else add_each


@overload(largest, jit_options=PART)
def _(x, y, z, least):
    return (lambda x, y, z, least: _largest(x, _largest(y, _largest(z, least)))) if _carries(x) else largest


@overload(put_all, jit_options=PART)
def _(x, y):
    return (lambda x, y: _put_all(x, y)) if _carries(x) else put_all
