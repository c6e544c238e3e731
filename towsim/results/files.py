"""Files that are either the old one or the new one, never half of one; and opening any of them."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from towsim.ctrl_c import CtrlC
from towsim.errors import ResultError, UsageError
from towsim.quote import show

if TYPE_CHECKING:
    from towsim.results.result import Result


def open_result(path: str | Path) -> Result:
    """Open a run: ``.nc``, ``.npz``, or the ``.parts`` folder of a run that is under way or was killed.

    ``open_result("run.nc")`` also finds ``run.nc.parts`` when only that is there. Variables are read when asked for.

    Raises
    ------
    ResultError : no such file, not a result of towsim, or a damaged one
    UsageError : it is no path
    """
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"a path is needed, got {show(path)}")
    path = Path(path)
    check_name(path, "read")
    try:
        folder = path if path.is_dir() else parts_folder(path)
        unfinished = folder == path or (not path.exists() and folder.is_dir())
    except (OSError, ValueError) as error:  # a name that the system does not take
        reason = error.strerror if isinstance(error, OSError) else error
        raise ResultError(f"cannot read {show(str(path))}: {reason}") from None
    if unfinished:
        from towsim.results.store import read_parts

        return read_parts(folder)
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except FileNotFoundError:
        raise ResultError(f"no such file: {path}") from None
    except OSError as error:
        raise ResultError(f"cannot read {path}: {error.strerror}") from None
    if head.startswith(b"\x89HDF"):
        from towsim.results.netcdf import read_netcdf

        return read_netcdf(path)
    if head.startswith(b"PK"):
        from towsim.results.npz import read_npz

        return read_npz(path)
    hint = " Tables cannot be opened again; keep the .nc or .npz." if path.suffix == ".csv" else ""
    raise ResultError(f"{path} is not a result of towsim: neither NetCDF-4 (.nc) nor .npz.{hint}")


def parts_folder(path: Path) -> Path:
    """Where the segments of a run lie until ``path`` is complete."""
    return path.parent / f"{path.name}.parts"  # also of ".", which has no name


def discard(folder: Path) -> None:
    """Remove a folder of parts. It is renamed first, so that what is left of it, if this process dies, is no run.

    What an earlier process that died here left behind is removed, too.
    """
    doomed = folder.with_name(f".{folder.name}.removed")
    shutil.rmtree(doomed, ignore_errors=True)
    if folder.exists():
        os.replace(folder, doomed)
        shutil.rmtree(doomed)


def check_name(path: Path, to: str = "write") -> None:
    """Raise ResultError if the system takes no such name: it is too long, say, or has a null byte."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ResultError(f"cannot {to} {show(str(path))}: {reason}") from None


def refuse_existing(path: Path, *, force: bool, folder: Callable[[Path], object] | None = None) -> None:
    """Raise ResultError if writing ``path`` would overwrite something, or cannot work.

    folder : where a folder may be written, what refuses one that must not be written over; an empty one is used
    """
    check_name(path)
    if path.is_dir():
        if folder is None:
            raise ResultError(f"{path} is a folder; name a file")
        folder(path)
        force = force or not any(path.iterdir())
    if not path.parent.is_dir():
        raise ResultError(f"cannot write {path}: there is no folder {path.parent}")
    if path.exists() and not force:
        raise ResultError(f"{path} exists already; use another name, or overwrite it with --force (force=True)")


def temporary_name(path: Path) -> Path:
    """Where a file is written until it is whole, beside its place: each process and thread has its own."""
    return path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file under a temporary name, flush it to disk, and rename it into place; Ctrl-C waits for the end."""
    with CtrlC(), whole(path) as temporary, temporary.open("wb") as file:
        write(file)


@contextmanager
def whole(path: Path, temporary: Path | None = None) -> Iterator[Path]:
    """A temporary name to write a file under; at the end it is flushed to disk, and renamed into place or removed.

    What the system says of the temporary file, it says of the file.
    """
    check_name(path)
    temporary = temporary or temporary_name(path)
    try:
        yield temporary
        into_place(temporary, path)
    except (OSError, RuntimeError) as error:  # of HDF5
        told = re.search(r"errno = (\d+)", str(error))
        number = error.errno if isinstance(error, OSError) and error.errno else told and int(told[1])
        if not number:
            raise
        raise OSError(number, os.strerror(number), str(path)) from error
    finally:
        with suppress(OSError):  # what is not there, or cannot be
            temporary.unlink()


def into_place(temporary: Path, path: Path) -> None:
    """Flush a finished file to disk and give it its name."""
    _flush(temporary)
    os.replace(temporary, path)
    if os.name == "posix":  # elsewhere a folder cannot be opened, and its entries are written through
        _flush(path.parent)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
