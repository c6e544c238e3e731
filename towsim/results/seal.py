"""A checksum behind a finished file: HDF5 goes round for ever in some damaged ones, so they must not get so far.

    file = HDF5 data | MARK | length of the data, 8 bytes | their CRC-32, 4 bytes       (little-endian)

HDF5 knows where its data end and ignores what follows; programs that write to the file cut it off. A file without a
seal is read unchecked: of an earlier version, or changed by another program. So is one of more than MOST bytes, which
would take longer to look at than one should wait for the first number.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import BinaryIO

from towsim.errors import ResultError

MARK = b"towsim\r\n"
SEAL = struct.Struct("<8sQI")
MOST = 1 << 29
PIECE = 1 << 20


def seal(path: Path) -> None:
    """Put the checksum of a finished file behind it."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        checksum = _checksum(file, size)
        file.seek(size)
        file.write(SEAL.pack(MARK, size, checksum))


def check_seal(path: Path) -> None:
    """Compare a file with its seal.

    Raises
    ------
    ResultError : they differ
    OSError : it cannot be read
    """
    size = path.stat().st_size - SEAL.size
    if not 0 <= size <= MOST:
        return
    with path.open("rb") as file:
        file.seek(size)
        end = file.read()
        if MARK not in end:
            return
        file.seek(0)
        if end.startswith(MARK) and SEAL.unpack(end) == (MARK, size, _checksum(file, size)):
            return
    raise ResultError(
        f"{path} is damaged or cut short: its content does not fit its checksum; copy it again from where it is whole, "
        "or run it again"
    )


def _checksum(file: BinaryIO, size: int) -> int:
    checksum = 0
    while size > 0:
        piece = file.read(min(size, PIECE))
        if not piece:
            break
        checksum, size = zlib.crc32(piece, checksum), size - len(piece)
    return checksum
