"""Problems that grow: n wires on one body (rank 6) and chains of n wires, as sequences of a slowly changing run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEP = 1e-3  # s
GRAVITY = 9.81  # m/s²
SIDES = np.array([0.4, 0.3, 0.2])  # m, of the box
MASS = 2.0  # kg
SLACK = 0.3  # share of wires that hang slack


@dataclass(frozen=True)
class Sequence:
    """Problems of one run: the matrices A_k in lower envelope storage, one pattern for all, and q_k.

    Attributes
    ----------
    name : "body" or "chain"
    val : (K, nnz) stored entries of A_k
    ptr : (n + 1,) where rows end in it
    q : (K, n)
    """

    name: str
    val: Array
    ptr: NDArray[np.int64]
    q: Array

    @property
    def n(self) -> int:
        """Wires."""
        return self.q.shape[1]

    def dense(self, k: int) -> Array:
        """A_k as a full matrix."""
        A = np.zeros((self.n, self.n))
        for i in range(self.n):
            entries = self.val[k, self.ptr[i] : self.ptr[i + 1]]
            first = i + 1 - len(entries)
            A[i, first : i + 1] = A[first : i + 1, i] = entries
        return A


def body(n: int, steps: int) -> Sequence:
    """A box on n wires whose robots swing it about: w = Gᵀ(v_free - v*) + gap/h + A z, v* a motion robots agree on.

    With v* every gap would stay as it is, so a solution exists. Gravity turns with the swing, so that wires take turns.
    """
    rng = np.random.default_rng(n)
    inertia = MASS / 12.0 * (np.sum(SIDES**2) - SIDES**2)
    root = np.sqrt(1.0 / np.concatenate([np.full(3, MASS), inertia]))
    at = (rng.random((n, 3)) - 0.5) * SIDES
    azimuth, tilt = rng.uniform(0.0, 2.0 * np.pi, n), np.radians(rng.uniform(10.0, 50.0, n))
    slack = np.where(rng.random(n) < SLACK, rng.uniform(0.0, 0.02, n), 0.0)
    low = np.tril_indices(n)
    val, q = np.empty((steps, len(low[0]))), np.empty((steps, n))
    for k in range(steps):
        t = k * STEP
        turn = azimuth + 0.5 * np.sin(3.0 * t)
        direction = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=1)
        J = np.hstack([direction, np.cross(at, direction)])
        half = J * root
        val[k] = (half @ half.T)[low]
        sway = 0.5 * GRAVITY * STEP * np.array([np.sin(3.0 * t), np.cos(2.0 * t)])
        q[k] = J @ np.array([*sway, -GRAVITY * STEP, 0.0, 0.0, 0.0]) + slack
    return Sequence("body", val, np.concatenate([[0], np.cumsum(np.arange(1, n + 1))]), q)


def chain(n: int, steps: int) -> Sequence:
    """n unit masses in line behind a robot that moves off, A tridiagonal; some wires have a gap to run out."""
    rng = np.random.default_rng(n)
    val = np.full(2 * n - 1, -1.0)
    val[::2] = 2.0
    val[0] = 1.0  # the robot's motion is known
    gap = np.where(rng.random(n) < SLACK, rng.uniform(0.0, 1.0, n), 0.0)
    rate = rng.normal(0.0, 0.2, n)
    t = np.arange(steps)[:, None] * STEP
    q = gap + rate * (1.0 + np.sin(3.0 * t))
    q[:, 0] = -1.0 - t[:, 0]
    return Sequence("chain", np.tile(val, (steps, 1)), np.concatenate([[0], np.arange(1, 2 * n, 2)]), q)


FAMILIES: dict[str, Callable[[int, int], Sequence]] = {"body": body, "chain": chain}
