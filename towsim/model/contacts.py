"""Contacts of a scene as rows and numbers: what touches which plane, with the axes of the plane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from towsim.model.arrays import TANGENT, UNILATERAL, Contacts, Floats, Numbers, pack
from towsim.model.layout import Layout, Stack
from towsim.model.points import PointTable
from towsim.scene import Scene
from towsim.scene.contacts import Touch, touches
from towsim.scene.quantity import Vec3


class DeclaredContact(NamedTuple):
    """A contact, its point, and its rows as declared: the normal's, the tangents' where there is friction."""

    touch: Touch
    point: int
    rows: list[int]


def declare_contacts(scene: Scene, stack: Stack, points: PointTable) -> list[DeclaredContact]:
    """Declare the rows of all contacts."""
    out = []
    for number, touch in enumerate(touches(scene)):
        end = touch.name.partition("@")[0]
        corner = end != touch.body and end.partition(".")[2] not in scene.bodies[touch.body].points
        point = points.corner(touch.body, number) if corner else points.of(end)
        kinds = [UNILATERAL, TANGENT, TANGENT] if scene.planes[touch.plane].friction > 0.0 else [UNILATERAL]
        out.append(DeclaredContact(touch, point, [stack.add(kind, [points.node(point)], touch.name) for kind in kinds]))
    return out


def contact_arrays(declared: list[DeclaredContact], layout: Layout, points: PointTable) -> Contacts:
    """Points, rows and sides of contacts, without their numbers."""
    n = len(declared)
    row = np.full((n, 3), -1, np.int64)
    side = np.full((n, 3), -1, np.int64)
    for i, (_, point, rows) in enumerate(declared):
        for k, r in enumerate(rows):
            row[i, k] = layout.place[r]
            side[i, k] = layout.sides(r, [points.node(point)])[0]
    points_of = np.array([contact.point for contact in declared], np.int64)
    none = {"radius": np.empty(0), "friction": np.empty(0), "axes": np.empty((0, 3, 3)), "height": np.empty(0)}
    contacts: Contacts = pack(Contacts, point=points_of, row=row, side=side, **none)
    return contacts


def contact_numbers(scene: Scene) -> Numbers:
    """What touches, and what it touches: radii, planes, coefficients."""
    touching = list(touches(scene))
    planes = [scene.planes[touch.plane] for touch in touching]
    axes = [_plane_axes(plane.normal) for plane in scene.planes]
    laws = [plane.restitution for plane in planes]
    return {
        "contacts.radius": np.array([touch.radius for touch in touching], float),
        "contacts.friction": np.array([plane.friction for plane in planes], float),
        "contacts.axes": np.array([axes[touch.plane] for touch in touching], float).reshape(-1, 3, 3),
        "contacts.height": np.array([plane.height for plane in planes], float),
        "restitution": np.array([0.0 if law is None else law.coefficient for law in laws]),
    }


def _plane_axes(given: Vec3) -> Floats:
    """Normal and two tangents, as rows."""
    normal = np.array(given)
    seed = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = seed - normal * (normal @ seed)
    first /= np.linalg.norm(first)
    return np.stack([normal, first, np.cross(normal, first)])
