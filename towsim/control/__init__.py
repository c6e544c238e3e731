"""INPUTS: sensors, controllers and actuators; sampled at their own rates, held in between (zero-order hold)."""

from towsim.control.plant import Plant, plant
from towsim.control.seen import Measured
from towsim.control.task import Control, Function

__all__ = ["Control", "Function", "Measured", "Plant", "plant"]
