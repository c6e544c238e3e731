"""Joints at acceleration level: all links free, their reactions unknowns of one linear system (KKT).

Every link keeps its six degrees of freedom. A joint says φ = 0; differentiated twice it is linear in the accelerations,
J v̇ + γ = 0, and joins Newton's and Euler's equations, where its reactions F enter as Jᵀ F:

    [ 𝓜  −Jᵀ ] [ v̇ ]   [ f  ]
    [ J   0  ] [ F ] = [ −γ ]          f = (m g, −ω × I ω + τ) of every link

Two bodies and a point-to-point joint are the 15 × 15 system of the notes, row for row (J = [1, −c̃₁, −1, c̃₂] and
γ = ω₁ × (ω₁ × c₁) − ω₂ × (ω₂ × c₂), with c̃ x = c × x); chains and trees stack more rows (``rows``). Solving it costs
O(n³) when it is dense, as here.

**Drift.** The equations ask for φ̈ = 0, not for φ = 0. A speed φ̇₀ with which a joint opens at the start stays, and the
joint opens by φ̇₀ t. An integrator of order p that errs by ε = O(hᵖ) in every unit of time, the same way, makes
φ̇ = ε t and φ = ½ ε t² (an error that turns with the motion, as a conical pendulum's, averages out and leaves only the
linear part); rounding errors, which go both ways, t^½ and t^{3/2}. Nothing in the equations pulls back.

**Stabilisation.** Baumgarte asks for φ̈ + 2 α φ̇ + α² φ = 0 instead: what opens, closes within 1/α (which must be
resolved by the step: α h < 1 or so). Projection moves the links back to φ = 0 and φ̇ = 0 after every step, by the
smallest motion that the kinetic energy knows, Δ = −𝓜⁻¹ Jᵀ (J 𝓜⁻¹ Jᵀ)⁻¹ φ.

Source: lecture notes on constraints, "Point-to-point constraint" (four Newton–Euler equations, the acceleration
constraint, the 15 × 15 system).
"""

# mypy: allow-untyped-calls
from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from towsim.errors import UsageError
from towsim.formulations import rows
from towsim.formulations.motion import Formulation, Links, links_of
from towsim.model.arrays import Floats
from towsim.model.trees import Tree

Stabilisation = Literal["none", "baumgarte", "projection"]


class Kkt(Formulation):
    """A tree of links in maximal coordinates: y = (x, q, v, ω) of every link, reactions from the KKT system.

    Parameters
    ----------
    tree : links and joints
    stabilise : "none", "baumgarte" with the rate ``alpha`` [1/s], or "projection" after every step of ``run``

    Raises
    ------
    UsageError : unknown stabilisation, alpha <= 0
    """

    name: ClassVar[str] = "kkt"

    def __init__(self, tree: Tree, stabilise: Stabilisation = "none", *, alpha: float = 10.0) -> None:
        super().__init__(tree)
        if stabilise not in ("none", "baumgarte", "projection") or not alpha > 0.0:
            raise UsageError(
                f"stabilise must be 'none', 'baumgarte' or 'projection' and alpha > 0, got {stabilise!r}, {alpha!r}"
            )
        self.stabilise = stabilise
        self.alpha = alpha if stabilise == "baumgarte" else 0.0
        self.joints = rows.joint_rows(tree)
        nl, nr = len(tree.links), len(self.joints.kind)
        self._gap, self._rate, self._gamma = np.zeros(nr), np.zeros(nr), np.zeros(nr)
        self._ends = np.zeros((nr, 6)), np.zeros((nr, 6))
        self._f = np.zeros((nl, 6))
        self._known = (tree.base(np.zeros(1)), tree.force(np.zeros(1))) if tree.steady else None

    def start(self) -> Floats:
        """Poses and velocities of the links at the start, (13 nl,)."""
        position, rotation, velocity, spin = links_of(self.tree, 0.0, self.tree.start, self.tree.rate)
        quaternion = np.array([quaternion_of(r) for r in rotation])
        return np.concatenate([position.ravel(), quaternion.ravel(), velocity.ravel(), spin.ravel()])

    def links(self, t: float, y: Floats) -> Links:
        """Motion of the links, as it stands in the state."""
        nl = len(self.tree.links)
        q = y[3 * nl : 7 * nl].reshape(-1, 4)
        return y[: 3 * nl].reshape(-1, 3), matrices(q), y[7 * nl : 10 * nl].reshape(-1, 3), y[10 * nl :].reshape(-1, 3)

    def rate(self, t: float, y: Floats) -> Floats:
        """Rates (13 nl,) of the state."""
        nl = len(self.tree.links)
        q = y[3 * nl : 7 * nl].reshape(-1, 4)
        K, right = self.system(t, y)
        acceleration = np.linalg.solve(K, right)[: 6 * nl].reshape(-1, 6)
        return np.concatenate(
            [
                y[7 * nl : 10 * nl],
                spin_times(y[10 * nl :].reshape(-1, 3), q).ravel(),
                acceleration[:, :3].ravel(),
                acceleration[:, 3:].ravel(),
            ]
        )

    def system(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """The KKT matrix (6 nl + nr)² and its right-hand side; unknowns are (ẍ, ω̇) link by link, then reactions."""
        links = self.links(t, y)
        base, force = self._known or (self.tree.base(np.array([t])), self.tree.force(np.array([t])))
        M, J = self.inertia(links[1]), self.constraint(t, links)
        rows.link_forces(self.joints, self.tree.arrays, *links, self._f)
        rows.drive_forces(self.joints, self.tree.arrays, base[0], force[0], *links, self._f)
        closing = self._gamma + 2.0 * self.alpha * self._rate + self.alpha**2 * self._gap
        K = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        return K, np.concatenate([self._f.ravel(), -closing])

    def inertia(self, rotation: Floats) -> Floats:
        """𝓜 (6 nl, 6 nl): masses and inertias in world axes, at the frames (nl, 3, 3)."""
        nl = len(rotation)
        M = np.zeros((nl, 6, nl, 6))
        link = np.arange(nl)
        M[link, :3, link, :3] = self.joints.mass[:, None, None] * np.eye(3)
        M[link, 3:, link, 3:] = rotation @ self.joints.inertia @ rotation.transpose(0, 2, 1)
        return M.reshape(6 * nl, 6 * nl)

    def constraint(self, t: float, links: Links) -> Floats:
        """J (nr, 6 nl) at the links' motion; also brings gaps, rates and γ up to date."""
        base = self._known[0] if self._known else self.tree.base(np.array([t]))
        rows.row_terms(self.joints, base[0], *links, self._gap, self._rate, *self._ends, self._gamma)
        nr, nl = len(self._gap), len(self.tree.links)
        J = np.zeros((nr, nl, 6))
        row, carried = np.arange(nr), self.joints.a >= 0
        J[row, self.joints.b] += self._ends[1]
        J[row[carried], self.joints.a[carried]] += self._ends[0][carried]
        return J.reshape(nr, 6 * nl)

    def settle(self, t: float, y: Floats) -> Floats:
        """Quaternions brought to length 1; with projection, joints closed and their rates zero."""
        nl = len(self.tree.links)
        y = y.copy()
        q = y[3 * nl : 7 * nl].reshape(-1, 4)
        q /= np.linalg.norm(q, axis=1)[:, None]
        if self.stabilise == "projection":
            self._project(t, y)
        return y

    def _project(self, t: float, y: Floats) -> None:
        """Close the joints (Newton, in the metric of the kinetic energy), then make their rates zero."""
        nl = len(self.tree.links)
        for _ in range(3):
            links = self.links(t, y)
            J = self.constraint(t, links)
            W = np.linalg.solve(self.inertia(links[1]), J.T)
            move = -(W @ np.linalg.solve(J @ W, self._gap)).reshape(-1, 6)
            q = y[3 * nl : 7 * nl].reshape(-1, 4)
            y[: 3 * nl] += move[:, :3].ravel()
            q += spin_times(move[:, 3:], q)
            q /= np.linalg.norm(q, axis=1)[:, None]
            if not np.abs(self._gap).max(initial=0.0) > 1e-14:
                break
        links = self.links(t, y)
        J = self.constraint(t, links)
        W = np.linalg.solve(self.inertia(links[1]), J.T)
        change = -(W @ np.linalg.solve(J @ W, self._rate)).reshape(-1, 6)
        y[7 * nl : 10 * nl] += change[:, :3].ravel()
        y[10 * nl :] += change[:, 3:].ravel()


def spin_times(w: Floats, q: Floats) -> Floats:
    """½ ω ∘ q: rates (n, 4) of the quaternions q (n, 4) with the angular velocities w (n, 3), world axes."""
    scalar = -np.einsum("ni,ni->n", w, q[:, 1:])
    return np.asarray(0.5 * np.concatenate([scalar[:, None], w * q[:, :1] + np.cross(w, q[:, 1:])], axis=1))


def matrices(q: Floats) -> Floats:
    """Rotation matrices (n, 3, 3) of the quaternions q (n, 4), which need not be quite of length 1."""
    w, x, y, z = (q / np.linalg.norm(q, axis=1)[:, None]).T
    out = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.ascontiguousarray(out.transpose(2, 0, 1))


def quaternion_of(R: Floats) -> Floats:
    """Unit quaternion wxyz of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(R).as_quat(scalar_first=True))
