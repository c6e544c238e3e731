"""What numba asks itself thousands of times while it compiles one kernel, answered once.

It tries all templates of an operator, in some cases dozens, at every call anew, and compares its flags one by one at
every try; it parses a module of LLVM for the size of every type; it looks through all parts of every statement for
variables, and for where each lives, nine times a function. A kernel of a time step has thousands of calls and a few
hundred different ones: together this is a third of the time in which it is compiled.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite.ir.types import Type
from numba.core import errors, event, utils
from numba.core.base import BaseContext
from numba.core.imputils import builtin_registry as implementations
from numba.core.ir import Inst, Var
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import builtin_registry as templates

_found: dict[tuple[Any, ...], tuple[Any, Any]] = {}
_look_up: Any = BaseFunction.get_call_type
_process: Any = PostProcessor.run
_parse: Any = Type.get_abi_size


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


_sizes: dict[tuple[str, str], int] = {}


def _get_abi_size(kind: Any, target: Any, context: Any = None) -> int:
    """Size of a type of LLVM [bytes]."""
    written = str(kind)
    if "%" in written:  # a name, which may mean another type elsewhere
        return int(_parse(kind, target, context))
    key = written, str(target)
    if key not in _sizes:
        _sizes[key] = _parse(kind, target, context)
    return _sizes[key]


def _rec_list_vars(_: Any, part: Any) -> list[Any]:
    """Variables in a part of a statement, in their order."""
    if isinstance(part, Var):
        return [part]
    if isinstance(part, Inst):
        return list(part.list_vars())
    if isinstance(part, dict):
        part = part.values()
    elif not isinstance(part, (list, tuple)):
        return []
    found: list[Any] = []
    for one in part:
        if one.__class__ is Var:
            found.append(one)
        elif isinstance(one, (Inst, list, tuple, dict)):
            found += _rec_list_vars(_, one)
    return found


def _counts_references() -> bool:
    """Whether the function at hand counts references to what it uses."""
    flags = ConfigStack.top_or_none()
    return flags is None or bool(flags.nrt)


def _run(process: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Put the blocks of a function in order; where variables live is found when it is asked for.

    Where no references are counted, nobody asks where they die.
    """
    function = process.func_ir
    if function.is_generator:  # asks at once
        _process(process, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime, function.generator_info = VariableLifetime(function.blocks), None
    if emit_dels and _counts_references():
        process._insert_var_dels(extend_lifetimes=extend_lifetimes)


_refresh: Any = BaseContext.refresh
_DECLARED: list[list[Any]] = [
    *(getattr(implementations, kind) for kind in ("functions", "getattrs", "setattrs", "casts", "constants")),
    *(getattr(templates, kind) for kind in ("functions", "attributes", "globals")),
]
_at_hand: dict[Any, list[int]] = {}


def _refreshed(context: Any) -> None:
    """Look for new operators where some were declared since the last look; numba looks before it gives up on one."""
    sizes = [len(one) for one in _DECLARED]
    if _at_hand.get(context) != sizes:
        _refresh(context)
        _at_hand[context] = sizes


_begin: Any = event.start_event
_end: Any = event.end_event


def _start_event(kind: str, *details: Any, **more: Any) -> None:
    """Tell listeners what begins, but not each of the hundred thousand times that LLVM is called."""
    if kind != "numba:llvm_lock":
        _begin(kind, *details, **more)


def _end_event(kind: str, *details: Any, **more: Any) -> None:
    """Tell them that it has ended."""
    if kind != "numba:llvm_lock":
        _end(kind, *details, **more)


def _markup(_: Any, message: str, *__: Any) -> str:
    """Text of the hundreds of errors that numba makes and drops, without a terminal's codes, and none at exit."""
    return message


QUICK: list[tuple[Any, str, Any]] = [
    (BaseFunction, "get_call_type", _get_call_type),
    (TargetConfig, "values", _values),
    (Type, "get_abi_size", _get_abi_size),
    (Inst, "_rec_list_vars", _rec_list_vars),
    (PostProcessor, "run", _run),
    (event, "start_event", _start_event),
    (event, "end_event", _end_event),
    (utils, "pysignature", cache(utils.pysignature)),
    (BaseContext, "refresh", _refreshed),
]
"""What answers at once, and where it goes while numba compiles (``economy.py``)."""
if hasattr(errors, "HighlightColorScheme"):  # with colorama
    QUICK.append((errors.HighlightColorScheme, "_markup", _markup))
