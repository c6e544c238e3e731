"""Handles: kernels see the arrays and numbers of a tuple, and write to the arrays themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numba.core.caching import NullCache

from solvers.kernels.compiled import kernel, part
from solvers.kernels.handle import COMPILED, Handle


class Inner(NamedTuple):
    codes: np.ndarray
    flags: np.ndarray
    indices: np.ndarray
    empty: np.ndarray


class Outer(NamedTuple):
    x: np.ndarray
    inner: Inner
    nothing: None
    yes: bool
    count: int
    size: float
    cube: np.ndarray


Places = np.ndarray


class Mapped(NamedTuple):
    at: Places23
    count: int


Places23 = Places


@kernel()
def last_of(handle):
    """The number at the end of the first block."""
    return handle.at[0, 1, 2]


@kernel()
def read(handle, out):
    """All kinds of fields, each weighted by another power of ten."""
    inner = handle.inner
    out[0] = handle.x[1] + (10.0 if handle.yes else 0.0) + 100.0 * handle.count + 1e6 * handle.size
    out[1] = inner.codes[2] + 10.0 * (1.0 if inner.flags[1] else 0.0) + 100.0 * inner.indices[1]
    out[2] = inner.empty.shape[0] + 10.0 * inner.empty.shape[1] + 100.0 * handle.cube[1, 2, 3]
    out[3] = handle.cube.shape[0] + 10.0 * handle.cube.shape[1] + 100.0 * handle.cube.shape[2]
    handle.x[0] = -1.0


def tuples() -> Outer:
    inner = Inner(np.array([1, 2, -3], np.int8), np.array([False, True]), np.array([5, 7], np.uint64), np.zeros((0, 4)))
    return Outer(np.arange(2.0), inner, None, True, 3, 0.25, np.arange(24.0).reshape(2, 3, 4))


def test_a_kernel_sees_what_python_sees():
    value, out = tuples(), np.zeros(4)
    read(Handle(value), out)
    assert out.tolist() == [1.0 + 10.0 + 300.0 + 250000.0, -3.0 + 10.0 + 700.0, 40.0 + 2300.0, 2.0 + 30.0 + 400.0]
    assert value.x[0] == -1.0, "written to the array itself"


def test_parts_may_be_handles_already():
    value, out, again = tuples(), np.zeros(4), np.zeros(4)
    read(Handle(value), out)
    read(Handle(value._replace(inner=Handle(value.inner))), again)
    assert out.tolist() == again.tolist()
    assert len(read.signatures) == 1, "one kind of tuple is compiled once"


def test_a_handle_shows_the_fields_of_its_tuple_in_python_too():
    value = tuples()
    handle = Handle(value)
    assert handle.x is value.x
    assert handle.inner.codes is value.inner.codes
    with pytest.raises(AttributeError):
        _ = handle.missing


def test_a_handle_can_show_another_tuple_of_the_same_kind():
    value, other, out = tuples(), tuples(), np.zeros(4)
    other.x[1], other.inner.codes[2], other.cube[1, 2, 3] = 5.0, 8, 9.0
    handle = Handle(value)
    read(handle, out)
    address = handle.address
    assert handle.show(other)
    assert (handle.x is other.x, handle.address) == (True, address)
    read(handle, out)
    assert out.tolist() == [5.0 + 10.0 + 300.0 + 250000.0, 8.0 + 10.0 + 700.0, 40.0 + 900.0, 2.0 + 30.0 + 400.0]
    handle.let_go()
    assert not handle.show(other._replace(cube=np.zeros((2, 3, 5)))), "other sizes"
    assert not handle.show(other._replace(cube=np.zeros((4, 3, 2)).T)), "not contiguous"
    assert not handle.show(other._replace(nothing=np.zeros(1))), "another array"
    assert handle.value is None
    assert handle.show(other)
    assert handle.show(other)
    assert handle.x is other.x
    read(handle, out)
    assert out[0] == 5.0 + 10.0 + 300.0 + 250000.0


def test_what_has_no_place_in_a_table_is_refused():
    with pytest.raises(TypeError, match="not contiguous"):
        Handle(tuples()._replace(x=np.arange(6.0)[::2]))
    with pytest.raises(TypeError, match="str in Outer"):
        Handle(tuples()._replace(size="large"))


def test_lengths_that_a_field_declares_are_those_of_its_array():
    """A kernel is compiled for them, and for any number of blocks before; another array has no handle."""
    one, many = (Handle(Mapped(np.arange(6.0 * n).reshape(n, 2, 3), n)) for n in (1, 4))
    assert one._numba_type_ is many._numba_type_
    assert last_of(one) == last_of(many) == 5.0
    with pytest.raises(TypeError, match=r"'at' of Mapped has shape \(2, 3, 2\), which does not end in \(2, 3\)"):
        Handle(Mapped(np.zeros((2, 3, 2)), 2))


class Few(NamedTuple):
    seldom: Inner | None
    x: np.ndarray
    inner: Inner


@part(forceinline=False)
def first_code(inner):
    return inner.codes[0]


@part(forceinline=False)
def blind(few):
    """Of ``seldom`` it knows nothing."""
    return few.x[1] + first_code(few.inner)


@part(forceinline=False)
def whole(few, seldom):
    return 0.0 if seldom is None else 10.0 * few.seldom.codes[1]


@kernel()
def look(few, out):
    out[0] = blind(few)
    out[1] = whole(few, few.seldom)


@pytest.mark.skipif(not COMPILED, reason="kernels are plain Python")
def test_a_part_is_compiled_once_for_handles_that_differ_where_it_does_not_look(monkeypatch):
    monkeypatch.setattr(look, "_cache", NullCache())  # a kernel that is kept asks for no parts
    inner, out = tuples().inner, np.zeros(2)
    for seldom, tens in ((None, 0.0), (inner, 20.0)):
        look(Handle(Few(seldom, np.arange(2.0), inner)), out)
        assert out.tolist() == [2.0, tens]
    code = [{id(one.library) for one in function.overloads.values()} for function in (blind, whole)]
    assert [len(one) for one in code] == [1, 2]
    assert len(look.overloads) == 2
