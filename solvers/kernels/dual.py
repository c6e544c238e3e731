"""``Dual``: a number and its derivatives in seven directions, all through the same formulas side by side.

Kernels are typed when they are called, so that a formula written for numbers is differentiated by calling it with
duals: x + ε·ẋ with ε_i ε_j = 0, where

    f(x + ε·ẋ) = f(x) + ε·(f′(x) ẋ)

Values go the way they would go without derivatives: comparisons look at values only, so that of a formula with branches
it is the branch at hand that is differentiated. √x has the derivative 0 at x = 0, where it has none: nothing is NaN
that would be a number without derivatives.

    DUAL       dtype of an array of duals: eight floats each, the value first
    duals      a copy of an array as duals without derivatives
    parts      an array of duals as floats, (.., 8)
    value      in a kernel: the number without its derivatives; of a plain number, the number

Source: forward mode of automatic differentiation, many directions at a time (Griewank & Walther, Evaluating
Derivatives, 2008, ch. 3).
"""

# mypy: allow-untyped-calls, allow-untyped-defs, disable-error-code="misc, attr-defined"
from __future__ import annotations

import math
import operator
from functools import reduce

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, overload, register_model
from numpy.typing import NDArray

WIDTH = 8
DIRECTIONS = WIDTH - 1

DUAL = np.dtype([("dual", np.float64, (WIDTH,))])
"""Of an array of duals."""

DOUBLE, INDEX = ir.DoubleType(), ir.IntType(32)
VECTOR = ir.VectorType(DOUBLE, WIDTH)
DATA = ir.LiteralStructType([VECTOR], packed=True)


def duals(array: NDArray[np.float64]) -> np.ndarray:
    """A copy of an array as duals, derivatives zero, with room for three more behind: lanes may begin with the last."""
    found = np.zeros(array.size + 3, DUAL)[: array.size].reshape(array.shape)
    parts(found)[..., 0] = array
    return found


def parts(array: np.ndarray) -> NDArray[np.float64]:
    """The memory of an array of duals as floats (.., 8): values, then derivatives."""
    found: NDArray[np.float64] = array["dual"]
    return found


class DualType(types.Type):
    """numba's type of a number with its derivatives."""

    def __init__(self) -> None:
        super().__init__(name="Dual")

    def can_convert_from(self, context, other):
        """A number is a constant."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None

    def unify(self, context, other):
        """What is a number on one way and a dual on the other is a dual."""
        return self if isinstance(other, types.Float | types.Integer) else None


TYPE = DualType()


@register_model(DualType)
class _DualModel(models.PrimitiveModel):
    """In registers a vector; in memory the same without its alignment, which numpy does not promise."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, VECTOR)

    def get_data_type(self):
        return DATA

    def as_data(self, builder, value):
        return builder.insert_value(ir.Constant(DATA, ir.Undefined), value, 0)

    def from_data(self, builder, value):
        return builder.extract_value(value, 0)

    def load_from_data_pointer(self, builder, ptr, align=None):
        return builder.load(builder.bitcast(ptr, VECTOR.as_pointer()), align=8)


def _value(builder, x):
    return builder.extract_element(x, INDEX(0))


def _put(builder, x, value):
    return builder.insert_element(x, value, INDEX(0))


def _spread(builder, number):
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, INDEX(0))
    zeros = ir.Constant(ir.VectorType(INDEX, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)


def _slope(builder, x):
    """The derivatives alone."""
    return _put(builder, x, DOUBLE(0.0))


def _chain(builder, value, *terms):
    """A value, with the sum of each slope times each dual's derivatives."""
    scaled = [builder.fmul(_spread(builder, slope), _slope(builder, x)) for slope, x in terms]
    return _put(builder, reduce(builder.fadd, scaled), value)


@lower_cast(types.Float, TYPE)
@lower_cast(types.Integer, TYPE)
def _constant(context, builder, fromty, toty, value):
    return _put(builder, ir.Constant(VECTOR, [0.0] * WIDTH), context.cast(builder, value, fromty, types.float64))


def _some_dual(args):
    return TYPE in args and all(isinstance(one, DualType | types.Float | types.Integer) for one in args)


class _Arithmetic(AbstractTemplate):
    def generic(self, args, options):
        return signature(TYPE, *[TYPE] * len(args)) if _some_dual(args) and not options else None


class _Comparison(AbstractTemplate):
    def generic(self, args, options):
        return signature(types.boolean, *[TYPE] * len(args)) if _some_dual(args) and not options else None


def _register(operation, template, lower, operands):
    infer_global(operation)(type("_Operation", (template,), {"key": operation}))
    for count in operands:
        lower_builtin(operation, *[TYPE] * count)(lower)


def _sum(context, builder, signature, values):
    return builder.fadd(*values)


def _difference(context, builder, signature, values):
    return builder.fsub(*values)


def _product(context, builder, signature, values):
    x, y = values
    return builder.fadd(
        builder.fmul(_spread(builder, _value(builder, x)), y),
        builder.fmul(_spread(builder, _value(builder, y)), _slope(builder, x)),
    )


def _quotient(context, builder, signature, values):
    x, y = values
    ratio = builder.fdiv(_value(builder, x), _value(builder, y))
    left = builder.fsub(x, builder.fmul(_spread(builder, ratio), _slope(builder, y)))
    return builder.fdiv(left, _spread(builder, _value(builder, y)))


def _minus(context, builder, signature, values):
    return builder.fneg(values[0])


def _same(context, builder, signature, values):
    return values[0]


def _magnitude(context, builder, signature, values):
    below = builder.fcmp_ordered("<", _value(builder, values[0]), DOUBLE(0.0))
    return builder.select(below, builder.fneg(values[0]), values[0])


for _operations, _lower in {
    (operator.add, operator.iadd): _sum,
    (operator.sub, operator.isub): _difference,
    (operator.mul, operator.imul): _product,
    (operator.truediv, operator.itruediv): _quotient,
}.items():
    for _operation in _operations:
        _register(_operation, _Arithmetic, _lower, [2])
_register(operator.neg, _Arithmetic, _minus, [1])
_register(operator.pos, _Arithmetic, _same, [1])
_register(abs, _Arithmetic, _magnitude, [1])


def _compare(sign):
    def lower(context, builder, signature, values):
        compare = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered
        return compare(sign, *(_value(builder, x) for x in values))

    return lower


for _operation, _sign in {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}.items():
    _register(_operation, _Comparison, _compare(_sign), [2])


class _Whole(AbstractTemplate):
    def generic(self, args, options):
        return signature(types.int64, TYPE) if _some_dual(args) and not options else None


def _floor(context, builder, given, values):
    kind = signature(types.int64, types.float64)
    return context.get_function(math.floor, kind)(builder, [_value(builder, values[0])])


_register(math.floor, _Whole, _floor, [1])


def _extreme(sign):
    def lower(context, builder, signature, values):
        def choose(x, y):  # as Python: the first one, where they are equal
            return builder.select(builder.fcmp_ordered(sign, _value(builder, y), _value(builder, x)), y, x)

        return reduce(choose, values)

    return lower


_register(min, _Arithmetic, _extreme("<"), [2, 3, 4])
_register(max, _Arithmetic, _extreme(">"), [2, 3, 4])


def _function(function, slopes, operands=1):
    """A function of numbers; ``slopes(builder, of, value, x..)``: its partial derivatives; ``of`` calls functions."""

    def lower(context, builder, given, values):
        def of(other, *numbers):
            kind = signature(types.float64, *[types.float64] * len(numbers))
            return context.get_function(other, kind)(builder, numbers)

        numbers = [_value(builder, x) for x in values]
        found = of(function, *numbers)
        return _chain(builder, found, *zip(slopes(builder, of, found, *numbers), values, strict=True))

    _register(function, _Arithmetic, lower, [operands])


def _over(builder, x, y):
    """x/y, and 0 where y is 0."""
    return builder.select(builder.fcmp_ordered("==", y, DOUBLE(0.0)), DOUBLE(0.0), builder.fdiv(x, y))


def _of_root(builder, of, root, x):
    return [_over(builder, DOUBLE(0.5), root)]


def _of_sine(builder, of, sine, x):
    return [of(math.cos, x)]


def _of_cosine(builder, of, cosine, x):
    return [builder.fneg(of(math.sin, x))]


def _of_power(builder, of, power, x):
    return [power]


def _of_growth(builder, of, growth, x):
    return [builder.fadd(growth, DOUBLE(1.0))]


def _of_angle(builder, of, angle, y, x):
    square = builder.fadd(builder.fmul(x, x), builder.fmul(y, y))
    return [_over(builder, x, square), builder.fneg(_over(builder, y, square))]


def _of_length(builder, of, length, x, y):
    return [_over(builder, x, length), _over(builder, y, length)]


_function(math.sqrt, _of_root)
_function(math.sin, _of_sine)
_function(math.cos, _of_cosine)
_function(math.exp, _of_power)
_function(math.expm1, _of_growth)
_function(math.atan2, _of_angle, 2)
_function(math.hypot, _of_length, 2)


def value(x):
    """The number without its derivatives; of a plain number, the number."""
    return x


@numba.extending.intrinsic
def _take_value(context, x):
    def take(context, builder, signature, values):
        return _value(builder, values[0])

    return types.float64(TYPE), take


@overload(value)
def _(x):
    return (lambda x: _take_value(x)) if x == TYPE else (lambda x: x)
