"""Ctrl-C at a moment of our choosing.

Python raises KeyboardInterrupt between any two bytecodes: also where a library is halfway through a file and makes
another error of it (``zipfile``), or in a finaliser, which prints and forgets it. Where that matters, it waits.
"""

from __future__ import annotations

import signal
from threading import current_thread, main_thread
from types import FrameType
from typing import Literal


class CtrlC:
    """While entered, Ctrl-C waits until ``here`` is called, or to the end; a second one does not wait.

    It does so in the main thread, and where Ctrl-C would be KeyboardInterrupt: an application's own handler is left
    alone. Of nested ones the outermost waits.
    """

    def __init__(self) -> None:
        self._ours = self._pressed = False

    def __enter__(self) -> CtrlC:
        if current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._ours = True
            signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> Literal[False]:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._ours = False
        if kind is None:
            self.here()
        self._pressed = False
        return False

    def here(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed meanwhile."""
        if self._pressed:
            self._pressed = False
            raise KeyboardInterrupt

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self._pressed:
            signal.default_int_handler(number, frame)
        self._pressed = True
