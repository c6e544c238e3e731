"""Wires over pulleys with a radius: the same law as over rings, with tangents and arcs in place of corners.

Law       ψ = L − Σ ‖straight parts‖ − Σ r β ≥ 0
Rate      ψ̇ = L̇ + Σ n_j·(ṗ_j − ṗ_j+1) over the straight parts, as if their ends were fixed to the bodies
Row       n_j where the part leaves the one body, −n_j where it meets the other

See ``scene/pulleys`` for where these points are, and why the rate is that. A block has no torque about its centre:
both its tangents have the lever r. The wheel of a swivelling pulley is felt at the tangent point.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.model.vectors import add, at3, at9, axpy, cross, dot, mul, norm, put6, scale, sub

TURNS, SETTLED = 60, 1e-15

CLOSE = 1e-4
"""Share of a wheel's radius above it at which nothing is left of the wire beside it, which a step may pass by."""


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
    """Lay route i over its pulleys, beginning at their centres: ``routes.touch`` and ``routes.arc``.

    So the same pose has the same bits, whatever came before: from where the wire lay it would take fewer turns, and be
    rounded otherwise.
    """
    first, last = routes.first[i], routes.first[i + 1]
    for k in range(first, last):
        for j in range(6):
            routes.touch[k, j] = 0.0
    for _ in range(TURNS):
        settled = True
        for k in range(first, last):
            if routes.radius[k] > 0.0:
                before = leaves(routes, k)
                if routes.swivels[k]:
                    swivel(routes, points, k, first, P, R)
                else:
                    block(routes, k, P)
                if norm(sub(leaves(routes, k), before)) > SETTLED * routes.radius[k]:
                    settled = False
        if settled:
            break


@part()
def runs_out(routes, P):
    """Whether a wire has no straight part left between an end, or a ring, and the wheel beside it."""
    return routes is not None and _run_out(routes, P)


@part(forceinline=False)
def _run_out(routes, P):
    for i in range(routes.wire.shape[0]):
        first, last = routes.first[i], routes.first[i + 1] - 1
        for k in range(first, last):
            one, other = routes.radius[k], routes.radius[k + 1]
            wheel = min(one, other) == 0.0 < max(one, other) and not (routes.swivels[k] or routes.swivels[k + 1])
            apart = norm(sub(at3(P, routes.point[k + 1]), at3(P, routes.point[k])))
            if wheel and apart <= (1.0 + CLOSE) * max(one, other):
                return True
    return False


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
    w = scale(1.0 / size, w) if size > 1e-12 * da * db else beside(a)
    sa, sb = (r / da if da > r else 1.0), (r / db if db > r else 1.0)
    to_a, to_b = scale(1.0 / da, a), scale(1.0 / db, b)
    ca, cb = (math.sqrt(1.0 - sa * sa) if da > r else 0.0), (math.sqrt(1.0 - sb * sb) if db > r else 0.0)
    meet = axpy(r * ca, cross(w, to_a), scale(r * sa, to_a))
    leave = axpy(-r * cb, cross(w, to_b), scale(r * sb, to_b))
    put6(routes.touch, k, meet, leave)
    routes.arc[k] = r * positive(math.atan2(dot(w, cross(meet, leave)), dot(meet, leave)))


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
    e = scale(1.0 / far, away) if far > 1e-12 * norm(p) else beside(s)
    d = far - r
    whole = d * d + along * along
    free = math.sqrt(whole - r * r) if whole > r * r else 0.0
    turn = positive(math.atan2(r * along + free * d, free * along - r * d))
    sine, cosine = (r * along + free * d) / whole, (free * along - r * d) / whole
    leave = axpy(r * sine, s, scale(r * (1.0 - cosine), e))
    put6(routes.touch, k, leave, leave)
    routes.arc[k] = r * turn


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
