"""One writer for each folder of parts: a lock that the system takes back when its process ends, however that ends."""

from __future__ import annotations

import sys
from pathlib import Path

from towsim.errors import ResultError

NAME = "lock"


class Lock:
    """The right to write into a folder of parts, until it is released.

    Raises
    ------
    ResultError : somebody else has it, in this process or another one
    """

    def __init__(self, folder: Path) -> None:
        self._file = (folder / NAME).open("ab")
        try:
            _take(self._file.fileno())
        except (BlockingIOError, PermissionError):
            self._file.close()
            raise ResultError(
                f"{folder} is still under way: it is being written to just now; wait for the end, or use another name"
            ) from None
        except OSError:  # this file system knows no locks
            pass

    def release(self) -> None:
        """Let others write; may be called again."""
        self._file.close()


def refuse_locked(folder: Path) -> None:
    """ResultError if the folder is there and is being written to."""
    if folder.is_dir():
        Lock(folder).release()


if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
