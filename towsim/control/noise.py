"""Gaussian noise as a function of a key and a counter: nothing to keep, and the same numbers wherever a block ends.

The counter goes through splitmix64; two of its outputs give a pair of normal numbers by Box and Muller's formula.

Source: Steele, Lea & Flood, OOPSLA 2014 (splitmix64); Box & Muller, Ann. Math. Stat. 29 (1958).
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np

from solvers.kernels.compiled import part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
EVEN_STEP = np.uint64(2)
ODD_STEP = np.uint64(1)
R30, R27, R31, R11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


def key_of(seed: int, name: str) -> int:
    """Key of a named source of noise: other names give unrelated numbers."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{name}".encode()).digest()[:8], "little")


@part()
def mixed(x: Any) -> Any:
    """Output x of splitmix64, a uint64."""
    z = x * GOLDEN
    z = (z ^ (z >> R30)) * FIRST
    z = (z ^ (z >> R27)) * SECOND
    return z ^ (z >> R31)


@part()
def normal(key: Any, counter: Any) -> Any:
    """A standard normal number for a key and a counter, both uint64."""
    at = key + EVEN_STEP * counter
    u = (float(mixed(at) >> R11) + 1.0) * 2.0**-53  # in (0, 1]
    v = float(mixed(at + ODD_STEP) >> R11) * 2.0**-53
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)
