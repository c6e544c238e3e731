"""Named scenes with parameters, run defaults and a check of their own physics.

``scenarios.names()``, ``scenarios.get("four-robots-box").build(mass=3.0)``; a new one is a file of its own here.
"""

from scenarios.registry import Check, Parameter, Scenario, get, names, scenario

__all__ = ["Check", "Parameter", "Scenario", "get", "names", "scenario"]
