"""Sub-systems with multipliers (RSSLM): cut a tree at some joints, and close the cuts with Lagrange multipliers.

Every piece is a tree in its own reduced coordinates, its first link free; it accelerates by itself as a_j = M_j⁻¹ f_j
(one recursion, pieces side by side). The pieces' accelerations miss the cut joints by

    ψ = Σ_j J_j a_j + γ                      (the cut joints' second derivative without multipliers)

and unit multipliers change that by A = Σ_j J_j M_j⁻¹ J_jᵀ, each column one more solve of the recursion. From
A λ + ψ = 0 follow the reactions λ and the accelerations a_j + M_j⁻¹ J_jᵀ λ. With no cut this is the reduced
formulation, with all joints cut the KKT system by its Schur complement; in between A is as small as the cuts are few.

Cut joints are closed at acceleration level and drift as there; ``alpha`` adds Baumgarte's terms 2 α φ̇ + α² φ.

Source: Mamidi & Bandyopadhyay (2024), sub-system accelerations, Eqs. 13 (residuals ψ) and 15 (Σ A λ + ψ = 0), here for
trees that are cut instead of loops that are closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from towsim.errors import UsageError
from towsim.formulations import rows
from towsim.formulations.links import Links, links_of
from towsim.formulations.motion import Formulation, Recursive
from towsim.formulations.reduced import Reduced
from towsim.model.arrays import Floats, Ints
from towsim.model.trees import Tree, compile_tree
from towsim.quote import show
from towsim.scene.arms import Arm, LinkJoint, Place


class Piece(NamedTuple):
    """A sub-system, and what acts on it.

    Attributes
    ----------
    system : its equations;  part : its slice of the state;  links : (nl,) numbers of its links in the whole tree
    row_a, row_b : rows of cut joints whose carrier, or whose link, is here;  row : the two in one
    owner : link here of each of those rows' wrenches, then of the wrench of drives on every link
    """

    system: Recursive
    part: slice
    links: Ints
    row_a: Ints
    row_b: Ints
    row: Ints
    owner: Ints


class Rsslm(Formulation):
    """A tree as sub-systems in reduced coordinates, joined by multipliers: y = (q, u) of one after the other.

    Parameters
    ----------
    tree : links and joints
    cuts : links whose joint is cut; left out: the one in the middle
    alpha : rate of Baumgarte's stabilisation [1/s]; 0: none

    Raises
    ------
    UsageError : no such link, a free link, alpha < 0
    """

    name: ClassVar[str] = "rsslm"

    def __init__(self, tree: Tree, cuts: Sequence[str] | None = None, *, alpha: float = 0.0) -> None:
        super().__init__(tree)
        cuts = (tree.links[len(tree.links) // 2],) if cuts is None else tuple(cuts)
        for name in cuts:
            if name not in tree.links or tree.arm.links[name].joint.kind == "free":
                raise UsageError(f"rsslm: {name!r} has no joint to cut; links are {', '.join(tree.links)}")
        if not alpha >= 0.0:
            raise UsageError(f"rsslm: alpha must be >= 0 1/s, got {show(alpha)}")
        self.alpha = alpha
        number = {name: i for i, name in enumerate(tree.links)}
        self.joints = rows.only(rows.joint_rows(tree), [number[name] for name in cuts])
        self.pieces: list[Piece] = []
        at = 0
        for arm in pieces_of(tree, set(cuts)):
            robots = {arm.base: tree.robot} if isinstance(arm.base, str) and tree.robot else None
            sub = compile_tree(arm, gravity=tuple(tree.arrays.gravity.tolist()), robots=robots)
            size = sub.nq + sub.n
            links = np.array([number[name] for name in sub.links])
            place = np.full(len(tree.links) + 1, -1)  # the last one: the base
            place[links] = np.arange(len(links))
            row_a, row_b = (np.flatnonzero(place[end] >= 0) for end in (self.joints.a, self.joints.b))
            owner = np.concatenate([place[self.joints.a[row_a]], place[self.joints.b[row_b]], np.arange(len(links))])
            row = np.concatenate([row_a, row_b])
            self.pieces.append(Piece(Reduced(sub), slice(at, at + size), links, row_a, row_b, row, owner))
            at += size
        nr, nl = len(self.joints.kind), len(tree.links)
        self._gap, self._rate, self._gamma = np.zeros(nr), np.zeros(nr), np.zeros(nr)
        self._ends = np.zeros((nr, 6)), np.zeros((nr, 6))
        self._drive = np.zeros((nl, 6))
        self._known = (tree.base(np.zeros(1)), tree.force(np.zeros(1))) if tree.steady else None

    def start(self) -> Floats:
        """Coordinates and rates of all pieces."""
        return np.concatenate([piece.system.start() for piece in self.pieces])

    def links(self, t: float, y: Floats) -> Links:
        """Motion of all links."""
        return self._together([piece.system.links(t, y[piece.part]) for piece in self.pieces])

    def rate(self, t: float, y: Floats) -> Floats:
        """Rates of the state, and by the way gaps and rates of the cut joints."""
        dy = np.empty_like(y)
        for piece in self.pieces:
            dy[piece.part] = piece.system.rate(t, y[piece.part])
        links = self._together([piece.system.current() for piece in self.pieces])
        base, force = self._known or (self.tree.base(np.array([t])), self.tree.force(np.array([t])))
        rows.row_terms(self.joints, base[0], *links, self._gap, self._rate, *self._ends, self._gamma)
        self._drive[:] = 0.0
        rows.drive_forces(self.joints, self.tree.arrays, base[0], force[0], *links, self._drive)
        nr = len(self._gap)
        A, psi = np.zeros((nr, nr)), self._gamma.copy()
        responses: list[Floats] = []
        for piece in self.pieces:
            tree = piece.system.tree
            acceleration = piece.system.accelerations()
            wrench = np.concatenate([self._ends[0][piece.row_a], self._ends[1][piece.row_b], self._drive[piece.links]])
            forces, moved = piece.system.responses(tree.joint[piece.owner], wrench)
            held = len(piece.row)  # the wrenches of rows come first, then those of drives
            J, W = np.zeros((nr, tree.n)), np.zeros((nr, tree.n))
            for i, row in enumerate(piece.row):
                J[row] += forces[i]
                W[row] += moved[i]
                psi[row] += wrench[i] @ acceleration[piece.owner[i]]
            driven = moved[held:].sum(axis=0)
            psi += J @ driven
            dy[piece.part][tree.nq :] += driven
            A += J @ W.T
            responses.append(W)
        closing = psi + 2.0 * self.alpha * self._rate + self.alpha**2 * self._gap
        multipliers = np.linalg.solve(A, -closing)
        for piece, W in zip(self.pieces, responses, strict=True):
            dy[piece.part][piece.system.tree.nq :] += multipliers @ W
        return dy

    def _together(self, parts: list[Links]) -> Links:
        """The pieces' links as those of the whole tree."""
        nl = len(self.tree.links)
        out = np.empty((nl, 3)), np.empty((nl, 3, 3)), np.empty((nl, 3)), np.empty((nl, 3))
        for piece, part in zip(self.pieces, parts, strict=True):
            for whole, own in zip(out, part, strict=True):
                whole[piece.links] = own
        return out


def pieces_of(tree: Tree, cuts: set[str]) -> list[Arm]:
    """The arms into which a tree falls when the joints of ``cuts`` are cut; a cut link starts where it was, free."""
    position, rotation, velocity, spin = links_of(tree, 0.0, tree.start, tree.rate)
    root: dict[str, str | None] = {}
    members: dict[str | None, dict[str, Any]] = {}
    for i, name in enumerate(tree.links):
        link = tree.arm.links[name]
        if name in cuts:
            arm = rotation[i] @ np.array(link.centre)
            free = LinkJoint(
                kind="free",
                start=(*(position[i] - arm), *rotation_vector(rotation[i])),
                rate=(*(velocity[i] - np.cross(spin[i], arm)), *spin[i]),
            )
            root[name] = name
            members[name] = {name: link.replace(carrier=None, place=(0.0, 0.0, 0.0), joint=free)}
        else:
            root[name] = None if link.carrier is None else root[link.carrier]
            members.setdefault(root[name], {})[name] = link
    return [Arm(base=tree.arm.base if name is None else Place(), links=links) for name, links in members.items()]


def rotation_vector(R: Floats) -> tuple[float, float, float]:
    """Rotation vector [rad] of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    x, y, z = Rotation.from_matrix(R).as_rotvec()
    return float(x), float(y), float(z)
