"""What compiling does without, so that it takes less time."""

from __future__ import annotations

import gc
import importlib
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import llvmlite.binding

from solvers.kernels.indices import COUNTED
from solvers.kernels.instructions import FEWER
from solvers.kernels.resolution import QUICK

SELDOM = 100_000
"""Objects that are made before Python looks for garbage among them, while numba compiles."""

REPEATS = platform.machine().lower() in ("x86_64", "amd64")
"""Whether LLVM repeats the bodies of loops whose length it does not know, unless told otherwise."""


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Let Python look for garbage less often: while numba compiles, a tenth of the time goes into looking in vain."""
    before = gc.get_threshold()
    if 0 < before[0] < SELDOM:
        gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Brief:
    """While one compiles, LLVM does not repeat the bodies of loops whose length it does not know.

    Loops over the wires of a body are short: bodies that are there eight times are rarely run through, and cost a third
    of the time to compile. Kernels that are compiled for another one are within it.
    """

    def __init__(self) -> None:
        self._within = 0

    def __enter__(self) -> None:
        self._within += 1
        self._let("false")

    def __exit__(self, *_: object) -> None:
        self._within -= 1
        if not self._within:
            self._let("true")

    def _let(self, word: str) -> None:
        if REPEATS:
            llvmlite.binding.set_option("towsim", f"-unroll-runtime={word}")


_brief = _Brief()


@contextmanager
def _replaced(parts: Sequence[tuple[Any, str, Any]]) -> Iterator[None]:
    """Let numba use others of its functions: each with the module or class that has it, and its name there."""
    before = [getattr(owner, name) for owner, name, _ in parts]
    for owner, name, ours in parts:
        setattr(owner, name, ours)
    try:
        yield
    finally:
        for (owner, name, _), usual in zip(parts, before, strict=True):
            setattr(owner, name, usual)


@contextmanager
def economy() -> Iterator[None]:
    """Compile with little garbage collection, short loops as they are, and every question asked once or not at all."""
    with _collecting_seldom(), _brief, _replaced([*QUICK, *COUNTED, *FEWER]):
        yield


def load_types() -> None:
    """Import what a cache that is read may speak of: numba takes no new operators while it compiles."""
    for types in ("handle", "lanes"):
        importlib.import_module(f"{__package__}.{types}")
