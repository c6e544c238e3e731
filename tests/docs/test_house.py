"""What the architecture page says of modules, functions and types holds."""

import ast
import re
from pathlib import Path

import numpy as np
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).parents[2]
ROOMS = ("towsim", "solvers", "scenarios")
FILES = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
ALL = [*FILES, *(file for room in ("tests", "benchmarks", "docs") for file in sorted((ROOT / room).rglob("*.py")))]
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def statements(file):
    """All statements of a file, whatever they stand in."""
    found = [ast.parse(file.read_text())]
    for one in found:
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            found += getattr(one, block, ())
    return found


def arguments(function):
    found = function.args
    count = len(found.posonlyargs + found.args + found.kwonlyargs) + bool(found.vararg) + bool(found.kwarg)
    return count - bool(found.args and found.args[0].arg in ("self", "cls"))


def test_modules_have_500_lines_at_most():
    assert not [file for file in ALL if len(file.read_text().splitlines()) > 500]


def test_few_functions_have_12_arguments():
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    nodes = (node for file in ALL for node in statements(file) if isinstance(node, kinds))
    found = {node.name for node in nodes if arguments(node) >= 12}
    assert {"identify", "plan", "sweep"} <= found
    assert len(found) <= 5


def test_few_places_are_laid_out_by_hand():
    assert sum(file.read_text().count("  # fmt: " + "skip") for file in ALL) <= 10


def test_only_kernels_switch_the_checker_off():
    off = [file for file in FILES if re.search("^# mypy: ", file.read_text(), re.MULTILINE)]
    kernel = re.compile(r"^@(kernel|part|overload)", re.MULTILINE)
    assert [file.name for file in off if not kernel.search(file.read_text())] == ["plain_lanes.py"]
    (most,) = re.findall(r"files (\d+)\s+at most switch the type checker off", PAGE)
    assert len(off) <= int(most)


def test_imports_go_one_way_but_in_small_circles():
    """Annotations and imports inside of functions count as well: who reads a module need not read the whole house."""
    number = {
        ".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): i for i, f in enumerate(FILES)
    }
    leads = np.zeros((len(FILES), len(FILES)), bool)
    for i, file in enumerate(FILES):
        for node in statements(file):
            if isinstance(node, ast.ImportFrom):
                named = (number.get(f"{node.module}.{one.name}", number.get(node.module)) for one in node.names)
                leads[i, [j for j in named if j is not None]] = True
    _, circle = connected_components(leads, connection="strong")
    assert np.bincount(circle).max() <= 12  # a stepper and what it is handed to
