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
from grader.model import Lab
from grader.referee.players import Players
from grader.referee.zygote import NoPlayers, ZygoteLost

T = TypeVar("T")


class TooOpen(Exception):
    """The walls are too low for strangers' code; the text says what was seen and what to do."""


class Workers(Protocol):
    """Who grades: `grade` is called by `jobs` threads at a time."""

    jobs: int

    def refuse_below(self, lowest: int) -> str:
        """How far submissions will be held apart, in a sentence. Raises TooOpen where it is less than the level `lowest`."""
        ...

    def grade(self, submission: Submission, labs: Sequence[Lab], seed: str) -> Result: ...

    def abandon(self) -> None:
        """End what is being graded now: its results are not wanted any more."""
        ...

    def close(self) -> None: ...


class Crew:
    """The workers of this machine: each thread has players of its own, one of them those of the preflight."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._local = threading.local()
        self._first = Players()
        self._all = [self._first]
        self._unused = [self._first]

    def refuse_below(self, lowest: int) -> str:
        try:
            isolation = self._first.isolation
        except (NoPlayers, ZygoteLost) as failed:
            raise TooOpen(f"No submission can be run on this machine: {failed}") from None
        if isolation.level < lowest:
            raise TooOpen(
                f"{isolation.sentence} Nothing was graded. `python3 start.py doctor` says what is missing; --allow-level "
                f"{isolation.level} grades all the same."
            )
        return isolation.sentence

    def grade(self, submission: Submission, labs: Sequence[Lab], seed: str) -> Result:
        return result_of(grade(submission, labs, seed, self._players()))

    def _players(self) -> Players:
        if not hasattr(self._local, "players"):
            try:
                self._local.players = self._unused.pop()
            except IndexError:
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
