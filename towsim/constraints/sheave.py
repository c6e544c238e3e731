"""Wheels of pulleys that massless wires turn: what resists between the parts of a wire that lie before and behind them.

A wheel of the radius r and the moment of inertia I resists its wire as a mass m = I/r² that moves with the speed c at
its rim, positive as the wire runs from its end A to B. The wire bears T_j before it and T_j+1 behind:

Law       m ċ = T_j+1 − T_j;   of each part ψ_j ≥ 0 ⟂ T_j ≥ 0;   Σ ψ_j = ψ, the gap of the whole wire (see ``route``)
Rate      ψ̇_j = c_A − c_B + Σ n·(ṗ − ṗ') over its straight parts, c_A and c_B of the wheels where it begins and ends
Row       n at the points as of a wire with a route, 1 and −1 at the speeds of the wheels; its carrier bears n of both
          sides at the centre of its wheel, and no moment
Bias      ψ_j/h + ∂ψ_j/∂t; what is paid out comes at the end B

So a wheel is a sub-system with one velocity (see ``dynamics/sheaves``). **The wire does not slip** on it while it bears
anything: how much of it is before and behind follows from the rates, ψ_j⁺ = ψ_j + h ψ̇_j, and what that lacks of
the gap of the whole wire, of order h², is shared by the lengths of the parts. **Slack wire** lies loose, and its wheels
turn on: it is shared by these lengths, so that no part of it becomes taut before the whole does. An elastic wire has
the stiffness EA/L of the whole, in its parts by their lengths: parts of equal tension stretch as the whole did.

Source: Newton's law of the wheel; Routh, Dynamics of a System of Rigid Bodies I (1905), Atwood's machine.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.dual import value
from towsim.constraints.elastic import DAMPING, STIFFNESS
from towsim.constraints.pulley import leaves, meets
from towsim.constraints.route import direction, straight
from towsim.model.sides import put_side
from towsim.model.vectors import add, at3, cross, dot, norm, sub

NOTHING = (0.0, 0.0, 0.0)

LEAST = 1e-6
"""Share of a wire that a part between two wheels has at least: where these touch, it is still a spring."""


@part()
def share_gaps(sheaves, routes, P, gap):
    """Gaps ψ_j of the parts, from those of the whole wires, which stand in the rows of their first parts."""
    if sheaves is not None:
        for i in range(sheaves.route.shape[0]):
            first, last = sheaves.first[i], sheaves.first[i + 1]
            left, whole = gap[sheaves.row[first]], 0.0
            for j in range(first, last):
                far = 0.0
                for k in range(sheaves.begin[j], sheaves.end[j]):
                    far += norm(straight(routes, k, P))
                sheaves.share[j] = far
                whole += far
                left -= sheaves.slack[j]
            for j in range(first, last):
                sheaves.share[j] = max(sheaves.share[j] / whole, LEAST)
                gap[sheaves.row[j]] = sheaves.slack[j] + sheaves.share[j] * left


@part()
def part_rows(sheaves, routes, rows, points, P, arm, robot_rate, length, length_rate, J, rate):
    """Write the sides' directions of the parts into J, and ∂ψ_j/∂t [m/s] into the rows of rate."""
    if sheaves is not None:
        for i in range(sheaves.route.shape[0]):
            w = routes.wire[sheaves.route[i]]
            for j in range(sheaves.first[i], sheaves.first[i + 1]):
                last = j + 1 == sheaves.first[i + 1]
                rate[sheaves.row[j]] = length_rate[w] if last else 0.0
                _part_row(sheaves, routes, rows, j, points, P, arm, robot_rate, length[w], J, rate)


@part(forceinline=False)
def _part_row(sheaves, routes, rows, j, points, P, arm, robot_rate, length, J, rate):
    i, before = sheaves.of[j], NOTHING
    r = 0.0
    for k in range(routes.first[i], routes.first[i + 1]):
        at, after = routes.point[k], NOTHING
        if sheaves.begin[j] <= k < sheaves.end[j]:
            after = direction(straight(routes, k, P), length)
        d = sub(after, before)
        if routes.side[k] >= 0:
            turn = cross(at3(arm, at), d)
            if not sheaves.turns[k]:
                turn = add(turn, sub(cross(leaves(routes, k), after), cross(meets(routes, k), before)))
            put_side(J, rows.side[rows.ptr[sheaves.row[j]] + routes.side[k]], d, turn)
        else:
            r += dot(d, at3(robot_rate, points.robot[at]))
        before = after
    rate[sheaves.row[j]] += r
    for k in range(2):
        if sheaves.side[j, k] >= 0:
            put_side(J, sheaves.side[j, k], (1.0 if k == 0 else -1.0, 0.0, 0.0), NOTHING)


@part()
def part_springs(sheaves, work):
    """Stiffness and damping of the parts of elastic wires, from those of the wholes."""
    if sheaves is not None:
        for j in range(sheaves.row.shape[0]):
            i = sheaves.spring[j]
            if i >= 0:
                work.spring[i, STIFFNESS] /= sheaves.share[j]
                work.spring[i, DAMPING] /= sheaves.share[j]


@part()
def move_parts(sheaves, rows, work, h):
    """Before the geometry is that after the step: gaps of the parts by their rates; of slack wires none by itself."""
    if sheaves is not None:
        for i in range(sheaves.route.shape[0]):
            bears = False
            for j in range(sheaves.first[i], sheaves.first[i + 1]):
                bears |= work.p[sheaves.row[j]] > 0.0
            for j in range(sheaves.first[i], sheaves.first[i + 1]):
                n = sheaves.row[j]
                rate = work.w[n] - rows.compliance[n] * work.p[n] - work.bias[n] + work.rate[n]
                sheaves.slack[j] = work.gap[n] + h * rate if bears else 0.0


@part()
def stretched_parts(sheaves, model, length, share, work):
    """Whether a part is stretched by more than its wire may be, a share of its length."""
    found = False
    if sheaves is not None:
        for j in range(sheaves.row.shape[0]):
            i = model.routes.wire[sheaves.of[j]]
            found |= not (model.wires.elastic[i] or work.gap[sheaves.row[j]] >= -share * value(length[i]))
    return found
