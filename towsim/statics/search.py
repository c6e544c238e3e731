"""The search for rest: Newton's method for complementarity problems, damped like a motion without inertia.

At rest f + Jᵀp = 0 with 0 ≤ ψ ⟂ p ≥ 0 (see ``system``). With K = −∂(f + Jᵀp)/∂x and the bodies' masses M, a step
solves

    (K + μ M) d = f + Jᵀp⁺,      0 ≤ ψ + J d + σ p⁺ ⟂ p⁺ ≥ 0      (= 0 for rows that hold both ways)

For μ = 0 it is Newton's step, and converges quadratically; for large μ it is a step of a motion through honey that only
goes where weights pull and wires let it, so that what is found is a stable place. μ falls while the forces met after a
step are those that were foreseen (pseudo-transient continuation), and rises where they are not. K + μM need be positive
definite only along the active rows: ρ JᵀJ of these is added, which changes no step that keeps them.

Loads that turn with their bodies, and drag in a current, have no potential to go down in: then K is not symmetric, and
the motion through honey, M ẋ = f + Jᵀp, comes to where the real parts of K's eigenvalues over M are positive. It is
gone to by all of K; μ keeps these real parts of K + μM above zero (``twisted``).

Rows that depend on each other share their load with the smallest change: J K⁻¹ Jᵀ + σ gets a diagonal ε, and ε p is
taken off again with the p of the last step (proximal point).

Source: Josephy (1979), Newton's method for generalised equations; Kelley & Keyes (1998), pseudo-transient continuation;
Debreu (1952), definiteness on a subspace; Rockafellar (1976), proximal points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_solve, lu_factor, lu_solve
from scipy.linalg.lapack import dpotrf

import solvers
from solvers import MLCP
from towsim.errors import SceneError
from towsim.model.arrays import FORCE, Floats, Ints, sides_of
from towsim.statics.ends import axial
from towsim.statics.measure import largest_load, measures, rounding
from towsim.statics.system import TOUCHES, Look, System
from towsim.statics.wheels import check_way

MOST = 400
"""Steps."""

LONGEST = 0.25
"""Largest move in a step: relative to the shortest wire of the body that moves, and in rad."""

PROXIMAL = 1e-9
"""ε, relative to the largest entry on the diagonal."""

EXACT, SETTLED = 2e-15, 1e-9
"""Errors, relative to the loads and the length, at which the search ends, and below which it ends once none falls."""

LEAST_SHARE = 1e-3
"""Of the heaviest body's mass: what light ones have at least in the damping, for the sake of the numbers."""

LEAST_DAMPED = 1e-5
"""Damping, relative to that of the first step, up to which the last steps go when they come no closer with less."""

IN_VAIN, NO_FALL = 8, 0.5
"""Moves in which the squares of what is open fall to no less than this share: then they fall no more. Where a wire is
just as long as the least way to its body, as close as rounding allows is 1e-11 of the length."""

WITHIN, TIGHT = 1e-3, 1e-12
"""Gaps, relative to the length or in rad, up to which the start has to be met before the search begins; and where feet
stand, which then do not give way any more."""

LEAST_FALL, LEAST_PART = 1e-4, 2.0**-20
"""Share by which a part of a move has to bring down what is open, per part; and the least part that is tried."""

UNBOUNDED = 1e14
"""Multipliers relative to the loads from which rows are taken to contradict each other: nothing bounds them then."""

ROUNDING, ROUGH = 1e-12, 1e-6
"""Moves, relative to the length or in rad, that are rounding errors: stiff springs make forces of them; and what
these may miss of the loads then."""


@dataclass
class Found:
    """Where a search ended: multipliers of the active rows, the look of the state, error, steps."""

    p: Floats
    look: Look
    error: float
    steps: int


class NoRestError(SceneError):
    """The search came to no rest.

    Attributes
    ----------
    drift : (n,) its last step [m or rad]
    left : (n,) forces and torques that nothing balanced then [N or N m]
    error : what was missing, relative to the loads and the length
    """

    def __init__(
        self,
        message: str = "no rest was found",
        *,
        drift: Floats | None = None,
        left: Floats | None = None,
        error: float = np.inf,
    ) -> None:
        super().__init__(message)
        self.drift: Floats | tuple[()] = () if drift is None else drift
        self.left: Floats | tuple[()] = () if left is None else left
        self.error = error


def search(system: System, *, landing: bool = False, twisted: bool = False) -> Found:
    """Bring the system to rest.

    landing : whether contacts with friction stay where they touch the ground on the way; else they slide there
    twisted : whether to go by all of K, and not by its symmetric part

    Raises
    ------
    NoRestError : there is none that it comes to
    SceneError : an mrfe cable was not found at rest; the start cannot be met; or pulleys are inside each other
    """
    start = system.keep()
    try:
        return _searched(system, landing, twisted)
    except SceneError:
        led = system.keep()
        system.back(start)
        check_way(system, "at the start")
        system.back(led)
        raise


def _searched(system: System, landing: bool, twisted: bool) -> Found:
    n = len(system.moves)
    p = np.zeros(0)
    drift = np.zeros(n)
    _draw_tight(system)
    look = system.look()
    M, strides = _honey(system), _strides(system)
    weight = largest_load(system, look)
    settled = max(SETTLED, 4.0 * rounding(system) * _stiffest(system) / weight)
    mu = first = 10.0 * _rate(system, M, weight)
    floor = 1e-12 * first
    best, error = np.inf, np.inf
    stay, closest = 0, (system.keep(), p)
    for step in range(MOST):
        p = _kept(p, system, len(look.gap))
        kept, tried = system.keep(), False
        while True:
            mu, d, p_new, curve = _step(system, look, M, mu, p, weight, _skew(system) if twisted else None)
            long = float(np.abs(d / strides).max(initial=0.0))
            if long > LONGEST and mu < 1e12 * first and not tried:
                mu *= 4.0
                tried = mu > 1e6 * first
                continue
            break
        if long > LONGEST:
            d = d * (LONGEST / long)
        system.move(d)
        p, before, drift = p_new, drift, d
        system.still.p[system.rows] = p
        try:
            after = system.look()
        except SceneError:
            if mu > 1e9 * first:
                raise
            system.back(kept)
            mu *= 16.0
            continue
        off = float(abs(_left(after, p) @ d - mu * (d @ M @ d)))
        if twisted:
            off = _product(M, _left(after, p) - mu * M @ d, d)
        if off > 2.0 * curve > 0.0 and long <= LONGEST and mu < 1e9 * first and error > 1e-8:
            system.back(kept)
            mu = max(4.0 * mu, 1e-6 * first)
            look = system.look()
            continue
        look, M = after, _honey(system)
        if landing and system.stand(WITHIN * system.size):
            look = system.look()
            p = _kept(p, system, len(look.gap))
        error = _error(system, look, p, weight)
        stopped = long <= ROUNDING and error <= ROUGH
        if error < best:
            closest = system.keep(), p
        if error <= EXACT or ((stopped or min(best, error) <= settled) and error >= 0.5 * best):
            stay += 1
            if error <= EXACT or stay >= 2:
                if error > best:  # at an unstable rest what rounding leaves grows from step to step
                    system.back(closest[0])
                    look, p, error = system.look(), closest[1], best
                return Found(p, look, error, step + 1)
        else:
            stay = 0
        if 0.5 * best <= error < 1e-6 and d @ before <= 0.0:  # to and fro by rounding: something moves freely there
            floor = min(1e3 * floor, LEAST_DAMPED * first)
        best = min(best, error)
        if error < 1e-6:
            mu = floor
        elif off <= 0.25 * curve:
            mu = max(0.2 * mu, floor)
        elif off > curve:
            mu = max(2.0 * mu, floor)
    raise NoRestError(drift=drift, left=_left(look, p), error=error)


def _kept(p: Floats, system: System, rows: int) -> Floats:
    return p if len(p) == rows else system.still.p[system.rows].copy()


def _draw_tight(system: System) -> None:
    """Bring the start to where joints are closed, and wires and contacts within their gaps.

    Feet stay where they stand, if that can be. Or else wires draw them along the ground, or off it, and they stand
    where that leads them: friction holds where nothing moves any more.

    Raises
    ------
    SceneError : the start cannot be brought there; names what is open
    """
    feet = system.stuck
    if not len(feet):
        _reach(system, WITHIN)
        return
    start, none = system.keep(), feet[:0]
    for stuck, standing in ((feet, feet), (none, feet), (none, none)):
        system.back(start)
        system.stuck = stuck
        try:
            _reach(system, TIGHT, standing)
        except SceneError:
            if len(standing):
                continue
            raise
        system.stand(system.touching, borne=False)
        return


def _reach(system: System, within: float, standing: Ints | tuple[()] = ()) -> None:
    """Move the bodies, least first, until joints are closed, and wires and contacts within their gaps, nearly.

    Each move is the least one, by the masses, that meets the gaps to first order, 0 ≤ ψ + J d. It shortens Σ ψ² of what
    is open at the rate 2, so that some part of it, found by halving, brings that down.

    within : what may be left, relative to the length or in rad
    standing : contacts that do not leave the ground

    Raises
    ------
    SceneError : they are not; names what is open
    """
    level = system.model.contacts.row[list(standing), 0]
    look, missing = _open(system, level)
    most = within + 4.0 * rounding(system) / system.size
    squares = [np.inf] * IN_VAIN
    for _ in range(MOST):
        squares.append(float(missing @ missing))
        stalled = squares[-1] > NO_FALL * squares[-1 - IN_VAIN]
        if missing.max(initial=0.0) <= (max(most, TOUCHES) if stalled else most):
            return
        if stalled:
            break
        units = measures(system, look, largest_load(system, look))
        look = units.of(look)
        hard = look.sigma == 0.0
        J, gap, free = look.J[hard], look.gap[hard], look.free[hard]
        Y = np.linalg.solve(units.both(_honey(system)), J.T)
        A = J @ Y
        size = float(np.diag(A).max())
        answer = solvers.solve(MLCP(A / size + PROXIMAL * np.eye(len(A)), gap, free=free))
        d = units.move * (Y @ np.asarray(answer.z)) / size
        turned = float(np.abs(d[system.moves % 6 >= 3]).max(initial=0.0))
        if not np.isfinite(d).all():
            break
        start, before, part = system.keep(), squares[-1], min(1.0, LONGEST / max(turned, LONGEST))
        while part >= LEAST_PART:
            system.move(part * d)
            look, missing = _open(system, level)
            if float(missing @ missing) <= (1.0 - LEAST_FALL * part) * before:
                break
            system.back(start)
            part *= 0.5
        else:
            look, missing = _open(system, level)
            break
    open_ = missing > most
    names = dict.fromkeys(repr(system.rowed.owners[i]) for i in system.rows[open_])
    raise SceneError(
        f"scene {system.compiled.declared.name!r} has no equilibrium near its start: {', '.join(names)} cannot be met, "
        f"by {missing.max():.3g} m or rad; lengthen wires, or move what they are fixed to"
    )


def _stiffest(system: System) -> float:
    """EA/L of the stiffest cable [N/m]: what its ends are off by makes forces."""
    return float(axial(system.cables, system.feed).max()) if system.cables is not None else 0.0


def _open(system: System, level: Ints) -> tuple[Look, Floats]:
    """How the state looks, with rows ``level`` that are held both ways; and what of hard gaps is missing, in units."""
    look = system.look(stiffness=False, hang=False)
    lost = ~np.isfinite(look.gap)
    if lost.any():
        check_way(system, "where the search has led")
        names = ", ".join(dict.fromkeys(repr(system.rowed.owners[i]) for i in system.rows[lost]))
        raise SceneError(
            f"scene {system.compiled.declared.name!r} has no equilibrium near its start: where the search led, {names} "
            "have no length; move what they pass apart"
        )
    look = replace(look, free=look.free | np.isin(system.rows, level))
    gap = look.gap / measures(system, look, 1.0).row
    return look, np.where(look.free, np.abs(gap), np.maximum(-gap, 0.0)) * (look.sigma == 0.0)


def _honey(system: System) -> Floats:
    """What resists moves, by the damping μ: masses and inertias, light bodies with a share of the heaviest's."""
    M = system.mass()
    heaviest = float(system.model.bodies.mass.max(initial=0.0))
    turns = system.moves % 6 >= 3
    return M + LEAST_SHARE * heaviest * np.diag(np.where(turns, system.size**2, 1.0))


def _rate(system: System, M: Floats, weight: float) -> float:
    """Square of a frequency of the scene [1/s²]."""
    bodies = system.model.bodies
    return weight / ((float(bodies.mass.max(initial=0.0)) or 1.0) * system.size)


def _strides(system: System) -> Floats:
    """Lengths (n,) that moves are compared with: the shortest wire of that body, or else of the scene; 1 for turns."""
    model, cables = system.model, system.cables
    shortest = np.full(system.nb, np.inf)
    wires = zip(model.wires.row, system.still.length[: len(model.wires.row)], strict=True)
    ends = [(model.rows.node[sides_of(model.rows, row)], length) for row, length in wires]
    if cables is not None:
        tips, roots = model.balls.a[cables.closure], model.balls.b[cables.root_closure]
        roots = np.where(cables.root_closure >= 0, roots, tips)
        ends += zip(model.points.node[np.column_stack([tips, roots])], system.feed, strict=True)
    for nodes, length in ends:
        np.minimum.at(shortest, nodes[(nodes >= 0) & (nodes < system.nb)], length)
    shortest[np.isinf(shortest)] = system.size
    return np.where(system.moves % 6 >= 3, 1.0, shortest[system.moves // 6])


def has_potential(system: System) -> bool:
    """Whether loads have a potential: none that turn with their bodies, no couples, no drag of hulls in a current."""
    return not (
        np.any(system.model.loads.kind != FORCE) or (system.model.drags is not None and system.still.wind.any())
    )


def _skew(system: System) -> Floats:
    """What K has beside its symmetric part."""
    own = system.still.K[np.ix_(system.moves, system.moves)]
    return np.asarray(0.5 * (own - own.T))


def _product(M: Floats, force: Floats, d: Floats) -> float:
    """The most work that a force of this size does in a move of this size."""
    return float(np.sqrt(abs(force @ np.linalg.solve(M, force)) * (d @ M @ d)))


def _factor(B: Floats, M: Floats, skew: Floats | None) -> Callable[[Floats], Floats] | None:
    """What solves with B (and the skew part of it); None if it is not positive (see the head)."""
    lower, info = dpotrf(B, lower=1)
    if skew is None:
        return (lambda right: cho_solve((lower, True), right)) if info == 0 else None
    if info and float(np.real(np.linalg.eigvals(np.linalg.solve(M, B + skew))).min()) <= 0.0:
        return None
    factor = lu_factor(B + skew)
    return lambda right: lu_solve(factor, right)


def _step(
    system: System, look: Look, M: Floats, mu: float, p: Floats, weight: float, skew: Floats | None
) -> tuple[float, Floats, Floats, float]:
    """A step d and multipliers p⁺; μ rises until K + μM is positive definite along the active rows."""
    units = measures(system, look, weight)
    owned, look, M, p = system.rows, units.of(look), units.both(M), units.multipliers(p)
    skew = None if skew is None else units.both(skew)
    assert look.geometric is not None
    hard = (look.free | (p > 1e-9)) & (look.sigma == 0.0)
    soft = (look.free | (p > 0.0)) & (look.sigma > 0.0)
    J_hard = look.J[hard]
    B0 = look.geometric
    lines = np.einsum("ij,ij->i", J_hard, J_hard)
    rho = 0.0
    if len(J_hard):
        rho = 100.0 * (float(np.abs(B0).max(initial=0.0)) + 1.0) / max(float(lines.max()), 1e-300)
    # An active spring is half in K, half in its row, which then has twice its compliance and half of its force.
    J_soft, half = look.J[soft], 0.5 / look.sigma[soft]
    added = rho * J_hard.T @ J_hard + (J_soft.T * half) @ J_soft
    while True:
        B = B0 + mu * M + added
        solve = _factor(B, M, skew)
        if solve is not None:
            break
        mu = max(4.0 * mu, 1e-8 / float(np.diag(M).min()))
    g = look.force - rho * J_hard.T @ look.gap[hard] - J_soft.T @ (half * look.gap[soft])
    free_move = solve(g)  # B may be only just so: it is not to be judged twice
    if skew is not None:
        B = B0 + mu * M + skew
    if not len(look.J):
        return mu, units.move * free_move, np.zeros(0), units.energy * _curve(B, M, free_move, skew)
    Y = solve(look.J.T)
    A = look.J @ Y
    sigma = np.where(soft, 2.0 * look.sigma, look.sigma)
    A = (0.5 * (A + A.T) if skew is None else A) + np.diag(sigma)
    epsilon = PROXIMAL * float(np.diag(A).max())
    keep = np.where(look.sigma > 0.0, 0.0, epsilon)
    q = look.gap + look.J @ free_move - keep * p
    answer = solvers.solve(MLCP(A + np.diag(keep), q, free=look.free))
    p_new = np.asarray(answer.z)
    pull = np.abs(p_new)
    if not answer.solved or pull.max() > UNBOUNDED:
        most = pull > 1e-3 * pull.max() if answer.solved else np.ones(len(pull), bool)
        names = dict.fromkeys(repr(system.rowed.owners[i]) for i in owned[most])
        raise SceneError(
            f"scene {system.compiled.declared.name!r} has no equilibrium near its start: {', '.join(names)} contradict "
            "each other; lengthen wires, or move what they are fixed to"
        )
    y = free_move + Y @ p_new
    p_new = np.where(soft, 2.0 * p_new, p_new)
    return mu, units.move * y, p_new * units.energy / units.row, units.energy * _curve(B, M, y, skew)


def _curve(B: Floats, M: Floats, d: Floats, skew: Floats | None) -> float:
    """What the forces of a step d come to: their work, or, without a potential, the most of it."""
    return float(d @ B @ d) if skew is None else _product(M, B @ d, d)


def _left(look: Look, p: Floats) -> Floats:
    """Forces and torques that nothing balances."""
    return np.asarray(look.force + look.J.T @ p if len(look.J) == len(p) else look.force)


def _error(system: System, look: Look, p: Floats, weight: float) -> float:
    """What is missing at rest: forces relative to all that act, torques with the length, gaps with the length."""
    units = measures(system, look, weight)
    look, p = units.of(look), units.multipliers(p)
    gap = look.gap + look.sigma * p
    missing = np.where(look.free, np.abs(gap), np.where(p > 0.0, np.abs(gap), np.maximum(-gap, 0.0)))
    unmet = float(np.abs(_left(look, p)).max(initial=0.0)) / max(1.0, float(np.abs(p).max(initial=0.0)))
    return max(unmet, float(missing.max(initial=0.0)))
