"""Every error that towsim raises on purpose. Each message says what, which one, which value, and what to do."""

from __future__ import annotations

from typing import Any

from towsim.quote import shorten


class TowsimError(Exception):
    """Base of all errors that towsim raises on purpose. They can be pickled and copied, with all attributes.

    A message longer than ``LONGEST`` characters loses its middle: whatever is wrong, it can be read.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(shorten(str(message)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Exception's own would call the class with its message alone, and an __init__ may ask for more.
        return _again, (type(self), self.args), self.__dict__


def told_of(error: TowsimError, what: str) -> TowsimError:
    """The same error, with a message that says first what it is about."""
    error.args = (shorten(f"{what}: {error}"), *error.args[1:])
    return error


def _again(kind: type[TowsimError], args: tuple[object, ...]) -> TowsimError:
    return kind.__new__(kind, *args)


class SceneError(TowsimError, ValueError):
    """A scene, or a file that declares one, is wrong."""


class SceneWarning(UserWarning):
    """A scene can be run, but what it says is probably not meant."""


class UsageError(TowsimError, ValueError):
    """An option, or a combination of options, is not supported."""


class ResultError(TowsimError, ValueError):
    """A result file or a name asked of a result is wrong."""


class SimulationError(TowsimError, RuntimeError):
    """A run had to stop; what was computed until then is in ``result``.

    Attributes
    ----------
    time : time of the step that failed [s]
    result : the run up to the last good step, a ``towsim.Result``; None if there was none
    """

    def __init__(self, message: str, *, time: float, result: Any = None) -> None:
        super().__init__(message)
        self.time = time
        self.result = result


class RefusedError(SimulationError):
    """A pull that no motion of the loads can satisfy.

    Attributes
    ----------
    wires : names of the wires (or other row owners) that contradict each other
    speed : rate at which they are driven apart, scaled to the largest multiplier 1 [m/s]
    """

    def __init__(
        self,
        message: str,
        *,
        time: float,
        wires: tuple[str, ...] = (),
        speed: float | None = None,
        result: Any = None,
    ) -> None:
        super().__init__(message, time=time, result=result)
        self.wires = wires
        self.speed = speed
