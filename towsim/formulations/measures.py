"""What can be told of any formulation's motion alike: energy, momentum, and how far its joints are open."""

from __future__ import annotations

import numpy as np

from towsim.formulations import rows
from towsim.formulations.motion import Motion
from towsim.model.arrays import Floats
from towsim.model.trees import Tree


def energy(tree: Tree, motion: Motion) -> Floats:
    """Kinetic energy, potential of gravity and of the joints' springs, (n,) [J]."""
    mass, inertia = tree.arrays.mass[tree.joint], tree.arrays.inertia[tree.joint]
    spin = np.einsum("tlji,tlj->tli", motion.rotation, motion.spin)  # the links' axes
    total = 0.5 * np.einsum("l,tli,tli->t", mass, motion.velocity, motion.velocity)
    total += 0.5 * np.einsum("tli,lij,tlj->t", spin, inertia, spin)
    total -= np.einsum("l,tli,i->t", mass, motion.position, tree.arrays.gravity)
    joints = rows.joint_rows(tree)
    stretch = np.zeros(len(joints.joint))
    for k, base in enumerate(tree.base(motion.time)):
        rows.drive_coordinates(joints, base, *_links(motion, k), stretch)
        total[k] += 0.5 * np.sum(tree.arrays.stiffness[joints.joint] * (stretch - joints.rest) ** 2)
    return np.asarray(total)


def momentum(tree: Tree, motion: Motion) -> tuple[Floats, Floats]:
    """Total linear momentum [kg m/s] and angular momentum about the origin [kg m²/s], (n, 3) each."""
    mass, inertia = tree.arrays.mass[tree.joint], tree.arrays.inertia[tree.joint]
    P = mass[:, None] * motion.velocity
    own = np.einsum("tlij,ljk,tlmk,tlm->tli", motion.rotation, inertia, motion.rotation, motion.spin, optimize=True)
    return P.sum(axis=1), (own + np.cross(motion.position, P)).sum(axis=1)


def drift(tree: Tree, motion: Motion) -> Floats:
    """Largest opening |φ| of any joint, (n,): metres, and for directions that should be at right angles, sines."""
    joints = rows.joint_rows(tree)
    nr = len(joints.kind)
    gap, rate, gamma, J_a, J_b = np.zeros(nr), np.zeros(nr), np.zeros(nr), np.zeros((nr, 6)), np.zeros((nr, 6))
    out = np.zeros(len(motion.time))
    for k, base in enumerate(tree.base(motion.time)):
        rows.row_terms(joints, base, *_links(motion, k), gap, rate, J_a, J_b, gamma)
        out[k] = np.abs(gap).max(initial=0.0)
    return out


def _links(motion: Motion, k: int) -> tuple[Floats, Floats, Floats, Floats]:
    return motion.position[k], motion.rotation[k], motion.velocity[k], motion.spin[k]
