"""What a verb gives back in a notebook: an object that shows itself as HTML, and as plain text everywhere else."""

from __future__ import annotations

from typing import Any

from grader.model import Report
from grader.render.panel import Panel, panel_html, panel_text
from grader.render.text import report_text


class Told:
    """A panel: hints, predictions, progress, and whatever else is said to a learner."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel

    def __repr__(self) -> str:
        return panel_text(self.panel)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": panel_html(self.panel), "text/plain": repr(self)}


class Checked:
    """The report of a check. `passed` says whether every step asked for passed; `report` holds all of it."""

    def __init__(self, report: Report) -> None:
        self.report = report

    @property
    def passed(self) -> bool:
        return self.report.passed

    def __repr__(self) -> str:
        return report_text(self.report)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from grader.render.html import report_html

        return {"text/html": report_html(self.report), "text/plain": repr(self)}
