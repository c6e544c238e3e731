"""Sub-systems with multipliers: wherever a tree is cut, it moves as before."""

import numpy as np
import pytest

from towsim.errors import UsageError
from towsim.formulations.measures import drift
from towsim.formulations.reduced import Reduced
from towsim.formulations.rsslm import Rsslm


@pytest.mark.parametrize("cuts", [["l3"], ["l1", "l2", "l5"], ["l0", "l1", "l2", "l3", "l4", "l5"]])
def test_a_tree_cut_anywhere_moves_as_in_reduced_coordinates(random_tree, cuts):
    tree = random_tree(6, 1)
    whole = Reduced(tree).adaptive([0.0, 0.5], rtol=1e-12, atol=1e-13)
    cut = Rsslm(tree, cuts).adaptive([0.0, 0.5], rtol=1e-12, atol=1e-13)
    assert np.abs(whole.position - cut.position).max() < 1e-9
    assert np.abs(whole.rotation - cut.rotation).max() < 1e-9
    assert np.abs(whole.spin - cut.spin).max() < 1e-8


def test_only_cut_joints_drift_and_baumgarte_holds_them(random_tree):
    tree = random_tree(4, 2, kinds=("ball",), springs=False)
    free = drift(tree, Rsslm(tree).run(4.0, 1e-2, every=100))
    held = drift(tree, Rsslm(tree, alpha=10.0).run(4.0, 1e-2, every=100))
    assert free[-1] > 1e-7
    assert held[-1] < 0.1 * free[-1]


def test_a_joint_that_does_not_exist_cannot_be_cut(random_tree):
    with pytest.raises(UsageError, match="'l9' has no joint to cut"):
        Rsslm(random_tree(3, 1), ["l9"])
    with pytest.raises(UsageError, match="'l0' has no joint to cut"):
        Rsslm(random_tree(3, 1, root="free"), ["l0"])
