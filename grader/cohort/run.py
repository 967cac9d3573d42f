"""Grade a folder from intake to summary: the one function behind the command `grade`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.cohort import alike, write
from grader.cohort.grade import Submission, read
from grader.cohort.intake import Entry, Intake, NothingToGrade, take_in
from grader.cohort.journal import Busy, Journal, alone
from grader.cohort.pool import Crew, Workers, for_each
from grader.cohort.result import Result
from grader.draw import new_seed
from grader.isolation.levels import LOWEST_FOR_STRANGERS
from grader.model import Lab

NOTE = ".grading.json"
"""The seed of a folder of reports, and where `replay` finds the submissions again."""


@dataclass(frozen=True)
class Outcome:
    """How many learners are done, how many of them passed everything, and how many met a fault of the grader.

    `unwritten` counts the reports and tables that could not be written; each of them was told. `left` are the learners
    whom an interrupted run did not reach.
    """

    learners: int
    passed: int
    faults: int
    unwritten: int = 0
    left: int = 0
    seed: str = field(default="", compare=False)

    @property
    def code(self) -> int:
        """The exit code: 0 everybody passed, 1 somebody did not, 3 a fault of the grader, 130 it was interrupted."""
        if self.left:
            return 130
        return 3 if self.faults or self.unwritten else 0 if self.passed == self.learners else 1


@dataclass
class Run:
    """One grading of one folder: what stays the same, and who is done so far."""

    submissions: Path
    out: Path
    labs: Sequence[Lab]
    seed: str
    journal: Journal
    workers: Workers
    told: Callable[[str], None]
    lowest: int
    done: list[Result] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)

    def keep_what_is_graded(self, entries: Sequence[Entry]) -> list[Entry]:
        """Take over what an earlier run graded already; the entries that are left."""
        left = []
        for entry in entries:
            kept = self.journal.kept(read(entry, self.labs)) if self.journal.has(entry.name) else None
            if kept:
                self.done.append(kept)
            else:
                left.append(entry)
        if self.done:
            self.told(f"{len(self.done)} unchanged since the last run, kept; --fresh grades them too.")
        return left

    def grade(self, entry: Entry) -> tuple[Submission, Result]:
        submission = read(entry, self.labs)
        return submission, self.workers.grade(submission, self.labs, self.seed)

    def keep(self, graded: tuple[Submission, Result]) -> Result:
        """The reports of one learner are written; where that fails it is a note, and the others go on."""
        submission, result = graded
        try:
            self.journal.write(submission, result)
        except OSError as error:
            trouble = f"{result.learner}: the reports could not be written ({error.strerror})."
            self.unwritten.append(result.learner)
            result = replace(result, notes=(*result.notes, trouble))
        self.done.append(replace(result, pages={}))
        return result

    def write_tables(self, notes: Sequence[str], entries: Sequence[Entry]) -> int:
        """The tables over all who are done, and over nobody else; how many of them could not be written."""
        done = {result.learner for result in self.done}
        # What holds for everybody is what the one who was held apart least can be told.
        isolation = min(((result.level, result.isolation) for result in self.done), default=(0, ""))[1]
        lines = sorted((result.line for result in self.done), key=lambda line: line.learner)
        all_notes = sorted([*notes, *(note for result in self.done for note in result.notes)])
        groups = alike.groups([entry for entry in entries if entry.name in done], self.labs)
        tables = [
            lambda: write.summary(lines, self.labs, self.out),
            lambda: write.overview(lines, self.labs, self.seed, isolation, all_notes, groups, self.out),
        ]
        return sum(not _wrote(table, self.told) for table in tables)


def grade_folder(
    submissions: Path,
    out: Path,
    labs: Sequence[Lab],
    seed: str | None,
    workers: int | Callable[[], Workers],
    told: Callable[[str], None],
    progressed: Callable[[int, int], None],
    *,
    lowest: int = LOWEST_FOR_STRANGERS,
    fresh: bool = False,
) -> Outcome:
    """Grade all submissions in a folder into `out`, but for those that an earlier run graded already.

    Everybody is graded behind walls of at least the level `lowest`. `workers` are how many of this machine, or what gives
    others. Raises NothingToGrade for wrong usage, TooOpen where the walls are lower, and nothing else.
    """
    intake = take_in(submissions, labs)
    _refuse_mixing(submissions, out, intake)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with closing(Crew(workers) if isinstance(workers, int) else workers()) as crew, alone(out):
            used = _seed_of(out, seed, told)
            run = Run(submissions, out, labs, used, Journal(out, labs, used, lowest), crew, told, lowest)
            _remember(run, intake, finished=False)
            if fresh:
                run.journal.forget()
            return _grade(run, intake, progressed)
    except Busy:
        raise NothingToGrade(
            f"Another grading is writing to {str(out)!r} now. Wait until it ends, or give another --out."
        ) from None
    except OSError as error:
        raise NothingToGrade(f"The reports cannot be written to {str(out)!r}: {error.strerror}.") from None


def _grade(run: Run, intake: Intake, progressed: Callable[[int, int], None]) -> Outcome:
    total = len(intake.entries)
    notes = [*intake.notes, *_strangers(run.out, [entry.name for entry in intake.entries])]
    for note in notes:
        run.told(note)
    try:
        waiting = run.keep_what_is_graded(intake.entries)
        progressed(len(run.done), total)
        if waiting:
            run.told(run.workers.refuse_below(run.lowest))
        with closing(for_each(waiting, run.workers, run.grade, run.keep)) as results:
            for result in results:
                for note in result.notes:
                    run.told(note)
                progressed(len(run.done), total)
    except KeyboardInterrupt:
        run.told("Stopping: the tables are written over what is done.")
    missed = len(run.unwritten) + run.write_tables(notes, intake.entries)
    left = total - len(run.done)
    if not left:
        _remember(run, intake, finished=True)
    lines = [result.line for result in run.done]
    passed, faults = sum(line.passed for line in lines), sum(line.faulty for line in lines)
    return Outcome(len(lines), passed, faults, missed, left, run.seed)


def _wrote(table: Callable[[], None], told: Callable[[str], None]) -> bool:
    try:
        table()
    except OSError as error:
        told(f"{Path(error.filename2 or error.filename or 'A table').name} could not be written: {error.strerror}.")
        return False
    return True


def _refuse_mixing(submissions: Path, out: Path, intake: Intake) -> None:
    """Reports among submissions would be graded the next time, and a learner's own file is never written over."""
    inside, root = out.resolve(), submissions.resolve()
    if inside == root or root in inside.parents:
        raise NothingToGrade(f"{str(out)!r} lies inside the submissions. Give --out a folder outside of them.")
    around = {root, *root.parents}
    if any(inside / entry.name in around for entry in intake.entries):
        raise NothingToGrade(f"In {str(out)!r} a report would lie among the submissions. Give another --out.")


def _seed_of(out: Path, asked: str | None, told: Callable[[str], None]) -> str:
    """The seed that was asked for; else that of the last run into this folder, so that it goes on; else a new one."""
    if asked is not None:
        return asked
    try:
        seed = json.loads((out / NOTE).read_text(encoding="utf-8"))["seed"]
    except (OSError, ValueError, KeyError, TypeError):
        return new_seed()
    if not isinstance(seed, str):
        return new_seed()
    told(f"Seed {seed} of the last run into this folder is used again.")
    return seed


def _remember(run: Run, intake: Intake, *, finished: bool) -> None:
    base = os.path.relpath(run.submissions.resolve(), run.out.resolve()).replace(os.sep, "/")
    note = {"seed": run.seed, "finished": finished, "from": base}
    note["submissions"] = {entry.name: list(entry.where) for entry in intake.entries}
    write.whole(run.out / NOTE, json.dumps(note, indent=1) + "\n")


def _strangers(out: Path, learners: Sequence[str]) -> list[str]:
    """Reports of an earlier run whose submissions are not there now: kept, and told."""
    kept = sorted(file.parent.name for file in out.glob("*/report.json") if file.parent.name not in learners)
    return [
        f"{name} has a report of an earlier run and no submission now: the report was left as it is." for name in kept
    ]
