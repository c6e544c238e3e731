"""The stack of rows: from directions at nodes to the complementarity problem of one step.

    A = J Y Jᵀ + diag(compliance),   q = J u_free + b,   w = A p + q,   0 ≤ w ⟂ p ≥ 0   (FREE rows: w = 0)

Y is block-diagonal over the sub-systems, so entry (i, j) of A is a sum over the pairs of sides at which rows i and j
meet on one sub-system; the pairs are listed when the scene is compiled.

Source: Schur complement of the MLCP [0; ρ] = [M −G; Gᵀ 0][v; p] + [−M v − h f; ψ/h + ∂ψ/∂t], with J = Gᵀ.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from towsim.compiled import part
from towsim.model.vectors import at9, mul, scale


@part()
def put_side(J, s, direction, torque):
    """Write the spatial direction (force part, torque part about the node) of side s."""
    J[s, 0] = direction[0]
    J[s, 1] = direction[1]
    J[s, 2] = direction[2]
    J[s, 3] = torque[0]
    J[s, 4] = torque[1]
    J[s, 5] = torque[2]


@part()
def dot6(a, i, b, j):
    """Product of row i of a and row j of b, both (.., 6)."""
    return (a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2]) + (
        a[i, 3] * b[j, 3] + a[i, 4] * b[j, 4] + a[i, 5] * b[j, 5]
    )


@part()
def inverse_inertia_times(rows, minv, Y, nb, J, W):
    """Responses W = Y J (ns, 6) of the bodies to unit impulses along the sides; cables write theirs (dynamics/cables).

    minv (nb,), Y (nb, 3, 3): bodies' inverse masses and inertias.
    """
    for s in range(rows.node.shape[0]):
        i = rows.node[s]
        if i < nb:
            W[s, 0] = minv[i] * J[s, 0]
            W[s, 1] = minv[i] * J[s, 1]
            W[s, 2] = minv[i] * J[s, 2]
            a, b, c = J[s, 3], J[s, 4], J[s, 5]
            W[s, 3] = Y[i, 0, 0] * a + Y[i, 0, 1] * b + Y[i, 0, 2] * c
            W[s, 4] = Y[i, 1, 0] * a + Y[i, 1, 1] * b + Y[i, 1, 2] * c
            W[s, 5] = Y[i, 2, 0] * a + Y[i, 2, 1] * b + Y[i, 2, 2] * c


@part()
def all_on_one_body(rows, nb, A):
    """Whether there is but one body, and every row has one side, on it: A is the full triangle of J Y Jᵀ."""
    n = rows.kind.shape[0]
    alone = nb == 1 and rows.meeting.shape[0] == 2 and rows.node.shape[0] == n
    return alone and rows.pairs.shape[0] == A.shape[0] and A.shape[0] == n * (n + 1) // 2


@part()
def assemble_on_one_body(rows, minv, Y, J, W, A):
    """Responses W = Y J and A = J Wᵀ where all rows are on one body."""
    y, m = at9(Y, 0), minv[0]
    k = np.uint64(0)
    for i in range(np.uint64(rows.kind.shape[0])):
        f, t = (J[i, 0], J[i, 1], J[i, 2]), (J[i, 3], J[i, 4], J[i, 5])
        put_side(W, i, scale(m, f), mul(y, t))
        for j in range(i + np.uint64(1)):
            A[k] = (f[0] * W[j, 0] + f[1] * W[j, 1] + f[2] * W[j, 2]) + (
                t[0] * W[j, 3] + t[1] * W[j, 4] + t[2] * W[j, 5]
            )
            k += np.uint64(1)
        A[k - np.uint64(1)] += rows.compliance[i]


@part()
def assemble(rows, J, W, A):
    """Lower envelope of A from the sides' directions J and responses W."""
    for k in range(A.shape[0]):
        total = 0.0
        for i in range(rows.entry[k], rows.entry[k + 1]):
            total += dot6(J, rows.pairs[i, 0], W, rows.pairs[i, 1])
        A[k] = total
    for i in range(rows.kind.shape[0]):
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
    """Rates J u + bias (nr,) of the rows at the node velocities u (nn, 6)."""
    for i in range(rows.kind.shape[0]):
        rate = bias[i]
        for s in range(rows.ptr[i], rows.ptr[i + 1]):
            rate += dot6(J, s, u, rows.node[s])
        out[i] = rate


@part()
def wrenches(rows, J, p, out):
    """Impulses on the nodes (nn, 6) of the row impulses p (nr,): Jᵀ p."""
    for k in range(out.shape[0]):
        a = b = c = d = e = f = 0.0
        for i in range(rows.meeting[k], rows.meeting[k + 1]):
            s = rows.side[i]
            x = p[rows.row[s]]
            a += x * J[s, 0]
            b += x * J[s, 1]
            c += x * J[s, 2]
            d += x * J[s, 3]
            e += x * J[s, 4]
            f += x * J[s, 5]
        out[k, 0] = a
        out[k, 1] = b
        out[k, 2] = c
        out[k, 3] = d
        out[k, 4] = e
        out[k, 5] = f
