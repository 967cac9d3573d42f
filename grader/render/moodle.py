"""Marks in the offline grading worksheet that an instructor downloaded from Moodle. Its headers may be translated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.render.canvas import Filled
from grader.render.csv_form import CannotFill, Sheet, decimals, harmless, number
from grader.render.marks import Mark, without
from grader.render.matching import Person, match, names_of

_FOLDER = re.compile(r"(.*)_(\d+)_assignsubmission_.*", re.DOTALL)
_PARTICIPANT = re.compile(r"\D+(\d+)")


@dataclass(frozen=True)
class Columns:
    """Places of the columns that matter; None where the sheet has none, which is no fault for the last two."""

    identifier: int
    grade: int
    maximum: int
    name: int | None
    feedback: int | None


def fill(sheet: Sheet, marks: Sequence[Mark], identifier: str | None = None, grade: str | None = None) -> Filled:
    """Put marks, scaled to the maximum grade, and feedback into the sheet. Raises CannotFill."""
    at = columns_of(sheet, identifier, grade)
    matching = match(_people(sheet, at), [mark.learner for mark in marks], moodle_number)
    of = {mark.learner: mark for mark in marks}
    rows = [list(row) for row in sheet.rows]
    told: list[str] = []
    for row, cells in enumerate(rows):
        mark = of[matching.learners[row]] if row in matching.learners else None
        before, given = cells[at.grade].strip(), mark is not None and not mark.without
        cells[at.grade] = _scaled(mark, cells[at.maximum]) if mark and given else ""
        if at.name is not None:
            cells[at.name] = harmless(cells[at.name])
        if at.feedback is not None and mark and given:
            cells[at.feedback] = harmless(mark.feedback)
        if before and not cells[at.grade]:
            told.append(f"{cells[at.identifier]} had {before} in the worksheet: the cell is empty now.")
    if at.feedback is None:
        told.append("The worksheet has no column for feedback comments: grades only were filled in.")
    return Filled(sheet.with_rows(rows), [*without(marks), *told, *matching.told])


def moodle_number(learner: str) -> str | None:
    """The participant's number in the name of a folder that Moodle made: `Full Name_123_assignsubmission_file`."""
    found = _FOLDER.fullmatch(learner)
    return found[2] if found else None


def columns_of(sheet: Sheet, identifier: str | None = None, grade: str | None = None) -> Columns:
    """Find the columns by their English names, then by what stands in them; named ones are taken as named."""
    first = _named(sheet, identifier, "--identifier-column") if identifier else _identifier(sheet)
    known = _known(sheet, "maximum grade")
    if grade:
        given = _named(sheet, grade, "--grade-column")
        top = known if known is not None else given + 1 if _constant(sheet, given + 1) else None
    elif known is not None:
        at = _known(sheet, "grade")
        top, given = known, known - 1 if at is None else at
    else:
        top = next((at for at in range(2, len(sheet.header)) if _constant(sheet, at) and _grades(sheet, at - 1)), None)
        given = (top or 0) - 1
    if top is None or given <= first:
        raise CannotFill(
            "The columns for the grade and its maximum were not found. Turn on the offline grading worksheet in the "
            "assignment (feedback types), give it a grade in points, and download it again; or name the column that "
            f"stands before the maximum with --grade-column. Columns: {_listed(sheet)}."
        )
    last = _known(sheet, "feedback comments")
    # In every language the feedback is what follows the two dates, at the sheet's end.
    tail = len(sheet.header) - 1
    feedback = last if last is not None else tail if _known(sheet, "grade") is None and tail >= top + 4 else None
    name = _known(sheet, "full name")
    return Columns(first, given, top, name if name is not None else _second(sheet, first, given), feedback)


def _identifier(sheet: Sheet) -> int:
    known = _known(sheet, "identifier")
    at = 0 if known is None else known
    cells = [row[at].strip() for row in sheet.rows]
    if all(_PARTICIPANT.fullmatch(cell) for cell in cells):
        return at
    raise CannotFill(
        f"No column was found that holds `Participant 123` or the like. Name it with --identifier-column. "
        f"Columns: {_listed(sheet)}."
    )


def _named(sheet: Sheet, name: str, option: str) -> int:
    found = [at for at, head in enumerate(sheet.header) if head.strip().casefold() == name.strip().casefold()]
    if len(found) == 1:
        return found[0]
    raise CannotFill(f"There is no single column {name!r} ({option}). Columns: {_listed(sheet)}.")


def _known(sheet: Sheet, name: str) -> int | None:
    found = [at for at, head in enumerate(sheet.header) if head.strip().casefold() == name]
    return found[0] if len(found) == 1 else None


def _constant(sheet: Sheet, at: int) -> bool:
    """Whether a column holds one and the same number in every row: the maximum does."""
    cells = {row[at].strip() for row in sheet.rows} if at < len(sheet.header) else {""}
    return len(cells) == 1 and bool(number(next(iter(cells))))


def _grades(sheet: Sheet, at: int) -> bool:
    """Whether a column could hold grades: numbers and empty cells only, so that no name is ever written over."""
    return all(not row[at].strip() or number(row[at]) is not None for row in sheet.rows)


def _second(sheet: Sheet, identifier: int, grade: int) -> int | None:
    """The full name follows the identifier, unless names are hidden from markers and a status stands there."""
    at = identifier + 1
    cells = [row[at].strip() for row in sheet.rows]
    return at if at < grade and len(set(cells)) == len(cells) else None


def _people(sheet: Sheet, at: Columns) -> list[Person]:
    people = []
    for row, cells in enumerate(sheet.rows):
        shown = cells[at.identifier].strip()
        found = re.search(r"(\d+)$", shown)
        answers = [cells[each] for each in range(at.identifier, at.grade) if each in (at.identifier, at.name)]
        answers += [cell for cell in cells[at.identifier : at.grade] if "@" in cell]
        named = f"{shown} ({cells[at.name].strip()})" if at.name is not None else shown
        people.append(Person(row, named, names_of(*answers), found[1] if found else shown))
    return people


def _scaled(mark: Mark, maximum: str) -> str:
    top = number(maximum)
    if top is None:
        raise CannotFill(
            f"The maximum grade {maximum!r} is no number: a grade by a scale cannot be filled in. Let the assignment "
            "give points, and download the worksheet again."
        )
    return decimals(mark.share * top, "," in maximum)


def _listed(sheet: Sheet) -> str:
    return ", ".join(repr(head) for head in sheet.header)
