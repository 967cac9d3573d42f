"""Tables as CSV that a spreadsheet cannot take for formulas, and the sheets that a course system gave us to fill in."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")
BOM = "\ufeff"


class CannotFill(Exception):
    """The sheet cannot be filled in; the text says why, and what to give instead."""


def harmless(cell: str) -> str:
    """A text that a learner may have chosen must not become a formula in a spreadsheet."""
    return f"'{cell}" if cell.startswith(_RISKY) else cell


def csv_text(rows: Sequence[Sequence[str]], delimiter: str = ",") -> str:
    """RFC 4180. Cells are written as they are: pass those that others chose through `harmless`."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


@dataclass(frozen=True)
class Sheet:
    """A table that somebody downloaded, and the way in which it was written, so that it is written so again."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    delimiter: str = ","
    marked: bool = False
    """Whether it began with a byte order mark."""

    def text(self) -> str:
        return (BOM if self.marked else "") + csv_text([self.header, *self.rows], self.delimiter)

    def with_rows(self, rows: Sequence[Sequence[str]]) -> Sheet:
        return replace(self, rows=rows)


def read_sheet(content: bytes, name: str) -> Sheet:
    """Comma or semicolon, with or without a byte order mark. Every row is as long as the header. Raises CannotFill."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise CannotFill(f"{name} is not UTF-8. Give the file as it was downloaded, or save it as CSV UTF-8.") from None
    marked, text = text.startswith(BOM), text.removeprefix(BOM)
    first = text.partition("\n")[0]
    delimiter = max(",;", key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if row]
    except csv.Error as error:
        raise CannotFill(f"{name} is no CSV ({error}). Give the file as it was downloaded.") from None
    if len(rows) < 2:
        raise CannotFill(f"{name} has no rows to fill in. Give the file as it was downloaded.")
    wide = len(rows[0])
    if any(len(row) > wide for row in rows):
        raise CannotFill(f"{name} has rows longer than its header. Give the file as it was downloaded.")
    filled = [row + [""] * (wide - len(row)) for row in rows]
    return Sheet(filled[0], filled[1:], delimiter, marked)


def number(text: str) -> float | None:
    """What a cell such as `100`, `92.50` or `92,50` says; None for everything else."""
    plain = text.strip().replace(",", ".")
    return float(plain) if re.fullmatch(r"\d+(\.\d+)?", plain) else None


def decimals(value: float, comma: bool) -> str:
    """Two decimals, with the decimal sign of the sheet."""
    shown = f"{value:.2f}"
    return shown.replace(".", ",") if comma else shown


def writes_commas(cells: Sequence[str]) -> bool:
    """Whether numbers in these cells have a decimal comma."""
    return any(re.fullmatch(r"\d+,\d+", cell.strip()) for cell in cells)
