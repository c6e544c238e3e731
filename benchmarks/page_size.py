"""Bytes of the 3-D pages of long runs, and seconds to write them.

Run with ``python benchmarks/page_size.py``; results are made first (minutes). Wanted: a towed cable of 200 elements
over 120 s at most 1 MB, a chain of 120 bodies over 60 s at most 3 MB, each written in at most 3 s.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import towsim
from scenarios import get
from towsim.pictures.page3d import write_page


def main() -> None:
    """Print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chain", type=int, default=120, help="bodies of the chain")
    parser.add_argument("--duration", type=float, default=60.0, help="of the chain's run [s]")
    options = parser.parse_args()
    runs = {
        "towed-cable, 200 elements, 120 s": (get("towed-cable").build(), {}),
        f"payload-chain, {options.chain} bodies, {options.duration:g} s": (
            get("payload-chain").build(n=options.chain),
            {"duration": options.duration, "step": 1e-3, "record_every": 10},
        ),
    }
    with TemporaryDirectory() as folder:
        for name, (scene, how) in runs.items():
            file = towsim.simulate(scene, **how).save(Path(folder, "run.nc"), force=True)
            start = time.perf_counter()
            page = write_page(towsim.open_result(file), Path(folder, "run.html"))
            print(f"{name:40} {page.stat().st_size / 1e6:6.2f} MB {time.perf_counter() - start:6.2f} s")


if __name__ == "__main__":
    main()
