"""A wire's material, its models and its free end: what they mean, and what is refused."""

from __future__ import annotations

import math

import pytest

from towsim.errors import SceneError
from towsim.scene import Axes, Body, Joint, Material, Mrfe, Robot, Scene, Wire

STEEL = Material(diameter=4e-3, density=5305, youngs_modulus=1.39e11, damping_modulus=2.87e9)
FIGURES = Material(diameter=4e-3, mass_per_length=0.07, axial_stiffness=2e6, bending_stiffness=2.0)


def wire(**given) -> Wire:
    return Wire(**({"from_": "top", "to": "bob", "length": 1.0} | given))


def scene(**given) -> Scene:
    return Scene(
        bodies={"bob": Body(mass=1.0, point=True, position=(0, 0, -1))},
        robots={"top": Robot(position=(0, 0, 0)), "post": Robot(position=(0, 0, -1))},
        wires={"w": wire(**given)},
    )


def test_material_data_give_the_stiffness_of_a_solid_round_section():
    # The cable of the 4-4 robot: EA = π 556e3 N, EI = π 2.224/4 N m², ηA = π 1148e1 N s, 0.05 kg on 0.75 m.
    section = STEEL.section()
    assert section.axial_stiffness == pytest.approx(math.pi * 556e3, rel=1e-12)
    assert section.bending_stiffness == pytest.approx(math.pi * 2.224 / 4, rel=1e-12)
    assert section.axial_damping == pytest.approx(math.pi * 1148e1, rel=1e-12)
    assert section.bending_damping == pytest.approx(math.pi * 4.592e-2 / 4, rel=1e-12)
    assert section.mass_per_length == pytest.approx(0.05 / 0.75, rel=1e-4)


def test_given_figures_take_precedence_over_material_data():
    assert STEEL.replace(axial_stiffness=5.0).section() == STEEL.section()._replace(axial_stiffness=5.0)
    assert FIGURES.section() == (4e-3, 0.07, 2e6, 2.0, 0.0, 0.0)


def test_one_line_switches_the_model():
    given = scene(material=STEEL)
    assert given.wires["w"].model == "rigid"
    for value, model in (("elastic", "elastic"), ("mrfe", Mrfe()), ({"mrfe": {"elements": 7}}, Mrfe(elements=7))):
        switched = given.with_values({"wires.w.model": value})
        assert switched.wires["w"].model == model
        assert switched.with_values({"wires.w.model": "rigid"}) == given
    finer = given.with_values({"wires.w.model": "mrfe"}).with_values({"wires.w.model.mrfe.elements": 20})
    assert finer.wires["w"].model == Mrfe(elements=20)


def test_a_cable_between_robots_needs_no_body():
    cable = wire(to="post", material=STEEL, model="mrfe")
    robots = scene().robots
    Scene(robots=robots, wires={"c": cable})
    with pytest.raises(SceneError, match="there is no body"):
        Scene(robots=robots)
    with pytest.raises(SceneError, match=r"wires\.c: both ends are robots"):
        scene().replace(wires={"c": cable.replace(model="elastic")})


FREE = {"from_": "free", "exit": (0, 0, 0), "material": STEEL, "model": "mrfe"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": "elastic"}, r"material: the model elastic needs axial_stiffness \(or youngs_modulus and diameter\)"),
        ({"model": "elastic", "material": {"youngs_modulus": 1e9}}, "needs axial_stiffness"),
        ({"model": "mrfe"}, "material: the model mrfe needs mass_per_length .*, axial_stiffness .or"),
        ({"model": "mrfe", "material": {"diameter": 1e-3, "youngs_modulus": 1e9}}, r"needs mass_per_length \(or dens"),
        ({"material": {"axial_stiffness": -1.0}}, r"material\.axial_stiffness: must be > 0 N, got -1"),
        ({"material": {"bending_stiffness": -1.0}}, r"material\.bending_stiffness: must be >= 0 N m², got -1"),
        ({"material": {"youngs_modulus": -1e9}}, r"material\.youngs_modulus: must be > 0 Pa"),
        ({"material": {"damping_modulus": -1e9}}, r"material\.damping_modulus: must be >= 0 Pa s"),
        ({"material": {"youngsmodulus": 1e9}}, "did you mean 'youngs_modulus'"),
        (
            {"material": STEEL, "model": "mfre"},
            "model: must be rigid, elastic, mrfe, {mrfe: {...}} or {spring: {...}}, got 'mfre'",
        ),
        (
            {"material": STEEL, "model": {"mrfe": {"elements": 0}}},
            r"model\.mrfe\.elements: .*must be >= 1, got 0",
        ),
        ({"material": STEEL, "model": {"mrfe": {"elements": -3}}}, r"model\.mrfe\.elements: .*got -3"),
        ({"material": STEEL, "model": {"mrfe": {"first_joint": "xy"}}}, r"first_joint: must be 'ball', 'zy' or 'yx'"),
        ({"material": STEEL, "model": {"mrfe": {"to_end": "guided"}}}, r"to_end: must be 'ball' or 'clamped'"),
        ({"material": STEEL, "model": {"mrfe": {"rest": [[0, 0]]}}}, "rest: must have one pair .* of the 5 elements"),
        ({"material": STEEL, "model": {"mrfe": {"rest": "curly"}}}, "rest: must be a list of lists of 2 numbers"),
        ({"to": "free"}, "to: only the end 'from' can be free; swap the ends"),
        ({"from_": "free"}, "from: only an mrfe cable can have a free end, and the model is rigid"),
        (FREE | {"exit": None}, r"from: a free end needs the place where it starts, exit"),
        (FREE | {"model": {"mrfe": {"from_end": "clamped"}}}, "model: a free end is held by nothing"),
        ({"exit": (0, 0, 0)}, r"exit: is for a free end \(from: free\), and this wire starts at 'top'"),
        ({"exit_force": {"z": 5.0}}, "exit_force: is for a free end"),
    ],
)
def test_a_wire_that_cannot_be_is_refused_by_name(given, message):
    with pytest.raises(SceneError, match=message):
        wire(**given)


def test_free_is_no_name_for_a_body_or_a_robot():
    cable = wire(**FREE, exit_force=Axes(z="5*t"))
    scene().replace(wires={"c": cable})
    assert cable.exit_force.z == "5*t"
    bob = scene().bodies["bob"]
    for given in ({"bodies": {"free": bob}}, {"bodies": {"bob": bob}, "robots": {"free": Robot(position=(0, 0, 0))}}):
        with pytest.raises(SceneError, match="the name 'free' means the free end of a cable"):
            Scene(**given)
    with pytest.raises(SceneError, match=r"joints\.j\.from: unknown body or robot 'free'"):
        scene().replace(joints={"j": Joint(from_="free", to="bob")})


LIGHT = {"mass_per_length": 0.3, "axial_stiffness": 2e5}
"""All that a rope needs for each of the models."""


def test_a_rope_of_given_mass_and_stiffness_has_stated_defaults_for_the_rest():
    section = Material(**LIGHT).section()
    assert section.mass_per_length == pytest.approx(7850.0 * math.pi * section.diameter**2 / 4.0)
    assert section.bending_stiffness == pytest.approx(2e5 * section.diameter**2 / 4096.0)
    assert (section.axial_damping, section.bending_damping) == (0.0, 0.0)
    # A 6×19 rope of 16 mm: 114 wires of 1 mm that slide have 114 E I each, with EA = 114 E A each.
    wires = 114 * 2e11 * math.pi / 64 * 1e-3**4
    rope = Material(diameter=16e-3, axial_stiffness=114 * 2e11 * math.pi / 4 * 1e-6, mass_per_length=1.0)
    assert rope.section().bending_stiffness == pytest.approx(wires)
    # What is declared is taken: a density gives a diameter, a diameter and a modulus a solid rod.
    assert Material(density=970.0, **LIGHT).section().diameter == pytest.approx(math.sqrt(4 * 0.3 / (math.pi * 970.0)))
    assert math.isnan(Material(mass_per_length=0.3, youngs_modulus=1e9).section().axial_stiffness)


@pytest.mark.parametrize("elements", [5, 12])
@pytest.mark.parametrize(
    ("gravity", "place"), [((0, 0, -9.81), (0, 0, -1)), ((0, 0, 0), (0.6, 0, -0.8)), ((0, 0, -9.81), (0.6, 0, -0.8))]
)
def test_a_slack_cable_starts_in_a_shape_of_its_length(elements, gravity, place):
    """Hanging at rest; or, where nothing tells how (no weight, a vertical span), in an arc: ends meet, no stretch."""
    from towsim.model.cables import CableTable

    cable = wire(material=LIGHT, model={"mrfe": {"elements": elements}}, length=1.3)
    bob = Body(mass=1.0, point=True, position=place)
    hung = Scene(bodies={"bob": bob}, robots=scene().robots, wires={"w": cable}, gravity=gravity)
    (one,) = CableTable(hung).cables
    along, stretch = one.shape
    size = 1.3 / elements + stretch
    assert (size[:, None] * along).sum(axis=0) == pytest.approx(one.start[1] - one.start[0], abs=1e-9)
    assert abs(along**2).sum(axis=1) == pytest.approx(1.0)
    assert abs(stretch).max() < 1e-4


def test_one_element_cannot_be_slack():
    from towsim.model.cables import CableTable

    (one,) = CableTable(scene(material=LIGHT, model={"mrfe": {"elements": 1}}, length=1.3)).cables
    with pytest.raises(SceneError, match=r"wire 'w' is 1.3 m long, its ends 1 m apart: a cable of one element cannot"):
        _ = one.shape


@pytest.mark.parametrize(
    ("ends", "held", "told"),
    [
        ("ab", {"from_end": "clamped"}, None),
        ("al", {"from_end": "clamped"}, None),
        ("la", {"to_end": "clamped"}, None),
        ("lm", {"from_end": "guided"}, None),
        ("al", {"from_end": "guided"}, None),
        ("ab", {"to_end": "clamped"}, "end at 'b' is clamped; between two robots that must be the end 'from'"),
        ("al", {"to_end": "clamped"}, "end at 'l' is clamped; such an end of an mrfe cable must be on a robot"),
        ("lm", {"from_end": "clamped"}, "end at 'l' is clamped; such an end of an mrfe cable must be on a robot"),
        ("la", {"from_end": "guided"}, "end at 'l' is guided; .* must be on the robot that holds the other one"),
        ("ab", {"from_end": "guided", "to_end": "clamped"}, "ends are guided and clamped; one end .* must be ball"),
    ],
)
def test_an_end_that_cannot_be_held_so_is_told_with_where_it_can(
    ends: str, held: dict[str, str], told: str | None
) -> None:
    from towsim.model.cables import CableTable

    robots = {"a": Robot(position=(0, 0, 0)), "b": Robot(position=(1.3, 0, 0))}
    bodies = {name: Body(mass=1.0, point=True, position=(x, 0, 0)) for name, x in (("l", 1.3), ("m", 2.6))}
    model = {"mrfe": {"elements": 2, **held}}
    cable = Wire.model_validate({"from": ends[0], "to": ends[1], "length": 1.3, "material": LIGHT, "model": model})
    scene = Scene(bodies=bodies, robots=robots, wires={"c": cable})
    if told is None:
        assert CableTable(scene).cables[0].tip_end == "ball"
    else:
        with pytest.raises(SceneError, match=f"wire 'c': its {told}"):
            CableTable(scene)
