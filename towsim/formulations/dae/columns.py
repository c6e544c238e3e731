"""From the state at one instant to the variables of a result."""

from __future__ import annotations

import numpy as np

from towsim.formulations.dae.arrays import EA, EI, HINGE, MASS
from towsim.formulations.dae.integrate import Integration, Row, Switch
from towsim.model.arrays import Floats
from towsim.model.cables import massive
from towsim.results import Event
from towsim.scene import FREE
from towsim.scene.contacts import touches


class Columns:
    """Reads one row after the other out of an integration."""

    def __init__(self, integration: Integration) -> None:
        self._integration = integration
        self._assembly = assembly = integration.assembly
        scene = assembly.scene
        self._contacts = len(assembly.system.springs.end) - len(assembly.elastic)
        self._nodes = max((cable.model.elements for cable in assembly.cables), default=0) + 1
        names = [*assembly.elastic, *(cable.name for cable in assembly.cables)]
        self._order = [names.index(name) for name in scene.wires]
        self._owners = [*(touch.name for touch in touches(scene)), *assembly.elastic]

    def coordinates(self) -> dict[str, tuple[str, ...] | tuple[int, ...]]:
        """Names along the dimensions of the result."""
        scene = self._assembly.scene
        return {
            "body": tuple(scene.bodies),
            "wire": tuple(scene.wires),
            "robot": tuple(scene.robots),
            "joint": tuple(scene.joints),
            "cable": tuple(massive(scene)),
            "node": tuple(range(self._nodes)) if self._assembly.cables else (),
        }

    def read(self, row: Row) -> dict[str, Floats]:
        """The variables at a row, just after its evaluation."""
        assembly, work = self._assembly, self._integration.work
        known = self._integration.inputs.at(row.time)
        nb, rates = len(assembly.scene.bodies), assembly.rates
        q = row.y[: 7 * nb].reshape(nb, 7)
        u = row.y[rates : rates + 6 * nb].reshape(nb, 6)
        du = row.rates[rates : rates + 6 * nb].reshape(nb, 6)
        lam = work.lam.reshape(-1, 3)
        turns = np.array([not body.point for body in assembly.scene.bodies.values()], np.bool_)[:, None]
        out = {
            "time": np.float64(row.time),
            "position": q[:, :3],
            "velocity": u[:, :3],
            "acceleration": du[:, :3],
            "quaternion": q[:, 3:] / np.linalg.norm(q[:, 3:], axis=1, keepdims=True),
            "angular_velocity": np.where(turns, u[:, 3:], 0.0),
            "angular_acceleration": np.where(turns, du[:, 3:], 0.0),
            "robot_position": known.robot[:, 0],
            "joint_reaction": lam[: len(assembly.scene.joints)],
        }
        passed = self._integration.passed.reshape(-1, 3)
        out["joint_impulse"] = passed[: len(assembly.scene.joints)]
        impulse = np.concatenate([np.zeros(len(assembly.elastic)), np.linalg.norm(passed[assembly.tips], axis=1)])
        strain = work.strain[self._contacts :]
        tension, gap, length = strain[:, 2], -strain[:, 0], known.wire[self._contacts :, 0]
        if assembly.cables:
            out |= self._cables(row, lam, known.length[:, 0], known.pull)
            tip = work.tip[:, 0]
            tension = np.concatenate([tension, np.linalg.norm(out["tip_force"], axis=1)])
            gap = np.concatenate([gap, known.length[:, 0] - np.linalg.norm(tip, axis=1)])
            length = np.concatenate([length, known.length[:, 0]])
        out["tension"], out["gap"], out["length"] = tension[self._order], gap[self._order], length[self._order]
        out["impulse"] = impulse[self._order]
        found = {name: np.array(values, float) for name, values in out.items()}
        passed[:] = 0.0
        return found

    def _cables(self, row: Row, lam: Floats, length: Floats, pull: Floats) -> dict[str, Floats]:
        assembly, work = self._assembly, self._integration.work
        chains, n = assembly.system.chains, len(assembly.cables)
        elements = chains.elements
        exits = np.array([row.y[q : q + 3] for q in chains.q[:-1]])
        nodes = np.full((n, self._nodes, 3), np.nan)
        extension = np.empty(n)
        residual = work.eta[assembly.tips, :2].transpose(1, 0, 2)
        e1, e2 = (residual**2).sum(axis=2)
        exit_force = pull.copy()
        for i, cable in enumerate(assembly.cables):
            nodes[i, : elements[i] + 1] = exits[i] + work.node[i, : elements[i] + 1]
            extension[i] = row.y[chains.q[i + 1] - 1 : chains.q[i] + 4 : -3].sum()
            if cable.root != FREE:
                exit_force[i] = lam[assembly.exits[i]]
                e1[i] += (work.eta[assembly.exits[i], 0] ** 2).sum()
                e2[i] += (work.eta[assembly.exits[i], 1] ** 2).sum()
        return {
            "tip_force": -lam[assembly.tips],
            "exit_force": exit_force,
            "exit_position": exits,
            "extension": extension,
            "cable_energy": [self._energy(i, row, half / elements[i], nodes[i]) for i, half in enumerate(0.5 * length)],
            "node_position": nodes,
            "e1": np.sqrt(e1),
            "e2": np.sqrt(e2),
        }

    def _energy(self, i: int, row: Row, link: float, nodes: Floats) -> float:
        """Kinetic, potential and elastic energy of cable i, with links of this length [m]."""
        chains, gravity = self._assembly.system.chains, self._assembly.system.gravity
        section, n, ball = chains.section[i], int(chains.elements[i]), chains.ball[i]
        first = chains.q[i] + (7 if ball else 5)
        stretch, angles = row.y[first : chains.q[i + 1] : 3], row.y[chains.q[i] + 3 : chains.q[i + 1]]
        bends = np.stack([angles[(4 if ball else 2) + 1 + j :: 3] for j in range(2)], axis=1) - chains.rest[i, 1:n]
        bent = (bends**2).sum() + (0.0 if ball else section[HINGE] * ((angles[:2] - chains.rest[i, 0]) ** 2).sum())
        middles = 0.5 * (nodes[:n] + nodes[1 : n + 1])  # of the centres of an element's links
        return float(
            self._integration.work.link[i, : 2 * n, 16].sum()
            + 0.25 / link * (section[EA] * (stretch**2).sum() + section[EI] * bent)
            - 2.0 * section[MASS] * link * (middles @ gravity).sum()
        )

    def events(self, switches: list[Switch]) -> list[Event]:
        """What the springs did."""
        found = []
        for switch in switches:
            name = self._owners[switch.spring]
            if switch.spring < self._contacts:
                note = "touches the ground" if switch.strained else "leaves the ground"
                found.append(Event(switch.time, "contact", name, note=note))
            else:
                found.append(Event(switch.time, "taut" if switch.strained else "slack", name))
        return found
