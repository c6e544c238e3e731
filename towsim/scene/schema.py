"""JSON Schema of a scene file."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from towsim.scene.scene import Scene


class _Untitled(GenerateJsonSchema):
    """Without the titles that only repeat the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def json_schema() -> dict[str, Any]:
    """The schema of scene files (JSON Schema 2020-12), with meaning, unit and range of every field."""
    schema = Scene.model_json_schema(mode="validation", schema_generator=_Untitled)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema
