"""The time-stepping methods, and what each can take."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from towsim.errors import UsageError


@dataclass(frozen=True, slots=True)
class Method:
    """A method: its order, what it supports, and whether it chooses its own steps."""

    name: str
    order: int
    friction: bool
    cables: bool
    adaptive: bool = False

    @property
    def multistep(self) -> bool:
        """Whether it is one of the BDF methods, with their own loop."""
        return self.name.startswith("bdf")

    @property
    def order2(self) -> bool | None:
        """True for SHAKE, None for Stewart–Trinkle: kernels are compiled without the branches of a None."""
        return True if self.name == "shake" else None


METHODS = {
    "stewart-trinkle": Method("stewart-trinkle", 1, friction=True, cables=True),
    "shake": Method("shake", 2, friction=False, cables=False),
    "dae": Method("dae", 5, friction=False, cables=True, adaptive=True),
} | {f"bdf{p}": Method(f"bdf{p}", p, friction=False, cables=True) for p in (1, 2, 3, 4)}


def method(name: str) -> Method:
    """The method of that name.

    Raises
    ------
    UsageError : there is none; with a suggestion
    """
    if name not in METHODS:
        close = get_close_matches(name, METHODS, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UsageError(f"unknown method {name!r}.{hint} Known: {', '.join(METHODS)}.")
    return METHODS[name]
