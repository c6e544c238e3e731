"""``towsim new``."""

from __future__ import annotations

import argparse
from pathlib import Path

from towsim.cli.output import hint, word
from towsim.quote import show

EPILOG = """\
The scene runs as it is: two robots lift a box and carry it away. Comments say what else there is, and in which units.
'towsim info SCENARIO' prints the scene of a scenario, to start from.

examples:
  towsim new lift                        writes lift.yaml
  towsim run lift.yaml
  towsim info crane-winch > crane.yaml   another start
"""

SCENE = """\
# Two robots lift a box on two wires, carry it away, and let it swing.
#
#   towsim run {file}       simulates it           towsim info {file}    checks it
#   towsim run {file} --set bodies.box.mass=4 --duration 10
#
# Everything is in SI units: m, kg, s, N, rad. The z axis points up. Formulas know t, pi, sin, cos, sqrt, ...
schema: 1
name: {name}
gravity: [0, 0, -9.81]

# Loads: rigid bodies (shape: box [x, y, z], sphere or cylinder; or inertia: [Ixx, Iyy, Izz]) or points (point: true).
bodies:
  box:
    mass: 2.0                                   # kg
    shape: {{box: [0.4, 0.3, 0.2]}}               # edges; they give the inertia
    position: [0, 0, 0.1]                       # of the centre of mass, at t = 0
    points: {{left: [-0.2, 0, 0.1], right: [0.2, 0, 0.1]}}   # where wires attach, in the box's own axes
    drag: {{linear: 0.5}}                         # N s/m; quadratic: N s²/m²
    # velocity: [0, 0.3, 0]                     # m/s, at t = 0
    # force: {{x: "0.5*sin(2*pi*t)"}}             # N, at the centre of mass

# Robots move as they are told, whatever the wires pull: waypoints, circle, formula, or a CSV file.
robots:
  east:
    motion: {{waypoints: {{t: [0, 2, 5], position: [[0.2, 0, 1.2], [0.2, 0, 1.7], [1.2, 0, 1.7]], kind: quintic}}}}
  west:
    motion: {{waypoints: {{t: [0, 2, 5], position: [[-0.2, 0, 1.2], [-0.2, 0, 1.7], [0.8, 0, 1.7]], kind: quintic}}}}
    # dynamics: quadcopter                      # or point-mass, ground: then it has to work for its path
  # post: {{position: [0, 1, 2]}}                 # one that stays where it is

# Wires pull or hang slack; they never push. Ends are body.point, a body (its centre) or a robot.
wires:
  e: {{from: box.right, to: east, length: 1.0}}
  w: {{from: box.left, to: west, length: 1.0}}
  # winch: {{from: box, to: east, length: {{start: 1.2, rate: -0.05}}}}     # or length: {{formula: "1.2 - 0.05*t"}}
  # rope: {{from: box, to: east, length: 1.2, model: elastic, material: {{axial_stiffness: 2.0e+4}}}}   # EA in N
  # weak: {{from: box, to: east, length: 1.2, break: {{tension: 40}}}}                # N; or cut: 3.0 (s)

# The ground, and what touches it: points of bodies, or all corners of a box. Friction makes steps dearer.
# ground: {{height: 0, friction: 0.4, contacts: [box.corners]}}

# wind: {{x: 2.0, gusts: [{{start: 3.0, duration: 1.0, velocity: [0, 3, 0]}}]}}    # m/s; bodies with drag feel it

run: {{duration: 8.0, step: 1.0e-3}}              # method: shake is of order 2, where nothing rubs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument("name", metavar="NAME", help="of the scene; NAME.yaml is written")
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")


def run(arguments: argparse.Namespace) -> int:
    """Write the scene."""
    from towsim.cli.targets import file_stem
    from towsim.errors import UsageError
    from towsim.results.files import refuse_existing
    from towsim.scene.yamlio import scalar

    file = Path(arguments.name)
    if not file.name:
        raise UsageError(f"a scene needs a name, such as lift, got {show(arguments.name)}")
    file = file.with_suffix(".yaml")
    file = file.with_name(f"{file_stem(file.stem)}.yaml")
    name = file.stem if scalar(file.stem) == file.stem else f'"{file.stem}"'
    refuse_existing(file, force=arguments.force)
    file.write_text(SCENE.format(name=name, file=file), encoding="utf-8")
    print(file)
    hint(f"towsim run {word(file)}")
    return 0
