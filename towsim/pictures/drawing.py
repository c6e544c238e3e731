"""An animation by matplotlib, where no browser draws the 3-D page: the same things in the same colours, plainer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from PIL import Image

from towsim.pictures.figures import STEEL, colours, new_figure
from towsim.pictures.solids import beams, faces
from towsim.pictures.stage import Stage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DPI = 100
VIEWS = {"auto": (18.0, -60.0), "fit": (18.0, -60.0), "front": (0.0, -90.0), "side": (0.0, 0.0), "top": (90.0, -90.0)}
"""Elevation and azimuth of each camera [deg]."""


def drawn(
    seen: Stage, times: Sequence[float], name: str, *, size: tuple[int, int], camera: str
) -> Iterator[Image.Image]:
    """Pictures of a stage at these times [s], each of the frame closest to it; ``size`` in pixels."""
    figure = new_figure(size[0] / DPI, size[1] / DPI)
    figure.set_dpi(DPI)
    figure.set_layout_engine("none")
    canvas: Any = FigureCanvasAgg(figure)
    ax: Any = figure.add_axes((0.0, 0.0, 1.0, 0.96), projection="3d")
    scene = _Drawing(ax, seen)
    ax.view_init(*VIEWS[camera])
    title = figure.suptitle("", fontsize=10)
    halfway = 0.5 * (seen.time[1:] + seen.time[:-1])
    for k, time in zip(np.searchsorted(halfway, times), times, strict=True):
        scene.show(int(k))
        title.set_text(f"{name}   t = {time:.2f} s")
        with np.errstate(all="ignore"):  # matplotlib projects what it leaves unset of faces with fewer corners
            canvas.draw()
        yield Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")


class _Drawing:
    """The artists of a stage, moved from frame to frame."""

    def __init__(self, ax: Any, seen: Stage) -> None:
        self.seen, self.top, self.slack = seen, seen.usual_tension(), seen.slack()
        self.shades = colours(len(seen.bodies))
        low, high = seen.bounds()
        margin = 0.05 * seen.breadth() + 0.5 * max((max(body.size, default=0.0) for body in seen.bodies), default=0.0)
        ax.set_xlim(low[0] - margin, high[0] + margin)
        ax.set_ylim(low[1] - margin, high[1] + margin)
        ax.set_zlim(low[2] - margin, high[2] + margin)
        ax.set_box_aspect(high - low + 2 * margin, zoom=0.85)
        ax.locator_params(nbins=4)
        ax.tick_params(labelsize=7)
        ax.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
        for i, shade in enumerate(self.shades):
            ax.plot(*seen.position[:, i].T, color=shade, linewidth=0.8, alpha=0.7)
        for i in range(len(seen.robots)):
            ax.plot(*seen.robot[:, i].T, color="#808080", linewidth=0.6, linestyle=(0, (4, 2)))
        self.robots = ax.plot([], [], [], "D", color=STEEL, markersize=4)[0]
        self.beams = [ax.plot([], [], [], color=STEEL, linewidth=1.6)[0] for _ in beams(seen, 0)]
        self.bodies = ax.add_collection3d(
            Poly3DCollection([np.eye(3)], facecolor="white", edgecolor="#333333", linewidth=0.6, alpha=0.6)
        )
        points = [(i, shade) for i, shade in enumerate(self.shades) if seen.bodies[i].kind == "point"]
        self.points = {i: ax.plot([], [], [], "o", color=shade, markersize=6)[0] for i, shade in points}
        self.wires = [ax.plot([], [], [], color=shade)[0] for shade in colours(len(seen.wires))]

    def show(self, k: int) -> None:
        """Move everything to frame k."""
        seen = self.seen
        self.robots.set_data_3d(*seen.robot[k].T)
        for beam, artist in zip(beams(seen, k), self.beams, strict=True):
            artist.set_data_3d(*beam.T)
        solid = [i for i, body in enumerate(seen.bodies) if body.kind != "point"]
        shown = [faces(seen.bodies[i], seen.position[k, i], seen.quaternion[k, i]) for i in solid]
        self.bodies.set_verts([face for body in shown for face in body])
        self.bodies.set_facecolor([self.shades[i] for i, body in zip(solid, shown, strict=True) for _ in body])
        for i, artist in self.points.items():
            artist.set_data_3d(*seen.position[k, i : i + 1].T)
        for i, (wire, artist) in enumerate(zip(seen.wires, self.wires, strict=True)):
            slack = self.slack[k, i]
            artist.set_data_3d(*seen.path[k, wire.first : wire.first + wire.points].T)
            artist.set_linestyle((0, (2, 2)) if slack else "-")
            artist.set_linewidth(0.8 if slack else 1.2 + 1.6 * min(1.0, seen.tension[k, i] / self.top))
            artist.set_visible(wire.there(float(seen.time[k])))
