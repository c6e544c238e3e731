"""Contacts of points (or spheres) with the ground plane, with Coulomb friction.

Law       ψ = n·p − height − radius ≥ 0,   λ_n ≥ 0,   ψ λ_n = 0;   ‖λ_t‖ ≤ μ λ_n, opposite to the slip
Rate      ψ̇ = n·ṗ, slip rates t₁·ṗ and t₂·ṗ at the contact point
Row       n (unilateral), t₁ and t₂ (TANGENT), each at the body's node
Bias      ψ/h on the normal row; 0 on the tangents, which act on velocities alone
Impulse   n p_n + t₁ p₁ + t₂ p₂ on the body

Gaps of rounding size are closed: the corners of a box at rest then do not contradict each other by ψ/h. Their
derivatives stay: another number may open them.

Source: Stewart & Trinkle (1996), velocity-level contact with the friction cone; solved on the exact cone
(``solvers/friction/cone.py``), or as polyhedral LCP (``solvers/friction/polyhedral.py``).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import kernel, part
from towsim.model.sides import put_side
from towsim.model.vectors import at3, axpy, cross, dot, without_rounding

ROUNDING = 4e-15


@part()
def contact_gaps(contacts, P, gap):
    """Heights ψ (nr,) [m] above the ground, in the normals' rows; 0 in the tangents'."""
    for c in range(contacts.point.shape[0]):
        n = (contacts.axes[c, 0, 0], contacts.axes[c, 0, 1], contacts.axes[c, 0, 2])
        p = at3(P, contacts.point[c])
        low = contacts.height[c] + contacts.radius[c]
        psi = dot(n, p) - low
        size = abs(n[0] * p[0]) + abs(n[1] * p[1]) + abs(n[2] * p[2]) + abs(low)
        gap[contacts.row[c, 0]] = without_rounding(psi, ROUNDING * size)
        if contacts.row[c, 1] >= 0:
            gap[contacts.row[c, 1]] = 0.0
            gap[contacts.row[c, 2]] = 0.0


@part()
def contact_rows(contacts, arm, J, rate):
    """Write the sides' directions into J; the ground rests, so rate = 0."""
    for c in range(contacts.point.shape[0]):
        n = (contacts.axes[c, 0, 0], contacts.axes[c, 0, 1], contacts.axes[c, 0, 2])
        r = axpy(-contacts.radius[c], n, at3(arm, contacts.point[c]))
        for k in range(3):
            if contacts.row[c, k] >= 0:
                d = (contacts.axes[c, k, 0], contacts.axes[c, k, 1], contacts.axes[c, k, 2])
                put_side(J, contacts.side[c, k], d, cross(r, d))
                rate[contacts.row[c, k]] = 0.0


@kernel()
def in_world_axes(along, row, axes, out):
    """Write n p_n + t₁ p₁ + t₂ p₂ (n, nc, 3, m), world axes, of forces [N] or impulses [N s] along the rows (n, nr, m).

    m : directions of derivatives, or 1
    """
    for k in range(along.shape[0]):
        for c in range(row.shape[0]):
            out[k, c] = 0.0
            for i in range(3):
                if row[c, i] >= 0:
                    for j in range(3):
                        for m in range(along.shape[2]):
                            out[k, c, j, m] += along[k, row[c, i], m] * axes[c, i, j]
