"""MRFE cables (modified rigid finite elements) as sub-systems: an O(n) recursion in joint coordinates.

An element is a universal joint (two revolutes), a link, a prismatic joint along it, a link; every joint has a spring
and a damper. The root is carried by a robot, the tip is the cable's node. With d = v⁺ − v over a step of h,

    (M + h C + h² K) d = h (τ − C v − K (θ − θ₀ + h v)) + Jᵀ p

C and K are diagonal in joint coordinates, so they only add to the pivots of the articulated-body recursion:

    D_j = S_jᵀ I_j S_j + h c_j + h² k_j,   I_{j−1} ← I_{j−1} + X (I_j − U_j U_jᵀ/D_j) Xᵀ,   U_j = I_j S_j

and the inverse inertia at the tip is Y = Σ_j u_j u_jᵀ/D_j, u_j the joint's response to unit forces at the tip. Spatial
quantities are (linear, angular) in world axes at the joints: the recursion shifts, it never rotates.

Source: Adamiec-Wójcik et al. (MRFE); Featherstone's articulated-body recursion; Mamidi & Bandyopadhyay, Robotica 2024.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import part
from towsim.model.vectors import (
    add,
    at3,
    axpy,
    cross,
    dot,
    exponential,
    mul,
    rotation,
    scale,
    sub,
)

# Columns of the scratch row of a joint.
AXIS, LINK, ARM, SPIN, COR_A, COR_W, U, PIVOT, FORCE, RATE, INERTIA = 0, 3, 6, 9, 12, 15, 18, 24, 25, 26, 28
WIDTH = 64


@part()
def get(x, k):
    """Three numbers of x from k on."""
    return x[k], x[k + 1], x[k + 2]


@part()
def put(x, k, u):
    """Write a vector to x from k on."""
    x[k] = u[0]
    x[k + 1] = u[1]
    x[k + 2] = u[2]


@part()
def product(a, b):
    """Product of two 3×3 matrices."""
    x = mul(a, (b[0], b[3], b[6]))
    y = mul(a, (b[1], b[4], b[7]))
    z = mul(a, (b[2], b[5], b[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@part()
def root_frame(cables, c):
    """Root frame of cable c as a matrix."""
    f = cables.frame
    return (
        f[c, 0, 0], f[c, 0, 1], f[c, 0, 2], f[c, 1, 0], f[c, 1, 1], f[c, 1, 2], f[c, 2, 0], f[c, 2, 1], f[c, 2, 2]
    )  # fmt: skip


@part()
def chain(cables, c, q, root, scratch):
    """Axes, link directions and arms of cable c at the coordinates q; returns the position of its tip [m].

    Scratch rows get AXIS (joint axis), LINK (direction of the link after it) and ARM (from the joint before).
    """
    frame = root_frame(cables, c)
    z = (frame[2], frame[5], frame[8])
    before = 0.0
    tip = root
    for j in range(cables.first[c], cables.first[c + 1]):
        k = WIDTH * j
        theta = q[cables.q[c] + j - cables.first[c]]
        local = at3(cables.axis, j)
        axis = mul(frame, local)
        put(scratch, k + AXIS, axis)
        if cables.slides[j]:
            arm = scale(before + theta, z)
        else:
            arm = scale(before, z)
            frame = product(frame, rotation(exponential(scale(theta, local))))
            z = (frame[2], frame[5], frame[8])
        put(scratch, k + LINK, z)
        put(scratch, k + ARM, arm)
        tip = add(tip, arm)
        before = cables.length[j]
    return axpy(before, z, tip)


@part()
def locate_tips(cables, points, q, robot, P):
    """World positions of the points on the cables' tips."""
    for k in range(points.node.shape[0]):
        for c in range(cables.node.shape[0]):
            if points.node[k] == cables.node[c]:
                frame = root_frame(cables, c)
                z = (frame[2], frame[5], frame[8])
                tip = at3(robot, cables.robot[c])
                for j in range(cables.first[c], cables.first[c + 1]):
                    theta = q[cables.q[c] + j - cables.first[c]]
                    if cables.slides[j]:
                        tip = axpy(theta, z, tip)
                    else:
                        frame = product(frame, rotation(exponential(scale(theta, at3(cables.axis, j)))))
                        z = (frame[2], frame[5], frame[8])
                    tip = axpy(cables.length[j], z, tip)
                P[k, 0] = tip[0]
                P[k, 1] = tip[1]
                P[k, 2] = tip[2]


@part()
def link_inertia(cables, j, z, h, scratch):
    """Add link j's 6×6 inertia about its joint to the scratch row."""
    k = WIDTH * j + INERTIA
    m = cables.mass[j]
    half = 0.5 * cables.length[j]
    c = scale(half, z)
    transverse = cables.inertia[j, 0] + m * half * half
    axial = cables.inertia[j, 1]
    for a in range(3):
        scratch[k + 6 * a + a] += m
        for b in range(3):
            identity = 1.0 if a == b else 0.0
            scratch[k + 6 * (a + 3) + b + 3] += transverse * (identity - z[a] * z[b]) + axial * z[a] * z[b]
    # m c~ᵀ above the diagonal: linear force of an angular acceleration, α × c m
    for a, b, s, i in (
        (0, 1, 1.0, 2),
        (0, 2, -1.0, 1),
        (1, 0, -1.0, 2),
        (1, 2, 1.0, 0),
        (2, 0, 1.0, 1),
        (2, 1, -1.0, 0),
    ):
        scratch[k + 6 * a + b + 3] += s * m * c[i]
        scratch[k + 6 * (b + 3) + a] += s * m * c[i]


@part()
def times_inertia(scratch, j, a, w):
    """Force and torque of the accelerations (a, w) on joint j's articulated inertia."""
    k = WIDTH * j + INERTIA
    f0 = f1 = f2 = t0 = t1 = t2 = 0.0
    x = (a[0], a[1], a[2], w[0], w[1], w[2])
    for i in range(6):
        xi = x[i]
        f0 += scratch[k + i] * xi
        f1 += scratch[k + 6 + i] * xi
        f2 += scratch[k + 12 + i] * xi
        t0 += scratch[k + 18 + i] * xi
        t1 += scratch[k + 24 + i] * xi
        t2 += scratch[k + 30 + i] * xi
    return (f0, f1, f2), (t0, t1, t2)


@part()
def shift_inertia(scratch, j, parent, r):
    """Add joint j's articulated inertia, less its own motion, to the joint before, at −r.

    With T = [1 −r~; 0 1] (acceleration at j of the joint before), I_parent += Tᵀ (I − U Uᵀ/D) T.
    """
    k = WIDTH * j
    d = scratch[k + PIVOT]
    for col in range(6):
        # column of T: unit linear, or unit angular acceleration with its linear part e × r
        e = (1.0 if col % 3 == 0 else 0.0, 1.0 if col % 3 == 1 else 0.0, 1.0 if col % 3 == 2 else 0.0)
        zero = (0.0, 0.0, 0.0)
        a = e if col < 3 else cross(e, r)
        w = zero if col < 3 else e
        f, t = times_inertia(scratch, j, a, w)
        s = (dot(get(scratch, k + U), a) + dot(get(scratch, k + U + 3), w)) / d
        f = axpy(-s, get(scratch, k + U), f)
        t = axpy(-s, get(scratch, k + U + 3), t)
        t = add(t, cross(r, f))
        p = WIDTH * parent + INERTIA
        for i in range(3):
            scratch[p + 6 * i + col] += f[i]
            scratch[p + 6 * (i + 3) + col] += t[i]


@part()
def free_cables(cables, nb, gravity, q, v, robot, rate, rate_next, h, scratch, tip, u):
    """Free motion of the cables over a step, and the inverse inertias at their tips.

    Parameters
    ----------
    q, v : coordinates and velocities (bodies first)
    robot, rate, rate_next : (n_robots, 3) root positions and velocities now, velocities at the end of the step
    tip : (nk, 3, 3) out: inverse inertia at the tip, springs and dampers included [1/kg]
    u : (nn, 6) out: tip velocities after the step as if nothing were attached [m/s]
    """
    g = (gravity[0], gravity[1], gravity[2])
    for c in range(cables.node.shape[0]):
        r = cables.robot[c]
        first, last = cables.first[c], cables.first[c + 1]
        chain(cables, c, q, at3(robot, r), scratch)
        carried = scale(1.0 / h, sub(at3(rate_next, r), at3(rate, r)))
        velocity_terms(cables, c, v, scratch)
        for k in range(WIDTH * first, WIDTH * last):
            if k % WIDTH >= INERTIA:
                scratch[k] = 0.0
        articulate(cables, c, q, v, g, h, scratch)
        # Outward: accelerations, with the root carried by its robot.
        a, w = carried, (0.0, 0.0, 0.0)
        spin = (0.0, 0.0, 0.0)
        tip_v = at3(rate, r)
        for j in range(first, last):
            k = WIDTH * j
            arm = get(scratch, k + ARM)
            axis = get(scratch, k + AXIS)
            a = add(add(a, cross(w, arm)), get(scratch, k + COR_A))
            w = add(w, get(scratch, k + COR_W))
            pull = dot(get(scratch, k + U), a) + dot(get(scratch, k + U + 3), w)
            acceleration = (scratch[k + FORCE] - pull) / scratch[k + PIVOT]
            new = v[cables.v[c] + j - first] + h * acceleration
            scratch[k + RATE] = new
            tip_v = add(tip_v, cross(spin, arm))
            if cables.slides[j]:
                a = axpy(acceleration, axis, a)
                tip_v = axpy(new, axis, tip_v)
            else:
                w = axpy(acceleration, axis, w)
                spin = axpy(new, axis, spin)
        end = scale(cables.length[last - 1], get(scratch, WIDTH * (last - 1) + LINK))
        tip_v = add(tip_v, cross(spin, end))
        node = cables.node[c]
        for i in range(3):
            u[node, i] = tip_v[i]
        tip_inverse_inertia(cables, c, scratch, tip)


@part()
def velocity_terms(cables, c, v, scratch):
    """Angular velocities of the links and the accelerations that velocities alone cause (classical, at the joints)."""
    w = (0.0, 0.0, 0.0)
    first = cables.first[c]
    for j in range(first, cables.first[c + 1]):
        k = WIDTH * j
        rate = v[cables.v[c] + j - first]
        arm = get(scratch, k + ARM)
        axis = get(scratch, k + AXIS)
        a = cross(w, cross(w, arm))
        alpha = (0.0, 0.0, 0.0)
        if cables.slides[j]:
            a = axpy(2.0 * rate, cross(w, axis), a)
        else:
            alpha = scale(rate, cross(w, axis))
            w = axpy(rate, axis, w)
        put(scratch, k + COR_A, a)
        put(scratch, k + COR_W, alpha)
        put(scratch, k + SPIN, w)


@part()
def articulate(cables, c, q, v, g, h, scratch):
    """Inward sweep: articulated inertias, pivots D_j and joint forces, tip to root."""
    first, last = cables.first[c], cables.first[c + 1]
    f_out, t_out = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)  # bias force of all that hangs on joint j
    for i in range(last - first):
        j = last - 1 - i
        k = WIDTH * j
        z = get(scratch, k + LINK)
        w = get(scratch, k + SPIN)
        axis = get(scratch, k + AXIS)
        m = cables.mass[j]
        if m > 0.0:
            link_inertia(cables, j, z, h, scratch)
            com = scale(0.5 * cables.length[j], z)
            f_out = add(f_out, scale(m, sub(cross(w, cross(w, com)), g)))
            # ω × I ω about the joint: only the transverse part of ω turns the axis
            half = 0.5 * cables.length[j]
            transverse = cables.inertia[j, 0] + m * half * half
            along = dot(w, z)
            iw = add(scale(transverse, sub(w, scale(along, z))), scale(cables.inertia[j, 1] * along, z))
            t_out = add(t_out, sub(cross(w, iw), scale(m, cross(com, g))))
        zero = (0.0, 0.0, 0.0)
        if cables.slides[j]:
            uf, ut = times_inertia(scratch, j, axis, zero)
            inertia = dot(axis, uf)
            pull = dot(axis, f_out)
        else:
            uf, ut = times_inertia(scratch, j, zero, axis)
            inertia = dot(axis, ut)
            pull = dot(axis, t_out)
        theta = q[cables.q[c] + j - first]
        rate = v[cables.v[c] + j - first]
        spring = cables.stiffness[j] * (theta + h * rate) + cables.damping[j] * rate
        scratch[k + PIVOT] = inertia + h * cables.damping[j] + h * h * cables.stiffness[j]
        scratch[k + FORCE] = -spring - pull
        put(scratch, k + U, uf)
        put(scratch, k + U + 3, ut)
        if j > first:
            shift_inertia(scratch, j, j - 1, get(scratch, k + ARM))
        # bias force for the joint before: pA + Ia c + U u/D, shifted
        ca, cw = get(scratch, k + COR_A), get(scratch, k + COR_W)
        fa, ta = times_inertia(scratch, j, ca, cw)
        s = (scratch[k + FORCE] - dot(uf, ca) - dot(ut, cw)) / scratch[k + PIVOT]
        f_out = axpy(s, uf, add(f_out, fa))
        t_out = axpy(s, ut, add(t_out, ta))
        t_out = add(t_out, cross(get(scratch, k + ARM), f_out))


@part()
def tip_force_inward(cables, c, force, scratch, column):
    """Joint forces u_j of a force at the tip, tip to root, written to ``column`` of the scratch rows."""
    first, last = cables.first[c], cables.first[c + 1]
    k = WIDTH * (last - 1)
    end = scale(cables.length[last - 1], get(scratch, k + LINK))
    f, t = force, cross(end, force)
    for i in range(last - first):
        j = last - 1 - i
        k = WIDTH * j
        axis = get(scratch, k + AXIS)
        u = dot(axis, f) if cables.slides[j] else dot(axis, t)
        scratch[k + column] = u
        s = -u / scratch[k + PIVOT]
        f = axpy(s, get(scratch, k + U), f)
        t = axpy(s, get(scratch, k + U + 3), t)
        t = add(t, cross(get(scratch, k + ARM), f))


@part()
def tip_inverse_inertia(cables, c, scratch, tip):
    """Inverse inertia Y = Σ_j u_j u_jᵀ/D_j at the tip of cable c. Uses the columns of SPIN, no longer needed."""
    for i in range(3):
        e = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        tip_force_inward(cables, c, e, scratch, SPIN + i)
    for a in range(3):
        for b in range(3):
            total = 0.0
            for j in range(cables.first[c], cables.first[c + 1]):
                k = WIDTH * j
                total += scratch[k + SPIN + a] * scratch[k + SPIN + b] / scratch[k + PIVOT]
            tip[c, a, b] = total


@part()
def kick_cables(cables, nb, v, wrench, h, scratch, out):
    """Joint rates after the step: the free motion plus the tips' impulses ``wrench`` (nn, 6)."""
    for c in range(cables.node.shape[0]):
        first, last = cables.first[c], cables.first[c + 1]
        node = cables.node[c]
        tip_force_inward(cables, c, (wrench[node, 0], wrench[node, 1], wrench[node, 2]), scratch, FORCE)
        a, w = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for j in range(first, last):
            k = WIDTH * j
            axis = get(scratch, k + AXIS)
            a = add(a, cross(w, get(scratch, k + ARM)))
            pull = dot(get(scratch, k + U), a) + dot(get(scratch, k + U + 3), w)
            jump = (scratch[k + FORCE] - pull) / scratch[k + PIVOT]
            out[cables.v[c] + j - first] = scratch[k + RATE] + jump
            if cables.slides[j]:
                a = axpy(jump, axis, a)
            else:
                w = axpy(jump, axis, w)


@part()
def advance_cables(cables, nb, q, v, h):
    """Joint coordinates after a step of h at the rates v."""
    for c in range(cables.node.shape[0]):
        for j in range(cables.first[c + 1] - cables.first[c]):
            q[cables.q[c] + j] += h * v[cables.v[c] + j]
