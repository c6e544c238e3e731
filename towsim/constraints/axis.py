"""The coordinate c of a joint with an axis a: its spring, damper, limits, motor and given motion.

Law       c = a·(p_B − p_A), or the angle from A to B about a;   F = −k (c − c₀) − d ċ,   c_min ≤ c ≤ c_max,  or c(t)
Rate      ċ = a·(ṗ_B − ṗ_A) + (ω_A × a)·(p_B − p_A), or a·(ω_B − ω_A)
Row       the gradient of c (force in the place p_B, or couple) for spring, damper and lower limit; minus it for the
          upper limit
Motion    a row that holds both ways, with gap c − c(t) and rate less ċ(t); c(t) stands behind the wires' lengths
Bias      limits: (c − c_min)/h + ∂c/∂t, (c_max − c)/h − ∂c/∂t;   spring and damper: see below
Impulse   spring and damper of any sign, limits ≥ 0
Drum      pays a wire out: r c is added to its gap L − path, and the couples r a on B, −r a on A to its row

Spring and damper are one free row with compliance: what the impulse p = h F says of the new rate. Stewart–Trinkle takes
k midway, and of what the step does not resolve at its end (s > 0; see elastic.py), and d at the end:

    ċ⁺ + σ p + σ h k (c − c₀ − β h ċ⁻) = 0,        σ = 1/(α h² k + h d),    α = ¼ + ¾ s,    β = ¼ (1 − s)

SHAKE takes k of (c⁺ + 2 c + c⁻)/4 and d of (c⁺ − c⁻)/2h, of order 2 and stable for every k and d; its first kick of h/2
takes them of (c⁺ + c)/2 and (c⁺ − c)/h:

    c⁺/h + σ p + σ [h k (½c + ¼c⁻ − c₀) − ½d c⁻] = 0,     σ = 1/(¼h² k + ½h d)

Source: average acceleration (Newmark 1959), which for a linear spring is the implicit midpoint rule; implicit Euler.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.constraints.rail import slide_row
from towsim.constraints.tilt import in_world
from towsim.model.arrays import OFF_COMPLIANCE, Floats
from towsim.model.joints import Joints
from towsim.model.sides import put_side
from towsim.model.springs import euler_share
from towsim.model.vectors import add, at3, at9, cross, dot, mul, scale, sub

SPRING, LOWER, UPPER, MOTION = 0, 1, 2, 3

NOW, BEGIN, BEFORE = 0, 1, 2
"""Columns of the coordinates: at the geometry at hand, at the beginning of the step, a step before that."""


def put_spring_compliance(joints: Joints, compliance: Floats, h: float) -> None:
    """SHAKE: give the rows of springs and dampers their compliance σ = 1/(h² k/4 + h d/2) for a step of h [s]."""
    axes = joints.axes
    has = axes.row[:, SPRING] >= 0
    stiff = 0.25 * h * h * axes.stiffness[has] + 0.5 * h * axes.damping[has]
    compliance[axes.row[has, SPRING]] = 1.0 / stiff


@part()
def axis_gaps(axes, P, R, length, c, gap):
    """Coordinates c (na, 3) [m or rad], column NOW, and the gaps of their rows; angles go on where they were last."""
    for i in range(axes.slides.shape[0]):
        if axes.slides[i]:
            a = in_world(R, axes.node_a[i], (axes.frame[i, 0, 0], axes.frame[i, 0, 1], axes.frame[i, 0, 2]))
            c[i, NOW] = dot(a, sub(at3(P, axes.b[i]), at3(P, axes.a[i])))
        else:
            t1 = in_world(R, axes.node_a[i], (axes.frame[i, 1, 0], axes.frame[i, 1, 1], axes.frame[i, 1, 2]))
            t2 = in_world(R, axes.node_a[i], (axes.frame[i, 2, 0], axes.frame[i, 2, 1], axes.frame[i, 2, 2]))
            z = in_world(R, axes.node_b[i], at3(axes.zero, i))
            angle = math.atan2(dot(z, t2), dot(z, t1))
            c[i, NOW] = angle + 2.0 * math.pi * math.floor((c[i, NOW] - angle) / (2.0 * math.pi) + 0.5)
        if axes.row[i, SPRING] >= 0:
            gap[axes.row[i, SPRING]] = c[i, NOW]
        if axes.row[i, LOWER] >= 0:
            gap[axes.row[i, LOWER]] = c[i, NOW] - axes.limit[i, 0]
            gap[axes.row[i, UPPER]] = axes.limit[i, 1] - c[i, NOW]
        if axes.row[i, MOTION] >= 0:
            gap[axes.row[i, MOTION]] = c[i, NOW] - length[axes.motion[i]]


@part()
def axis_rows(axes, points, P, R, arm, robot_rate, length_rate, J, rate):
    """Write the sides' directions into J and ∂/∂t of the coordinates into the rows of rate."""
    zero = (0.0, 0.0, 0.0)
    for i in range(axes.slides.shape[0]):
        a = in_world(R, axes.node_a[i], (axes.frame[i, 0, 0], axes.frame[i, 0, 1], axes.frame[i, 0, 2]))
        for k in range(4):
            row = axes.row[i, k]
            if row < 0:
                continue
            d = scale(-1.0, a) if k == UPPER else a
            if axes.slides[i]:
                rate[row] = slide_row(
                    axes.a[i], axes.b[i], d, axes.side_a[i, k], axes.side_b[i, k], points, P, arm, robot_rate, J
                )
            else:
                if axes.side_a[i, k] >= 0:
                    put_side(J, axes.side_a[i, k], zero, scale(-1.0, d))
                if axes.side_b[i, k] >= 0:
                    put_side(J, axes.side_b[i, k], zero, d)
                rate[row] = 0.0
            if k == MOTION:
                rate[row] -= length_rate[axes.motion[i]]


@part()
def motor_impulses(axes, points, motor, h, P, R, arm, minv, Y, f, u):
    """Add the motors' forces or torques (nm,) to the loads f, and what they do in h to the free motion u."""
    zero = (0.0, 0.0, 0.0)
    for i in range(axes.slides.shape[0]):
        if axes.motor[i] < 0:
            continue
        a = in_world(R, axes.node_a[i], (axes.frame[i, 0, 0], axes.frame[i, 0, 1], axes.frame[i, 0, 2]))
        push = scale(motor[axes.motor[i]], a)
        if axes.slides[i]:
            r = add(at3(arm, axes.a[i]), sub(at3(P, axes.b[i]), at3(P, axes.a[i])))
            apply(axes.node_a[i], scale(-1.0, push), cross(push, r), h, minv, Y, f, u)
            apply(axes.node_b[i], push, cross(at3(arm, axes.b[i]), push), h, minv, Y, f, u)
        else:
            apply(axes.node_a[i], zero, scale(-1.0, push), h, minv, Y, f, u)
            apply(axes.node_b[i], zero, push, h, minv, Y, f, u)


@part(forceinline=False)
def apply(node, force, torque, h, minv, Y, f, u):
    """Add a force and a torque about a node to its loads and to its free motion; −1: a robot does not care."""
    if node >= 0:
        turn = mul(at9(Y, node), torque)
        for j in range(3):
            f[node, j] += force[j]
            f[node, j + 3] += torque[j]
            u[node, j] += h * minv[node] * force[j]
            u[node, j + 3] += h * turn[j]


@part()
def open_spring(axes, rows):
    """Stewart–Trinkle: the compliance of the springs' rows waits until A is known, but that of detached joints."""
    for i in range(axes.slides.shape[0]):
        row = axes.row[i, SPRING]
        if row >= 0 and rows.compliance[row] != OFF_COMPLIANCE:
            rows.compliance[row] = 0.0


@part()
def spring_law(axes, h, c, rate, rows, A, bias):
    """Stewart–Trinkle: compliance of the springs' rows, into A as well, and their bias, where their rates ċ⁻ stand."""
    for i in range(axes.slides.shape[0]):
        row = axes.row[i, SPRING]
        if row >= 0 and rows.compliance[row] == OFF_COMPLIANCE:
            bias[row] = 0.0
        elif row >= 0:
            k, d, diagonal = axes.stiffness[i], axes.damping[i], rows.envelope[row + 1] - 1
            s = euler_share(k, A[diagonal], h)
            give = 1.0 / (h * h * k * (0.25 + 0.75 * s) + h * d)
            begin = c[i, NOW] - axes.rest[i] - 0.25 * (1.0 - s) * h * bias[row]
            bias[row] = rate[row] + give * h * k * begin
            rows.compliance[row] = give
            A[diagonal] += give


@part()
def midpoint_spring(axes, h, first, c, compliance, p, q):
    """SHAKE: what the springs' rows of q lack, where q = c⁺/h − (A + σ) p with the last impulses p."""
    for i in range(axes.slides.shape[0]):
        row = axes.row[i, SPRING]
        if row >= 0 and compliance[row] != OFF_COMPLIANCE:
            k, d = axes.stiffness[i], axes.damping[i]
            if first:
                known = h * k * (0.25 * c[i, BEGIN] - 0.5 * axes.rest[i]) - 0.5 * d * c[i, BEGIN]
            else:
                known = h * k * (0.5 * c[i, BEGIN] + 0.25 * c[i, BEFORE] - axes.rest[i]) - 0.5 * d * c[i, BEFORE]
            q[row] += compliance[row] * (p[row] + known)


@part()
def drum_gaps(drums, c, gap):
    """Add to the gaps of wires what their drums have paid out, from the coordinates c (na, 3)."""
    for i in range(drums.row.shape[0]):
        gap[drums.row[i]] += drums.radius[i] * c[drums.axis[i], NOW]


@part()
def drum_rows(drums, axes, R, J):
    """Write the sides of drums, and of what carries them, into J."""
    for i in range(drums.row.shape[0]):
        k = drums.axis[i]
        a = in_world(R, axes.node_a[k], (axes.frame[k, 0, 0], axes.frame[k, 0, 1], axes.frame[k, 0, 2]))
        put_side(J, drums.side_b[i], (0.0, 0.0, 0.0), scale(drums.radius[i], a))
        if drums.side_a[i] >= 0:
            put_side(J, drums.side_a[i], (0.0, 0.0, 0.0), scale(-drums.radius[i], a))
