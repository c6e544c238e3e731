"""What controllers see: the truth, or what sensors read of it."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.compiled import kernel, part
from towsim.control.noise import key_of, normal
from towsim.control.plant import Plant
from towsim.model.arrays import Bodies, Flags, Floats, Floats2, Floats4, Floats33, Ints, Ints4, State, pack
from towsim.model.compile import Compiled
from towsim.model.model import Model
from towsim.model.vectors import at3, at9, mul, put3, quaternion_product, tmul
from towsim.scene import Scene

POSE, VELOCITY, IMU, CELL = 0, 1, 2, 3
KINDS = {"pose": POSE, "velocity": VELOCITY, "imu": IMU, "load-cell": CELL}


class Measured(NamedTuple):
    """What a controller is given. Rows of bodies and wires as in ``Plant``; world axes unless said otherwise.

    Attributes
    ----------
    position, velocity : (nb, 3) of the centres of mass [m, m/s]
    quaternion : (nb, 4) body to world, wxyz
    angular_velocity : (nb, 3) [rad/s]
    specific_force : (nb, 3) acceleration less gravity, body axes, a mean since the last reading [m/s²]
    gyro : (nb, 3) angular velocity, body axes [rad/s]
    robot_position : (nr, 3) of robots that move as they are told [m]
    tension : (nw,) mean over the last step [N], that of a push negative; NaN until it is read: before the first step
        there is none
    far_tension : (nw,) the same where the wire ends (``to``), another one where it rubs on rings or turns wheels [N]
    length : (nw,) [m]
    attached : (nw,) whether each wire is there: not cut, broken or detached, and attached already
    alive : (na,) whether each number of the command still acts
    """

    position: Floats
    quaternion: Floats
    velocity: Floats
    angular_velocity: Floats
    specific_force: Floats
    gyro: Floats
    robot_position: Floats
    tension: Floats
    far_tension: Floats
    length: Floats
    attached: Flags
    alive: Flags


class Sensors(NamedTuple):
    """Sensors, and what stands in for those that are not declared: the truth, at every instant."""

    kind: Ints  # (ns,)
    of: Ints  # (ns,) body or wire
    every: Ints  # (ns,) steps between readings
    noise: Floats2  # (ns, 2)
    key: NDArray[np.uint64]  # (ns,) of the noise
    first: Ints  # (ns,) its first channel
    sensed: Ints4  # (nb + nw, 4) sensor of each body (pose, velocity, IMU) and wire (last column), −1: the truth
    before: Floats4  # (nb, 4) velocity at the last reading of the specific force, and its time; −1: none
    wire: Ints4  # (nw, 4) its rows (−1: none), and of an mrfe cable its number, else −1
    far: Ints  # (nw, n) rows that make up the tension where a massless wire ends (−1: none)
    massless: Ints  # (nw,) its number among the rigid and elastic wires
    switch: Ints  # (nw,) its number among what can be off, −1: it is always there


def make_sensors(compiled: Compiled, plant: Plant, step: float) -> tuple[Sensors, tuple[str, ...]]:
    """The sensors of a scene, and the names of their channels.

    Raises
    ------
    UsageError : a rate that does not fit the step
    """
    from towsim.control.task import steps_between

    declared = compiled.declared
    model = compiled.model
    nb, nw = len(plant.bodies), len(plant.wires)
    sensed = np.full((nb + nw, 4), -1)
    first, count = [], 0
    of, kinds = [], []
    for i, one in enumerate(declared.sensors.values()):
        kinds.append(KINDS[one.kind])
        of.append(plant.wire(one.of) if kinds[-1] == CELL else plant.body(one.of))
        sensed[of[-1] + (nb if kinds[-1] == CELL else 0), kinds[-1]] = i
        first.append(count)
        count += len(one.channels())
    rubs = 0 if model.routes is None else len(model.routes.rubbing)
    wire, far = np.full((nw, 4), -1), np.full((nw, 1 + rubs), -1)
    massless = np.full(nw, -1)
    for i, name in enumerate(plant.wires):
        if name in compiled.massless:
            massless[i] = compiled.massless.index(name)
            wire[i, 0] = model.wires.row[massless[i]]
            rows = _rows_of_end(model, int(massless[i]))
            far[i, : len(rows)] = rows
        else:
            wire[i, 3] = compiled.cable_names.index(name)
            assert compiled.cables is not None
            wire[i, :3] = model.balls.row[compiled.cables.closure[wire[i, 3]]]
    all_ = list(declared.sensors.items())
    sensors: Sensors = pack(
        Sensors,
        kind=kinds,
        of=of,
        every=[steps_between(f"sensor {name!r}", one.rate, step) for name, one in all_],
        noise=np.array([(one.noise, one.turn_noise) for _, one in all_]).reshape(-1, 2),
        key=np.array([key_of(declared.seed, name) for name, _ in all_], np.uint64),
        first=first,
        sensed=sensed,
        before=np.array([(0.0, 0.0, 0.0, -1.0)] * nb).reshape(-1, 4),
        wire=wire,
        far=far,
        massless=massless,
        switch=[_switch_of(model, number) for number in massless],
    )
    return sensors, channel_names(declared)


def _rows_of_end(model: Model, wire: int) -> list[int]:
    """Rows whose impulses add up to that of a massless wire where it ends: its own, and of friction on its way."""
    routes, sheaves, row = model.routes, model.sheaves, int(model.wires.row[wire])
    if sheaves is not None and wire in sheaves.wire:
        return [int(sheaves.row[sheaves.first[1 + int(np.flatnonzero(sheaves.wire == wire)[0])] - 1])]
    rubs = [] if routes is None else routes.rubbing[routes.rubbing[:, 1] == row, 0].tolist()
    return [row, *rubs]


def _switch_of(model: Model, wire: int) -> int:
    """Number of a massless wire among what can be off, or −1."""
    if model.switches is None or wire < 0:
        return -1
    slots = np.flatnonzero(model.switches.wire == wire)
    return int(slots[0]) if len(slots) else -1


def channel_names(scene: Scene) -> tuple[str, ...]:
    """Names of all channels of all sensors, such as "cell.tension"."""
    return tuple(f"{name}.{channel}" for name, one in scene.sensors.items() for channel in one.channels())


def make_measured(plant: Plant) -> Measured:
    """Memory for what is seen."""
    nb, nw, nr, na = len(plant.bodies), len(plant.wires), len(plant.robots), len(plant.actuators)
    return Measured(
        position=np.zeros((nb, 3)),
        quaternion=np.tile([1.0, 0.0, 0.0, 0.0], (nb, 1)),
        velocity=np.zeros((nb, 3)),
        angular_velocity=np.zeros((nb, 3)),
        specific_force=np.zeros((nb, 3)),
        gyro=np.zeros((nb, 3)),
        robot_position=np.zeros((nr, 3)),
        tension=np.zeros(nw),
        far_tension=np.zeros(nw),
        length=np.zeros(nw),
        attached=np.ones(nw, np.bool_),
        alive=np.ones(na, np.bool_),
    )


@part()
def noisy(u, sigma, key, counter):
    """Vector u with independent noise on each component; uses three counters."""
    if sigma == 0.0:
        return u
    c = np.uint64(counter)
    one = np.uint64(1)
    return (
        u[0] + sigma * normal(key, c),
        u[1] + sigma * normal(key, c + one),
        u[2] + sigma * normal(key, c + one + one),
    )


@part()
def due(sensors, s, step):
    """Whether sensor s reads at this step; a sensor that does not exist shows the truth, always."""
    return s < 0 or step % sensors.every[s] == 0


@part()
def spread(sensors, s, k, step):
    """Standard deviation of a sensor, its key, and the number of its reading: noise is the same whatever the step."""
    if s < 0:
        return 0.0, np.uint64(0), 0
    return sensors.noise[s, k], sensors.key[s], step // sensors.every[s]


@part()
def see_body(sensors, q, v, rotations, inverse, gravity, rotates, i, step, t, seen):
    """Bring what is seen of body i up to date; t: when it has the velocities v [s]."""
    pose, rate, imu = sensors.sensed[i, POSE], sensors.sensed[i, VELOCITY], sensors.sensed[i, IMU]
    R = at9(rotations, i)
    velocity = (v[6 * i], v[6 * i + 1], v[6 * i + 2])
    omega = (0.0, 0.0, 0.0)
    if rotates:
        omega = mul(at9(inverse, i), (v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]))
    if due(sensors, pose, step):
        sigma, key, n = spread(sensors, pose, 0, step)
        turn, _, _ = spread(sensors, pose, 1, step)
        put3(seen.position, i, noisy((q[7 * i], q[7 * i + 1], q[7 * i + 2]), sigma, key, 6 * n))
        p = (q[7 * i + 3], q[7 * i + 4], q[7 * i + 5], q[7 * i + 6])
        if turn > 0.0:
            e = noisy((0.0, 0.0, 0.0), 0.5 * turn, key, 6 * n + 3)
            s = 1.0 / math.sqrt(1.0 + e[0] * e[0] + e[1] * e[1] + e[2] * e[2])
            p = quaternion_product((s, s * e[0], s * e[1], s * e[2]), p)
        for j in range(4):
            seen.quaternion[i, j] = p[j]
    if due(sensors, rate, step):
        sigma, key, n = spread(sensors, rate, 0, step)
        turn, _, _ = spread(sensors, rate, 1, step)
        put3(seen.velocity, i, noisy(velocity, sigma, key, 6 * n))
        put3(seen.angular_velocity, i, noisy(omega, turn, key, 6 * n + 3))
    if due(sensors, imu, step):
        sigma, key, n = spread(sensors, imu, 0, step)
        turn, _, _ = spread(sensors, imu, 1, step)
        before = sensors.before
        force = (-gravity[0], -gravity[1], -gravity[2])  # at the start, as if at rest
        span = t - before[i, 3]
        if before[i, 3] >= 0.0 and span > 0.0:
            force = (
                force[0] + (velocity[0] - before[i, 0]) / span,
                force[1] + (velocity[1] - before[i, 1]) / span,
                force[2] + (velocity[2] - before[i, 2]) / span,
            )
        before[i, 0], before[i, 1], before[i, 2], before[i, 3] = velocity[0], velocity[1], velocity[2], t
        put3(seen.specific_force, i, noisy(tmul(R, force), sigma, key, 6 * n))
        put3(seen.gyro, i, noisy(tmul(R, omega), turn, key, 6 * n + 3))


@part()
def see_wire(sensors, nb, p, impact, length, feed, k, i, step, h, seen):
    """Bring what is seen of wire i up to date."""
    cable = sensors.wire[i, 3]
    seen.length[i] = length[k, sensors.massless[i]] if cable < 0 else feed[k, cable]
    cell = sensors.sensed[nb + i, CELL]
    if step == 0:  # a force belongs to a step, and what this one will be depends on what is commanded now
        seen.tension[i] = seen.far_tension[i] = math.nan
    elif due(sensors, cell, step):
        here = force_on_load(sensors, p, i) if cable >= 0 else p[sensors.wire[i, 0]] + impact[sensors.wire[i, 0]]
        there = here if cable >= 0 else summed(sensors, p, i) + summed(sensors, impact, i)
        sigma, key, n = spread(sensors, cell, 0, step)
        seen.tension[i] = noisy((here / h, 0.0, 0.0), sigma, key, 3 * n)[0]
        seen.far_tension[i] = seen.tension[i] + (there - here) / h


@part()
def summed(sensors, p, i):
    """What massless wire i has where it ends, of impulses p of the rows."""
    found = p[sensors.far[i, 0]]
    for j in range(1, sensors.far.shape[1]):
        if sensors.far[i, j] >= 0:
            found += p[sensors.far[i, j]]
    return found


@part()
def force_on_load(sensors, p, i):
    """Size of the impulse of massive wire i on its load."""
    square = 0.0
    for j in range(3):
        row = sensors.wire[i, j]
        if row >= 0:
            square += p[row] * p[row]
    return math.sqrt(square)


class Sight(NamedTuple):
    """What sensors look at, and where readings go."""

    sensors: Sensors
    state: State
    R: Floats33  # (nb, 3, 3) rotations
    Y: Floats33  # (nb, 3, 3) inverse inertias, world axes
    bodies: Bodies
    p: Floats  # (nr,) impulses of the last step [N s]
    impact: Floats  # (nr,) more of them, of impacts [N s]
    off: Flags  # (n,) which of what can be off is
    fails: Floats  # (na,) times of failures [s]
    h: float  # step [s]
    late: float  # time by which velocities are those of before, but at the start [s]
    seen: Measured
    reading: Floats  # (nc,) of the sensors


@kernel()
def sense(sight, known, k, step):
    """Bring ``seen`` and the sensors' ``reading`` up to the state.

    Parameters
    ----------
    sight : handle of ``Sight``
    known : handle of ``Filled``, whose row is k
    step : number of the step to come
    """
    length, feed, t = known.length, known.feed, known.time[k]
    sensors, seen, reading, fails, h = sight.sensors, sight.seen, sight.reading, sight.fails, sight.h
    p, impact = sight.p, sight.impact
    q, v, gravity, rotates = sight.state.q, sight.state.v, sight.bodies.gravity, sight.bodies.rotates
    nb, of = rotates.shape[0], t if step == 0 else t - sight.late
    for i in range(nb):
        see_body(sensors, q, v, sight.R, sight.Y, gravity, rotates[i], i, step, of, seen)
    for i in range(seen.robot_position.shape[0]):
        put3(seen.robot_position, i, at3(known.robot[k], i))
    for i in range(sensors.wire.shape[0]):
        see_wire(sensors, nb, p, impact, length, feed, k, i, step, h, seen)
        seen.attached[i] = sensors.switch[i] < 0 or not sight.off[sensors.switch[i]]
    for i in range(seen.alive.shape[0]):
        seen.alive[i] = t * (1.0 + 1e-15) < fails[i]
    for s in range(sensors.kind.shape[0]):
        i, c = sensors.of[s], sensors.first[s]
        kind = sensors.kind[s]
        if kind == CELL:
            reading[c] = seen.tension[i]
        elif kind == POSE:
            for j in range(3):
                reading[c + j] = seen.position[i, j]
            for j in range(4):
                reading[c + 3 + j] = seen.quaternion[i, j]
        elif kind == VELOCITY:
            for j in range(3):
                reading[c + j] = seen.velocity[i, j]
                reading[c + 3 + j] = seen.angular_velocity[i, j]
        else:
            for j in range(3):
                reading[c + j] = seen.specific_force[i, j]
                reading[c + 3 + j] = seen.gyro[i, j]
