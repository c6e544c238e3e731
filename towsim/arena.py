"""Arrays of a run side by side in one piece of memory, which is copied and put back as a whole.

What a step writes is some fifty small arrays: bringing a run back to its start is one copy then, in place of one each.
Each begins with a cache line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from solvers.kernels.handle import COMPILED

LINE = 64
"""Size of a cache line [B]."""

ROOM = 24
"""Bytes that are there behind every array but one of nothing: who reads four numbers may begin with the last one."""

Arrays = TypeVar("Arrays")


def in_arena(arrays: Arrays) -> Arrays:
    """A nested tuple of arrays and None with its arrays side by side, and room behind each.

    They stay where they are where kernels run as plain Python, which tells of what reads beyond an array's memory.
    """
    if not COMPILED:
        return arrays
    sizes = [-(-(array.nbytes + ROOM) // LINE) * LINE if array.size else 0 for array in _arrays(arrays)]
    memory = np.zeros(sum(sizes) + LINE, np.uint8)
    at = -memory.ctypes.data % LINE
    places: list[np.ndarray] = []
    for array, size in zip(_arrays(arrays), sizes, strict=True):
        place: np.ndarray = np.ndarray(array.shape, array.dtype, memory, at)
        place[...] = array
        places.append(place)
        at += size
    placed: Arrays = _with(arrays, iter(places))
    return placed


def owner(array: np.ndarray) -> np.ndarray:
    """The array whose memory an array shows: the whole piece, of those that are side by side."""
    return array if array.base is None else array.base


def taken(array: np.ndarray) -> np.ndarray:
    """The bytes that an array and those side by side with it take; the same of other such arrays are as many."""
    own = owner(array)
    if own is array or own.dtype != np.uint8:
        return own.reshape(-1).view(np.uint8)
    at = -own.ctypes.data % LINE
    return own[at : at + len(own) - LINE]


def _arrays(thing: Any) -> Iterator[np.ndarray]:
    if isinstance(thing, np.ndarray):
        yield thing
    elif thing is not None:
        for part in thing:
            yield from _arrays(part)


def _with(thing: Any, places: Iterator[np.ndarray]) -> Any:
    if isinstance(thing, np.ndarray):
        return next(places)
    if thing is None:
        return None
    parts = [_with(part, places) for part in thing]
    return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)


def leaves(path: str, thing: Any) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of a nested tuple, each with the path to it."""
    if isinstance(thing, np.ndarray):
        yield path, thing
    elif thing is not None:
        names = getattr(thing, "_fields", None) or map(str, range(len(thing)))
        for name, inner in zip(names, thing, strict=True):
            yield from leaves(f"{path}.{name}", inner)
