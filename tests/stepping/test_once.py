"""What is made from a scene is kept for that very scene, and errors are not kept."""

import pytest

import towsim
from towsim.stepping.once import once


def scene(name: str) -> towsim.Scene:
    return towsim.Scene(name=name, bodies={"bob": {"mass": 1.0, "point": True}})


def test_a_scene_is_asked_once_and_an_equal_one_anew():
    asked = []
    name_of = once(lambda scene: asked.append(scene) or scene.name)
    one, other = scene("one"), scene("one")
    assert [name_of(one), name_of(one), name_of(other)] == ["one", "one", "one"]
    assert one == other
    assert [it is one for it in asked] == [True, False]


def test_an_error_is_raised_again():
    def refuse(scene):
        raise ValueError(scene.name)

    refused, one = once(refuse), scene("one")
    for _ in range(2):
        with pytest.raises(ValueError, match="one"):
            refused(one)
