"""Every notebook runs from top to bottom, offline, with the starters and with the solutions, without one error cell."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from grader.commands.lint import lint
from tests.conftest import ROOT, copy_of_the_course

NOTEBOOKS = sorted(file.name for file in (ROOT / "labs").glob("*.ipynb"))
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*:DeprecationWarning"),  # nbclient's own libraries
]


def run(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The notebook after a run in a kernel that reaches no network."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tests" / "offline"))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    book = nbformat.read(root / "labs" / name, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(
        book, timeout=120, resources={"metadata": {"path": str(root / "labs")}}, kernel_name="python3"
    )
    client.execute()
    return book


def text_of(cell: Any) -> str:
    """All plain text that a cell shows."""
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
    return "\n".join(shown)


def errors_of(book: Any) -> list[str]:
    return [
        f"{cell.id}: {output}"
        for cell in book.cells
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    ]


def checks_of(book: Any) -> list[Any]:
    return [cell for cell in book.cells if cell.cell_type == "code" and cell.source.startswith('check("')]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_with_the_starters_and_nothing_passes_that_is_not_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = run(copy_of_the_course(tmp_path / "course"), name, monkeypatch)
    assert errors_of(book) == []
    for cell in checks_of(book):
        expected = "PASSED" if "agstart" in cell.source else "not started"
        assert expected.casefold() in text_of(cell).casefold()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_with_the_solutions_and_every_check_passes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = run(copy_of_the_course(tmp_path / "course", solved=True), name, monkeypatch)
    assert errors_of(book) == []
    for cell in checks_of(book):
        told = text_of(cell)
        assert "PASSED" in told or re.search(r"(\d+) of \1 steps passed", told), told


def test_the_kernels_of_these_tests_reach_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "import socket\nfor call in (lambda: socket.create_connection(('127.0.0.1', 80)), "
        "lambda: socket.socket().connect(('127.0.0.1', 80)), lambda: socket.getaddrinfo('localhost', 80)):\n"
        "    try:\n        call()\n    except OSError as error:\n        print(error)"
    )
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tests" / "offline"))
    book: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=60, resources={"metadata": {"path": str(tmp_path)}}, kernel_name="python3").execute()
    assert text_of(book.cells[0]).count("the tests run offline") == 3


@pytest.mark.parametrize(
    ("asked", "tells"),
    [
        ("agstate.p1", r"one line|last line|last write|replace"),
        ("agstate.p5", r"before anything runs|when the graph is made|refuse"),
        ("agstate.p6", r"\b0\.0\b|[Zz]ero"),
        ("agstate.p9", r"\b15\b|doubl|twice|once more"),
    ],
)
def test_no_story_tells_what_is_to_be_predicted(asked: str, tells: str) -> None:
    book: Any = nbformat.read(ROOT / "labs" / "01_agstate.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    place = next(at for at, cell in enumerate(book.cells) if f'predict("{asked}"' in cell.source)
    section = next(at for at in range(place, -1, -1) if book.cells[at].source.startswith("## "))
    before = [cell.source for cell in book.cells[section:place] if cell.cell_type == "markdown"]
    title = [book.cells[0].source.splitlines()[0]]
    assert [text for text in title + before if re.search(tells, text)] == []


def test_notebooks_starters_and_solutions_are_in_their_canonical_form() -> None:
    assert lint(ROOT) == []
