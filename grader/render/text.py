"""A report as plain text, for terminals, logs and screen readers: verdict first, one line a fact, nothing but words."""

from __future__ import annotations

import textwrap

from grader.model import Report, StepResult, Verdict
from grader.render.rows import SYMBOLS, Row, headline, in_detail, rows_of, totals

WIDTH = 100
_LABEL = 9
_PRINTED_LINES = 8


def report_text(report: Report) -> str:
    """All steps of a report. Several steps open with a table of verdicts; details follow for those that did not pass."""
    if len(report.results) == 1:
        return step_text(report, report.results[0])
    lines = [f"{report.lab} · {totals(report)} · {report.title}", ""]
    wide = max(len(result.step) for result in report.results)
    for result in report.results:
        mark = f"{SYMBOLS[result.verdict]} {result.verdict!s:12}"
        lines.append(f"  {mark} {result.step:{wide}}  {result.title}")
    shown = in_detail(report)
    lines += [f"\n{step_text(report, result)}" for result in shown[:3]]
    if len(shown) > 3:
        more = f"{len(shown) - 3} more step{'s' if len(shown) > 4 else ''} did not pass"
        lines.append(f"\n{more}; check them one by one, from the top.")
    lines.append(f"\nseed {report.seed}")
    return "\n".join(lines)


def step_text(report: Report, result: StepResult) -> str:
    lines = [headline(result)]
    for row in rows_of(report, result):
        lines.append(_row(row))
    if result.printed and result.verdict is not Verdict.PASSED:
        lines.append(_printed(result.printed))
    return "\n".join(lines)


def _row(row: Row) -> str:
    indent = " " * _LABEL
    text = textwrap.fill(
        row.text, WIDTH, initial_indent=f"{row.label:{_LABEL}}", subsequent_indent=indent, break_on_hyphens=False
    )
    if row.label == "got" and row.mark is not None and "\n" not in text:
        text += f"\n{indent}{' ' * row.mark}^ first difference"
    return text or row.label


def _printed(text: str) -> str:
    lines = text.rstrip().splitlines()
    shown = lines[-_PRINTED_LINES:]
    more = f" (the last {_PRINTED_LINES} of {len(lines)} lines)" if len(lines) > _PRINTED_LINES else ""
    return f"printed{more}\n" + "\n".join(f"  | {line[:WIDTH]}" for line in shown)
