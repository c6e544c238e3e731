"""The numbers of a scene by path, for one run or for many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.scene.data import to_data
from towsim.scene.scene import Scene
from towsim.suggest import unknown


class Parameters(Mapping[str, Any]):
    """Every number of a scene, by the paths that ``--set`` takes, such as ``bodies.box.mass``.

    A list of numbers, such as ``bodies.box.position``, is one parameter (n,). Some parameters may have an axis of runs
    in front, (runs,) or (runs, n): then these are the numbers of so many scenes, which have all others in common.

    Parameters
    ----------
    scene : whose numbers they are
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._declared = dict(_numbers(to_data(scene, full=True)))
        self._own: dict[str, np.ndarray] = {}
        self.runs: int | None = None

    def _checked(self, path: str, value: Any) -> np.ndarray:
        declared = np.asarray(self._known(path))
        try:
            array = np.array(value, float)
        except (TypeError, ValueError):
            raise UsageError(f"parameter {path} must be numbers, got {type(value).__name__}") from None
        if array.shape[array.ndim - declared.ndim :] != declared.shape or not 0 <= array.ndim - declared.ndim <= 1:
            whole = "a number" if not declared.ndim else f"{len(declared)} numbers"
            raise UsageError(
                f"parameter {path} is {whole}, or one such for each run (an axis in front), got shape {array.shape}"
            )
        if array.ndim > declared.ndim:
            if self.runs not in (None, len(array)):
                raise UsageError(f"parameter {path} has values for {len(array)} runs, others for {self.runs}")
            self.runs = len(array)
        return array

    def _known(self, path: str) -> Any:
        if path not in self._declared:
            raise UsageError(unknown("parameter", path, [*self._declared]))
        return self._declared[path]

    def __getitem__(self, path: str) -> Any:
        found = self._own.get(path)
        if found is None:
            found = np.asarray(self._known(path), float)
        return float(found) if found.ndim == 0 else found.copy()

    def __contains__(self, path: object) -> bool:
        return path in self._declared

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)

    def __repr__(self) -> str:
        changed = "".join(f", {path}" for path in self._own)
        runs = f"{self.runs} runs" if self.runs is not None else "one run"
        return f"Parameters({len(self)} of {self._scene.name!r}, {runs}{changed})"

    def with_values(self, values: Mapping[str, Any]) -> Parameters:
        """The same with other numbers, for one run (as declared) or for many (with an axis of runs in front).

        Raises
        ------
        UsageError : there is no such parameter (with a suggestion), or its shape fits neither
        """
        changed = copy(self)
        changed._own, changed.runs = {}, None
        for path, value in {**self._own, **values}.items():
            changed._own[path] = changed._checked(path, value)
        return changed

    def scene(self, run: int = 0) -> Scene:
        """The scene with the numbers of one run.

        Raises
        ------
        SceneError : a number is out of its range
        UsageError : there is no such run
        """
        if not 0 <= run < (self.runs or 1):
            raise UsageError(f"there are {self.runs or 1} runs, counted from 0; got {run}")
        if not self._own:
            return self._scene
        return self._scene.with_values({path: self._at(path, run) for path in self._own})

    def scenes(self) -> Iterator[Scene]:
        """The scenes of all runs, one after the other."""
        return map(self.scene, range(self.runs or 1))

    def _at(self, path: str, run: int) -> Any:
        array = self._own[path]
        return (array[run] if array.ndim > np.ndim(self._declared[path]) else array).tolist()


def _numbers(data: Any, path: str = "") -> Iterator[tuple[str, float | list[float]]]:
    """Paths and values of the numbers in plain data."""
    if isinstance(data, float) or (isinstance(data, list) and data and all(isinstance(x, float) for x in data)):
        yield path, data
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _numbers(value, f"{path}.{key}" if path else str(key))
