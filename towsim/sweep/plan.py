"""What a sweep runs: axes of parameters, and the points that they span.

An axis with values (a grid a:b:n, a list) is a dimension of the result. Axes that are ranges (a:b) are sampled
together along one dimension ``sample``. All dimensions are crossed with each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_mapping, a_whole_number
from towsim.quote import show
from towsim.scene.edit import refuse_undone

SAMPLE = "sample"
SEED, SEED_OF_RUN = "seed", "run_seed"
"""What the seeds of the runs are called in a dataset; the latter where a parameter is called as the former."""

OF_EACH_RUN = ("status", "message", "seconds")
"""What a dataset holds besides metrics."""

KINDS = ("sobol", "monte-carlo")

MOST = 10_000_000
"""Points of a sweep."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One parameter: the values it takes, or the range from which it is drawn.

    Attributes
    ----------
    key : parameter of the scenario, or path in the scene such as ``bodies.box.mass``
    values : of a grid or list
    bounds : of a range, with ``logarithmic`` drawn (and spaced) in ratios
    """

    key: str
    values: tuple[Any, ...] = ()
    bounds: tuple[float, float] | None = None
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The points of a sweep.

    Attributes
    ----------
    axes : with values, each a dimension, in that order; one that has a single value is a dimension all the same
    sampled : axes with bounds
    samples : (n, number of sampled axes) their values; n = 0 if there are none
    kind, seed : how they were drawn, and the seed of everything random
    """

    axes: tuple[Axis, ...]
    sampled: tuple[Axis, ...]
    samples: np.ndarray
    kind: str
    seed: int

    @property
    def dims(self) -> dict[str, int]:
        """Names and lengths of the dimensions."""
        dims = {axis.key: len(axis.values) for axis in self.axes}
        return dims | ({SAMPLE: len(self.samples)} if self.sampled else {})

    def __len__(self) -> int:
        return math.prod(self.dims.values())

    def point(self, index: int) -> dict[str, Any]:
        """Values of all parameters at a point, counted with the last dimension running fastest."""
        places = np.unravel_index(index, tuple(self.dims.values()) or (1,))
        point = {axis.key: axis.values[k] for axis, k in zip(self.axes, places, strict=False)}
        for j, axis in enumerate(self.sampled):
            point[axis.key] = float(self.samples[int(places[-1]), j])
        return point

    def seed_of(self, index: int) -> int:
        """A seed for the run at a point: independent of all others, the same whenever it is asked for."""
        return _seed(self.seed, index)

    def facts(self) -> dict[str, Any]:
        """The plan as plain data, to compare and to keep."""
        return {
            "axes": [[axis.key, list(axis.values)] for axis in self.axes],
            "ranges": [[axis.key, *(axis.bounds or ()), axis.logarithmic] for axis in self.sampled],
            "samples": len(self.samples),
            "kind": self.kind,
            "seed": self.seed,
        }


@lru_cache(maxsize=1 << 16)
def _seed(seed: int, index: int) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=(1, index)).generate_state(1)[0])


def axis_from_text(key: str, text: str) -> Axis:
    """An axis from ``a:b:n`` (n values), ``a:b`` (a range), either with ``:log``, ``a,b,c`` (a list) or one value.

    Raises
    ------
    UsageError : says what is wrong
    """
    if not text.strip():
        raise UsageError(f"{key}= has no value; write {key}=VALUE, {key}=a,b,c or {key}=a:b:n")
    parts = text.split(":")
    logarithmic = parts[-1] == "log"
    numbers = _numbers(parts[:-1] if logarithmic else parts)
    if numbers is None or len(numbers) == 1:
        if logarithmic:
            raise UsageError(f"{key}={text}: log is for a range a:b:log or a grid a:b:n:log")
        return Axis(key, tuple(_values(text)))
    low, high = numbers[:2]
    if len(numbers) > 3 or not (math.isfinite(low) and math.isfinite(high) and low != high):
        raise UsageError(f"{key}={text}: a grid is a:b:n, a range a:b, with two different finite numbers")
    if logarithmic and not (low > 0.0 and high > 0.0):
        raise UsageError(f"{key}={text}: a logarithmic axis needs numbers > 0")
    if len(numbers) == 2:
        return Axis(key, bounds=(low, high), logarithmic=logarithmic)
    n = numbers[2]
    if not (n == int(n) and 1 <= n <= MOST):
        raise UsageError(f"{key}={text}: the number of values must be a whole number, 1 to {MOST}, got {parts[2]}")
    spaced = np.geomspace(low, high, int(n)) if logarithmic else np.linspace(low, high, int(n))
    return Axis(key, tuple(spaced.tolist()))


def make_plan(axes: Sequence[Axis] | Mapping[str, Any], samples: str | None = None, seed: int = 0) -> Plan:
    """The plan for some axes; ``samples`` is ``sobol:N`` or ``monte-carlo:N`` for those that are ranges.

    A mapping gives each key a text as for :func:`axis_from_text`, a sequence of values, or one value.

    Raises
    ------
    UsageError : an axis without values or with a word of the sweep as its name, ranges without samples or samples
        without ranges, too many points, a seed that is none
    SceneError : a list after one of its numbers
    """
    a_whole_number("seed", seed)
    if isinstance(axes, Mapping):
        axes = [_axis(key, values) for key, values in a_mapping("axes", axes, "from parameters to values").items()]
    elif not (isinstance(axes, list | tuple) and all(isinstance(axis, Axis) for axis in axes)):
        raise UsageError(f"axes must be a mapping from parameters to values, or a list of Axis, got {show(axes)}")
    if not (samples is None or isinstance(samples, str)):
        raise UsageError(f"samples must be a text, sobol:N or monte-carlo:N, got {show(samples)}")
    _check_axes(axes)
    sampled = tuple(axis for axis in axes if axis.bounds is not None)
    kind, _, number = (samples or "").partition(":")
    if samples is not None and not (kind in KINDS and number.isdecimal() and 1 <= int(number) <= MOST):
        raise UsageError(f"samples must be sobol:N or monte-carlo:N, N from 1 to {MOST}, got {show(samples)}")
    if sampled and samples is None:
        raise UsageError(f"{sampled[0].key} is a range: give its number of values (a:b:n), or samples=sobol:N")
    if samples is not None and not sampled:
        raise UsageError(f"samples={samples} needs a parameter with a range a:b")
    drawn = _draw(sampled, kind, int(number or 0), seed)
    plan = Plan(tuple(axis for axis in axes if axis.bounds is None), sampled, drawn, kind, seed)
    if len(plan) > MOST:
        raise UsageError(f"{len(plan)} points are too many (at most {MOST})")
    return plan


def check_name(what: str, name: str) -> None:
    """UsageError if a file can hold nothing of that name."""
    if not name or "/" in name:
        raise UsageError(f"the {what} {name!r} has a name that no file can hold; call it by a text without /")


def _check_axes(axes: Sequence[Axis]) -> None:
    """UsageError if a parameter is there twice, has no values, or is called as something that a dataset holds."""
    keys = [axis.key for axis in axes]
    for axis in axes:
        check_name("parameter", axis.key)
        if axis.key in (SAMPLE, SEED_OF_RUN, *OF_EACH_RUN):
            raise UsageError(f"the parameter {axis.key!r} is a word of the sweep; give it another name")
        if keys.count(axis.key) > 1:
            raise UsageError(f"the parameter {axis.key!r} is given twice")
        if axis.bounds is None and not axis.values:
            raise UsageError(f"the parameter {axis.key!r} has no values; give one at least")
    grids, ranges = ([axis for axis in axes if (axis.bounds is None) == grid] for grid in (True, False))
    refuse_undone({axis.key: (axis.values or (0.0,))[0] for axis in (*grids, *ranges)})  # in the order of a point


def _axis(key: str, values: Any) -> Axis:
    if isinstance(values, str):
        return axis_from_text(key, values)
    several = isinstance(values, list | tuple | range | np.ndarray)
    return Axis(key, tuple(np.asarray(values).tolist()) if several else (values,))


def _draw(axes: tuple[Axis, ...], kind: str, n: int, seed: int) -> np.ndarray:
    """Samples (n, axes) in the axes' ranges."""
    if not axes:
        return np.empty((0, 0))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    if kind == "sobol":
        from scipy.stats import qmc

        # A power of two is drawn and cut: the sequence's first n points are balanced as well as n allows.
        unit = qmc.Sobol(len(axes), rng=rng).random_base2(max(0, math.ceil(math.log2(n))))[:n]
    else:
        unit = rng.random((n, len(axes)))
    columns = []
    for axis, share in zip(axes, unit.T, strict=True):
        assert axis.bounds is not None
        low, high = axis.bounds
        columns.append(low * (high / low) ** share if axis.logarithmic else low + (high - low) * share)
    return np.stack(columns, axis=1)


def _numbers(parts: list[str]) -> list[float] | None:
    try:
        return [float(part) for part in parts]
    except ValueError:
        return None


def _values(text: str) -> Iterator[Any]:
    """Values of a list, as a scene file would read them; what stands in brackets is one."""
    from towsim.scene.yamlio import data_from_text

    inside = data_from_text(f"[{text}]", name=f"{text!r}")
    yield from inside if isinstance(inside, list) else [inside]
