"""``towsim modes``."""

from __future__ import annotations

import argparse
from pathlib import Path

from towsim.cli.output import as_json, fail
from towsim.cli.targets import assignments, scenario_or_scene, scene_with, whole
from towsim.errors import SceneError, UsageError

EPILOG = """\
small free motions about the equilibrium (see towsim equilibrium), slowest first: frequency, period, damping ratio (1:
it does not oscillate; negative: it grows), and which move of which body is the largest; massive cables ring with all
their elements

examples:
  towsim modes crane-winch
  towsim modes box.yaml --count 20
  towsim modes box.yaml -o modes.png     draws the shapes of the first six
  towsim modes box.yaml --json | jq .frequency
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("what", metavar="FILE-or-NAME", help="a scene file or a scenario")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as for towsim run")
    parser.add_argument("--count", type=whole, default=12, metavar="N", help="number of modes (default 12)")
    parser.add_argument("-o", "--output", metavar="FILE", help="picture of the shapes: .png, .pdf or .svg")
    parser.add_argument("--force", action="store_true", help="overwrite an existing picture")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(arguments: argparse.Namespace) -> int:
    """Find them, and print them."""
    from towsim.results.files import refuse_existing
    from towsim.statics import equilibrium, modes

    scene = scene_with(scenario_or_scene(arguments.what), assignments(arguments.set))
    output = Path(arguments.output) if arguments.output else None
    if output is not None:
        if output.suffix not in (".png", ".pdf", ".svg"):
            raise UsageError(f"{output}: a picture is .png, .pdf or .svg")
        refuse_existing(output, force=arguments.force)
    try:
        found = modes(scene, count=arguments.count)
        if output is not None:
            from towsim.view import plot_modes, save_figure

            save_figure(plot_modes(found, equilibrium(scene)), output)
    except SceneError as error:
        fail("towsim modes", str(error))
        return 1
    print(as_json(found.to_dict()) if arguments.json else found.table())
    if output is not None and not arguments.json:
        print(output)
    return 0
