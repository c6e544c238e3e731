"""SWEEPS: one scene for many values of its parameters, on all cores or a cluster, as one dataset."""

from towsim.sweep.plan import Axis, Plan, axis_from_text, make_plan
from towsim.sweep.run import sweep

__all__ = ["Axis", "Plan", "axis_from_text", "make_plan", "sweep"]
