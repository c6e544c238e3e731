"""Sensitivities of a run: the derivatives of what it records with respect to numbers of its scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from solvers.kernels.dual import DIRECTIONS
from towsim.errors import UsageError
from towsim.given import a_list
from towsim.methods.block import Block
from towsim.methods.controlled import ControlledStepper
from towsim.methods.stepper import Stepper
from towsim.model.arrays import Floats
from towsim.model.compile import Compiled
from towsim.results import Event, Events, Labelled, Result
from towsim.results.derived import Source
from towsim.results.variables import AXES, VARIABLES
from towsim.run import columns
from towsim.run.cable_columns import OF_CABLES
from towsim.run.carried import TINY, Carried, Degenerate, aside, check_differentiable, lane
from towsim.run.control_columns import NAMES
from towsim.run.engine import engine_for
from towsim.run.joint_columns import OF_JOINTS, on_drums
from towsim.run.options import Options
from towsim.run.seeds import Direction, Seed, Wanted, directions, seeds
from towsim.run.setup import count_steps, stepping
from towsim.run.tangents import Tangents
from towsim.scene import Scene
from towsim.scene.parameters import Parameters
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    import xarray

DIFFERENTIATED = (*columns.ENTRIES, *columns.SUMS, *columns.OF_PARTS, *NAMES, *OF_CABLES, *OF_JOINTS)
"""Variables that have derivatives."""


class Sensitivities(Mapping[str, Labelled]):
    """Derivatives of a run's variables; made by ``Model.sensitivities``.

    ``sensitivities["position"].sel(body="load", parameter="bodies.load.mass")`` is ∂x/∂m over time, (time, xyz).

    Attributes
    ----------
    result : the run itself
    parameters : paths of the numbers, one for each entry along the last dimension, ``parameter``
    at : (parameters,) their values
    one_sided : steps in which a wire or contact was at the border between acting and not: derivatives are those of the
        side on which the run is, and may differ from those of the other one from there on; the first step, with what
        pulls or pushes at rest and gets a rate by a parameter: they are those towards less force
    """

    def __init__(
        self,
        result: Result,
        parameters: tuple[str, ...],
        at: Floats,
        rates: Mapping[str, Floats],
        one_sided: tuple[Degenerate, ...],
    ) -> None:
        self.result, self.parameters, self.at, self.one_sided = result, parameters, at, one_sided
        self._rates = dict(rates)

    @property
    def time(self) -> Floats:
        """Recorded times [s]."""
        return self.result.time

    def __getitem__(self, name: str) -> Labelled:
        if name not in self._rates:
            raise UsageError(unknown("variable", name, self._rates))
        variable = VARIABLES[name]
        dims = (*variable.dims, "parameter")
        coords: dict[str, Any] = {dim: self.result.coords[dim] for dim in variable.dims if dim != "time"}
        coords |= {"time": self.time, "parameter": self.parameters}
        told = replace(
            variable,
            dims=dims,
            unit=f"{variable.unit} per unit",
            description=f"derivative of: {variable.description}",
        )
        return Labelled(told, self._rates[name], dims, {dim: coords[dim] for dim in dims})

    def __contains__(self, name: object) -> bool:
        return name in self._rates

    def __iter__(self) -> Iterator[str]:
        return iter(self._rates)

    def __len__(self) -> int:
        return len(self._rates)

    def __repr__(self) -> str:
        lines = [f"<Sensitivities of {', '.join(self._rates)} with respect to:"]
        lines += [f"  {path} = {value:g}" for path, value in zip(self.parameters, self.at, strict=True)]
        if self.one_sided:
            first = self.one_sided[0]
            lines.append(f"  one-sided in {len(self.one_sided)} steps, first at {first.time:g} s ({first.owner})")
        return "\n".join(lines) + ">"

    def to_xarray(self) -> xarray.Dataset:
        """The same as an ``xarray.Dataset``."""
        import xarray

        return xarray.Dataset({name: (one.dims, one.values) for name, one in self.items()}, coords=self._coords())

    def _coords(self) -> dict[str, Any]:
        named = {dim: list(names) for dim, names in self.result.coords.items() if self._has(dim)}
        return {"time": self.time, "parameter": list(self.parameters), **named}

    def _has(self, dim: str) -> bool:
        return any(dim in VARIABLES[name].dims for name in self._rates)


class Begun(NamedTuple):
    """A run with derivatives that is about to start; made by ``begun``.

    Attributes
    ----------
    stepper : at the start of the scene
    numbers, seeds : what derivatives are taken with respect to, and where they begin
    wanted : variables that are to have derivatives
    steps, every, progress : of the run: how many, how many between two rows, who is told
    coords : names along the dimensions of the result
    scene : as it starts
    """

    stepper: Stepper
    numbers: list[Direction]
    seeds: list[Seed]
    wanted: tuple[str, ...]
    steps: int
    every: int
    progress: Callable[[int, int], None] | None
    coords: Mapping[str, Any]
    scene: Scene

    def sensitivities(self) -> Sensitivities:
        """Forward mode: a pass for every seven directions."""
        found = Gathered(self.steps, self.every, self.wanted, len(self.seeds))
        passes = max(1, -(-len(self.seeds) // DIRECTIONS))
        for i in range(passes):
            first = i * DIRECTIONS
            run = Tangents(self.stepper, self.seeds[first : first + DIRECTIONS])
            found.gather(run.blocks(self.steps), run, first, self.progress and _share(self.progress, i, passes))
        for name, rate in found.rates.items():
            rate[np.isnan(found.values[name])] = np.nan  # where nothing is known there is no derivative
        at = np.array([one.value for one in self.numbers])
        names = tuple(one.path for one in self.numbers)
        return Sensitivities(self.result(found), names, at, found.rates, found.one_sided)

    def result(self, found: Gathered) -> Result:
        """The run itself."""
        return Result(
            found.values, self.coords, Events(found.events), {"name": self.scene.name}, source=Source(self.scene)
        )


@contextmanager
def begun(
    scene: Scene,
    parameters: Sequence[Wanted],
    of: Sequence[str],
    *,
    taut: bool = False,
    some: bool = True,
    **options: Unpack[Options],
) -> Iterator[Begun]:
    """A run with derivatives at its start; arguments as of ``sensitivities``."""
    how = stepping(scene, {name: value for name, value in options.items() if name not in ("solver", "loop", "form")})
    how = how._replace(solver="auto")
    steps = count_steps(how.options["duration"] or scene.run.duration, how.step)
    wanted = _variables(of)
    numbers = directions(Parameters(scene), parameters) if some or parameters else []
    if how.method.adaptive:
        raise UsageError(f"method {how.method.name!r} has no derivatives; use one of bdf1 to bdf4, or 'shake'")
    start = (scene, _taut) if taut else None
    scene = _taut(scene) if taut else scene
    with engine_for(scene, how) as engine:
        stepper, coords = engine.ready.stepper, engine.ready.coords
        check_differentiable(stepper)
        for name in wanted:
            missing = [dim for dim in VARIABLES[name].dims if dim not in ("time", *AXES) and not coords.get(dim)]
            if missing:
                raise UsageError(f"no {name!r} in this run: the scene has no {missing[0]}")
        runtime = stepper.runtime if isinstance(stepper, ControlledStepper) else None
        found = seeds(stepper.compiled, numbers, start, runtime)
        every, progress = how.options["record_every"], how.options["progress"]
        yield Begun(stepper, numbers, found, wanted, steps, every, progress, coords, scene)


def sensitivities(
    scene: Scene,
    parameters: Sequence[Wanted],
    of: Sequence[str] = ("position",),
    *,
    taut: bool = False,
    some: bool = True,
    **options: Unpack[Options],
) -> Sensitivities:
    """See ``Model.sensitivities``.

    taut : whether the start is that of ``scene.project(taut=True)``, which depends on the parameters as well
    some : whether there must be parameters; without any it is the run alone
    options : of ``simulate``; problems are solved by the compiled active set, whatever solver, loop and form say
    """
    with begun(scene, parameters, of, taut=taut, some=some, **options) as start:
        return start.sensitivities()


def _taut(scene: Scene) -> Scene:
    return scene.project(taut=True)


def _variables(of: Sequence[str]) -> tuple[str, ...]:
    names = a_list("of", of, " of variables")
    for name in names:
        if not is_one_of(name, DIFFERENTIATED):
            raise UsageError(unknown("variable with derivatives", name, DIFFERENTIATED))
    return tuple(dict.fromkeys(names))


def _share(progress: Callable[[int, int], None], i: int, passes: int) -> Callable[[int, int], None]:
    return lambda done, steps: progress(i * steps + done, passes * steps)


class Gathered:
    """Rows of a run, every n-th step and the last: values of all variables, derivatives of some.

    Parameters
    ----------
    steps, every : of the run: how many, how many between two rows
    wanted, numbers : variables that are to have derivatives, and with respect to how many numbers

    Attributes
    ----------
    values, rates : (rows, ..), (rows, .., numbers) by variable
    events, one_sided : of the run
    """

    def __init__(self, steps: int, every: int, wanted: Sequence[str] = (), numbers: int = 0) -> None:
        self._steps, self._every, self._wanted, self._numbers = steps, every, wanted, numbers
        self._rows = steps // every + 1 + (steps % every > 0)
        self.values: dict[str, np.ndarray] = {}
        self.rates: dict[str, Floats] = {}
        self.events: list[Event] = []
        self.one_sided: tuple[Degenerate, ...] = ()

    def gather(
        self,
        blocks: Iterator[Block],
        run: Carried,
        first: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Fill in what a pass over the run finds; its derivatives are those from the ``first`` on."""
        width = len(run.seeds) if self._wanted else 0
        bent = _bent(run, self._wanted) if width else set()
        asides = [replace(run.compiled, model=aside(run.model, i)) for i in range(1, 1 + width)] if bent else []
        for block in blocks:
            rows = self._kept(run.done - block.steps + block.first, block.stop - block.first)
            if not first:
                for name, table in columns.variables(run.compiled, seen(block, 0), run.h).items():
                    if name not in self.values:
                        self.values[name] = np.empty((self._rows, *table.shape[1:]), table.dtype)
                    for there, here in rows:
                        self.values[name][there] = table[here]
                self.events += columns.events(run.compiled, block)
            if width:
                known = _by_complex_steps(asides, block, bent)
                told = columns.rates(run.compiled, seen(block, slice(1, 1 + width)), known, self._wanted)
                for name in self._wanted:
                    if name not in told:
                        raise UsageError(unknown("variable of this run", name, told))
                    if name not in self.rates:
                        self.rates[name] = np.empty((self._rows, *told[name].shape[1:-1], self._numbers))
                    for there, here in rows:
                        self.rates[name][there, ..., first : first + width] = told[name][here]
            if progress is not None:
                progress(run.done, self._steps)
        self.one_sided = tuple(sorted({*self.one_sided, *run.degenerate}))

    def _kept(self, begin: int, rows: int) -> list[tuple[slice, slice]]:
        """Of so many rows, the first that of a step, those that are recorded, as in a run: where they go, and which."""
        kept, row = slice(-begin % self._every, rows, self._every), -(-begin // self._every)
        found = [(slice(row, row + len(range(rows)[kept])), kept)]
        ends = begin + rows > self._steps and self._steps % self._every > 0
        return [*found, (slice(-1, None), slice(-1, None))] if ends else found


def seen(block: Block, i: int | slice) -> Block:
    """A block with the values (0) or some directions' derivatives (as a last axis) of what is recorded and known."""
    return block._replace(record=lane(block.record, i), drive=lane(block.drive, i), inputs=lane(block.inputs, i))


def _bent(run: Carried, wanted: Sequence[str]) -> set[str]:
    """What of the wanted is made of what is recorded and of numbers of the model that have derivatives as well."""
    found = {*OF_JOINTS, *(["length"] if on_drums(run.compiled) else [])}
    if any("contacts.axes" in seed.numbers for seed in run.seeds):
        found |= {*columns.SUMS}
    return found & {*wanted}


def _by_complex_steps(asides: Sequence[Compiled], block: Block, names: set[str]) -> dict[str, np.ndarray]:
    """Derivatives of some products in each direction, of the model's numbers aside in each."""
    if not names:
        return {}
    steps = [
        columns.products(one, block._replace(record=aside(block.record, i), drive=aside(block.drive, i)))
        for i, one in enumerate(asides, 1)
    ]
    return {name: np.stack([one[name].imag for one in steps], axis=-1) / TINY for name in names & steps[0].keys()}
