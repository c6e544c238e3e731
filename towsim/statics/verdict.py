"""Whether a scene stays at rest: what its small motions say, also where rows are one-sided.

A second derivative, K, is made of forces, which come with the rounding of what they are the sum of and of places, and
of differences of these. So a curvature counts as none by what its own bodies bear, not by the largest one: with the sum
F of the sizes of all forces on a body, T of couples, its extent e and the scene's length ℓ, the doubts of its moves are

    q² = share · F/ℓ   of translations,      share · (T + F e + F e²/ℓ)   of turns,      + rounding of springs

A row that is at its limit and bears nothing, such as a wire at its length without tension, holds one side alone. What
moves is then in the cone J y ≥ 0 of hard ones; soft ones resist with k (J y)² where J y < 0. Rows that no y slackens
without stretching another are held, as those of four guys that are just taut. With a potential, rest is stable where
the energy rises along all of the cone: its least value for masses one is an eigenvector's in some face of the cone, so
that of all choices of which rows are stretched those eigenvectors are asked that keep to their choice. Without a
potential such rows are taken for slack, but for those that are held.

Source: Bertsekas, Nonlinear Programming (1999), section 3.3 (second-order conditions); Kaplan (2000), copositivity.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from solvers.halfspaces import lifted
from towsim.model.arrays import Floats, jacobian
from towsim.statics.ends import turns_freely
from towsim.statics.linear import DEPENDENT, STIFF_ROUNDING, Linear, drag, free_moves, linearise
from towsim.statics.search import Found
from towsim.statics.small import Small
from towsim.statics.system import DIFFERENCE, System
from towsim.statics.wheels import stiffness

NEUTRAL, EPSILON = 1e-7, 1e-15
"""Shares of the forces by which the geometric stiffness, which is differenced, is in doubt, and of places."""

PULLS = 1e-9
"""Tension from which a wire counts as taut, relative to the largest."""

AT_LENGTH = 1e-9
"""Gap, relative to the scene's length, to which a row that bears nothing is at its limit."""

MOST_SIDES = 8
"""Rows at their limits of which all choices are asked; more are taken for slack."""


@dataclass(frozen=True)
class Verdict:
    """What small motions say of a rest.

    Attributes
    ----------
    stability : "stable", "neutral" or "unstable"
    curvature : (r,) eigenvalues of the symmetric part of K over the mass, ascending [1/s²]
    at_work : (m,) which of the active rows, of the last look, the motions keep
    limit : (m,) which are at their limits and bear nothing, where motions lead across these
    """

    stability: str
    curvature: Floats
    at_work: np.ndarray
    limit: np.ndarray


def judge(system: System, found: Found) -> Verdict:
    """What small motions about the rest that was found say of it."""
    rest = _Rest(system, found)
    stability, at_work = rest.judged()
    if system.sagging:
        stability = "unstable"
    elif stability == "stable" and _turning(system):
        stability = "neutral"
    return Verdict(stability, rest.small(at_work).curved[0], at_work, rest.limit)


class _Rest:
    """A rest, whose rows at their limits may be at work or not."""

    def __init__(self, system: System, found: Found) -> None:
        look = found.look
        assert look.geometric is not None
        self.system, self.found, self.look, self.rigid = system, found, look, look.sigma == 0.0
        self._last: tuple[np.ndarray, Small] | None = None
        own = system.still.K[np.ix_(system.moves, system.moves)]
        whole = look.geometric if system.model.wheels is None else stiffness(system, found.p)
        self.K = whole + 0.5 * (own - own.T)
        bears = found.p > PULLS * float(np.abs(found.p).max(initial=0.0))
        near = np.abs(look.gap) <= AT_LENGTH * system.size + EPSILON * _far(system)
        at_limit = ~look.free & near & ~bears
        self.taut = self.held = look.free | bears
        self.limit = at_limit
        if at_limit.any():
            V = self.small(self.taut).V
            turned, most = (np.linalg.norm(one, axis=1) for one in (look.J @ V, np.abs(look.J) @ np.abs(V)))
            self.limit = at_limit & (turned > DEPENDENT * most)
            self.held = self.taut.copy()
            self.held[self.limit] = ~lifted(look.J[self.limit] @ V)[0]
        self.open = np.flatnonzero(self.limit & ~(self.held & self.rigid))

    def small(self, at_work: np.ndarray) -> Small:
        """Small motions with these rows at work; massive cables follow without inertia."""
        last = self._last
        if last is None or (last[0] != at_work).any():
            last = self._last = at_work, self._small(at_work)
        return last[1]

    def _small(self, at_work: np.ndarray) -> Small:
        look, soft = self.look, at_work & ~self.rigid
        K = self.K + (look.J[soft].T / look.sigma[soft]) @ look.J[soft]
        q = doubts(self.system, self.found, K)
        return Small.of(self.system.mass(), drag(self.system), K, free_moves(look.J[at_work & self.rigid], len(K)), q)

    def judged(self) -> tuple[str, np.ndarray]:
        """Stability, and rows at work in motions that bear it out."""
        own, spanned = self.small(self.held), self.system.compiled.declared.spanned
        told = own.stability
        if not own.potential and not any(map(spanned, self.system.compiled.declared.wires)):
            told = motions(self.system, self.found, self.held)[1].stability
            if told != "unstable":  # that a cable rolls about its own line is none of the bodies' freedom
                told = "neutral" if own.loose else "stable"
        if told != "unstable" or not own.potential or not 0 < len(self.open) <= MOST_SIDES:
            return told, self.held
        told, where = self._on_the_cone()
        choices = (one for one in (self.held, self.taut | self.limit) if self.small(one).stability == told)
        return told, next(choices, where)

    def _on_the_cone(self) -> tuple[str, np.ndarray]:
        """Stability where rows at their limits hold one side, and a choice of those at work that shows it."""
        told, where = "stable", self.held
        for choice in product((False, True), repeat=len(self.open)):
            at_work = self.held.copy()
            at_work[self.open] = choice
            small = self.small(at_work)
            c, x, doubted = small.curved
            falls = small.V @ x[:, (c < 0.0) & ~doubted]
            if self._keeps(at_work, falls):
                return "unstable", at_work
            if told == "stable" and self._keeps(at_work, np.hstack([falls, small.V @ x[:, doubted]])):
                told, where = "neutral", at_work
        return told, where

    def _keeps(self, at_work: np.ndarray, moves: Floats) -> bool:
        """Whether a combination of moves (n, k) stretches the soft rows at work, and slackens those that are not."""
        sides = self.open[~(at_work & self.rigid)[self.open]]
        J = np.where(at_work[sides], -1.0, 1.0)[:, None] * (self.look.J[sides] @ moves)
        idle = np.linalg.matrix_rank(J) < moves.shape[1] if len(J) else moves.shape[1] > 0
        return bool(idle or lifted(J)[0].any())


def motions(system: System, found: Found, at_work: np.ndarray) -> tuple[Linear, Small]:
    """Small motions with these rows at work, with massive cables by all their elements, and turning wheels.

    Raises
    ------
    UsageError : a massive wire runs over rings or pulleys
    """
    linear = linearise(system, found, at_work)
    K, n = linear.K, linear.bodies
    rest = np.sqrt(linear.doubt[n:] + STIFF_ROUNDING * np.abs(np.diag(K)[n:]))
    q = np.concatenate([doubts(system, found, K[:n, :n]), rest])
    return linear, Small.of(linear.M, linear.D, K, linear.free(), q)


def doubts(system: System, found: Found, K: Floats) -> Floats:
    """Doubts q (n,) of the bodies' moves, see the head; K (n, n), of which stiff springs leave rounding."""
    bodies, nb, work, size = system.model.bodies, system.nb, system.work, system.size
    J = np.abs(system.still.p)[:, None, None, None] * jacobian(system.model.rows, work.J, nb).reshape(
        system.nr, nb, 2, 3
    )
    F, T = (np.linalg.norm(J, axis=3).sum(axis=0) + np.linalg.norm(work.f[:nb].reshape(nb, 2, 3), axis=2)).T
    F = F + bodies.mass * float(np.linalg.norm(bodies.gravity))
    extent = np.sqrt(np.trace(bodies.inertia, axis1=1, axis2=2) / bodies.mass)
    on = system.model.points.node
    for node, arm in zip(on, np.linalg.norm(work.arm, axis=1), strict=True):
        if 0 <= node < nb:
            extent[node] = max(extent[node], arm)
    share = NEUTRAL + found.error + EPSILON * _far(system) / (DIFFERENCE * size)
    square = share * np.stack([F / size, T + F * extent + F * extent**2 / size], axis=1)
    return np.asarray(np.sqrt(np.repeat(square, 3, axis=1).ravel()[system.moves] + STIFF_ROUNDING * np.abs(np.diag(K))))


def _far(system: System) -> float:
    """The largest coordinate of a body or robot [m]."""
    at = system.still.q[: 7 * system.nb].reshape(-1, 7)[:, :3]
    return max(float(np.abs(at).max(initial=0.0)), float(np.abs(system.still.robot).max(initial=0.0)))


def _turning(system: System) -> bool:
    """Whether a cable turns freely about the line of its ends."""
    cables, g = system.cables, system.model.bodies.gravity
    if cables is None or cables.flow is not None or system.model.wheels is not None:
        return False
    held = (np.asarray(cables.hinge) == 0.0) & ((cables.robot >= 0) | (cables.root_closure >= 0))
    return any(turns_freely(system.nodes(c), float(system.feed[c]), g) for c in np.flatnonzero(held).tolist())
