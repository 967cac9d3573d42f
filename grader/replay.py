"""Repeat one step of a learner's report exactly: the same seed, so the same inputs, on the submission as it is now."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import catalog
from grader.cohort.intake import Entry, NothingToGrade, one, take_in
from grader.cohort.run import NOTE
from grader.grading import check
from grader.model import Lab
from grader.referee.players import Players
from grader.referee.source import NoSource, Source, read_tree
from grader.referee.trees import Unreadable
from grader.render.json_form import step_json
from grader.render.text import report_text


class CannotReplay(Exception):
    """The report, the step or the submission is not there; the text says what to give."""


@dataclass(frozen=True)
class Again:
    """Whether the same came again, and all of it as text."""

    same: bool
    text: str


def replay(report: Path, step: str, submissions: Path | None = None) -> Again:
    """Raises CannotReplay."""
    told = _read(report)
    if not step:
        listed = "\n".join(f"  {each['step']}  {each['verdict']}" for each in told["steps"])
        raise CannotReplay(f"Say which step to repeat: --step NAME. The report has\n{listed}")
    before = next((each for each in told["steps"] if each["step"] == step), None)
    if before is None:
        known = [each["step"] for each in told["steps"]]
        raise CannotReplay(catalog.no_such(step, known, "step in this report"))
    try:
        lab, steps = catalog.lab_of(step), catalog.steps_of(step)
    except catalog.UnknownName as unknown:
        raise CannotReplay(str(unknown)) from None
    source = _source(_submission(report, told, submissions), lab.file)
    with Players() as players:
        now = check(lab, steps, source, before["seed"], players, learner=told["learner"], own=False)
    (result,) = now.results
    after = json.loads(json.dumps({"lab": lab.slug, **step_json(result)}))
    digest = next((each["source"]["digest"] for each in told["labs"] if each["lab"] == lab.slug), "")
    return Again(after == before, f"{report_text(now)}\n\n{_compared(before, after, digest == source.digest)}")


def _compared(before: dict[str, Any], after: dict[str, Any], unchanged: bool) -> str:
    if after == before:
        changed = "" if unchanged else " The submission has changed since it was graded, though."
        return f"The same came again, in every field of the report.{changed}"
    changed = ", ".join(sorted(key for key in after if after[key] != before.get(key)))
    why = "though the submission is the same" if unchanged else "and the submission has changed since it was graded"
    return f"Something else came: {before['verdict']} before, {after['verdict']} now ({changed} differ), {why}."


def _read(report: Path) -> dict[str, Any]:
    file = report / "report.json" if report.is_dir() else report
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        texts = [told["learner"]]
        texts += [each[key] for each in told["steps"] for key in ("step", "lab", "seed", "verdict")]
        texts += [part for each in told["labs"] for part in (each["lab"], each["source"]["digest"])]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError
    except FileNotFoundError:
        raise CannotReplay(f"There is no report {str(file)!r}. Give a learner's report.json.") from None
    except (OSError, ValueError, KeyError, TypeError):
        raise CannotReplay(f"{str(file)!r} is not a report of this grader. Give a learner's report.json.") from None
    result: dict[str, Any] = told
    return result


def _submission(report: Path, told: dict[str, Any], submissions: Path | None) -> Entry:
    """The learner's submission: in the folder that was given, or where it was when it was graded."""
    labs = [lab for lab in catalog.labs() if lab.slug in {each["lab"] for each in told["labs"]}]
    learner = told["learner"]
    if submissions is not None:
        return _named(learner, submissions, labs)
    reports = (report if report.is_dir() else report.parent).parent
    try:
        note = json.loads((reports / NOTE).read_text(encoding="utf-8"))
        root, where = reports / note["from"], tuple(note["submissions"][learner])
        return next(entry for entry in take_in(root, labs).entries if entry.where == where)
    except (OSError, ValueError, KeyError, TypeError, NothingToGrade, StopIteration):
        raise CannotReplay(
            f"The submission of {learner} was not found. Say where they are: --submissions FOLDER."
        ) from None


def _named(learner: str, submissions: Path, labs: Sequence[Lab]) -> Entry:
    """The submission that a grading of this folder would report under this name; never somebody else's."""
    try:
        intake = take_in(submissions, labs)
    except NothingToGrade as told:
        raise CannotReplay(str(told)) from None
    entries = intake.entries
    found = next((entry for entry in entries if entry.name == learner), None)
    if found is None and (intake.single or learner == submissions.name):
        return one(submissions).entries[0]
    if found is None:
        raise CannotReplay(catalog.no_such(learner, [entry.name for entry in entries], "submission of"))
    return found


def _source(submission: Entry, main: str) -> Source:
    try:
        return read_tree(submission.tree(), main)
    except (NoSource, Unreadable) as missing:
        raise CannotReplay(str(missing)) from None
