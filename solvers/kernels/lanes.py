"""``Lanes``: four numbers that go through the same formulas side by side, in the vector registers of a processor core.

Kernels are typed when they are called, so a formula that is written for numbers serves lanes as well:

    Lanes       four floats; + − × ÷, sine and cosine act on each, a plain number stands for four equal ones
    across      an array seen by lanes that are ``step`` rows apart: x[i, j] is a[i, j], a[i + step, j], ...
    abreast     an array as memory for lanes: x[i, j] are four neighbours, x[i, j, k] is one of them
    along       an array as lanes see it from any place on: x[i] is a[i], a[i + 1], a[i + 2], a[i + 3]

So four alike recursions, such as four cables of as many elements, cost little more than one.
"""

# mypy: allow-untyped-calls, allow-untyped-defs, disable-error-code="misc, attr-defined"
from __future__ import annotations

import math
import operator
from functools import reduce

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, overload, register_model

from solvers.kernels.cache import fingerprint
from solvers.kernels.dual import Carrying
from solvers.kernels.plain_lanes import FUNCTIONS

WIDTH = 4
DOUBLE, INDEX, ANSWERS = ir.DoubleType(), ir.IntType(32), ir.IntType(WIDTH)
VECTOR = ir.VectorType(DOUBLE, WIDTH)

LAYOUT = fingerprint(__name__)
"""Part of the types' names: what was compiled for another text of this module is found in no cache."""


class LanesType(types.Type):
    """numba's type of four floats."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes-{LAYOUT}")

    def can_convert_from(self, context, other):
        """A number stands for four equal ones."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None

    def unify(self, context, other):
        """What is a number on one way and lanes on the other is lanes."""
        return self if isinstance(other, types.Float | types.Integer) else None


class View(types.Type):
    """An array as lanes see it: the array, and a number [B].

    That is how far lanes are apart (``Across``), what of four times a place is left out (``Abreast``), or 0.
    """

    def __init__(self, kind: str, array: types.Array) -> None:
        self.array = array
        super().__init__(name=f"{kind}-{LAYOUT}({array})")


class Across(View):
    """Lanes are so many rows apart."""

    def __init__(self, array: types.Array) -> None:
        super().__init__("Across", array)


class Abreast(View):
    """Lanes are neighbours."""

    def __init__(self, array: types.Array) -> None:
        super().__init__("Abreast", array)


class Along(View):
    """A vector, from any place on."""

    def __init__(self, array: types.Array) -> None:
        super().__init__("Along", array)


LANES = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, VECTOR)


@register_model(Across)
@register_model(Abreast)
@register_model(Along)
class _ViewModel(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("array", kind.array), ("number", types.intp)])


def _each(builder, values):
    """Lanes of four floats."""
    found = ir.Constant(VECTOR, ir.Undefined)
    for lane, value in enumerate(values):
        found = builder.insert_element(found, value, INDEX(lane))
    return found


def _lane(builder, value, lane):
    return builder.extract_element(value, INDEX(lane))


@lower_cast(types.Float, LANES)
@lower_cast(types.Integer, LANES)
def _spread(context, builder, fromty, toty, value):
    return _each(builder, [context.cast(builder, value, fromty, types.float64)] * WIDTH)


class _Arithmetic(AbstractTemplate):
    def generic(self, args, options):
        if LANES in args and all(isinstance(one, LanesType | types.Float | types.Integer) for one in args):
            return signature(LANES, *[LANES] * len(args))
        return None


def _lower(operation, instruction, operands=2):
    infer_global(operation)(type("_Operation", (_Arithmetic,), {"key": operation}))

    @lower_builtin(operation, *[LANES] * operands)
    def lower(context, builder, signature, values):
        return getattr(builder, instruction)(*values)


for _operations, _instruction in {
    (operator.add, operator.iadd): "fadd",
    (operator.sub, operator.isub): "fsub",
    (operator.mul, operator.imul): "fmul",
    (operator.truediv, operator.itruediv): "fdiv",
}.items():
    for _operation in _operations:
        _lower(_operation, _instruction)
_lower(operator.neg, "fneg", 1)


def _lower_each(function):
    """A function of numbers, of one lane after the other."""
    infer_global(function)(type("_Function", (_Arithmetic,), {"key": function}))

    @lower_builtin(function, LANES)
    def lower(context, builder, given, values):
        kind = signature(types.float64, types.float64)
        scalar = context.get_function(function, kind)
        return _each(builder, [scalar(builder, (_lane(builder, values[0], lane),)) for lane in range(WIDTH)])


_lower_each(math.sin)
_lower_each(math.cos)


@intrinsic
def lanes(context, a, b, c, d):
    """Four numbers as lanes."""

    def make(context, builder, signature, values):
        return _each(builder, values)

    return LANES(types.float64, types.float64, types.float64, types.float64), make


@intrinsic
def lane(context, x, i):
    """The number in lane i."""

    def take(context, builder, signature, values):
        return builder.extract_element(values[0], builder.trunc(values[1], INDEX))

    return (types.float64(LANES, types.int64), take) if x == LANES else None


@intrinsic
def _all_below(context, x, bound):
    def ask(context, builder, signature, values):
        found = builder.fcmp_ordered("<", values[0], _each(builder, [values[1]] * WIDTH))
        return builder.icmp_unsigned("==", builder.bitcast(found, ANSWERS), ANSWERS(2**WIDTH - 1))

    return types.boolean(LANES, types.float64), ask


@intrinsic
def _some(context, x):
    def ask(context, builder, signature, values):
        found = builder.fcmp_unordered("!=", values[0], _each(builder, [DOUBLE(0.0)] * WIDTH))
        return builder.icmp_unsigned("!=", builder.bitcast(found, ANSWERS), ANSWERS(0))

    return types.boolean(LANES), ask


@intrinsic
def _not_negative(context, x):
    def choose(context, builder, signature, values):
        zero = _each(builder, [DOUBLE(0.0)] * WIDTH)
        return builder.select(builder.fcmp_ordered(">=", values[0], zero), values[0], zero)

    return LANES(LANES), choose


@intrinsic
def _larger(context, x, y):
    def choose(context, builder, signature, values):
        return builder.select(builder.fcmp_ordered(">", *values), *values)

    return LANES(LANES, LANES), choose


@intrinsic
def _inverse_above(context, x, bound):
    def choose(context, builder, signature, values):
        one, zero = (_each(builder, [DOUBLE(number)] * WIDTH) for number in (1.0, 0.0))
        above = builder.fcmp_ordered(">", *values)
        return builder.select(above, builder.fdiv(one, values[0]), zero)

    return LANES(LANES, LANES), choose


@intrinsic
def _root(context, x):
    def take(context, builder, signature, values):
        kind = ir.FunctionType(VECTOR, [VECTOR])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.sqrt.v{WIDTH}f64"), values)

    return LANES(LANES), take


def root(x):
    """The square root."""
    return math.sqrt(x)


def total(x):
    """The number itself; of lanes, their sum."""
    return x


def inverse_above(x, bound):
    """1/x, or 0 unless x > bound."""
    return 1.0 / x if x > bound else 0.0


def below(x, bound):
    """Whether x < bound; of lanes, whether all are."""
    return x < bound


def some(x):
    """Whether x is not zero; of lanes, whether one is not. What carries derivatives counts: these may not be zero."""
    return x != 0.0


def not_negative(x):
    """The larger one of x and 0; where they are equal, x, with the derivatives that it carries."""
    return x if x >= 0.0 else 0.0


def larger(x, y):
    """The larger one; y where one of them is NaN."""
    return x if x > y else y


@overload(larger)
def _(x, y):
    return (lambda x, y: _larger(x, y)) if LANES in (x, y) else (lambda x, y: x if x > y else y)


@overload(below)
def _(x, bound):
    return (lambda x, bound: _all_below(x, bound)) if x == LANES else (lambda x, bound: x < bound)


@overload(some)
def _(x):
    if isinstance(x, Carrying):
        return lambda x: True
    return (lambda x: _some(x)) if x == LANES else (lambda x: x != 0.0)


@overload(not_negative)
def _(x):
    return (lambda x: _not_negative(x)) if x == LANES else (lambda x: x if x >= 0.0 else 0.0)


@overload(total)
def _(x):
    if x == LANES:
        return lambda x: (lane(x, 0) + lane(x, 2)) + (lane(x, 1) + lane(x, 3))
    return lambda x: x


@overload(root)
def _(x):
    return (lambda x: _root(x)) if x == LANES else (lambda x: math.sqrt(x))


@overload(inverse_above)
def _(x, bound):
    if x == LANES:
        return lambda x, bound: _inverse_above(x, bound)
    return lambda x, bound: 1.0 / x if x > bound else 0.0


def _make_view(context, builder, view, array, number):
    made = cgutils.create_struct_proxy(view)(context, builder)
    made.array, made.number = array, number
    return made._getvalue()


def _row_size(context, builder, kind, array):
    """Bytes from a row of an array to the next."""
    return cgutils.unpack_tuple(builder, context.make_array(kind)(context, builder, array).strides)[0]


@intrinsic
def across(context, array, step):
    """The array a as x with x[i, ..] = a[i, ..], a[i + step, ..], a[i + 2 step, ..], a[i + 3 step, ..]."""
    view = Across(array)

    def make(context, builder, signature, values):
        apart = builder.mul(values[1], _row_size(context, builder, array, values[0]))
        return _make_view(context, builder, view, values[0], apart)

    return view(array, types.intp), make


@intrinsic
def abreast(context, array, first):
    """Rows of an array a (n, w) from ``first`` on as x, whose rows are w lanes: x[first], x[first + 1] and so on."""
    view = Abreast(array)

    def make(context, builder, signature, values):
        size = _row_size(context, builder, array, values[0])
        skipped = builder.mul(builder.mul(values[1], size), size.type(WIDTH - 1))
        return _make_view(context, builder, view, values[0], skipped)

    return view(array, types.intp), make


@intrinsic
def along(context, array):
    """An array a as x with x[.., i] = a[.., i], a[.., i + 1], a[.., i + 2], a[.., i + 3]; these must be there.

    Of numbers that carry something it is the array itself.
    """
    if isinstance(array.dtype, Carrying):
        return array(array), lambda context, builder, given, values: impl_ret_borrowed(
            context, builder, array, values[0]
        )
    view = Along(array)

    def make(context, builder, signature, values):
        return _make_view(context, builder, view, values[0], context.get_constant(types.intp, 0))

    return view(array), make


@infer_global(operator.getitem)
class _Read(AbstractTemplate):
    def generic(self, args, options):
        if not isinstance(args[0], View):
            return None
        one = isinstance(args[1], types.BaseTuple) and len(args[1]) > args[0].array.ndim
        return signature(types.float64 if one else LANES, args[0], _indices(args[1]))


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, args, options):
        return signature(types.none, args[0], _indices(args[1]), LANES) if isinstance(args[0], View) else None


def _indices(kind):
    return types.UniTuple(types.intp, len(kind)) if isinstance(kind, types.BaseTuple) else types.intp


def _place(context, builder, kind, view, index_kind, index):
    """Address [B] of what an index names in the array itself, its first address, and the view's number."""
    view = cgutils.create_struct_proxy(kind)(context, builder, value=view)
    array = context.make_array(kind.array)(context, builder, view.array)
    indices = cgutils.unpack_tuple(builder, index) if isinstance(index_kind, types.BaseTuple) else [index]
    strides = cgutils.unpack_tuple(builder, array.strides)
    offset = reduce(builder.add, map(builder.mul, indices, strides))
    return array.data, offset, view.number


def _neighbours(context, builder, signature, values):
    """Address of four numbers of a vector."""
    data, offset, _ = _place(context, builder, signature.args[0], values[0], signature.args[1], values[1])
    return cgutils.pointer_add(builder, data, offset, VECTOR.as_pointer())


@lower_builtin(operator.getitem, Across, types.Any)
def _gather(context, builder, signature, values):
    data, offset, apart = _place(context, builder, signature.args[0], values[0], signature.args[1], values[1])
    found = []
    for _ in range(WIDTH):
        found.append(builder.load(cgutils.pointer_add(builder, data, offset)))
        offset = builder.add(offset, apart)
    return _each(builder, found)


@lower_builtin(operator.setitem, Across, types.Any, LANES)
def _scatter(context, builder, signature, values):
    data, offset, apart = _place(context, builder, signature.args[0], values[0], signature.args[1], values[1])
    for i in range(WIDTH):
        builder.store(_lane(builder, values[2], i), cgutils.pointer_add(builder, data, offset))
        offset = builder.add(offset, apart)
    return context.get_dummy_value()


def _vector(context, builder, signature, values):
    """Address of neighbours."""
    data, offset, skipped = _place(context, builder, signature.args[0], values[0], signature.args[1], values[1])
    offset = builder.sub(builder.mul(offset, offset.type(WIDTH)), skipped)
    return cgutils.pointer_add(builder, data, offset, VECTOR.as_pointer())


@lower_builtin(operator.getitem, Abreast, types.Any)
def _load(context, builder, signature, values):
    if signature.return_type == LANES:
        return builder.load(_vector(context, builder, signature, values), align=8)
    *index, which = cgutils.unpack_tuple(builder, values[1])
    kind = types.UniTuple(types.intp, len(index))
    place = context.make_tuple(builder, kind, index)
    four = _vector(context, builder, signature.replace(args=(signature.args[0], kind)), (values[0], place))
    return builder.load(builder.gep(builder.bitcast(four, DOUBLE.as_pointer()), [which]))


@lower_builtin(operator.getitem, Along, types.Any)
def _load_along(context, builder, signature, values):
    return builder.load(_neighbours(context, builder, signature, values), align=8)


@lower_builtin(operator.setitem, Along, types.Any, LANES)
def _store_along(context, builder, signature, values):
    builder.store(values[2], _neighbours(context, builder, signature, values), align=8)
    return context.get_dummy_value()


@lower_builtin(operator.setitem, Abreast, types.Any, LANES)
def _store(context, builder, signature, values):
    builder.store(values[2], _vector(context, builder, signature, values), align=8)
    return context.get_dummy_value()


if not hasattr(numba.njit(below), "py_func"):  # kernels run as plain Python
    globals().update(FUNCTIONS)
