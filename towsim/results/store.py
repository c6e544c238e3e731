"""A run on disk while it is computed: append-only segments, each whole or absent.

    run.nc.parts/manifest.json       names, attributes          written first
    run.nc.parts/segment-000000.npz  one block and its events   renamed into place when flushed
    run.nc.parts/checkpoint.npz      see run/checkpoint         the same, if there are checkpoints
    run.nc.parts/lock                empty                      held by the process that writes
    run.nc                           the finished file          renamed into place
    .run.nc.parts.removed            what the folder is renamed to before it is removed

Whenever the process dies, all segments up to the block under way can be read. A folder ``run.nc.parts`` has every
segment that it ever had: a finished file is never made anew from what is left of them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from towsim.ctrl_c import CtrlC
from towsim.errors import ResultError
from towsim.quote import show
from towsim.results.columns import Column, Pieces
from towsim.results.events import Event, Events
from towsim.results.files import discard, open_result, parts_folder, refuse_existing, whole, write_whole
from towsim.results.lock import Lock, refuse_locked
from towsim.results.npz import FORMAT, checked, pack, unpack_array, unpack_header
from towsim.results.result import Attribute, Names, Result
from towsim.results.variables import VARIABLES

MANIFEST = "manifest.json"


class Store:
    """The segments of one run and the NetCDF file they become.

    Parameters
    ----------
    path : the ``.nc`` file to make
    force : overwrite it, and an unfinished run of that name

    Attributes
    ----------
    segments : number of segments written

    Raises
    ------
    ResultError : it exists and ``force`` is False, it is being written to, has another suffix, or its folder does not
        exist
    """

    def __init__(self, path: str | Path, *, force: bool = False) -> None:
        self.path = Path(path)
        self.parts = parts_folder(self.path)
        self.segments = 0
        self._force = force
        self._lock: Lock | None = None
        if self.path.suffix != ".nc":
            raise ResultError(
                f"a run is stored as .nc, got {show(str(self.path))}; save or export it as .csv or .npz later"
            )
        refuse_existing(self.path, force=force)
        if self.parts.exists() and not force:
            raise ResultError(
                f"{self.parts} holds a run that was not finished, or is still under way; read it as {self.path.name}, "
                "use another name, or overwrite it with --force (force=True)"
            )
        refuse_locked(self.parts)

    @classmethod
    def continued(cls, path: Path, segments: int, lock: Lock) -> Store:
        """The store of a run that goes on after so many segments; younger ones are removed, the youngest first.

        lock : of the folder of its parts
        """
        store = cls.__new__(cls)
        store.path, store.parts, store.segments = path, parts_folder(path), segments
        store._force, store._lock = False, lock
        for segment in sorted(store.parts.glob("segment-*.npz"), reverse=True):
            if int(segment.stem.removeprefix("segment-")) >= segments:
                segment.unlink()
        return store

    def begin(self, coords: Mapping[str, Names], attributes: Mapping[str, Attribute]) -> None:
        """Start, or go on: from here on the run can be read. An older file of this name is removed.

        Ctrl-C waits for the end.
        """
        self._coords = dict(coords)
        if self._lock is not None:  # it goes on
            return
        with CtrlC():
            if self._force:
                refuse_locked(self.parts)
                discard(self.parts)
            try:
                self.parts.mkdir()
            except FileExistsError:
                raise ResultError(f"{self.parts} appeared just now: another run writes {self.path}") from None
            self._lock = Lock(self.parts)
            self._manifest(attributes, complete=False)
            if self._force:
                self.path.unlink(missing_ok=True)

    def append(self, rows: Mapping[str, np.ndarray], events: Sequence[Event], extremes: Mapping[str, Any]) -> None:
        """Write one block, its events, and the extremes of all rows so far."""
        header = {
            "rows": len(rows["time"]),
            "shapes": {name: list(array.shape[1:]) for name, array in rows.items()},
            "events": Events(events).to_dicts(),
            "extremes": extremes,
        }
        write_whole(self.parts / _segment(self.segments), lambda file: pack(file, rows, header))
        self.segments += 1

    def finish(self, attributes: Mapping[str, Attribute]) -> Result:
        """Assemble the NetCDF file, remove the segments, and open the file."""
        self._manifest(attributes, complete=True)
        try:
            return assemble(self.path, self._lock)
        finally:
            self.release()

    def release(self) -> None:
        """Let others go on with what is on disk."""
        if self._lock is not None:
            self._lock.release()

    def _manifest(self, attributes: Mapping[str, Attribute], *, complete: bool) -> None:
        content = {
            "format": FORMAT,
            "complete": complete,
            "segments": self.segments,
            "coords": self._coords,
            "attributes": dict(attributes),
        }
        whole = json.dumps({**content, "crc32": _crc32(content)}, ensure_ascii=False)
        write_whole(self.parts / MANIFEST, lambda file: file.write(whole.encode()))


def is_complete(parts: Path) -> bool:
    """Whether the run in a folder of parts came to its end, and only its file was not made."""
    return bool(_manifest(parts)["complete"])


def assemble(path: Path, lock: Lock | None = None) -> Result:
    """Make the NetCDF file ``path`` from its segments, also of a run that was cut short, and open it.

    A file that is there already is kept if the run has no rows: it is an older one, which the run was to replace.

    lock : of the folder of parts, if it is held already; it is released

    Raises
    ------
    ResultError : as ``read_parts``, or the run is still under way; nothing is changed then
    """
    from towsim.results.netcdf import write_netcdf

    parts = parts_folder(path)
    lock = lock or Lock(parts)
    try:
        left = read_parts(parts)
        if not path.exists() or left.column("time").shape[0]:
            with whole(path, parts / "assembled.tmp") as temporary:
                write_netcdf(temporary, left)
    finally:
        lock.release()  # before the folder is renamed: Windows does not while a file in it is open
    discard(parts)
    return open_result(path)


def read_parts(parts: Path) -> Result:
    """Open the segments of a run; one that was cut short gets the attribute ``unfinished`` = 1.

    Raises
    ------
    ResultError : the folder holds no run, or a segment is damaged or missing
    """
    manifest = _manifest(parts)
    segments = sorted(parts.glob("segment-*.npz"))
    there = [segment.name for segment in segments]
    written = max(len(there), manifest.get("segments", 0))  # of a run under way the manifest does not know
    for number in range(written):
        if _segment(number) not in there:
            raise ResultError(f"{parts} lacks its {_segment(number)}; run it again")
    headers = [unpack_header(segment) for segment in segments]
    lengths = [header["rows"] for header in headers]
    columns: dict[str, Column] = {"time": np.empty(0)}
    for name, trailing in (headers[0]["shapes"] if headers else {}).items():
        if name in VARIABLES:
            columns[name] = Pieces(
                lengths,
                tuple(trailing),
                lambda i, name=name: unpack_array(segments[i], name),  # type: ignore[misc]
            )
    attributes = manifest["attributes"]
    if not manifest["complete"]:
        attributes["unfinished"] = 1
        if headers:
            attributes["extremes"] = json.dumps(headers[-1]["extremes"])
    events = Events([Event(**event) for header in headers for event in header["events"]])
    return Result(columns, {dim: tuple(names) for dim, names in manifest["coords"].items()}, events, attributes)


def _segment(number: int) -> str:
    return f"segment-{number:06d}.npz"


def _crc32(content: Mapping[str, Any]) -> int:
    """Checksum of a manifest, as archives have it of what they hold."""
    return zlib.crc32(json.dumps(content, ensure_ascii=False).encode())


def _manifest(parts: Path) -> dict[str, Any]:
    try:
        manifest = checked(json.loads((parts / MANIFEST).read_bytes()), parts)
        if manifest.pop("crc32", None) != _crc32(manifest):
            raise ValueError("its checksum is another one")
        return manifest
    except (OSError, ValueError):
        raise ResultError(f"{parts} is not a run of towsim: its {MANIFEST} is missing or damaged") from None
