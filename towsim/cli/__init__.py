"""The command line: ``towsim VERB ...``, one module a verb.

A verb is one line in ``VERBS`` and one module that offers ``EPILOG`` (examples), ``add_arguments(parser)`` and
``run(arguments) -> exit code``. Only the module of the verb that was asked for is imported.

Exit codes: 0 good, 1 the run failed or a check did not pass, 2 wrong usage, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn, Protocol, cast

from towsim.cli.output import fail, say, warned
from towsim.ctrl_c import CtrlC, lose_none
from towsim.errors import TowsimError, UsageError
from towsim.quote import shorten, show
from towsim.suggest import unknown
from towsim.version import __version__


class Entry(NamedTuple):
    """A verb: its module, and one line of help."""

    module: str
    help: str


class Verb(Protocol):
    """What a verb's module offers."""

    EPILOG: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare options."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it and return the exit code."""


VERBS = {
    "list": Entry("towsim.cli.list_scenarios", "scenarios that come with towsim"),
    "new": Entry("towsim.cli.new", "write a scene file with comments, to change"),
    "run": Entry("towsim.cli.run", "simulate a scenario or a scene file, and check it"),
    "equilibrium": Entry("towsim.cli.equilibrium", "where a scene is at rest, and whether that is stable"),
    "modes": Entry("towsim.cli.modes", "how a scene at rest rings: frequencies, damping, shapes"),
    "workspace": Entry("towsim.cli.workspace", "which poses the wires of a cable robot can hold"),
    "sweep": Entry("towsim.cli.sweep", "simulate a scene for many values of its parameters"),
    "identify": Entry("towsim.cli.identify", "numbers of a scene from a log of a real run"),
    "info": Entry("towsim.cli.info", "what a result, a scene file or a scenario holds"),
    "plot": Entry("towsim.cli.plot", "draw tensions, gaps, path and residual of a result"),
    "view": Entry("towsim.cli.view", "write a 3-D page of a result"),
    "animate": Entry("towsim.cli.animate", "write a film (.gif, .webp, .mp4, .webm, or a folder of .png) of results"),
    "replay": Entry("towsim.cli.replay", "run a result again from its file alone, and compare"),
    "bench": Entry("towsim.cli.bench", "compare solvers on the problems of a run or of a file"),
    "verify": Entry("towsim.cli.verify", "check closed forms and conserved quantities on this machine"),
    "compare": Entry("towsim.cli.compare", "one motion in several formulations: differences, drift, energy, cost"),
    "warm-up": Entry("towsim.cli.warm_up", "compile the kernels of scenes before they are wanted, several at a time"),
    "export": Entry("towsim.cli.export", "convert a result to .csv, .npz or .nc"),
}

EPILOG = """\
a first look:
  towsim list
  towsim run four-robots-box             writes four-robots-box.nc
  towsim plot four-robots-box.nc         writes four-robots-box.png

a scene of your own:
  towsim new lift                        writes lift.yaml: change it
  towsim run lift.yaml

'towsim VERB --help' explains one verb, with examples.
exit codes: 0 good, 1 the run failed or a check did not pass, 2 wrong usage, 130 interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the console script. Returns the exit code; prints errors as one line, without a traceback."""
    argv = sys.argv[1:] if argv is None else argv
    lose_none()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that lacks a character shows its code instead
            stream.reconfigure(errors="backslashreplace")
    asked = next((word for word in argv if not word.startswith("-")), "")
    program = f"towsim {asked}" if asked in VERBS else "towsim"
    try:
        with warned(program):
            with CtrlC():
                arguments = _parsed(asked, argv)
                if arguments is None:
                    return 0
                verb = _load(arguments.verb)
            code = verb.run(arguments)
        sys.stdout.flush()
        return code
    except TowsimError as error:
        fail(program, str(error))
        return 2
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 128 + 13
    except OSError as error:
        fail(program, shorten(str(error)))
        return 1
    except MemoryError as error:
        fail(program, f"there is not enough memory: {shorten(str(error) or 'ask for less')}")
        return 1
    except KeyboardInterrupt:
        say(f"{program}: interrupted")
        return 130


class _Parser(argparse.ArgumentParser):
    """Errors in one line.

    Attributes
    ----------
    asked : the parser of the verb that was asked for; this one, if that is none
    """

    asked: _Parser

    def error(self, message: str) -> NoReturn:
        fail(self.prog, f"{shorten(message)} (see {self.prog} --help)")
        self.exit(2)


def _parsed(asked: str, argv: Sequence[str]) -> argparse.Namespace | None:
    """What was asked for; None if that was nothing, and help was printed instead."""
    parser = _parser(asked)
    if not argv:
        parser.print_help()
        return None
    if asked and asked == argv[0] and asked not in VERBS:
        raise UsageError(_no_verb(asked))
    arguments, others = parser.parse_known_args(argv)
    if others:
        options = [word for action in parser.asked._actions for word in action.option_strings if word.startswith("--")]
        option = others[0].startswith("-")
        parser.asked.error(unknown("option", others[0], options) if option else f"unknown argument {show(others[0])}")
    return arguments


def _no_verb(word: str) -> str:
    """What to type instead of a word that is no verb."""
    if word.endswith((".yaml", ".yml")):
        return f"{show(word)} is a scene file; to simulate it: towsim run {word}"
    if word.endswith((".nc", ".npz")):
        return f"{show(word)} is a result; to look at it: towsim info {word}, towsim plot {word}"
    import scenarios

    if word in scenarios.names():
        return f"{show(word)} is a scenario; to simulate it: towsim run {word}"
    return unknown("verb", word, VERBS)


class _Wide(argparse.RawDescriptionHelpFormatter):
    """Help with room for the longest verb beside what it does."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 4 + max(map(len, VERBS))  # argparse forgets that verbs are indented once more


def _parser(asked: str) -> _Parser:
    """The parser of everything; only the verb that is asked for has its options."""
    parser = _Parser(
        prog="towsim",
        description="Simulate payloads that are towed, lifted or carried by wires.",
        epilog=EPILOG,
        formatter_class=_Wide,
    )
    parser.asked = parser
    parser.add_argument("--version", action="version", version=f"towsim {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, title="verbs")
    for name, entry in VERBS.items():
        own = verbs.add_parser(
            name,
            help=entry.help,
            description=f"{entry.help[0].upper()}{entry.help[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name == asked:
            verb = _load(name)
            own.epilog = verb.EPILOG
            verb.add_arguments(own)
            parser.asked = own
    return parser


def _load(name: str) -> Verb:
    return cast(Verb, importlib.import_module(VERBS[name].module))
