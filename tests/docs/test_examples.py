"""Every example of the documentation runs as it is written.

Pages are the README, ``docs`` and ``benchmarks/README.md``; code in docstrings is a doctest. The examples of a page run
in their order, in a copy of the clone: Python in one namespace, commands by ``bash``, scenes for a moment. A block with
``title="tow.yaml"`` is first saved under that name. What cannot run stands behind an invisible comment that says why,
``<!--- skip: next "it installs" -->``, and is counted here.
"""

import contextlib
import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import SkipTest

import pytest
from sybil import Sybil
from sybil.parsers.abstract import AbstractCodeBlockParser
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import SkipParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer
from sybil.parsers.rest import DocTestParser

import towsim
from towsim.scene import scene_from_text

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = [path for room in ("towsim", "solvers", "scenarios") for path in sorted((ROOT / room).rglob("*.py"))]
NOT_RUN = {"README.md": 0}
"""Blocks of each page that never run; raise a number only with a reason beside the block."""
BRIEF = 0.02
"""Duration of a scene that is only shown [s]."""


def run_commands(example):
    done = subprocess.run(["bash", "-euxo", "pipefail", "-c", example.parsed], capture_output=True, text=True)
    place = f"{Path(example.path).relative_to(ROOT)}:{example.line}"
    assert done.returncode == 0, f"{place}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"


def run_scene(example):
    title = re.search('title="(.*?)"', example.region.lexemes["rest"])
    if title:
        Path(title[1]).write_text(example.parsed)
    scene = scene_from_text(example.parsed)
    towsim.simulate(scene, duration=max(BRIEF, scene.run.step))


class Blocks(AbstractCodeBlockParser):
    """Blocks of one language, whatever else stands on the line of the fence."""

    def __init__(self, language, evaluator):
        fence = re.compile(r"(?P<arguments>\w+)(?P<rest>.*)$\n", re.MULTILINE)
        super().__init__([RawFencedCodeBlockLexer(fence)], language, evaluator)


RUN = {"python": PythonEvaluator(), "bash": run_commands, "yaml": run_scene}


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A copy of what a clone holds, with towsim installed in its ``.venv``, as the current folder."""
    for name in ("benchmarks", "docs", "examples", "notebooks", "scenarios", "solvers", "towsim"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ["PATH"]]))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path


def installed(name):
    return importlib.util.find_spec(name) is not None


def evaluate(path, languages):
    """Run the examples of a page in these languages."""
    parsers = [Blocks(one, run if one in languages else lambda example: None) for one, run in RUN.items()]
    document = Sybil([*parsers, SkipParser()]).parse(path)
    document.namespace["installed"] = installed
    for example in document.examples():
        with contextlib.suppress(SkipTest):
            example.evaluate()


def named(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_and_scenes_run_as_written(page, clone):
    evaluate(page, {"python", "yaml"})


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if "```bash" in page.read_text()], ids=named)
def test_commands_run_as_written(page, clone):
    evaluate(page, {"bash", "yaml"})
