"""What ``identify`` has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from towsim.errors import UsageError
from towsim.model.arrays import Floats
from towsim.results.variables import VARIABLES
from towsim.scene import Scene
from towsim.suggest import unknown

UNEXPLAINED = 3.0
"""Noises that what is left may be, before it is said that the scene does not explain the log."""


@dataclass(frozen=True)
class Identification:
    """What a fit has found; ``print`` it for a table.

    Attributes
    ----------
    names : of the numbers; of those that each log has for itself, with ``@1``, ``@2`` .. behind
    values, sigma : (n,) estimates and their standard errors; infinite where they cannot be told
    interval : (n, 2) confidence intervals
    confidence : their probability
    correlation : (n, n) of the errors
    at_bound : names of the numbers that ended on one of their bounds, where intervals do not hold
    rank : numbers that the logs can tell, of n
    not_told : combinations that they cannot tell, as sentences
    left_out : which rows do not count, and why, as sentences
    unlike : of which columns most is left, and no noise, as sentences: the run does something else
    rms : root mean square of what is left, by log and column, in the column's unit
    misfit : root mean square of all that is left, in noises: about 1 where the scene explains the logs; with a loss
        other than "linear" 1.48 times the median, and NaN where no noise was given
    residuals : measured − fitted, by log and column; NaN in gaps and in rows that are left out
    times : of each log [s]
    runs : runs in duals per log that the fit took
    scenes : with the numbers that were found, one for each log
    converged, message : how SciPy's optimiser ended
    """

    names: tuple[str, ...]
    values: Floats
    sigma: Floats
    interval: Floats
    confidence: float
    correlation: Floats
    at_bound: tuple[str, ...]
    rank: int
    not_told: tuple[str, ...]
    left_out: tuple[str, ...]
    unlike: tuple[str, ...]
    rms: Mapping[str, Mapping[str, float]]
    misfit: float
    residuals: Mapping[str, Mapping[str, Floats]] = field(repr=False)
    times: Mapping[str, Floats] = field(repr=False)
    runs: int
    scenes: tuple[Scene, ...] = field(repr=False)
    converged: bool
    message: str

    @property
    def scene(self) -> Scene:
        """The scene with the numbers found; of several logs, that of the first one."""
        return self.scenes[0]

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise UsageError(unknown("fitted number", name, self.names))
        return float(self.values[self.names.index(name)])

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"{'':{width}}  {'estimate':>13}  {'± ':>10}  {100 * self.confidence:g} % interval"]
        for name, value, sigma, (low, high) in zip(self.names, self.values, self.sigma, self.interval, strict=True):
            told = f"{sigma:10.3g}  {low:.6g} .. {high:.6g}"
            if name in self.at_bound:
                told = f"{'':10}  at its bound: no interval holds there"
            lines.append(f"{name:{width}}  {value:13.7g}  {told}")
        strong = [
            f"{self.names[i]} and {self.names[j]} ({self.correlation[i, j]:+.3f})"
            for i in range(len(self.names))
            for j in range(i)
            if abs(self.correlation[i, j]) > 0.95
        ]
        if strong:
            lines.append("strongly correlated: " + ", ".join(strong[:6]))
        lines += [*self.not_told, *self.left_out, *self.unlike]
        for log, columns in self.rms.items():
            lines.append(f"{log}: rms left " + ", ".join(f"{name} {value:.3g}" for name, value in columns.items()))
        if self.misfit > UNEXPLAINED:
            lines.append(
                f"what is left is {self.misfit:.3g} times the noise: the scene does not explain the logs within it, "
                "and the intervals are too narrow"
            )
        state = "converged" if self.converged else "NOT converged"
        lines.append(f"{state} after {self.runs} runs: {self.message}")
        return "\n".join(lines)

    def plot(self, path: str | Path) -> Path:
        """Draw what is left, over time, one panel for each variable; writes ``path`` (.png, .pdf, .svg)."""
        from matplotlib.figure import Figure

        panels: dict[str, list[tuple[str, Floats, Floats]]] = {}
        for log, columns in self.residuals.items():
            for title, values in columns.items():
                label = title if len(self.residuals) == 1 else f"{log}: {title}"
                panels.setdefault(title.partition("[")[0], []).append((label, self.times[log], values))
        figure = Figure(figsize=(8.0, 1.2 + 2.4 * len(panels)), layout="constrained")
        for i, (variable, curves) in enumerate(panels.items(), 1):
            axes = figure.add_subplot(len(panels), 1, i)
            for label, time, values in curves:
                axes.plot(time, values, ".", markersize=2.5, label=label)
            axes.axhline(0.0, color="0.6", linewidth=0.8)
            axes.set_ylabel(f"{variable} left ({VARIABLES[variable].unit})")
            axes.legend(fontsize="small", ncols=2)
        axes.set_xlabel("time (s)")
        figure.savefig(path)
        return Path(path)
