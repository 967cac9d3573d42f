"""Find labs by their folders: a folder under `grader/labs` with a `lab.py` that holds `LAB` is a lab. No list to edit."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Sequence
from pathlib import Path

from grader.model import Lab, Step

_FOLDER = Path(__file__).parent / "labs"


class UnknownName(Exception):
    """There is no such lab or step; the text gives the nearest names."""


@functools.cache
def labs() -> tuple[Lab, ...]:
    """All labs, in the order of their numbers."""
    slugs = sorted(folder.name for folder in _FOLDER.iterdir() if (folder / "lab.py").is_file())
    found = [importlib.import_module(f"grader.labs.{slug}.lab").LAB for slug in slugs]
    return tuple(sorted(found, key=lambda lab: lab.number))


def graded_labs() -> tuple[Lab, ...]:
    return tuple(lab for lab in labs() if lab.graded)


def lab_of(name: str) -> Lab:
    """The lab of a lab's or a step's name. Raises UnknownName."""
    for lab in labs():
        if lab.slug == name.partition(".")[0]:
            return lab
    raise UnknownName(_no_such(name))


def steps_of(name: str) -> Sequence[Step]:
    """`agstate` gives all steps of the lab, `agstate.window` this one. Raises UnknownName."""
    lab = lab_of(name)
    if name == lab.slug:
        return lab.steps
    for step in lab.steps:
        if step.id == name:
            return (step,)
    raise UnknownName(_no_such(name))


@functools.cache
def starter(file: str) -> str:
    """The text that a lab's main file (`agstate/state.py`) begins with; empty where it has none."""
    slug, _, name = file.partition("/")
    place = _FOLDER / slug / "starter" / name
    return place.read_text(encoding="utf-8") if place.is_file() else ""


def no_such(name: str, known: Sequence[str], kind: str) -> str:
    """A sentence that gives the nearest of the known names."""
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    tail = name.rpartition(".")[2]
    near = near or [each for each in known if tail and each.endswith(tail)]
    where = f"Closest: {', '.join(near)}." if near else f"There are: {', '.join(known[:12])}."
    return f"There is no {kind} {name!r}. {where}"


def _no_such(name: str) -> str:
    known = [lab.slug for lab in labs()] + [step.id for lab in labs() for step in lab.steps]
    return no_such(name, known, "step or lab")
