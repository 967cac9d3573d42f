"""How course systems lay out what was handed in: each is known by its names, and what does not fit is told in a line.

A layout looks at names only (and at Gradescope's list of people). It decides who a learner is and which parts are theirs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.cohort.places import Child, Part, Place

_JUNK = frozenset({"__MACOSX", "__pycache__", "desktop.ini", "Thumbs.db"})
_LARGEST_LIST = 50_000_000


@dataclass
class Sorted:
    """Who handed in what. The learner's name keeps what the system needs to find the learner again."""

    system: str
    handed: dict[str, list[Part]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


Layout = Callable[[Place, str], Sorted | None]


def sort_by_system(place: Place) -> Sorted | None:
    """The submissions as the first layout finds them that knows this place, in it or below its only folder."""
    for base in bases(place):
        for layout in (_gradescope, _nbgrader, _moodle, _canvas, _github_classroom):
            found = layout(place, base)
            if found and found.handed:
                return found
    return None


def bases(place: Place) -> list[str]:
    """The place, and the folder in it as long as that is all there is: zips are often wrapped so."""
    found = [""]
    while len(found) < 4:
        inside = visible(place, found[-1])
        if len(inside) != 1 or not inside[0].folder:
            break
        found.append(f"{found[-1]}{inside[0].name}/")
    return found


def visible(place: Place, base: str) -> list[Child]:
    """What lies there, without what systems and editors hide."""
    return [child for child in place.children(base) if not child.name.startswith(".") and child.name not in _JUNK]


# ---------------------------------------------------------------- one function for each system

_CANVAS = re.compile(r"(?P<who>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<number>\d+)_(?P<file>.+)")
_AGAIN = re.compile(r"-\d+(?=\.(py|zip)$)", re.IGNORECASE)


def _canvas(place: Place, base: str) -> Sorted | None:
    """`learnerone_LATE_12345_67890_state-1.py`: name, user, number of the upload, file, and which upload of that name."""
    children = visible(place, base)
    known = [(child, match) for child in children if (match := _CANVAS.fullmatch(child.name))]
    if 2 * len(known) <= len(children) or any("_assignsubmission_" in child.name for child in children):
        return None
    found = Sorted("a Canvas download")
    late: set[str] = set()
    newest: dict[tuple[str, str], Child] = {}
    for child, match in sorted(known, key=lambda each: -int(each[1]["number"])):
        learner, file = f"{match['who']}_{match['user']}", _AGAIN.sub("", match["file"])
        late |= {learner} if match["late"] else set()
        taken = newest.setdefault((learner, file), child)
        if taken is child:
            found.handed.setdefault(learner, []).extend(_parts(child, base, file))
        else:
            found.notes.append(f"{child.name} was left out: {taken.name} was uploaded later.")
    if late:
        found.notes.append(f"Handed in late, as Canvas says: {_few(sorted(late))}.")
    return _with_what_was_left_out(found, children, [child for child, _ in known])


_MOODLE = re.compile(r"(?P<who>.+?_\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)")


def _moodle(place: Place, base: str) -> Sorted | None:
    """`Full Name_123456_assignsubmission_file/`, or the same before each file's name; the number is the participant's."""
    children = visible(place, base)
    known = [(child, match) for child in children if (match := _MOODLE.fullmatch(child.name))]
    if 2 * len(known) <= len(children):
        return None
    found = Sorted("a Moodle download")
    for child, match in known:
        found.handed.setdefault(match["who"], []).extend(_parts(child, base, match["file"]))
    return _with_what_was_left_out(found, children, [child for child, _ in known])


_SUBMISSION = re.compile(r"submission_\d+")
_PEOPLE = "submission_metadata.yml"


def _gradescope(place: Place, base: str) -> Sorted | None:
    """`submission_456/` for each submission, and a list of whose they are."""
    children = visible(place, base)
    if not any(child.name == _PEOPLE and not child.folder for child in children):
        return None
    known = [child for child in children if child.folder and _SUBMISSION.fullmatch(child.name)]
    found = Sorted("a Gradescope export")
    try:
        people = _people(place.read(f"{base}{_PEOPLE}", _LARGEST_LIST).decode("utf-8", "replace"))
    except OSError as error:
        people = {}
        found.notes.append(f"{_PEOPLE} was not read ({error.strerror or error}): learners are named by submission.")
    for child in known:
        found.handed[people.get(child.name, child.name)] = _parts(child, base, "")
    unnamed = [child.name for child in known if child.name not in people]
    if people and unnamed:
        found.notes.append(f"{_PEOPLE} names nobody for {_few(unnamed)}.")
    return _with_what_was_left_out(found, [each for each in children if each.name != _PEOPLE], known)


def _people(text: str) -> dict[str, str]:
    """`submission_456` to `Learner One_s123`: name and student number, or name and submission where there is none."""
    named: dict[str, str] = {}
    for block in re.split(r"^(?=submission_\d+:)", text, flags=re.MULTILINE):
        submission = block.partition(":")[0].strip()
        # Only these lines are read as YAML: results, further below, may hold types that nobody here knows.
        submitters = re.search(r"^ +:submitters:\n((?:(?: +-| {4,}).*\n?)*)", block, re.MULTILINE)
        if not _SUBMISSION.fullmatch(submission) or not submitters:
            continue
        who = [(str(each.get(":name") or ""), str(each.get(":sid") or "")) for each in _listed(submitters[1])]
        names = " & ".join(name for name, _ in who if name)
        numbers = " & ".join(number for _, number in who if number)
        named[submission] = f"{names}_{numbers or submission.removeprefix('submission_')}"
    return named


def _listed(text: str) -> list[dict[str, Any]]:
    import yaml  # Only a Gradescope export needs it.

    try:
        found = yaml.load(text, Loader=yaml.BaseLoader)  # A student number keeps its leading zeros.
    except yaml.YAMLError:
        return []
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _nbgrader(place: Place, base: str) -> Sorted | None:
    """`submitted/learner-01/assignment/...`: given the folder `submitted`, or the course that holds it."""
    inside = any(child.name == "submitted" and child.folder for child in visible(place, base))
    root = f"{base}submitted/" if inside else base
    if (root.rstrip("/").rpartition("/")[2] or place.shown) != "submitted":
        return None
    children = visible(place, root)
    found = Sorted("nbgrader's folder of submissions")
    learners = [child for child in children if child.folder]
    for child in learners:
        assignments = [each for each in visible(place, f"{root}{child.name}/") if each.folder]
        if not assignments:
            return None
        single = len(assignments) == 1
        found.handed[child.name] = [
            Part(f"{root}{child.name}/{each.name}/", "" if single else f"{each.name}/") for each in assignments
        ]
    return _with_what_was_left_out(found, children, learners)


def _github_classroom(place: Place, base: str) -> Sorted | None:
    """`assignment-slug-username/`, all of them clones."""
    children = visible(place, base)
    known = [
        child
        for child in children
        if child.folder and any(each.name == ".git" for each in place.children(f"{base}{child.name}/"))
    ]
    if not known or 2 * len(known) <= len(children):
        return None
    slug = _slug(base.rstrip("/").rpartition("/")[2] or place.shown, [child.name for child in known])
    if not slug:
        return None
    found = Sorted(f"GitHub Classroom's clones of {slug!r}")
    for child in known:
        found.handed[child.name[len(slug) + 1 :]] = _parts(child, base, "")
    return _with_what_was_left_out(found, children, known)


def _slug(folder: str, names: Sequence[str]) -> str:
    """The assignment, from the folder that `gh classroom clone` makes, or from what all names begin with."""
    told = folder.removesuffix("-submissions")
    if told != folder and all(name.startswith(f"{told}-") and name != f"{told}-" for name in names):
        return told
    same = os.path.commonprefix([*names])  # noqa: RUF071 - these are names, not paths
    return same.rpartition("-")[0] if len(names) > 1 else ""


# ---------------------------------------------------------------- what they share


def _parts(child: Child, base: str, file: str) -> list[Part]:
    """A child as a part of a submission: folders and zips go in at the top, a module under its own name."""
    if child.folder:
        return [Part(f"{base}{child.name}/")]
    kind = child.name.lower().rpartition(".")[2]
    return [Part(f"{base}{child.name}", "" if kind == "zip" else file)] if kind in ("zip", "py") else []


def _with_what_was_left_out(found: Sorted, children: Sequence[Child], known: Sequence[Child]) -> Sorted:
    """The same, with a line for files of other kinds, and one for names that are not of this system."""
    taken = {part.name.rstrip("/").rpartition("/")[2] for parts in found.handed.values() for part in parts}
    others = [child.name for child in known if not child.folder and not child.name.lower().endswith((".py", ".zip"))]
    if others:
        found.notes.append(f"Neither Python nor zip, so left out: {_few(others)}.")
    unknown = [child.name for child in children if child not in known and child.name not in taken]
    if unknown:
        found.notes.append(f"Not named as in {found.system}, so left out: {_few(unknown)}.")
    return found


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(names[:10])
    return shown if len(names) <= 10 else f"{shown} and {len(names) - 10} more"
