"""The numbers of a scene by path, for one run or for many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_mapping
from towsim.quote import show
from towsim.scene.data import to_data
from towsim.scene.edit import refuse_undone
from towsim.scene.scene import Scene
from towsim.suggest import unknown


class Parameters(Mapping[str, Any]):
    """Every number of a scene, by the paths that ``--set`` takes, such as ``bodies.box.mass``.

    A list of numbers, such as ``bodies.box.position``, is one parameter (n,), and ``bodies.box.position.2`` one of its
    numbers. Some parameters may have an axis of runs in front, (runs,) or (runs, n): then these are the numbers of so
    many scenes, which have all others in common.

    Parameters
    ----------
    scene : whose numbers they are
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._declared = dict(_numbers(to_data(scene, full=True)))
        self._own: dict[str, np.ndarray] = {}
        self.runs: int | None = None

    def _put(self, path: str, value: Any) -> None:
        whole, index = self._known(path)
        array, numbers = self._checked(path, np.asarray(self._declared[whole])[index], value), self._now(whole)
        if index:
            runs = array.shape or numbers.shape[:-1]
            array, numbers = np.broadcast_to(numbers, (*runs, numbers.shape[-1])).copy(), array
            array[..., index[0]] = numbers
        self._own[whole] = array

    def _checked(self, path: str, declared: np.ndarray, value: Any) -> np.ndarray:
        try:
            array = np.array(value)
        except (TypeError, ValueError):
            array = np.array(None)
        if array.dtype.kind not in "iuf":
            raise UsageError(f"parameter {path} must be numbers, got {show(value)}")
        array = array.astype(float)
        if array.shape[array.ndim - declared.ndim :] != declared.shape or not 0 <= array.ndim - declared.ndim <= 1:
            whole = "a number" if not declared.ndim else f"{len(declared)} numbers"
            raise UsageError(
                f"parameter {path} is {whole}, or one such for each run (an axis in front), got shape {array.shape}"
            )
        if array.ndim > declared.ndim:
            if not len(array):
                raise UsageError(f"parameter {path} has values for no runs; give one for each run")
            if self.runs not in (None, len(array)):
                raise UsageError(f"parameter {path} has values for {len(array)} runs, others for {self.runs}")
            self.runs = len(array)
        return array

    def _known(self, path: str) -> tuple[str, tuple[int, ...]]:
        found = self._place(path)
        if found is None:
            raise UsageError(unknown("parameter", path, [*self._declared]))
        return found

    def _place(self, path: object) -> tuple[str, tuple[int, ...]] | None:
        """The parameter that a path leads to, and the index of the number in it that is meant, () for all of it."""
        if not isinstance(path, str) or path in self._declared:
            return (path, ()) if isinstance(path, str) else None
        whole, _, index = path.rpartition(".")
        numbers = self._declared.get(whole)
        inside = isinstance(numbers, list) and index.isdecimal() and len(index) < 10 and int(index) < len(numbers)
        return (whole, (int(index),)) if inside else None

    def _now(self, whole: str) -> np.ndarray:
        return np.asarray(self._own.get(whole, self._declared[whole]), float)

    def __getitem__(self, path: str) -> Any:
        whole, index = self._known(path)
        found = self._now(whole)
        found = np.asarray(found[..., index[0]]) if index else found
        return float(found) if found.ndim == 0 else found.copy()

    def __contains__(self, path: object) -> bool:
        return self._place(path) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)

    @property
    def changed(self) -> tuple[str, ...]:
        """Paths of the parameters that were given other numbers."""
        return tuple(self._own)

    def __repr__(self) -> str:
        changed = "".join(f", {path}" for path in self._own)
        runs = f"{self.runs} runs" if self.runs is not None else "one run"
        return f"Parameters({len(self)} of {self._scene.name!r}, {runs}{changed})"

    def with_values(self, values: Mapping[str, Any]) -> Parameters:
        """The same with other numbers, for one run (as declared) or for many (with an axis of runs in front).

        Raises
        ------
        UsageError : there is no such parameter (with a suggestion), or its shape fits neither
        SceneError : a list is given after one of its numbers, which it would undo
        """
        refuse_undone(a_mapping("parameters", values, "from paths to numbers"))
        changed = copy(self)
        changed._own, changed.runs = {}, None
        for path, value in {**self._own, **values}.items():
            changed._put(path, value)
        return changed

    def scene(self, run: int = 0) -> Scene:
        """The scene with the numbers of one run.

        Raises
        ------
        SceneError : a number is out of its range
        UsageError : there is no such run
        """
        if not (isinstance(run, int | np.integer) and 0 <= run < (self.runs or 1)):
            raise UsageError(f"there are {self.runs or 1} runs, counted from 0; got {show(run)}")
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
