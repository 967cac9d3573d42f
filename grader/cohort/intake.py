"""From a folder or zip of submissions to named entries, one a learner; whatever else lies there is told."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.cohort.layouts import Sorted, bases, sort_by_system, visible
from grader.cohort.places import FolderPlace, Gathered, Part, Place, ZipPlace
from grader.model import Lab
from grader.referee.trees import Unreadable

_TAKEN = frozenset({"summary.csv", "report.html", "beliefs.csv"})
_LONGEST = 200
"""Bytes of a name: file systems take 255, and what makes a name unique is put behind it."""
_WINDOWS = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class NothingToGrade(Exception):
    """The folder cannot be graded; the text says why and what to give instead."""


@dataclass(frozen=True)
class Entry:
    """One learner's submission, not yet opened. `name` is unique, and good as a folder's name."""

    name: str
    parts: tuple[Part, ...]
    place: Place = field(compare=False, repr=False)
    flat: tuple[str, ...] = ()
    """Files of labs that may lie at the top of the submission, without their folder."""

    def tree(self) -> Gathered:
        """Open it. Raises Unreadable."""
        alone = self.parts[0].name.rstrip("/").rpartition("/")[2] if len(self.parts) == 1 else ""
        return Gathered(self.name if self.flat or not alone else alone, self.place, self.parts, self.flat)

    @property
    def where(self) -> tuple[str, ...]:
        """Which parts of the place it is: what finds it again, whatever it is called then."""
        return tuple(part.name for part in self.parts)


@dataclass(frozen=True)
class Intake:
    entries: Sequence[Entry]
    notes: Sequence[str]
    """One line for everything an instructor should know before the results."""
    single: bool = False
    """Whether all that was given is one learner's submission."""


def take_in(given: Path, labs: Sequence[Lab]) -> Intake:
    """All submissions in a folder or zip, by name. Raises NothingToGrade."""
    place = _place(given)
    if place is None:
        return one(given)  # It is told as broken when it is opened.
    if _is_one(place, labs):
        return one(given)
    if found := sort_by_system(place):
        return _of_a_system(place, found, labs)
    if isinstance(place, ZipPlace) and not _holds_many(place, labs):
        return one(given)
    return _one_each(place, "" if isinstance(place, FolderPlace) else bases(place)[-1], str(given))


def one(given: Path) -> Intake:
    """The whole of what was given as one learner's submission."""
    path = given.resolve()
    part = Part(f"{path.name}/" if path.is_dir() else path.name)
    name = _safe(path.name if path.is_dir() else path.stem)
    return Intake(
        [Entry(name, (part,), FolderPlace(path.parent))], [f"{path.name} is taken as one learner's submission."], True
    )


def _place(given: Path) -> Place | None:
    if not given.exists():
        raise NothingToGrade(
            f"There is no folder {str(given)!r}. Give the folder that holds one folder or zip per learner."
        )
    if given.is_dir():
        return FolderPlace(given.resolve())
    if given.suffix.lower() != ".zip":
        raise NothingToGrade(f"{str(given)!r} is neither a folder nor a zip file.")
    try:
        return ZipPlace(given)
    except Unreadable:
        return None


def _is_one(place: Place, labs: Sequence[Lab]) -> bool:
    """Whether a lab's main file lies where a learner has it, and not in somebody's folder."""
    return any(_holds(place, f"{above}{lab.file}") for lab in labs for above in ("", "labs/"))


def _holds(place: Place, file: str) -> bool:
    folder, _, name = file.rpartition("/")
    try:
        return any(child.name == name for child in place.children(f"{folder}/" if folder else ""))
    except OSError:
        return False


def _holds_many(place: Place, labs: Sequence[Lab]) -> bool:
    """Whether a zip holds a folder or zip for each of several learners: their modules lie at one depth, side by side."""
    children = visible(place, bases(place)[-1])
    if any(child.name.lower().endswith(".zip") and not child.folder for child in children):
        return True
    base = bases(place)[-1]
    mains = [lab.file.lower() for lab in labs]
    alike = {main: 0 for main in mains}
    for child in children:
        names = [f"/{name}".lower() for name in place.tree(f"{base}{child.name}/").names()] if child.folder else []
        for main in mains:
            alike[main] += any(name.endswith((f"/{main}", f"/{main.rpartition('/')[2]}")) for name in names)
    return max(alike.values(), default=0) > 1


def _of_a_system(place: Place, found: Sorted, labs: Sequence[Lab]) -> Intake:
    notes = [f"Read as {found.system}: {len(found.handed)} {'learner' if len(found.handed) == 1 else 'learners'}."]
    flat = tuple(lab.file for lab in labs)
    named = _Names()
    ordered = sorted(found.handed.items(), key=lambda each: unicodedata.normalize("NFC", each[0]))
    entries = [Entry(named.unique(learner, learner), tuple(parts), place, flat) for learner, parts in ordered]
    return Intake(entries, [*notes, *found.notes, *named.notes])


def _one_each(place: Place, base: str, shown: str) -> Intake:
    """The plain layout: one folder or zip a learner, and its name is the learner's."""
    entries: list[Entry] = []
    notes: list[str] = []
    named = _Names()
    for child in visible(place, base):
        if child.link or not (child.folder or child.name.lower().endswith(".zip")):
            notes.append(f"{child.name} was left out: it is neither a folder nor a zip file.")
            continue
        name = named.unique(child.name if child.folder else child.name[:-4], child.name)
        entries.append(Entry(name, (Part(f"{base}{child.name}" + "/" * child.folder),), place))
    if not entries:
        raise NothingToGrade(f"There is no submission in {shown!r}: it holds neither folders nor zip files.")
    return Intake(entries, [*notes, *named.notes])


class _Names:
    """Gives each submission a name of its own, and says where that is not the one it came with."""

    def __init__(self) -> None:
        self._taken = set(_TAKEN)
        self.notes: list[str] = []

    def unique(self, wanted: str, shown: str) -> str:
        name = unique = _safe(wanted)
        number = 1
        while unique.casefold() in self._taken:
            number += 1
            unique = f"{name} ({number})"
        if unique != name:
            self.notes.append(f"Two submissions are named {name!r}: {shown} is reported as {unique!r}.")
        self._taken.add(unique.casefold())
        return unique


def _safe(name: str) -> str:
    """The name as a folder's name on every system; composed Unicode, so that two spellings of one name meet."""
    name = unicodedata.normalize("NFC", name)
    name = "".join("_" if ord(char) < 32 or char in '<>:"/\\|?*' else char for char in name).strip().rstrip(".")
    name = name.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore").rstrip(" .")
    # A name that begins with a dot would be hidden, and could take the place of the journal.
    name = f"_{name[1:]}" if name.startswith(".") else name
    return f"{name}_" if not name or _WINDOWS.fullmatch(name) else name
