"""Kernels that write one row of a block's record."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import part
from towsim.model.vectors import at9, cross, mul, scale, sub


@part()
def record_pose(bodies, q, gap, record, row):
    """Poses of the bodies, joint coordinates of the cables, gaps of the rows."""
    nb = bodies.mass.shape[0]
    for i in range(nb):
        for j in range(3):
            record.position[row, i, j] = q[7 * i + j]
        for j in range(4):
            record.quaternion[row, i, j] = q[7 * i + 3 + j]
    for i in range(gap.shape[0]):
        record.gap[row, i] = gap[i]
    for i in range(record.coordinates.shape[1]):
        record.coordinates[row, i] = q[7 * nb + i]


@part()
def record_rates(bodies, before, after, a, b, h, Y, record, row):
    """Velocity a·before + b·after and acceleration (after − before)/h.

    before, after: velocities and angular momenta ℓ around a kick of duration h; Y: inverse inertias at the pose of
    this row. ω = Y ℓ and, from ℓ̇ = I ω̇ + ω × ℓ, ω̇ = Y (ℓ̇ − ω × ℓ).
    """
    frequency = 1.0 / h
    for i in range(bodies.mass.shape[0]):
        k = 6 * i
        for j in range(3):
            record.velocity[row, i, j] = a * before[k + j] + b * after[k + j]
            record.acceleration[row, i, j] = frequency * (after[k + j] - before[k + j])
            record.angular_velocity[row, i, j] = 0.0
            record.angular_acceleration[row, i, j] = 0.0
        if bodies.rotates[i]:
            old = (before[k + 3], before[k + 4], before[k + 5])
            new = (after[k + 3], after[k + 4], after[k + 5])
            ell = (a * old[0] + b * new[0], a * old[1] + b * new[1], a * old[2] + b * new[2])
            inverse = at9(Y, i)
            omega = mul(inverse, ell)
            torque = sub(scale(frequency, sub(new, old)), cross(omega, ell))
            alpha = mul(inverse, torque)
            for j in range(3):
                record.angular_velocity[row, i, j] = omega[j]
                record.angular_acceleration[row, i, j] = alpha[j]


@part()
def record_rows(p, h, record, row):
    """Forces of the rows: impulses p (nr,) over the duration h of the kick."""
    frequency = 1.0 / h
    for i in range(p.shape[0]):
        record.force[row, i] = frequency * p[i]
