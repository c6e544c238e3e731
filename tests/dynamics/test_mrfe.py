"""The O(n) recursion against a dense chain: positions from plain kinematics, M by differencing them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from towsim.methods.method import method
from towsim.methods.stepper import Stepper
from towsim.model.arrays import BALL
from towsim.model.compile import compile_scene
from towsim.scene import Scene, scene_from_data

G = 9.81
MATERIAL = {"diameter": 8e-3, "density": 7000.0, "youngs_modulus": 1e9, "damping_modulus": 3e6}


def hanging(elements: int, first_joint: str = "ball", root: str = "top", **material: float) -> Scene:
    """A bob on a cable, held askew by a robot, or by a heavy body."""
    end = "guided" if first_joint != "ball" else "ball"
    return scene_from_data(
        {
            "bodies": {
                "bob": {"mass": 0.2, "point": True, "position": [0.6, 0.3, -0.7]},
                "heavy": {"mass": 3.0, "point": True, "position": [0.1, 0.0, 0.0]},
            },
            "robots": {"top": {"position": [0.1, 0, 0]}},
            "wires": {
                "c": {
                    "from": root,
                    "to": "bob",
                    "length": float(np.linalg.norm([0.5, 0.3, 0.7])),
                    "material": MATERIAL | material,
                    "model": {"mrfe": {"elements": elements, "first_joint": first_joint, "from_end": end}},
                }
            },
        }
    )


def begun(scene: Scene, steps: int, h: float) -> Stepper:
    """A Stewart–Trinkle stepper that has taken some steps and begun the next one."""
    stepper = Stepper(compile_scene(scene), method("stewart-trinkle"), h)
    if steps:
        stepper.run(stepper.ahead(steps))
    stepper.begin()
    return stepper


class Chain:
    """One cable as plain kinematics in its velocities: links' centres and rotations, root and tip."""

    def __init__(self, stepper: Stepper) -> None:
        cables = stepper.compiled.cables
        assert cables is not None
        self.n = int(cables.first[1])
        self.ball = cables.joint[0] == BALL
        self.free = cables.root[0] >= 0
        self.frame, self.axis = cables.frame[0], cables.axis[0]
        self.root = stepper.compiled.table.cables[0].start[0]
        line, radius, *self.section = cables.section[0]
        self.half = 0.5 * stepper.compiled.table.cables[0].length / self.n
        self.mass = line * self.half
        self.inertia = (self.mass * (3 * radius**2 + self.half**2) / 12, 0.5 * self.mass * radius**2)
        self.hinge = cables.hinge[0]
        nb = len(stepper.compiled.model.bodies.mass)
        self.q, self.v = stepper.state.q[7 * nb :].copy(), stepper.state.v[6 * nb :].copy()

    def at(self, d: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray, np.ndarray]:
        """Links' centres and rotations, root and tip, moved by d from the coordinates q."""
        q, k = self.q, 0
        p = self.root
        if self.free:
            p, k = q[:3] + d[:3], 3
        if self.ball:
            w, x, y, z = q[k : k + 4]
            R = Rotation.from_rotvec(d[k : k + 3]).as_matrix() @ Rotation.from_quat([x, y, z, w]).as_matrix()
            rest, move = q[k + 4 :], d[k + 3 :]
        else:
            first, second = q[k : k + 2] + d[k : k + 2]
            R = self.frame @ turn(self.axis[0], first) @ turn(self.axis[1], second)
            rest, move = q[k + 2 :], d[k + 2 :]
        rest = np.concatenate([[0, 0], rest + move]).reshape(-1, 3)
        centres, frames, root = [], [], p
        for a, b, s in rest:
            R = R @ turn([0, 1, 0], a) @ turn([-1, 0, 0], b)
            centres += [p + 0.5 * self.half * R[:, 2], p + (1.5 * self.half + s) * R[:, 2]]
            frames += [R, R]
            p = p + (2 * self.half + s) * R[:, 2]
        return centres, frames, root, p

    def differenced(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """M, Jacobians of root and tip (6, n), and the stiffness of links under the tension of each element."""
        n, e = len(self.v), 1e-6
        _, frames, _, _ = self.at(np.zeros(n))
        V, W = np.zeros((len(frames), 3, n)), np.zeros((len(frames), 3, n))
        J = np.zeros((6, n))
        for k in range(n):
            up, down = self.at(e * np.eye(n)[k]), self.at(-e * np.eye(n)[k])
            J[:3, k], J[3:, k] = (up[3] - down[3]) / (2 * e), (up[2] - down[2]) / (2 * e)
            for i, R in enumerate(frames):
                V[i, :, k] = (up[0][i] - down[0][i]) / (2 * e)
                spin = (up[1][i] - down[1][i]) / (2 * e) @ R.T
                W[i, :, k] = [spin[2, 1], spin[0, 2], spin[1, 0]]
        M, K = np.zeros((n, n)), np.zeros((n, n))
        extension = n - 3 * self.n + 2 + 3 * np.arange(self.n)
        share = 0.5 / self.half
        shift = len(self.q) - n
        tension = share * (self.section[0] * self.q[extension + shift] + self.section[2] * self.v[extension])
        for i, R in enumerate(frames):
            I = R @ np.diag([self.inertia[0], self.inertia[0], self.inertia[1]]) @ R.T  # noqa: E741
            M += self.mass * V[i].T @ V[i] + W[i].T @ I @ W[i]
            couple = max(tension[i // 2], 0.0) * self.half * (np.eye(3) - np.outer(R[:, 2], R[:, 2]))
            K += W[i].T @ couple @ W[i]
        return M, K, J[:3], J[3:]

    def springs(self) -> tuple[np.ndarray, np.ndarray]:
        """Stiffnesses and dampings of all velocities."""
        share = 0.5 / self.half
        k = np.tile(share * np.array([self.section[1], self.section[1], self.section[0]]), self.n)
        c = np.tile(share * np.array([self.section[3], self.section[3], self.section[2]]), self.n)
        head = np.zeros((3 if self.free else 0) + (3 if self.ball else 2))
        if not self.ball:
            head[-2:] = self.hinge
        return np.concatenate([head * k[0], k[2:]]), np.concatenate([head * c[0], c[2:]])


def turn(axis: object, angle: float) -> np.ndarray:
    return np.asarray(Rotation.from_rotvec(angle * np.asarray(axis, float)).as_matrix())


@pytest.mark.parametrize("root", ["top", "heavy"])
@pytest.mark.parametrize("first_joint", ["ball", "yx"])
@pytest.mark.parametrize("elements", [1, 2, 5])
def test_the_inverse_inertia_at_the_ends_is_that_of_the_mass_matrix(elements: int, first_joint: str, root: str) -> None:
    h = 2e-3
    stepper = begun(hanging(elements, first_joint, root), 100, h)
    chain = Chain(stepper)
    M, K, tip, exit = chain.differenced()
    k, c = chain.springs()
    J = np.concatenate([tip, exit]) if chain.free else tip
    expected = J @ np.linalg.solve(M + np.diag(h * c + h * h * k) + h * h * K, J.T)
    columns = [0, 1, 2, 6, 7, 8] if chain.free else [0, 1, 2]
    # Differencing with 1e-6 leaves about 1e-9.
    found = stepper.work.cable.H[0][np.ix_(columns, columns)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


def energy(stepper: Stepper) -> float:
    """T + V + springs of bodies and cable."""
    q, v = stepper.state.q, stepper.state.v
    chain = Chain(stepper)
    M, _, _, _ = chain.differenced()
    centres, _, _, _ = chain.at(np.zeros(len(chain.v)))
    bodies = stepper.compiled.model.bodies.mass
    total = sum(
        m * (G * q[7 * i + 2] + 0.5 * v[6 * i : 6 * i + 3] @ v[6 * i : 6 * i + 3]) for i, m in enumerate(bodies)
    )
    k, _ = chain.springs()
    shift = len(chain.q) - len(chain.v)
    total += chain.mass * G * sum(c[2] for c in centres)
    return total + 0.5 * float(chain.v @ M @ chain.v) + 0.5 * float(k @ chain.q[shift:] ** 2)


@pytest.mark.parametrize("root", ["top", "heavy"])
def test_a_cable_without_damping_keeps_its_energy_to_first_order(root: str) -> None:
    """The error halves with the step, and nothing is gained."""
    scene = hanging(2, root=root, damping_modulus=0.0)
    drift = []
    for h in (4e-4, 2e-4):
        stepper = Stepper(compile_scene(scene), method("stewart-trinkle"), h)
        before = energy(stepper)
        stepper.run(stepper.ahead(round(0.4 / h)))
        drift.append(energy(stepper) - before)
    assert drift[1] < 0.0
    assert 1.6 < drift[0] / drift[1] < 2.4
