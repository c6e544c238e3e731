"""One thread of linear algebra per test process, and a line that tells how long kernels took to compile."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads of two processes only wait for each other

import time
from collections import Counter
from pathlib import Path

import pytest
from numba.core import event

import towsim

# Processes that tests start take the same towsim, whatever folder they are in, and find its kernels compiled.
os.environ |= {"PYTHONPATH": str(Path(towsim.__file__).parents[1]), "PYTHONSAFEPATH": "1"}


class CompileClock(event.Listener):
    """Seconds spent in compiling kernels that no cache had, by kernel, with what it calls, and by file of tests."""

    def __init__(self):
        self.seconds, self.files, self.depth, self.since = Counter(), Counter(), 0, 0.0

    def on_start(self, _):
        if self.depth == 0:
            self.since = time.perf_counter()
        self.depth += 1

    def on_end(self, what):
        self.depth -= 1
        if self.depth == 0:
            kernel = what.data["dispatcher"].py_func
            spent = time.perf_counter() - self.since
            self.seconds[f"{kernel.__module__}.{kernel.__qualname__}"] += spent
            self.files[os.environ.get("PYTEST_CURRENT_TEST", "").split("::")[0]] += spent


clock = pytest.StashKey[CompileClock]()


def pytest_configure(config):
    config.stash[clock] = CompileClock()
    event.register("numba:compile", config.stash[clock])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    seconds, files = getattr(node, "workeroutput", {}).get("compiling", ({}, {}))
    node.config.stash[clock].seconds.update(seconds)
    node.config.stash[clock].files.update(files)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        one = session.config.stash[clock]
        session.config.workeroutput["compiling"] = dict(one.seconds), dict(one.files)


def pytest_terminal_summary(terminalreporter, config):
    seconds = config.stash[clock].seconds
    for name, spent in (("kernels", seconds), ("files of tests", config.stash[clock].files)):
        most = ", ".join(f"{one} {spent[one]:.0f}" for one, _ in spent.most_common(15))
        terminalreporter.write_line(f"compiling: {seconds.total():.0f} s in all test processes; {name}: {most}")
