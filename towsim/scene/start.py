"""The start pose: is every wire long enough, every joint closed, every contact above ground; and if not, a near one.

Tolerance: 1e-9 relative to the wire's length (for joints and contacts to 1 m or the distance from the origin),
which is far above rounding and far below what any method resolves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from towsim.scene.base import Loc, Problem, scene_error
from towsim.scene.quantity import Quaternion

if TYPE_CHECKING:
    from towsim.scene.scene import Scene

Array = NDArray[np.float64]
TOLERANCE = 1e-9
ITERATIONS = 100
START = np.zeros(1)


class _Row(NamedTuple):
    """One scalar condition value ≥ 0 (or = 0 when ``equal``), linear in small moves of the bodies."""

    loc: Loc
    value: float
    scale: float
    equal: bool
    sides: tuple[tuple[str, Array, Array], ...]  # body, arm from its centre (3,), gradient at that point (3,)

    @property
    def broken(self) -> float:
        """By how much it is violated, 0 within the tolerance."""
        amount = abs(self.value) if self.equal else -self.value
        return amount if amount > TOLERANCE * self.scale else 0.0


def _place(scene: Scene, end: str) -> tuple[str | None, Array, Array]:
    """Owner (None for a robot), arm from the owner's centre and world position of an end at t = 0."""
    at = scene.attachment(end)
    if at.is_robot:
        return None, np.zeros(3), scene.robots[at.owner].sample(START)[0][0]
    body = scene.bodies[at.owner]
    arm = body.rotation_matrix() @ np.array(at.offset)
    return at.owner, arm, np.array(body.position) + arm


def _rows(scene: Scene) -> Iterator[_Row]:
    for name, wire in scene.wires.items():
        (a, arm_a, p_a), (b, arm_b, p_b) = _place(scene, wire.from_), _place(scene, wire.to)
        length = float(wire.length_at(START)[0][0])
        distance = float(np.linalg.norm(p_b - p_a))
        n = (p_b - p_a) / distance if 0.0 < distance < np.inf else np.zeros(3)
        sides = tuple((o, arm, g) for o, arm, g in ((a, arm_a, n), (b, arm_b, -n)) if o is not None)
        yield _Row(("wires", name), length - distance, length, False, sides)
    for name, joint in scene.joints.items():
        (a, arm_a, p_a), (b, arm_b, p_b) = _place(scene, joint.from_), _place(scene, joint.to)
        for axis in np.eye(3):
            sides = tuple((o, arm, g) for o, arm, g in ((a, arm_a, -axis), (b, arm_b, axis)) if o is not None)
            scale = max(1.0, float(np.linalg.norm(p_a)), float(np.linalg.norm(p_b)))
            yield _Row(("joints", name), float(axis @ (p_b - p_a)), scale, True, sides)
    if scene.ground is not None:
        n = np.array(scene.ground.normal)
        for i, end in enumerate(scene.ground.contacts):
            owner, arm, p = _place(scene, end)
            assert owner is not None  # checked by the Scene
            shape = scene.bodies[owner].shape
            radius = shape.sphere if shape is not None and shape.sphere is not None and "." not in end else 0.0
            value = float(n @ p) - scene.ground.height - radius
            scale = max(1.0, float(np.linalg.norm(p)))
            yield _Row(("ground", "contacts", i), value, scale, False, ((owner, arm - radius * n, n),))


def _problems(scene: Scene) -> Iterator[Problem]:
    open_joints: dict[Loc, float] = {}
    for row in _rows(scene):
        if not np.isfinite(row.value):
            yield Problem(row.loc, "its place at t = 0 is not a finite number; look at the formulas it depends on")
        elif row.broken and row.loc[0] == "wires":
            needed = row.scale - row.value
            yield Problem(
                row.loc,
                f"stretched by {row.broken:.6g} m at the start: its ends are {needed:.9g} m apart, its length is "
                f"{row.scale:.9g} m. Move the load, lengthen the wire, or let the load be moved: --project, "
                "or scene.project()",
            )
        elif row.broken and row.loc[0] == "joints":
            open_joints[row.loc] = float(np.hypot(open_joints.get(row.loc, 0.0), row.broken))
        elif row.broken:
            yield Problem(row.loc, f"lies {row.broken:.6g} m below the ground at the start. Lift it, or use --project")
    for loc, gap in open_joints.items():
        yield Problem(loc, f"its two ends are {gap:.6g} m apart at the start. Move a body, or use --project")


def check_start(scene: Scene) -> None:
    """See :meth:`Scene.check_start`."""
    with np.errstate(all="ignore"):  # what is not finite is reported by name
        found = list(_problems(scene))
    if found:
        raise scene_error(found, scene.name)


def project(scene: Scene) -> Scene:
    """See :meth:`Scene.project`.

    Gauss–Newton: each pass moves the bodies by the smallest mass-weighted displacement that meets, to first
    order, every violated condition and every joint: δ = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ (−ψ).
    """
    names = list(scene.bodies)
    inverse = {name: _inverse_inertia(scene, name) for name in names}
    for _ in range(ITERATIONS):
        with np.errstate(all="ignore"):
            rows = list(_rows(scene))
        if not all(np.isfinite(row.value) for row in rows) or not any(row.broken for row in rows):
            break
        active = [row for row in rows if row.equal or row.value < 0.0]
        J = np.zeros((len(active), 6 * len(names)))
        for i, row in enumerate(active):
            for owner, arm, gradient in row.sides:
                k = 6 * names.index(owner)
                J[i, k : k + 3] += gradient
                J[i, k + 3 : k + 6] += np.cross(arm, gradient)
        W = np.zeros((6 * len(names), 6 * len(names)))
        for k, name in enumerate(names):
            R = scene.bodies[name].rotation_matrix()
            W[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = np.eye(3) / scene.bodies[name].mass
            W[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = R @ inverse[name] @ R.T
        psi = np.array([row.value for row in active])
        move = W @ J.T @ np.linalg.lstsq(J @ W @ J.T, -psi, rcond=1e-12)[0]
        scene = _moved(scene, dict(zip(names, move.reshape(-1, 6), strict=True)))
    check_start(scene)
    return scene


def _inverse_inertia(scene: Scene, name: str) -> Array:
    body = scene.bodies[name]
    return np.zeros((3, 3)) if body.point else np.asarray(np.linalg.inv(body.inertia_matrix()), dtype=np.float64)


def _moved(scene: Scene, moves: dict[str, Array]) -> Scene:
    bodies = {}
    for name, body in scene.bodies.items():
        shift, turn = moves[name][:3], moves[name][3:]
        turn = turn / max(1.0, float(np.linalg.norm(turn)))  # at most 1 rad a pass: beyond, the first order is no guide
        x, y, z = np.array(body.position) + shift
        quaternion = body.quaternion if body.point else _turned(body.quaternion, turn)
        bodies[name] = body.replace(position=(float(x), float(y), float(z)), quaternion=quaternion)
    return scene.replace(bodies=bodies)


def _turned(q: Quaternion, turn: Array) -> Quaternion:
    """exp(turn/2) q, for a rotation vector ``turn`` in world axes [rad]."""
    half = 0.5 * float(np.linalg.norm(turn))
    x, y, z = turn * (0.5 * np.sinc(half / np.pi))
    w, (a, b, c, d) = np.cos(half), q
    return (
        float(w * a - x * b - y * c - z * d),
        float(w * b + x * a + y * d - z * c),
        float(w * c - x * d + y * a + z * b),
        float(w * d + x * c - y * b + z * a),
    )
