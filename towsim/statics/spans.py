"""Massive wires over rings: how a wire's length is shared between its spans, each of which hangs by itself.

A wire of length L over m − 1 rings hangs in m spans of lengths L_k. Ring k lets the length u_k pass from the span
behind it to the one before it, so that L = L⁰ + B u keeps the sum. Without friction the potential energy V = Σ V_k of
the whole is stationary: of its elements, as a run has them too (see dynamics/flow), so that one that starts here
stays.

    r_k = −∂V/∂u_k = V_{k+1}′ − V_k′ = T_k − T_{k+1} = 0,      V′ = dV/dL = ∂V/∂L − F·∂x_tip/∂L

with the force F on the tip, and T = −V′ − w·x at an end x of weight w per length: the tension there, and T²/2EA more,
to the square of the elements' length. Material that crosses a ring changes neither its place nor its tension. With V″
by differences, H = −∂r/∂u = Bᵀ V″ B is the stiffness against slipping: its negative eigenvalues are directions in
which the wire runs off. Newton's steps are taken in arsinh(T/W) with the weight W of the wire, ln T of a taut one,
which a slack span (T ∝ 1/√excess) and a taut one both bend little, and along |H|⁻¹ r where H is not positive definite:
downhill. A step changes what a span is longer or shorter than its chord, and its strain, by a factor at most.

With the moves x of the bodies, G = ∂V′/∂x of a span follows from ∂F/∂L. The wire slips by u = −H⁻¹ Bᵀ G x, which takes
Gᵀ B H⁻¹ Bᵀ G from the stiffness that the bodies feel.

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

SHARE = 3e-5
"""Change of a length over which forces are differenced, relative to what it is longer than its chord, and its
stretch."""

LONGEST = 0.2
"""Largest change of a length in one step, relative to it."""

CLOSER, LEAST = 0.7, 1e-6
"""And relative to what it is longer than its chord; and how much of a length may always change."""

EXACT, SETTLED = 1e-14, 1e-9
"""Differences of arsinh(T/W) at which the search ends, and below which it ends once they no longer fall."""

ROUNDINGS = 4.0
"""Of places, by which the ends of a span may be off."""

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
            if len(cables) == 1:
                continue  # ends at wheels, and passes none
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
    tension : T of this module of a cable as it hangs, at its root and at its tip [N]
    """

    def __init__(
        self,
        routes: list[Route],
        weight: Floats,
        stiffness: Floats,
        feed: Floats,
        force: Floats,
        tension: Callable[[int], tuple[float, float]],
    ) -> None:
        self.routes, self._weight, self._axial, self._feed, self._force = routes, weight, stiffness, feed, force
        self._tension = tension
        self.slope = np.zeros_like(force)
        self.slipping = 0
        self._rates: list[Floats] = []
        self._stiffness: list[Floats] = []

    def settle(
        self,
        apart: Floats,
        passed: Floats,
        rounding: float,
        hang: Callable[[], None],
        keep: Callable[[], Kept],
        back: Callable[[Kept], None],
    ) -> None:
        """Share the lengths so that tensions on both sides of each ring are the same, and wheels bear their difference.

        Parameters
        ----------
        apart : (nk,) distances of the cables' ends [m]
        passed : (nk, 3) way from the end of the span before each span to its beginning, over a wheel [m]
        rounding : of places [m]
        hang : brings the cables to rest at the lengths in ``feed``
        keep, back : remember their state, and bring it back

        Raises
        ------
        SceneError : a wire was not found at rest; by name
        """
        best = np.inf
        for _ in range(MOST):
            hang()
            pulls = [self._pulls(route, passed) for route in self.routes]
            off = [
                np.arcsinh(before[:-1] / W) - np.arcsinh(after[1:] / W)
                for W, (before, after) in zip(self._whole(), pulls, strict=True)
            ]
            self._differences(apart, pulls, hang, keep, back)
            worst = max(float(np.abs(one).max()) for one in off)
            if worst <= EXACT or (worst <= max(SETTLED, self._unknown(pulls, rounding)) and worst >= 0.5 * best):
                return
            best = min(best, worst)
            for route, W, one, ends, rates in zip(self.routes, self._whole(), off, pulls, self._rates, strict=True):
                self._feed[route.cables] += self._step(route, apart[route.cables], W, one, ends, rates)
        raise SceneError(
            f"wire {self.routes[int(np.argmax([np.abs(one).max() for one in off]))].name!r} was not found at rest over "
            f"its rings: tensions differ by {worst:.1e}; start nearer to how it hangs"
        )

    def _differences(
        self,
        apart: Floats,
        pulls: list[tuple[Floats, Floats]],
        hang: Callable[[], None],
        keep: Callable[[], Kept],
        back: Callable[[Kept], None],
    ) -> None:
        """∂F/∂L and ∂T/∂L of all spans, H of all routes, and how many ways there are to run off."""
        kept, feed = keep(), self._feed.copy()
        on = np.concatenate([route.cables for route in self.routes])
        change = np.zeros_like(feed)
        for route, (ahead, behind) in zip(self.routes, pulls, strict=True):
            c = route.cables
            strain = np.maximum(np.abs(ahead), np.abs(behind)) / self._axial[c]
            change[c] = SHARE * (np.abs(feed[c] - apart[c]) + (strain + LEAST) * feed[c])
        found = []
        for side in (1.0, -1.0):
            self._feed[:] = feed + side * change
            hang()
            at_tip = np.array([self._tension(c)[1] for c in on.tolist()])
            found.append((self._feed[on].copy(), self._force[on].copy(), at_tip))
        (long, force, pull), (short, less, low) = found
        self.slope[on] = (force - less) / (long - short)[:, None]
        rates = np.zeros_like(feed)
        rates[on] = (pull - low) / (long - short)
        self._rates = [rates[route.cables] for route in self.routes]
        self._feed[:] = feed
        back(kept)
        self.slipping = 0
        self._stiffness = []
        for route, rates in zip(self.routes, self._rates, strict=True):
            H = -route.shares.T @ (rates[:, None] * route.shares)
            self._stiffness.append(H)
            self.slipping += int((np.linalg.eigvalsh(H) < -NEUTRAL * np.abs(rates).max()).sum())

    def _pulls(self, route: Route, passed: Floats) -> tuple[Floats, Floats]:
        """Tensions (m,) at the ends, and at the beginnings, of the spans; these less the weight that is on wheels."""
        root, tip = np.array([self._tension(c) for c in route.cables.tolist()]).T
        borne = np.einsum("ki,ki->k", self._weight[route.cables], passed[route.cables])
        return np.where(route.forward, tip, root), np.where(route.forward, root, tip) + borne

    def _unknown(self, pulls: list[tuple[Floats, Floats]], rounding: float) -> float:
        """Difference of arsinh(T/W) that is made by places which are off by their ``rounding``."""
        found = 0.0
        for W, both, rates in zip(self._whole(), pulls, self._rates, strict=True):
            least = np.minimum(np.abs(both[0]), np.abs(both[1]))
            found = max(found, ROUNDINGS * rounding * float((np.abs(rates) / np.hypot(least, W)).max()))
        return found

    def _whole(self) -> list[float]:
        """Weights of the wires [N]; without any, what stretches them by ``LEAST``."""
        found = []
        for route in self.routes:
            c = route.cables
            weight = float(np.linalg.norm(self._weight[c[0]]) * self._feed[c].sum())
            found.append(weight or LEAST * float(self._axial[c[0]]))
        return found

    def _step(
        self, route: Route, apart: Floats, W: float, off: Floats, pulls: tuple[Floats, Floats], rates: Floats
    ) -> Floats:
        """Change of the spans' lengths (m,), from the tensions at their ends, and ∂T/∂L."""
        ahead, behind = pulls
        H = (rates / np.hypot(behind, W))[1:, None] * route.shares[1:]
        H -= (rates / np.hypot(ahead, W))[:-1, None] * route.shares[:-1]
        value, vector = np.linalg.eigh(0.5 * (H + H.T))
        size = np.maximum(np.abs(value), 1e-9 * np.abs(value).max())
        step = route.shares @ (vector @ ((vector.T @ off) / size))
        long = self._feed[route.cables]
        strain = np.maximum(np.abs(ahead), np.abs(behind)) / self._axial[route.cables]
        most = np.minimum(LONGEST * long, CLOSER * np.abs(long - apart) + (2.0 * strain + LEAST) * long)
        over = float(np.abs(step / most).max())
        return np.asarray(step / max(over, 1.0))

    def stiffness_of_slipping(self, tip: Floats, root: Floats) -> Floats:
        """What the slipping adds to the stiffness of the bodies.

        tip, root : (nk, 3, n) how the tips, and minus how the roots move with the bodies
        """
        K = np.zeros((tip.shape[2], tip.shape[2]))
        for route, H in zip(self.routes, self._stiffness, strict=True):
            c = route.cables
            slope = self.slope[c]
            G = np.einsum("kin,ki->kn", tip[c], slope) + np.einsum("kin,ki->kn", root[c], slope + self._weight[c])
            passed = route.shares.T @ G
            K -= passed.T @ np.linalg.solve(H, passed)
        return K
