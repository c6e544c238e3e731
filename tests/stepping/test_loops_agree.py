"""The loop in Python calls the same kernels as the compiled one, with the same numbers: 1e-12, relative.

Spins may differ by ten times as much: a rate counts as zero below 1e-12 of its row, and on an arm of 0.1 m that is
1e-11 of a spin. Which of the rows that are zero so far is held may differ, as a back-end begins with impulses, not with
a set.
"""

import numpy as np
import pytest

import scenarios
import towsim
from towsim.errors import UsageError

METHODS = ("stewart-trinkle", "shake")
NAMES = tuple(name for name in scenarios.names() if name not in ("pulled-apart", "drag-box-rough-ground"))


def worst_difference(a, b):
    """Largest difference of two arrays relative to the largest value or 1 SI unit; NaN at the same places."""
    assert (np.isfinite(a) == np.isfinite(b)).all()
    a, b = np.nan_to_num(a), np.nan_to_num(b)
    return np.abs(a - b).max(initial=0.0) / max(np.abs(a).max(initial=0.0), 1.0)


def methods(name):
    """SHAKE is for scenes without MRFE cables and reduced joints."""
    scene = scenarios.get(name).build()
    light = all(wire.model in ("rigid", "elastic") for wire in scene.wires.values())
    return METHODS if light and not any(joint.reduced for joint in scene.joints.values()) else METHODS[:1]


@pytest.mark.parametrize(("name", "method"), [(name, method) for name in NAMES for method in methods(name)])
def test_both_loops_give_the_same_numbers(name, method):
    one = scenarios.get(name)
    duration = 0.5 if name == "slack-jerk" else 1.2
    compiled, python = (
        towsim.simulate(
            one.build(),
            duration=duration,
            step=4e-3,
            method=method,
            solver="active-set",
            loop=loop,
            on_failure="record",
        )
        for loop in ("compiled", "python")
    )
    assert len(compiled.time) == len(python.time)
    for variable in ("position", "velocity", "quaternion", "angular_velocity", "length", "robot_position"):
        if variable not in compiled:
            continue
        near = 1e-11 if variable == "angular_velocity" else 1e-12
        assert worst_difference(compiled[variable].values, python[variable].values) < near, variable
    # Gaps are differences of lengths of a metre: relative to those.
    apart = np.abs(compiled["gap"].values - python["gap"].values)
    assert (np.isnan(compiled["gap"].values) == np.isnan(python["gap"].values)).all()  # wires that are off
    assert np.nanmax(apart) < 1e-12
    if compiled["tension_unique"].values[1:].all():
        assert worst_difference(compiled["tension"].values, python["tension"].values) < 1e-12 / 4e-3**2
    if name == "eight-wires-box":
        return  # which of the wires bear is not unique, nor when each of them first does
    assert [(e.kind, e.subject, e.time) for e in compiled.events] == [
        (e.kind, e.subject, e.time) for e in python.events
    ]


@pytest.mark.parametrize("method", METHODS)
def test_where_a_block_ends_makes_no_difference(method, monkeypatch):
    from towsim.run import blocks

    one = scenarios.get("four-robots-box")
    options = {"duration": 0.6, "step": 1e-3, "method": method}
    whole = towsim.simulate(one.build(lean=5.0), **options)
    monkeypatch.setattr(blocks, "BLOCK", 37)
    parts = towsim.simulate(one.build(lean=5.0), **options)
    for variable in whole:
        assert worst_difference(whole[variable].values, parts[variable].values) < 1e-12, variable
    assert [event.kind for event in whole.events] == [event.kind for event in parts.events]


@pytest.mark.parametrize("method", METHODS)
def test_the_same_run_gives_the_same_bits(method):
    one = scenarios.get("eight-wires-box")
    first, second = (towsim.simulate(one.build(), duration=1.0, step=2e-3, method=method) for _ in range(2))
    for variable in first:
        assert np.array_equal(first[variable].values, second[variable].values, equal_nan=True), variable


@pytest.mark.parametrize("method", METHODS)
def test_both_loops_refuse_alike(method):
    one = scenarios.get("pulled-apart")
    errors = []
    for loop in ("compiled", "python"):
        with pytest.raises(towsim.RefusedError) as caught:
            towsim.simulate(one.build(), duration=2.0, step=4e-3, method=method, loop=loop)
        errors.append(caught.value)
    assert errors[0].time == errors[1].time
    assert set(errors[0].wires) == set(errors[1].wires)
    assert errors[0].speed == pytest.approx(errors[1].speed, rel=1e-9)


def test_a_loop_that_cannot_be_compiled_is_refused_by_name():
    scene = scenarios.get("slack-jerk").build()
    with pytest.raises(UsageError, match="solver 'lemke'"):
        towsim.simulate(scene, loop="compiled", solver="lemke")
    with pytest.raises(UsageError, match="form 'mlcp'"):
        towsim.simulate(scene, loop="compiled", form="mlcp")
