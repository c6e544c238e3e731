"""The controllers of a run: those of the scene, one that tracks for each other dynamic robot, and the user's own."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

from towsim.control.carry import carry, make_carrying
from towsim.control.plant import ROTORS, Plant
from towsim.control.task import ARGUMENTS, Control, Function, Task, steps_between
from towsim.control.track import make_tracking, track
from towsim.control.winch import make_reeling, reel
from towsim.errors import UsageError
from towsim.model.compile import Compiled
from towsim.quote import show
from towsim.scene import Axes, Motion, Robot, Track, WinchControl
from towsim.suggest import unknown


class _Declared(NamedTuple):
    """A law of the scene: what it commands, whose motions it follows by which bodies, how it is made, its limits."""

    commands: tuple[str, ...]
    motions: tuple[Motion | Robot, ...]
    bodies: tuple[str, ...]
    function: Function
    make: Callable[[], Any]
    rate: float
    lost: float


def make_tasks(
    compiled: Compiled,
    plant: Plant,
    step: float,
    own: Mapping[str, Control | Function] | None = None,
    *,
    by_hand: bool = False,
) -> list[Task]:
    """All controllers of a run, in the order in which they are called.

    by_hand : whether rotors that none of them commands may be commanded by hand

    Raises
    ------
    UsageError : a controller of one's own that commands nothing, or what another one commands; a rate that does not fit
    """
    declared = dict(_declared(compiled, plant))
    commands = {name: law.commands for name, law in declared.items()}  # whatever the order of one's own
    tasks = []
    for name, one in (own or {}).items():
        tasks.append(_own(compiled, plant, step, declared, commands, name, one))
        for subject in set(_subjects(plant, tasks[-1])):
            for other in [key for key, law in declared.items() if subject in law.commands]:
                declared[other] = _without(compiled, plant, other, declared[other], subject)
    commanded: dict[int, str] = {}
    for task in tasks:
        for i in task.command:
            if commanded.setdefault(int(i), task.name) != task.name:
                raise UsageError(
                    f"{plant.actuators[i]} is commanded by {commanded[int(i)]!r} and by {task.name!r}; leave one out, "
                    "or say what each commands: Control(..., vehicles=(..))"
                )
    for name, law in declared.items():
        if law.commands:
            every = steps_between(f"controller {name!r}", law.rate, step)
            command = [i for owner in law.commands for i in plant.owned(owner)]
            tasks.append(_task(plant, name, every, law.function, law.make(), law, command))
    if not by_hand:
        _all_fly(plant, tasks)
    return tasks


def _all_fly(plant: Plant, tasks: list[Task]) -> None:
    """Refuse rotors that nobody commands: they would stand still."""
    commanded = {int(i) for task in tasks for i in task.command}
    for d in np.flatnonzero(plant.devices.kind == ROTORS):
        if plant.devices.first[d] not in commanded:
            owner = plant.actuators[plant.devices.first[d]].partition(".")[0]
            raise UsageError(
                f"the rotors of {owner!r} are to be commanded, and nothing does; add a controller to the scene, or "
                f"simulate(scene, controllers={{{owner!r}: ...}})"
            )


def _task(
    plant: Plant, name: str, every: int, function: Function, memory: Any, law: _Declared, command: list[int]
) -> Task:
    bodies = np.array([plant.body(body) for body in law.bodies], np.int64)
    owned = [plant.owned(body) or [-1, -2] for body in law.bodies]
    devices = np.array([(one[0], one[-1] + 1) for one in owned], np.int64).reshape(-1, 2)
    return Task(name, every, function, memory, law.motions, bodies, devices, np.array(command, np.int64), law.lost)


def _declared(compiled: Compiled, plant: Plant) -> Iterator[tuple[str, _Declared]]:
    """The laws of the scene; robots that nobody commands track their motion."""
    scene, bodies = compiled.declared, compiled.scene
    free = {name: robot for name, robot in scene.robots.items() if robot.dynamic}
    for name, law in scene.controllers.items():
        if isinstance(law, WinchControl):
            motion = Motion(formula=Axes(x=law.target))
            make = _bound(make_reeling, bodies, plant, law)
            yield name, _Declared((law.wire,), (motion,), (), reel, make, law.rate, np.inf)
        elif isinstance(law, Track):
            vehicles = tuple(one for one in law.vehicles if scene.robots[one].dynamic)
            yield name, _tracking(compiled, plant, law, vehicles)
            for one in vehicles:
                free.pop(one)
        else:
            commands = getattr(law, "vehicles", None) or (law.vehicle,)  # type: ignore[union-attr]
            make = _bound(make_carrying, bodies, plant, law)
            yield name, _Declared(commands, (law.path,), (law.load,), carry, make, law.rate, law.lost)
            for one in commands:
                free.pop(one, None)
    for one in free:
        yield one, _tracking(compiled, plant, Track(vehicles=(one,)), (one,))


def _tracking(compiled: Compiled, plant: Plant, law: Track, vehicles: tuple[str, ...]) -> _Declared:
    motions = tuple(compiled.declared.robots[name] for name in vehicles)
    make = _bound(make_tracking, compiled.scene, plant, law, vehicles)
    return _Declared(vehicles, motions, vehicles, track, make, law.rate, law.lost)


def _bound(make: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    return lambda: make(*arguments)


def _without(compiled: Compiled, plant: Plant, name: str, law: _Declared, subject: str) -> _Declared:
    """A law that leaves one of its subjects to a controller of the user's own."""
    declared = compiled.declared.controllers.get(name)
    rest = tuple(one for one in law.commands if one != subject)
    if law.function is track and rest:
        return _tracking(compiled, plant, declared if isinstance(declared, Track) else Track(vehicles=rest), rest)
    if rest:
        raise UsageError(
            f"controller {name!r} commands {', '.join(law.commands)} together; replace it as a whole: "
            f"controllers={{{name!r}: ...}}"
        )
    return law._replace(commands=())


def _subjects(plant: Plant, task: Task) -> list[str]:
    return [plant.actuators[i].partition(".")[0] for i in task.command]


def _own(
    compiled: Compiled,
    plant: Plant,
    step: float,
    declared: dict[str, _Declared],
    of_scene: Mapping[str, tuple[str, ...]],
    name: str,
    given: Control | Function,
) -> Task:
    """A controller of the user's own: it takes the place of what commanded the same."""
    one = given if isinstance(given, Control) else Control(given)
    if not callable(one.function):
        raise UsageError(f"controller {name!r} must be a function, got {show(one.function)}")
    _takes_five(name, one.function)
    if one.vehicles is not None:
        commands = tuple(one.vehicles)
    elif name in of_scene:
        commands = of_scene[name]
    else:
        commands = (name,)
    for subject in commands:
        if subject not in plant.owners():
            hint = "; name what it commands by its key, or by Control(..., vehicles=...)"
            if subject in compiled.declared.robots:
                hint = f"; robot {subject!r} is kinematic: give it dynamics: quadcopter, or another one"
            raise UsageError(f"controller {name!r}: {unknown('vehicle or winch', subject, plant.owners())}{hint}")
    if name in declared:
        law = declared.pop(name)._replace(commands=commands, lost=np.inf)
    else:
        robots = {body: robot for body, robot in compiled.declared.robots.items() if body in commands}
        law = _Declared(commands, tuple(robots.values()), tuple(robots), one.function, lambda: None, 0.0, np.inf)
    every = steps_between(f"controller {name!r}", one.rate, step)
    command = [i for owner in commands for i in plant.owned(owner)]
    task = _task(plant, name, every, _bounded(one.function), copy.deepcopy(one.memory), law, command)
    return replace(task, own=True)


def _takes_five(name: str, function: Function) -> None:
    """Refuse a function that cannot be called as a law; numba would say how many arguments, and of nobody."""
    try:
        signature = inspect.signature(getattr(function, "py_func", function))
    except (TypeError, ValueError):  # of something that does not tell
        return
    try:
        signature.bind(*ARGUMENTS)
    except TypeError:
        raise UsageError(
            f"controller {name!r} takes {signature}, and is called with ({', '.join(ARGUMENTS)})"
        ) from None


_BOUNDED: WeakKeyDictionary[Any, Function] = WeakKeyDictionary()
"""By laws that numba compiles, the same that look where arrays end."""


def _bounded(function: Function) -> Function:
    """A law that raises IndexError where it reads or writes beyond an array, compiled as well as in Python.

    numba does not look by itself: what a law writes beyond its own arrays is the memory of others. A law is called
    once a sample, and looking takes it some nanoseconds.
    """
    if not isinstance(function, Dispatcher) or function.targetoptions.get("boundscheck"):
        return function
    if function not in _BOUNDED:
        _BOUNDED[function] = numba.jit(**{**function.targetoptions, "boundscheck": True})(function.py_func)
    return _BOUNDED[function]
