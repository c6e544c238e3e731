"""How messages quote values; see ``solvers.quote``."""

from solvers.quote import LONGEST, shorten, show

__all__ = ["LONGEST", "shorten", "show"]
