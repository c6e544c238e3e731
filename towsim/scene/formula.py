"""Formulas in t: parsed, never executed, with exact first and second derivatives.

A formula is read into a tree of closures over second-order jets (f, f′, f″), the truncated Taylor coefficients
of forward-mode differentiation:

    (f g)″ = f″ g + 2 f′ g′ + f g″,     (F∘f)″ = F″(f) f′² + F′(f) f″

Only the nodes and names below are understood; whatever else Python's grammar allows is refused by name.
At a kink (conditional, abs, min, max, sign, floor, step) the derivatives are those of the branch that holds there.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from towsim.errors import SceneError
from towsim.scene.base import show
from towsim.suggest import unknown

Array = NDArray[np.float64]
LONGEST, DEEPEST = 1000, 50  # characters and nested operations: far above any real formula


class Jet(NamedTuple):
    """Value and first two time derivatives; a scalar 0.0 says that a derivative vanishes identically."""

    v: Any
    d: Any = 0.0
    dd: Any = 0.0


Number = Callable[[Jet], Jet]
Condition = Callable[[Jet], Any]


def _zero(x: Any) -> bool:
    return isinstance(x, float) and x == 0.0


def _plus(a: Any, b: Any) -> Any:
    return b if _zero(a) else a if _zero(b) else a + b


def _times(a: Any, b: Any) -> Any:
    return 0.0 if _zero(a) or _zero(b) else a * b


def _chain(a: Jet, v: Any, first: Callable[[], Any], second: Callable[[], Any]) -> Jet:
    """F(a) from F, F′ and F″ at a; the derivatives are only evaluated when a depends on t."""
    if _zero(a.d) and _zero(a.dd):
        return Jet(v)
    slope = first()
    curvature = 0.0 if _zero(a.d) else _times(second(), a.d * a.d)
    return Jet(v, _times(slope, a.d), _plus(curvature, _times(slope, a.dd)))


def _add(a: Jet, b: Jet) -> Jet:
    return Jet(a.v + b.v, _plus(a.d, b.d), _plus(a.dd, b.dd))


def _mul(a: Jet, b: Jet) -> Jet:
    cross = _times(2.0, _times(a.d, b.d))
    return Jet(
        a.v * b.v,
        _plus(_times(a.d, b.v), _times(a.v, b.d)),
        _plus(_plus(_times(a.dd, b.v), cross), _times(a.v, b.dd)),
    )


def _neg(a: Jet) -> Jet:
    return Jet(-a.v, _times(-1.0, a.d), _times(-1.0, a.dd))


def _sub(a: Jet, b: Jet) -> Jet:
    return _add(a, _neg(b))


def _div(a: Jet, b: Jet) -> Jet:
    v = a.v / b.v
    d = _plus(a.d, _times(-1.0, _times(v, b.d)))  # (a/b)′ b = a′ − (a/b) b′
    d = 0.0 if _zero(d) else d / b.v
    dd = _plus(a.dd, _plus(_times(-2.0, _times(d, b.d)), _times(-1.0, _times(v, b.dd))))
    return Jet(v, d, 0.0 if _zero(dd) else dd / b.v)


def _pow(a: Jet, b: Jet) -> Jet:
    v = np.power(a.v, b.v)
    if _zero(b.d) and _zero(b.dd):
        n = b.v
        # A factor n or n − 1 that is zero ends the series there: t**1 is smooth at t = 0.
        return _chain(
            a,
            v,
            lambda: _times(n, np.power(a.v, n - 1.0)),
            lambda: _times(_times(n, n - 1.0), np.power(a.v, n - 2.0)),
        )
    log_a = _unary("log", a)
    exponent = _mul(b, log_a)  # a**b = exp(b log a), for a > 0
    return _chain(exponent, v, lambda: v, lambda: v)


# name: value F(x), F′(x, F), F″(x, F)
UNARY: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "sin": (np.sin, lambda x, _: np.cos(x), lambda _, y: -y),
    "cos": (np.cos, lambda x, _: -np.sin(x), lambda _, y: -y),
    "tan": (np.tan, lambda _, y: 1.0 + y * y, lambda _, y: 2.0 * y * (1.0 + y * y)),
    "asin": (np.arcsin, lambda x, _: (1.0 - x * x) ** -0.5, lambda x, _: x * (1.0 - x * x) ** -1.5),
    "acos": (np.arccos, lambda x, _: -((1.0 - x * x) ** -0.5), lambda x, _: -x * (1.0 - x * x) ** -1.5),
    "atan": (np.arctan, lambda x, _: 1.0 / (1.0 + x * x), lambda x, _: -2.0 * x / (1.0 + x * x) ** 2),
    "sinh": (np.sinh, lambda x, _: np.cosh(x), lambda _, y: y),
    "cosh": (np.cosh, lambda x, _: np.sinh(x), lambda _, y: y),
    "tanh": (np.tanh, lambda _, y: 1.0 - y * y, lambda _, y: -2.0 * y * (1.0 - y * y)),
    "exp": (np.exp, lambda _, y: y, lambda _, y: y),
    "log": (np.log, lambda x, _: 1.0 / x, lambda x, _: -1.0 / (x * x)),
    "sqrt": (np.sqrt, lambda _, y: 0.5 / y, lambda x, y: -0.25 / (x * y)),
    "abs": (np.abs, lambda x, _: np.sign(x), lambda *_: 0.0),
    "sign": (np.sign, lambda *_: 0.0, lambda *_: 0.0),
    "floor": (np.floor, lambda *_: 0.0, lambda *_: 0.0),
    "step": (lambda x: np.heaviside(x, 1.0), lambda *_: 0.0, lambda *_: 0.0),
}


def _unary(name: str, a: Jet) -> Jet:
    function, first, second = UNARY[name]
    v = function(a.v)
    return _chain(a, v, lambda: first(a.v, v), lambda: second(a.v, v))


def _select(condition: Any, a: Jet, b: Jet) -> Jet:
    return Jet(*(x if _zero(x) and _zero(y) else np.where(condition, x, y) for x, y in zip(a, b, strict=True)))


def _min(a: Jet, b: Jet) -> Jet:
    return _select(~(b.v < a.v), a, b)


def _max(a: Jet, b: Jet) -> Jet:
    return _select(~(b.v > a.v), a, b)


def _hypot(a: Jet, b: Jet) -> Jet:
    return _unary("sqrt", _add(_mul(a, a), _mul(b, b)))


def _atan2(y: Jet, x: Jet) -> Jet:
    """θ′ = (x y′ − y x′)/r², differentiated once more by the quotient rule."""
    dx, dy = Jet(x.d, x.dd), Jet(y.d, y.dd)
    rate = _div(_sub(_mul(x, dy), _mul(y, dx)), _add(_mul(x, x), _mul(y, y)))
    return Jet(np.arctan2(y.v, x.v), rate.v, rate.d)


CONSTANTS = {"pi": math.pi, "e": math.e}
BINARY: dict[str, Callable[[Jet, Jet], Jet]] = {"min": _min, "max": _max, "hypot": _hypot, "atan2": _atan2}
FUNCTIONS = [*UNARY, *BINARY]
ALLOWED = (
    "A formula is made of numbers, t, pi, e, + - * / **, comparisons, and, or, not, 'a if c else b', and "
    + ", ".join(FUNCTIONS)
)
OPERATORS: dict[type[ast.operator], Callable[[Jet, Jet], Jet]] = {
    ast.Add: _add,
    ast.Sub: _sub,
    ast.Mult: _mul,
    ast.Div: _div,
    ast.Pow: _pow,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class _Reader:
    """Turns the parsed text into closures; everything that is not listed above is refused."""

    def __init__(self, text: str) -> None:
        self.text = text

    def refuse(self, node: ast.AST | None, reason: str) -> SceneError:
        part = ast.get_source_segment(self.text, node) if node is not None else None
        where = f" at {show(part)}" if part and part != self.text else ""
        return SceneError(f"formula {show(self.text)}{where}: {reason}")

    def number(self, node: ast.expr, depth: int = 0) -> Number:
        if depth > DEEPEST:
            raise self.refuse(None, f"more than {DEEPEST} nested operations")
        deeper = depth + 1
        match node:
            case ast.Constant(value=value) if type(value) in (int, float):
                return self.constant(node, value)
            case ast.Name(id="t"):
                return lambda t: t
            case ast.Name(id=name) if name in CONSTANTS:
                return self.constant(node, CONSTANTS[name])
            case ast.Name(id=name):
                raise self.refuse(node, unknown("name", name, ["t", *CONSTANTS, *FUNCTIONS]))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                value_of = self.number(inner, deeper)
                return lambda t: _neg(value_of(t))
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.number(inner, deeper)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                combine = OPERATORS[type(op)]
                a, b = self.number(left, deeper), self.number(right, deeper)
                return lambda t: combine(a(t), b(t))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                holds, a, b = self.condition(test, deeper), self.number(body, deeper), self.number(orelse, deeper)
                return lambda t: _select(holds(t), a(t), b(t))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return self.call(node, name, [self.number(arg, deeper) for arg in args])
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                raise self.refuse(node, unknown("function", name, FUNCTIONS))
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                raise self.refuse(node, "a condition stands where a number is needed; write '1 if ... else 0'")
        raise self.refuse(node, f"{type(node).__name__} is not allowed. {ALLOWED}")

    def constant(self, node: ast.expr, value: Any) -> Number:
        try:
            number = np.float64(value)  # numpy's, so that 1/0 is inf and not an exception
        except OverflowError:
            number = np.float64(np.inf)
        if not np.isfinite(number):
            raise self.refuse(node, "the number is too large")
        return lambda t: Jet(number)

    def call(self, node: ast.expr, name: str, args: list[Number]) -> Number:
        if name in UNARY:
            if len(args) != 1:
                raise self.refuse(node, f"{name} takes 1 argument, got {len(args)}")
            (a,) = args
            return lambda t: _unary(name, a(t))
        if len(args) != 2 and not (name in ("min", "max") and len(args) > 2):
            raise self.refuse(node, f"{name} takes 2 arguments, got {len(args)}")
        combine = BINARY[name]

        def fold(t: Jet) -> Jet:
            result = args[0](t)
            for arg in args[1:]:
                result = combine(result, arg(t))
            return result

        return fold

    def condition(self, node: ast.expr, depth: int) -> Condition:
        if depth > DEEPEST:
            raise self.refuse(None, f"more than {DEEPEST} nested operations")
        deeper = depth + 1
        match node:
            case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in COMPARISONS for op in ops):
                sides = [self.number(side, deeper) for side in (left, *rest)]
                tests = [COMPARISONS[type(op)] for op in ops]

                def holds(t: Jet) -> Any:
                    values = [np.asarray(side(t).v) for side in sides]
                    pairs = zip(tests, values, values[1:], strict=False)
                    return np.logical_and.reduce(np.broadcast_arrays(*(test(a, b) for test, a, b in pairs)))

                return holds
            case ast.BoolOp(op=op, values=values):
                parts = [self.condition(value, deeper) for value in values]
                join = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return lambda t: join.reduce(np.broadcast_arrays(*(part(t) for part in parts)))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                part = self.condition(inner, deeper)
                return lambda t: np.logical_not(part(t))
        raise self.refuse(node, "a condition must be a comparison such as 't < 1'")


class Formula:
    """A formula in t, such as ``Formula("0.5*(1 - cos(t)) if t < 1 else 2")``.

    Raises
    ------
    SceneError : the text is not a formula, uses an unknown name, or is too long or too deep
    """

    def __init__(self, text: str) -> None:
        self.text = text
        reader = _Reader(text.strip())
        if len(text) > LONGEST:
            raise reader.refuse(None, f"longer than {LONGEST} characters")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python's hints about literals do not concern the user
                tree = ast.parse(reader.text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            raise reader.refuse(None, f"cannot be read: {reason or 'too deeply nested'}") from None
        self._jet = reader.number(tree.body)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Formula, (self.text,)

    def value(self, t: Array) -> Array:
        """f(t) at the times ``t`` (n,) [s]; NaN or infinite where the formula is not defined."""
        with np.errstate(all="ignore"):
            return _spread(self._jet(Jet(t)).v, t)

    def sample(self, t: Array) -> tuple[Array, Array, Array]:
        """f, f′ and f″ (n,) at the times ``t`` (n,) [s], exact to rounding."""
        with np.errstate(all="ignore"):
            jet = self._jet(Jet(t, np.float64(1.0)))
        return _spread(jet.v, t), _spread(jet.d, t), _spread(jet.dd, t)


def _spread(x: Any, t: Array) -> Array:
    return np.array(np.broadcast_to(x, t.shape), dtype=np.float64)


@lru_cache(maxsize=4096)
def formula(text: str) -> Formula:
    """The parsed formula; the same text is parsed once."""
    return Formula(text)
