"""Verification: right answers pass, wrong ones do not, and a case file is data."""

import pytest

from towsim.analysis.verify import verify
from towsim.analysis.verify_case import built_in, load_case
from towsim.errors import SceneError, UsageError

SWING = """\
verify: 1
name: own
scene:
  bodies: {{rod: {{mass: 1.0, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5], points: {{top: [0, 0, 0.5]}}}}}}
  robots: {{post: {{position: [0, 0, 0]}}}}
  joints: {{j: {{kind: revolute, axis: [0, 1, 0], from: post, to: rod.top, motor: 0.1}}}}
duration: 0.5
checks:
  - {check}
"""


def case(tmp_path, check, text=SWING):
    path = tmp_path / "own.yaml"
    path.write_text(text.format(check=check))
    return load_case(path)


@pytest.mark.parametrize("path", built_in(), ids=lambda path: path.stem)
def test_what_comes_with_towsim_bears_the_name_of_its_file(path):
    """What they check is judged where the README's commands are run, of which ``towsim verify`` is one."""
    assert load_case(path).name == path.stem


@pytest.mark.parametrize(
    ("check", "passed"),
    [
        ('{quantity: position, of: rod, axis: y, expected: "0*t", tolerance: 1e-12, method: momentum}', True),
        ('{quantity: position, of: rod, axis: z, expected: "-0.5", tolerance: 1e-6, method: reduced}', False),
        ("{quantity: position, of: rod, axis: z, expected: start, tolerance: 0.2, method: reduced}", True),
        ("{quantity: energy, expected: start, tolerance: 1.0, method: reduced, step: 0.05, order: 4}", False),
    ],
)
def test_a_users_case_is_judged_by_its_formula(tmp_path, check, passed):
    (finding,) = verify(case(tmp_path, check))
    assert finding.passed is passed


def test_too_low_an_order_fails(tmp_path):
    """RK4 with a step that does not resolve the motor's work is still of order 4; a claim of 6 is refused."""
    check = (
        '{quantity: position, of: rod, axis: x, expected: "0.1*t**2/0.7", tolerance: 1.0, method: reduced, order: 6}'
    )
    (finding,) = verify(case(tmp_path, check))
    assert finding.error < finding.tolerance
    assert not finding.passed


@pytest.mark.parametrize(
    ("check", "error", "message"),
    [
        ("{quantity: energy, expected: __import__('os').getcwd(), tolerance: 1}", SceneError, "not allowed"),
        ("{quantity: energy, expected: start, tolerance: 1, wanted: 2}", SceneError, "wanted"),
        ("{quantity: energy, expected: start, tolerance: -1}", SceneError, "must be >= 0"),
        ("{quantity: energy, expected: start, tolerance: 1, step: 1.0}", SceneError, "must not exceed the duration"),
    ],
)
def test_a_wrong_case_is_refused(tmp_path, check, error, message):
    with pytest.raises(error, match=message):
        case(tmp_path, check)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("{quantity: tension, expected: 1, tolerance: 1, method: reduced}", "'tension'"),
        ("{quantity: position, of: rob, axis: x, expected: 1, tolerance: 1, method: reduced}", "bodies are rod"),
        ("{quantity: linear_momentum, expected: 1, tolerance: 1, method: reduced}", "more than one value"),
        ("{quantity: energy, expected: 1, tolerance: 1, method: reduced, after: 9}", "not known after t = 9"),
        ("{quantity: energy, expected: 1, tolerance: 1, method: momenta}", "momenta"),
    ],
)
def test_a_quantity_that_there_is_not_is_refused(tmp_path, check, message):
    with pytest.raises(UsageError, match=message):
        list(verify(case(tmp_path, check)))


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load_case(tmp_path / "none.yaml")
    (tmp_path / "list.yaml").write_text("- 1\n")
    with pytest.raises(UsageError, match="a case is a mapping"):
        load_case(tmp_path / "list.yaml")
