"""What is made from a scene once: a scene is immutable, and often run again with other options."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from towsim.scene import Scene

T = TypeVar("T")


class _Itself:
    """A scene as a key: equal to itself only, as comparing scenes costs more than what is saved."""

    __slots__ = ("scene",)

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __hash__(self) -> int:
        return id(self.scene)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.scene is self.scene


def once(make: Callable[[Scene], T]) -> Callable[[Scene], T]:
    """The function ``make``, whose value is kept for the scenes it was called with last; errors are not kept."""
    kept = lru_cache(maxsize=4)(lambda itself: make(itself.scene))
    return lambda scene: kept(_Itself(scene))
