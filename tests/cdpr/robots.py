"""Geometry of cable robots that others published (CASPR's model library, BSD-3, SCDM/spatial_manipulators)."""

import numpy as np

from towsim import cdpr

COGIRO = cdpr.CableRobot(
    [
        (-7.1775, -5.4361, 5.3911),
        (-7.4594, -5.1504, 5.3999),
        (-7.3911, 5.1940, 5.3976),
        (-7.1026, 5.4753, 5.4094),
        (7.2398, 5.3759, 5.4093),
        (7.5208, 5.0851, 5.4200),
        (7.4461, -5.2539, 5.3874),
        (7.1608, -5.5342, 5.3973),
    ],
    [
        (0.5032, -0.4928, 0.0),
        (-0.5097, 0.3508, 0.9976),
        (-0.5032, -0.2700, 0.0),
        (0.4960, 0.3561, 0.9996),
        (-0.5032, 0.4928, 0.0),
        (0.4998, -0.3404, 0.9991),
        (0.5021, 0.2750, -0.0007),
        (-0.5045, -0.3463, 0.9976),
    ],
    mass=91.058,
    centre=(-0.034, -0.013, 0.264),
    inertia=[[36.598, -0.453, 0.0], [-0.453, 35.982, 0.0], [0.0, 0.0, 25.439]],
    least=100.0,
    most=5000.0,
    stiffness=1e5,
)

SIGNS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)]

IPANEMA = cdpr.CableRobot(
    [(2.0 * x, 1.5 * y, 2.0 * z) for x, y, z in SIGNS],
    [(0.06 * x, 0.06 * y, 0.0) for x, y, _ in SIGNS],
    mass=25.0,
    inertia=[14.0, 14.0, 14.0],
    least=0.0,
    most=720.0,
)

PLANAR = cdpr.CableRobot(
    [(-2, 0, 3), (2, 0, 3), (2, 0, 0), (-2, 0, 0)],
    [(-0.1, 0, 0.1), (0.1, 0, 0.1), (0.1, 0, -0.1), (-0.1, 0, -0.1)],
    mass=2.0,
    inertia=[0.02, 0.03, 0.02],
    least=5.0,
    most=200.0,
    stiffness=2e4,
)


def some_poses(robot: cdpr.CableRobot, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions in the box of the base points, and orientations up to some 0.3 rad from upright."""
    rng = np.random.default_rng(seed)
    low, high = robot.base.min(axis=0), robot.base.max(axis=0)
    low, high = np.minimum(low, high - 5.0 * (high - low < 1.0)), high
    q = np.concatenate([np.ones((count, 1)), 0.08 * rng.standard_normal((count, 3))], axis=1)
    return low + (0.1 + 0.8 * rng.random((count, 3))) * (high - low), q
