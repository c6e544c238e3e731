"""Numbers of a film in few bytes: quantised, differenced along time and neighbours, in planes of bytes.

A number x is stored as the integer k = round(x/q), or round(asinh(x/s)/q) where small and large ones are to be known
to as many digits: to a share q/2 of x or, of what is smaller than s, of s. The integers are stored as differences of
the order along time (and along the nodes of a cable) that leaves least, ``Σ log₂(1 + |d|)``; each difference without
its sign in front (zigzag: 0, −1, 1, −2 ... as 0, 1, 2, 3 ...), in little-endian planes, so that what a general
compressor sees is mostly zeros. The smooth motion of a body costs less than a byte a coordinate. The viewer's
``data.js`` undoes this.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

LARGEST = 2**27
"""Largest integer that is stored: its second differences along both axes fit in 31 bits."""

SAMPLE = 200_000
"""Differences that are looked at to choose the orders."""


class Pack:
    """Arrays one after the other; ``heads`` says where each is, and how it is read."""

    def __init__(self) -> None:
        self.heads: dict[str, dict[str, Any]] = {}
        self._chunks: list[bytes] = []
        self._size = 0

    def add(self, name: str, values: Array, quantum: float, small: float | None = None) -> None:
        """Store ``values`` (n, ...), or the asinh of their multiples of ``small``, frames first; NaN stays NaN.

        They are stored as multiples of ``quantum``; one that is too fine for 27 bits is made coarser.
        """
        known = np.isfinite(values)
        if small is not None:
            values = np.arcsinh(values / small)
        largest = float(np.max(np.abs(values), initial=0.0, where=known))
        quantum = max(quantum, largest / LARGEST) or 1.0
        codes = np.rint(np.where(known, values, 0.0) / quantum).astype(np.int64)
        if codes.ndim == 1:
            codes = codes[:, None]
        orders, differences = _least(codes)
        self.heads[name] = {"start": self._size, "shape": list(values.shape), "quantum": quantum, "orders": orders}
        if small is not None:
            self.heads[name]["small"] = small
        zigzag = ((differences << 1) ^ (differences >> 63)).astype("<u4")
        columns = np.ascontiguousarray(zigzag.reshape(len(codes), -1).T)
        self._append(np.ascontiguousarray(columns.reshape(-1, 1).view(np.uint8).T).tobytes())
        if not known.all():
            self.heads[name]["unknown"] = self._size
            self._append(np.packbits(~known.reshape(-1), bitorder="little").tobytes())

    def whole(self) -> bytes:
        """All arrays."""
        return b"".join(self._chunks)

    def _append(self, data: bytes) -> None:
        self._chunks.append(data)
        self._size += len(data)


def _least(codes: Codes) -> tuple[list[int], Codes]:
    """Orders along time and neighbours whose differences are least, and these differences."""
    if not codes.size:
        return [0, 0], codes
    choices = list(product((0, 1, 2), (0, 1, 2) if codes.ndim > 2 else (0,)))
    rows = max(3, SAMPLE // max(1, codes[0].size))
    middle = max(0, (len(codes) - rows) // 2)
    sample = codes[middle : middle + rows]
    cost = [float(np.log2(1.0 + np.abs(_differences(sample, *orders)[2:])).sum()) for orders in choices]
    best = choices[int(np.argmin(cost))]
    return list(best), _differences(codes, *best)


def _differences(codes: Codes, along_time: int, along_nodes: int) -> Codes:
    for axis, order in ((0, along_time), (1, along_nodes)):
        for _ in range(order):
            codes = np.diff(codes, axis=axis, prepend=np.zeros_like(codes.take([0], axis)))
    return codes


def unpack(head: dict[str, Any], data: bytes) -> Array:
    """What was added, to within half a quantum: the viewer's way of reading, for tests and other programs."""
    shape = tuple(head["shape"])
    full = shape if len(shape) > 1 else (*shape, 1)
    size = int(np.prod(full))
    planes = np.frombuffer(data, np.uint8, 4 * size, head["start"]).reshape(4, size)
    zigzag = np.ascontiguousarray(planes.T).view("<u4").astype(np.int64)
    codes = ((zigzag >> 1) ^ -(zigzag & 1)).reshape(-1, full[0]).T.reshape(full)
    for axis, order in enumerate(head["orders"]):
        for _ in range(order):
            codes = np.cumsum(codes, axis=axis)
    values = np.asarray(codes.reshape(shape) * head["quantum"])
    if "small" in head:
        values = head["small"] * np.sinh(values)
    if "unknown" in head:
        bits = np.frombuffer(data, np.uint8, -(-size // 8), head["unknown"])
        values[np.unpackbits(bits, count=size, bitorder="little").reshape(shape).astype(bool)] = np.nan
    return values
