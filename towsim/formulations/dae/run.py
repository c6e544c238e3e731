"""``simulate`` with method ``dae``."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from towsim.ctrl_c import CtrlC
from towsim.errors import RefusedError, SimulationError, UsageError
from towsim.formulations.dae.columns import Columns
from towsim.formulations.dae.integrate import Integration
from towsim.formulations.dae.system import assemble
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.results import Event, Recorder, Result
from towsim.results.store import Store
from towsim.run.provenance import provenance
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    from towsim.scene import Scene

BLOCK = 64
"""Output times between two visits to the recorder and the progress bar."""

RTOL = 1e-6
"""Default tolerance of the local error."""


def simulate_dae(
    scene: Scene,
    *,
    duration: float,
    step: float,
    solver: str,
    rtol: float | None,
    atol: float | None,
    on_failure: str,
    record_every: int,
    output: str | Path | None,
    force: bool,
    progress: Callable[[int, int], None] | None,
    notes: Mapping[str, str | int | float] | None,
) -> Result:
    """Integrate the scene's equations of motion to tolerances; ``step`` is the grid of output times.

    Parameters
    ----------
    solver : "radau" or "bdf" of SciPy; "auto" is radau
    rtol, atol : tolerances of the local error; atol (default rtol) in units of each coordinate's natural size

    Everything else as in ``simulate``.
    """
    rtol = _tolerance("rtol", RTOL if rtol is None else rtol)
    atol = _tolerance("atol", rtol if atol is None else atol)
    if not is_one_of(on_failure, ("raise", "record")):
        raise UsageError(unknown("on_failure", on_failure, ("raise", "record")))
    integration = Integration(assemble(scene), solver, rtol, atol)
    columns = Columns(integration)
    steps = max(1, math.ceil(duration / step - 1e-9))
    options: dict[str, str | int | float] = {
        "duration": duration,
        "step": step,
        "method": "dae",
        "solver": solver,
        "rtol": rtol,
        "atol": atol,
        "record_every": record_every,
    }
    store = Store(output, force=force) if output is not None else None
    attributes = {**(notes or {}), **provenance(scene, options)}
    recorder = Recorder(columns.coordinates(), attributes, store, record_every)
    return _Run(integration, columns, recorder, steps, step, progress).go(on_failure)


class _Run:
    """The output times of one run, in blocks."""

    def __init__(
        self,
        integration: Integration,
        columns: Columns,
        recorder: Recorder,
        steps: int,
        step: float,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.integration, self.columns, self.recorder = integration, columns, recorder
        self.times: Floats = np.arange(steps + 1, dtype=np.float64) * step
        self.progress = progress
        self.rows: list[dict[str, np.ndarray]] = []
        self.nothing = {"time": np.empty(0)}
        self.told = self.done = 0
        self.started = clock.perf_counter()

    def go(self, on_failure: str) -> Result:
        """Run to the end, to the first failure, or to Ctrl-C; what was computed is always finished and kept."""
        failure: SimulationError | None = None
        try:
            with CtrlC() as ctrl_c:
                for row in self.integration.rows(self.times):
                    self.rows.append(self.columns.read(row))
                    if len(self.rows) == BLOCK:
                        self._record()
                        self._tell()
                    ctrl_c.here()
        except SimulationError as error:
            failure = error
        except KeyboardInterrupt:
            self._record()
            self._finish("interrupted")
            raise
        self._record(failure)
        self._tell()
        if failure is None:
            return self._finish("complete")
        failure.result = self._finish(str(failure))
        if on_failure == "record":
            return failure.result
        raise failure

    def _record(self, failure: SimulationError | None = None) -> None:
        switches = self.integration.switches
        events = self.columns.events(switches[self.told :])
        self.told = len(switches)
        if failure is not None:
            wires = ", ".join(failure.wires) if isinstance(failure, RefusedError) else ""
            kind: Literal["infeasible", "user"] = "infeasible" if wires else "user"
            events.append(Event(failure.time, kind, wires, note=str(failure)))
        rows, self.rows = self.rows, []
        if rows:
            block = {name: np.array([row[name] for row in rows]) for name in rows[0]}
            self.nothing = {name: values[:0] for name, values in block.items()}
            self.done += len(rows)
        else:
            block = self.nothing
        self.recorder.append(block, events)

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(max(0, self.done - 1), len(self.times) - 1)

    def _finish(self, outcome: str) -> Result:
        return self.recorder.finish({"outcome": outcome, "wall_time": clock.perf_counter() - self.started})


def _tolerance(what: str, value: float) -> float:
    if not isinstance(value, int | float | np.number) or not 1e-13 <= value <= 0.1:
        raise UsageError(f"{what} must be between 1e-13 and 0.1, got {show(value)}")
    return float(value)
