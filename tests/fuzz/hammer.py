"""Hits towsim with spoiled scenes, options, calls, files, problems and arguments, each case in a worker process.

    python -m tests.fuzz.hammer --seconds 3600 --seed 7      hammer for an hour
    python -m tests.fuzz.hammer --case run:1234              one case again, with its traceback
    python -m tests.fuzz.hammer --case run:1234 --keep 0,2   with some of its edits only

A finding is a signal, a hang, too much memory, an error that is none of towsim's, a warning of numpy, a message that is
empty or too long, or a number that is not finite in a result that is said to be complete. Every finding is made
smaller: edits of the case are left out as long as the finding stays. The exit code is 1 if there are findings.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import resource
import select
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

from .cases import CASES, FAMILIES, told

ROOT = Path(__file__).parents[2]
SECONDS, GIGABYTES = 100.0, 4.0  # of a case, without the compiling of its kernels; of a worker
COMPILING = 600.0  # seconds that one kernel may take, with all that it calls


def judged(family, seed, keep):
    """What became of a case: "" if nothing is wrong, or what is."""
    import solvers
    import towsim

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            try:
                CASES[family](random.Random(f"{family} {seed}"), keep)
            except (towsim.TowsimError, solvers.ProblemError) as error:
                told(error)
        except BaseException as error:
            where = [one for one in traceback.extract_tb(error.__traceback__) if "fuzz" not in one.filename] or [None]
            last = where[-1]
            place = f"{Path(last.filename).name}:{last.lineno}" if last else "hammer"
            return f"{type(error).__name__} at {place}: {str(error)[:200]}", traceback.format_exc()
    return "", ""


def tell_compiling(answers):
    """Let this process say when it begins to compile a kernel, and when it has done so."""
    from numba.core import event

    class Compiling(event.Listener):
        depth = 0  # of a kernel, those that it calls

        def on_start(self, event):
            self.depth += 1
            if self.depth == 1:
                print(json.dumps(COMPILING), file=answers, flush=True)

        def on_end(self, event):
            self.depth -= 1
            if self.depth == 0:
                print(json.dumps(None), file=answers, flush=True)

    event.register("numba:compile", Compiling())


def worker():
    """Judge cases that are named on stdin, one a line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    tell_compiling(answers)
    limit = int(GIGABYTES * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for line in sys.stdin:
        family, seed, keep = json.loads(line)
        print(json.dumps(judged(family, seed, keep)), file=answers, flush=True)


class Worker:
    """A process that judges cases; another one takes its place when it dies or hangs."""

    def __init__(self):
        self.process = None

    def judge(self, family, seed, keep=None):
        if self.process is None or self.process.poll() is not None:
            words = [sys.executable, "-m", "tests.fuzz.hammer", "--worker"]
            # Behind what is on the path already: towsim may be installed elsewhere, the tests never are.
            path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(ROOT)])
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": path},
            )
        self.process.stdin.write(json.dumps([family, seed, keep]).encode() + b"\n")
        self.process.stdin.flush()
        left, compiling, self.trace = SECONDS, False, ""
        while True:
            asked = time.monotonic()
            if not select.select([self.process.stdout], [], [], COMPILING if compiling else left)[0]:
                self.close()
                return f"compiles for {COMPILING:g} s" if compiling else f"hangs for {SECONDS:g} s"
            line = self.process.stdout.readline()
            if not line:
                return f"died with exit code {self.process.wait()}"
            if isinstance(answer := json.loads(line), list):
                self.trace = answer[1]
                return answer[0]
            left, compiling = (left if compiling else max(0.0, left - time.monotonic() + asked)), answer is not None

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def kind(wrong):
    """What findings of one cause have in common: the error, its place, and how its message begins."""
    place, _, message = wrong.partition(": ")
    return place + message[:12]


def smaller(worker, family, seed, wrong):
    """The edits that a finding needs."""
    keep = list(range(20))
    for k in range(20):
        without = [one for one in keep if one != k]
        if kind(worker.judge(family, seed, without)) == kind(wrong):
            keep = without
    return keep


def hammer(seed, seconds, families=FAMILIES, cases=None, shrink=True):
    """Cases until the time is over (or so many): how many there were, and the findings."""
    rng, worker, count, found = random.Random(seed), Worker(), collections.Counter(), {}
    end = time.monotonic() + seconds
    while time.monotonic() < end and (cases is None or count.total() < cases):
        family, number = families[count.total() % len(families)], rng.randrange(1 << 30)
        count[family] += 1
        wrong, trace = worker.judge(family, number), worker.trace
        if wrong and kind(wrong) not in found:
            again = f"--case {family}:{number}"
            if shrink and not wrong.startswith(("hangs", "compiles")):
                kept = smaller(worker, family, number, wrong)
                again += f" --keep {','.join(map(str, kept)) or '-'}"
            found[kind(wrong)] = f"{wrong}\n    python -m tests.fuzz.hammer {again}"
            print(trace or wrong, f"    {again}", sep="\n", flush=True)
    worker.close()
    return count, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", choices=FAMILIES, action="append")
    parser.add_argument("--case")
    parser.add_argument("--keep")
    parser.add_argument("--worker", action="store_true")
    given = parser.parse_args()
    if given.worker:
        worker()
        return 0
    if given.case:
        family, _, number = given.case.partition(":")
        keep = None if given.keep is None else [int(one) for one in given.keep.split(",") if one.isdigit()]
        wrong, trace = judged(family, int(number), keep)
        print(trace or "nothing is wrong")
        return bool(wrong)
    count, found = hammer(given.seed, given.seconds, tuple(given.only or FAMILIES))
    print(f"{count.total()} cases ({', '.join(f'{name} {n}' for name, n in count.items())}), {len(found)} findings")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
