"""The reference of scene files, made from the JSON schema: keys, units, defaults, examples."""

import importlib.util
import re
from pathlib import Path

import pytest

from towsim.scene import json_schema

ROOT = Path(__file__).parents[2]
PURE = {"parameters", "seed", "quaternion", "damping", "spread", "normal", "axis", "rotors", "elements", "swivel"}
PURE |= {"coefficient", "turns", "friction"}
"""Ratios, counts, directions, quaternions."""
SEVERAL = {"noise", "turn_noise", "target", "gain"}
"""Units that another key decides: the text names them."""


def test_every_key_has_its_unit_its_default_and_its_meaning_and_every_part_an_example():
    pytest.importorskip("mkdocs")
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    _, *sections = re.split(r"^## (.*)$", generate._scene(), flags=re.MULTILINE)
    sections = dict(zip(sections[::2], sections[1::2], strict=True))
    schema = json_schema()
    parts = {"The file": schema} | {name: one for name, one in schema["$defs"].items() if name[0] != "_"}
    assert set(sections) == set(parts)
    gaps = [name for name in parts if name != "The file" and "```yaml" not in sections[name]]
    for name, part in parts.items():
        rows = re.findall(r"^\| `(\w+)` \|(.*)\| (.*) \| (.*) \| (.*) \|$", sections[name], re.MULTILINE)
        assert {row[0] for row in rows} == set(part["properties"])
        for key, kind, unit, default, meaning in rows:
            plain = "number" not in kind or key in PURE or (key in SEVERAL and re.search(r"\bm/s|\brad\b", meaning))
            if not (default.strip() and meaning.strip() and (plain or unit.strip())):
                gaps.append(f"{name}.{key}")
    assert gaps == []
