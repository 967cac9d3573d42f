"""One learner's report as a mark: what a course system takes. A report without a finished grading gives none, never 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Report, StepResult, Verdict
from grader.render.rows import totals


@dataclass(frozen=True)
class Mark:
    """Points earned of those possible. `without` says why there is no mark; then the points mean nothing."""

    learner: str
    earned: int = 0
    possible: int = 0
    without: str = ""
    feedback: str = ""

    @property
    def share(self) -> float:
        return self.earned / self.possible


def mark_of(learner: str, reports: Sequence[Report], lab: str | None = None) -> Mark:
    """The mark over all labs of a learner, or in one of them."""
    asked = [report for report in reports if lab in (None, report.lab)]
    if not asked:
        return Mark(learner, without=f"was not graded in {lab}")
    faults = faults_of(asked)
    if faults:
        return Mark(learner, without=f"met a fault of the grader in {', '.join(faults)}")
    possible = sum(report.points for report in asked)
    if possible == 0:
        return Mark(learner, without="was graded in steps without points")
    earned = sum(report.earned for report in asked)
    return Mark(learner, earned, possible, feedback="\n".join(feedback_of(asked)))


def without(marks: Sequence[Mark]) -> list[str]:
    """A sentence for everybody who gets no mark."""
    return [f"{mark.learner} {mark.without}: no mark is filled in." for mark in marks if mark.without]


def faults_of(reports: Sequence[Report]) -> list[str]:
    """The steps in which the grader failed."""
    return [result.step for report in reports for result in report.results if result.verdict is Verdict.GRADER_FAULT]


def feedback_of(reports: Sequence[Report]) -> list[str]:
    """One or two lines for a learner, in our own words only: a learner's values could be markup where they are shown."""
    lines = ["; ".join(f"{report.lab}: {totals(report)}" for report in reports)]
    first = next((result for report in reports for result in report.results if _open(result)), None)
    if first:
        belief = f" {first.diagnosis.title}." if first.diagnosis else ""
        lines.append(f"First: {first.step}, {first.verdict} ({first.title}).{belief}")
    return lines


def _open(result: StepResult) -> bool:
    return result.verdict is not Verdict.PASSED
