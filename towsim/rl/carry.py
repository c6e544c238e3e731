"""Carry a load on wires to a target, gently: a Gymnasium environment on top of ``Simulation``."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np

from towsim.errors import SimulationError, UsageError
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.rl.carriers import Carriers, Quadcopters, Robots, each
from towsim.run import Simulation

Observation = np.ndarray
VEHICLES = ("robot", "quadcopter")
AWAY, EFFORT = 0.1, 0.01
"""What a metre off the target costs, and all carriers at full action, in a second."""

LOST = -10.0
"""Reward of a pull that is refused, or of a quadcopter that falls: less than standing still returns in an episode."""


class CarryEnv(gymnasium.Env[Observation, np.ndarray]):
    """n robots or quadcopters carry a load to a random target, on hard wires.

    Observation: target − load (3) [m], velocity of the load (3) [m/s], tensions over the load's weight (n), then each
    carrier's position relative to the load, velocity and the like (see ``towsim.rl.carriers``).
    Action, each in −1..1: acceleration of each robot (3 n), or thrust about hovering and three torques of each
    quadcopter (4 n). Ends when a pull is refused or a quadcopter falls (``info["ended"]`` says why), and is cut at
    ``time_limit``.

    Reward of an action that holds for τ seconds, with the distance d [m] from the target before and d' after it:
    d − d' − 0.1 d' τ − 0.01 τ |action|²/n − impulses of jerks over the load's weight × 1 s; −10 for an end as above.
    A distance that does not change costs 0.1 d a second, far less than to end. Progress is a difference of potentials,
    which leaves the best policy what it is (Ng, Harada & Russell, ICML 1999), but is felt at once.

    Parameters
    ----------
    robots : n
    vehicle : "robot" (its motion is commanded) or "quadcopter" (its thrust and torques are)
    mass : of the load [kg]
    step : time step [s];  hold : steps for which an action holds
    time_limit : length of an episode [s]
    render_mode : "rgb_array" for pictures of 480 x 480 points, or None

    Attributes
    ----------
    observed, acted : what each number of an observation and of an action is, with its unit
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 20}  # noqa: RUF012  (Gymnasium has it so)

    def __init__(
        self,
        robots: int = 3,
        vehicle: Literal["robot", "quadcopter"] = "robot",
        mass: float = 1.0,
        step: float = 5e-3,
        hold: int = 10,
        time_limit: float = 10.0,
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        if not (isinstance(robots, int) and robots >= 1):
            raise UsageError(f"robots must be a whole number >= 1, got {show(robots)}")
        if vehicle not in VEHICLES:
            raise UsageError(f"vehicle must be one of {', '.join(VEHICLES)}, got {show(vehicle)}")
        if render_mode not in (None, "rgb_array"):
            raise UsageError(f'render_mode must be "rgb_array" or None, got {show(render_mode)}')
        self.render_mode = render_mode
        self._carriers: Carriers = Robots(robots, mass) if vehicle == "robot" else Quadcopters(robots, mass)
        self.simulation = Simulation(
            self._carriers.scene, step=step, method="stewart-trinkle", forces=self._carriers.forces, record=False
        )
        self._hold, self._limit, self._weight = hold, time_limit, 9.81 * mass
        self._target: Floats = np.zeros(3)
        self._away = 0.0
        self.observed = (
            *each("to target", ["load"], "xyz", "m"),
            *each("velocity", ["load"], "xyz", "m/s"),
            *(f"tension[{wire}] [weight of the load]" for wire in self._carriers.scene.wires),
            *self._carriers.seen,
        )
        self.acted = self._carriers.actions
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.observed),), np.float64)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self.acted),), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: a random target within a metre or so, and a load that may sway a little.

        options : {"target": (x, y, z)} [m] in place of a random one
        """
        super().reset(seed=seed)
        self.simulation.reset()
        self._carriers.begin(self.simulation)
        sway = 0.05 * self.np_random.normal(size=2)
        self.simulation.place("load", velocity=[*sway, 0.0])
        drawn = self.np_random.uniform([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0])
        self._target = np.array((options or {}).get("target", drawn), float)
        if self._target.shape != (3,) or not np.isfinite(self._target).all():
            raise UsageError(f"a target is 3 finite numbers [m], got {show((options or {})['target'])}")
        seen = self._observation()
        self._away = float(np.linalg.norm(seen[:3]))
        return seen, self._info()

    def step(self, action: np.ndarray) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Hold an action for some time steps."""
        sim = self.simulation
        given = np.asarray(action, float)
        if given.shape != self.action_space.shape or not np.isfinite(given).all():
            raise UsageError(f"an action is {len(self.acted)} finite numbers, got {show(action)}")
        given = np.clip(given, -1.0, 1.0)
        self._carriers.act(sim, given, self._hold * sim.h)
        jerks, ended = 0.0, ""
        try:
            sim.step(self._hold)
            jerks = sum(event.impulse for event in sim.events if event.kind == "jerk")
            if self._carriers.lost(sim):
                ended = "a quadcopter is upside down, or nearly so"
        except SimulationError as error:
            ended = str(error)
        seen = self._observation()
        before, self._away = self._away, float(np.linalg.norm(seen[:3]))
        rate = AWAY * self._away + EFFORT * float(given @ given) / self._carriers.count
        reward = before - self._away - rate * self._hold * sim.h - jerks / self._weight
        info = self._info() | ({"ended": ended} if ended else {})
        return seen, LOST if ended else reward, bool(ended), sim.time >= self._limit - 1e-9, info

    def render(self) -> np.ndarray | None:
        """A picture of this moment, (480, 480, 3) uint8, if the render mode is "rgb_array": slack wires are dashed."""
        if self.render_mode is None:
            return None
        from towsim.pictures.episode import picture

        sim = self.simulation
        taut = np.nan_to_num(sim["tension"].values) > 0.0
        return picture(sim.state.q[:3], self._carriers.places(sim), taut, self._target, sim.time)

    def _observation(self) -> Observation:
        state = self.simulation.state
        load = state.q[:3]
        tension = np.nan_to_num(self.simulation["tension"].values) / self._weight
        parts = (self._target - load, state.v[:3], tension, self._carriers.observe(self.simulation, load))
        seen: Observation = np.nan_to_num(np.concatenate(parts))
        return seen

    def _info(self) -> dict[str, Any]:
        return {"time": self.simulation.time, "target": self._target.copy()}
