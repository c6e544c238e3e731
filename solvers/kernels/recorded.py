"""``Recorded``: a number that writes down how it is made, so that derivatives are had backwards.

The same formulas as of plain numbers and of duals, called with another type: each operation z = f(x, y) appends

    entry of z:    who x and y are, ∂f/∂x, ∂f/∂y

to a tape, and ``sweep`` goes over it from its end, x̄ += z̄ ∂f/∂x, ȳ += z̄ ∂f/∂y: one pass gives the derivatives of one
number with respect to all that the tape began with, however many these are. Constants have no tape, and what is made of
constants alone is not written down.

    RECORDED   dtype of an array of such numbers: value, place on the tape, address of the tape (0: a constant)
    recorded   a copy of an array as constants
    values     an array of them as floats, a view
    Tape       room for entries; the first ``leaves`` places are what derivatives are taken with respect to
    sweep      in a kernel: adjoints, from the last entry to the first

Source: reverse mode of automatic differentiation, Griewank & Walther, Evaluating Derivatives (2008), ch. 3.2.
"""

# mypy: allow-untyped-calls, allow-untyped-defs, disable-error-code="misc, attr-defined"
from __future__ import annotations

import operator

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import infer_global, signature
from numba.extending import models, register_model
from numpy.typing import NDArray

from solvers.kernels import dual
from solvers.kernels.cache import fingerprint
from solvers.kernels.compiled import kernel
from solvers.kernels.dual import SLOPES, Carrying

RECORDED = np.dtype([("value", np.float64), ("node", np.int64), ("tape", np.int64)])
ENTRY = np.dtype([("x", np.uint32), ("y", np.uint32), ("by_x", np.float64), ("by_y", np.float64)])

DOUBLE, WORD, SHORT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
STRUCT = ir.LiteralStructType([DOUBLE, WORD, WORD])
LINE = ir.LiteralStructType([SHORT, SHORT, DOUBLE, DOUBLE])
LAYOUT = fingerprint(__name__)
"""Part of the type's name: kernels in the cache that write down in another way are not found."""
NOTE = f"recorded_note_{LAYOUT}"
KEEPING = "preserve_allcc"
"""How it is called: hundreds of calls in a row would spill all registers around each."""


def recorded(array: NDArray[np.float64]) -> np.ndarray:
    """A copy of an array as constants."""
    found = np.zeros(array.shape, RECORDED)
    found["value"] = array
    return found


def values(array: np.ndarray) -> NDArray[np.float64]:
    """The values of an array of recorded numbers, to be read and written."""
    found: NDArray[np.float64] = array["value"]
    return found


class Tape:
    """Room for so many entries, of which the first ones are leaves; what does not fit is counted."""

    def __init__(self, leaves: int, room: int) -> None:
        self.leaves, self.room = leaves, room
        self.entries = np.zeros(room + 1, ENTRY)  # the last one is for what does not fit
        self.adjoint = np.zeros(room + 1)
        self._head = np.array([leaves, room, self.entries.ctypes.data])

    @property
    def address(self) -> int:
        """What numbers on this tape have in their field ``tape``."""
        return self._head.ctypes.data

    @property
    def used(self) -> int:
        """Entries that have been made, leaves included; more than ``room`` if some were lost."""
        return int(self._head[0])

    def rewind(self) -> None:
        """Forget all entries."""
        self._head[0] = self.leaves

    def sweep(self) -> NDArray[np.float64]:
        """Carry ``adjoint`` back from the last entry to the leaves; returns theirs. All others are 0 then."""
        sweep(self.entries, self.adjoint, self.leaves, self.used)
        return self.adjoint[: self.leaves]


@kernel()
def sweep(entries, adjoint, first, last):
    """Carry adjoints from entries last − 1 to ``first`` back to what they are made of."""
    for k in range(last - 1, first - 1, -1):
        a = adjoint[k]
        if a != 0.0:
            entry = entries[k]
            adjoint[k] = 0.0
            adjoint[entry.x] += a * entry.by_x
            adjoint[entry.y] += a * entry.by_y
    adjoint[0] = 0.0  # of constants


class RecordedType(Carrying):
    """numba's type of a number that is written down."""

    def __init__(self) -> None:
        super().__init__(name=f"Recorded-{LAYOUT}")

    def value_of(self, builder, x):
        """The number alone."""
        return builder.extract_value(x, 0)

    def moves(self, builder, x):
        """Whether it is on a tape."""
        return builder.icmp_unsigned("!=", builder.extract_value(x, 2), WORD(0))


TYPE = RecordedType()


@register_model(RecordedType)
class _RecordedModel(models.StructModel):
    def __init__(self, manager, kind):
        members = [("value", types.float64), ("node", types.int64), ("tape", types.int64)]
        super().__init__(manager, kind, members)


def _made(builder, *parts):
    found = ir.Constant(STRUCT, ir.Undefined)
    for i, part in enumerate(parts):
        found = builder.insert_value(found, part, i)
    return found


@lower_cast(types.Float, TYPE)
@lower_cast(types.Integer, TYPE)
def _constant(context, builder, fromty, toty, value):
    return _made(builder, context.cast(builder, value, fromty, types.float64), WORD(0), WORD(0))


def _note(builder):
    """The function that appends an entry: (tape, x, y, ∂f/∂x, ∂f/∂y) → its place."""
    module = builder.module
    if NOTE in module.globals:
        return module.globals[NOTE]
    function = ir.Function(module, ir.FunctionType(WORD, [WORD, WORD, WORD, DOUBLE, DOUBLE]), NOTE)
    function.linkage = "linkonce_odr"
    function.calling_convention = KEEPING
    function.attributes.add("noinline")  # or else thousands of copies, which take minutes to compile
    tape, x, y, by_x, by_y = function.args
    inside = ir.IRBuilder(function.append_basic_block())
    with inside.if_then(inside.icmp_unsigned("==", tape, WORD(0)), likely=False):
        inside.ret(WORD(0))
    head = inside.inttoptr(tape, WORD.as_pointer())
    count, room, address = (inside.load(inside.gep(head, [WORD(i)])) for i in range(3))
    inside.store(inside.add(count, WORD(1)), head)
    place = inside.select(inside.icmp_unsigned("<", count, room), count, room)
    line = inside.gep(inside.inttoptr(address, LINE.as_pointer()), [place])
    for i, one in enumerate((inside.trunc(x, SHORT), inside.trunc(y, SHORT), by_x, by_y)):
        inside.store(one, inside.gep(line, [SHORT(0), SHORT(i)]))
    inside.ret(place)
    return function


def _function(function, slopes, operands):
    """A function of one or two numbers by its value and its slopes, see ``dual.SLOPES``."""
    infer_global(function)(type("_Operation", (dual.Arithmetic,), {"key": function, "of": TYPE}))

    def lower(context, builder, given, numbers):
        def of(other, *arguments):
            kind = signature(types.float64, *[types.float64] * len(arguments))
            return context.get_function(other, kind)(builder, arguments)

        plain = [builder.extract_value(x, 0) for x in numbers]
        found = of(function, *plain)
        by = list(slopes(builder, of, found, *plain))
        nodes, tapes = ([builder.extract_value(x, i) for x in numbers] for i in (1, 2))
        if operands == 1:
            by, nodes, tape = [*by, DOUBLE(0.0)], [*nodes, WORD(0)], tapes[0]
        else:
            tape = builder.or_(*tapes)
        return _made(builder, found, builder.call(_note(builder), [tape, *nodes, *by], cconv=KEEPING), tape)

    lower_builtin(function, *[TYPE] * operands)(lower)


for _one, (_operands, _slopes) in SLOPES.items():
    _function(_one, _slopes, _operands)
infer_global(operator.pos)(type("_Operation", (dual.Arithmetic,), {"key": operator.pos, "of": TYPE}))
lower_builtin(operator.pos, TYPE)(lambda context, builder, signature, values: values[0])
dual.register_decisions(TYPE)
