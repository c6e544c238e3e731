"""What derivatives cost, in runs: six numbers forward, and a gradient in many numbers backwards.

    python benchmarks/derivative_cost.py [duration ..]

The four robots that carry a box, Stewart–Trinkle, h = 1 ms. Processor time, candidates by turns, the least of eight.
"""

from __future__ import annotations

import sys

import numpy as np
from timing import by_turns, timed

import towsim
from scenarios import get

SIX = ["bodies.box.mass", "wires.w0.length", "wires.w1.length", "bodies.box.position"]
MANY = [*SIX, "bodies.box.inertia", "bodies.box.velocity", "gravity", "wires.w2.length"]
ROUNDS = 8


def main(durations: list[float]) -> None:
    """Print a table."""
    model = towsim.compile(get("four-robots-box").build(), step=1e-3, method="stewart-trinkle")
    known = [path for path in MANY if path in model.parameters]

    def cost(run):  # type: ignore[no-untyped-def]
        return np.mean(np.sum(run["position"].sel(body="box") ** 2, axis=1))

    print(f"{'steps':>8} {'run':>10} {'six forward':>12} {'of it fixed':>12} {'gradient':>10} {'of it fixed':>12}")
    for duration in durations:

        def forward(until: float = duration) -> object:
            return model.sensitivities(SIX, of=["position", "tension"], duration=until)

        def backward(until: float = duration) -> object:
            return model.gradient(cost, known, ["position"], duration=until, mode="reverse")

        seconds = by_turns(
            {
                "run": lambda duration=duration: timed(lambda: model.run(duration=duration)),
                "forward": lambda: timed(forward),
                "forward, one step": lambda: timed(lambda: forward(1e-3)),
                "backward": lambda: timed(backward),
                "backward, one step": lambda: timed(lambda: backward(1e-3)),
            },
            ROUNDS,
        )
        told = [f"{1e3 * least.min():.1f} ms" for least in seconds.values()]
        print(f"{duration * 1e3:8.0f} {told[0]:>10} {told[1]:>12} {told[2]:>12} {told[3]:>10} {told[4]:>12}")


if __name__ == "__main__":
    main([float(one) for one in sys.argv[1:]] or [1.0, 5.0, 20.0])
