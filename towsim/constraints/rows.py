"""The stack of rows: from directions at nodes to the complementarity problem of one step.

    A = J Y Jᵀ + diag(compliance),   q = J u_free + b,   w = A p + q,   0 ≤ w ⟂ p ≥ 0   (FREE rows: w = 0)

Up to four rows of one law that act on the same nodes are a *group*: neighbours in p, q and w, with the same sub-systems
on the way from p to w. So they go through every formula side by side, as lanes (see ``solvers.kernels.lanes``). What
they have at one of their nodes is a *block* of four sides: J[b, 0:3] are the forces of the four at a unit impulse,
J[b, 3:6] the torques, zero in lanes without a row. A side is named by the number 4 b + lane.

Y is block-diagonal over the sub-systems, so the part of A in which two groups couple is a sum over the pairs of blocks
at which they meet on one sub-system; the pairs are listed when the scene is compiled. What lanes without a row write
stands behind the last row of their group, where the next one's is written later, or in room that vectors have behind
their end.

Source: Schur complement of the MLCP [0; ρ] = [M −G; Gᵀ 0][v; p] + [−M v − h f; ψ/h + ∂ψ/∂t], with J = Gᵀ.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.lanes import along, lanes, total
from towsim.model.vectors import at3, at9, axpy, dot, mul, put6, scale


@part()
def put_side(J, side, force, torque):
    """Write the force and torque of one side."""
    b, lane = side >> 2, side & 3
    for j in range(3):
        J[b, j, lane] = force[j]
        J[b, 3 + j, lane] = torque[j]


@part()
def force_of(J, side):
    """Force of one side."""
    b, lane = side >> 2, side & 3
    return J[b, 0, lane], J[b, 1, lane], J[b, 2, lane]


@part()
def torque_of(J, side):
    """Torque of one side."""
    b, lane = side >> 2, side & 3
    return J[b, 3, lane], J[b, 4, lane], J[b, 5, lane]


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
    responses, out = along(W), along(A)
    i = 0
    for g in range(rows.group_first.shape[0]):
        for lane in range(rows.first[g + 1] - rows.first[g]):
            at, e = rows.envelope[i], rows.couplings[g]
            for other in range(rows.group_first[g], g + 1):
                found = lanes(0.0, 0.0, 0.0, 0.0)
                for k in range(rows.entry[e], rows.entry[e + 1]):
                    b, r = rows.pairs[k, 0], rows.pairs[k, 1]
                    force, torque = (
                        (J[b, 0, lane], J[b, 1, lane], J[b, 2, lane]),
                        (J[b, 3, lane], J[b, 4, lane], J[b, 5, lane]),
                    )
                    found = found + (dot(force, at3(responses, r)) + dot(torque, torques(responses, r)))
                out[at] = found
                at += rows.first[other + 1] - rows.first[other]
                e += 1
            i += 1
    for k in range(rows.soft.shape[0]):
        i = rows.soft[k]
        A[rows.envelope[i + 1] - 1] += rows.compliance[i]


@part()
def gap_rate(gap, frequency, noise):
    """Rate ψ/h at which a gap closes in a step [m/s]; a gap of rounding size is none.

    Or else wires of a load at rest, more than are needed, would take turns at pulling it by 1e-15 m.
    """
    rate = frequency * gap
    return rate if not abs(rate) <= noise else 0.0


@part()
def row_rates(rows, J, u, bias, out):
    """Rates J u + bias (nr,) of the rows at the node velocities u (nn, 6); ``out`` may be ``bias``."""
    directions, given, found = along(J), along(bias), along(out)
    for g in range(rows.group_first.shape[0]):
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
        put6(
            out,
            n,
            (total(force[0]), total(force[1]), total(force[2])),
            (total(torque[0]), total(torque[1]), total(torque[2])),
        )
