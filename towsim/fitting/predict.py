"""What a run says of one column."""

from __future__ import annotations

from towsim.errors import UsageError
from towsim.fitting.log import Column
from towsim.results import Labelled
from towsim.suggest import unknown


def pick(whole: Labelled, column: Column, name: str) -> Labelled:
    """The part of a variable that a column names, over time. Raises UsageError if there is none; ``name``: who asks."""
    dims = [dim for dim in whole.dims if dim not in ("time", "parameter")]
    if len(dims) != len(column.place):
        raise UsageError(f"{name}: {column} needs {len(dims)} names in brackets, of {', '.join(dims)}")
    for dim, label in zip(dims, column.place, strict=True):
        if label not in whole.coords[dim]:
            raise UsageError(f"{name}: {column}: {unknown(dim, label, whole.coords[dim])}")
    return whole.sel(**dict(zip(dims, column.place, strict=True)))
