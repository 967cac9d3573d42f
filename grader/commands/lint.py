"""`lint`: what every notebook, starter and solution of this checkout must be. With `fix`, notebooks become canonical."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import nbformat

from grader import catalog
from grader.model import Lab
from grader.workspace import Workspace

_METADATA = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
_CELL_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
MOST_LINES = 12
MOST_WORDS = 130


def lint(root: Path | None = None, *, fix: bool = False) -> list[str]:
    """One sentence for each thing that is not as it should be."""
    space = Workspace(root) if root else Workspace.here()
    complaints = [told for file in sorted(space.labs.glob("*.ipynb")) for told in lint_notebook(file, fix=fix)]
    for lab in catalog.labs():
        complaints += _lint_lab(space, lab)
    return complaints


def _lint_lab(space: Workspace, lab: Lab) -> list[str]:
    told = []
    if space.solution(lab) is None:
        told.append(f"solutions/{lab.file} is missing.")
    starters = Path(__file__).resolve().parent.parent / "labs" / lab.slug / "starter"
    for starter in sorted(starters.glob("*.py")):
        mine = space.labs / lab.slug / starter.name
        if not mine.is_file() or mine.read_bytes() != starter.read_bytes():
            told.append(f"labs/{lab.slug}/{starter.name} differs from grader/labs/{lab.slug}/starter/{starter.name}.")
    if not any(starters.glob("*.py")):
        told.append(f"grader/labs/{lab.slug}/starter is missing.")
    return told


def lint_notebook(file: Path, *, fix: bool = False) -> list[str]:
    """What is wrong with one notebook. `fix` writes it in its canonical form first."""
    book: Any = nbformat.read(file, as_version=4)
    if fix:
        _clean(book)
        file.write_text(canonical(book), encoding="utf-8", newline="\n")
    told = [] if file.read_text(encoding="utf-8") == canonical(book) else [f"{file.name} is not canonical: lint --fix."]
    if dict(book.metadata) != _METADATA:
        told.append(f"{file.name} has other metadata than the kernel python3: lint --fix.")
    seen: set[str] = set()
    for cell in book.cells:
        told += [f"{file.name}, cell {cell.id}: {what}" for what in _complaints(cell)]
        if cell.id in seen:
            told.append(f"{file.name}, cell {cell.id}: the id is used twice.")
        seen.add(cell.id)
    return told


def canonical(book: Any) -> str:
    """The one way in which a notebook is written: one space of indent, keys sorted, a newline at the end."""
    return str(nbformat.writes(book, indent=1, sort_keys=True, ensure_ascii=False)).rstrip("\n") + "\n"


def _clean(book: Any) -> None:
    book.metadata = nbformat.NotebookNode(_METADATA)
    book.nbformat_minor = 5
    for cell in book.cells:
        cell.metadata = nbformat.NotebookNode()
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


def _complaints(cell: Any) -> list[str]:
    told = []
    if not _CELL_ID.fullmatch(cell.id):
        told.append("its id does not speak (such as agstate-append-check).")
    if cell.metadata:
        told.append("it has metadata.")
    if cell.cell_type == "code":
        told += _code_complaints(cell)
    elif len(cell.source.split()) > MOST_WORDS and "```" not in cell.source:
        told.append(f"it has more than {MOST_WORDS} words.")
    return told


def _code_complaints(cell: Any) -> list[str]:
    told = []
    if cell.outputs or cell.execution_count is not None:
        told.append("it has outputs or a count.")
    if len([line for line in cell.source.splitlines() if line.strip()]) > MOST_LINES:
        told.append(f"it has more than {MOST_LINES} lines.")
    if "draw_mermaid_png" in cell.source:
        told.append("draw_mermaid_png needs the network; use show().")
    if re.search(r"^\s*[%!]", cell.source, re.MULTILINE):
        told.append("it uses a magic or a shell command.")
    if _ends_with_a_bare_graph(cell.source):
        told.append("a compiled graph at the end of a cell is drawn over the network; use show().")
    return told


def _ends_with_a_bare_graph(source: str) -> bool:
    """Whether the value that the cell shows is what `compile()` gave, directly or by the name it was given to."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return False
    if not body or not isinstance(body[-1], ast.Expr):
        return False
    shown = body[-1].value
    if isinstance(shown, ast.Name):
        for node in body:
            if isinstance(node, ast.Assign) and any(
                isinstance(to, ast.Name) and to.id == shown.id for to in node.targets
            ):
                return _compiles(node.value)
    return _compiles(shown)


def _compiles(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "compile"
