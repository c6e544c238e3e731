"""One step of a run as a linear map: how its end depends on its beginning, and on numbers of the scene.

    δs⁺ = A δs + B δθ,    s = (x, ϑ, v, ω) of each body

x is the place of its centre, ϑ a small turn, v and ω are velocities; all in world axes. With ℓ = I_W ω,

    q̇ = ½ (0, ϑ) ∘ q,    δℓ = I_W δω + ϑ × ℓ − I_W (ϑ × ω)

begin the step, which is taken in duals with the wires that it has taut; ϑ⁺ = 2 Im(δq⁺ ∘ q̄⁺).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import expm

from solvers.kernels.dual import DIRECTIONS, parts
from towsim.errors import UsageError
from towsim.given import is_whole, numbers
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.run.engine import engine_for
from towsim.run.options import Stepped
from towsim.run.seeds import Wanted, directions, seeds
from towsim.run.setup import count_steps, stepping
from towsim.run.tangents import Tangents
from towsim.scene import Scene
from towsim.scene.parameters import Parameters

HELD = 1e-2
"""Size of eigenvalues below which a motion has no rate: rows end it in one step."""

PARTS = ("position", "turn", "velocity", "angular_velocity")


@dataclass(frozen=True)
class StepMap:
    """The map of one step.

    Attributes
    ----------
    A : (n, n);  B : (n, parameters)
    state : names along A's axes, such as ``position[load,x]``, ``turn[load,z]`` (a small turn, world axes [rad])
    parameters : paths along the second axis of B
    time : at the beginning of the step [s]
    taut : wires that pull in the step
    step : its length h [s]
    one_sided : wires and contacts at the border between acting and not in the step, where A and B are of one side, see
        ``Sensitivities.one_sided``
    """

    A: Floats
    B: Floats
    state: tuple[str, ...]
    parameters: tuple[str, ...]
    time: float
    taut: tuple[str, ...]
    step: float
    one_sided: tuple[str, ...] = ()

    def modes(self, turning: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[np.ndarray, np.ndarray]:
        """Small motions about a steady one, in which every step is as this one: rates λ = log(eigenvalue)/h of A.

        A motion may be steady as seen from a frame that turns with Ω, as a circular tow is: the step is then taken
        back by the turn Ω h, and the eigenvalues are those of R(Ω h)ᵀ A (Floquet's multipliers of one step). What the
        step's rows hold has no rate: those eigenvalues are zero, and are left out, as is one of each pair. Rates
        are those of the discrete motion, with an error of O(h²).

        Parameters
        ----------
        turning : Ω, world axes [rad/s]

        Returns
        -------
        rate, shape : (m,) complex λ [1/s], slowest first, with Re λ > 0 for what grows; (n, m) moves along A's axes,
            the largest is 1

        Raises
        ------
        UsageError : a turn that is none
        """
        about = numbers("turning", turning)
        if about.shape != (3,) or not np.isfinite(about).all():
            raise UsageError(f"turning must be three finite numbers, got {show(turning)}")
        back = expm(-_skew(about) * self.step)
        value, vector = np.linalg.eig(np.kron(np.eye(len(self.A) // 3), back) @ self.A)
        keep = (np.abs(value) > HELD) & (value.imag >= 0.0)
        rate = np.log(value[keep].astype(complex)) / self.step
        order = np.argsort(np.abs(rate), kind="stable")
        shape = vector[:, keep][:, order]
        peak = shape[np.abs(shape).argmax(axis=0), np.arange(shape.shape[1])]
        return rate[order], shape / peak


def step_map(
    scene: Scene,
    step_number: int,
    parameters: Sequence[Wanted],
    options: Mapping[str, Any],
) -> StepMap:
    """See ``Model.step_map``."""
    how = stepping(scene, options, Stepped)
    if how.method.name != "stewart-trinkle":
        raise UsageError(
            f"step_map is for method 'stewart-trinkle', whose state is that of the bodies; {how.method.name!r} has more"
        )
    if scene.controlled:
        raise UsageError("step_map has no place for what controllers, sensors and actuators keep; take sensitivities")
    if scene.massive:
        raise UsageError("step_map has no place for the coordinates of mrfe cables; take sensitivities")
    for name, joint in scene.joints.items():
        if joint.reduced:
            raise UsageError(
                f"step_map has no place for the coordinate of joint {name!r}, on which bodies follow each other; leave "
                "out its reduced, or take sensitivities"
            )
    steps = count_steps(scene.run.duration, how.step)
    if not (is_whole(step_number) and 0 <= step_number < steps):
        raise UsageError(
            f"the step must be a whole number, 0 to {steps - 1} in this scene's run of {scene.run.duration:g} s, got "
            f"{show(step_number)}"
        )
    numbers = directions(Parameters(scene), parameters) if parameters else []
    with engine_for(scene, how) as engine:
        stepper = engine.ready.stepper
        if len(stepper.state.v) > 6 * len(scene.bodies):
            raise UsageError("step_map has no place for the speeds of pulleys with an inertia; take sensitivities")
        found = seeds(stepper.compiled, numbers)
        bodies, compiled = tuple(scene.bodies), stepper.compiled
        names = [f"{part}[{body},{axis}]" for body in bodies for part in PARTS for axis in "xyz"]
        run = Tangents(stepper, [])
        _go(run, step_number)
        pulls, chunks = (
            _Step(run),
            [range(i, min(i + DIRECTIONS, len(names))) for i in range(0, len(names), DIRECTIONS)],
        )
        begun = [_turned_on(run, some) for some in chunks]  # before a step is taken
        A = np.concatenate([pulls.of(rates) for rates in begun], axis=1)
        B, sides = np.zeros((len(names), len(numbers))), dict.fromkeys(pulls.one_sided)
        for i in range(0, len(numbers), DIRECTIONS):
            some = found[i : i + DIRECTIONS]
            other = Tangents(stepper, some)
            _go(other, step_number)
            still = np.zeros((len(other.state.q), 0)), np.zeros((len(other.state.v), 0))
            last = _Step(other)
            B[:, i : i + len(some)] = last.of(still)
            sides |= dict.fromkeys(last.one_sided)
    taut = tuple(compiled.massless[i] for i in np.flatnonzero(pulls.taut[compiled.model.wires.row]))
    paths = tuple(one.path for one in numbers)
    return StepMap(A, B, tuple(names), paths, step_number * how.step, taut, how.step, tuple(sides))


def _go(run: Tangents, steps: int) -> None:
    for _ in run.blocks(steps):
        pass


class _Step:
    """The next step of a run, taken again and again with other derivatives at its beginning."""

    def __init__(self, run: Tangents) -> None:
        self.run, self._kept, self._switched = run, [array.copy() for _, array in run.written()], run.schedule.place
        self.taut: np.ndarray = np.empty(0, bool)
        self._before = run.degenerate

    @property
    def one_sided(self) -> tuple[str, ...]:
        """Owners of the rows that were at the border between two branches in it."""
        return tuple(one.owner for one in self.run.degenerate if one not in self._before)

    def of(self, rates: tuple[Floats, Floats]) -> Floats:
        """Derivatives of the state after the step (n, DIRECTIONS or fewer), from those of q and v (.., m) before it."""
        run, done = self.run, self.run.done
        for (_, array), kept in zip(run.written(), self._kept, strict=True):
            array[...] = kept
        run.schedule.recall(*self._switched)
        for mine, rate in zip((run.state.q, run.state.v), rates, strict=True):
            parts(mine)[:, 1:] = 0.0
            parts(mine)[:, 1 : 1 + rate.shape[1]] = rate
        (block,) = run.blocks(done + 1)
        run.done = done
        record, width = block.record, max(rates[0].shape[1], len(run.seeds))
        self.taut = parts(record.force)[1, :, 0] * run.h + parts(record.impulse)[1, :, 0] > 0.0
        found = []
        for i in range(parts(record.position).shape[1]):
            q, dq = parts(record.quaternion)[1, i, :, 0], parts(record.quaternion)[1, i, :, 1 : 1 + width]
            rows = parts(record.position), parts(record.velocity), parts(record.angular_velocity)
            x, v, omega = (one[1, i, :, 1 : 1 + width] for one in rows)
            found += [x, 2.0 * _after(dq, q), v, omega]
        return np.concatenate(found)


def _after(dq: Floats, q: Floats) -> Floats:
    """Im(δq ∘ q̄), (3, m)."""
    w, u = q[0], q[1:]
    twist: Floats = w * dq[1:] - np.outer(u, dq[0]) - np.cross(dq[1:].T, u).T
    return twist


def _turned_on(run: Tangents, which: range) -> tuple[Floats, Floats]:
    """Derivatives of q and v, one column for each of some directions of the state."""
    q, v = np.zeros((len(run.state.q), len(which))), np.zeros((len(run.state.v), len(which)))
    for column, number in enumerate(which):
        body, place = divmod(number, 12)
        part, axis = divmod(place, 3)
        e = np.eye(3)[axis]
        if part == 0:
            q[7 * body + axis, column] = 1.0
        elif part == 2:
            v[6 * body + axis, column] = 1.0
        else:
            _turn(run, body, part, e, q[7 * body : 7 * body + 7, column], v[6 * body : 6 * body + 6, column])
    return q, v


def _turn(run: Tangents, body: int, part: int, e: Floats, q: Floats, v: Floats) -> None:
    """A small turn about e (part 1), or a change of the angular velocity along e (part 3)."""
    if not run.model.bodies.rotates[body]:
        return
    w, u = parts(run.state.q)[7 * body + 3, 0], parts(run.state.q)[7 * body + 4 : 7 * body + 7, 0]
    R = np.eye(3) + 2.0 * (w * _skew(u) + _skew(u) @ _skew(u))
    inertia = R @ parts(run.model.bodies.inertia)[body, :, :, 0] @ R.T
    if part == 3:
        v[3:] = inertia @ e
        return
    ell = parts(run.state.v)[6 * body + 3 : 6 * body + 6, 0]
    omega = np.linalg.solve(inertia, ell)
    q[3], q[4:] = -0.5 * (e @ u), 0.5 * (w * e + np.cross(e, u))
    v[3:] = np.cross(e, ell) - inertia @ np.cross(e, omega)


def _skew(u: Floats) -> Floats:
    x, y, z = u
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
