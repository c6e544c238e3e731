"""What workspaces and tension distributions of cable robots cost, beside a linear program a pose.

    python benchmarks/cable_robots.py

Poses on a grid in the box of the base points; processor time, after one call that compiles. The linear programs are
those of SciPy's HiGHS, on a sample of the poses, and every verdict of the sample is compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import linprog

from towsim import cdpr

COGIRO = np.array(
    [
        (-7.1775, -5.4361, 5.3911, 0.5032, -0.4928, 0.0),
        (-7.4594, -5.1504, 5.3999, -0.5097, 0.3508, 0.9976),
        (-7.3911, 5.1940, 5.3976, -0.5032, -0.2700, 0.0),
        (-7.1026, 5.4753, 5.4094, 0.4960, 0.3561, 0.9996),
        (7.2398, 5.3759, 5.4093, -0.5032, 0.4928, 0.0),
        (7.5208, 5.0851, 5.4200, 0.4998, -0.3404, 0.9991),
        (7.4461, -5.2539, 5.3874, 0.5021, 0.2750, -0.0007),
        (7.1608, -5.5342, 5.3973, -0.5045, -0.3463, 0.9976),
    ]
)
"""Base points and points of the platform [m], of CASPR's models (BSD-3; SCDM/spatial_manipulators)."""
SIGNS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)]


def main() -> None:
    robots = {
        "CoGiRo, eight cables from above": cdpr.CableRobot(
            COGIRO[:, :3], COGIRO[:, 3:], mass=91.058, centre=[-0.034, -0.013, 0.264], least=100.0, most=5000.0
        ),
        "IPAnema 1, eight cables all around": cdpr.CableRobot(
            [(2.0 * x, 1.5 * y, 2.0 * z) for x, y, z in SIGNS],
            [(0.06 * x, 0.06 * y, 0.0) for x, y, _ in SIGNS],
            mass=25.0,
            most=720.0,
        ),
    }
    for name, robot in robots.items():
        low, high = robot.base.min(axis=0), robot.base.max(axis=0)
        low = np.minimum(low, high - 5.0 * (high - low < 1.0))
        grid = cdpr.grid(*(np.linspace(a, b, 49)[1:-1] for a, b in zip(low, high, strict=True)))
        cdpr.workspace(robot, grid[:2])
        space, spent = timed(lambda robot=robot, grid=grid: cdpr.workspace(robot, grid))
        print(f"{name}: {len(grid)} poses in {spent:.2f} s, {space}")
        for rule in ("least", "centre"):
            cdpr.tensions(robot, grid[:2], rule=rule)
            _, spent = timed(lambda rule=rule, robot=robot, grid=grid: cdpr.tensions(robot, grid, rule=rule))
            print(f"  tensions, rule {rule!r}: {1e6 * spent / len(grid):.1f} µs a pose")
        sample = np.random.default_rng(1).choice(len(grid), 300, replace=False)
        verdicts, spent = timed(lambda robot=robot, at=grid[sample]: [held(robot, x) for x in at])
        print(
            f"  HiGHS: {1e6 * spent / len(sample):.0f} µs a pose, {(space.feasible[sample] != verdicts).sum()} differ"
        )


def held(robot: cdpr.CableRobot, x: np.ndarray) -> bool:
    W, b = cdpr.wrench_map(robot, x), -cdpr.weight(robot, x)
    bounds = list(zip(robot.least, robot.most, strict=True))
    return bool(linprog(np.zeros(len(bounds)), A_eq=W, b_eq=b, bounds=bounds).status == 0)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


if __name__ == "__main__":
    main()
