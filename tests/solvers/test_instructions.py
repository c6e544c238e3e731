"""Kernels are written in fewer instructions (``solvers.kernels.instructions``), and do what numba's code does."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from solvers.kernels.compiled import kernel, part


def _numbers(a, b, strided, out):
    """Arrays of all kinds, views of views, variables of several blocks, tuples taken apart."""
    last = a[0]
    for i in range(a.shape[0]):
        row = a[i]
        if row[0, 1] > row[-1, -1]:
            last = row
        left, right = (row[1, 0], b[i]), (b[-1], strided[i, 1])
        if i % 2:
            left, right = right, left
        out[i, 0], out[i, 1] = left[0] * right[1], left[1] - right[0]
        out[i, 2] = last[1, 2] + row[:, 1].sum() + a[i, 1:, -1][0]
    out[-1, -1] += b.size + out[:2].shape[0] + a.reshape(-1)[3]


@part()
def _positive(x):
    if x < 0.0:
        raise ValueError("below zero")
    return x, 2.0 * x


@part(forceinline=False)
def _sum(x):
    total = 0.0
    for one in x:
        _, twice = _positive(one)
        total += twice
    return total


@kernel()
def _sums(x, out):
    for i in range(x.shape[0]):
        out[i] = _sum(x[i])


def test_numbers_are_those_of_numbas_own_code_and_of_python():
    random = np.random.default_rng(1)
    a, b, strided = random.normal(size=(5, 2, 3)), random.normal(size=5), random.normal(size=(10, 3))[::2]
    found = [np.zeros((5, 3)) for _ in range(3)]
    for run, out in zip((kernel()(_numbers), numba.njit(_numbers), _numbers), found, strict=True):
        run(a, b, strided, out)
    np.testing.assert_allclose(found[0], found[2], rtol=1e-14)  # of sums of three numbers
    np.testing.assert_allclose(found[1], found[2], rtol=1e-14)


def test_what_a_part_raises_comes_through_those_that_call_it():
    x, out = np.arange(6.0).reshape(3, 2), np.zeros(3)
    _sums(x, out)
    assert out.tolist() == [2.0, 10.0, 18.0]
    x[1, 1] = -1.0
    with pytest.raises(ValueError, match="below zero"):
        _sums(x, out)
