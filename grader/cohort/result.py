"""One graded learner as plain data: what a worker hands back, what the journal keeps, what the tables are made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from grader.cohort.grade import Graded
from grader.cohort.items import Line, line_of
from grader.model import Json
from grader.render import html, json_form


@dataclass(frozen=True)
class Result:
    """A learner's line in the tables, the notes for the instructor, and the reports as text, by file name."""

    line: Line
    notes: tuple[str, ...]
    level: int
    isolation: str
    """How far the submission was held apart, as a level and in a sentence."""
    pages: Mapping[str, str]

    @property
    def learner(self) -> str:
        return self.line.learner


def result_of(graded: Graded) -> Result:
    content = json_form.learner_json(graded.learner, graded.reports, graded.notes)
    page = html.page_html("learner.html", learner=graded.learner, reports=graded.reports, notes=graded.notes)
    pages = {"report.json": json.dumps(content, ensure_ascii=False, indent=1) + "\n", "report.html": page}
    lowest = min((report.isolation for report in graded.reports), key=lambda isolation: isolation.level)
    return Result(line_of(graded), tuple(graded.notes), lowest.level, lowest.sentence, pages)


def as_plain(result: Result) -> dict[str, Json]:
    return asdict(result)


def from_plain(plain: Mapping[str, Json]) -> Result:
    """The same result again. Raises TypeError, KeyError or AttributeError for what never was one."""
    line: dict[str, Any] = {key: tuple(part) if isinstance(part, list) else part for key, part in plain["line"].items()}
    return Result(
        Line(**line), tuple(plain["notes"]), int(plain["level"]), str(plain["isolation"]), dict(plain["pages"])
    )
