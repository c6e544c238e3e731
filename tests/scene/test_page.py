"""A scene in a notebook: every name with its numbers, and no text of a scene file becomes markup."""

import re

import pytest

import scenarios
import towsim


@pytest.mark.parametrize("name", scenarios.names())
def test_every_part_of_every_scenario_is_listed(name):
    scene = scenarios.get(name).build()
    cells = re.findall(r"<td>([^<]*)", scene._repr_html_())
    for part in (*scene.bodies, *scene.robots, *scene.wires, *scene.joints):
        assert part in cells


def test_names_and_texts_are_escaped():
    scene = towsim.Scene(name="<script>", description="a & b", bodies={"b": {"mass": 1.0, "point": True}})
    assert "<script>" not in scene._repr_html_()
    assert "&lt;script&gt;</b> a &amp; b" in scene._repr_html_()
