"""Scenes of bodies, points, rigid wires, robots and ground in MuJoCo, as fast and as exact as they get there.

A wire is a spatial tendon with a limit, or, with ``spring``, one with a spring of 1e8 N/m that acts beyond its length
and that the integrator ``discrete`` takes implicitly. Limits and contacts have the stiffness 1/h² and the damping 1/h,
which take a violation back in one step. A point mass has three slides, a robot is a mocap body shown one step ahead.
"""

from __future__ import annotations

import numpy as np
from mujoco import mjtJacobian, set_mju_user_warning
from mujoco_native import Array, Native

from towsim import Scene

SOLVERS = ("Newton", "CG", "PGS", "spring")
STIFFNESS, FOOT = 1e8, 1e-3  # N/m, m
set_mju_user_warning(lambda text: None)  # that springs are too stiff: stretch and error tell


class Peer(Native):
    """A native rollout of the scene on one thread, ready to be run again and again."""

    def __init__(self, scene: Scene, step: float, steps: int, solver: str = "Newton") -> None:
        t = np.arange(1, steps + 1) * step
        ends = np.concatenate([robot.sample(t)[0] for robot in scene.robots.values()], axis=1)
        super().__init__(_xml(scene, step, solver), steps * step, ends)
        self._scene, self._ends = scene, ends.reshape(steps, -1, 3)
        assert self.model.opt.jacobian == mjtJacobian.mjJAC_AUTO  # sparse where MuJoCo thinks it pays

    def places(self, step: int) -> dict[str, tuple[Array, Array]]:
        """Place (3,) and rotation (3, 3) of every body after ``step`` steps."""
        out, at, q = {}, 0, self.state[step - 1, 1:]
        for name, body in self._scene.bodies.items():
            if body.point:
                out[name] = np.array(body.position) + q[at : at + 3], np.eye(3)
                at += 3
            else:
                out[name] = q[at : at + 3], _rotation(q[at + 3 : at + 7])
                at += 7
        return out

    def error(self, step: int, truth: dict[str, Array]) -> float:
        """Largest distance of a body from where it should be after so many steps [m]."""
        places = self.places(step)
        return max(float(np.linalg.norm(places[name][0] - true)) for name, true in truth.items())

    def stretch(self, looks: int = 20) -> float:
        """Largest stretch of a wire [m], at so many steps."""
        worst = 0.0
        for step in np.unique(np.linspace(1, self.steps, looks).astype(int)):
            place = self.places(int(step))
            place |= {name: (self._ends[step - 1, i], np.eye(3)) for i, name in enumerate(self._scene.robots)}
            for wire in self._scene.wires.values():
                one, other = (_end(self._scene, place, end) for end in (wire.from_, wire.to))
                worst = max(worst, float(np.linalg.norm(other - one)) - float(wire.length))
        return worst


def _end(scene: Scene, place: dict[str, tuple[Array, Array]], end: str) -> Array:
    name, _, point = end.partition(".")
    x, R = place[name]
    return x + R @ np.array(scene.bodies[name].points[point]) if point else x


def _xml(scene: Scene, step: float, solver: str) -> str:
    spring = solver == "spring"
    stiff = f"{-1.0 / step**2!r} {-1.0 / step!r}"
    limit = f'limited="true" solreflimit="{stiff}" solimplimit="0.9999 0.9999 0.001 0.5 2"'
    tendons = "".join(
        f'<spatial springlength="0 {wire.length!r}">{pair}</spatial>'
        if spring
        else f'<spatial range="0 {wire.length!r}">{pair}</spatial>'
        for wire in scene.wires.values()
        for pair in [f'<site site="{wire.from_}"/><site site="{wire.to}"/>']
    )
    robots = "".join(
        f'<body mocap="true" pos="{_row(robot.sample(np.zeros(1))[0][0])}"><site name="{name}"/></body>'
        for name, robot in scene.robots.items()
    )
    feet = dict.fromkeys(scene.ground.contacts if scene.ground else ())
    contact = "enable" if feet else "disable"
    friction = scene.ground.friction if scene.ground else 0.0
    return f"""
<mujoco>
  <option timestep="{step!r}" integrator="{"discrete" if spring else "Euler"}" solver="{"Newton" if spring else solver}"
          cone="elliptic" iterations="100" tolerance="1e-12" gravity="0 0 -9.81">
    <flag contact="{contact}" island="disable" eulerdamp="disable"/>
  </option>
  <default>
    <tendon {f'stiffness="{STIFFNESS!r}"' if spring else limit}/>
    <geom mass="0" condim="3" friction="{friction} 0 0" solref="{stiff}" solimp="0.9999 0.9999 0.001 0.5 2"
          contype="1" conaffinity="2"/>
  </default>
  <worldbody>
    {'<geom type="plane" size="0 0 1" contype="2" conaffinity="1"/>' if feet else ""}
    {"".join(_body(scene, name, feet) for name in scene.bodies)}{robots}
  </worldbody>
  <tendon>{tendons}</tendon>
</mujoco>"""


def _body(scene: Scene, name: str, feet: dict[str, None]) -> str:
    body = scene.bodies[name]
    damping = body.drag.linear
    sites = f'<site name="{name}"/>' + "".join(
        f'<site name="{name}.{point}" pos="{_row(at)}"/>' for point, at in body.points.items()
    )
    if body.point:
        joints = "".join(f'<joint type="slide" axis="{a}" damping="{damping}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
        moments = [1e-6 * body.mass] * 3
    else:
        joints, moments = "<freejoint/>", list(body.shape.principal_inertia(body.mass)) if body.shape else []
    geoms = "".join(
        f'<geom type="sphere" size="{FOOT}" pos="{_row(np.add(at, (0.0, 0.0, FOOT)))}"/>'
        for point, at in body.points.items()
        if f"{name}.{point}" in feet
    )
    inertial = f'<inertial pos="0 0 0" mass="{body.mass!r}" diaginertia="{_row(moments)}"/>'
    return f'<body pos="{_row(body.position)}">{joints}{inertial}{sites}{geoms}</body>'


def _row(numbers: object) -> str:
    return " ".join(repr(float(x)) for x in numbers)  # type: ignore[attr-defined]


def _rotation(q: Array) -> Array:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
