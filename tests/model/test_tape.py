"""A tape says what its formulas say one by one, and says nothing twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from towsim.model.tape import CHUNK, OPERATIONS, Tape
from towsim.scene import Formula

from ..scene.test_formula import SMOOTH

ALL = [
    *SMOOTH,
    "t**1 + t**0",
    "abs(t - 1) + sign(t - 1)*t + floor(3*t) + step(t - 1) + step(0*t)",
    "1 if 0 < t <= 0.9 else t**2 if not (t > 2 or t == 2.5) and t != 1.7 else t**3",
    "log(t - 1) if t >= 1.25 else 1/(t - 1.25)",
    "t if 1 < 2 else 1/0",
    "1/0 + t",
    "-0.0",
]
TIMES = np.linspace(0.0, 3.1, 3 * CHUNK - 7)


def same(got, expected):
    """Equal to rounding: numpy's functions and the kernel's differ in the last bits; infinities and NaN are equal."""
    np.testing.assert_allclose(got, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("text", ALL)
def test_a_formula_is_what_it_is_alone(text):
    value, rate, _ = Formula(text).sample(TIMES)
    got = Tape([text]).at(TIMES)[text]
    same(got[0], value)
    same(got[1], rate)


@pytest.mark.parametrize("n", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1])
def test_all_at_once_are_what_they_are_one_by_one(n):
    together = Tape(ALL).at(TIMES[:n])
    assert list(together) == ALL
    for text in ALL:
        for one, other in zip(together[text], Tape([text]).at(TIMES[:n])[text], strict=True):
            np.testing.assert_array_equal(one, other)


def leaf():
    return st.sampled_from(["t", "pi", "2", "0.5", "1", "3*t", "(t - 1)", "0"])


FORMULAS = st.recursive(
    leaf(),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda x: f"({x[0]} {x[1]} {x[2]})"),
        st.tuples(st.sampled_from(["sin", "cos", "exp", "sqrt", "abs", "floor", "atan"]), inner).map(
            lambda x: f"{x[0]}({x[1]})"
        ),
        st.tuples(st.sampled_from(["min", "max", "hypot"]), inner, inner).map(lambda x: f"{x[0]}({x[1]}, {x[2]})"),
        st.tuples(inner, inner, st.sampled_from(["<", ">=", "=="]), inner, inner).map(
            lambda x: f"({x[0]} if {x[1]} {x[2]} {x[3]} or t > 2 else {x[4]})"
        ),
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=200)
@given(FORMULAS)
def test_any_formula_is_what_it_is_alone(text):
    t = np.linspace(0.1234, 2.9876, 40)
    value, _, _ = Formula(text).sample(t)
    got = Tape([text]).at(t)[text][0]
    defined = np.isfinite(value) & (np.abs(value) < 1e6)
    # Where a function jumps, the last bit decides on which side: a few instants may differ.
    close = np.isclose(got, value, rtol=1e-9, atol=1e-9)
    assert np.count_nonzero(defined & ~close) <= 2
    np.testing.assert_array_equal(np.isnan(got), np.isnan(value))


def test_what_formulas_share_is_done_once():
    shared = "sin(t)**2*exp(-t) if t < 2 else t"
    one = len(Tape([shared])._program)
    many = Tape([f"{k} + ({shared})" for k in range(5)])
    assert len(many._program) == one + 5  # five sums; their rates are that of what is shared
    assert len(Tape(["t**2"])._program) <= 3  # t t, and 2 t: no second derivative


def test_every_operation_has_its_number():
    assert len(set(OPERATIONS)) == len(OPERATIONS)
