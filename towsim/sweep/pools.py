"""Where the jobs of a sweep are done: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any

from towsim.errors import UsageError
from towsim.given import a_whole_number
from towsim.sweep.work import Job, Outcome, do

AHEAD = 4
"""Jobs per worker that are handed out in advance."""

MOST_PROCESSES = 10_000

MANAGER = "ExecutorManagerThread"


Everyone = Callable[[Iterable[Job]], Iterator[Outcome]]
"""Does jobs, and yields their outcomes in the order in which they are ready."""


@contextmanager
def workers(processes: int, scheduler: str | None) -> Iterator[Everyone]:
    """Who does the jobs of a sweep.

    Parameters
    ----------
    processes : number of processes of this machine; 1 does everything here, −1 takes all cores
    scheduler : address of a Dask scheduler, to work there instead

    Raises
    ------
    UsageError : no such number of processes, Dask is not installed, or no scheduler answers
    """
    if processes != -1 or isinstance(processes, bool):
        a_whole_number("processes (or -1, one a core)", processes, 1, MOST_PROCESSES)
    if scheduler is not None:
        with _client(scheduler) as client:
            yield partial(_on_dask, client)
    elif processes == 1:
        yield partial(map, do)
    else:
        yield partial(_in_processes, processes)


def _in_processes(processes: int, jobs: Iterable[Job]) -> Iterator[Outcome]:
    from joblib import Parallel, delayed, effective_n_jobs

    jobs, most = iter(jobs), effective_n_jobs(processes)
    first = list(islice(jobs, most))  # joblib starts all processes, whatever there is to do
    # joblib takes what compiling needs for a leak of memory, replaces that process, and says so.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
    # It also tells of results that nobody asked for, wherever it is when Ctrl-C comes.
    warnings.filterwarnings("ignore", r"\d+ tasks which were still being processed", UserWarning)
    some = min(most, max(2, len(first)))  # with one it would do the job here, where Ctrl-C ends it
    parallel = Parallel(n_jobs=some, return_as="generator_unordered", pre_dispatch=f"{AHEAD}*n_jobs", batch_size=1)
    with _manager_ends_in_silence():
        with _children_ignore_ctrl_c(), _tracker_is_silent():
            done = parallel(delayed(do)(job) for job in chain(first, jobs))
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


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """A connection to a scheduler that answers."""
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError:
        raise UsageError("a Dask scheduler needs the package distributed: pip install 'towsim[dask]'") from None
    try:
        get_address_host_port(scheduler)  # of a client with an address that is none Dask hears no end
        client = Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {scheduler!r} ({error}); start one with 'dask scheduler'") from None
    with client:
        yield client


def _on_dask(client: Any, jobs: Iterable[Job]) -> Iterator[Outcome]:
    from distributed import as_completed

    # A job whose worker dies is done again by another one; pure=False: runs are counted, not looked up.
    futures = as_completed([], loop=client.loop, with_results=True)
    under_way = 0
    for job in jobs:
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
