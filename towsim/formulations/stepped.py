"""Time-stepping methods of ``simulate`` as one formulation among the others: the same scene, one problem a step.

Here bodies keep all their coordinates, joints are rows of a complementarity problem at velocity level, and what they
open by in one step is taken back in the next (see towsim.run). First-order methods reach the limit of small
steps by extrapolation: with errors c₁ h + c₂ h² + .., runs at h, h/2, h/4, .. combine to

    T_{j,k} = T_{j,k−1} + (T_{j,k−1} − T_{j−1,k−1}) / (2^{p+k−1} − 1)

and every column gains an order (Richardson; p is the order of the method).
"""

from __future__ import annotations

import time as clock
from itertools import pairwise

import numpy as np

from towsim.formulations.from_scene import SceneTree
from towsim.formulations.kkt import matrices
from towsim.formulations.motion import Motion
from towsim.model.arrays import Floats
from towsim.run import simulate


def run(
    scene: SceneTree, method: str, duration: float, step: float, every: int, rtol: float | None = None
) -> tuple[Floats, Motion | None, int, float]:
    """A run of ``simulate`` on the scene; ``rtol`` is for methods that keep to tolerances.

    Returns
    -------
    positions (n, nb, 3) of the bodies at every ``every``-th step; the links' motion, None where a link is no body of
    the scene; the number of steps, and the processor time they took [s]
    """
    # No run is charged with what the first call with a step costs.
    simulate(scene.scene, duration=step, step=step, method=method, rtol=rtol)
    started = clock.thread_time()
    result = simulate(scene.scene, duration=duration, step=step, method=method, record_every=every, rtol=rtol)
    position = result["position"].values
    seconds, steps = clock.thread_time() - started, round(duration / step)
    if not scene.whole:
        return position, None, steps, seconds
    order = [list(scene.scene.bodies).index(name) for name in scene.tree.links]
    start = np.array([body.rotation_matrix() for body in scene.scene.bodies.values()])
    rotation = np.array([matrices(q) @ start.transpose(0, 2, 1) for q in result["quaternion"].values])
    motion = Motion(
        formulation=method,
        how=f"h = {step:g} s",
        time=result.time,
        state=position.reshape(len(position), -1),
        position=position[:, order],
        rotation=rotation[:, order],
        velocity=result["velocity"].values[:, order],
        spin=np.nan_to_num(result["angular_velocity"].values[:, order]),
        steps=steps,
        evaluations=steps,
        seconds=seconds,
    )
    return position, motion, steps, seconds


def extrapolated(runs: list[Floats], order: int) -> Floats:
    """The limit of small steps, from runs at h, h/2, h/4, .. of a method of the given order."""
    column = list(runs)
    for k in range(len(runs) - 1):
        factor = 2.0 ** (order + k) - 1.0
        column = [fine + (fine - coarse) / factor for coarse, fine in pairwise(column)]
    return column[0]
