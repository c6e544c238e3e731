"""How the links of a tree lie and move at coordinates and rates of its joints."""

from __future__ import annotations

import numpy as np

from towsim.model.arrays import Floats
from towsim.model.trees import Tree

Links = tuple[Floats, Floats, Floats, Floats]
"""Position (nl, 3), rotation (nl, 3, 3), velocity (nl, 3) and spin (nl, 3) of all links at one instant."""


def tree_state(tree: Tree, t: float, q: Floats, u: Floats) -> tuple[Floats, Floats]:
    """Where the joints are and how they move, as columns (n, WIDTH) of dynamics/tree, and their momenta (n,)."""
    from towsim.dynamics.tree import WIDTH
    from towsim.dynamics.tree_rates import tree_motion

    s, p = np.zeros((tree.n, WIDTH)), np.zeros(tree.n)
    tree_motion(tree.arrays, tree.base(np.array([t]))[0], q, u, s, p)
    return s, p


def links_of(tree: Tree, t: float, q: Floats, u: Floats) -> Links:
    """Motion of the links at the coordinates q (nq,) and rates u (n,) of the joints."""
    return links_at(tree, tree_state(tree, t, q, u)[0])


def links_at(tree: Tree, s: Floats) -> Links:
    """Motion of the links from the columns (n, WIDTH) of dynamics/tree."""
    from towsim.dynamics.tree_rates import tree_links

    nl = len(tree.links)
    links = np.empty((nl, 3)), np.empty((nl, 3, 3)), np.empty((nl, 3)), np.empty((nl, 3))
    tree_links(tree.arrays, tree.joint, s, *links)
    return links
