"""Does a standard algorithm learn to carry? PPO (Stable-Baselines3, as it comes) on ``towsim/Carry-v0``.

Returns of whole episodes, with starts and targets that the algorithm has not seen: of doing nothing, of the law of the
tutorial (pull towards the target, and brake), and of the policy after so many actions; how many were ended, and how far
from the target the load was at last.

    pip install "towsim[rl]" stable-baselines3
    python benchmarks/learning.py [--vehicle quadcopter] [--robots 3] [--actions 400000] [--seed 0]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

import towsim.rl

EPISODES, UNSEEN = 64, 1_000_000
"""Episodes of a verdict, and the seed of the first."""

COPIES, REPORTS = 16, 8

Policy = Callable[[np.ndarray], np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vehicle", choices=("robot", "quadcopter"), default="robot")
    parser.add_argument("--robots", type=int, default=3)
    parser.add_argument("--actions", type=int, default=400_000, help="in all copies together")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    options = {"robots": arguments.robots, "vehicle": arguments.vehicle}
    acted = len(towsim.rl.CarryEnv(**options).acted)

    print(f"{'policy':24} {'actions':>8} {'return':>8} {'worst':>8} {'m left':>7} {'ended':>6} {'s':>6}")
    tell("nothing", 0, options, lambda seen: np.zeros((len(seen), acted)), 0.0)
    if arguments.vehicle == "robot":
        tell("pull towards, and brake", 0, options, law(arguments.robots), 0.0)
    copies = make_vec_env(towsim.rl.CarryEnv, n_envs=COPIES, seed=arguments.seed, env_kwargs=options)
    learner = PPO("MlpPolicy", copies, seed=arguments.seed, device="cpu")
    spent = 0.0
    for k in range(REPORTS):
        begun = time.perf_counter()
        learner.learn(arguments.actions // REPORTS, reset_num_timesteps=k == 0)
        spent += time.perf_counter() - begun
        tell("PPO", learner.num_timesteps, options, lambda seen: learner.predict(seen, deterministic=True)[0], spent)


def law(robots: int) -> Policy:
    """The first policy of the tutorial."""

    def act(seen: np.ndarray) -> np.ndarray:
        return (seen[:, None, :3] - 1.25 * seen[:, -3 * robots :].reshape(-1, robots, 3)).reshape(len(seen), -1)

    return act


def tell(name: str, actions: int, options: dict[str, object], policy: Policy, spent: float) -> None:
    """A line on how a policy does."""
    many = gymnasium.make_vec("towsim/Carry-v0", num_envs=EPISODES, **options)
    seen, _ = many.reset(seed=UNSEEN)
    total, left, going, refused = np.zeros(EPISODES), np.zeros(EPISODES), np.ones(EPISODES, bool), 0
    low, high = many.single_action_space.low, many.single_action_space.high
    shape = (EPISODES, *many.single_action_space.shape)
    while going.any():
        action = policy(seen).reshape(shape)
        seen, reward, over, cut, _ = many.step(np.clip(action, low, high).astype(np.float32))
        total[going] += reward[going]
        left[going] = np.linalg.norm(seen[going, :3], axis=1)
        refused += int((going & over).sum())
        going &= ~(over | cut)
    many.close()
    row = f"{total.mean():8.2f} {total.min():8.2f} {left.mean():7.3f} {refused:6d} {spent:6.0f}"
    print(f"{name:24} {actions:8d} {row}", flush=True)


if __name__ == "__main__":
    main()
