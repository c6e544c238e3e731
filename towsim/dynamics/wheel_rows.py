"""How a massive wire runs over pulleys with a radius: the rows of its flow, and what lies on the wheel as a mass.

The spans beside a wheel end where they touch it (see ``wheels``): their closures take them there in each step, which
moves no material. Let o be what flows out of the span before, and i into the one behind, relative to their ends, and V
the mean of the material's speeds there relative to what carries the wheel, which moves with v; s, r β and m as in
``wheels``, and I the wheel's inertia. The tension T of what lies there is the multiplier of

    o − i + σ p + ψ/h = 0,    ψ = ½ s ((s/r β)² − 1),    σ = s³/(h² EA (r β)²),    s⁺ = s + h (o − i)

which is p = h T with T = ½ EA ((r β/s)² − 1) at s⁺, to the first order in the change of s: no length is lost. What
lies there has its centre move with v + V τ, τ = (x₂ − x₁)/s, and the kinetic energy, with that of the wheel, is

    K = ½ m |v + V τ|² + ½ M V²,    M = m ((r β/s)² − τ²) + (r β/s)² I/r²

A mass m that has the velocity u and, with the impulse P of what it is part of, u⁺ = u + h g − P/m, is a free row with
the compliance 1/m:

    Rows          v + V τ along x, y, z;          V
    Bias          −(v + V τ)⁻ − h g;              −V⁻
    Compliance    1/m;                            1/M

V is a velocity of its own (place ``speed`` in v), which says how fast the wire runs when the touching points move. The
spans turn their material at their ends with μ o² and μ i² (see ``flow``), and so they would the wheel; what these lack
of μ V² is a force on what carries it, μ ((V² − o²) t₁ − (V² − i²) t₂). A wire that ends at a swivel is held there,
V = 0. Wheels and forks are without moments: all acts at the centre of a block. Left out is the momentum of what
lies there as the plane of its wheel turns.

Source: Lagrange's equations of the wheel and what lies on it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.bodies import load
from towsim.dynamics.mrfe import TIP_TURN
from towsim.model.sides import component, put_side
from towsim.model.vectors import add, at3, at9, axpy, cross, dot, mul, norm, scale, sub

FLOW, MASS, RUN = 0, 1, 4
"""Columns of the rows of a wheel: of the flow, of the mass (3), of its running."""

NONE = 1e-12
"""Mass from which on what lies on a wheel counts [kg]."""


@part()
def out_of(wheels, i, j, node):
    """Direction of a span at its end at a wheel, away from that: of its element there."""
    at = wheels.near[i, j]
    d = sub(at3(node, at + wheels.step[i, j]), at3(node, at))
    return scale(1.0 / norm(d), d)


@part()
def along(wheels, i, q):
    """τ: how the centre of mass of what lies on a wheel moves with the speed of the wire."""
    if wheels.swivels[i]:
        return (0.0, 0.0, 0.0)
    lay = wheels.lay
    s = 1.0 / q[wheels.arc_q[i]]
    return s * (lay[i, 3] - lay[i, 0]), s * (lay[i, 4] - lay[i, 1]), s * (lay[i, 5] - lay[i, 2])


@part()
def masses(wheels, i, q):
    """What lies on a wheel, and what resists its running beyond that [kg]."""
    m = max(wheels.line[i] * q[wheels.arc_q[i]], NONE)
    tau, ratio = along(wheels, i, q), wheels.arc[i] / q[wheels.arc_q[i]]
    stretch = ratio * ratio
    return m, max(m * (stretch - dot(tau, tau)), NONE) + stretch * wheels.inertia[i]


@part()
def lever(wheels, i, arm):
    """From the centre of the body that carries a wheel to where what lies there acts."""
    r = at3(arm, wheels.centre[i])
    return add(r, at3(wheels.heft, i)) if wheels.swivels[i] else r


@part()
def carried(wheels, i, points, rotates, robot_rate, v, Y, arm):
    """Velocity of what carries a wheel, where it acts; v : velocities, the bodies' angular momenta among them."""
    node = points.node[wheels.centre[i]]
    if node < 0:
        return at3(robot_rate, points.robot[wheels.centre[i]])
    k = 6 * node
    rate = (v[k], v[k + 1], v[k + 2])
    if rotates[node]:
        w = mul(at9(Y, node), (v[k + 3], v[k + 4], v[k + 5]))
        rate = add(rate, cross(w, lever(wheels, i, arm)))
    return rate


@part()
def open_wheels(wheels, rows, q, h):
    """Compliances of the rows for a step of h, by what lies on the wheels."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            m, more = masses(wheels, i, q)
            s, arc = q[wheels.arc_q[i]], wheels.arc[i]
            rows.compliance[wheels.row[i, FLOW]] = s * s * s / (wheels.axial[i] * arc * arc * h * h)
            for k in range(3):
                rows.compliance[wheels.row[i, MASS + k]] = 1.0 / m
            if not wheels.swivels[i]:
                rows.compliance[wheels.row[i, RUN]] = 1.0 / more


@part()
def wheel_rows(wheels, model, drive, sample, q, work):
    """Directions of the rows of what lies on the wheels, and what moving robots add to their rates.

    sample : of the drive, at which the step begins
    """
    if wheels is not None:
        robot_rate, after = drive.robot_rate[sample], drive.robot_rate[sample + 1]
        J, points, rate = work.J, model.points, work.rate
        for i in range(wheels.centre.shape[0]):
            tau = along(wheels, i, q)
            mean = (0.0, 0.0, 0.0)  # ∂V/∂v
            if not wheels.swivels[i]:
                mean = sub(out_of(wheels, i, 0, work.cable.node), out_of(wheels, i, 1, work.cable.node))
                mean = scale(0.5, mean)
            at, r = wheels.centre[i], lever(wheels, i, work.arm)
            for k in range(3 if wheels.swivels[i] else 4):
                row = wheels.row[i, MASS + k]
                x = 1.0 if k == 3 else tau[k]
                e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
                d = axpy(x, mean, e)
                if not wheels.swivels[i]:
                    for j in range(2):
                        share = 0.5 * x * wheels.sign[i, j] * (1.0 if j == 0 else -1.0)
                        turn = TIP_TURN + (1 if wheels.sign[i, j] > 0.0 else 0)
                        J[component(wheels.side[i, MASS + k, j], turn)] = share
                side = wheels.carrier[i, MASS + k]
                if side >= 0:
                    put_side(J, side, d, cross(r, d))
                    rate[row] = 0.0
                else:
                    robot = points.robot[at]
                    rate[row] = dot(e, at3(after, robot)) + x * dot(mean, at3(robot_rate, robot))


@part()
def wheel_drift(wheels, model, robot_rate, q, v, h, work):
    """Take what lies on the wheels, with the weight's impulse, from the biases of its rows."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            rate = carried(wheels, i, model.points, model.bodies.rotates, robot_rate, v, work.Y, work.arm)
            V = 0.0 if wheels.swivels[i] else v[wheels.speed[i]]
            u = axpy(V, along(wheels, i, q), rate)
            for k in range(3):
                work.bias[wheels.row[i, MASS + k]] -= u[k] + h * model.bodies.gravity[k]
            if not wheels.swivels[i]:
                work.bias[wheels.row[i, RUN]] -= V


@part()
def turn_on_wheels(wheels, points, v, h, work):
    """Add what touching points that move change of the force that turns the wire to the loads and the free motion."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            body = points.node[wheels.centre[i]]
            if body < 0:
                continue
            V = 0.0 if wheels.swivels[i] else v[wheels.speed[i]]
            force = (0.0, 0.0, 0.0)
            for j in range(2):
                if wheels.flow[i, j] >= 0:
                    past = v[wheels.flow[i, j]]
                    away = out_of(wheels, i, j, work.cable.node)
                    force = axpy(wheels.line[i] * (past * past - V * V), away, force)
            load(work, body, force, cross(lever(wheels, i, work.arm), force), h)


@part()
def kick_wheels(wheels, rows, p, d):
    """Change of the speeds of the wires on wheels, from the impulses p (nr,)."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            d[wheels.speed[i]] = 0.0
            if not wheels.swivels[i]:
                row = wheels.row[i, RUN]
                d[wheels.speed[i]] = -rows.compliance[row] * p[row]


@part()
def advance_arcs(wheels, q, v, h, out):
    """Lengths of wire on the wheels after a step of h at the flows v."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            more = 0.0
            for j in range(2):
                if wheels.flow[i, j] >= 0:
                    more += wheels.sign[i, j] * v[wheels.flow[i, j]]
            out[wheels.arc_q[i]] = q[wheels.arc_q[i]] + h * more


@part()
def energy_on_wheels(wheels, model, robot_rate, q, v, work, energy):
    """Add the energy of what lies on the wheels, with that of gravity, to those of the spans beside them [J]."""
    if wheels is not None:
        for i in range(wheels.centre.shape[0]):
            m, more = masses(wheels, i, q)
            rate = carried(wheels, i, model.points, model.bodies.rotates, robot_rate, v, work.Y, work.arm)
            V = 0.0 if wheels.swivels[i] else v[wheels.speed[i]]
            u = axpy(V, along(wheels, i, q), rate)
            at = add(at3(work.P, wheels.centre[i]), at3(wheels.heft, i))
            s = q[wheels.arc_q[i]]
            wound = wheels.arc[i] - s
            found = 0.5 * (m * dot(u, u) + more * V * V + wheels.axial[i] * (wound * wound) / s)
            for k in range(3):
                found -= m * model.bodies.gravity[k] * at[k]
            c = wheels.cable[i, 0] if wheels.cable[i, 0] >= 0 else wheels.cable[i, 1]
            energy[c] += found
