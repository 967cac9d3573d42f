"""A small table of labelled lines with a title: the form of everything a learner is told that is not a report."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.render.html import environment

_WIDTH = 100
_CODE = re.compile(r"(from|import|class|def|return|graph\.|@|\w+ = )\b")


@dataclass(frozen=True)
class Line:
    """One labelled line. `code` text keeps its spaces and is set in a fixed width."""

    label: str
    text: str
    code: bool = False


@dataclass(frozen=True)
class Panel:
    """A title that says it all, and lines that say more. `accent` is the colour of its edge."""

    title: str
    lines: Sequence[Line] = field(default=())
    accent: str = "#5b8def"


def panel_html(panel: Panel) -> str:
    return environment().get_template("panel.html").render(panel=panel, paragraphs=paragraphs)


def panel_text(panel: Panel) -> str:
    """The title, then the lines, each under its label."""
    wide = max((len(line.label) + 2 for line in panel.lines if line.label), default=0)
    return "\n".join([panel.title, *(_line(line, wide) for line in panel.lines)])


def paragraphs(line: Line) -> list[tuple[str, bool]]:
    """The parts of a line's text between blank lines, each with whether it is code."""
    if line.code:
        return [(line.text, True)]
    return [(part, "\n" in part or _CODE.match(part) is not None) for part in line.text.split("\n\n")]


def _line(line: Line, wide: int) -> str:
    room = _WIDTH - wide
    told = [
        part if is_code else textwrap.fill(part, room, break_on_hyphens=False, break_long_words=False)
        for part, is_code in paragraphs(line)
    ]
    gap = " " * wide
    return f"{line.label:{wide}}" + textwrap.indent("\n\n".join(told), gap)[wide:]
