"""``Handle``: a NamedTuple as kernels get it, an address in place of hundreds of arguments.

numba takes a NamedTuple of arrays apart at every call, and compiles code for each of its arrays wherever it is passed
on: a tenth of a microsecond an array and call, and most of the compile time. A handle is one pointer, to a table of the
tuple's arrays (address, then shape), numbers and parts (the address of their tables); a kernel reads from it what it
names, as ``work.A`` or ``model.rows.kind``. So the same kernels take tuples and handles.

Digits behind the type of a field, as in ``R: Floats33  # (nb, 3, 3)``, are lengths of the array's last axes: they are
constants where a kernel is compiled, which else would work out places with them in every loop.

What a handle shows must outlive the call, and does: it holds the tuple.
"""

# mypy: allow-untyped-calls, allow-untyped-defs, disable-error-code="misc"
from __future__ import annotations

import hashlib
import re
import struct
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from solvers.kernels import dual, recorded
from solvers.kernels.cache import fingerprint
from solvers.kernels.compiled import kernel
from solvers.kernels.ingredients import carries

WORD = ir.IntType(64)
HEAD = object.__basicsize__
LAYOUT = fingerprint(__name__)
"""Part of every type's name: kernels in the cache that were compiled for another layout of tables are not found."""
CARRIED = {dual.DUAL: dual.TYPE, recorded.RECORDED: recorded.TYPE}
"""numba's types of arrays of numbers that carry something."""
LENGTHS = re.compile(r"[A-Za-z]+(\d*)")
_BITS, _NUMBER = struct.Struct("q"), struct.Struct("d")


class HandleType(types.Type):
    """numba's type of a handle: what the tuple is called, and per field its type and place in the table.

    Its name is a digest of these, for hundreds of symbols in the machine code of a kernel bear the names of its types.

    lengths : by field those of an array's last axes that are the same for all tuples
    carries : whether any of its numbers carry something
    """

    def __init__(
        self, name: str, fields: dict[str, tuple[types.Type, int]], words: int, lengths: dict[str, tuple[int, ...]]
    ) -> None:
        self.of, self.fields, self.words, self.lengths = name, fields, words, lengths
        self.carries = any(carries(kind) for kind, _ in fields.values())
        told = ", ".join(f"{field} {place} {kind} {lengths[field]}" for field, (kind, place) in fields.items())
        super().__init__(name=f"{name}-{LAYOUT}-{hashlib.sha256(told.encode()).hexdigest()[:16]}")

    def seen(self, names: frozenset[str]) -> HandleType:
        """The type without the fields, and those of its parts, that have none of these names."""
        return _seen(self, names)


@cache
def _seen(of: HandleType, names: frozenset[str]) -> HandleType:
    fields = {
        field: (kind.seen(names) if isinstance(kind, HandleType) else kind, place)
        for field, (kind, place) in of.fields.items()
        if field in names
    }
    words = max((place + 1 + getattr(kind, "ndim", 0) for kind, place in fields.values()), default=0)
    return of if fields == of.fields else HandleType(of.of, fields, words, of.lengths)


_types: dict[tuple[Any, ...], HandleType] = {}


class Handle:
    """A NamedTuple of arrays, numbers, None, and such tuples or handles of them; its attributes are the tuple's.

    Kernels see the arrays themselves, and the numbers as they were when the handle was made.

    Raises
    ------
    TypeError : an array is not contiguous, or not as long as its field says, or something has no place in a table
    """

    __slots__ = ("_numba_type_", "_places", "_shapes", "address", "table", "value")
    _numba_type_: HandleType

    def __init__(self, value: Any) -> None:
        words: list[int] = []  # the tables, one after the other
        arrays: list[int] = []  # places of words that are an array's identity, to become its address
        links: list[int] = []  # places of words that are where another table begins, to become its address
        self._numba_type_ = _lay_out(value, words, arrays, links)
        self.value = value
        self.table = table = np.array(words, np.int64)
        self._places = np.array([*arrays, 0])
        self._shapes = [one.shape for one in _arrays(value)] if not COMPILED else []
        self.address: int = id(self)
        if COMPILED:
            self.address = _look_up(table, self._places, np.array([*links, 0]), id(table))

    def show(self, value: Any) -> bool:
        """Show another tuple, of the same types and numbers, if its arrays are as large as those of this one."""
        if value is self.value:
            return True
        arrays = _arrays(value)
        if not COMPILED:
            fits = [one.shape for one in arrays] == self._shapes
        else:
            fits = _look_again(self.table, self._places, np.array([id(one) for one in arrays]))
        if fits:
            self.value = value
        return fits

    def let_go(self) -> None:
        """Hold the tuple no more: nothing may be read before another one is shown."""
        self.value = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)


def _arrays(value: Any) -> list[np.ndarray]:
    """The arrays of a tuple in the order of ``_lay_out``: its own, then those of its parts."""
    found, parts = [], []
    for one in value:
        if isinstance(one, np.ndarray):
            found.append(one)
        elif isinstance(one, tuple):
            parts.append(one)
    for part in parts:
        found += _arrays(part)
    return found


def _lay_out(value: Any, words: list[int], arrays: list[int], links: list[int]) -> HandleType:
    """Append the table of a tuple to ``words``, then those of its parts; returns its type."""
    kinds: list[Any] = []
    parts: list[tuple[int, int, Any]] = []
    of: Any = type(value)
    for one, (field, last) in zip(value, _lengths(of).items(), strict=True):
        if isinstance(one, np.ndarray):
            if not one.flags.c_contiguous:
                raise TypeError(f"array {field!r} of {of.__name__} is not contiguous")
            if one.shape[one.ndim - len(last) :] != last:
                raise TypeError(f"array {field!r} of {of.__name__} has shape {one.shape}, which does not end in {last}")
            kinds.append((one.dtype, one.ndim))
            arrays.append(len(words))
            words.append(id(one))
            words += one.shape
        elif one is None:
            kinds.append(None)
            words.append(0)
        elif isinstance(one, Handle):
            kinds.append(one._numba_type_)
            words.append(one.address)
        elif isinstance(one, tuple):
            parts.append((len(kinds), len(words), one))
            kinds.append(None)
            words.append(0)
        elif isinstance(one, float):
            kinds.append(float)
            words.append(_BITS.unpack(_NUMBER.pack(one))[0])
        elif isinstance(one, int | np.integer | np.bool_):
            kinds.append(bool if isinstance(one, bool | np.bool_) else int)
            words.append(int(one))
        else:
            raise TypeError(f"{type(one).__name__} in {type(value).__name__} has no place in a table")
    for kind, place, part in parts:
        links.append(place)
        words[place] = len(words)
        kinds[kind] = _lay_out(part, words, arrays, links)
    key = (of, *kinds)
    if key not in _types:
        _types[key] = _type_of(of, kinds)
    return _types[key]


@cache
def _lengths(kind: Any) -> dict[str, tuple[int, ...]]:
    """Lengths of the last axes of each field's array, as far as they are declared."""
    found = {}
    for field, given in kind.__annotations__.items():
        declared = LENGTHS.match(str(getattr(given, "__forward_arg__", given)))
        found[field] = tuple(map(int, declared[1])) if declared else ()
    return found


def _type_of(of: Any, kinds: list[Any]) -> HandleType:
    numbers = {bool: types.boolean, int: types.int64, float: types.float64, None: types.none}
    fields: dict[str, tuple[types.Type, int]] = {}
    place = 0
    for field, kind in zip(of._fields, kinds, strict=True):
        if isinstance(kind, tuple):
            dtype, ndim = kind
            element = CARRIED.get(dtype) or from_dtype(dtype)
            fields[field] = types.Array(element, ndim, "C"), place
            place += 1 + ndim
        else:
            fields[field] = kind if isinstance(kind, HandleType) else numbers[kind], place
            place += 1
    return HandleType(of.__name__, fields, place, _lengths(of))


@intrinsic
def _word_at(context, address):
    """The machine word at an address."""

    def read(context, builder, signature, values):
        return builder.load(builder.inttoptr(values[0], WORD.as_pointer()))

    return types.int64(types.int64), read


@kernel()
def _look_up(words, arrays, links, table):
    """Put addresses in place of the arrays' identities and of links; returns the address of the first table.

    ``arrays`` and ``links`` end with a number that is not looked at. An array's data pointer is the first of its own
    fields, as every extension module knows that was compiled with numpy's headers.
    """
    address = _word_at(table + HEAD)
    for i in range(len(arrays) - 1):
        words[arrays[i]] = _word_at(words[arrays[i]] + HEAD)
    for i in range(len(links) - 1):
        words[links[i]] = address + 8 * words[links[i]]
    return address


@kernel()
def _look_again(words, arrays, found):
    """Put the addresses of other arrays in place; False, and nothing else, where these are not contiguous and as large.

    found : their identities. Behind the data pointer of an array are the number of its dimensions (and a gap), the
    address of their lengths, three more pointers, and flags, the first of which says that it is contiguous.
    """
    for i in range(len(found)):
        fields = found[i] + HEAD
        if _word_at(fields + 48) & 1 == 0:
            return False
        for j in range(_word_at(fields + 8) & 0xFF):
            if _word_at(_word_at(fields + 16) + 8 * j) != words[arrays[i] + 1 + j]:
                return False
    for i in range(len(found)):
        words[arrays[i]] = _word_at(found[i] + HEAD)
    return True


COMPILED = hasattr(_look_up, "py_func")
"""Or else kernels run as plain Python, and use the tuple."""


@typeof_impl.register(Handle)
def _typeof(handle, _):
    return handle._numba_type_


_usual = typeof_impl.dispatch(np.ndarray)


@typeof_impl.register(np.ndarray)
def _typeof_array(array, context):
    """An array of numbers that carry something is one of these in kernels that get it by itself, too."""
    element = CARRIED.get(array.dtype)
    return _usual(array, context) if element is None else types.Array(element, array.ndim, "C")


@register_model(HandleType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, WORD.as_pointer())


@unbox(HandleType)
def _unbox(_, handle, c):
    address = c.pyapi.object_getattr_string(handle, "address")
    number = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(c.builder.inttoptr(number, WORD.as_pointer()))


@infer_getattr
class _Attribute(AttributeTemplate):
    key = HandleType

    def generic_resolve(self, kind, name):
        return kind.fields[name][0] if name in kind.fields else None


@lower_getattr_generic(HandleType)
def _read(context, builder, kind, table, name):
    """The value of a field; tables do not change while a kernel runs, so that they are read once, not in every loop."""
    field, place = kind.fields[name]

    def read(place, of=WORD):
        at = builder.bitcast(builder.gep(table, [WORD(place)]), of.as_pointer())
        word = builder.load(at)
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        return word

    if field is types.none:
        return context.get_dummy_value()
    if isinstance(field, HandleType):
        part = read(place, WORD.as_pointer())
        for fact, number in (("dereferenceable", 8 * field.words), ("align", 8)):
            part.set_metadata(fact, builder.module.add_metadata([WORD(number)]))
        return part
    if isinstance(field, types.Array):
        array, size = context.make_array(field)(context, builder), context.get_data_type(field.dtype)
        last = kind.lengths[name]
        shape = [read(place + 1 + i) for i in range(field.ndim - len(last))]
        for extent in shape:  # not negative: loops over it need not ask
            extent.set_metadata("range", builder.module.add_metadata([WORD(0), WORD(2**60)]))
        shape += [WORD(one) for one in last]
        itemsize = WORD(context.get_abi_sizeof(size))
        strides = [itemsize]
        for extent in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], extent))
        populate_array(array, read(place, size.as_pointer()), shape, strides, itemsize, None)
        return array._getvalue()
    if isinstance(field, types.Float):
        return read(place, ir.DoubleType())
    return builder.trunc(read(place), ir.IntType(1)) if isinstance(field, types.Boolean) else read(place)
