"""The compiled-kernel decorator, shared with the solvers package."""

from solvers.compiled import kernel, warm

__all__ = ["kernel", "warm"]
