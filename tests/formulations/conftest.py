import numpy as np
import pytest

from towsim.model.trees import compile_tree
from towsim.scene.arms import FREEDOM, Arm

SINGLE = ("revolute", "prismatic", "universal")


def make_tree(n, seed, *, root=None, kinds=(*SINGLE, "ball"), gravity=(0.3, -0.2, -9.81), springs=True):
    """A random tree of n links of any shape; ``root`` is the kind of the first joint."""
    random = np.random.default_rng(seed)
    links = {}
    for i in range(n):
        kind = root if i == 0 and root else str(random.choice(kinds))
        joint = {"kind": kind, "start": (0.5 * random.normal(size=FREEDOM[kind])).tolist()}
        joint["rate"] = (0.5 * random.normal(size=FREEDOM[kind])).tolist()
        if kind in SINGLE:
            axis = random.normal(size=3)
            joint["axis"] = axis.tolist()
            if kind == "universal":
                joint["second"] = np.cross(axis, random.normal(size=3)).tolist()
            if springs:
                joint |= {"stiffness": 20.0, "rest": 0.1, "damping": 0.1}
        if kind == "ball" and springs:
            joint["damping"] = 0.1
        spread = 0.3 * random.normal(size=(3, 3))
        moment = spread @ spread.T + 0.1 * np.eye(3)
        link = {
            "mass": float(random.uniform(0.5, 2.0)),
            "centre": (0.5 * random.normal(size=3)).tolist(),
            "inertia": (np.trace(moment) * np.eye(3) - moment).tolist(),
            "joint": joint,
        }
        if i > 0:
            link["on"] = f"l{int(random.integers(max(0, i - 2), i))}"
        if kind != "free":
            link["at"] = (0.5 * random.normal(size=3)).tolist()
        links[f"l{i}"] = link
    return compile_tree(Arm(links=links), gravity=gravity)


@pytest.fixture
def random_tree():
    return make_tree
