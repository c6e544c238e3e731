import numpy as np
import pytest

import towsim
from towsim.run.engine import kept


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


def last_order(errors):
    """Observed order of the last halving of the step."""
    return float(np.log2(errors[-2] / errors[-1]))


@pytest.fixture
def simulate():
    return solved_run


@pytest.fixture
def order():
    return last_order
