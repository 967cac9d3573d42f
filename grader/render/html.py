"""A report as HTML that survives distrust: no style sheet, no script, no heading, hex colours in borders only.

JupyterLab sanitizes the outputs of a notebook it does not trust; what is used here is what it lets through.
"""

from __future__ import annotations

import functools
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.model import Report, Verdict
from grader.render import rows

COLOURS = {
    Verdict.PASSED: "#2e9e5b",
    Verdict.NEEDS_WORK: "#d9822b",
    Verdict.NOT_STARTED: "#8a8f98",
    Verdict.BROKEN: "#d64545",
    Verdict.BLOCKED: "#8a8f98",
    Verdict.GRADER_FAULT: "#8b5cf6",
}
"""Accents that read on a white and on a black page; the verdict is always said in words as well."""


_SENTENCES = ("tried", "what", "likely", "next", "notice", "where", "remark")
"""Rows whose backticks are ours; in the others they may stand in a learner's values."""


@functools.cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("grader.render"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        headline=rows.headline,
        totals=rows.totals,
        rows_of=rows.rows_of,
        in_detail=rows.in_detail,
        marked=_marked,
        colour=lambda verdict: COLOURS[verdict],
        symbol=lambda verdict: rows.SYMBOLS[verdict],
    )
    made.filters["ticked"] = ticked
    return made


def report_html(report: Report) -> str:
    """The fragment that a notebook shows: a section for one step; a table of verdicts, then details, for several."""
    return environment().get_template("report.html").render(report=report, shown=rows.in_detail(report))


def page_html(template: str, **content: Any) -> str:
    """A whole page, with a style sheet of its own: for files that a browser opens, not for notebooks."""
    return environment().get_template(template).render(**content)


def ticked(text: str) -> Markup:
    """A sentence as HTML, in which what stands between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    )


def _marked(row: rows.Row) -> Markup:
    """A row's text, with the first difference marked and said in words."""
    if row.mark is None or row.mark >= len(row.text):
        return ticked(row.text) if row.label in _SENTENCES else escape(row.text)
    head, at, tail = row.text[: row.mark], row.text[row.mark : row.mark + 12], row.text[row.mark + 12 :]
    words = Markup(" <small>(first difference marked)</small>") if row.label == "got" else Markup("")
    return Markup("{}<mark>{}</mark>{}{}").format(head, at, tail, words)
