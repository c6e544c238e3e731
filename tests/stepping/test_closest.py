"""Rows that contradict each other by no more than the method errs are met in the sense of least squares.

A pull that ends exactly taut, hard wires in a closed set whose lengths are exact, joints of an overconstrained
mechanism: their gaps agree, and the linear problem of a step, which holds to the order of the method, does not.
"""

import math

import numpy as np
import pytest

import towsim
from solvers.active_set.envelope import from_dense
from solvers.active_set.loop import workspace
from towsim.analysis.verify import totals
from towsim.analysis.verify_case import BUILT_IN, load_case
from towsim.errors import RefusedError
from towsim.methods.closest import closest
from towsim.results import STATUS_FLAGS
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81


def pulled_to(reach):
    """Two robots that go by a quintic from ±0.5 m to ±reach in 2 s and stop there, a load on 1 m wires between them."""
    return scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"load": {"mass": 1.0, "point": True, "position": [0, 0, 0]}},
            "robots": {
                name: {
                    "motion": {
                        "waypoints": {"t": [0, 2], "position": [[0.5 * x, 0, 0], [reach * x, 0, 0]], "kind": "quintic"}
                    }
                }
                for name, x in (("west", -1), ("east", 1))
            },
            "wires": {name: {"from": "load", "to": name, "length": 1.0} for name in ("west", "east")},
        }
    )


@pytest.mark.parametrize("step", [1e-2, 3e-3, 1e-3])
@pytest.mark.parametrize("method", METHODS)
def test_a_pull_may_end_exactly_taut(method, step):
    result = towsim.simulate(pulled_to(1.0), duration=2.5, step=step, method=method)
    assert result["gap"].values.min() > -1e-12
    assert np.abs(result["gap"].values[-1]).max() < 1e-12
    assert np.abs(result["position"].values).max() < 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_a_pull_that_ends_beyond_reach_is_refused(method):
    """By 0.1 mm, 0.05 s before the end of the motion."""
    scene = pulled_to(1.0001)
    t = np.linspace(0.0, 2.0, 200_001)
    place, velocity, _ = scene.robots["east"].sample(t)
    k = int(np.argmax(place[:, 0] > 1.0))
    with pytest.raises(RefusedError) as caught:
        towsim.simulate(scene, duration=2.5, step=1e-3, method=method)
    assert set(caught.value.wires) == {"west", "east"}
    assert caught.value.time == pytest.approx(t[k], abs=2.01e-3)
    assert caught.value.speed == pytest.approx(2.0 * velocity[k, 0], rel=0.05)


WINCHES = {  # where a winch stands, and its lug on the platform
    "nw": ((-2, 0, 2), (-0.2, 0, 0.1)),
    "ne": ((2, 0, 2), (0.2, 0, 0.1)),
    "sw": ((-2, 0, -2), (-0.2, 0, -0.1)),
    "se": ((2, 0, -2), (0.2, 0, -0.1)),
    "n": ((0.3, 0, 2.5), (0, 0, 0.1)),
    "s": ((-0.4, 0, -2.2), (0, 0, -0.1)),
}
PATH = ("0.5*sin(t)", "0", "0.4*cos(1.3*t) - 0.4")


def distance(path, lug, corner):
    """The length of a wire from a lug of a platform that moves without turning, as a formula."""
    return (
        "sqrt(" + " + ".join(f"({x} + ({a!r}) - ({b!r}))**2" for x, a, b in zip(path, lug, corner, strict=True)) + ")"
    )


def platform(n, *, turns, short=0.0, path=PATH):
    """A platform in a plane on n winches with exact lengths; one hauls in ``short`` [m/s] more than that."""
    names = list(WINCHES)[:n]
    lugs = {name: [float(x) for x in (WINCHES[name][1] if turns else (0, 0, 0))] for name in names}
    lengths = {name: distance(path, lugs[name], WINCHES[name][0]) for name in names}
    lengths["nw"] += f" - {short!r}*t"
    body = {"mass": 3.0, "position": [0.0, 0.0, 0.0], "velocity": [0.5 * (path == PATH), 0, 0]}
    body |= {"points": lugs, "shape": {"box": [0.4, 0.2, 0.2]}} if turns else {"point": True}
    return scene_from_data(
        {
            "bodies": {"load": body},
            "robots": {name: {"position": [float(x) for x in WINCHES[name][0]]} for name in names},
            "wires": {
                name: {"from": f"load.{name}" if turns else "load", "to": name, "length": {"formula": lengths[name]}}
                for name in names
            },
        }
    )


def path_of(t):
    return np.stack([0.5 * np.sin(t), 0.0 * t, 0.4 * np.cos(1.3 * t) - 0.4], axis=-1)


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("n", [4, 6])
@pytest.mark.parametrize(("method", "step", "error"), [("stewart-trinkle", 1e-2, 1e-4), ("shake", 1e-2, 1e-7)])
def test_more_winches_than_a_platform_needs_carry_it_along_its_path(method, step, error, n, turns):
    """Where it is is a matter of lengths alone: to O(h²) (Stewart–Trinkle) and O(h⁴) of a gap."""
    result = towsim.simulate(platform(n, turns=turns), duration=3.0, step=step, method=method)
    taut = (result["tension"].values[1:] > 0.0).sum(axis=1) >= 2
    off = np.abs(result["position"].values[:, 0] - path_of(np.asarray(result.time)))
    assert off[1:][taut].max() < error
    assert result["gap"].values.min() > -error
    tension = result["tension"].values[1:]
    assert np.isfinite(tension).all()
    assert tension.max() < 10 * 3.0 * G  # some times the weight, no impulses that brace wires against each other
    assert result["status"].values[-1] in (STATUS_FLAGS["solved"], STATUS_FLAGS["closest"])  # SHAKE's last kick, too


def test_multistep_methods_meet_redundant_wires_as_closely_as_the_others():
    """Six exact wires, at rest and along a path, from first steps of h/256, whose rounding weighs 256-fold."""
    for path, rate in ((PATH, 1.0), (("0", "0", "0"), 0.0)):
        result = towsim.simulate(platform(6, turns=True, path=path), duration=0.3, step=2e-3, method="bdf2")
        assert np.abs(result["position"].values[:, 0] - path_of(rate * np.asarray(result.time))).max() < 1e-12
        assert result["tension"].values[1:].max() < 10 * 3.0 * G


@pytest.mark.parametrize("method", ["bdf1", "bdf2", "bdf3"])
@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_multistep_methods_refuse_a_wire_that_is_hauled_in_too_far_in_their_first_step(n, method):
    """Whatever the last bits of the impulses: where they were looked at once more, steps of 1e-6 m were taken."""
    for step in (2e-3, 1e-3):
        with pytest.raises(RefusedError, match=rf"at t = {step:g} s .* driven apart at 0\.00099"):
            towsim.simulate(platform(n, turns=True, short=1e-3), duration=0.1, step=step, method=method)


@pytest.mark.parametrize(("method", "error"), [("stewart-trinkle", 1e-6), ("shake", 1e-10)])
def test_wires_that_are_all_but_dependent_are_not_braced_against_each_other(method, error):
    """Of eight wires on crossed corners five hold, and a sixth all but none: no tension of 1e8 N comes from that."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    robots = {f"post{k}": {"position": [2.0 * x, 2.0 * y, 1.5 + 1.5 * z]} for k, (x, y, z) in enumerate(corners)}
    points = {f"p{k}": [0.3 * x, 0.3 * y, -0.2 * z] for k, (x, y, z) in enumerate(corners)}
    path = ("0.3*sin(t)", "0", "1.5")
    wires = {
        f"c{k}": {
            "from": f"platform.p{k}",
            "to": f"post{k}",
            "length": {"formula": distance(path, points[f"p{k}"], robots[f"post{k}"]["position"])},
        }
        for k in range(8)
    }
    platform = {"mass": 20.0, "shape": {"box": [0.6, 0.6, 0.4]}, "position": [0, 0, 1.5], "points": points}
    scene = scene_from_data({"bodies": {"platform": platform}, "robots": robots, "wires": wires})
    result = towsim.simulate(scene, duration=1.0, step=1e-3, method=method)
    assert result["position"].values[-1, 0, 0] == pytest.approx(0.3 * math.sin(1.0), abs=error)
    assert result["tension"].values[1:].max() < 20.0 * G


@pytest.mark.parametrize("method", METHODS)
def test_a_box_on_eight_winches_follows_exact_lengths(method):
    path = ("0.3*sin(t)", "0.3*cos(t) - 0.3", "0.2*sin(0.7*t)")
    robots, wires, lugs = {}, {}, {}
    for i, (x, y, z) in enumerate((x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)):
        corner, lug = (2.0 * x, 2.0 * y, 1.5 * z), (0.2 * x, 0.15 * y, -0.1 * z)
        robots[f"r{i}"], lugs[f"p{i}"] = {"position": list(corner)}, list(lug)
        wires[f"w{i}"] = {"from": f"box.p{i}", "to": f"r{i}", "length": {"formula": distance(path, lug, corner)}}
    box = {"mass": 3.0, "shape": {"box": [0.4, 0.3, 0.2]}, "points": lugs, "velocity": [0.3, 0, 0.14]}
    scene = scene_from_data({"bodies": {"box": box}, "robots": robots, "wires": wires})
    result = towsim.simulate(scene, duration=2.0, step=1e-2, method=method)
    end = (0.3 * math.sin(2), 0.3 * math.cos(2) - 0.3, 0.2 * math.sin(1.4))
    assert result["position"].values[-1, 0] == pytest.approx(end, abs=1e-4)
    assert result["tension"].values[1:].max() < 10 * 3.0 * G


@pytest.mark.parametrize(("method", "short"), [("stewart-trinkle", 0.01), ("shake", 0.01), ("shake", 1e-4)])
def test_lengths_that_do_not_agree_are_refused_at_their_speed(method, short):
    """The four tensions that balance are as large as each other, so that wires part at the speed of the one winch."""
    with pytest.raises(RefusedError, match=r"overdetermined.*elastic") as caught:
        towsim.simulate(platform(4, turns=True, short=short), duration=3.0, step=1e-3, method=method)
    assert caught.value.speed == pytest.approx(short, rel=1e-2)
    assert caught.value.time <= 2e-3
    assert set(caught.value.wires) == {"nw", "ne", "sw", "se"}


def test_lengths_that_part_by_less_than_the_method_errs_are_refused_by_the_stretch_they_add_up_to():
    with pytest.raises(RefusedError, match=r"overdetermined.*elastic") as caught:
        towsim.simulate(platform(4, turns=True, short=2e-3), duration=3.0, step=2e-3)
    result = caught.value.result
    assert (result["gap"].values >= -1e-3 * result["length"].values).all()
    assert result["residual"].values[1:].max() > 1e-6  # and it shows all the time


def test_a_stretch_after_lengths_have_parted_is_put_down_to_them_and_not_to_the_step():
    """A platform turns as it goes round, on four winches of which one hauls in 1 mm/s too much."""
    sway = "0.5*(1 - cos(1.2*t))"
    path = (f"0.5*sin({sway})", "0", f"1 - 0.5*cos({sway})")
    posts = {"nw": (-1.5, 0.0, 2.0), "ne": (1.5, 0.0, 2.0), "se": (1.5, 0.0, 0.0), "sw": (-1.5, 0.0, 0.0)}
    lugs = {"nw": (-0.08, 0.0, 0.05), "ne": (0.08, 0.0, 0.05), "se": (0.08, 0.0, -0.05), "sw": (-0.08, 0.0, -0.05)}
    lengths = {name: distance(path, lugs[name], posts[name]) for name in posts}
    scene = scene_from_data(
        {
            "bodies": {"p": {"mass": 3.0, "inertia": [0.02] * 3, "position": [0, 0, 0.5], "points": lugs}},
            "robots": {name: {"position": place} for name, place in posts.items()},
            "wires": {
                name: {
                    "from": f"p.{name}",
                    "to": name,
                    "length": {"formula": lengths[name] + " - 0.001*t" * (name == "nw")},
                }
                for name in posts
            },
        }
    )
    with pytest.raises(RefusedError, match=r"contradict each other.*overdetermined.*elastic"):
        towsim.simulate(scene, duration=1.0, step=1e-3)


@pytest.mark.parametrize("solver", ["active-set", "lemke"])
def test_python_loops_do_the_same(solver):
    scene = platform(4, turns=True)
    result = towsim.simulate(scene, duration=1.0, step=1e-2, solver=solver, loop="python")
    compiled = towsim.simulate(scene, duration=1.0, step=1e-2)
    assert np.abs(result["position"].values - compiled["position"].values).max() < 1e-7


def test_what_rows_are_off_by_is_recorded():
    """Where wires are too many for what the linear problem can meet, the residual says by how much."""
    runs = [towsim.simulate(platform(4, turns=True), duration=2.0, step=h) for h in (1e-2, 5e-3)]
    coarse, fine = (run["residual"].values[1:].max() for run in runs)
    for run in runs:  # and the status which steps these are, the summary how many
        met = run["status"].values == STATUS_FLAGS["closest"]
        assert (met[1:] >= (run["residual"].values[1:] > 1e-9)).all()
        assert run.summary().closest == np.count_nonzero(met) > 0
        assert run.summary().unsolved == 0
        assert f"closest   {np.count_nonzero(met)} steps" in str(run.summary())
    assert coarse > 1e-7
    assert fine < 0.6 * coarse  # rows are off by O(h²), and the residual is in units of what q is, O(h)


@pytest.mark.parametrize("method", METHODS)
def test_ranges_of_tensions_hold_those_of_the_run(method):
    """The examined problem is the one that was solved: what the run recorded is one of its answers."""
    result = towsim.simulate(platform(4, turns=False), duration=2.0, step=1e-2, method=method)
    found = towsim.analysis.uniqueness(result, every=7)
    assert 1 <= found.null_dimension.max() <= 2  # four wires, two degrees of freedom in the plane
    rows = np.searchsorted(result.time, found.time - 1e-9)
    impulse = result["impulse"].values[rows] / result["step_size"].values[rows, None]
    total = found.tension + impulse
    size = 1e-4 * 3.0 * G  # of the proximal share, and of linear programs
    assert (total >= found.low - size).all()
    assert (total <= found.high + size).all()


def test_the_shift_is_that_of_least_squares():
    """J v + b = 0 with more equations than unknowns, each of length 1: v as NumPy's least squares, s what it leaves."""
    random = np.random.default_rng(1)
    J = random.normal(size=(5, 3))
    J /= np.linalg.norm(J, axis=1)[:, None]
    b = random.normal(size=5)
    val, ptr = from_dense(J @ J.T)
    found = closest(val, ptr, b, np.ones(5, np.int8), workspace(5, len(val)))
    v = np.linalg.lstsq(J, -b, rcond=None)[0]
    assert J.T @ found.z == pytest.approx(v, abs=1e-7)
    assert found.shift == pytest.approx(-(J @ v + b), abs=1e-7)
    assert found.w == pytest.approx(-found.shift, abs=1e-7)
    assert np.abs(found.z).max() < 10 * np.abs(v).max()


def test_a_problem_that_has_a_solution_is_not_shifted():
    random = np.random.default_rng(2)
    J = random.normal(size=(6, 6))
    val, ptr = from_dense(J @ J.T)
    found = closest(val, ptr, random.normal(size=6), np.zeros(6, np.int8), workspace(6, len(val)))
    assert np.abs(found.shift).max() < 1e-12
    assert np.minimum(found.z, found.w) == pytest.approx(np.zeros(6), abs=1e-10)


@pytest.mark.slow
def test_bricards_mechanism_moves_by_steps_of_first_order():
    scene = load_case(BUILT_IN / "bricard.yaml").scene
    result = towsim.simulate(scene, duration=3.0, step=1e-3)
    assert np.ptp(totals(scene, result)["energy"]) < 0.006


def test_slack_wires_lend_no_size_to_joints_that_depend_on_each_other():
    """Their q, gap over step, is 1e4 times that of the joints, which would hide how hard those brace each other."""
    scene = load_case(BUILT_IN / "bricard.yaml").scene
    assert len(scene.wires) == 2
    with_wires, without = (
        towsim.simulate(one, duration=0.2, step=5e-4, method="stewart-trinkle")["velocity"].values
        for one in (scene, scene.replace(wires={}))
    )
    np.testing.assert_allclose(with_wires, without, rtol=0, atol=1e-6)
