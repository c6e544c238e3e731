"""Polyhedral cones: what their members lift, against strict complementarity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from solvers.halfspaces import lifted

SMALL = st.integers(-2, 2).map(float)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4).flatmap(lambda n: st.tuples(*(arrays(float, (m, n), elements=SMALL) for m in (5, 2)))))
def test_a_row_is_lifted_or_has_a_multiplier(both):
    """Goldman & Tucker: of B c ≥ 0, E c = 0 and Bᵀ y + Eᵀ u = 0, y ≥ 0 each row has (B c)ᵢ > 0 or yᵢ > 0, not both."""
    B, E = both
    up, c = lifted(B, E)
    multiplied, y = lifted(np.eye(5, 7), np.vstack([B, E]).T)
    zero = ~B.any(axis=1)  # (B c)ᵢ = 0 for all c, and yᵢ is free
    assert (up ^ multiplied).all()
    assert not (zero & up).any()
    np.testing.assert_allclose(np.minimum(B @ c, 0.0), 0.0, atol=1e-6)  # the program's tolerance is 1e-7
    np.testing.assert_allclose(E @ c, 0.0, atol=1e-6)
    assert ((B @ c)[up] > 0.5).all()
    assert (y[:5][multiplied] > 0.5).all()


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_units_of_rows_do_not_matter(scale):
    """Two rows that oppose each other, and one that is free of them."""
    B = np.diag([scale, 1.0, 1.0]) @ [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]
    np.testing.assert_array_equal(lifted(B)[0], [False, False, True])
    np.testing.assert_array_equal(lifted(csr_array(B))[0], [False, False, True])
