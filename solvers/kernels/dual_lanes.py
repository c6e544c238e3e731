"""Lanes of duals: four numbers with their derivatives, through formulas that are written for lanes.

``along`` an array of duals reads and writes them, ``lanes`` makes them of duals, and so on: all of
``solvers.kernels.lanes`` that laws of rows use. They are four duals, one after the other: nothing is gained, but that
one text serves numbers, lanes, duals and lanes of duals.
"""

# mypy: allow-untyped-calls, allow-untyped-defs, disable-error-code="misc, attr-defined"
from __future__ import annotations

import operator
from functools import reduce

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, register_model

from solvers.kernels.dual import DATA, TYPE, DualType
from solvers.kernels.dual import VECTOR as DUAL_VECTOR

WIDTH = 4
NAMES = "abcd"


class DualLanesType(types.Type):
    """numba's type of four duals."""

    def __init__(self) -> None:
        super().__init__(name="DualLanes")

    def can_convert_from(self, context, other):
        """A number or a dual stands for four equal ones, lanes for four constants."""
        return Conversion.safe if _plain(other) else None

    def unify(self, context, other):
        """What is less on one way is lanes of duals."""
        return self if _plain(other) else None


def _plain(kind):
    return isinstance(kind, DualType | types.Float | types.Integer) or kind.name == "Lanes"


DUAL_LANES = DualLanesType()


@register_model(DualLanesType)
class _Model(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [(name, TYPE) for name in NAMES])


def four(context, builder, values):
    """Four duals as one."""
    made = cgutils.create_struct_proxy(DUAL_LANES)(context, builder)
    for name, value in zip(NAMES, values, strict=True):
        setattr(made, name, value)
    return made._getvalue()


def each(context, builder, value):
    """The four duals."""
    made = cgutils.create_struct_proxy(DUAL_LANES)(context, builder, value=value)
    return [getattr(made, name) for name in NAMES]


def pick(context, builder, value, index):
    """The dual in the lane of that index."""
    *others, last = each(context, builder, value)
    chosen = enumerate(others)
    return reduce(
        lambda rest, one: builder.select(builder.icmp_signed("==", index, index.type(one[0])), one[1], rest),
        chosen,
        last,
    )


def load(context, builder, place):
    """Four neighbours from the address of the first one [B] on."""
    kind, model = place(DATA.as_pointer()), context.data_model_manager[TYPE]
    places = [builder.gep(kind, [ir.IntType(64)(i)]) for i in range(WIDTH)]
    return four(context, builder, [model.load_from_data_pointer(builder, at) for at in places])


def store(context, builder, place, value):
    """The same written."""
    first = place(DATA.as_pointer())
    for i, one in enumerate(each(context, builder, value)):
        at = builder.bitcast(builder.gep(first, [ir.IntType(64)(i)]), DUAL_VECTOR.as_pointer())
        builder.store(one, at, align=8)


@lower_cast(TYPE, DUAL_LANES)
@lower_cast(types.Float, DUAL_LANES)
@lower_cast(types.Integer, DUAL_LANES)
def _spread(context, builder, fromty, toty, value):
    return four(context, builder, [context.cast(builder, value, fromty, TYPE)] * WIDTH)


def constants(context, builder, fromty, toty, value):
    """Lanes as duals without derivatives."""
    numbers = [builder.extract_element(value, ir.IntType(32)(i)) for i in range(WIDTH)]
    return four(context, builder, [context.cast(builder, one, types.float64, TYPE) for one in numbers])


class _Arithmetic(AbstractTemplate):
    def generic(self, args, options):
        known = all(one == DUAL_LANES or _plain(one) for one in args)
        mixed = TYPE in args and any(getattr(one, "name", "") == "Lanes" for one in args)
        return signature(DUAL_LANES, *[DUAL_LANES] * len(args)) if known and (DUAL_LANES in args or mixed) else None


def _lower(operation, simple, operands):
    infer_global(operation)(type("_Operation", (_Arithmetic,), {"key": operation}))

    @lower_builtin(operation, *[DUAL_LANES] * operands)
    def lower(context, builder, given, values):
        function = context.get_function(simple, signature(TYPE, *[TYPE] * operands))
        lanes = zip(*(each(context, builder, value) for value in values), strict=True)
        return four(context, builder, [function(builder, one) for one in lanes])


for _operations in (
    (operator.add, operator.iadd),
    (operator.sub, operator.isub),
    (operator.mul, operator.imul),
    (operator.truediv, operator.itruediv),
):
    for _operation in _operations:
        _lower(_operation, _operations[0], 2)
_lower(operator.neg, operator.neg, 1)
