"""A progress bar on the terminal, and nowhere else."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self

from towsim.quote import shorten


class Progress:
    """A bar with a label and the time left, if stderr is a terminal."""

    def __init__(self, *, wanted: bool, label: str = "", unit: str = "step") -> None:
        self._unit = unit
        self._label = label
        self._wanted = wanted and sys.stderr.isatty()
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done."""
        if not self._wanted:
            return
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(
                total=total,
                desc=shorten(self._label, 40) or None,
                unit=f" {self._unit}s",
                unit_scale=True,
                leave=False,
                dynamic_ncols=True,
            )
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
