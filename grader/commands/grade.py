"""`grade`: a folder of submissions with a progress bar; what matters is said in one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from grader import catalog
from grader.cohort.grade import default_jobs
from grader.cohort.intake import NothingToGrade
from grader.cohort.run import Outcome, TooOpen, grade_folder
from grader.draw import new_seed
from grader.model import Lab
from grader.referee.zygote import NoPlayers, refuse_without_fork


def grade_with_a_bar(
    submissions: Path,
    out: Path,
    labs: Sequence[Lab] | None,
    seed: str | None,
    jobs: int | None,
    lowest: int,
    stop: Callable[[str], NoReturn],
) -> int:
    """Grade and tell; the exit code. `stop` ends the command with a sentence about its usage."""
    try:
        refuse_without_fork()
    except NoPlayers as told:
        stop(str(told))
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    used = seed or new_seed()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
    )
    with bar:
        task = bar.add_task("grading", total=None)
        try:
            outcome = grade_folder(
                submissions,
                out,
                labs or catalog.graded_labs(),
                used,
                jobs or default_jobs(),
                told=lambda line: console.print(line, markup=False),
                progressed=lambda done, total: bar.update(task, completed=done, total=total),
                lowest=lowest,
            )
        except (NothingToGrade, TooOpen) as nothing:
            bar.stop()
            stop(str(nothing))
    _close(outcome, out, used)
    return outcome.code


def _close(outcome: Outcome, out: Path, seed: str) -> None:
    faults = (
        f", {outcome.faults} with a fault of the grader (their reports say what to send us)" if outcome.faults else ""
    )
    print(f"{outcome.passed} of {outcome.learners} passed everything{faults}. Seed {seed}.")
    print(f"Open {out / 'report.html'}; {out / 'summary.csv'} is for a course system.")
