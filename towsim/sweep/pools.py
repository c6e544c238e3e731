"""Where the jobs of a sweep are done: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from towsim.errors import UsageError
from towsim.sweep.work import Job, Outcome, do

AHEAD = 4
"""Jobs per worker that are handed out in advance."""

MANAGER = "ExecutorManagerThread"


def outcomes(jobs: Iterable[Job], *, processes: int, scheduler: str | None) -> Iterator[Outcome]:
    """Outcomes of all jobs, in the order in which they are ready.

    Parameters
    ----------
    processes : number of processes of this machine; 1 does everything here, −1 takes all cores
    scheduler : address of a Dask scheduler, to work there instead

    Raises
    ------
    UsageError : Dask is not installed, or no scheduler answers
    """
    if scheduler is not None:
        return _on_dask(jobs, scheduler)
    return map(do, jobs) if processes == 1 else _in_processes(jobs, processes)


def _in_processes(jobs: Iterable[Job], processes: int) -> Iterator[Outcome]:
    from joblib import Parallel, delayed

    # joblib takes what compiling needs for a leak of memory, replaces that process, and says so.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
    # It also tells of results that nobody asked for, wherever it is when Ctrl-C comes.
    warnings.filterwarnings("ignore", r"\d+ tasks which were still being processed", UserWarning)
    parallel = Parallel(n_jobs=processes, return_as="generator_unordered", pre_dispatch=f"{AHEAD}*n_jobs", batch_size=1)
    with _manager_ends_in_silence():
        with _children_ignore_ctrl_c(), _tracker_is_silent():
            done = parallel(delayed(do)(job) for job in jobs)
        try:
            yield from done
        finally:
            done.close()


@contextmanager
def _children_ignore_ctrl_c() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, which is for this process alone."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # later it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _tracker_is_silent() -> Iterator[None]:
    """joblib's process that tidies up, started meanwhile, does not tell of what it finds after Ctrl-C."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [before, "ignore:resource_tracker:UserWarning"]))
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


@contextmanager
def _manager_ends_in_silence() -> Iterator[None]:
    """joblib's thread that manages its processes stumbles over the jobs it is told to drop; no traceback of that."""
    before = threading.excepthook

    def hook(told: threading.ExceptHookArgs, /) -> None:
        if told.thread is None or told.thread.name != MANAGER:
            before(told)

    threading.excepthook = hook
    try:
        yield
    except BaseException:
        for thread in threading.enumerate():
            if thread.name == MANAGER:
                thread.join(1.0)
        raise
    finally:
        threading.excepthook = before


def _on_dask(jobs: Iterable[Job], scheduler: str) -> Iterator[Outcome]:
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise UsageError("a Dask scheduler needs the package distributed: pip install 'towsim[dask]'") from None
    try:
        client = Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {scheduler!r} ({error}); start one with 'dask scheduler'") from None
    with client:
        waiting = iter(jobs)
        # A job whose worker dies is done again by another one; pure=False: runs are counted, not looked up.
        futures = as_completed([], loop=client.loop, with_results=True)
        under_way = 0
        for job in waiting:
            futures.add(client.submit(do, job, pure=False, retries=3))
            under_way += 1
            if under_way >= AHEAD * max(1, len(client.scheduler_info()["workers"])):
                yield _next(futures)
                under_way -= 1
        for _ in range(under_way):
            yield _next(futures)


def _next(futures: Iterator[tuple[object, Outcome]]) -> Outcome:
    future, outcome = next(futures)
    future.release()  # type: ignore[attr-defined]
    return outcome
