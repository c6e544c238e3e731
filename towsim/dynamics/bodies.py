"""Rigid bodies and point masses as sub-systems.

Free motion    m̃ v = m v₀ + h (f + c v_wind) − (1−θ) h c v₀,   m̃ = m + θ h c,   ℓ = ℓ₀ + h τ
Node inertia   Y = diag(1/m̃, I_W⁻¹),   I_W = R I_B Rᵀ
Advance        x⁺ = x + h v,   q⁺ = q ∘ exp(h Ω),   Ω = I_B⁻¹ exp(−h Ω/2) R(q)ᵀ ℓ

ℓ = I_W ω is the angular momentum in world axes: without torques it is constant to rounding, and the gyroscopic term is
in the implicit midpoint rotation (Ω is the body's angular velocity half-way, in body axes). Drag −(c₁ + c₂‖v_r‖) v_r
acts on the velocity at θ of the step (θ = 1: Stewart–Trinkle, θ = ½: SHAKE), with c = c₁ + c₂‖v_r‖ taken at a
velocity that the stepper gives.

Drag that differs along the body's axes, acts at a point r of its own or brakes turns (hulls, barges, plates) is

    F = −R (C + Q ‖u‖) Rᵀ u  at r,   u = v + ω × r − v_wind;      M = −R (C_r + Q_r ‖ω‖) Rᵀ ω

with diagonal C, Q, C_r, Q_r, at velocities known when the step begins: the last ones in Stewart–Trinkle, and in SHAKE
those foreseen half-way, of order 2. It is explicit; h must be short beside the time in which it brakes
(``method.check_drags``).

Source: M u̇ = G λ + g_app of the notes on towed bodies; implicit midpoint rule on SO(3); damping: Fossen, Handbook of
Marine Craft Hydrodynamics and Motion Control (2011), ch. 6.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.spin import ROUGHLY, TO_ROUNDING, iterated, midpoint_spin, series
from towsim.model.arrays import MOMENT, THRUST, TORQUE
from towsim.model.vectors import (
    add,
    arc,
    at3,
    at9,
    cross,
    exponential,
    mul,
    norm,
    put3,
    put9,
    quaternion_product,
    rotated,
    rotated_axes,
    rotation,
    scale,
    sub,
    swung,
    tmul,
)


@part()
def orient(bodies, q, R, Y):
    """Rotations (nb, 3, 3) and inverse inertias in world axes (nb, 3, 3) at the poses q."""
    for i in range(bodies.mass.shape[0]):
        if bodies.rotates[i]:
            k = 7 * i + 3
            r = rotation((q[k], q[k + 1], q[k + 2], q[k + 3]))
            put9(R, i, r)
            if bodies.principal[i]:
                put9(Y, i, rotated_axes(r, principal(bodies.inertia_inv, i)))
            else:
                put9(Y, i, rotated(r, at9(bodies.inertia_inv, i)))


@part()
def principal(inertia_inv, i):
    """Diagonal of body i's inverse inertia."""
    return inertia_inv[i, 0, 0], inertia_inv[i, 1, 1], inertia_inv[i, 2, 2]


@part()
def applied(bodies, loads, load, R, f):
    """Weights and loads: forces and torques f (nb, 6), world axes [N, N m]."""
    nb = bodies.mass.shape[0]
    g = (bodies.gravity[0], bodies.gravity[1], bodies.gravity[2])
    for i in range(nb):
        m = bodies.mass[i]
        f[i, 0] = m * g[0]
        f[i, 1] = m * g[1]
        f[i, 2] = m * g[2]
        f[i, 3] = 0.0
        f[i, 4] = 0.0
        f[i, 5] = 0.0
    for k in range(loads.body.shape[0]):
        i = loads.body[k]
        force = at3(load, k)
        torque = (0.0, 0.0, 0.0)
        if loads.kind[k] == THRUST:
            r = at9(R, i)
            torque = mul(r, cross(at3(loads.at, k), force))
            force = mul(r, force)
        elif loads.kind[k] == TORQUE:
            torque = force
            force = (0.0, 0.0, 0.0)
        elif loads.kind[k] == MOMENT:
            torque = mul(at9(R, i), force)
            force = (0.0, 0.0, 0.0)
        f[i, 0] += force[0]
        f[i, 1] += force[1]
        f[i, 2] += force[2]
        f[i, 3] += torque[0]
        f[i, 4] += torque[1]
        f[i, 5] += torque[2]


@part()
def free_motion(bodies, loads, load, wind, v, h, theta, work):
    """Velocities after the step as if nothing were attached.

    Parameters
    ----------
    load : (nl, 3) values of the loads [N], [N m];  wind : (3,) [m/s]
    v : (6 nb + ..,) velocity and angular momentum before the step
    theta : share of the step at which drag acts
    work : in: rotations R and inverse inertias Y (nb, 3, 3) in world axes, and v_drag (nb, 6), at whose velocity
        [m/s] the magnitude of quadratic drag is taken; out: minv (nb,), 1/m̃ [1/kg], f (nb, 6), force and torque
        [N, N m], and u (nn, 6), velocity and angular velocity of the nodes [m/s, rad/s]
    """
    minv, f, u = work.minv, work.f, work.u
    nb = bodies.mass.shape[0]
    applied(bodies, loads, load, work.R, f)
    for i in range(nb):
        m = bodies.mass[i]
        v0 = (v[6 * i], v[6 * i + 1], v[6 * i + 2])
        c = braking(bodies, i, wind, work.v_drag)
        if c != 0.0:
            f[i, 0] += c * wind[0]
            f[i, 1] += c * wind[1]
            f[i, 2] += c * wind[2]
        minv[i] = 1.0 / (m + theta * h * c)
        keep = m - (1.0 - theta) * h * c
        u[i, 0] = minv[i] * (keep * v0[0] + h * f[i, 0])
        u[i, 1] = minv[i] * (keep * v0[1] + h * f[i, 1])
        u[i, 2] = minv[i] * (keep * v0[2] + h * f[i, 2])
        if bodies.rotates[i]:
            ell = (
                v[6 * i + 3] + h * f[i, 3],
                v[6 * i + 4] + h * f[i, 4],
                v[6 * i + 5] + h * f[i, 5],
            )
            omega = mul(at9(work.Y, i), ell)
            u[i, 3] = omega[0]
            u[i, 4] = omega[1]
            u[i, 5] = omega[2]


@part()
def braking(bodies, i, wind, v):
    """Drag of body i over its speed relative to the air [N s/m], at the velocities v (nb, 6)."""
    c = bodies.drag[i, 0]
    if bodies.drag[i, 1] != 0.0:
        c += bodies.drag[i, 1] * norm(sub(at3(v, i), (wind[0], wind[1], wind[2])))
    return c


@part()
def has_own(drags):
    """Whether some body has a drag of its own."""
    if drags is not None:
        return drags.body.shape[0] > 0
    return False


@part()
def drag_impulses(drags, wind, h, work):
    """Add drags of their own at ``work.v_drag`` to the loads ``work.f``, and what they do in h to the free motion."""
    if drags is not None:
        air = (wind[0], wind[1], wind[2])
        v = work.v_drag
        for d in range(drags.body.shape[0]):
            i = drags.body[d]
            omega = mul(at9(work.Y, i), (v[i, 3], v[i, 4], v[i, 5]))
            force, torque = drag(drags, d, at9(work.R, i), at3(v, i), omega, air)
            load(work, i, force, torque, h)


@part()
def load(work, i, force, torque, h):
    """Add a force and a torque about the centre to the loads ``work.f`` on body i, and what they do in h to u."""
    turned = mul(at9(work.Y, i), torque)
    for j in range(3):
        work.f[i, j] += force[j]
        work.f[i, j + 3] += torque[j]
        work.u[i, j] += h * work.minv[i] * force[j]
        work.u[i, j + 3] += h * turned[j]


@part()
def drag(drags, d, R, v, omega, air):
    """Force, and torque about the centre, of drag d on a body with the rotation R and the velocities v and ω."""
    r = mul(R, at3(drags.at, d))
    relative = sub(add(v, cross(omega, r)), air)
    force = braked(R, at3(drags.linear, d), at3(drags.quadratic, d), relative)
    torque = braked(R, at3(drags.angular, d), at3(drags.angular_quadratic, d), omega)
    return force, add(torque, cross(r, force))


@part()
def braked(R, linear, quadratic, u):
    """−R (C + Q‖u‖) Rᵀ u."""
    along, size = tmul(R, u), norm(u)
    slowed = (
        (linear[0] + quadratic[0] * size) * along[0],
        (linear[1] + quadratic[1] * size) * along[1],
        (linear[2] + quadratic[2] * size) * along[2],
    )
    return scale(-1.0, mul(R, slowed))


@part()
def kick(bodies, v, work, h):
    """Velocity and angular momentum after the step, ``work.v_new``: the free motion plus the nodes' impulses."""
    minv, f, u, wrench, out = work.minv, work.f, work.u, work.wrench, work.v_new
    for i in range(bodies.mass.shape[0]):
        k = 6 * i
        for j in range(3):
            out[k + j] = u[i, j] + minv[i] * wrench[i, j]
        if bodies.rotates[i]:
            for j in range(3, 6):
                out[k + j] = v[k + j] + h * f[i, j] + wrench[i, j]


@part()
def advance(bodies, q, v, R, h, out):
    """Poses after a step of h with velocities and angular momenta v; R: rotations at q. Writes ``out`` (may be q)."""
    for i in range(bodies.mass.shape[0]):
        move(i, q, v, h, out)
        if bodies.rotates[i]:
            put_turn(out, i, turn(bodies, i, q, v, R, h))


@part()
def foresee(bodies, q, v, R, Y, h, out, turn):
    """Positions to expect after a step, as ``advance``, and rotation vectors (nb, 3) [rad] to some 1e-12, world axes.

    Nothing is brought to body axes, and no quaternion is found: there is less to wait for.
    """
    for i in range(bodies.mass.shape[0]):
        move(i, q, v, h, out)
        if bodies.rotates[i]:
            ell = (v[6 * i + 3], v[6 * i + 4], v[6 * i + 5])
            omega, settled = series(at9(Y, i), None, bodies.norm[i], ell, h, ROUGHLY)
            if not settled:
                r, inertia, inverse = at9(R, i), at9(bodies.inertia, i), at9(bodies.inertia_inv, i)
                omega = mul(r, iterated(inertia, inverse, tmul(r, ell), h, tmul(r, omega)))
            put3(turn, i, scale(h, omega))


@part()
def orient_ahead(bodies, R, turn, out):
    """Rotations (nb, 3, 3) after the turns (nb, 3) that ``foresee`` found."""
    for i in range(bodies.mass.shape[0]):
        if bodies.rotates[i]:
            u = at3(turn, i)
            by = arc(u)
            for j in range(3):
                x = swung(u, by, (R[i, 0, j], R[i, 1, j], R[i, 2, j]))
                out[i, 0, j] = x[0]
                out[i, 1, j] = x[1]
                out[i, 2, j] = x[2]


@part()
def move(i, q, v, h, out):
    """Position of body i after a step of h with the velocities v."""
    k = 7 * i
    out[k] = q[k] + h * v[6 * i]
    out[k + 1] = q[k + 1] + h * v[6 * i + 1]
    out[k + 2] = q[k + 2] + h * v[6 * i + 2]


@part()
def turn(bodies, i, q, v, R, h):
    """Quaternion of body i after a step of h with the angular momenta in v, unit up to rounding."""
    momentum = tmul(at9(R, i), (v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]))
    if bodies.principal[i]:
        omega, settled = series(None, principal(bodies.inertia_inv, i), bodies.norm[i], momentum, h, TO_ROUNDING)
        if not settled:
            omega = iterated(at9(bodies.inertia, i), at9(bodies.inertia_inv, i), momentum, h, omega)
    else:
        omega = midpoint_spin(at9(bodies.inertia, i), at9(bodies.inertia_inv, i), bodies.norm[i], momentum, h)
    w, x, y, z = q[7 * i + 3], q[7 * i + 4], q[7 * i + 5], q[7 * i + 6]
    # One Newton step towards ‖q‖ = 1: what is to correct is of the order of rounding. Here nothing waits for it.
    s = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
    return quaternion_product((s * w, s * x, s * y, s * z), exponential(scale(h, omega)))


@part()
def put_turn(q, i, p):
    """Write the quaternion of body i."""
    for j in range(4):
        q[7 * i + 3 + j] = p[j]


@part()
def locate(points, q, R, robot, P, arm):
    """World positions P (np, 3) of the bodies' and robots' points in use, and their arms from the body's centre.

    Points on cables' nodes are left to the cables.
    """
    nb = R.shape[0]
    for n in range(points.used.shape[0]):
        k = points.used[n]
        i = points.node[k]
        if i < 0:
            j = points.robot[k]
            P[k, 0] = robot[j, 0]
            P[k, 1] = robot[j, 1]
            P[k, 2] = robot[j, 2]
        elif i < nb:
            r = mul(at9(R, i), at3(points.local, k))
            put3(arm, k, r)
            put3(P, k, add((q[7 * i], q[7 * i + 1], q[7 * i + 2]), r))
