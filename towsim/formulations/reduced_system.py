"""Reduced coordinates from any map x(q, t): the general form, with derivatives by exact means.

The user says where all bodies are as functions of n coordinates q; velocities follow as v = X q̇ + ∂x/∂t. A reaction
that keeps the bodies on these places does no work on legal velocities, Xᵀ F_reaction = 0 (virtual work), so Xᵀ times
(d/dt)(𝓜 v) = F leaves n equations without reactions:

    M_q q̈ = Xᵀ (F − 𝓜 Ẋ q̇ − 𝓜̇ X q̇),      M_q = Xᵀ 𝓜 X

With positions x and rotations R of the bodies, column j of X is (∂x/∂q_j, axial(∂R/∂q_j Rᵀ)); the accelerations that
are there without q̈, "Ẋ q̇", are those of q(t) with q̈ = 0: (ẍ, axial(R̈ Rᵀ)), since ṘṘᵀ is symmetric; 𝓜̇ X q̇ is ω × I ω.
Jets (value, gradient, Hessian in q and t) give ∂x, ẍ and R̈ to rounding, from one evaluation of the user's function.

Source: lecture slides on reduced coordinates: x = x(q), principle of virtual work, equation of motion, generalised
forces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from towsim.errors import UsageError
from towsim.formulations import jets
from towsim.formulations.links import Links
from towsim.formulations.motion import Equations
from towsim.given import a_number, numbers
from towsim.model.arrays import Floats
from towsim.quote import show

ROUNDING = 1e-9
"""By how much R Rᵀ may differ from the unit matrix."""

SINGULAR = 1e-14
"""Least eigenvalue of a mass matrix, its diagonal made 1, that is more than rounding."""

Places = Callable[[Any, Any], Sequence[Any]]
Directions = Callable[[Floats, Floats, float], tuple[Floats, Floats]]


class Mass(NamedTuple):
    """A body: its mass [kg] and its inertia (3, 3) about the centre, body axes [kg m²]; None for a point mass."""

    mass: float
    inertia: Floats | None = None


class Terms(NamedTuple):
    """Kinematics at one instant: positions (nb, 3), rotations (nb, 3, 3), X, velocities and accelerations of q̈ = 0."""

    position: Floats
    rotation: Floats
    X: Floats  # (nb, 6, n)
    velocity: Floats  # (nb, 6)
    bias: Floats  # (nb, 6)


class ReducedSystem(Equations):
    """Bodies whose places are functions of coordinates q: y = (q, q̇).

    Parameters
    ----------
    bodies : masses and inertias
    place : ``place(q, t)`` gives for every body its position (3,), or the pair (position, rotation matrix (3, 3));
        written with + - * / ** @, comparisons, np.where and the functions of ``jets.KNOWN``, which are differentiated
    start, rate : (n,) coordinates at t = 0 and their rates
    gravity : world axes [m/s²]
    potential : ``potential(q, t)`` [J], differentiated likewise: springs and the like, as generalised forces −∂V/∂q
    force : ``force(q, u, t)`` gives generalised forces (n,): joint torques, dampers
    derivative : ``derivative(q, u, t)`` gives X (nb, 6, n) and the accelerations (nb, 6) of q̈ = 0, world axes, in place
        of the jets; for places that do not depend on t

    Raises
    ------
    UsageError : shapes that do not fit, masses and inertias that no body has; in a run: rotations that are none,
        functions that cannot be differentiated, coordinates that move nothing
    """

    name: ClassVar[str] = "reduced"

    def __init__(
        self,
        bodies: Sequence[Mass],
        place: Places,
        *,
        start: Sequence[float],
        rate: Sequence[float] | None = None,
        gravity: tuple[float, float, float] = (0.0, 0.0, -9.81),
        potential: Callable[[Any, Any], Any] | None = None,
        force: Callable[[Floats, Floats, float], Any] | None = None,
        derivative: Directions | None = None,
    ) -> None:
        self.bodies, self.place, self.gravity = tuple(bodies), place, np.array(gravity)
        self.potential, self.force, self.derivative = potential, force, derivative
        self._q = np.array(start, float)
        self._u = np.zeros_like(self._q) if rate is None else np.array(rate, float)
        if self._q.ndim != 1 or self._u.shape != self._q.shape or not self.bodies:
            raise UsageError(
                f"start and rate must be of one length, and there must be a body; got {self._q.shape}, "
                f"{self._u.shape} and {len(self.bodies)} bodies"
            )
        for k, body in enumerate(self.bodies):
            _check_mass(f"of body {k}", body)
        count = len(place(self._q, 0.0))
        if count != len(self.bodies):
            raise UsageError(f"place(q, t) must give a place for each of the {len(self.bodies)} bodies, got {count}")

    def start(self) -> Floats:
        """Coordinates and rates of the start."""
        return np.concatenate([self._q, self._u])

    def links(self, t: float, y: Floats) -> Links:
        """Motion of the bodies."""
        q, u = np.split(y, 2)
        terms = self.terms(q, u, t)
        return terms.position, terms.rotation, terms.velocity[:, :3], terms.velocity[:, 3:]

    def rate(self, t: float, y: Floats) -> Floats:
        """q̇ and q̈."""
        q, u = np.split(y, 2)
        terms = self.terms(q, u, t)
        M = self._inertia(terms.rotation)
        spin = terms.velocity[:, 3:]
        forces = np.zeros((len(self.bodies), 6))
        forces[:, :3] = np.array([body.mass for body in self.bodies])[:, None] * self.gravity
        forces[:, 3:] = -np.cross(spin, np.einsum("bij,bj->bi", M[:, 3:, 3:], spin))
        forces -= np.einsum("bij,bj->bi", M, terms.bias)
        right = np.einsum("bin,bi->n", terms.X, forces) + self.generalised_force(q, u, t)
        return np.concatenate([u, _accelerations(self._mass_matrix(terms.X, M), right, t)])

    def generalised_force(self, q: Floats, u: Floats, t: float) -> Floats:
        """What ``potential`` and ``force`` give, (n,)."""
        total = np.zeros(len(q))
        if self.potential is not None:
            _, gradient, _ = jets.parts(_differentiated("potential", self.potential, jets.variables(q), t), len(q))
            total -= gradient
        if self.force is not None:
            total += np.asarray(self.force(q, u, t), float)
        return total

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M_q = Xᵀ 𝓜 X, (n, n)."""
        terms = self.terms(q, np.zeros_like(q), t)
        return self._mass_matrix(terms.X, self._inertia(terms.rotation))

    def energy(self, t: float, y: Floats) -> float:
        """Kinetic energy, potential of gravity, and ``potential`` [J]."""
        q, u = np.split(y, 2)
        terms = self.terms(q, u, t)
        M = self._inertia(terms.rotation)
        kinetic = 0.5 * np.einsum("bi,bij,bj->", terms.velocity, M, terms.velocity)
        weight = sum(body.mass * (self.gravity @ x) for body, x in zip(self.bodies, terms.position, strict=True))
        return float(kinetic - weight + (self.potential(q, t) if self.potential is not None else 0.0))

    def generalised_impulse(self, q: Floats, body: int, at: Floats, impulse: Floats, t: float = 0.0) -> Floats:
        """Jᵀ p (n,) of an impulse p (3,) [N s], world axes, at a point of a body, by virtual work; forces too.

        ``at`` : (3,) in the body's axes. A wire's pull is p n; the rates jump by M_q⁻¹ Jᵀ p.
        """
        terms = self.terms(q, np.zeros_like(q), t)
        arm = terms.rotation[body] @ np.asarray(at, float)
        return np.asarray(np.concatenate([impulse, np.cross(arm, impulse)]) @ terms.X[body])

    def terms(self, q: Floats, u: Floats, t: float) -> Terms:
        """Places, X, velocities, and accelerations without q̈."""
        n = len(q)
        if self.derivative is not None:
            position, rotation = _pair(self.place(q, t))
            _check_rotations(rotation, t)
            X, bias = self.derivative(q, u, t)
            return Terms(position, rotation, X, X @ u, bias)
        known = jets.variables(np.append(q, t))
        places, frames = _pair(_differentiated("place", self.place, known[:n], known[n]), object)
        x, dx, ddx = jets.parts(places, n + 1)
        R, dR, ddR = jets.parts(frames, n + 1)
        _check_rotations(R, t)
        rates = np.append(u, 1.0)
        columns = np.concatenate([dx, _axial(np.einsum("bijn,bkj->bikn", dR, R))], axis=1)
        second = np.einsum("bijnm,n,m->bij", ddR, rates, rates)
        turning = _axial(np.einsum("bij,bkj->bik", second, R)[..., None])[..., 0]
        bias = np.concatenate([np.einsum("binm,n,m->bi", ddx, rates, rates), turning], axis=1)
        return Terms(x, R, columns[..., :n], columns @ rates, bias)

    def _inertia(self, rotation: Floats) -> Floats:
        M = np.zeros((len(self.bodies), 6, 6))
        for i, body in enumerate(self.bodies):
            M[i, :3, :3] = body.mass * np.eye(3)
            if body.inertia is not None:
                M[i, 3:, 3:] = rotation[i] @ body.inertia @ rotation[i].T
        return M

    @staticmethod
    def _mass_matrix(X: Floats, M: Floats) -> Floats:
        return np.asarray(np.einsum("bin,bij,bjm->nm", X, M, X))


def _differentiated(name: str, function: Callable[[Any, Any], Any], q: Any, t: Any) -> Any:
    """A function of the user of jets; UsageError if it uses what cannot be differentiated."""
    try:
        return function(q, t)
    except TypeError as error:
        if "Jet" not in str(error):
            raise
        known = ", ".join(f"np.{one}" for one in jets.KNOWN)
        raise UsageError(
            f"{name}(q, t) cannot be differentiated: {error}; write it with + - * / ** @, comparisons, np.where and "
            f"{known}"
        ) from error


def _check_mass(of: str, body: Mass) -> None:
    if not isinstance(body, Mass):
        raise UsageError(f"bodies must be a list of masses, such as [Mass(0.2)], got {show(body)}")
    if not a_number(f"mass {of}", body.mass) >= 0.0:
        raise UsageError(f"mass {of} must not be negative, got {show(body.mass)} kg")
    if body.inertia is None:
        return
    inertia = numbers(f"inertia {of}", body.inertia)
    if inertia.shape != (3, 3) or not np.allclose(inertia, inertia.T, rtol=1e-9, atol=0.0):
        raise UsageError(f"inertia {of} must be a symmetric matrix (3, 3), got {show(inertia.tolist())}")
    moments = np.linalg.eigvalsh(inertia)
    if not moments[0] >= -1e-9 * np.abs(moments).max():
        raise UsageError(f"inertia {of} must have no negative moment, got {moments[0]:g} kg m²")


def _check_rotations(R: Floats, t: float) -> None:
    off = np.abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2)) + 2.0 * (np.linalg.det(R) < 0.0)
    if not (off <= ROUNDING).all():
        k = int(np.argmax(~(off <= ROUNDING)))
        raise UsageError(
            f"place(q, t) gives body {k} at t = {t:g} s a matrix that is no rotation: its columns must be of length 1 "
            f"and perpendicular, got {show(np.round(R[k], 6).tolist())}"
        )


def _accelerations(M: Floats, right: Floats, t: float) -> Floats:
    """M⁻¹ right; UsageError by coordinate where some motion of the coordinates moves no mass."""
    size = np.sqrt(np.diag(M))
    unit = np.where(size > 0.0, size, 1.0)
    value, vector = np.linalg.eigh(M / unit / unit[:, None])
    if value[0] <= SINGULAR:
        moved = vector[:, 0] / unit
        which = " and ".join(f"q[{k}]" for k in np.flatnonzero(np.abs(moved) > 1e-6 * np.abs(moved).max()))
        raise UsageError(f"a motion of {which} moves no mass at t = {t:g} s, so that nothing tells its acceleration")
    return np.asarray(np.linalg.solve(M, right))


def _pair(places: Sequence[Any], kind: Any = float) -> tuple[Any, Any]:
    """Positions (nb, 3) and rotations (nb, 3, 3) of what ``place`` gives; the unit matrix where there is none."""
    positions, rotations = [], []
    for place in places:
        paired = isinstance(place, tuple) and len(place) == 2
        positions.append(np.asarray(place[0] if paired else place, kind))
        rotations.append(np.asarray(place[1] if paired else np.eye(3), kind))
    if any(x.shape != (3,) for x in positions) or any(R.shape != (3, 3) for R in rotations):
        raise UsageError("place(q, t) must give positions (3,), or pairs of a position (3,) and a rotation (3, 3)")
    return np.array(positions), np.array(rotations)


def _axial(S: Floats) -> Floats:
    """Axial vectors (nb, 3, ..) of the skew parts of S (nb, 3, 3, ..)."""
    return 0.5 * np.stack([S[:, 2, 1] - S[:, 1, 2], S[:, 0, 2] - S[:, 2, 0], S[:, 1, 0] - S[:, 0, 1]], axis=1)
