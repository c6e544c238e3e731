"""The joint-space inertia of a tree by its definition, M = Xᵀ 𝓜 X: dense, slow and obvious; the recursions' witness."""

from __future__ import annotations

import numpy as np

from towsim.formulations.links import links_of, tree_state
from towsim.model.arrays import Floats
from towsim.model.trees import SLIDE, Tree


def jacobian(tree: Tree, q: Floats, t: float = 0.0) -> Floats:
    """X (nl, 6, n): velocity of each link's centre and its spin, world axes, per unit rate of each joint."""
    from towsim.dynamics.tree import AXIS, FRAME, ORIGIN

    s, _ = tree_state(tree, t, q, np.zeros(tree.n))
    X = np.zeros((len(tree.links), 6, tree.n))
    for i, end in enumerate(tree.joint):
        centre = s[end, ORIGIN : ORIGIN + 3] + s[end, FRAME : FRAME + 9].reshape(3, 3) @ tree.arrays.centre[end]
        e = int(end)
        while e >= 0:
            axis = s[e, AXIS : AXIS + 3]
            if tree.arrays.kind[e] == SLIDE:
                X[i, :3, e] = axis
            else:
                X[i, :3, e] = np.cross(axis, centre - s[e, ORIGIN : ORIGIN + 3])
                X[i, 3:, e] = axis
            e = int(tree.arrays.parent[e])
    return X


def body_inertia(tree: Tree, rotation: Floats) -> Floats:
    """𝓜 (nl, 6, 6): masses and inertias of the links about their centres, world axes, at the rotations (nl, 3, 3)."""
    out = np.zeros((len(tree.links), 6, 6))
    for i, e in enumerate(tree.joint):
        out[i, :3, :3] = tree.arrays.mass[e] * np.eye(3)
        out[i, 3:, 3:] = rotation[i] @ tree.arrays.inertia[e] @ rotation[i].T
    return out


def mass_matrix(tree: Tree, q: Floats, t: float = 0.0) -> Floats:
    """M(q) = Xᵀ 𝓜 X, (n, n)."""
    X = jacobian(tree, q, t)
    rotation = links_of(tree, t, q, np.zeros(tree.n))[1]
    return np.asarray(np.einsum("lij,lik,lkm->jm", X, body_inertia(tree, rotation), X))


def generalised_impulse(tree: Tree, q: Floats, link: int, at: Floats, impulse: Floats, t: float = 0.0) -> Floats:
    """Joint impulses Jᵀ p (n,) of an impulse p (3,) at a point of a link, by virtual work; forces likewise.

    Parameters
    ----------
    link : its number;  at : (3,) point in the link's frame [m];  impulse : (3,) world axes [N s]
    """
    rotation = links_of(tree, t, q, np.zeros(tree.n))[1][link]
    arm = rotation @ (np.asarray(at) - tree.arrays.centre[tree.joint[link]])
    return np.asarray(np.concatenate([impulse, np.cross(arm, impulse)]) @ jacobian(tree, q, t)[link])
