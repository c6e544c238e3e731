"""Numbers with names that the formulas of a scene use."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from towsim.errors import SceneError
from towsim.scene import Body, Scene, scene_from_text, scene_to_text

TEXT = """\
parameters: {amp: 0.3, w: -2}
bodies: {load: {mass: 1, point: true, position: [0, 0, 0], force: {x: "amp*t"}}}
robots: {hook: {motion: {formula: {x: "amp*sin(w*t) + 1e1*amp", z: 1}}}}
wires: {line: {from: hook, to: load, length: {formula: "1 + amp"}}}
"""
SCENE = scene_from_text(TEXT)
T = np.linspace(0.0, 2.0, 7)


def hook(scene: Scene) -> np.ndarray:
    return scene.robots["hook"].motion.sample(T)[0][:, 0]


def test_formulas_of_all_sections_are_those_with_the_numbers_written_out():
    assert hook(SCENE) == pytest.approx(0.3 * np.sin(-2.0 * T) + 3.0, rel=1e-15)
    assert SCENE.bodies["load"].force.at(T)[:, 0] == pytest.approx(0.3 * T, rel=1e-15)
    assert SCENE.wires["line"].length.sample(T)[0] == pytest.approx(np.full(7, 1.3), rel=1e-15)


@pytest.mark.parametrize(
    "change",
    [
        lambda scene: scene.with_values({"parameters.amp": 0.5}),
        lambda scene: scene.replace(parameters={"amp": 0.5, "w": -2.0}),
        lambda scene: scene_from_text(scene_to_text(scene).replace("amp: 0.3", "amp: 0.5")),
    ],
)
def test_formulas_follow_a_parameter_however_it_is_changed(change):
    changed = change(SCENE)
    assert hook(changed) == pytest.approx(0.5 * np.sin(-2.0 * T) + 5.0, rel=1e-15)
    assert changed.wires["line"].length.sample(T)[0][0] == 1.5
    assert hook(SCENE)[0] == pytest.approx(3.0)  # the original stays


def test_a_formula_that_is_set_later_may_use_parameters():
    changed = SCENE.with_values({"robots.hook.motion.formula.x": "w*t"})
    assert hook(changed) == pytest.approx(-2.0 * T)
    assert "w*t" in scene_to_text(changed)


def test_names_are_kept_in_files_and_copies():
    assert "amp*sin(w*t)" in scene_to_text(SCENE)
    assert scene_from_text(scene_to_text(SCENE)) == SCENE
    again = pickle.loads(pickle.dumps(SCENE))
    assert again == SCENE
    assert scene_to_text(again.with_values({"run.step": 1e-2})).count("amp") == scene_to_text(SCENE).count("amp")


def test_python_objects_read_formulas_with_the_scenes_parameters():
    data = {"hook": {"motion": {"formula": {"x": "amp*t"}}}}
    scene = Scene(parameters={"amp": 2.0}, bodies={"b": Body(mass=1.0, point=True)}, robots=data)
    assert hook(scene) == pytest.approx(2.0 * T)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"amp*t"', '"amq*t"', "bodies.load.force.x: formula 'amq.t' at 'amq': unknown name 'amq': did you mean 'amp'"),
        ("w: -2", "sin: -2", "parameters.sin: formulas cannot use this name"),
        ("w: -2", "t: -2", "parameters.t: formulas cannot use this name"),
        ("w: -2", "if: -2", "parameters.if: formulas cannot use this name"),
        ("w: -2", "a-b: -2", "parameters.a-b: formulas cannot use this name"),
        ("amp: 0.3", "amp: x", "parameters.amp: must be a number, got 'x'"),
        ("amp: 0.3", "amp: .inf", "parameters.amp: must be a finite number"),
        ("{amp: 0.3, w: -2}", "[1]", "parameters: must be a mapping"),
    ],
)
def test_wrong_names_and_values_are_refused(old, new, message):
    with pytest.raises(SceneError, match=message):
        scene_from_text(TEXT.replace(old, new))


def test_unknown_parameters_are_not_set():
    with pytest.raises(SceneError, match="unknown name in parameters 'amq': did you mean 'amp'"):
        SCENE.with_values({"parameters.amq": 1.0})
    with pytest.raises(SceneError, match=r"write parameters\.amp"):
        SCENE.with_values({"amp": 1.0})


def test_parts_of_a_scene_with_other_parameters_do_not_fit():
    with pytest.raises(SceneError, match=r"parameters\.amp: a part of another scene has amp = 0\.3"):
        Scene(bodies=SCENE.bodies, parameters={"amp": 0.5})
