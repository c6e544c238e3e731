"""Any scene, saved and loaded, is equal bit for bit; the file follows the JSON Schema."""

from __future__ import annotations

import copy
import pickle
import string
import subprocess
import sys

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from towsim.scene import (
    Axes,
    Body,
    Circle,
    Drag,
    Failure,
    Ground,
    Joint,
    Length,
    LengthPoints,
    Material,
    Motion,
    Mrfe,
    Robot,
    Rotors,
    Run,
    Sampled,
    Scene,
    Shape,
    Spring,
    Thrust,
    Vehicle,
    Waypoints,
    Wire,
    data_from_text,
    json_schema,
    scene_from_text,
    scene_to_text,
)

number = st.floats(-1e6, 1e6) | st.sampled_from([-0.0, 5e-324, 1e-7, 1e16, 1 / 3, 1e30, -123456789.123456789])
positive = st.floats(1e-6, 1e6) | st.sampled_from([1e-30, 1e30, 1 / 3])
vec3 = st.tuples(number, number, number)
formula = st.sampled_from(["0", "t", "1e-3", "sin(2*pi*t)", "1 if t < 1 else 2", "  t +\n 1 "])
expression = number | formula
axes = st.builds(Axes, x=expression, y=expression, z=expression)
name = st.text(string.ascii_letters + string.digits + "_-éß水", min_size=1, max_size=8).filter(
    lambda text: text != "free"
)
text = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
times = st.lists(st.integers(0, 1000), min_size=2, max_size=5, unique=True).map(
    lambda t: tuple(x / 7 for x in sorted(t))
)


@st.composite
def series(draw, model, field, values, **more):
    t = draw(times)
    rows = tuple(draw(st.lists(values, min_size=len(t), max_size=len(t))))
    return draw(st.builds(model, t=st.just(t), **{field: st.just(rows)}, **more))


kind = st.sampled_from(["quintic", "cubic"])
direction = vec3.filter(lambda v: sum(x * x for x in v) > 1e-6)
circle = st.builds(Circle, center=vec3, radius=positive, rate=number, phase=number, normal=direction)
motion = st.one_of(
    st.builds(Motion, waypoints=series(Waypoints, "position", vec3, kind=kind)),
    st.builds(Motion, samples=series(Sampled, "position", vec3)),
    st.builds(Motion, formula=axes),
    st.builds(Motion, circle=circle),
)
dynamics = st.sampled_from(["kinematic", "point-mass", "ground", "quadcopter"])
vehicle = st.builds(Vehicle, mass=positive, lag=st.floats(0.0, 1.0), max_force=positive)
robot = st.builds(Robot, position=vec3) | st.builds(Robot, motion=motion, dynamics=dynamics, vehicle=vehicle)
shape = st.one_of(
    st.builds(Shape, box=st.tuples(positive, positive, positive)),
    st.builds(Shape, sphere=positive),
    st.builds(Shape, cylinder=st.tuples(positive, positive)),
)


def turns(shape):
    """Whether a shape may give a body's inertia: very thin ones are refused."""
    moments = shape.principal_inertia(1.0)
    return min(moments) > 1.1e-12 * max(moments)


moment = st.floats(1.0, 1.9)  # any three of these meet the triangle inequality, also with small products of inertia
principal = st.tuples(moment, moment, moment)
matrix = principal.map(lambda m: ((m[0], 0.01, 0.0), (0.01, m[1], -0.02), (0.0, -0.02, m[2])))
inertia = principal | matrix
drag = st.builds(Drag, linear=positive | st.just(0.0), quadratic=positive | st.just(0.0))
quaternion = st.tuples(number, number, number, number).filter(lambda q: 1e-3 < sum(x * x for x in q) < 1e20)
thrust = expression | st.tuples(*[expression] * 4)
failed = st.lists(st.integers(1, 4), min_size=1, unique=True).map(tuple)
failure = st.builds(Failure, time=positive, rotors=failed) | st.builds(Failure, time=st.just(0.0))
failures = st.lists(failure, max_size=2).map(tuple)
rotors = st.builds(Rotors, arm=positive, moment_ratio=positive, thrust=thrust, failures=failures)
turning = {
    "position": vec3,
    "quaternion": quaternion,
    "velocity": vec3,
    "angular_velocity": vec3,
    "points": st.dictionaries(name, vec3, max_size=2),
    "drag": drag,
    "force": axes,
    "torque": axes,
    "thrust": st.builds(Thrust, x=expression, point=vec3),
    "rotors": st.none() | rotors,
}
body = st.one_of(
    st.builds(Body, mass=positive, point=st.just(True), position=vec3, velocity=vec3, drag=drag, force=axes),
    st.builds(Body, mass=positive, shape=shape.filter(turns), **turning),
    st.builds(Body, mass=positive, inertia=inertia, shape=st.none() | shape, **turning),
)
length = st.one_of(
    positive,
    st.builds(Length, start=positive, rate=number),
    st.builds(Length, formula=formula | positive),
    st.builds(Length, waypoints=series(LengthPoints, "length", positive, kind=kind)),
)
full = ("diameter", "density", "youngs_modulus", "damping_modulus")
given_figures = ("axial_stiffness", "bending_stiffness", "mass_per_length", "axial_damping", "bending_damping")
modulus = st.floats(1e-6, 1e6)
material = st.one_of(
    st.builds(Material, **dict.fromkeys(full, modulus)),
    st.builds(Material, diameter=modulus, **dict.fromkeys(given_figures, modulus)),
)
holds = st.sampled_from(["ball", "clamped", "guided"])


@st.composite
def cables(draw):
    n = draw(st.integers(1, 4))
    rest = st.just("straight") | st.tuples(*[st.tuples(number, number)] * n)
    first, last = st.sampled_from(["ball", "zy", "yx"]), st.sampled_from(["ball", "clamped"])
    return draw(st.builds(Mrfe, elements=st.just(n), first_joint=first, from_end=holds, to_end=last, rest=rest))


@st.composite
def wires(draw, ends, to):
    free = draw(st.booleans())
    pair = {"to": st.sampled_from(to), "length": length, "material": material}
    if not free:
        model = st.sampled_from(["rigid", "elastic", "mrfe"]) | cables()
        return draw(st.builds(Wire, from_=st.sampled_from(ends), model=model, **pair))
    held = cables().map(lambda cable: cable.replace(from_end="ball"))
    return draw(st.builds(Wire, from_=st.just("free"), exit=vec3, exit_force=axes, model=held, **pair))


spring = st.builds(Spring, stiffness=positive, damping=positive, pulls=st.booleans())


@st.composite
def scenes(draw):
    names = draw(st.lists(name, min_size=3, max_size=5, unique=True))
    bodies = {key: draw(body) for key in names[:2]}
    robots = {key: draw(robot) for key in names[2:]}
    ends = [names[0], *(f"{names[0]}.{point}" for point in bodies[names[0]].points)]
    pair = {"from_": st.sampled_from(ends), "to": st.sampled_from(names[1:])}
    wire = wires(ends, names[1:])
    joint = st.builds(Joint, **pair)
    contacts = draw(st.lists(st.sampled_from([*ends, names[1]]), unique=True))
    listed = {"height": number, "contacts": st.just(tuple(contacts))}
    ground = st.builds(Ground, friction=positive, **listed) | st.builds(Ground, spring=spring, **listed)
    return Scene(
        name=draw(text),
        description=draw(text),
        gravity=draw(vec3),
        wind=draw(vec3 | axes),
        bodies=bodies,
        robots=robots,
        wires=draw(st.dictionaries(name, wire, max_size=3)),
        joints=draw(st.dictionaries(name, joint, max_size=2)),
        ground=draw(st.none() | ground),
        run=draw(st.builds(Run, duration=st.floats(1, 10), step=st.floats(1e-6, 1e-2), solver=st.just("on"))),
    )


@settings(max_examples=100, deadline=None)
@given(scenes())
def test_a_saved_scene_loads_bit_for_bit(scene):
    text = scene_to_text(scene)
    again = scene_from_text(text)
    assert again == scene
    assert repr(again) == repr(scene)  # repr of a float is exact, and tells −0.0 from 0.0
    assert hash(again) == hash(scene)
    assert scene_to_text(again) == text
    assert scene.with_values({}) == scene


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@settings(max_examples=25, deadline=None)
@given(scene=scenes())
def test_any_yaml_parser_reads_what_is_saved(loader, scene):
    # PyYAML's own constructor knows YAML 1.1 only; our text is such that both versions agree on its structure.
    data = yaml.load(scene_to_text(scene), Loader=getattr(yaml, loader))
    assert list(data["bodies"]) == list(scene.bodies)
    assert data["name"] == scene.name


@pytest.fixture(scope="module")
def schema():
    jsonschema = pytest.importorskip("jsonschema")
    return jsonschema.Draft202012Validator(json_schema())


@settings(max_examples=50, deadline=None)
@given(scene=scenes())
def test_what_is_saved_follows_the_json_schema(schema, scene):
    schema.validate(data_from_text(scene_to_text(scene)))


def test_the_pure_python_parser_gives_the_same_scene(monkeypatch):
    text = scene_to_text(Scene(bodies={"a": Body(mass=1.0, shape=Shape(box=(1, 2, 2)), drag=Drag(linear=0.1))}))
    scene = scene_from_text(text)
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert scene_from_text(text) == scene


def test_a_scene_that_has_been_sampled_is_still_equal_and_travels():
    import numpy as np

    def build() -> Scene:
        motion = Motion(waypoints=Waypoints(t=(0, 1), position=((0, 0, 0), (1, 0, 0))))
        circle = Motion(circle=Circle(center=(0, 0, 0), radius=1.0, period=1.0))
        robots = {"r": Robot(motion=motion), "c": Robot(motion=circle)}
        return Scene(bodies={"a": Body(mass=1.0, point=True)}, robots=robots)

    scene = build()
    for robot in scene.robots.values():
        robot.sample(np.zeros(3))
    assert scene == build()
    assert hash(scene) == hash(build())
    assert pickle.loads(pickle.dumps(scene)) == scene
    assert copy.deepcopy(scene) == scene


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("1e-3", 1e-3),
        ("1E3", 1e3),
        (".5", 0.5),
        ("5.", 5.0),
        ("-1", -1),
        ("+1", 1),
        ("0o17", 15),
        ("0x1F", 31),
        ("012", 12),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("yes", "yes"),
        ("on", "on"),
        ("No", "No"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("'1'", "1"),
        ('"true"', "true"),
        ("2026-01-01", "2026-01-01"),
        ("! 1", "1"),
    ],
)
def test_scalars_follow_yaml_1_2(plain, value):
    data = data_from_text(f"a: {plain}\n")["a"]
    assert data == value
    assert type(data) is type(value)


def test_declaring_a_scene_loads_no_heavy_packages():
    code = (
        "import sys, towsim.scene; print([m for m in ('scipy', 'numba', 'matplotlib', 'xarray') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
