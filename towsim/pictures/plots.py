"""The figure of a result: panels over time on the left, paths on the right; wide paths lie below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.lines import Line2D

from towsim.errors import ResultError
from towsim.pictures import marks, panels, paths
from towsim.pictures.figures import colours, new_figure, plain, style
from towsim.results import Result
from towsim.results.result import a_result, options_of
from towsim.results.summary import duration
from towsim.suggest import unknown

OVER_TIME: dict[str, Callable[[Axes, Result], None]] = {
    "tension": panels.tension,
    "gap": panels.gap,
    "actuation": panels.actuation,
    "residual": panels.residual,
    "energy": panels.energy,
}
USUAL = ("tension", "gap", "actuation", "path", "residual")
LYING = 3.0
"""Height of paths that lie below the panels over time [in]."""

HEIGHTS = {"tension": 3.0, "gap": 2.0, "actuation": 2.0, "residual": 1.2}


def plot(result: Result, what: str | Sequence[str] | None = None, *, figure: Figure | None = None) -> Figure:
    """Draw a result.

    Parameters
    ----------
    what : a panel or several: ``tension``, ``gap``, ``actuation``, ``path``, ``residual`` (the default: all that there
        are), ``energy`` (with its parts), or any variable's name
    figure : draw into this one instead of a new one

    Raises
    ------
    ResultError : a panel or variable that the result does not have, with a suggestion; nothing that can be drawn
    """
    names = _panels(a_result(result), [what] if isinstance(what, str) else what)
    timed = [name for name in names if name != "path"]
    seen = paths.snapshots(result) if "path" in names else None
    planes = paths.views(result, seen) if "path" in names else []
    near = False
    below = bool(timed and planes) and paths.lie(result, seen, planes)
    height = 1.0 + (1.7 if below else 2.2) * len(timed) + (LYING if below else 0.0)
    figure = figure or new_figure(11 if timed and planes else 8, min(14.0, max(4.5, height)))
    if below:
        outer = figure.add_gridspec(2, 1, height_ratios=[height - LYING, LYING])
        near = len(planes) == 1 and paths.close_up(seen) and paths.thread(result, seen, planes[0])
        inner = outer[1, 0].subgridspec(1, len(planes) + near, width_ratios=[2, 1] if near else None)
    else:
        columns = ([1.6] if timed else []) + ([1.0] if planes else [])
        outer = figure.add_gridspec(1, len(columns), width_ratios=columns)
        inner = outer[0, -1].subgridspec(max(1, len(planes)), 1)
    if timed:
        _time_panels(figure, outer[0, 0], result, timed)
    for i, plane in enumerate(planes):
        ax = figure.add_subplot(inner[0, i] if below else inner[i, 0])
        style(ax)
        paths.path(ax, result, plane, seen)
    if near and seen is not None:
        ax = figure.add_subplot(inner[0, 1])
        style(ax)
        paths.end(ax, seen, planes[0])
    _title(figure, result)
    return figure


def _panels(result: Result, what: Sequence[str] | None) -> list[str]:
    placed = ["path"] if "position" in result or "robot_position" in result else []
    known = [*(result.recorded if what is None else result.variables), *placed]
    if what is None:
        if not {*USUAL} & {*known}:
            raise ResultError(
                f"nothing to draw: the result holds none of {', '.join(USUAL)}; a run that has only begun?"
            )
        return [name for name in USUAL if name in known]
    for name in what:
        if name not in known or name == "time":
            raise ResultError(unknown("panel", name, (one for one in known if one != "time")))
    if not what:
        raise ResultError("plot needs at least one panel, such as tension")
    return list(dict.fromkeys(what))


def _time_panels(figure: Figure, place: SubplotSpec, result: Result, names: list[str]) -> None:
    grid = place.subgridspec(len(names), 1, height_ratios=[HEIGHTS.get(name, 2.0) for name in names])
    first: Axes | None = None
    rows = []
    for i, name in enumerate(names):
        ax = figure.add_subplot(grid[i, 0], sharex=first)
        style(ax)
        if not len(result.time):
            ax.text(0.5, 0.5, f"{name}: nothing was recorded", ha="center", transform=ax.transAxes)
        elif name in OVER_TIME:
            OVER_TIME[name](ax, result)
        else:
            panels.variable(ax, result, name)
        if len(result.time):
            marks.lines(ax, result, labelled=first is None)
        first = first or ax
        ax.tick_params(labelbottom=i == len(names) - 1)
        rows.append(ax)
    ax.set_xlabel("time (s)")
    figure.align_ylabels(rows)
    if len(result.time) > 1:
        ax.set_xlim(result.time[0], result.time[-1])
    _legend(figure, result, names)


def _legend(figure: Figure, result: Result, names: list[str]) -> None:
    """Names of the wires, once, below the panels that share their colours."""
    wires = result.coords.get("wire", ())
    if not {"tension", "gap"} & set(names) or not 0 < len(wires) <= panels.LINES:
        return
    handles = [Line2D([], [], color=colour, linewidth=2) for colour in colours(len(wires))]
    shown = next(name for name in ("tension", "gap") if name in names)
    same = panels.same_curves(result[shown].values)
    labels = [f"{plain(wire)} = {plain(wires[same[i]])}" if i in same else plain(wire) for i, wire in enumerate(wires)]
    figure.legend(
        handles,
        labels,
        loc="outside lower left",
        ncols=min(len(wires), 8),
        fontsize=8,
        frameon=False,
        handlelength=1.2,
        columnspacing=1.2,
    )


def _title(figure: Figure, result: Result) -> None:
    """What is seen, at the top; how it was found, small, at the bottom."""
    name = str(result.attributes.get("name", ""))
    try:
        about = " ".join(result.scene.description.split())
    except ResultError:  # of another version: what was recorded is drawn all the same
        about = ""
    outcome = result.summary().outcome
    ended = "" if outcome == "complete" else outcome if outcome in ("interrupted", "unfinished") else "stopped early"
    parts = [f"{name}: {about}" if about else name, f"({ended})" if ended else ""]
    figure.suptitle(plain(" ".join(filter(None, parts)), 130), x=0.01, ha="left", fontsize=10, fontweight="bold")
    if how := _how(result):
        figure.supxlabel(plain(how, 130), x=0.995, ha="right", fontsize=7, color="#777777")


def _how(result: Result) -> str:
    options = options_of(result.attributes)
    solver = str(options.get("solver", "auto"))
    parts = [str(options.get("method", "")), f"solver {solver}" if solver != "auto" else ""]
    if "step" in options:
        parts.append(f"h = {duration(options['step'])}")
    return ", ".join(filter(None, parts))
