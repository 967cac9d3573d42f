"""Read back what a grading wrote: the reports of a folder, one learner after the other, so that memory stays flat."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.cohort.run import NOTE
from grader.model import Report
from grader.render.json_form import NoReport, reports_of


@dataclass(frozen=True)
class Reported:
    """One learner's reports; without any, `without` says why."""

    learner: str
    reports: Sequence[Report] = ()
    without: str = ""


def read_report(file: Path) -> Reported:
    """One `report.json`, or the folder that holds it. Raises NoReport."""
    file = file / "report.json" if file.is_dir() else file
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoReport("it is not there") from None
    except (OSError, ValueError) as error:
        raise NoReport(f"it cannot be read ({error})") from None
    reports = reports_of(told)
    return Reported(reports[0].learner, reports)


def read_folder(folder: Path) -> Iterator[Reported]:
    """Everybody of whom there is a report, or of whom a grading was begun, by name."""
    begun = _begun(folder)
    found = {file.parent.name for file in folder.glob("*/report.json")}
    for learner in sorted(found | set(begun)):
        if learner not in found:
            yield Reported(learner, without="was handed in, and its grading did not end")
            continue
        try:
            yield read_report(folder / learner)
        except NoReport as broken:
            yield Reported(learner, without=f"has a report that is of no use: {broken}")


def _begun(folder: Path) -> list[str]:
    try:
        submissions = json.loads((folder / NOTE).read_text(encoding="utf-8"))["submissions"]
        return [str(name) for name in submissions]
    except (OSError, ValueError, KeyError, TypeError):
        return []
