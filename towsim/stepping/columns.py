"""From a block's record to the variables and events of a result."""

from __future__ import annotations

import numpy as np

from towsim.model.compile import Compiled
from towsim.results import Event
from towsim.stepping.stepper import Block
from towsim.stepping.watch import JERK, SLACK

KINDS = {SLACK: "slack", JERK: "jerk"}


def coordinates(compiled: Compiled) -> dict[str, tuple[str, ...]]:
    """Names along the dimensions of a scene's result."""
    scene = compiled.scene
    return {
        "body": tuple(scene.bodies),
        "wire": tuple(scene.wires),
        "robot": tuple(scene.robots),
        "joint": tuple(scene.joints),
        "cable": compiled.cable_names,
    }


def variables(compiled: Compiled, block: Block, step: float) -> dict[str, np.ndarray]:
    """The block's rows as result variables, time first."""
    rows = slice(block.first, block.stop)
    record, drive, model = block.record, block.drive, compiled.model
    n = block.stop - block.first
    nj = len(compiled.scene.joints)
    wire = model.wires.row
    tension, gap, length = record.force[rows][:, wire], record.gap[rows][:, wire], drive.length[rows]
    out = {
        "time": block.time[rows],
        "position": record.position[rows],
        "velocity": record.velocity[rows],
        "acceleration": record.acceleration[rows],
        "quaternion": record.quaternion[rows],
        "angular_velocity": record.angular_velocity[rows],
        "angular_acceleration": record.angular_acceleration[rows],
        "robot_position": drive.robot[rows],
        "joint_reaction": -record.force[rows][:, model.balls.row[:nj]],
        "rank": record.rank[rows].astype(np.int32),
        "tension_unique": (record.rank[rows] == record.taut[rows]).astype(np.int8),
        "residual": record.residual[rows],
        "iterations": record.iterations[rows].astype(np.int32),
        "status": record.status[rows].astype(np.int8),
        "step_size": np.full(n, step),
    }
    if compiled.cable_names:
        tip = record.force[rows][:, model.balls.row[nj:]]  # cable on load
        out["tip_force"] = tip
        natural, distance = _cable_lengths(compiled, block, rows)
        names = compiled.massless + compiled.cable_names
        order = [names.index(name) for name in compiled.scene.wires]
        tension = np.concatenate([tension, np.linalg.norm(tip, axis=2)], axis=1)[:, order]
        gap = np.concatenate([gap, natural - distance], axis=1)[:, order]
        length = np.concatenate([length, np.broadcast_to(natural, distance.shape)], axis=1)[:, order]
        out["extension"] = _extension(compiled, block, rows)
    out["tension"], out["gap"], out["length"] = tension, gap, length
    return out


def _cable_lengths(compiled: Compiled, block: Block, rows: slice) -> tuple[np.ndarray, np.ndarray]:
    """Natural lengths (nk,) of the cables and distances (n, nk) of their ends [m]."""
    scene = compiled.scene
    bodies, robots = list(scene.bodies), list(scene.robots)
    natural = np.array([float(scene.wires[name].length) for name in compiled.cable_names])  # type: ignore[arg-type]
    columns = []
    for name in compiled.cable_names:
        wire = scene.wires[name]
        load, carrier = (wire.from_, wire.to) if wire.to in scene.robots else (wire.to, wire.from_)
        end = scene.attachment(load)
        i = bodies.index(end.owner)
        place = block.record.position[rows, i] + _turned(block.record.quaternion[rows, i], np.array(end.offset))
        columns.append(np.linalg.norm(place - block.drive.robot[rows, robots.index(carrier)], axis=1))
    return natural, np.stack(columns, axis=1)


def _extension(compiled: Compiled, block: Block, rows: slice) -> np.ndarray:
    """Sum (n, nk) of each cable's prismatic coordinates [m]."""
    cables = compiled.cables
    assert cables is not None
    theta = block.record.coordinates[rows] * cables.slides
    return np.stack(
        [theta[:, a:b].sum(axis=1) for a, b in zip(cables.first[:-1], cables.first[1:], strict=True)], axis=1
    )


def _turned(q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Vector u (3,) turned by the quaternions q (n, 4)."""
    e = q[:, 1:]
    c = np.cross(e, u)
    return np.asarray(u + 2.0 * (q[:, :1] * c + np.cross(e, c)))


def events(compiled: Compiled, block: Block) -> list[Event]:
    """What the watch over the wires reported during the block."""
    out = []
    for since, kind, wire, impulse, energy, until in block.events:
        name = KINDS.get(int(kind), "taut")
        out.append(Event(since, name, compiled.massless[int(wire)], impulse, energy, until - since))  # type: ignore[arg-type]
    return out
