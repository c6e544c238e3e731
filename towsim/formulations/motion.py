"""What every formulation of a tree of links has in common: a state, its rates, and the links' motion told from it."""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from towsim.errors import SceneError, SimulationError, UsageError
from towsim.formulations.links import Links, links_at, links_of
from towsim.formulations.tree_terms import mass_matrix
from towsim.given import a_number, a_whole_number, numbers
from towsim.model.arrays import Floats, Ints
from towsim.model.trees import Tree
from towsim.quote import show

IMPLICIT = ("Radau", "BDF")

BLOCK = 4096
"""Steps between two visits to Python."""


@dataclass(frozen=True)
class Motion:
    """A run of one formulation.

    Attributes
    ----------
    formulation : its name;  how : integrator and its step or tolerance
    time : (n,) [s];  state : (n, ny), in the formulation's own variables
    position, velocity : (n, nl, 3) of the links' centres of mass, world axes [m, m/s]
    rotation : (n, nl, 3, 3) of the links' frames;  spin : (n, nl, 3) angular velocities, world axes [rad/s]
    steps, evaluations : steps taken and rates evaluated;  seconds : processor time it took
    """

    formulation: str
    how: str
    time: Floats
    state: Floats
    position: Floats
    rotation: Floats
    velocity: Floats
    spin: Floats
    steps: int
    evaluations: int
    seconds: float


class Equations(ABC):
    """Equations of motion y′ = rate(t, y), and how to integrate them.

    Attributes
    ----------
    name : as ``towsim compare --formulations`` knows it
    """

    name: ClassVar[str]

    @abstractmethod
    def start(self) -> Floats:
        """State (ny,) at t = 0."""

    @abstractmethod
    def rate(self, t: float, y: Floats) -> Floats:
        """Rates (ny,) of the state."""

    @abstractmethod
    def links(self, t: float, y: Floats) -> Links:
        """Motion of the links in the state y."""

    def settle(self, t: float, y: Floats) -> Floats:
        """The state as it goes into the next step: what a step may bring it off, brought back."""
        return y

    def run(self, duration: float, step: float, *, every: int = 1) -> Motion:
        """Integrate with the classical Runge–Kutta method (order 4) in steps of h.

        Parameters
        ----------
        duration, step : [s]; the duration is rounded to whole steps
        every : keep every n-th state and the first; the number of steps is rounded up to a multiple

        Raises
        ------
        UsageError : a duration or step that is none
        SimulationError : the state is no longer finite
        """
        rows = self._rows(duration, step, every)
        y = self.start()
        self._steps(y, step, 0, every)  # compiles what is to be compiled
        started = clock.thread_time()
        states = self._steps(y, step, rows, every)
        seconds = clock.thread_time() - started
        time: Floats = np.arange(rows + 1, dtype=np.float64) * (every * step)
        bad = ~np.isfinite(states).all(axis=1)
        if bad.any():
            at = float(time[int(np.argmax(bad))])
            raise SimulationError(f"{self.name}: not finite at t = {at:g} s; take a smaller step", time=at)
        how = f"Runge-Kutta 4, h = {step:g} s"
        return self.motion(time, states, how, rows * every, 4 * rows * every, seconds)

    def adaptive(
        self, times: Sequence[float] | Floats, *, rtol: float = 1e-10, atol: float = 1e-12, method: str = "DOP853"
    ) -> Motion:
        """Integrate with a SciPy solver (DOP853, RK45; Radau, BDF, LSODA for stiff ones) to the given times.

        Raises
        ------
        UsageError : times that do not ascend, or begin before 0
        SimulationError : the solver gave up
        """
        from scipy.integrate import solve_ivp

        times = numbers("times", times)
        if times.ndim != 1 or not (times.size and times[0] >= 0.0 and (np.diff(times) > 0.0).all()):
            raise UsageError(f"times must be a list that ascends from 0 s or later, got {show(times)}")
        y = self.start()
        self.rate(0.0, y)
        started = clock.thread_time()
        options = {"jac": self.jacobian} if method in IMPLICIT else {}
        found = solve_ivp(self.rate, (0.0, times[-1]), y, method=method, t_eval=times, rtol=rtol, atol=atol, **options)
        seconds = clock.thread_time() - started
        if not found.success:
            at = float(found.t[-1]) if len(found.t) else 0.0
            raise SimulationError(f"{self.name}: {method} stopped at t = {at:g} s: {found.message}", time=at)
        how = f"{method}, rtol = {rtol:g}"
        return self.motion(times, found.y.T, how, 0, int(found.nfev), seconds)

    def jacobian(self, t: float, y: Floats) -> Floats:
        """∂(rates)/∂y (ny, ny) by differences of 1e-7: smaller ones drown in the rounding of stiff springs."""
        now = self.rate(t, y)
        steps = 1e-7 * (1.0 + np.abs(y))
        columns = [(self.rate(t, y + step * e) - now) / step for step, e in zip(steps, np.eye(len(y)), strict=True)]
        return np.stack(columns, axis=1)

    def motion(self, time: Floats, states: Floats, how: str, steps: int, evaluations: int, seconds: float) -> Motion:
        """The links' motion from states (n, ny)."""
        parts = [self.links(float(t), y) for t, y in zip(time, states, strict=True)]
        position, rotation, velocity, spin = (np.array(part) for part in zip(*parts, strict=True))
        return Motion(self.name, how, time, states, position, rotation, velocity, spin, steps, evaluations, seconds)

    def _rows(self, duration: float, step: float, every: int) -> int:
        if not (a_number("duration", duration) >= a_number("step", step) > 0.0):
            raise UsageError(
                f"step and duration must be > 0 s with step <= duration, got {show(step)} and {show(duration)}"
            )
        a_whole_number("every", every, 1)
        return -(-max(1, round(duration / step)) // every)

    def _steps(self, y: Floats, h: float, rows: int, every: int) -> Floats:
        out = np.empty((rows + 1, len(y)))
        out[0] = y
        for k in range(rows * every):
            y = self.settle((k + 1) * h, runge_kutta_step(self.rate, k * h, y, h))
            if (k + 1) % every == 0:
                out[(k + 1) // every] = y
        return out


class Formulation(Equations):
    """One way to write the equations of motion of a tree of links and joints.

    Raises
    ------
    UsageError : what is no tree
    SceneError : a joint moves without any inertia against it, such as a point mass on the axis that it turns about
    """

    def __init__(self, tree: Tree) -> None:
        if not isinstance(tree, Tree):
            raise UsageError(
                f"{type(self).__name__} takes a tree, that of a scene: scene_tree(scene).tree; got {show(tree)}"
            )
        self.tree = tree
        if any(link.point for link in tree.arm.links.values()):
            self._check_inertia()

    def _check_inertia(self) -> None:
        M = mass_matrix(self.tree, self.tree.start)
        scale = 1.0 / np.sqrt(np.maximum(np.diag(M), np.finfo(float).tiny))
        size, axes = np.linalg.eigh(M * np.outer(scale, scale))
        if not size[0] > 1e-12:
            at = int(np.argmax(np.abs(axes[:, 0])))
            link = self.tree.links[int(np.searchsorted(self.tree.joint, at))]
            raise SceneError(f"link {link!r}: nothing resists a motion of its joint; give its mass an extent (inertia)")


def runge_kutta_step(rate: Callable[[float, Floats], Floats], t: float, y: Floats, h: float) -> Floats:
    """One classical Runge–Kutta step of order 4."""
    a = rate(t, y)
    b = rate(t + 0.5 * h, y + 0.5 * h * a)
    c = rate(t + 0.5 * h, y + 0.5 * h * b)
    d = rate(t + h, y + h * c)
    return np.asarray(y + h / 6.0 * (a + 2.0 * (b + c) + d))


class Recursive(Formulation):
    """A formulation in joint coordinates: its rates are one compiled recursion over the tree.

    momentum : True when the state is (q, p), None when it is (q, u); the kernels are compiled for one or the other.
    """

    momentum: ClassVar[bool | None]

    def __init__(self, tree: Tree) -> None:
        from towsim.dynamics.tree import WIDTH

        super().__init__(tree)
        n, size = tree.n, tree.nq + tree.n
        self._s = np.zeros((n, WIDTH))
        self._tau, self._u, self._dy = np.zeros(n), np.zeros(n), np.zeros(size)
        self._known: tuple[Floats, Floats] | None = None
        if tree.steady:
            self._known = tree.base(np.zeros(1)), tree.force(np.zeros(1))

    def known(self, t: Floats) -> tuple[Floats, Floats]:
        """Motion of the base (n, 9) and driving forces (n, n_joints) at the times t; one row if they never change."""
        return self._known or (self.tree.base(t), self.tree.force(t))

    def rate(self, t: float, y: Floats) -> Floats:
        """Rates (nq + n,) of the state."""
        from towsim.dynamics.tree_rates import tree_rates

        base, force = self.known(np.array([t]))
        tree_rates(self.tree.arrays, self.momentum, base[0], force[0], y, self._s, self._tau, self._u, self._dy)
        return self._dy.copy()

    def accelerations(self) -> Floats:
        """Accelerations (nl, 6) of the links' centres and spins, of the state whose rates were asked for last.

        Only of joint rates as states: of momenta none are known.
        """
        from towsim.dynamics.tree_rates import tree_accelerations

        out = np.empty((len(self.tree.links), 6))
        tree_accelerations(self.tree.arrays, self.tree.joint, self._s, out)
        return out

    def current(self) -> Links:
        """Motion of the links at the state whose rates were asked for last."""
        return links_at(self.tree, self._s)

    def responses(self, joint: Ints, wrench: Floats) -> tuple[Floats, Floats]:
        """Joint forces and joint accelerations (nr, n) of wrenches (nr, 6) on links, at the state asked for last.

        joint : (nr,) last joint of each wrench's link;  wrench : force, and torque about the link's centre
        """
        from towsim.dynamics.tree_rates import tree_responses

        J, W = np.zeros((len(joint), self.tree.n)), np.zeros((len(joint), self.tree.n))
        tree_responses(self.tree.arrays, joint, wrench, self._s, J, W)
        return J, W

    @abstractmethod
    def joints(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """Coordinates q (nq,) and rates u (n,) of the joints."""

    def links(self, t: float, y: Floats) -> Links:
        """Motion of the links in the state y."""
        return links_of(self.tree, t, *self.joints(t, y))

    def _steps(self, y: Floats, h: float, rows: int, every: int) -> Floats:
        from towsim.dynamics.tree_rates import runge_kutta

        out = np.empty((rows + 1, len(y)))
        out[0] = y
        y, stage = y.copy(), np.zeros((5, len(y)))
        scratch = self._s, self._tau, self._u, stage
        size = max(1, BLOCK // every)
        for first in range(0, max(1, rows), size):  # without rows it only compiles
            stop = min(rows, first + size)
            steps = (stop - first) * every
            halves: Floats = np.arange(2 * steps + 1, dtype=np.float64)
            base, force = self.known(h * (first * every + 0.5 * halves))
            record = out[first + 1 : stop + 1]
            runge_kutta(self.tree.arrays, self.momentum, base, force, h, every, y, scratch, record)
        return out
