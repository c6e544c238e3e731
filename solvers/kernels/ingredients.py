"""Parts of kernels as numba libraries: code that is linked into kernels, and optimised there.

numba links all that a function calls into it, and that once more into its callers, and makes machine code of each.
Here a part is bitcode of its own with a list of what it calls; a kernel links each once, and only that is optimised.
Kernels that it calls are not linked: they are machine code already, found by names that are the same in every process.
On disk a part is a signature and the digests of its pieces, which lie beside each other, named by what they contain:
what many parts call is written once.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import llvmlite.binding
from llvmlite.binding import Linkage
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder

from solvers.kernels.aside import help_with
from solvers.kernels.cache import Called, Whole, base, called
from solvers.kernels.indices import counted


def _call(library: Any) -> Called | None:
    """How a kernel is called, which is machine code of its own; None of what is linked."""
    found: Called | None = getattr(library, "called", None)
    return found


def _closure(libraries: list[Any]) -> Iterator[Any]:
    """The libraries and all that they link, each once."""
    todo, seen = list(reversed(libraries)), set()
    while todo:
        library = todo.pop()
        if library not in seen and _call(library) is None:
            seen.add(library)
            yield library
            if isinstance(library, Ingredient):
                todo += reversed(library._linking_libraries)


def _own(library: Any) -> Any:
    """Module of a library, without what it calls if it is an ingredient."""
    if not hasattr(library, "_alone"):
        found = JITCodeLibrary._get_module_for_linking(library).clone()
        _relabel(found, Linkage.linkonce_odr, Linkage.weak_odr)
        library._alone = found
    return library._alone


def _relabel(module: Any, before: Linkage, after: Linkage) -> None:
    """Change the linkage of functions: LLVM leaves out what nothing calls while it links, unless it is weak."""
    for function in module.functions:
        if not function.is_declaration and function.linkage == before:
            function.linkage = after


def _inherit(library: Any) -> None:
    """Note which kernels have to be there before a library runs, by all that it links or calls."""
    for other in library._linking_libraries:
        call = _call(other)
        library._reload_init.update(other._reload_init if call is None else (call,))


def _link(module: Any, libraries: list[Any]) -> None:
    """Link libraries, each once, with all that they link."""
    for library in _closure(libraries):
        module.link_in(_own(library), preserve=True)
    _relabel(module, Linkage.weak_odr, Linkage.linkonce_odr)


class Ingredient(JITCodeLibrary):  # type: ignore[misc]
    """Code that is only linked into other code, and optimised there."""

    @property
    def codegen(self) -> Any:
        """What is asked to note the environment of a function that runs, which this does not."""
        return SimpleNamespace(set_env=lambda *_: None)

    @property
    def has_dynamic_globals(self) -> bool:
        """Whether addresses of this process are in the code: then it is not kept."""
        return any(library._dynamic_globals for library in _closure([self]))

    def finalize(self) -> None:
        """Nothing is linked in: that is done once, where it runs."""
        self._raise_if_finalized()
        _inherit(self)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Code with all that it calls, for a function that is no kernel of ours."""
        module = _own(self).clone()
        _link(module, self._linking_libraries)
        return module

    def serialize_using_object_code(self) -> list[str]:
        """What is kept of it: digests of its code and of all that it calls, which are kept apart."""
        return [_keep(library) for library in _closure([self])]

    def get_pointer_to_function(self, _: str) -> int:
        """None: it never runs by itself."""
        self._ensure_finalized()  # what it calls is noted of it next
        return 0


class _Dish(JITCodeLibrary):  # type: ignore[misc]
    """A kernel: it links every ingredient once."""

    def finalize(self) -> None:
        """Link and optimise."""
        self._raise_if_finalized()
        _link(self._final_module, self._linking_libraries)
        _inherit(self)
        self._linking_libraries: list[Any] = []
        super().finalize()


SHARED: set[Callable[..., Any]] = set()
"""Parts that stand once in a kernel whose numbers carry derivatives, and are called."""


def carries(kind: Any) -> bool:
    """Whether what is of this type carries derivatives, or has an array of what does."""
    return any(getattr(one, "carries", False) for one in (kind, getattr(kind, "dtype", None)))


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """numba's compiler, but what it makes is an ingredient."""

    library: type[JITCodeLibrary] = Ingredient

    def define_pipelines(self) -> list[Any]:
        """Its passes."""
        counted(self.state.func_id)
        if self.state.func_id.func in SHARED and any(map(carries, self.state.args)):
            self.state.flags.forceinline = False
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


class KernelCompiler(PartCompiler):
    """numba's compiler, but what it makes links ingredients, some of them made by another process."""

    library = _Dish

    def compile_extra(self, func: Any) -> Any:
        """What is made of a function."""
        with help_with(func, self.state.args):
            return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """Its passes; machine code is kept."""
        identity = self.state.func_id
        call = called(identity.func, self.state.args)
        if call is not None:
            identity.unique_id = call.number
            identity.unique_name = f"{identity.func_qualname}${call.number}"
        found = super().define_pipelines()
        self.state.library.called = call
        self.state.library.enable_object_caching()
        return found


_known: dict[str, Ingredient] = {}
"""By their digests: ingredients that this process has kept or fetched."""


def _place(digest: str) -> Path:
    return base() / "parts" / digest[:2] / digest


def _keep(library: Any) -> str:
    """Write the code of a library where it is not there yet; its digest."""
    digest: str | None = getattr(library, "_digest", None)
    if digest is None:
        code = _own(library).as_bitcode()
        digest = library._digest = hashlib.sha256(code).hexdigest()[:32]
        place = _place(digest)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh = place.with_name(f"{digest}-{os.getpid()}")
            fresh.write_bytes(zlib.compress(code, 1))
            fresh.replace(place)
    return digest


def _fetch(codegen: Any, digest: str) -> Ingredient:
    """Code of such a digest; raises FileNotFoundError where somebody deleted it."""
    if digest not in _known:
        library = Ingredient(codegen, digest)
        library._final_module = llvmlite.binding.parse_bitcode(zlib.decompress(_place(digest).read_bytes()))
        library.finalize()
        library._digest = digest
        _known[digest] = library
    return _known[digest]


class _Packing(Whole):
    """How ingredients go to the cache and come back."""

    def rebuild(self, context: Any, payload: Any) -> CompileResult:
        digests, function, environment, signature, objectmode, lifted, annotation, init, environments = payload
        for call in init:
            call()
        library, *linked = [_fetch(context.codegen(), digest) for digest in digests]
        library._linking_libraries = linked
        library._reload_init.update(init)
        return CompileResult(
            target_context=context,
            typing_context=context.typing_context,
            library=library,
            environment=environment,
            entry_point=context.get_executable(library, function, environment),
            fndesc=function,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            typing_error=None,
            call_helper=None,
            metadata=None,
            reload_init=init,
            referenced_envs=environments,
        )


class PartCache(FunctionCache):  # type: ignore[misc]
    """The cache of a part: kernels of other scenes find it there."""

    _impl_class = _Packing

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """As numba's; processes that write at once may give one file to two signatures, and then it is of the other."""
        try:
            found = super().load_overload(sig, target_context)
        except FileNotFoundError:  # code that it calls was deleted
            return None
        return found if found is not None and tuple(found.signature.args) == tuple(sig) else None
