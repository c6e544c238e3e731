"""The decorator of every compiled kernel: ``numba.njit`` with a cache that notices edits in *any* kernel file.

numba keys a cached kernel by its own file alone, so a caller would go on using the old code of a kernel edited in
another module. Here the cache folder carries a fingerprint (sizes and times) of all modules of the packages that
hold kernels; an edit or an upgrade of any of them starts a new folder.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config, event

F = TypeVar("F", bound=Callable[..., Any])


def _fingerprint() -> str:
    root = Path(__file__).parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    for package in ("solvers", "towsim"):
        for folder, _, files in os.walk(root / package):
            for name in sorted(files):
                if name.endswith(".py"):
                    stat = os.stat(os.path.join(folder, name))
                    digest.update(f"{folder}/{name}:{stat.st_size}:{stat.st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


def _base() -> Path:
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "towsim" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "towsim" / "kernels"


CACHE = _base() / _fingerprint()


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


def kernel(**options: Any) -> Callable[[F], F]:
    """Compile a function with numba, cached; division by zero gives inf or NaN, as in numpy.

    Arguments go to ``numba.njit``. Kernels do not allocate (they write to arrays they are given), so they are compiled
    without reference counting: counting the arrays of a model at every call costs more than a time step.
    """

    def decorate(function: F) -> F:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(CACHE)
        try:
            compiled: F = numba.njit(cache=True, error_model="numpy", **{"_nrt": False, **options})(function)
        finally:
            config.CACHE_DIR = before
        return compiled

    return decorate


def part(**options: Any) -> Callable[[F], F]:
    """Compile a function that only kernels call: inlined there, with no entry from Python and no cache of its own.

    A third of a kernel's compile time goes into entries and caches of its parts; this leaves them out.
    """

    def decorate(function: F) -> F:
        flags = {"_nrt": False, "forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
        compiled: F = numba.njit(error_model="numpy", **flags)(function)
        return compiled

    return decorate
