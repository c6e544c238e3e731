"""Checkpoints of a run: what it needs to go on, beside the rows that are on disk already.

A checkpoint is one file in the folder of the run's parts, replaced as a whole. It holds a snapshot of the stepper, what
the recorder remembers, and the number of segments written before; segments that are younger are computed again. It is
taken between two blocks, so that the run that goes on has the same blocks as one that never stopped: the same bits.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from towsim.errors import ResultError, UsageError
from towsim.results import Recorder, Result, open_result
from towsim.results.derived import Source
from towsim.results.files import discard, parts_folder, write_whole
from towsim.results.lock import Lock
from towsim.results.npz import pack, unpack
from towsim.results.result import from_json
from towsim.results.store import Store, assemble, is_complete
from towsim.run import columns
from towsim.run.blocks import Run
from towsim.run.options import OfRun, checked
from towsim.run.setup import prepare, stepping
from towsim.run.snapshot import Snapshot, put, take
from towsim.run.start import at_start
from towsim.scene import scene_from_text

FILE = "checkpoint.npz"


@dataclass(slots=True)
class Checkpoints:
    """Writes a checkpoint between two blocks, when it is time; called by the run.

    Attributes
    ----------
    output : the run's ``.nc`` file
    every : seconds [wall time] from one to the next; 0 before every block
    on_failure : option of ``simulate`` that a result does not keep
    """

    output: str | Path | None
    every: float
    on_failure: str
    last: float = -math.inf

    def __post_init__(self) -> None:
        if self.output is None:
            raise UsageError("checkpoint_every needs an output: checkpoints are kept beside it")

    def __call__(self, run: Run) -> None:
        """Write a checkpoint, if the last one is old enough."""
        now = clock.monotonic()
        if now - self.last >= self.every:
            assert self.output is not None
            write(parts_folder(Path(self.output)) / FILE, run, self)
            self.last = now


def write(path: Path, run: Run, how: Checkpoints) -> None:
    """Write what the run needs to go on."""
    snapshot = take(run.stepper)
    recorded, record_facts = run.recorder.memory()
    header = {
        "stepper": snapshot.facts,
        "recorder": record_facts,
        "wall_time": run.wall_time,
        "steps": run.steps,
        "on_failure": how.on_failure,
        "every": how.every,
    }
    arrays = {f"stepper/{name}": array for name, array in snapshot.arrays.items()}
    arrays |= {f"recorder/{name}": array for name, array in recorded.items()}
    write_whole(path, lambda file: pack(file, arrays, header))


NO_CHECKPOINT = (
    "{} holds no checkpoint to resume from; start a run with --checkpoint-every SECONDS (checkpoint_every=...) to have "
    "them, or run this one again with 'towsim replay'"
)


def can_resume(path: Path) -> bool:
    """Whether an unfinished run of that name has a checkpoint."""
    return (parts_folder(path) / FILE).exists()


def resume(
    path: str | Path,
    *,
    checkpoint_every: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Go on with a run that was killed or interrupted, from its last checkpoint: the same bits as without the break.

    Parameters
    ----------
    path : the run's ``.nc`` file, or its ``.parts`` folder; the run was started with ``checkpoint_every``
    checkpoint_every : seconds between further checkpoints; default: as before
    progress : as for ``simulate``

    Returns
    -------
    Result : the finished run, as ``simulate`` would have returned it

    Raises
    ------
    ResultError : there is no unfinished run, it has no checkpoint, or it is still under way
    SimulationError : as ``simulate``
    """
    path = Path(path)
    path = path.with_suffix("") if path.suffix == ".parts" else path
    parts = parts_folder(path)
    if not parts.is_dir():
        discard(parts)
        if not path.exists():
            raise ResultError(f"no such run: {path}")
        if open_result(path).summary().outcome in ("interrupted", "unfinished"):
            raise ResultError(NO_CHECKPOINT.format(f"{path} was interrupted, and"))
        raise ResultError(f"{path} is finished, there is nothing to resume")
    given = checked({"checkpoint_every": checkpoint_every, "progress": progress}, OfRun)
    lock = Lock(parts)
    try:
        if is_complete(parts):  # it was killed while its file was being made
            return assemble(path, lock)
        if not can_resume(path):
            raise ResultError(NO_CHECKPOINT.format(parts))
        arrays, header = unpack(parts / FILE)
        run = _again(path, lock, arrays, header)
        every = header["every"] if checkpoint_every is None else given["checkpoint_every"]
        run.between = Checkpoints(path, every, header["on_failure"])
        run.progress = progress
        return run.go(header["on_failure"])
    finally:
        lock.release()


def _again(path: Path, lock: Lock, arrays: dict[str, np.ndarray], header: dict[str, Any]) -> Run:
    """The run as it was at the checkpoint."""
    left = open_result(parts_folder(path))
    options = from_json(left.attributes, "options")
    scene = scene_from_text(str(left.attributes["scene"]))
    how = stepping(scene, options)
    ready = prepare(at_start(scene), how)
    inner = {room: {k.removeprefix(room): a for k, a in arrays.items() if k.startswith(room)} for room in ROOMS}
    put(ready.stepper, Snapshot(inner["stepper/"], header["stepper"]))
    facts = header["recorder"]
    store = Store.continued(path, facts["segments"], lock)
    attributes = {key: value for key, value in left.attributes.items() if key not in ("unfinished", "extremes")}
    every, only = how.options["record_every"], how.options["record"]
    coords = columns.coordinates(ready.stepper.compiled)
    recorder = Recorder(coords, attributes, store, every, source=Source(scene), only=only)
    recorder.recall(inner["recorder/"], facts)
    run = Run(ready.stepper, recorder, ready.solve, ready.solver, header["steps"])
    run.before = header["wall_time"]
    return run


ROOMS = ("stepper/", "recorder/")
