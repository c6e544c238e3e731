"""What derivatives cost, in runs: six numbers forward, and a gradient in many numbers backwards.

    python benchmarks/derivative_cost.py [duration ..]

The four robots that carry a box, a quadcopter with a slung load under its law, and a box that is dragged over rough
ground; Stewart–Trinkle, h = 1 ms. Processor time, candidates by turns, the least of eight.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from timing import by_turns, timed

import towsim
from scenarios import get


class Case(NamedTuple):
    """A scenario, six numbers of it, more for the gradient, and the body that the cost is about."""

    scenario: str
    six: list[str]
    more: list[str]
    body: str


CASES = (
    Case(
        "four-robots-box",
        ["bodies.box.mass", "wires.w0.length", "wires.w1.length", "bodies.box.position"],
        ["bodies.box.angular_velocity", "bodies.box.velocity", "gravity", "wires.w2.length"],
        "box",
    ),
    Case(
        "slung-load-gust",
        ["bodies.load.mass", "bodies.load.velocity", "robots.helicopter.vehicle.mass", "controllers.hold.bandwidth"],
        ["gravity", "controllers.hold.damping", "controllers.hold.integral", "bodies.load.drag.linear"],
        "load",
    ),
    Case(
        "drag-box-rough-ground",
        [
            "bodies.box.mass",
            "ground.friction",
            "wires.left.length",
            "wires.right.length",
            "bodies.box.points.front.0",
            "bodies.box.points.eye-left.1",
        ],
        ["gravity", "bodies.box.points.eye-right"],
        "box",
    ),
)
ROUNDS = 8


def main(durations: list[float]) -> None:
    """Print a table of each case."""
    for case in CASES:
        print(case.scenario)
        print(f"{'steps':>8} {'run':>10} {'six forward':>12} {'of it fixed':>12} {'gradient':>10} {'of it fixed':>12}")
        model = towsim.compile(get(case.scenario).build(), step=1e-3, method="stewart-trinkle")
        for duration in durations:
            print(
                f"{duration * 1e3:8.0f} " + " ".join(f"{1e3 * one:9.1f} ms" for one in seconds(case, model, duration))
            )


def seconds(case: Case, model: towsim.Model, duration: float) -> list[float]:
    """What a run, its derivatives and its gradient cost, the last two with what they do for one step only [s]."""

    def cost(run):  # type: ignore[no-untyped-def]
        return np.mean(np.sum(run["position"].sel(body=case.body) ** 2, axis=1))

    def forward(until: float) -> object:
        return model.sensitivities(case.six, of=["position", "tension"], duration=until)

    def backward(until: float) -> object:
        return model.gradient(cost, case.six + case.more, ["position"], duration=until, mode="reverse")

    found = by_turns(
        {
            "run": lambda: timed(lambda: model.run(duration=duration)),
            "forward": lambda: timed(lambda: forward(duration)),
            "forward, one step": lambda: timed(lambda: forward(1e-3)),
            "backward": lambda: timed(lambda: backward(duration)),
            "backward, one step": lambda: timed(lambda: backward(1e-3)),
        },
        ROUNDS,
    )
    return [float(least.min()) for least in found.values()]


if __name__ == "__main__":
    main([float(one) for one in sys.argv[1:]] or [1.0, 5.0, 20.0])
