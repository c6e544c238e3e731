"""What happened during a run, and when."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, overload

import numpy as np

from towsim.errors import ResultError
from towsim.suggest import unknown

if TYPE_CHECKING:
    import pandas

Kind = Literal["taut", "slack", "jerk", "break", "contact", "stick", "slip", "lift", "impact", "infeasible", "user"]
KINDS: tuple[str, ...] = get_args(Kind)


class Event(NamedTuple):
    """One event.

    Attributes
    ----------
    time : when it began [s]
    kind : one of ``KINDS``
    subject : name of the wire, body, contact or joint it happened to
    impulse : impulse exchanged [N s]; about an axis [N m s]
    energy_lost : kinetic energy lost by that impulse; of a plastic jerk Carnot's ½ Σ p |ψ̇⁻| [J]
    duration : how long it lasted, such as the steps over which a jerk's impulse was summed; 0 if it has none [s]
    note : a sentence for people
    """

    time: float
    kind: Kind
    subject: str = ""
    impulse: float = 0.0
    energy_lost: float = 0.0
    duration: float = 0.0
    note: str = ""


COLUMNS: tuple[str, ...] = Event._fields
UNITS = {"time": "s", "impulse": "N s", "energy_lost": "J", "duration": "s"}


class Events(Sequence[Event]):
    """A table of events in order of time; ``events["impulse"]`` is a column, ``events[0]`` an event.

    Parameters
    ----------
    parts : events in any order, each of which may be looked at more than once; they are when the table is asked for
    """

    __slots__ = ("_parts", "_sorted")

    def __init__(self, *parts: Sequence[Event]) -> None:
        self._parts = parts
        self._sorted: tuple[Event, ...] | None = None

    @property
    def _events(self) -> tuple[Event, ...]:
        if self._sorted is None:
            self._sorted, self._parts = tuple(sorted(chain(*self._parts), key=lambda event: event.time)), ()
        return self._sorted

    def __reduce__(self) -> tuple[type[Events], tuple[tuple[Event, ...]]]:
        return Events, (self._events,)

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Events) and self._events == other._events

    def __hash__(self) -> int:
        return hash(self._events)

    @overload
    def __getitem__(self, key: int) -> Event: ...
    @overload
    def __getitem__(self, key: slice) -> Events: ...
    @overload
    def __getitem__(self, key: str) -> np.ndarray: ...
    def __getitem__(self, key: int | slice | str) -> Event | Events | np.ndarray:
        if isinstance(key, str):
            if key not in COLUMNS:
                raise ResultError(unknown("column of the events", key, COLUMNS))
            dtype = np.float64 if key in UNITS else object
            return np.array([getattr(event, key) for event in self._events], dtype)
        return Events(self._events[key]) if isinstance(key, slice) else self._events[key]

    def select(self, kind: Kind | None = None, subject: str | None = None) -> Events:
        """Only the events of one kind, of one subject, or both."""
        if kind is not None and kind not in KINDS:
            raise ResultError(unknown("kind of event", kind, KINDS))
        return Events(
            [
                event
                for event in self._events
                if (kind is None or event.kind == kind) and (subject is None or event.subject == subject)
            ]
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per event, for JSON or a data frame."""
        return [event._asdict() for event in self._events]

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a row for each event."""
        import pandas

        return pandas.DataFrame(self.to_dicts(), columns=list(COLUMNS))

    def __repr__(self) -> str:
        count = Counter(event.kind for event in self._events)
        return f"<Events: {', '.join(f'{n} {kind}' for kind, n in count.items()) or 'none'}>"

    def __str__(self) -> str:
        return "\n".join((repr(self), *(f"  {' '.join(_cells(event)).rstrip()}" for event in self._events)))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name} {f'({UNITS[name]})' if name in UNITS else ''}</th>" for name in COLUMNS)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell.strip())}</td>" for cell in _cells(event)) + "</tr>"
            for event in self._events
        )
        return f"<table><tr>{head}</tr>{body}</table>"


def _cells(event: Event) -> tuple[str, ...]:
    return (
        f"{event.time:10.6g} s",
        f"{event.kind:<10}",
        f"{event.subject:<12}",
        f"{event.impulse:10.4g} N s",
        f"{event.energy_lost:10.4g} J",
        f"{event.duration:10.4g} s",
        event.note,
    )
