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
    values     the first of them, a view
    value      in a kernel: the number without its derivatives; of a plain number, the number
    moves      in a kernel: whether it has derivatives, or may have some; of a plain number, no

Source: forward mode of automatic differentiation, many directions at a time (Griewank & Walther, Evaluating
Derivatives, 2008, ch. 3).
"""

# mypy: allow-untyped-calls, allow-untyped-defs, disable-error-code="misc, attr-defined"
from __future__ import annotations

import math
import operator
from abc import abstractmethod
from functools import reduce

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, overload, register_model
from numpy.typing import NDArray

from solvers.kernels.cache import fingerprint

WIDTH = 8
DIRECTIONS = WIDTH - 1

DUAL = np.dtype([("dual", np.float64, (WIDTH,))])
"""Of an array of duals."""

DOUBLE, INDEX = ir.DoubleType(), ir.IntType(32)
VECTOR = ir.VectorType(DOUBLE, WIDTH)
DATA = ir.LiteralStructType([VECTOR], packed=True)


def duals(array: NDArray[np.float64]) -> np.ndarray:
    """A copy of an array as duals, derivatives zero."""
    room = np.zeros(WIDTH * (array.size + 1))
    begin = -room.ctypes.data // room.itemsize % WIDTH  # where a line of the cache does
    found = room[begin : begin + WIDTH * array.size].reshape(*array.shape, WIDTH)
    found[..., 0] = array
    return found.view(DUAL).reshape(array.shape)


def parts(array: np.ndarray) -> NDArray[np.float64]:
    """The memory of an array of duals as floats (.., 8): values, then derivatives."""
    found: NDArray[np.float64] = array["dual"]
    return found


def values(array: np.ndarray) -> NDArray[np.float64]:
    """The values of an array of duals, to be read and written."""
    return parts(array)[..., 0]


class Carrying(types.Type):
    """numba's type of a number that carries something with it."""

    carries = True

    def can_convert_from(self, context, other):
        """A number is a constant."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None

    def unify(self, context, other):
        """What is a number on one way and carries something on the other one carries something."""
        return self if isinstance(other, types.Float | types.Integer) else None

    @abstractmethod
    def value_of(self, builder, x):
        """The number alone."""

    @abstractmethod
    def moves(self, builder, x):
        """Whether it has derivatives, or may have some."""


class DualType(Carrying):
    """numba's type of a number with its derivatives."""

    def __init__(self) -> None:
        super().__init__(name=f"Dual-{fingerprint(__name__)}")  # found in no cache of another text

    def value_of(self, builder, x):
        """The number without its derivatives."""
        return _value(builder, x)

    def moves(self, builder, x):
        """Whether it has derivatives."""
        some = builder.fcmp_unordered("!=", _slope(builder, x), ir.Constant(VECTOR, [0.0] * WIDTH))
        lanes = builder.bitcast(some, ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", lanes, ir.Constant(lanes.type, 0))


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
    lanes = ir.Constant(ir.VectorType(INDEX, WIDTH), [WIDTH, *range(1, WIDTH)])
    return builder.shuffle_vector(x, ir.Constant(VECTOR, [0.0] * WIDTH), lanes)


def _fma(builder, x, y, z):
    """x y + z, rounded once: of values as x y is, z = 0 there."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
    fma = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{WIDTH}f64")
    return builder.call(fma, [x, y, z])


def _chain(builder, value, *terms):
    """A value, with the sum of each slope times each dual's derivatives."""
    scaled = [builder.fmul(_spread(builder, slope), _slope(builder, x)) for slope, x in terms]
    return _put(builder, reduce(builder.fadd, scaled), value)


@lower_cast(types.Float, TYPE)
@lower_cast(types.Integer, TYPE)
def _constant(context, builder, fromty, toty, value):
    return _put(builder, ir.Constant(VECTOR, [0.0] * WIDTH), context.cast(builder, value, fromty, types.float64))


def _some(kind, args):
    return kind in args and all(one == kind or isinstance(one, types.Float | types.Integer) for one in args)


class Arithmetic(AbstractTemplate):
    """Functions of numbers some of which carry something: so does the result."""

    of: Carrying = TYPE

    def generic(self, args, options):
        """All arguments are taken as what carries something."""
        return signature(self.of, *[self.of] * len(args)) if _some(self.of, args) and not options else None


class _Comparison(Arithmetic):
    def generic(self, args, options):
        return signature(types.boolean, *[self.of] * len(args)) if _some(self.of, args) and not options else None


class _Whole(Arithmetic):
    def generic(self, args, options):
        return signature(types.int64, self.of) if _some(self.of, args) and not options else None


def _register(operation, template, lower, operands, of=TYPE):
    infer_global(operation)(type("_Operation", (template,), {"key": operation, "of": of}))
    for count in operands:
        lower_builtin(operation, *[of] * count)(lower)


def _sum(context, builder, signature, values):
    return builder.fadd(*values)


def _difference(context, builder, signature, values):
    return builder.fsub(*values)


def _product(context, builder, signature, values):
    x, y = values
    return _fma(
        builder,
        _spread(builder, _value(builder, x)),
        y,
        builder.fmul(_spread(builder, _value(builder, y)), _slope(builder, x)),
    )


def _quotient(context, builder, signature, values):
    x, y = values
    ratio = builder.fdiv(_value(builder, x), _value(builder, y))
    part = builder.fdiv(DOUBLE(1.0), _value(builder, y))
    left = builder.fsub(x, builder.fmul(_spread(builder, ratio), y))
    return _put(builder, builder.fmul(left, _spread(builder, part)), ratio)


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
        _register(_operation, Arithmetic, _lower, [2])
_register(operator.neg, Arithmetic, _minus, [1])
_register(operator.pos, Arithmetic, _same, [1])
_register(abs, Arithmetic, _magnitude, [1])


def register_decisions(of):
    """Comparisons, questions, floor, min and max of numbers that carry something: they look at values."""

    def compare(sign):
        def lower(context, builder, signature, values):
            decide = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered
            return decide(sign, *(of.value_of(builder, x) for x in values))

        return lower

    def extreme(sign):
        def lower(context, builder, signature, values):
            def choose(x, y):  # as Python: the first one, where they are equal
                second = builder.fcmp_ordered(sign, of.value_of(builder, y), of.value_of(builder, x))
                return builder.select(second, y, x)

            return reduce(choose, values)

        return lower

    def ask(question):
        def lower(context, builder, given, values):
            kind = signature(types.boolean, types.float64)
            return context.get_function(question, kind)(builder, [of.value_of(builder, values[0])])

        return lower

    def floor(context, builder, given, values):
        kind = signature(types.int64, types.float64)
        return context.get_function(math.floor, kind)(builder, [of.value_of(builder, values[0])])

    for operation, sign in COMPARISONS.items():
        _register(operation, _Comparison, compare(sign), [2], of)
    for question in QUESTIONS:
        _register(question, _Comparison, ask(question), [1], of)
    _register(math.floor, _Whole, floor, [1], of)
    _register(min, Arithmetic, extreme("<"), [2, 3, 4], of)
    _register(max, Arithmetic, extreme(">"), [2, 3, 4], of)


COMPARISONS = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
QUESTIONS = math.isnan, math.isinf, math.isfinite, np.isnan, np.isinf, np.isfinite
register_decisions(TYPE)


def _function(function, slopes, operands=1):
    """A function of numbers; ``slopes(builder, of, value, x..)``: its partial derivatives; ``of`` calls functions."""

    def lower(context, builder, given, values):
        def of(other, *numbers):
            kind = signature(types.float64, *[types.float64] * len(numbers))
            return context.get_function(other, kind)(builder, numbers)

        numbers = [_value(builder, x) for x in values]
        found = of(function, *numbers)
        return _chain(builder, found, *zip(slopes(builder, of, found, *numbers), values, strict=True))

    _register(function, Arithmetic, lower, [operands])


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


def _of_sum(builder, of, total, x, y):
    return [DOUBLE(1.0), DOUBLE(1.0)]


def _of_difference(builder, of, difference, x, y):
    return [DOUBLE(1.0), DOUBLE(-1.0)]


def _of_product(builder, of, product, x, y):
    return [y, x]


def _of_quotient(builder, of, ratio, x, y):
    return [builder.fdiv(DOUBLE(1.0), y), builder.fneg(builder.fdiv(ratio, y))]


def _of_minus(builder, of, minus, x):
    return [DOUBLE(-1.0)]


def _of_magnitude(builder, of, magnitude, x):
    return [builder.select(builder.fcmp_ordered("<", x, DOUBLE(0.0)), DOUBLE(-1.0), DOUBLE(1.0))]


FUNCTIONS = {
    math.sqrt: (1, _of_root),
    math.sin: (1, _of_sine),
    math.cos: (1, _of_cosine),
    math.exp: (1, _of_power),
    math.expm1: (1, _of_growth),
    math.atan2: (2, _of_angle),
    math.hypot: (2, _of_length),
}
OPERATIONS = {
    (operator.add, operator.iadd): (2, _of_sum),
    (operator.sub, operator.isub): (2, _of_difference),
    (operator.mul, operator.imul): (2, _of_product),
    (operator.truediv, operator.itruediv): (2, _of_quotient),
    (operator.neg,): (1, _of_minus),
    (abs,): (1, _of_magnitude),
}
SLOPES = FUNCTIONS | {one: slopes for some, slopes in OPERATIONS.items() for one in some}
"""Operands and partial derivatives of everything; duals have sums, products and the like written out above."""

for _name, (_count, _slopes) in FUNCTIONS.items():
    _function(_name, _slopes, _count)


def value(x):
    """The number without its derivatives; of a plain number, the number."""
    return x


@numba.extending.intrinsic
def _take_value(context, x):
    def take(context, builder, signature, values):
        return x.value_of(builder, values[0])

    return types.float64(x), take


@overload(value)
def _(x):
    return (lambda x: _take_value(x)) if isinstance(x, Carrying) else (lambda x: x)


def moves(x):
    """Whether a number has derivatives, or may have some; a plain number has none."""
    return False


@numba.extending.intrinsic
def _ask_moves(context, x):
    def ask(context, builder, signature, values):
        return x.moves(builder, values[0])

    return types.boolean(x), ask


@overload(moves)
def _(x):
    return (lambda x: _ask_moves(x)) if isinstance(x, Carrying) else (lambda x: False)
