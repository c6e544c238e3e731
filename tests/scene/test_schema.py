"""The JSON Schema is complete: every key of every mapping is there, with meaning and unit."""

from __future__ import annotations

import json

import pytest

from towsim.scene import data_from_text, json_schema

EXAMPLE = """
schema: 1
name: all
wind: {x: sin(t)}
bodies:
  box: {mass: 2.0, shape: {box: [0.4, 0.3, 0.2]}, points: {left: [-0.2, 0, 0.1]}, thrust: {x: "t", at: [0, 0, 1]}}
  bob: {mass: 0.3, point: true}
  drone: {mass: 0.7, shape: {sphere: 0.1}, rotors: {arm: 0.1, moment_ratio: 0.1, thrust: [1, "t", 2, 3], failures: [{time: 1, rotors: [1, 2]}]}}
  gyro: {mass: 1.0, inertia: [[2, 0, 0], [0, 2, 0], [0, 0, 2]]}
robots:
  a: {motion: {csv: path.csv}}
  b: {motion: {circle: {center: [0, 0, 0], radius: 1, rate: 2}}}
wires:
  e: {from: box.left, to: a, length: 1.01}
  w: {from: bob, to: b, length: {start: 1.01, rate: -0.02}, model: rigid}
  c: {from: bob, to: b, length: 1, material: {diameter: 4e-3, density: 5e3, youngs_modulus: 1e11}, model: {mrfe: {elements: 5}}}
  f: {from: free, exit: [0, 0, 1], exit_force: {z: "5"}, to: bob, length: 1, material: {axial_stiffness: 1e5, mass_per_length: 0.1, bending_stiffness: 0, diameter: 0.01}, model: mrfe}
joints: {j: {kind: ball, from: bob, to: box}}
ground: {contacts: [bob], spring: {stiffness: 1e3, damping: 1e2, pulls: true}}
"""  # noqa: E501


def nodes(schema):
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from nodes(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from nodes(value)


def test_every_field_says_what_it_is():
    schema = json_schema()
    assert json.loads(json.dumps(schema)) == schema
    objects = [node for node in nodes(schema) if "properties" in node]
    assert {"Scene", "Body", "Wire"} <= {*schema["$defs"], schema["title"]}
    for node in objects:
        assert node["additionalProperties"] is False
        for key, field in node["properties"].items():
            said = [option for option in (field, *field.get("anyOf", [])) if {"description", "$ref"} & option.keys()]
            assert said or "enum" in field, (node["title"], key, field)
    assert schema["$defs"]["Body"]["properties"]["mass"]["description"] == "mass [kg]"
    assert schema["$defs"]["Body"]["properties"]["mass"]["exclusiveMinimum"] == 0.0
    assert "from" in schema["$defs"]["Wire"]["required"]
    of_sensor = schema["$defs"]["Sensor"]["properties"]["of"]["description"]
    assert "a wire, of a load cell" in of_sensor  # and not the end of one
    assert "point" not in of_sensor


def test_the_schema_accepts_and_refuses():
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema())
    validator.check_schema(json_schema())
    data = data_from_text(EXAMPLE)
    validator.validate(data)
    for change in (
        {"bodies": {"box": {"mass": -1, "point": True}}},
        {"bodies": {"a.b": {"mass": 1, "point": True}}},
        {"wires": {"w": {"from": "a.b.c", "to": "b", "length": 1}}},
        {"gravity": [0, 0]},
        {"colour": "red"},
    ):
        assert not validator.is_valid(data | change)


def test_every_mapping_is_a_definition_so_that_the_reference_has_a_section_for_it():
    schema = json_schema()
    assert {"Ground", "Length", "LengthPoints", "Wind", "Gust"} <= schema["$defs"].keys()
    defined = {id(schema), *map(id, schema["$defs"].values())}
    assert all(id(node) in defined for node in nodes(schema) if "additionalProperties" in node and "title" in node)
    for node in nodes(schema):
        if "$ref" in node:
            assert node["$ref"].removeprefix("#/$defs/") in schema["$defs"]
