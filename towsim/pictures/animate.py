"""An animation of a result for papers and slides: .mp4 or .gif through matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.animation import AbstractMovieWriter, FFMpegWriter, PillowWriter
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from towsim.errors import UsageError
from towsim.pictures.figures import colours, new_figure
from towsim.pictures.solids import CORNERS, faces
from towsim.pictures.stage import Stage, stage
from towsim.results import Result
from towsim.results.files import into_place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SUFFIXES = (".mp4", ".gif")


def animate(
    result: Result,
    path: str | Path,
    *,
    fps: int = 25,
    speed: float = 1.0,
    view: tuple[float, float] = (18.0, -60.0),
    dpi: int = 100,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write an animation of a result: bodies, wires and paths in the colours of ``plot`` and of the 3-D page.

    Wires are thicker the more they pull, and thin and dashed where they are slack.

    Parameters
    ----------
    path : a .mp4 (needs ffmpeg: the program, or ``pip install imageio-ffmpeg``) or .gif file
    fps : pictures per second of the film;  speed : simulated seconds per second of the film
    view : elevation and azimuth of the camera [deg];  dpi : dots per inch of 8 × 6 inches
    progress : called with (pictures done, pictures in all)

    Raises
    ------
    UsageError : another suffix, or ffmpeg is not there
    ResultError : nothing to draw
    """
    path = Path(path)
    writer = _writer(path, fps)
    seen = stage(result, fps / speed)
    figure = new_figure(8.0, 6.0)
    figure.set_layout_engine("none")
    ax: Any = figure.add_axes((0.0, 0.0, 1.0, 0.96), projection="3d")
    scene = _Drawing(ax, seen)
    ax.view_init(*view)
    title = figure.suptitle("", fontsize=10)
    name = str(result.attributes.get("name", ""))
    temporary = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        with writer.saving(figure, str(temporary), dpi=dpi):
            for k, time in enumerate(seen.time):
                scene.show(k)
                title.set_text(f"{name}   t = {time:.2f} s")
                writer.grab_frame()
                if progress is not None:
                    progress(k + 1, len(seen.time))
        into_place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _writer(path: Path, fps: int) -> AbstractMovieWriter:
    if path.suffix == ".gif":
        return PillowWriter(fps=fps)
    if path.suffix != ".mp4":
        raise UsageError(f"{path}: an animation is {' or '.join(SUFFIXES)}")
    if not FFMpegWriter.isAvailable():
        try:
            import imageio_ffmpeg
        except ImportError:
            raise UsageError(
                "a .mp4 needs ffmpeg: install the program, or pip install imageio-ffmpeg; a .gif needs nothing more"
            ) from None
        matplotlib.rcParams["animation.ffmpeg_path"] = imageio_ffmpeg.get_ffmpeg_exe()
    return FFMpegWriter(fps=fps, codec="libx264", extra_args=["-pix_fmt", "yuv420p"])


class _Drawing:
    """The artists of a stage, moved from frame to frame."""

    def __init__(self, ax: Any, seen: Stage) -> None:
        self.seen, self.top = seen, seen.usual_tension()
        self.shades = colours(len(seen.bodies))
        low, high = seen.bounds()
        margin = 0.05 * float((high - low).max()) + 0.05
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
        self.robots = ax.plot([], [], [], "D", color="#30475e", markersize=4)[0]
        self.bodies = ax.add_collection3d(
            Poly3DCollection([CORNERS[:3]], facecolor="white", edgecolor="#333333", linewidth=0.6, alpha=0.6)
        )
        points = [(i, shade) for i, shade in enumerate(self.shades) if seen.bodies[i].kind == "point"]
        self.points = {i: ax.plot([], [], [], "o", color=shade, markersize=6)[0] for i, shade in points}
        self.wires = [ax.plot([], [], [], color=shade)[0] for shade in colours(len(seen.wires))]

    def show(self, k: int) -> None:
        """Move everything to frame k."""
        seen = self.seen
        self.robots.set_data_3d(*seen.robot[k].T)
        solid = [i for i, body in enumerate(seen.bodies) if body.kind != "point"]
        shown = [faces(seen.bodies[i], seen.position[k, i], seen.quaternion[k, i]) for i in solid]
        self.bodies.set_verts([face for body in shown for face in body])
        self.bodies.set_facecolor([self.shades[i] for i, body in zip(solid, shown, strict=True) for _ in body])
        for i, artist in self.points.items():
            artist.set_data_3d(*seen.position[k, i : i + 1].T)
        for i, (wire, artist) in enumerate(zip(seen.wires, self.wires, strict=True)):
            tension = seen.tension[k, i]
            slack = not tension > 1e-6 * self.top
            artist.set_data_3d(*seen.path[k, wire.first : wire.first + wire.points].T)
            artist.set_linestyle((0, (2, 2)) if slack else "-")
            artist.set_linewidth(0.8 if slack else 1.2 + 1.6 * min(1.0, tension / self.top))
            artist.set_visible(wire.there(float(seen.time[k])))
