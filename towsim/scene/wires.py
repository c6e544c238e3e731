"""Wires: what they join, how long they are (winch programmes), and what they are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.cable import CableModel, Mrfe, SpringDamper
from towsim.scene.formula import formula
from towsim.scene.material import Material, Section
from towsim.scene.motion import Axes, Course, check_times, inside
from towsim.scene.piecewise import Piecewise, through
from towsim.scene.quantity import End, Expression, Quantity, Series, Short, Vec3, Vector

Array = NDArray[np.float64]


class LengthPoints(Declared):
    """Lengths reached at given times: quintic (at rest at each) or cubic (one C² spline); constant outside."""

    t: Annotated[tuple[float, ...], Series("times", "s")]
    length: Annotated[tuple[float, ...], Series("lengths at these times", "m", above=0.0)]
    kind: Literal["quintic", "cubic"] = Field(default="quintic", description="curve through the points")

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_times(self.t, self.length, "length")
        return self

    @property
    def course(self) -> Course:
        """The length (one column) as what its curve is made of."""
        return Course(self.t, tuple((length,) for length in self.length), self.kind, None)

    def curve(self) -> Piecewise:
        """The length (one column) as polynomials between its times."""
        return through(*self.course)


class Length(Declared):
    """A winch programme L(t), one of

    ``{start: 5.0, rate: -0.1}`` (a constant rate), ``{waypoints: {t: [0, 4], length: [5.0, 3.0]}}``, and
    ``{formula: "5.0 + 0.5*sin(t)"}``.
    """

    start: Annotated[float, Quantity("length at t = 0", "m", above=0.0)] | None = None
    rate: Annotated[float, Quantity("constant rate; negative hauls in", "m/s")] = 0.0
    waypoints: LengthPoints | None = None
    formula: Annotated[float | str, Expression("length as a formula in t", "m", above=0.0)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.only("start", "waypoints", "formula") != "start" and self.rate != 0.0:
            raise problem("a rate needs a start", "rate")
        return self

    def sample(self, t: Array) -> tuple[Array, Array]:
        """Length [m] and its rate [m/s], (n,) each, at the times ``t`` (n,) [s]."""
        if self.waypoints is not None:
            length, rate, _ = self.waypoints.curve().sample(t)
            return length[:, 0], rate[:, 0]
        if isinstance(self.formula, str):
            length, rate, _ = formula(self.formula).sample(t)
            return length, rate
        start = self.formula if self.start is None else self.start
        assert start is not None  # _check
        return start + self.rate * t, np.full(len(t), self.rate)

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which some derivative jumps."""
        if self.waypoints is not None:
            return inside(self.waypoints.t, until)
        return formula(self.formula).kinks(until) if isinstance(self.formula, str) else np.empty(0)


MOST_GRIP = 14.0
"""Largest friction × angle of a wire around a point: a factor of a million between the tensions."""

NO_FORCE = Axes()
"""On a free end, by default."""

FREE = "free"
"""The end ``from`` of a cable that hangs on nothing there."""


class Breaking(Declared):
    """What a wire bears: a tension, the impulse of a jerk, or both.

    A jerk has no tension in a wire that does not stretch, whatever the step: one that is declared by its tension alone
    holds in every jerk.
    """

    tension: Annotated[float, Quantity("breaking tension", "N", above=0.0)] | None = None
    impulse: Annotated[float, Quantity("breaking impulse of a jerk", "N s", above=0.0)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.tension is None and self.impulse is None:
            raise problem("says what the wire bears: a tension, the impulse of a jerk, or both")
        return self


class Winch(Declared):
    """A drum under command: its limits, its lag, and when it jams. The wire's ``length`` is that at the start."""

    LAWLESS: ClassVar = frozenset({"lag"})

    max_rate: Annotated[float, Quantity("largest rate", "m/s", above=0.0)] = 1.0
    max_acceleration: Annotated[float, Quantity("largest change of the rate", "m/s²", above=0.0)] | None = None
    lag: Annotated[float, Quantity("time constant of the drive", "s", least=0.0)] = 0.0
    shortest: Annotated[float, Quantity("length at which it stops", "m", above=0.0)] = 0.01
    longest: Annotated[float, Quantity("length on the drum", "m", above=0.0)] | None = None
    jam: Annotated[float, Quantity("time from which the drum stands still", "s", least=0.0)] | None = None


class Wire(Declared):
    """A wire between two ends, each "body", "robot" or a point of one: without mass it pulls, it never pushes.

    Its ``model`` is ``rigid`` (never stretches), ``elastic`` (massless spring and damper, tension only) or ``mrfe`` (a
    massive cable, which pushes while it is straight, and may also be ``from: free``: no body there, but a force on its
    end at ``exit``); or, of what is no wire, a ``spring`` that pushes as well. ``material`` serves every model, so that
    one line switches a wire: mass_per_length and axial_stiffness are enough for all three.
    A rigid wire between two robots holds nothing: the run is refused as soon as they are farther apart than its length.

    A wire may pass rings or pulleys between its ends (``via``: points, or the scene's ``pulleys`` with their radius);
    an mrfe cable, then of constant length, runs over them with its mass. A rigid one may rub on rings, by the capstan
    equation, it may break, and be attached and detached or cut at given times. The length of a wire with friction is
    paid out and hauled in at its end ``to``.
    """

    LAWLESS: ClassVar = frozenset({"length", "exit_force"})

    from_: End = Field(validation_alias="from", serialization_alias="from")
    to: End
    length: Annotated[float | Length, Short(Length, Quantity("unstrained length", "m", above=0.0))]
    material: Material | None = None
    model: CableModel = "rigid"
    via: tuple[End, ...] = Field(default=(), description="rings or pulleys that the wire passes, in order")
    friction: Annotated[float, Quantity("coefficient of friction on what it passes", "1", least=0.0)] = 0.0
    turns: Annotated[int, Field(ge=0, description="full turns around each point it passes, for friction")] = 0
    break_: Breaking | None = Field(default=None, validation_alias="break", serialization_alias="break")
    attach: Annotated[float, Quantity("time from which it is there", "s", least=0.0)] | None = None
    detach: Annotated[float, Quantity("time from which it is no more", "s", least=0.0)] | None = None
    cut: Annotated[float, Quantity("time at which it is cut", "s", least=0.0)] | None = None
    winch: Winch | None = None
    drum: End | None = Field(default=None, description="the drum that the wire is on; length is that at the start")
    exit: Annotated[Vec3, Vector("where a free end (from: free) starts, world axes", "m")] | None = None
    exit_force: Axes = Field(default=NO_FORCE, description="force on a free end (from: free), world axes [N]")

    @model_validator(mode="before")
    @classmethod
    def _hangs_there(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "exit" in data and "to" not in data:
            raise problem("a cable with an exit hangs there: write from: free, and to: what it holds")
        return data

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_material()
        self._check_rigid()
        self._check_winch()
        if self.to == FREE:
            raise problem("only the end 'from' can be free; swap the ends", "to")
        if self.from_ == FREE:
            if not isinstance(self.model, Mrfe):
                raise problem(f"only an mrfe cable can have a free end, and the model is {self.model}", "from")
            if self.exit is None:
                raise problem("a free end needs the place where it starts, exit: [x, y, z]", "from")
            if self.model.from_end != "ball":
                raise problem(f"a free end is held by nothing, got from_end: {self.model.from_end}", "model")
        elif self.exit is not None or self.exit_force != NO_FORCE:
            what = "exit" if self.exit is not None else "exit_force"
            raise problem(f"is for a free end (from: free), and this wire starts at {self.from_!r}", what)
        return self

    def _check_material(self) -> None:
        needed: tuple[str, ...] = ()
        if isinstance(self.model, SpringDamper):
            if self.material is not None:
                raise problem("a spring has its own stiffness and damping; leave this out", "material")
            return
        if self.model == "elastic":
            needed = ("axial_stiffness",)
        elif self.model != "rigid":
            needed = ("mass_per_length", "axial_stiffness")
        if needed and (lacking := self.section().lacks(*needed)):
            name = self.model if isinstance(self.model, str) else Mrfe.key
            raise problem(f"the model {name} needs {', '.join(lacking)}", "material")

    def _check_winch(self) -> None:
        if self.drum is not None:
            if self.model != "rigid" or self.friction > 0.0:
                raise problem("is for rigid wires without friction; leave it out", "drum")
            if self.winch is not None or isinstance(self.length, Length):
                raise problem("pays the wire out by itself; make length a number, and leave out winch", "drum")
        if self.winch is None:
            return
        if isinstance(self.length, Length):
            raise problem("a winch under command starts from a length; make it a number, or leave out winch", "length")
        longest = np.inf if self.winch.longest is None else self.winch.longest
        if not self.winch.shortest <= self.length <= longest:
            room = f"its winch's {self.winch.shortest:g} .. {longest:g} m"
            raise problem(f"must be within {room}, got {self.length:g} m", "length")

    def _check_rigid(self) -> None:
        massive = isinstance(self.model, Mrfe)
        if self.via and not (self.model == "rigid" or ((self.model == "elastic" or massive) and not self.friction)):
            how = "with friction it is for rigid wires" if self.friction else "is for rigid, elastic and mrfe wires"
            raise problem(f"{how}; leave it out, or choose model: rigid", "via")
        if isinstance(self.model, Mrfe) and self.via and (self.from_ == FREE or self.model.rest != "straight"):
            raise problem("an mrfe cable over rings has both ends held, and rests straight", "via")
        for name in ("break_", "attach", "detach", "cut"):
            if getattr(self, name) not in ((), None) and self.model != "rigid":
                raise problem("is for rigid wires; leave it out, or choose model: rigid", name.removesuffix("_"))
        if self.friction > 0.0 and not self.via:
            raise problem("is for a wire that passes rings or pulleys, and this one has no via", "friction")
        if self.turns and not self.friction:
            raise problem("full turns matter for friction only; give the wire a friction", "turns")
        if self.friction * math.tau * (self.turns + 0.5) > MOST_GRIP:
            raise problem(
                f"with friction {self.friction:g} the tension would grow by a factor of "
                f"e^{self.friction * math.tau * (self.turns + 0.5):.3g} at each point; tie the wire there instead",
                "turns" if self.turns else "friction",
            )
        for a, b in pairwise(self.ends):
            if self.via and a == b:
                raise problem(f"passes {a!r} twice in a row; leave one out", "via")
        if self.detach is not None and self.cut is not None:
            raise problem("a wire is detached or cut, not both", "cut")
        end = self.cut if self.detach is None else self.detach
        if self.attach is not None and end is not None and not self.attach < end:
            raise problem(f"must be before {end:g} s, when the wire is gone again, got {self.attach:g} s", "attach")

    @property
    def ends(self) -> tuple[str, ...]:
        """All the points it passes, from end to end."""
        return (self.from_, *self.via, self.to)

    @property
    def springy(self) -> bool:
        """Whether it is massless and stretches: an elastic wire, or a spring."""
        return self.model == "elastic" or isinstance(self.model, SpringDamper)

    def section(self) -> Section:
        """Mass, stiffness and damping of the cross-section."""
        return (self.material or Material()).section()

    def length_at(self, t: Array) -> tuple[Array, Array]:
        """Length L [m] and rate L̇ [m/s], (n,) each, at the times ``t`` (n,) [s]."""
        if isinstance(self.length, Length):
            return self.length.sample(t)
        return np.full(len(t), self.length), np.zeros(len(t))

    def length_at_start(self) -> float:
        """Length at t = 0 [m]."""
        return self.length if isinstance(self.length, float) else float(self.length_at(np.zeros(1))[0][0])
