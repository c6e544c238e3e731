"""Changing a scene: by replace, and by dotted path as ``--set`` does."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from scenarios import get
from towsim.errors import SceneError
from towsim.scene import Body, Scene, data_from_text, load_scene, scene_from_text
from towsim.scene.data import from_data, to_data
from towsim.scene.edit import _read_anew, with_numbers
from towsim.scene.parameters import Parameters

SCENE = scene_from_text(
    "bodies: {box: {mass: 2, shape: {box: [1, 1, 1]}, points: {a: [0, 0, 0.5]}}, bob: {mass: 1, point: true}}\n"
    "robots: {post: {position: [0, 0, 2]}, circle: {motion: {circle: {center: [0, 0, 1], radius: 1, period: 2}}}}\n"
    "wires: {w: {from: box.a, to: post, length: 2}}\n"
)


def test_values_are_set_by_path_and_the_original_stays():
    changed = SCENE.with_values(
        {
            "bodies.box.mass": 3.0,
            "bodies.box.drag.linear": 0.5,
            "bodies.box.points.a.2": 0.25,
            "bodies.bob.position": (1, 2, 3),
            "robots.circle.motion.circle.radius": 2,
            "wires.w.length": {"start": 1.5, "rate": 0.1},
            "ground.height": -1.0,
            "run.step": 1e-4,
        }
    )
    assert changed.bodies["box"].mass == 3.0
    assert changed.bodies["box"].drag.linear == 0.5
    assert changed.bodies["box"].points["a"] == (0.0, 0.0, 0.25)
    assert changed.bodies["bob"].position == (1.0, 2.0, 3.0)
    assert changed.robots["circle"].motion.circle.radius == 2.0
    assert changed.wires["w"].length.rate == 0.1
    assert changed.ground.height == -1.0
    assert changed.run.step == 1e-4
    assert SCENE.bodies["box"].mass == 2.0
    assert SCENE.with_values({}) == SCENE


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("bodys.box.mass", 1.0, "set bodys.box.mass: unknown key 'bodys': did you mean 'bodies'"),
        ("bodies.bx.mass", 1.0, "unknown name in bodies 'bx': did you mean 'box'"),
        ("bodies.box.mas", 1.0, "bodies.box.mas: unknown key 'mas': did you mean 'mass'"),
        ("bodies.box.mass", -1.0, "bodies.box.mass: must be > 0 kg, got -1.0"),
        ("bodies.box.mass", "heavy", "must be a number"),
        ("bodies.box.mass.x", 1.0, "bodies.box.mass is 2.0 and has nothing inside"),
        ("bodies.box.position.3", 1.0, "'3' must be an index from 0 to 2"),
        ("bodies.box.position.x", 1.0, "'x' must be an index from 0 to 2"),
        ("bodies.box.position.²", 1.0, "must be an index from 0 to 2"),
        ("bodies.box.points.a.b.c", 1.0, "must be an index"),
        ("wires.w.to", "pots", "wires.w.to: unknown body or robot 'pots': did you mean 'post'"),
        ("", 1.0, "unknown key ''"),
        ("run.", 1.0, "unknown key"),
    ],
)
def test_a_wrong_path_or_value_is_refused(path, value, message):
    with pytest.raises(SceneError) as caught:
        SCENE.with_values({path: value})
    assert message in str(caught.value)


def test_replace_validates():
    assert SCENE.replace(name="other").name == "other"
    assert SCENE.bodies["bob"].replace(mass=5.0).mass == 5.0
    with pytest.raises(SceneError, match="must be > 0 kg"):
        SCENE.bodies["bob"].replace(mass=0.0)
    with pytest.raises(SceneError, match="did you mean 'mass'"):
        SCENE.bodies["bob"].replace(mas=1.0)
    with pytest.raises(SceneError, match="unknown body or robot 'box'"):
        SCENE.replace(bodies={"bob": Body(mass=1.0, point=True)})
    assert isinstance(SCENE.replace(), Scene)


def test_a_value_on_the_command_line_is_yaml():
    assert data_from_text("1e-3") == 1e-3
    assert data_from_text("[1, 2.5]") == [1, 2.5]
    assert data_from_text("{start: 1, rate: -0.1}") == {"start": 1, "rate": -0.1}
    assert data_from_text("shake") == "shake"
    with pytest.raises(SceneError, match="not valid YAML"):
        data_from_text("[1, 2")


@pytest.mark.parametrize(
    "values",
    [
        {"bodies.bob.mass": 4.0},
        {"bodies.bob": {"mass": 4.0, "point": True}, "bodies.box.mass": 1.0},
        {"wires.w.length": 2.5, "robots.circle.motion.circle.phase": 1.0, "run.step": 1e-4},
        {"bodies.bob.mass": 4.0, "bodies": {"box": {"mass": 1.0, "point": True, "points": {}}}, "wires.w.from": "box"},
        {"bodies": {"box": {"mass": 1.0, "point": True}, "bob": {"mass": 1, "point": True}}, "wires.w.from": "box"},
    ],
)
def test_what_is_read_of_the_things_that_change_is_what_is_read_of_all(values):
    """Things that stay are the same objects, in the same order."""
    changed, whole = SCENE.with_values(values), to_data(SCENE, full=True)
    for path, value in values.items():
        *keys, last = path.split(".")
        here = whole
        for key in keys:
            here = here[key]
        here[last] = value
    read = from_data(whole)
    assert changed == read
    assert repr(changed) == repr(read)
    touched = {".".join(path.split(".")[:2]) for path in values}
    for kind in ("bodies", "robots", "wires"):
        for name, thing in getattr(SCENE, kind).items():
            if f"{kind}.{name}" not in touched and kind not in touched:
                assert getattr(changed, kind)[name] is thing


def test_an_unknown_name_is_told_also_after_a_known_one():
    with pytest.raises(SceneError, match=r"bodies.*bob"):
        SCENE.with_values({"bodies.box.mass": 1.0, "bodies.bop.mass": 1.0})
    with pytest.raises(SceneError, match=r"box.*mass"):
        SCENE.with_values({"bodies.bob.mass": 2.0, "bodies.box.mass": -1.0})


@pytest.mark.parametrize("name", ["slewing-crane", "slung-load-gust", "drag-box-rough-ground", "crane-winch"])
def test_a_number_moved_in_what_holds_it_gives_the_scene_that_is_read_anew(name):
    scene = get(name).build()
    parameters = Parameters(scene)
    for path in parameters:
        if path.startswith("run."):
            continue
        values = parameters[path]
        changed = np.where(np.equal(values, 0.0), 2.0**-10, np.multiply(values, 1.0 + 2.0**-10)).tolist()
        last = np.size(values) - 1
        for moved in [{path: changed}, {f"{path}.{last}": changed[last]}] if np.ndim(values) else [{path: changed}]:
            try:
                expected = _read_anew(scene, moved)
            except SceneError:
                with pytest.raises(SceneError):
                    with_numbers(scene, moved)
            else:
                assert with_numbers(scene, moved) == expected, path
                assert with_numbers(scene, moved).outline() == expected.outline()


def test_numbers_of_one_thing_are_put_there_at_once_so_that_times_may_pass_each_other():
    path = {"waypoints": {"t": [0.0, 1.0, 2.0], "position": [[0, 0, 2], [1, 0, 2], [2, 0, 2]]}}
    scene = SCENE.with_values({"robots.circle": {"motion": path}})
    place = "robots.circle.motion.waypoints"
    moved = {f"{place}.t.1": 2.5, f"{place}.t.2": 3.0, f"{place}.position.2.0": 4.0, "gravity.2": -1.0}
    assert with_numbers(scene, moved) == _read_anew(scene, moved)
    both = {f"{place}.t": [0.0, 1.0, 3.0], f"{place}.t.1": 2.5}
    assert scene.with_values(both).robots["circle"].motion.waypoints.t == (0.0, 2.5, 3.0)


def test_a_number_out_of_its_range_is_refused_with_its_path():
    scene = get("slewing-crane").build()
    with pytest.raises(SceneError, match=r"mass.*must be > 0"):
        with_numbers(scene, {"bodies.load.mass": -1.0})
    with pytest.raises(SceneError, match=r"gravity.*at most"):
        with_numbers(scene, {"gravity.2": 1e40})


@pytest.mark.parametrize(
    "path", ["bodies", "bodies.box", "run", "name", "gravity", "wires.w0.from", "wires.-1", "robots.r0.motion"]
)
def test_a_number_where_none_belongs_is_a_scene_error(path):
    with pytest.raises(SceneError, match=path.partition(".")[0]):
        SCENE.with_values({path: 5})


def test_a_list_does_not_undo_what_one_of_its_numbers_was_set_to():
    one, whole = {"bodies.box.velocity.2": 5.0}, {"bodies.box.velocity": [0.1, 0.2, 0.3]}
    for change in (SCENE.with_values, Parameters(SCENE).with_values):
        with pytest.raises(SceneError, match=r"velocity\.2 is given, and then bodies\.box\.velocity, .*give bodies"):
            change(one | whole)
    places = "robots.way.motion.waypoints.position"
    with pytest.raises(SceneError, match=r"waypoints\.position\.0\.2 is given"):
        SCENE.with_values({f"{places}.0.2": 1.0, places: [[0, 0, 2], [0, 0, 3]]})
    assert list(SCENE.with_values(whole | one).bodies["box"].velocity) == [0.1, 0.2, 5.0]


def test_a_csv_file_takes_the_place_of_another_one_and_is_looked_for_beside_the_scene(tmp_path):
    for name, x in (("one", 0.2), ("two", 0.4)):
        (tmp_path / f"{name}.csv").write_text(f"t,x,y,z,roll,pitch,yaw\n0,0,0,1,0,0,0\n1,{x},0,1,{x},0,0\n")
    (tmp_path / "scene.yaml").write_text(
        "bodies: {bob: {mass: 1, point: true}}\n"
        "robots: {r: {motion: {csv: one.csv}, orientation: {csv: one.csv}, points: {bow: [1, 0, 0]}}}\n"
    )
    scene = pickle.loads(pickle.dumps(load_scene(tmp_path / "scene.yaml")))  # as sweeps hand it on
    other = scene.with_values({"robots.r.motion.csv": "two.csv", "robots.r.orientation.csv": "two.csv"})
    assert other.robots["r"].motion.samples.position[1] == (0.4, 0.0, 1.0)
    assert other.robots["r"].orientation.waypoints.roll_pitch_yaw[1] == (0.4, 0.0, 0.0)
    assert other.with_values({"robots.r.motion": {"csv": "one.csv"}, "robots.r.orientation.csv": "one.csv"}) == scene
    with pytest.raises(SceneError, match=r"robots\.r\.motion\.csv: no such file: .*three\.csv"):
        scene.with_values({"robots.r.motion.csv": "three.csv"})
    both = {"robots.r.motion.csv": "two.csv", "robots.r.motion.samples": {"t": [0, 1], "position": [[0, 0, 1]] * 2}}
    with pytest.raises(SceneError, match="exactly one of csv and samples is needed, got both"):
        scene.with_values(both)
