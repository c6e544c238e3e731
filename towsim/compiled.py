"""The compiled-kernel decorator, shared with the solvers package."""

from solvers.compiled import announce, kernel, part

__all__ = ["announce", "kernel", "part"]
