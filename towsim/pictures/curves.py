"""What the 3-D page can draw over time: variables of the result, a frame's largest where they are sizes of vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from towsim.pictures.stage import Array, Rows, since
from towsim.results import Result

FIRST = (
    "velocity",
    "energy",
    "kinetic_energy",
    "length",
    "thrust",
    "reading",
    "joint_position",
    "contact_force",
    "actuation",
    "command",
    "tracking_error",
    "acceleration",
    "angular_velocity",
)
"""Variables that are offered before all others, as far as there is room; speeds first."""

LEFT_OUT = {
    "time",
    "tension",
    "gap",
    "position",
    "robot_position",
    "quaternion",
    "node_position",
    "exit_position",
    "angular_velocity_body",
}
"""What the page holds anyhow (sizes are those of any axes), or what is no curve."""

ROOM = 250_000
"""Numbers of all curves together: of more, those that come last are left out."""

LONGEST_READ = 4_000_000
"""Numbers of a variable that is read for its curve."""


@dataclass(frozen=True, slots=True)
class Curves:
    """A variable over the frames.

    Attributes
    ----------
    names : what each curve belongs to; one empty name if it is of the whole scene
    values : (n, names)
    size : whether it is the length of a vector
    """

    name: str
    unit: str
    description: str
    names: tuple[str, ...]
    values: Array
    size: bool


def curves(result: Result, rows: Rows) -> list[Curves]:
    """The curves of a result at the rows of its frames, as many as there is room for."""
    rest = [name for name in result.variables if name not in FIRST]
    room, found = ROOM, []
    for name in (*FIRST, *rest):
        if name in LEFT_OUT or name not in result.variables:
            continue
        variable = result.variables[name]
        counts = [len(result.coords[dim]) for dim in variable.dims[1:]]
        kind = variable.dims[1:]
        if len(kind) > 2 or (len(kind) == 2 and kind[1] != "xyz") or kind == ("xyz",) or variable.flags:
            continue
        owners = counts[0] if counts else 1
        if not owners or len(rows) * owners > room or len(result.time) * owners * len(kind or (1,)) > LONGEST_READ:
            continue
        values = np.asarray(result[name].values, np.float64).reshape(len(result.time), owners, -1)
        size = values.shape[2] > 1
        values = since(np.linalg.norm(values, axis=2), rows, np.fmax) if size else values[rows, :, 0]
        if not np.isfinite(values).any():
            continue
        room -= values.size
        names = tuple(map(str, result.coords[kind[0]])) if kind else ("",)
        found.append(Curves(name, variable.unit, variable.description, names, values, size))
    return found
