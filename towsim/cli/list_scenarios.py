"""``towsim list``."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from towsim.cli.output import as_json, hint, paint, table

EPILOG = """\
'towsim info NAME' shows the parameters of a scenario.

examples:
  towsim list
  towsim list --json | jq '.[].name'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("--json", action="store_true", help="for programs: with parameters and defaults")


def run(arguments: argparse.Namespace) -> int:
    """Print every scenario with one line, by topic."""
    import scenarios

    found = [scenarios.get(name) for name in scenarios.names()]
    if arguments.json:
        print(as_json([describe(one) for one in found]))
    else:
        lines = table([(one.name, one.summary) for one in found], indent="  ").splitlines()
        topics = dict.fromkeys((*scenarios.TOPICS, *(one.topic for one in found)))
        groups = (
            "\n".join(
                [paint(topic, "title"), *(line for line, one in zip(lines, found, strict=True) if one.topic == topic)]
            )
            for topic in topics
        )
        print("\n\n".join(group for group in groups if "\n" in group))
        hint("towsim info NAME", "towsim run NAME")
    return 0


def describe(one: object) -> dict[str, object]:
    """Everything about a scenario as plain data."""
    from scenarios import Scenario

    assert isinstance(one, Scenario)
    parameters = [{**asdict(parameter), "type": parameter.type.__name__} for parameter in one.parameters.values()]
    return {
        "name": one.name,
        "summary": one.summary,
        "topic": one.topic,
        "defaults": one.defaults,
        "solvers": one.solvers,
        "parameters": parameters,
    }
