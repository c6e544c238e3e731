"""Formulas: values and exact derivatives against 40-digit arithmetic; everything else is refused."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

from towsim.errors import SceneError
from towsim.scene import Formula

mpmath = pytest.importorskip("mpmath")

SMOOTH = [
    "3",
    "t",
    "-t + +2*t - 5",
    "t**3 - 2*t**2 + t",
    "t**0.5 * t**-1.5",
    "2**t + t**t",
    "(1 + t)/(2 - t**2/7)",
    "sin(2*pi*t) + cos(t)*tan(0.3*t)",
    "asin(t/4) + acos(t/5) + atan(3*t)",
    "sinh(t) - cosh(0.5*t) + tanh(2*t)",
    "exp(-t**2) * log(1 + t)",
    "sqrt(1 + t**2)",
    "hypot(t, 1 - t**3)",
    "atan2(t**2 - 1, 1 + t)",
    "abs(t - 10) + sign(t - 10)*t + floor(t/100) + step(t - 10)",
    "min(t, t**2 - 4, 7) + max(sin(t), 2 + t)",
    "0.5*(1 - cos(t)) if t < 1.5 else 2 + t**2",
    "1 if 0 < t <= 0.9 else t**2 if not (t > 2 or t == 5) and t != 7 else t**3",
    "e**(0.1*t)",
]


def reference(text: str, t: float) -> list[float]:
    """Value, first and second derivative by 40-digit finite differences around t."""
    names = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log")
    functions = {name: getattr(mpmath, name) for name in names}
    functions |= {"sqrt": mpmath.sqrt, "floor": mpmath.floor, "hypot": mpmath.hypot, "atan2": mpmath.atan2}
    functions |= {"abs": abs, "sign": mpmath.sign, "step": lambda x: 1 if x >= 0 else 0, "min": min, "max": max}
    functions |= {"pi": mpmath.pi, "e": mpmath.e}
    with mpmath.workdps(60):
        code = compile(text, "formula", "eval")

        def f(x):
            return mpmath.mpf(eval(code, {"__builtins__": {}}, functions | {"t": x}))

        h = mpmath.mpf(10) ** -15
        a, b, c = f(t - h), f(mpmath.mpf(t)), f(t + h)
        return [float(b), float((c - a) / (2 * h)), float((c - 2 * b + a) / h**2)]


@pytest.mark.parametrize("text", SMOOTH)
def test_derivatives_are_exact(text):
    t = np.array([0.25, 0.7, 1.3, 1.9, 3.1])
    value, rate, acceleration = Formula(text).sample(t)
    expected = np.array([reference(text, float(x)) for x in t]).T
    # Rounding alone: a few ulp, more where terms cancel.
    np.testing.assert_allclose(value, expected[0], rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(rate, expected[1], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(acceleration, expected[2], rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(Formula(text).value(t), value)


def test_polynomials_are_smooth_at_zero():
    t = np.zeros(1)
    for text, expected in (("t", [0, 1, 0]), ("t**2", [0, 0, 2]), ("t**1", [0, 1, 0]), ("t**0", [1, 0, 0])):
        assert [float(x[0]) for x in Formula(text).sample(t)] == expected


def test_the_branch_not_taken_does_not_matter():
    value, rate, acceleration = Formula("sqrt(t - 1) if t > 1 else 0").sample(np.array([0.0, 0.5, 2.0]))
    np.testing.assert_allclose(value, [0, 0, 1])
    np.testing.assert_allclose(rate, [0, 0, 0.5])
    np.testing.assert_allclose(acceleration, [0, 0, -0.25])


REFUSED = {
    "": "cannot be read",
    "t +": "cannot be read",
    "x + 1": "unknown name 'x'",
    "cso(t)": "did you mean 'cos'",
    "__import__('os').system('true')": "not allowed",
    "t.real": "Attribute",
    "(lambda: 1)()": "not allowed",
    "[t for t in (1, 2)]": "not allowed",
    "'text'": "Constant",
    "1j": "Constant",
    "True": "Constant",
    "t % 2": "not allowed",
    "t // 2": "not allowed",
    "t @ t": "not allowed",
    "1 + t^2": r"\^ is no power here; write \*\*",
    "t if t else 2": "condition must be a comparison",
    "(t < 1)*2": "condition stands where a number is needed",
    "sin(t, t)": "takes 1 argument",
    "sin()": "takes 1 argument",
    "atan2(t)": "takes 2 arguments",
    "min(t)": "takes 2 arguments",
    "sin(x=t)": "not allowed",
    "sin(*t)": "not allowed",
    "t is 2": "cannot be read|condition",
    "1e999": "too large",
    "9" * 400: "too large",
    "t\x00": "cannot be read",
    "(t := 2)": "not allowed",
    "0" * 1001: "longer than 1000",
    "(" * 300 + "t" + ")" * 300: "cannot be read",
    "-" * 900 + "t": "nested|cannot be read",
    "sin(" * 60 + "t" + ")" * 60: "nested",
    "1" + "+t" * 400: "nested",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_a_formula_is_refused(text):
    with pytest.raises(SceneError, match=REFUSED[text]):
        Formula(text)


def test_huge_powers_do_not_hang():
    start = time.perf_counter()
    assert not np.isfinite(Formula("9**9**9**9").value(np.zeros(1))).any()
    assert time.perf_counter() - start < 1.0  # Python's integers would run for ever


def test_where_a_formula_is_not_defined_it_says_so_without_a_warning():
    t = np.array([0.0, 1.5])
    assert np.isinf(Formula("1/(1.5 - t)").value(t)).tolist() == [False, True]
    assert np.isnan(Formula("log(-1 - t)").value(t)).all()
    assert np.isinf(Formula("sqrt(t)").sample(t)[1]).tolist() == [True, False]  # infinite speed at the start


def test_formulas_are_equal_by_text_and_travel():
    formula = Formula("sin(t)")
    assert formula == Formula("sin(t)") != Formula("cos(t)")
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert len({formula, Formula("sin(t)")}) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.5*sin(pi*t) if t < 0.5 else 2.5", [0.5]),
        ("1 if t <= 0.3 else 2 if t < 1.7 else 3", [0.3, 1.7]),
        ("1 if 1 < t < 2 or t > 5 else 0", [1, 2, 5]),
        ("abs(cos(pi*t))", [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]),
        ("min(t, 2) + max(4, t)", [2, 4]),
        ("floor(t/2) + step(t - 5)", [2, 4, 5]),
        ("sign(t**2 - 2)", [2**0.5]),
        ("sin(t)*exp(-t)", []),
        ("1 if t < 7 else 2", []),
        ("3", []),
    ],
)
def test_kinks_are_where_a_branch_switches(text, expected):
    np.testing.assert_allclose(Formula(text).kinks(6.0), expected, rtol=1e-14, atol=0)


def test_kinks_at_round_figures_are_exact():
    assert Formula("1 if t <= 0.3 else 2").kinks(6.0).tolist() == [0.3]
    assert Formula("1 if 0.1 + 0.2 > t else 2").kinks(6.0).tolist() == [0.3]
