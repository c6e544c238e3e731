"""Cable robots drawn: slices of a workspace, and tensions along a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from towsim.errors import UsageError
from towsim.given import numbers
from towsim.pictures.figures import colours, new_figure, style
from towsim.quote import show

if TYPE_CHECKING:
    from towsim.cdpr import Tensions, Workspace

AXES = "xyz"


def plot_workspace(space: Workspace, *, figure: Figure | None = None) -> Figure:
    """A slice of a workspace: where the platform can be held, the largest tension there, and the base points.

    A place at which several orientations were judged is held where all of them are.

    Parameters
    ----------
    space : of the poses of a grid that is flat in x, y or z (``grid(x, 0.0, z)``)

    Raises
    ------
    UsageError : no workspace; the grid is not flat, or a line, or has no poses
    """
    from towsim.cdpr import Workspace

    if not isinstance(space, Workspace):
        raise UsageError(f"a Workspace is needed, got {show(space)}; towsim.cdpr.workspace(..) judges one")
    if not len(space.feasible):
        raise UsageError("a workspace without poses cannot be drawn")
    spread = np.ptp(space.position, axis=0)
    flat = np.flatnonzero(spread == 0.0)
    if len(flat) != 1:
        raise UsageError("a slice is flat in one of x, y, z; give one of the grid's axes as a number")
    i, j = (k for k in range(3) if k != flat[0])
    across, up = (np.unique(space.position[:, k]) for k in (i, j))
    largest = np.full((len(up), len(across)), -np.inf)
    rows, columns = np.searchsorted(up, space.position[:, j]), np.searchsorted(across, space.position[:, i])
    np.maximum.at(largest, (rows, columns), space.tension.max(axis=1))  # NaN, of a pose that is not held, stays
    judged = np.isfinite(largest) | np.isnan(largest)
    largest[~judged] = np.nan
    figure = figure or new_figure(7.0, 4.6)
    ax = figure.add_subplot()
    style(ax)
    ax.set_facecolor("0.93")
    held, places = int(np.isfinite(largest).sum()), int(judged.sum())
    if held:
        mesh = ax.pcolormesh(across, up, largest, shading="nearest", cmap="viridis", rasterized=True)
        against = f"\nagainst the first of {space.loads} loads" if space.loads > 1 else ""
        figure.colorbar(mesh, ax=ax, label=f"largest tension (N){against}")
    base = space.robot.base
    ax.plot(base[:, i], base[:, j], "ko", markersize=4, label="base points", clip_on=False)
    ax.set_xlabel(f"{AXES[i]} (m)")
    ax.set_ylabel(f"{AXES[j]} (m)")
    ax.set_aspect("equal")
    several = f" with all of {len(space.feasible) // places} orientations" if len(space.feasible) > places else ""
    share = f"{held} of {places} {'places' if several else 'poses'} held{several}"
    unknown = f", but for {int(space.undecided.sum())} undecided" if space.undecided.any() else ""
    grey = f"grey: proven impossible{unknown}"
    ax.set_title(f"{share}, {AXES[flat[0]]} = {space.position[0, flat[0]]:g} m\n{grey}", fontsize=9)
    ax.legend(loc="upper left", bbox_to_anchor=(0.0, -0.14), fontsize=8, frameon=False)
    return figure


def plot_tensions(found: Tensions, time: ArrayLike, *, names: tuple[str, ...], figure: Figure | None = None) -> Figure:
    """Tensions along a path, one curve a cable; stretches that cannot be held are shaded.

    Parameters
    ----------
    found : of poses one after the other;  time : (k,) [s] of each;  names : of the cables

    Raises
    ------
    UsageError : no tensions; other times than poses, or other names than cables
    """
    from towsim.cdpr import Tensions

    if not isinstance(found, Tensions):
        raise UsageError(f"Tensions are needed, got {show(found)}; towsim.cdpr.tensions(..) finds them")
    t, pulls = numbers("times", time), np.atleast_2d(found.tension)
    if pulls.shape != (*t.shape, len(names)):
        raise UsageError(
            f"times {t.shape} and {len(names)} names do not go with tensions {pulls.shape}, poses by cables"
        )
    figure = figure or new_figure(7.0, 3.4)
    ax = figure.add_subplot()
    style(ax)
    for name, shade, row in zip(names, colours(len(names)), pulls.T, strict=True):
        ax.plot(t, row, color=shade, linewidth=1.2, label=name)
    if not found.feasible.all():
        ax.fill_between(
            t,
            0.0,
            1.0,
            where=np.atleast_1d(~found.feasible),
            transform=ax.get_xaxis_transform(),
            color="0.85",
            label="not possible",
        )
    ax.set_xlabel("time (s)")
    ax.set_ylabel("tension (N)")
    ax.set_ylim(bottom=0.0)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return figure
