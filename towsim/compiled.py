"""The compiled-kernel decorator, shared with the solvers package."""

from solvers.compiled import kernel, part, warm

__all__ = ["kernel", "part", "warm"]
