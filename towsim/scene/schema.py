"""JSON Schema of a scene file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from towsim.scene.scene import Scene


class _Named(GenerateJsonSchema):
    """Without the titles that only repeat the keys; every mapping with keys of its own stands in ``$defs``."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def generate(self, schema: Any, mode: Any = "validation") -> dict[str, Any]:
        made = super().generate(schema, mode)
        defs = made.setdefault("$defs", {})
        for part in (made, *list(defs.values())):
            part["properties"] = _referring(part["properties"], defs)
        return made


def _referring(schema: Any, defs: dict[str, Any]) -> Any:
    """The schema with a reference in place of every mapping that pydantic wrote out where it is used (only once)."""
    if isinstance(schema, list):
        return [_referring(part, defs) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: _referring(part, defs) for key, part in schema.items()}
    if "properties" not in schema or "title" not in schema:
        return schema
    defs[schema["title"]] = schema
    return {"$ref": f"#/$defs/{schema['title']}"}


def json_schema() -> dict[str, Any]:
    """The schema of scene files (JSON Schema 2020-12), with meaning, unit and range of every field."""
    schema = Scene.model_json_schema(mode="validation", schema_generator=_Named)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


def unit_of(path: str) -> str:
    """Unit of what a path in a scene names (``bodies.box.mass``: kg), as the schema tells it; "" if it tells none."""
    schema = json_schema()
    parts = [schema]
    for key in path.split("."):
        parts = [found for part in parts for found in _inside(part, key, schema["$defs"])]
    described = [one for part in parts for one in (part, *part.get("anyOf", ()))]
    units = (re.search(r"\[([^\]]+)\]$", one.get("description", "")) for one in described)
    return next((unit[1] for unit in units if unit), "")


def _inside(part: dict[str, Any], key: str, defs: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What stands under a key or index in the ways in which a part of a scene can be written."""
    if "$ref" in part:
        part = defs[part["$ref"].rsplit("/", 1)[1]]
    for way in part.get("anyOf", ()):
        yield from _inside(way, key, defs)
    if key in part.get("properties", {}):
        yield part["properties"][key]
    elif isinstance(part.get("additionalProperties"), dict):
        yield part["additionalProperties"]
    elif key.isdecimal() and isinstance(part.get("items"), dict):
        yield {"description": part.get("description", "")} | part["items"]
