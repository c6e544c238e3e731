"""The decorators of every compiled function: ``numba.njit`` with caches that notice edits in what is called."""

from __future__ import annotations

import importlib
import itertools
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import config, event
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.targetconfig import ConfigStack
from numba.core.types.misc import unliteral
from numba.np import linalg

from solvers.kernels.aside import PIECES
from solvers.kernels.cache import KernelCache, alone, folder
from solvers.kernels.economy import economy, load_types
from solvers.kernels.ingredients import SHARED, KernelCompiler, PartCache, PartCompiler
from solvers.kernels.sight import at_sight

P = ParamSpec("P")
R = TypeVar("R")

FUSED = {"contract"}
"""The only liberty with floats: a product and a sum may be rounded once, together, in place of twice."""


def _leave_scipy_out() -> None:
    """Load numba's array functions without scipy.linalg, which they import only to see whether it is there.

    That is a tenth of the time to start. A kernel that multiplies matrices imports it when it is compiled.
    """
    look, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


_leave_scipy_out()


class _Announcement(event.Listener):  # type: ignore[misc]
    def __init__(self, say: Callable[[], None]) -> None:
        self._say: Callable[[], None] | None = say

    def on_start(self, _: object) -> None:
        if self._say is not None:
            say, self._say = self._say, None
            say()

    def on_end(self, _: object) -> None:
        pass


def announce(say: Callable[[], None]) -> None:
    """Call ``say()`` once, when a kernel is not in the cache and compiling begins."""
    event.register("numba:compile", _Announcement(say))


@contextmanager
def _packing(vectorise: bool) -> Iterator[None]:
    """Let LLVM pack like operations of straight code into vector instructions, if asked to."""
    before = config.SLP_VECTORIZE
    config.SLP_VECTORIZE = 1 if vectorise else before
    try:
        yield
    finally:
        config.SLP_VECTORIZE = before


def _compiling(compile_: Callable[..., Any], vectorise: bool, place: Path) -> Callable[..., Any]:
    def compile_signature(signature: Any) -> Any:
        load_types()
        with (
            global_compiler_lock,  # one thread at a time
            alone(place, signature),
            economy(),
            _packing(vectorise),
            ConfigStack().enter(Flags()),  # the same machine code, whoever has it compiled
        ):
            return compile_(signature)

    return compile_signature


def kernel(
    *, vectorise: bool = False, pieces: tuple[str, ...] = (), **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function with numba, cached; division by zero gives inf or NaN, as in numpy.

    With ``vectorise`` LLVM packs like operations of straight code into vector instructions, which numba leaves out: a
    quarter faster where four vectors run through a recursion side by side. ``pieces`` names parts that are called with
    arguments of the kernel or parts of these, by their names: they are compiled by two processes, by the second from
    the last one on (``aside.py``). Other arguments go to ``numba.njit``.
    Kernels do not allocate (they write to arrays they are given), so they are compiled without reference counting:
    counting the arrays of a model at every call costs more than a time step.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        PIECES[function] = pieces
        flags = {"_nrt": False, "fastmath": FUSED, "pipeline_class": KernelCompiler, **options}
        compiled: Callable[P, R] = numba.njit(error_model="numpy", **flags)(function)
        if isinstance(compiled, Dispatcher):
            with suppress(RuntimeError):  # at a prompt there is no file
                compiled._cache = KernelCache(function)  # type: ignore[attr-defined]
            place = Path(folder(function.__module__), function.__qualname__)
            compiled.compile = _compiling(compiled.compile, vectorise, place)  # type: ignore[method-assign]
        return compiled

    return decorate


FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))
"""Numbers in the names of compiled functions, which tell closures apart, also those of other processes in the cache."""


def _for_any_number(part: Any) -> Callable[..., Any]:
    """Compile a part that is called with 0 and with k once: LLVM puts the constants in where it is inlined."""
    compile_, function = part.compile, part.py_func

    def compile_signature(types: Any) -> Any:
        if function.__closure__ is None and not isinstance(part._cache, PartCache):
            with suppress(RuntimeError):
                part._cache = PartCache(function)
        return at_sight(part, tuple(unliteral(one) for one in types), compile_)

    return compile_signature


PART: dict[str, Any] = {
    "_nrt": False,
    "error_model": "numpy",
    "fastmath": FUSED,
    "forceinline": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "pipeline_class": PartCompiler,
}
"""How parts are compiled, and the ``jit_options`` of overloads that are parts."""


def part(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function that only kernels call: inlined there, with neither entry from Python nor machine code.

    More than half of a kernel's compile time would go into entries and machine code of its parts: all left out. What is
    kept is what LLVM is to inline, so that kernels of other scenes, in other processes, need not have it typed anew.
    With ``forceinline=False``, for parts that are called seldom, once a step or at many places, LLVM decides whether to
    inline; it optimises a large kernel in several pieces, which takes it less time.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        compiled: Callable[P, R] = numba.njit(**{**PART, **options})(function)
        if isinstance(compiled, Dispatcher):
            compiled.compile = _for_any_number(compiled)  # type: ignore[method-assign]
        return compiled

    return decorate


def shared(function: Callable[P, R]) -> Callable[P, R]:
    """Of a large part that is called at several places: where numbers carry derivatives it is there once, and called.

    Each of its operations is dozens there, beside which a call is nothing; in plain numbers a call would be felt.
    """
    SHARED.add(getattr(function, "py_func", function))
    return function


def load(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for such arguments, or fetch it from the cache, without calling it; others are left alone."""
    if isinstance(function, Dispatcher):
        kinds = tuple(numba.typeof(one) for one in arguments)
        if kinds not in function.overloads:
            function.compile(kinds)
