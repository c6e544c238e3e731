"""The cache of compiled kernels: an edit of a called kernel is noticed, an edit elsewhere costs nothing."""

import gc
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

from solvers.kernels import aside, cache, compiled
from solvers.kernels.compiled import kernel, part
from solvers.kernels.handle import Handle
from solvers.kernels.spent import seconds_compiling


@pytest.mark.parametrize(
    ("edited", "noticed"),
    [
        ("towsim.methods.shake", True),  # the kernel's own module
        ("towsim.methods.geometry", True),  # called directly
        ("towsim.model.vectors", True),  # called by what it calls
        ("solvers.active_set.pivoting", True),  # in the other package
        ("solvers.kernels.ingredients", True),  # how it is kept
        ("solvers.kernels.lanes", True),  # and what both are made of
        ("towsim.model.arrays", True),  # constants are frozen into the code
        ("towsim.scene.scene", False),
        ("towsim.cli.run", False),
    ],
)
def test_an_edit_starts_a_new_folder_only_for_kernels_that_it_can_reach(
    edited: str, noticed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache.fingerprint("towsim.methods.shake")
    text = cache._text
    monkeypatch.setattr(cache, "_text", lambda module: text(module) + (b"#" if module == edited else b""))
    assert (cache.fingerprint("towsim.methods.shake") != before) == noticed


@part()
def _next(k):  # type: ignore[no-untyped-def]
    return k + 1


@numba.njit  # not from the cache
def _both(k):  # type: ignore[no-untyped-def]
    return _next(0) + _next(k)


def test_a_part_called_with_a_constant_and_with_a_variable_is_compiled_once() -> None:
    assert _both(5) == 7
    assert len(_next.signatures) == 1


PARTS = """
from solvers.kernels.compiled import kernel, part

@part()
def inner(x):
    return x * x

@part()
def outer(x):
    return inner(x) + 1.0

@kernel()
def first(x):
    return outer(x)

@kernel()
def second(x):
    return 2.0 * outer(x)

@part()
def seldom(x):
    return inner(x) - 1.0

@kernel()
def never(x):
    y = x
    for _ in range(0):
        y = seldom(x)
    return outer(y)
"""

TELL = """
from numba.core import event

class Compiled(event.Listener):
    def on_start(self, found):
        print(found.data["dispatcher"].py_func.__name__, end=" ")

    def on_end(self, found):
        pass

event.register("numba:compile", Compiled())
"""
"""Begins a program that prints what is compiled."""

CALL = (
    TELL
    + """
import sys
import parts

print(getattr(parts, sys.argv[1])(eval(sys.argv[2])))
"""
)


UNIQUE = (
    TELL
    + """
import numpy as np
from solvers.active_set.envelope import workspace
from solvers.active_set.unique import only_answer

A, ptr, both = np.ones(3), np.array([0, 1, 3]), np.ones(2, bool)
print(only_answer(None, A, ptr, both, both, 1, np.zeros(6), *workspace(2, 3)))
"""
)
"""Rows of one wire that is there twice: tensions are not unique."""


START = """
import os, sys
import numba
from numba.core import config
import solvers.kernels.compiled

numba.njit(lambda x: x * x + 1.0)(3.0)  # with all of numba that compiling needs

for line in sys.stdin:
    if os.fork() == 0:
        break
    os.wait()
    print("ended", flush=True)
else:
    sys.exit()
program, config.CACHE_DIR, folder, *sys.argv[1:] = eval(line)
sys.path.insert(0, folder)
exec(program)
sys.stdout.flush()
os._exit(0)
"""
"""Lets programs run in processes of their own, which begin as new ones do when they have imported numba."""

Told = Callable[..., list[str]]


@pytest.fixture(scope="module")
def told() -> Iterator[Told]:
    """What a program prints in a process of its own, with kernels kept in a folder, and modules from another."""
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", START], cwd=Path(__file__).parents[2], **pipes) as starts:

        def run(program: str, cache: Path, folder: Path, *words: str) -> list[str]:
            print((program, str(cache), str(folder), *words), file=starts.stdin, flush=True)
            return " ".join(takewhile("ended\n".__ne__, starts.stdout)).split()

        yield run


@pytest.fixture(scope="module")
def unique(tmp_path_factory: pytest.TempPathFactory, told: Told) -> tuple[Path, list[str]]:
    """The folder of a first process, and what that told."""
    folder = tmp_path_factory.mktemp("unique")
    return folder, told(UNIQUE, folder, folder)


@pytest.mark.parametrize("deleted", ["", "unique.only_answer", "basis._rank"])
def test_a_kernel_that_a_kernel_calls_is_found_by_its_name_in_any_process(
    unique: tuple[Path, list[str]], told: Told, tmp_path: Path, deleted: str
) -> None:
    """Compiled once, wherever the cache is moved; and by itself, where one of the two is no longer kept there."""
    folder, first = unique
    assert {"only_answer", "_rank"} < set(first)
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    for kept in tmp_path.rglob(f"{deleted}*.nb*") if deleted else ():
        kept.unlink()
    *compiled, answer = told(UNIQUE, tmp_path, tmp_path)
    assert answer == first[-1]
    assert [name for name in compiled if name in {"only_answer", "_rank"}] == (
        [deleted.split(".")[1]] if deleted else []
    )


@pytest.fixture
def call(told: Told, tmp_path: Path) -> Told:
    """What kernels of ``PARTS`` compile in a process of their own, and what they return."""
    (tmp_path / "parts.py").write_text(PARTS)
    return lambda name, argument="3.0": told(CALL, tmp_path / "cache", tmp_path, name, argument)


def test_a_part_is_compiled_once_for_the_kernels_of_all_processes(call: Told) -> None:
    assert call("first") == ["first", "outer", "inner", "10.0"]
    assert call("second") == ["second", "20.0"]
    assert call("second") == ["20.0"]


def test_a_part_is_linked_for_its_other_caller_where_the_first_was_left_out(call: Told) -> None:
    call("second")  # ``outer`` and ``inner`` are kept
    assert call("never")[-1] == "10.0"
    assert call("never") == ["10.0"]


def test_a_part_that_is_kept_under_the_name_of_another_is_compiled_anew(call: Told, tmp_path: Path) -> None:
    call("first", "3.0")
    call("first", "3")
    (one,) = tmp_path.rglob("parts.outer*.1.nbc")
    (other,) = tmp_path.rglob("parts.outer*.2.nbc")
    one.rename(tmp_path / "one")
    other.rename(one)
    (tmp_path / "one").rename(other)
    assert call("second", "3.0") == ["second", "outer", "20.0"]


def test_a_part_of_which_a_piece_was_deleted_is_compiled_anew(call: Told, tmp_path: Path) -> None:
    call("first")
    for piece in (tmp_path / "cache" / "parts").rglob("*/*"):
        piece.unlink()
    assert call("second") == ["second", "outer", "inner", "20.0"]


def test_a_second_process_compiles_what_the_first_then_finds(tmp_path: Path, call: Told) -> None:
    path = [str(tmp_path), *sys.path]
    pieces, kernels = ([("parts", name, (numba.float64,))] for name in ("outer", "second"))
    given = pickle.dumps(path) + pickle.dumps([pieces, kernels])
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", aside.BEGIN], input=given, env=environment, check=True)
    assert call("first") == ["first", "10.0"]
    assert call("second") == ["20.0"]


def test_what_another_process_is_at_is_left_to_it(tmp_path: Path) -> None:
    with (
        cache.alone(tmp_path / "piece", "types") as mine,
        cache.alone(tmp_path / "piece", "types", wait=False) as other,
    ):
        assert (mine, other) == (True, False)


class Pair(NamedTuple):
    numbers: np.ndarray
    count: int


def test_a_piece_may_be_called_with_what_a_handle_has_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    @part()
    def summed(numbers, k):  # type: ignore[no-untyped-def]
        return numbers[k] + numbers[k + 1]

    def with_pieces(pair, tuple_, k):  # type: ignore[no-untyped-def]
        return summed(pair.numbers, k) + tuple_.count

    monkeypatch.setitem(globals(), "summed", summed)
    compiled = kernel(pieces=("summed",))(with_pieces)
    pair = Pair(np.arange(3.0), 7)
    kinds = [numba.typeof(one) for one in (Handle(pair), pair, 1)]
    assert aside._pieces(with_pieces, tuple(kinds)) == [(summed, (numba.typeof(pair.numbers), numba.int64))]
    assert compiled(Handle(pair), pair, 1) == 10.0


@pytest.mark.parametrize("executable", [sys.executable, "/no/python"])
def test_a_kernel_is_the_same_whether_a_second_process_can_be_started_or_not(
    executable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @part()
    def twice(x):  # type: ignore[no-untyped-def]
        return x + x

    def with_pieces(x):  # type: ignore[no-untyped-def]
        return twice(x) + 1.0

    monkeypatch.setitem(globals(), "twice", twice)
    monkeypatch.setattr(aside, "core_is_free", lambda: True)
    monkeypatch.setattr(sys, "executable", executable)
    told: list[int] = []
    with aside.soon(lambda: told.append(1) or []):
        assert not told  # until there is something to compile
        assert kernel(pieces=("twice",))(with_pieces)(3.0) == 7.0
    assert told


def test_a_function_of_numba_s_own_takes_parts_with_all_that_they_call(call: Told, tmp_path: Path) -> None:
    here = tmp_path / "plain.py"
    here.write_text(f"{PARTS}\nimport numba\n\n@numba.njit\ndef third(x):\n    return outer(x)\n")
    here.rename(tmp_path / "parts.py")
    assert call("third") == ["third", "outer", "inner", "10.0"]
    assert call("third") == ["third", "10.0"]


def test_threads_that_compile_together_leave_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    before = gc.get_threshold()
    compile_ = compiled._compiling(lambda _: time.sleep(0.02), False, tmp_path / "sleep")
    threads = [threading.Thread(target=compile_, args=[None]) for _ in range(4)]
    for thread in threads:
        thread.start()
        time.sleep(0.005)
    for thread in threads:
        thread.join()
    assert gc.get_threshold() == before


def test_compiling_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    seen = []
    before = gc.get_threshold()
    compile_ = compiled._compiling(lambda _: seen.append(gc.get_threshold()), False, tmp_path / "look")
    compile_(None)
    assert seen[0][0] > before[0]
    assert gc.get_threshold() == before
    gc.set_threshold(0)  # off, as somebody may have it: then it stays off
    try:
        compile_(None)
        assert seen[1] == gc.get_threshold()
        assert seen[1][0] == 0
    finally:
        gc.set_threshold(*before)


def test_time_of_compiling_is_counted_and_a_call_is_not():
    before = seconds_compiling()
    double = numba.njit(lambda x: 2.0 * x)
    double(1.0)
    compiled = seconds_compiling()
    assert compiled > before
    double(2.0)
    assert seconds_compiling() == compiled


USE = """
from solvers.kernels.compiled import announce
announce(lambda: print("compiling"))
import mine
print(mine.total(3))
"""
MINE = """
from solvers.kernels.compiled import kernel
@kernel()
def total(n):
    s = 0
    for k in range(n):
        s += k
    return s
"""


@pytest.mark.skipif(cache.fcntl is None, reason="no locks of files here")
def test_processes_that_start_at_once_compile_a_kernel_once(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path}
    start = {"env": environment, "stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen([sys.executable, "-c", USE], **start) for _ in range(2)]
    said = [one.communicate(timeout=120)[0].split() for one in both]
    assert sorted(said) == [["3"], ["compiling", "3"]]


ASK = """
import numpy
from solvers.kernels.compiled import announce
announce(lambda: print("compiling"))
from solvers.active_set.envelope import equals_transpose
print(equals_transpose(numpy.eye(3)))
"""


def test_a_package_installed_in_another_place_finds_its_kernels(tmp_path: Path) -> None:
    said = []
    for place in ("first", "second"):
        shutil.copytree(Path(cache.ROOT, "solvers"), tmp_path / place / "solvers")
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path / place)}
        found = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True)
        said.append(found.stdout.split())
    assert said == [["compiling", "True"], ["True"]]
