"""How long this process has compiled kernels that were in no cache: what a run took is told without it."""

from __future__ import annotations

import time as clock

from numba.core import event


class _Spent(event.Listener):  # type: ignore[misc]
    """A kernel that needs others is compiled while they are: only the outermost counts."""

    def __init__(self) -> None:
        self.seconds, self._depth, self._since = 0.0, 0, 0.0

    def on_start(self, _: object) -> None:
        if self._depth == 0:
            self._since = clock.perf_counter()
        self._depth += 1

    def on_end(self, _: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += clock.perf_counter() - self._since


_SPENT = _Spent()
event.register("numba:compile", _SPENT)


def seconds_compiling() -> float:
    """Seconds in which this process compiled kernels, so far."""
    return _SPENT.seconds
