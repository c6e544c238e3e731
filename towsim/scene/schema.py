"""JSON Schema of a scene file."""

from __future__ import annotations

from typing import Any

from towsim.scene.scene import Scene


def json_schema() -> dict[str, Any]:
    """The schema of scene files (JSON Schema 2020-12), with meaning, unit and range of every field."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | Scene.model_json_schema(mode="validation")
