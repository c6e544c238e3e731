"""A rigid body: free accelerations under gravity, drag, known loads, elastic ground and elastic wires.

    m v̇ = f,   I ω̇ = τ − ω × I ω        (world axes; I⁻¹ = 0 for a point mass)
    F = k s + c ṡ  of a spring strained by s ≥ 0, at its ends; never negative unless it ``pulls``

s is the depth of a contact below the ground, or the stretch ‖p_B − p_A‖ − L of a wire. Whether a spring is strained is
given: it switches where the integration locates the event, and F may jump there (the literal law of the paper's B1).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import kernel, part
from towsim.formulations.dae.arrays import BOTH, ROBOT
from towsim.model.arrays import FORCE, THRUST, TORQUE
from towsim.model.vectors import (
    add,
    at3,
    cross,
    dot,
    mul,
    norm,
    normalised,
    rotated,
    rotation,
    scale,
    sub,
)


@part()
def matrix(a):
    """A (3, 3) array as nine floats."""
    return a[0, 0], a[0, 1], a[0, 2], a[1, 0], a[1, 1], a[1, 2], a[2, 0], a[2, 1], a[2, 2]


@part(forceinline=False)
def attitudes(solids, y, R):
    """Rotation of every body and its inverse inertia in world axes."""
    for b in range(solids.mass.shape[0]):
        i = 7 * b + 3
        turn = rotation(normalised((y[i], y[i + 1], y[i + 2], y[i + 3])))
        inverse = rotated(turn, matrix(solids.inertia[b, 1]))
        for s in range(9):
            R[b, 0, s // 3, s % 3] = turn[s]
            R[b, 1, s // 3, s % 3] = inverse[s]


@part(forceinline=False)
def push(b, f, arm, R, mass, solid):
    """Add to ``solid`` the accelerations of body b from a force at the given arm."""
    alpha = mul(matrix(R[b, 1]), cross(arm, f))
    for i in range(3):
        solid[b, i] += f[i] / mass[b]
        solid[b, 3 + i] += alpha[i]


@part(forceinline=False)
def spring_end(springs, n, e, reach, y, rates, robot, R):
    """Arm, position and velocity of end e of spring n; reach: from the declared point to where it acts."""
    kind, b = springs.end[n, e, 0], springs.end[n, e, 1]
    if kind == ROBOT:
        return (
            (0.0, 0.0, 0.0),
            (robot[b, 0, 0], robot[b, 0, 1], robot[b, 0, 2]),
            (robot[b, 1, 0], robot[b, 1, 1], robot[b, 1, 2]),
        )
    i, k = 7 * b, rates + 6 * b
    arm = add(reach, mul(matrix(R[b, 0]), (springs.at[n, e, 0], springs.at[n, e, 1], springs.at[n, e, 2])))
    v = add((y[k], y[k + 1], y[k + 2]), cross((y[k + 3], y[k + 4], y[k + 5]), arm))
    return arm, add((y[i], y[i + 1], y[i + 2]), arm), v


@part(forceinline=False)
def stretch(springs, n, y, rates, known, R, strain):
    """Write strain and strain rate of spring n; returns the direction in which it moves end A, and the arms."""
    if springs.end[n, 1, 1] < 0:
        normal = (springs.ground[0], springs.ground[1], springs.ground[2])
        down = scale(-springs.at[n, 1, 0], normal)  # to the lowest point of a sphere
        arm, p, v = spring_end(springs, n, 0, down, y, rates, known.robot, R)
        strain[n, 0] = springs.ground[3] - dot(normal, p)
        strain[n, 1] = -dot(normal, v)
        return normal, arm, arm
    here = (0.0, 0.0, 0.0)
    arm, p, v = spring_end(springs, n, 0, here, y, rates, known.robot, R)
    arm_B, p_B, v_B = spring_end(springs, n, 1, here, y, rates, known.robot, R)
    span = sub(p_B, p)
    distance = norm(span)
    direction = scale(1.0 / distance, span)
    strain[n, 0] = distance - known.wire[n, 0]
    strain[n, 1] = dot(direction, sub(v_B, v)) - known.wire[n, 1]
    return direction, arm, arm_B


@part(forceinline=False)
def free_solids(solids, springs, y, rates, known, gravity, strained, R, solid, strain):
    """Free accelerations (nb, 6) of the bodies. rates: where the rates begin in y."""
    attitudes(solids, y, R)
    wind = (known.wind[0], known.wind[1], known.wind[2])
    for b in range(solids.mass.shape[0]):
        k = rates + 6 * b
        w = (y[k + 3], y[k + 4], y[k + 5])
        spin = mul(rotated(matrix(R[b, 0]), matrix(solids.inertia[b, 0])), w)
        alpha = mul(matrix(R[b, 1]), cross(spin, w))
        air = sub(wind, (y[k], y[k + 1], y[k + 2]))
        drag = (solids.drag[b, 0] + solids.drag[b, 1] * norm(air)) / solids.mass[b]
        for s in range(3):
            solid[b, s] = gravity[s] + drag * air[s]
            solid[b, 3 + s] = alpha[s]
    for n in range(solids.load.shape[0]):
        b, kind = solids.load[n, 0], solids.load[n, 1]
        f = at3(known.load, n)
        turn = matrix(R[b, 0])
        if kind == FORCE:
            push(b, f, (0.0, 0.0, 0.0), R, solids.mass, solid)
        elif kind == THRUST:
            push(b, mul(turn, f), mul(turn, at3(solids.load_at, n)), R, solids.mass, solid)
        else:
            torque = f if kind == TORQUE else mul(turn, f)
            alpha = mul(matrix(R[b, 1]), torque)
            for s in range(3):
                solid[b, 3 + s] += alpha[s]
    for n in range(springs.end.shape[0]):
        direction, arm, arm_B = stretch(springs, n, y, rates, known, R, strain)
        force = 0.0
        if strained[n]:
            force = springs.law[n, 0] * strain[n, 0] + springs.law[n, 1] * strain[n, 1]
            if springs.law[n, 2] != BOTH:
                force /= known.wire[n, 0]
            if force < 0.0 and springs.law[n, 2] == 0.0:
                force = 0.0
        strain[n, 2] = force
        if springs.end[n, 0, 0] != ROBOT:
            push(springs.end[n, 0, 1], scale(force, direction), arm, R, solids.mass, solid)
        if springs.end[n, 1, 0] != ROBOT:
            push(springs.end[n, 1, 1], scale(-force, direction), arm_B, R, solids.mass, solid)


@kernel()
def strains(solids, springs, y, rates, known, R, strain):
    """Strains of all springs and their rates, into ``strain`` (ns, 3)."""
    attitudes(solids, y, R)
    for n in range(springs.end.shape[0]):
        stretch(springs, n, y, rates, known, R, strain)
