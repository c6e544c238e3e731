"""Jets of many variables: value, gradient and Hessian, carried through ordinary numpy code; exact to rounding.

Truncated Taylor polynomials f(q + ε) = f + g·ε + ½ ε·H ε, with the product and chain rules

    (f g)″ = f″ g + f′ g′ᵀ + g′ f′ᵀ + f g″,      (F∘f)″ = F″ f′ f′ᵀ + F′ f″

numpy hands ufuncs on arrays of objects to methods of the same name, so a function written with np.sin, np.sqrt, @ and
the like takes jets as it takes floats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from towsim.model.arrays import Floats
from towsim.scene.jets import UNARY


class Jet:
    """A number with its gradient (n,) and Hessian (n, n)."""

    __slots__ = ("gradient", "hessian", "value")

    def __init__(self, value: float, gradient: Floats, hessian: Floats) -> None:
        self.value, self.gradient, self.hessian = value, gradient, hessian

    def __repr__(self) -> str:
        return f"Jet({self.value!r})"

    def chain(self, value: float, first: float, second: float) -> Jet:
        """F of this jet, from F, F′ and F″ at its value."""
        outer = np.outer(self.gradient, self.gradient)
        return Jet(value, first * self.gradient, second * outer + first * self.hessian)

    def apply(self, name: str) -> Jet:
        """A function of the table in scene/jets, by its name there."""
        function, first, second = UNARY[name]
        x = np.float64(self.value)
        y = function(x)
        return self.chain(float(y), float(first(x, y)), float(second(x, y)))

    def __add__(self, other: Any) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.value + other.value, self.gradient + other.gradient, self.hessian + other.hessian)
        if isinstance(other, np.ndarray):
            return NotImplemented  # which goes on entry by entry
        return Jet(self.value + other, self.gradient, self.hessian)

    def __mul__(self, other: Any) -> Jet:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if not isinstance(other, Jet):
            return Jet(self.value * other, self.gradient * other, self.hessian * other)
        mixed = np.outer(self.gradient, other.gradient)
        return Jet(
            self.value * other.value,
            self.gradient * other.value + self.value * other.gradient,
            self.hessian * other.value + mixed + mixed.T + self.value * other.hessian,
        )

    def __neg__(self) -> Jet:
        return self * -1.0

    def __pos__(self) -> Jet:
        return self

    def __sub__(self, other: Any) -> Jet:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Jet:
        return (-self).__add__(other)

    def __truediv__(self, other: Any) -> Jet:
        return self.__mul__(other**-1.0 if isinstance(other, Jet) else 1.0 / other)

    def __rtruediv__(self, other: Any) -> Jet:
        return (self**-1.0).__mul__(other)

    def __pow__(self, power: Any) -> Jet:
        if isinstance(power, Jet):
            return power.__mul__(self.apply("log")).apply("exp")
        x, n = self.value, float(power)
        # A factor n or n − 1 that is zero ends the series there: x**1 is smooth at 0.
        first = n * x ** (n - 1.0) if n != 0.0 else 0.0
        second = n * (n - 1.0) * x ** (n - 2.0) if n not in (0.0, 1.0) else 0.0
        return self.chain(x**n, first, second)

    def __rpow__(self, base: Any) -> Jet:
        return (self * float(np.log(base))).apply("exp")

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Jet:
        return self.apply("abs")

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < value_of(other))

    def __le__(self, other: Any) -> bool:
        return bool(self.value <= value_of(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.value > value_of(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self.value >= value_of(other))

    def conjugate(self) -> Jet:
        """The jet itself: it is real."""
        return self

    def square(self) -> Jet:
        """Its square."""
        return self * self

    def arctan2(self, x: Any) -> Jet:
        """Angle of (x, self): atan(y/x), or π/2 − atan(x/y) where that is better conditioned, on the right branch."""
        y, angle = self, np.arctan2(self.value, value_of(x))
        flat = abs(y.value) <= abs(value_of(x))
        ratio: Jet = y / x if flat else -x / y
        smooth = ratio.apply("atan")
        return smooth.__add__(float(angle - smooth.value))

    def hypot(self, other: Any) -> Jet:
        """√(a² + b²)."""
        return (self * self).__add__(other * other).apply("sqrt")


NUMPY_NAME = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "abs": "absolute"}


def _method(name: str) -> Callable[[Jet], Jet]:
    return lambda jet: jet.apply(name)


_NAMES = {name: NUMPY_NAME.get(name, name) for name in UNARY if name not in ("sign", "floor", "step")}
for _name, _numpy in _NAMES.items():
    setattr(Jet, _numpy, _method(_name))

KNOWN = ("arctan2", "hypot", "square", *_NAMES.values())
"""numpy's functions of one number or two that take jets."""


def value_of(x: Any) -> float:
    """The number without its derivatives."""
    return float(x.value) if isinstance(x, Jet) else float(x)


def variables(values: Floats) -> np.ndarray:
    """The independent variables as an array of jets."""
    n = len(values)
    out = np.empty(n, object)
    out[:] = [Jet(float(values[i]), np.eye(n)[i], np.zeros((n, n))) for i in range(n)]
    return out


def parts(x: Any, n: int) -> tuple[Floats, Floats, Floats]:
    """Values (..), gradients (.., n) and Hessians (.., n, n) of an array of jets and numbers."""
    x = np.asarray(x, object)
    value, gradient, hessian = np.zeros(x.shape), np.zeros((*x.shape, n)), np.zeros((*x.shape, n, n))
    for i in np.ndindex(x.shape):
        entry = x[i].item() if isinstance(x[i], np.ndarray) else x[i]  # np.where gives arrays of no dimension
        if isinstance(entry, Jet):
            value[i], gradient[i], hessian[i] = entry.value, entry.gradient, entry.hessian
        else:
            value[i] = entry
    return value, gradient, hessian
