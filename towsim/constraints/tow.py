"""One body on wires that robots hold: the same rows as of any other scene, in one pass over the wires.

Every row has one side, row i that of wire i, and all are on the one body: there are no lists of nodes and sides to go
through. With p = p_robot − p_body and n = p / ‖p‖ it does not matter which end of the wire is which:

    ψ = L − ‖p‖,   J = [n, r × n],   ∂ψ/∂t = L̇ − n·ṗ_robot

Source: constraints/wire.py, whose laws these are.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from towsim.compiled import part
from towsim.model.vectors import add, at3, at9, axpy, cross, dot, mul, norm, put6, scale, sub


@part()
def tow_gaps(tow, local, q, R, robot, length, wanted, J, gap):
    """Gaps ψ [m] at the pose q with rotation R, and the rows J (n, 6) unless ``wanted`` is None.

    local : points of the body, body axes [m]
    """
    x, r = (q[0], q[1], q[2]), at9(R, 0)
    for i in range(np.uint64(tow.point.shape[0])):
        arm = mul(r, at3(local, tow.point[i]))
        p = sub(at3(robot, tow.robot[i]), add(x, arm))
        distance = norm(p)
        gap[i] = length[i] - distance
        if wanted is not None:
            n = scale(1.0 / distance if distance > 1e-12 * length[i] else 0.0, p)
            put6(J, i, n, cross(arm, n))


@part()
def tow_drift(tow, robot_rate, length_rate, J, rate):
    """∂ψ/∂t [m/s]."""
    for i in range(np.uint64(tow.point.shape[0])):
        rate[i] = length_rate[i] - dot(at3(J, i), at3(robot_rate, tow.robot[i]))


@part()
def tow_matrix(tow, minv, Y, J, W, A):
    """Responses W = Y J of the body, and A = J Wᵀ, a full lower triangle by rows."""
    m, y = minv[0], at9(Y, 0)
    k, one = np.uint64(0), np.uint64(1)
    for i in range(np.uint64(tow.point.shape[0])):
        n, t = at3(J, i), (J[i, 3], J[i, 4], J[i, 5])
        put6(W, i, scale(m, n), mul(y, t))
        for j in range(i + one):
            A[k] = dot(n, at3(W, j)) + (t[0] * W[j, 3] + t[1] * W[j, 4] + t[2] * W[j, 5])
            k += one


@part()
def tow_rates(tow, J, u, bias, out):
    """Rates J u + bias of the rows at the body's velocity u (1, 6)."""
    v, w = at3(u, 0), (u[0, 3], u[0, 4], u[0, 5])
    for i in range(np.uint64(tow.point.shape[0])):
        out[i] = bias[i] + (dot(at3(J, i), v) + (J[i, 3] * w[0] + J[i, 4] * w[1] + J[i, 5] * w[2]))


@part()
def tow_wrench(tow, J, p, out):
    """Impulse Jᵀ p on the body (1, 6)."""
    f = t = (0.0, 0.0, 0.0)
    for i in range(np.uint64(tow.point.shape[0])):
        f = axpy(p[i], at3(J, i), f)
        t = axpy(p[i], (J[i, 3], J[i, 4], J[i, 5]), t)
    put6(out, 0, f, t)
