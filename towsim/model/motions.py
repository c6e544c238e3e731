"""Known motions of several positions or lengths: each rests, follows a course through points, or is a function of time.

What rests and what follows a course is linear in its points. So its derivative in a number on which these depend is a
motion as well, by the same course through their slopes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any

import numpy as np

from towsim.model.arrays import Floats, Ints
from towsim.model.sampling import sample_into
from towsim.scene.motion import Course, curve
from towsim.scene.piecewise import Piecewise

Formulas = Mapping[str, tuple[Floats, Floats]]
"""Value and rate (n,) of formulas at some times."""

Fill = Callable[[Floats, Formulas, Floats, Floats], None]
"""Writes values and rates (n, dim) of something known at the times t (n,): ``fill(t, formulas, out, out_rate)``."""

Rest = float | tuple[float, float, float]
"""Where a robot stands for ever, or how long a wire stays [m]."""


class Motions:
    """Positions or lengths: of some it is known where they rest, of the others how they move.

    Parameters
    ----------
    programmes : courses of laws that are functions

    Attributes
    ----------
    rest : (m, dim) where those that never move are
    moving : index of each of those that follow no course, and what samples it
    """

    def __init__(self, dim: int, laws: Sequence[Fill | Rest | Course], programmes: Mapping[int, Course] = {}) -> None:
        self.rest = np.zeros((len(laws), dim))
        self.moving: list[tuple[int, Fill]] = []
        self._alike: dict[tuple[Any, ...], list[tuple[int, Course]]] = {}
        self._linear: list[Rest | Course | None] = []  # each as what has its points, if it has any
        for i, law in enumerate(laws):
            if callable(law):
                self.moving.append((i, law))
            elif isinstance(law, Course):
                self._alike.setdefault(law.like, []).append((i, law))
            else:
                self.rest[i] = law
            self._linear.append(programmes.get(i) if callable(law) else law)
        self._rests = len(self.moving) + sum(map(len, self._alike.values())) < len(laws)

    @property
    def moves(self) -> bool:
        """Whether any is not at rest."""
        return bool(self.moving or self._alike)

    @cached_property
    def curves(self) -> list[tuple[Ints, Piecewise]]:
        """Of those that pass points at the same times, the columns of all coordinates, and what these are."""
        alike = [zip(*some, strict=True) for some in self._alike.values()]
        return [(_columns(which, self.rest.shape[1]), curve(courses)) for which, courses in alike]

    def counts(self) -> list[int]:
        """How many points each law has."""
        return [sum(1 for _ in _numbers(law)) for law in self._linear]

    def points(self) -> Floats:
        """Numbers in which what rests and what follows courses is linear, law after law."""
        return np.array([x for law in self._linear for x in _numbers(law)], np.float64)

    def facts(self, declared: Sequence[Any]) -> list[Any]:
        """What each law depends on beside its points: of those that have none all that is declared."""
        return [
            one if law is None else law.like if isinstance(law, Course) else None
            for law, one in zip(self._linear, declared, strict=True)
        ]

    def slopes(self, rates: Sequence[Floats]) -> Motions:
        """What they change by, number by number, with numbers with which their points change at such rates."""
        dim = self.rest.shape[1]
        laws: list[Fill | Rest | Course] = []
        for numbers in map(iter, (one.tolist() for one in rates)):
            for law, count in zip(self._linear, self.counts(), strict=True):
                mine = list(islice(numbers, count))
                if isinstance(law, Course) and any(mine):
                    rows = [tuple(mine[i : i + dim]) for i in range(0, count, dim)]
                    n = len(law.t)
                    laws.append(law._replace(position=tuple(rows[:n]), velocity=law.velocity and tuple(rows[n:])))
                else:
                    laws.append(tuple(mine[:dim]) or 0.0)
        return Motions(dim, laws)

    def sample(self, t: Floats, formulas: Formulas) -> tuple[Floats, Floats]:
        """Values and rates (n, m, dim) at the ascending times t (n,)."""
        values = np.repeat(self.rest[None], len(t), axis=0) if self._rests else np.empty((len(t), *self.rest.shape))
        rates = np.zeros(values.shape)
        for columns, one in self.curves:
            sample_into(one, t, columns, values.reshape(len(t), -1), rates.reshape(len(t), -1))
        for i, fill in self.moving:
            fill(t, formulas, values[:, i], rates[:, i])
        return values, rates


def _numbers(law: Rest | Course | None) -> Iterable[float]:
    """The points of a law, one by one."""
    if isinstance(law, Course):
        return chain(*law.position, *(law.velocity or ()))
    return () if law is None else law if isinstance(law, tuple) else (law,)


@lru_cache(maxsize=16)
def _columns(some: tuple[int, ...], dim: int) -> Ints:
    """Where the coordinates of some points are among those of all."""
    return np.array([i * dim + j for i in some for j in range(dim)], np.int64)
