"""What a result may hold: one table of names, dimensions, units and meanings.

Vectors are in world axes. Row 0 of a run is its initial state; row k is the end of step k, and what belongs to a
step (tension, residual, step_size ...) stands in the row at its end. Row 0 has of these what the first step begins
with: its forces, accelerations and rank, and no impulse. What a wire or contact passes on in a step is force ×
duration + impulse: impacts (jerks, landings) are no part of forces. Accelerations are what velocities do in the step,
impacts included; only BDF takes these apart. Where a variable does not apply (a node that a
shorter cable does not have, a run without any step) there is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

AXES: Mapping[str, tuple[str, ...]] = {"xyz": ("x", "y", "z"), "quat": ("w", "x", "y", "z")}
"""Dimensions whose coordinates never change."""

STATUS_FLAGS: Mapping[str, int] = {
    "solved": 0,
    "infeasible": 1,
    "no_conclusion": 2,
    "iteration_limit": 3,
    "unsupported": 4,
    "invalid": 5,
    "closest": 6,
    "no_solution": 7,
}
"""The solvers' statuses as the integers that are recorded, and ``closest``: solved in the sense of least squares."""

TAKEN = STATUS_FLAGS["solved"], STATUS_FLAGS["closest"]
"""Of steps that were taken with an answer to their problem."""

UNIQUE_FLAGS = {"not_unique": 0, "unique": 1, "not_examined": -1}


@dataclass(frozen=True, slots=True)
class Variable:
    """One named quantity of a result.

    Attributes
    ----------
    name : its name in results and files
    dims : names of its dimensions, time first
    unit : SI unit; "1" for a pure number
    description : what it is, in one line
    dtype : how it is stored
    flags : meanings of an integer variable's values
    """

    name: str
    dims: tuple[str, ...]
    unit: str
    description: str
    dtype: str = "float64"
    flags: Mapping[str, int] = field(default_factory=dict)


_BODY = ("time", "body", "xyz")
_WIRE = ("time", "wire")
_STEP = ("time",)
_JOINT = ("time", "joint")
_CABLE = ("time", "cable", "xyz")

_TABLE = (
    Variable("time", _STEP, "s", "time at the end of the step"),
    Variable("position", _BODY, "m", "centre of mass"),
    Variable("velocity", _BODY, "m/s", "velocity of the centre of mass"),
    Variable(
        "acceleration",
        _BODY,
        "m/s^2",
        "acceleration of the centre of mass; in a step with an impact Δv/h, except by BDF",
    ),
    Variable("quaternion", ("time", "body", "quat"), "1", "rotation from body axes to world axes"),
    Variable("angular_velocity", _BODY, "rad/s", "angular velocity"),
    Variable(
        "angular_acceleration", _BODY, "rad/s^2", "angular acceleration; in a step with an impact Δω/h, except by BDF"
    ),
    Variable(
        "tension",
        _WIRE,
        "N",
        "force of the wire, without impacts; of an mrfe cable the size of that on its load, also where it pushes; "
        "with friction or wheels at the end from",
    ),
    Variable("impulse", _WIRE, "N s", "impact of the step, of jerks; tension times duration of the kick is the rest"),
    Variable(
        "part_tension",
        ("time", "part"),
        "N",
        "tension of a wire between the points on which it rubs, or between the wheels that it turns",
    ),
    Variable("part_impulse", ("time", "part"), "N s", "impact of the step on such a part"),
    Variable(
        "pulley_speed",
        ("time", "pulley"),
        "rad/s",
        "angular speed of a pulley's wheel that a massless wire turns, positive as this runs from its end from to to",
    ),
    Variable("gap", _WIRE, "m", "length minus distance of the ends: slack when > 0, stretch when < 0"),
    Variable("length", _WIRE, "m", "length of the wire"),
    Variable("part_gap", ("time", "part"), "m", "slack (> 0) or stretch (< 0) of a part between wheels that it turns"),
    Variable("part_length", ("time", "part"), "m", "unstrained length of such a part"),
    Variable("robot_position", ("time", "robot", "xyz"), "m", "position of the robot"),
    Variable("joint_reaction", (*_JOINT, "xyz"), "N", "force of the joint on its second body"),
    Variable("joint_impulse", (*_JOINT, "xyz"), "N s", "impact of the joint on its second body in the step"),
    Variable("joint_torque", (*_JOINT, "xyz"), "N m", "torque of the joint on its second body, about its point there"),
    Variable("joint_position", _JOINT, "m or rad", "coordinate along or about the joint's axis"),
    Variable("joint_velocity", _JOINT, "m/s or rad/s", "rate of the coordinate"),
    Variable("joint_gap", _JOINT, "m", "how far the joint's two places are apart (drift)"),
    Variable("joint_tilt", _JOINT, "rad", "how far the orientations it ties are off (drift)"),
    Variable("contact_force", ("time", "contact", "xyz"), "N", "force of the ground on the body at the contact"),
    Variable("contact_impulse", ("time", "contact", "xyz"), "N s", "impact of the ground on the body in the step"),
    Variable("contact_gap", ("time", "contact"), "m", "height of the contact above its plane"),
    Variable("command", ("time", "actuator"), "N, N m or m/s", "what controllers ask of an actuator"),
    Variable("actuation", ("time", "actuator"), "N, N m or m/s", "what the actuator gives: limited, late, or failed"),
    Variable("reading", ("time", "channel"), "SI", "what a sensor reads; NaN for a load cell until its first force"),
    Variable("rank", _STEP, "1", "rank of the taut wires' rows", "int32"),
    Variable(
        "tension_unique",
        _STEP,
        "1",
        "whether the forces of wires, contacts and joints are unique",
        "int8",
        UNIQUE_FLAGS,
    ),
    Variable("residual", _STEP, "1", "scaled complementarity residual of the step's problem"),
    Variable("iterations", _STEP, "1", "iterations of the step's solver", "int32"),
    Variable("status", _STEP, "1", "status of the step's problem", "int8", STATUS_FLAGS),
    Variable("step_size", _STEP, "s", "duration of the step"),
    Variable("tip_force", _CABLE, "N", "force of the cable on the load"),
    Variable("exit_force", _CABLE, "N", "force of the carrier on the cable"),
    Variable(
        "exit_position",
        _CABLE,
        "m",
        "exit point of the cable: its end on a robot or at a pulley there, or else its end from",
    ),
    Variable("extension", ("time", "cable"), "m", "length of the cable minus its natural length"),
    Variable("cable_energy", ("time", "cable"), "J", "all energy of the cable, and of wheels that it turns"),
    Variable("node_position", ("time", "cable", "node", "xyz"), "m", "nodes of the cable, exit first"),
    Variable("e1", ("time", "cable"), "m", "opening of the cable's end at the load"),
    Variable("e2", ("time", "cable"), "m/s", "rate of the opening of the cable's end at the load"),
    Variable("exit_e1", ("time", "cable"), "m", "opening of the cable's exit end at the carrier"),
    Variable("exit_e2", ("time", "cable"), "m/s", "rate of the opening of the cable's exit end at the carrier"),
)

VARIABLES: Mapping[str, Variable] = {variable.name: variable for variable in _TABLE}
"""Every variable by name, in the order in which they are shown and stored."""
