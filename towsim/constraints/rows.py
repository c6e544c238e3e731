"""The stack of rows: from directions at nodes to the complementarity problem of one step.

    A = J Y Jᵀ + diag(compliance),   q = J u_free + b,   w = A p + q,   0 ≤ w ⟂ p ≥ 0   (FREE rows: w = 0)

Up to four rows of one law that act on the same nodes are a *group*: neighbours in p, q and w, with the same sub-systems
on the way from p to w. So they go through every formula side by side, as lanes (see ``solvers.kernels.lanes``). What
they have at one of their nodes is a *block* of four sides (see model/sides), zero in lanes without a row.

Y is block-diagonal over the sub-systems, so the part of A in which two groups couple is a sum over the pairs of blocks
at which they meet on one sub-system; the pairs are listed when the scene is compiled. What lanes without a row write
stands behind the last row of their group, where the next one's is written later, or in room that vectors have behind
their end.

Source: Schur complement of the MLCP [0; ρ] = [M −G; Gᵀ 0][v; p] + [−M v − h f; ψ/h + ∂ψ/∂t], with J = Gᵀ.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from solvers.kernels.compiled import part
from solvers.kernels.dual import value
from solvers.kernels.lanes import along, lane, lanes, total
from towsim.model.arrays import AT, BLOCK, COLUMNS, MORE, OBLONG, RESPONSE, ROWS, SHAPE, SINGLE, SQUARE, TRIANGLE, WIDE
from towsim.model.vectors import at3, at9, axpy, dot, mul, put6, scale

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


@part()
def torques(J, b):
    """Torques of block b of J, as lanes see it, or of row b of (.., 6)."""
    return J[b, 3], J[b, 4], J[b, 5]


@part()
def inverse_inertia_times(rows, minv, Y, nb, J, W):
    """Responses W = Y J of the bodies to unit impulses along the sides; cables write theirs (dynamics/cables).

    minv (nb,), Y (nb, 3, 3): bodies' inverse masses and inertias.
    """
    directions, responses = along(J), along(W)
    for b in range(rows.node.shape[0]):
        i = rows.node[b]
        if i < nb:
            put6(responses, b, scale(minv[i], at3(directions, b)), mul(at9(Y, i), torques(directions, b)))


@part()
def assemble(rows, J, W, A):
    """Lower envelope of A from the sides' directions J and responses W."""
    for k in range(rows.blank.shape[0]):
        A[rows.blank[k]] = 0.0
    for k in range(rows.product.shape[0]):
        one = rows.product[k]
        if one[SHAPE] == SQUARE:
            square(J, W, A, one)
        elif one[SHAPE] == TRIANGLE:
            triangle(J, W, A, one)
        elif one[SHAPE] == SINGLE:
            A[one[AT]] = product(J, W, one[BLOCK], one[RESPONSE], ZERO, ZERO) + (
                A[one[AT]] if one[MORE] > ZERO else 0.0
            )
        else:
            oblong(J, W, A, one)
    for k in range(rows.soft.shape[0]):
        i = rows.soft[k]
        A[rows.envelope[i + 1] - 1] += rows.compliance[i]


@part()
def products(J, b, i, force, torque):
    """Products of side i of block b and the four of a response."""
    return (J[b, 0, i] * force[0] + J[b, 1, i] * force[1] + J[b, 2, i] * force[2]) + (
        J[b, 3, i] * torque[0] + J[b, 4, i] * torque[1] + J[b, 5, i] * torque[2]
    )


@part()
def product(J, W, b, r, i, j):
    """Product of side i of block b and side j of a response."""
    return (J[b, 0, i] * W[r, 0, j] + J[b, 1, i] * W[r, 1, j] + J[b, 2, i] * W[r, 2, j]) + (
        J[b, 3, i] * W[r, 3, j] + J[b, 4, i] * W[r, 4, j] + J[b, 5, i] * W[r, 5, j]
    )


@part()
def square(J, W, A, one):
    """What two groups of four couple by."""
    b, at, wide, out = one[BLOCK], one[AT], one[WIDE], along(A)
    force, torque = at3(along(W), one[RESPONSE]), torques(along(W), one[RESPONSE])
    out[at] = products(J, b, 0, force, torque)
    out[at + wide] = products(J, b, 1, force, torque)
    out[at + wide + wide + ONE] = products(J, b, 2, force, torque)
    out[at + wide + wide + wide + THREE] = products(J, b, 3, force, torque)


@part()
def triangle(J, W, A, one):
    """What a group couples by with itself, up to the diagonal."""
    b, at, wide, rows = one[BLOCK], one[AT], one[WIDE], one[ROWS]
    force, torque = at3(along(W), one[RESPONSE]), torques(along(W), one[RESPONSE])
    A[at] = lane(products(J, b, 0, force, torque), 0)
    if rows > ONE:
        row, at = products(J, b, 1, force, torque), at + wide
        A[at], A[at + ONE] = lane(row, 0), lane(row, 1)
        if rows > TWO:
            row, at = products(J, b, 2, force, torque), at + wide + ONE
            A[at], A[at + ONE], A[at + TWO] = lane(row, 0), lane(row, 1), lane(row, 2)
            if rows > THREE:
                along(A)[at + wide + TWO] = products(J, b, 3, force, torque)


@part(forceinline=False)
def oblong(J, W, A, one):
    """What other groups couple by, or a part of it."""
    at = one[AT]
    for i in range(one[ROWS]):
        for j in range(one[COLUMNS] if one[SHAPE] == OBLONG else i + ONE):
            x = product(J, W, one[BLOCK], one[RESPONSE], i, j)
            A[at + j] = A[at + j] + x if one[MORE] > ZERO else x
        at += one[WIDE] + i


@part()
def gap_rate(gap, frequency, noise):
    """Rate ψ/h at which a gap closes in a step [m/s]; a gap of rounding size is none.

    Or else wires of a load at rest, more than are needed, would take turns at pulling it by 1e-15 m. Its derivatives
    stay: another number may open it.
    """
    rate = frequency * gap
    return rate if not abs(rate) <= noise else rate - value(rate)


@part()
def row_rates(rows, J, u, bias, out):
    """Rates J u + bias (nr,) of the rows at the node velocities u (nn, 6); ``out`` may be ``bias``."""
    directions, given, found = along(J), along(bias), along(out)
    for g in range(rows.first.shape[0] - 1):
        i = rows.first[g]
        rates = given[i]
        for b in range(rows.ptr[g], rows.ptr[g + 1]):
            n = rows.node[b]
            rates = rates + (dot(at3(directions, b), at3(u, n)) + dot(torques(directions, b), torques(u, n)))
        found[i] = rates


@part()
def wrenches(rows, J, p, out):
    """Impulses on the nodes (nn, 6) of the row impulses p (nr,): Jᵀ p."""
    directions, impulses, zero = along(J), along(p), lanes(0.0, 0.0, 0.0, 0.0)
    for n in range(out.shape[0]):
        force = torque = (zero, zero, zero)
        for k in range(rows.meeting[n], rows.meeting[n + 1]):
            b = rows.block[k]
            four = impulses[rows.row[b]]
            force, torque = axpy(four, at3(directions, b), force), axpy(four, torques(directions, b), torque)
        put6(out, n, sums(force), sums(torque))


@part()
def sums(u):
    """A vector of the sums of four."""
    return total(u[0]), total(u[1]), total(u[2])
