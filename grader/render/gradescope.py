"""One learner's reports as Gradescope's `results.json`: a visible test for each step, no hidden ones."""

from __future__ import annotations

import json
from collections.abc import Sequence

from grader.model import Json, Report, StepResult, Verdict
from grader.render.marks import faults_of
from grader.render.rows import totals
from grader.render.text import step_text


def results_json(reports: Sequence[Report]) -> str:
    """The file as text. After a fault of the grader no score is in it anywhere: Gradescope then reports that the

    autograder failed, instead of a grade that counts our fault against the learner.
    """
    faults = faults_of(reports)
    tests = [
        _test(report, result, f"{lab}.{number}", scored=not faults)
        for lab, report in enumerate(reports, 1)
        for number, result in enumerate(report.results, 1)
    ]
    lines = [f"{report.lab}: {totals(report)}." for report in reports]
    if faults:
        lines = [no_score(f"in {', '.join(faults)}"), *lines]
    content = {
        "output": "\n".join([*lines, f"Seed {reports[0].seed}. {reports[0].isolation}"]),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {"seed": reports[0].seed, "grader_faults": faults},
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def no_score(where: str) -> str:
    return (
        f"The grader itself failed {where}. This is not your fault, and no score is given. "
        "Tell your instructor, who can run the autograder again."
    )


def _test(report: Report, result: StepResult, number: str, *, scored: bool) -> dict[str, Json]:
    test: dict[str, Json] = {
        "number": number,
        "name": f"{result.step}: {result.title}",
        "output": step_text(report, result),
        "visibility": "visible",
        "extra_data": {"verdict": str(result.verdict)},
    }
    if result.verdict is not Verdict.GRADER_FAULT:
        test["status"] = "passed" if result.verdict is Verdict.PASSED else "failed"
    if scored:
        test |= {"score": result.earned, "max_score": result.points}
    return test
