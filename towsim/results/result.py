"""A run as one dataset: named variables with dimensions, units, events and origin."""

from __future__ import annotations

import html
import importlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from towsim.errors import ResultError, SceneError, UsageError
from towsim.quote import show
from towsim.results.columns import Column
from towsim.results.derived import DERIVED, DerivedColumn, Needs, Source, offered
from towsim.results.events import Event, Events
from towsim.results.extremes import whole
from towsim.results.labelled import Labelled
from towsim.results.summary import Summary, summarise
from towsim.results.variables import AXES, VARIABLES, Variable
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    import xarray

    from towsim.scene import Scene

Names = tuple[str, ...] | tuple[int, ...]
Attribute = str | int | float


class Result(Mapping[str, Labelled]):
    """What a run left behind; made by ``simulate`` and ``open_result``.

    ``result["position"].sel(body="box")`` is the (time, xyz) path of a body, ``result.time`` the times in s,
    ``print(result)`` what there is. Variables are read from disk when they are asked for, and those that follow from
    others (energies ..., see ``results/derived``) are found then. As in an ``xarray.Dataset`` the time is a coordinate:
    it is read by name, and not among those that ``list`` and ``len`` know. A result is equal to itself alone.

    Attributes
    ----------
    coords : names along each dimension but time
    events : table of what happened and when
    """

    def __init__(
        self,
        columns: Mapping[str, Column],
        coords: Mapping[str, Names],
        events: Events | tuple[Event, ...] = (),
        attributes: Mapping[str, Attribute] | None = None,
        variables: Mapping[str, Variable] = VARIABLES,
        report: Callable[[], Mapping[str, Any]] | None = None,
        source: Source | None = None,
    ) -> None:
        self._columns = dict(columns)
        self._source = source  # or else the attributes tell
        self._defined = variables
        self.coords: dict[str, Names] = {**AXES, **coords}
        self.events = events if isinstance(events, Events) else Events(events)
        self._attributes: dict[str, Attribute] = dict(attributes or {})
        self._report = report  # of the run's extremes, until it is asked

    @cached_property
    def _variables(self) -> dict[str, Variable]:
        return {name: variable for name, variable in self._defined.items() if name in self._columns}

    @cached_property
    def _derived(self) -> dict[str, Needs]:
        if self._source is None:
            try:
                self._source = Source.of(self._attributes)
            except SceneError:  # of another version: what was recorded is there all the same
                return {}
        return {} if self._source is None else offered(self._source, self._variables, self.coords)

    @property
    def attributes(self) -> dict[str, Attribute]:
        """Scene text, options, versions, check verdict and the like; structured ones as JSON text."""
        self._judge()
        return self._attributes

    @attributes.setter
    def attributes(self, given: dict[str, Attribute]) -> None:
        self._attributes, self._report = given, None

    @property
    def scene(self) -> Scene:
        """The scene that was run, as it was declared. Raises ResultError where the result does not tell."""
        _ = self._derived  # which looks for the source
        if self._source is None:
            raise ResultError("this result does not hold its scene, or one of another version of towsim")
        return self._source.declared

    @property
    def time(self) -> np.ndarray:
        """Recorded times [s]."""
        return self._values("time")

    @property
    def variables(self) -> Mapping[str, Variable]:
        """Name, dimensions, unit and meaning of each variable, time included; those that are derived come last."""
        return self._variables | {name: DERIVED[name].variable for name in self._derived}

    @property
    def recorded(self) -> Mapping[str, Variable]:
        """As ``variables``, of those that files hold: without what is derived."""
        return self._variables

    @property
    def provenance(self) -> dict[str, Any]:
        """The attributes with JSON texts decoded: scene, options, versions, check verdict."""
        return {key: _decoded(value) for key, value in self.attributes.items()}

    def column(self, name: str) -> Column:
        """A variable without reading it: take rows with a slice. Raises ResultError for an unknown name."""
        self._known(name)
        self._judge()
        if name in self._columns:
            return self._columns[name]
        assert self._source is not None  # or else nothing is derived
        needed = {one: self._columns[one] for one in self._derived[name]}
        return DerivedColumn(self._source, name, needed, {dim: len(names) for dim, names in self.coords.items()})

    def summary(self) -> Summary:
        """Steps, time per step, worst stretch and residual, jerks, tension range of each wire without jerks.

        Figures cover every step, also those left out by ``record_every``, when the run itself recorded them.
        """
        known = self.attributes
        extremes = from_json(known, "extremes") if known.get("extremes") else whole(self._columns, self.coords)
        outcome = "unfinished" if known.get("unfinished") else str(known.get("outcome", "complete"))
        wall_time, memory = (float(known.get(name, math.nan)) for name in ("wall_time", "peak_memory"))
        try:
            return summarise(extremes, self.events, wall_time, memory, outcome)
        except (KeyError, TypeError, ValueError):  # an attribute that says something else
            if not known.get("extremes"):
                raise
            raise ResultError("attribute 'extremes' of this result is damaged: run it again") from None

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Write to ``.nc`` (NetCDF), ``.npz`` (numpy) or ``.csv`` (a table, and the events in a second one).

        Raises
        ------
        ResultError : the file exists and ``force`` is False, or the suffix is unknown
        """
        from towsim.results.export import save

        return save(self, Path(path), force=force)

    def to_xarray(self) -> xarray.Dataset:
        """The same as an ``xarray.Dataset``; events become variables ``event_*`` along the dimension ``event``."""
        from towsim.results.export import to_xarray

        return to_xarray(self)

    def view(self, *others: Result, **options: Any) -> Any:
        """The 3-D page of this run and of others: seen in a notebook, ``.open()`` and ``.save(path)`` elsewhere.

        Parameters
        ----------
        others : what is seen with it
        options : as of :func:`towsim.view`: ``layout`` (``over``, ``side``), ``names``, ``fps``, ``height``

        Raises
        ------
        ResultError : the result has no poses to show, or towsim was installed without its 3-D page
        """
        pictures = importlib.import_module("towsim.pictures")  # which know results; not the other way round
        return pictures.view(self, *others, **options)

    def __getitem__(self, name: str) -> Labelled:
        self._known(name)
        variable = self._variables[name] if name in self._variables else DERIVED[name].variable
        coords = {dim: self.time if dim == "time" else self.coords[dim] for dim in variable.dims}
        return Labelled(variable, self._values(name), variable.dims, coords)

    def __getattr__(self, name: str) -> Any:
        if name in VARIABLES or name in DERIVED:
            raise AttributeError(f"a result has no attribute {name!r}; its variables are read as result[{name!r}]")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __contains__(self, name: object) -> bool:
        return name in self._variables or name in self._derived

    def get(self, name: str, default: Any = None) -> Any:
        """A variable, or the default if there is none of that name."""
        if name not in self:
            return default
        return self[name]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.variables if name != "time")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{dim}: {len(names)}" for dim, names in self.coords.items() if dim not in AXES)
        lines = [f"<Result {self.attributes.get('name', '')} (time: {self._rows()}{', ' if sizes else ''}{sizes})>"]
        if self._rows():
            ends = self._columns["time"][:1], self._columns["time"][self._rows() - 1 :]
            lines.append(f"  time {ends[0][0]:g} .. {ends[1][0]:g} s")
        lines += [
            f"  {dim} {', '.join(map(str, names))}" for dim, names in self.coords.items() if dim not in (*AXES, "node")
        ]
        lines += [
            f"    {name:<21} [{variable.unit:^7}] ({', '.join(variable.dims)})"
            for name, variable in self.variables.items()
            if name != "time"
        ]
        return "\n".join((*lines, f"  events {repr(self.events)[9:-1]}"))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{name}<td>{one.unit}<td>{', '.join(one.dims)}<td>{html.escape(one.description)}</tr>"
            for name, one in self.variables.items()
        )
        head = html.escape(f"{self.attributes.get('name', 'Result')}\n\n{self.summary()}")
        return f"<pre>{head}</pre><table><tr><th>variable<th>unit<th>dims<th>meaning</tr>{rows}</table>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.variables)

    def _judge(self) -> None:
        """Have the run's extremes told, at the latest when rows are handed out, to which others may write."""
        report = self._report  # another thread may be as far as this
        if report is not None:
            self._attributes.setdefault("extremes", json.dumps(report()))
            self._report = None

    def _rows(self) -> int:
        return self._columns["time"].shape[0]

    def _values(self, name: str) -> np.ndarray:
        self._judge()
        column = self.column(name)
        if not isinstance(column, np.ndarray):
            column = np.asarray(column[:])
        if not column.flags.writeable:  # others have it, too
            column = column.copy()
        self._columns[name] = column
        return column

    def _known(self, name: str) -> None:
        if is_one_of(name, self._variables) or is_one_of(name, self._derived):
            return
        if is_one_of(name, DERIVED):
            why = "it has no scene that can be read" if self._source is None else "its scene does not tell"
            if self._source is not None and self._source.massive and "cable_energy" not in self._columns:
                why = "the energy of its mrfe cables was not recorded"
            elif left_out := self._left_out(name):
                why = f"{', '.join(left_out)} not recorded"
            raise ResultError(f"no {name!r} in this result: {why} ({DERIVED[name].variable.description})")
        missing = [dim for dim in VARIABLES[name].dims if dim not in self.coords] if is_one_of(name, VARIABLES) else []
        if missing and missing != ["time"]:
            raise ResultError(f"no {name!r} in this result: the scene has no {missing[-1]}")
        raise ResultError(unknown("variable", name, self.variables))

    def _left_out(self, name: str) -> list[str]:
        """Columns from which a derived variable would follow, which the scene has and the record does not."""
        needs = DERIVED[name].needs(self._source) if self._source is not None else None
        there = {"time", *AXES, *self.coords}
        return [one for one in needs or () if one not in self._columns and there.issuperset(VARIABLES[one].dims)]


def options_of(attributes: Mapping[str, Attribute]) -> dict[str, Any]:
    """The options of the run, as far as a result tells them. Raises ResultError if the attribute is damaged."""
    return from_json(attributes, "options") if "options" in attributes else {}


def from_json(attributes: Mapping[str, Attribute], name: str) -> dict[str, Any]:
    """The facts in an attribute of a result. Raises ResultError if it is missing or damaged."""
    try:
        facts = json.loads(str(attributes[name]))
    except (KeyError, ValueError):
        facts = None
    if not isinstance(facts, dict):
        raise ResultError(f"attribute {name!r} of this result is missing or damaged: run it again")
    return facts


def _decoded(value: Attribute) -> Any:
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def a_result(given: object) -> Result:
    """What was given, if it is a result. Raises UsageError."""
    if not isinstance(given, Result):
        raise UsageError(f"a result is needed, got {show(given)}; of a file, towsim.open_result(..) reads it")
    return given
