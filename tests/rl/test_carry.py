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


@pytest.mark.parametrize("options", KINDS)
def test_every_number_seen_and_given_has_a_name_and_a_unit(options):
    env = towsim.rl.CarryEnv(**options)
    seen = dict(zip(env.observed, env.reset(seed=3, options={"target": (0.4, 0.5, 0.6)})[0], strict=True))
    assert len(env.acted) == env.action_space.shape[0] == len(set(env.acted))
    place = env.batch["position"].sel(copy=0, body="load").values
    assert [seen[f"to target[load,{axis}] [m]"] for axis in "xyz"] == pytest.approx([0.4, 0.5, 0.6] - place)
    carrier = f"{options.get('vehicle', 'robot')}{options['robots']}"
    assert seen[f"from load[{carrier},z] [m]"] == pytest.approx(1.0)


def test_a_picture_shows_that_the_load_moved():
    env = towsim.rl.CarryEnv(robots=3, render_mode="rgb_array")
    env.reset(seed=0)
    before = env.render()
    env.step(np.ones(9))
    assert before.shape == (480, 480, 3)
    assert before.dtype == np.uint8
    assert (before != env.render()).any(axis=2).sum() > 50
    assert towsim.rl.CarryEnv().render() is None


def test_tensions_are_seen_from_the_first_action_on():
    env = towsim.rl.CarryEnv(robots=1)
    tension = [one.startswith("tension") for one in env.observed]
    assert env.reset(seed=0)[0][tension].tolist() == [0.0]
    assert env.step(np.zeros(3))[0][tension].item() > 0.5


def test_robots_at_rest_keep_the_load_hanging():
    env = towsim.rl.CarryEnv(robots=3)
    env.reset(seed=0)
    for _ in range(50):
        seen, *_ = env.step(np.zeros(9))
    sway = env.batch["velocity"].sel(copy=0, body="load").values
    assert np.linalg.norm(sway) < 0.2
    assert env.batch["position"].sel(copy=0, body="load", xyz="z").item() == pytest.approx(0.0, abs=0.02)
    assert seen[6:9].sum() == pytest.approx(1.0 / np.cos(np.arctan(0.5)), rel=0.02)  # three wires bear the weight


def test_robots_that_move_together_carry_the_load_along():
    env = towsim.rl.CarryEnv(robots=2)
    env.reset(seed=0, options={"target": (0.5, 0.0, 0.0)})
    before = env.batch["position"].sel(copy=0, body="load", xyz="x").item()
    for _ in range(20):
        env.step(np.array([0.5, 0, 0] * 2))
    assert env.batch["position"].sel(copy=0, body="load", xyz="x").item() > before + 0.2
    assert env.batch["robot_position"].sel(copy=0, robot="robot1", xyz="x").item() == pytest.approx(0.5 + 0.5, abs=1e-9)


def test_a_quadcopter_hovers_with_its_load_and_falls_without_thrust():
    env = towsim.rl.CarryEnv(robots=1, vehicle="quadcopter")
    env.reset(seed=0)
    for _ in range(20):
        _, _, over, _, _ = env.step(np.zeros(4))
    assert not over
    assert env.batch["position"].sel(copy=0, body="quadcopter1", xyz="z").item() == pytest.approx(1.0, abs=0.02)
    for _ in range(200):
        _, reward, over, _, _ = env.step(np.array([0.0, 1.0, 0.0, 0.0]))
        if over:
            break
    assert over
    assert reward == towsim.rl.episodes.LOST


def test_a_pull_that_is_refused_ends_the_episode():
    env = towsim.rl.CarryEnv(robots=2)
    env.reset(seed=0)
    for _ in range(100):
        _, reward, over, _, info = env.step(np.array([1, 0, 0, -1, 0, 0]))
        if over:
            break
        assert "ended" not in info
    assert over
    assert reward == towsim.rl.episodes.LOST
    assert "farther apart" in info["ended"] or "driven apart" in info["ended"]


@pytest.mark.parametrize("target", [(0.5, 0.0), (0.5, 0.0, np.nan), "a", [[1.0], 2.0, 3.0]])
def test_a_target_that_is_no_place_is_refused(target):
    with pytest.raises(towsim.UsageError, match="a target is 3 finite numbers"):
        towsim.rl.CarryEnv(robots=2).reset(options={"target": target})


def still(env, seen):
    return np.zeros(env.action_space.shape)


def crash(env, seen):
    """Robots drive apart, quadcopters turn over."""
    n = env._episodes.carriers.count
    if env.action_space.shape == (4 * n,):
        return np.tile([0.0, 1.0, 0.0, 0.0], n)
    return np.concatenate([[(-1.0) ** k, 0.0, 0.0] for k in range(n)])


def carry(env, seen):
    """Every carrier goes with the load towards the target, from its place of the start beside it."""
    n, off, robots = (
        env._episodes.carriers.count,
        seen[:3],
        env.action_space.shape == (3 * env._episodes.carriers.count,),
    )
    if robots:
        velocity = seen[-3 * n :].reshape(n, 3)
        return np.clip(0.7 * off - 1.4 * velocity, -1.0, 1.0).ravel()
    pose, rate = seen[6 + n :][: 7 * n].reshape(n, 7), seen[6 + 8 * n :].reshape(n, 6)
    angle = 2.0 * np.pi * np.arange(n) / n
    beside = 0.3 * (n > 1) * np.stack([np.cos(angle), np.sin(angle), np.zeros(n)], axis=1) + [0.0, 0.0, 1.0]
    pull = seen[6 : 6 + n, None] * 9.81 * beside  # outwards, against the wires [N]
    asked = np.clip(off + beside - pose[:, :3], -0.4, 0.4) - 1.6 * rate[:, :3] + pull * [1.0, 1.0, 0.0]
    tilt = np.clip(np.stack([-asked[:, 1], asked[:, 0]], axis=1) / 9.81, -0.4, 0.4)
    turned = 2.0 * pose[:, 4:6] * np.sign(pose[:, 3:4])
    torque = 8.0 * (tilt - turned) - 2.4 * rate[:, 3:5]
    thrust = 0.1 * asked[:, 2:]
    return np.clip(np.concatenate([thrust, torque, np.zeros((n, 1))], axis=1), -1.0, 1.0).ravel()


CREWS = [*(("robot", n) for n in (1, 2, 3, 6)), *(("quadcopter", n) for n in (1, 2, 4))]


@pytest.mark.parametrize(("vehicle", "robots"), CREWS)
def test_crashing_returns_less_than_standing_still_and_carrying_more(vehicle, robots):
    env = towsim.rl.CarryEnv(robots=robots, vehicle=vehicle)
    returns = {}
    for law in (still, carry, crash):
        seen, _ = env.reset(seed=3, options={"target": (0.6, -0.4, 0.3)})
        total, over, cut = 0.0, False, False
        while not (over or cut):
            seen, reward, over, cut, _ = env.step(law(env, seen))
            total += reward
        returns[law] = total
        assert over == (law is crash and (vehicle, robots) != ("robot", 1))
    away = float(np.linalg.norm([0.6, -0.4, 0.3]))
    assert returns[crash] < returns[still] < returns[carry]
    assert returns[still] > -1.5 * away  # 0.1 a metre and second, for 10 s; some loads sway towards the target
    assert returns[carry] > 0.5 * away


def test_episodes_are_cut_at_their_time_limit():
    env = towsim.rl.CarryEnv(robots=1, time_limit=0.25)
    env.reset(seed=0)
    cuts = [env.step(np.zeros(3))[3] for _ in range(5)]
    assert cuts == [False] * 4 + [True]


@pytest.mark.parametrize("options", [{"robots": 2, "time_limit": 2.0}, {"robots": 2, "vehicle": "quadcopter"}])
def test_many_environments_are_as_many_single_ones(options):
    """Bit for bit, through ends and the beginnings after them."""
    many = gymnasium.make_vec("towsim/Carry-v0", num_envs=4, **options)
    assert isinstance(many.unwrapped, towsim.rl.CarryVectorEnv)
    alone = [towsim.rl.CarryEnv(**options) for _ in range(4)]
    seen, infos = many.reset(seed=7)
    assert np.array_equal(seen, [env.reset(seed=7 + k)[0] for k, env in enumerate(alone)])
    assert infos["target"].shape == (4, 3)
    many.action_space.seed(0)
    push = np.linspace(0.0, 1.5, 4)[:, None]
    ended, reasons = [False] * 4, set()
    for _ in range(60):
        actions = np.clip(push + 0.3 * many.action_space.sample(), -1.0, 1.0)
        actions[1:, 0] = -1.0 if "vehicle" not in options else actions[1:, 0]
        seen, rewards, over, cut, infos = many.step(actions)
        for k, env in enumerate(alone):
            if ended[k]:
                one, reward, end, late, info = env.reset()[0], 0.0, False, False, {}
            else:
                one, reward, end, late, info = env.step(actions[k])
            assert np.array_equal(seen[k], one)
            assert (rewards[k], over[k], cut[k]) == (reward, end, late)
            assert ("ended" in info) == bool(infos.get("_ended", np.zeros(4, bool))[k])
            if "ended" in info:
                assert infos["ended"][k] == info["ended"]
                reasons.add(info["ended"][:20])
            ended[k] = end or late
    assert reasons
    many.close()


def test_many_environments_show_themselves_and_begin_by_a_mask():
    many = towsim.rl.CarryVectorEnv(2, robots=3, render_mode="rgb_array")
    many.reset(seed=[3, 4])
    frames = many.render()
    assert len(frames) == 2
    assert (frames[0] != frames[1]).any()
    many.step(np.zeros((2, 9)))
    many.reset(options={"reset_mask": np.array([True, False]), "target": (0.1, 0.2, 0.3)})
    assert many.batch.time.tolist() == [0.0, pytest.approx(0.05)]
    assert many.step(np.zeros((2, 9)))[4]["target"][0] == pytest.approx([0.1, 0.2, 0.3])
    with pytest.raises(UsageError, match="one for each of 2"):
        many.reset(seed=[1])


@pytest.mark.parametrize("action", [np.zeros(2), np.zeros((3, 3)), np.full(9, np.nan)], ids=["few", "rows", "nan"])
def test_a_wrong_action_is_named(action):
    env = towsim.rl.CarryEnv(robots=3)
    env.reset(seed=0)
    with pytest.raises(UsageError, match="an action is 9 finite numbers"):
        env.step(action)


WRONG = [{"robots": 0}, {"robots": True}, {"robots": 1.5}, {"vehicle": "bird"}, {"render_mode": "human"}]
WRONG += [{"hold": hold} for hold in (0, -1, 1.5, True)]
WRONG += [{"time_limit": limit} for limit in (0, -1.0, np.nan, "10")]


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_wrong_options_are_named(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        towsim.rl.CarryEnv(**options)


@pytest.mark.parametrize("seed", ["a", -1, 1.5, True])
def test_a_seed_that_is_none_is_named(seed):
    one, many = towsim.rl.CarryEnv(robots=1), towsim.rl.CarryVectorEnv(2, robots=1)
    for env, given in ((one, seed), (many, seed), (many, [0, seed])):
        with pytest.raises(UsageError, match="seed must be a whole number"):
            env.reset(seed=given)
    seen, _ = one.reset(seed=np.int64(3))
    np.testing.assert_array_equal(many.reset(seed=np.int64(3))[0][0], seen)


def test_an_episode_begins_with_a_reset_whose_options_are_known():
    one, many = towsim.rl.CarryEnv(robots=1), towsim.rl.CarryVectorEnv(2, robots=1)
    for env in (one, many):
        with pytest.raises(UsageError, match=r"begins with reset\(\)"):
            env.step(np.zeros(env.action_space.shape))
        with pytest.raises(UsageError, match="unknown option of reset 'targt': did you mean 'target'"):
            env.reset(options={"targt": (0.0, 0.0, 1.0)})
    many.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(UsageError, match=r"begins with reset\(\)"):
        many.step(np.zeros((2, 3)))
    many.reset(options={"reset_mask": np.array([False, True])})
    assert many.step(np.zeros((2, 3)))[1].shape == (2,)


def test_a_cross_entropy_search_learns_to_carry():
    """From nothing: gains of each axis on target − load, the load's velocity and the robot's own, by returns alone."""
    many = gymnasium.make_vec("towsim/Carry-v0", num_envs=64, robots=3, time_limit=4.0)
    rng = np.random.default_rng(0)

    def returns(gains):
        seen, _ = many.reset(seed=5)
        total, going = np.zeros(64), np.ones(64, bool)
        for _ in range(80):
            parts = seen[:, None, :3], seen[:, None, 3:6], seen[:, -9:].reshape(64, 3, 3)
            action = sum(gains[:, None, k] * part for k, part in enumerate(parts))
            seen, reward, over, cut, _ = many.step(np.clip(action, -1.0, 1.0).reshape(64, 9))
            total += np.where(going, reward, 0.0)
            going &= ~(over | cut)
        return total

    still = returns(np.zeros((64, 3, 3))).mean()
    mean, spread = np.zeros((3, 3)), np.ones((3, 3))
    for _ in range(8):
        gains = mean + spread * rng.normal(size=(64, 3, 3))
        best = gains[np.argsort(returns(gains))[-10:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
    learnt = returns(np.broadcast_to(mean, (64, 3, 3))).mean()
    away = np.linalg.norm(many.reset(seed=5)[0][:, :3], axis=1).mean()
    assert learnt > 0.5 * away > 0.0 > still


@pytest.mark.parametrize(("step", "hold", "rate"), [(5e-3, 10, 20), (1e-2, 1, 100), (5e-3, 7, 29), (1e-2, 300, 1)])
def test_pictures_are_shown_as_fast_as_actions_follow(step, hold, rate):
    one = gymnasium.make("towsim/Carry-v0", step=step, hold=hold)
    many = gymnasium.make_vec("towsim/Carry-v0", num_envs=2, step=step, hold=hold)
    assert one.metadata["render_fps"] == many.metadata["render_fps"] == rate
    assert one.unwrapped.metadata["render_modes"] == many.metadata["render_modes"] == ["rgb_array"]
    assert type(one.unwrapped).metadata["render_fps"] == 20  # others have their own
