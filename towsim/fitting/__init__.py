"""Fitting: what logs say of a scene's numbers, by SciPy's optimisers on exact derivatives of the run."""

from towsim.fitting.fit import identify
from towsim.fitting.identification import Identification
from towsim.fitting.log import Log, read_log
from towsim.fitting.planning import plan
from towsim.fitting.plans import Plan

__all__ = ["Identification", "Log", "Plan", "identify", "plan", "read_log"]
