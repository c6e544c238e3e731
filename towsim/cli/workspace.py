"""``towsim workspace``."""

from __future__ import annotations

import argparse
import math

from towsim.cli.output import as_json, hint, word
from towsim.cli.progress import Progress
from towsim.cli.targets import (
    add_picture_arguments,
    add_scene_arguments,
    picture_to_write,
    positive,
    scene_of,
    whole,
)
from towsim.errors import UsageError
from towsim.quote import show

EPILOG = """\
it judges the poses of a grid, the platform upright: tensions within the limits that hold it, or a proof that there are
none. The grid is a slice between the posts, through the platform's place, across the axis along which the posts spread
least. A planar robot withstands no force across its plane: ask for none there

examples:
  towsim workspace robot.yaml --least 5 --most 200           how many poses can be held, and at what tensions
  towsim workspace robot.yaml --most 200 --flat z -o space.png    a level slice, drawn
  towsim workspace robot.yaml --most 200 --withstand 20 --json   which withstand 20 N from anywhere
  towsim workspace planar.yaml --most 200 --withstand 20,0,20    .. of a planar robot, in its plane
"""

DEFAULTS = {"body": None, "least": 0.0, "most": None, "withstand": (0.0,), "flat": None, "points": 61}
"""What is judged unless asked otherwise."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.set_defaults(**DEFAULTS)
    add_scene_arguments(parser, "a scene file or a scenario: a body on wires to robots")
    parser.add_argument("--body", metavar="NAME", help="the platform, where there are several bodies")
    parser.add_argument("--least", type=float, metavar="N", help="least tension (default 0)")
    parser.add_argument("--most", type=positive, required=True, metavar="N", help="largest tension")
    parser.add_argument(
        "--withstand", type=_forces, metavar="N", help="external forces up to this along each axis, or X,Y,Z along each"
    )
    parser.add_argument("--flat", choices="xyz", help="axis across the slice")
    parser.add_argument("--points", type=whole, metavar="N", help="poses along each axis (default 61)")
    add_picture_arguments(parser, "")


def run(arguments: argparse.Namespace) -> int:
    """Judge the poses, and print how many can be held."""
    import numpy as np

    from towsim import cdpr

    scene = scene_of(arguments)
    picture = picture_to_write(arguments.output, force=arguments.force) if arguments.output else None
    if arguments.points < 2:
        raise UsageError("a slice has two --points along each axis, or more")
    robot = cdpr.from_scene(scene, arguments.body, least=arguments.least, most=arguments.most)
    body = scene.bodies[arguments.body or next(iter(scene.bodies))]
    low, high = robot.base.min(axis=0), robot.base.max(axis=0)
    spread = high - low
    flat = "xyz".index(arguments.flat) if arguments.flat else int(np.argmin(spread))
    for axis in range(3):
        if axis != flat and not spread[axis] > 0.0:
            raise UsageError(
                f"the posts have no extent along {'xyz'[axis]}; choose that axis with --flat {'xyz'[axis]}"
            )
    axes = [np.linspace(low[k], high[k], arguments.points) if k != flat else body.position[k] for k in range(3)]
    wrenches = cdpr.box_of_wrenches(force=arguments.withstand)
    here = cdpr.workspace(robot, body.position, wrenches=wrenches)
    with Progress(wanted=not arguments.json, label="workspace", unit="pose") as progress:
        space = cdpr.workspace(robot, cdpr.grid(*axes), wrenches=wrenches, progress=progress)
    held = int(space.feasible.sum())
    if picture:
        from towsim.pictures import plot_workspace, save_figure

        save_figure(plot_workspace(space), picture)
    if arguments.json:
        told = {"flat": "xyz"[flat], "at": body.position[flat], "poses": len(space.feasible), "held": held}
        print(as_json(told | {"why_not_here": here.why(0)}))
        return 0
    print(f"{scene.name}: {held} of {len(space.feasible)} poses held, {'xyz'[flat]} = {body.position[flat]:g} m")
    if held:
        pulls = space.tension[space.feasible]
        box = space.position[space.feasible]
        spans = (f"{'xyz'[k]} {box[:, k].min():g} to {box[:, k].max():g} m" for k in range(3) if k != flat)
        against = f" against the first of {space.loads} loads" if space.loads > 1 else ""
        print(f"  {', '.join(spans)}; tensions {pulls.min():.4g} to {pulls.max():.4g} N{against}")
    if not here.feasible[0]:
        print(f"  not held where it is declared, {', '.join(f'{x:g}' for x in body.position)} m: {here.why(0)}")
    if picture:
        print(picture)
    else:
        hint(f"{_asked(arguments)} -o workspace.png")
    return 0


def _asked(arguments: argparse.Namespace) -> str:
    """The command with all that was asked of it, but where to draw."""
    words = ["towsim workspace", word(arguments.what), *(f"--set {word(text)}" for text in arguments.set)]
    for name, default in DEFAULTS.items():
        value = getattr(arguments, name)
        if value != default:
            numbers = value if isinstance(value, tuple) else (value,)
            told = ",".join(f"{x:.15g}" if isinstance(x, float) else word(x) for x in numbers)
            words.append(f"--{name} {told}")
    return " ".join(words)


def _forces(text: str) -> tuple[float, ...]:
    """One number >= 0, or three for x, y and z, as an argument's type."""
    try:
        found = tuple(float(one) for one in text.split(","))
    except ValueError:
        found = ()
    if len(found) not in (1, 3) or not all(0.0 <= one < math.inf for one in found):
        raise argparse.ArgumentTypeError(f"must be one number >= 0, or three as 20,0,20; got {show(text)}")
    return found
