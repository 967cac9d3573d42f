"""Which report belongs to which row of a course system's sheet. Whatever is not sure is told, and never guessed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """One row: where it stands, its name for messages, the names it is known by, and its number in the system."""

    row: int
    shown: str
    names: frozenset[str]
    number: str = ""


@dataclass(frozen=True)
class Matching:
    """The learner of each row that has one, and a sentence for everybody who was not matched."""

    learners: Mapping[int, str]
    told: Sequence[str]


def match(people: Sequence[Person], learners: Sequence[str], number_in: Callable[[str], str | None]) -> Matching:
    """Join rows and reports. `number_in` gives the system's number in the name of a file that the system exported."""
    rows = {person.row: person for person in people}
    known: dict[str, set[int]] = {}
    numbers: dict[str, set[int]] = {}
    for person in people:
        for name in person.names:
            known.setdefault(name, set()).add(person.row)
        if person.number:
            numbers.setdefault(person.number, set()).add(person.row)
    claims: dict[int, list[str]] = {}
    told: list[str] = []
    for learner in learners:
        number = number_in(learner)
        found = numbers.get(number or "") or known.get(fold(without_count(learner)), set())
        if len(found) == 1:
            claims.setdefault(next(iter(found)), []).append(learner)
        elif found:
            told.append(f"{learner} fits {len(found)} rows of the sheet: none of them was filled in.")
        else:
            told.append(f"{learner} has a report and no row in the sheet.")
    for row, several in claims.items():
        if len(several) > 1:
            told.append(f"{' and '.join(several)} all fit the row of {rows[row].shown}: its cell is left empty.")
    without = [person.shown for person in people if person.row not in claims]
    told += [f"{shown} has a row and no report." for shown in without]
    return Matching({row: several[0] for row, several in claims.items() if len(several) == 1}, told)


def fold(name: str) -> str:
    """A name as it is compared: composed, without case, one space for many, and what a file name cannot hold as `_`."""
    plain = unicodedata.normalize("NFC", name).casefold()
    return " ".join(re.sub(r'[<>:"/\\|?*]', "_", plain).split()).rstrip(". ")


def without_count(learner: str) -> str:
    """`twice (2)` is the second submission of `twice`."""
    return re.sub(r" \(\d+\)$", "", learner)


def names_of(*cells: str) -> frozenset[str]:
    """What a row answers to: each cell, and a name `Last, First` also as `First Last`."""
    names = {fold(cell) for cell in cells}
    for cell in cells:
        last, comma, first = cell.partition(",")
        if comma:
            names.add(fold(f"{first} {last}"))
    return frozenset(names - {""})
