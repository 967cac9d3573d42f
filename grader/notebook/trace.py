"""`trace`: run a graph and show its supersteps as rows and its keys as columns."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from grader.notebook.show import compiled
from grader.notebook.timeline import NOTHING, Cell, Column, Row, columns_of, rows_of, short
from grader.render.html import environment

MOST_ROWS = 20
"""Rows that are shown; a longer run is cut in the middle, and the cut says how much is left out."""

_WIDEST = 34


class Timeline:
    """The rows of one run. `rows` and `columns` are plain data; the rest is how they are shown."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        self.columns = columns
        self.rows = rows

    def __repr__(self) -> str:
        head = ["", "ran", *(f"{column.key}\n({column.rule})" for column in self.columns)]
        table = [head, *(self._texts(row) for row in self._shown() if not _only_a_note(row))]
        wide = [max(_width(cells[place]) for cells in table) for place in range(len(head))]
        lines = [_line(head, wide), "  ".join("-" * each for each in wide)]
        for row in self._shown():
            lines.append(f"{row.label}: {row.note}" if _only_a_note(row) else _line(self._texts(row), wide))
            if row.note and not _only_a_note(row):
                lines.append(f"  ^ {row.note}")
        return "\n".join(lines)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        html = environment().get_template("trace.html").render(
            columns=self.columns, rows=self._shown(), value=short, nothing=NOTHING, only_a_note=_only_a_note
        )  # fmt: skip
        return {"text/html": html, "text/plain": repr(self)}

    def _shown(self) -> Sequence[Row]:
        cut = len(self.rows) - MOST_ROWS
        if cut <= 1:
            return self.rows
        half = MOST_ROWS // 2
        return [*self.rows[:half], Row("cut", "...", note=f"{cut} more supersteps"), *self.rows[half + cut :]]

    def _texts(self, row: Row) -> list[str]:
        return [row.label, "\n".join(row.ran), *(_cell_text(row.cells.get(column.key)) for column in self.columns)]


def trace(graph: Any, inputs: Any = None, config: Mapping[str, Any] | None = None) -> Timeline:
    """Run `graph` and tell each superstep. `inputs` is a dict, `Command(resume=...)`, or None to go on with a thread.

    What the run raises becomes the last row. Raises TypeError for what is no graph.
    """
    ready = compiled(graph, "trace")
    return Timeline(columns_of(ready), rows_of(ready, inputs, config))


def _only_a_note(row: Row) -> bool:
    return not row.cells and bool(row.note)


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    writes = [f"{name} wrote {short(value)}" for name, value in cell.writes]
    told = [line for each in writes for line in _folded(each)]
    after = short(cell.value)
    return "\n".join([*told, *_folded(f"= {after}" if told and after else after)])


def _folded(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDEST, break_on_hyphens=False) or []


def _width(text: str) -> int:
    return max(map(_places, text.split("\n")))


def _places(line: str) -> int:
    """How many places a line takes: a Korean or Chinese letter takes two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in line)


def _line(cells: Sequence[str], wide: Sequence[int]) -> str:
    parts = [cell.split("\n") for cell in cells]
    height = max(map(len, parts))
    rows = [[part[place] if place < len(part) else "" for part in parts] for place in range(height)]
    return "\n".join(
        "  ".join(text + " " * (wide[at] - _places(text)) for at, text in enumerate(row)).rstrip() for row in rows
    )
