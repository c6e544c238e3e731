"""The time-stepping methods, and what each can take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from towsim.errors import UsageError
from towsim.methods.stability import RUINOUS, fastest_growth
from towsim.quote import show
from towsim.scene import Length, Scene
from towsim.scene.base import facts
from towsim.suggest import is_one_of


@dataclass(frozen=True, slots=True)
class Method:
    """A method, and what it supports.

    Attributes
    ----------
    multistep : one of the BDF methods, with their own loop
    adaptive : it chooses its own steps
    staggered : velocities lie between the steps, so that the last row of a run needs a kick of its own: SHAKE
    learning : only its first step learns how wires turn and robots accelerate: Stewart–Trinkle
    """

    name: str
    order: int
    friction: bool
    cables: bool
    multistep: bool = False
    adaptive: bool = False
    staggered: bool = False
    learning: bool = False

    @property
    def one_step(self) -> bool:
        """Whether it takes the springs, dampers and motors of joints, and wires that break or are switched."""
        return not (self.multistep or self.adaptive)

    def lacking(self, variable: str) -> int:
        """First rows of a run in which a variable lacks what the first step has not learnt yet, see ``LACKING``."""
        return LACKING.get(variable, 0) if self.learning else 0


_FORCES = "tension", "part_tension", "tip_force", "exit_force", "joint_reaction", "joint_torque", "contact_force"

LACKING = dict.fromkeys(_FORCES, 2) | {"acceleration": 3, "angular_acceleration": 3}
"""Rows in which forces and accelerations lack the share of what a method learns in its first step, such as m v²/L.

That step turns the wires without the force that turns velocities with them: an impact in the next one makes up for it,
which accelerations have in their row 2.
"""


METHODS = {
    "stewart-trinkle": Method("stewart-trinkle", 1, friction=True, cables=True, learning=True),
    "shake": Method("shake", 2, friction=False, cables=False, staggered=True),
    "dae": Method("dae", 5, friction=False, cables=True, adaptive=True),
} | {f"bdf{p}": Method(f"bdf{p}", p, friction=False, cables=True, multistep=True) for p in (1, 2, 3, 4)}


def method_for(
    scene: Scene, name: str | None, step: float | None = None, controllers: Mapping[str, object] | None = None
) -> Method:
    """The method of a run, which takes all that the scene has.

    Raises
    ------
    UsageError : there is no such method, or it does not take something, or there is nothing to control
    """
    known, question = facts(scene), f"method {name} in steps of {step}"
    if question not in known:
        method = choose(name, scene, step)
        check_laws(scene, method)
        check_drags(scene, scene.run.step if step is None else step)
        known[question] = method
    check_controllers(scene, controllers)
    found: Method = known[question]
    return found


def check_laws(scene: Scene, method: Method) -> None:
    """Refuse what the method cannot take of joints and switched wires.

    Raises
    ------
    UsageError : names the joint or wire
    """
    for name, joint in scene.joints.items():
        if joint.reduced and not method.one_step:
            raise UsageError(f"method {method.name!r} takes no reduced joints, such as {name!r}; {_other(scene)}")
    for name in filter(scene.spanned, scene.massive):
        if method.multistep or method.adaptive:
            raise UsageError(
                f"method {method.name!r} takes no massive cables over rings or pulleys, such as {name!r}; use "
                "'stewart-trinkle', or let it be rigid or elastic"
            )
        wire = scene.wires[name]
        if isinstance(wire.length, Length) or wire.winch is not None:
            raise UsageError(
                f"wire {name!r} is a massive cable over rings or pulleys, whose length does not change; let it be "
                "rigid or elastic"
            )
    if scene.turned_pulleys and method.name != "stewart-trinkle":
        name, wire = next((name, wire) for name, wire in scene.wires.items() if scene.turned(wire))
        raise UsageError(
            f"method {method.name!r} takes no massless wires that turn wheels, such as {name!r} that of pulley "
            f"{wire.ends[scene.turned(wire)[0]]!r}; use 'stewart-trinkle', or leave the inertia out"
        )
    if method.one_step:
        return
    instead = _other(scene)
    if scene.controlled:
        raise UsageError(f"method {method.name!r} takes no controllers, sensors or dynamic robots; {instead}")
    for name, body in scene.bodies.items():
        if body.drag.own:
            raise UsageError(
                f"method {method.name!r} takes plain drag at the centre only, a linear and a quadratic number, and "
                f"that of {name!r} is more; {instead}"
            )
    for name in scene.drums:
        raise UsageError(f"method {method.name!r} takes no drums, such as {name!r}; {instead}")
    for name, joint in scene.joints.items():
        if method.adaptive and joint.kind != "ball":
            raise UsageError(f"method {method.name!r} takes ball joints only, and {name!r} is {joint.kind}; {instead}")
        acts = joint.spring is not None or joint.damping > 0.0 or joint.motor != 0.0
        if acts or joint.detach is not None:
            raise UsageError(
                f"method {method.name!r} takes no joints with springs, dampers, motors or an end, such as {name!r}; "
                f"{instead}"
            )
    for name, wire in scene.wires.items():
        if (wire.break_, wire.attach, wire.detach, wire.cut) != (None,) * 4:
            raise UsageError(f"method {method.name!r} takes no wires that come and go, such as {name!r}; {instead}")


def _other(scene: Scene) -> str:
    """Which one-step methods there are to use in place of another one: what takes all that the scene has."""
    rubs = any(wire.friction > 0.0 for wire in scene.wires.values())
    hits = any(plane.friction > 0.0 or plane.restitution is not None for plane in scene.planes)
    plain = not (scene.massive or scene.turned_pulleys or rubs or hits)
    return "use 'stewart-trinkle' or 'shake'" if plain else "use 'stewart-trinkle'"


def check_drags(scene: Scene, step: float) -> None:
    """Refuse steps in which drag brakes a body to a stop: of its own, it is explicit (see ``dynamics/bodies``).

    Raises
    ------
    UsageError : names the body, within what time it is braked, and a step that would do
    """
    for name, rate in scene.braked.items():
        if step * rate > 1.0:
            raise UsageError(
                f"drag brakes body {name!r} within {1.0 / rate:.3g} s, and the step is {step:g} s; take a step of "
                f"{0.5 / rate:.2g} s or less"
            )


def choose(name: str | None, scene: Scene, step: float | None = None) -> Method:
    """The method that was asked for, or else that of the scene's ``run``, or else the usual one for it.

    step : h [s]; by default that of the scene's ``run``

    Raises
    ------
    UsageError : there is no such method
    """
    if name is None:
        name = scene.run.method or _usual(scene, scene.run.step if step is None else step)
    return method(name)


def _usual(scene: Scene, step: float) -> str:
    """BDF for massive cables, of order 3 where it is stable for them; unless there is what it does not take."""
    rough = any(ground.friction > 0.0 for ground in scene.planes)
    if not scene.massive or rough:
        return "stewart-trinkle"
    try:
        check_laws(scene, METHODS["bdf2"])
    except UsageError:
        return "stewart-trinkle"
    return "bdf3" if fastest_growth(scene, 3, step, at_work=True) is None else "bdf2"


def check_stable(scene: Scene, method: Method, step: float, steps: int) -> None:
    """Refuse a method with which waves along cables would grow in so many steps, until nothing else is seen.

    Vibrations across them depend on the tension under way, so that only the run can tell.

    Raises
    ------
    UsageError : names the cable, how fast it grows, and what would do
    """
    found = fastest_growth(scene, method.order, step, along=True) if method.multistep else None
    if found is not None and steps * math.log1p(found.rate) > math.log(RUINOUS):
        raise UsageError(f"method {method.name!r} is not stable in steps of {step:g} s: {found}")


def method(name: str) -> Method:
    """The method of that name.

    Raises
    ------
    UsageError : there is none; with a suggestion
    """
    if not is_one_of(name, METHODS):
        close = get_close_matches(name[:100], METHODS, n=1) if isinstance(name, str) else []
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UsageError(f"unknown method {show(name)}.{hint} Known: {', '.join(METHODS)}.")
    return METHODS[name]


def check_controllers(scene: Scene, controllers: Mapping[str, object] | None) -> None:
    """Raise UsageError if there are controllers of one's own, and nothing that they could command."""
    if controllers is not None and not isinstance(controllers, Mapping):
        raise UsageError(f"controllers must be a mapping of names to functions, got {show(controllers)}")
    if controllers and not scene.controlled:
        raise UsageError(
            f"controllers {show([*controllers])}: nothing in this scene can be commanded; give a robot dynamics: "
            "point-mass, ground or quadcopter, a body an actuator, or a wire a winch"
        )
