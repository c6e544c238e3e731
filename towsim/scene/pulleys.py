"""Pulleys with a radius: where a wire meets and leaves their grooves, and how far it lies on them.

A *block* aligns itself with its wire: its centre c and both straight parts are in one plane. From the point p before
and q behind it, with a = p − c, b = q − c, axle w = b × a / |b × a| and |a|, |b| > r, the wire lies between

    meet    r (r â + √(|a|² − r²) w × â)/|a|
    leave   r (r b̂ − √(|b|² − r²) w × b̂)/|b|        from c

A pulley that *swivels* ends a wire. It turns about the axis s through A, along which the wire comes in: as in
``towsim.cdpr``, with d_e and d_s the place of p from the wheel's centre A + r e, e ⟂ s towards p, and the free part
ℓ = √(d_e² + d_s² − r²),

    angle   β = atan2(r d_s + ℓ d_e, ℓ d_s − r d_e),      leave   r (1 − cos β) e + r sin β s        from A

The wire's length is that of its straight parts and arcs, Σ |parts| + Σ r β. A straight part begins and ends at a
tangent, so that what a wheel's turn adds to an arc it takes from the part: the length changes with the bodies as if
both ends of each straight part were fixed to them. Neighbouring wheels depend on each other: they are laid by turns,
with Newton's steps for all of a wire (see ``constraints/pulley``, which this knows nothing of, for kernels).

**Several ways.** Over blocks with centres c_k the length is stationary in the directions u_k of the straight parts,

    L = max Σ u_k·(c_k+1 − c_k) + Σ r_k ∠(u_k−1, u_k)        over unit vectors u_k

as a tangent point is perpendicular to its part, and the way at the inside of one bend is the longer of two. Where a
wire passes blocks nearly straight it may have several such ways: it takes the longest. As the largest of functions that
are linear in the centres, L is convex in them, and has no jumps; where two ways are equally long it has a kink, at
which a taut wire is jerked, as where a single block turns over. The shortest one may end somewhere, with a jump in L,
which makes energy. The longest is looked for from ``SIDES`` of every block that its neighbours could turn over, and
found but for few. Half a turn on a wheel is the most for which this holds: a longer way is not taken if it lies by more
than that on more wheels. Where there are wheels beside a block that is passed nearly straight, there may be no way at
the inside of every bend.

Source: Pott, *Influence of pulley kinematics on cable-driven parallel robots* (2012); the envelope theorem.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.quantity import Direction, End, Quantity, Vec3

Array = NDArray[np.float64]
TURNS, FROM_CENTRES, SETTLED = 60, 2, 1e-9
"""Rounds of laying the wheels of a wire, and those before Newton's steps; the last of these, as a share of the radius.
"""

CLOSE = 1e-4
"""Share of the radii above them at which nothing is left of the wire between wheels, which a step may pass by."""

SIDES = 3
"""Sides of a block that is passed nearly straight from which a way is looked for, all around the wire."""

NO_WAY = (
    "has no way over neighbouring pulleys that is at the inside of every bend, as it passes one of them nearly "
    "straight: this one is about to turn over; keep the wire bent over it, or let it run through a ring there"
)

UNWOUND = -0.5 * math.pi
"""Angles below this one are taken for what lies beyond π; negative ones above it have left their pulley."""


class Pulley(Declared):
    """A wheel without friction over which wires run, at a "body", "body.point", "robot" or "robot.point".

    Without ``swivel`` it is a block that turns itself into the plane of its wire, at the inside of the bend; wires pass
    it (``via``), and ``at`` is its centre. With ``swivel`` it ends wires (``from``, ``to``): they come from a winch to
    the point ``at`` along this axis, about which its fork swivels, and lengths count from there, with what lies on the
    wheel. Lengths and tensions are exact. Wires turn the ``inertia`` of a block's wheel, on which massless ones do not
    slip: their tensions before and behind it then differ. Where a wire passes a block nearly straight, and its load
    swings on to the other side, the block turns over, as one that hangs free does; a taut wire is jerked by that. There
    is no sheave with a fixed axis, and no wire lies on a block by more than half a turn: it comes off beyond that.
    """

    at: End
    radius: Annotated[float, Quantity("radius of the groove, to the middle of the wire", "m", above=0.0)]
    inertia: Annotated[float, Quantity("moment of inertia of a block, which its wire turns", "kg m²", least=0.0)] = 0.0
    swivel: (
        Annotated[
            Vec3,
            Direction("axis of the fork, the way of the wire from its winch; body axes, or world axes at a robot"),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.swivel is not None and self.inertia > 0.0:
            raise problem("a pulley with a swivel ends its wire, which does not turn it; leave this out", "inertia")
        return self


class Wound:
    """A wire's points and wheels, laid.

    Attributes
    ----------
    meet, leave : (n, 3) where the wire comes and goes, from each of the points;  arc : (n,) that lies there [m]
    centres : (n, 3) of the wheels, or the points themselves
    settled : whether it has this way; if not, this is where the search for one ended
    """

    def __init__(self, places: Sequence[Array], wheels: Sequence[Pulley | None], axes: Sequence[Array]) -> None:
        n = len(places)
        self._places, self._wheels, self._axes = places, wheels, axes
        self.meet, self.leave, self.arc = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n)
        self.centres = np.array(places)
        self._axles, self._by = np.zeros((n, 3)), np.zeros((n, 4))
        apart = all(one is None or other is None for one, other in pairwise(wheels))
        self.settled = apart or self._settle()
        self._lay()
        for k, wheel in enumerate(wheels):
            if wheel is not None and wheel.swivel is None and self._may_turn_over(k):
                self._lengthen(k, wheel.radius)

    @property
    def parts(self) -> Array:
        """(n − 1, 3) straight parts."""
        return np.diff(self._places, axis=0) + self.meet[1:] - self.leave[:-1]

    def _settle(self, held: int | None = None) -> bool:
        """Lay all wheels from where the wire touches them; whether that came to rest.

        held : wheel that stays as it is until Newton's steps begin
        """
        for turn in range(TURNS):
            was, left = self.meet.copy(), self.leave.copy()
            self._lay()
            if turn >= FROM_CENTRES:
                if self._correct(was, 1.0 / turn):
                    return True
            elif held is not None:
                self.meet[held], self.leave[held] = was[held], left[held]
        return False

    def _may_turn_over(self, k: int) -> bool:
        """Whether a block's neighbours, which move the wire by a diameter, could have it on the other side of it."""
        before, behind = (0.0 if one is None else one.radius for one in (self._wheels[k - 1], self._wheels[k + 1]))
        a, b = (self._places[j] + way[j] - self._places[k] for j, way in self._beside(k))
        most = 2.0 * (before * np.linalg.norm(b) + behind * np.linalg.norm(a))
        return bool(a @ b < 0.0 and np.linalg.norm(cross(b, a)) <= most > 0.0)

    def _beyond(self) -> int:
        """Number of wheels on which more than half a turn lies."""
        wheels = zip(self._wheels, self.arc, strict=True)
        return sum(one is not None and bool(arc > math.pi * one.radius) for one, arc in wheels)

    def _lengthen(self, k: int, r: float) -> None:
        """Look for longer ways from other sides of block k, and lay the wire on the longest."""
        kept = self.meet.copy(), self.leave.copy()
        longest, most = (self.length, self._beyond()) if self.settled else (0.0, len(self.arc))
        a, b = (self._places[j] + way[j] for j, way in self._beside(k))
        along = (b - a) / np.linalg.norm(b - a)
        side = self.meet[k] + self.leave[k]
        side = side - (along @ side) * along
        side *= r / np.linalg.norm(side)
        for _ in range(SIDES - 1):
            side = math.cos(math.tau / SIDES) * side + math.sin(math.tau / SIDES) * cross(along, side)
            self.meet[:], self.leave[:] = kept
            self.meet[k] = self.leave[k] = side
            if self._settle(k):
                self._lay()
                if self.length > longest + SETTLED * r and self._beyond() <= most:
                    self.settled, longest, most = True, self.length, self._beyond()
                    kept = self.meet.copy(), self.leave.copy()
        self.meet[:], self.leave[:] = kept
        self._lay()

    def _lay(self) -> None:
        """Each wheel between where the wire is at its neighbours."""
        for k, wheel in enumerate(self._wheels):
            if wheel is not None:
                ways = [self._places[j] + way[j] - self._places[k] for j, way in self._beside(k)]
                if wheel.swivel is None:
                    self._block(k, wheel.radius, *ways)
                else:
                    self._swivel(k, wheel.radius, self._axes[k], ways[0])
                    self.centres[k] = self._places[k] + wheel.radius * self._towards

    def _correct(self, was: Array, farthest: float) -> bool:
        """Newton's step of the points where wheels beside each other meet the wire; whether it was the last one.

        was : (n, 3) where they met it before they were laid;  farthest : share of the radius by which they may move
        """
        n, w, move = len(was), self._axles, self.meet - was
        A, rest = np.eye(2 * n), np.zeros(2 * n)  # how far the axles' ways: where each is met, and where it is left
        for k, by in enumerate(self._by):
            here = slice(2 * k, 2 * k + 2)
            if k > 0:
                A[here, 2 * k - 1] -= by[:2] * (w[k] @ w[k - 1])
            if k + 1 < n:
                A[here, 2 * k + 2] -= by[2:] * (w[k] @ w[k + 1])
                rest[here] = by[2:] * (w[k] @ move[k + 1])
        try:
            ways = np.linalg.solve(A, rest)
        except np.linalg.LinAlgError:  # of wheels that are inside each other
            return False
        step, settled = move + ways[::2, None] * w, True
        for k, (before, wheel) in enumerate(pairwise(self._wheels), 1):
            if before is not None and wheel is not None:
                size = float(np.linalg.norm(step[k]))
                settled = settled and size <= SETTLED * wheel.radius
                meet = was[k] + min(1.0, farthest * wheel.radius / max(size, 1e-300)) * step[k]
                self.meet[k] = np.linalg.norm(self.meet[k]) / np.linalg.norm(meet) * meet
        return settled

    @property
    def length(self) -> float:
        """Straight parts and arcs [m]."""
        return float(np.linalg.norm(self.parts, axis=1).sum() + self.arc.sum())

    def _beside(self, k: int) -> list[tuple[int, Array]]:
        return [(j, way) for j, way in ((k - 1, self.leave), (k + 1, self.meet)) if 0 <= j < len(self._wheels)]

    def _block(self, k: int, r: float, a: Array, b: Array) -> None:
        da, db = float(np.linalg.norm(a)), float(np.linalg.norm(b))
        w = cross(b, a)
        size = float(np.linalg.norm(w))
        straight = not size > 1e-12 * da * db
        w = across(a) if straight else w / size
        to_a, to_b = a / max(da, 1e-300), b / max(db, 1e-300)
        sa, sb = min(r / max(da, r), 1.0), min(r / max(db, r), 1.0)
        ca, cb = math.sqrt(1.0 - sa * sa), math.sqrt(1.0 - sb * sb)
        self.meet[k] = r * (sa * to_a + ca * cross(w, to_a))
        self.leave[k] = r * (sb * to_b - cb * cross(w, to_b))
        turn = math.atan2(w @ cross(self.meet[k], self.leave[k]), self.meet[k] @ self.leave[k])
        self.arc[k] = r * (turn % math.tau)
        by = np.array([w @ cross(self.meet[k], b), r * db * cb, r * da * ca, w @ cross(a, self.leave[k])])
        self._axles[k], self._by[k] = w, 0.0 if straight else -by / size

    def _swivel(self, k: int, r: float, s: Array, p: Array) -> None:
        along = float(s @ p)
        away = p - along * s
        far = float(np.linalg.norm(away))
        aside = far > 1e-12 * abs(along)
        e = away / far if aside else across(s)
        self._towards = e
        d = far - r
        whole = d * d + along * along
        free = math.sqrt(max(whole - r * r, 0.0))
        turn = math.atan2(r * along + free * d, free * along - r * d) % math.tau
        self.meet[k] = self.leave[k] = r * ((1.0 - math.cos(turn)) * e + math.sin(turn) * s)
        self.arc[k] = r * turn
        self._axles[k] = cross(s, e)
        self._by[k, 0 if k > 0 else 3] = r * (1.0 - math.cos(turn)) / far if aside else 0.0


def touch_block(r: float, a: Array, b: Array, before: Array, behind: Array) -> tuple[Array, Array, float]:
    """Where a wire that hangs in curves meets and leaves a block, from its centre, and the angle on it.

    r : radius [m];  a, b : from the centre to what the wire comes from, and goes to
    before, behind : directions in which it comes and goes on
    """
    w = cross(b, a)
    size = float(np.linalg.norm(w))
    w = w / size if size > 1e-12 * float(np.linalg.norm(a) * np.linalg.norm(b)) else across(a)
    meet, leave = cross(before, w), cross(behind, w)
    meet, leave = r * meet / np.linalg.norm(meet), r * leave / np.linalg.norm(leave)
    angle = math.atan2(w @ cross(meet, leave), meet @ leave)
    return meet, leave, angle + (math.tau if angle < UNWOUND else 0.0)


def touch_swivel(r: float, s: Array, p: Array, behind: Array) -> tuple[Array, float]:
    """Where a wire that hangs in a curve leaves a pulley that swivels, from where it comes to it, and the angle on it.

    s : axis;  p : from there to what the wire goes to;  behind : direction in which it leaves
    """
    away = p - (s @ p) * s
    far = float(np.linalg.norm(away))
    e = away / far if far > 1e-12 * float(np.linalg.norm(p)) else across(s)
    angle = math.atan2(behind @ e, behind @ s)
    angle += math.tau if angle < UNWOUND else 0.0
    return r * ((1.0 - math.cos(angle)) * e + math.sin(angle) * s), angle


def across(a: Array) -> Array:
    """A unit vector perpendicular to a."""
    n = cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
    return np.asarray(n / np.linalg.norm(n))


def cross(a: Array, b: Array) -> Array:
    """a × b, in a thirtieth of the time that numpy takes for one pair."""
    (a1, a2, a3), (b1, b2, b3) = a.tolist(), b.tolist()
    return np.array([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1])
