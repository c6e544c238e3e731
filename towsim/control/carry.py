"""Quadcopters that carry a load on wires along a path of the load: one (slung load), or several together.

Load, with attachments ρ_i (body axes) and attitude R₀:

    F = m₀ (a_d − 2ζω ė − ω² e − I − g),      M = −J₀ (ω_L² e_R + 2 ω_L Ω₀) + Ω₀ × J₀ Ω₀
    Σ μ_i = R₀ᵀ F,   Σ ρ_i × μ_i = M,         μ = μ₀ + Pᵀ (P Pᵀ)⁻¹ (W − P μ₀)     (least norm around a spread μ₀)

Wire i, direction q_i from the vehicle to the load, length l:  q_d = −μ_i/‖μ_i‖, and the vehicle's force is

    u = (μ_i·q) q + m l ‖q̇‖² q + m a − m l [ω_q² (I − q qᵀ) q_d + 2 ω_q ((I − q qᵀ) q̇_d − q̇)]

with a the acceleration that the attachment should have, less gravity: then
 the wire's tension is −μ_i·q and its direction follows q_d; attitude.py does the rest.
For a point load W = F and ρ = 0, so that μ_i = μ₀_i + (F − Σ μ₀)/n: μ₀ leans to the sides to which the wires do at the
start, or to even ones. Where some are lost, the same sum turns the others' pulls against each other.
Vehicles that fail, or whose wires are cut, get no share any more. Those that can fly rise out of the way and hover. A
rigid load is held level where all wires pull upwards then, by ``LEAST`` of an equal share or more. Where that cannot
be, as after a loss, it is tilted until the middle of the attachments that are left stands above its centre. Where these
lie on one line, no pulls turn it about that: it hangs from vehicles that keep to their places, until it has swung out.

Sources: Sreenath, Lee & Kumar, CDC 2013 (one vehicle, point load); Lee, IEEE Trans. Control Syst. Technol. 26 (2018)
(rigid load, least-norm tensions). Here q̇_d is a smoothed difference of samples, and q̈_d is left out.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import kernel, part
from towsim.control.attitude import SMOOTHING, beyond, fly, frame, half_vee, pursuit, smoothed, transposed_times, upward
from towsim.control.craft import Craft, make_craft
from towsim.control.plant import Plant
from towsim.model.arrays import Flags, Floats, Floats3, Floats33, Ints
from towsim.model.vectors import add, at3, at9, axpy, cross, dot, get, mul, norm, put3, rotation, scale, sub, tmul
from towsim.scene import Carry, Scene, SlungLoad
from towsim.scene.control_checks import lifting_wires
from towsim.scene.expand import vertical

MOST = 5.0
"""Bound of the integral [m/s²]."""

LEAST, STEEPEST = 0.25, 0.6
"""Smallest vertical pull of a wire, relative to an equal share of the weight; largest horizontal over vertical pull."""

POINT_SPREAD = 0.4
"""Outward slope of wires to a point mass, where none is declared."""

APART = 0.5
"""Least angle between two sides at the start that are kept, relative to even ones."""

RISING, FAR = 2.0, 1.0
"""How far a vehicle without a wire rises, in lengths of it; the error of position up to which it hurries [m]."""

QUICK = 0.5
"""How quick q̇_d may be fed back through the load, relative to the attitude."""

LEVEL, TILTED, HANGING = 0, 1, 2
"""How a rigid load is held by the wires that are left."""

PULLED, HUNG = 0.3, -0.9
"""How far above the centre the middle of the attachments is at least, relative to its distance, for a load to be turned
until it is on top: one that is pulled, and one that hangs."""

TILTING = 0.8
"""Time constant with which a load is tilted after a failure [s]."""


class Carrying(NamedTuple):
    """What the law keeps."""

    craft: Craft
    load: Ints  # (1,) body
    wire: Ints  # (n,) wire of each vehicle
    at: Floats3  # (n, 3) attachments, body axes of the load [m]
    side: Floats3  # (n, 3) horizontal unit vectors to which wires to a point load lean
    inertia: Floats33  # (1, 3, 3) of the load [kg m²]; zero: a point
    gains: Floats  # (9,) ω, ζ, rate of the integral, ω attitude, period, ω wires, ω load's attitude, heading, spread
    mass: Floats  # (1,) of the load [kg]
    gravity: Floats  # (3,)
    integral: Floats3  # (1, 3) [m/s²]
    held: Ints  # (1,) LEVEL, TILTED or HANGING
    middle: Floats3  # (1, 3) what should stand above the centre of the load, body axes [m]
    aim: Floats3  # (n, 3) q_d of the last sample
    sway: Floats3  # (n, 3) q̇_d [1/s]
    begun: Flags  # (1,)
    living: Flags  # (n,) vehicles that have a share of the load
    place: Floats3  # (n, 3) where those hover that have none but can fly [m]
    hovers: Flags  # (n,)
    system: Floats  # (6, 7) scratch
    mu: Floats3  # (n, 3) scratch: forces on the load, body axes [N]


def make_carrying(scene: Scene, plant: Plant, law: SlungLoad | Carry) -> Carrying:
    """Memory of the law, in an expanded scene."""
    vehicles = (law.vehicle,) if isinstance(law, SlungLoad) else law.vehicles
    more = (1.0, 0.0, 0.0)
    if isinstance(law, Carry):
        usual = POINT_SPREAD if scene.bodies[law.load].point else 0.0
        more = law.load_bandwidth, law.heading, usual if law.spread is None else law.spread
    gains = (law.bandwidth, law.damping, law.integral, law.attitude_bandwidth, 1.0 / law.rate, law.wire_bandwidth)
    n, load = len(vehicles), scene.bodies[law.load]
    at, wires = np.zeros((n, 3)), []
    for i, vehicle in enumerate(vehicles):
        (name,) = lifting_wires(scene, vehicle, law.load)
        wire = scene.wires[name]
        wires.append(plant.wire(name))
        _, _, point = (wire.to if wire.from_ == vehicle else wire.from_).partition(".")
        at[i] = load.points[point] if point else (0.0, 0.0, 0.0)
    rigid = isinstance(law, Carry) and not load.point
    return Carrying(
        craft=make_craft(scene, plant, vehicles),
        load=np.array([plant.body(law.load)]),
        wire=np.array(wires),
        at=at,
        side=_sides(scene, vehicles, law.load),
        inertia=load.inertia_matrix()[None].copy() if rigid else np.zeros((1, 3, 3)),
        gains=np.array([*gains, *more]),
        mass=np.array([load.mass]),
        gravity=np.array(scene.gravity),
        integral=np.zeros((1, 3)),
        held=np.zeros(1, np.int64),
        middle=np.zeros((1, 3)),
        aim=np.zeros((n, 3)),
        sway=np.zeros((n, 3)),
        begun=np.zeros(1, np.bool_),
        living=np.zeros(n, np.bool_),
        place=np.zeros((n, 3)),
        hovers=np.zeros(n, np.bool_),
        system=np.zeros((6, 7)),
        mu=np.zeros((n, 3)),
    )


def _sides(scene: Scene, vehicles: tuple[str, ...], load: str) -> Floats:
    """Horizontal unit vectors (n, 3) from the load to where the vehicles stand at the start; even ones if too close.

    One vehicle stands above: zero.
    """
    n = len(vehicles)
    if n == 1:
        return np.zeros((1, 3))
    up = np.array(vertical(scene))
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(up)))], up)
    x /= np.linalg.norm(x)
    y = np.cross(up, x)
    out = np.array([scene.bodies[one].position for one in vehicles]) - scene.bodies[load].position
    angle = np.arctan2(out @ y, out @ x)
    turn = np.sort(angle)
    gaps = np.diff(turn, append=turn[:1] + math.tau)
    beside = np.hypot(out @ x, out @ y) > 0.05 * np.linalg.norm(out, axis=1)
    if not (beside.all() and gaps.min() >= APART * math.tau / n):
        first = angle[0] if beside[0] else 0.0
        angle = first + math.tau * np.arange(n) / n
    sides: Floats = np.cos(angle)[:, None] * x + np.sin(angle)[:, None] * y
    return sides


@part()
def solve_small(S):
    """Solve the 6×6 positive semidefinite system whose right-hand side is S's last column, in place.

    A dependent row (attachments in one line cannot turn about it) is skipped.
    """
    for i in range(6):
        pivot = S[i, i]
        if pivot < 1e-9:
            for j in range(7):
                S[i, j] = 0.0
            continue
        for r in range(6):
            if r != i:
                share = S[r, i] / pivot
                for j in range(i, 7):
                    S[r, j] -= share * S[i, j]
    for i in range(6):
        S[i, 6] = S[i, 6] / S[i, i] if S[i, i] > 0.0 else 0.0


@part()
def add_attachment(S, r):
    """Add to the 6×6 of S the product P Pᵀ of an attachment r, P = (I; [r]×)."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        S[i, i] += 1.0
        S[3 + i, 3 + i] += r[j] * r[j] + r[k] * r[k]
        S[3 + i, 3 + j] -= r[i] * r[j]
        S[3 + j, 3 + i] -= r[i] * r[j]
        S[3 + j, i] += r[k]
        S[i, 3 + j] += r[k]
        S[3 + k, i] -= r[j]
        S[i, 3 + k] -= r[j]


@part()
def share_out(memory, F, M):
    """Add to the forces in ``memory.mu`` the least ones that make their sum F and their moment M (body axes)."""
    S, mu, at = memory.system, memory.mu, memory.at
    for i in range(6):
        for j in range(7):
            S[i, j] = 0.0
    for j in range(3):
        S[j, 6] = F[j]
        S[3 + j, 6] = M[j]
    for k in range(mu.shape[0]):
        if memory.living[k]:
            r = at3(at, k)
            moment = cross(r, at3(mu, k))
            for j in range(3):
                S[j, 6] -= mu[k, j]
                S[3 + j, 6] -= moment[j]
            add_attachment(S, r)
    solve_small(S)
    for k in range(mu.shape[0]):
        if memory.living[k]:
            more = axpy(1.0, cross((S[3, 6], S[4, 6], S[5, 6]), at3(at, k)), (S[0, 6], S[1, 6], S[2, 6]))
            for j in range(3):
                mu[k, j] += more[j]


@part()
def holds_level(memory, count):
    """Whether the wires that are left all pull upwards when the load stands level; overwrites ``memory.mu``."""
    mu = memory.mu
    mu[:] = 0.0
    share_out(memory, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    level, moment, reach = True, (0.0, 0.0, 0.0), 1e-9
    for i in range(mu.shape[0]):
        if memory.living[i]:
            moment = add(moment, cross(at3(memory.at, i), at3(mu, i)))
            reach = max(reach, norm(at3(memory.at, i)))
            pull = mu[i, 2]
            level = level and pull >= LEAST / count and math.hypot(mu[i, 0], mu[i, 1]) <= STEEPEST * pull
    return level and norm(moment) <= 1e-6 * reach


@part()
def tilted(frame_, d):
    """Attitude frame_ ∘ T, where T is the least turn that takes the unit vector d to the third axis."""
    k = 1.0 / (1.0 + d[2])
    a, b = d[0], d[1]
    T = (1.0 - k * a * a, -k * a * b, -a, -k * a * b, 1.0 - k * b * b, -b, a, b, d[2])
    x = mul(frame_, (T[0], T[3], T[6]))
    y = mul(frame_, (T[1], T[4], T[7]))
    z = mul(frame_, (T[2], T[5], T[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@part()
def middle_of(memory, count):
    """Mean of the attachments that are left (body axes)."""
    mean = (0.0, 0.0, 0.0)
    for i in range(memory.at.shape[0]):
        if memory.living[i]:
            mean = axpy(1.0 / count, at3(memory.at, i), mean)
    return mean


@part()
def in_line(memory, mean):
    """Whether the attachments that are left lie on one line: no pulls of given sum turn the load about it."""
    line = (0.0, 0.0, 0.0)
    for i in range(memory.at.shape[0]):
        out = sub(at3(memory.at, i), mean)
        if memory.living[i] and norm(out) > norm(line):
            line = out
    for i in range(memory.at.shape[0]):
        out = sub(at3(memory.at, i), mean)
        if memory.living[i] and norm(cross(line, out)) > 1e-6 * dot(line, line):
            return False
    return True


@part()
def how_held(memory, mean, count):
    """LEVEL, TILTED or HANGING."""
    if holds_level(memory, count):
        return LEVEL
    return HANGING if in_line(memory, mean) else TILTED


@part()
def standing(memory, mean, up):
    """Attitude that the load should have: with its heading, level or with the ``mean`` of the attachments on top.

    Unless it hangs, it is not turned on its side, where wires would run along it.
    """
    gains, held = memory.gains, memory.held[0]
    top = (0.0, 0.0, max(norm(mean), 1e-9)) if held == LEVEL else mean
    old = at3(memory.middle, 0) if memory.begun[0] else top
    put3(memory.middle, 0, axpy(gains[4] / (TILTING + gains[4]), sub(top, old), old))
    middle = at3(memory.middle, 0)
    d, size = (0.0, 0.0, 1.0), norm(middle)
    if middle[2] > (HUNG if held == HANGING else PULLED) * size and size > 0.0:
        d = scale(1.0 / size, middle)
    return tilted(frame(up, gains[7]), d)


@part()
def distribute(memory, R, spin, F, wanted, mean, count, weight):
    """Forces of the wires on a rigid load, into ``memory.mu``; returns the angular acceleration they are for."""
    gains, mu, n = memory.gains, memory.mu, memory.mu.shape[0]
    for i in range(n):
        out = sub(at3(memory.at, i), mean)
        size = math.sqrt(out[0] * out[0] + out[1] * out[1])
        slope = gains[8] * weight / (count * size) if size > 1e-9 else 0.0
        mu[i, 0] = slope * out[0]
        mu[i, 1] = slope * out[1]
        mu[i, 2] = 0.0
    omega, J = gains[6], at9(memory.inertia, 0)
    e = half_vee(transposed_times(wanted, R))
    alpha = axpy(-2.0 * omega, spin, scale(-omega * omega, e))
    share_out(memory, tmul(R, F), add(mul(J, alpha), cross(spin, mul(J, spin))))
    return alpha


@part()
def spread_out(memory, F, weight, count):
    """Forces of the wires on a point load that sum up to F, each leaning to its side, into ``memory.mu``."""
    mu, total = memory.mu, (0.0, 0.0, 0.0)
    slope = memory.gains[8] * weight / count
    for i in range(mu.shape[0]):
        if memory.living[i]:
            total = axpy(slope, at3(memory.side, i), total)
    rest = scale(1.0 / count, sub(F, total))
    for i in range(mu.shape[0]):
        if memory.living[i]:
            put3(mu, i, axpy(slope, at3(memory.side, i), rest))


@part()
def share_taken(memory, measured):
    """Note which vehicles have a share of the load: rotors that turn, and a wire.

    Returns their number, and whether they are others than before.
    """
    craft, count, changed = memory.craft, 0, False
    for i in range(craft.body.shape[0]):
        turns = True
        for j in range(4):
            turns = turns and measured.alive[craft.first[i] + j]
        has = turns and measured.attached[memory.wire[i]]
        if turns and not has and not memory.hovers[i]:
            rise = RISING * measured.length[memory.wire[i]] if memory.living[i] else 0.0
            put3(memory.place, i, axpy(rise, upward(memory.gravity)[0], at3(measured.position, craft.body[i])))
        memory.hovers[i] = turns and not has
        changed = changed or has != memory.living[i]
        memory.living[i] = has
        count += has
    return count, changed


@part()
def go_to(memory, i, measured, place, rate, pull, up, g, command):
    """Command vehicle i to a place that moves at ``rate``, with the force ``pull`` beside its own weight."""
    craft, gains = memory.craft, memory.gains
    b, m, omega = craft.body[i], craft.mass[i], gains[0]
    e = sub(at3(measured.position, b), place)
    size = norm(e)
    if size > FAR:
        e = scale(FAR / size, e)
    a = axpy(-2.0 * omega, sub(at3(measured.velocity, b), rate), scale(-omega * omega, e))
    fly(craft, i, measured, axpy(m, beyond(memory.gravity, a), pull), up, m * g, 0.0, gains[3], gains[4], command)


@part()
def let_hang(memory, measured, reference, wanted, up, g, count, command):
    """Command the vehicles over where the attachments of a load of attitude ``wanted`` are to be.

    Each pulls its share, and the load hangs from them: p_i = x_d + R_d ρ_i + l_i e₃,
    u_i = m (a_d − 2ω (ṗ − v_d) − ω² (p − p_i)) + m g e₃ + m₀/n (a_d + g e₃ − I).
    """
    x, v, a = get(reference[0], 0, 0), get(reference[0], 1, 0), get(reference[0], 2, 0)
    share, rest = memory.mass[0] / count, beyond(memory.gravity, sub(a, at3(memory.integral, 0)))
    for i in range(memory.at.shape[0]):
        if memory.living[i]:
            place = axpy(measured.length[memory.wire[i]], up, add(x, mul(wanted, at3(memory.at, i))))
            pull = axpy(memory.craft.mass[i], a, scale(share, rest))
            go_to(memory, i, measured, place, v, pull, up, g, command)


@part()
def upright(mu, up, least):
    """The force mu, or one near it that pulls upwards by ``least`` [N] and is not too steep."""
    vertical = dot(mu, up)
    aside = axpy(-vertical, up, mu)
    vertical = max(vertical, least)
    size = norm(aside)
    share = min(1.0, STEEPEST * vertical / size) if size > 0.0 else 1.0
    return axpy(vertical, up, scale(share, aside))


@part()
def sway_time(memory, m, lift, length, count):
    """Time constant with which q̇_d is smoothed [s].

    q̇_d has the acceleration of the load in it, 2ζω/‖a − g‖ times. What of the vehicle's swing 2ω_q l q̇_d waits for its
    attitude, m times, pulls at a wire that leans by s: M = n m s²/2 of the load's m₀ + M. Through a first-order filter
    that is a loop of bandwidth 4ζω ω_q l/‖a − g‖ M/(m₀ + M) over the time constant.
    """
    gains, load = memory.gains, memory.mass[0]
    carried = 0.5 * count * m * gains[8] * gains[8]
    loop = 4.0 * gains[1] * gains[0] * gains[5] * length / norm(lift) * carried / (load + carried)
    return max(SMOOTHING, loop / (QUICK * gains[3]))


@part()
def wire_force(memory, i, m, mu, q, q_rate, length, lift, count):
    """Force u of a vehicle of mass m on wire i of ``count``; its direction q and rate, and a = ``lift``."""
    gains = memory.gains
    aim = scale(-1.0 / norm(mu), mu)
    if memory.begun[0]:
        fresh = scale(1.0 / gains[4], sub(aim, at3(memory.aim, i)))
        put3(memory.sway, i, smoothed(at3(memory.sway, i), fresh, gains[4], sway_time(memory, m, lift, length, count)))
    put3(memory.aim, i, aim)
    omega, sway = gains[5], at3(memory.sway, i)
    across = axpy(-dot(q, aim), q, aim)
    sway = axpy(-dot(q, sway), q, sway)
    swing = axpy(2.0 * omega, sub(sway, q_rate), scale(omega * omega, across))
    along = dot(mu, q) + m * length * dot(q_rate, q_rate)
    return axpy(-m * length, swing, axpy(m, lift, scale(along, q)))


@kernel()
def carry(t, measured, reference, memory, command):
    """The law; see the module, and ``Control`` for the arguments."""
    craft, gains, load = memory.craft, memory.gains, memory.load[0]
    up, g = upward(memory.gravity)
    n, still = craft.body.shape[0], (0.0, 0.0, 0.0)
    count, changed = share_taken(memory, measured)
    for i in range(n):
        for j in range(4):
            command[craft.first[i] + j] = 0.0
        if memory.hovers[i]:
            go_to(memory, i, measured, at3(memory.place, i), still, still, up, g, command)
    if count == 0:
        return
    x, v = at3(measured.position, load), at3(measured.velocity, load)
    quaternion = measured.quaternion
    R = rotation((quaternion[load, 0], quaternion[load, 1], quaternion[load, 2], quaternion[load, 3]))
    a = pursuit(reference, 0, x, v, gains[0], gains[1], memory.integral, gains[2], gains[4], MOST)
    lift = beyond(memory.gravity, a)
    F = scale(memory.mass[0], lift)
    rigid = memory.inertia[0, 0, 0] > 0.0
    spin = alpha = still
    if rigid:
        spin = at3(measured.gyro, load)
        mean = middle_of(memory, count)
        if changed:
            memory.held[0] = how_held(memory, mean, count)
        wanted = standing(memory, mean, up)
        if memory.held[0] == HANGING:
            let_hang(memory, measured, reference, wanted, up, g, count, command)
            memory.begun[0] = True
            return
        alpha = distribute(memory, R, spin, F, wanted, mean, count, memory.mass[0] * g)
    else:
        spread_out(memory, F, memory.mass[0] * g, count)
    least = LEAST * memory.mass[0] * g / count
    for i in range(n):
        if not memory.living[i]:
            continue
        b, m = craft.body[i], craft.mass[i]
        arm = mul(R, at3(memory.at, i))
        along = sub(add(x, arm), at3(measured.position, b))
        length = norm(along)
        q = scale(1.0 / length, along)
        rate = sub(add(v, cross(at3(measured.angular_velocity, load), arm)), at3(measured.velocity, b))
        q_rate = scale(1.0 / length, axpy(-dot(q, rate), q, rate))
        mu = mul(R, at3(memory.mu, i)) if rigid else at3(memory.mu, i)
        mu = upright(mu, up, least)
        # The attachment's acceleration, as it is meant to be: that of the centre, and what turning adds.
        r = at3(memory.at, i)
        there = add(lift, mul(R, add(cross(alpha, r), cross(spin, cross(spin, r)))))
        u = wire_force(memory, i, m, mu, q, q_rate, length, there, count)
        fly(craft, i, measured, u, up, m * g, 0.0, gains[3], gains[4], command)
    memory.begun[0] = True
