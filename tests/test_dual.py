"""Formulas on duals: values are those on numbers, derivatives those of calculus; branches go by values."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import DIRECTIONS, duals, moves, parts, value
from solvers.kernels.handle import COMPILED, Handle
from solvers.kernels.recorded import Tape, recorded
from solvers.kernels.recorded import values as recorded_values

pytestmark = pytest.mark.skipif(not COMPILED, reason="kernels run as plain Python")


class _Table(NamedTuple):
    x: Any  # (2,)
    y: Any  # (n,)


@part()
def _branch(x):
    return min(x, 1.0) if x > 0.0 else max(-x, 0)


@kernel()
def _formulas(table):
    x, y, out = table.x[0], table.x[1], table.y
    total = (0.0, 1)
    total = (total[0] + x, total[1])  # a number becomes a dual
    out[0] = (x + 2.0) * (y - x) / (3 - y)
    out[1] = math.sqrt(x * x + y * y)
    out[2] = math.sin(x) * math.cos(y)
    out[3] = math.atan2(y, x)
    out[4] = math.hypot(x, y) + math.exp(x) + math.expm1(y)
    out[5] = abs(x) + abs(y)
    out[6] = _branch(x) + _branch(y)
    out[7] = total[0] / -y
    out[8] = 7.0
    out[8] += x - value(x)
    out[9] = math.sqrt(x - value(x))
    out[10] = math.floor(x) + y


X, Y = 0.7, -1.3
GRADIENTS = [
    ((Y - X) / (3 - Y) - (X + 2) / (3 - Y), (X + 2) / (3 - Y) + (X + 2) * (Y - X) / (3 - Y) ** 2),
    (X / math.hypot(X, Y), Y / math.hypot(X, Y)),
    (math.cos(X) * math.cos(Y), -math.sin(X) * math.sin(Y)),
    (-Y / (X * X + Y * Y), X / (X * X + Y * Y)),
    (X / math.hypot(X, Y) + math.exp(X), Y / math.hypot(X, Y) + math.exp(Y)),
    (1.0, -1.0),
    (1.0, -1.0),
    (-1 / Y, X / Y**2),
    (1.0, 0.0),
    (0.0, 0.0),  # the root at zero, which has no derivative
    (0.0, 1.0),
]


def test_formulas_on_duals_have_their_values_and_the_derivatives_of_calculus():
    plain, dual = _Table(np.array([X, Y]), np.zeros(11)), _Table(duals(np.array([X, Y])), duals(np.zeros(11)))
    parts(dual.x)[0, 1] = parts(dual.x)[1, 2] = parts(dual.x)[0, 7] = 1.0
    _formulas(Handle(plain))
    _formulas(Handle(dual))
    found = parts(dual.y)
    np.testing.assert_allclose(found[:, 0], plain.y, rtol=4e-16)
    np.testing.assert_allclose(found[:, 1:3], GRADIENTS, rtol=1e-14, atol=1e-15)
    np.testing.assert_array_equal(found[:, 7], found[:, 1])  # another direction, the same derivative
    np.testing.assert_array_equal(found[:, 3:7], 0.0)


def test_an_array_of_duals_is_its_values_with_seven_derivatives_each():
    array = np.arange(6.0).reshape(2, 3)
    assert duals(array).shape == array.shape
    np.testing.assert_array_equal(parts(duals(array))[..., 0], array)
    assert parts(duals(array)).shape == (2, 3, DIRECTIONS + 1)
    assert not parts(duals(array))[..., 1:].any()


def test_backwards_the_derivatives_of_formulas_are_those_of_duals():
    """Reverse mode is the transpose of forward mode: ȳ·ẏ = x̄·ẋ, for each formula by itself."""
    tape = Tape(3, 400)
    table = _Table(recorded(np.array([X, Y])), recorded(np.zeros(11)))
    table.x["node"], table.x["tape"] = [1, 2], tape.address
    _formulas(Handle(table))
    np.testing.assert_array_equal(recorded_values(table.y)[8:], [7.0, 0.0, math.floor(X) + Y])
    found = []
    for one in table.y:
        tape.adjoint[one["node"]] = 1.0
        found.append(tape.sweep()[1:].copy())
        tape.adjoint[:] = 0.0
    assert table.y["tape"][8] != 0
    np.testing.assert_allclose(found, GRADIENTS, rtol=1e-14, atol=1e-15)


@kernel()
def _questions(table):
    for i in range(3):
        x = table.x[i]
        table.y[3 * i] = 1.0 if math.isnan(x) and np.isnan(x) else 0.0
        table.y[3 * i + 1] = 1.0 if math.isinf(x) and np.isinf(x) else 0.0
        table.y[3 * i + 2] = 1.0 if math.isfinite(x) and np.isfinite(x) else 0.0


@pytest.mark.parametrize("kind", [np.array, duals, recorded])
def test_whether_a_number_is_one_is_asked_of_its_value(kind):
    answers = np.zeros(9)
    _questions(Handle(_Table(kind(np.array([math.nan, -math.inf, X])), answers)))
    np.testing.assert_array_equal(answers.reshape(3, 3), np.eye(3))


def test_what_has_no_room_on_the_tape_is_counted_and_constants_are_not_written():
    tape = Tape(3, 5)
    table = _Table(recorded(np.array([X, Y])), recorded(np.zeros(11)))
    _formulas(Handle(table))
    assert tape.used == 3
    assert not table.y["node"].any()
    table.x["node"], table.x["tape"] = [1, 2], tape.address
    _formulas(Handle(table))
    assert tape.used > tape.room
    tape.rewind()
    assert tape.used == 3


class _Asked(NamedTuple):
    x: Any  # (2,)
    found: Any  # (2,)


@kernel()
def _ask(table):
    for i in range(2):
        table.found[i] = moves(table.x[i])


def test_a_number_moves_where_it_has_derivatives():
    """In duals where one of them is not zero, in recorded numbers on a tape; a plain number never does."""
    x, found = duals(np.array([1.0, 1.0])), np.ones(2, bool)
    parts(x)[1, DIRECTIONS] = 1e-30
    _ask(Handle(_Asked(x, found)))
    assert found.tolist() == [False, True]
    kept, tape = recorded(np.array([1.0, 1.0])), Tape(2, 10)
    kept["node"][1], kept["tape"][1] = 1, tape.address
    _ask(Handle(_Asked(kept, found)))
    assert found.tolist() == [False, True]
    _ask(Handle(_Asked(np.array([1.0, 1.0]), found)))
    assert not found.any()
