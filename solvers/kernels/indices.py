"""Indices of kernels and their parts count from the beginning.

numba asks of every index that is not a constant whether it counts from the end. Rows of a sparse problem are found by
way of other arrays, so that a step asked thousands of times. In functions that are ``counted`` only constants may be
negative; others, such as a user's controllers, are compiled as ever.

    piece       a stretch of a vector, without the questions that a slice asks
    flat        a contiguous array as a vector, without those of a reshape
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np import arrayobj

_counted: set[str] = set()
_usual: Any = arrayobj.fix_integer_index


def counted(function: Any) -> None:
    """Let a function's indices count from the beginning; ``function`` is numba's identity of it."""
    _counted.add(function.unique_name)


def within(context: Any) -> bool:
    """Whether code is made there of such a function."""
    return context.fndesc is not None and context.fndesc.unique_name in _counted


def from_beginning(context: Any, indices: Any) -> bool:
    """Whether all of these indices count from the beginning."""
    return within(context) and not any(isinstance(one, ir.Constant) and one.constant < 0 for one in indices)


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    if isinstance(index, ir.Constant) or not within(context):
        return _usual(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp)


COUNTED: list[tuple[Any, str, Any]] = [(arrayobj, "fix_integer_index", _index)]
"""What asks less of indices, and where it goes while numba compiles (``economy.py``)."""


@intrinsic  # type: ignore[untyped-decorator]
def piece(context: Any, array: Any, begin: Any, end: Any) -> Any:
    """The vector array[begin:end] of a vector; both are within it, which is not asked."""
    kinds = begin, end

    def cut(context: Any, builder: Any, given: Any, values: Any) -> Any:
        whole = context.make_array(array)(context, builder, values[0])
        first, behind = (context.cast(builder, x, kind, types.intp) for x, kind in zip(values[1:], kinds, strict=True))
        found, start = context.make_array(array)(context, builder), builder.gep(whole.data, [first])
        arrayobj.populate_array(found, start, [builder.sub(behind, first)], [whole.itemsize], whole.itemsize, None)
        return found._getvalue()

    return array(array, begin, end), cut


@intrinsic  # type: ignore[untyped-decorator]
def flat(context: Any, array: Any) -> Any:
    """The numbers of a contiguous array, in their order, as a vector."""
    if array.layout != "C":
        return None
    vector = array.copy(ndim=1)

    def show(context: Any, builder: Any, given: Any, values: Any) -> Any:
        whole, found = context.make_array(array)(context, builder, values[0]), context.make_array(vector)
        seen = found(context, builder)
        arrayobj.populate_array(seen, whole.data, [whole.nitems], [whole.itemsize], whole.itemsize, None)
        return seen._getvalue()

    return vector(array), show


if not hasattr(numba.njit(counted), "py_func"):  # kernels run as plain Python
    globals()["piece"] = lambda array, begin, end: array[begin:end]
    globals()["flat"] = lambda array: array.reshape(-1)
