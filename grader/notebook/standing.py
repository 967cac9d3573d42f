"""`progress` and `doctor`: where a learner stands, and whether the ground is firm."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader import catalog
from grader.model import Lab
from grader.notebook.checking import check
from grader.notebook.session import answering, players
from grader.notebook.shown import Checked, Told
from grader.referee.source import NoSource
from grader.render.panel import Line, Panel
from grader.workspace import Workspace

_SYMBOLS = {"passed": "✓", "needs work": "✗", "broken": "!", "changed since it passed": "~", "blocked": "–"}
_PACKAGES = ("langgraph", "langchain-core", "jupyterlab", "ipykernel", "matplotlib")
_FINE, _TROUBLE = "#2e9e5b", "#d64545"


@answering
def progress(name: str | None = None) -> Told:
    """One row for each step, and what to do next. Only for you: no grade is made from it."""
    space = Workspace.here()
    notes = space.progress()
    chosen = [catalog.lab_of(name)] if name else list(catalog.labs())
    lines: list[Line] = []
    following = again = ""
    passed = total = 0
    for lab in chosen:
        digest = _digest(space, lab)
        for step in lab.steps:
            state = notes.state_of(step.id, digest)
            total, passed = total + 1, passed + notes.passed(step.id)
            lines.append(Line(step.id, f"{_SYMBOLS.get(state.partition(',')[0], '·')} {state}"))
            if state == "changed since it passed":
                again = f'check("{lab.slug}"): the file changed since its steps passed'
            elif not following and not notes.passed(step.id):
                following = f'check("{step.id}"): {step.title}'
    done = "All passed. Explain one of the labs to somebody: that is the last test."
    lines.append(Line("next", following or again or done))
    return Told(Panel(f"{passed} of {total} steps passed", lines))


def _digest(space: Workspace, lab: Lab) -> str:
    try:
        return space.source(lab).digest
    except NoSource:
        return ""


@answering
def doctor() -> Told:
    """Versions, kernel, folder, and one check that passes by design. Each line that is not fine says what to do."""
    began = time.monotonic()
    space = Workspace.here()
    lines = [
        Line("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        Line("kernel", sys.executable),
        *(_package(name) for name in _PACKAGES),
        Line("folder", str(space.root)),
        _writable(space.root),
        _clock(space),
        Line("walls", players().isolation.sentence),
    ]
    checked = check("agstart.hello")
    if isinstance(checked, Checked) and checked.passed:
        lines.append(
            Line("a check", f"agstart.hello passed, {time.monotonic() - began:.1f} s after the start of this cell")
        )
        return Told(Panel("All is well", lines, _FINE))
    lines.append(Line("a check", repr(checked), code=True))
    return Told(Panel("Something is not right: read the last lines", lines, _TROUBLE))


def _package(name: str) -> Line:
    try:
        return Line(name, version(name))
    except PackageNotFoundError:
        return Line(
            name, "is missing in this environment. Start again by `python3 start.py lab` in the course's folder."
        )


def _writable(folder: Path) -> Line:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return Line("writing", "is possible in this folder")
    except OSError as error:
        return Line("writing", f"is not possible ({error.strerror}). Copy the course to a folder of your own.")


def _clock(space: Workspace) -> Line:
    saved = max((file.stat().st_mtime for file in space.labs.glob("*/*.py")), default=0.0)
    if saved > time.time() + 5:
        return Line("clock", "A file was saved in the future: the clocks of this machine and its disk differ.")
    return Line("cores", f"{os.cpu_count() or 1}")
