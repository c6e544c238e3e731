"""MEANING: what a result says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvers.lazy import lazy

if TYPE_CHECKING:
    from towsim.analysis.jerk import Jerk, jerks
    from towsim.analysis.landing import Landings, landings
    from towsim.analysis.polytope import Shadow, shadow
    from towsim.analysis.redundancy import Uniqueness, uniqueness
    from towsim.analysis.suspensions import suspension
    from towsim.run.study import step_problems

_HOME = {
    "Jerk": "jerk",
    "Landings": "landing",
    "Shadow": "polytope",
    "Uniqueness": "redundancy",
    "jerks": "jerk",
    "landings": "landing",
    "shadow": "polytope",
    "step_problems": ".run.study",
    "suspension": "suspensions",
    "uniqueness": "redundancy",
}

__all__ = [
    "Jerk",
    "Landings",
    "Shadow",
    "Uniqueness",
    "jerks",
    "landings",
    "shadow",
    "step_problems",
    "suspension",
    "uniqueness",
]

__getattr__, __dir__ = lazy(__name__, _HOME)
