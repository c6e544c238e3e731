"""Second-order jets (f, f′, f″): the arithmetic of exact time derivatives, on arrays.

Truncated Taylor coefficients of forward-mode differentiation:

    (f g)″ = f″ g + 2 f′ g′ + f g″,     (F∘f)″ = F″(f) f′² + F′(f) f″

At a kink (conditional, abs, min, max, sign, floor, step) the derivatives are those of the branch that holds there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Jet(NamedTuple):
    """Value and first two time derivatives; a scalar 0.0 says that a derivative vanishes identically."""

    v: Any
    d: Any = 0.0
    dd: Any = 0.0


def _zero(x: Any) -> bool:
    return isinstance(x, float) and x == 0.0


def _plus(a: Any, b: Any) -> Any:
    return b if _zero(a) else a if _zero(b) else a + b


def _times(a: Any, b: Any) -> Any:
    return 0.0 if _zero(a) or _zero(b) else a * b


def chain(a: Jet, v: Any, first: Callable[[], Any], second: Callable[[], Any]) -> Jet:
    """F(a) from F, F′ and F″ at a; the derivatives are only evaluated when a depends on t."""
    if _zero(a.d) and _zero(a.dd):
        return Jet(v)
    slope = first()
    curvature = 0.0 if _zero(a.d) else _times(second(), a.d * a.d)
    return Jet(v, _times(slope, a.d), _plus(curvature, _times(slope, a.dd)))


def add(a: Jet, b: Jet) -> Jet:
    """a + b."""
    return Jet(a.v + b.v, _plus(a.d, b.d), _plus(a.dd, b.dd))


def mul(a: Jet, b: Jet) -> Jet:
    """a b."""
    cross = _times(2.0, _times(a.d, b.d))
    return Jet(
        a.v * b.v,
        _plus(_times(a.d, b.v), _times(a.v, b.d)),
        _plus(_plus(_times(a.dd, b.v), cross), _times(a.v, b.dd)),
    )


def neg(a: Jet) -> Jet:
    """−a."""
    return Jet(-a.v, _times(-1.0, a.d), _times(-1.0, a.dd))


def sub(a: Jet, b: Jet) -> Jet:
    """a − b."""
    return add(a, neg(b))


def div(a: Jet, b: Jet) -> Jet:
    """a / b."""
    v = a.v / b.v
    d = _plus(a.d, _times(-1.0, _times(v, b.d)))  # (a/b)′ b = a′ − (a/b) b′
    d = 0.0 if _zero(d) else d / b.v
    dd = _plus(a.dd, _plus(_times(-2.0, _times(d, b.d)), _times(-1.0, _times(v, b.dd))))
    return Jet(v, d, 0.0 if _zero(dd) else dd / b.v)


def power(a: Jet, b: Jet) -> Jet:
    """a ** b."""
    v = a.v**b.v
    if _zero(b.d) and _zero(b.dd):
        n = b.v
        # A factor n or n − 1 that is zero ends the series there: t**1 is smooth at t = 0.
        return chain(
            a,
            v,
            lambda: _times(n, a.v ** (n - 1.0)),
            lambda: _times(_times(n, n - 1.0), a.v ** (n - 2.0)),
        )
    log_a = unary("log", a)
    exponent = mul(b, log_a)  # a**b = exp(b log a), for a > 0
    return chain(exponent, v, lambda: v, lambda: v)


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


def unary(name: str, a: Jet) -> Jet:
    """A function of the table applied to a."""
    function, first, second = UNARY[name]
    v = function(a.v)
    return chain(a, v, lambda: first(a.v, v), lambda: second(a.v, v))


def select(condition: Any, a: Jet, b: Jet) -> Jet:
    """a where the condition holds, else b."""
    return Jet(*(x if _zero(x) and _zero(y) else np.where(condition, x, y) for x, y in zip(a, b, strict=True)))


def smaller(a: Jet, b: Jet) -> Jet:
    """The smaller of a and b."""
    return select(~(b.v < a.v), a, b)


def larger(a: Jet, b: Jet) -> Jet:
    """The larger of a and b."""
    return select(~(b.v > a.v), a, b)


def hypot(a: Jet, b: Jet) -> Jet:
    """√(a² + b²)."""
    return unary("sqrt", add(mul(a, a), mul(b, b)))


def atan2(y: Jet, x: Jet) -> Jet:
    """θ′ = (x y′ − y x′)/r², differentiated once more by the quotient rule."""
    dx, dy = Jet(x.d, x.dd), Jet(y.d, y.dd)
    rate = div(sub(mul(x, dy), mul(y, dx)), add(mul(x, x), mul(y, y)))
    return Jet(np.arctan2(y.v, x.v), rate.v, rate.d)


BINARY: dict[str, Callable[[Jet, Jet], Jet]] = {"min": smaller, "max": larger, "hypot": hypot, "atan2": atan2}
