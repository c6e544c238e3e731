"""Formulas in t: parsed, never executed, with exact first and second derivatives (jets.py).

The text is parsed by ``ast`` and read into a tree of closures over jets. Only the nodes and names below are
understood; whatever else Python's grammar allows is refused by name.
"""

from __future__ import annotations

import ast
import keyword
import math
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from towsim.errors import SceneError
from towsim.quote import show
from towsim.scene.jets import BINARY, UNARY, Jet, add, div, mul, neg, power, select, sub, unary
from towsim.suggest import unknown

Array = NDArray[np.float64]
LONGEST, DEEPEST = 1000, 50  # characters and nested operations: far above any real formula


class Instants(NamedTuple):
    """Times as a jet, and what the conditionals of formulas are there: many formulas share some."""

    t: Jet
    known: dict[str, Jet]


Number = Callable[[Instants], Jet]
Condition = Callable[[Instants], Any]
LOOKS, HALVINGS = 4096, 64
"""Instants at which ``kinks`` looks, and the bisections after that: enough for any two floats."""

CONSTANTS = {"pi": math.pi, "e": math.e}
FUNCTIONS = [*UNARY, *BINARY]
ALLOWED = (
    "A formula is made of numbers, t, pi, e, + - * / **, comparisons, and, or, not, 'a if c else b', and "
    + ", ".join(FUNCTIONS)
)
STEPPING = {"abs": np.sign, "sign": np.sign, "step": np.sign, "floor": np.floor}
"""Functions with a kink or a jump, and what is constant between these."""
OPERATORS: dict[type[ast.operator], Callable[[Jet, Jet], Jet]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: div,
    ast.Pow: power,
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
        self.branches: list[Condition] = []  # what is constant as long as the formula is smooth
        self.instants: list[float] = []  # times that t is compared with: there it may switch, too

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
                return lambda at: at.t
            case ast.Name(id=name) if name in CONSTANTS:
                return self.constant(node, CONSTANTS[name])
            case ast.Name(id=name):
                raise self.refuse(node, unknown("name", name, ["t", *CONSTANTS, *FUNCTIONS]))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                value_of = self.number(inner, deeper)
                return lambda at: neg(value_of(at))
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self.number(inner, deeper)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                combine = OPERATORS[type(op)]
                a, b = self.number(left, deeper), self.number(right, deeper)
                return lambda at: combine(a(at), b(at))
            case ast.BinOp(op=ast.BitXor()):
                raise self.refuse(node, "^ is no power here; write **")
            case ast.IfExp(test=test, body=body, orelse=orelse):
                holds, a, b = self.condition(test, deeper), self.number(body, deeper), self.number(orelse, deeper)
                if not self.compares_time(test):
                    self.branches.append(holds)
                text = ast.unparse(node)

                def chosen(at: Instants) -> Jet:
                    if text not in at.known:
                        at.known[text] = either(holds(at), a, b, at)
                    return at.known[text]

                return chosen
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
        return lambda at: Jet(number)

    def call(self, node: ast.expr, name: str, args: list[Number]) -> Number:
        if name in UNARY:
            if len(args) != 1:
                raise self.refuse(node, f"{name} takes 1 argument, got {len(args)}")
            (a,) = args
            if name in STEPPING:
                branch = STEPPING[name]
                self.branches.append(lambda at: branch(a(at).v))
            return lambda at: unary(name, a(at))
        if len(args) != 2 and not (name in ("min", "max") and len(args) > 2):
            raise self.refuse(node, f"{name} takes 2 arguments, got {len(args)}")
        combine = BINARY[name]
        if name in ("min", "max"):
            self.branches.append(lambda at: np.argmin(np.broadcast_arrays(*(arg(at).v for arg in args)), axis=0))
            self.branches.append(lambda at: np.argmax(np.broadcast_arrays(*(arg(at).v for arg in args)), axis=0))

        def fold(at: Instants) -> Jet:
            result = args[0](at)
            for arg in args[1:]:
                result = combine(result, arg(at))
            return result

        return fold

    def compares_time(self, node: ast.expr) -> bool:
        """Whether a condition only compares t with constants, which are noted then."""
        match node:
            case ast.BoolOp(values=parts):
                compared = [self.compares_time(part) for part in parts]  # all of them, to note their constants
                return all(compared)
            case ast.UnaryOp(operand=inner):
                return self.compares_time(inner)
            case ast.Compare(left=left, comparators=[right]):
                moving = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == "t"]
                if len(moving) == 1 and moving[0] in (left, right):
                    known = self.number(left if moving[0] is right else right)
                    self.instants.append(float(np.ravel(known(Instants(Jet(np.zeros(1)), {})).v)[0]))
                    return True
        return False

    def condition(self, node: ast.expr, depth: int) -> Condition:
        if depth > DEEPEST:
            raise self.refuse(None, f"more than {DEEPEST} nested operations")
        deeper = depth + 1
        match node:
            case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in COMPARISONS for op in ops):
                sides = [self.number(side, deeper) for side in (left, *rest)]
                tests = [COMPARISONS[type(op)] for op in ops]

                def holds(at: Instants) -> Any:
                    values = [side(at).v for side in sides]
                    pairs = zip(tests, values, values[1:], strict=False)
                    return reduce(np.logical_and, (test(a, b) for test, a, b in pairs))

                return holds
            case ast.BoolOp(op=op, values=values):
                parts = [self.condition(value, deeper) for value in values]
                join = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return lambda at: reduce(join, (part(at) for part in parts))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                part = self.condition(inner, deeper)
                return lambda at: np.logical_not(part(at))
        raise self.refuse(node, "a condition must be a comparison such as 't < 1'")


class Formula:
    """A formula in t, such as ``Formula("0.5*(1 - cos(t)) if t < 1 else 2")``.

    Raises
    ------
    SceneError : the text is not a formula, uses an unknown name, or is too long or too deep
    """

    def __init__(self, text: str) -> None:
        self.text = text
        reader = _Reader(" ".join(text.split()))  # a formula may be folded over lines
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
        self._branches, self._instants = tuple(reader.branches), tuple(reader.instants)

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
            return _spread(self._jet(_instants(t, 0.0)).v, t)

    def sample(self, t: Array) -> tuple[Array, Array, Array]:
        """f, f′ and f″ (n,) at the times ``t`` (n,) [s], exact to rounding."""
        with np.errstate(all="ignore"):
            jet = self._jet(_instants(t, 1.0))
        return _spread(jet.v, t), _spread(jet.d, t), _spread(jet.dd, t)

    def trace(self, at: Instants) -> Jet:
        """f, f′ and f″ where t is something else that numpy's functions take."""
        return self._jet(at)

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which a conditional, abs, sign, min, max, floor or step switches.

        Exact where t is compared with a constant. Others are found by looking at 4096 instants and halving, exact to
        rounding; of two switches of one condition between two looks none is found.
        """
        found = [np.array(self._instants)]
        for branch in self._branches:
            a, b = np.linspace(0.0, until, LOOKS + 1)[:-1], np.linspace(0.0, until, LOOKS + 1)[1:]
            differ = self._state(branch, a) != self._state(branch, b)
            a, b = a[differ], b[differ]
            before = self._state(branch, a)
            for _ in range(HALVINGS):
                middle = 0.5 * (a + b)
                same = self._state(branch, middle) == before
                a, b = np.where(same, middle, a), np.where(same, b, middle)
            found.append(b)
        times = np.concatenate(found)
        round_figure = np.round(times, 12)  # '0.1 + 0.2 > t' means 0.3
        times = np.unique(np.where(np.abs(round_figure - times) <= 4.0 * np.spacing(times), round_figure, times))
        return times[(times > 0.0) & (times < until)]

    @staticmethod
    def _state(branch: Condition, t: Array) -> Array:
        with np.errstate(all="ignore"):
            return _spread(branch(Instants(Jet(t), {})), t)


def either(condition: Any, a: Number, b: Number, at: Instants) -> Jet:
    """a where the condition holds, else b; only what is needed is evaluated, of arrays."""
    if not isinstance(condition, np.ndarray | np.bool_):
        return select(condition, a(at), b(at))
    if np.all(condition):
        return a(at)
    return select(condition, a(at), b(at)) if np.any(condition) else b(at)


_latest: dict[float, tuple[Array, Instants]] = {}


def _instants(t: Array, rate: float) -> Instants:
    """Times with the rate ṫ; the same ones as the last time share what is known there."""
    found = _latest.get(rate)
    if found is None or not np.array_equal(found[0], t):
        kept = np.array(t, dtype=np.float64)
        found = _latest[rate] = kept, Instants(Jet(kept, np.float64(rate)) if rate else Jet(kept), {})
    return found[1]


def _spread(x: Any, t: Array) -> Array:
    out = np.empty(t.shape)
    out[...] = x
    return out


@lru_cache(maxsize=4096)
def formula(text: str) -> Formula:
    """The parsed formula; the same text is parsed once."""
    return Formula(text)


NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
"""A name in a formula; the e of 1e5 is none."""


class Bound(str):
    """A formula in which numbers stand in place of the parameters' names.

    Attributes
    ----------
    declared : the text as it was written
    values : the parameters that it names, as they were then
    """

    declared: str = ""
    values: Mapping[str, float] = MappingProxyType({})


def bind(text: str, parameters: Mapping[str, float]) -> str:
    """The formula with the parameters' values for their names; the text itself where it names none.

    Raises
    ------
    SceneError : there are parameters, and a name that is neither one of them nor known to formulas
    """
    known = {"t", *CONSTANTS, *FUNCTIONS}
    used: dict[str, float] = {}

    def value(found: re.Match[str]) -> str:
        name = found[0]
        if name in parameters:
            used[name] = float(parameters[name])
            return f"({used[name]!r})"
        if parameters and name not in known and not keyword.iskeyword(name):
            reason = unknown("name", name, ["t", *parameters, *CONSTANTS, *FUNCTIONS])
            raise SceneError(f"formula {show(text)} at {show(name)}: {reason}")
        return name

    declared = text.declared if isinstance(text, Bound) else text
    bound = Bound(NAME.sub(value, declared))
    bound.declared, bound.values = declared, used
    return bound if used else text


def is_free(name: str) -> bool:
    """Whether a parameter may have this name: it is one, and formulas do not know it yet."""
    known = name in ("t", *CONSTANTS, *FUNCTIONS) or keyword.iskeyword(name)
    return not known and NAME.fullmatch(name) is not None
