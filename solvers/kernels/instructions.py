"""What numba writes for LLVM, without what nobody asks for.

numba puts every array that is read into memory of its own, clears it twice, and reads its parts back; it asks what a
variable was before it is set, to count references that kernels do not have; it sorts what a call returned into seven
cases. LLVM undoes all of it. Here an array and its parts are values, and a call has failed or not: half the
instructions, of which none is missed.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from llvmlite.ir.instructions import InsertValue
from numba.core import cgutils, types
from numba.core.callconv import CPUCallConv, Status
from numba.core.lowering import Lower
from numba.core.types.misc import Optional
from numba.np import arrayobj

from solvers.kernels.indices import from_beginning, within

_extract: Any = ir.IRBuilder.extract_value
_insert: Any = ir.IRBuilder.insert_value
_array: Any = arrayobj.make_array
_place: Any = arrayobj.basic_indexing
_store: Any = Lower.storevar
_call: Any = CPUCallConv.call_function
_propagate: Any = CPUCallConv.return_status_propagate


def _extract_value(builder: Any, whole: Any, place: Any, name: str = "") -> Any:
    """A part of a value: what was put there, if that is known."""
    places, known = [place] if isinstance(place, int) else [*place], whole
    while isinstance(known, InsertValue) and len(known.indices) == len(places) == 1:
        if [*known.indices] == places:
            return known.operands[1]
        known = known.operands[0]
    if isinstance(known, ir.Constant) and isinstance(known.constant, list | tuple) and len(places) == 1:
        return known.constant[places[0]]
    return _extract(builder, whole, place, name)


def _insert_value(builder: Any, whole: Any, part: Any, place: Any, name: str = "") -> Any:
    """A value with another part; of constants a constant."""
    if not (isinstance(whole, ir.Constant) and isinstance(part, ir.Constant) and isinstance(place, int)):
        return _insert(builder, whole, part, place, name)
    if isinstance(whole.constant, list | tuple):
        parts = [*whole.constant]
    elif whole.constant is ir.Undefined:
        kind = whole.type
        kinds = [kind.element] * kind.count if isinstance(kind, ir.ArrayType) else kind.elements
        parts = [ir.Constant(one, ir.Undefined) for one in kinds]
    else:
        return _insert(builder, whole, part, place, name)
    parts[place] = part
    return ir.Constant(whole.type, parts)


class _Array:
    """An array's parts by their names, as numba's code asks for them.

    What is written makes another value of it, once that is asked for: of constants first, which take no instruction.
    """

    def __init__(self, kind: Any, context: Any, builder: Any, value: Any) -> None:
        self._kind, self._context, self._builder = kind, context, builder
        self._datamodel = context.data_model_manager[kind]
        self._value = ir.Constant(self._datamodel.get_value_type(), ir.Undefined) if value is None else value
        self._written: dict[int, Any] = {}
        self._memory: Any = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_get"):  # where a part lies
            self._getpointer()
        if self._memory is not None:
            return getattr(self._memory, name)
        place = self._datamodel.get_field_position(name)
        return self._written[place] if place in self._written else self._builder.extract_value(self._value, place)

    def __setattr__(self, name: str, part: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, part)
        elif self._memory is not None:
            setattr(self._memory, name, part)
        else:
            self._written[self._datamodel.get_field_position(name)] = part

    def _getvalue(self) -> Any:
        if self._memory is not None:
            return self._memory._getvalue()
        for place, part in sorted(self._written.items(), key=lambda one: not isinstance(one[1], ir.Constant)):
            self._value = self._builder.insert_value(self._value, part, place)
        self._written.clear()
        return self._value

    def _getpointer(self) -> Any:
        """Where it lies from now on: who asks may write there."""
        if self._memory is None:
            self._memory = _array(self._kind)(self._context, self._builder, self._getvalue())
        return self._memory._getpointer()


def _make_array(kind: Any) -> Any:
    """As numba's, which is told of arrays by value or by reference."""
    if type(kind) is not types.Array:
        return _array(kind)

    def make(context: Any, builder: Any, value: Any = None, ref: Any = None) -> Any:
        if ref is not None or not within(context):
            return _array(kind)(context, builder, value, ref)
        return _Array(kind, context, builder, value)

    return make


def _basic_indexing(context: Any, builder: Any, kind: Any, array: Any, kinds: Any, indices: Any, **asked: Any) -> Any:
    """Where an element of a contiguous array lies, with no lengths and strides left; all else as numba has it."""
    plain = all(isinstance(one, types.Integer) for one in kinds) and len(kinds) == kind.ndim and kind.layout == "C"
    if not plain or asked.get("boundscheck") or not from_beginning(context, indices):
        return _place(context, builder, kind, array, kinds, indices, **asked)
    lengths: Any = array.shape
    found: Any = None
    for axis, (of, index) in enumerate(zip(kinds, indices, strict=True)):
        more = context.cast(builder, index, of, types.intp)
        found = more if found is None else builder.add(builder.mul(found, builder.extract_value(lengths, axis)), more)
    return builder.gep(array.data, [found]), [], []


def _storevar(lower: Any, value: Any, name: str, argidx: int | None = None) -> None:
    """Store a variable; where no references are counted, what it was before is not asked."""
    if lower.context.enable_nrt or argidx is not None or name in lower._singly_assigned_vars:
        _store(lower, value, name, argidx)
        return
    lower._alloca_var(name, lower.typeof(name))
    lower.builder.store(value, lower.getvar(name))


def _call_function(
    protocol: Any, builder: Any, callee: Any, kind: Any, kinds: Any, args: Any, attrs: Any = None
) -> Any:
    """Call a part; what it raises is noted where the caller would note it."""
    context = protocol.context
    entry = context.fndesc is None or builder.function.name != context.fndesc.mangled_name  # from Python
    if entry or not within(context) or isinstance(kind, Optional):
        return _call(protocol, builder, callee, kind, kinds, args, attrs)
    found = cgutils.alloca_once(builder, protocol.get_return_type(kind).pointee)
    packed = protocol._get_arg_packer(kinds).as_arguments(builder, args)
    code = builder.call(callee, [found, protocol._get_excinfo_argument(builder.function), *packed])
    failed = builder.icmp_unsigned("!=", code, code.type(0))
    told = dict.fromkeys(Status._fields) | {"code": code, "is_error": failed}
    return Status(**told), context.get_returned_value(builder, kind, builder.load(found))


def _return_status_propagate(protocol: Any, builder: Any, status: Any) -> None:
    """Return what a part that was called has raised."""
    if status.excinfoptr is None:
        builder.ret(status.code)
    else:
        _propagate(protocol, builder, status)


FEWER: list[tuple[Any, str, Any]] = [
    (ir.IRBuilder, "extract_value", _extract_value),
    (ir.IRBuilder, "insert_value", _insert_value),
    (arrayobj, "make_array", _make_array),
    (arrayobj, "basic_indexing", _basic_indexing),
    (Lower, "storevar", _storevar),
    (CPUCallConv, "call_function", _call_function),
    (CPUCallConv, "return_status_propagate", _return_status_propagate),
]
"""What writes less, and where it goes while numba compiles (``economy.py``)."""
