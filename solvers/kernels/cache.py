"""Where compiled kernels are kept: in a folder that an edit of what they are made of exchanges for a new one.

numba keys a cached kernel by its own file alone, so a caller would go on using the old code of a kernel edited in
another module. Here the cache folder of a module's kernels carries a fingerprint of that module and of every module
that it imports kernels from, directly or not: an edit of any of them starts a new folder, an edit elsewhere does not.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

try:
    import fcntl
except ImportError:  # on Windows processes that start at once compile the same kernel each
    fcntl = None  # type: ignore[assignment]

import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

ROOT, OURS = Path(__file__).parents[2], ("solvers", "towsim")
IMPORT = re.compile(r"^\s*from ((?:solvers|towsim)[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
HOLDS_KERNELS = re.compile(
    r"^from solvers\.(?:kernels\.(?:compiled|lanes)|(?:active_set|friction)\.\w+) import ", re.MULTILINE
)
"""Of a module that has kernels, or hands those of the solvers on."""
KEEPERS = tuple(f"solvers.kernels.{name}" for name in ("cache", "indices", "ingredients", "instructions", "sight"))
"""Modules on which it depends what is kept, and how it is written."""


def fingerprint(module: str) -> str:
    """Digest of the texts of all modules whose kernels or constants may be part of a kernel of ``module``."""
    digest = hashlib.sha256(numba.__version__.encode())
    for keeper in KEEPERS:
        digest.update(_text(keeper))
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


def text_of(module: str) -> str:
    """What is written in a module."""
    return _text(module).decode()


def base() -> Path:
    """Folder of all that is kept."""
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "towsim" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "towsim" / "kernels"


def keeps() -> bool:
    """Whether compiled kernels can be kept there."""
    try:
        base().mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(base(), os.W_OK)


@cache
def folder(module: str) -> str:
    """Where the compiled kernels of a module are kept."""
    return str(base() / fingerprint(module))


class _Place(_CacheLocator):  # type: ignore[misc]
    """Where a kernel is kept: wherever the package is installed, with the same text it is the same kernel."""

    def __init__(self, function: Any, file: str) -> None:
        module, self._line = function.__module__, function.__code__.co_firstlineno
        self._py_file = file  # numba's warning of code that cannot be kept names it
        # What a user's module means depends on its folder, too: on what else it imports.
        name = module if module.split(".")[0] in OURS else self.get_suitable_cache_subpath(file)
        self._path = str(Path(folder(module), name))

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


class Whole(CompileResultCacheImpl):  # type: ignore[misc]
    """How kernels go to the cache."""

    _locator_classes = [_Place]  # noqa: RUF012  (numba's)

    def reduce(self, data: Any) -> Any:
        """What is written of a kernel: all but its text with the type of every variable, which is most of a part."""
        return data._replace(type_annotation="")._reduce()


class Called(NamedTuple):
    """A kernel for some types, where others find it that call it."""

    module: str
    name: str
    kinds: tuple[Any, ...]

    def __call__(self) -> None:
        """Compile it, or fetch it: before kernels run that were compiled by another process."""
        getattr(importlib.import_module(self.module), self.name).compile(self.kinds)

    @property
    def number(self) -> int:
        """By which its machine code is known, in every process: of its text and of what it is made of."""
        return int(hashlib.sha256(f"{fingerprint(self.module)} {self.name}".encode()).hexdigest()[:12], 16)


def called(function: Any, kinds: Any) -> Called | None:
    """How others call a kernel; None of one of a user's, or which they do not find by its name: they link it."""
    module, name = function.__module__, function.__qualname__
    kernel = getattr(sys.modules.get(module), name, None)
    found = module.split(".")[0] in OURS and getattr(kernel, "py_func", None) is function
    return Called(module, name, tuple(kinds)) if found else None


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache of a kernel."""

    _impl_class = Whole

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """As numba's."""
        found = super().load_overload(sig, target_context)
        if found is not None:
            found.library.called = called(self._py_func, found.signature.args)
        return found


@contextmanager
def alone(place: Path, signature: Any, wait: bool = True) -> Iterator[bool]:
    """Let processes that want the same kernel at once, as those of a sweep, wait for the first, and find it cached.

    Without ``wait`` False is yielded where another process is at it.
    """
    mine = True
    with ExitStack() as stack:
        if fcntl is not None:
            with suppress(OSError):  # where no file can be written or locked, each compiles its own
                place.parent.mkdir(parents=True, exist_ok=True)
                types = hashlib.sha256(str(signature).encode()).hexdigest()[:16]
                file = stack.enter_context(place.with_name(f"{place.name}-{types}.lock").open("w"))
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                except BlockingIOError:
                    mine = False
        yield mine
