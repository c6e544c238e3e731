"""What the page on validation says of the cases of others is what they give (the long ones are run by hand)."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("external_cases", ROOT / "benchmarks" / "external_cases.py")
external = importlib.util.module_from_spec(SPEC)
sys.modules["external_cases"] = external  # dataclasses look their module up
SPEC.loader.exec_module(external)
BRIEF = ("pendulum", "wire-pendulum")


def test_the_page_lists_every_case():
    page = (ROOT / "docs" / "site" / "validation.md").read_text()
    (table,) = re.findall(r"\| case \| of .*\n\|---.*\n((?:\|.*\n)+)", page)
    assert len(table.splitlines()) == len(external.CASES)


@pytest.mark.slow
@pytest.mark.parametrize("name", BRIEF)
def test_a_case_of_others_is_met(name):
    (case,) = [one for one in external.CASES if one.name == name]
    assert case.run() <= case.asked


@pytest.mark.slow
def test_a_real_flight_of_two_quadrotors_is_met_within_two_millimetres():
    """Three numbers, one start; without derivatives that took 160 to 240 runs (1.9 mm)."""
    found = external.flight(external.FLIGHTS[1])
    assert found.converged
    assert found.runs <= 15
    assert external.left(found) < 2.0e-3
