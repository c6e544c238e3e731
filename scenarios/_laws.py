"""What the checks share: the declared scene back from a result, and the laws of mechanics its rows must obey.

What a wire passes on in a step is tension · h + impulse. Where every step is recorded, a body's momentum is what the
steps add up to, to rounding (``momentum``). Other integrals are trapezoids over the recorded rows, so that a balance
closes to about a step of its integrand, or to second order (``error_limit``).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenarios.registry import Check

if TYPE_CHECKING:
    from collections.abc import Iterable

    from towsim import Result, Scene

Array = NDArray[np.float64]


def declared(result: Result) -> Scene:
    """The scene that the result was computed from; dynamic robots are bodies in it."""
    from towsim.scene.expand import expand

    return expand(written(result))


def written(result: Result) -> Scene:
    """The scene that the result was computed from, as it was written."""
    from towsim.scene import scene_from_text

    return scene_from_text(str(result.attributes["scene"]), name="scene of the result")


def step_of(result: Result) -> float:
    """Time step of the run [s]."""
    return float(result.provenance["options"]["step"])


def spacing(result: Result) -> float:
    """Time between recorded rows [s]: the step, or a multiple of it."""
    return float(np.diff(result.time).max())


def second_order(result: Result) -> bool:
    """Whether the method's errors go with h², not h."""
    return str(result.provenance["options"]["method"]) == "shake"


def error_limit(result: Result, rate: float) -> float:
    """What errors of the method may come to: rate · h, or 10 h · rate · h for SHAKE without jerks.

    Parameters
    ----------
    rate : how fast the quantity changes per second, in its unit
    """
    h = spacing(result)
    jerks = result.events.select("jerk")
    return rate * h * (10.0 * h if second_order(result) and not len(jerks) else 1.0) + 1e-12


FOURTH = 1e5
"""Bound of SHAKE's stretch / h⁴ [m/s⁴]."""


def stretch(result: Result, more: float = 0.0) -> Check:
    """No wire is longer than it may be: ½h²|ψ̈| of the step at whose end it is, or O(h⁴) by SHAKE without jerks.

    more : acceleration of bodies that turn about a joint [m/s²]
    """
    gap, h = result["gap"], step_of(result)
    if second_order(result) and not len(result.events.select("jerk")):
        return Check.below("worst stretch", -np.nanmin(gap.values), FOURTH * h**4 + 1e-12, "m")  # 1e-12: rounding
    scene, worst = declared(result), (0.0, 1e-12)
    for wire in scene.wires:
        bent = bend(result, scene, wire)
        bent[1:] = np.maximum(bent[1:], bent[:-1])  # before or after a jump
        limit = 0.5 * h**2 * (bent + more) * (1.0 + 20.0 * h) + 1e-12  # rates change in a step
        over = np.nan_to_num(-gap.sel(wire=wire).values)
        row = (over / limit).argmax()
        worst = max(worst, (over[row], limit[row]), key=lambda pair: pair[0] / pair[1])
    return Check.below("worst stretch", *worst, "m")


def bend(result: Result, scene: Scene, wire: str) -> Array:
    """Bound (time,) of |ψ̈| of a wire whose bodies move uniformly [m/s²].

    Its parts turn with the velocities of their ends, |Δv|²/d, what it is held at with its body, ω² r, and robots and
    winches gather speed.
    """
    time, ends = result.time, []
    out = np.abs(np.gradient(scene.wires[wire].length_at(time)[1], time))
    for end in scene.wires[wire].ends:
        at = scene.attachment(end)
        if at.is_robot:
            _, velocity, acceleration = scene.robots[at.owner].sample(time)
            out += np.linalg.norm(acceleration, axis=1)
        else:
            velocity = foot_velocity(result, scene, at.owner, np.array(at.offset))
            spin = result["angular_velocity"].sel(body=at.owner).values
            out += np.sum(spin**2, axis=1) * np.linalg.norm(at.offset)
        ends.append((place(result, scene, end), velocity))
    for (a, u), (b, v) in itertools.pairwise(ends):
        out += np.sum((v - u) ** 2, axis=1) / np.maximum(np.linalg.norm(b - a, axis=1), 1e-9)  # or ends may meet
    return out


def solved(result: Result) -> Check:
    """Every step's problem was solved, by the judgement of its residual, or met as closely as can be."""
    return Check.below("unsolved steps", float(result.summary().unsolved), 0.0)


def first_row(result: Result) -> int:
    """Row of the first tension: SHAKE has it at the initial state, Stewart–Trinkle at the end of the first step."""
    return 0 if second_order(result) else 1


def direction(result: Result, scene: Scene, wire: str) -> Array:
    """Unit vectors (time, 3) from a wire's ``from`` end to its ``to`` end."""
    one = scene.wires[wire]
    apart = place(result, scene, one.to) - place(result, scene, one.from_)
    return np.asarray(apart / np.linalg.norm(apart, axis=1)[:, None])


def pulls(result: Result, scene: Scene, wire: str, *, drawn_before: bool = False) -> list[tuple[str, Array]]:
    """Forces (time, 3) of a wire on the points that it passes, end to end [N]; 0 where the row has no tension.

    drawn_before : along the wire as it is a row before, at the start of the step that a row ends
    """
    at = [place(result, scene, end) for end in scene.wires[wire].ends]
    if drawn_before:
        at = [np.concatenate([one[:1], one[:-1]]) for one in at]
    before, out = np.zeros_like(at[0]), []
    for k, end in enumerate(scene.wires[wire].ends):
        after = np.zeros_like(before)
        if k + 1 < len(at):
            apart = at[k + 1] - at[k]
            after = part_tension(result, scene, wire, k)[:, None] * apart / np.linalg.norm(apart, axis=1)[:, None]
        out.append((end, after - before))
        before = after
    return out


def part_tension(result: Result, scene: Scene, wire: str, part: int) -> Array:
    """Impulse over the step (time,) of a wire between two of the points that it passes, counted from 0 [N]."""
    if scene.wires[wire].friction > 0.0:
        name = f"{wire}[{part + 1}]"
        impact = result["part_impulse"].sel(part=name).values / step_of(result)
        return np.asarray(np.nan_to_num(result["part_tension"].sel(part=name).values) + impact)
    force = np.nan_to_num(result["tension"].sel(wire=wire).values)
    if "impulse" not in result:  # method dae
        return np.asarray(force)
    return np.asarray(force + result["impulse"].sel(wire=wire).values / step_of(result))


def place(result: Result, scene: Scene, end: str) -> Array:
    """Position (time, 3) of a wire's end [m]."""
    at = scene.attachment(end)
    if at.is_robot:
        return result["robot_position"].sel(robot=at.owner).values
    arm = turned(result["quaternion"].sel(body=at.owner).values, np.array(at.offset))
    return np.asarray(result["position"].sel(body=at.owner).values + arm)


def turned(q: Array, u: Array) -> Array:
    """u (3,) or (n, 3) turned by the unit quaternions q (n, 4)."""
    twice = 2.0 * np.cross(q[:, 1:], u)
    return np.asarray(u + q[:, :1] * twice + np.cross(q[:, 1:], twice))


def spans(result: Result) -> Array:
    """Distances (time, wire) of the wires' ends [m]."""
    return np.asarray(result["length"].values - result["gap"].values)


def foot_velocity(result: Result, scene: Scene, body: str, offset: Array) -> Array:
    """Velocity (time, 3) of the point of a body at ``offset`` from its centre, body axes [m/s]."""
    arm = turned(result["quaternion"].sel(body=body).values, offset)
    spin = result["angular_velocity"].sel(body=body).values
    return np.asarray(result["velocity"].sel(body=body).values + np.cross(spin, arm))


def momentum(result: Result, bodies: Iterable[str], rate: float, name: str = "error of momentum") -> Check:
    """Each body's momentum is what its wires, contacts, gravity and linear drag without wind have given it.

    rate : how fast a force changes per second [N/s], which is the error of trapezoids
    """
    error = max(momentum_error(result, body) for body in bodies)
    if by_steps(result):
        return Check.below(name, error, 1e-9 * rate, "N s")
    jerks: defaultdict[float, float] = defaultdict(float)
    for event in result.events.select("jerk"):
        jerks[event.time] += event.impulse
    late = 0.6 * max(jerks.values(), default=0.0)  # by trapezoids half of what comes at one instant is a step late
    return Check.below(name, error, error_limit(result, rate) + late, "N s")


def by_steps(result: Result) -> bool:
    """Whether every step of a method of one step is recorded."""
    method = str(result.provenance["options"]["method"])
    return method in ("stewart-trinkle", "shake") and spacing(result) < 1.5 * step_of(result)


def momentum_error(result: Result, body: str) -> float:
    """Largest |m Δv − ∫ Σ F dt| of a body [N s].

    The step that row i ends adds h F_i by Stewart–Trinkle, with wires as they are drawn at its start and drag of the
    velocity at its end, and h (F_{i−1} + F_i)/2 by SHAKE, but for the first one, which begins with drag of its middle.
    """
    scene, whole = declared(result), by_steps(result) and not second_order(result)
    first = result.time[1] if by_steps(result) and second_order(result) else 0.0
    mass, drag = scene.bodies[body].mass, scene.bodies[body].drag.linear
    velocity = result["velocity"].sel(body=body).values
    force = mass * np.array(scene.gravity) - drag * velocity
    for name in scene.wires:
        for end, pull in pulls(result, scene, name, drawn_before=whole):
            if scene.attachment(end).owner == body:
                force = force + pull
    if "contact_force" in result:
        ours = [str(name).partition("@")[0].partition(".")[0] == body for name in result.coords["contact"]]
        force = force + np.nan_to_num(result["contact_force"].values[:, ours]).sum(axis=1)
        force = force + result["contact_impulse"].values[:, ours].sum(axis=1) / step_of(result)
    return largest_error(result, mass * velocity, force, first, whole=whole)


def energy(result: Result, rate: float) -> Check:
    """The bodies' energy is what robots and winches have put in, less what drag and jerks have taken.

    rate : how fast a power changes per second [W/s]

    What a jerk takes is told by the speed before its step, in which weight changes that by up to g h.
    """
    jerks = sum(event.impulse for event in result.events.select("jerk"))
    late = jerks * float(np.linalg.norm(declared(result).gravity)) * spacing(result)
    return Check.below("error of energy", energy_error(result), error_limit(result, rate) + late, "J")


def energy_error(result: Result) -> float:
    """Largest |ΔE + lost in jerks − ∫ P dt| of all bodies, but amid a jerk [J]; P is of robots, winches and drag.

    A robot that a wire pulls at with the force F does the work −F·v, and a winch −T L̇. What a wire loses by friction
    on what it passes is not counted.
    """
    scene, time = declared(result), result.time
    energy, power = np.zeros(len(time)), np.zeros(len(time))
    amid = np.zeros(len(time), bool)
    for event in result.events:
        since, over = (time - event.time > at - 0.5 * step_of(result) for at in (0.0, event.duration))
        energy[over] += event.energy_lost
        if event.energy_lost > 0.0:
            amid |= since & ~over
    for name, body in scene.bodies.items():
        velocity = result["velocity"].sel(body=name).values
        position = result["position"].sel(body=name).values
        energy += 0.5 * body.mass * np.sum(velocity**2, axis=1) - body.mass * position @ np.array(scene.gravity)
        power -= body.drag.linear * np.sum(velocity**2, axis=1)
        if not body.point:
            q = result["quaternion"].sel(body=name).values
            spin = turned(q * [1, -1, -1, -1], result["angular_velocity"].sel(body=name).values)  # body axes
            energy += 0.5 * np.einsum("ti,ij,tj->t", spin, body.inertia_matrix(), spin)
    for name, wire in scene.wires.items():
        power -= part_tension(result, scene, name, len(wire.ends) - 2) * wire.length_at(time)[1]
        for end, pull in pulls(result, scene, name):
            if scene.attachment(end).is_robot:
                power -= np.sum(pull * scene.robots[end].sample(time)[1], axis=1)
    return largest_error(result, energy, power, amid=amid)


def largest_error(
    result: Result,
    quantity: Array,
    rate: Array,
    after: float = 0.0,
    *,
    whole: bool = False,
    amid: NDArray[np.bool_] | None = None,
) -> float:
    """Largest |Δ quantity − ∫ rate dt| of a run from the time ``after`` on [s]; both arguments (time, ..).

    whole : a row's rate is that of the whole step that it ends, and not half of that of the next
    amid : (time,) rows that are not looked at
    """
    if not second_order(result):
        rate = np.concatenate([rate[1:2], rate[1:]])  # row 0 has no tension
    first = int(np.searchsorted(result.time, after))
    time, quantity, rate = result.time[first:], quantity[first:], rate[first:]
    mean = rate[1:] if whole else 0.5 * (rate[1:] + rate[:-1])
    integral = np.cumsum(mean * np.diff(time).reshape(-1, *[1] * (rate.ndim - 1)), axis=0)
    error = np.abs(quantity[1:] - quantity[0] - integral)
    return float((error if amid is None else error[~amid[first + 1 :]]).max())
