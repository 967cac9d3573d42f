"""Reports as JUnit XML: a suite for each learner and lab, a case for each step.

A step is never `skipped`: tools leave skipped ones out of the total, and whoever handed in nothing would look green.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from grader.model import Report, StepResult, Verdict
from grader.render.rows import headline
from grader.render.text import step_text

_ERRORS = (Verdict.BROKEN, Verdict.GRADER_FAULT)
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(learners: Iterable[Sequence[Report]]) -> str:
    """One document. What did not pass is a failure; what is broken, or our fault, is an error of that type."""
    suites: list[str] = []
    all_results: list[StepResult] = []
    for reports in learners:
        for report in reports:
            suites.append(_suite(report))
            all_results += report.results
    head = f"<testsuites name={_attribute('langgraph-teaching-lab')} {_counts(all_results)}>"
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>\n"])


def _suite(report: Report) -> str:
    name = f"{report.learner}.{report.lab}"
    cases = [_case(name, report, result) for result in report.results]
    lines = [f"<testsuite name={_attribute(name)} {_counts(report.results)}>", *cases, "</testsuite>"]
    return "\n".join(lines)


def _case(suite: str, report: Report, result: StepResult) -> str:
    opened = f"<testcase classname={_attribute(suite)} name={_attribute(result.step)}"
    if result.verdict is Verdict.PASSED:
        return f"{opened}/>"
    kind = "error" if result.verdict in _ERRORS else "failure"
    said = f"type={_attribute(str(result.verdict))} message={_attribute(_message(result))}"
    return f"{opened}><{kind} {said}>{escape(_legal(step_text(report, result)))}</{kind}></testcase>"


def _message(result: StepResult) -> str:
    return result.diagnosis.title if result.diagnosis else result.reason or headline(result)


def _counts(results: Sequence[StepResult]) -> str:
    errors = sum(result.verdict in _ERRORS for result in results)
    failures = sum(result.verdict is not Verdict.PASSED for result in results) - errors
    return f'tests="{len(results)}" failures="{failures}" errors="{errors}" skipped="0"'


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))


def _legal(text: str) -> str:
    """XML has no way to write most control characters: they become a sign that says so."""
    return _ILLEGAL.sub("\ufffd", text)
