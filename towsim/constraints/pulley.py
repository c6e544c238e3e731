"""Wires over pulleys with a radius: the same law as over rings, with tangents and arcs in place of corners.

Law       ψ = L − Σ ‖straight parts‖ − Σ r β ≥ 0
Rate      ψ̇ = L̇ + Σ n_j·(ṗ_j − ṗ_j+1) over the straight parts, as if their ends were fixed to the bodies
Row       n_j where the part leaves the one body, −n_j where it meets the other

See ``scene/pulleys`` for where these points are, and why the rate is that. A block has no torque about its centre:
both its tangents have the lever r. The wheel of a swivelling pulley is felt at the tangent point.

**Neighbouring wheels** depend on each other: where wheel k meets its part follows from where the wheel before is left,
and the other way round. To first order a tangent point moves its neighbour's tangent only across the wheel's plane, as
the wire's direction is across the radii at both ends. With μ and ν for how far the points where wheel k meets and
leaves its wire move along its axle w, and c = w_k·w_k−1,

    μ_k = ρ_k + α c_k ν_k−1 + β c_k+1 μ_k+1,     ν_k = γ c_k ν_k−1 + δ c_k+1 μ_k+1

This is Newton's method for the whole wire, from end to end and back: two numbers a wheel. Where the wire passes a block
nearly straight, there may be several ways over the wheels, of which it takes the longest (``scene/pulleys`` says why).
These are looked for from other sides of each such block. Where no way is found, arcs and gap are NaN. So they are where
a wheel is inside the next one, or an end in it: it would be met wherever it crosses the other one.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part, shared
from towsim.model.vectors import add, at3, at9, axpy, cross, dot, mul, norm, put6, scale, sub
from towsim.scene.pulleys import CLOSE, SIDES

TURNS, FROM_CENTRES, SETTLED = 60, 2, 1e-9
"""Rounds of laying the wheels of a wire; those before Newton's steps; the last step's size, as a share of the radius.

The error behind a step is of the order of its square. Steps are no longer than 1/n of the radius in the n-th round, as
Newton's go too far where wheels are about to turn over."""

MEET, MEET_BY, LEAVE, LEAVE_BY = range(6, 10)
"""Columns of ``routes.laid``: w, where a round moved the point at which the wheel meets its wire, and what moves it."""

CENTRE = 10
"""First of three more: from its point to the centre of the wheel."""

KEPT = 13
"""First of six more: where the wire touches the wheel on the longest way so far."""


@part()
def meets(routes, k):
    """Where the wire comes to its k-th point, from the point itself."""
    return routes.touch[k, 0], routes.touch[k, 1], routes.touch[k, 2]


@part()
def leaves(routes, k):
    """Where it goes on from there."""
    return routes.touch[k, 3], routes.touch[k, 4], routes.touch[k, 5]


@part(forceinline=False)
def wind(routes, points, i, P, R):
    """Lay route i over its pulleys, beginning at their centres: ``routes.touch``, ``routes.arc``, if there is a way.

    So the same pose has the same bits, whatever came before: from where the wire lay it would take fewer turns, and be
    rounded otherwise.
    """
    first, last = routes.first[i], routes.first[i + 1]
    settled = True
    for k in range(first, last):
        for j in range(6):
            routes.touch[k, j] = 0.0
        for j in range(routes.laid.shape[1]):
            routes.laid[k, j] = 0.0
        settled &= k == first or min(routes.radius[k - 1], routes.radius[k]) == 0.0
    settled = settled or settle(routes, points, first, last, first, P, R)
    lay(routes, points, first, last, P, R)
    for k in range(first + 1, last - 1):
        if may_turn_over(routes, k, P):
            settled = lengthen(routes, points, first, last, k, settled, P, R)
    settled &= passable(routes, first, last, P)
    for k in range(first, last):
        if routes.radius[k] > 0.0:
            if not settled:
                routes.arc[k] = math.nan
            elif not routes.swivels[k]:
                routes.arc[k] = lies(routes, k)


@part(forceinline=False)
def settle(routes, points, first, last, held, P, R):
    """Lay a route from where it touches its wheels at first; whether it came to rest.

    held : wheel that stays as it is until Newton's steps begin, or the first point for none
    """
    settled, turn = False, 0
    while turn < TURNS and not settled:
        meet, leave = meets(routes, held), leaves(routes, held)
        lay(routes, points, first, last, P, R)
        if turn < FROM_CENTRES:
            if held > first:
                put6(routes.touch, held, meet, leave)
        else:
            settled = correct(routes, first, last, 1.0 / turn)
        turn += 1
    return settled


@part()
def may_turn_over(routes, k, P):
    """Whether a block's neighbours could have it on the other side of the wire: their grooves are as wide as its bend.

    The points from which the wire comes to the block, and to which it goes, are moved by a diameter at most.
    """
    before, behind = routes.radius[k - 1], routes.radius[k + 1]
    if routes.radius[k] == 0.0 or max(before, behind) == 0.0:
        return False
    a, b = side_of(routes, k, k - 1, P), side_of(routes, k, k + 1, P)
    return dot(a, b) < 0.0 and norm(cross(b, a)) <= 2.0 * (before * norm(b) + behind * norm(a))


@part(forceinline=False)
def lengthen(routes, points, first, last, k, settled, P, R):
    """Look for longer ways from other sides of block k, and lay the route on the longest; whether there is one."""
    r = routes.radius[k]
    longest, most = total(routes, first, last, P) if settled else (0.0, last)
    keep(routes, first, last)
    along = sub(side_of(routes, k, k + 1, P), side_of(routes, k, k - 1, P))
    along = scale(1.0 / norm(along), along)
    side = add(meets(routes, k), leaves(routes, k))
    side = axpy(-dot(along, side), along, side)
    side = scale(r / norm(side), side)
    for _ in range(SIDES - 1):
        side = axpy(math.cos(math.tau / SIDES), side, scale(math.sin(math.tau / SIDES), cross(along, side)))
        take(routes, first, last)
        put6(routes.touch, k, side, side)
        if settle(routes, points, first, last, k, P, R):
            lay(routes, points, first, last, P, R)
            length, beyond = total(routes, first, last, P)
            if length > longest + SETTLED * r and beyond <= most:
                settled, longest, most = True, length, beyond
                keep(routes, first, last)
    take(routes, first, last)
    lay(routes, points, first, last, P, R)
    return settled


@part()
def keep(routes, first, last):
    """Keep the way of a route."""
    for k in range(first, last):
        for j in range(6):
            routes.laid[k, KEPT + j] = routes.touch[k, j]


@part()
def take(routes, first, last):
    """Take the way of a route that was kept."""
    for k in range(first, last):
        for j in range(6):
            routes.touch[k, j] = routes.laid[k, KEPT + j]


@shared
@part()
def total(routes, first, last, P):
    """Length of a route's straight parts and arcs [m], and the number of wheels on which more than half a turn lies."""
    length, beyond = 0.0, 0
    for k in range(first, last):
        if k + 1 < last:
            length += norm(sub(side_of(routes, k, k + 1, P), leaves(routes, k)))
        r = routes.radius[k]
        if r > 0.0:
            arc = routes.arc[k] if routes.swivels[k] else lies(routes, k)
            length += arc
            beyond += arc > math.pi * r
    return length, beyond


@part()
def lies(routes, k):
    """Length [m] that lies on a block."""
    meet, leave = meets(routes, k), leaves(routes, k)
    turned = math.atan2(dot(at3(routes.laid, k), cross(meet, leave)), dot(meet, leave))
    return routes.radius[k] * positive(turned)


@part(forceinline=False)
def lay(routes, points, first, last, P, R):
    """Lay each of a route's wheels between where the wire is at its neighbours."""
    for k in range(first, last):
        if routes.radius[k] > 0.0:
            if routes.swivels[k]:
                swivel(routes, points, k, first, P, R)
            else:
                block(routes, k, P)


@part()
def note(routes, k, was, w, alpha, beta, gamma, delta):
    """What moves where wheel k meets and leaves its wire, from its axle w: ``routes.laid``; it met it at ``was``."""
    laid, move, c, nu, nu_by = routes.laid, sub(meets(routes, k), was), 0.0, 0.0, 0.0
    if k > 0:
        before = at3(laid, k - 1)
        c, nu_by = dot(w, before), laid[k - 1, LEAVE_BY]
        nu = laid[k - 1, LEAVE] + nu_by * dot(before, move)
    free = 1.0 - alpha * c * c * nu_by
    mu, mu_by = alpha * c * nu / free, beta / free
    put6(laid, k, w, move)
    laid[k, MEET], laid[k, MEET_BY] = mu, mu_by
    laid[k, LEAVE] = gamma * c * (nu + nu_by * c * mu)
    laid[k, LEAVE_BY] = gamma * c * c * nu_by * mu_by + delta


@part(forceinline=False)
def correct(routes, first, last, farthest):
    """Newton's step of all tangent points of a route, from the last wheel to the first; whether it was the last one.

    farthest : share of the radius by which a point may move
    """
    laid, ahead, settled = routes.laid, 0.0, True
    for n in range(last - 1 - first):
        k = last - 1 - n
        r = routes.radius[k]
        if min(routes.radius[k - 1], r) == 0.0:
            ahead = 0.0
        else:
            mu, move = laid[k, MEET] + laid[k, MEET_BY] * ahead, (laid[k, 3], laid[k, 4], laid[k, 5])
            step = axpy(mu, at3(laid, k), move)
            size = norm(step)
            ahead = dot(at3(laid, k - 1), step)
            settled &= size <= SETTLED * r
            share = farthest * r / size if size > farthest * r else 1.0
            laid_at = meets(routes, k)
            meet = axpy(share, step, sub(laid_at, move))
            put6(routes.touch, k, scale(norm(laid_at) / norm(meet), meet), leaves(routes, k))
    return settled


@part()
def runs_out(routes, gap):
    """Whether a wire has no way over its wheels."""
    out = False
    if routes is not None:
        for i in range(routes.row.shape[0]):
            out |= gap[routes.row[i]] != gap[routes.row[i]]
    return out


@part(forceinline=False)
def passable(routes, first, last, P):
    """Whether no wheel of a route is inside the next, nor an end, or ring, in it: there is a straight part between."""
    apart = True
    for k in range(first, last - 1):
        room = routes.radius[k] + routes.radius[k + 1]
        if room > 0.0:
            apart &= norm(sub(centre(routes, k + 1, P), centre(routes, k, P))) > (1.0 + CLOSE) * room
    return apart


@part()
def centre(routes, k, P):
    """Centre of the wheel at the k-th point; the point itself, of a ring or an end."""
    laid, at = routes.laid, routes.point[k]
    return P[at, 0] + laid[k, CENTRE], P[at, 1] + laid[k, CENTRE + 1], P[at, 2] + laid[k, CENTRE + 2]


@shared
@part()
def side_of(routes, k, j, P):
    """From the k-th point to where the wire is at its neighbour j."""
    way = leaves(routes, j) if j < k else meets(routes, j)
    return sub(add(at3(P, routes.point[j]), way), at3(P, routes.point[k]))


@part(forceinline=False)
def block(routes, k, P):
    """A pulley in the plane of its wire."""
    r, a, b = routes.radius[k], side_of(routes, k, k - 1, P), side_of(routes, k, k + 1, P)
    da, db = norm(a), norm(b)
    w = cross(b, a)
    size = norm(w)
    straight = not size > 1e-12 * da * db
    w = beside(a) if straight else scale(1.0 / size, w)
    sa, sb = (r / da if da > r else 1.0), (r / db if db > r else 1.0)
    to_a, to_b = scale(1.0 / da, a), scale(1.0 / db, b)
    ca, cb = (math.sqrt(1.0 - sa * sa) if da > r else 0.0), (math.sqrt(1.0 - sb * sb) if db > r else 0.0)
    meet = axpy(r * ca, cross(w, to_a), scale(r * sa, to_a))
    leave = axpy(-r * cb, cross(w, to_b), scale(r * sb, to_b))
    was = meets(routes, k)
    put6(routes.touch, k, meet, leave)
    by = 0.0 if straight else -1.0 / size
    alpha, delta = by * dot(w, cross(meet, b)), by * dot(w, cross(a, leave))
    note(routes, k, was, w, alpha, by * r * da * ca, by * r * db * cb, delta)


@part(forceinline=False)
def swivel(routes, points, k, first, P, R):
    """A pulley about whose axis its fork turns, at one end."""
    r, at = routes.radius[k], routes.point[k]
    p = side_of(routes, k, k + 1 if k == first else k - 1, P)
    s = at3(routes.axis, k)
    if points.node[at] >= 0:
        s = mul(at9(R, points.node[at]), s)
    along = dot(s, p)
    away = axpy(-along, s, p)
    far = norm(away)
    aside = far > 1e-12 * norm(p)
    e = scale(1.0 / far, away) if aside else beside(s)
    d = far - r
    whole = d * d + along * along
    free = math.sqrt(whole - r * r) if whole > r * r else 0.0
    turn = positive(math.atan2(r * along + free * d, free * along - r * d))
    sine, cosine = (r * along + free * d) / whole, (free * along - r * d) / whole
    leave = axpy(r * sine, s, scale(r * (1.0 - cosine), e))
    was = meets(routes, k)
    put6(routes.touch, k, leave, leave)
    routes.arc[k] = r * turn
    routes.laid[k, CENTRE], routes.laid[k, CENTRE + 1], routes.laid[k, CENTRE + 2] = scale(r, e)
    by = r * (1.0 - cosine) / far if aside else 0.0
    note(routes, k, was, cross(s, e), by if k > first else 0.0, 0.0, 0.0, by if k == first else 0.0)


@part()
def positive(angle):
    """The same angle in [0, 2π)."""
    return angle + 2.0 * math.pi if angle < 0.0 else angle


@part()
def beside(a):
    """A unit vector perpendicular to a."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    axis = (1.0, 0.0, 0.0) if x <= y and x <= z else ((0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0))
    n = cross(a, axis)
    return scale(1.0 / norm(n), n)
