"""Episodes in which loads are carried to targets, one in each copy of a batch: what is seen, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np

from towsim.errors import UsageError
from towsim.given import a_whole_number
from towsim.model.arrays import Flags, Floats
from towsim.quote import show
from towsim.rl.carriers import Carriers, Quadcopters, Robots, each
from towsim.run import Batch
from towsim.run.options import NUMBER
from towsim.suggest import unknown

VEHICLES = ("robot", "quadcopter")
AWAY, EFFORT = 0.1, 0.01
"""What a metre off the target costs, and all carriers at full action, in a second."""

MOST_ROBOTS = 1000

MOST_HELD = 10**6
"""Steps for which an action holds at most."""

LOST = -10.0
"""Reward of a pull that is refused, or of a quadcopter that falls: less than standing still returns in an episode."""


class Episodes:
    """n episodes; arrays have an axis of the copies in front. Options as of ``CarryEnv``.

    Attributes
    ----------
    batch : the copies
    observed, acted : what each number of an observation and of an action is, with its unit
    seen, action : spaces of one episode's observations and actions
    """

    def __init__(
        self,
        n: int,
        robots: int,
        vehicle: Literal["robot", "quadcopter"],
        mass: float,
        step: float,
        hold: int,
        time_limit: float,
        render_mode: Literal["rgb_array"] | None,
    ) -> None:
        a_whole_number("robots", robots, 1, MOST_ROBOTS)
        if vehicle not in VEHICLES:
            raise UsageError(f"vehicle must be one of {', '.join(VEHICLES)}, got {show(vehicle)}")
        a_whole_number("hold", hold, 1, MOST_HELD)
        if not (isinstance(time_limit, NUMBER) and not isinstance(time_limit, bool) and time_limit > 0.0):
            raise UsageError(f"time_limit must be a number of seconds > 0, got {show(time_limit)}")
        if render_mode not in (None, "rgb_array"):
            raise UsageError(f'render_mode must be "rgb_array" or None, got {show(render_mode)}')
        self.carriers: Carriers = Robots(robots, mass, n) if vehicle == "robot" else Quadcopters(robots, mass)
        self.batch = Batch(self.carriers.scene, n, step=step, method="stewart-trinkle", forces=self.carriers.forces)
        self._hold, self._limit, self._weight = hold, time_limit, 9.81 * mass
        self._state = self.batch.state  # when it was looked at last
        self.target: Floats = np.zeros((n, 3))
        self._away: Floats = np.zeros(n)
        self._begun = np.zeros(n, np.bool_)
        self.observed = (
            *each("to target", ["load"], "xyz", "m"),
            *each("velocity", ["load"], "xyz", "m/s"),
            *(f"tension[{wire}] [weight of the load]" for wire in self.carriers.scene.wires),
            *self.carriers.seen,
        )
        self.acted = self.carriers.actions
        self.seen = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.observed),), np.float64)
        self.action = gymnasium.spaces.Box(-1.0, 1.0, (len(self.acted),), np.float32)

    @property
    def rate(self) -> int:
        """Actions in a second, rounded: how fast pictures are to be shown, one an action; 1 at least."""
        return max(1, round(1.0 / (self._hold * self.batch.h)))

    def begin(
        self, copies: Flags, draws: Sequence[np.random.Generator], options: Mapping[str, Any] | None = None
    ) -> None:
        """Begin episodes anew in some copies, each with its own generator: a random target, a load that sways a little.

        options : {"target": (3,)} in place of random ones [m]

        Raises
        ------
        UsageError : another option, or a target that is no place
        """
        for name in options or {}:
            if name != "target":
                raise UsageError(unknown("option of reset", name, ["target"]))
        target = (options or {}).get("target")
        given = None if target is None else _place(target)
        velocity = np.zeros((len(draws), 3))
        drawn = np.zeros((len(draws), 3))
        for k, draw in enumerate(draws):
            velocity[k, :2] = 0.05 * draw.normal(size=2)
            drawn[k] = draw.uniform([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0])
        self.batch.reset(copies)
        self.carriers.begin(self.batch, copies)
        self.batch.place("load", velocity=velocity, copies=copies)
        self._state = self.batch.state
        self.target[copies] = drawn if given is None else given
        self._away[copies] = self._distance()[copies]
        self._begun[copies] = True

    def step(self, action: Any, going: Flags) -> tuple[Floats, Flags, Flags, dict[int, str]]:
        """Hold actions (n, ..) for some time steps in the copies that are going.

        Returns
        -------
        (rewards, whether it has ended, whether its time is over), (n,) each, of copies that are not going 0 and False;
        and why episodes ended, by copy

        Raises
        ------
        UsageError : actions are no finite numbers, or an episode has not begun
        """
        batch, carriers = self.batch, self.carriers
        if not self._begun[going].all():
            raise UsageError("an episode begins with reset(): call it before the first step()")
        given = np.asarray(action, float)
        if given.shape != (batch.n, len(self.acted)) or not np.isfinite(given).all():
            raise UsageError(f"an action is {len(self.acted)} finite numbers, got {show(action)}")
        given = np.minimum(np.maximum(given, -1.0), 1.0)
        duration = self._hold * batch.h
        every = bool(going.all())
        carriers.act(batch, given if every else given[going], duration, None if every else going)
        batch.step(self._hold, going)
        why = {c: str(one) for c, one in batch.failures.items() if going[c]}
        self._state = batch.state
        lost = going & carriers.lost(self._state)
        if lost.any():
            why = dict.fromkeys(np.flatnonzero(lost).tolist(), "a quadcopter is upside down, or nearly so") | why
        before, self._away = self._away, self._distance()
        rate = AWAY * self._away + EFFORT * np.einsum("ij,ij->i", given, given) / carriers.count
        reward = np.where(going, before - self._away - rate * duration - batch.impulses() / self._weight, 0.0)
        over = np.zeros(batch.n, np.bool_)
        if why:
            over[list(why)] = True
            reward[over] = LOST
        return reward, over, going & (batch.time >= self._limit - 1e-9), why

    def observation(self) -> Floats:
        """What is seen, (n, ..): see ``observed``."""
        state = self._state
        load = state.q[:, :3]
        tension = self.batch["tension"].values / self._weight
        tension[np.isnan(tension)] = 0.0  # before it is known
        parts = self.target - load, state.v[:, :3], tension, self.carriers.observe(state, load)
        return np.concatenate(parts, axis=1)

    def picture(self, c: int) -> np.ndarray:
        """A picture of copy c, (480, 480, 3) uint8: slack wires are dashed."""
        from towsim.pictures.episode import picture

        taut = np.nan_to_num(self.batch["tension"].values[c]) > 0.0
        state = self.batch.state
        load, carriers = state.q[c, :3], self.carriers.places(state)[c]
        return picture(load, carriers, taut, self.target[c], float(self.batch.time[c]))

    def _distance(self) -> Floats:
        off = self.target - self._state.q[:, :3]
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", off, off)), np.float64)


def _place(target: Any) -> Floats:
    """A target (3,). Raises UsageError if it is none."""
    try:
        place = np.array(target, float)
    except (TypeError, ValueError, OverflowError):
        place = np.empty(0)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise UsageError(f"a target is 3 finite numbers [m], got {show(target)}")
    return place
