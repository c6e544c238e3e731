"""Pulleys with a radius under massive wires: where the wire touches them, and what lies on them.

**Where.** Spans end where they touch the wheel, in the direction in which they leave it: of their first two elements,
extrapolated to the end, d = 3/2 z_0 − 1/2 z_1, which has an error of the square of their length. A *block* turns itself
into the plane of its centre and the other ends of both spans, whose normal w is the axle; where the wire comes along t
it is at r t × w from the centre, and so it is where it goes on. A pulley that *swivels* about s turns to the other end
of its span, e ⟂ s, and the wire leaves it at r ((1 − cos β) e + sin β s) with tan β = d·e/d·s. (Spans that sag out of
these planes come to the groove at an angle; the flange bears that.)

That a span ends at a tangent is no law of its own. If its end moves on by δ along the wheel, the wheel takes the length
δ from it, and no material moves: the energy changes by δ (T − F·t) = 0, as the force F along the tangent is T itself.

**What lies there**, of the unstrained length s, stretches evenly to r β. It has the energy V = ½ EA (r β − s)²/s and

    −∂V/∂s = ½ EA ((r β/s)² − 1) = T + T²/2EA

which is what passes on to the spans, as from span to span (see statics/spans). Its mass is m = μ s; the centre of that
is −w × (n₂ − n₁) r/β from that of the wheel, with the directions n of its ends. Its weight acts at the centre of a
block: what that lacks of a moment about the axle is the one of the tensions, T₂ − T₁ = −μ g·(x₂ − x₁) at rest.

**In runs** a touching point moves along its wheel at half of the speed of waves across the span at most, for nodes that
slide along a wire faster than its waves are unstable: where it is slack, the wire comes to its wheel at an angle. At an
angle of ``ASIDE``, and where nothing lies on a wheel any more, the wire has left that.

Source: Routh, Analytical Statics I (1891), §§ 443-447; stationary potential energy.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.model.vectors import add, at3, at9, axpy, cross, dot, mul, norm, put, put3, put6, scale, sub
from towsim.scene.pulleys import UNWOUND

FRONT = 0.5
"""Speed of touching points, over that of waves across the wire, up to which they follow it in a run."""

ASIDE = 1.0
"""Angle from where a span should touch its wheel at which it has left that [rad]."""

NOTHING = (0.0, 0.0, 0.0)


@part()
def lay_wheels(wheels, points, q, R, work):
    """Where the spans touch the wheels, and what lies there, by the nodes in ``work.cable.node`` and the points."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            at = wheels.centre[i]
            centre = at3(work.P, at)
            if wheels.swivels[i]:
                axis = at3(wheels.axis, i)
                if points.node[at] >= 0:
                    axis = mul(at9(R, points.node[at]), axis)
                swivel(wheels, i, centre, axis, q, work.cable.node)
            else:
                block(wheels, i, centre, q, work.cable.node)
            for j in range(2):
                touch = wheels.touch[i, j]
                if touch >= 0:
                    way = wheels.lay[i, 3 * j], wheels.lay[i, 3 * j + 1], wheels.lay[i, 3 * j + 2]
                    put3(work.P, touch, add(centre, way))
                    arm = at3(work.arm, at)
                    put3(work.arm, touch, add(arm, way) if wheels.swivels[i] else arm)
            for k in range(5):
                if wheels.row[i, k] >= 0:
                    work.gap[wheels.row[i, k]] = 0.0
            s = q[wheels.arc_q[i]]
            ratio = s / wheels.arc[i]
            work.gap[wheels.row[i, 0]] = 0.5 * s * (ratio * ratio - 1.0)


@part()
def away(wheels, i, j, node):
    """Direction in which a span leaves a wheel."""
    at, step = wheels.near[i, j], wheels.step[i, j]
    one, two, three = at3(node, at), at3(node, at + step), at3(node, at + 2 * step)
    near, next_ = sub(two, one), sub(three, two)
    d = sub(scale(1.5 / norm(near), near), scale(0.5 / norm(next_), next_))
    return scale(1.0 / norm(d), d)


@part()
def farthest(wheels, i, j, q, node):
    """Angle by which a touching point moves in a step at most: at ``FRONT`` of the speed of waves across the span."""
    if wheels.pace[0] == math.inf:
        return math.inf
    at = wheels.near[i, j]
    reach = norm(sub(at3(node, at + wheels.step[i, j]), at3(node, at)))
    strain = reach * wheels.elements[i, j] / q[wheels.length_q[i, j]] - 1.0
    speed = math.sqrt(max(wheels.axial[i] * strain, 0.0) / wheels.line[i])
    return FRONT * speed * wheels.pace[0] / wheels.radius[i]


@part()
def limited(angle, most):
    """An angle, or one of this size towards it."""
    return min(max(angle, -most), most)


@part()
def way_to(n, centre, w, place):
    """Direction of a touching point at ``place``, and the angle about w from there to the direction n."""
    now = sub(place, centre)
    now = axpy(-dot(w, now), w, now)
    now = scale(1.0 / norm(now), now)
    return now, math.atan2(dot(w, cross(now, n)), dot(now, n))


@part()
def towards(n, now, w, way, most):
    """From the direction ``now`` towards n, which is ``way`` from there about w, by ``most`` at most."""
    if abs(way) <= most:
        return n
    way = limited(way, most)
    return axpy(math.cos(way), now, scale(math.sin(way), cross(w, now)))


@part(forceinline=False)
def block(wheels, i, centre, q, node):
    """A wheel between two spans, in the plane of its centre and their other ends."""
    r = wheels.radius[i]
    a, b = sub(at3(node, wheels.far[i, 0]), centre), sub(at3(node, wheels.far[i, 1]), centre)
    w = cross(b, a)
    w = scale(1.0 / norm(w), w)
    before, behind = cross(w, away(wheels, i, 0, node)), cross(away(wheels, i, 1, node), w)
    n1, n2 = scale(1.0 / norm(before), before), scale(1.0 / norm(behind), behind)
    now1, way1 = way_to(n1, centre, w, at3(node, wheels.near[i, 0]))
    now2, way2 = way_to(n2, centre, w, at3(node, wheels.near[i, 1]))
    n1 = towards(n1, now1, w, way1, farthest(wheels, i, 0, q, node))
    n2 = towards(n2, now2, w, way2, farthest(wheels, i, 1, q, node))
    wheels.aside[i] = max(abs(way1), abs(way2))
    angle = wound(math.atan2(dot(w, cross(n1, n2)), dot(n1, n2)))
    put6(wheels.lay, i, scale(r, n1), scale(r, n2))
    wheels.arc[i] = r * angle
    put3(wheels.heft, i, scale(-r / angle, cross(w, sub(n2, n1))))


@part(forceinline=False)
def swivel(wheels, i, centre, s, q, node):
    """A wheel about whose axis s its fork turns, at the end of a span."""
    r = wheels.radius[i]
    j = 0 if wheels.touch[i, 0] >= 0 else 1
    p = sub(at3(node, wheels.far[i, j]), centre)
    e = axpy(-dot(s, p), s, p)
    e = scale(1.0 / norm(e), e)
    d = away(wheels, i, j, node)
    angle = wound(math.atan2(dot(d, e), dot(d, s)))
    place = sub(at3(node, wheels.near[i, j]), centre)
    now = wound(math.atan2(dot(place, s), r - dot(place, e)))
    most = farthest(wheels, i, j, q, node)
    wheels.aside[i] = abs(angle - now)
    if abs(angle - now) > most:
        angle = now + limited(angle - now, most)
    n2 = axpy(-math.cos(angle), e, scale(math.sin(angle), s))
    put(wheels.lay, i, 3 * j, scale(r, add(e, n2)))
    put(wheels.lay, i, 3 - 3 * j, NOTHING)
    wheels.arc[i] = r * angle
    put3(wheels.heft, i, scale(r, axpy(-1.0 / angle, cross(cross(s, e), add(n2, e)), e)))


@part()
def wound(angle):
    """The same angle above ``UNWOUND``."""
    return angle + 2.0 * math.pi if angle < UNWOUND else angle


@part()
def left_wheels(wheels):
    """Whether a wire has left a wheel: nothing lies there, or it comes from quite another direction."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            if not (wheels.arc[i] > 0.0 and wheels.aside[i] < ASIDE):
                return True
    return False


@part()
def weigh_wheels(wheels, points, gravity, q, work):
    """Add the weight of what lies on the wheels to the forces in ``work.u`` on the bodies that carry them."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            at = wheels.centre[i]
            node = points.node[at]
            if node >= 0:
                m = wheels.line[i] * q[wheels.arc_q[i]]
                f = (m * gravity[0], m * gravity[1], m * gravity[2])
                arm = at3(work.arm, at)
                if wheels.swivels[i]:
                    arm = add(arm, at3(wheels.heft, i))
                t = cross(arm, f)
                for k in range(3):
                    work.u[node, k] += f[k]
                    work.u[node, 3 + k] += t[k]
