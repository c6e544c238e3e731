"""The usual method of a scene takes it, and so does one that is named in place of another."""

import pytest

import towsim
from towsim.methods.method import choose, method_for
from towsim.scene import Scene, scene_from_data

HEAVY = {"material": {"mass_per_length": 1.0, "axial_stiffness": 1e6, "diameter": 0.02}, "model": "mrfe"}
BODY = {"mass": 2.0, "shape": {"box": [1, 1, 1]}, "position": [0, 0, -4], "drag": {"angular": 1.0}}


def hung(wire: dict[str, object], **more: object) -> Scene:
    wires = {"w": {"from": "b", "to": "r", "length": 5.0, **wire}}
    return scene_from_data({"bodies": {"b": BODY}, "robots": {"r": {"position": [0, 0, 0]}}, "wires": wires, **more})


@pytest.mark.parametrize(
    ("scene", "named"),
    [
        (hung({}), "use 'stewart-trinkle' or 'shake'"),
        (hung(HEAVY), "use 'stewart-trinkle'"),
        (hung({}, ground={"height": -9, "friction": 0.1, "contacts": ["b"]}), "use 'stewart-trinkle'"),
    ],
)
def test_a_method_is_named_in_place_of_another_only_if_it_takes_the_scene(scene, named):
    with pytest.raises(towsim.UsageError, match="takes plain drag at the centre only") as refused:
        method_for(scene, "bdf2")
    assert str(refused.value).endswith(named)


def test_the_usual_method_of_massive_cables_takes_what_else_is_in_the_scene():
    assert choose(None, hung(HEAVY)).name == "stewart-trinkle"
    plain = hung(HEAVY).with_values({"bodies.b.drag": {"linear": 1.0}})
    assert choose(None, plain).multistep
    ends = {"kind": "ball", "from": "b", "to": "r", "detach": 1.0}
    assert choose(None, plain.with_values({"joints": {"j": ends}})).one_step
