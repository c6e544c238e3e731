"""Forces that statics does not determine: by counting, and as the step of a run that starts there has it."""

import pytest

import scenarios
import towsim
from towsim.scene import scene_from_text

SEAT = """
bodies: {seat: {mass: 5, shape: {box: [0.4, 0.2, 0.1]}, position: [0, 0, -2],
                points: {p: [0.2, 0.1, 0], q: [-0.2, 0.1, 0], r: [-0.2, -0.1, 0], s: [0.2, -0.1, 0]}}}
robots: {P: {position: [0.2, 0.1, 0]}, Q: {position: [-0.2, 0.1, 0]}, R: {position: [-0.2, -0.1, 0]},
         S: {position: [0.2, -0.1, 0]}}
wires:
  p: {from: P, to: seat.p, length: 2}
  q: {from: Q, to: seat.q, length: 2}
  r: {from: R, to: seat.r, length: 2}
"""
FOURTH = "  s: {from: S, to: seat.s, length: 2}\n"
ON_A_TABLE = "ground: {height: -2.05, friction: 0.3, contacts: [seat.corners]}\n"
ELASTIC = {"model": "elastic", "material": {"axial_stiffness": 1e4}}
HANGS_AND_STANDS = """
bodies: {bob: {mass: 1, point: true, position: [0, 0, -1]}}
robots: {a: {position: [0, 0, 0]}}
wires: {w: {from: a, to: bob, length: 1}}
ground: {height: -1, contacts: [bob]}
"""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (SEAT, ()),
        (SEAT + FOURTH, ("p", "q", "r", "s")),
        (HANGS_AND_STANDS, ("w", "bob")),
    ],
    ids=["three wires", "four wires", "a load that hangs and stands"],
)
def test_more_one_way_supports_than_equations_share_the_load_in_many_ways(text, named):
    rest = towsim.equilibrium(scene_from_text(text))
    assert rest.undetermined == named
    assert rest.table().count("not unique") == len(named)
    assert rest.to_dict()["undetermined"] == list(named)


def test_wires_that_stretch_are_told_apart_by_their_stretch():
    scene = scene_from_text(SEAT + FOURTH)
    soft = {f"wires.{wire}.{field}": value for wire in "pqrs" for field, value in ELASTIC.items()}
    assert towsim.equilibrium(scene.with_values(soft)).undetermined == ()


def test_what_bears_nothing_shares_where_it_could_bear():
    """Two wires of four are a nanometre shorter: they bear all; what a rounding has decided is not determined."""
    shorter = {"wires.p.length": 2.0 - 1e-9, "wires.r.length": 2.0 - 1e-9}
    rest = towsim.equilibrium(scene_from_text(SEAT + FOURTH).with_values(shorter))
    assert set(rest.slack) == {"q", "s"}
    assert rest.undetermined == ("p", "q", "r", "s")


def test_a_slack_wire_by_which_no_load_can_be_shared_leaves_all_determined():
    """The fourth wire along the third could bear in its place; beside the load, across it, it could not."""
    beside = HANGS_AND_STANDS.replace("wires: {", "wires: {side: {from: b, to: bob, length: 1}, ").replace(
        "robots: {", "robots: {b: {position: [1, 0, -1]}, "
    )
    rest = towsim.equilibrium(scene_from_text(beside).replace(ground=None))
    assert rest.undetermined == ()
    along = beside.replace("[1, 0, -1]", "[0, 0, 0]")
    assert towsim.equilibrium(scene_from_text(along).replace(ground=None)).undetermined == ("side", "w")


@pytest.mark.parametrize(
    "scene",
    [
        *("eight-wires-box", "three-robots-box", "four-robots-box", "crane-winch", "slewing-crane", "payload-chain"),
        SEAT,
        SEAT + FOURTH,
        SEAT + ON_A_TABLE,
    ],
)
def test_it_is_determined_where_the_step_of_a_run_that_starts_there_says_unique(scene):
    declared = scene_from_text(scene) if "\n" in scene else scenarios.get(scene).build()
    still = {name: one.replace(motion=None, position=tuple(one.start())) for name, one in declared.robots.items()}
    wires = {name: one.replace(length=one.length_at_start()) for name, one in declared.wires.items()}
    standing = declared.replace(robots=still, wires=wires, start="equilibrium")
    step = towsim.simulate(standing, duration=1e-3, step=1e-3)["tension_unique"].values[-1]
    assert step == (not towsim.equilibrium(standing).undetermined)
