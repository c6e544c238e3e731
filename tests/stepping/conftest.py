import numpy as np
import pytest

import towsim
from towsim.stepping import again, alike


def anew(scene, **options):
    """A run that shares nothing with those before it, nor with those that come after it."""
    kept, compiled = again._last.kept, [*alike._last]
    again._last.kept = []
    alike._last.clear()
    try:
        return towsim.simulate(scene.replace(name="anew"), **options)
    finally:
        again._last.kept = kept
        alike._last[:] = compiled


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
