"""What a call is handed is of the kind that it takes, or refused in words: by what it is called, and what came.

numpy is imported where it is needed: options are checked with this, and ``towsim run --help`` does without.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeGuard

from towsim.errors import UsageError
from towsim.quote import show

if TYPE_CHECKING:
    import numpy as np

_NUMBER: tuple[type[Any], ...] = (Real,)
_WHOLE: tuple[type[Any], ...] = (Integral,)

MOST = 2**63 - 1
"""Largest whole number in 64 bits."""


def a_list(what: str, value: Any, of: str = "") -> list[Any]:
    """The items of a list, a tuple, an array or what else is gone through; of no text, and of no mapping.

    of : what is in it, such as " of paths"

    Raises
    ------
    UsageError : it is none
    """
    if isinstance(value, str):
        raise UsageError(f"{what} must be a list{of}, such as [{show(value)}]")
    if isinstance(value, Mapping | bytes) or not isinstance(value, Iterable):
        raise UsageError(f"{what} must be a list{of}, got {show(value)}")
    return list(value)


def a_mapping(what: str, value: Any, of: str) -> Mapping[Any, Any]:
    """A mapping, whose keys are texts.

    of : from what to what it is, such as "from paths to numbers"

    Raises
    ------
    UsageError : it is none, or a key is no text
    """
    if not isinstance(value, Mapping):
        raise UsageError(f"{what} must be a mapping {of}, got {show(value)}")
    for key in value:
        if not isinstance(key, str):
            raise UsageError(f"{what} must be a mapping {of}, got the key {show(key)}")
    return value


def a_number(what: str, value: Any) -> float:
    """A finite number; numpy's are numbers, truth values are none.

    Raises
    ------
    UsageError : it is none
    """
    try:
        found = float(value) if isinstance(value, _NUMBER) and not isinstance(value, bool) else math.nan
    except OverflowError:  # of a whole number that is too large
        found = math.nan
    if not math.isfinite(found):
        raise UsageError(f"{what} must be a finite number, got {show(value)}")
    return found


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether it is a whole number; numpy's are, truth values are none."""
    return type(value) is int or (isinstance(value, _WHOLE) and not isinstance(value, bool))


def a_whole_number(what: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """A whole number in a range.

    Raises
    ------
    UsageError : it is none
    """
    if not (is_whole(value) and least <= value <= most):
        span = f" >= {least}" if most == MOST else f", {least} to {most:.5g}"
        raise UsageError(f"{what} must be a whole number{span}, got {show(value)}")
    return int(value)


def numbers(what: str, value: Any) -> np.ndarray:
    """An array of numbers, of any shape; what is masked is missing, NaN.

    Raises
    ------
    UsageError : something in it is no number (complex ones and times with a unit of their own are none), or lists in it
        are not of one length
    """
    import numpy as np

    try:
        if isinstance(value, np.ma.MaskedArray) and value.dtype.kind in "biuf":
            value = np.ma.filled(value.astype(float), np.nan)
        found = np.asarray(value)
        if found.dtype.kind in "mMc":
            raise TypeError
        return found.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{what} must be numbers, got {show(value)}") from None


def a_generator(seed: Any) -> np.random.Generator:
    """A random generator begun with a seed: a whole number, several, or None for one that no seed tells.

    Raises
    ------
    UsageError : it is none
    """
    import numpy as np

    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise UsageError(f"seed must be a whole number >= 0, or a list of them, got {show(seed)}") from None


def a_function(what: str, value: Any, of: str) -> Callable[..., Any]:
    """Something that can be called.

    of : what it is a function of, such as "of the run"

    Raises
    ------
    UsageError : it cannot be called
    """
    if not callable(value):
        raise UsageError(f"{what} must be a function {of}, got {show(value)}")
    found: Callable[..., Any] = value
    return found
