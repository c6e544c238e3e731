"""Bodies on joints, and MRFE cables link by link, as the links of an arm; whatever its joints form no loop.

At the start all link frames have the world's axes, so that what a scene declares in world axes serves as it stands.
A point mass on a ball joint, or at the tip of a cable, becomes a part of the link that holds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from towsim.errors import UsageError
from towsim.model.arrays import Floats
from towsim.model.cables import HINGE, STRAIGHT
from towsim.scene import Joint, Mrfe, Scene, Wire
from towsim.scene.arms import Arm


class _Edge(NamedTuple):
    """A joint or cable, from where it is carried to what it carries."""

    name: str
    carrier: str
    carried: str
    what: Joint | Wire
    reverse: bool


class ArmBuilder:
    """Walks from the robots along joints and cables, and turns what it meets into links.

    Parameters
    ----------
    bodies : names of the bodies to be reached
    pairs : joints and cables to walk along, with their names
    robot : the robot that is the base; None for the world, on which posts stand

    Attributes
    ----------
    bodies : link of each body, and its centre in the link's frame [m]
    joints : joint with an axis that each link is on
    plain : whether every link is one body

    Raises
    ------
    UsageError : a loop, two bases of which one moves, a slack cable or one whose end cannot be part of a tree; by name
    """

    def __init__(
        self, scene: Scene, bodies: Iterable[str], pairs: Iterable[tuple[str, Joint | Wire]], robot: str | None
    ) -> None:
        self.scene, self.names, self.pairs = scene, tuple(bodies), tuple(pairs)
        self.links: dict[str, dict[str, Any]] = {}
        self.bodies: dict[str, tuple[str, Floats]] = {}
        self.origin: dict[str, Floats] = {}  # of each link's frame at the start, world axes
        self.joints: dict[str, str] = {}
        self.plain = True
        self.robot = robot

    def build(self) -> Arm:
        """Reach every body: from the robots outwards, then bodies that nothing holds as free links."""
        left = self._edges()
        while left or len(self.bodies) < len(self.names):
            edge = next((e for e in left if e.carrier in self.scene.robots or e.carrier in self.bodies), None)
            if edge is None:
                back = next((e for e in left if e.carried in self.scene.robots or e.carried in self.bodies), None)
                if back is None:
                    self._free(next(name for name in self.names if name not in self.bodies))
                    continue
                left[left.index(back)] = _Edge(back.name, back.carried, back.carrier, back.what, not back.reverse)
                continue
            left.remove(edge)
            if edge.carried in self.bodies or edge.carried in self.scene.robots:
                raise UsageError(f"{edge.name!r} closes a loop; the formulations take trees")
            self._carry(edge)
        data: dict[str, Any] = {"links": self.links} | ({"base": self.robot} if self.robot else {})
        return Arm(**data)

    def _edges(self) -> list[_Edge]:
        owner = {end: self.scene.attachment(end).owner for _, pair in self.pairs for end in (pair.from_, pair.to)}
        return [_Edge(name, owner[pair.from_], owner[pair.to], pair, False) for name, pair in self.pairs]

    def _end(self, edge: _Edge, carried: bool) -> Floats:
        """Where the edge's end on its carrier, or on what it carries, is at the start."""
        at = self.scene.attachment(edge.what.to if carried != edge.reverse else edge.what.from_)
        if at.is_robot:
            return np.asarray(self.scene.robots[at.owner].sample(np.zeros(1))[0][0])
        body = self.scene.bodies[at.owner]
        return np.asarray(np.array(body.position) + body.rotation_matrix() @ np.array(at.offset))

    def _hold(self, carrier: str, place: Floats) -> dict[str, Any]:
        """The keys ``on`` and ``at`` of a link that is held at a place on its carrier."""
        if carrier in self.scene.robots:
            if self.robot is None:
                return {"at": place.tolist()}
            if carrier != self.robot:
                raise UsageError(f"robot {self.robot!r} moves and {carrier!r} stands still; a tree has one base")
            return {"at": (place - self.scene.robots[carrier].start()).tolist()}
        link = self.bodies[carrier][0] if carrier in self.bodies else carrier
        return {"on": link, "at": (place - self.origin[link]).tolist()}

    def _link(self, name: str, origin: Floats, held: dict[str, Any], joint: dict[str, Any]) -> None:
        """A body as a link with its origin at the joint."""
        body = self.scene.bodies[name]
        centre = np.array(body.position) - origin
        R = body.rotation_matrix()
        inertia = {"point": True} if body.point else {"inertia": (R @ body.inertia_matrix() @ R.T).tolist()}
        self.links[name] = {"mass": body.mass, "centre": centre.tolist(), "joint": joint, **inertia, **held}
        self.bodies[name] = name, centre
        self.origin[name] = origin

    def _free(self, name: str) -> None:
        body = self.scene.bodies[name]
        rate = [*body.velocity, *body.angular_velocity]
        start = [*body.position, 0.0, 0.0, 0.0]
        if self.robot is not None:
            raise UsageError(f"body {name!r} is free and robot {self.robot!r} moves; a tree has one base")
        self._link(name, np.array(body.position), {}, {"kind": "free", "start": start, "rate": rate})
        if body.point:  # it has no orientation: whatever inertia it is given never turns
            self.links[name] = {key: x for key, x in self.links[name].items() if key != "point"}
            self.links[name]["inertia"] = [body.mass] * 3

    def _carry(self, edge: _Edge) -> None:
        if isinstance(edge.what, Wire):
            tip = self._cable(edge, edge.what)
            self._ball(edge.carried, self._end(edge, True), tip)
        elif edge.what.kind == "ball":
            self._ball(edge.carried, self._end(edge, True), edge.carrier)
        else:
            self._axial(edge, edge.what)

    def _ball(self, name: str, place: Floats, carrier: str) -> None:
        body = self.scene.bodies[name]
        if not body.point:
            turn = np.array(body.angular_velocity) - self._spin(carrier)
            self._link(name, place, self._hold(carrier, place), {"kind": "ball", "rate": turn.tolist()})
            return
        if carrier in self.scene.robots:
            raise UsageError(f"body {name!r} is a point mass fixed to robot {carrier!r}: it cannot move")
        self._merge(name, self.bodies[carrier][0] if carrier in self.bodies else carrier, body.mass, place)

    def _merge(self, name: str, link: str, mass: float, place: Floats) -> None:
        """Make a point mass a part of a link."""
        self.plain = False
        data, at = self.links[link], place - self.origin[link]
        whole, centre = data["mass"] + mass, np.array(data["centre"])
        joint = (data["mass"] * centre + mass * at) / whole
        moment = np.array(data.get("inertia", np.zeros((3, 3))))
        for m, x in ((data["mass"], centre - joint), (mass, at - joint)):
            moment = moment + m * (x @ x * np.eye(3) - np.outer(x, x))
        data.pop("point", None)
        data |= {"mass": whole, "centre": joint.tolist(), "inertia": moment.tolist()}
        self.bodies[name] = link, at

    def _axial(self, edge: _Edge, joint: Joint) -> None:
        self.joints[edge.carried] = edge.name
        axis = np.array(joint.axis) * (-1.0 if edge.reverse else 1.0)
        spring = {} if joint.spring is None else {"stiffness": joint.spring.stiffness, "rest": joint.spring.rest}
        declared = {"kind": joint.kind, "axis": axis.tolist(), "damping": joint.damping, "force": joint.motor, **spring}
        body, place = self.scene.bodies[edge.carried], self._end(edge, True)
        if joint.kind == "revolute":
            turn = np.array(body.angular_velocity) - self._spin(edge.carrier)
            declared["rate"] = float(axis @ turn)
            self._link(edge.carried, place, self._hold(edge.carrier, place), declared)
            return
        start = float(axis @ (place - self._end(edge, False)))
        declared |= {"start": start, "rate": float(axis @ self._slide(edge, place))}
        self._link(edge.carried, place, self._hold(edge.carrier, place - start * axis), declared)

    def _spin(self, owner: str) -> Floats:
        return np.array(self.scene.bodies[owner].angular_velocity if owner in self.scene.bodies else (0.0, 0.0, 0.0))

    def _slide(self, edge: _Edge, place: Floats) -> Floats:
        """Velocity of what slides, relative to its carrier's point there."""
        body = self.scene.bodies[edge.carried]
        own = np.array(body.velocity) + np.cross(self._spin(edge.carried), place - np.array(body.position))
        if edge.carrier in self.scene.robots:
            return np.asarray(own - self.scene.robots[edge.carrier].sample(np.zeros(1))[1][0])
        carrier = self.scene.bodies[edge.carrier]
        arm = place - np.array(carrier.position)
        return np.asarray(own - carrier.velocity - np.cross(carrier.angular_velocity, arm))

    def _cable(self, edge: _Edge, wire: Wire) -> str:
        """The links of an MRFE cable from its root to its tip; returns the last one."""
        assert isinstance(wire.model, Mrfe)  # _foreign
        model, section = wire.model, wire.section()
        root, tip = self._end(edge, False), self._end(edge, True)
        distance, length = float(np.linalg.norm(tip - root)), wire.length_at_start()
        if distance < (1.0 - STRAIGHT) * length:
            raise UsageError(
                f"cable {edge.name!r} starts slack, {length:.6g} m long between ends {distance:.6g} m apart, "
                f"{length - distance:.3g} m too long; the formulations take cables that start straight: shorten it, or "
                "move its ends apart"
            )
        z = (tip - root) / distance
        y = np.array([z[1], -z[0], 0.0]) / np.hypot(z[0], z[1]) if np.hypot(z[0], z[1]) > 1e-9 else np.eye(3)[1]
        x = np.cross(y, z)
        element = length / model.elements
        half = 0.5 * element
        mass, radius = section.mass_per_length * half, 0.5 * section.diameter
        across, along = mass * (3.0 * radius**2 + half**2) / 12.0, 0.5 * mass * radius**2
        rod = {
            "mass": mass,
            "centre": (0.5 * half * z).tolist(),
            "inertia": (across * (np.eye(3) - np.outer(z, z)) + along * np.outer(z, z)).tolist(),
        }
        ends = (model.to_end, model.from_end) if edge.reverse else (model.from_end, model.to_end)
        if ends[1] != "ball" or (ends[0] == "clamped" and edge.carrier not in self.scene.robots):
            raise UsageError(f"cable {edge.name!r}: only an end on a robot can be clamped")
        at, carrier, last = root, edge.carrier, ""
        for k in range(model.elements):
            first, last = f"{edge.name}-{k}a", f"{edge.name}-{k}b"
            hinge = 1.0 if k else HINGE[ends[0]]
            bend = {
                "stiffness": hinge * section.bending_stiffness / element,
                "damping": hinge * section.bending_damping / element,
            }
            axes = {"axis": y.tolist(), "second": (-x).tolist()}
            if k == 0 and model.first_joint == "zy":
                axes = {"axis": [0.0, 0.0, 1.0], "second": (-y).tolist()}
            free = k == 0 and ends[0] == "ball" and model.first_joint == "ball"
            joint = {"kind": "ball"} if free else {"kind": "universal", **axes, **bend}
            self.links[first] = rod | {"joint": joint} | self._hold(carrier, at)
            self.origin[first] = at
            stretch = (distance - length) / model.elements
            slide = {
                "kind": "prismatic",
                "axis": z.tolist(),
                "start": stretch,
                "stiffness": section.axial_stiffness / element,
                "damping": section.axial_damping / element,
            }
            self.links[last] = rod | {"joint": slide} | self._hold(first, at + half * z)
            self.origin[last] = at + (half + stretch) * z
            at, carrier = self.origin[last] + half * z, last
        return last
