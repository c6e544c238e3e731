"""One motion in several formulations: differences, drift, energy, order and cost of each.

Every formulation runs with steps h, h/2, h/4 (stiff scenes, that is those with MRFE cables: with three tolerances of an
implicit solver instead), and once refined as far as it goes: smooth equations by an adaptive solver with a tight
tolerance, time-stepping methods by extrapolation. The reference is the refined reduced formulation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from towsim.errors import SimulationError, UsageError
from towsim.formulations import measures, stepped
from towsim.formulations.from_scene import SceneTree, scene_tree
from towsim.formulations.kkt import Kkt
from towsim.formulations.momentum import MomentumStates
from towsim.formulations.motion import Formulation, Motion
from towsim.formulations.reduced import Reduced
from towsim.formulations.rsslm import Rsslm
from towsim.given import a_list, a_number
from towsim.methods.method import METHODS
from towsim.model.arrays import Floats
from towsim.model.trees import Tree
from towsim.quote import show
from towsim.scene import Scene
from towsim.scene.expand import a_scene
from towsim.suggest import unknown

SMOOTH: dict[str, Callable[[Tree], Formulation]] = {
    "reduced": Reduced,
    "momentum": MomentumStates,
    "kkt": Kkt,
    "kkt-baumgarte": lambda tree: Kkt(tree, "baumgarte"),
    "kkt-projection": lambda tree: Kkt(tree, "projection"),
    "rsslm": Rsslm,
}
STEPPED = [name for name, method in METHODS.items() if not method.adaptive]
ADAPTIVE = [name for name, method in METHODS.items() if method.adaptive]
"""Methods of ``simulate``: with fixed steps, and to tolerances."""

DEFAULT = ("reduced", "momentum", "kkt", "kkt-projection", "rsslm", "stewart-trinkle", "shake", "dae")
STIFF = ("reduced", "momentum", "stewart-trinkle", "dae")
"""What is compared unless asked otherwise; scenes with cables are too stiff for some, and for others too slow."""

SAMPLES = 10
TOLERANCES = (1e-4, 1e-6, 1e-8)
LEVELS = 7
"""Runs that are extrapolated."""


@dataclass(frozen=True)
class Level:
    """One run: its step [s] (or tolerance), the greatest distance from the reference [m], its processor time [s]."""

    step: float
    difference: float
    seconds: float


@dataclass(frozen=True)
class Row:
    """One formulation.

    Attributes
    ----------
    formulation, how : its name, and what integrates it
    levels : runs from coarse to fine
    refined : distance of the refined motion from the reference [m]
    drift : greatest opening of a joint at the first step [m]; NaN where links are not all bodies
    energy : greatest change of the energy at the first step, relative to the kinetic energy's greatest; NaN where
        energy is not conserved or not known
    step_cost : seconds a step takes; NaN for adaptive solvers
    failed : why it did not run; empty if it did
    """

    formulation: str
    how: str
    levels: tuple[Level, ...] = ()
    refined: float = float("nan")
    drift: float = float("nan")
    energy: float = float("nan")
    step_cost: float = float("nan")
    failed: str = ""

    @property
    def order(self) -> float:
        """Observed order of the last halving; NaN for tolerances, and where rounding has been reached."""
        if len(self.levels) < 2 or self.how in ("Radau", "tolerances"):
            return float("nan")
        coarse, fine = self.levels[-2:]
        if not fine.difference > 1e-13:
            return float("nan")
        return float(np.log(coarse.difference / fine.difference) / np.log(coarse.step / fine.step))


@dataclass(frozen=True)
class Comparison:
    """What ``compare`` found."""

    name: str
    duration: float
    reference: str
    rows: tuple[Row, ...]

    def agree(self, tolerance: float = 1e-9) -> bool:
        """Whether all refined motions are within ``tolerance`` [m] of the reference."""
        return all(not row.failed and row.refined <= tolerance for row in self.rows)


def compare(
    scene: Scene,
    formulations: Sequence[str] | None = None,
    *,
    duration: float | None = None,
    step: float | None = None,
) -> Comparison:
    """Run a scene in several formulations.

    Parameters
    ----------
    scene : bodies, joints and MRFE cables that form a tree
    formulations : names; left out: all that take the scene
    duration, step : [s], the coarsest step; default to the scene's ``run``

    Raises
    ------
    UsageError : an unknown formulation, or a scene that is no smooth tree
    """
    a_scene(scene)
    if formulations is not None:
        formulations = a_list("formulations", formulations, " of names")
    known = [*SMOOTH, *METHODS]
    for name in formulations or ():
        if name not in known:
            raise UsageError(unknown("formulation", name, known))
    duration = a_number("duration", scene.run.duration if duration is None else duration)
    step = a_number("step", scene.run.step if step is None else step)
    if not 0.0 < step <= duration:
        raise UsageError(
            f"step and duration must be > 0 s with step <= duration, got {show(step)} and {show(duration)}"
        )
    bench = _Bench(scene_tree(scene), duration, step)
    rows = []
    for name in formulations or (STIFF if bench.stiff else DEFAULT):
        try:
            rows.append(bench.row(name))
        except SimulationError as error:
            rows.append(Row(name, "-", failed=str(error)))
        except UsageError:  # it does not take this scene
            if formulations is not None:
                raise
    return Comparison(scene.name, bench.duration, bench.reference_name, tuple(rows))


class _Bench:
    """The scene, the instants that are looked at, and the reference."""

    def __init__(self, scene: SceneTree, duration: float, step: float) -> None:
        self.scene, self.step = scene, step
        steps = math.ceil(duration / step - 1e-9)
        some = [n for n in range(min(SAMPLES // 2, steps), steps + 1) if steps % n == 0]
        self.samples = min(some, key=lambda n: abs(math.log(n / SAMPLES)))
        self.every = steps // self.samples
        self.duration = steps * step
        self.times: Floats = np.arange(self.samples + 1, dtype=np.float64) * (self.every * step)
        self.stiff = bool(scene.scene.massive)
        self.reference = scene.positions(self.refine(Reduced(scene.tree)))
        self.reference_name = f"reduced, {self._refining()}"
        arrays = scene.tree.arrays
        self.conservative = scene.tree.steady and not arrays.damping.any()

    def row(self, name: str) -> Row:
        """Everything about one formulation."""
        return self.smooth(name) if name in SMOOTH else self.adaptive(name) if name in ADAPTIVE else self.stepped(name)

    def refine(self, system: Formulation) -> Motion:
        """The motion as exactly as an adaptive solver gives it."""
        if self.stiff:
            return system.adaptive(self.times, rtol=1e-10, atol=1e-13, method="Radau")
        return system.adaptive(self.times, rtol=1e-12, atol=1e-13)

    def _refining(self) -> str:
        return "Radau, rtol = 1e-10" if self.stiff else "DOP853, rtol = 1e-12"

    def smooth(self, name: str) -> Row:
        """A formulation as ordinary differential equations."""
        system = SMOOTH[name](self.scene.tree)
        if self.stiff:
            if name == "kkt-projection":
                raise UsageError("kkt-projection takes fixed steps, and a scene with mrfe cables is too stiff for them")
            runs = [system.adaptive(self.times, rtol=tol, atol=1e-3 * tol, method="Radau") for tol in TOLERANCES]
            sizes: Sequence[float] = TOLERANCES
        else:
            system.run(
                self.step, self.step, every=1
            )  # the first call of anything is dear, and no run is charged for it
            sizes = [self.step / 2**k for k in range(3)]
            runs = [system.run(self.duration, h, every=self.every * 2**k) for k, h in enumerate(sizes)]
        levels = tuple(
            Level(size, self._distance(self.scene.positions(run)), run.seconds)
            for size, run in zip(sizes, runs, strict=True)
        )
        row = Row(
            name,
            "Radau" if self.stiff else "Runge-Kutta 4",
            levels,
            refined=self._distance(self._refined(name, system, runs)),
            step_cost=float("nan") if self.stiff else min(run.seconds / run.steps for run in runs),
        )
        return self._judged(row, runs[0])

    def _refined(self, name: str, system: Formulation, runs: list[Motion]) -> Floats:
        if name == "reduced":
            return self.reference
        if name == "kkt-projection":  # not for adaptive solvers: the limit of its steps
            return stepped.extrapolated([self.scene.positions(run) for run in runs], 4)
        return self.scene.positions(self.refine(system))

    def adaptive(self, name: str) -> Row:
        """A method of ``simulate`` that keeps to tolerances."""
        grid = self.step * self.every
        runs = [stepped.run(self.scene, name, self.duration, grid, 1, rtol=tol) for tol in (*TOLERANCES, 1e-10)]
        levels = tuple(Level(tol, self._distance(run[0]), run[3]) for tol, run in zip(TOLERANCES, runs, strict=False))
        row = Row(name, "tolerances", levels, refined=self._distance(runs[-1][0]))
        return row if runs[0][1] is None else self._judged(row, runs[0][1])

    def stepped(self, name: str) -> Row:
        """A method of ``simulate`` with fixed steps."""
        order = METHODS[name].order
        sizes = [self.step / 2**k for k in range(LEVELS)]
        runs = [stepped.run(self.scene, name, self.duration, h, self.every * 2**k) for k, h in enumerate(sizes)]
        levels = tuple(Level(h, self._distance(run[0]), run[3]) for h, run in zip(sizes, runs, strict=True))
        row = Row(
            name,
            f"order {order}",
            levels,
            refined=self._distance(stepped.extrapolated([run[0] for run in runs], order)),
            step_cost=min(run[3] / run[2] for run in runs),
        )
        return row if runs[0][1] is None else self._judged(row, runs[0][1])

    def _judged(self, row: Row, run: Motion) -> Row:
        """Drift and energy of the first run."""
        tree = self.scene.tree
        energy = float("nan")
        if self.conservative:
            E = measures.energy(tree, run)
            speed = 0.5 * np.einsum("l,tli->t", tree.arrays.mass[tree.joint], run.velocity**2)
            energy = float(np.abs(E - E[0]).max() / speed.max())
        return replace(row, drift=float(measures.drift(tree, run).max()), energy=energy)

    def _distance(self, positions: Floats) -> float:
        return float(np.linalg.norm(positions - self.reference, axis=2).max())
