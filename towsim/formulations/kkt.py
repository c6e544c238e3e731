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

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from towsim.errors import UsageError
from towsim.formulations import rows
from towsim.formulations.links import Links, links_of
from towsim.formulations.motion import Formulation
from towsim.model.arrays import Floats
from towsim.model.trees import Tree
from towsim.quote import show

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
                f"stabilise must be 'none', 'baumgarte' or 'projection' and alpha > 0, got {show(stabilise)}, {alpha!r}"
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
        links = np.zeros((nl, 3)), np.zeros((nl, 3, 3)), np.zeros((nl, 3)), np.zeros((nl, 3))
        rows.unpack(y, *links)
        return links

    def rate(self, t: float, y: Floats) -> Floats:
        """Rates (13 nl,) of the state."""
        dy = np.empty_like(y)
        rows.state_rates(y, np.linalg.solve(*self.system(t, y)), dy)
        return dy

    def system(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """The KKT matrix (6 nl + nr)² and its right-hand side; unknowns are (ẍ, ω̇) link by link, then reactions."""
        links = self.links(t, y)
        base, force = self._known or (self.tree.base(np.array([t])), self.tree.force(np.array([t])))
        rows.row_terms(self.joints, base[0], *links, self._gap, self._rate, *self._ends, self._gamma)
        rows.link_forces(self.joints, self.tree.arrays, *links, self._f)
        rows.drive_forces(self.joints, self.tree.arrays, base[0], force[0], *links, self._f)
        closing = self._gamma + 2.0 * self.alpha * self._rate + self.alpha**2 * self._gap
        size = self._f.size + len(closing)
        K, right = np.zeros((size, size)), np.zeros(size)
        rows.fill(self.joints, links[1], closing, self._f, *self._ends, K, right)
        return K, right

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
        q = y[3 * nl : 7 * nl].reshape(-1, 4)
        for _ in range(3):
            move = self._back(t, y, self._gap)
            y[: 3 * nl] += move[:, :3].ravel()
            q += spin_times(move[:, 3:], q)
            q /= np.linalg.norm(q, axis=1)[:, None]
            if not np.abs(self._gap).max(initial=0.0) > 1e-14:
                break
        change = self._back(t, y, self._rate)
        y[7 * nl : 10 * nl] += change[:, :3].ravel()
        y[10 * nl :] += change[:, 3:].ravel()

    def _back(self, t: float, y: Floats, error: Floats) -> Floats:
        """The smallest motion (nl, 6) that takes back an error of the rows, gaps or rates: K with f = 0, γ = error."""
        K, _ = self.system(t, y)
        free = np.zeros(self._f.size)
        return np.asarray(np.linalg.solve(K, np.concatenate([free, -error]))[: len(free)].reshape(-1, 6))


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
