"""Some cases of the hammer; ``python -m tests.fuzz.hammer --seconds 3600`` hits for an hour."""

import pytest

from .hammer import hammer


@pytest.mark.slow
def test_the_hammer_finds_nothing():
    count, found = hammer(seed=11, seconds=1e9, families=("scene", "problem", "file"), cases=45, shrink=False)
    assert count.total() == 45
    assert not found, "\n".join(found.values())
