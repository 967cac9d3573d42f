"""Grade many submissions: a pool of workers with a zygote each; every learner's result is written as it ends."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.cohort.intake import Entry
from grader.grading import check, isolation_of
from grader.model import Isolation, Lab, Report, SourceNote, StepResult, Verdict
from grader.referee.players import Players
from grader.referee.source import NoSource, read_tree
from grader.referee.trees import Unreadable


@dataclass(frozen=True)
class Graded:
    """What came of one learner: a report for each lab, and what an instructor should be told in one line each."""

    learner: str
    path: Path
    reports: Sequence[Report]
    notes: Sequence[str] = ()
    unwritten: bool = False
    """Whether the reports could not be written to disk."""

    @property
    def results(self) -> list[StepResult]:
        return [result for report in self.reports for result in report.results]

    @property
    def earned(self) -> int:
        return sum(report.earned for report in self.reports)

    @property
    def points(self) -> int:
        return sum(report.points for report in self.reports)


def grade_entry(entry: Entry, labs: Sequence[Lab], seed: str, players: Players) -> Graded:
    """Grade one submission in all labs. What cannot be read becomes a verdict with its reason, never an exception."""
    try:
        return _grade_entry(entry, labs, seed, players)
    except Exception:  # noqa: BLE001 - one submission that the grader cannot bear must not end the grading of all
        reports = [
            _failed(unread(lab, entry.name, seed, Verdict.GRADER_FAULT, _OURS, isolation_of(players))) for lab in labs
        ]
        return Graded(entry.name, entry.path, reports, [f"{entry.name}: {_OURS}"])


_OURS = "The grader itself failed here; this does not count against the learner."


def _failed(report: Report) -> Report:
    """Called while the exception is handled, so that its traceback can be told."""
    told = traceback.format_exc(limit=-8)
    send = "Send us this report with the lines below."
    return replace(report, results=[replace(result, next=send, printed=told) for result in report.results])


def _grade_entry(entry: Entry, labs: Sequence[Lab], seed: str, players: Players) -> Graded:
    try:
        tree = entry.tree()
    except Unreadable as broken:
        note = f"{entry.name}: {broken}."
        reports = [
            unread(
                lab, entry.name, seed, Verdict.BROKEN, f"The submission was not read: {broken}.", isolation_of(players)
            )
            for lab in labs
        ]
        return Graded(entry.name, entry.path, reports, [note])
    reports, notes = [], []
    for lab in labs:
        try:
            source = read_tree(tree, lab.file)
        except NoSource as missing:
            reports.append(unread(lab, entry.name, seed, Verdict.NOT_STARTED, str(missing), isolation_of(players)))
            notes.append(f"{entry.name}: {missing}")
            continue
        notes += [f"{entry.name}: {remark}" for remark in source.remarks]
        reports.append(check(lab, lab.steps, source, seed, players, learner=entry.name, own=False))
    return Graded(entry.name, entry.path, reports, notes)


def unread(lab: Lab, learner: str, seed: str, verdict: Verdict, reason: str, isolation: Isolation) -> Report:
    """The report of a lab whose module could not be read."""
    results = [
        StepResult(step.id, step.title, verdict, step.points, seed, reason=reason, next=f"Hand in `{lab.file}`.")
        for step in lab.steps
    ]
    return Report(lab.slug, lab.title, learner, seed, isolation, SourceNote(lab.file, ""), results)


@dataclass
class Crew:
    """Worker threads, each with players of its own; `first` are those that the preflight was made with."""

    first: Players
    _local: threading.local = field(default_factory=threading.local)
    _all: list[Players] = field(default_factory=list)

    def players(self) -> Players:
        if not hasattr(self._local, "players"):
            self._local.players = Players(self.first.highest) if self._all else self.first
            self._all.append(self._local.players)
        held: Players = self._local.players
        return held

    def close(self) -> None:
        for players in self._all:
            players.close()


def grade_all(
    entries: Sequence[Entry],
    labs: Sequence[Lab],
    seed: str,
    jobs: int,
    first: Players,
    write: Callable[[Graded], Graded],
) -> Iterator[Graded]:
    """Grade all entries with `jobs` workers and give each as it ends, as `write` gave it back. Memory stays flat."""
    crew = Crew(first)

    def work(entry: Entry) -> Graded:
        return write(grade_entry(entry, labs, seed, crew.players()))

    waiting = iter(entries)
    running: set[Future[Graded]] = set()
    with ThreadPoolExecutor(jobs, thread_name_prefix="grader") as pool:
        try:
            while True:
                running.update(pool.submit(work, entry) for entry in _take(waiting, 2 * jobs - len(running)))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            crew.close()


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
