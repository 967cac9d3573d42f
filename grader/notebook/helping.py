"""`hint` and `compare`: help that comes in small pieces, and the solution at the end of the ladder."""

from __future__ import annotations

import difflib

from grader import catalog
from grader.model import Lab, Step
from grader.notebook.session import answering
from grader.notebook.shown import Told
from grader.parts import excerpt, written
from grader.referee.source import NoSource
from grader.render.panel import Line, Panel
from grader.workspace import Workspace

RUNGS = ("a question", "where to look", "an example from elsewhere", "nearly the solution")
FROM_RUNG = 3
"""After this rung, or after a pass, `compare` shows the solution without being asked twice."""


@answering
def hint(name: str, *, peek: bool = False) -> Told:
    """The next of four rungs for a step; `peek=True` gives the last one at once. Nothing is lost by asking."""
    step = one_step(name)
    space = Workspace.here()
    progress = space.progress()
    rung = len(RUNGS) if peek else min(progress.rungs(step.id) + 1, len(RUNGS))
    again = progress.rungs(step.id) >= len(RUNGS)
    progress.climb(step.id, rung)
    progress.save()
    if rung < len(RUNGS):
        following = f'The next rung is {RUNGS[rung]}: hint("{step.id}") once more.'
    elif again:
        following = f'This was the last rung already. hint("{step.id}", peek=True) shows it again at any time.'
    else:
        following = f'This is the last rung. compare("{step.id}") shows the solution beside your file.'
    title = f"{step.id} · hint {rung} of {len(RUNGS)}: {RUNGS[rung - 1]}"
    return Told(Panel(title, [Line("", step.hints[rung - 1]), Line("", following)]))


@answering
def compare(name: str, *, peek: bool = False) -> Told:
    """How the solution of a step differs from the saved file. Offered after a pass or three hints, or with `peek=True`."""
    step = one_step(name)
    lab = catalog.lab_of(name)
    space = Workspace.here()
    progress = space.progress()
    if not (peek or progress.ever_passed(step.id) or progress.rungs(step.id) >= FROM_RUNG):
        left = FROM_RUNG - progress.rungs(step.id)
        told = f'It opens once the step has passed, or after {left} more of hint("{step.id}"). '
        told += f'In a hurry? compare("{step.id}", peek=True).'
        return Told(Panel(f"{step.id} · the solution is still closed", [Line("", told)]))
    solution = space.solution(lab)
    if solution is None:
        raise NoSource(f"The solution of `{lab.file}` is not in this copy of the course.")
    yours = space.source(lab).files[lab.file].decode("utf-8", "replace")
    return _difference(step, lab, yours, solution)


def _difference(step: Step, lab: Lab, yours: str, solution: str) -> Told:
    """Only what this step asks for: the rest of the solution would give later steps away."""
    others = {name for each in lab.steps for name in each.names}
    try:
        mine, theirs = (excerpt(text, written(step), others) for text in (yours, solution))
    except SyntaxError as error:
        text = f"`labs/{lab.file}` cannot be read as Python: line {error.lineno}: {error.msg}. Mend that first."
        return Told(Panel(f"{step.id} · no comparison yet", [Line("", text)]))
    lines = list(difflib.unified_diff(mine, theirs, "yours", "the solution", lineterm="", n=2))
    if not lines:
        return Told(Panel(f"{step.id} · your file and the solution say the same", []))
    told = "Lines with - are yours, lines with + are the solution's. There are other right ways."
    return Told(Panel(f"{step.id} · yours and the solution", [Line("", told), Line("", "\n".join(lines), code=True)]))


def one_step(name: str) -> Step:
    """The step of this name. Raises UnknownName, also for a lab, with the names of its steps."""
    steps = catalog.steps_of(name)
    if len(steps) > 1:
        raise catalog.UnknownName(f"{name!r} is a lab. Name one of its steps: {', '.join(step.id for step in steps)}.")
    return steps[0]
