"""TIME: assemble, solve, advance; the block loop and ``simulate``."""

from towsim.stepping.run import simulate

__all__ = ["simulate"]
