"""What a part sees of its handles: the fields that are named in it, or in any part that it calls.

A kernel of another kind of scene has handles of another type, as one of their parts is None there. A part that does not
name it has the same code: it is compiled once, for the handle without what the part does not see, and found by all.
"""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from numba.core.dispatcher import Dispatcher

from solvers.kernels.cache import OURS, text_of

ATTRIBUTE = re.compile(r"\.(\w+)")


@cache
def named_in(function: Callable[..., Any]) -> frozenset[str]:
    """All names in a function and in what it calls, directly or not: those of fields that it reads are among them."""
    todo, seen, found = [function], {function}, set[str]()
    while todo:
        names, others = _own(todo.pop())
        found |= names
        fresh = others - seen
        seen |= fresh
        todo += fresh
    return frozenset(found)


@cache
def _own(function: Any) -> tuple[frozenset[str], frozenset[Any]]:
    """Names in a function, and the functions that it may call.

    What ``overload`` says of a plain function is in its module: all that is there may be called.
    """
    names = frozenset[str]().union(*(code.co_names for code in _codes(function.__code__)))
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    reached = [*cells, *_globals(function.__globals__, names)]
    others = {one.py_func for one in reached if isinstance(one, Dispatcher)}
    for one in reached:
        if isinstance(one, FunctionType) and one.__module__.split(".")[0] in OURS:
            module = sys.modules[one.__module__]
            names |= set(ATTRIBUTE.findall(text_of(one.__module__)))
            others |= {other.py_func for other in vars(module).values() if isinstance(other, Dispatcher)}
    return names, frozenset(others)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _globals(known: dict[str, Any], names: frozenset[str]) -> Iterator[Any]:
    """What these names mean, alone and as attributes of modules."""
    for one in (known[name] for name in names if name in known):
        yield one
        if isinstance(one, ModuleType):
            yield from (vars(one)[name] for name in names if name in vars(one))


def _is_called(kind: Any) -> bool:
    """Whether an argument of this type is a compiled function."""
    return isinstance(getattr(kind, "dispatcher", None), Dispatcher)


def at_sight(part: Any, kinds: tuple[Any, ...], compile_: Callable[[Any], Any]) -> Any:
    """Compile a part for handles without what it does not see of them, and let it take them as they are."""
    names = named_in(part.py_func).union(*(named_in(one.dispatcher.py_func) for one in kinds if _is_called(one)))
    narrow = tuple(one.seen(names) if hasattr(one, "seen") else one for one in kinds)
    if kinds in part.overloads or narrow == kinds:
        return compile_(kinds)
    compile_(narrow)
    found = part.overloads[narrow]
    if hasattr(found.signature.return_type, "seen"):  # who gets it may look at more
        return compile_(kinds)
    facts = copy.copy(found.fndesc)
    facts.argtypes = kinds
    same = found._replace(fndesc=facts, signature=found.signature.replace(args=kinds))
    part.targetctx.insert_user_function(same.entry_point, facts, [same.library])
    part.add_overload(same)
    return same.entry_point
