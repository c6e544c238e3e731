"""The stack of rows: from directions at nodes to the complementarity problem of one step.

    A = J Y Jᵀ + diag(compliance),   q = J u_free + b,   w = A p + q,   0 ≤ w ⟂ p ≥ 0   (FREE rows: w = 0)

A row has a side at each node that it acts on: J has its force and torque there, W the velocity that they cause (see
``model/sides``). Y is block-diagonal over the sub-systems: entry (i, j) of A is the sum of the products of sides at
which rows i and j meet; which ones is listed when the scene is compiled.

Source: Schur complement of the MLCP [0; ρ] = [M −G; Gᵀ 0][v; p] + [−M v − h f; ψ/h + ∂ψ/∂t], with J = Gᵀ.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part, shared
from solvers.kernels.dual import value
from solvers.kernels.fours import add_each, gather, nothing, width
from solvers.kernels.lanes import WIDTH, along, total
from towsim.model.arrays import OFF_COMPLIANCE, TANGENT
from towsim.model.sides import along_side, component, force, put_side, torque
from towsim.model.vectors import at3, at9, axpy, mul, put6, scale


@part()
def inverse_inertia_times(rows, minv, Y, J, W):
    """Responses W = Y J of the bodies to unit impulses along the sides; cables write theirs (dynamics/cables).

    minv (nb,), Y (nb, 3, 3): bodies' inverse masses and inertias.
    """
    sides, responses = along(J), along(W)
    for k in range(rows.begin.shape[0]):
        m, y = minv[k], at9(Y, k)
        s = rows.begin[k]
        while s < rows.end[k]:
            put_side(responses, s, scale(m, force(sides, s)), mul(y, torque(sides, s)))
            s += width(J)


@part()
def assemble(rows, J, W, products, A):
    """Lower envelope of A from the sides' directions J and responses W; what is zero by structure stays as it is.

    products : scratch for those of sides and responses
    """
    sides, entries = along(J), along(A)
    for k in range(rows.direct.shape[0]):
        s = rows.direct[k, 0]
        entries[rows.direct[k, 2]] = along_side(sides, rows.direct[k, 1], force(W, s), torque(W, s))
    out, last = along(products), WIDTH * rows.fours.shape[0]
    for k in range(rows.fours.shape[0]):
        s = rows.fours[k, 0]
        out[WIDTH * k] = along_side(sides, rows.fours[k, 1], force(W, s), torque(W, s))
    for k in range(rows.pairs.shape[0]):
        s = rows.pairs[k, 1]
        products[last + k] = along_side(J, rows.pairs[k, 0], force(W, s), torque(W, s))
    for k in range(rows.single.shape[0]):
        A[rows.single[k, 1]] = products[rows.single[k, 0]]
    for k in range(rows.more.shape[0]):
        A[rows.more[k, 1]] += products[rows.more[k, 0]]
    for k in range(rows.soft.shape[0]):
        i = rows.soft[k]
        A[rows.envelope[i + 1] - 1] += rows.compliance[i]


@part()
def let_idle(model, A):
    """Rows that act on nothing as things are, such as that of a bead on a straight wire: see OFF_COMPLIANCE.

    Only wires with a route and what is at an axis of reduced joints come to that. Friction has nothing to bound then,
    or, along a wire between places that do not move, bounds what is known to slip.
    """
    if model.routes is not None or model.arms is not None:
        _yield_alone(model.rows, A)


@part(forceinline=False)
def _yield_alone(rows, A):
    for i in range(rows.kind.shape[0]):
        end = rows.envelope[i + 1] - 1
        if A[end] == 0.0 and rows.kind[i] != TANGENT:
            A[end] = OFF_COMPLIANCE


@part()
def gap_rate(gap, frequency, rounding):
    """Rate ψ/h at which a gap closes in a step [m/s]; a gap of rounding size is none.

    Or else wires of a load at rest, more than are needed, would take turns at pulling it by 1e-15 m. Its derivatives
    stay: another number may open it.
    """
    rate = frequency * gap
    return rate if not abs(rate) <= rounding else rate - value(rate)


@part()
def row_rates(rows, J, u, bias, out):
    """Rates J u + bias (nr,) of the rows at the node velocities u (nn, 6); ``out`` is another array than ``bias``."""
    for i in range(rows.kind.shape[0]):
        out[i] = bias[i]
    sides = along(J)
    for k in range(rows.begin.shape[0]):
        v, w = at3(u, k), (u[k, 3], u[k, 4], u[k, 5])
        s = rows.begin[k]
        while s < rows.end[k]:
            add_each(out, rows.row, rows.run, s, along_side(sides, s, v, w))
            s += width(J)
    for k in range(rows.apart.shape[0]):
        s = rows.apart[k]
        n = rows.node[s]
        out[rows.row[s]] += along_side(J, s, at3(u, n), (u[n, 3], u[n, 4], u[n, 5]))


@shared
@part()
def wrenches(rows, J, p, out):
    """Impulses on the nodes (nn, 6) of the row impulses p (nr,): Jᵀ p."""
    sides, none = along(J), nothing(J)
    for k in range(rows.begin.shape[0]):
        f = t = (none, none, none)
        s = rows.begin[k]
        while s < rows.end[k]:
            x = gather(p, rows.row, rows.run, s)
            f, t = axpy(x, force(sides, s), f), axpy(x, torque(sides, s), t)
            s += width(J)
        put6(out, k, (total(f[0]), total(f[1]), total(f[2])), (total(t[0]), total(t[1]), total(t[2])))
    for k in range(rows.begin.shape[0], out.shape[0]):
        for j in range(6):
            out[k, j] = 0.0
    for k in range(rows.apart.shape[0]):
        s = rows.apart[k]
        x, n = p[rows.row[s]], rows.node[s]
        for j in range(6):
            out[n, j] += x * J[component(s, j)]
