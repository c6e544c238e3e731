"""Mechanisms that start where their motion branches, so that rounding decides how they go on.

Joints hold c(x) = 0 at the places x of their bodies, given motions of joints hold some coordinates more. Where the rank
of ∂c/∂x, motions included, is less than at places nearby that the joints allow, bodies can set out in more ways than
they can go on in: a parallelogram that is folded flat may open as one or as a crossed one. Rows that depend on each
other everywhere (planar loops of revolute joints, Bricard's mechanism) lose no rank there, and are no branch. Where all
moves of first order lead back to the start (three links in one line between two posts), there is nowhere to go.

Source: Müller, J. Mechanisms Robotics 11 (2019) 030802 (kinematic singularities by ranks in neighbourhoods).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from towsim.scene.motion import plane_axes

if TYPE_CHECKING:
    from towsim.scene.joints import Joint
    from towsim.scene.scene import Scene
    from towsim.scene.start import Places

Array = NDArray[np.float64]
ASIDE = 0.02
"""How far nearby places are, in lengths of the mechanism and in rad."""
LEFT = 0.1 * ASIDE
"""How far from the start a place has to be for the mechanism to have left it; c = x² leaves x = 1e-6 of ``ASIDE``."""
DIRECTIONS = 8
"""Ways that are tried to leave the start."""
CORRECTIONS = 40
ON = 1e-12
"""What c may be at a place that the joints allow, in lengths of the mechanism and in rad."""
LEAST = 1e-14
"""Damping at the end: it keeps rows that depend on each other from dividing zero by zero."""
SINGULAR = 1e-6
"""Singular values below this are taken for zero: starts are closed to 1e-9, and one at ``ASIDE`` makes some 1e-2."""


def branching(scene: Scene, places: Places) -> Iterator[tuple[tuple[str, ...], int, int | None]]:
    """For each mechanism that starts at a singular place its joints, the ways to set out, and those there are nearby.

    None instead of the latter: there is no place nearby.
    """
    for joints in _loops(scene):
        mechanism = _Mechanism(scene, places, joints)
        start = mechanism.start()
        here = mechanism.ways(start)
        if here == 0:
            continue
        nearby = list(mechanism.nearby(start))
        if nearby and max(map(far, nearby)) < LEFT:
            yield joints, here, None
            continue
        near = (mechanism.ways(place) for place in nearby)
        fewer = next((ways for ways in near if ways < here), here)
        if fewer < here:
            yield joints, here, fewer


def _loops(scene: Scene) -> Iterator[tuple[str, ...]]:
    """Joints that hang together and close a loop; whatever robots carry is joined by the world."""
    group: dict[str | None, set[str | None]] = {}
    closed: list[set[str | None]] = []
    for joint in scene.joints.values():
        a, b = _owners(scene, joint)
        one, other = group.setdefault(a, {a}), group.setdefault(b, {b})
        if one is other:
            closed.append(one)
            continue
        one |= other
        closed = [one if members is other else members for members in closed]
        group |= dict.fromkeys(other, one)
    for members in {id(members): members for members in closed}.values():
        yield tuple(name for name, joint in scene.joints.items() if _owners(scene, joint)[0] in members)


def _owners(scene: Scene, joint: Joint) -> tuple[str | None, str | None]:
    ends = [scene.attachment(scene.carrier(end)) for end in (joint.from_, joint.to)]
    a, b = (None if end.is_robot else end.owner for end in ends)
    return a, b


class Place(NamedTuple):
    """Where bodies are, the world last: shifts from the start, in lengths of the mechanism, and rotations."""

    shifts: Array  # (n + 1, 3)
    turns: Array  # (n + 1, 3, 3)


def far(place: Place) -> float:
    """How far a place is from the start, in lengths of the mechanism and in rad."""
    return float(max(np.abs(place.shifts).max(), np.abs(place.turns - np.eye(3)).max()))


class _Mechanism:
    """What joints hold at a place: d · (p_b − p_a) = 0, d turned by body a if it slides there, and u_a · v_b = 0."""

    def __init__(self, scene: Scene, places: Places, joints: Sequence[str]) -> None:
        declared = [scene.joints[name] for name in joints]
        ends = [(places.of(joint.from_), places.of(joint.to)) for joint in declared]
        points = np.array([[p for _, _, p in both] for both in ends])
        self.length = float(np.ptp(points, axis=(0, 1)).max()) or 1.0
        self.point, self.arm = (
            points / self.length,
            np.array([[arm for _, arm, _ in both] for both in ends]) / self.length,
        )
        index = {name: k for k, name in enumerate(dict.fromkeys(end[0] for both in ends for end in both if end[0]))}
        self.body = np.array(
            [[index.get(owner, len(index)) if owner else len(index) for owner, _, _ in both] for both in ends]
        )
        turns = [not scene.bodies[name].point for name in index]
        self.moves = np.array([[True] * 3 + [turning] * 3 for turning in turns] + [[False] * 6])
        held: list[tuple[int, Array, bool, bool]] = []
        tilts: list[tuple[int, Array, Array, bool]] = []
        for j, joint in enumerate(declared):
            slides, given = joint.kind == "prismatic", joint.motion is not None
            held += [(j, d, slides, False) for d in joint.tied]
            if all(owner is None or turns[index[owner]] for owner, _, _ in ends[j]):
                tilts += [(j, u, v, False) for u, v in _tilts(joint)]
            if given and slides:
                held.append((j, np.array(joint.axis), True, True))
            elif given and joint.axis is not None:
                tilts.append((j, *plane_axes(joint.axis), True))
        self.held = [np.array(column) for column in zip(*held, strict=True)]
        self.tilts = [np.array(column) for column in zip(*tilts, strict=True)] if tilts else []
        self.given = np.array([row[-1] for row in (*held, *tilts)])

    def start(self) -> Place:
        n = len(self.moves)
        return Place(np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1)))

    def ways(self, place: Place) -> int:
        """Independent small moves that joints and given motions allow."""
        J = self.rows(place)[1]
        return int(J.shape[1] - (np.linalg.svd(J, compute_uv=False) > SINGULAR).sum())

    def nearby(self, start: Place) -> Iterator[Place]:
        """Places that the joints allow, found by Levenberg-Marquardt steps from moves that they allow to first order.

        The damping |c|² keeps its convergence quadratic where rows depend on each other.
        Source: Yamashita & Fukushima, Computing Suppl. 15 (2001) 239.
        """
        rng = np.random.default_rng(0)
        _, values, V = np.linalg.svd(self.rows(start)[1][~self.given])
        free = V[int((values > SINGULAR).sum()) :]
        for _ in range(DIRECTIONS):
            d = rng.normal(size=len(free)) @ free
            place = self.moved(start, d * (ASIDE / max(ASIDE, float(np.abs(d).max()))))
            for _ in range(CORRECTIONS):
                c, J = (part[~self.given] for part in self.rows(place))
                if np.abs(c).max() <= ON:
                    yield place
                    break
                U, values, V = np.linalg.svd(J, full_matrices=False)
                place = self.moved(place, -V.T @ (values / (values**2 + c @ c + LEAST) * (U.T @ c)))

    def moved(self, place: Place, d: Array) -> Place:
        move = np.zeros(self.moves.shape)
        move[self.moves] = d
        return Place(place.shifts + move[:, :3], _rotations(move[:, 3:]) @ place.turns)

    def rows(self, place: Place) -> tuple[Array, Array]:
        """c (m,) and its gradient (m, moves), those of given coordinates included."""
        n, (a, b) = len(self.given), self.body.T
        arm = np.einsum("jeik,jek->jei", place.turns[self.body], self.arm)
        ends = self.point - self.arm + arm + place.shifts[self.body]
        apart = ends[:, 1] - ends[:, 0]
        c, J = np.zeros(n), np.zeros((n, *self.moves.shape))
        j, d, slides, _ = self.held
        k = np.arange(len(j))
        d = np.where(slides[:, None], np.einsum("jik,jk->ji", place.turns[a[j]], d), d)
        c[k] = np.einsum("ji,ji->j", d, apart[j])
        J[k, a[j]] = np.hstack([-d, -np.cross(arm[j, 0] + slides[:, None] * apart[j], d)])
        J[k, b[j]] = np.hstack([d, np.cross(arm[j, 1], d)])
        if self.tilts:
            j, u, v, _ = self.tilts
            k = np.arange(len(k), n)
            u, v = (np.einsum("jik,jk->ji", place.turns[one[j]], w) for one, w in ((a, u), (b, v)))
            c[k] = np.einsum("ji,ji->j", u, v)
            J[k, a[j], 3:], J[k, b[j], 3:] = np.cross(u, v), -np.cross(u, v)
        return c, J[:, self.moves]


def _tilts(joint: Joint) -> tuple[tuple[Array, Array], ...]:
    """Pairs of directions, of ``from`` and of ``to``, that stay perpendicular."""
    if joint.kind == "ball":
        return ()
    if joint.kind == "revolute" and joint.axis is not None:
        axis = np.array(joint.axis)
        return tuple((across, axis) for across in plane_axes(joint.axis))
    x, y, z = np.eye(3)
    return (x, y), (y, z), (z, x)


def _rotations(turns: Array) -> Array:
    """exp of rotation vectors (n, 3). Source: Rodrigues' formula."""
    angle = np.linalg.norm(turns, axis=1)[:, None, None]
    K = np.zeros((len(turns), 3, 3))
    K[:, [2, 0, 1], [1, 2, 0]], K[:, [1, 2, 0], [2, 0, 1]] = turns, -turns
    R: Array = np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * K @ K
    return R
