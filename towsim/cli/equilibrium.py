"""``towsim equilibrium``."""

from __future__ import annotations

import argparse

from towsim.cli.output import as_json, fail, hint, paint, word
from towsim.cli.targets import add_picture_arguments, add_scene_arguments, picture_to_write, scene_of, whole
from towsim.errors import SceneError
from towsim.quote import show

EPILOG = """\
it finds where the scene is at rest with the robots, lengths and loads of t = 0: places of bodies, tensions, which wires
are slack, forces on contacts, how massive cables hang, and whether it is stable; the declared start is where the search
begins, and need not satisfy its wires

examples:
  towsim equilibrium crane.yaml          how it hangs
  towsim equilibrium crane-winch --set mass=800
  towsim equilibrium box.yaml --starts 20     searches from 20 starts, and lists the equilibria found
  towsim equilibrium robot.yaml --tension left=50     the winch of wire left holds 50 N; its length is found
  towsim equilibrium mooring.yaml -o rest.png    draws it
  towsim equilibrium crane.yaml --json | jq .tension

to start a run there, write into the scene file
  start: equilibrium
or   towsim run crane.yaml --set start=equilibrium
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    add_scene_arguments(parser)
    parser.add_argument("--starts", type=whole, default=1, metavar="N", help="number of searches (default 1)")
    parser.add_argument(
        "--tension",
        type=_pull,
        action="append",
        default=[],
        metavar="WIRE=N",
        help="tension [N] that the winch of a massless wire holds, in place of its length; may be repeated",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the random starts (default 0)")
    add_picture_arguments(parser, " of the first one")


def _pull(word: str) -> tuple[str, float]:
    """A wire and its tension."""
    wire, _, number = word.rpartition("=")
    try:
        return wire, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes WIRE=N, such as left=50, got {show(word)}") from None


def run(arguments: argparse.Namespace) -> int:
    """Find it, and print it."""
    from towsim.statics import equilibria, equilibrium

    scene = scene_of(arguments)
    picture = picture_to_write(arguments.output, force=arguments.force) if arguments.output else None
    try:
        one_only, tension = arguments.starts == 1, dict(arguments.tension)
        found = (
            [equilibrium(scene, tension=tension)]
            if one_only
            else equilibria(scene, starts=arguments.starts, seed=arguments.seed, tension=tension)
        )
    except SceneError as error:
        fail("towsim equilibrium", str(error))
        return 1
    if picture:
        from towsim.pictures import plot_equilibrium, save_figure

        save_figure(plot_equilibrium(found[0]), picture)
    if arguments.json:
        print(as_json(found[0].to_dict() if one_only else [one.to_dict() for one in found]))
        return 0
    for number, one in enumerate(found, 1):
        title = f"{scene.name}: " if one_only else f"{scene.name}, {number} of {len(found)}: "
        good = one.stability != "unstable"
        print(f"{title}{paint(one.stability, 'good' if good else 'bad')}, forces balance to {one.error:.1e}")
        print(one.table())
    if picture:
        print(picture)
    else:
        slips = any(map(scene.spanned, scene.wires))  # which modes know nothing of
        lengths = [f"wires.{wire}.length={length!r}" for wire, length in found[0].length.items()]
        this = " --set ".join([word(arguments.what), *map(word, [*arguments.set, *lengths])])
        modes = () if slips else (f"towsim modes {this}",)
        hint(f"towsim run {this} --set start=equilibrium", *modes)
    return 0
