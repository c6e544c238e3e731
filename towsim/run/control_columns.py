"""Names of what controllers command and sensors read, for results."""

from __future__ import annotations

from towsim.model.compile import Compiled

NAMES = ("command", "actuation", "reading")
"""Variables, in the order of ``control.actuators.Inputs``."""


def control_coordinates(compiled: Compiled) -> dict[str, tuple[str, ...]]:
    """Coordinates ``actuator`` and ``channel``."""
    if not compiled.declared.controlled:
        return {}
    from towsim.control.plant import plant_of
    from towsim.control.seen import channel_names

    return {"actuator": plant_of(compiled).actuators, "channel": channel_names(compiled.declared)}
