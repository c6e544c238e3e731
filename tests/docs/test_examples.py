"""Every example of the documentation runs as it is written.

Pages are the README, ``docs`` and ``benchmarks/README.md``; code in docstrings is a doctest. The examples of a page run
in their order, in a folder that looks like a clone: Python in one namespace, commands by ``bash``, scenes for a moment.
A block with ``title="tow.yaml"`` is first saved under that name. What cannot run stands behind an invisible comment
that says why, ``<!--- skip: next "it installs" -->``, and is counted here, so that nothing is left out silently.
"""

import contextlib
import doctest
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import SkipTest

import pytest
from sybil import Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.abstract import AbstractCodeBlockParser
from sybil.parsers.markdown import SkipParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer
from sybil.parsers.rest import DocTestParser

import towsim
from towsim import cli
from towsim.pictures.page3d import PARTS
from towsim.scene import scene_from_text

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = [path for room in ("towsim", "solvers", "scenarios") for path in sorted((ROOT / room).rglob("*.py"))]
NEVER_RUN = {
    "README.md": 5,
    "docs/site/derivatives.md": 2,
    "docs/site/first-tow.md": 1,
    "docs/site/runs.md": 1,
    "docs/site/solvers.md": 1,
    "docs/site/validation.md": 2,
}
"""Blocks of a page that no machine runs, or the build of the page."""
NEED_MORE = {
    "README.md": 2,
    "docs/site/first-tow.md": 1,
    "docs/site/results.md": 1,
    "docs/site/runs.md": 2,
    "docs/site/tutorials/learn.md": 2,
}
"""Blocks of a page that run where an extra, or the viewer of the 3-D page, is installed, as in CI."""
BRIEF = 0.02
"""Duration of a scene that is only shown [s]."""


def run_scene(example):
    title = re.search('title="(.*?)"', example.region.lexemes["rest"])
    if title:
        Path(title[1]).write_text(example.parsed)
    scene = scene_from_text(str(example.parsed))
    towsim.simulate(scene, duration=max(BRIEF, scene.run.step))


class Blocks(AbstractCodeBlockParser):
    """Blocks of one language, whatever else stands on the line of the fence."""

    def __init__(self, language, evaluator):
        fence = re.compile(r"(?P<arguments>\w+)(?P<rest>.*)$\n", re.MULTILINE)
        super().__init__([RawFencedCodeBlockLexer(fence)], language, evaluator)


LANGUAGES = ("python", "bash", "yaml")
PYTHON = PythonEvaluator()


@pytest.fixture
def run_commands(bash):
    """Runs an example of commands."""

    def run(example):
        done = bash(example.parsed)
        place = f"{Path(example.path).relative_to(ROOT)}:{example.line}"
        assert done.returncode == 0, f"{place}: exit code {done.returncode}\n{done.stdout}"

    return run


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """What examples need of a clone, with towsim installed in its ``.venv``, as the current folder."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ["PATH"]]))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path


def installed(name):
    return importlib.util.find_spec(name) is not None


def evaluate(path, **run):
    """Run the examples of a page in these languages."""
    parsers = [Blocks(one, run.get(one, lambda example: None)) for one in LANGUAGES]
    document = Sybil([*parsers, SkipParser()]).parse(path)
    document.namespace |= {"installed": installed, "viewer": PARTS.joinpath("bundle.js").is_file()}
    for example in document.examples():
        with contextlib.suppress(SkipTest):
            example.evaluate()


def named(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_python_and_scenes_run_as_written(page, clone):
    evaluate(page, python=PYTHON, yaml=run_scene)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if "```bash" in page.read_text()], ids=named)
def test_commands_run_as_written(page, clone, run_commands):
    evaluate(page, bash=run_commands, yaml=run_scene)


@pytest.mark.parametrize("path", [path for path in SOURCES if ">>> " in path.read_text()], ids=named)
def test_docstrings_run_as_written(path, clone):
    document = Sybil([DocTestParser(doctest.ELLIPSIS)]).parse(path)
    assert [example.evaluate() for example in document.examples()]


def test_what_is_left_out_is_counted():
    for page in PAGES:
        text = page.read_text()
        never, conditional = (
            len(re.findall(pattern, text)) for pattern in (r"<!--- skip: next \"", r"<!--- skip: next if\(")
        )
        assert (never, conditional) == (NEVER_RUN.get(named(page), 0), NEED_MORE.get(named(page), 0)), page
        assert len(re.findall("skip:", text)) == never + conditional, f"{page}: written in another way"


def test_every_block_is_of_a_kind_that_runs():
    kinds = {*LANGUAGES, "text"}  # which is what the command above it prints
    for page in PAGES:
        text = page.read_text()
        assert set(re.findall(r"^ *```(\w*).*\n(?:.*\n)*?^ *```$", text, re.MULTILINE)) <= kinds, page
        assert not re.findall(
            r"^ {4,}(?:towsim|python3?|pip|source|mkdocs|import|from \w+ import) .*$", text, re.MULTILINE
        )


def inline(pattern):
    """Pieces of code within the text of the pages that match, and where they stand."""
    for page in PAGES:
        for code in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)):
            found = re.match(pattern, code)
            if found:
                yield named(page), found


def test_every_name_in_the_text_exists_after_import():
    found = {match[0] for _, match in inline(r"(?:towsim|solvers|scenarios)(?:\.[A-Za-z]\w*)+(?![\w/])")}
    assert len(found) > 8
    found.discard("towsim.solvers")  # a group of entry points
    found -= {name for name in found if name.startswith("towsim.rl") and not installed("gymnasium")}
    code = "import towsim, solvers, scenarios\n" + "\n".join(sorted(found))
    subprocess.run([sys.executable, "-c", code], check=True)


def test_packages_are_there_without_an_import_and_cost_nothing_until_then():
    code = """
import sys, towsim
assert not {"numpy", "numba", "towsim.scene"} & set(sys.modules)
for name in towsim._PACKAGES:
    if name != "rl" or importlib.util.find_spec("gymnasium"):
        assert getattr(towsim, name).__name__ == f"towsim.{name}"
assert {"analysis", "sweep"} <= set(dir(towsim))
"""
    subprocess.run([sys.executable, "-c", "import importlib.util" + code], check=True)


def test_every_file_in_the_text_exists():
    for page, match in inline(r"(?:[\w.]+/)*\w+\.py$"):
        assert [*ROOT.glob(match[0]), *ROOT.rglob(f"*/{match[0]}")], f"{page}: {match[0]}"


def test_every_benchmark_in_the_text_takes_its_options():
    asked = {}
    for _, match in inline(r"python (\S+\.py)(.*)"):
        asked.setdefault(match[1], set()).update(options(shlex.split(match[2])))
    assert len(asked) > 8
    for script, given in asked.items():
        text = (ROOT / script).read_text()
        beside = [path.read_text() for path in (ROOT / "benchmarks").glob("*.py") if f"from {path.stem} " in text]
        assert given <= set(re.findall(r'add_argument\(\s*"(--[a-z-]+)"', "\n".join([text, *beside]))), script


def options(words):
    """Options among the words of a command."""
    return {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}


def test_every_option_in_the_text_exists():
    seen = 0
    for page, match in inline(r"towsim (\w[\w-]*)(.*)"):
        verb, rest = match[1], shlex.split(match[2])
        known = cli._load(verb) and cli._parser(verb)._subparsers._group_actions[0].choices[verb]._option_string_actions
        assert options(rest) <= known.keys(), f"{page}: {match[0]}"
        seen += 1
    assert seen > 6


@pytest.mark.parametrize("verb", cli.VERBS)
def test_examples_of_the_command_line_can_be_parsed(verb):
    examples = re.findall(rf"^ +towsim ({verb}\b.*?)(?:  .*)?$", cli._load(verb).EPILOG, re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" | ")[0].partition(" > ")[0])
        assert cli._parser(verb).parse_args(words).verb == verb
