"""A scene as a few small tables, for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from towsim.scene.scene import Scene


def scene_html(scene: Scene) -> str:
    """Bodies, robots, wires, joints and ground with their main numbers, as HTML."""
    parts = [f"<b>{html.escape(scene.name)}</b> {html.escape(scene.description)}"]
    bodies = [
        (name, f"{body.mass:g} kg", "point mass" if body.point else "rigid body", _vector(body.position, "m"))
        for name, body in scene.bodies.items()
    ]
    robots = [(name, "moves" if robot.motion else _vector(robot.position, "m")) for name, robot in scene.robots.items()]
    wires = [
        (name, wire.from_, wire.to, f"{_model(wire.model)}", f"{wire.length_at_start():g} m")
        for name, wire in scene.wires.items()
    ]
    joints = [(name, joint.kind, joint.from_, joint.to) for name, joint in scene.joints.items()]
    ground = [(f"{plane.height:g} m", f"{plane.friction:g}", ", ".join(plane.contacts)) for plane in scene.planes]
    parts += [
        _table(("body", "mass", "kind", "centre at t = 0"), bodies),
        _table(("robot", "place"), robots),
        _table(("wire", "from", "to", "model", "length at t = 0"), wires),
        _table(("joint", "kind", "from", "to"), joints),
        _table(("ground at", "friction", "touched by"), ground),
    ]
    return "".join(parts)


def _model(model: object) -> str:
    return model if isinstance(model, str) else type(model).__name__.lower()


def _vector(values: Sequence[float] | None, unit: str) -> str:
    return "" if values is None else f"({', '.join(f'{value:g}' for value in values)}) {unit}"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = "".join(f"<tr>{''.join(f'<td>{html.escape(str(cell))}' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{word}' for word in head)}</tr>{lines}</table>" if lines else ""
