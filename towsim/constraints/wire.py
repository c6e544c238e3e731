"""Wires: hard, massless, unilateral.

Law       ψ = L − ‖p_AB‖ ≥ 0,   λ ≥ 0,   ψ λ = 0;   p_AB = p_B − p_A
Rate      ψ̇ = L̇ + n·ṗ_A − n·ṗ_B,   n = p_AB / ‖p_AB‖
Row       +n at A, −n at B (torque about the node: arm × force)
Bias      ψ/h + ∂ψ/∂t;   ∂ψ/∂t = L̇ + n·ṗ_A − n·ṗ_B over the ends that are robots
Impulse   +n p on A, −n p on B: a wire pulls, it never pushes

Seen from an end, whichever it is, n points to the other one: four ends of a body go through this side by side. Of a
wire between two bodies each does it for itself.

Source: Stewart–Trinkle velocity-level discretisation of ψ_w in the notes on towed bodies; both ends are taken at the
same instant.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.fours import gather, gather_column, gather_from, number_of, put_each, width
from solvers.kernels.lanes import WIDTH, along, inverse_above, root
from towsim.model.sides import force, put_side
from towsim.model.vectors import add, at3, at9, cross, dot, mul, norm, put3, scale, sub


@part()
def vector(a, i):
    """The vector in place i of an array by fours, or the four that begin with it."""
    k = number_of(a, i, 3)
    return a[k], a[k + WIDTH], a[k + 2 * WIDTH]


@part()
def put_vector(a, i, u):
    """Write it, or them."""
    k = number_of(a, i, 3)
    a[k] = u[0]
    a[k + WIDTH] = u[1]
    a[k + 2 * WIDTH] = u[2]


@part()
def wire_gaps(wires, rows, q, R, robot, length, places, arms, n, J, gap):
    """Gaps ψ [m] in the wires' rows of gap, and the sides' directions into J (not if it is None).

    Where both ends meet there is no direction: n = 0 and the wire is slack.

    q, R : poses of the bodies;  places, arms : (3 n,) scratch for the ends of wires between bodies [m]
    n : (m, 3) directions of the wires from robot to robot
    """
    held_gaps(wires.held, rows, q, R, robot, length, J, gap)
    place_ends(wires.joined, q, R, places, arms)
    joined_gaps(wires.joined, rows, length, places, arms, J, gap)
    for k in range(wires.known.shape[0]):
        i, a, b = wires.known[k, 0], wires.known[k, 1], wires.known[k, 2]
        p = sub(at3(robot, b), at3(robot, a))
        distance = norm(p)
        gap[wires.row[i]] = length[i] - distance
        if J is not None:
            put3(n, k, scale(inverse_above(distance, 1e-12 * length[i]), p))


@part()
def held_gaps(ends, rows, q, R, robot, length, J, gap):
    """Of wires that robots hold."""
    local = along(ends.local)
    for g in range(ends.body.shape[0]):
        b = ends.body[g]
        x, r = (q[7 * b], q[7 * b + 1], q[7 * b + 2]), at9(R, b)
        k = 0
        while k < ends.size[g]:
            i = WIDTH * g + k
            arm = mul(r, vector(local, i))
            p = sub(robots(robot, ends, i), add(x, arm))
            write(ends, rows, i, ends.side[g] + k, p, arm, length, J, gap)
            k += width(gap)


@part()
def robots(known, ends, i):
    """What is known (n_robots, 3) of the robot that holds the wire of end i, or four of them."""
    return (
        gather_column(known, ends.other, i, 0),
        gather_column(known, ends.other, i, 1),
        gather_column(known, ends.other, i, 2),
    )


@part()
def write(ends, rows, i, s, p, arm, length, J, gap):
    """Write the gap of the wire of end i, or of four, and the direction of its side s, from p between its ends."""
    L = gather(length, ends.wire, ends.run, i)
    distance = root(dot(p, p))
    put_each(gap, rows.row, rows.run, s, L - distance)
    if J is not None:
        n = scale(along(ends.weight)[i] * inverse_above(distance, 1e-12 * L), p)
        put_side(along(J), s, n, cross(arm, n))


@part()
def place_ends(ends, q, R, places, arms):
    """Where ends of wires between bodies are, and their arms from the bodies' origins (3 n,) [m]."""
    local, x, r = along(ends.local), along(places), along(arms)
    for g in range(ends.body.shape[0]):
        b = ends.body[g]
        centre, turn = (q[7 * b], q[7 * b + 1], q[7 * b + 2]), at9(R, b)
        k = 0
        while k < ends.size[g]:
            i = WIDTH * g + k
            arm = mul(turn, vector(local, i))
            put_vector(r, i, arm)
            put_vector(x, i, add(centre, arm))
            k += width(places)


@part()
def joined_gaps(ends, rows, length, places, arms, J, gap):
    """Of wires between bodies."""
    x, r = along(places), along(arms)
    for g in range(ends.body.shape[0]):
        k = 0
        while k < ends.size[g]:
            i = WIDTH * g + k
            other = (
                gather_from(places, 0, ends.other, i),
                gather_from(places, WIDTH, ends.other, i),
                gather_from(places, 2 * WIDTH, ends.other, i),
            )
            write(ends, rows, i, ends.side[g] + k, sub(other, vector(x, i)), vector(r, i), length, J, gap)
            k += width(gap)


@part()
def wire_rates(wires, rows, robot_rate, length_rate, n, J, rate):
    """Write ∂ψ/∂t of wire i [m/s] into rate[wires.row[i]]; directions are those of ``wire_gaps``."""
    sides, ends = along(J), wires.held
    for g in range(ends.body.shape[0]):
        k = 0
        while k < ends.size[g]:
            i, s = WIDTH * g + k, ends.side[g] + k
            r = gather(length_rate, ends.wire, ends.run, i) - dot(force(sides, s), robots(robot_rate, ends, i))
            put_each(rate, rows.row, rows.run, s, r)
            k += width(rate)
    ends = wires.joined
    for g in range(ends.body.shape[0]):
        k = 0
        while k < ends.size[g]:
            r = gather(length_rate, ends.wire, ends.run, WIDTH * g + k)
            put_each(rate, rows.row, rows.run, ends.side[g] + k, r)
            k += width(rate)
    for k in range(wires.known.shape[0]):
        i, a, b = wires.known[k, 0], wires.known[k, 1], wires.known[k, 2]
        rate[wires.row[i]] = length_rate[i] - dot(at3(n, k), sub(at3(robot_rate, b), at3(robot_rate, a)))
