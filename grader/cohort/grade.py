"""Read one learner's submission, and grade what was read. Whatever happens on the way becomes a verdict."""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.cohort.intake import Entry
from grader.grading import check, isolation_of
from grader.model import Isolation, Lab, Report, SourceNote, StepResult, Verdict
from grader.referee.players import Players
from grader.referee.source import NoSource, Source, read_tree
from grader.referee.trees import Unreadable

_OURS = "The grader itself failed here; this does not count against the learner."


@dataclass(frozen=True)
class Submission:
    """One learner's files as they were read, by lab, or why there are none. It needs no file any more: it can travel."""

    learner: str
    sources: Mapping[str, Source] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """A line for each part of it that was not taken."""
    unreadable: str = ""
    """Why nothing of it could be read."""
    fault: str = ""
    """The traceback, where the grader itself failed to read it."""

    @property
    def digest(self) -> str:
        """SHA-256 over all that a report can depend on: two submissions with one digest get the same report."""
        read = {slug: [each.main, each.shown, each.remarks, each.digest] for slug, each in self.sources.items()}
        told = [self.learner, read, dict(self.missing), self.left_out, self.unreadable, self.fault]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Graded:
    """What came of one learner: a report for each lab, and what an instructor should be told in one line each."""

    learner: str
    reports: Sequence[Report]
    notes: Sequence[str] = ()

    @property
    def results(self) -> list[StepResult]:
        return [result for report in self.reports for result in report.results]

    @property
    def earned(self) -> int:
        return sum(report.earned for report in self.reports)

    @property
    def points(self) -> int:
        return sum(report.points for report in self.reports)


def read(entry: Entry, labs: Sequence[Lab]) -> Submission:
    """All that grading needs of a submission, read once and within caps."""
    try:
        return _read(entry, labs)
    except Exception:  # noqa: BLE001 - one submission that the grader cannot bear must not end the grading of all
        return Submission(entry.name, fault=traceback.format_exc(limit=-8))


def _read(entry: Entry, labs: Sequence[Lab]) -> Submission:
    try:
        tree = entry.tree()
    except Unreadable as broken:
        return Submission(entry.name, unreadable=str(broken))
    sources: dict[str, Source] = {}
    missing: dict[str, str] = {}
    for lab in labs:
        try:
            sources[lab.slug] = replace(read_tree(tree, lab.file), saved=None)
        except NoSource as nothing:
            missing[lab.slug] = str(nothing)
    return Submission(entry.name, sources, missing, tuple(tree.left_out))


def grade(submission: Submission, labs: Sequence[Lab], seed: str, players: Players) -> Graded:
    """Grade one submission in all labs. What cannot be read becomes a verdict with its reason."""
    name = submission.learner
    if submission.fault:
        return faulty(name, labs, seed, submission.fault, isolation_of(players))
    if submission.unreadable:
        reason = f"The submission was not read: {submission.unreadable}."
        reports = [_unread(lab, name, seed, Verdict.BROKEN, reason, isolation_of(players)) for lab in labs]
        return Graded(name, reports, [f"{name}: {submission.unreadable}."])
    try:
        return _grade(submission, labs, seed, players)
    except Exception:  # noqa: BLE001 - as above
        return faulty(name, labs, seed, traceback.format_exc(limit=-8), isolation_of(players))


def _grade(submission: Submission, labs: Sequence[Lab], seed: str, players: Players) -> Graded:
    name, reports = submission.learner, []
    notes = [f"{name}: {line}" for line in submission.left_out]
    for lab in labs:
        source = submission.sources.get(lab.slug)
        if source is None:
            reason = submission.missing[lab.slug]
            reports.append(_unread(lab, name, seed, Verdict.NOT_STARTED, reason, isolation_of(players)))
            notes.append(f"{name}: {reason}")
            continue
        notes += [f"{name}: {remark}" for remark in source.remarks]
        reports.append(check(lab, lab.steps, source, seed, players, learner=name, own=False))
    return Graded(name, reports, notes)


def faulty(learner: str, labs: Sequence[Lab], seed: str, told: str, isolation: Isolation) -> Graded:
    """The reports of a learner whom the grader failed; `told` is the traceback to send."""
    reports = []
    for lab in labs:
        report = _unread(lab, learner, seed, Verdict.GRADER_FAULT, _OURS, isolation)
        send = "Send us this report with the lines below."
        reports.append(replace(report, results=[replace(each, next=send, printed=told) for each in report.results]))
    return Graded(learner, reports, [f"{learner}: {_OURS}"])


def _unread(lab: Lab, learner: str, seed: str, verdict: Verdict, reason: str, isolation: Isolation) -> Report:
    """The report of a lab whose module could not be read."""
    results = [
        StepResult(step.id, step.title, verdict, step.points, seed, reason=reason, next=f"Hand in `{lab.file}`.")
        for step in lab.steps
    ]
    return Report(lab.slug, lab.title, learner, seed, isolation, SourceNote(lab.file, ""), results)
