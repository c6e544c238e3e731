"""One body on wires that robots hold: the same rows as of any other scene, four wires at a time.

Every row has one side, row i that of wire i, and all are on the one body: there are no lists of nodes and sides to go
through. With p = p_robot − p_body and n = p / ‖p‖ it does not matter which end of the wire is which:

    ψ = L − ‖p‖,   J = [n, r × n],   ∂ψ/∂t = L̇ − n·ṗ_robot

J, W and the points are kept *by fours*: the first numbers of four wires, then their second ones, and so on. Wires that
are missing in the last four are the last wire again; what comes of them is written behind the rows, where arrays of
``Work`` have room for it.

Source: constraints/wire.py, whose laws these are.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.lanes import WIDTH, abreast, along, inverse_above, lanes, root, total
from towsim.model.vectors import add, arc, at3, at9, axpy, cross, dot, mul, put6, scale, sub, swung


@part()
def four_of(x, i):
    """Four numbers of a vector from place i on, the last one in place of those behind it."""
    last = x.shape[0] - 1
    if i + 3 <= last:
        return along(x)[i]
    return lanes(x[i], x[min(i + 1, last)], x[min(i + 2, last)], x[last])


@part()
def held(tow, robot, i):
    """Of four wires from the i-th on, what is known of their robots (n_robots, 3)."""
    a, b, c, d = tow.robot[i], tow.robot[i + 1], tow.robot[i + 2], tow.robot[i + 3]
    return (
        lanes(robot[a, 0], robot[b, 0], robot[c, 0], robot[d, 0]),
        lanes(robot[a, 1], robot[b, 1], robot[c, 1], robot[d, 1]),
        lanes(robot[a, 2], robot[b, 2], robot[c, 2], robot[d, 2]),
    )


@part()
def force_of(J, i):
    """What row i of J or W has for forces."""
    k, four = i % WIDTH, abreast(J, 0)
    return four[i // WIDTH, 0, k], four[i // WIDTH, 1, k], four[i // WIDTH, 2, k]


@part()
def torque_of(J, i):
    """What row i of J or W has for torques."""
    k, four = i % WIDTH, abreast(J, 0)
    return four[i // WIDTH, 3, k], four[i // WIDTH, 4, k], four[i // WIDTH, 5, k]


@part()
def torques(J, g):
    """The same of four rows."""
    return J[g, 3], J[g, 4], J[g, 5]


@part()
def tow_gaps(tow, q, R, robot, length, J, gap):
    """Gaps ψ [m] at the pose q with rotation R, and the rows J by fours."""
    x, r = (q[0], q[1], q[2]), at9(R, 0)
    local, rows, out = abreast(tow.local, 0), abreast(J, 0), along(gap)
    for g in range(tow.local.shape[0] // WIDTH):
        i = WIDTH * g
        L = four_of(length, i)
        arm = mul(r, at3(local, g))
        p = sub(held(tow, robot, i), add(x, arm))
        distance = root(dot(p, p))
        out[i] = L - distance
        n = scale(inverse_above(distance, 1e-12 * L), p)
        put6(rows, g, n, cross(arm, n))


@part()
def tow_gaps_ahead(tow, q, R, turn, robot, length, gap):
    """Gaps ψ [m] at the position q after the turn (1, 3) [rad] from the rotation R."""
    x, r, u = (q[0], q[1], q[2]), at9(R, 0), at3(turn, 0)
    local, out, by = abreast(tow.local, 0), along(gap), arc(u)
    for g in range(tow.local.shape[0] // WIDTH):
        i = WIDTH * g
        arm = swung(u, by, mul(r, at3(local, g)))
        p = sub(held(tow, robot, i), add(x, arm))
        out[i] = four_of(length, i) - root(dot(p, p))


@part()
def tow_drift(tow, robot_rate, length_rate, J, rate):
    """∂ψ/∂t [m/s]."""
    rows, out = abreast(J, 0), along(rate)
    for g in range(J.shape[0] // WIDTH):
        i = WIDTH * g
        out[i] = four_of(length_rate, i) - dot(at3(rows, g), held(tow, robot_rate, i))


@part()
def tow_matrix(tow, minv, Y, J, W, A):
    """Responses W = Y J of the body by fours, and A = J Wᵀ, a full lower triangle by rows."""
    m, y = minv[0], at9(Y, 0)
    rows, responses, out = abreast(J, 0), abreast(W, 0), along(A)
    for g in range(J.shape[0] // WIDTH):
        put6(responses, g, scale(m, at3(rows, g)), mul(y, torques(rows, g)))
    k = 0
    for i in range(tow.point.shape[0]):
        n, t = force_of(J, i), torque_of(J, i)
        for g in range(i // WIDTH + 1):  # what is written beyond the diagonal is overwritten by the rows behind it
            out[k + WIDTH * g] = dot(n, at3(responses, g)) + dot(t, torques(responses, g))
        k += i + 1


@part()
def tow_rates(J, u, bias, out):
    """Rates J u + bias of the rows at the body's velocity u (1, 6)."""
    v, w = at3(u, 0), (u[0, 3], u[0, 4], u[0, 5])
    rows, given, found = abreast(J, 0), along(bias), along(out)
    for g in range(J.shape[0] // WIDTH):
        i = WIDTH * g
        found[i] = given[i] + (dot(at3(rows, g), v) + dot(torques(rows, g), w))


@part()
def tow_wrench(tow, J, p, out):
    """Impulse Jᵀ p on the body (1, 6)."""
    f = t = (0.0, 0.0, 0.0)
    if tow.point.shape[0] > WIDTH:
        f, t = wrench_by_fours(J, p)
    else:  # what was written one by one just now is slow to read as lanes
        for i in range(tow.point.shape[0]):
            f = axpy(p[i], force_of(J, i), f)
            t = axpy(p[i], torque_of(J, i), t)
    put6(out, 0, f, t)


@part()
def wrench_by_fours(J, p):
    """Force and torque of the impulses p, four rows at a time."""
    rows, zero, last = abreast(J, 0), lanes(0.0, 0.0, 0.0, 0.0), p.shape[0] - 1
    f = t = (zero, zero, zero)
    for g in range(J.shape[0] // WIDTH):
        i = WIDTH * g
        if i + 3 <= last:
            four = lanes(p[i], p[i + 1], p[i + 2], p[i + 3])
        else:
            four = lanes(p[i], p[i + 1] if i < last else 0.0, p[i + 2] if i + 1 < last else 0.0, 0.0)
        f, t = axpy(four, at3(rows, g), f), axpy(four, torques(rows, g), t)
    return (total(f[0]), total(f[1]), total(f[2])), (total(t[0]), total(t[1]), total(t[2]))
