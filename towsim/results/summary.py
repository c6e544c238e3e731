"""The closing words of a run: what a user wants to know before looking at any curve."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from towsim.results.events import Events

LENGTHS = (("m", 1.0), ("mm", 1e-3), ("µm", 1e-6), ("nm", 1e-9))
"""Units of lengths, and their sizes [m]."""


@dataclass(frozen=True, slots=True)
class WireSummary:
    """One wire: worst stretch [m], when [s], least and largest tension [N], number of jerks.

    short_peak : when the largest tension was [s], if steps are too long to tell how high it was; or else None
    """

    name: str
    stretch: float
    stretch_time: float
    tension_min: float
    tension_max: float
    jerks: int
    short_peak: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures over every step of a run, also those that were not recorded.

    Attributes
    ----------
    steps : number of steps taken
    end_time : time reached [s]
    wall_time : time it took [s]; NaN if not known
    memory : peak memory of the process until its end [B]; NaN if not known
    stretch : worst stretch of any wire [m]; 0 if none ever stretched
    stretch_wire, stretch_time : which wire that was, and when [s]
    residual, residual_time : worst scaled residual of any step's problem, and when [s]; NaN if steps have none, as of
        ``dae``
    unsolved : number of steps whose problem was not solved
    closest : number of steps whose rows contradict each other, met in the sense of least squares
    not_unique : number of steps whose forces of wires, contacts and joints are not the only possible ones
    events : number of events by kind
    wires : one ``WireSummary`` per wire
    drift : for joints, worst ``joint_gap`` [m] and ``joint_tilt`` [rad]: how much, of which joint, and when [s]
    outcome : ``complete``, ``interrupted``, ``unfinished``, or why the run had to stop
    """

    steps: int
    end_time: float
    wall_time: float
    memory: float
    stretch: float
    stretch_wire: str
    stretch_time: float
    residual: float
    residual_time: float
    unsolved: int
    closest: int
    not_unique: int
    events: Mapping[str, int]
    wires: tuple[WireSummary, ...]
    drift: Mapping[str, tuple[float, str, float]]
    outcome: str

    @property
    def time_per_step(self) -> float:
        """Wall time per step [s]; NaN if not known."""
        return self.wall_time / self.steps if self.steps else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and texts; what is not known is NaN."""
        return {**asdict(self), "time_per_step": self.time_per_step}

    def __str__(self) -> str:
        lines = [f"steps     {self.steps} to t = {self.end_time:g} s"]
        if not math.isnan(self.time_per_step):
            lines[0] += f" in {self.wall_time:.3g} s ({duration(self.time_per_step)} a step)"
        if not math.isnan(self.memory):
            lines.append(f"memory    {self.memory / 1e6:.0f} MB at the process's peak")
        if self.outcome != "complete":
            lines.insert(0, f"outcome   {self.outcome}")
        if self.wires:
            where = f" (wire {self.stretch_wire}, t = {self.stretch_time:g} s)" if self.stretch > 0 else ""
            lines.append(f"stretch   {distance(self.stretch)} at worst{where}")
        for (drift, joint, time), tilt in zip(self.drift.values(), (False, True), strict=False):  # no tilt for balls
            told = f"{drift:.3g} rad" if tilt else distance(drift)
            lines.append(f"drift     {told} at worst (joint {joint}, t = {time:g} s)")
        if not math.isnan(self.residual_time):
            lines.append(f"residual  {self.residual:.3g} at worst (t = {self.residual_time:g} s)")
        if self.unsolved:
            lines.append(f"unsolved  {self.unsolved} steps")
        if self.closest:
            lines.append(
                f"closest   {self.closest} steps met wires or joints that contradict each other as well as can be"
            )
        if self.not_unique:
            lines.append(
                f"forces    are not the only possible ones in {self.not_unique} steps: towsim.analysis.uniqueness tells"
            )
        short = [wire for wire in self.wires if wire.short_peak is not None]
        if short:
            more = f" and of {len(short) - 1} more" if len(short) > 1 else ""
            lines.append(
                f"peaks     the largest tension of {short[0].name}{more} passes in three steps (t = "
                f"{short[0].short_peak:g} s): how high it is they do not tell; smaller steps do, or model: elastic"
            )
        lines.append(f"events    {', '.join(f'{n} {kind}' for kind, n in self.events.items()) or 'none'}")
        if self.wires:
            width = max(4, *(len(wire.name) for wire in self.wires))
            lines += ["", f"{'wire':<{width}}  {'tension min':>13} {'max':>13}   {'stretch':>13}  jerks"]
            lines += [
                f"{wire.name:<{width}}  {_newtons(wire.tension_min)} {_newtons(wire.tension_max)}"
                f" {distance(wire.stretch):>13}  {wire.jerks:>5}"
                for wire in self.wires
            ]
        return "\n".join(lines)


def _newtons(force: float) -> str:
    """A force in 13 characters; a dash where no step has one."""
    return f"{'-':>11}  " if math.isnan(force) else f"{force:>11.5g} N"


def summarise(report: Mapping[str, Any], events: Events, wall_time: float, memory: float, outcome: str) -> Summary:
    """Summary from the running extremes (``Extremes.report()``) and the events."""
    jerks = Counter(event.subject for event in events if event.kind == "jerk")
    wires = tuple(
        WireSummary(
            name,
            max(0.0, -found["gap"]) if found["gap"] is not None else 0.0,
            found["gap_time"],
            math.nan if found["tension_min"] is None else found["tension_min"],
            math.nan if found["tension_max"] is None else found["tension_max"],
            jerks[name],
            found.get("short_peak"),
        )
        for name, found in report["wires"].items()
    )
    worst = max(wires, key=lambda wire: wire.stretch, default=WireSummary("", 0.0, 0.0, 0.0, 0.0, 0))
    return Summary(
        steps=max(0, report["rows"] - 1),
        end_time=report["end_time"],
        wall_time=wall_time,
        memory=memory,
        stretch=worst.stretch,
        stretch_wire=worst.name,
        stretch_time=worst.stretch_time,
        residual=math.nan if report["residual_time"] is None else report["residual"],
        residual_time=math.nan if report["residual_time"] is None else report["residual_time"],
        unsolved=report["unsolved"],
        closest=report.get("closest", 0),  # of files that do not say, none
        not_unique=report.get("not_unique", 0),
        events=dict(Counter(event.kind for event in events)),
        wires=wires,
        drift={name: (worst[0], worst[1], worst[2]) for name, worst in report.get("drift", {}).items()},
        outcome=outcome,
    )


def duration(seconds: float) -> str:
    """Short text for a time span, such as ``412 ns`` or ``3.1 ms``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def distance(metres: float) -> str:
    """Short text for a distance, such as ``1.01 µm``; below a nanometre, where rounding is, in metres."""
    unit, size = next((one for one in LENGTHS if metres >= one[1]), LENGTHS[0])
    return f"{metres / size:.3g} {unit}"
