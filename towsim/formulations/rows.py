"""A tree's joints as rows between free links: what they tie, how fast it opens, and their drives, springs and dampers.

A row φ = 0 between link a (the carrier, −1 for the base) and link b, with points p, arms r from the centres of mass,
centripetal parts c = ω × (ω × r), and its second derivative φ̈ = J v̇ + γ:

    POINT  φ = d · (p_a − p_b),  d fixed in the world              γ = d · (c_a − c_b)
    GLIDE  φ = −d · s,  s = p_b − p_a,  d carried by a             γ = −[d · (c_b − c_a) + 2 (ω_a × d) · ṡ
                                                                        + (ω_a × (ω_a × d)) · s]
    ALIGN  φ = d · e,  d carried by a, e by b                      γ = (ω_b − ω_a) · ((ω_b × e) × d + e × (ω_a × d))

A ball has three POINT rows; a revolute joint two ALIGN rows (axis against its two normals) more, a universal one more
(axis against axis); a prismatic joint has two GLIDE and three ALIGN rows. A base that accelerates adds d · b̈ to γ.

Source: point-to-point constraint of the lecture notes on constraints; "Other constraints are done similarly".
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import kernel, part
from towsim.model.arrays import Codes, Floats, Ints, pack
from towsim.model.trees import Tree
from towsim.model.vectors import (
    add,
    at3,
    at9,
    cross,
    dot,
    mul,
    normalised,
    put9,
    quaternion_product,
    rotated,
    rotation,
    scale,
    sub,
)

POINT, GLIDE, ALIGN = 0, 1, 2


class JointRows(NamedTuple):
    """Rows of all joints, and their drives."""

    kind: Codes  # (nr,)
    a: Ints  # (nr,) carrier, −1 the base
    b: Ints  # (nr,) link
    arm_a: Floats  # (nr, 3) joint's place from the carrier's centre, its frame [m]
    arm_b: Floats  # (nr, 3) joint's place from the link's centre, its frame [m]
    d: Floats  # (nr, 3) direction, the carrier's frame; of a POINT row: world axes
    e: Floats  # (nr, 3) direction of an ALIGN row, the link's frame
    slides: Codes  # (nd,) a drive: along (1) or about (0) an axis
    row: Ints  # (nd,) some row of its joint
    joint: Ints  # (nd,) its joint in the tree's arrays
    on_link: Codes  # (nd,) axis fixed in the link (1), a universal joint's second one, or in the carrier (0)
    axis: Floats  # (nd, 3) in that frame
    from_: Floats  # (nd, 3) direction across the axis, the carrier's frame, from which the angle counts
    to: Floats  # (nd, 3) direction, the link's frame, to which it counts
    rest: Floats  # (nd,) coordinate of the spring at rest
    mass: Floats  # (nl,)
    inertia: Floats  # (nl, 3, 3) about the centre, link's frame
    frame: Floats  # (3, 3) of the base


def joint_rows(tree: Tree) -> JointRows:
    """Rows and drives of a tree's joints; free links have none."""
    rows: list[tuple[int, int, int, Floats, Floats, Floats, Floats]] = []
    drives: list[tuple[int, int, int, int, Floats, Floats, Floats]] = []
    arrays, zero = tree.arrays, np.zeros(3)
    number = {name: i for i, name in enumerate(tree.links)}
    for i, name in enumerate(tree.links):
        link = tree.arm.links[name]
        joint, axis = link.joint, np.array(link.joint.axis)
        if joint.kind == "free":
            continue
        a = -1 if link.carrier is None else number[link.carrier]
        arm_a = np.array(link.place) - (arrays.centre[tree.joint[a]] if a >= 0 else zero)
        arm_b = -np.array(link.centre)
        n1, n2 = normals(axis)
        first, here = int(tree.first[i]), len(rows)

        def row(
            kind: int, d: Floats, e: Floats = zero, ends: tuple[int, int, Floats, Floats] = (a, i, arm_a, arm_b)
        ) -> None:
            rows.append((kind, *ends, d, e))

        if joint.kind == "prismatic":
            for d in (n1, n2):
                row(GLIDE, d)
            for d, e in ((n1, axis), (n2, axis), (n1, n2)):
                row(ALIGN, d, e)
            drives.append((1, here, first, 0, axis, zero, zero))
            continue
        for d in np.eye(3):
            row(POINT, d)
        if joint.kind == "revolute":
            row(ALIGN, n1, axis)
            row(ALIGN, n2, axis)
            drives.append((0, here, first, 0, axis, n1, n1))
        elif joint.kind == "universal":
            second = np.array(joint.second)
            row(ALIGN, axis, second)
            drives.append((0, here, first, 0, axis, second, second))
            drives.append((0, here, first + 1, 1, second, axis, axis))
        elif joint.damping:
            drives += [(0, here, first + k, 0, e, zero, zero) for k, e in enumerate(np.eye(3))]
    r: list[Floats] = [np.array(column) for column in zip(*rows, strict=True)] or [np.zeros(0)] * 7
    d_: list[Floats] = [np.array(column) for column in zip(*drives, strict=True)] or [np.zeros(0)] * 7
    packed: JointRows = pack(
        JointRows,
        kind=r[0],
        a=r[1],
        b=r[2],
        arm_a=r[3].reshape(-1, 3),
        arm_b=r[4].reshape(-1, 3),
        d=r[5].reshape(-1, 3),
        e=r[6].reshape(-1, 3),
        slides=d_[0],
        row=d_[1],
        joint=d_[2],
        on_link=d_[3],
        axis=d_[4].reshape(-1, 3),
        from_=d_[5].reshape(-1, 3),
        to=d_[6].reshape(-1, 3),
        rest=arrays.rest[d_[2].astype(np.int64)],
        mass=arrays.mass[tree.joint],
        inertia=arrays.inertia[tree.joint],
        frame=arrays.frame,
    )
    return packed


def normals(axis: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors that form a right-handed frame (n₁, n₂, axis)."""
    seed = np.eye(3)[int(np.argmin(np.abs(axis)))]
    n1 = np.cross(seed, axis)
    n1 /= np.linalg.norm(n1)
    return n1, np.cross(axis, n1)


@part()
def pose(j, k, base, x, R, v, w):
    """Position, frame, velocity and spin of link k, or of the base."""
    if k < 0:
        m = j.frame
        frame = (m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2])
        return (base[0], base[1], base[2]), frame, (base[3], base[4], base[5]), (0.0, 0.0, 0.0)
    return at3(x, k), at9(R, k), at3(v, k), at3(w, k)


@kernel()
def unpack(y, x, R, v, w):
    """Positions, frames, velocities and spins of the links from y = (x, q, v, ω); quaternions need not be unit ones."""
    n = x.shape[0]
    for i in range(n):
        q = normalised((y[3 * n + 4 * i], y[3 * n + 4 * i + 1], y[3 * n + 4 * i + 2], y[3 * n + 4 * i + 3]))
        put9(R, i, rotation(q))
        for k in range(3):
            x[i, k] = y[3 * i + k]
            v[i, k] = y[7 * n + 3 * i + k]
            w[i, k] = y[10 * n + 3 * i + k]


@kernel()
def fill(j, R, gamma, f, J_a, J_b, K, right):
    """Write the blocks [𝓜, −Jᵀ; J, 0] and (f, −γ) of the KKT system; what they leave out of K stays zero."""
    n, m = f.shape[0], gamma.shape[0]
    for i in range(n):
        moment = rotated(at9(R, i), at9(j.inertia, i))
        for r in range(3):
            K[6 * i + r, 6 * i + r] = j.mass[i]
            right[6 * i + r] = f[i, r]
            right[6 * i + 3 + r] = f[i, 3 + r]
            for c in range(3):
                K[6 * i + 3 + r, 6 * i + 3 + c] = moment[3 * r + c]
    for r in range(m):
        right[6 * n + r] = -gamma[r]
        a, b = j.a[r], j.b[r]
        for c in range(6):
            K[6 * n + r, 6 * b + c] = J_b[r, c]
            K[6 * b + c, 6 * n + r] = -J_b[r, c]
            if a >= 0:
                K[6 * n + r, 6 * a + c] = J_a[r, c]
                K[6 * a + c, 6 * n + r] = -J_a[r, c]


@kernel()
def state_rates(y, acceleration, dy):
    """Rates of y = (x, q, v, ω) with the accelerations (6 n + ..) of the links one after the other."""
    n = y.shape[0] // 13
    for i in range(n):
        k = 3 * n + 4 * i
        w = (0.0, 0.5 * y[10 * n + 3 * i], 0.5 * y[10 * n + 3 * i + 1], 0.5 * y[10 * n + 3 * i + 2])
        dq = quaternion_product(w, (y[k], y[k + 1], y[k + 2], y[k + 3]))
        for c in range(4):
            dy[k + c] = dq[c]
        for c in range(3):
            dy[3 * i + c] = y[7 * n + 3 * i + c]
            dy[7 * n + 3 * i + c] = acceleration[6 * i + c]
            dy[10 * n + 3 * i + c] = acceleration[6 * i + 3 + c]


@kernel()
def row_terms(j, base, x, R, v, w, gap, rate, J_a, J_b, gamma):
    """Gaps φ, rates φ̇, directions J and γ of all rows at the links' poses and velocities.

    Parameters
    ----------
    base : (9,) position, velocity and acceleration of the base
    x, v, w : (nl, 3) centres, their velocities, spins;  R : (nl, 3, 3) frames
    gap, rate, gamma : (nr,) out;  J_a, J_b : (nr, 6) out: linear and angular direction on carrier and link
    """
    for i in range(j.kind.shape[0]):
        xa, Ra, va, wa = pose(j, j.a[i], base, x, R, v, w)
        xb, Rb, vb, wb = pose(j, j.b[i], base, x, R, v, w)
        ra, rb = mul(Ra, at3(j.arm_a, i)), mul(Rb, at3(j.arm_b, i))
        s = sub(add(xb, rb), add(xa, ra))
        ds = sub(add(vb, cross(wb, rb)), add(va, cross(wa, ra)))
        c = sub(cross(wb, cross(wb, rb)), cross(wa, cross(wa, ra)))
        fa, ta, fb, tb = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if j.kind[i] == POINT:
            d = at3(j.d, i)
            gap[i] = -dot(d, s)
            gamma[i] = -dot(d, c)
            fa, ta = d, cross(ra, d)
            fb = scale(-1.0, d)
            tb = cross(rb, fb)
        elif j.kind[i] == GLIDE:
            d = mul(Ra, at3(j.d, i))
            turn = cross(wa, d)
            gap[i] = -dot(d, s)
            gamma[i] = -(dot(d, c) + 2.0 * dot(turn, ds) + dot(cross(wa, turn), s))
            fa, ta = d, cross(add(ra, s), d)
            fb = scale(-1.0, d)
            tb = cross(rb, fb)
        else:
            d, e = mul(Ra, at3(j.d, i)), mul(Rb, at3(j.e, i))
            tb = cross(e, d)
            ta = scale(-1.0, tb)
            gap[i] = dot(d, e)
            gamma[i] = dot(sub(wb, wa), add(cross(cross(wb, e), d), cross(e, cross(wa, d))))
        rate[i] = dot(fa, va) + dot(ta, wa) + dot(fb, vb) + dot(tb, wb)
        if j.a[i] < 0:
            gamma[i] += fa[0] * base[6] + fa[1] * base[7] + fa[2] * base[8]
        for k in range(3):
            J_a[i, k] = fa[k]
            J_a[i, 3 + k] = ta[k]
            J_b[i, k] = fb[k]
            J_b[i, 3 + k] = tb[k]


@part()
def drive_state(j, k, base, x, R, v, w):
    """Axis, coordinate and rate of drive k, and its joint's arms on both links.

    Poses know an angle up to whole turns: it is taken within half a turn of the spring's rest.
    """
    i = j.row[k]
    xa, Ra, va, wa = pose(j, j.a[i], base, x, R, v, w)
    xb, Rb, vb, wb = pose(j, j.b[i], base, x, R, v, w)
    ra, rb = mul(Ra, at3(j.arm_a, i)), mul(Rb, at3(j.arm_b, i))
    s = sub(add(xb, rb), add(xa, ra))
    axis = mul(Rb if j.on_link[k] == 1 else Ra, at3(j.axis, k))
    if j.slides[k] == 1:
        ds = sub(add(vb, cross(wb, rb)), add(va, cross(wa, ra)))
        return axis, dot(axis, s), dot(axis, ds) + dot(cross(wa, axis), s), add(ra, s), rb
    start, end = mul(Ra, at3(j.from_, k)), mul(Rb, at3(j.to, k))
    angle = math.atan2(dot(axis, cross(start, end)), dot(start, end))
    angle += 2.0 * math.pi * math.floor(0.5 + (j.rest[k] - angle) / (2.0 * math.pi))
    return axis, angle, dot(axis, sub(wb, wa)), ra, rb


@kernel()
def drive_coordinates(j, base, x, R, v, w, out):
    """Coordinate of each drive, (nd,): an extension [m], or an angle [rad] within half a turn of the spring's rest."""
    for k in range(j.slides.shape[0]):
        out[k] = drive_state(j, k, base, x, R, v, w)[1]


@kernel()
def link_forces(j, tree, x, R, v, w, f):
    """Weights and −ω × I ω of the links, forces and torques about the centres (nl, 6)."""
    g = tree.gravity
    for i in range(j.mass.shape[0]):
        spin = at3(w, i)
        gyro = cross(spin, mul(rotated(at9(R, i), at9(j.inertia, i)), spin))
        for c in range(3):
            f[i, c] = j.mass[i] * g[c]
            f[i, 3 + c] = -gyro[c]


@kernel()
def drive_forces(j, tree, base, applied, x, R, v, w, f):
    """Add to f (nl, 6) what the joints' drives, springs and dampers do to the links, torques about the centres."""
    for k in range(j.slides.shape[0]):
        axis, coordinate, rate, ra, rb = drive_state(j, k, base, x, R, v, w)
        e = j.joint[k]
        size = applied[e] - tree.damping[e] * rate - tree.stiffness[e] * (coordinate - tree.rest[e])
        force, torque_a, torque_b = (0.0, 0.0, 0.0), scale(size, axis), scale(size, axis)
        if j.slides[k] == 1:
            force = scale(size, axis)
            torque_a, torque_b = cross(ra, force), cross(rb, force)
        a, b = j.a[j.row[k]], j.b[j.row[k]]
        for c in range(3):
            f[b, c] += force[c]
            f[b, 3 + c] += torque_b[c]
            if a >= 0:
                f[a, c] -= force[c]
                f[a, 3 + c] -= torque_a[c]


def only(j: JointRows, links: list[int]) -> JointRows:
    """The rows and drives of the joints of these links alone."""
    keep = np.isin(j.b, links)
    driven = np.isin(j.b[j.row], links)
    fresh = np.cumsum(keep) - 1
    row_fields = ("kind", "a", "b", "arm_a", "arm_b", "d", "e")
    drive_fields = ("slides", "joint", "on_link", "axis", "from_", "to", "rest")
    return j._replace(
        **{name: getattr(j, name)[keep] for name in row_fields},
        **{name: getattr(j, name)[driven] for name in drive_fields},
        row=fresh[j.row[driven]],
    )
