"""``Rated``: an array with its derivatives in several directions, carried through numpy functions of it.

What a user writes of a run's variables, ``np.mean((x - goal) ** 2)``, is differentiated by calling it with these. The
table says which functions are known; others are refused by name, so that no derivative is lost on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from towsim.errors import UsageError


def _root(x: Any, y: Any) -> Any:
    return np.divide(0.5, y, out=np.zeros_like(y), where=y != 0.0)


UNARY: dict[np.ufunc, Callable[[Any, Any], Any]] = {
    np.negative: lambda x, y: -1.0,
    np.positive: lambda x, y: 1.0,
    np.absolute: lambda x, y: np.sign(x),
    np.fabs: lambda x, y: np.sign(x),
    np.square: lambda x, y: 2.0 * x,
    np.sqrt: _root,
    np.exp: lambda x, y: y,
    np.expm1: lambda x, y: y + 1.0,
    np.log: lambda x, y: 1.0 / x,
    np.log1p: lambda x, y: 1.0 / (1.0 + x),
    np.sin: lambda x, y: np.cos(x),
    np.cos: lambda x, y: -np.sin(x),
    np.tan: lambda x, y: 1.0 + y * y,
    np.arctan: lambda x, y: 1.0 / (1.0 + x * x),
    np.tanh: lambda x, y: 1.0 - y * y,
    np.degrees: lambda x, y: np.degrees(1.0),
    np.radians: lambda x, y: np.radians(1.0),
}
"""Derivative of each function of one array, from its argument and its value."""

BINARY: dict[np.ufunc, Callable[[Any, Any, Any], tuple[Any, Any]]] = {
    np.add: lambda x, y, z: (1.0, 1.0),
    np.subtract: lambda x, y, z: (1.0, -1.0),
    np.multiply: lambda x, y, z: (y, x),
    np.divide: lambda x, y, z: (1.0 / y, -z / y),
    np.maximum: lambda x, y, z: (1.0 * (x >= y), 1.0 * (x < y)),
    np.minimum: lambda x, y, z: (1.0 * (x <= y), 1.0 * (x > y)),
    np.hypot: lambda x, y, z: (x * 2.0 * _root(x, z), y * 2.0 * _root(y, z)),
    np.arctan2: lambda x, y, z: (y / (x * x + y * y), -x / (x * x + y * y)),
}
"""Partial derivatives of each function of two arrays; of a power see ``Rated``."""

DECIDE = (np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal, np.isnan, np.isfinite)
"""Functions of values only."""


class Rated(NDArrayOperatorsMixin):
    """An array ``value``, and its derivatives ``rate`` with one axis more, behind: one entry for each direction.

    In place of the rates there may be a ``Pullback``: then it is noted what is done to them, to be read backwards.
    """

    __array_priority__ = 100.0

    def __init__(self, value: Any, rate: Any) -> None:
        self.value, self.rate = np.asarray(value, float), rate

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the values."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """Number of axes of the values."""
        return self.value.ndim

    @property
    def size(self) -> int:
        """Number of values."""
        return self.value.size

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"Rated({self.value!r}, {self.rate.shape[-1]} directions)"

    def __float__(self) -> float:
        raise UsageError("float() of a variable would lose its derivatives; leave it out")

    def __getitem__(self, key: Any) -> Rated:
        keys = key if isinstance(key, tuple) else (key,)
        whole = keys if any(one is Ellipsis for one in keys) else (*keys, Ellipsis)
        return Rated(self.value[key], self.rate[(*whole, slice(None))])

    def sum(self, axis: Any = None) -> Rated:
        """Sum over everything, or along axes."""
        value = self.value.sum(axis=axis)
        return Rated(value, self.rate.sum(axis=_axes(axis, self.ndim)))

    def mean(self, axis: Any = None) -> Rated:
        """Mean over everything, or along axes."""
        total = self.sum(axis)
        count = self.size / max(total.size, 1)
        return Rated(total.value / count, total.rate / count)

    def max(self, axis: int | None = None) -> Rated:
        """The largest one: it has the derivatives, even where another one is as large."""
        return self._extreme(np.argmax, axis)

    def min(self, axis: int | None = None) -> Rated:
        """The smallest one, as ``max``."""
        return self._extreme(np.argmin, axis)

    def _extreme(self, place: Callable[..., Any], axis: int | None) -> Rated:
        if axis is None:
            i = int(place(self.value))
            return Rated(self.value.reshape(-1)[i], self.rate.reshape(-1, self.rate.shape[-1])[i])
        axis %= self.ndim
        at = np.expand_dims(place(self.value, axis=axis), axis)
        value = np.take_along_axis(self.value, at, axis).squeeze(axis)
        return Rated(value, np.take_along_axis(self.rate, at[..., None], axis).squeeze(axis))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        values = [one.value if isinstance(one, Rated) else np.asarray(one) for one in inputs]
        apply: Callable[..., Any] = ufunc
        if method == "__call__" and not options:
            if ufunc in DECIDE:
                return apply(*values)
            if ufunc in UNARY:
                y = apply(values[0])
                return Rated(y, _scaled(UNARY[ufunc](values[0], y), inputs[0].rate, y.shape))
            if ufunc is np.power and not isinstance(inputs[1], Rated):
                y, slope = values[0] ** values[1], values[1] * values[0] ** (values[1] - 1.0)
                return Rated(y, _scaled(np.where(values[1] == 0.0, 0.0, slope), inputs[0].rate, y.shape))
            if ufunc in BINARY:
                y = apply(*values)
                slopes = BINARY[ufunc](values[0], values[1], y)
                terms = [
                    _scaled(slope, one.rate, y.shape)
                    for slope, one in zip(slopes, inputs, strict=True)
                    if isinstance(one, Rated)
                ]
                return Rated(y, terms[0] + terms[1] if len(terms) > 1 else terms[0])
        raise UsageError(_no(f"numpy.{ufunc.__name__}{'' if method == '__call__' else '.' + method}"))

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        if function not in FUNCTIONS:
            raise UsageError(_no(f"numpy.{function.__name__}"))
        return FUNCTIONS[function](*arguments, **options)


def _no(what: str) -> str:
    return (
        f"{what} of a run's variables has no derivative here; use others, or have the cost return its own: "
        "(value, {variable: derivative})"
    )


def _axes(axis: Any, ndim: int) -> Any:
    """The same axes, where one more is behind."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(one % ndim for one in axis) if isinstance(axis, tuple) else axis % ndim


def _scaled(slope: Any, rate: Any, shape: tuple[int, ...]) -> Any:
    """Slope times rates, at the shape of the result."""
    slope = np.asarray(slope, float)
    wide = np.expand_dims(rate, tuple(range(len(shape) + 1 - rate.ndim))) if rate.ndim <= len(shape) else rate
    return np.broadcast_to(slope[..., None] * wide, (*shape, rate.shape[-1]))


def _norm(x: Rated, ord: Any = None, axis: Any = None) -> Rated:
    if ord not in (None, 2):
        raise UsageError(_no("numpy.linalg.norm of another order"))
    root: Rated = np.sqrt((x * x).sum(axis))
    return root


def _joined(join: Callable[..., Any]) -> Callable[..., Rated]:
    def joined(arrays: Any, axis: int = 0) -> Rated:
        width = next(one.rate.shape[-1] for one in arrays if isinstance(one, Rated))
        values = [one.value if isinstance(one, Rated) else np.asarray(one, float) for one in arrays]
        rates = [one.rate if isinstance(one, Rated) else np.zeros((*np.shape(one), width)) for one in arrays]
        found = join(values, axis)
        return Rated(found, join(rates, axis % found.ndim))

    return joined


def _diff(x: Rated, n: int = 1, axis: int = -1) -> Rated:
    axis %= x.ndim
    rate, before = x.rate, (slice(None),) * axis
    for _ in range(n):
        rate = rate[(*before, slice(1, None))] - rate[(*before, slice(None, -1))]
    return Rated(np.diff(x.value, n, axis), rate)


def _take(x: Rated, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Rated:
    if axis is None:
        raise UsageError(_no("numpy.take without an axis"))
    axis %= x.ndim
    return Rated(np.take(x.value, indices, axis), np.take(x.rate, indices, axis))


FUNCTIONS: dict[Any, Callable[..., Rated]] = {
    np.sum: lambda x, axis=None: x.sum(axis),
    np.mean: lambda x, axis=None: x.mean(axis),
    np.max: lambda x, axis=None: x.max(axis),
    np.min: lambda x, axis=None: x.min(axis),
    np.amax: lambda x, axis=None: x.max(axis),
    np.amin: lambda x, axis=None: x.min(axis),
    np.linalg.norm: _norm,
    np.concatenate: _joined(np.concatenate),
    np.stack: _joined(np.stack),
    np.diff: _diff,
    np.take: _take,
    np.clip: lambda x, low, high: np.minimum(np.maximum(x, low), high),
}
