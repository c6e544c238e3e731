"""Massive wires over rings: how a wire's length is shared between its spans, each of which hangs by itself.

A wire of length L over m − 1 rings hangs in m spans of lengths L_k. Ring k lets the length u_k pass from the span
behind it to the one before it, so that L = L⁰ + B u keeps the sum. Without friction the potential energy V of the whole
is stationary. Material that crosses a ring changes neither its place nor its tension there, so what is left of ∂V/∂u_k
is the difference of the tensions on both sides:

    r_k = T_k − T_{k+1} = 0,      T_k = |F_k| at the end of span k, |F_{k+1} + W_{k+1}| at the beginning of the next

with the force F on a span's tip and its weight W. With ∂F/∂L by differences, H = −∂r/∂u is the stiffness against
slipping: its negative eigenvalues are directions in which the wire runs off. Newton's steps are taken in ln T, which a
slack span (T ∝ 1/√excess) and a taut one both bend little, and along |H|⁻¹ r where H is not positive definite:
downhill. A step changes what a span is longer or shorter than its chord, and its strain, by a factor at most.

The ends of the spans have F(x, L(x)): with S = ∂F/∂x of a span, f = ∂F/∂L, and X = ∂r/∂x, u follows the ends by
u = H⁻¹ X x, and the bodies feel the stiffness S and f B H⁻¹ X together.

Source: stationary potential energy; two catenaries over a pulley: Routh, Analytical Statics I (1891), §§ 443-447.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import Floats, Ints
from towsim.model.compile import Compiled

Kept = tuple[Floats, ...]
"""What brings a state back."""

MOST = 200
"""Steps."""

SHARE = 1e-6
"""Change of a length over which forces are differenced, relative to it."""

LONGEST = 0.2
"""Largest change of a length in one step, relative to it."""

CLOSER, LEAST = 0.7, 1e-6
"""And relative to what it is longer than its chord; and how much of a length may always change."""

EXACT, SETTLED = 1e-14, 1e-9
"""Differences of ln T at which the search ends, and below which it ends once they no longer fall."""

NEUTRAL = 1e-7
"""Eigenvalues of H of this size, relative to the largest entry that it is made of, are none."""


@dataclass
class Route:
    """A massive wire over rings.

    Attributes
    ----------
    name : of the wire as declared
    cables : (m,) numbers of its spans, in order
    forward : (m,) whether a span's root is at its beginning
    """

    name: str
    cables: Ints
    forward: np.ndarray

    @property
    def shares(self) -> Floats:
        """B (m, m − 1): ∂L/∂u."""
        m = len(self.cables)
        return np.asarray(np.eye(m, m - 1) - np.eye(m, m - 1, -1))


def routes_of(compiled: Compiled) -> list[Route]:
    """The massive wires over rings of a compiled scene."""
    names, found = compiled.cable_names, []
    for name, wire in compiled.declared.wires.items():
        if name not in compiled.scene.wires:
            cables = [names.index(f"{name}.{k + 1}") for k in range(len(wire.via) + 1)]
            roots = [compiled.table.cables[c].root for c in cables]
            begins = [end == root for end, root in zip(wire.ends, roots, strict=False)]
            found.append(Route(name, np.array(cables), np.array(begins)))
    return found


class Shared:
    """The shares of some routes, and what follows from them.

    Parameters
    ----------
    weight : (nk, 3) of each cable per length, with gravity [N/m];  stiffness : (nk,) EA [N]
    feed : (nk,) lengths of all cables [m], written to;  force : (nk, 3) on their tips [N], as they hang
    """

    def __init__(self, routes: list[Route], weight: Floats, stiffness: Floats, feed: Floats, force: Floats) -> None:
        self.routes, self._weight, self._axial, self._feed, self._force = routes, weight, stiffness, feed, force
        self.slope = np.zeros_like(force)
        self.slipping = 0
        self._rates: list[tuple[Floats, Floats]] = []
        self._stiffness: list[Floats] = []

    def settle(
        self,
        apart: Floats,
        hang: Callable[[], None],
        keep: Callable[[], Kept],
        back: Callable[[Kept], None],
    ) -> None:
        """Share the lengths so that tensions are the same on both sides of each ring.

        Parameters
        ----------
        apart : (nk,) distances of the cables' ends [m]
        hang : brings the cables to rest at the lengths in ``feed``
        keep, back : remember their state, and bring it back

        Raises
        ------
        SceneError : a wire was not found at rest; by name
        """
        best = np.inf
        for _ in range(MOST):
            hang()
            self._differences(hang, keep, back)
            off = [self._off(route) for route in self.routes]
            worst = max(float(np.abs(one).max()) for one in off)
            if worst <= EXACT or (worst <= SETTLED and worst >= 0.5 * best):
                return
            best = min(best, worst)
            for route, one, rates in zip(self.routes, off, self._rates, strict=True):
                self._feed[route.cables] += self._step(route, apart[route.cables], one, *rates)
        raise SceneError(
            f"wire {self.routes[int(np.argmax([np.abs(one).max() for one in off]))].name!r} was not found at rest over "
            f"its rings: tensions differ by {worst:.1e}; start nearer to how it hangs"
        )

    def _differences(self, hang: Callable[[], None], keep: Callable[[], Kept], back: Callable[[Kept], None]) -> None:
        """∂F/∂L of all spans, H of all routes, and how many ways there are to run off."""
        kept, force, feed = keep(), self._force.copy(), self._feed.copy()
        on = np.concatenate([route.cables for route in self.routes])
        self._feed[on] *= 1.0 + SHARE
        hang()
        self.slope[on] = (self._force[on] - force[on]) / (SHARE * feed[on])[:, None]
        self._feed[:] = feed
        back(kept)
        self.slipping = 0
        self._rates, self._stiffness = [], []
        for route in self.routes:
            ahead, behind = self.ends(route)
            before = np.einsum("ij,ij->i", ahead[1][:-1], self.slope[route.cables[:-1]])
            after = np.einsum("ij,ij->i", behind[1][1:], self.slope[route.cables[1:]])
            before += self._own(route, route.forward, ahead[1], 0)
            after += self._own(route, ~route.forward, behind[1], 1)
            H = _symmetric(route.shares, before, after)
            self._rates.append((before, after))
            self._stiffness.append(H)
            least = np.linalg.eigvalsh(H)
            self.slipping += int((least < -NEUTRAL * max(np.abs(before).max(), np.abs(after).max())).sum())

    def _own(self, route: Route, at_tip: np.ndarray, along: Floats, side: int) -> Floats:
        """What the weight of a span adds to ∂T/∂L where its root is at the ring."""
        part = slice(None, -1) if side == 0 else slice(1, None)
        weight = np.einsum("ij,ij->i", along[part], self._weight[route.cables[part]])
        return np.where(at_tip[part], 0.0, weight)

    def ends(self, route: Route) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Tensions (m,) and unit vectors (m, 3) along the forces at the ends, and at the beginnings, of the spans."""
        tip = self._force[route.cables]
        root = tip + self._weight[route.cables] * self._feed[route.cables, None]
        found = []
        for force in (np.where(route.forward[:, None], tip, root), np.where(route.forward[:, None], root, tip)):
            size = np.linalg.norm(force, axis=1)
            found.append((size, force / np.maximum(size, 1e-300)[:, None]))
        return found[0], found[1]

    def _off(self, route: Route) -> Floats:
        """Differences of ln T at the rings."""
        (before, _), (after, _) = self.ends(route)
        return np.asarray(np.log(before[:-1] / after[1:]))

    def _step(self, route: Route, apart: Floats, off: Floats, before: Floats, after: Floats) -> Floats:
        """Change of the spans' lengths (m,), from ∂T/∂L before and after the rings."""
        (ahead, _), (behind, _) = self.ends(route)
        value, vector = np.linalg.eigh(_symmetric(route.shares, before / ahead[:-1], after / behind[1:]))
        size = np.maximum(np.abs(value), 1e-9 * np.abs(value).max())
        step = route.shares @ (vector @ ((vector.T @ off) / size))
        long = self._feed[route.cables]
        strain = np.maximum(ahead, behind) / self._axial[route.cables]
        most = np.minimum(LONGEST * long, CLOSER * np.abs(long - apart) + (2.0 * strain + LEAST) * long)
        over = float(np.abs(step / most).max())
        return np.asarray(step / max(over, 1.0))

    def stiffness_of_slipping(self, tip: Floats, root: Floats, stiff: Floats) -> Floats:
        """What the slipping adds to the stiffness of the bodies.

        Parameters
        ----------
        tip, root : (nk, 3, n) how the tips, and minus how the roots move with the bodies;  stiff : (nk, 3, 3) ∂F/∂x
        """
        K = np.zeros((tip.shape[2], tip.shape[2]))
        for route, H in zip(self.routes, self._stiffness, strict=True):
            c = route.cables
            (_, ahead), (_, behind) = self.ends(route)
            change = stiff[c] @ (tip[c] + root[c])
            X = np.einsum("ki,kin->kn", ahead[:-1], change[:-1]) - np.einsum("ki,kin->kn", behind[1:], change[1:])
            L = route.shares @ np.linalg.solve(H, X)
            slope = self.slope[c]
            G = np.einsum("kin,ki->kn", tip[c], slope) + np.einsum("kin,ki->kn", root[c], slope + self._weight[c])
            K += G.T @ L
        return K


def _symmetric(B: Floats, before: Floats, after: Floats) -> Floats:
    """H of ∂T/∂L before and after the rings; elements make it symmetric to the square of their length."""
    H = after[:, None] * B[1:] - before[:, None] * B[:-1]
    return np.asarray(0.5 * (H + H.T))
