"""From a folder of submissions to named entries: one folder or zip a learner, whatever else lies there is told."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model import Lab
from grader.referee.trees import Folder, Tree, Zip

_SKIPPED = frozenset({"__MACOSX", "__pycache__"})
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
    path: Path
    where: tuple[str, ...] = ()

    def tree(self) -> Tree:
        """Open it. Raises Unreadable."""
        return Zip(self.path) if self.path.is_file() else Folder(self.path)


@dataclass(frozen=True)
class Intake:
    entries: Sequence[Entry]
    notes: Sequence[str]
    """One line for everything an instructor should know before the results."""


def take_in(folder: Path, labs: Sequence[Lab]) -> Intake:
    """All submissions in `folder`, by name. Raises NothingToGrade."""
    if not folder.exists():
        raise NothingToGrade(
            f"There is no folder {str(folder)!r}. Give the folder that holds one folder or zip per learner."
        )
    if not folder.is_dir():
        if folder.suffix.lower() == ".zip":
            return Intake([Entry(_safe(folder.stem), folder)], [f"{folder.name} is taken as one learner's submission."])
        raise NothingToGrade(f"{str(folder)!r} is neither a folder nor a zip file.")
    own = next((lab for lab in labs if (folder / lab.file).is_file() or (folder / "labs" / lab.file).is_file()), None)
    if own:
        return Intake(
            [Entry(_safe(folder.resolve().name), folder)], [f"{folder.name} is taken as one learner's submission."]
        )
    return _listed(folder)


def _listed(folder: Path) -> Intake:
    entries: list[Entry] = []
    notes: list[str] = []
    taken: dict[str, str] = {}
    for path in sorted(folder.iterdir(), key=lambda path: unicodedata.normalize("NFC", path.name)):
        if path.name.startswith(".") or path.name in _SKIPPED:
            continue
        if path.is_symlink() or not (path.is_dir() or path.suffix.lower() == ".zip"):
            notes.append(f"{path.name} was left out: it is neither a folder nor a zip file.")
            continue
        name = _safe(path.name if path.is_dir() else path.stem)
        unique = _unique(name, taken)
        if unique != name:
            notes.append(f"Two submissions are named {name!r}: {path.name} is reported as {unique!r}.")
        taken[unique.casefold()] = path.name
        entries.append(Entry(unique, path, (path.name,)))
    if not entries:
        raise NothingToGrade(f"There is no submission in {str(folder)!r}: it holds neither folders nor zip files.")
    return Intake(entries, notes)


def _unique(name: str, taken: dict[str, str]) -> str:
    number, unique = 1, name
    while unique.casefold() in taken or unique.casefold() in _TAKEN:
        number += 1
        unique = f"{name} ({number})"
    return unique


def _safe(name: str) -> str:
    """The name as a folder's name on every system; composed Unicode, so that two spellings of one name meet."""
    name = unicodedata.normalize("NFC", name)
    name = "".join("_" if ord(char) < 32 or char in '<>:"/\\|?*' else char for char in name).strip().rstrip(".")
    name = name.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore").rstrip(" .")
    return f"{name}_" if not name or _WINDOWS.fullmatch(name) else name
