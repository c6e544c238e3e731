"""What all benchmarks print and write: the machine and the versions, a table, a CSV file, met or missed."""

from __future__ import annotations

import argparse
import csv
import os
import platform
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numba
import numpy as np

import towsim

Cell = str | int | float


def parser(description: str) -> argparse.ArgumentParser:
    """The options every benchmark has."""
    out = argparse.ArgumentParser(description=description.splitlines()[0])
    out.add_argument("--quick", action="store_true", help="fewer repetitions: figures are rougher")
    out.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV, too")
    return out


def header(*packages: str) -> None:
    """Print machine, load and versions."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    print(f"machine   {_processor()}, {os.cpu_count()} cores, load {load}, {platform.platform(terse=True)}")
    clock, share = _core()
    print(
        f"core      {clock:.1f} GHz, {share[0]:.0%} to {share[1]:.0%} of its throughput (the rest goes to others on it)"
    )
    versions = [f"{name} {_version(name)}" for name in ("numpy", "numba", *packages)]
    print(f"versions  towsim {towsim.__version__}, python {platform.python_version()}, {', '.join(versions)}")


def table(columns: Sequence[str], rows: Sequence[Sequence[Cell]], path: Path | None = None) -> None:
    """Print rows under their columns; with a path write them as CSV, too."""
    cells = [[_text(cell) for cell in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells)) for i, name in enumerate(columns)]
    left = [any(isinstance(row[i], str) for row in rows) for i in range(len(columns))]
    for line in (list(columns), *cells):
        texts = (t.ljust(w) if is_left else t.rjust(w) for t, w, is_left in zip(line, widths, left, strict=True))
        print("  ".join(texts).rstrip())
    if path is not None:
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerows([columns, *rows])
        print(f"written   {path}")


def verdict(what: str, value: float, limit: float, unit: str, *, at_least: bool = False) -> None:
    """Print whether a budget is met."""
    met = value >= limit if at_least else value <= limit
    print(f"{'met   ' if met else 'MISSED'}  {what}: {value:.3g} {unit} ({'>=' if at_least else '<='} {limit:.3g})")


def _core() -> tuple[float, tuple[float, float]]:
    """Clock of the core [GHz], and the share of its products that we get: a core may be shared without being named so.

    One chain of products waits for its own latency, 4 cycles a step, whoever else is there; six chains ask for all the
    core has, one product a cycle.
    """
    steps = 1_000_000
    start = [0.0] * 41
    for k in range(41):
        start[k] = time.perf_counter()
        (_one_chain if k % 2 else _six_chains)(steps)
    spent = np.diff(start)
    clock = 4.0 * steps / spent[1::2].min() * 1e-9
    rate = 6.0 * steps / spent[::2] * 1e-9
    return float(clock), (float(rate.min() / clock), float(rate.max() / clock))


FACTOR, MASK = np.uint64(6364136223846793005), np.uint64(1442695040888963407)


@numba.njit("uint64(int64)")
def _one_chain(steps):  # type: ignore[no-untyped-def]
    """A product and an exclusive or, 3 + 1 cycles."""
    a = MASK
    for _ in range(steps):
        a = (a * FACTOR) ^ MASK
    return a


@numba.njit("uint64(int64)")
def _six_chains(steps):  # type: ignore[no-untyped-def]
    """Six of them, side by side."""
    a = b = c = d = e = f = MASK
    b, c, d, e, f = b + FACTOR, c ^ FACTOR, d - FACTOR, e * FACTOR, f * MASK
    for _ in range(steps):
        a, b, c = (a * FACTOR) ^ MASK, (b * FACTOR) ^ MASK, (c * FACTOR) ^ MASK
        d, e, f = (d * FACTOR) ^ MASK, (e * FACTOR) ^ MASK, (f * FACTOR) ^ MASK
    return a ^ b ^ c ^ d ^ e ^ f


def _text(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:.4g}" if cell == 0.0 or 0.1 <= abs(cell) < 1e5 else f"{cell:.2e}"
    return str(cell)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
