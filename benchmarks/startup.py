"""How long until something happens? Whole processes: ``--help``, a 5 s scenario with warm caches, a very first run."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import report

BUDGETS = {"--help": 0.3, "5 s run, caches warm": 1.2, "very first run": 20.0}  # s


def main() -> None:
    arguments = report.parser(__doc__ or "").parse_args()
    report.header()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = ["run", "four-robots-box", "-o", str(folder / "box.nc"), "--force", "--no-progress"]
        many = 5 if arguments.quick else 15
        empty = {"NUMBA_CACHE_DIR": str(folder / "cache")}
        first = [_process(run, empty)]
        if "compiling" not in first[0][2]:
            print("MISSED  the first run does not say that it is compiling")
        measured = {
            "--help": [_process(["--help"]) for _ in range(many)],
            "5 s run, caches warm": [_process(run, empty) for _ in range(many)],
            "very first run": first,
        }
    if any("compiling" in said for *_, said in measured["5 s run, caches warm"]):
        raise SystemExit("a warm run compiled: the code was edited meanwhile, or its cache does not work; no figures")
    rows: list[list[report.Cell]] = []
    for what, runs in measured.items():
        wall, cpu = sorted(run[0] for run in runs), sorted(run[1] for run in runs)
        rows.append([what, len(runs), wall[0], wall[len(wall) // 2], cpu[0], cpu[len(cpu) // 2]])
    report.table(("process", "runs", "wall s", "median", "cpu s", "median"), rows, arguments.csv)
    print("\nwall time is judged at its least; where it is far above the processor time, others had the cores\n")
    for row in rows:
        report.verdict(str(row[0]), float(row[2]), BUDGETS[str(row[0])], "s")


def _process(arguments: list[str], environment: Mapping[str, str] | None = None) -> tuple[float, float, str]:
    """Wall and processor seconds of ``towsim`` with these arguments, and what it said.

    Raises
    ------
    CalledProcessError : it failed; its output is printed first
    """
    # Python may keep its bytecode, as anywhere but in some test environments.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "towsim", *arguments],
        env={**own, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        print(done.stdout, done.stderr, file=sys.stderr)
        done.check_returncode()
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout + done.stderr


if __name__ == "__main__":
    main()
