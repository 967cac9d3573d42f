"""Marks in the gradebook that an instructor downloaded from Canvas: one column is filled in, everything else is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.render.csv_form import CannotFill, Sheet, decimals, harmless, number, writes_commas
from grader.render.marks import Mark, without
from grader.render.matching import Person, match, names_of

_TOTALS = re.compile(r"(current|final|override|unposted \w+) (score|points|grade|status)", re.IGNORECASE)
_EXPORTED = re.compile(r"[^_]*_(?:late_)?(\d+)_\d+(?:_.*)?", re.IGNORECASE)
_DOWNLOAD = "Give the file that Canvas gives under Grades, Export, as it was downloaded."


@dataclass(frozen=True)
class Filled:
    """The sheet with its marks, and what an instructor should be told, a sentence each."""

    sheet: Sheet
    told: Sequence[str]


def fill(sheet: Sheet, marks: Sequence[Mark], title: str | None = None) -> Filled:
    """Put marks into the column `title`. A cell without a mark is left empty, never 0. Raises CannotFill."""
    names = _name_columns(sheet)
    sheet, column, told = _with_column(sheet, title)
    rows = [list(row) for row in sheet.rows]
    points = next((row for row in rows if "points possible" in row[0].lower()), None)
    possible = max((mark.possible for mark in marks if not mark.without), default=0)
    scale = number(points[column]) if points else None
    if points is not None and "read only" in points[column].lower():
        raise CannotFill(f"Canvas protects the column {sheet.header[column]!r} (read only). Choose another one.")
    if points is not None and not points[column].strip() and possible:
        points[column] = decimals(possible, writes_commas(points))
    comma = sheet.delimiter == ";" and any(writes_commas(row) for row in rows)
    matching = match(_people(sheet, names), [mark.learner for mark in marks], canvas_number)
    of = {mark.learner: mark for mark in marks}
    for row, cells in enumerate(rows):
        for each in names:
            cells[each] = harmless(cells[each])
        if cells is points or not _is_a_learner(sheet, row):
            continue
        before = cells[column].strip()
        if before.upper() == "EX":
            told.append(f"{_shown(cells, names)} is excused (EX): that was kept.")
            continue
        mark = of[matching.learners[row]] if row in matching.learners else None
        cells[column] = "" if mark is None or mark.without else decimals(mark.share * (scale or mark.possible), comma)
        if before and not cells[column]:
            told.append(f"{_shown(cells, names)} had {before} in the gradebook: the cell is empty now.")
    if scale and possible and scale != possible:
        told.append(f"Points were scaled from {possible} to the {scale:g} that the gradebook has for this assignment.")
    return Filled(sheet.with_rows(rows), [*without(marks), *told, *matching.told])


def canvas_number(learner: str) -> str | None:
    """The ID in a name that Canvas gave a submission: `name_12345_67890_file`, `name_LATE_12345_67890_file`."""
    found = _EXPORTED.fullmatch(learner)
    return found[1] if found else None


def _name_columns(sheet: Sheet) -> list[int]:
    heads = [head.strip().lower() for head in sheet.header]
    if heads[:2] == ["student", "id"]:
        names = [0]
    elif heads[:3] == ["lastname", "firstname", "id"]:
        names = [0, 1]
    else:
        raise CannotFill(f"This is no Canvas gradebook: its first columns are not Student and ID. {_DOWNLOAD}")
    if "section" not in heads:
        raise CannotFill(f"This is no Canvas gradebook: it has no column Section. {_DOWNLOAD}")
    return names


def _people(sheet: Sheet, names: Sequence[int]) -> list[Person]:
    heads = [head.strip().lower() for head in sheet.header]
    known = [heads.index(head) for head in ("id", "sis user id", "sis login id") if head in heads]
    people = []
    for row, cells in enumerate(sheet.rows):
        if _is_a_learner(sheet, row):
            shown = _shown(cells, names)
            answers = names_of(*[cells[column] for column in known], shown)
            people.append(Person(row, shown, answers, cells[heads.index("id")].strip()))
    return people


def _shown(cells: Sequence[str], names: Sequence[int]) -> str:
    return ", ".join(cells[each].strip() for each in names)


def _is_a_learner(sheet: Sheet, row: int) -> bool:
    heads = [head.strip().lower() for head in sheet.header]
    cells = sheet.rows[row]
    return "points possible" not in cells[0].lower() and bool(cells[0].strip() or cells[heads.index("id")].strip())


def _with_column(sheet: Sheet, title: str | None) -> tuple[Sheet, int, list[str]]:
    """The sheet with the asked column in it, its place, and a word where Canvas is going to create it."""
    after = [head.strip().lower() for head in sheet.header].index("section") + 1
    open_to_us = {
        place: head.strip()
        for place, head in enumerate(sheet.header)
        if place >= after and head.strip() and not _TOTALS.search(head) and not _read_only(sheet, place)
    }
    listed = ", ".join(repr(head) for head in list(open_to_us.values())[:12]) or "none"
    if title is None:
        if len(open_to_us) == 1:
            return sheet, next(iter(open_to_us)), []
        raise CannotFill(f"Say which column with --assignment. Assignments in this gradebook: {listed}.")
    if _TOTALS.search(title):
        raise CannotFill(
            f"Canvas does not take {title!r} for an assignment: the title is one of its totals. Rename it."
        )
    found = [place for place, head in enumerate(sheet.header) if place >= after and head.strip() == title.strip()]
    found = found or [place for place, head in open_to_us.items() if _bare(head) == _bare(title) == title.strip()]
    if len(found) == 1:
        return sheet, found[0], []
    if found or _bare(title) != title.strip():
        why = "fits several columns" if found else "is not in this gradebook"
        raise CannotFill(f"{title!r} {why}. Assignments in it: {listed}.")
    word = f"There is no column {title!r}: it was added, and Canvas will create an assignment of this name."
    wider = [[*row, ""] for row in sheet.rows]
    return Sheet([*sheet.header, title], wider, sheet.delimiter, sheet.marked), len(sheet.header), [word]


def _read_only(sheet: Sheet, column: int) -> bool:
    return any("points possible" in row[0].lower() and "read only" in row[column].lower() for row in sheet.rows)


def _bare(title: str) -> str:
    """The title without Canvas's number behind it."""
    return re.sub(r"\s*\(\d+\)$", "", title.strip())
