"""The 4-4 cable-driven parallel robot in MuJoCo: the same links, joints, springs and dampers.

An exit point is a mocap body whose child chain is the cable: per element two hinges, a link, a slide and a link; the
first joint of every cable turns about z, then −y, the others about y, then −x, as in the authors' code. The ends are
tied to the platform's corners by ``connect`` constraints with the stiffness 1/h² and damping 1/h that take a violation
back in one step. Springs and dampers of joints are stiff (1e7 N/m): only implicit integrators bear them. The
paper's ground, a spring and damper at the centre, is left out on both sides: MuJoCo has none of that kind, and the
platform does not touch it between the start and 5.9 s.
"""

from __future__ import annotations

import numpy as np
from mujoco_native import Array, Native

from scenarios import _cdpr44
from towsim.scene import Scene


class Rollout(Native):
    """A native rollout of the robot on one thread, ready to be run again and again."""

    def __init__(self, scene: Scene, elements: int, step: float, duration: float, solver: str = "PGS") -> None:
        t = np.arange(1, round(duration / step) + 1) * step
        ends = np.concatenate([robot.sample(t)[0] for robot in scene.robots.values()], axis=1)
        super().__init__(_xml(elements, step, solver), duration, ends)

    @property
    def position(self) -> Array:
        """Positions of the platform after every step (n, 3) [m]."""
        return self.state[:, 1:4]


def _xml(elements: int, step: float, solver: str) -> str:
    line = _cdpr44.CABLE["mass_per_length"]
    link = 0.5 * _cdpr44.LENGTH / elements
    mass, radius, per = line * link, 0.5 * _cdpr44.CABLE["diameter"], 0.5 / link
    across, along = mass / 12.0 * (3.0 * radius**2 + link**2), 0.5 * mass * radius**2
    inertial = f'<inertial pos="0 0 {-0.5 * link!r}" mass="{mass!r}" diaginertia="{across!r} {across!r} {along!r}"/>'
    bend = (
        f'stiffness="{_cdpr44.CABLE["bending_stiffness"] * per!r}" damping="{_cdpr44.CABLE["bending_damping"] * per!r}"'
    )
    pull = f'stiffness="{_cdpr44.CABLE["axial_stiffness"] * per!r}" damping="{_cdpr44.CABLE["axial_damping"] * per!r}"'

    def chain(k: int) -> str:
        text = ""
        for e in range(elements):
            axes = ("0 0 1", "0 -1 0") if e == 0 else ("0 1 0", "-1 0 0")
            hinges = "".join(f'<joint type="hinge" axis="{axis}" {bend}/>' for axis in axes)
            text += f'<body pos="0 0 {-link if e else 0.0!r}">{hinges}{inertial}'
            text += f'<body pos="0 0 {-link!r}"><joint type="slide" axis="0 0 -1" {pull}/>{inertial}'
        text += f'<site name="tip{k}" pos="0 0 {-link!r}"/>'
        return text + "</body></body>" * elements

    x, y, z = (side**2 for side in _cdpr44.BOX)
    inertia = " ".join(repr(_cdpr44.MASS / 12.0 * s) for s in (y + z, x + z, x + y))
    sites = "".join(f'<site name="{name}" pos="{p[0]} {p[1]} {p[2]}"/>' for name, p in _cdpr44.CORNERS.items())
    exits = "".join(
        f'<body mocap="true" pos="{p[0]!r} {p[1]!r} {p[2]!r}">{chain(k)}</body>' for k, p in enumerate(_cdpr44.ABOVE, 1)
    )
    ties = "".join(f'<connect site1="tip{k}" site2="corner{k}"/>' for k in (1, 2, 3, 4))
    home = " ".join(repr(x) for x in _cdpr44.HOME)
    return f"""
<mujoco>
  <option timestep="{step!r}" integrator="discrete" solver="{solver}" iterations="100" tolerance="1e-12"
          gravity="0 0 {-_cdpr44.GRAVITY}"><flag contact="disable" island="disable" eulerdamp="disable"/></option>
  <default><equality solref="{-1.0 / step**2!r} {-1.0 / step!r}" solimp="0.9999 0.9999 0.001 0.5 2"/></default>
  <worldbody>
    <body pos="{home}"><freejoint/><inertial pos="0 0 0" mass="{_cdpr44.MASS}" diaginertia="{inertia}"/>{sites}</body>
    {exits}
  </worldbody>
  <equality>{ties}</equality>
</mujoco>"""
