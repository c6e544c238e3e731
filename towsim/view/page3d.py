"""One self-contained 3-D page of a result: opens by double click, needs no network.

The page holds a JSON head, the numbers as float32, and the bundle of the viewer and three.js that the build of towsim
made in ``page/`` (``hatch_build.py``); numbers and bundle are gzipped.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from towsim.errors import UsageError
from towsim.results import Result
from towsim.results.files import write_whole
from towsim.view.stage import Stage, stage

Array = NDArray[np.float64]

PARTS = files("towsim.view") / "page"
"""What pages are made of."""

MARKED = ("jerk", "break", "contact", "stick", "slip", "infeasible", "user")
"""Events that are marks on the timeline."""

MOST_MARKS = 400


def page(result: Result, *, fps: float = 100.0) -> str:
    """The page as HTML text.

    Parameters
    ----------
    fps : frames kept per second of simulated time; between two of them tensions keep their largest value and gaps
        their smallest, so that a jerk is seen

    Raises
    ------
    ResultError : the result holds no bodies' positions or no scene, or no rows
    UsageError : towsim was installed where the bundle could not be built
    """
    bundle = _bundle()
    head, numbers = _content(result, stage(result, fps))
    fill = {
        "title": html.escape(head["title"]),
        "style": _asset("style.css"),
        "bundle": _packed(bundle),
        "boot": _asset("boot.js"),
        "head": json.dumps(head, allow_nan=False).replace("<", "\\u003c"),
        "numbers": _packed(numbers),
    }
    text = _asset("page.html")
    for key, value in fill.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def write_page(result: Result, path: str | Path, *, fps: float = 100.0) -> Path:
    """Write the page (see :func:`page`) to ``path``, whole or not at all."""
    path = Path(path)
    data = page(result, fps=fps).encode()
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
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _content(result: Result, seen: Stage) -> tuple[dict[str, Any], bytes]:
    """The page's head, and its numbers as float32."""
    low, high = seen.bounds()
    top = seen.usual_tension()
    scale, unit = _unit(seen.gap)
    arrays, start, chunks = {}, 0, []
    for name in ("time", "position", "quaternion", "robot", "path", "tension", "gap"):
        values = getattr(seen, name) * (scale if name == "gap" else 1.0)
        arrays[name] = {"start": start, "shape": values.shape}
        start += values.size
        chunks.append(np.ascontiguousarray(values, np.float32).tobytes())
    options = result.provenance.get("options", {})
    words = [f"{options[key]}" for key in ("method", "solver") if key in options]
    words += [f"h = {options['step']:g} s"] if "step" in options else []
    head = {
        "title": str(result.attributes.get("name", "towsim")),
        "note": ", ".join(words),
        "frames": len(seen.time),
        "arrays": arrays,
        "bodies": [asdict(body) for body in seen.bodies],
        "robots": seen.robots,
        "wires": [asdict(wire) for wire in seen.wires],
        "ground": [{"normal": normal, "height": height} for normal, height in seen.ground],
        "events": _marks(result),
        "centre": (0.5 * (low + high)).tolist(),
        "size": max(0.1, 0.5 * float(np.linalg.norm(high - low))),
        "tension_scale": top,
        "slack_below": 1e-6 * top,
        "gap_range": _range(seen.gap * scale),
        "gap_unit": unit,
    }
    return head, b"".join(chunks)


def _marks(result: Result) -> list[dict[str, Any]]:
    """The events of the timeline; of too many, those with the largest impulses."""
    chosen = [event for event in result.events if event.kind in MARKED]
    chosen = sorted(chosen, key=lambda event: -event.impulse)[:MOST_MARKS]
    marks = []
    for event in sorted(chosen, key=lambda event: event.time):
        more = f", {event.impulse:.3g} N s" if event.impulse else ""
        text = f"{event.kind} {event.subject} at {event.time:.4g} s{more}"
        marks.append({"time": event.time, "kind": event.kind, "text": text})
    return marks


def _unit(gap: Array) -> tuple[float, str]:
    largest = float(np.nanmax(np.abs(gap), initial=0.0))
    return next(((k, name) for k, name in ((1.0, "m"), (1e3, "mm")) if largest * k >= 1.0), (1e6, "µm"))


def _range(gap: Array) -> list[float]:
    known = gap[np.isfinite(gap)]
    if not len(known):
        return [-1.0, 1.0]
    low, high = float(known.min()), float(known.max())
    margin = 0.05 * (high - low) or 1.0
    return [low - margin, high + margin]
