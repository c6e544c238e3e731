"""``Pullback``: what a cost does to a run's variables, to be read backwards.

A cost in plain numpy is called with ``Rated`` arrays. Where these have, in place of derivatives in some directions, a
pullback, each operation upon it is noted: what it picks (``picked``: indexing, reshaping, joining, repeating), scales,
or adds up. ``pull`` then carries the derivative of the cost back to the variables, in one pass.

Source: reverse mode of automatic differentiation, Griewank & Walther, Evaluating Derivatives (2008), ch. 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.model.arrays import Floats

Back = Callable[[Floats], Floats]


class Pullback:
    """In place of an array of rates: of this shape, whose last axis is 1, made of others.

    Parameters
    ----------
    shape : as rates have it
    made_of : pullbacks, each with the function that carries the derivative in this one back to it
    """

    __array_ufunc__ = None

    def __init__(self, shape: tuple[int, ...], made_of: tuple[tuple[Pullback, Back], ...] = ()) -> None:
        self.shape, self.made_of = shape, made_of

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of entries."""
        return int(np.prod(self.shape))

    def __getitem__(self, key: Any) -> Pullback:
        return picked([self], lambda places: places[0][key])

    def reshape(self, *shape: int) -> Pullback:
        """As numpy's."""
        return picked([self], lambda places: places[0].reshape(*shape))

    def squeeze(self, axis: int) -> Pullback:
        """As numpy's."""
        return picked([self], lambda places: places[0].squeeze(axis))

    def sum(self, axis: Any) -> Pullback:
        """As numpy's."""
        axes = tuple(one % self.ndim for one in (axis if isinstance(axis, tuple) else (axis,)))
        left = tuple(length for i, length in enumerate(self.shape) if i not in axes)
        return Pullback(left, ((self, lambda g: np.broadcast_to(np.expand_dims(g, axes), self.shape)),))

    def __rmul__(self, slope: Any) -> Pullback:
        slope = np.asarray(slope, float)
        shape = np.broadcast_shapes(slope.shape, self.shape)
        wide = self if shape == self.shape else picked([self], lambda places: np.broadcast_to(places[0], shape))
        return Pullback(shape, ((wide, lambda g: slope * g),))

    def __truediv__(self, number: float) -> Pullback:
        return (1.0 / number) * self

    def __add__(self, other: Pullback) -> Pullback:
        return Pullback(self.shape, ((self, lambda g: g), (other, lambda g: g)))

    def __sub__(self, other: Pullback) -> Pullback:
        return Pullback(self.shape, ((self, lambda g: g), (other, lambda g: -g)))

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        if function in (np.concatenate, np.stack):
            parts, axis = arguments[0], (*arguments[1:], options.get("axis", 0))[0]
            return picked(parts, lambda places: function(places, axis))
        if function in (np.take_along_axis, np.take, np.expand_dims, np.broadcast_to):
            return picked([arguments[0]], lambda places: function(places[0], *arguments[1:], **options))
        raise UsageError(f"numpy.{function.__name__} cannot be read backwards")


def picked(parts: Any, choose: Callable[[list[np.ndarray]], np.ndarray]) -> Pullback:
    """Entries of some pullbacks (or of arrays of zeros), those whose places ``choose`` picks from all places."""
    sizes = [part.size for part in parts]
    begins = np.cumsum([0, *sizes])
    places = choose(
        [np.arange(begin, begin + part.size).reshape(part.shape) for begin, part in zip(begins, parts, strict=False)]
    )

    def back_to(i: int) -> Back:
        def back(g: Floats) -> Floats:
            inside = (places >= begins[i]) & (places < begins[i + 1])
            found = np.bincount(places[inside] - begins[i], g[inside], sizes[i])
            return found.reshape(parts[i].shape)

        return back

    return Pullback(
        places.shape, tuple((part, back_to(i)) for i, part in enumerate(parts) if isinstance(part, Pullback))
    )


def pull(cost: Pullback, variables: Mapping[str, Pullback]) -> dict[str, Floats]:
    """Derivatives of a cost (one number) in the variables, without the last axis."""
    order: list[Pullback] = []
    seen: set[int] = set()
    todo: list[tuple[Pullback, bool]] = [(cost, False)]
    while todo:  # what something is made of comes before it
        one, done = todo.pop()
        if done:
            order.append(one)
        elif id(one) not in seen:
            seen.add(id(one))
            todo += [(one, True), *((part, False) for part, _ in one.made_of)]
    slopes: dict[int, Floats] = {id(cost): np.ones(cost.shape)}
    for one in reversed(order):
        g = slopes.get(id(one))
        for part, back in one.made_of:
            if g is not None:
                slopes[id(part)] = slopes.get(id(part), 0.0) + back(g)
    return {name: slopes[id(one)][..., 0] for name, one in variables.items() if id(one) in slopes}
