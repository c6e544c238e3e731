"""Carry a load on wires to a target, gently: a Gymnasium environment, and one of many copies, on top of ``Batch``."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from towsim.errors import UsageError
from towsim.given import a_whole_number
from towsim.quote import show
from towsim.rl.episodes import Episodes

Observation = np.ndarray
ONE = np.ones(1, np.bool_)


def _seed(given: Any) -> int | None:
    """A seed as Gymnasium takes it. Raises UsageError if it is none."""
    return None if given is None else a_whole_number("seed", given)


class CarryEnv(gymnasium.Env[Observation, np.ndarray]):
    """n robots or quadcopters carry a load to a random target, on hard wires.

    Observation: target − load (3) [m], velocity of the load (3) [m/s], tensions over the load's weight (n; 0 after
    ``reset``, before a step tells them), then each carrier's position relative to the load, velocity and the like (see
    ``towsim.rl.carriers``).
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
    time_limit : length of an episode [s]; it is cut at the end of the first action that reaches it
    render_mode : "rgb_array" for pictures of 480 x 480 points, or None

    Attributes
    ----------
    observed, acted : what each number of an observation and of an action is, with its unit
    batch : the scene under way, a ``Batch`` of one copy
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
        self.render_mode = render_mode
        self._episodes = Episodes(1, robots, vehicle, mass, step, hold, time_limit, render_mode)
        self.metadata = self.metadata | {"render_fps": self._episodes.rate}
        self.batch = self._episodes.batch
        self.observed, self.acted = self._episodes.observed, self._episodes.acted
        self.observation_space, self.action_space = self._episodes.seen, self._episodes.action

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: a random target within a metre or so, and a load that may sway a little.

        options : {"target": (x, y, z)} [m] in place of a random one
        """
        super().reset(seed=_seed(seed))
        self._episodes.begin(ONE, [self.np_random], options)
        return self._episodes.observation()[0], self._info()

    def step(self, action: np.ndarray) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Hold an action for some time steps."""
        if np.shape(action) != self.action_space.shape:
            raise UsageError(f"an action is {len(self.acted)} finite numbers, got {show(action)}")
        (reward,), (over,), (cut,), why = self._episodes.step(np.asarray(action)[None], ONE)
        info = self._info() | ({"ended": why[0]} if why else {})
        return self._episodes.observation()[0], float(reward), bool(over), bool(cut), info

    def render(self) -> np.ndarray | None:
        """A picture of this moment, (480, 480, 3) uint8, if the render mode is "rgb_array": slack wires are dashed."""
        return None if self.render_mode is None else self._episodes.picture(0)

    def _info(self) -> dict[str, Any]:
        return {"time": float(self.batch.time[0]), "target": self._episodes.target[0].copy()}


class CarryVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """``num_envs`` of ``CarryEnv`` in the copies of one batch, which are stepped by one compiled loop.

    Made by ``gymnasium.make_vec("towsim/Carry-v0", num_envs=256)``. Observations, actions, rewards and ends are those
    of as many ``CarryEnv``, whose seeds are one after the other. An episode that ended begins anew with the next
    step, whose action it does not see (Gymnasium's NEXT_STEP). ``infos["ended"]`` says why those ended that
    ``infos["_ended"]`` tells.

    Parameters
    ----------
    num_envs : n
    options : as of ``CarryEnv``

    Attributes
    ----------
    observed, acted : what each number of an observation and of an action is, with its unit
    batch : the copies
    """

    metadata: dict[str, Any] = {**CarryEnv.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        robots: int = 3,
        vehicle: Literal["robot", "quadcopter"] = "robot",
        mass: float = 1.0,
        step: float = 5e-3,
        hold: int = 10,
        time_limit: float = 10.0,
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        self.num_envs, self.render_mode = num_envs, render_mode
        self._episodes = Episodes(num_envs, robots, vehicle, mass, step, hold, time_limit, render_mode)
        self.metadata = self.metadata | {"render_fps": self._episodes.rate}
        self.batch = self._episodes.batch
        self.observed, self.acted = self._episodes.observed, self._episodes.acted
        self.single_observation_space, self.single_action_space = self._episodes.seen, self._episodes.action
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._draws = [seeding.np_random()[0] for _ in range(num_envs)]
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all episodes, as ``CarryEnv.reset``.

        seed : of the first, others count on from it; or one for each
        options : {"target": (x, y, z)} [m] for all in place of random ones; {"reset_mask": (n,)} to begin some only
        """
        given = dict(options or {})
        some = np.asarray(given.pop("reset_mask", np.ones(self.num_envs, np.bool_)), np.bool_)
        first = None if isinstance(seed, list) else _seed(seed)
        counted = [None if first is None else first + c for c in range(self.num_envs)]
        seeds = [_seed(one) for one in seed] if isinstance(seed, list) else counted
        if len(seeds) != self.num_envs or some.shape != (self.num_envs,):
            raise UsageError(f"seeds and reset_mask are one for each of {self.num_envs} environments")
        for c in np.flatnonzero(some).tolist():
            if seeds[c] is not None:
                self._draws[c] = seeding.np_random(seeds[c])[0]
        self._begin(some, given)
        return self._episodes.observation(), self._info()

    def _begin(self, some: np.ndarray, options: dict[str, Any] | None = None) -> None:
        self._episodes.begin(some, [self._draws[c] for c in np.flatnonzero(some).tolist()], options)
        self._ended[some] = False

    def step(self, actions: np.ndarray) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Hold actions (n, ..) for some time steps; those that ended begin anew instead."""
        anew = self._ended.copy()
        reward, over, cut, why = self._episodes.step(actions, ~anew)
        if anew.any():
            self._begin(anew)
        self._ended = over | cut
        infos = self._info()
        if why:
            infos["ended"] = np.array([why.get(c) for c in range(self.num_envs)], object)
            infos["_ended"] = over.copy()
        return self._episodes.observation(), reward, over, cut, infos

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture of each, see ``CarryEnv.render``."""
        return None if self.render_mode is None else tuple(map(self._episodes.picture, range(self.num_envs)))

    def _info(self) -> dict[str, Any]:
        all_of_them = np.ones(self.num_envs, np.bool_)
        target = self._episodes.target.copy()
        return {"time": self.batch.time, "_time": all_of_them, "target": target, "_target": all_of_them.copy()}
