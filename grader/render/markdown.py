"""A learner's reports as Markdown, for a comment on a pull request: a table of verdicts, the evidence folded below it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.model import Report, StepResult, Verdict
from grader.render.rows import SYMBOLS, totals
from grader.render.text import step_text

LONGEST = 60_000
"""Characters: GitHub takes 65,536 in one comment."""


def report_markdown(reports: Sequence[Report]) -> str:
    """All labs of a learner. What does not fit into a comment is counted, and left to the report."""
    lines = [f"### {plain(reports[0].learner)}", ""]
    for report in reports:
        lines += [f"**{report.lab}** · {plain(totals(report))} · {report.earned} of {report.points} points", ""]
        lines += ["| step | verdict | what it asks |", "|---|---|---|"]
        lines += [_row(result) for result in report.results]
        lines.append("")
    if any(result.verdict is Verdict.GRADER_FAULT for report in reports for result in report.results):
        lines += ["The grader itself failed in a step: that is not the learner's fault, and it is no 0.", ""]
    return "\n".join([*_details(reports, LONGEST - sum(map(len, lines)), lines), f"Seed {plain(reports[0].seed)}.", ""])


def _details(reports: Sequence[Report], room: int, lines: list[str]) -> list[str]:
    left_out = 0
    for report in reports:
        for result in report.results:
            if result.verdict in (Verdict.PASSED, Verdict.NOT_STARTED, Verdict.BLOCKED):
                continue
            told = _folded(report, result)
            room -= len(told)
            if room < 0:
                left_out += 1
            else:
                lines += [told, ""]
    return [*lines, f"{left_out} more steps are in the report itself.", ""] if left_out else lines


def _row(result: StepResult) -> str:
    return f"| `{result.step}` | {SYMBOLS[result.verdict]} {result.verdict} | {plain(result.title)} |"


def _folded(report: Report, result: StepResult) -> str:
    text = step_text(report, result)
    # A fence longer than any run of backticks inside: a learner's values cannot end it, and nothing in it is markup.
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"<details><summary>{result.step}: {result.verdict}</summary>\n\n{fence}text\n{text}\n{fence}\n\n</details>"


def plain(text: str) -> str:
    """A text in which nothing is markup, a mention, or the end of a table's cell."""
    kept = re.sub(r"([\\`*_{}\[\]()#+!|~>])", r"\\\1", " ".join(text.split()))
    return kept.replace("<", "&lt;").replace("@", "@\u200b")
