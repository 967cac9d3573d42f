"""What a whole class says about each step: how many passed, which beliefs are common, how hard it is, what it tells apart."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.cohort.grade import Graded
from grader.model import Lab, Verdict

ENOUGH = 10
"""Learners below whom a correlation says nothing."""


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


@dataclass(frozen=True)
class Belief:
    """How many learners a diagnosis was given to, in one step."""

    code: str
    title: str
    learners: int


@dataclass(frozen=True)
class StepCount:
    """One step over all learners. Who met a fault of the grader counts neither as passed nor as not passed."""

    step: str
    title: str
    verdicts: dict[str, int]
    beliefs: Sequence[Belief]
    counted: int
    discrimination: float | None
    """How far those who pass this step pass more of the others: -1 to 1. None where nothing can be said."""

    @property
    def passed(self) -> int:
        return self.verdicts.get(str(Verdict.PASSED), 0)

    @property
    def share(self) -> float | None:
        return self.passed / self.counted if self.counted else None


def counts_of(lines: Sequence[Line], labs: Sequence[Lab]) -> list[StepCount]:
    titles = {code: title for line in lines for code, title in line.titles.items()}
    counted = []
    for place, step in enumerate(step for lab in labs for step in lab.steps):
        verdicts = Counter(line.verdicts[place] for line in lines)
        codes = Counter(line.codes[place] for line in lines if line.codes[place])
        beliefs = [
            Belief(code, titles[code], many)
            for code, many in sorted(codes.items(), key=lambda each: (-each[1], each[0]))
        ]
        judged = len(lines) - verdicts[str(Verdict.GRADER_FAULT)]
        told = discrimination([line for line in lines if not line.faulty], place)
        counted.append(StepCount(step.id, step.title, dict(sorted(verdicts.items())), beliefs, judged, told))
    return counted


def discrimination(lines: Sequence[Line], place: int) -> float | None:
    """The correlation of passing one step with the number of other steps passed (point-biserial, the step left out)."""
    if len(lines) < ENOUGH:
        return None
    word = str(Verdict.PASSED)
    passed = [line.verdicts[place] == word for line in lines]
    others = [line.verdicts.count(word) - one for line, one in zip(lines, passed, strict=True)]
    spread, share = statistics.pstdev(others), sum(passed) / len(passed)
    if not spread or not 0 < share < 1:
        return None
    with_it = statistics.fmean(other for other, one in zip(others, passed, strict=True) if one)
    without = statistics.fmean(other for other, one in zip(others, passed, strict=True) if not one)
    return (with_it - without) / spread * math.sqrt(share * (1 - share))
