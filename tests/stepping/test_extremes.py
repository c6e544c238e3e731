"""Extreme values and degenerate scenes: right answers where there are any, and clear errors where there are none."""

import math

import numpy as np
import pytest

import towsim
from towsim.errors import SceneError, SimulationError
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81
WEIGHTLESS = [0, 0, 0]
by_method = pytest.mark.parametrize("method", METHODS)


def run(data, *, duration=0.05, step=1e-3, **options):
    return towsim.simulate(scene_from_data(data), duration=duration, step=step, **options)


def hanging(mass, **more):
    return {
        "bodies": {"load": {"mass": mass, "point": True, "position": [0, 0, -1], **more}},
        "robots": {"hook": {"position": [0, 0, 0]}},
        "wires": {"w": {"from": "load", "to": "hook", "length": 1.0}},
    }


# -- scales ------------------------------------------------------------------------------------------------------------


@by_method
@pytest.mark.parametrize("solver", ["auto", "lemke", "pgs", "osqp"])
@pytest.mark.parametrize("mass", [1e-30, 1e-9, 1e9, 1e30])
def test_a_hanging_load_weighs_what_it_weighs_at_any_scale(mass, solver, method):
    result = run(hanging(mass), method=method, solver=solver, duration=0.01)
    assert result["tension"].values[1:, 0] == pytest.approx(mass * G, rel=1e-9)
    assert abs(result["gap"].values).max() < 1e-12


@by_method
@pytest.mark.parametrize(("step", "steps"), [(1e-30, 50), (1e-9, 50), (1.0, 50), (1e10, 50)])
def test_a_hanging_load_hangs_at_any_step(step, steps, method):
    result = run(hanging(2.0), method=method, step=step, duration=steps * step)
    rounding = 2.0 * np.finfo(float).eps / step**2  # N; what rounding of a position of 1 m is as an acceleration
    assert result["tension"].values[1:, 0] == pytest.approx(2.0 * G, rel=1e-9, abs=8 * rounding)
    assert len(result.time) == steps + 1


@by_method
def test_a_force_of_1e30_is_borne_by_a_wire(method):
    result = run(hanging(1.0, force={"z": -1e30}), method=method)
    assert result["tension"].values[1:, 0] == pytest.approx(1e30, rel=1e-9)


@by_method
def test_a_force_of_1e30_on_a_free_body_ends_the_run_with_a_reason(method):
    data = {"bodies": {"b": {"mass": 1e-30, "point": True, "force": {"x": 1e30}}}}
    with pytest.raises(SimulationError, match="grew beyond all bounds") as caught:
        run(data, method=method)
    assert caught.value.time == 1e-3
    assert run(data, method=method, on_failure="record").summary().outcome == str(caught.value)


def test_a_drag_of_1e30_stops_a_body_within_a_step():
    data = {"gravity": WEIGHTLESS, "bodies": {"b": {"mass": 1, "point": True, "velocity": [1e9, 0, 0]}}}
    data["bodies"]["b"]["drag"] = {"linear": 1e30, "quadratic": 1e30}
    result = run(data)
    assert abs(result["velocity"].values[1:]).max() < 1e-9


# -- spin --------------------------------------------------------------------------------------------------------------


def spinning(body, rate):
    return {"gravity": WEIGHTLESS, "bodies": {"top": {"mass": 1.0, **body, "angular_velocity": rate}}}


def energy_of_spin(result, inertia):
    """Rotational energy (time,) [J] of the first body."""
    w, x, y, z = result["quaternion"].values[:, 0].T
    conjugate = np.array([w, -x, -y, -z]).T
    e, u = conjugate[:, 1:], result["angular_velocity"].values[:, 0]
    c = np.cross(e, u)
    omega = u + 2.0 * (conjugate[:, :1] * c + np.cross(e, c))  # body axes
    return 0.5 * np.einsum("ki,ij,kj->k", omega, inertia, omega)


@by_method
@pytest.mark.parametrize("step", [1e-2, 1e-3])
@pytest.mark.parametrize("radius", [1e-1, 1e-3, 1e-4])
def test_a_thin_rod_that_tumbles_keeps_its_energy(radius, step, method):
    """Its inertias differ by up to 7e7: passing Ω on, as suffices for compact bodies, does not converge for it."""
    data = spinning({"shape": {"cylinder": [radius, 2.0]}}, [5.0, 1.0, 0.1])
    scene = scene_from_data(data)
    result = towsim.simulate(scene, duration=500 * step, step=step, method=method)
    energy = energy_of_spin(result, scene.bodies["top"].inertia_matrix())
    # Exact for an axisymmetric body but for rounding of the momentum, which 1/I about the thin axis enlarges.
    assert energy == pytest.approx(energy[0], rel=1e-8)


@by_method
@pytest.mark.parametrize("rate", [100.0, 500.0, 1000.0])
def test_an_asymmetric_body_keeps_its_energy_nearly_up_to_a_radian_per_step(rate, method):
    inertia = [1.0, 2.0, 2.5]
    result = run(spinning({"inertia": inertia}, [0.5 * rate, 0.6 * rate, 0.6 * rate]), method=method, duration=1.0)
    energy = energy_of_spin(result, np.diag(inertia))
    assert energy == pytest.approx(energy[0], rel=0.1 * (rate * 1e-3) ** 2)  # order 2 in hω, and no growth


@by_method
def test_a_spin_of_1e4_rad_per_s_about_a_principal_axis_is_exact(method):
    result = run(spinning({"inertia": [1.0, 2.0, 2.5]}, [1e4, 0.0, 0.0]), method=method)
    assert result["angular_velocity"].values[:, 0] == pytest.approx(np.tile([1e4, 0.0, 0.0], (51, 1)), rel=1e-9)
    angle = 1e4 * result.time
    assert abs(result["quaternion"].values[:, 0, 0]) == pytest.approx(abs(np.cos(0.5 * angle)), abs=1e-9)


@by_method
@pytest.mark.parametrize("wired", [False, True])
@pytest.mark.parametrize("loop", ["compiled", "python"])
def test_a_body_that_turns_too_far_in_one_step_is_named(wired, loop, method):
    data = spinning({"inertia": [0.1, 1.0, 1.05]}, [2e3, 1e4, 1e4])
    if wired:
        data["robots"] = {"post": {"position": [0, 0, 1]}}
        data["wires"] = {"w": {"from": "top", "to": "post", "length": 1.0}}
    with pytest.raises(SimulationError, match=r"body 'top' turns too far in one step of 0\.001 s") as caught:
        run(data, method=method, loop=loop)
    assert caught.value.time == 1e-3
    fine = run(data, method=method, loop=loop, step=2e-5, duration=1e-3)
    assert fine.summary().outcome == "complete"


def test_a_shape_that_is_too_thin_to_turn_is_refused():
    with pytest.raises(SceneError, match=r"bodies\.top\.shape: is too thin"):
        scene_from_data(spinning({"shape": {"cylinder": [1e-9, 2.0]}}, [1, 0, 0]))


# -- degenerate geometry -----------------------------------------------------------------------------------------------


@by_method
def test_a_load_passes_exactly_through_its_robot(method):
    """At the robot the wire has no direction; it is slack there, and nothing happens."""
    step = 2.0**-10  # so that positions are exact and one of them is 0
    data = hanging(1.0) | {"gravity": WEIGHTLESS}
    data["bodies"]["load"] |= {"position": [-20 * step, 0, 0], "velocity": [1, 0, 0]}
    result = run(data, method=method, step=step, duration=60 * step)
    x = result["position"].values[:, 0, 0]
    assert x[20] == 0.0
    assert x == pytest.approx(result.time - 20 * step, abs=1e-15)
    assert not result["tension"].values[1:].any()


@by_method
def test_two_ends_that_coincide_part_until_the_wire_is_taut(method):
    rod = {"mass": 1.0, "shape": {"cylinder": [0.05, 1.0]}, "points": {"end": [0, 0, 0.5]}}
    data = {
        "gravity": WEIGHTLESS,
        "bodies": {"a": rod | {"velocity": [-1, 0, 0]}, "b": rod | {"position": [0, 0, 0], "velocity": [1, 0, 0]}},
        "wires": {"w": {"from": "a.end", "to": "b.end", "length": 0.05}},
    }
    result = run(data, method=method, duration=0.1)
    assert result["gap"].values[0, 0] == 0.05
    assert result["gap"].values.min() > -1e-5
    assert next(iter(result.events)).kind == "jerk"
    assert result["velocity"].values.sum(axis=1) == pytest.approx(0.0, abs=1e-12)


@by_method
def test_rest_without_gravity_is_rest(method):
    result = run(hanging(1.0) | {"gravity": WEIGHTLESS}, method=method)
    assert not result["velocity"].values.any()
    assert not result["tension"].values[1:].any()
    assert len(result.events) == 0


@by_method
@pytest.mark.parametrize("loop", ["compiled", "python"])
def test_a_scene_may_have_bodies_only(loop, method):
    result = run({"bodies": {"b": {"mass": 1.0, "point": True}}}, method=method, loop=loop)
    assert "tension" not in result
    assert not result["rank"].values.any()
    # z = −½ g t² for SHAKE; Stewart–Trinkle, of order 1, is ½ g h t beyond
    order1 = 0.5 * G * 1e-3 * result.time if method == "stewart-trinkle" else 0.0
    assert -result["position"].values[:, 0, 2] == pytest.approx(0.5 * G * result.time**2 + order1, abs=1e-12)


@by_method
def test_a_slack_wire_has_rank_0_in_both_loops(method):
    data = hanging(1.0)
    data["wires"]["w"]["length"] = 2.0
    for loop in ("compiled", "python"):
        assert not run(data, method=method, loop=loop)["rank"].values.any()


@by_method
def test_a_chain_of_200_bodies_hangs(method):
    n = 200
    bodies = {f"b{i}": {"mass": 1.0, "point": True, "position": [0, 0, -1.0 - i]} for i in range(n)}
    ends = ["hook", *bodies]
    wires = {f"w{i}": {"from": f"b{i}", "to": ends[i], "length": 1.0} for i in range(n)}
    result = run({"bodies": bodies, "robots": {"hook": {"position": [0, 0, 0]}}, "wires": wires}, method=method)
    rounding = np.finfo(float).eps * n / 1e-3**2  # N; of positions of up to n m, see above; it adds up along the chain
    assert result["tension"].values[1:] == pytest.approx(np.tile((n - np.arange(n)) * G, (50, 1)), abs=n * rounding)


@by_method
@pytest.mark.parametrize("solver", ["auto", "lemke", "pgs", "osqp", "newton", "interior-point", "enumerate"])
def test_many_wires_between_the_same_points_share_the_load(solver, method):
    data = hanging(3.0)
    data["wires"] = {f"w{i}": data["wires"]["w"] for i in range(12)}
    result = run(data, method=method, solver=solver, duration=0.01)
    assert result["tension"].values[1:].sum(axis=1) == pytest.approx(3.0 * G, rel=1e-8)
    assert (result["rank"].values[1:] == 1).all()
    assert not result["tension_unique"].values[1:].any()


# -- known motions that end --------------------------------------------------------------------------------------------


@by_method
@pytest.mark.parametrize("loop", ["compiled", "python"])
@pytest.mark.parametrize("force", ["sqrt(0.0205 - t)", "1/(0.021 - t)"])
def test_a_run_goes_on_until_the_last_step_whose_motions_are_known(force, loop, method):
    data = hanging(1.0, force={"x": force})
    with pytest.raises(SimulationError, match=r"force of body 'load' is .* at t = 0\.021 s") as caught:
        run(data, method=method, loop=loop)
    result = caught.value.result
    assert result.time[-1] == pytest.approx(0.020)
    assert run(data, method=method, loop=loop, on_failure="record").summary().outcome == str(caught.value)


@pytest.mark.parametrize("loop", ["compiled", "python"])
def test_a_motion_that_is_unknown_from_the_start_is_recorded_as_any_failure(loop):
    result = run(hanging(1.0, force={"x": "1/t"}), loop=loop, on_failure="record")
    assert "force of body 'load'" in result.summary().outcome
    assert math.isfinite(result.events[-1].time)


@pytest.mark.parametrize("method", METHODS)
def test_the_form_in_velocities_bears_any_mix_of_scales(method):
    data = hanging(1e-9)
    data["bodies"]["ship"] = {"mass": 1e9, "shape": {"box": [100, 30, 10]}, "position": [0, 0, 50]}
    data["bodies"]["needle"] = {"mass": 1e-6, "shape": {"cylinder": [1e-5, 0.1]}, "position": [1, 0, 0]}
    result = run(data, method=method, form="mlcp", solver="lemke", duration=5e-3)
    assert result["tension"].values[1:, 0] == pytest.approx(1e-9 * G, rel=1e-9)


# -- what steps are too long to tell -----------------------------------------------------------------------------------


def slackline():
    """Nine masses, that in the middle 80 kg, on a line a thousandth longer than its span of 20 m, released straight."""
    bodies = {
        f"m{k}": {"mass": 80.0 if k == 5 else 1.0, "point": True, "position": [2.0 * k, 0, 0]} for k in range(1, 10)
    }
    ends = ["left", *bodies, "right"]
    wires = {f"w{k}": {"from": ends[k], "to": ends[k + 1], "length": 2.002} for k in range(10)}
    robots = {"left": {"position": [0, 0, 0]}, "right": {"position": [20, 0, 0]}}
    return {"bodies": bodies, "robots": robots, "wires": wires}


@by_method
def test_a_whip_of_hard_wires_is_told_to_be_too_short_until_the_step_resolves_it(method):
    """The line comes straight under its load: 7.61e6 N for 0.4 ms, by both methods at steps of 1e-5 and 3e-6 s."""
    coarse = run(slackline(), duration=0.33, step=3e-4, method=method).summary()
    assert [wire.short_peak for wire in coarse.wires] == pytest.approx([0.3028] * 10, abs=3e-4)
    assert "the largest tension of w0 and of 9 more passes in three steps" in str(coarse)
    fine = run(slackline(), duration=0.33, step=1e-4, method=method)
    assert all(wire.short_peak is None for wire in fine.summary().wires)
    assert fine["tension"].values.max() == pytest.approx(7.61e6, rel=0.03)
