import numpy as np
import pytest

import towsim
from towsim.run.engine import kept
from towsim.scene import scene_from_data
from towsim.scene.data import to_data

SECTION = {"mass_per_length": 0.2, "axial_stiffness": 2e4, "axial_damping": 400.0}
AT_REST = {
    "wheel": {  # with ground that rubs, where there is none
        "bodies": {
            "up": {"mass": 1.0, "point": True, "position": [50.125, 0.0, 0.0]},
            "down": {"mass": 1.0, "point": True, "position": [49.875, 0.0, 0.0]},
        },
        "robots": {"axle": {"position": [50.0, 0.0, 1.0]}},
        "pulleys": {"turning": {"at": "axle", "radius": 0.125, "inertia": 0.01}},
        "wires": {"over": {"from": "up", "via": ["turning"], "to": "down", "length": 2.0 + 0.125 * np.pi}},
        "ground": {"height": -99.0, "friction": 0.4, "contacts": ["up"]},
    },
    "arm": {
        "bodies": {"rod": {"mass": 1.0, "inertia": [0.1] * 3, "position": [60, 0, 1], "points": {"o": [0, 0, 1]}}},
        "robots": {"stand": {"position": [60.0, 0.0, 2.0]}},
        "joints": {"pivot": {"kind": "revolute", "from": "stand", "to": "rod.o", "axis": [0, 1, 0], "reduced": True}},
    },
    "cable": {
        "bodies": {"bob": {"mass": 0.3, "point": True, "position": [70.0, 0.0, 0.0]}},
        "robots": {"mast": {"position": [70.0, 0.0, 1.0]}},
        "wires": {"cable": {"from": "mast", "to": "bob", "length": 1.0, "material": SECTION, "model": "mrfe"}},
    },
    "line": {  # as massive as a cable, over a wheel
        "bodies": {
            "one": {"mass": 1.0, "point": True, "position": [80.125, 0.0, -1.0]},
            "other": {"mass": 1.0, "point": True, "position": [79.875, 0.0, -1.0]},
        },
        "robots": {"axle": {"position": [80.0, 0.0, 0.0]}},
        "pulleys": {"turning": {"at": "axle", "radius": 0.125, "inertia": 0.01}},
        "wires": {
            "line": {
                "from": "one",
                "via": ["turning"],
                "to": "other",
                "length": 2.0 + 0.125 * np.pi,
                "material": SECTION | {"diameter": 0.01, "bending_stiffness": 1e-4},
                "model": {"mrfe": {"elements": 4}},
            }
        },
    },
}


def beside(scene, *what):
    """The scene with things at rest far away, so that it is of the kind of other tests and shares their loops."""
    data = to_data(scene)
    for one in what:
        for part, things in AT_REST[one].items():
            there = data.get(part, {})
            assert part == "ground" or not things.keys() & there.keys(), "another name"
            data[part] = there | things if part != "ground" else there or things
    return scene_from_data(data)


def anew(scene, **options):
    """A run that shares nothing with those before it, nor with those that come after it."""
    engines = kept.swap([])
    try:
        return towsim.simulate(scene.replace(name="anew"), **options)
    finally:
        kept.swap(engines)


def solved_run(scene, method="stewart-trinkle", **options):
    """A run whose every step is solved."""
    result = towsim.simulate(scene, method=method, **options)
    assert (result["status"].values[1:] == 0).all()
    return result


def held_against_differences(found, model, reaches, of, duration, tolerance=1e-7):
    """Derivatives of a run are differences of runs, of fourth order, to a share of the largest of each variable.

    found : ``model.sensitivities`` of the variables ``of``, by the paths in ``reaches``, each with how far it is moved
    """
    for path, reach in reaches.items():
        whole, _, index = path.rpartition(".")
        at = model.parameters[path] if path in model.parameters else np.ravel(model.parameters[whole])[int(index)]
        around = []
        for k in (1, -1, 2, -2):
            scene = model.scene.with_values({path: at + k * reach})
            around.append(towsim.simulate(scene, duration=duration, **model.options))
        for name in of:
            a, b, c, d = (one[name].values for one in around)
            expected = (8.0 * (a - b) - (c - d)) / (12.0 * reach)
            mine, scale = found[name].sel(parameter=path).values, np.abs(expected).max()
            np.testing.assert_allclose(mine, expected, rtol=0, atol=tolerance * scale, err_msg=f"{path} {name}")


def last_order(errors):
    """Observed order of the last halving of the step."""
    return float(np.log2(errors[-2] / errors[-1]))


@pytest.fixture
def simulate():
    return solved_run


@pytest.fixture
def order():
    return last_order
