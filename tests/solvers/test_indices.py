"""Indices of kernels count from the beginning (``solvers.kernels.indices``); test_bounds.py asks all kernels."""

from __future__ import annotations

import numba
import numpy as np

from solvers.kernels.compiled import kernel, part
from solvers.kernels.indices import piece


@numba.njit
def _of_a_user(x, i):
    return x[i]


@part()
def _sum_between(x, i, j):
    total = 0.0
    for one in piece(x, i, j):
        total += one
    return total


@kernel()
def _ends(x, i):
    return x[-1], _of_a_user(x, i), _sum_between(x, 1, 3)


def test_constants_and_functions_of_others_count_from_the_end_as_in_python():
    assert _ends(np.array([1.0, 2.0, 4.0, 8.0]), -2) == (8.0, 4.0, 6.0)
