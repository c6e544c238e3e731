"""How many short tows a second does a sweep run, on one process and on two, and where does the time of one go?

A tow is 100 steps of four robots that carry a box: another mass of it each time, another way of the robots, another
length of the wires (and with it other places of the robots), another point of the box that holds a wire, another drag.
Or 100 steps of a load on an elastic wire, of another stiffness each time. The scene is built and checked for each.

    python benchmarks/sweep_rate.py [--runs 4000] [--together]

With ``--together``, closed loops in place of sweeps: copies that are stepped together, ten steps a call and ten calls
in a row, beside MuJoCo's plain ``mj_step`` (``nstep=10``) of as many, with nothing commanded and nothing read there.
``Batch`` is steps alone, ``Batch, steered and read`` with an acceleration for each robot and copy before each call,
positions and tensions after it; ``environment`` is all that a step of ``make_vec("towsim/Carry-v0")`` does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import towsim
from towsim.cli.sweep import OfScenario
from towsim.sweep import sweep
from towsim.sweep.run import OfScene

FIXED = {"duration": 0.1, "step": 1e-3, "method": "stewart-trinkle"}

SOFT = {"model": "elastic", "material": {"axial_stiffness": 1e4, "axial_damping": 10.0}}
HOIST = {
    "bodies": {"load": {"mass": 2.0, "point": True}},
    "robots": {"crane": {"position": [0.0, 0.0, 1.0]}},
    "wires": {"rope": {"from": "load", "to": "crane", "length": 1.0, **SOFT}},
}

BUILT, FOUR, ONE = "built by parameters", "four robots by path", "one wire by path"

CASES = {
    "mass": (BUILT, "mass", 1.0, 10.0),
    "way": (BUILT, "lift", 0.3, 0.6),
    "length": (BUILT, "length", 0.9, 1.1),
    "point": (FOUR, "bodies.box.points.p0.2", 0.1, 0.103),
    "drag": (FOUR, "bodies.box.drag.linear", 0.0, 2.0),
    "stiffness": (ONE, "wires.rope.material.axial_stiffness", 1e3, 1e5),
}
"""What differs: how scenes are made, the parameter, and its range."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--together", action="store_true")
    options = parser.parse_args()
    if options.together:
        together()
        return
    runs = options.runs
    build = OfScenario("four-robots-box", FIXED)
    one = build({"mass": 2.0}, 0)[0]
    towsim.simulate(one, **FIXED)  # kernels

    print(f"{'a run of 100 steps':<34} median ms")
    scenes = [build({"mass": 1.0 + 0.01 * k}, 0)[0] for k in range(400)]
    for what, call in {
        "build and check the scene": lambda mass: build({"mass": mass}, 0),
        "simulate with its provenance": lambda _: towsim.simulate(one, **FIXED),
        "simulate, lean": lambda _: towsim.simulate(one, **FIXED, lean=True),
        "simulate_many, of 400": None,
        "steps alone (1e5 of them / 1000)": None,
    }.items():
        spent = []
        for k in range(200 if call is not None else 3):
            start = time.perf_counter()
            if call is not None:
                call(1.0 + 0.01 * k)
            elif "many" in what:
                list(towsim.simulate_many(scenes, **FIXED))
            else:
                towsim.simulate(one, **{**FIXED, "duration": 100.0}, record_every=1000)
            spent.append(time.perf_counter() - start)
        runs_each = 1 if call is not None else 400 if "many" in what else 1000
        print(f"{what:<34} {1e3 * np.median(spent) / runs_each:9.3f}")

    print(f"\n{'other':<10} {'method':<16} {'processes':<10} {'runs/s':>8} {'scaling':>8}")
    for method in ("stewart-trinkle", "shake"):
        options = {**FIXED, "method": method}
        made = {
            BUILT: OfScenario("four-robots-box", options),
            FOUR: OfScene(build({}, 0)[0], options),
            ONE: OfScene(towsim.Scene(**HOIST), options),
        }
        for what, (how, key, low, high) in CASES.items():
            first = None
            for processes in (1, 2):
                tries, all_runs = ({key: f"{low}:{high}:{n}"} for n in (64, runs))
                sweep(made[how], tries, metrics=["max_tension"], processes=processes)  # processes start
                found = sweep(made[how], all_runs, metrics=["max_tension"], processes=processes)
                rate = found.attrs["runs_per_second"]
                first = first or rate
                print(f"{what:<10} {method:<16} {processes:<10} {rate:>8.0f} {rate / first:>8.2f}")


HOLD, CALLS, COPIES = 10, 10, (1, 16, 256)


def together() -> None:
    """Copies stepped together beside MuJoCo's plain steps: µs a copy and step, and the ratio within a round."""
    import gymnasium
    from boxes import carried_box
    from timing import by_turns

    import towsim.rl

    carried = carried_box(4)
    still = {name: {"position": robot.sample(np.zeros(1))[0][0].tolist()} for name, robot in carried.robots.items()}
    box = towsim.Scene(bodies=carried.bodies, wires=carried.wires, robots=still)
    print(f"{'':<40} {'copies':>6} {'µs':>8} {'MuJoCo µs':>10} {'ratio':>7}")
    for n in COPIES:
        batch = towsim.Batch(box, n, step=1e-3, method="stewart-trinkle")
        env = gymnasium.make_vec("towsim/Carry-v0", num_envs=n, robots=3)
        env.reset(seed=0)
        pull, action = np.random.default_rng(0).normal(size=(n, 4, 3)) * 0.1, np.zeros((n, 9), np.float32)

        def closed(batch: towsim.Batch = batch, pull: np.ndarray = pull) -> None:
            batch.steer(tuple(batch.scene.robots), acceleration=pull)
            batch.step(HOLD)
            batch["position"], batch["tension"]

        rounds = max(12, 400 // n)
        candidates: dict[str, Callable[[], float]] = {
            "Batch": _timed(lambda batch=batch: batch.step(HOLD), batch.reset),
            "Batch, steered and read": _timed(closed, batch.reset),
            "MuJoCo, box": _plain(box, 1e-3, n),
            "environment": _timed(lambda env=env, action=action: env.step(action), env.reset),
            "MuJoCo, load": _plain(env.unwrapped.batch.scene, 5e-3, n),
        }
        seconds = by_turns(candidates, rounds)
        for what, peer in {
            "Batch": "MuJoCo, box",
            "Batch, steered and read": "MuJoCo, box",
            "environment": "MuJoCo, load",
        }.items():
            mine, theirs = (1e6 * seconds[name].min() / (n * HOLD * CALLS) for name in (what, peer))
            ratio = float(np.median(seconds[peer] / seconds[what]))
            scene = "load on three wires" if what == "environment" else "box on four wires"
            print(f"{what + ', ' + scene:<40} {n:>6} {mine:>8.2f} {theirs:>10.2f} {ratio:>7.2f}")


def _timed(work: Callable[[], object], begin: Callable[[], object]) -> Callable[[], float]:
    """Processor seconds of some calls in a row, from the start of an episode on."""

    def call() -> float:
        begin()
        start = time.process_time()
        for _ in range(CALLS):
            work()
        return time.process_time() - start

    return call


def _plain(scene: towsim.Scene, step: float, n: int) -> Callable[[], float]:
    """Processor seconds of MuJoCo's plain steps of n copies of a scene, one after the other."""
    import mujoco
    from mujoco_scene import Peer

    model = Peer(scene, step, HOLD).model
    copies = [mujoco.MjData(model) for _ in range(n)]

    def work() -> None:
        for data in copies:
            mujoco.mj_step(model, data, HOLD)

    return _timed(work, lambda: [mujoco.mj_resetData(model, data) for data in copies])


if __name__ == "__main__":
    main()
