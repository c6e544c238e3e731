"""Random scenes of all laws at once, with the kernels run as plain Python: numpy tells of what reads beyond an array.

Compiled kernels do not check indices, and take one below zero for what is before the array. This file is also the
program that the test runs, so that numba can be told to leave the kernels as they are before towsim is imported.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import traceback

import numpy as np
import pytest

ROPE = {
    "diameter": 0.01,
    "mass_per_length": 0.2,
    "axial_stiffness": 2e4,
    "bending_stiffness": 1e-2,
    "axial_damping": 40.0,
    "bending_damping": 1e-2,
}
METHODS = ("stewart-trinkle", "shake", "bdf1", "bdf3")


@pytest.mark.slow
def test_no_kernel_reads_beyond_an_array() -> None:
    done = subprocess.run([sys.executable, __file__, "0", "100"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    runs, solved = map(int, done.stdout.split()[::2])
    assert runs > 100, done.stdout
    assert solved > 130, done.stdout


class Chance:
    """A scene by chance: up to four bodies, and all kinds of what may hold, pull or support them."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.bodies = {f"b{i}": self._body(i) for i in range(self.r.randint(1, 4))}
        self.robots = {f"r{i}": self._robot(i) for i in range(self.r.randint(1, 4))}
        self.wires: dict[str, object] = {}
        self.joints: dict[str, object] = {}
        for i in range(self.r.randint(0, 5)):
            self._wire(f"w{i}")
        for i in range(self.r.randint(0, 3)):
            self._joint(f"j{i}")

    def data(self) -> dict[str, object]:
        """The scene's data."""
        data = {"bodies": self.bodies, "robots": self.robots, "wires": self.wires, "joints": self.joints}
        if self.r.random() < 0.15:
            data["sensors"] = self._sensors()
        if self.r.random() < 0.5:
            feet = [
                name + p
                for name, body in self.bodies.items()
                for p in [f".{k}" for k in body.get("points", ())] or [""]
            ]
            data["ground"] = {
                "contacts": self.r.sample(feet, min(len(feet), self.r.randint(1, 4))),
                "friction": self.r.choice([0.0, 0.3]),
            }
            if self.r.random() < 0.3:
                data["ground"]["restitution"] = {"kind": "newton", "coefficient": 0.5}
        return data

    def _body(self, i: int) -> dict:
        r = self.r
        body: dict = {"mass": r.uniform(0.5, 3.0), "position": [1.0 * i, 0.0, 0.3 + 0.1 * r.random()]}
        if r.random() < 0.3:
            body["point"] = True
        else:
            body["shape"] = {"box": [0.4, 0.3, 0.2]}
            body["points"] = {"p": [0.2, 0, 0.1], "q": [-0.2, 0, -0.1], "s": [0, 0.15, -0.1]}
            if r.random() < 0.2:
                body["rotors"] = {"arm": 0.2, "thrust": 5.0, "moment_ratio": 0.01}
        if r.random() < 0.2:
            body["drag"] = {"linear": 0.1, "quadratic": 0.2}
        if r.random() < 0.2:
            body["velocity"] = [0.1, 0.2, 0.0]
        return body

    def _robot(self, i: int) -> dict:
        more = {"dynamics": self.r.choice(["point-mass", "ground", "quadcopter"])} if self.r.random() < 0.15 else {}
        if self.r.random() < 0.6:
            return {"position": [0.9 * i, 0.2 * i, 2.0], **more}
        return {"motion": {"formula": {"x": f"{0.9 * i} + 0.1*sin(t)", "y": 0.2 * i, "z": 2.0}}, **more}

    def _sensors(self) -> dict:
        found = {}
        for name in self.wires:
            found[f"cell-{name}"] = {"kind": "load-cell", "of": name, "noise": 0.1}
        for name in self.bodies:
            for kind in ("pose", "velocity", "imu"):
                found[f"{kind}-{name}"] = {
                    "kind": kind,
                    "of": name,
                    "noise": 0.1,
                    "rate": self.r.choice([250.0, 1000.0]),
                }
        return found

    def _end(self, *, robots: bool) -> str:
        if robots and self.r.random() < 0.5:
            return self.r.choice(list(self.robots))
        name = self.r.choice(list(self.bodies))
        points = list(self.bodies[name].get("points", ()))
        return f"{name}.{self.r.choice(points)}" if points and self.r.random() < 0.6 else name

    def _at(self, end: str) -> np.ndarray:
        name, _, point = end.partition(".")
        if name in self.bodies:
            body = self.bodies[name]
            return np.array(body["position"]) + (np.array(body["points"][point]) if point else 0.0)
        robot = self.robots[name]
        i = int(name[1:]) if "motion" in robot else 0
        return np.array(robot.get("position", [0.9 * i, 0.2 * i, 2.0]))

    def _apart(self, *ends: str) -> float:
        return float(sum(np.linalg.norm(self._at(a) - self._at(b)) for a, b in itertools.pairwise(ends)))

    def _wire(self, name: str) -> None:
        r = self.r
        a, b = self._end(robots=False), self._end(robots=True)
        kind = r.choice(["rigid", "rigid", "via", "elastic", "mrfe", "mrfe", "free"])
        if a.partition(".")[0] == b.partition(".")[0]:
            return
        wire: dict = {"winch": {"lag": 0.1}} if r.random() < 0.1 else {}
        wire |= {"from": a, "to": b, "length": 1.0001 * self._apart(a, b) + r.choice([0.0, 0.3]), "material": ROPE}
        if kind == "elastic":
            wire["model"] = "elastic"
        elif kind in ("mrfe", "free"):
            a, b = (b, a) if b in self.robots else (a, b)
            length: object = self._apart(a, b)
            if r.random() < 0.3:
                length = {"start": length, "rate": 0.05}
            wire |= {"from": a, "to": b, "length": length, "model": {"mrfe": {"elements": r.randint(1, 4)}}}
            if kind == "free":
                exit_ = (self._at(b) + np.array([0, 0, 1.0])).tolist()
                wire |= {"from": "free", "exit": exit_, "length": 1.0, "exit_force": {"z": 20.0}}
        else:
            if kind == "via":
                ends = [a, *(self._end(robots=True) for _ in range(r.randint(1, 2))), b]
                if any(x == y for x, y in itertools.pairwise(ends)):
                    return
                wire |= {"via": ends[1:-1], "length": 1.0001 * self._apart(*ends), "friction": r.choice([0.0, 0.2])}
            if r.random() < 0.2:
                wire["break"] = {"tension": r.uniform(1.0, 20.0)}
            if r.random() < 0.4:
                wire |= r.choice([{"cut": 0.003}, {"attach": 0.002}])
        self.wires[name] = wire

    def _joint(self, name: str) -> None:
        r = self.r
        a, b = self._end(robots=True), self._end(robots=False)
        kind = r.choice(["ball", "revolute", "prismatic", "fixed"])
        if a.partition(".")[0] == b.partition(".")[0]:
            return
        if kind != "prismatic" and self._apart(a, b) > 0.0:  # such a joint holds b to a post of its own
            a = f"p{name}"
            self.robots[a] = {"position": self._at(b).tolist()}
        joint: dict = {"from": a, "to": b, "kind": kind}
        if kind in ("revolute", "prismatic"):
            joint["axis"] = [0, 0, 1] if kind == "revolute" else (self._at(b) - self._at(a)).tolist()
            for more in ({"spring": {"stiffness": 10.0}}, {"damping": 1.0}, {"limits": [-99, 99]}, {"motor": "sin(t)"}):
                if r.random() < 0.3:
                    joint |= more
        if r.random() < 0.2:
            joint["detach"] = 0.003
        elif kind != "fixed" and "limits" not in joint and r.random() < 0.4:
            joint["reduced"] = True
        self.joints[name] = joint


WHOLE = int, np.integer


class FromTheBeginning(np.ndarray):
    """An array that is not indexed from its end."""

    def __getitem__(self, index: object) -> object:
        return super().__getitem__(self._asked(index))  # type: ignore[index]

    def __setitem__(self, index: object, value: object) -> None:
        super().__setitem__(self._asked(index), value)  # type: ignore[index]

    def _asked(self, index: object) -> object:
        for i in index if type(index) is tuple else (index,):
            if isinstance(i, WHOLE) and i < 0:
                raise IndexError(f"index {i} counts from the end")
        return index


KEPT: dict[int, tuple[object, object]] = {}
"""What was watched, by its identity, which is its own as long as it is kept here."""


def watched(thing: object) -> object:
    """A tuple of arrays as arrays that are not indexed from their ends."""
    if isinstance(thing, np.ndarray):
        return thing.view(FromTheBeginning)
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        if id(thing) not in KEPT:
            KEPT[id(thing)] = thing, type(thing)(*map(watched, thing))
        return KEPT[id(thing)][1]
    return thing


def main(first: int, stop: int) -> int:
    """Run the scenes of these seeds; prints the number of runs, and what went wrong."""
    import towsim
    from solvers.kernels.handle import Handle
    from towsim.scene import scene_from_data

    Handle.__getattr__ = lambda handle, name: watched(getattr(handle.value, name))  # type: ignore[method-assign]
    runs = bad = 0
    for seed in range(first, stop):
        try:
            scene = scene_from_data(Chance(seed).data())
        except towsim.SceneError:
            continue
        for method in METHODS:
            try:
                towsim.simulate(scene, step=1e-3, duration=5e-3, method=method, on_failure="record")
                runs += 1
            except towsim.TowsimError:  # what the method does not take
                continue
            except Exception:
                bad += 1
                print(f"seed {seed}, {method}", file=sys.stderr)
                traceback.print_exc(limit=-3)
    solved, wrong = solve_from_other_sets(stop - first)
    print(f"{runs} runs, {solved} solved")
    return 1 if bad + wrong else 0


def solve_from_other_sets(count: int) -> tuple[int, int]:
    """Solve problems with dependent free rows from the rows that a start names; the solver's memory is no zeros.

    Rows are exchanged then, and those before the first exchange kept as factored: as what is, and no others.

    Returns
    -------
    how many are solved, and how many raised what they should not
    """
    import solvers
    from solvers.active_set import packed

    vars(packed).update(np=Spoilt(), empty=Spoilt().empty)
    rng = np.random.default_rng(0)
    solved = wrong = 0
    for k in range(4 * count):
        free, rows = rng.integers(3, 9), rng.integers(1, 9)
        J = rng.normal(size=(free + rows, rng.integers(5, 12)))
        for i in range(2, free, 2):
            J[i] = 0.3 * J[i - 1] + 0.7 * J[i - 2]
        mask = np.arange(free + rows) < free
        start = (mask | (rng.random(free + rows) < 0.7)).astype(float)
        problem = solvers.MLCP(J @ J.T, J @ rng.normal(size=J.shape[1]), free=mask)
        try:
            solved += solvers.solve(problem, "active-set", start=start).status == solvers.Status.SOLVED
        except Exception:
            wrong += 1
            print(f"problem {k}", file=sys.stderr)
            traceback.print_exc(limit=-3)
    return solved, wrong


class Spoilt:
    """numpy whose new arrays hold numbers, as memory does that was used before."""

    def __getattr__(self, name: str) -> object:
        return getattr(np, name)

    def empty(self, shape: int | tuple[int, ...], dtype: type = float) -> np.ndarray:
        return np.full(shape, -0.1 if dtype is float else 1, dtype)


if __name__ == "__main__":
    import warnings

    import numba

    def plain(*functions: object, **_: object) -> object:
        """In place of ``numba.njit``: the function itself."""

        def itself(function: object) -> object:
            function.compile = None  # type: ignore[attr-defined]
            return function

        return itself(functions[0]) if functions else itself

    numba.njit = plain
    warnings.simplefilter("ignore")
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
