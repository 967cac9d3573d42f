"""`grade`: a folder of submissions with a progress bar; what matters is said in one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grader import catalog
from grader.cohort.intake import NothingToGrade
from grader.cohort.pool import TooOpen, Workers, default_jobs
from grader.cohort.run import Outcome, grade_folder
from grader.isolation.levels import LOWEST_FOR_STRANGERS
from grader.model import Lab
from grader.referee.zygote import NoPlayers, refuse_without_fork


@dataclass(frozen=True)
class Wishes:
    """What the options of the command ask for; None where nothing was asked."""

    labs: Sequence[Lab] | None = None
    seed: str | None = None
    jobs: int | None = None
    fresh: bool = False
    dask: str | None = None
    lowest: int = LOWEST_FOR_STRANGERS


def grade_with_a_bar(submissions: Path, out: Path, wishes: Wishes, stop: Callable[[str], NoReturn]) -> int:
    """Grade and tell; the exit code. `stop` ends the command with a sentence about its usage."""
    try:
        refuse_without_fork()
    except NoPlayers as missing:
        stop(str(missing))
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    bar = bar_on(console)
    task = bar.add_task("grading", total=None)

    def progressed(done: int, total: int) -> None:
        # The bar begins once there is something to grade: what is wrong with the usage stands alone.
        if not bar.live.is_started:
            bar.start()
        bar.update(task, completed=done, total=total)

    def told(line: str) -> None:
        console.print(line, markup=False)

    workers = _cluster(wishes.dask) if wishes.dask else wishes.jobs or default_jobs()
    chosen = wishes.labs or catalog.graded_labs()
    try:
        outcome = grade_folder(
            submissions, out, chosen, wishes.seed, workers, told, progressed, lowest=wishes.lowest, fresh=wishes.fresh
        )
    except (NothingToGrade, TooOpen) as nothing:
        if bar.live.is_started:
            bar.stop()
        stop(str(nothing))
    finally:
        if bar.live.is_started:
            bar.stop()
    _close(outcome, out)
    return outcome.code


def _cluster(address: str) -> Callable[[], Workers]:
    from grader.cohort.cluster import Cluster

    return lambda: Cluster(address)


class Rate(ProgressColumn):
    """How many learners a minute."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{60 * speed:.0f}/min" if speed else "")


def bar_on(console: Console, clock: Callable[[], float] | None = None) -> Progress:
    """The bar: how many of how many, the rate, the time so far and the time left.

    Rich leaves the first step out of its rate: those who were kept from an earlier run are told in it, all at once.
    """
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        get_time=clock,
    )


def _close(outcome: Outcome, out: Path) -> None:
    faults = (
        f", {outcome.faults} with a fault of the grader (their reports say what to send us)" if outcome.faults else ""
    )
    if outcome.left:
        print(f"Stopped: {outcome.learners} are done, {outcome.left} are left. The same command goes on from here.")
    print(f"{outcome.passed} of {outcome.learners} passed everything{faults}. Seed {outcome.seed}.")
    print(f"Open {out / 'report.html'}; {out / 'summary.csv'} is for a course system.")
