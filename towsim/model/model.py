"""The whole of a compiled scene, as kernels read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from towsim.model.arms import Arms
from towsim.model.arrays import (
    Balls,
    Bodies,
    Contacts,
    Drags,
    Floats,
    Loads,
    Points,
    Routes,
    Rows,
    Sheaves,
    Springs,
    Switches,
    Wheels,
    Wires,
)
from towsim.model.joints import Joints


class Model(NamedTuple):
    """All of a scene that does not change with time or state.

    Laws that many scenes do without (routes, switches, joints beyond balls, springs, restitution, drags of their own)
    are either all there, some of them empty, or all None: then kernels are compiled without them. So there are two
    kinds of kernels, not 64.
    """

    bodies: Bodies
    loads: Loads
    points: Points
    wires: Wires
    routes: Routes | None
    switches: Switches | None
    balls: Balls
    joints: Joints | None
    contacts: Contacts
    springs: Springs | None
    restitution: Floats | None  # (nc,) Newton's coefficients
    drags: Drags | None
    arms: Arms | None  # of reduced joints; None without
    wheels: Wheels | None  # under massive wires; None without
    sheaves: Sheaves | None  # wheels that massless wires turn; None without
    rows: Rows


def written(model: Model) -> Iterator[tuple[str, np.ndarray]]:
    """What steps and switches write of a model, by its path: all else is as it was compiled."""
    yield "rows.compliance", model.rows.compliance
    if model.routes is not None:
        for name in ("touch", "arc"):  # where wires lie on pulleys, of the pose that was looked at last
            yield f"routes.{name}", getattr(model.routes, name)
    if model.joints is not None:
        yield "joints.axes.motor", model.joints.axes.motor
    if model.wheels is not None:
        for name in ("lay", "arc", "heft", "aside"):
            yield f"wheels.{name}", getattr(model.wheels, name)
    if model.sheaves is not None:
        for name in ("slack", "share"):  # of the parts, by the step before, which the next one begins with
            yield f"sheaves.{name}", getattr(model.sheaves, name)


def with_all_points(model: Model) -> Model:
    """The same model, but the ends of straight wires are among the points that are located, as all others are."""
    points = model.points
    return model._replace(points=points._replace(used=np.arange(len(points.node))))
