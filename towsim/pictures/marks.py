"""Marks of events in panels over time: jerks with their impulse, and lines where something broke, was cut or let go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from towsim.pictures.figures import Colour, plain
from towsim.results import Event, Result

LABELS = 6
"""Events of a panel that are labelled, those with the largest impulse first; the others are only marked."""

LINES = ("break", "user", "infeasible")
"""Kinds of events that are marked in every panel over time."""

LEVELS = 4
"""Rows of labels, one below the other, at most."""

CHARACTER = 0.0105
"""Width of a character of a label, in parts of the axes."""


class Label(NamedTuple):
    """A text at a time."""

    time: float
    text: str
    colour: Colour


def jerks(ax: Axes, result: Result, shades: Mapping[str, Colour]) -> int:
    """Triangles at the top of the axes, with the impulse; returns how many rows of labels there are."""
    found = [event for event in result.events.select("jerk") if event.subject in shades]
    for event in found:
        place = ax.get_xaxis_transform()
        ax.plot(event.time, 0.97, "v", color=shades[event.subject], markersize=6, transform=place)
    labelled = sorted(found, key=lambda event: -event.impulse)[:LABELS]
    told = (Label(event.time, impulse(event.impulse), shades[event.subject]) for event in labelled)
    return write(ax, result, told, top=0.91)


def lines(ax: Axes, result: Result, *, labelled: bool) -> None:
    """A thin line across the axes where something broke, was cut, attached or detached, or the run was refused."""
    found = [event for event in result.events if event.kind in LINES][:20]
    for event in found:
        ax.axvline(event.time, color="#555555", linewidth=0.8, linestyle=(0, (1, 2)), zorder=1.0)
    if labelled:
        write(ax, result, (Label(event.time, words(event), "#333333") for event in found[:LABELS]), top=0.04, up=True)


def words(event: Event) -> str:
    """What happened, in a few words."""
    subject = plain(event.subject, 16)
    if event.kind == "break":
        return f"{subject} is cut" if event.note.endswith("is cut") else f"{subject} breaks"
    if event.kind == "infeasible":
        return "refused"
    return f"{subject} {event.note.rsplit(' ', 1)[-1]}" if event.note else subject


def impulse(value: float) -> str:
    """An impulse in the unit that fits."""
    for unit, size in (("kN s", 1e3), ("N s", 1.0), ("mN s", 1e-3)):
        if value >= 0.95 * size:
            return f"{value / size:.3g} {unit}"
    return "< 1 mN s"


def write(ax: Axes, result: Result, labels: Iterable[Label], *, top: float, up: bool = False) -> int:
    """Write labels beside their times, on as few rows as keep them off each other; returns how many rows that took."""
    time = result.time
    span = float(time[-1] - time[0]) or 1.0
    ends: list[float] = []  # right end of the last label of each row
    for label in sorted(labels, key=lambda one: one.time):
        at = (label.time - float(time[0])) / span
        width = CHARACTER * (len(label.text) + 2)
        to_left = at + width > 1.0
        start, end = (at - width, at) if to_left else (at, at + width)
        row = next((k for k, taken in enumerate(ends) if taken <= start), len(ends))
        if row >= LEVELS:
            continue
        ends[row : row + 1] = [end]
        ax.annotate(
            label.text,
            (label.time, top + (0.065 if up else -0.065) * row),
            xycoords=ax.get_xaxis_transform(),
            xytext=(-5 if to_left else 5, -1),
            textcoords="offset points",
            fontsize=7,
            va="center",
            ha="right" if to_left else "left",
            color=label.colour,
            path_effects=[withStroke(linewidth=1.5, foreground="white")],
        )
    return len(ends)
