"""The submissions of the tests: right ones in many styles, and wrong ones, each a small change of the solution.

A wrong submission is one file. Its definitions take the place of those of the same name in the solution; its docstring
is the road, `EXPECT` maps each step that it must fail to the code of the diagnosis, `MAY` lists steps that may fail too.
It may also be a folder of whole modules, with `road`, `expect` and `may` in its `about.json`.
A right or misbehaving one is a folder with an `about.json` and whole modules; a right one that differs only in where it
lies may ask for fewer `seeds`.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader import catalog
from grader.diagnose import explain
from grader.draw import trials_of
from grader.grading import Seat, check
from grader.model import Diagnosis, Evidence, Lab, Step, StepResult
from grader.referee.players import Players
from grader.referee.source import Source, read_folder
from tests.conftest import ROOT

SUBMISSIONS = ROOT / "tests" / "submissions"
SEEDS = [str(seed) for seed in range(int(os.environ.get("LAB_SEEDS", "20")))]


@dataclass(frozen=True)
class Submission:
    name: str
    lab: Lab
    source: Source
    about: Mapping[str, Any] = field(default_factory=dict)
    expect: Mapping[str, str] = field(default_factory=dict)
    may: Sequence[str] = ()

    @property
    def others(self) -> list[Step]:
        """The steps that must pass in spite of it."""
        return [step for step in self.lab.steps if step.id not in self.expect and step.id not in self.may]


def whole(kind: str) -> list[Submission]:
    """Submissions that are folders: `right`, `wrong` or `misbehaving`."""
    return [_folder(about.parent) for about in sorted(SUBMISSIONS.glob(f"*/{kind}/*/about.json"))]


def wrong() -> list[Submission]:
    return [*[_changed(file) for file in sorted(SUBMISSIONS.glob("*/wrong/*.py"))], *whole("wrong")]


def _folder(folder: Path) -> Submission:
    lab = catalog.lab_of(folder.parent.parent.name)
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    expect = about["expect"] if folder.parent.name == "wrong" else {}
    return Submission(folder.name, lab, read_folder(folder, lab.file), about, expect, about.get("may", ()))


def _changed(file: Path) -> Submission:
    lab = catalog.lab_of(file.parent.parent.name)
    change = file.read_text(encoding="utf-8")
    told = {
        target.id: ast.literal_eval(node.value)
        for node in ast.parse(change).body
        if isinstance(node, ast.Assign)
        and isinstance(target := node.targets[0], ast.Name)
        and target.id in ("EXPECT", "MAY")
    }
    solution = (ROOT / "solutions" / lab.file).read_text(encoding="utf-8")
    text = spliced(solution, change)
    source = Source(lab.file, {lab.file: text.encode()}, file.name)
    about = {"road": ast.get_docstring(ast.parse(change)) or ""}
    return Submission(file.stem, lab, source, about, told["EXPECT"], told.get("MAY", ()))


def spliced(solution: str, change: str) -> str:
    """The solution with the definitions of `change` in the place of its own; what it does not have goes on top."""
    parts = _definitions(change)
    lines = solution.splitlines()
    for node in reversed(ast.parse(solution).body):
        name = _name(node)
        if name in parts:
            lines[_first_line(node) - 1 : node.end_lineno] = parts.pop(name).splitlines()
    new = "\n\n".join(parts.values()).splitlines()
    last_import = max(
        node.end_lineno or 0 for node in ast.parse(solution).body if isinstance(node, (ast.Import, ast.ImportFrom))
    )
    return "\n".join([*lines[:last_import], *new, *lines[last_import:]]) + "\n"


def _definitions(change: str) -> dict[str, str]:
    lines = change.splitlines()
    return {
        _name(node): "\n".join(lines[_first_line(node) - 1 : node.end_lineno])
        for node in ast.parse(change).body
        if _name(node) not in ("EXPECT", "MAY", "")
    }


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.Import() | ast.ImportFrom():
            return ast.unparse(node)
    return ""


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])


# ---------------------------------------------------------------- many seeds in one player


@dataclass(frozen=True)
class Seen:
    """One step under one seed: whether it passed, and the diagnosis that was given."""

    passed: bool
    diagnosis: Diagnosis | None
    evidence: Sequence[Evidence]


def seen(submission: Submission, step: Step, seeds: Sequence[str], players: Players) -> dict[str, Seen]:
    """The step under each seed, all in one player: loading costs more than asking."""
    seat = Seat(players, submission.lab, submission.source)
    try:
        return {seed: _once(seat, step, seed) for seed in seeds}
    finally:
        seat.leave()


def _once(seat: Seat, step: Step, seed: str) -> Seen:
    attempt = seat.attempt(step, trials_of(step, seed))
    return Seen(attempt.passed, explain(attempt.evidence, step.diagnoses), attempt.evidence)


def checked(lab: Lab, steps: Sequence[Step], source: Source, players: Players, seed: str = "1") -> Sequence[StepResult]:
    """A whole check, as a learner's or an instructor's: with the second attempt alone."""
    return check(lab, steps, source, seed, players, own=False).results
