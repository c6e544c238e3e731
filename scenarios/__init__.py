"""Named scenes with parameters, run defaults and a check of their own physics.

    >>> import scenarios
    >>> scene = scenarios.get("four-robots-box").build(mass=3.0)
    >>> scene.bodies["box"].mass
    3.0

A new one is a file of its own here, see ``scenarios.registry``.
"""

from scenarios.registry import TOPICS, Check, Parameter, Scenario, get, names, scenario

__all__ = ["TOPICS", "Check", "Parameter", "Scenario", "get", "names", "scenario"]
