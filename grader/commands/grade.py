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
from grader.cohort.run import Outcome, grade_folder
from grader.draw import new_seed
from grader.grading import ISOLATION
from grader.model import Lab
from grader.referee.zygote import NoPlayers, refuse_without_fork


def grade_with_a_bar(
    submissions: Path,
    out: Path,
    labs: Sequence[Lab] | None,
    seed: str | None,
    jobs: int | None,
    stop: Callable[[str], NoReturn],
) -> int:
    """Grade and tell; the exit code. `stop` ends the command with a sentence about its usage."""
    try:
        refuse_without_fork()
    except NoPlayers as missing:
        stop(str(missing))
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    used = seed or new_seed()
    bar = _bar(console)
    task = bar.add_task("grading", total=None)

    def progressed(done: int, total: int) -> None:
        # The bar begins once there is something to grade: what is wrong with the usage stands alone.
        if not bar.live.is_started:
            console.print(ISOLATION, markup=False)
            bar.start()
        bar.update(task, completed=done, total=total)

    def told(line: str) -> None:
        console.print(line, markup=False)

    chosen = labs or catalog.graded_labs()
    try:
        outcome = grade_folder(submissions, out, chosen, used, jobs or default_jobs(), told, progressed)
    except NothingToGrade as nothing:
        stop(str(nothing))
    finally:
        if bar.live.is_started:
            bar.stop()
    _close(outcome, out, used)
    return outcome.code


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
    )


def _close(outcome: Outcome, out: Path, seed: str) -> None:
    faults = (
        f", {outcome.faults} with a fault of the grader (their reports say what to send us)" if outcome.faults else ""
    )
    print(f"{outcome.passed} of {outcome.learners} passed everything{faults}. Seed {seed}.")
    print(f"Open {out / 'report.html'}; {out / 'summary.csv'} is for a course system.")
