"""LEARNING: a load that robots or quadcopters carry, as a Gymnasium environment (``pip install 'towsim[rl]'``).

Importing it registers ``towsim/Carry-v0`` for ``gymnasium.make`` and ``gymnasium.make_vec``.
"""

from __future__ import annotations

from towsim.errors import UsageError

try:
    import gymnasium
except ImportError:
    raise UsageError("towsim.rl needs the package gymnasium: pip install 'towsim[rl]'") from None

from towsim.rl.carry import CarryEnv, CarryVectorEnv

__all__ = ["CarryEnv", "CarryVectorEnv"]

if "towsim/Carry-v0" not in gymnasium.registry:
    gymnasium.register(
        "towsim/Carry-v0",
        entry_point="towsim.rl.carry:CarryEnv",
        vector_entry_point="towsim.rl.carry:CarryVectorEnv",
    )
