"""An array that knows its dimensions, its coordinates and its unit."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from towsim.errors import ResultError
from towsim.quote import show
from towsim.results.spans import rows
from towsim.results.variables import Variable
from towsim.suggest import unknown

if TYPE_CHECKING:
    import pandas

Coordinate = np.ndarray | tuple[Hashable, ...]


class Labelled(NDArrayOperatorsMixin):
    """Values of one variable with named dimensions.

    It reads like an ``xarray.DataArray`` where they overlap, and goes into numpy as it is: functions, operators and
    ``[...]`` work on ``values`` and give plain numpy back.

    Attributes
    ----------
    name, units, description : what it is, in which SI unit
    values : the array
    dims : name of each axis
    coords : names or values along each axis; ``time`` in s
    """

    __slots__ = ("_variable", "coords", "dims", "values")

    def __init__(
        self, variable: Variable, values: np.ndarray, dims: tuple[str, ...], coords: Mapping[str, Coordinate]
    ) -> None:
        self._variable = variable
        self.values = values
        self.dims = dims
        self.coords = dict(coords)

    @property
    def name(self) -> str:
        """Name of the variable."""
        return self._variable.name

    @property
    def units(self) -> str:
        """SI unit."""
        return self._variable.unit

    @property
    def description(self) -> str:
        """What the variable is."""
        return self._variable.description

    @property
    def flags(self) -> Mapping[str, int]:
        """Meanings of an integer variable's values, by name."""
        return self._variable.flags

    @property
    def shape(self) -> tuple[int, ...]:
        """Length along each dimension."""
        return self.values.shape

    def sel(self, **labels: object) -> Labelled:
        """Select by label: a name, several names, or a slice of them; ``time`` takes the nearest recorded time.

        Examples: ``sel(wire="left")``, ``sel(body=["a", "b"], xyz="z")``, ``sel(time=0.5)``,
        ``sel(time=slice(1.0, 2.0))`` (both ends included).

        Raises
        ------
        ResultError : an unknown dimension or name, or a time that was not recorded or is no number
        """
        return self.isel(**{dim: self._position(dim, label) for dim, label in labels.items()})

    def isel(self, **positions: int | slice | Sequence[int] | np.ndarray) -> Labelled:
        """Select by position along named dimensions; an integer drops its dimension.

        Raises
        ------
        ResultError : an unknown dimension, or a position that is out of range or no whole number
        """
        values, dims, coords = self.values, list(self.dims), dict(self.coords)
        for dim, given in positions.items():
            axis = self._axis(dim, dims)
            position = self._place(dim, given)
            try:
                values = (
                    np.take(values, position, axis)
                    if not isinstance(position, slice)
                    else (values[(slice(None),) * axis + (position,)])
                )
            except IndexError:
                raise ResultError(
                    f"{self.name}: position {show(given)} is out of range, {dim} has {len(coords[dim])} entries"
                ) from None
            if isinstance(position, int):
                dims.pop(axis)
                del coords[dim]
            else:
                coords[dim] = _pick(coords[dim], position)
        return Labelled(self._variable, np.asarray(values), tuple(dims), coords)

    def stacked(self, dim: str, values: np.ndarray) -> Labelled:
        """The same of many: values with an axis in front of these dimensions, numbered from 0."""
        coords = {dim: tuple(range(len(values))), **self.coords}
        return Labelled(self._variable, values, (dim, *self.dims), coords)

    # np.max(x, axis=0) and the like call these with an axis, and with arguments of arrays that are None here.
    def min(self, dim: str | None = None, *, axis: int | None = None, out: None = None) -> Any:
        """Least value over everything, or along one dimension; NaN (does not apply) is left out."""
        return self._reduce(np.fmin, self._named(dim, axis))

    def max(self, dim: str | None = None, *, axis: int | None = None, out: None = None) -> Any:
        """Largest value over everything, or along one dimension; NaN (does not apply) is left out."""
        return self._reduce(np.fmax, self._named(dim, axis))

    def mean(self, dim: str | None = None, *, axis: int | None = None, dtype: None = None, out: None = None) -> Any:
        """Mean over everything, or along one dimension; NaN (does not apply) is left out."""
        dim, there = self._named(dim, axis), ~np.isnan(self.values)
        axis = None if dim is None else self._axis(dim, self.dims)
        count = there.sum(axis=axis)
        total = np.where(there, self.values, 0.0).sum(axis=axis)
        return self._along(dim, np.divide(total, count, out=np.full(np.shape(total), np.nan), where=count > 0))

    def sum(self, dim: str | None = None, *, axis: int | None = None, dtype: None = None, out: None = None) -> Any:
        """Sum over everything, or along one dimension; NaN (does not apply) is left out."""
        dim = self._named(dim, axis)
        return self._along(dim, np.nansum(self.values, axis=None if dim is None else self._axis(dim, self.dims)))

    def to_pandas(self) -> pandas.Series | pandas.DataFrame:
        """A pandas series of one dimension, a table of two; of more, the first one down, all others across.

        Raises
        ------
        ResultError : it is a single value
        """
        import pandas

        if not self.dims:
            raise ResultError(f"{self.name} is a single value here; item() gives it")
        first, *others = (pandas.Index(self.coords[dim], name=dim) for dim in self.dims)
        if not others:
            return pandas.Series(self.values, first, name=self.name)
        across = others[0] if len(others) == 1 else pandas.MultiIndex.from_product(others)
        return pandas.DataFrame(self.values.reshape(len(first), -1), first, across)

    def item(self) -> Any:
        """The one value, as a Python number.

        Raises
        ------
        ResultError : there is more than one value, or none
        """
        if self.values.size != 1:
            raise ResultError(f"{self.name}: item() needs one value, here are {self.values.size}; select further")
        return self.values.item()

    def _reduce(self, function: np.ufunc, dim: str | None) -> Any:
        if self.values.size == 0:
            raise ResultError(f"{self.name} is empty: shape {self.shape} over {self.dims}")
        axis = None if dim is None else self._axis(dim, self.dims)
        return self._along(dim, function.reduce(self.values, axis=axis))

    def _along(self, dim: str | None, found: Any) -> Any:
        """What was found along a dimension, with the names of the others; a number, if over everything."""
        if dim is None:
            return np.asarray(found)[()]
        dims = tuple(other for other in self.dims if other != dim)
        coords = {other: self.coords[other] for other in dims}
        return Labelled(self._variable, np.asarray(found), dims, coords)

    def _named(self, dim: str | None, axis: int | None) -> str | None:
        """The dimension that is meant by its name or, as numpy has it, by its number."""
        if axis is None:
            return dim
        if not -len(self.dims) <= axis < len(self.dims):
            raise ResultError(f"{self.name} has {len(self.dims)} dimensions, {', '.join(self.dims)}; got axis {axis}")
        return self.dims[axis]

    def _axis(self, dim: str, dims: Sequence[str]) -> int:
        if dim not in dims:
            raise ResultError(f"{self.name}: {unknown('dimension', dim, dims)}")
        return list(dims).index(dim)

    def _place(self, dim: str, given: object) -> int | slice | np.ndarray:
        """A position as numpy takes it: True is no 1 here, and no mask."""
        try:
            if isinstance(given, slice):
                given.indices(1)
                return given
            found = np.asarray(given)
            if found.ndim < 2 and (found.dtype.kind in "iu" or found.shape == (0,)):
                return found.astype(np.intp) if found.ndim else int(found)
        except (TypeError, ValueError):  # a slice of something else, or lists that make no array
            pass
        raise ResultError(
            f"{self.name}: a position along {dim} is a whole number, a list of them or a slice; got {show(given)}"
        )

    def _position(self, dim: str, label: object) -> int | slice | list[int]:
        self._axis(dim, self.dims)
        along = self.coords[dim]
        if isinstance(along, np.ndarray):
            return self._nearest(along, label)
        if isinstance(label, slice):
            first = 0 if label.start is None else self._index(dim, along, label.start)
            last = len(along) - 1 if label.stop is None else self._index(dim, along, label.stop)
            return slice(first, last + 1, label.step)
        if _several(label):
            return [self._index(dim, along, one) for one in label]
        return self._index(dim, along, label)

    def _index(self, dim: str, along: tuple[Hashable, ...], label: object) -> int:
        try:
            return along.index(label)
        except ValueError:  # of an array, too
            raise ResultError(f"{self.name}: {unknown(dim, label, along)}") from None

    def _nearest(self, time: np.ndarray, label: Any) -> int | slice | list[int]:
        if isinstance(label, slice):
            first = -math.inf if label.start is None else self._seconds(label.start)
            last = math.inf if label.stop is None else self._seconds(label.stop)
            if math.isnan(first) or math.isnan(last):
                raise ResultError(f"{self.name}: a span of time has two ends, got {show(label)}")
            return slice(*rows(time, first, last), label.step)
        if _several(label):
            return [self._nearest_one(time, self._seconds(one)) for one in label]
        return self._nearest_one(time, self._seconds(label))

    def _seconds(self, label: Any) -> float:
        try:
            if not isinstance(label, str | bytes | bool | np.bool_):
                return float(label)
        except (TypeError, ValueError, OverflowError):
            pass
        raise ResultError(f"{self.name}: a time is a number of seconds, got {show(label)}")

    def _nearest_one(self, time: np.ndarray, label: float) -> int:
        # Outside the run there is no nearest row, but rounding may put a label just past its ends.
        margin = np.diff(time).max() if len(time) > 1 else 0.0
        if not (len(time) and time[0] - margin <= label <= time[-1] + margin):
            span = f"{time[0]:g} to {time[-1]:g} s" if len(time) else "nothing"
            raise ResultError(f"{self.name}: time {show(label)} s was not recorded; the run holds {span}")
        return int(np.abs(time - label).argmin())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [one.values if isinstance(one, Labelled) else one for one in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __len__(self) -> int:
        return len(self.values)

    def __float__(self) -> float:
        return float(self.item())

    def __repr__(self) -> str:
        shape = ", ".join(f"{dim}: {size}" for dim, size in zip(self.dims, self.shape, strict=True))
        lines = [f"<{self.name} [{self.units}] ({shape})> {self.description}"]
        if not self.dims:
            lines[0] = f"<{self.name} [{self.units}] = {self.values}> {self.description}"
        for dim in self.dims:
            along = self.coords[dim]
            if isinstance(along, np.ndarray):
                text = f"{along[0]:g} .. {along[-1]:g} s" if len(along) else "(no rows)"
            else:
                text = ", ".join(map(str, along[:8])) + (f", ... ({len(along)})" if len(along) > 8 else "")
            lines.append(f"  {dim:<6} {text}")
        if self.dims and self.values.size:
            lines.append(f"  range  {self.min():.6g} .. {self.max():.6g} {self.units}")
        return "\n".join(lines)


def _pick(along: Coordinate, position: slice | Sequence[int] | np.ndarray) -> Coordinate:
    if isinstance(along, np.ndarray):
        return along[position]
    if isinstance(position, slice):
        return along[position]
    return tuple(along[i] for i in position)


def _several(label: object) -> TypeGuard[Sequence[object]]:
    return isinstance(label, list | tuple) or (isinstance(label, np.ndarray) and label.ndim > 0)
