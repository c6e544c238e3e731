"""The environment keeps Gymnasium's contract, and physics: a load that hovers hovers, seeds decide everything."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import towsim.rl  # noqa: E402
from towsim.errors import UsageError  # noqa: E402

KINDS = [{"robots": 1}, {"robots": 3}, {"robots": 2, "vehicle": "quadcopter"}]


def episode(env, seed, steps=40):
    seen = [env.reset(seed=seed)[0]]
    env.action_space.seed(seed)
    rewards = []
    for _ in range(steps):
        observation, reward, over, cut, _ = env.step(env.action_space.sample())
        seen.append(observation)
        rewards.append(reward)
        if over or cut:
            break
    return np.array(seen), np.array(rewards)


@pytest.mark.parametrize("options", KINDS)
def test_gymnasium_has_nothing_to_complain_about(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # what has no natural bound, as said by the checker itself
        warnings.filterwarnings("ignore", message=".*(infinity|render|normalized|`spec`).*")
        check_env(gymnasium.make("towsim/Carry-v0", **options).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("options", KINDS)
def test_the_seed_decides_the_episode(options):
    env = towsim.rl.CarryEnv(**options)
    one, other, again = (episode(env, seed) for seed in (1, 2, 1))
    assert np.array_equal(one[0], again[0])
    assert np.array_equal(one[1], again[1])
    assert not np.array_equal(one[0][0], other[0][0])


def test_robots_at_rest_keep_the_load_hanging():
    env = towsim.rl.CarryEnv(robots=3)
    env.reset(seed=0)
    for _ in range(50):
        seen, *_ = env.step(np.zeros(9))
    sway = env.simulation["velocity"].sel(body="load").values
    assert np.linalg.norm(sway) < 0.2
    assert env.simulation["position"].sel(body="load", xyz="z").item() == pytest.approx(0.0, abs=0.02)
    assert seen[6:9].sum() == pytest.approx(1.0 / np.cos(np.arctan(0.5)), rel=0.02)  # three wires bear the weight


def test_robots_that_move_together_carry_the_load_along():
    env = towsim.rl.CarryEnv(robots=2)
    env.reset(seed=0, options={"target": (0.5, 0.0, 0.0)})
    before = env.simulation["position"].sel(body="load", xyz="x").item()
    for _ in range(20):
        env.step(np.array([0.5, 0, 0] * 2))
    assert env.simulation["position"].sel(body="load", xyz="x").item() > before + 0.2
    assert env.simulation["robot_position"].sel(robot="robot1", xyz="x").item() == pytest.approx(0.5 + 0.5, abs=1e-9)


def test_a_quadcopter_hovers_with_its_load_and_falls_without_thrust():
    env = towsim.rl.CarryEnv(robots=1, vehicle="quadcopter")
    env.reset(seed=0)
    for _ in range(20):
        _, _, over, _, _ = env.step(np.zeros(4))
    assert not over
    assert env.simulation["position"].sel(body="quadcopter1", xyz="z").item() == pytest.approx(1.0, abs=0.02)
    for _ in range(200):
        _, reward, over, _, _ = env.step(np.array([0.0, 1.0, 0.0, 0.0]))
        if over:
            break
    assert over
    assert reward == towsim.rl.carry.LOST


def test_a_pull_that_is_refused_ends_the_episode():
    env = towsim.rl.CarryEnv(robots=2)
    env.reset(seed=0)
    for _ in range(100):
        _, reward, over, _, info = env.step(np.array([1, 0, 0, -1, 0, 0]))
        if over:
            break
        assert "ended" not in info
    assert over
    assert reward == towsim.rl.carry.LOST
    assert "farther apart" in info["ended"] or "driven apart" in info["ended"]


@pytest.mark.parametrize("target", [(0.5, 0.0), (0.5, 0.0, np.nan)])
def test_a_target_that_is_no_place_is_refused(target):
    with pytest.raises(towsim.UsageError, match="a target is 3 finite numbers"):
        towsim.rl.CarryEnv(robots=2).reset(options={"target": target})


def test_episodes_are_cut_at_their_time_limit():
    env = towsim.rl.CarryEnv(robots=1, time_limit=0.25)
    env.reset(seed=0)
    cuts = [env.step(np.zeros(3))[3] for _ in range(5)]
    assert cuts == [False] * 4 + [True]


def test_a_batch_of_environments_steps_like_single_ones():
    envs = gymnasium.make_vec("towsim/Carry-v0", num_envs=4, vectorization_mode="sync", robots=2)
    seen, _ = envs.reset(seed=7)
    actions = np.linspace(-0.5, 0.5, 24).reshape(4, 6)
    for _ in range(5):
        seen, *_ = envs.step(actions)
    for k in range(4):
        env = towsim.rl.CarryEnv(robots=2)
        env.reset(seed=7 + k)
        for _ in range(5):
            alone, *_ = env.step(np.float32(actions[k]))
        assert np.abs(alone - seen[k]).max() < 1e-6
    envs.close()


@pytest.mark.parametrize("action", [np.zeros(2), np.zeros((3, 3)), np.full(9, np.nan)], ids=["few", "rows", "nan"])
def test_a_wrong_action_is_named(action):
    env = towsim.rl.CarryEnv(robots=3)
    env.reset(seed=0)
    with pytest.raises(UsageError, match="an action is 9 finite numbers"):
        env.step(action)


@pytest.mark.parametrize("options", [{"robots": 0}, {"vehicle": "bird"}, {"render_mode": "human"}])
def test_wrong_options_are_named(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        towsim.rl.CarryEnv(**options)
