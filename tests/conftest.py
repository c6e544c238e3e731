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
    """Seconds spent in compiling kernels that no cache had, by kernel; what a kernel calls is counted with it."""

    def __init__(self):
        self.seconds, self.depth, self.since = Counter(), 0, 0.0

    def on_start(self, _):
        if self.depth == 0:
            self.since = time.perf_counter()
        self.depth += 1

    def on_end(self, what):
        self.depth -= 1
        if self.depth == 0:
            kernel = what.data["dispatcher"].py_func
            self.seconds[f"{kernel.__module__}.{kernel.__qualname__}"] += time.perf_counter() - self.since


clock = pytest.StashKey[CompileClock]()


def pytest_configure(config):
    config.stash[clock] = CompileClock()
    event.register("numba:compile", config.stash[clock])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[clock].seconds.update(getattr(node, "workeroutput", {}).get("compiling", {}))


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compiling"] = dict(session.config.stash[clock].seconds)


def pytest_terminal_summary(terminalreporter, config):
    seconds = config.stash[clock].seconds
    most = ", ".join(f"{name} {spent:.0f}" for name, spent in seconds.most_common(8))
    terminalreporter.write_line(f"compiling kernels: {seconds.total():.0f} s in all test processes ({most})")
