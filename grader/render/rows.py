"""What every form of a report says of one step, as labelled lines: one place for the words, so that no two forms differ."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Json, Raised, Report, SourceNote, StepResult, Verdict

SHORT = 240
"""Characters of one value in a report; the rest is counted, never silently dropped."""

IMPORT = "import"
"""The name of the probe that is no probe: the module was imported, and that was not answered."""

SYMBOLS = {
    Verdict.PASSED: "✓",
    Verdict.NEEDS_WORK: "✗",
    Verdict.NOT_STARTED: "·",
    Verdict.BROKEN: "!",
    Verdict.BLOCKED: "–",
    Verdict.GRADER_FAULT: "?",
}


@dataclass(frozen=True)
class Row:
    """One line of a report: its label, its text, and where in the text the first difference is (None: nowhere)."""

    label: str
    text: str
    mark: int | None = None


def headline(result: StepResult) -> str:
    return f"{result.step} · {str(result.verdict).upper()} · {result.title}"


def rows_of(report: Report, result: StepResult) -> list[Row]:
    """The lines of one step, at most a dozen. A pass has its one sentence; everything else its evidence."""
    rows = [Row("file", saved(report.source))]
    if result.verdict is Verdict.PASSED:
        return [*rows, Row("notice", result.noticed), *_remarks(report, result)]
    rows += _evidence(result)
    others = sum(_unimported(each) for each in report.results) - 1
    if others > 0 and _unimported(result):
        rows.append(Row("so", f"None of the other {others} steps could be tried either."))
    if result.reason:
        rows.append(Row("what", result.reason))
    if result.diagnosis:
        told = result.diagnosis
        rows.append(Row("likely", f"{told.title}. {told.because} [{told.code}]"))
    if result.next:
        rows.append(Row("next", result.next + _ladder(result)))
    return [*rows, *_remarks(report, result), Row("replay", replay(report, result))]


def _evidence(result: StepResult) -> list[Row]:
    shown = result.counterexample
    if shown is None:
        return []
    rows = [Row("tried", shown.trial.tried)]
    if shown.finding:
        expected, actual = value(shown.finding.expected), value(shown.finding.actual)
        rows.append(Row("where", shown.finding.where))
        prose = _is_words(shown.finding.expected) or _is_words(shown.finding.actual)
        at = SHORT if prose else first_difference(expected, actual)
        rows += [Row("expected", _cut(expected), _within(at)), Row("got", _cut(actual), _within(at))]
    elif isinstance(shown.observation, Raised):
        rows += [Row("at", frame) for frame in shown.observation.frames[-2:]]
    return rows


def in_detail(report: Report) -> list[StepResult]:
    """A single step in full; of several those that did not pass, save what nobody has begun.

    A module that cannot be imported is one trouble and not ten: only its first step is told in full.
    """
    if len(report.results) == 1:
        return list(report.results)
    shown = [result for result in report.results if result.verdict not in (Verdict.PASSED, Verdict.NOT_STARTED)]
    unimported = [result for result in shown if _unimported(result)]
    return [result for result in shown if result not in unimported[1:]]


def _unimported(result: StepResult) -> bool:
    return result.counterexample is not None and result.counterexample.trial.probe == IMPORT


def _ladder(result: StepResult) -> str:
    asks = result.verdict is Verdict.NEEDS_WORK and "hint(" not in result.next
    return f' Need more? hint("{result.step}")' if asks else ""


def _remarks(report: Report, result: StepResult) -> list[Row]:
    return [Row("remark", remark) for remark in (*report.source.remarks, *result.remarks)]


def replay(report: Report, result: StepResult) -> str:
    tries = f"passed {result.tries - result.failures} of {result.tries} tries" if result.tries else "nothing was tried"
    return f'check("{result.step}", seed="{result.seed}")   {tries}'


def saved(note: SourceNote) -> str:
    """`labs/agstate/state.py, saved 4 s ago`."""
    return note.file if note.saved_seconds_ago is None else f"{note.file}, saved {ago(note.saved_seconds_ago)} ago"


def ago(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("hours", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def value(content: Json) -> str:
    """A plain value as Python would write it; a learner's object by its type and text."""
    if _is_words(content):
        return str(content["text"])
    if isinstance(content, dict) and set(content) == {"$type", "text"}:
        return f"{content['text']} (a {content['$type']})"
    return repr(content)


def _is_words(content: Json) -> bool:
    """Whether this is no value but a sentence about one."""
    return isinstance(content, dict) and set(content) == {"$type", "text"} and content["$type"] in ("absent", "words")


def first_difference(expected: str, actual: str) -> int:
    """The place of the first character in which two texts differ."""
    for place, (one, other) in enumerate(zip(expected, actual, strict=False)):
        if one != other:
            return place
    return min(len(expected), len(actual))


def totals(report: Report) -> str:
    """`3 of 10 steps passed: 5 needs work, 2 not started`."""
    passed = sum(result.verdict is Verdict.PASSED for result in report.results)
    others: dict[str, int] = {}
    for result in report.results:
        if result.verdict is not Verdict.PASSED:
            others[str(result.verdict)] = others.get(str(result.verdict), 0) + 1
    tail = ": " + ", ".join(f"{count} {word}" for word, count in others.items()) if others else ""
    return f"{passed} of {len(report.results)} steps passed{tail}"


def undelivered(results: Sequence[StepResult]) -> list[StepResult]:
    return [result for result in results if result.verdict is not Verdict.PASSED]


def as_json(content: Json) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=False)


def _cut(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[:SHORT]}... ({len(text) - SHORT} more characters)"


def _within(place: int) -> int | None:
    return place if place < SHORT else None
