"""Bodies on wires that robots hold: the same rows as of any other scene, four wires of a body at a time.

Every row has one side, on its body, and the rows of a body follow each other: there are no lists of nodes and sides to
go through. With p = p_robot − p_body and n = p / ‖p‖ it does not matter which end of the wire is which:

    ψ = L − ‖p‖,   J = [n, r × n],   ∂ψ/∂t = L̇ − n·ṗ_robot

J, W and the points are kept *by fours*: the first numbers of four wires of a body, then their second ones, and so on.
Wires that are missing in a body's last four are its last wire again; what comes of them is written behind its rows,
where those of the next body are written later, or arrays of ``Work`` have room for it. With one body ``Tow.body`` is
None, and numba leaves out what finds the rows of each.

Source: constraints/wire.py, whose laws these are.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.lanes import WIDTH, abreast, along, inverse_above, lanes, root, total
from towsim.model.vectors import add, arc, at3, at9, axpy, cross, dot, mul, put6, scale, sub, swung


@part()
def number_of(body):
    """How many bodies there are on wires; with one, ``Tow.body`` is None and its places are known beforehand."""
    return 1 if body is None else body.shape[0]


@part()
def rows_of(body, tow, k):
    """(which body it is, its first row, and the range of its fours) of the k-th body on wires."""
    if body is None:
        return 0, 0, 0, tow.wire.shape[0] >> 2
    return body[k], tow.first[k], tow.four[k], tow.four[k + 1]


@part()
def end_of_rows(body, tow, k):
    """Row behind the last one of the k-th body."""
    return tow.of.shape[0] if body is None else tow.first[k + 1]


@part()
def lengths_of(body, tow, length, i):
    """Of the four wires in place i, their numbers in a vector over all wires."""
    if body is None:  # wires are in their places, the last one in place of those behind it
        last = length.shape[0] - 1
        if i + 3 <= last:
            return along(length)[i]
        return lanes(length[i], length[min(i + 1, last)], length[min(i + 2, last)], length[last])
    return lanes(length[tow.wire[i]], length[tow.wire[i + 1]], length[tow.wire[i + 2]], length[tow.wire[i + 3]])


@part()
def held(tow, robot, i):
    """Of the four wires in place i, what is known of their robots (n_robots, 3)."""
    a, b, c, d = tow.robot[i], tow.robot[i + 1], tow.robot[i + 2], tow.robot[i + 3]
    return (
        lanes(robot[a, 0], robot[b, 0], robot[c, 0], robot[d, 0]),
        lanes(robot[a, 1], robot[b, 1], robot[c, 1], robot[d, 1]),
        lanes(robot[a, 2], robot[b, 2], robot[c, 2], robot[d, 2]),
    )


@part()
def position(q, b):
    """Of body b."""
    k = 7 * b
    return q[k], q[k + 1], q[k + 2]


@part()
def force_of(J, i):
    """What the wire in place i has for forces in J or W."""
    g, k, four = i >> 2, i & 3, abreast(J, 0)
    return four[g, 0, k], four[g, 1, k], four[g, 2, k]


@part()
def torque_of(J, i):
    """What the wire in place i has for torques in J or W."""
    g, k, four = i >> 2, i & 3, abreast(J, 0)
    return four[g, 3, k], four[g, 4, k], four[g, 5, k]


@part()
def torques(J, g):
    """What row g, or four of them, has for torques."""
    return J[g, 3], J[g, 4], J[g, 5]


@part()
def tow_gaps(tow, q, R, robot, length, J, gap):
    """Gaps ψ [m] at the positions q with the rotations R, and the rows J by fours."""
    local, rows, out = abreast(tow.local, 0), abreast(J, 0), along(gap)
    for k in range(number_of(tow.body)):
        b, row, begin, end = rows_of(tow.body, tow, k)
        x, r = position(q, b), at9(R, b)
        for g in range(begin, end):
            L = lengths_of(tow.body, tow, length, WIDTH * g)
            arm = mul(r, at3(local, g))
            p = sub(held(tow, robot, WIDTH * g), add(x, arm))
            distance = root(dot(p, p))
            out[row] = L - distance
            n = scale(inverse_above(distance, 1e-12 * L), p)
            put6(rows, g, n, cross(arm, n))
            row += WIDTH


@part()
def tow_gaps_ahead(tow, q, R, turn, robot, length, gap):
    """Gaps ψ [m] at the positions q after the turns (nb, 3) [rad] from the rotations R."""
    local, out = abreast(tow.local, 0), along(gap)
    for k in range(number_of(tow.body)):
        b, row, begin, end = rows_of(tow.body, tow, k)
        x, r, u = position(q, b), at9(R, b), at3(turn, b)
        by = arc(u)
        for g in range(begin, end):
            arm = swung(u, by, mul(r, at3(local, g)))
            p = sub(held(tow, robot, WIDTH * g), add(x, arm))
            out[row] = lengths_of(tow.body, tow, length, WIDTH * g) - root(dot(p, p))
            row += WIDTH


@part()
def tow_drift(tow, robot_rate, length_rate, J, rate):
    """∂ψ/∂t [m/s]."""
    rows, out = abreast(J, 0), along(rate)
    for k in range(number_of(tow.body)):
        _, row, begin, end = rows_of(tow.body, tow, k)
        for g in range(begin, end):
            i = WIDTH * g
            out[row] = lengths_of(tow.body, tow, length_rate, i) - dot(at3(rows, g), held(tow, robot_rate, i))
            row += WIDTH


@part()
def tow_matrix(tow, minv, Y, J, W, A):
    """Responses W = Y J of the bodies by fours, and A = J Wᵀ, a full lower triangle by rows for each body."""
    rows, responses, out, at = abreast(J, 0), abreast(W, 0), along(A), 0
    for k in range(number_of(tow.body)):
        b, row, begin, end = rows_of(tow.body, tow, k)
        m, y = minv[b], at9(Y, b)
        for g in range(begin, end):
            put6(responses, g, scale(m, at3(rows, g)), mul(y, torques(rows, g)))
        for i in range(end_of_rows(tow.body, tow, k) - row):
            n, t = force_of(J, WIDTH * begin + i), torque_of(J, WIDTH * begin + i)
            for g in range((i >> 2) + 1):  # what is written beyond the diagonal is overwritten by the rows behind it
                out[at + WIDTH * g] = dot(n, at3(responses, begin + g)) + dot(t, torques(responses, begin + g))
            at += i + 1


@part()
def tow_rates(tow, J, u, bias, out):
    """Rates J u + bias of the rows at the bodies' velocities u (nn, 6); ``out`` is another array than ``bias``."""
    rows, given, found = abreast(J, 0), along(bias), along(out)
    for k in range(number_of(tow.body)):
        b, row, begin, end = rows_of(tow.body, tow, k)
        v, w = at3(u, b), (u[b, 3], u[b, 4], u[b, 5])
        for g in range(begin, end):
            found[row] = given[row] + (dot(at3(rows, g), v) + dot(torques(rows, g), w))
            row += WIDTH


@part()
def tow_wrench(tow, J, p, out):
    """Impulses Jᵀ p on the bodies (nn, 6)."""
    for k in range(number_of(tow.body)):
        b, row, g, _ = rows_of(tow.body, tow, k)
        end = end_of_rows(tow.body, tow, k)
        f = t = (0.0, 0.0, 0.0)
        if end - row > WIDTH:
            f, t = wrench_by_fours(J, g, p, row, end)
        else:  # what was written one by one just now is slow to read as lanes
            for i in range(end - row):
                f = axpy(p[row + i], force_of(J, WIDTH * g + i), f)
                t = axpy(p[row + i], torque_of(J, WIDTH * g + i), t)
        put6(out, b, f, t)


@part()
def wrench_by_fours(J, g, p, row, end):
    """Force and torque of the impulses p[row:end], four rows at a time, from the g-th four on."""
    rows, zero = abreast(J, 0), lanes(0.0, 0.0, 0.0, 0.0)
    f = t = (zero, zero, zero)
    for i in range(row, end, WIDTH):
        if i + WIDTH <= end:
            four = lanes(p[i], p[i + 1], p[i + 2], p[i + 3])
        else:
            four = lanes(p[i], p[i + 1] if i + 1 < end else 0.0, p[i + 2] if i + 2 < end else 0.0, 0.0)
        f, t = axpy(four, at3(rows, g), f), axpy(four, torques(rows, g), t)
        g += 1
    return (total(f[0]), total(f[1]), total(f[2])), (total(t[0]), total(t[1]), total(t[2]))


@part()
def tow_rate(tow, work, v, row):
    """J u of a row at the velocities and momenta v [m/s]."""
    b, place = tow.of[row], tow.place[row]
    k = 6 * b
    w = mul(at9(work.Y, b), (v[k + 3], v[k + 4], v[k + 5]))
    return dot(force_of(work.J, place), (v[k], v[k + 1], v[k + 2])) + dot(torque_of(work.J, place), w)
