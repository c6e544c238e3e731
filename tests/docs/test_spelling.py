"""Words are spelled right, in the pages, the messages and the code (links between pages: mkdocs --strict)."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_no_word_is_misspelt(tmp_path):
    pytest.importorskip("codespell_lib")
    rooms = [
        "README.md",
        "CHANGELOG.md",
        "docs",
        "benchmarks",
        "examples",
        "notebooks",
        "towsim",
        "solvers",
        "scenarios",
    ]
    command = [sys.executable, "-m", "codespell_lib", *rooms]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    (tmp_path / "wrong.md").write_text("a recieved tow\n")
    found = subprocess.run([*command[:3], str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "recieved ==> received" in found.stdout
