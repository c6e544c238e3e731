"""Collects a run block by block, in memory or straight to disk."""

from __future__ import annotations

import copy
import json
import math
import sys
import time as clock
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from towsim.errors import ResultError, UsageError
from towsim.quote import show
from towsim.results.columns import Column, Pieces
from towsim.results.derived import DERIVED, Source
from towsim.results.events import Event, Events
from towsim.results.extremes import Extremes, whole
from towsim.results.result import Attribute, Names, Result
from towsim.results.variables import AXES, VARIABLES
from towsim.suggest import unknown

if TYPE_CHECKING:
    from towsim.results.store import Store


_AXES = {dim: len(names) for dim, names in AXES.items()}
_DTYPES = {name: np.dtype(variable.dtype) for name, variable in VARIABLES.items()}

HELD_ROWS, HELD_FOR = 4096, 1.0
"""With ``every`` above 1, rows and seconds [s] after which a segment is written: else there were many small ones."""


class Recorder:
    """Takes blocks of rows as they are computed and makes them a ``Result``.

    Row 0 of the first block is the initial state; every further row is the end of one step.

    Parameters
    ----------
    coords : names along ``body``, ``wire``, ``robot``, ``joint``, ``cable``, ``node``; a dimension that the scene
        does not have may be missing or empty, its variables are then left out
    attributes : scene text, options, versions; structured ones as JSON text
    store : where to keep blocks on disk; None keeps them in memory
    every : record every n-th row (and the last); summaries still cover all rows
    only : names of the variables to keep, beside ``time``, or of what follows from them; None keeps all
    lean : do not ask how much memory the process took
    source : the scene that is run, from which the result derives more

    Raises
    ------
    UsageError : ``only`` names something that a result of this scene does not have
    """

    def __init__(
        self,
        coords: Mapping[str, Sequence[str] | Sequence[int]],
        attributes: Mapping[str, Attribute] | None = None,
        store: Store | None = None,
        every: int = 1,
        lean: bool = False,
        source: Source | None = None,
        only: Sequence[str] | None = None,
    ) -> None:
        if not every >= 1:
            raise ResultError(f"record_every must be 1 or more, got {show(every)}")
        self._coords: dict[str, Names] = {dim: tuple(names) for dim, names in coords.items() if len(names)}  # type: ignore[misc]
        self._attributes: dict[str, Attribute] = dict(attributes or {})
        self._sizes = _AXES | {dim: len(names) for dim, names in self._coords.items()}
        self._shapes = _shapes(tuple(self._sizes.items()))
        self._store = store
        self._every, self._lean, self.source = every, lean, source
        self._skip = 0  # rows of the next block before the next one to record
        self._last: dict[str, np.ndarray] | None = None  # the very last row, when it was not recorded
        self._extremes: Extremes | None = None  # or else all rows are at hand when they are asked for
        self._only = None if only is None else needed(only, source, self._sizes)
        if store is not None or every > 1 or only is not None:
            self._extremes = Extremes(*([str(name) for name in self._coords.get(dim, ())] for dim in ("wire", "joint")))
        self._blocks: list[dict[str, np.ndarray]] = []
        self._events: list[Sequence[Event]] = []  # of every block
        self._names: tuple[str, ...] | None = None
        self._held: list[tuple[dict[str, np.ndarray], Sequence[Event]]] = []  # recorded, and not yet on disk
        self._flushed = clock.monotonic()
        if store is not None:
            store.begin(self._coords, self._attributes)

    @property
    def on_disk(self) -> bool:
        """Whether rows are written to disk."""
        return self._store is not None

    @property
    def begun(self) -> bool:
        """Whether a block was taken over, if only of no rows."""
        return self._names is not None

    @property
    def numbers(self) -> int | None:
        """Numbers of a row, if it was said what is kept."""
        return None if self._only is None else sum(math.prod(self._shapes[name]) for name in self._only)

    def append(self, block: Mapping[str, np.ndarray], events: Sequence[Event] = ()) -> None:
        """Take over one block: for each variable its rows, time first. Do not write into the arrays afterwards.

        A result copies arrays that may not be written to, which others have as well, when they are asked for.

        Raises
        ------
        ResultError : an unknown variable, a shape that does not fit, or not the variables of the first block
        """
        rows = self._checked(block)
        if self._extremes is not None:
            self._extremes.update(rows)
        count = len(rows["time"])
        if self._only is not None:  # copies: the rest of a block's arrays need not live on
            rows = {name: array.copy() for name, array in rows.items() if name in self._only}
        kept = rows
        if self._every > 1:
            chosen = slice(self._skip, None, self._every)
            kept = {name: array[chosen].copy() for name, array in rows.items()}
            recorded = len(kept["time"])
            if count:
                self._skip += recorded * self._every - count
                at_end = self._skip == self._every - 1
                self._last = None if at_end else {name: array[-1:].copy() for name, array in rows.items()}
        self._keep(kept, events)

    def tell(self, events: Sequence[Event]) -> None:
        """Take over events to which no further rows belong."""
        if self._store is None:
            self._events.append(events)
        elif len(events):
            self._held.append((self._no_rows(), events))

    def flush(self) -> None:
        """Bring to disk what is held back."""
        if self._store is None or not self._held:
            return
        blocks = [rows for rows, _ in self._held]
        rows = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        events = [event for _, events in self._held for event in events]
        self._store.append(rows, events, self._judged())
        self._held, self._flushed = [], clock.monotonic()

    def fork(self) -> Recorder:
        """A recorder that goes its own way from here; rows until now are shared, not copied. In memory only."""
        if self._store is not None:
            raise ResultError("a run that is written to disk has one recorder; record in memory")
        other = copy.copy(self)
        other._blocks, other._events = list(self._blocks), list(self._events)
        other._attributes, other._extremes = dict(self._attributes), copy.deepcopy(self._extremes)
        return other

    def memory(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What it needs, beside the rows that are on disk, to go on later: arrays and plain facts."""
        if self._store is None or self._extremes is None:
            raise ResultError("only a run that is written to disk goes on later; give it a store")
        self.flush()
        arrays, facts = self._extremes.memory()
        for name, row in (self._last or {}).items():
            arrays[f"last {name}"] = row
        more = {"skip": self._skip, "names": self._names, "segments": self._store.segments}
        return arrays, {"extremes": facts, **more}

    def recall(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go on where ``memory`` was taken; with a store as well."""
        assert self._extremes is not None
        self._extremes.recall(arrays, facts["extremes"])
        self._last = {k.removeprefix("last "): row for k, row in arrays.items() if k.startswith("last ")} or None
        self._skip, self._names = facts["skip"], None if facts["names"] is None else tuple(facts["names"])

    def finish(self, attributes: Mapping[str, Attribute] | None = None) -> Result:
        """Close the run, also one that was cut short, and hand it over as a ``Result``.

        ``attributes`` are added to the first ones; ``wall_time`` [s] gives the summary its time per step.
        """
        if self._last is not None:
            self._keep(self._last, ())
            self._last = None
        self.flush()
        self._attributes.update({**({} if self._lean else _peak_memory()), **(attributes or {})})
        if self._store is not None:
            return self._store.finish(self._attributes | {"extremes": json.dumps(self._judged())})
        blocks, self._blocks = self._blocks, []
        columns: dict[str, Column] = {"time": np.empty(0)}
        if len(blocks) == 1:
            columns |= blocks[0]
        else:
            lengths = [len(block["time"]) for block in blocks]
            for name in blocks[0] if blocks else ():
                arrays = [block[name] for block in blocks]
                columns[name] = Pieces(lengths, arrays[0].shape[1:], arrays.__getitem__)
        judge = partial(whole, columns, self._coords) if self._extremes is None else self._judged
        events = Events(*self._events)
        return Result(columns, self._coords, events, self._attributes, report=judge, source=self.source)

    def release(self) -> None:
        """Let others go on with what is on disk of a run that did not come to its end."""
        if self._store is not None:
            self._store.release()

    def _judged(self) -> dict[str, Any]:
        assert self._extremes is not None
        return self._extremes.report()

    def _keep(self, rows: dict[str, np.ndarray], events: Sequence[Event]) -> None:
        if self._store is not None:
            self._held.append((rows, events))
            enough = sum(len(rows["time"]) for rows, _ in self._held) >= HELD_ROWS
            if self._every == 1 or enough or clock.monotonic() - self._flushed > HELD_FOR:
                self.flush()
            return
        self._events.append(events)
        if len(rows["time"]) or not self._blocks:
            self._blocks.append(rows)

    def _no_rows(self) -> dict[str, np.ndarray]:
        names = [name for name in self._names or ("time",) if self._only is None or name in self._only]
        return {name: np.empty((0, *self._shapes[name]), _DTYPES[name]) for name in names}

    def _checked(self, block: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        if "time" not in block:
            raise ResultError("a block needs the variable 'time'")
        count = len(block["time"])
        rows: dict[str, np.ndarray] = {}
        for name, array in block.items():
            shape = self._shapes.get(name)
            if shape is None:
                if name not in VARIABLES:
                    raise ResultError(unknown("variable", name, VARIABLES))
                continue
            if array.shape != (count, *shape):
                dims = VARIABLES[name].dims
                raise ResultError(f"{name}: shape {array.shape} in a block, expected {(count, *shape)} over {dims}")
            same = array.dtype is _DTYPES[name]
            rows[name] = array if same else array.astype(_DTYPES[name], casting="same_kind", copy=False)
        if self._names is None:
            self._names = tuple(rows)
        elif self._names != tuple(rows) and set(self._names) != set(rows):
            raise ResultError(f"a block holds {sorted(rows)}, the first one held {sorted(self._names)}")
        return rows


def needed(names: Sequence[str], source: Source | None, dims: Container[str]) -> frozenset[str]:
    """The columns that these variables are, or follow from, and ``time``.

    Raises
    ------
    UsageError : a variable that there is not, or not in a scene with these dimensions
    """
    found = {"time"}
    needs: tuple[str, ...] | None
    for name in names:
        derived = DERIVED.get(name)
        variable = VARIABLES.get(name) or (derived and derived.variable)
        if variable is None:
            raise UsageError(unknown("variable", name, [*VARIABLES, *DERIVED]))
        missing = [dim for dim in variable.dims[1:] if dim not in dims]
        if missing:
            raise UsageError(f"no {name!r} to record: the scene has no {missing[-1]}")
        needs = (name,)
        if derived is not None:
            needs = None if source is None else derived.needs(source)
        if needs is None:
            raise UsageError(f"no {name!r} to record: the scene does not tell ({variable.description})")
        found.update(needs)
    return frozenset(found)


@lru_cache(maxsize=16)
def _shapes(sizes: tuple[tuple[str, int], ...]) -> dict[str, tuple[int, ...]]:
    """Shape of a row of each variable, of those whose dimensions there are."""
    known = dict(sizes)
    return {
        name: tuple(known[dim] for dim in variable.dims[1:])
        for name, variable in VARIABLES.items()
        if all(dim in known for dim in variable.dims[1:])
    }


def _peak_memory() -> dict[str, Attribute]:
    """Largest memory that this process ever had [B]; nothing where the system does not tell."""
    try:
        import resource
    except ImportError:
        return {}
    unit = 1 if sys.platform == "darwin" else 1024
    return {"peak_memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit}
