"""Four numbers side by side, shared with the solvers package."""

from solvers.lanes import (
    WIDTH,
    abreast,
    across,
    along,
    below,
    by_fours,
    in_order,
    inverse_above,
    lane,
    lanes,
    larger,
    not_negative,
    root,
    some,
    total,
)

__all__ = [
    "WIDTH",
    "abreast",
    "across",
    "along",
    "below",
    "by_fours",
    "in_order",
    "inverse_above",
    "lane",
    "lanes",
    "larger",
    "not_negative",
    "root",
    "some",
    "total",
]
