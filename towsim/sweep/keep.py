"""A sweep on disk: outcomes in whole files while it goes on, one dataset at the end.

sweep.nc.parts/sweep.json            what is swept; another sweep is not mixed with it
sweep.nc.parts/outcomes-000000.npz   outcomes of some points, renamed into place
sweep.nc.parts/lock                  empty; held by the process that sweeps
sweep.nc                             the dataset, renamed into place; the folder is renamed, then removed
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from towsim.errors import ResultError
from towsim.quote import show
from towsim.results.files import discard, parts_folder, refuse_existing, whole, write_whole
from towsim.results.lock import Lock, refuse_locked
from towsim.results.npz import pack, unpack
from towsim.sweep.plan import SAMPLE, SEED, SEED_OF_RUN, Plan
from towsim.sweep.work import STATUS, Outcome

if TYPE_CHECKING:
    import xarray

NAME, OUTCOMES = "sweep.json", "outcomes-{}.npz"


class Keeper:
    """Outcomes of a sweep so far; ``close`` it in any case.

    Attributes
    ----------
    values, status, seconds : as in ``Outcome``, of all points of the plan; status −1 of those that are still to do
    messages : by index

    Raises
    ------
    ResultError : the file exists, or its folder holds another sweep, or one that is still under way
    """

    def __init__(self, plan: Plan, metrics: int, facts: dict[str, Any], path: Path | None, *, force: bool) -> None:
        n = len(plan)
        self.values, self.status = np.full((n, metrics), np.nan), np.full(n, -1, np.int8)
        self.seconds, self.messages = np.full(n, np.nan), dict[int, str]()
        self.path, self.parts = path, None if path is None else parts_folder(path)
        self._held: list[Outcome] = []
        self._lock: Lock | None = None
        if path is None or self.parts is None:
            return
        if path.suffix != ".nc":
            raise ResultError(f"a sweep is stored as .nc, got {show(path.name)}")
        refuse_existing(path, force=force)
        if force:
            refuse_locked(self.parts)
            discard(self.parts)
        self.parts.mkdir(exist_ok=True)
        self._lock = Lock(self.parts)
        try:
            self._go_on(self.parts, json.dumps(facts, sort_keys=True, default=str))
        except BaseException:
            self._lock.release()
            raise

    def _go_on(self, parts: Path, said: str) -> None:
        """Take in what an earlier process kept; points of a file that is damaged are to do."""
        if not (parts / NAME).exists():
            write_whole(parts / NAME, lambda file: file.write(said.encode()))
        elif (parts / NAME).read_bytes() != said.encode():
            raise ResultError(
                f"{parts} holds another sweep that was not finished; go on with that one by its own command, use "
                "another name, or start over with --force (force=True)"
            )
        for file in sorted(parts.glob(OUTCOMES.format("*"))):
            with suppress(ResultError):
                arrays, header = unpack(file)
                known = {int(index): text for index, text in header["messages"].items()}
                self._take(Outcome(messages=known, **arrays))

    @property
    def todo(self) -> np.ndarray:
        """Indices of the points that have no outcome yet."""
        return np.flatnonzero(self.status < 0)

    def add(self, outcome: Outcome) -> None:
        """Take in an outcome; it is on disk after the next ``flush``."""
        self._take(outcome)
        self._held.append(outcome)

    def flush(self) -> None:
        """Write what was added since the last time."""
        if self.parts is not None and self._held:
            arrays = {
                name: np.concatenate([getattr(one, name) for one in self._held])
                for name in ("indices", "values", "status", "seconds")
            }
            messages = {index: text for one in self._held for index, text in one.messages.items()}
            there = {file.name for file in self.parts.glob(OUTCOMES.format("*"))}
            names = (OUTCOMES.format(f"{number:06d}") for number in count())
            name = next(name for name in names if name not in there)
            write_whole(self.parts / name, lambda file: pack(file, arrays, {"messages": messages}))
        self._held.clear()

    def _take(self, outcome: Outcome) -> None:
        at = outcome.indices
        self.values[at], self.status[at], self.seconds[at] = outcome.values, outcome.status, outcome.seconds
        self.messages |= outcome.messages

    def finish(self, dataset: xarray.Dataset) -> None:
        """Write the dataset in place of the outcomes."""
        if self.path is None or self.parts is None or self._lock is None:
            return
        text = {name: {"dtype": "S1"} for name, one in dataset.variables.items() if one.dtype == object}
        with whole(self.path, self.parts / "dataset.tmp") as temporary:
            dataset.to_netcdf(temporary, engine="h5netcdf", encoding=text)
        self._lock.release()
        discard(self.parts)

    def close(self) -> None:
        """Let others go on with what is kept; a folder in which nothing is goes."""
        if self.parts is None or self._lock is None:
            return
        self._lock.release()
        if not any(self.parts.glob(OUTCOMES.format("*"))):
            discard(self.parts)


def dataset(
    plan: Plan,
    names: dict[str, str],
    keeper: Keeper,
    attributes: dict[str, str | int | float],
    units: Mapping[str, str],
) -> xarray.Dataset:
    """All outcomes by the sweep's parameters; ``names`` are the metrics with their units, ``units`` the parameters'."""
    import xarray

    dims = plan.dims
    shape = tuple(dims.values())
    told = {key: {"units": unit} for key, unit in units.items() if unit}
    coords: dict[str, Any] = {axis.key: (axis.key, _column(axis.values), told.get(axis.key, {})) for axis in plan.axes}
    for j, axis in enumerate(plan.sampled):
        coords[axis.key] = (SAMPLE, plan.samples[:, j], told.get(axis.key, {}))
    seeds = np.array([plan.seed_of(index) for index in range(len(plan))], np.int64)
    own = SEED_OF_RUN if SEED in coords else SEED
    coords[own] = (tuple(dims), seeds.reshape(shape), {"long_name": "seed of the run, spawned from that of the sweep"})
    messages = np.array([keeper.messages.get(index, "") for index in range(len(plan))], object)
    flags = {"flag_values": np.array([-1, *STATUS.values()], np.int8), "flag_meanings": " ".join(("missing", *STATUS))}
    data: dict[str, Any] = {
        name: (tuple(dims), keeper.values[:, k].reshape(shape), {"units": unit})
        for k, (name, unit) in enumerate(names.items())
    }
    data["status"] = (tuple(dims), keeper.status.reshape(shape), flags)
    data["message"] = (tuple(dims), messages.reshape(shape), {"long_name": "why a run did not come to its end"})
    data["seconds"] = (
        tuple(dims),
        keeper.seconds.reshape(shape),
        {"units": "s", "long_name": "time the run took, mean of its job"},
    )
    return xarray.Dataset(data, coords, attributes)


def _column(values: tuple[Any, ...]) -> np.ndarray:
    """Numbers as they are, everything else as text; also whole numbers that are too large for a file."""
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        numbers = np.array(values)
        if numbers.dtype != object:
            return numbers
    return np.array([str(value) for value in values], object)
