"""Moving the loads of a scene as little as possible to a start that is allowed.

Levenberg–Marquardt on the one-sided conditions ψ ≥ 0 (wires, contacts) and ψ = 0 (joints). Each pass finds the move
δ of the bodies, small in the metric of their masses, that meets the linearised conditions:

    min ½ δᵀ M δ + ‖violation of ψ + J δ‖² / 2μ,      δ = M⁻¹ Jᵀ p,      0 ≤ p ⟂ (J M⁻¹ Jᵀ + μ) p + ψ ≥ 0

All conditions take part, not the violated ones alone, so that mending one does not break another in turn.
The damping μ goes to zero as the violation does, and grows when a move was too bold.

Conditions may say the same several times (closed loops, parallel joints), or nothing that a move could change (a wire
between two robots that is straight over a body's ring: its gradient is zero). The systems are therefore solved by their
eigenvalues, those of rounding size left out: the p of least norm, which leaves what does not move alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from towsim.scene.quantity import Quaternion
from towsim.scene.row import Row
from towsim.scene.start import check_start, start_rows

if TYPE_CHECKING:
    from towsim.scene.scene import Scene

Array = NDArray[np.float64]
MOVES = 100
MOST_DAMPING, LEAST_DAMPING = 1e6, 1e-12  # relative to the largest (J M⁻¹ Jᵀ)_ii
TURN = 0.5  # rad
AT_ROUNDING = 1e-12
"""Relative error of a length below which it is done when it falls no more."""
ROUNDING = 1e-15  # of the largest eigenvalue


def project(scene: Scene) -> Scene:
    """See :meth:`Scene.project`."""
    # With very unequal masses the damping all but holds the heavy bodies; then each counts as if of 1 kg.
    moved = _search(scene, weighted=True) or _search(scene, weighted=False)
    check_start(
        moved or scene, "No place of the loads was found that meets all of this; change wires, joints or robots"
    )
    return moved or scene


def make_taut(scene: Scene) -> Scene:
    """See :meth:`Scene.project`: Newton's method on ψ = 0 of all rigid wires and joints, in the metric of the masses.

    It goes on until rounding, so that the place is a smooth function of lengths, points and robots.
    """
    best = np.inf
    for _ in range(MOVES):
        rows = [row for row in _rows(scene) if row.equal or (row.loc[0] == "wires" and row.sides)]
        if not rows:
            break
        error = max(abs(row.value) / row.scale for row in rows)
        if error >= best and error < AT_ROUNDING:
            break
        best = error
        JW, A = _response(scene, rows, weighted=True)
        p = _least_norm(A, -np.array([row.value for row in rows]))
        scene = _moved(scene, (JW.T @ p).reshape(-1, 6))
    check_start(scene, "No place of the loads was found at which all wires are taut; change wires, joints or robots")
    return scene


def _search(scene: Scene, *, weighted: bool) -> Scene | None:
    """A scene in which nothing is broken, if one is found; ``weighted``: the metric is that of the masses."""
    damping = 1e-3
    rows = _rows(scene)
    for _ in range(MOVES):
        if not any(row.broken for row in rows):
            return scene
        if damping > MOST_DAMPING:
            break
        JW, A = _response(scene, rows, weighted)
        steepest = float(A.diagonal().max())
        if not 0.0 < steepest < np.inf:  # no move changes any of it
            break
        psi, equal = np.array([row.value for row in rows]), np.array([row.equal for row in rows])
        p = _one_sided(A + damping * steepest * np.eye(len(rows)), psi, equal)
        trial = _moved(scene, (JW.T @ p).reshape(-1, 6))
        trial_rows = _rows(trial)
        if _violation(trial_rows) < _violation(rows):
            scene, rows, damping = trial, trial_rows, max(LEAST_DAMPING, 0.05 * damping)
        else:
            damping *= 10.0
    return None


def _rows(scene: Scene) -> list[Row]:
    with np.errstate(all="ignore"):
        rows = list(start_rows(scene))
    # Rows that are not finite cannot be mended by moving loads; check_start reports them.
    return rows if all(np.isfinite(row.value) for row in rows) else []


def _violation(rows: list[Row]) -> float:
    return sum(row.value**2 for row in rows if row.equal or row.value < 0.0) if rows else np.inf


def _response(scene: Scene, rows: list[Row], weighted: bool) -> tuple[Array, Array]:
    """J M⁻¹ (rows, 6 bodies), a move (shift, turn) for each body, and J M⁻¹ Jᵀ (rows, rows)."""
    index = {name: 6 * k for k, name in enumerate(scene.bodies)}
    J = np.zeros((len(rows), 6 * len(index)))
    sides = [(i, index[owner], arm, gradient) for i, row in enumerate(rows) for owner, arm, gradient in row.sides]
    arms, gradients = (np.reshape([side[k] for side in sides], (-1, 3)) for k in (2, 3))
    turned = np.cross(arms, gradients)
    for (i, k, _, gradient), moment in zip(sides, turned, strict=True):
        J[i, k : k + 3] += gradient
        J[i, k + 3 : k + 6] += moment
    JW = np.zeros_like(J)
    for name, k in index.items():
        body = scene.bodies[name]
        mobility = 1.0 / body.mass if weighted else 1.0
        JW[:, k : k + 3] = mobility * J[:, k : k + 3]
        if not body.point:
            R = body.rotation_matrix()
            gyration = np.linalg.pinv(body.inertia_matrix() / body.mass, rcond=ROUNDING, hermitian=True)
            JW[:, k + 3 : k + 6] = mobility * J[:, k + 3 : k + 6] @ (R @ gyration @ R.T)
    return JW, J @ JW.T


def _one_sided(H: Array, psi: Array, equal: NDArray[np.bool_]) -> Array:
    """0 ≤ p ⟂ H p + ψ ≥ 0 (= 0 and p free where ``equal``) for semidefinite H, by principal pivoting."""
    active = equal | (psi < 0.0)
    p = np.zeros(len(psi))
    for pivot in range(10 * len(psi) + 20):
        p[:] = 0.0
        p[active] = _least_norm(H[np.ix_(active, active)], -psi[active])
        wrong = ~equal & np.where(active, p < 0.0, H @ p + psi < -1e-14 * np.abs(psi).max())
        if not wrong.any():
            break
        if pivot < 20:
            active = active ^ wrong
        else:  # Murty's rule, one at a time, cannot cycle
            active[np.flatnonzero(wrong)[-1]] ^= True
    return p


def _least_norm(H: Array, b: Array) -> Array:
    """The x of least norm that minimises ‖H x − b‖, for symmetric semidefinite H."""
    values, V = np.linalg.eigh(H)
    kept = values > len(b) * ROUNDING * values.max(initial=0.0)
    x: Array = V[:, kept] @ ((V[:, kept].T @ b) / values[kept])
    return x


def _moved(scene: Scene, moves: Array) -> Scene:
    """The scene after a move (bodies, 6) of its bodies, shortened to turns that the first order can foresee."""
    moves = moves * min(1.0, TURN / max(TURN, float(np.abs(moves[:, 3:]).max())))
    bodies = {}
    for (name, body), move in zip(scene.bodies.items(), moves, strict=True):
        x, y, z = np.array(body.position) + move[:3]
        quaternion = body.quaternion if body.point else _turned(body.quaternion, move[3:])
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
