"""Write what a grading found: whole files or nothing, the same bytes for the same seed, whatever the number of workers."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from grader.cohort.alike import ALIKE, Group
from grader.cohort.items import ENOUGH, Line, counts_of
from grader.model import Lab, Verdict
from grader.render import html
from grader.render.csv_form import csv_text, harmless

HALF = ".half"
"""How the name of a file ends that is still being written: what a killed run left of these may be swept away."""


def summary(lines: Sequence[Line], labs: Sequence[Lab], out: Path) -> None:
    """`summary.csv`: a row for each learner, a column for each step. For course systems and spreadsheets."""
    steps = [step.id for lab in labs for step in lab.steps]
    rows = [["learner", "earned", "possible", *steps]]
    rows += [[line.learner, str(line.earned), str(line.possible), *line.verdicts] for line in lines]
    whole(out / "summary.csv", _csv(rows), "utf-8-sig")


def overview(
    lines: Sequence[Line],
    labs: Sequence[Lab],
    seed: str,
    isolation: str,
    notes: Sequence[str],
    alike: Sequence[Group],
    out: Path,
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
        alike=alike,
        least=round(100 * ALIKE),
        faulty=[line for line in lines if line.faulty],
        enough=ENOUGH,
        verdicts={str(verdict): verdict for verdict in Verdict},
        address=_address,
    )
    whole(out / "report.html", page)
    rows = [["step", "diagnosis", "title", "learners"]]
    rows += [[count.step, each.code, each.title, str(each.learners)] for count in counts for each in count.beliefs]
    whole(out / "beliefs.csv", _csv(rows), "utf-8-sig")


def whole(target: Path, text: str, encoding: str = "utf-8") -> None:
    """Write a text so that a reader sees the old or the new one, never half of it. Line ends stay as they are."""
    # A file's name may hold bytes that are no text: they are shown, and stop nothing.
    whole_bytes(target, text.encode(encoding, "backslashreplace"))


def whole_bytes(target: Path, content: bytes) -> None:
    """The same for bytes."""
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-", suffix=HALF)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _csv(rows: Sequence[Sequence[str]]) -> str:
    return csv_text([[harmless(cell) for cell in row] for row in rows])


def _address(learner: str) -> str:
    return f"{quote(learner)}/report.html"
