"""All formulas of a scene as one program: a tape of operations on numbers, which a kernel runs over many times.

A formula is evaluated once, on a symbol in place of t. What its jets do there with numpy's functions, rates included,
is put on the tape; what several formulas ask for stands there once. Times then run through in chunks that stay next to
the core, an operation at a time over a chunk.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from solvers.kernels.aside import Call
from solvers.kernels.compiled import kernel, part
from towsim.model.arrays import Floats
from towsim.scene.formula import Instants, formula
from towsim.scene.jets import Jet

CHUNK = 64

OPERATIONS: tuple[Callable[..., Any], ...] = (
    np.add, np.subtract, np.multiply, np.divide, np.power, np.negative, np.where,
    np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal,
    np.logical_and, np.logical_or, np.logical_not,
    np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.exp, np.log, np.sqrt,
    np.absolute, np.sign, np.floor, np.heaviside, np.arctan2,
)  # fmt: skip
"""What may stand on a tape; a condition that holds is 1, else 0."""
(
    ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, NEGATIVE, WHERE, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL,
    AND, OR, NOT, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, SQRT, ABS, SIGN, FLOOR, HEAVISIDE, ATAN2,
) = range(len(OPERATIONS))  # fmt: skip
CODES = {operation: code for code, operation in enumerate(OPERATIONS)} | {np.invert: NOT}
GIVEN = -1
"""Code of t and of constants."""


class _Symbol(NDArrayOperatorsMixin):
    """A number on the tape, known by its place."""

    def __init__(self, tape: Tape, place: int) -> None:
        self.tape, self.place = tape, place

    def __array_ufunc__(self, operation, method, *inputs, **options):
        return NotImplemented if method != "__call__" or options else self.tape.put(operation, inputs)

    def __array_function__(self, function, types, inputs, options):
        return NotImplemented if function is not np.where or options else self.tape.put(function, inputs)


class Tape:
    """The formulas of some texts, to be evaluated together."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(dict.fromkeys(texts))
        self._places: dict[tuple[float, ...], int] = {(GIVEN,): 0}  # of t, constants and operations
        self._constants: dict[int, float] = {}
        t = Instants(Jet(_Symbol(self, 0), np.float64(1.0)), {})
        with np.errstate(all="ignore"):
            jets = [formula(text).trace(t) for text in self._texts]
        self._out = np.array([self._place(x) for jet in jets for x in (jet.v, jet.d)], np.int64)
        needed = set(self._out)
        rows = []
        for key, place in reversed(self._places.items()):  # second derivatives are not
            if place in needed and key[0] != GIVEN:
                needed.update(int(one) for one in key[1:])
                rows.append((*(*key, 0, 0)[:4], place))
        self._program = np.array(rows[::-1], np.int64).reshape(-1, 5)
        self._memory = np.zeros((len(self._places), CHUNK))
        for place, number in self._constants.items():
            self._memory[place] = number

    def at(self, t: Floats) -> dict[str, tuple[Floats, Floats]]:
        """Value and rate (n,) of each formula at the times t (n,); NaN or infinite where it is not defined."""
        if not self._texts:
            return {}
        out = np.empty((len(self._out), len(t)))
        run_tape(t, self._program, self._memory.copy(), self._out, out)
        return dict(zip(self._texts, zip(out[::2], out[1::2], strict=True), strict=True))

    def calls(self) -> list[Call]:
        """The kernel of ``at``, and such arguments as it is called with; none where there are no formulas."""
        t = np.zeros(1)
        t.flags.writeable = False  # as times of steps are
        out = np.empty((len(self._out), 1))
        return [(run_tape, (t, self._program, self._memory, self._out, out))] if self._texts else []

    def put(self, operation: Callable[..., Any], inputs: tuple[Any, ...]) -> Any:
        """The result of an operation, which is added to the tape unless it stands there."""
        constant = [not isinstance(one, _Symbol) for one in inputs]
        if operation is np.power and constant[1] and inputs[1] in (1.0, 2.0):
            return inputs[0] if inputs[1] == 1.0 else self.put(np.multiply, (inputs[0], inputs[0]))
        if operation is np.multiply and any(fixed and one == 1.0 for fixed, one in zip(constant, inputs, strict=True)):
            return inputs[1] if constant[0] else inputs[0]
        key = CODES[operation], *(self._place(one) for one in inputs)
        return _Symbol(self, self._places.setdefault(key, len(self._places)))

    def _place(self, x: Any) -> int:
        if isinstance(x, _Symbol):
            return x.place
        number = float(x)
        place = self._places.setdefault((GIVEN, number, math.copysign(1.0, number)), len(self._places))
        self._constants[place] = number
        return place


@lru_cache(maxsize=16)
def tape(texts: tuple[str, ...]) -> Tape:
    """The tape of some formulas; the same ones are read once."""
    return Tape(texts)


@part()
def _apply(code, a, b):
    """One operation that is not worth a loop of its own."""
    if code == DIVIDE:
        return a / b
    if code == POWER:
        return a**b
    if code == NEGATIVE:
        return -a
    if code == LESS:
        return 1.0 if a < b else 0.0
    if code == LESS_EQUAL:
        return 1.0 if a <= b else 0.0
    if code == GREATER:
        return 1.0 if a > b else 0.0
    if code == GREATER_EQUAL:
        return 1.0 if a >= b else 0.0
    if code == EQUAL:
        return 1.0 if a == b else 0.0
    if code == NOT_EQUAL:
        return 1.0 if a != b else 0.0
    if code == AND:
        return 1.0 if a != 0.0 and b != 0.0 else 0.0
    if code == OR:
        return 1.0 if a != 0.0 or b != 0.0 else 0.0
    if code == NOT:
        return 1.0 if a == 0.0 else 0.0
    if code == SIN:
        return math.sin(a)
    if code == COS:
        return math.cos(a)
    if code == TAN:
        return math.tan(a)
    if code == ASIN:
        return np.arcsin(a)
    if code == ACOS:
        return np.arccos(a)
    if code == ATAN:
        return math.atan(a)
    if code == SINH:
        return np.sinh(a)
    if code == COSH:
        return np.cosh(a)
    if code == TANH:
        return math.tanh(a)
    if code == EXP:
        return np.exp(a)
    if code == LOG:
        return np.log(a)
    if code == SQRT:
        return np.sqrt(a)
    if code == ABS:
        return abs(a)
    if code == SIGN:
        return np.sign(a)
    if code == FLOOR:
        return np.floor(a)
    if code == ATAN2:
        return math.atan2(a, b)
    if a == 0.0:  # HEAVISIDE
        return b
    return 0.5 * (1.0 + np.sign(a))


@kernel()
def run_tape(t, program, memory, results, out):
    """Evaluate a tape.

    Parameters
    ----------
    t : (n,)
    program : (m, 5) of each operation its code, the places of three operands (0 where it has fewer) and of its result
    memory : (places, CHUNK) constants in their places; the rest is scratch, place 0 is t
    results : (r,) places of the results
    out : (r, n) out
    """
    for begin in range(0, t.size, CHUNK):
        n = min(CHUNK, t.size - begin)
        for i in range(n):
            memory[0, i] = t[begin + i]
        for k in range(program.shape[0]):
            code = program[k, 0]
            a, b, c, x = memory[program[k, 1]], memory[program[k, 2]], memory[program[k, 3]], memory[program[k, 4]]
            if code == ADD:
                for i in range(n):
                    x[i] = a[i] + b[i]
            elif code == SUBTRACT:
                for i in range(n):
                    x[i] = a[i] - b[i]
            elif code == MULTIPLY:
                for i in range(n):
                    x[i] = a[i] * b[i]
            elif code == WHERE:
                for i in range(n):
                    x[i] = b[i] if a[i] != 0.0 else c[i]
            else:
                for i in range(n):
                    x[i] = _apply(code, a[i], b[i])
        for j in range(results.size):
            for i in range(n):
                out[j, begin + i] = memory[results[j], i]
