"""Ctrl-C at a moment of our choosing.

Python raises KeyboardInterrupt between any two bytecodes: also where a library makes another error of it (``zipfile``
halfway through a file, pydantic halfway through a class), or in a finaliser, which prints and forgets it. Where that
matters, it waits.
"""

from __future__ import annotations

import sys
from _thread import interrupt_main
from threading import Timer, current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import signal
    from sys import UnraisableHookArgs
else:
    import _signal as signal  # signal makes enumerations of all numbers: 20 µs, a sixth of an environment's action


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


class SurelyCtrlC(CtrlC):
    """While entered, Ctrl-C is heard at once, and at the end again if something else was made of it.

    For what takes long and cannot be asked to stop, such as compiling: a callback into Python forgets the
    KeyboardInterrupt, and the compiler then misses what the callback should have done.
    """

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> Literal[False]:
        return super().__exit__(kind if kind is KeyboardInterrupt else None, *rest)

    def _press(self, number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # now: what follows may cut __exit__ short
        self._pressed = True
        signal.default_int_handler(number, frame)


def lose_none() -> None:
    """Have a Ctrl-C that Python prints and forgets (in a finaliser, in a callback of an import) come again."""
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _again


def _again(lost: UnraisableHookArgs) -> None:
    if lost.exc_type is KeyboardInterrupt:
        timer = Timer(0.05, interrupt_main)  # at once it would be lost here
        timer.daemon = True
        timer.start()
    else:
        sys.__unraisablehook__(lost)
