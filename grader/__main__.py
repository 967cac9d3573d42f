"""The command line: `python -m grader COMMAND`. Each command is a few lines; what it does lies elsewhere.

Exit codes: 0 all passed, 1 someone or something did not, 2 wrong usage, 3 a fault of the grader itself, 130 interrupted.
"""

from __future__ import annotations

import sys
import traceback
from enum import IntEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from grader.catalog import UnknownName
from grader.commands import export
from grader.model import Lab, Verdict

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Check your own file, or grade a folder of submissions. Exit codes: 0 all passed, 1 something did not, "
    "2 wrong usage, 3 a fault of the grader.",
    pretty_exceptions_enable=False,
)
app.add_typer(export.app, name="export")


class Exit(IntEnum):
    ALL_PASSED = 0
    NOT_ALL_PASSED = 1
    WRONG_USAGE = 2
    GRADER_FAULT = 3


Name = Annotated[str, typer.Argument(help="A step such as agstate.window, or a lab such as agstate.")]
Peek = Annotated[bool, typer.Option("--peek", help="Show it now.")]


# ---------------------------------------------------------------- for learners


@app.command()
def check(
    name: Name, seed: Annotated[str | None, typer.Option(help="Repeat the check that had this seed.")] = None
) -> None:
    """Check the saved file of a step or a whole lab."""
    from grader.notebook.checking import check as ask
    from grader.notebook.shown import Checked

    answer = ask(name, seed=seed)
    _say(repr(answer))
    if not isinstance(answer, Checked):
        raise typer.Exit(Exit.GRADER_FAULT if answer.panel.title.startswith("grader fault") else Exit.WRONG_USAGE)
    if any(result.verdict is Verdict.GRADER_FAULT for result in answer.report.results):
        raise typer.Exit(Exit.GRADER_FAULT)
    raise typer.Exit(Exit.ALL_PASSED if answer.passed else Exit.NOT_ALL_PASSED)


@app.command()
def watch(name: Name) -> None:
    """Check again whenever a file of the lab is saved. Ctrl-C ends it."""
    from grader.commands.watch import watch as keep_watching

    _asked(name)
    keep_watching(name, _say)


@app.command()
def hint(name: Name, peek: Peek = False) -> None:
    """The next of four hints for a step."""
    from grader.notebook.helping import hint as ask

    _asked_for_a_step(name)
    _say(repr(ask(name, peek=peek)))


@app.command()
def compare(name: Name, peek: Peek = False) -> None:
    """How the solution of a step differs from your file."""
    from grader.notebook.helping import compare as ask

    _asked_for_a_step(name)
    _say(repr(ask(name, peek=peek)))


@app.command()
def progress(name: Annotated[str | None, typer.Argument(help="One lab only.")] = None) -> None:
    """One row for each step, and what to do next."""
    from grader.notebook.standing import progress as ask

    if name:
        _asked(name)
    _say(repr(ask(name)))


@app.command()
def reset(
    name: Annotated[str, typer.Argument(help="A lab such as agstate.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Put the starter of a lab back; your files are kept in a backup."""
    from grader.notebook.files import reset as put_back

    lab = _asked(name)
    if name != lab.slug:
        _stop(f"A reset puts back a whole lab, not one step: reset {lab.slug}")
    if not yes and not typer.confirm(_question_before_reset(lab)):
        raise typer.Exit(Exit.NOT_ALL_PASSED)
    _say(repr(put_back(name)))


@app.command()
def doctor() -> None:
    """Say whether this machine is ready, and what to do where it is not."""
    from grader.notebook.standing import doctor as ask

    answer = ask()
    _say(repr(answer))
    raise typer.Exit(Exit.ALL_PASSED if repr(answer).startswith("All is well") else Exit.NOT_ALL_PASSED)


# ---------------------------------------------------------------- for instructors


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="A folder or zip with everybody's submission.")],
    out: Annotated[Path, typer.Option("--out", help="Where the reports go.")],
    lab: Annotated[list[str] | None, typer.Option("--lab", help="Only this lab; may be given several times.")] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", help="The same seed gives the same inputs; by default that of the last run.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, max=256, help="Workers; one for each core by default.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Grade also what is unchanged since the last run.")] = False,
    dask: Annotated[
        str | None, typer.Option("--dask", help="The scheduler of a Dask cluster, such as tcp://host:8786; it grades.")
    ] = None,
    lowest: Annotated[
        int, typer.Option("--allow-level", min=0, max=3, help="Grade also behind walls of this level; 2 by default.")
    ] = 2,
) -> None:
    """Grade a folder of submissions: a report for each learner, a summary.csv and a report.html over all.

    A run that was ended goes on where it was. Ctrl-C writes the tables over what is done and ends with 130.
    """
    from grader.commands.grade import Wishes, grade_with_a_bar

    chosen = [_asked(name) for name in lab] if lab else None
    raise typer.Exit(grade_with_a_bar(submissions, out, Wishes(chosen, seed, jobs, fresh, dask, lowest), _stop))


@app.command()
def replay(
    report: Annotated[Path, typer.Argument(help="A learner's report.json.")],
    step: Annotated[
        str, typer.Option("--step", help="The step to repeat; without it the report's steps are listed.")
    ] = "",
    submissions: Annotated[Path | None, typer.Option("--submissions", help="Where the submissions lie now.")] = None,
) -> None:
    """Repeat one step of a report with the same inputs, and say whether the same came again."""
    from grader.commands.replay import replay_and_tell

    raise typer.Exit(replay_and_tell(report, step, submissions, _say, _stop))


@app.command()
def lint(
    fix: Annotated[bool, typer.Option("--fix", help="Rewrite notebooks to their canonical form.")] = False,
) -> None:
    """For authors: check notebooks, starters and solutions of this checkout."""
    from grader.commands.lint import lint as look

    complaints = look(fix=fix)
    for complaint in complaints:
        _say(complaint)
    _say(f"{len(complaints)} complaints." if complaints else "Nothing to complain about.")
    raise typer.Exit(Exit.NOT_ALL_PASSED if complaints else Exit.ALL_PASSED)


# ---------------------------------------------------------------- how it speaks


def _asked(name: str) -> Lab:
    """The lab of a name; a name that is none ends the command with the nearest ones."""
    from grader.catalog import lab_of, steps_of

    try:
        steps_of(name)
        return lab_of(name)
    except UnknownName as told:
        _stop(str(told))


def _asked_for_a_step(name: str) -> None:
    from grader.notebook.helping import one_step

    try:
        one_step(name)
    except UnknownName as told:
        _stop(str(told))


def _question_before_reset(lab: Lab) -> str:
    from grader.workspace import Workspace

    if not Workspace.here().file(lab).is_file():
        return f"There is no labs/{lab.file}. Put the starter there?"
    return f"Begin {lab.slug} anew, with the starter as labs/{lab.file}? What you have now is kept in .lab/backups."


def _say(text: str) -> None:
    print(text, flush=True)


def _stop(text: str) -> NoReturn:
    print(text, file=sys.stderr, flush=True)
    raise typer.Exit(Exit.WRONG_USAGE)


def main() -> None:
    """The command `grader`."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal of another encoding shows what it can, and stops nothing.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app(prog_name="grader")
    except Exception:  # noqa: BLE001 - whatever gets here is ours, and has an exit code of its own
        traceback.print_exc()
        print("This is a fault of the grader. Please report the lines above.", file=sys.stderr)
        sys.exit(Exit.GRADER_FAULT)


if __name__ == "__main__":
    main()
