"""``compile``: a scene that is ready to be run again and again, with the same numbers or with others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast

from towsim.errors import TowsimError, UsageError
from towsim.results import Result
from towsim.run.many import results
from towsim.run.options import OfRun, Options, Stepped, declared, refuse_said_twice, takes
from towsim.run.run import simulate
from towsim.run.setup import stepping
from towsim.scene import Scene
from towsim.scene.parameters import Parameters

if TYPE_CHECKING:
    from towsim.model.arrays import Floats
    from towsim.run.gradient import Cost
    from towsim.run.seeds import Wanted
    from towsim.run.sensitivities import Sensitivities
    from towsim.run.step_map import StepMap


class Model:
    """A scene with the options of its runs; made by :func:`compile`.

    Attributes
    ----------
    scene : as declared
    options : of ``simulate``, which all its runs share
    parameters : the scene's numbers by path
    """

    def __init__(self, scene: Scene, **options: Unpack[Stepped]) -> None:
        self.scene, self.options = scene, options
        self.parameters = Parameters(scene)
        self._outline = scene.outline()

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"Model({self.scene.name!r}{chosen}; {len(self.parameters)} parameters)"

    @takes(OfRun)
    def run(self, parameters: Mapping[str, Any] | None = None, **options: Unpack[OfRun]) -> Result:
        """One run, with these numbers or those of the scene.

        Parameters
        ----------
        parameters : ``Parameters``, or those that differ from the scene's by path
        options : of a run, by name

        Raises
        ------
        UsageError : ``parameters`` are of many runs, or one that was zero is not (or the other way round): then other
            laws are present, and the scene is to be compiled anew; or ``run.step`` or ``run.duration`` is among them
            and an option says it as well
        SceneError, RefusedError, SimulationError : as ``simulate``
        """
        given = self._given(parameters or {}, options.get("duration"))
        if given.runs is not None:
            raise UsageError(f"these parameters are of {given.runs} runs; use run_many, or parameters.scene(number)")
        return simulate(self._checked(given.scene()), **self.options, **self._of_a_run(options))

    @takes(OfRun)
    def run_many(self, parameters: Mapping[str, Any], **options: Unpack[OfRun]) -> Iterator[Result]:
        """One run for each row of ``parameters``, in their order.

        Parameters
        ----------
        parameters : ``Parameters`` with an axis of runs, or such numbers by path
        options : of a run, by name

        Raises
        ------
        TowsimError : as of :meth:`run`, when a run is due, with its number, counted from 0; ``on_failure="record"``
            goes on as ``simulate_many`` does
        UsageError : an ``output``, which holds one run
        """
        given = self._given(parameters, options.get("duration"))
        scenes = (self._of_row(given, run) for run in range(given.runs or 1))
        return results(scenes, cast(Options, {**self.options, **self._of_a_run(options)}))

    def sensitivities(
        self,
        parameters: Sequence[Wanted],
        of: Sequence[str] = ("position",),
        *,
        at: Mapping[str, Any] | None = None,
        duration: float | None = None,
        record_every: int = 1,
        taut: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Sensitivities:
        """Derivatives of a run's variables with respect to numbers of the scene, exact at the steps taken.

        Every seven numbers cost one run in duals (see ``towsim.run.carried``). Of tensions that are not unique those
        of least norm are differentiated, and are those of ``result``; with friction, those of a basic solution.

        Parameters
        ----------
        parameters : paths of numbers, such as ``bodies.load.mass``; of a list, ``bodies.load.position``, all its
            numbers, and ``bodies.load.position.2`` one of them. Or directions, one number that moves several:
            ``{"speed": {"bodies.load.velocity.0": 0.8, "bodies.load.velocity.1": 0.6}}``
        of : names of variables, see ``towsim.run.sensitivities.DIFFERENTIATED``
        at : the run's own numbers, by path, as of :meth:`run`
        duration, record_every, progress : as of ``simulate``
        taut : whether loads begin where every rigid wire is at its length (``scene.project(taut=True)``), so that a
            longer wire begins with its load farther down, and not slack

        Returns
        -------
        Sensitivities : (.., parameter) for each variable, in its unit per unit of the parameter; and the run

        Raises
        ------
        UsageError : what has no derivative (a law, a method, a parameter at its bound or one that changes nothing), by
            name
        SimulationError : the run cannot go on
        """
        from towsim.run.sensitivities import sensitivities

        return sensitivities(
            self._of_one_run(at, duration),
            parameters,
            of,
            duration=duration,
            record_every=record_every,
            taut=taut,
            progress=progress,
            **self.options,
        )

    def gradient(
        self,
        cost: Cost,
        parameters: Sequence[Wanted],
        of: Sequence[str] = ("position", "velocity"),
        *,
        at: Mapping[str, Any] | None = None,
        duration: float | None = None,
        taut: bool = False,
        mode: str = "auto",
    ) -> tuple[float, Floats]:
        """Value of a cost of a run, and its gradient, for optimisers that take both: ``jac=True`` of SciPy's.

        In forward mode every seven numbers cost one run in duals, which gives the value as well. In reverse mode the
        run is taken backwards, and its cost hardly depends on how many numbers there are; memory grows with the root of
        the number of steps. Both give the same derivatives, to rounding.

        Parameters
        ----------
        cost : function of the run's variables, a mapping from names to arrays with named dimensions (``.sel``), through
            numpy: ``lambda run: np.mean((run["position"].sel(body="load") - goal) ** 2)``. Or one that returns its own
            derivatives, ``(value, {"position": array of its shape})``, from the plain arrays ``run["position"].value``
        parameters, at, duration, taut : as of :meth:`sensitivities`
        of : variables that the cost looks at
        mode : "forward", "reverse", or "auto": forward for up to 49 numbers

        Returns
        -------
        value, gradient : gradient (parameters,), in the order of the numbers behind the paths

        Raises
        ------
        UsageError : as of :meth:`sensitivities`; or the cost uses a function without derivative
        """
        from towsim.run.gradient import gradient_of

        scene = self._of_one_run(at, duration)
        return gradient_of(cost, scene, parameters, of, mode=mode, taut=taut, duration=duration, **self.options)

    def step_map(self, step: int, parameters: Sequence[Wanted] = (), *, at: Mapping[str, Any] | None = None) -> StepMap:
        """One step of a run as a linear map δs⁺ = A δs + B δθ, with the wires that it has taut.

        Parameters
        ----------
        step : its number in the scene's run, 0 for the first;  method stewart-trinkle only
        parameters : paths of the numbers θ, as of :meth:`sensitivities`; in B as far as they act in that step
        at : the run's own numbers, as of :meth:`run`

        Returns
        -------
        StepMap : A, B, and the names along their axes

        Raises
        ------
        UsageError, SimulationError : as of :meth:`sensitivities`
        """
        from towsim.run.step_map import step_map

        return step_map(self._of_one_run(at), step, parameters, self.options)

    def _of_row(self, given: Parameters, run: int) -> Scene | TowsimError:
        """The scene of a run, or why there is none."""
        try:
            return self._checked(given.scene(run))
        except TowsimError as error:
            return error

    def _of_one_run(self, at: Mapping[str, Any] | None, duration: float | None = None) -> Scene:
        if not at:
            return self.scene
        given = self._given(at, duration)
        if given.runs is not None:
            raise UsageError(f"these parameters are of {given.runs} runs; derivatives are those of one")
        return self._checked(given.scene())

    def _given(self, parameters: Mapping[str, Any], duration: float | None = None) -> Parameters:
        given = parameters if isinstance(parameters, Parameters) else self.parameters.with_values(parameters)
        refuse_said_twice(given.changed, {"step": self.options.get("step"), "duration": duration})
        return given

    def _checked(self, scene: Scene) -> Scene:
        if scene.outline() != self._outline:
            raise UsageError(
                "this scene has another structure than the compiled one: names, words or lists differ, or a "
                "coefficient that was zero; compile it anew with towsim.compile(parameters.scene())"
            )
        return scene

    def _of_a_run(self, options: OfRun) -> OfRun:
        for name in options:
            if name in declared(Stepped):
                raise UsageError(f"{name} is an option that all runs share; give it to towsim.compile")
        return options


@takes(Stepped)
def compile(scene: Scene, **options: Unpack[Stepped]) -> Model:
    """Make a scene ready for many runs, which may differ in numbers: ``model.run()``, ``model.run_many(...)``.

    Parameters
    ----------
    scene : what to simulate
    options : that all runs share, by name

    Returns
    -------
    Model : with ``parameters``, the numbers of the scene by path

    Raises
    ------
    UsageError, SceneError : as ``simulate``
    """
    for name in options:
        if name in declared(OfRun):
            raise UsageError(f"{name} is an option of a run; give it to model.run")
    step = stepping(scene, options, Stepped).step
    trial = cast(Options, {**options, "step": step, "duration": step})
    simulate(scene, **trial)  # options and start are checked, kernels compiled
    return Model(scene, **options)
