"""What numba found out about the types of a call, kept for the next like call.

numba tries all templates of an operator, in some cases dozens, at every call anew, and compares its flags one by one
at every try. A kernel of a time step has thousands of calls and a few hundred different ones: together this is a
quarter of the time in which it is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction

_found: dict[tuple[Any, ...], tuple[Any, Any]] = {}
_functions: Any = BaseFunction
_flags: Any = TargetConfig
_look_up = _functions.get_call_type


def _get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Signature of a call of ``function``, with what implements it noted where the lowering looks for it."""
    call = (function, context, ConfigStack.top_or_none(), tuple(args), tuple(kws.items()))
    if call not in _found:
        signature = _look_up(function, context, args, kws)
        _found[call] = signature, function._impl_keys[signature.args]
    signature, implementation = _found[call]
    function._impl_keys[signature.args] = implementation
    return signature


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


def _values(flags: Any) -> dict[str, Any]:
    """All options of such flags: the defaults, but for what is set."""
    return {**_defaults(flags.__class__), **flags._values}


@contextmanager
def remembered() -> Iterator[None]:
    """Let numba look up each kind of call once while it compiles here."""
    before = _functions.get_call_type, _flags.values
    _functions.get_call_type, _flags.values = _get_call_type, _values
    try:
        yield
    finally:
        _functions.get_call_type, _flags.values = before
