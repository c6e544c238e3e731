"""The DAE handed to SciPy's stiff solvers, interval by interval between kinks and events.

A kink of what is known (a waypoint, a switch in a formula, a rotor's failure) ends an interval, and so does an event: a
spring that begins or ceases to be strained, located on the solver's dense output. Thus the solver only ever sees smooth
equations, and its tolerances mean what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from towsim.errors import RefusedError, SimulationError, UsageError
from towsim.formulations.dae import rates as kernels
from towsim.formulations.dae.arrays import BOTH, make_work
from towsim.formulations.dae.inputs import Inputs
from towsim.formulations.dae.solid import strains
from towsim.formulations.dae.system import Assembly
from towsim.model.arrays import Floats
from towsim.scene.cable import MOST_STRAIN
from towsim.suggest import is_one_of, unknown

SOLVERS = {"auto": "Radau", "radau": "Radau", "bdf": "BDF"}
"""Names of the solvers, and SciPy's."""

NEAR = 1e-12
"""Strain that does not switch a spring yet [m]: rounding of positions."""

LOOKS = 4
"""Instants within a step at which springs are looked at, so that a short touch is not missed."""

CHATTER = 100
"""Events at one instant at which a run stops."""


JUMP, STILL = 1e-9, 1e-9
"""Jump of a known position that is none [m], and rate of a closure that needs no impulse [m/s]."""


class Switch(NamedTuple):
    """A spring that began (or ceased) to be strained."""

    time: float
    spring: int
    strained: bool


class Step(NamedTuple):
    """A step of the solver: its end, the state there, and states within."""

    time: float
    y: Floats
    at: Callable[[float], Floats]


class Row(NamedTuple):
    """State at one output time, and the rates there."""

    time: float
    y: Floats
    rates: Floats


class Integration:
    """A scene's DAE under way; ``passed`` (3n,) are impulses of the closures [N s] that nobody has recorded yet.

    Parameters
    ----------
    solver : "radau" (order 5) or "bdf" (orders 1 to 5); "auto" is radau
    rtol, atol : tolerances of the local error; atol in units of each coordinate's natural size
    """

    def __init__(self, assembly: Assembly, solver: str, rtol: float, atol: float) -> None:
        if not is_one_of(solver, SOLVERS):
            raise UsageError(unknown("solver of method 'dae'", solver, SOLVERS))
        self.assembly = assembly
        self.work = make_work(assembly.system)
        self.inputs = Inputs(assembly)
        self.switches: list[Switch] = []
        self._solver, self._rtol, self._atol = SOLVERS[solver], rtol, atol * assembly.size
        n = len(assembly.start)
        self._empty = np.empty(0)
        self._nudge = np.maximum(assembly.size, 1e-6)
        self._J, self._moved = np.empty((n, n)), np.empty(n)
        self._both = assembly.system.springs.law[:, 2] == BOTH
        self.strained = np.zeros(len(self._both), np.bool_)
        self.passed = np.zeros_like(self.work.lam)

    def evaluate(self, t: float, y: Floats) -> Floats:
        """ẏ at (t, y); multipliers and strains are left in ``work``. NaN where the equations are singular."""
        out = np.empty(len(y))
        status = kernels.evaluate(
            self.assembly.system, self.inputs.at(t), self.strained, y, self._empty, self.work, out, self._J, self._moved
        )
        if status != kernels.GOOD:
            out[:] = np.nan
        return out

    def jacobian(self, t: float, y: Floats) -> Floats:
        """∂ẏ/∂y at (t, y)."""
        out = np.empty(len(y))
        status = kernels.evaluate(
            self.assembly.system,
            self.inputs.at(t),
            self.strained,
            y.copy(),
            self._nudge,
            self.work,
            out,
            self._J,
            self._moved,
        )
        if status != kernels.GOOD or not np.isfinite(self._J).all():
            raise self._failure(t, y)
        return self._J.T.copy()

    def rows(self, times: Floats) -> Iterator[Row]:
        """States at the ascending times, the first of them 0; at a kink the limit from before.

        Raises
        ------
        SimulationError : the solver finds no way on, or what is known is not finite or jumps
        RefusedError : a cable is stretched beyond all bounds
        """
        end = float(times[-1])
        edges = [0.0, *self.assembly.driver.kinks(end), end]
        y = self.assembly.start.copy()
        done = 0
        for a, b in pairwise(edges):
            self._enter(a, b)
            y = self._consistent(a, y)
            if a == 0.0:
                self.strained[:] = (self._strains(a, y) >= -NEAR) | self._both
            for step in self._interval(a, b, y):
                while done < len(times) and times[done] <= step.time:
                    t = float(times[done])
                    state = step.at(t)
                    yield Row(t, state, self.evaluate(t, state))
                    done += 1
                y = step.y

    def _enter(self, a: float, b: float) -> None:
        """Go on to the interval (a, b)."""
        before = self.inputs.at(a)
        self.inputs.between(a, b)
        after = self.inputs.at(a)
        scene = self.assembly.scene
        for what, names, jump in (
            ("robot", scene.robots, np.abs(after.robot[:, 0] - before.robot[:, 0]).max(axis=1, initial=0.0)),
            ("cable", [cable.name for cable in self.assembly.cables], np.abs(after.length[:, 0] - before.length[:, 0])),
        ):
            for name, size in zip(names, jump, strict=True):
                if size > JUMP:
                    raise SimulationError(
                        f"at t = {a:.6g} s {what} {name!r} jumps by {size:.3g} m; nothing can follow it there", time=a
                    )

    def _consistent(self, t: float, y: Floats) -> Floats:
        """The state with rates that keep all closures closed: an impulse, if a velocity jumped."""
        y = y.copy()
        if not np.isfinite(self.evaluate(t, y)).all():
            raise self._failure(t, y)
        if np.abs(self.work.eta[:, 1]).max(initial=0.0) > STILL:
            jump = np.empty(len(y))
            kernels.impulse(self.assembly.system, y, self.work, jump)
            y += jump
            self.passed += self.work.lam
        return y

    def _interval(self, a: float, b: float, y: Floats) -> Iterator[Step]:
        """Steps from a to b; the first one is the state at a."""
        yield Step(a, y, lambda _: y)
        solver = self._begin(a, b, y)
        while solver.status == "running":
            solver.step()
            if solver.status == "failed":
                raise self._failure(solver.t, solver.y)
            dense = solver.dense_output()
            switch = self._switch(solver.t_old, solver.t, dense)
            if switch is None:
                self._reach(solver.t, solver.y)
                yield Step(solver.t, solver.y, dense)
                continue
            state = dense(switch.time)
            yield Step(switch.time, state, dense)
            self.switches.append(switch)
            self.strained[switch.spring] = switch.strained
            if sum(past.time == switch.time for past in self.switches[-CHATTER:]) == CHATTER:
                raise SimulationError(
                    f"at t = {switch.time:.6g} s an elastic contact or wire chatters without end; give it more damping",
                    time=switch.time,
                )
            solver = self._begin(switch.time, b, state)

    def _begin(self, a: float, b: float, y: Floats) -> Any:
        from scipy import integrate

        solver = getattr(integrate, self._solver)
        return solver(self.evaluate, a, y, b, rtol=self._rtol, atol=self._atol, jac=self.jacobian)

    def _strains(self, t: float, y: Floats) -> Floats:
        system, work = self.assembly.system, self.work
        strains(system.solids, system.springs, y, self.assembly.rates, self.inputs.at(t), work.R, work.strain)
        return work.strain[:, 0].copy()

    def _switch(self, a: float, b: float, dense: Callable[[float], Floats]) -> Switch | None:
        """The first spring to switch in (a, b], located to rounding."""
        if not len(self.strained):
            return None
        looks = np.linspace(a, b, LOOKS + 1)
        for first, last in pairwise(looks):
            strain = self._strains(last, dense(last))
            switched = np.where(self.strained, strain < -NEAR, strain > NEAR)
            found = np.flatnonzero(switched & ~self._both)
            if len(found):
                times = [self._root(int(n), first, last, dense) for n in found]
                n = int(np.argmin(times))
                return Switch(times[n], int(found[n]), not self.strained[found[n]])
        return None

    def _root(self, n: int, a: float, b: float, dense: Callable[[float], Floats]) -> float:
        """When the strain of spring n is zero."""
        from scipy.optimize import brentq

        def strain(t: float) -> float:
            return float(self._strains(t, dense(t))[n])

        if strain(a) * strain(b) >= 0.0:  # it was zero but for rounding when the step began
            return float(a)
        return float(brentq(strain, a, b, xtol=1e-15, rtol=1e-15))

    def _reach(self, t: float, y: Floats) -> None:
        """Refuse a cable that is stretched beyond all bounds: its ends are out of its reach."""
        chains = self.assembly.system.chains
        length = self.inputs.at(t).length[:, 0]
        for i, cable in enumerate(self.assembly.cables):
            extension = y[chains.q[i + 1] - 1 : chains.q[i] + 4 : -3].sum()
            if extension > MOST_STRAIN * length[i]:
                raise RefusedError(
                    f"at t = {t:.6g} s cable {cable.name!r}, {length[i]:.6g} m long, is stretched by "
                    f"{extension:.3g} m, more than {MOST_STRAIN:.0%} of its length: its ends are driven out of its "
                    "reach",
                    time=t,
                    wires=(cable.name,),
                )

    def _failure(self, t: float, y: Floats) -> SimulationError:
        """Why there is no way on at (t, y)."""
        out = np.empty(len(y))
        status = kernels.evaluate(
            self.assembly.system, self.inputs.at(t), self.strained, y, self._empty, self.work, out, self._J, self._moved
        )
        why = {
            kernels.SINGULAR_CHAIN: "the inertia of a cable is singular; its first joint may stand in a singular "
            "direction: use first_joint: ball",
            kernels.SINGULAR_CLOSURE: "two joints or cable ends hold the same motion; leave out one of them",
        }.get(status, f"{self._solver} finds no step small enough; loosen rtol or atol")
        return SimulationError(f"at t = {t:.6g} s {why}", time=t)
