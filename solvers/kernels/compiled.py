"""The decorator of every compiled kernel: ``numba.njit`` with a cache that notices edits in the kernels it calls.

numba keys a cached kernel by its own file alone, so a caller would go on using the old code of a kernel edited in
another module. Here the cache folder of a module's kernels carries a fingerprint of that module and of every module
that it imports kernels from, directly or not: an edit of any of them starts a new folder, an edit elsewhere does not.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import itertools
import os
import platform
import re
import secrets
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ParamSpec, TypeVar

try:
    import fcntl
except ImportError:  # on Windows processes that start at once compile the same kernel each
    fcntl = None  # type: ignore[assignment]

import llvmlite.binding
import numba
from numba.core import config, event
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.types.misc import unliteral
from numba.np import linalg

from solvers.kernels.resolution import remembered

P = ParamSpec("P")
R = TypeVar("R")

FUSED = {"contract"}
"""The only liberty with floats: a product and a sum may be rounded once, together, in place of twice."""

SELDOM = 100_000
"""Objects that are made before Python looks for garbage among them, while numba compiles."""

REPEATS = platform.machine().lower() in ("x86_64", "amd64")
"""Whether LLVM repeats the bodies of loops whose length it does not know, unless told otherwise."""

ROOT, OURS = Path(__file__).parents[2], ("solvers", "towsim")
IMPORT = re.compile(r"^\s*from ((?:solvers|towsim)[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
HOLDS_KERNELS = re.compile(
    r"^from solvers\.(?:kernels\.(?:compiled|lanes)|(?:active_set|friction)\.\w+) import ", re.MULTILINE
)
"""Of a module that has kernels, or hands those of the solvers on."""


def _leave_scipy_out() -> None:
    """Load numba's array functions without scipy.linalg, which they import only to see whether it is there.

    That is a tenth of the time to start. A kernel that multiplies matrices imports it when it is compiled.
    """
    look, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


_leave_scipy_out()


def fingerprint(module: str) -> str:
    """Digest of the texts of all modules whose kernels or constants may be part of a kernel of ``module``."""
    digest = hashlib.sha256(numba.__version__.encode())
    todo, seen = [module], {module}
    while todo:
        name = todo.pop()
        text = _text(name)
        digest.update(name.encode() + text)
        if name == module or HOLDS_KERNELS.search(text.decode()):
            fresh = [other for other in _imported(name) if other not in seen]
            seen.update(fresh)
            todo += sorted(fresh)
    return digest.hexdigest()[:16]


@cache
def _imported(module: str) -> tuple[str, ...]:
    """Modules of these packages that a module imports, or imports names from."""
    found = []
    for home, names in IMPORT.findall(_text(module).decode()):
        found.append(home)
        found += [f"{home}.{name}" for name in re.findall(r"\w+", names) if _path(f"{home}.{name}").is_file()]
    return tuple(found)


def _path(module: str) -> Path:
    if module.split(".")[0] not in OURS:  # a user's own kernel
        return Path(getattr(sys.modules.get(module), "__file__", None) or "")
    place = ROOT.joinpath(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


@cache
def _text(module: str) -> bytes:
    path = _path(module)
    return path.read_bytes() if path.is_file() else b""


def _base() -> Path:
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "towsim" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "towsim" / "kernels"


@cache
def _folder(module: str) -> str:
    """Where the compiled kernels of a module are kept."""
    return str(_base() / fingerprint(module))


class _Place(_CacheLocator):  # type: ignore[misc]
    """Where a kernel is kept: wherever the package is installed, with the same text it is the same kernel."""

    def __init__(self, function: Any, file: str) -> None:
        module, self._line = function.__module__, function.__code__.co_firstlineno
        # What a user's module means depends on its folder, too: on what else it imports.
        name = module if module.split(".")[0] in OURS else self.get_suitable_cache_subpath(file)
        self._path = str(Path(_folder(module), name))

    @classmethod
    def from_function(cls, function: Any, file: str) -> _Place | None:
        """None where there is no file, as at a prompt, or nothing can be kept."""
        found = cls(function, file)
        try:
            found.ensure_cache_path()
        except OSError:
            return None
        return found if os.path.exists(file) else None

    def get_cache_path(self) -> str:
        return self._path

    def get_source_stamp(self) -> str:
        return ""  # the folder has the fingerprint of the text

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Whole(CompileResultCacheImpl):  # type: ignore[misc]
    """How kernels go to the cache."""

    _locator_classes = [_Place]  # noqa: RUF012  (numba's)


class _KeptWhole(FunctionCache):  # type: ignore[misc]
    """The cache of a kernel."""

    _impl_class = _Whole


class _Announcement(event.Listener):  # type: ignore[misc]
    def __init__(self, say: Callable[[], None]) -> None:
        self._say: Callable[[], None] | None = say

    def on_start(self, _: object) -> None:
        if self._say is not None:
            say, self._say = self._say, None
            say()

    def on_end(self, _: object) -> None:
        pass


def announce(say: Callable[[], None]) -> None:
    """Call ``say()`` once, when a kernel is not in the cache and compiling begins."""
    event.register("numba:compile", _Announcement(say))


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Let Python look for garbage less often: while numba compiles, a tenth of the time goes into looking in vain."""
    before = gc.get_threshold()
    if 0 < before[0] < SELDOM:
        gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _packing(vectorise: bool) -> Iterator[None]:
    """Let LLVM pack like operations of straight code into vector instructions, if asked to."""
    before = config.SLP_VECTORIZE
    config.SLP_VECTORIZE = 1 if vectorise else before
    try:
        yield
    finally:
        config.SLP_VECTORIZE = before


class _Brief:
    """While one compiles, LLVM does not repeat the bodies of loops whose length it does not know.

    Loops over the wires of a body are short: bodies that are there eight times are rarely run through, and cost a third
    of the time to compile. Kernels that are compiled for another one are within it.
    """

    def __init__(self) -> None:
        self._within = 0

    def __enter__(self) -> None:
        self._within += 1
        self._let("false")

    def __exit__(self, *_: object) -> None:
        self._within -= 1
        if not self._within:
            self._let("true")

    def _let(self, word: str) -> None:
        if REPEATS:
            llvmlite.binding.set_option("towsim", f"-unroll-runtime={word}")


_brief = _Brief()


@contextmanager
def _alone(place: Path, signature: Any) -> Iterator[None]:
    """Let processes that want the same kernel at once, as those of a sweep, wait for the first, and find it cached."""
    with ExitStack() as stack:
        if fcntl is not None:
            with suppress(OSError):  # where no file can be written or locked, each compiles its own
                place.parent.mkdir(parents=True, exist_ok=True)
                types = hashlib.sha256(str(signature).encode()).hexdigest()[:16]
                file = stack.enter_context(place.with_name(f"{place.name}-{types}.lock").open("w"))
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _compiling(compile_: Callable[..., Any], vectorise: bool, place: Path) -> Callable[..., Any]:
    def compile_signature(signature: Any) -> Any:
        # A cache that is read imports the types it speaks of, and numba takes no new operators while it compiles.
        for types in ("handle", "lanes"):
            importlib.import_module(f"{__package__}.{types}")
        with (
            global_compiler_lock,  # one thread at a time
            _alone(place, signature),
            _collecting_seldom(),
            _packing(vectorise),
            _brief,
            remembered(),
        ):
            return compile_(signature)

    return compile_signature


def kernel(*, vectorise: bool = False, **options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function with numba, cached; division by zero gives inf or NaN, as in numpy.

    With ``vectorise`` LLVM packs like operations of straight code into vector instructions, which numba leaves out: a
    quarter faster where four vectors run through a recursion side by side. Other arguments go to ``numba.njit``.
    Kernels do not allocate (they write to arrays they are given), so they are compiled without reference counting:
    counting the arrays of a model at every call costs more than a time step.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        flags = {"_nrt": False, "fastmath": FUSED, **options}
        compiled: Callable[P, R] = numba.njit(error_model="numpy", **flags)(function)
        if isinstance(compiled, Dispatcher):
            with suppress(RuntimeError):  # at a prompt there is no file
                compiled._cache = _KeptWhole(function)  # type: ignore[attr-defined]
            place = Path(_folder(function.__module__), function.__qualname__)
            compiled.compile = _compiling(compiled.compile, vectorise, place)  # type: ignore[method-assign]
        return compiled

    return decorate


class _Ingredient(JITCodeLibrary):  # type: ignore[misc]
    """Code that is only linked into other code, and optimised there."""

    @property
    def codegen(self) -> Any:
        """What is asked to note the environment of a function that runs, which this does not."""
        return SimpleNamespace(set_env=lambda *_: None)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> bytes:
        """What is kept of it: there is no object code."""
        return zlib.compress(self._get_module_for_linking().as_bitcode(), 1)

    def get_pointer_to_function(self, _: str) -> int:
        """None: it never runs by itself."""
        return 0


class _PartCompiler(CompilerBase):  # type: ignore[misc]
    """numba's compiler, but what it makes is an ingredient."""

    def define_pipelines(self) -> list[Any]:
        self.state.library = _Ingredient(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


class _Packing(_Whole):
    """How ingredients go to the cache and come back: as bitcode, in which all that they call is linked."""

    def rebuild(self, context: Any, payload: Any) -> CompileResult:
        packed, function, environment, signature, objectmode, lifted, annotation, init, environments = payload
        library = _Ingredient(context.codegen(), function.qualname)
        library._final_module = llvmlite.binding.parse_bitcode(zlib.decompress(packed))
        library._finalize_final_module()
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


class _Kept(FunctionCache):  # type: ignore[misc]
    """The cache of a part: kernels of other scenes find it there."""

    _impl_class = _Packing

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """As numba's; processes that write at once may give one file to two signatures, and then it is of the other."""
        found = super().load_overload(sig, target_context)
        return found if found is not None and tuple(found.signature.args) == tuple(sig) else None


FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))
"""Numbers in the names of compiled functions, which tell closures apart, also those of other processes in the cache."""


def _for_any_number(part: Any) -> Callable[..., Any]:
    """Compile a part that is called with 0 and with k once: LLVM puts the constants in where it is inlined."""
    compile_, function = part.compile, part.py_func

    def compile_signature(types: Any) -> Any:
        if function.__closure__ is None and not isinstance(part._cache, _Kept):
            with suppress(RuntimeError):
                part._cache = _Kept(function)
        return compile_(tuple(unliteral(one) for one in types))

    return compile_signature


PART: dict[str, Any] = {
    "_nrt": False,
    "error_model": "numpy",
    "fastmath": FUSED,
    "forceinline": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "pipeline_class": _PartCompiler,
}
"""How parts are compiled, and the ``jit_options`` of overloads that are parts."""


def part(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function that only kernels call: inlined there, with neither entry from Python nor machine code.

    More than half of a kernel's compile time would go into entries and machine code of its parts: all left out. What is
    kept is what LLVM is to inline, so that kernels of other scenes, in other processes, need not have it typed anew.
    With ``forceinline=False``, for parts that are called seldom or once a step, LLVM decides whether to inline; it
    optimises a large kernel in several pieces, which takes it less time.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        compiled: Callable[P, R] = numba.njit(**{**PART, **options})(function)
        if isinstance(compiled, Dispatcher):
            compiled.compile = _for_any_number(compiled)  # type: ignore[method-assign]
        return compiled

    return decorate


def load(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for such arguments, or fetch it from the cache, without calling it; others are left alone."""
    if isinstance(function, Dispatcher):
        function.compile(tuple(numba.typeof(one) for one in arguments))
