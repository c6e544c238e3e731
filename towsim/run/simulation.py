"""``Simulation``: a scene that is stepped by hand, looked at, changed, put back."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from towsim.control.runtime import Runtime
from towsim.errors import ResultError, SimulationError, UsageError
from towsim.given import a_function, a_generator, a_whole_number
from towsim.methods.block import Block
from towsim.methods.controlled import ControlledStepper
from towsim.methods.stepper import Stepper
from towsim.model.arrays import State
from towsim.model.drive import NEVER
from towsim.quote import show
from towsim.results import VARIABLES, Event, Labelled, Recorder, Result
from towsim.results.derived import DERIVED, Source, needed
from towsim.results.variables import AXES
from towsim.run import columns, snapshot
from towsim.run.arm_poses import fit_joints, to_this_instant
from towsim.run.blocks import Run
from towsim.run.commands import Commands, vector, with_commands
from towsim.run.options import BY_HAND, ByHand, OfRun, checked, takes
from towsim.run.placed import refused_here
from towsim.run.poses import begin_anew, momentum_of, state_parts, take_over, unit_quaternion
from towsim.run.provenance import provenance
from towsim.run.setup import prepare, stepping
from towsim.run.start import at_start
from towsim.scene import Scene
from towsim.scene.run import MOST_STEPS
from towsim.suggest import is_one_of, unknown

POSES = "position", "quaternion", "robot_position"
"""Variables that need no kick of SHAKE's."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A simulation at one instant; made by ``Simulation.snapshot``, of use to ``Simulation.restore`` only."""

    origin: tuple[Scene, str, float, tuple[str, ...]]
    stepper: snapshot.Snapshot
    recorder: Recorder
    last: Block | None
    commands: Any
    random: Any
    failure: SimulationError | None


@takes(ByHand)
class Simulation:
    """A scene under way, in your hands.

    ``sim.step(100)`` advances by 100 steps, ``sim["position"].sel(body="box")`` reads this instant, ``sim.result()`` is
    everything so far as a ``Result``. The same calls give the same bits. Arrays that are passed in are copied, and so
    are those that come out.

    Parameters
    ----------
    scene : what to simulate; what no controller commands stands still until :meth:`command`
    forces : names of bodies on which :meth:`push` acts
    record : whether to keep what :meth:`result` needs, or names of the variables to keep, as of ``simulate``; without,
        memory does not grow and a step costs less
    on_reset : called with the simulation after every reset, such as to disturb the start with ``sim.rng``
    seed : of ``sim.rng``, as for :meth:`reset`
    options : as of ``simulate``, by name

    Attributes
    ----------
    scene, h : the scene, and the time step [s]
    rng : numpy's random generator of this simulation; stepping itself draws no numbers
    commanded : whether anything was commanded, placed or set since the start

    Raises
    ------
    UsageError, SceneError : as ``simulate``
    """

    def __init__(
        self,
        scene: Scene,
        *,
        forces: Sequence[str] = (),
        record: bool | Sequence[str] = True,
        on_reset: Callable[[Simulation], None] | None = None,
        seed: int | None = None,
        **options: Unpack[ByHand],
    ) -> None:
        given = {"scene": scene, "forces": forces, "record": record, "on_reset": on_reset, "seed": seed}
        self._given = {**given, **options}
        self.scene = scene
        how = stepping(scene, options, ByHand, by_hand=BY_HAND)
        if how.method.adaptive:
            raise UsageError(
                f"method {how.method.name!r} chooses its own steps and cannot be stepped by hand; use simulate"
            )
        self.h, self._every = how.step, how.options["record_every"]
        self._only = None if isinstance(record, bool) else checked({"record": record}, OfRun)["record"]
        compiled, self._commands = with_commands(at_start(scene), forces)
        self._coordinates: dict[str, Any] = {**AXES, **columns.coordinates(compiled)}
        self._ready = prepare(compiled, how, by_hand=True)
        self._stepper = self._ready.stepper
        self._run = Run(self._stepper, self._recorder(), self._ready.solve, self._ready.solver, 0, record=bool(record))
        self._start = snapshot.take(self._stepper)
        self._sources = Source(scene), Source(scene, commanded=True)
        self._on_reset = None if on_reset is None else a_function("on_reset", on_reset, "of the simulation")
        self._run.load()
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Go back to the scene's start, without commands; ``seed`` (or none) starts ``rng`` anew."""
        self.rng = a_generator(seed)
        snapshot.put(self._stepper, self._start)
        self._commands.clear()
        self._run.recorder = self._recorder()
        self._run.last, self._run.heard = None, []
        self._failure: SimulationError | None = None
        self._spent, self.commanded = 0.0, False
        if self._on_reset is not None:
            self._on_reset(self)

    def __repr__(self) -> str:
        steps = f"{self._stepper.done} steps of {self.h:g} s, {self._stepper.method.name}"
        return f"<Simulation {self.scene.name} at {self.time:g} s ({steps})>"

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self._stepper.time

    def step(self, n: int = 1) -> float:
        """Advance by n steps; returns the time reached [s].

        Raises
        ------
        RefusedError, SimulationError : as ``simulate``, with the result so far; only ``reset`` or ``restore`` help then
        """
        n = a_whole_number("steps", n, 1, MOST_STEPS)
        if self._failure is not None:
            raise self._failure
        self.commanded = self.commanded or self._commands.given
        started, self._run.heard = clock.perf_counter(), []
        try:
            failure = refused_here(self._stepper, self.row()) if self._stepper.anew else None
            with self._run.ctrl_c if n > 1 else nullcontext():  # it costs a tenth of a step
                failure = failure or self._run.advance(self._stepper.done + n)
        except SimulationError as error:  # a known motion that is not finite
            failure = error
        self._spent += clock.perf_counter() - started
        if failure is not None:
            self._failure = failure
            if self._run.record:
                self._run.tell_end(failure)
                failure.result = self._finished(self._run.recorder.fork(), str(failure))
            raise failure
        return self.time

    def __getitem__(self, name: str) -> Labelled:
        """A variable at this instant, such as ``sim["tension"].sel(wire="left")``; names as in a ``Result``.

        What belongs to a step (tension, acceleration ...) is that of the step that ended here; at the start, and after
        ``place``, a ``state`` or what else a method begins anew with, it is NaN until the next one.
        """
        if not (is_one_of(name, VARIABLES) or is_one_of(name, DERIVED)) or name == "time":
            raise ResultError(unknown("variable", name, [one for one in (*VARIABLES, *DERIVED) if one != "time"]))
        compiled, block = self._stepper.compiled, self.row(pose=name in POSES)
        block = block._replace(first=block.stop - 1)
        variable = VARIABLES[name] if name in VARIABLES else DERIVED[name].variable
        dims = variable.dims[1:]
        missing = [dim for dim in dims if not self._coordinates.get(dim)]
        if missing:
            raise ResultError(f"no {name!r} here: the scene has no {missing[-1]}")
        found = (
            self._derived(name, block) if name in DERIVED else columns.some(compiled, block, self.h, [name]).get(name)
        )
        if found is None:
            raise ResultError(f"no {name!r} here: the scene has no {name}")
        return Labelled(variable, found[-1].copy(), dims, {dim: self._coordinates[dim] for dim in dims})

    def _derived(self, name: str, block: Block) -> np.ndarray:
        """A variable that follows from others at this instant."""
        needs = needed(source := self._sources[self.commanded], name)
        given = {} if needs is None else columns.some(self._stepper.compiled, block, self.h, needs)
        if needs is None or len(given) < len(needs):
            told = needs is None and needed(self._sources[False], name) is not None
            why = "something was commanded, placed or set" if told else "the scene does not tell"
            raise ResultError(f"no {name!r} here: {why} ({DERIVED[name].variable.description})")
        if DERIVED[name].from_start:
            with self._undone():
                snapshot.put(self._stepper, self._start)
                first = columns.some(self._stepper.compiled, self._stepper.start_row(), self.h, needs)
            given = {one: np.concatenate([first[one][:1], given[one]]) for one in needs}
        return DERIVED[name].formula(source, given)

    def row(self, *, pose: bool = False) -> Block:
        """A block whose last row is this instant; ``pose``: of which poses are wanted only."""
        last = None if self._stepper.anew else self._run.last
        if last is not None and not self._stepper.method.staggered:
            return last
        if last is not None and pose and self._failure is None:
            return last._replace(first=last.row, stop=last.row + 1)  # which SHAKE knows a kick before velocities
        with self._stepper.undone():
            return self._run.start_row() if last is None else self._run.closing_row()

    @property
    def events(self) -> list[Event]:
        """What happened in the last call of :meth:`step`, in the order of time."""
        told = (columns.Told(self._stepper.compiled, rows, switched) for switched, rows in self._run.heard)
        return sorted((event for some in told for event in some), key=lambda one: one.time)

    @property
    def state(self) -> State:
        """Copy of the state: coordinates q, velocities and momenta v, impulses p (see ``towsim.model.arrays.State``).

        Setting it starts the methods with a history anew from there. Bodies are easier to set with :meth:`place`.
        """
        with self._stepper.undone() if self._stepper.method.staggered else nullcontext():
            return to_this_instant(self._stepper, self.row)

    @state.setter
    def state(self, state: State) -> None:
        given = state_parts(state)
        for name, mine, array in zip(State._fields, self._stepper.state, given, strict=True):
            if array.shape != mine.shape or not np.isfinite(array).all():
                raise UsageError(f"state.{name} must be {mine.shape} finite numbers, got shape {array.shape}")
        was = to_this_instant(self._stepper, self.row)
        for mine, array in zip(self._stepper.state, given, strict=True):
            mine[:] = array
        begin_anew(self._stepper, was, self._stepper.state)
        self._anew()

    def place(
        self,
        body: str,
        *,
        position: Sequence[float] | np.ndarray | None = None,
        quaternion: Sequence[float] | np.ndarray | None = None,
        velocity: Sequence[float] | np.ndarray | None = None,
        angular_velocity: Sequence[float] | np.ndarray | None = None,
    ) -> None:
        """Put a body somewhere [m], turn it (wxyz), give it a velocity [m/s, rad/s; world axes].

        The next step is refused if a hard wire is stretched then, a joint open, or a contact below hard ground.
        Velocities that joints do not allow are changed by an impulse of theirs.
        """
        bodies = tuple(self.scene.bodies)
        if not is_one_of(body, bodies):
            raise UsageError(unknown("body", body, bodies))
        i, (q, v, _) = bodies.index(body), self._stepper.state
        if angular_velocity is None:
            angular_velocity = self["angular_velocity"].sel(body=body).values
        place, spin, speed = q[7 * i : 7 * i + 7].copy(), vector("angular_velocity", angular_velocity), None
        if self.scene.bodies[body].point and (quaternion is not None or spin.any()):
            raise UsageError(f"body {body!r} is a point mass, which has no orientation: leave it out")
        if position is not None:
            place[:3] = vector("position", position)
        if quaternion is not None:
            place[3:] = unit_quaternion(quaternion)
        if velocity is not None:
            speed = vector("velocity", velocity)
        was = to_this_instant(self._stepper, self.row)  # all of it is right
        q[7 * i : 7 * i + 7] = place
        if speed is not None:
            v[6 * i : 6 * i + 3] = speed
        v[6 * i + 3 : 6 * i + 6] = momentum_of(self.scene.bodies[body].inertia_matrix(), place[3:], spin)
        fit_joints(self._stepper, [i])
        begin_anew(self._stepper, was, self._stepper.state)
        self._anew()

    def steer(
        self,
        robot: str,
        *,
        velocity: Sequence[float] | np.ndarray | None = None,
        acceleration: Sequence[float] | np.ndarray | None = None,
    ) -> None:
        """From now on a robot moves with this velocity [m/s] and acceleration [m/s²], in place of its motion.

        Without ``velocity`` it goes on from the one it has; without ``acceleration`` that is 0, whatever it was before.
        A velocity that jumps is an impact on taut wires.
        """
        self.check_steered(robot)
        before = self._commands.memory()
        jumps = self._commands.steer(robot, self.time, velocity, acceleration)
        if jumps and self._stepper.compiled.cable_names:
            self._commands.recall(before)
            raise UsageError("a carrier of mrfe cables cannot jump to a velocity: steer it with an acceleration")
        if self._stepper.method.multistep:
            self._anew()

    def check_steered(self, robot: str) -> None:
        """Raise UsageError if a robot does not move by command."""
        if is_one_of(robot, self.scene.robots) and (kind := self.scene.robots[robot].dynamics) != "kinematic":
            raise UsageError(
                f"robot {robot!r} is a vehicle (dynamics: {kind}), which its drive moves: command it, "
                "or give it a controller"
            )
        owner = robot.partition(".")[0] if isinstance(robot, str) else robot
        if is_one_of(owner, self.scene.robots) and self.scene.robots[owner].points:
            raise UsageError(
                f"robot {owner!r} carries points and moves as declared; give it a motion and an orientation for what "
                "it is to do, or declare its points as robots of their own to steer each"
            )

    def push(
        self,
        body: str,
        force: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        torque: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        *,
        body_axes: bool = False,
    ) -> None:
        """From now on a force [N] at the centre of mass and a torque [N m] act on a body of ``forces``.

        They add to what the scene declares and replace those of the call before; axes of the world or of the body.
        """
        between = self._stepper.method.staggered and not self._stepper.anew
        self._commands.push(body, force, torque, self.time if between else NEVER, body_axes=body_axes)
        if self._stepper.method.multistep:
            self._anew()

    def command(self, name: str, values: float | Sequence[float] | np.ndarray | None) -> None:
        """From now on the actuators of a vehicle, body or winch get these numbers, in place of what controllers say.

        Four thrusts of a quadcopter's rotors [N]; force in world axes [N], and torque in body axes [N m] if there is
        one, of what is pushed; the rate of a winch [m/s]. They are limited, late or failing as the scene
        declares it, see the variables ``command`` and ``actuation``. None gives them back to their controller.
        """
        places, control = self.check_commanded(name)
        of = [control.plant.actuators[i] for i in places]
        given = None if values is None else vector(f"command of {name!r} ({', '.join(of)})", values, len(of))
        control.command(name, given)
        self._stepper.depart()
        self.commanded = True

    def check_commanded(self, name: str) -> tuple[list[int], Runtime]:
        """Places of what is commanded of a vehicle, body or winch. Raises UsageError if it takes no commands."""
        stepper = self._stepper
        if not isinstance(stepper, ControlledStepper) or not is_one_of(name, stepper.control.plant.owners()):
            raise UsageError(self._not_commanded(name))
        return stepper.control.plant.owned(name), stepper.control

    def _not_commanded(self, name: str) -> str:
        """Why something takes no commands."""
        known = self._stepper.control.plant.owners() if isinstance(self._stepper, ControlledStepper) else ()
        hint = "" if known else "; nothing in this scene can be commanded"
        if is_one_of(name, self.scene.robots):
            hint = f"; robot {name!r} is kinematic: steer it, or give it dynamics"
        elif is_one_of(name, self.scene.wires):
            hint = f"; wire {name!r} has no winch: feed it, or give it one (winch: {{}})"
        elif is_one_of(name, self.scene.bodies):
            hint = f"; body {name!r} has no actuator: push it, or give it one"
        return f"{unknown('vehicle or winch', name, known)}{hint}"

    def feed(self, wire: str, *, rate: float | None = None, length: float | None = None) -> None:
        """From now on a massless wire is paid out, or hauled in (rate < 0) [m/s], in place of its declared length.

        With ``length`` [m] it stops there; with ``length`` alone it has that at once, which a taut hard wire takes as
        an impact or refuses; with neither it stays as it is. A wire with a ``winch`` takes a rate only, a drum none.
        """
        if not is_one_of(wire, self.scene.wires):
            raise UsageError(unknown("wire", wire, self.scene.wires))
        if self.scene.wires[wire].winch is not None:
            if rate is None or length is not None:
                raise UsageError(
                    f"wire {wire!r} has a winch, which takes a rate: feed({wire!r}, rate=...), or give the scene a "
                    "controller of it with mode: length"
                )
            self.command(wire, [rate])
            return
        if wire in self._stepper.compiled.cable_names:
            raise UsageError(
                f"wire {wire!r} is an mrfe cable, which cannot be fed at another rate at once: give it a winch, with a "
                "lag or a max_acceleration, or a length with waypoints"
            )
        self._commands.feed(wire, self.time, rate, length)
        if self._stepper.method.multistep:
            self._anew()

    def snapshot(self) -> Moment:
        """Everything about this instant: state, warm starts, histories, events under way, commands, ``rng``, record."""
        return Moment(
            self._origin,
            snapshot.take(self._stepper),
            self._run.recorder.fork(),
            self._run.last,
            (self._commands.memory(), self.commanded),
            self.rng.bit_generator.state,
            self._failure,
        )

    def restore(self, moment: Moment) -> None:
        """Go back (or forth) to a snapshot, as often as you like: the same calls then give the same bits.

        It may be of a scene that differs in numbers only, such as masses and lengths: then poses, velocities and
        angular velocities are those of the snapshot, and methods with a history begin anew from there. Energies of a
        result are then those of this scene, in rows before the snapshot as well.

        Raises
        ------
        UsageError : it is none, or of another method, step, structure or ``forces``; or has controllers, other numbers
        """
        if not isinstance(moment, Moment):
            raise UsageError(f"restore takes what snapshot() gave, got {show(moment)}")
        scene, *way, forces = moment.origin
        if way != [*self._origin[1:3]]:
            mine = f"{self._origin[1]!r} with steps of {self.h:g} s"
            raise UsageError(f"this snapshot is of method {way[0]!r} with steps of {way[1]:g} s, not of method {mine}")
        if forces != (own := self._commands.bodies):
            raise UsageError(f"this snapshot is of forces={[*forces]}, not of {[*own]}; give both alike")
        other = scene is not self.scene and scene != self.scene
        if other and (scene.outline() != self.scene.outline() or self.scene.controlled):
            why = "has controllers, and other numbers" if self.scene.controlled else "has another structure"
            raise UsageError(f"this snapshot is of scene {scene.name!r}, which {why}; restore it where it was taken")
        snapshot.put(self._stepper, moment.stepper)
        self._run.recorder, self._run.last = moment.recorder.fork(), moment.last
        self._run.heard = [] if moment.last is None else [(moment.last.switched, moment.last.events)]
        commands, self.commanded = moment.commands
        self._commands.recall(commands)
        self.rng.bit_generator.state = moment.random
        self._failure = moment.failure
        if other:
            if self._stepper.method.staggered and not self._stepper.anew:  # velocities are those half a step before
                there = {**self._given, "scene": scene, "step": self.h, "method": way[0]}
                self._stepper.state.v[:] = _again(type(self), there, moment, 0.0).state.v
            take_over(scene, moment.last, self._stepper, self.scene)
            fit_joints(self._stepper, range(len(self.scene.bodies)))
            self._anew()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles hold the scene, the options and a snapshot, no kernels; copies share nothing."""
        return _again, (type(self), self._given, self.snapshot(), self._spent)

    def result(self) -> Result:
        """What was stepped so far, as ``simulate`` would return it; stepping can go on.

        Raises
        ------
        UsageError : nothing was recorded (``record=False``)
        """
        if not self._run.record:
            raise UsageError("nothing was recorded: make the Simulation with record=True")
        if self._failure is not None and isinstance(self._failure.result, Result):
            return self._failure.result
        with self._undone():
            self._run.last_row()
            self._run.tell_end(None)
            return self._finished(self._run.recorder, "complete")

    @property
    def parts(self) -> tuple[Stepper, Run, Commands]:
        """What takes the steps, the run that they belong to, and what is commanded."""
        return self._stepper, self._run, self._commands

    @property
    def _origin(self) -> tuple[Scene, str, float, tuple[str, ...]]:
        return self.scene, self._stepper.method.name, self.h, self._commands.bodies

    def _recorder(self) -> Recorder:
        coords, source = columns.coordinates(self._stepper.compiled), Source(self.scene)
        return Recorder(coords, {}, every=self._every, source=source, only=self._only)

    def _finished(self, recorder: Recorder, outcome: str) -> Result:
        options = {"duration": self.time, **self._ready.options, "record_every": self._every, "record": self._only}
        attributes = provenance(self.scene, options)
        if self.commanded:  # which a result does not hold: it cannot be run again
            del attributes["options"]
        recorder.source = Source(self.scene, self.commanded)
        return recorder.finish({**attributes, "outcome": outcome, "wall_time": self._spent})

    def _anew(self) -> None:
        self._commands.settle()
        self._stepper.anew = True
        self.commanded = True

    @contextmanager
    def _undone(self) -> Iterator[None]:
        """Whatever happens to stepper and recorder inside is undone at the end."""
        run, before = self._run, snapshot.take(self._stepper)
        kept = run.recorder, run.last, run.heard
        run.recorder, run.heard = run.recorder.fork(), []
        try:
            yield
        finally:
            snapshot.put(self._stepper, before)
            run.recorder, run.last, run.heard = kept


def _again(kind: type[Simulation], given: dict[str, Any], moment: Moment, spent: float) -> Simulation:
    """A simulation made with these arguments, at that instant."""
    made = kind(**{**given, "on_reset": None})
    made._given, made._on_reset, made._spent = given, given["on_reset"], spent
    made.restore(moment)
    return made
