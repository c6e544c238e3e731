"""Bodies of a scene as numbers: masses, inertias, drag, and the state at t = 0."""

from __future__ import annotations

import numpy as np

from towsim.model.arrays import Bodies, Floats, Numbers
from towsim.scene import Body, Scene


def body_numbers(scene: Scene) -> Numbers:
    """Numbers of all bodies, and gravity."""
    n = len(scene.bodies)
    bodies = Bodies(
        mass=np.empty(n),
        inertia=np.empty((n, 3, 3)),
        inertia_inv=np.empty((n, 3, 3)),
        norm=np.empty(n),
        principal=np.empty(n, np.bool_),
        rotates=np.empty(n, np.bool_),
        drag=np.empty((n, 2)),
        gravity=np.array(scene.gravity, float),
    )
    for i, body in enumerate(scene.bodies.values()):
        _put_body(bodies, i, body)
    return {f"bodies.{name}": array for name, array in zip(Bodies._fields, bodies, strict=True)}


def _put_body(bodies: Bodies, i: int, body: Body) -> None:
    """Numbers of one body."""
    inertia = body.inertia_matrix()
    bodies.mass[i], bodies.inertia[i], bodies.rotates[i] = body.mass, inertia, not body.point
    bodies.drag[i] = 0.0 if body.drag.own else (body.drag.linear, body.drag.quadratic)
    bodies.inertia_inv[i] = 0.0
    bodies.norm[i] = 0.0
    bodies.principal[i] = np.count_nonzero(inertia) == 3
    if bodies.principal[i]:
        for j in range(3):
            bodies.inertia_inv[i, j, j] = 1.0 / inertia[j, j]
        bodies.norm[i] = max(bodies.inertia_inv[i].flat)
    elif not body.point:
        inverse = np.linalg.inv(inertia)
        bodies.inertia_inv[i] = 0.5 * (inverse + inverse.T)
        bodies.norm[i] = np.abs(bodies.inertia_inv[i]).sum(axis=1).max()


def put_start(q: Floats, v: Floats, i: int, body: Body) -> None:
    """Pose of one body, its velocity, and its angular momentum about the centre of mass."""
    q[7 * i : 7 * i + 3] = body.position
    q[7 * i + 3 : 7 * i + 7] = body.quaternion
    v[6 * i : 6 * i + 3] = body.velocity
    v[6 * i + 3 : 6 * i + 6] = 0.0
    if any(body.angular_velocity):
        r = body.rotation_matrix()
        v[6 * i + 3 : 6 * i + 6] = r @ body.inertia_matrix() @ r.T @ np.array(body.angular_velocity)
