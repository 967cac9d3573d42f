"""Write what a grading found: whole files or nothing, the same bytes for the same seed, whatever the number of workers."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from grader.cohort.grade import Graded
from grader.model import Lab, Verdict
from grader.render import html

HALF = ".half"
"""How the name of a file ends that is still being written: what a killed run left of these may be swept away."""

_RISKY = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Line:
    """What is kept of one learner for the tables over all: no evidence, so that thousands fit into memory."""

    learner: str
    earned: int
    possible: int
    verdicts: tuple[str, ...]
    codes: tuple[str, ...]
    titles: dict[str, str]

    @property
    def passed(self) -> bool:
        return all(verdict == str(Verdict.PASSED) for verdict in self.verdicts)

    @property
    def faulty(self) -> bool:
        return str(Verdict.GRADER_FAULT) in self.verdicts


def line_of(graded: Graded) -> Line:
    results = graded.results
    told = {result.diagnosis.code: result.diagnosis.title for result in results if result.diagnosis}
    return Line(
        graded.learner,
        graded.earned,
        graded.points,
        tuple(str(result.verdict) for result in results),
        tuple(result.diagnosis.code if result.diagnosis else "" for result in results),
        told,
    )


def summary(lines: Sequence[Line], labs: Sequence[Lab], out: Path) -> None:
    """`summary.csv`: a row for each learner, a column for each step. For course systems and spreadsheets."""
    steps = [step.id for lab in labs for step in lab.steps]
    rows = [["learner", "earned", "possible", *steps]]
    rows += [[line.learner, str(line.earned), str(line.possible), *line.verdicts] for line in lines]
    whole(out / "summary.csv", _csv(rows), "utf-8-sig")


@dataclass(frozen=True)
class Belief:
    """How many learners a diagnosis was given to, in one step."""

    code: str
    title: str
    learners: int


@dataclass(frozen=True)
class StepCount:
    """One step over all learners: how many passed, and which beliefs are common."""

    step: str
    title: str
    verdicts: dict[str, int]
    beliefs: Sequence[Belief]


def counts_of(lines: Sequence[Line], labs: Sequence[Lab]) -> list[StepCount]:
    counted = []
    titles = {code: title for line in lines for code, title in line.titles.items()}
    for place, step in enumerate(step for lab in labs for step in lab.steps):
        verdicts = Counter(line.verdicts[place] for line in lines)
        codes = Counter(line.codes[place] for line in lines if line.codes[place])
        beliefs = [
            Belief(code, titles[code], many)
            for code, many in sorted(codes.items(), key=lambda each: (-each[1], each[0]))
        ]
        counted.append(StepCount(step.id, step.title, dict(sorted(verdicts.items())), beliefs))
    return counted


def overview(
    lines: Sequence[Line], labs: Sequence[Lab], seed: str, isolation: str, notes: Sequence[str], out: Path
) -> None:
    """`report.html` over all learners, and `beliefs.csv`: what the class believes, step by step."""
    counts = counts_of(lines, labs)
    page = html.page_html(
        "cohort.html",
        lines=lines,
        labs=labs,
        counts=counts,
        seed=seed,
        isolation=isolation,
        notes=notes,
        verdicts={str(verdict): verdict for verdict in Verdict},
        address=_address,
    )
    whole(out / "report.html", page)
    rows = [["step", "diagnosis", "title", "learners"]]
    rows += [[count.step, each.code, each.title, str(each.learners)] for count in counts for each in count.beliefs]
    whole(out / "beliefs.csv", _csv(rows), "utf-8-sig")


def whole(target: Path, text: str, encoding: str = "utf-8") -> None:
    """Write a file so that a reader sees the old or the new one, never half of it."""
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-", suffix=HALF)
    try:
        # A file's name may hold bytes that are no text: they are shown, and stop nothing.
        with os.fdopen(descriptor, "w", encoding=encoding, errors="backslashreplace", newline="") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([[_harmless(cell) for cell in row] for row in rows])
    return text.getvalue()


def _harmless(cell: str) -> str:
    """A learner's name must not become a formula in a spreadsheet."""
    return f"'{cell}" if cell.startswith(_RISKY) else cell


def _address(learner: str) -> str:
    return f"{quote(learner)}/report.html"
