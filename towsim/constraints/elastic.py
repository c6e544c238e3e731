"""Elastic wires and elastic ground: springs and dampers that only pull (push), implicit in time.

Law       F = max(0, −k ψ − c ψ̇);   k = EA/L, c = ηA/L of a wire;   c = 0 while slack (ψ > 0)
          a spring: F = −k ψ − c ψ̇, of any sign, always
Row       that of the wire or contact, whose gap ψ may now be negative: the stretch
Impulse   p = h F ≥ 0; a contact of a ground that pulls has, once closed, p of any sign (the literal law of the paper)

The row has a compliance σ: what the impulse says of the new rate w⁺ = J v⁺ + ∂ψ/∂t.

**Stewart–Trinkle** moves positions with the new velocity, so v lies in the middle of the step before, and ψ between two
such middles, ψ⁻ = ψ − ½h w⁻ and ψ⁺ = ψ + ½h w⁺. The implicit midpoint rule in (ψ⁻, v) takes F of their mean,

    F = −k ½(ψ⁺ + ψ⁻) = −k (ψ + ¼h w⁺ − ¼h w⁻)                 (average acceleration: Newmark 1959, γ = ½, β = ¼)

Its work is F h ½(w⁺ + w⁻) = F (ψ⁺ − ψ⁻) = ½k ψ⁻² − ½k ψ⁺²: kinetic energy plus ½kψ² of the middles is constant for
every k and h, and the period is long by (ω h)²/12. (At the end of the step, where positions are recorded, the energy
comes and goes by O(h).) But for ω h ≫ 1 the two roots of this rule tend to −1: stiff springs would ring for ever. So
a share s of F is taken at the end of the step, as implicit Euler has it:

    F = −k (ψ + α h w⁺ − β h w⁻),    α = ¼ + ¾ s,    β = ¼ (1 − s)
    0 ≤ p ⟂ w⁺ + σ p + σ h k ((1 − s) ½(ψ + ψ⁻) + s ψ) ≥ 0,    σ = 1/(α h² k + h c)

One mass with a = (ω h)²: z² − z (2 + (α + β − 1) a)/(1 + α a) + (1 + β a)/(1 + α a) = 0. Because α ≥ β and α + β ≥ ½,
|z| ≤ 1 for every a (A-stable); both roots tend to 0 with a → ∞ if s → 1 (L-stable), and α → 1, β a bounded make the row
that of a rigid wire, ψ/h + w⁺ ≥ 0. The share costs k s h² w̄² a step, w̄ = ½(w⁺ + w⁻): with E + ⅛ s k h² w² for the
energy nothing is ever gained, and what is lost is what a damper of c = s k h would take. s = 0 while a = h² k A_ii ≤ 4,
s = 1 − 4/a beyond: a spring whose frequency the step resolves (ω h ≤ 2, some three steps a period) loses nothing. A_ii
is the row's entry of A: of the bodies as if nothing else held them, so that a row held back by others may be damped
somewhat earlier. At rest w = 0, and F = −kψ is exact.

**Slack.** A spring that becomes taut takes min(ψ⁻, 0) for ψ⁻: F then does the work −½kψ⁺(ψ⁺ − ψ⁻) ≥ ½kψ⁺², more than
is stored, by ½k|ψ⁺|ψ⁻; and one that becomes slack gives less than was stored, by no more. So a bounce never gains
energy, and loses less than ¼k h² w², a share of ½(ω h)² of it. Dampers are implicit, at the end of the step, and act
only where ψ ≤ 0 at its beginning.

SHAKE takes it at the instant of the kick, from four gaps:

    F = −k (8ψ⁺ + 12ψ + 6ψ⁻ + ψ⁻⁻)/27 − c (9ψ⁺ − 3ψ − 5ψ⁻ − ψ⁻⁻)/16h
    0 ≤ p ⟂ ψ⁺/h + σ (p + h k (12ψ + 6ψ⁻ + ψ⁻⁻)/27 − c (3ψ + 5ψ⁻ + ψ⁻⁻)/16) ≥ 0,    σ = 1/(8h²k/27 + 9hc/16)

The weights make it of order 2, and what oscillates too fast for the step dies out: the roots of 8z³ + 12z² + 6z + 1 are
all −½, those of the damper 1 and −⅓. (The mean of three gaps, (ψ⁺ + 2ψ + ψ⁻)/4, has −1 twice: stiff wires would ring
ever more.) Its first kick of h/2 takes k of (ψ⁺ + ψ)/2 and c of (ψ⁺ − ψ)/h; the second k of (ψ⁺ + 2ψ + ψ⁻)/4 and c of
(ψ⁺ − ψ⁻)/2h. For k → ∞ all are the rows of a rigid wire.

Source: implicit midpoint and implicit Euler; the weights of SHAKE are derived here: w₊ + w₀ + w₋ + w₋₋ = 1,
w₊ = w₋ + 2w₋₋, one threefold root.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.model.arrays import FREE
from towsim.model.springs import euler_share

NOW, BEFORE, LONG, STIFFNESS, DAMPING, KNOWN = 0, 1, 2, 3, 4, 5
"""Columns of ``work.spring``: gap at the beginning of the step, one and two steps before; k, c; how many are known."""

BILATERAL, UNILATERAL = 1, 0
"""The solver's kinds of rows."""


@part()
def begin_spring(springs, i, length, rows, work):
    """Gap, stiffness and damping of spring i for a step from the gaps in ``work``: (row, k, c)."""
    row = springs.row[i]
    gap = work.gap[row]
    per = 1.0 / length[springs.wire[i]] if springs.wire[i] >= 0 else 1.0
    k = springs.stiffness[i] * per
    acts = gap <= 0.0 or rows.kind[row] == FREE
    c = springs.damping[i] * per if acts else 0.0
    work.spring[i, NOW] = gap
    work.spring[i, STIFFNESS] = k
    work.spring[i, DAMPING] = c
    if springs.pulls[i]:
        work.kind[row] = BILATERAL if acts else UNILATERAL
    return row, k, c


@part()
def open_springs(springs, length, rows, work):
    """Stewart–Trinkle: gap, k and c of a step; the rows' compliance waits until A is known."""
    if springs is not None:
        for i in range(springs.row.shape[0]):
            row, _, _ = begin_spring(springs, i, length, rows, work)
            rows.compliance[row] = 0.0


@part()
def midpoint_springs(springs, h, rows, work):
    """Stewart–Trinkle: compliance of the rows, into A as well, and their bias, where their rates w⁻ stand."""
    if springs is not None:
        for i in range(springs.row.shape[0]):
            row = springs.row[i]
            gap, k, c = work.spring[i, NOW], work.spring[i, STIFFNESS], work.spring[i, DAMPING]
            diagonal = rows.envelope[row + 1] - 1
            s = euler_share(k, work.A[diagonal], h)
            before = gap - 0.5 * h * work.bias[row]
            if rows.kind[row] != FREE:
                before = min(before, 0.0)
            give = 1.0 / (h * h * k * (0.25 + 0.75 * s) + h * c)
            rows.compliance[row] = give
            work.A[diagonal] += give
            work.bias[row] = work.rate[row] + give * h * k * ((1.0 - s) * 0.5 * (gap + before) + s * gap)


@part()
def kick_compliance(springs, h, length, rows, work):
    """SHAKE: compliance of the rows."""
    if springs is not None:
        for i in range(springs.row.shape[0]):
            row, k, c = begin_spring(springs, i, length, rows, work)
            if work.spring[i, KNOWN] < 2.0:
                rows.compliance[row] = 1.0 / (0.25 * h * h * k + 0.5 * h * c)
            else:
                rows.compliance[row] = 1.0 / (8.0 / 27.0 * h * h * k + 9.0 / 16.0 * h * c)


@part()
def kick_bias(springs, h, rows, p, work):
    """SHAKE: what the rows of q lack, where q = ψ⁺/h − (A + σ) p with the impulses p (nr,) of the step before."""
    if springs is not None:
        for i in range(springs.row.shape[0]):
            row = springs.row[i]
            now, before, long = work.spring[i, NOW], work.spring[i, BEFORE], work.spring[i, LONG]
            k, c = work.spring[i, STIFFNESS], work.spring[i, DAMPING]
            if work.spring[i, KNOWN] == 0.0:
                known = 0.25 * h * k * now - 0.5 * c * now
            elif work.spring[i, KNOWN] == 1.0:
                known = h * k * (0.5 * now + 0.25 * before) - 0.5 * c * before
            else:
                known = h * k * (12.0 * now + 6.0 * before + long) / 27.0 - c * (3.0 * now + 5.0 * before + long) / 16.0
            work.q[row] += rows.compliance[row] * (p[row] + known)


@part()
def remember(springs, work):
    """A SHAKE step is done: where it began is a step before."""
    if springs is not None:
        for i in range(springs.row.shape[0]):
            work.spring[i, LONG] = work.spring[i, BEFORE]
            work.spring[i, BEFORE] = work.spring[i, NOW]
            work.spring[i, KNOWN] += 1.0
