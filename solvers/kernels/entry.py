"""Kernels that are called by their address, and memory that is copied by its own.

A kernel that names another one is compiled anew for all types that this one has, which differ from scene to scene for
the loop over the steps. Who has its address only calls it, and is compiled once for all scenes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.dispatcher import Dispatcher
from numba.core.types.containers import BaseTuple
from numba.extending import intrinsic

from solvers.kernels.handle import COMPILED, Handle

BYTES = ir.IntType(8).as_pointer()
RETURNED: Any = BaseTuple.from_types([types.int64] * 4)
TAKEN: Any = (*[types.int64] * 3, types.boolean, *[types.int64] * 3)
_typed: Callable[[Callable[..., Any]], Any] = intrinsic


class Way(NamedTuple):
    """How a loop over a block is called by those who know addresses only, ``call_loop(entry, run, block, ..)``.

    Attributes
    ----------
    now : entry of what only writes the row at hand
    owner : whose the addresses are
    """

    entry: int
    now: int
    run: int
    block: int
    owner: Any


def way(loop: Callable[..., Any], now: Callable[..., Any], run: Handle, block: Handle, owner: Any) -> Way:
    """To call a loop, or what only writes the row at hand, with what they get."""
    entry, row = (address_of(one, run, block, False, 0, 0, 1) for one in (loop, now))
    return Way(entry, row, run.address, block.address, owner)


def address_of(kernel: Callable[..., Any], *arguments: Any) -> int:
    """Address of a kernel for such arguments, which is compiled or fetched.

    Where kernels run as plain Python that of the function, as that of a handle is the handle's.
    """
    if not isinstance(kernel, Dispatcher):
        return id(kernel)
    kinds = tuple(numba.typeof(one) for one in arguments)
    if kinds not in kernel.overloads:
        kernel.compile(kinds)
    found = kernel.overloads[kinds]
    address: int = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    return address


def _call_plainly(entry: int, run: int, block: int, *numbers: Any) -> Any:
    """As ``call_loop``, where kernels run as plain Python."""
    loop, mine, its = (ctypes.cast(one, ctypes.py_object).value for one in (entry, run, block))
    return loop(mine, its, *numbers)


def _call(context: Any, builder: Any, values: Any) -> Any:
    """The status of a call of ``run_block`` by address, and what it returned."""
    kind = context.call_conv.get_function_type(RETURNED, TAKEN[1:])
    loop = builder.inttoptr(values[0], kind.as_pointer())
    return context.call_conv.call_function(builder, loop, RETURNED, TAKEN[1:], values[1:])


@_typed
def call_loop(context: Any, entry: Any, run: Any, block: Any, ask: Any, k: Any, solved: Any, last: Any) -> Any:
    """``run_block(run, block, ask, k, solved, last)`` of a method, all by address: see ``methods/loop``."""

    def call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        status, found = _call(context, builder, values)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return found

    return RETURNED(*TAKEN), call


@_typed
def try_loop(context: Any, entry: Any, run: Any, block: Any, ask: Any, k: Any, solved: Any, last: Any) -> Any:
    """As ``call_loop``; the reason is −1 where it raises an error."""

    def call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        status, found = _call(context, builder, values)
        reason = builder.select(status.is_error, ir.IntType(64)(-1), builder.extract_value(found, 1))
        return builder.insert_value(found, reason, 1)

    return RETURNED(*TAKEN), call


if not COMPILED:
    call_loop = _call_plainly


@_typed
def copy_bytes(context: Any, to: Any, source: Any, count: Any) -> Any:
    """Copy so many bytes from one address to another."""

    def copy(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        to, source = (builder.inttoptr(one, BYTES) for one in values[:2])
        cgutils.raw_memcpy(builder, to, source, values[2], 1)
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64), copy
