"""What ``plan`` has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from towsim.model.arrays import Floats
from towsim.scene import Scene


@dataclass(frozen=True)
class Plan:
    """What was found; ``print`` it for a table.

    Attributes
    ----------
    scene : with the numbers found, to be run
    names, values, start : of the numbers; (n,) each
    cost : what was minimised
    missed : by how much each goal is missed, in its unit
    margin : least distance from each limit over all steps of the run, below zero beyond it
    runs : runs in duals
    converged, message : whether it is an optimum that meets all goals and limits, and how SciPy's optimiser ended
    """

    scene: Scene = field(repr=False)
    names: tuple[str, ...]
    values: Floats
    start: Floats
    cost: float
    missed: Mapping[str, float]
    margin: Mapping[str, float]
    runs: int
    converged: bool
    message: str

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"{'':{width}}  {'first guess':>13}  {'found':>13}"]
        for name, start, value in zip(self.names, self.start, self.values, strict=True):
            lines.append(f"{name:{width}}  {start:13.7g}  {value:13.7g}")
        lines += [f"goal {name}: missed by {by:.3g}" for name, by in self.missed.items()]
        lines += [f"limit of {name}: least margin {by:.3g}" for name, by in self.margin.items()]
        state = "converged" if self.converged else "NOT converged"
        lines.append(f"cost {self.cost:.6g}; {state} after {self.runs} runs: {self.message}")
        return "\n".join(lines)
