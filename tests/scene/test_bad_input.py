"""Bad input is refused with the place, the value and what to do; never with a traceback from inside."""

from __future__ import annotations

import math

import numpy as np
import pytest

from towsim.errors import SceneError
from towsim.scene import Body, Drag, Ground, Joint, Robot, Run, Scene, Shape, Wire, load_scene, scene_from_text

BODY = "bodies:\n  bob: {mass: 1.0, point: true, position: [0, 0, 0.5], velocity: [0, 0, 0]}\n"
REST = "robots:\n  post: {position: [0, 0, 1.0]}\nwires:\n  w:\n    from: bob\n    to: post\n    length: 1.0\n"
SCENE = BODY + REST


def refused(text: str) -> str:
    with pytest.raises(SceneError) as caught:
        scene_from_text(text, name="s.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mass: 1.0", "mass: -2.0", "s.yaml:2: bodies.bob.mass: must be > 0 kg, got -2.0"),
        ("mass: 1.0", "mass: 0", "s.yaml:2: bodies.bob.mass: must be > 0 kg, got 0"),
        ("mass: 1.0", "mass: .nan", "s.yaml:2: bodies.bob.mass: must be a finite number"),
        ("mass: 1.0", "mass: .inf", "s.yaml:2: bodies.bob.mass: must be a finite number"),
        ("mass: 1.0", "mass: 1e400", "s.yaml:2: bodies.bob.mass: must be a finite number"),
        ("mass: 1.0", "mass: " + "9" * 5000, "s.yaml:2: bodies.bob.mass: must be a finite number"),
        ("mass: 1.0", "mass: 0x" + "f" * 5000, "s.yaml:2: bodies.bob.mass: must be a finite number"),
        ("mass: 1.0", "mass: 1e-300", "s.yaml:2: bodies.bob.mass: must be at least 1e-30 kg"),
        ("mass: 1.0", "mass: '1.0'", "s.yaml:2: bodies.bob.mass: must be a number [kg], got '1.0'"),
        ("mass: 1.0", "mass: true", "s.yaml:2: bodies.bob.mass: must be a number [kg], got True"),
        ("mass: 1.0", "mass: 2 kg", "s.yaml:2: bodies.bob.mass: must be a number [kg], got '2 kg'"),
        ("mass: 1.0", "mass: ", "s.yaml:2: bodies.bob.mass: must be a number [kg], got None"),
        ("mass: 1.0, ", "", "s.yaml:2: bodies.bob: 'mass' is missing"),
        ("mass: 1.0", "mas: 1.0", "s.yaml:2: bodies.bob.mas: unknown key 'mas': did you mean 'mass'?"),
        ("bodies:", "boddies:", "s.yaml:1: boddies: unknown key 'boddies': did you mean 'bodies'?"),
        ("point: true", "point: yes", "s.yaml:2: bodies.bob.point: must be true or false, got 'yes'"),
        ("point: true", "point: false", "s.yaml:2: bodies.bob: the rotational inertia is not given"),
        ("[0, 0, 0.5]", "[0, 0]", "must be a list of 3 numbers (centre of mass at the start, world axes), got [0, 0]"),
        (
            "mass: 1.0",
            "shape: {cylinder: 1}, mass: 1.0",
            "cylinder: must be a list of 2 numbers (radius, height), got 1",
        ),
        ("[0, 0, 0.5]", "[0, 0, x]", "s.yaml:2: bodies.bob.position[2]: must be a number [m], got 'x'"),
        ("[0, 0, 0.5]", "{x: 1}", "s.yaml:2: bodies.bob.position: must be a list of 3 numbers"),
        ("length: 1.0", "length: 0.0", "s.yaml:9: wires.w.length: must be > 0 m, got 0.0"),
        ("length: 1.0", "length: {start: -1}", "s.yaml:9: wires.w.length.start: must be > 0 m, got -1"),
        ("length: 1.0", "length: {rate: 1}", "s.yaml:9: wires.w.length: exactly one of start, waypoints, formula"),
        (
            "length: 1.0",
            "length: {formula: 1 + tt}",
            "s.yaml:9: wires.w.length.formula: formula '1 + tt' at 'tt': unkn",
        ),
        ("length: 1.0", "lenght: 1.0", "s.yaml:9: wires.w.lenght: unknown key 'lenght': did you mean 'length'?"),
        ("to: post", "to: pots", "s.yaml:8: wires.w.to: unknown body or robot 'pots': did you mean 'post'?"),
        ("to: post", "to: post.top", "s.yaml:8: wires.w.to: robot 'post' has no points"),
        ("from: bob", "from: bob.top", "s.yaml:7: wires.w.from: unknown point of body 'bob' 'top'"),
        ("from: bob", "from: post", "s.yaml:6: wires.w: joins 'post' and 'post', which are one and the same point"),
        ("to: post", "to: bob", "s.yaml:6: wires.w: joins 'bob' and 'bob', which are one and the same point"),
        ("from: bob", "from: a.b.c", "s.yaml:7: wires.w.from: must be 'body', 'robot', 'body.point' or 'robot.point',"),
        ("  post:", "  bob:", "s.yaml:4: robots.bob: the name 'bob' is already that of a body"),
        ("  post:", "  a.b:", "s.yaml:4: robots.a.b: must be a name"),
        ("  w:", "  '':", "s.yaml:6: wires.: must be a name"),
        ("  w:", "  w: {from: bob, to: post, length: 1}\n  w:", "s.yaml:7: wires: 'w' stands here twice"),
        ("  w:", "  1:", "s.yaml:6: wires: a key must be text, got 1"),
        ("bodies:", "run: {step: 0}\nbodies:", "s.yaml:1: run.step: must be > 0 s, got 0"),
        ("bodies:", "run: {step: -1e-3}\nbodies:", "s.yaml:1: run.step: must be > 0 s, got -0.001"),
        ("bodies:", "run: {step: 1e-20}\nbodies:", "s.yaml:1: run.step: 1e-20 s needs 5e+20 steps"),
        ("bodies:", "run: {step: 10}\nbodies:", "s.yaml:1: run.step: must not exceed the duration 5.0 s, got 10.0 s"),
        ("bodies:", "schema: 2\nbodies:", "s.yaml:1: schema: must be 1, got 2"),
        (
            "bodies:",
            "gravity: -9.81\nbodies:",
            "s.yaml:1: gravity: must be a list of 3 numbers (gravity, world axes), got -9.81",
        ),
        ("bodies:", "wind: {x: sin(q)}\nbodies:", "s.yaml:1: wind.x: formula 'sin(q)' at 'q': unknown name 'q'"),
        (
            "bodies:",
            "joints: {j: {from: bob, to: post, kind: bal}}\nbodies:",
            "s.yaml:1: joints.j.kind: must be 'ball'",
        ),
        ("bodies:", "ground: {contacts: [post]}\nbodies:", "s.yaml:1: ground.contacts[0]: 'post' is a robot"),
        ("bodies:", "ground: {contacts: [bob, bob]}\nbodies:", "s.yaml:1: ground.contacts[1]: 'bob' is listed twice"),
        ("bodies:", "ground: {friction: -0.1}\nbodies:", "s.yaml:1: ground.friction: must be >= 0, got -0.1"),
        (BODY, "bodies: {}\n", "s.yaml:1: bodies: there is no body"),
        (BODY, "bodies: [1]\n", "s.yaml:1: bodies: must be a mapping (key: value), got [1]"),
        (BODY, "bodies:\n  bob: 3\n", "s.yaml:2: bodies.bob: must be a mapping (key: value), got 3"),
    ],
)
def test_a_wrong_file_is_refused_with_line_and_path(old, new, message):
    assert old in SCENE
    scene_from_text(SCENE)
    assert message in refused(SCENE.replace(old, new))


def test_all_that_is_wrong_is_told_at_once():
    text = SCENE.replace("mass: 1.0", "mass: -1").replace("length: 1.0", "length: x").replace("[0, 0, 1.0]", "3")
    lines = refused(text).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["bodies.bob.mass", "robots.post.position", "wires.w.length"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bodies: {bob: {mass: 1, point: true}", "s.yaml:2: not valid YAML: .* line 1: .*expected ',' or '}'"),
        ("bodies:\n\tbob: 1\n", "s.yaml:2: not valid YAML: .*cannot start any token"),
        ("a: 1\n b: 2\n", "s.yaml:2: not valid YAML"),
        ("", "s.yaml: there is nothing in it"),
        ("# only a comment\n", "s.yaml: there is nothing in it"),
        ("[1, 2]", r"a scene is a mapping .*, got \[1, 2\]"),
        ("bodies: {}\n---\nbodies: {}\n", "s.yaml:2: a second document"),
        ("bodies: !!python/object/apply:os.system ['true']", "s.yaml:1: bodies: tag .*os.system.* refused"),
        ("!!python/name:os.system\n", "s.yaml:1: tag .* refused"),
        ("bodies: !!set {a}", "s.yaml:1: bodies: tag .* refused"),
        ("bodies: *x\n", "alias"),
        ("bodies: &x {bob: *x}\n", "alias \\*x stands before or inside its anchor"),
        ("bodies:\n  <<: {a: 1}\n", "s.yaml:2: bodies: merge keys"),
        ("? [1]\n: 2\n", "s.yaml:1: a key must be text"),
        ("a: " + "[" * 100 + "]" * 100, "nested more than 32 deep"),
        ("a: \x07", "not valid YAML"),
        ("a: \ud800", "not valid"),
    ],
)
def test_malformed_yaml_is_refused(text, message):
    with pytest.raises(SceneError, match=message):
        scene_from_text(text, name="s.yaml")


def test_a_billion_laughs_are_refused():
    levels = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    levels += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    assert "unfolds to more than" in refused("\n".join(levels))


def test_an_alias_repeats_a_value():
    scene = scene_from_text("gravity: &g [0, 0, -1]\nwind: *g\n" + BODY)
    assert scene.wind == scene.gravity == (0.0, 0.0, -1.0)


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    for make, message in (
        (lambda path: None, "cannot be read: No such file"),
        (lambda path: path.mkdir(), "cannot be read: Is a directory"),
        (lambda path: path.write_bytes(b"name: \xff"), "not UTF-8 text"),
    ):
        path = tmp_path / f"{len(message)}.yaml"
        make(path)
        with pytest.raises(SceneError, match=message):
            load_scene(path)
    with pytest.raises(SceneError, match="cannot be read"):
        load_scene("nul\0.yaml")


@pytest.mark.parametrize(
    ("inertia", "message"),
    [
        ([0.1, 0.1, 0.3], r"triangle inequality: the two smaller principal moments 0\.1 \+ 0\.1 = 0\.2 are less than"),
        ([0.1, 0.1, 0.0], "must be > 0 kg m²"),
        ([0.1, -0.1, 0.1], "must be > 0 kg m²"),
        ([0.1, 0.1], "3 principal moments or a 3x3 matrix"),
        ([[1, 0, 0], [0, 1, 0]], "3 principal moments or a 3x3 matrix"),
        ([[1, 0, 0], [0, 1, 0], [0, 0]], r"inertia\[2\]: must be a list of 3 numbers"),
        ([[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], "symmetric"),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], "must be > 0"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, math.nan]], "finite"),
        (np.diag([1.0, 1.0, 3.0]), "triangle inequality"),
        ("box", "3 principal moments"),
    ],
)
def test_an_inertia_that_no_body_has_is_refused(inertia, message):
    with pytest.raises(SceneError, match=message):
        Body(mass=1.0, inertia=inertia)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Body(mass=1.0, point=True, inertia=(1, 1, 1)), "inertia: a point mass has no extent"),
        (lambda: Body(mass=1.0, point=True, points={"a": (1, 0, 0)}), "points: a point mass has no extent"),
        (lambda: Body(mass=1.0, point=True, angular_velocity=(1, 0, 0)), "angular_velocity: a point mass"),
        (lambda: Body(mass=1.0, shape=Shape(box=(1, 1, 0))), r"box\[2\]: must be > 0 m"),
        (lambda: Body(mass=1.0, shape={"bux": (1, 1, 1)}), "shape.bux: unknown key 'bux': did you mean 'box'"),
        (
            lambda: Wire(from_="a", to="b", length=1.0, axial_stiffness=1e5),
            "exit_force. It is a key of material: write material: {axial_stiffness: ..}",
        ),
        (lambda: Shape(), "exactly one of box, sphere, cylinder is needed, got none"),
        (lambda: Shape(sphere=1.0, box=(1, 1, 1)), "got box and sphere"),
        (lambda: Body(mass=1.0, point=True, quaternion=(0, 0, 0, 0)), "quaternion: must not be zero"),
        (lambda: Drag(linear=-1.0), "linear: must be >= 0 N s/m"),
        (lambda: Body(mass=1.0, point=True, force={"x": "1/"}), "force.x: formula '1/': cannot be read"),
        (lambda: Body(mass=10**5000, point=True), "mass: must be a finite number"),
        (lambda: Body(mass=np.float64("nan"), point=True), "mass: must be a finite number"),
        (lambda: Body(mass=np.bool_(True), point=True), "mass: must be a number"),
        (lambda: Wire(from_="a", to="b", length=1.0, model="steel"), "model: must be rigid, elastic, mrfe, {mrfe"),
        (lambda: Wire(from_="a", to="b", length=1.0, model={"mrfe": {"elements": 0}}), "model.mrfe.elements"),
        (lambda: Wire(from_="a", to="b", length=1.0, model={"rubber": {}}), "unknown key 'rubber'"),
        (lambda: Run(method="Euler!"), "method: must be a lower-case name"),
        (lambda: Scene(bodies={"a": Body(mass=1, point=True), 1: Body(mass=1, point=True)}), "bodies.1"),
        (lambda: Scene(bodies={"a": 3}), "bodies.a: must be a mapping"),
        (lambda: Scene(description="\ud800", bodies={"a": Body(mass=1, point=True)}), "UTF-8"),
        (lambda: Ground(normal=(0, 0, 0)), "normal: must not be zero"),
    ],
)
def test_python_gets_the_same_words(build, message):
    with pytest.raises(SceneError, match=message):
        build()


def test_ends_that_could_never_act_are_refused():
    box = Body(mass=1.0, shape=Shape(box=(1, 1, 1)), points={"a": (0.5, 0, 0), "b": (0, 0.5, 0), "c": (0.5, 0, 0)})
    posts = {"p": Robot(position=(0, 0, 1)), "q": Robot(position=(0, 0, 2))}

    def build(a: str, b: str) -> None:
        Scene(bodies={"box": box}, robots=posts, wires={"w": Wire(from_=a, to=b, length=1.0)})

    build("box.a", "p")
    build("p", "q")
    for a, b, message in (
        ("box.a", "box.b", "both ends are on 'box'"),
        ("box", "box.a", "both ends are on 'box'"),
        ("box.a", "box.c", "one and the same point"),
    ):
        with pytest.raises(SceneError, match=message):
            build(a, b)
    with pytest.raises(SceneError, match=r"joints\.j: both ends are robots"):
        Scene(bodies={"box": box}, robots=posts, joints={"j": Joint(from_="p", to="q")})


def test_a_scene_cannot_be_changed():
    scene = scene_from_text(SCENE)
    with pytest.raises(TypeError, match=r"frozen; make a changed copy with replace"):
        scene.name = "other"
    with pytest.raises(TypeError, match=r"frozen; make a changed copy with replace"):
        scene.bodies["bob"].mass = 2.0
    for change in (
        lambda: scene.bodies.pop("bob"),
        lambda: scene.bodies.update({}),
        lambda: scene.bodies.__setitem__("x", scene.bodies["bob"]),
    ):
        with pytest.raises(TypeError, match="frozen"):
            change()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "bodies:",
            "ground: {contacts: bob}\nbodies:",
            "ground.contacts: must be a list, got 'bob'; a list of one is [bob]",
        ),
        ("to: post", "to: post\n    via: post", "wires.w.via: must be a list, got 'post'; a list of one is [post]"),
        ("to: post", "to: post\n    turns: 1.5", "wires.w.turns: must be a whole number, got 1.5"),
        ("to: post", "to: post\n    turns: -1", "wires.w.turns: must be >= 0, got -1"),
        (
            "to: post",
            "to: post\n    break: 50",
            "must be a mapping (key: value), got 50; its keys are tension, impulse",
        ),
        (
            "to: post",
            "exit: [0, 0, 1]",
            "wires.w: a cable with an exit hangs there: write from: free, and to: what it holds",
        ),
    ],
)
def test_what_has_another_form_is_told_in_words_with_the_keys_that_there_are(old, new, message):
    assert message in refused(SCENE.replace(old, new))


@pytest.mark.parametrize(
    ("length", "message", "hint"),
    [
        ("0.25", "s.yaml:6: wires.w: stretched by 0.25 m at the start", True),
        ('{formula: "1 + 1/t"}', "s.yaml:6: wires.w: its place or length at t = 0 is not a finite number", False),
    ],
)
def test_what_is_wrong_with_the_start_is_told_with_its_line(length, message, hint):
    with pytest.raises(SceneError) as told:
        scene_from_text(SCENE.replace("length: 1.0", f"length: {length}"), name="s.yaml").check_start()
    assert message in str(told.value)
    assert ("lengthen the wires" in str(told.value)) == hint
    moved = scene_from_text(SCENE, name="s.yaml").with_values({"wires.w.length": 0.25})
    with pytest.raises(SceneError, match=r"^scene: wires\.w: stretched"):  # which is not what is written there
        moved.check_start()
