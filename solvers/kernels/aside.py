"""A second process compiles pieces of a kernel while the first compiles the others.

The loop of a method is compiled for half a minute on a slow core, nearly all of it in its parts. Those that it calls
with arguments of its own are known by their types before it is read; the process begins with the first of them, and a
second one, where a core is free, with the last. What one has compiled the other finds in the cache.
"""

from __future__ import annotations

import importlib
import inspect
import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import starmap
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from solvers.kernels.cache import alone, base, folder
from solvers.kernels.economy import economy, load_types

BEGIN = """
import pickle, sys
sys.path = pickle.load(sys.stdin.buffer)
from solvers.kernels.aside import main
main()
"""

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A kernel and its arguments."""

PIECES: dict[Callable[..., Any], tuple[str, ...]] = {}
"""Names of the parts of a kernel that are called with its arguments, or parts of these, by their names; the heaviest is
last."""


def core_is_free() -> bool:
    """Whether a second process can be started, and would not take the time of others."""
    several = multiprocessing.parent_process() is not None
    python = Path(sys.executable or "").stem.startswith("python")  # and no program that Python is a part of
    if several or not python or os.name == "nt":  # Windows does not tell the load
        return False
    return (os.cpu_count() or 1) - os.getloadavg()[0] > 0.5


def _pieces(function: Callable[..., Any], kinds: tuple[Any, ...]) -> list[tuple[Any, tuple[Any, ...]]]:
    """The ``PIECES`` of a function of such arguments, and the types that they are called with.

    An argument that the function does not have is one of its handles' parts of that name, or else a number: a whole
    one, unless it is annotated as ``float``.
    """
    names = PIECES.get(function, ())
    if not names:
        return []
    from solvers.kernels.handle import HandleType  # which is made of kernels, and so of this module

    handles = [kind for kind in kinds if isinstance(kind, HandleType)]
    types = {name: kind for handle in handles for name, (kind, _) in handle.fields.items()}
    types |= zip(inspect.signature(function).parameters, kinds, strict=True)

    def kind(name: str, given: inspect.Parameter) -> Any:
        return types.get(name, numba.float64 if given.annotation == "float" else numba.int64)

    found = [function.__globals__[name] for name in names]
    return [
        (one, tuple(starmap(kind, inspect.signature(one.py_func).parameters.items())))
        for one in found
        if isinstance(one, Dispatcher)
    ]


def _make(piece: Any, kinds: tuple[Any, ...], wait: bool) -> bool:
    """Compile a part; False where the other process is at it."""
    with alone(Path(folder(piece.__module__), piece.__qualname__), kinds, wait) as mine:
        if mine:
            piece.compile(kinds)
        return mine


@contextmanager
def help_with(function: Callable[..., Any], kinds: tuple[Any, ...]) -> Iterator[None]:
    """Compile the pieces of a function of such arguments by two processes, before what follows."""
    pieces = _pieces(function, kinds)
    if not pieces or not core_is_free():
        yield
        return
    with ExitStack() as stack:
        calls, until = _soon[-1] if _soon else (list, stack)
        with suppress(OSError):  # where no process can be started, one compiles all
            until.enter_context(_second(pieces, calls()))
        for piece, types in pieces:
            _make(piece, types, wait=True)
        yield


_soon: list[tuple[Callable[[], list[Call]], ExitStack]] = []


@contextmanager
def soon(calls: Callable[[], list[Call]]) -> Iterator[None]:
    """Inside, a kernel is called and then others: a second process has time for these while the first is compiled.

    calls : tells these and their arguments
    """
    with ExitStack() as stack:
        _soon.append((calls, stack))
        try:
            yield
        finally:
            _soon.pop()


@contextmanager
def _second(pieces: list[tuple[Any, tuple[Any, ...]]], calls: list[Call]) -> Iterator[None]:
    """A process that compiles pieces, from the last one on, and then kernels."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(base())}
    kernels = [(one, tuple(map(numba.typeof, arguments))) for one, arguments in calls]
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    try:
        assert process.stdin is not None  # a pipe
        with suppress(BrokenPipeError), process.stdin:
            todo = [[(one.__module__, one.__name__, types) for one, types in some] for some in (pieces[::-1], kernels)]
            process.stdin.write(pickle.dumps(sys.path) + pickle.dumps(todo))
        yield
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Compile what is read from the standard input: pieces until the other process is at one, and kernels."""
    load_types()
    pieces, kernels = (
        [(getattr(importlib.import_module(module), name), types) for module, name, types in some]
        for some in pickle.load(sys.stdin.buffer)
    )
    with global_compiler_lock, economy():
        for piece, types in pieces:
            if not _make(piece, types, wait=False):
                break
    for kernel, types in kernels:
        kernel.compile(types)
