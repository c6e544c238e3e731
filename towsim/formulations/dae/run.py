"""``simulate`` with method ``dae``."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from towsim.ctrl_c import CtrlC
from towsim.errors import RefusedError, SimulationError
from towsim.formulations.dae.columns import Columns
from towsim.formulations.dae.integrate import Integration
from towsim.formulations.dae.system import assemble
from towsim.model.arrays import Floats
from towsim.results import Event, Recorder, Result
from towsim.results.derived import Source
from towsim.results.store import Store
from towsim.run.provenance import provenance

if TYPE_CHECKING:
    from towsim.run.setup import Stepping
    from towsim.scene import Scene

BLOCK = 64
"""Output times between two visits to the recorder and the progress bar."""

RTOL = 1e-6
"""Default tolerance of the local error."""


def simulate_dae(scene: Scene, how: Stepping, duration: float, steps: int) -> Result:
    """Integrate the scene's equations of motion to tolerances; the step is the grid of output times.

    The solver is "radau" or "bdf" of SciPy; "auto" is radau.
    """
    given = how.options
    rtol = given["rtol"] or RTOL
    atol = given["atol"] or rtol
    integration = Integration(assemble(scene), how.solver, rtol, atol)
    columns = Columns(integration)
    options: dict[str, Any] = {
        "duration": duration,
        "step": how.step,
        "method": how.method.name,
        "solver": how.solver,
        "rtol": rtol,
        "atol": atol,
        "record_every": given["record_every"],
        "record": given["record"],
    }
    store = None if given["output"] is None else Store(given["output"], force=given["force"])
    attributes = {**(given["notes"] or {}), **provenance(scene, options)}
    source, only = Source(scene), given["record"]
    recorder = Recorder(columns.coordinates(), attributes, store, given["record_every"], source=source, only=only)
    try:
        return _Run(integration, columns, recorder, steps, how.step, given["progress"]).go(given["on_failure"])
    finally:
        recorder.release()


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
        failure.result = result = self._finish(str(failure))
        if on_failure == "record":
            return result
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
