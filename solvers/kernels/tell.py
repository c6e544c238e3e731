"""How a kernel tells of its iterations: rows of an array, and a call back into Python after each, if it is wanted.

A kernel writes a row of ``Told.path`` and calls ``tell``. The address of the function that is called comes as a number,
so that a kernel is compiled, and kept, for whatever is told.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

from solvers.kernels.compiled import part

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
"""Type of what is called: the number of the row, from 0 on; not 0 in return if the method is to end."""


class Told(NamedTuple):
    """What a kernel is given to tell of its iterations."""

    path: Any  # (k, columns) the first k rows
    state: Any  # (3,) integers: rows so far, whether the method is to end, and its stage if it has several
    address: int  # of a FUNCTION, or 0


def _by_address(address: int, row: int) -> int:
    return int(FUNCTION(address)(row))


@intrinsic  # type: ignore[untyped-decorator]
def _compiled_call(typing: Any, address: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        integer = ir.IntType(64)
        function = builder.inttoptr(arguments[0], ir.FunctionType(integer, [integer]).as_pointer())
        return builder.call(function, [arguments[1]])

    return types.int64(types.int64, types.int64), generate


_call = _by_address if config.DISABLE_JIT else _compiled_call


@part()
def tell(told: Any) -> Any:
    """A row is written, if there was room: count it, tell of it, and return whether the method is to end.

    Without any rows nothing is told, and the state is not touched.
    """
    if len(told.path) == 0:
        return False
    row = told.state[0]
    told.state[0] = row + 1
    if told.address != 0 and row < len(told.path) and _call(told.address, row) != 0:
        told.state[1] = 1
    return told.state[1] != 0
