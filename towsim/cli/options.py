"""Options of a run as flags: each as it is declared."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from towsim.cli.targets import positive, whole
from towsim.run.options import Option, choices, declared, default_of

FLAGS = tuple(name for name, (_, option) in declared().items() if option.flag)


def add_options(parser: argparse._ActionsContainer, names: Sequence[str] = FLAGS) -> None:
    """Declare flags of these options of a run."""
    for name in names:
        given, option = declared()[name]
        parser.add_argument(f"--{name.replace('_', '-')}", help=_help(option), **_kind(given, option))


def _kind(given: Any, option: Option) -> dict[str, Any]:
    """What argparse is to make of a word."""
    if words := choices(given):
        return {"choices": words}
    if given is int:
        return {"type": whole, "metavar": "N"}
    if given == float | None:
        return {"type": positive, "metavar": "SECONDS" if option.unit == "s" else "NUMBER"}
    return {"metavar": "NAME,.." if "Sequence" in str(given) else "NAME"}


def _help(option: Option) -> str:
    return f"{option.help} (default: {default_of(option)})".replace("`", "").replace("%", "%%")
