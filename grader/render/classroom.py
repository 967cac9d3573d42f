"""One learner's reports as the result that GitHub Classroom's reporter adds up: a test for each step, with its points."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from grader.model import Report, StepResult, Verdict
from grader.render.rows import headline

LONGEST = 400
"""Characters of one message: the whole result has to fit into one variable of an environment (128 kB on Linux)."""


def classroom_result(reports: Sequence[Report]) -> str:
    """Base64, as a step of a workflow hands it on. The maximum is there whatever was handed in."""
    results = [(report, result) for report in reports for result in report.results]
    passed = all(result.verdict is Verdict.PASSED for _, result in results)
    content = {
        "version": 1,
        "status": "pass" if passed else "fail",
        "max_score": sum(result.points for _, result in results),
        "tests": [
            {
                "name": result.step,
                "status": _status(result),
                "score": result.earned,
                "message": None if result.verdict is Verdict.PASSED else _message(result),
                "test_code": "",
                "filename": report.source.file,
                "line_no": 0,
                "duration": 0,
            }
            for report, result in results
        ],
    }
    return base64.b64encode(json.dumps(content, ensure_ascii=False).encode()).decode()


def _status(result: StepResult) -> str:
    if result.verdict is Verdict.PASSED:
        return "pass"
    return "error" if result.verdict in (Verdict.BROKEN, Verdict.GRADER_FAULT) else "fail"


def _message(result: StepResult) -> str:
    why = result.diagnosis.title if result.diagnosis else result.reason
    return "\n".join(filter(None, [headline(result), why, result.next]))[:LONGEST]
