"""`check`: the saved file against drawn inputs, the last failing seed first; the verdicts go into the progress notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader import catalog
from grader.draw import new_seed
from grader.grading import check as checked_by
from grader.model import Lab, Report, Step, StepResult, Verdict
from grader.notebook.session import answering, players
from grader.notebook.shown import Checked
from grader.referee.source import Source
from grader.workspace import Progress, Workspace


@answering
def check(name: str = "", *, seed: str | int | None = None) -> Checked:
    """Check one step (`agstate.window`) or a whole lab (`agstate`) in the saved file.

    Without a `seed` the one under which the step failed last is tried first, then a new one. Never raises.
    """
    players().warm()
    space = Workspace.here()
    lab, steps = catalog.lab_of(name), catalog.steps_of(name)
    source = space.source(lab)
    source = replace(source, shown=f"labs/{lab.file}")
    progress = space.progress()
    report = _once(lab, steps, source, str(seed)) if seed is not None else _old_luck_first(lab, steps, source, progress)
    for result in report.results:
        if result.verdict is not Verdict.GRADER_FAULT:
            progress.record(result, source.digest)
    progress.save()
    return Checked(report)


def _once(lab: Lab, steps: Sequence[Step], source: Source, seed: str) -> Report:
    return checked_by(lab, steps, source, seed, players())


def _old_luck_first(lab: Lab, steps: Sequence[Step], source: Source, progress: Progress) -> Report:
    """A step that still fails under its old seed keeps that counterexample; what passes it is tried with new luck."""
    settled: dict[str, StepResult] = {}
    for step in steps:
        old = progress.failing_seed(step.id)
        if old is not None:
            (result,) = _once(lab, [step], source, old).results
            if result.verdict is not Verdict.PASSED:
                settled[step.id] = result
    rest = [step for step in steps if step.id not in settled]
    report = _once(lab, rest, source, new_seed())
    fresh = {result.step: result for result in report.results}
    return replace(report, results=[settled.get(step.id) or fresh[step.id] for step in steps])
