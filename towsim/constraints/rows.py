"""The stack of rows: from directions at nodes to the complementarity problem of one step.

    A = J Y Jᵀ + diag(compliance),   q = J u_free + b,   w = A p + q,   0 ≤ w ⟂ p ≥ 0   (FREE rows: w = 0)

Y is block-diagonal over the sub-systems, so entry (i, j) of A is a sum over the pairs of sides at which rows i and j
meet on one sub-system; the pairs are listed when the scene is compiled, response by response.

Source: Schur complement of the MLCP [0; ρ] = [M −G; Gᵀ 0][v; p] + [−M v − h f; ψ/h + ∂ψ/∂t], with J = Gᵀ.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.dual import value
from towsim.constraints.tow import torques, tow_rates, tow_wrench
from towsim.model.vectors import at3, at9, axpy, dot, mul, put6, scale


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
    for k in range(nb):
        m, y = minv[k], at9(Y, k)
        for i in range(rows.meeting[k], rows.meeting[k + 1]):
            s = rows.side[i]
            put6(W, s, scale(m, at3(J, s)), mul(y, torques(J, s)))


@part()
def assemble(rows, J, W, A):
    """Lower envelope of A from the sides' directions J and responses W; what is zero by structure stays as it is."""
    for k in range(rows.where.shape[0]):
        A[rows.where[k]] = 0.0
    for s in range(rows.paired.shape[0] - 1):
        force, torque = at3(W, s), torques(W, s)
        for i in range(rows.paired[s], rows.paired[s + 1]):
            side = rows.pairs[i, 0]
            A[rows.pairs[i, 1]] += dot(at3(J, side), force) + dot(torques(J, side), torque)
    for i in range(rows.kind.shape[0]):
        A[rows.envelope[i + 1] - 1] += rows.compliance[i]


@part()
def gap_rate(gap, frequency, rounding):
    """Rate ψ/h at which a gap closes in a step [m/s]; a gap of rounding size is none.

    Or else wires of a load at rest, more than are needed, would take turns at pulling it by 1e-15 m. Its derivatives
    stay: another number may open it.
    """
    rate = frequency * gap
    return rate if not abs(rate) <= rounding else rate - value(rate)


@part()
def row_rate(rows, J, u, bias, i):
    """Rate J u + bias of row i at the node velocities u (nn, 6)."""
    rate = bias[i]
    for s in range(rows.ptr[i], rows.ptr[i + 1]):
        rate += dot6(J, s, u, rows.node[s])
    return rate


@part()
def row_rates(rows, J, u, bias, out):
    """Rates J u + bias (nr,) of the rows at the node velocities u (nn, 6); ``out`` is another array than ``bias``."""
    _row_rates(rows.tow, rows.lists, rows, J, u, bias, out)


@part()
def _row_rates(tow, lists, rows, J, u, bias, out):
    if tow is not None:
        tow_rates(tow, J, u, bias, out)
    if lists is not None:
        for i in range(rows.kind.shape[0]):
            out[i] = row_rate(rows, J, u, bias, i)


@part()
def wrenches(rows, J, p, out):
    """Impulses on the nodes (nn, 6) of the row impulses p (nr,): Jᵀ p."""
    _wrenches(rows.tow, rows.lists, rows, J, p, out)


@part()
def _wrenches(tow, lists, rows, J, p, out):
    if tow is not None:
        tow_wrench(tow, J, p, out)
    if lists is not None:
        for k in range(out.shape[0]):
            force = torque = (0.0, 0.0, 0.0)
            for i in range(rows.meeting[k], rows.meeting[k + 1]):
                s = rows.side[i]
                x = p[rows.row[s]]
                force = axpy(x, at3(J, s), force)
                torque = axpy(x, torques(J, s), torque)
            put6(out, k, force, torque)
