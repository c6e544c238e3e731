"""MuJoCo's native rollout on one thread: the cheapest way to run its scenes, and the one that peers are timed by."""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco import mjtState, rollout
from numpy.typing import NDArray
from timing import now

Array = NDArray[np.float64]


class Native:
    """A rollout, ready to be run again and again.

    Parameters
    ----------
    xml : the model, with its time step
    duration : [s]
    control : inputs at every step (n, ·), of the kind ``spec``; None: there are none
    spec : which part of MuJoCo's state the inputs set
    kicked : velocities that start half a kick early, at the mid-steps where MuJoCo's Euler keeps them

    Attributes
    ----------
    state : full physics state after every step (n, ·), without t = 0
    """

    def __init__(
        self,
        xml: str,
        duration: float,
        control: Array | None = None,
        spec: mjtState = mjtState.mjSTATE_MOCAP_POS,
        kicked: slice | None = None,
    ) -> None:
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)
        self.h = float(self.model.opt.timestep)
        self.steps = round(duration / self.h)
        mujoco.mj_forward(self.model, self.data)
        if kicked is not None:
            self.data.qvel[kicked] = -0.5 * self.h * self.data.qacc[kicked]
        size = mujoco.mj_stateSize(self.model, mjtState.mjSTATE_FULLPHYSICS)
        self._start = np.zeros((1, size))
        mujoco.mj_getState(self.model, self.data, self._start[0], mjtState.mjSTATE_FULLPHYSICS)
        self._state = np.zeros((1, self.steps, size))
        self._sensors = np.zeros((1, self.steps, 0))
        self._inputs: dict[str, object] = {}
        if control is not None:
            self._inputs = {"control": np.ascontiguousarray(control[None]), "control_spec": int(spec)}

    def __call__(self) -> float:
        """Run; returns the seconds the rollout itself took."""
        since = now()
        rollout.rollout(
            [self.model],
            [self.data],
            self._start,
            state=self._state,
            sensordata=self._sensors,
            skip_checks=True,
            nstep=self.steps,
            **self._inputs,
        )
        return now() - since

    @property
    def state(self) -> Array:
        """States after every step."""
        return self._state[0]
