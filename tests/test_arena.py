"""Arrays side by side: the same numbers, each with its own cache line and room behind it, in one piece of memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from towsim.arena import LINE, ROOM, in_arena, owner


class Parts(NamedTuple):
    a: np.ndarray
    none: None
    pair: tuple[np.ndarray, np.ndarray]


class Whole(NamedTuple):
    x: np.ndarray
    parts: Parts


def make() -> Whole:
    return Whole(np.arange(9.0), Parts(np.eye(3), None, (np.array([True, False]), np.zeros((0, 6), np.int8))))


def test_arrays_are_the_same_in_one_piece_of_memory():
    before, after = make(), in_arena(make())
    assert type(after) is Whole
    assert type(after.parts) is Parts
    assert after.parts.none is None
    arrays = [after.x, after.parts.a, *after.parts.pair]
    for one, other in zip(arrays, [before.x, before.parts.a, *before.parts.pair], strict=True):
        assert (one.dtype, one.shape, one.flags.c_contiguous) == (other.dtype, other.shape, True)
        np.testing.assert_array_equal(one, other)
        assert owner(one) is owner(after.x)
        assert one.ctypes.data % LINE == 0
    begins = [one.ctypes.data for one in arrays]
    ends = [one.ctypes.data + (one.nbytes + ROOM if one.size else 0) for one in arrays]  # of nothing nothing is read
    assert all(end <= begin for end, begin in zip(ends, begins[1:], strict=False)), "none reaches into the next one"
    assert ends[-1] <= owner(after.x).ctypes.data + owner(after.x).nbytes


def test_who_owns_an_array_of_its_own():
    x = np.arange(3.0)
    assert owner(x) is x
    assert owner(x[1:]) is x
