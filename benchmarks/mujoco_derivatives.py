"""What do exact derivatives cost, and how exact are they, beside MuJoCo's finite-difference transitions?

    python benchmarks/mujoco_derivatives.py

The box on four wires (``boxes.py``), h = 1 ms, 2 s. MuJoCo's ``mjd_transitionFD`` differences each step in the twelve
numbers of the state; their product is the derivative of the end in the start. Ours is one call of ``sensitivities`` in
twelve numbers: place, velocity and angular velocity at the start, and three lengths. The error is that of ∂x(T)/∂v(0),
of either engine against differences of order four of its own whole runs. Processor time, by turns, the least of rounds;
MuJoCo's steps are called from Python, a microsecond each. Its wires are limits with the stiffness 1/h², which hold as
ours do, or ``soft``, as its safeguard leaves them; of the first, a reach of 1e-6 passes the border of slack and taut.
"""

from __future__ import annotations

from collections.abc import Callable

import boxes
import mujoco
import numpy as np
from mujoco_box import Rollout, Variant
from report import header, parser, table
from timing import by_turns, timed

import towsim

STEP, DURATION, REACH = 1e-3, 2.0, 1e-3
TWELVE = ["bodies.box.position", "bodies.box.velocity", "bodies.box.angular_velocity"]
TWELVE += [f"wires.w{i}.length" for i in range(3)]


class MuJoCo:
    """The box there; robots are mocap bodies, wires limits."""

    def __init__(self, soft: bool) -> None:
        made = Rollout(4, Variant("mocap", "limit", "Euler", "Newton", half_kick=False, soft=soft), STEP)
        self.model, self.data = made.model, mujoco.MjData(made.model)
        t = np.arange(1, round(DURATION / STEP) + 1) * STEP
        self.ends = np.array(boxes.anchors(4)) + boxes.travel(t)[:, None]

    def run(self, velocity: np.ndarray, each: Callable[[], object] = lambda: None) -> np.ndarray:
        """The box's place at the end [m], from a velocity at the start; ``each`` is called before every step."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[:3] = velocity
        for ends in self.ends:
            self.data.mocap_pos[:] = ends
            each()
            mujoco.mj_step(self.model, self.data)
        return np.array(self.data.qpos[:3])

    def chained(self, reach: float, centred: bool) -> np.ndarray:
        """∂x(T)/∂v(0) by a product of finite-difference transitions."""
        A, whole = np.zeros((12, 12)), np.eye(12)

        def transition() -> None:
            nonlocal whole
            mujoco.mjd_transitionFD(self.model, self.data, reach, centred, A, None, None, None)
            whole = A @ whole

        self.run(np.zeros(3), transition)
        return whole[:3, 6:9]


def differences(end: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """∂x(T)/∂v(0) by whole runs, of order four."""
    columns = []
    for axis in np.eye(3):
        near, far = (end(k * REACH * axis) - end(-k * REACH * axis) for k in (1, 2))
        columns.append((8.0 * near - far) / (12.0 * REACH))
    return np.stack(columns, axis=1)


def main() -> None:
    """Print a table."""
    given = parser(__doc__ or "").parse_args()
    header("mujoco")
    scene = boxes.carried_box(4)
    model = towsim.compile(scene, step=STEP, method="stewart-trinkle")

    def exact() -> towsim.run.sensitivities.Sensitivities:
        return model.sensitivities(TWELVE, ["position"], duration=DURATION)

    def end(velocity: np.ndarray) -> np.ndarray:
        return np.array(
            model.run({"bodies.box.velocity": velocity.tolist()}, duration=DURATION)["position"].values[-1, 0]
        )

    found = exact()
    mine = found["position"].sel(parameter=[f"bodies.box.velocity.{i}" for i in range(3)]).values[-1, 0]
    ours = differences(end)
    work: dict[str, Callable[[], float]] = {
        "towsim, sensitivities": lambda: timed(exact),
        "towsim, run": lambda: timed(lambda: model.run(duration=DURATION)),
    }
    errors = {"towsim, sensitivities": np.abs(mine - ours).max() / np.abs(ours).max()}
    for soft in (False, True):
        other, kind = MuJoCo(soft), "MuJoCo, soft" if soft else "MuJoCo, hard"
        theirs = differences(other.run)
        work[f"{kind}, run"] = lambda other=other: timed(lambda: other.run(np.zeros(3)))
        for way in ((1e-4, False), (1e-6, False), (1e-6, True), (1e-8, True)):
            name = f"{kind}, {'centred' if way[1] else 'forward'}, {way[0]:g}"
            work[name] = lambda other=other, way=way: timed(lambda: other.chained(*way))
            errors[name] = np.abs(other.chained(*way) - theirs).max() / np.abs(theirs).max()
    seconds = by_turns(work, 2 if given.quick else 5)
    steps = round(DURATION / STEP)
    rows = [
        [name, 1e6 * float(spent.min()) / steps, f"{errors[name]:.1e}" if name in errors else ""]
        for name, spent in seconds.items()
    ]
    table(["derivatives", "µs a step", "error"], rows, given.csv)


if __name__ == "__main__":
    main()
