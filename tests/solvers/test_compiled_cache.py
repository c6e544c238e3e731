"""The cache of compiled kernels: an edit of a called kernel is noticed, an edit elsewhere costs nothing."""

import pytest

from solvers import compiled


@pytest.mark.parametrize(
    ("edited", "noticed"),
    [
        ("towsim.stepping.loop", True),  # the kernel's own module
        ("towsim.stepping.geometry", True),  # called directly
        ("towsim.model.vectors", True),  # called by what it calls
        ("solvers.pivoting", True),  # in the other package
        ("towsim.model.arrays", True),  # constants are frozen into the code
        ("towsim.scene.scene", False),
        ("towsim.cli.run", False),
    ],
)
def test_an_edit_starts_a_new_folder_only_for_kernels_that_it_can_reach(
    edited: str, noticed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = compiled.fingerprint("towsim.stepping.loop")
    text = compiled._text
    monkeypatch.setattr(compiled, "_text", lambda module: text(module) + (b"#" if module == edited else b""))
    assert (compiled.fingerprint("towsim.stepping.loop") != before) == noticed
