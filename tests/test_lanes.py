"""Formulas on lanes are those on numbers, and four cables side by side move as each does alone."""

from __future__ import annotations

import math
import sys
import types
from typing import Any

import numpy as np
import pytest

import towsim
from solvers.kernels.compiled import kernel, part
from solvers.kernels.lanes import (
    abreast,
    across,
    along,
    below,
    inverse_above,
    lane,
    lanes,
    larger,
    not_negative,
    root,
    some,
    total,
)
from solvers.kernels.plain_lanes import FUNCTIONS
from towsim.dynamics.mrfe_joints import sine_cosine
from towsim.model.cables import CableTable
from towsim.scene import Scene, scene_from_data


@part()
def _formula(x, y, s):
    """Every operation; the accumulators begin as plain numbers."""
    total, sign = 0.0, 1
    for k in range(3):
        total = total + (x[k, 0] - 2.0 * y[k]) / (s + 3) - -x[k, 1]
        if some(y[k]) and not below(x[k, 0], 0.5):
            total = total * sign
        x[k, 1] += not_negative(y[k])
        x[k, 0] = 0.0
        sine, cosine = sine_cosine(s * y[k])
        y[k] = sine + 2.0 * cosine
    return total


@kernel()
def _of_numbers(x, y, s, out):
    for i in range(4):
        out[i] = _formula(x[:, :, i], y[i], s[i])


@kernel()
def _of_lanes(x, y, s, out):
    found = _formula(abreast(x, 0), across(y, 3), lanes(s[0], s[1], s[2], s[3]))
    for i in range(4):
        out[i] = lane(found, i)


def test_a_formula_of_lanes_is_that_of_each_number():
    """To the last bit where all lanes take one way: small angles by their series, else by the library."""
    rng = np.random.default_rng(1)
    for size in (0.4, 5.0):
        x, y, s = rng.uniform(-1.0, 1.0, (3, 2, 4)), rng.uniform(0.5, 1.0, (4, 3)), size * np.ones(4)
        x[:, 0] = np.abs(x[:, 0]) + 0.5
        one, other = np.zeros(4), np.zeros(4)
        numbers = x.copy(), y.copy(), s.copy()
        _of_numbers(*numbers, one)
        side_by_side = x.reshape(12, 2).copy(), y.reshape(12).copy(), s.copy()
        _of_lanes(*side_by_side, other)
        assert np.allclose(one, other, rtol=1e-14, atol=0.0)  # sums may be fused otherwise
        for a, b in zip(numbers, side_by_side, strict=True):
            assert np.allclose(a.ravel(), b.ravel(), rtol=1e-15, atol=1e-15)


@part()
def _places(x, y, out):
    """What is read and written at places of a vector and of memory for lanes."""
    a, b, found = along(x), abreast(y, 0), along(out)
    found[0] = a[3] * root(a[1]) + inverse_above(a[2], 5.0) + total(a[1]) * larger(a[0], a[3])
    found[4] = b[1, 2] + b[0, 1, 3]
    b[2, 0] = across(x, 2)[1]


_compiled_places = kernel()(_places.py_func)


def test_places_of_lanes_are_those_of_plain_python():
    """And both those of numpy; the last one of four may be behind the end of a vector that has room there."""
    rng = np.random.default_rng(2)
    x, y = rng.uniform(1.0, 9.0, 7), rng.uniform(size=(12, 3))
    four = y.reshape(3, 3, 4)
    inverse = np.where(x[2:6] > 5.0, 1.0 / x[2:6], 0.0)
    most = x[1:5].sum() * np.maximum(x[:4], x[3:7])
    expected = np.concatenate([x[3:7] * np.sqrt(x[1:5]) + inverse + most, four[1, 2] + four[0, 1, 3]])
    left = y.copy().reshape(-1, 4)
    left[6] = x[1], x[3], x[5], 0.0
    room = np.append(x, 0.0)[:7]
    plain = dict(vars(sys.modules[__name__]), **FUNCTIONS)
    in_python = types.FunctionType(_places.py_func.__code__, plain)
    for run in (_compiled_places, in_python):
        ys, out = y.copy(), np.zeros(11)[:8]
        run(room, ys, out)
        np.testing.assert_allclose(out, expected, rtol=1e-15)
        np.testing.assert_array_equal(ys.reshape(-1, 4), left)


def test_plain_lanes_tell_of_what_is_outside_an_array():
    x = FUNCTIONS["along"](np.zeros(5))
    with pytest.raises(IndexError, match="lanes 2 to 5 of 5 numbers"):
        x[2]
    with pytest.raises(IndexError, match="lanes -1 to 2"):
        x[-1] = 0.0
    with pytest.raises(IndexError, match="lanes 24 to 27 of 24"):
        FUNCTIONS["abreast"](np.zeros((8, 3)), 0)[2, 0]


def test_lanes_on_both_sides_of_half_a_radian_have_right_sines():
    x = np.array([0.1, -0.7, 0.49, 3.0])
    out = np.zeros((2, 4))
    _sines(x, out)
    assert np.allclose(out, [np.sin(x), np.cos(x)], rtol=0.0, atol=2e-16)


@kernel()
def _sines(x, out):
    sine, cosine = sine_cosine(lanes(x[0], x[1], x[2], x[3]))
    for i in range(4):
        out[0, i], out[1, i] = lane(sine, i), lane(cosine, i)


IN_ORDER, MIXED = (0, 1, 2, 3, 4, 5, 6, 7, 8), (5, 0, 4, 1, 6, 2, 7, 8, 3)


def bobs(alike: dict[str, Any], order: tuple[int, ...] = IN_ORDER) -> Scene:
    """Cables of which no two have one length, stiffness or direction: four, one with fewer elements, four on loads."""
    bodies: dict[str, Any] = {}
    robots: dict[str, Any] = {}
    wires: dict[str, Any] = {}
    for i in order:
        turn, lean = 0.7 * i, 0.2 + 0.25 * i  # some beyond the horizontal
        length = 1.0 + 0.1 * i
        away = np.array([math.sin(lean) * math.cos(turn), math.sin(lean) * math.sin(turn), -math.cos(lean)])
        top = np.array([2.0 * i, 0.0, 0.0])
        bodies[f"b{i}"] = {"mass": 0.5 + 0.1 * i, "point": True, "position": (top + length * away).tolist()}
        if i < 5:
            robots[f"r{i}"] = {"motion": {"formula": {"x": f"{top[0]} + 0.05*(1 - cos({3 + i}*t))"}}}
        else:
            bodies[f"h{i}"] = {"mass": 3.0 + i, "point": True, "position": top.tolist()}
        wires[f"c{i}"] = {
            "from": f"r{i}" if i < 5 else f"h{i}",
            "to": f"b{i}",
            "length": {"formula": f"{length} + 0.1*t*t"} if i in (1, 6) else length,
            "material": {"diameter": 4e-3, "density": 7000.0, "youngs_modulus": 1e8 * (i + 1), "damping_modulus": 1e5},
            "model": {"mrfe": {"elements": 3 if i == 4 else 5, **(alike if i < 5 else {})}},
        }
    return scene_from_data({"bodies": bodies, "robots": robots, "wires": wires})


@pytest.mark.parametrize("alike", [{}, {"first_joint": "yx", "from_end": "guided"}, {"from_end": "clamped"}])
@pytest.mark.slow
def test_four_cables_side_by_side_move_as_each_does_alone(monkeypatch, alike):
    scenes = [bobs(alike, tuple(i for i in order if i != 4)) for order in (MIXED, IN_ORDER)]
    options = {"duration": 0.2, "step": 2e-3, "method": "stewart-trinkle"}
    together = towsim.simulate(scenes[0], **options)
    monkeypatch.setattr(CableTable, "_grouped", lambda self, spans: (np.arange(len(self.cables)), np.empty(0, int)))
    singly = towsim.simulate(scenes[1], **options)
    # Sums are rounded otherwise: 1e-16 of forces up to 1e6 N, and a stiff cable has eigenvalues up to 1e8 /s².
    for name, tolerance in {"position": 1e-11, "velocity": 1e-9, "node_position": 1e-11}.items():
        along = singly[name].dims[1]
        for one in singly[name].coords[along]:
            apart = np.abs(together[name].sel(**{along: one}).values - singly[name].sel(**{along: one}).values)
            assert np.nanmax(apart) < tolerance, (name, one)
    for wire in scenes[0].wires:
        tension = [result["tension"].sel(wire=wire).values[1:] for result in (together, singly)]
        assert np.allclose(*tension, rtol=1e-6, atol=1e-6), wire


@pytest.mark.parametrize(("order", "odd"), [(IN_ORDER, 4), (MIXED, 8)])
def test_four_of_a_kind_are_grouped_wherever_they_stand_and_what_is_left_is_not(order, odd):
    from towsim.model.compile import compile_scene

    cables = compile_scene(bobs({}, order)).cables
    assert cables is not None
    assert [group.tolist() for group in (cables.single, cables.four)] == [[odd], [0, 4 if odd == 8 else 5]]
