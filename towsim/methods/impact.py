"""Newton's law of impact: a contact that the free motion closes leaves at −e times the speed at which it came.

    0 ≤ p ⟂ J v⁺ + min(ψ/h, e J v⁻) ≥ 0      where J v_free + ψ/h < 0 and e |J v⁻| > |J v_free − J v⁻|

The impact is taken to happen at the beginning of the step, so a bounce is exact in speed and early by less than h.
A bounce that the forces of one step take back is none (the second condition): an infinite sequence of bounces ends.
Each contact by itself obeys the law; with friction, or contacts that act on each other, energy may then grow in
contrived cases (Kane's paradox), never for e = 0.

Source: Moreau (1988), Unilateral contact and dry friction in finite freedom dynamics.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.methods.watch import row_rate


@part()
def rebound(restitution, model, h, v, work):
    """Change q of the contacts that hit the ground in this step; after q = J u_free + ψ/h + ∂ψ/∂t was written."""
    if restitution is not None:
        frequency = 1.0 / h
        for c in range(restitution.shape[0]):
            row = model.contacts.row[c, 0]
            if work.q[row] < 0.0 and restitution[c] > 0.0:
                before = row_rate(model, work, v, row)
                closing = frequency * work.gap[row]
                if -restitution[c] * before > abs(work.q[row] - closing - before):
                    more = min(closing, restitution[c] * before) - closing
                    work.q[row] += more
                    work.closing[row] += more
