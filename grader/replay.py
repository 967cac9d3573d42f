"""Repeat one step of a learner's report exactly: the same seed, so the same inputs, on the submission as it is now."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import catalog
from grader.cohort.intake import Entry
from grader.cohort.run import NOTE
from grader.grading import check
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
    before = next((each for each in told["steps"] if each["step"] == step), None)
    if before is None:
        known = [each["step"] for each in told["steps"]]
        raise CannotReplay(catalog.no_such(step, known, "step in this report"))
    lab = catalog.lab_of(step)
    source = _source(_submission(report, str(told["learner"]), submissions), lab.file)
    with Players() as players:
        now = check(
            lab, catalog.steps_of(step), source, str(before["seed"]), players, learner=told["learner"], own=False
        )
    (result,) = now.results
    after = json.loads(json.dumps({"lab": lab.slug, **step_json(result)}))
    digest = next((each["source"]["digest"] for each in told["labs"] if each["lab"] == lab.slug), "")
    return Again(after == before, f"{report_text(now)}\n\n{_compared(before, after, digest == source.digest)}")


def _compared(before: dict[str, Any], after: dict[str, Any], unchanged: bool) -> str:
    if after == before:
        return "The same came again, in every field of the report."
    changed = ", ".join(sorted(key for key in after if after[key] != before.get(key)))
    why = "though the submission is the same" if unchanged else "and the submission has changed since it was graded"
    return f"Something else came: {before['verdict']} before, {after['verdict']} now ({changed} differ), {why}."


def _read(report: Path) -> dict[str, Any]:
    file = report / "report.json" if report.is_dir() else report
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(told["steps"], list) or not isinstance(told["labs"], list) or "learner" not in told:
            raise ValueError
    except FileNotFoundError:
        raise CannotReplay(f"There is no report {str(file)!r}. Give a learner's report.json.") from None
    except (OSError, ValueError, KeyError, TypeError):
        raise CannotReplay(f"{str(file)!r} is not a report of this grader. Give a learner's report.json.") from None
    result: dict[str, Any] = told
    return result


def _submission(report: Path, learner: str, submissions: Path | None) -> Path:
    """Where the learner's submission lies: in the folder that was given, or where it was when it was graded."""
    folder = report if report.is_dir() else report.parent
    if submissions is not None:
        near = [submissions / learner, submissions / f"{learner}.zip", submissions]
        found = next((place for place in near if place.exists()), None)
    else:
        try:
            places = json.loads((folder.parent / NOTE).read_text(encoding="utf-8"))["submissions"]
            found = folder.parent / places[learner]
        except (OSError, ValueError, KeyError, TypeError):
            found = None
    if found is None or not found.exists():
        raise CannotReplay(f"The submission of {learner} was not found. Say where they are: --submissions FOLDER.")
    return found


def _source(submission: Path, main: str) -> Source:
    try:
        return read_tree(Entry(submission.stem, submission).tree(), main)
    except (NoSource, Unreadable) as missing:
        raise CannotReplay(str(missing)) from None
