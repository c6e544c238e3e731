"""TIME: assemble, solve, advance; the block loop and ``simulate``."""

from towsim.stepping.simulate import simulate

__all__ = ["simulate"]
