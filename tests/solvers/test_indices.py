"""Indices of kernels count from the beginning (``solvers.kernels.indices``)."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

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


PLAIN = """
import sys
import numpy as np
import towsim
from scenarios import get
from solvers.kernels.handle import Handle

class FromTheBeginning(np.ndarray):
    def __getitem__(self, index):
        for i in index if isinstance(index, tuple) else (index,):
            assert not (isinstance(i, (int, np.integer)) and i < 0), f"index {i}"
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        for i in index if isinstance(index, tuple) else (index,):
            assert not (isinstance(i, (int, np.integer)) and i < 0), f"index {i}"
        super().__setitem__(index, value)

def watched(thing):
    if isinstance(thing, np.ndarray):
        return thing.view(FromTheBeginning)
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        return type(thing)(*map(watched, thing))
    return thing

Handle.__getattr__ = lambda handle, name: watched(getattr(handle.value, name))
for name in sys.argv[2:]:
    one = get(name)
    four_steps = {"method": sys.argv[1], "duration": 4 * one.defaults.get("step", 1e-3)}
    towsim.simulate(one.build(), **one.defaults | four_steps)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "names"),
    [
        ("stewart-trinkle", ["four-robots-box", "drag-box-rough-ground", "cdpr44-inclined", "slewing-crane"]),
        ("shake", ["payload-chain", "block-and-tackle", "eight-wires-box"]),
        ("bdf2", ["towed-cable"]),
    ],
)
def test_no_kernel_counts_from_the_end(method, names):
    """Compiled, an index below zero reads what is before an array: as plain Python, kernels are asked for each."""
    run = [sys.executable, "-c", PLAIN, method, *names]
    done = subprocess.run(run, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
