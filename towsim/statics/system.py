"""A scene at one instant, all rates zero: its rows, its forces and stiffness in the bodies' small moves.

The arrays are those of a stepper (model/, methods/work), and so are the laws: a row here is the row of a step, with
multipliers p [N, N m] for impulses. What differs from a step is what a row stands for when nothing moves:

    hard row      ψ + J d ≥ 0 ⟂ p ≥ 0, or = 0 (joints)            σ = 0
    spring        ψ + J d + p/k ≥ 0 ⟂ p ≥ 0, or = 0               σ = 1/k  (elastic wires and ground, joints' springs)
    cable         force F(x_B − x_A) on its ends, with ∂F/∂x (statics/cable)
    winch         p given, ψ whatever it comes to be                (a wire held at a tension)
    friction      contacts that stand stay where they stand; wires slip over what they pass
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from solvers.kernels.handle import Handle
from towsim.constraints.axis import MOTION, SPRING
from towsim.errors import SceneError, UsageError
from towsim.given import a_mapping
from towsim.methods.method import METHODS
from towsim.methods.stepper import Stepper
from towsim.model.arrays import BALL, FREE, TANGENT, Drive, Floats, Ints, State, jacobian
from towsim.model.compile import Compiled, compile_scene
from towsim.model.model import with_all_points
from towsim.quote import show
from towsim.statics.cable import hang_all
from towsim.statics.ends import axial, bounded, refuse_locked, restless, unhung
from towsim.statics.forces import Still, forces_at
from towsim.statics.measure import length_of, rounding
from towsim.statics.moves import joint_coordinates, moved
from towsim.statics.shape import ANSWER, TIP, UNSTABLE, make_scratch
from towsim.statics.spans import Shared, routes_of
from towsim.statics.wheels import lay_on_wheels, refuse_astray, without_inertia
from towsim.suggest import is_one_of, unknown

NO_TENSION: Mapping[str, float] = MappingProxyType({})
"""No wire is held at a tension, by default."""

DIFFERENCE = 1e-5
"""Move over which forces are differenced, in m relative to the scene's length, and in rad."""

TOUCHES = 1e-9
"""Height up to which a contact stands on the ground, relative to the scene's length."""


@dataclass
class Look:
    """A state as the search sees it; n moves d of the bodies, m rows.

    Attributes
    ----------
    force : (n,) forces and torques of loads and cables, without the rows
    J : (m, n) directions; gap : (m,); sigma : (m,) compliances; free : (m,) rows that hold both ways
    geometric : (n, n) −∂(f + Jᵀp)/∂x at constant p, and of the cables; None if it was not asked for
    """

    force: Floats
    J: Floats
    gap: Floats
    sigma: Floats
    free: np.ndarray
    geometric: Floats | None


class System:
    """A compiled scene at t = 0, for poses and multipliers as they come.

    Parameters
    ----------
    compiled : its ``initial`` state is where the search starts
    tension : of massless wires that are held at it, by name [N]; their gaps follow

    Raises
    ------
    UsageError : no such wire, or one that cannot be held at a tension; a tension below zero
    """

    def __init__(
        self, compiled: Compiled, drive: Drive | None = None, tension: Mapping[str, float] = NO_TENSION
    ) -> None:
        self.compiled = compiled
        if compiled.model.arms is not None:  # reduced joints are rows here: the same mechanics
            scene = compiled.declared
            joints = {name: joint.replace(reduced=False) for name, joint in scene.joints.items()}
            compiled = compile_scene(scene.replace(joints=joints))
        self.rowed = compiled = without_inertia(compiled)
        stepper = Stepper(compiled, METHODS["stewart-trinkle"], 1.0)
        self.work, self.off = stepper.work, stepper.schedule.off
        self.model = model = with_all_points(compiled.model)
        if model.wheels is not None:
            model.wheels.pace[:] = np.inf
        drive = compiled.driver.sample(np.zeros(1)) if drive is None else drive
        self.nb, self.nr = len(model.bodies.mass), len(model.rows.kind)
        self.cables = compiled.cables
        state = compiled.start()
        self.still = Still(
            robot=drive.robot[0].copy(),
            length=drive.length[0].copy(),
            load=drive.load[0].copy(),
            wind=drive.wind[0].copy(),
            motor=drive.motor[0].copy(),
            no_rate=np.zeros_like(drive.robot[0]),
            no_feed=np.zeros_like(drive.length[0]),
            glue=self._glue(),
            q=state.q,
            q_moved=state.q.copy(),
            v=np.zeros_like(state.v),
            p=np.zeros(self.nr),
            G=np.zeros((self.nb, 6)),
            K=np.zeros((6 * self.nb, 6 * self.nb)),
        )
        self.size = length_of(self)
        self._handles = Handle(self.model), Handle(self.still), Handle(self.work)
        self._hang: tuple[Handle, ...] | None = None
        self.shared: Shared | None = None
        if self.cables is not None:
            self.feed = np.array([cable.length for cable in self.rowed.table.cables])
            self.push = drive.exit_force[0].copy()
            self.answer = np.zeros((len(self.cables.tip), ANSWER))
            self._hang = Handle(self.cables), Handle(make_scratch(int(self.cables.first[-1]), len(self.cables.tip)))
            self._guess_forces()
            self.shared = self._shared()
            for c, cable in enumerate(self.rowed.table.cables):
                z, extension = cable.shape
                reach = z * (self.feed[c] / len(extension) + extension)[:, None]
                self.put_nodes(c, cable.start[0] + np.cumsum(np.concatenate([np.zeros((1, 3)), reach]), axis=0))
        self.moves = self._free_moves()
        self._rows()
        self.given = self._hold(tension)

    def _glue(self) -> Ints:
        """Points at the ends of cables, and where they are closed to."""
        if self.cables is None:
            return np.empty((0, 2), np.int64)
        balls, cables = self.model.balls, self.cables
        pairs = [(tip, balls.a[j]) for tip, j in zip(cables.tip_point, cables.closure, strict=True)]
        pairs += [(root, balls.b[j]) for root, j in zip(cables.root_point, cables.root_closure, strict=True) if j >= 0]
        return np.array(pairs, np.int64).reshape(-1, 2)

    def _free_moves(self) -> Ints:
        """Moves of the bodies: point masses do not turn, and vehicles are held where they are."""
        held = {name for name, robot in self.compiled.declared.robots.items() if robot.dynamic}
        moves: list[int] = []
        for i, (name, turns) in enumerate(zip(self.rowed.scene.bodies, self.model.bodies.rotates, strict=True)):
            if name not in held:
                moves += range(6 * i, 6 * i + (6 if turns else 3))
        return np.array(moves, np.int64)

    def _rows(self) -> None:
        """Which rows are active, their compliances, and what holds both ways."""
        model, nr = self.model, self.nr
        on, sigma, rest = np.ones(nr, bool), np.zeros(nr), np.zeros(nr)
        free = model.rows.kind == FREE
        on[model.rows.kind == TANGENT] = False
        if self.cables is not None and self.cables.flow is not None:
            on[self.cables.flow.row] = False
        if model.wheels is not None:
            on[model.wheels.row[model.wheels.row >= 0]] = False
        self.pulling = np.zeros(nr, bool)
        if self.cables is not None:
            closures = [*self.cables.closure, *self.cables.root_closure[self.cables.root_closure >= 0]]
            on[model.balls.row[closures].ravel()] = False
        if model.springs is not None:
            springs = model.springs
            per = np.where(springs.wire >= 0, self.still.length[springs.wire] if len(self.still.length) else 1.0, 1.0)
            sigma[springs.row] = per / springs.stiffness
            self.pulling[springs.row[springs.pulls]] = True
        if model.joints is not None:
            axes = model.joints.axes
            has = axes.row[:, SPRING] >= 0
            row, k = axes.row[has, SPRING], axes.stiffness[has]
            on[row[k == 0.0]] = False
            sigma[row[k > 0.0]] = 1.0 / k[k > 0.0]
            rest[row] = axes.rest[has]
        if model.switches is not None:
            on[model.switches.row[self.work.off]] = False
        on[np.diff(model.rows.ptr) == 0] = False
        self.sigma, self.free, self.rest = sigma, free, rest
        self.on = np.flatnonzero(on)
        self.stuck = np.empty(0, np.int64)
        self._feet = self.work.P[model.contacts.point]
        if len(model.contacts.point):
            self.place()
            self.stand(self.touching, borne=False)

    def _hold(self, tension: Mapping[str, float]) -> dict[str, int]:
        """Rows, by wire, whose multipliers are known: they act as loads, and their gaps are free."""
        names = self.rowed.massless
        rows: dict[str, int] = {}
        for name, pull in a_mapping("tension", tension, "from wires to numbers").items():
            if name in self.compiled.cable_names:
                raise UsageError(f"wire {name!r} is a massive cable, which hangs at its length; name a massless one")
            if not is_one_of(name, names):
                raise UsageError(unknown("wire", name, names))
            if not (isinstance(pull, (int, float)) and 0.0 <= pull <= sys.float_info.max):
                raise UsageError(f"the tension of wire {name!r} must be a number >= 0 N, got {show(pull)}")
            rows[name] = int(self.model.wires.row[names.index(name)])
            self.still.p[rows[name]] = pull
        self.on = np.setdiff1d(self.on, list(rows.values())) if rows else self.on
        return rows

    def lengths(self) -> dict[str, float]:
        """Unstrained lengths at which the wires of given tension would hold it where they are [m]."""
        springs, found = self.model.springs, {}
        for name, row in self.given.items():
            wire = int(np.flatnonzero(self.model.wires.row == row)[0])
            far, pull = float(self.still.length[wire] - self.work.gap[row]), float(self.still.p[row])
            if springs is not None and row in springs.row:
                spring = int(np.flatnonzero(springs.row == row)[0])
                k = float(springs.stiffness[spring])
                far = far / (1.0 + pull / k) if springs.wire[spring] >= 0 else far - pull / k
            found[name] = far
        return found

    @property
    def touching(self) -> float:
        """Height up to which a contact stands on the ground [m]."""
        return TOUCHES * self.size + 16.0 * rounding(self)

    def stand(self, height: float, *, borne: bool = True) -> bool:
        """Let contacts with friction stand where they are, up to this height above the ground [m]; whether any are new.

        borne : only those that the ground bears
        """
        contacts = self.model.contacts
        normal = contacts.row[:, 0]
        bears = (self.still.p[normal] > 0.0) | (not borne)
        new = (contacts.row[:, 1] >= 0) & (self.work.gap[normal] <= height) & bears
        new[self.stuck] = False
        self._feet[new] = self.work.P[contacts.point[new]]
        self.stuck = np.sort(np.append(self.stuck, np.flatnonzero(new)))
        return bool(new.any())

    def _guess_forces(self) -> None:
        """Forces on the tips, from the extension of the elements and half of the weight."""
        for c, cable in enumerate(self.rowed.table.cables):
            self._guess_force(c, *cable.shape)

    def _guess_force(self, c: int, directions: Floats, extension: Floats) -> None:
        cables, n = self.cables, len(extension)
        assert cables is not None
        pull = cables.section[c, 2] * n / self.feed[c] * extension[-1]
        w = cables.section[c, 0] * self.feed[c] / (2 * n) * self.model.bodies.gravity
        self.answer[c, :3] = pull * directions[-1] - w

    def place(self, *, differences: bool = False) -> None:
        """Bring geometry, forces and (with ``differences``) the geometric stiffness to the state."""
        model, still, work = self._handles
        forces_at(model, still, work, DIFFERENCE if differences else 0.0, self.size)
        refuse_astray(self)

    def _shared(self) -> Shared | None:
        """How massive wires over rings share their lengths, if there are any."""
        assert self.cables is not None
        routes = routes_of(self.rowed)
        weight = self.cables.section[:, :1] * self.model.bodies.gravity
        axial = self.cables.section[:, 2]
        force = self.answer[:, TIP : TIP + 3]
        return Shared(routes, weight, axial, self.feed, force, self.pulls) if routes else None

    def pulls(self, c: int) -> tuple[float, float]:
        """T at the root and tip of cable c as it hangs: −dV/dL less the weight's potential (see statics/spans)."""
        cables = self.cables
        assert cables is not None
        assert self._hang is not None
        first, last = int(cables.first[c]), int(cables.first[c + 1])
        n, length, line = last - first, float(self.feed[c]), float(cables.section[c, 0])
        gravity = self.model.bodies.gravity
        links = self._hang[1].links[first:last]
        z, reach = links[:, :3], links[:, 9]
        part = np.arange(n) / n
        stretch = reach - length / n
        passed = (np.cumsum(z, axis=0) - z) / n - part[:, None] * z  # D of dynamics/flow
        pull = line * (length / n * passed - ((part + 0.5 / n) * stretch)[:, None] * z).sum(axis=0) @ gravity
        q = self.still.q[cables.q[c] : cables.q[c + 1]]
        bends = q[len(q) - 3 * (n - 1) :].reshape(n - 1, 3)[:, :2] - cables.rest[first + 1 : last]
        stored = cables.section[c, 2] * (stretch**2).sum() + cables.section[c, 3] * (bends**2).sum()
        if cables.joint[c] != BALL:
            root = q[len(q) - 3 * n : len(q) - 3 * n + 2] - cables.rest[first]
            stored += cables.section[c, 3] * cables.hinge[c] * (root**2).sum()
        at_tip = pull + 0.5 * stored * n / length**2 + self.answer[c, TIP : TIP + 3] @ z.sum(axis=0) / n
        return float(at_tip + line * gravity @ (reach @ z)), float(at_tip)

    def hang(self) -> None:
        """Bring the cables to rest between the points where they are fixed.

        Raises
        ------
        SceneError : a cable was not found at rest; by name
        """
        if self._hang is None:
            return
        cables, still, balls = self.cables, self.still, self.model.balls
        assert cables is not None
        self.place()
        self.hang_here()
        if self.model.wheels is not None:
            lay_on_wheels(self)
        for c in range(len(cables.tip)):
            F = self.answer[c, :3]
            still.p[balls.row[cables.closure[c]]] = -F
            if cables.root_closure[c] >= 0:
                weight = cables.section[c, 0] * self.feed[c] * self.model.bodies.gravity
                still.p[balls.row[cables.root_closure[c]]] = -F - weight

    def hang_here(self) -> None:
        """The same, between where the points are."""
        cables, still, balls, P = self.cables, self.still, self.model.balls, self.work.P
        assert cables is not None
        tip = P[balls.a[cables.closure]]
        root = np.zeros_like(tip)
        for c in range(len(tip)):
            if cables.robot[c] >= 0:
                root[c] = still.robot[cables.robot[c]]
            elif cables.root_closure[c] >= 0:
                root[c] = P[balls.b[cables.root_closure[c]]]
            else:
                root[c] = still.q[cables.q[c] : cables.q[c] + 3]
        if self.shared is None:
            self._hang_between(root, tip)
        else:
            apart = np.linalg.norm(tip - root, axis=1)
            passed = np.zeros_like(tip)
            if self.model.wheels is not None:
                wheels, blocks = self.model.wheels, ~self.model.wheels.swivels
                passed[wheels.cable[blocks, 1]] = P[wheels.touch[blocks, 1]] - P[wheels.touch[blocks, 0]]
            self.shared.settle(
                apart, passed, rounding(self), lambda: self._hang_between(root, tip), self.keep, self.back
            )

    def put_nodes(self, c: int, nodes: Floats) -> None:
        """Say where the nodes of cable c are, for what lies on wheels."""
        assert self.cables is not None
        first = int(self.cables.first[c]) + c
        self.work.cable.node[first : first + len(nodes)] = nodes

    def _hang_between(self, root: Floats, tip: Floats) -> None:
        """The same, between these points (nk, 3) and at the lengths in ``feed``."""
        assert self._hang is not None
        assert self.cables is not None
        still = self.still
        q, answer = still.q.copy(), self.answer.copy()
        handle, scratch = self._hang
        known = root, tip, self.feed, self.model.bodies.gravity, self.push, self.answer, scratch
        hang_all(handle, still.q, *known)
        refuse_locked(self.answer, self.cables, self.feed, self.compiled.cable_names, np.inf)
        bad = restless(self.answer)
        if len(bad):
            still.q[:], self.answer[:] = q, answer
            for one in bad.tolist():
                self._shape_anew(one, root[one], tip[one])
            hang_all(handle, still.q, *known)
            bad = restless(self.answer)
        if len(bad):
            still.q[:], self.answer[:] = q, answer
            refuse_locked(self.answer, self.cables, self.feed, self.compiled.cable_names)
            raise unhung(self.compiled.cable_names[bad[0]], tip[bad[0]] - root[bad[0]], self.feed[bad[0]])

    def _shape_anew(self, c: int, root: Floats, tip: Floats) -> None:
        """Give cable c, whose first joint is a ball, the shape in which one without bending stiffness hangs there."""
        cables, cable = self.cables, self.rowed.table.cables[c]
        assert cables is not None
        if cables.joint[c] != BALL:
            return
        start = np.array([root, tip, np.zeros(3), np.zeros(3)])
        try:
            there = replace(cable, start=start, length=float(self.feed[c]))
            self.still.q[cables.q[c] : cables.q[c + 1]] = there.coordinates
        except SceneError:
            return
        self._guess_force(c, *there.shape)

    def look(self, *, stiffness: bool = True, hang: bool = True) -> Look:
        """The state as the search sees it, at the multipliers in ``still.p``; without ``hang`` cables stay as they are.

        Raises
        ------
        SceneError : an mrfe cable was not found at rest
        """
        model, work, still, moves = self.model, self.work, self.still, self.moves
        if hang:
            self.hang()
        self.place(differences=stiffness)
        work = self.work
        J = jacobian(model.rows, work.J, self.nb)
        gap = work.gap - self.rest
        free = self.free | (self.pulling & (gap <= 0.0))
        rows = self.on
        contacts = model.contacts
        if len(self.stuck):
            tangents = contacts.row[self.stuck, 1:]
            moved = work.P[contacts.point[self.stuck]] - self._feet[self.stuck]
            gap[tangents] = np.einsum("cij,cj->ci", contacts.axes[self.stuck, 1:], moved)
            free = free.copy()
            free[tangents] = True
            rows = np.sort(np.concatenate([rows, tangents.ravel()]))
        self.rows = rows
        force = still.G.ravel() - J[rows].T @ still.p[rows]
        K = None
        if stiffness:
            K = still.K + self._cable_stiffness(J)
            K = (0.5 * (K + K.T))[np.ix_(moves, moves)]
        return Look(force[moves], J[np.ix_(rows, moves)], gap[rows], self.sigma[rows], free[rows], K)

    def _cable_stiffness(self, J: Floats) -> Floats:
        """Stiffness of the cables in the moves of the bodies that they are fixed to."""
        K = np.zeros((6 * self.nb, 6 * self.nb))
        if self.cables is not None:
            rows, held = self.model.balls.row, self.cables.root_closure
            tip = J[rows[self.cables.closure]]
            root = np.where((held >= 0)[:, None, None], J[rows[held]], 0.0)
            stiff = bounded(self.answer, axial(self.cables, self.feed))
            for apart, S in zip(tip + root, stiff, strict=True):
                K += apart.T @ S @ apart
            if self.shared is not None:
                K += self.shared.stiffness_of_slipping(tip, root)
        return K

    def nodes(self, c: int) -> Floats:
        """Ends of the elements of cable c (n + 1, 3), root first [m]; the cables have been hung."""
        assert self.cables is not None
        assert self._hang is not None
        first, last = int(self.cables.first[c]), int(self.cables.first[c + 1])
        links = self._hang[1].links[first:last]
        robot = self.cables.robot[c]
        root = self.still.robot[robot] if robot >= 0 else self.still.q[self.cables.q[c] : self.cables.q[c] + 3]
        reach = links[:, :3] * links[:, 9:]
        return np.concatenate([root[None], root + np.cumsum(reach, axis=0)])

    @property
    def sagging(self) -> int:
        """Unstable directions of the cables with their ends held, and of their slipping over rings."""
        slipping = 0 if self.shared is None else self.shared.slipping
        return 0 if self.cables is None else int(self.answer[:, UNSTABLE].sum()) + slipping

    def mass(self) -> Floats:
        """Masses and inertias (n, n) of the moves."""
        M = np.zeros((6 * self.nb, 6 * self.nb))
        for i in range(self.nb):
            R = self.work.R[i]
            M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = self.model.bodies.mass[i] * np.eye(3)
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = R @ self.model.bodies.inertia[i] @ R.T
        return M[np.ix_(self.moves, self.moves)]

    def move(self, d: Floats) -> None:
        """Move the bodies by d (n,)."""
        whole = np.zeros(6 * self.nb)
        whole[self.moves] = d
        moved(self.still.q, whole.reshape(-1, 6))

    def keep(self) -> tuple[Floats, ...]:
        """What ``back`` needs to come back to this state."""
        extra: tuple[Floats, ...] = ()
        if self._hang is not None:
            extra = self.answer.copy(), self.feed.copy(), self._hang[1].links.copy(), self.work.cable.node.copy()
        return (self.still.q.copy(), self.still.p.copy(), self.work.axis.copy(), *extra)

    def back(self, kept: tuple[Floats, ...]) -> None:
        """Return to a state that was kept."""
        self.still.q[:], self.still.p[:], self.work.axis[:] = kept[:3]
        if self._hang is not None:
            self.answer[:], self.feed[:], self._hang[1].links[:], self.work.cable.node[:] = kept[3:]

    def coordinates(self) -> dict[str, float]:
        """Coordinates of joints with an axis by name [m or rad]."""
        names = tuple(self.rowed.scene.joints)
        joints = self.model.joints
        if joints is None:
            return {}
        return {names[i]: float(c) for i, c in zip(joints.axes.joint, self.work.axis[:, 0], strict=True)}

    def driven(self) -> dict[str, int]:
        """Rows of the joints whose motion is given, by name."""
        names, joints = tuple(self.rowed.scene.joints), self.model.joints
        if joints is None:
            return {}
        given = zip(joints.axes.joint, joints.axes.row[:, MOTION], strict=True)
        return {names[i]: int(row) for i, row in given if row >= 0}

    def state(self) -> State:
        """The state, at rest, as a stepper of the scene starts from it."""
        start = self.compiled.start()
        n = min(len(start.q), len(self.still.q))
        start.q[:n] = self.still.q[:n]
        start.v[:] = 0.0
        if self.cables is not None and self.cables.flow is not None:
            start.q[self.cables.flow.q] = self.feed[self.cables.flow.cable]
            if self.model.wheels is not None:
                start.q[self.model.wheels.arc_q] = self.still.q[self.model.wheels.arc_q]
        if self.compiled.model.arms is not None:
            joint_coordinates(self.compiled, self.coordinates(), start.q)
        return start
