"""``towsim modes``."""

from __future__ import annotations

import argparse

from towsim.cli.output import as_json, fail
from towsim.cli.targets import add_picture_arguments, add_scene_arguments, picture_to_write, scene_of, whole
from towsim.errors import SceneError

EPILOG = """\
small free motions about the equilibrium (see towsim equilibrium), those that grow first, then the slowest: frequency,
period, damping ratio (1: it does not oscillate; negative: it grows; free: nothing holds it), the rate of its decay,
and which move of which body is the largest, or which cable or pulley moves; massive cables ring with all their elements

examples:
  towsim modes crane-winch
  towsim modes box.yaml --count 20
  towsim modes box.yaml -o modes.png     draws the shapes of the first six
  towsim modes box.yaml --json | jq .frequency
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    add_scene_arguments(parser)
    parser.add_argument("--count", type=whole, default=12, metavar="N", help="number of modes (default 12)")
    add_picture_arguments(parser, " of the shapes")


def run(arguments: argparse.Namespace) -> int:
    """Find them, and print them."""
    from towsim.statics import equilibrium, modes

    scene = scene_of(arguments)
    output = picture_to_write(arguments.output, force=arguments.force) if arguments.output else None
    try:
        found = modes(scene, count=arguments.count)
        if output is not None:
            from towsim.pictures import plot_modes, save_figure

            save_figure(plot_modes(found, equilibrium(scene)), output)
    except SceneError as error:
        fail("towsim modes", str(error))
        return 1
    print(as_json(found.to_dict()) if arguments.json else found.table())
    if output is not None and not arguments.json:
        print(output)
    return 0
