"""One self-contained 3-D page of one or more results: opens by double click, needs no network.

The page holds a JSON head, the numbers (see ``packing``), and the bundle of the viewer and three.js that the build of
towsim made in ``page/`` (``hatch_build.py``); numbers and bundle are gzipped. Results are laid over each other, or
stand side by side under one camera and one clock.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from towsim.errors import UsageError
from towsim.pictures.curves import curves
from towsim.pictures.happenings import happenings
from towsim.pictures.packing import Pack
from towsim.pictures.stage import Stage, frames, model_word, stage
from towsim.results import Result
from towsim.results.files import write_whole
from towsim.results.result import options_of
from towsim.scene import Scene
from towsim.scene.expand import expand, vertical
from towsim.scene.wires import Length
from towsim.suggest import unknown

Array = NDArray[np.float64]

PARTS = files("towsim.pictures") / "page"
"""What pages are made of."""

FINEST = 100.0
"""Frames per second of simulated time, unless a run is so long that there would be more than ``MOST_FRAMES``."""

MOST_FRAMES = 3000

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
"""Quaternion of what never turns, such as a point mass: it is not kept."""

DIGITS = 2e-4
"""Numbers of curves are kept to half of this, relative to each one: its four digits."""

SMALL = 1e-8
"""Share of what a variable usually is below which its numbers are kept as coarsely as there."""

SMALLEST_GAP = 1e-6
"""Gaps below this [m] are kept as coarsely as there."""


LAYOUTS = ("over", "side")
"""Several results laid over each other, or side by side; the page can change it."""


def page(*results: Result, names: Sequence[str] = (), fps: float | None = None, layout: str = "over") -> str:
    """The page as HTML text.

    Parameters
    ----------
    results : what is seen
    names : what each of these is called (default: its scene's name, and of runs of one scene what tells them apart)
    fps : frames kept per second of simulated time, 100 by default, less for runs of more than 30 s; between two of
        them tensions keep their largest value and gaps their smallest, so that a jerk is seen
    layout : of several results, ``over`` each other or ``side`` by side, to begin with

    Raises
    ------
    ResultError : a result holds neither bodies' positions nor cables, or no scene, or no rows
    UsageError : no result; other names than results; another layout; towsim was installed where the bundle could not be
        built
    """
    if not results:
        raise UsageError("a page needs at least one result")
    if names and (len(names) != len(results) or len(set(names)) < len(names)):
        raise UsageError(f"each of the {len(results)} results needs a name of its own, got {list(names)}")
    if layout not in LAYOUTS:
        raise UsageError(unknown("layout", layout, LAYOUTS))
    bundle = _bundle()
    pack = Pack()
    titles = names or _titles(results)
    runs = [
        _run(result, title, f"{k}.", pack, fps) for k, (result, title) in enumerate(zip(results, titles, strict=True))
    ]
    name = " and ".join(dict.fromkeys(str(one.attributes.get("name", "towsim")) for one in results))
    head = {"title": name, "layout": layout, "runs": runs, "arrays": pack.heads}
    fill = {
        "title": html.escape(name),
        "style": _asset("style.css"),
        "bundle": _packed(bundle),
        "boot": _asset("boot.js"),
        "head": json.dumps(head, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
        "numbers": _packed(pack.whole()),
    }
    text = _asset("page.html")
    for key, value in fill.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def write_page(
    results: Result | Sequence[Result],
    path: str | Path,
    *,
    names: Sequence[str] = (),
    fps: float | None = None,
    layout: str = "over",
) -> Path:
    """Write the page (see :func:`page`) of one or more results to ``path``, whole or not at all."""
    path = Path(path)
    data = page(*([results] if isinstance(results, Result) else results), names=names, fps=fps, layout=layout).encode()
    write_whole(path, lambda file: file.write(data))
    return path


def _asset(name: str) -> str:
    return PARTS.joinpath(name).read_text("utf-8")


def _bundle() -> bytes:
    try:
        return PARTS.joinpath("bundle.js").read_bytes()
    except FileNotFoundError:
        raise UsageError(
            "this towsim was installed without the viewer of its 3-D page: npm or its registry could not be had then; "
            "run pip install . again, in towsim's source folder and with a network (-v shows what npm says); "
            "towsim animate needs no viewer"
        ) from None


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 7, mtime=0)).decode()


def _titles(results: Sequence[Result]) -> list[str]:
    """A name for each run: its scene's, and of runs of one scene what else tells them apart."""
    names = [str(result.attributes.get("name", "towsim")) for result in results]
    if len(set(names)) == len(names):
        return names
    ways = [_models(result) for result in results], [_note(result) for result in results]
    return [
        name
        if names.count(name) == 1
        else next((f"{name} ({way[k]})" for way in ways if way.count(way[k]) == 1), f"{name} [{k + 1}]")
        for k, name in enumerate(names)
    ]


def _models(result: Result) -> str:
    """What its wires are."""
    return ", ".join(dict.fromkeys(model_word(wire.model) for wire in result.scene.wires.values()))


def _note(result: Result) -> str:
    options = options_of(result.attributes)
    words = [f"{options[key]}" for key in ("method", "solver") if key in options]
    words += [f"h = {options['step']:g} s"] if "step" in options else []
    outcome = result.attributes.get("outcome", "complete")
    if outcome != "complete":
        end = f" at t = {result.time[-1]:.6g} s" if len(result.time) else ""
        words.append((outcome if outcome in ("interrupted", "unfinished") else "failed") + end)
    return ", ".join(words)


def _run(result: Result, title: str, prefix: str, pack: Pack, fps: float | None) -> dict[str, Any]:
    """What the page tells of a run; its numbers go into ``pack``, under names that begin with ``prefix``."""
    if fps is None:
        span = float(result.time[-1] - result.time[0]) if len(result.time) else 0.0
        fps = min(FINEST, MOST_FRAMES / max(span, 1e-9))
    seen = stage(result, fps)
    declared = result.scene
    fine = seen.breadth() / 2**15
    top = seen.usual_tension()
    own = [wire for wire in seen.wires if not wire.places]
    nodes = [seen.path[:, wire.first : wire.first + wire.points] for wire in own]
    pack.add(prefix + "time", seen.time, max(1e-9, float(seen.time[-1] - seen.time[0]) / 2**26))
    pack.add(prefix + "position", seen.position, fine)
    turning = np.flatnonzero((seen.quaternion != UPRIGHT).any(axis=(0, 2)))
    pack.add(prefix + "quaternion", seen.quaternion[:, turning], 1e-4)
    pack.add(prefix + "robot", seen.robot, fine)
    for wire, line in zip(own, nodes, strict=True):
        pack.add(f"{prefix}node.{wire.name}", line, fine)
    pack.add(prefix + "tension", seen.tension, DIGITS, SMALL * top)
    pack.add(prefix + "gap", seen.gap, DIGITS, SMALLEST_GAP)
    pack.add(prefix + "slack", seen.slack().astype(float), 1.0)
    shown = []
    for one in curves(result, frames(result.time, fps)):
        scale = float(np.nanquantile(np.abs(one.values), 0.995)) or float(np.nanmax(np.abs(one.values)))
        pack.add(f"{prefix}curve.{one.name}", one.values, DIGITS, SMALL * scale or 1.0)
        shown.append(
            {"name": one.name, "unit": one.unit, "text": one.description, "names": one.names, "size": one.size}
        )
    first, last = float(seen.time[0]), float(seen.time[-1])
    return {
        "title": title,
        "note": _note(result),
        "prefix": prefix,
        "frames": len(seen.time),
        "bodies": [asdict(body) for body in seen.bodies],
        "turning": turning.tolist(),
        "robots": list(_robots(seen, declared)),
        "spars": seen.spars,
        "wires": [
            asdict(wire) | {"gone": [[max(a, first - 1.0), min(b, last + 1.0)] for a, b in wire.gone]}
            for wire in seen.wires
        ],
        "ground": [{"normal": normal, "height": height} for normal, height in seen.ground],
        "wet": _wet(seen),
        "up": vertical(declared),
        "curves": shown,
        "events": [asdict(one) for one in happenings(result, declared)],
        "breadth": seen.breadth(),
        "tension_scale": top,
    }


def _wet(seen: Stage) -> bool:
    """Whether lines hang below the ground, which is water then."""
    points = seen.path.reshape(-1, 3)
    deep = 0.02 * seen.breadth()
    return any(float(np.nanmin(points @ normal - height, initial=0.0)) < -deep for normal, height in seen.ground)


def _robots(seen: Stage, declared: Scene) -> Iterator[dict[str, str | float]]:
    """Names of robots, what stands for each, and how high it is over the ground at its lowest [m].

    A pulley where a wire passes, a drum where a winch hauls; near the ground, or where nothing has weight, a vessel (on
    water, where something hangs below it, or in a current) or a rover; else a lug at a frame and what it carries, a
    post where nothing moves, or a marker: the scene does not say what holds there (quadcopters are bodies).
    """
    near = max(0.6, 0.02 * seen.breadth())
    scene = expand(declared)
    passed = {end for wire in scene.wires.values() for end in wire.via} | {one.at for one in scene.pulleys.values()}
    hauling = {
        end
        for wire in scene.wires.values()
        if wire.winch is not None or isinstance(wire.length, Length)
        for end in (wire.from_, wire.to)
    }
    framed = {one for spar in seen.spars for one in spar}
    afloat = not any(scene.gravity)
    wet = _wet(seen) or (afloat and scene.wind != (0.0, 0.0, 0.0))
    for k, name in enumerate(seen.robots):
        path = seen.robot[:, k]
        moves = bool(np.ptp(path, axis=0).max() > 1e-9)
        kind = "marker" if moves else "post"
        if name in passed:
            kind = "pulley"
        elif name in hauling:
            kind = "drum"
        elif moves and (afloat or any(np.abs(path @ up - height).max() < near for up, height in seen.ground)):
            kind = "vessel" if wet else "rover"
        elif k in framed:
            kind = "lug"
        heights = [float((path @ normal - height).min()) for normal, height in seen.ground]
        yield {"name": name, "kind": kind, "above": max(0.0, min(heights, default=0.0))}
