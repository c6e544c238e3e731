"""One thread of linear algebra per test process, and a line that tells how long kernels took to compile."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads of two processes only wait for each other

import time

import pytest
from numba.core import event


class CompileClock(event.Listener):
    """Seconds spent in compiling kernels that no cache had, callers and what they call counted once."""

    def __init__(self):
        self.seconds, self.depth, self.since = 0.0, 0, 0.0

    def on_start(self, _):
        if self.depth == 0:
            self.since = time.perf_counter()
        self.depth += 1

    def on_end(self, _):
        self.depth -= 1
        if self.depth == 0:
            self.seconds += time.perf_counter() - self.since


clock = pytest.StashKey[CompileClock]()


def pytest_configure(config):
    config.stash[clock] = CompileClock()
    event.register("numba:compile", config.stash[clock])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[clock].seconds += getattr(node, "workeroutput", {}).get("compiling", 0.0)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compiling"] = session.config.stash[clock].seconds


def pytest_terminal_summary(terminalreporter, config):
    terminalreporter.write_line(f"compiling kernels: {config.stash[clock].seconds:.0f} s in all test processes")
