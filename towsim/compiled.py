"""The compiled-kernel decorator, shared with the solvers package."""

from solvers.compiled import announce, fingerprint, kernel, load, part

__all__ = ["announce", "fingerprint", "kernel", "load", "part"]
