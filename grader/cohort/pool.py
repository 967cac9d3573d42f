"""Do the same for many entries with several workers, in bounded memory, and stop at once when asked to."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

from grader.cohort.grade import Submission, grade
from grader.cohort.intake import Entry
from grader.cohort.result import Result, result_of
from grader.grading import LEVEL
from grader.model import Lab
from grader.referee.players import Players

T = TypeVar("T")


class Workers(Protocol):
    """Who grades: `grade` is called by `jobs` threads at a time. Results below `level` are not kept from earlier runs."""

    jobs: int
    level: int

    def grade(self, submission: Submission, labs: Sequence[Lab], seed: str) -> Result: ...

    def abandon(self) -> None:
        """End what is being graded now: its results are not wanted any more."""
        ...

    def close(self) -> None: ...


class Crew:
    """The workers of this machine: each thread has players of its own."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.level = LEVEL
        self._local = threading.local()
        self._all: list[Players] = []

    def grade(self, submission: Submission, labs: Sequence[Lab], seed: str) -> Result:
        return result_of(grade(submission, labs, seed, self._players()))

    def _players(self) -> Players:
        if not hasattr(self._local, "players"):
            self._local.players = Players()
            self._all.append(self._local.players)
        held: Players = self._local.players
        return held

    def abandon(self) -> None:
        for players in list(self._all):
            players.abandon()

    def close(self) -> None:
        for players in self._all:
            players.close()


def for_each(
    entries: Sequence[Entry], workers: Workers, work: Callable[[Entry], T], keep: Callable[[T], T]
) -> Generator[T, None, None]:
    """Do `work` for all entries and give each outcome as it ends, as `keep` gave it back.

    When the caller stops early (an interrupt, for one), running work is abandoned, and nothing of it reaches `keep`.
    """
    abandoned = threading.Event()

    def do(entry: Entry) -> T | None:
        done = work(entry)
        # What was graded while its players were taken away is no verdict: it must not be kept.
        return None if abandoned.is_set() else keep(done)

    waiting = iter(entries)
    running: set[Future[T | None]] = set()
    pool = ThreadPoolExecutor(workers.jobs, thread_name_prefix="grader")
    try:
        while True:
            running.update(pool.submit(do, entry) for entry in _take(waiting, 2 * workers.jobs - len(running)))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                outcome = future.result()
                if outcome is not None:
                    yield outcome
    finally:
        if running:
            abandoned.set()
            workers.abandon()
        pool.shutdown(wait=True, cancel_futures=True)


def _take(waiting: Iterator[Entry], count: int) -> list[Entry]:
    taken = []
    for _ in range(count):
        entry = next(waiting, None)
        if entry is None:
            break
        taken.append(entry)
    return taken


def default_jobs() -> int:
    """One worker a core; on one core, one."""
    return max(1, os.cpu_count() or 1)
