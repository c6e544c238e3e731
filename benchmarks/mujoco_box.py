"""The carried box in MuJoCo, as fast and as exact as we know how to make it there.

Wires are spatial tendons, either with a limit (MuJoCo's unilateral constraint) or with a spring that acts beyond
their length only. A limit is given the stiffness 1/h² and the damping 1/h that take a violation back in one step, a
spring 1e8 N/m, which the integrator ``discrete`` takes implicitly; other settings tried were slower or stretched more.

Robots: ``mocap`` bodies, moved at every step through the rollout's control; they have no velocity for MuJoCo, so they
are shown one step ahead. ``carrier``: one body of 1e9 kg on slides that holds all anchors, driven by motors; it has a
velocity. ``frame``: as all robots move alike here, they may stand still and the box feels the force −m a; exact, and
MuJoCo's cheapest, but only in a scene like this one.

Start: MuJoCo's velocities live at mid-steps; ``half kick`` starts them there, which makes it second order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import boxes
import numpy as np
from boxes import Array
from mujoco import mjtState
from mujoco_native import Native

CARRIER = 1e9  # kg
STIFFNESS = 1e8  # N/m


@dataclass(frozen=True)
class Variant:
    """One way to set up the scene; ``soft``: time constant 2h and damping ratio 1 in place of 1/h² and 1/h.

    2h is the shortest time constant that MuJoCo lets pass; this is what a user gets who stays with its safeguard.
    """

    robots: Literal["mocap", "carrier", "frame"]
    wires: Literal["limit", "spring"]
    integrator: str
    solver: str
    half_kick: bool = True
    soft: bool = False

    @property
    def name(self) -> str:
        """All of it in short."""
        solver = self.solver if self.wires == "limit" else "no solver"
        extra = ("" if self.half_kick else ", plain start") + (", soft" if self.soft else "")
        return f"{self.robots}, {self.wires}, {self.integrator}, {solver}{extra}"


VARIANTS = (
    Variant("mocap", "limit", "implicitfast", "Newton", half_kick=False, soft=True),
    Variant("mocap", "limit", "Euler", "Newton"),
    Variant("mocap", "limit", "Euler", "PGS"),
    Variant("mocap", "limit", "Euler", "CG"),
    Variant("mocap", "spring", "discrete", "Newton"),
    Variant("carrier", "limit", "Euler", "PGS"),
    Variant("carrier", "limit", "implicitfast", "Newton"),
    Variant("carrier", "spring", "discrete", "Newton"),
    Variant("frame", "limit", "Euler", "Newton", half_kick=False),
    Variant("frame", "limit", "Euler", "Newton"),
    Variant("frame", "limit", "Euler", "PGS"),
    Variant("frame", "limit", "implicitfast", "Newton"),
    Variant("frame", "limit", "discrete", "Newton"),
    Variant("frame", "spring", "discrete", "Newton"),
)


class Rollout(Native):
    """A native rollout of the scene on one thread, ready to be run again and again."""

    def __init__(self, wires: int, variant: Variant, step: float) -> None:
        self.wires, self.variant = wires, variant
        self._time = np.arange(float(round(boxes.DURATION / step))) * step  # when each step begins
        kicked = slice(6) if variant.half_kick else None
        super().__init__(_xml(wires, variant, step), boxes.DURATION, *self._control(step), kicked)

    @property
    def position(self) -> Array:
        """Positions of the box on the grid, without t = 0, (n, 3) [m]."""
        every = boxes.on_grid(self.h)
        return self._place()[every - 1 :: every]

    @property
    def stretch(self) -> float:
        """Largest stretch of any wire after any step [m]."""
        points = self._place()[:, None] + np.einsum(
            "nij,kj->nki", _rotations(self.state[:, 4:8]), np.array(boxes.attachments(self.wires))
        )
        ends = np.array(boxes.anchors(self.wires)) + boxes.travel(self._time + self.h)[:, None]
        return float(np.linalg.norm(points - ends, axis=2).max() - boxes.LENGTH)

    def _place(self) -> Array:
        place = self.state[:, 1:4]
        return place + boxes.travel(self._time + self.h) if self.variant.robots == "frame" else place

    def _control(self, h: float) -> tuple[Array, mjtState]:
        t = self._time
        if self.variant.robots == "mocap":
            ends = np.array(boxes.anchors(self.wires)) + boxes.travel(t + h)[:, None]
            return ends.reshape(len(t), -1), mjtState.mjSTATE_MOCAP_POS
        # With this acceleration a semi-implicit step meets the robots' positions exactly.
        a: Array = (boxes.travel(t + h) - 2.0 * boxes.travel(t) + boxes.travel(t - h)) / h**2
        if self.variant.robots == "carrier":
            return a[:, [0, 2]], mjtState.mjSTATE_CTRL
        force = np.zeros((len(t), 12))  # of the world and the box
        force[:, 6:9] = -boxes.MASS * a
        return force, mjtState.mjSTATE_XFRC_APPLIED


def _xml(wires: int, variant: Variant, step: float) -> str:
    a, b, c = (side * side for side in boxes.SIDES)
    inertia = " ".join(repr(boxes.MASS / 12.0 * sum(pair)) for pair in ((b, c), (a, c), (a, b)))
    sites = "".join(f'<site name="p{i}" pos="{_row(p)}"/>' for i, p in enumerate(boxes.attachments(wires)))
    return f"""
<mujoco>
  <option timestep="{step!r}" integrator="{variant.integrator}" solver="{variant.solver}" iterations="100"
          tolerance="1e-12" gravity="0 0 -9.81">
    <flag contact="disable" island="disable" eulerdamp="disable"/>
  </option>
  <worldbody>
    <body><freejoint/><inertial pos="0 0 0" mass="{boxes.MASS}" diaginertia="{inertia}"/>{sites}</body>
    {_robots(wires, variant)}
  </worldbody>
  <tendon>{_tendons(wires, variant, step)}</tendon>
  {_motors() if variant.robots == "carrier" else ""}
</mujoco>"""


def _robots(wires: int, variant: Variant) -> str:
    ends = [_row(p) for p in boxes.anchors(wires)]
    if variant.robots == "mocap":
        return "".join(f'<body mocap="true" pos="{p}"><site name="r{i}"/></body>' for i, p in enumerate(ends))
    sites = "".join(f'<site name="r{i}" pos="{p}"/>' for i, p in enumerate(ends))
    if variant.robots == "frame":
        return sites
    slides = '<joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>'
    inertial = f'<inertial pos="0 0 0" mass="{CARRIER}" diaginertia="1 1 1"/>'
    return f'<body gravcomp="1">{slides}{inertial}{sites}</body>'


def _motors() -> str:
    return "<actuator>" + "".join(f'<motor joint="{axis}" gear="{CARRIER}"/>' for axis in "xz") + "</actuator>"


def _tendons(wires: int, variant: Variant, step: float) -> str:
    if variant.wires == "spring":
        law = f'springlength="0 {boxes.LENGTH}" stiffness="{STIFFNESS}"'
    else:
        solref = f"{2.0 * step!r} 1" if variant.soft else f"{-1.0 / step**2!r} {-1.0 / step!r}"
        law = f'limited="true" range="0 {boxes.LENGTH}" solreflimit="{solref}" solimplimit="0.9999 0.9999 0.001 0.5 2"'
    pairs = (f'<site site="p{i}"/><site site="r{i}"/>' for i in range(wires))
    return "".join(f"<spatial {law}>{pair}</spatial>" for pair in pairs)


def _row(point: boxes.Point) -> str:
    return " ".join(repr(x) for x in point)


def _rotations(q: Array) -> Array:
    """Rotation matrices (n, 3, 3) of quaternions (n, 4) wxyz."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
