"""Fitting: what a log says of a scene's numbers, and what numbers make a scene do what is wanted; SciPy's optimisers."""

from towsim.fitting.fit import Identification, identify
from towsim.fitting.log import Log, read_log

__all__ = ["Identification", "Log", "identify", "read_log"]
