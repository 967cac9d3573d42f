"""Grade a folder from intake to summary: the one function behind the command `grade`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.cohort import alike, items, write
from grader.cohort.grade import Graded, grade_all
from grader.cohort.intake import NothingToGrade, take_in
from grader.isolation.levels import LOWEST_FOR_STRANGERS
from grader.model import Isolation, Lab
from grader.referee.players import Players
from grader.referee.zygote import NoPlayers, ZygoteLost

NOTE = ".grading.json"
"""Where `replay` finds the submissions again, in the folder of the reports."""


@dataclass(frozen=True)
class Outcome:
    """How many learners there were, how many passed everything, and how many met a fault of the grader.

    `unwritten` counts the reports and tables that could not be written; each of them was told.
    """

    learners: int
    passed: int
    faults: int
    unwritten: int = 0

    @property
    def code(self) -> int:
        """The exit code: 0 everybody passed, 1 somebody did not, 3 a fault of the grader."""
        return 3 if self.faults or self.unwritten else 0 if self.passed == self.learners else 1


def grade_folder(
    submissions: Path,
    out: Path,
    labs: Sequence[Lab],
    seed: str,
    jobs: int,
    told: Callable[[str], None],
    progressed: Callable[[int, int], None],
    lowest: int = LOWEST_FOR_STRANGERS,
) -> Outcome:
    """Grade all submissions in a folder into `out`, behind walls of at least the level `lowest`.

    Raises NothingToGrade for wrong usage, TooOpen where the walls are lower, and nothing else.
    """
    intake = take_in(submissions, labs)
    _refuse_mixing(submissions, out)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _remember(submissions, out, {entry.name: entry.path for entry in intake.entries}, seed)
    except OSError as error:
        raise NothingToGrade(f"The reports cannot be written to {str(out)!r}: {error.strerror}.") from None
    notes = [*intake.notes, *_strangers(out, [entry.name for entry in intake.entries])]
    first = Players()
    isolation = _seen(first, lowest)
    for note in (isolation.sentence, *notes):
        told(note)
    lines: list[items.Line] = []
    unwritten = 0
    progressed(0, len(intake.entries))
    for graded in grade_all(intake.entries, labs, seed, jobs, first, lambda graded: _written(graded, out)):
        lines.append(items.line_of(graded))
        unwritten += graded.unwritten
        for note in graded.notes:
            told(note)
        notes += graded.notes
        progressed(len(lines), len(intake.entries))
    lines.sort(key=lambda line: line.learner)
    tables = [
        lambda: write.summary(lines, labs, out),
        lambda: write.overview(
            lines, labs, seed, isolation.sentence, sorted(notes), alike.groups(intake.entries, labs), out
        ),
    ]
    unwritten += sum(not _wrote(table, told) for table in tables)
    return Outcome(len(lines), sum(line.passed for line in lines), sum(line.faulty for line in lines), unwritten)


class TooOpen(Exception):
    """The walls of this machine are too low for strangers' code; the text says what was seen and what to do."""


def _seen(players: Players, lowest: int) -> Isolation:
    """What the preflight sees. Raises TooOpen, with the players closed."""
    try:
        isolation = players.isolation
    except (NoPlayers, ZygoteLost) as failed:
        players.close()
        raise TooOpen(f"No submission can be run on this machine: {failed}") from None
    if isolation.level < lowest:
        players.close()
        raise TooOpen(
            f"{isolation.sentence} Nothing was graded. `python3 start.py doctor` says what is missing; --allow-level "
            f"{isolation.level} grades all the same."
        )
    return isolation


def _written(graded: Graded, out: Path) -> Graded:
    """The reports of one learner are written; where that fails it is a note, and the others go on."""
    try:
        write.learner_reports(graded, out)
    except OSError as error:
        note = f"{graded.learner}: the reports could not be written ({error.strerror})."
        return replace(graded, notes=[*graded.notes, note], unwritten=True)
    return graded


def _wrote(table: Callable[[], None], told: Callable[[str], None]) -> bool:
    try:
        table()
    except OSError as error:
        told(f"{Path(error.filename2 or error.filename or 'A table').name} could not be written: {error.strerror}.")
        return False
    return True


def _refuse_mixing(submissions: Path, out: Path) -> None:
    """Reports among submissions would be graded as a submission the next time."""
    inside, root = out.resolve(), submissions.resolve()
    if inside == root or inside.parent == root or root in inside.parents:
        raise NothingToGrade(f"{str(out)!r} lies inside the submissions. Give --out a folder outside of them.")


def _remember(submissions: Path, out: Path, paths: dict[str, Path], seed: str) -> None:
    base = out.resolve()
    places = {name: os.path.relpath(path.resolve(), base).replace(os.sep, "/") for name, path in paths.items()}
    write.whole(out / NOTE, json.dumps({"seed": seed, "submissions": places}, ensure_ascii=False, indent=1) + "\n")


def _strangers(out: Path, learners: Sequence[str]) -> list[str]:
    """Reports of an earlier run whose submissions are not there now: kept, and told."""
    kept = sorted(file.parent.name for file in out.glob("*/report.json") if file.parent.name not in learners)
    return [
        f"{name} has a report of an earlier run and no submission now: the report was left as it is." for name in kept
    ]
