"""`export`: what `grade` wrote, in the forms that course systems take. Who or what was left out is told on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from grader.cohort.reports import Reported
    from grader.model import Report
    from grader.render.canvas import Filled
    from grader.render.marks import Mark

app = typer.Typer(no_args_is_help=True, help="Reports for Canvas, Moodle, Gradescope, GitHub Classroom and CI.")

WRONG_USAGE = 2

Reports = Annotated[Path, typer.Argument(help="The folder that `grade` wrote with --out.")]
One = Annotated[Path, typer.Argument(help="A learner's report.json.")]
Out = Annotated[Path, typer.Option("--out", help="The file to write; never the one that is read.")]
Printed = Annotated[Path | None, typer.Option("--out", help="The file to write; without it, it is printed.")]
Only = Annotated[str | None, typer.Option("--lab", help="Only this lab.")]
Labs = Annotated[list[str] | None, typer.Option("--lab", help="Only this lab; may be given several times.")]


# ---------------------------------------------------------------- into a sheet that was downloaded


@app.command()
def canvas(
    reports: Reports,
    gradebook: Annotated[Path, typer.Option("--gradebook", help="The gradebook, as Canvas exported it.")],
    out: Out,
    lab: Only = None,
    assignment: Annotated[str | None, typer.Option("--assignment", help="Its title, such as 'Lab 1 (123)'.")] = None,
) -> None:
    """Fill in a Canvas gradebook."""
    from grader.render import canvas as form

    _fill(reports, gradebook, out, lab, lambda sheet, marks: form.fill(sheet, marks, assignment))


@app.command()
def moodle(
    reports: Reports,
    worksheet: Annotated[Path, typer.Option("--worksheet", help="The offline grading worksheet, as downloaded.")],
    out: Out,
    lab: Only = None,
    identifier: Annotated[
        str | None, typer.Option("--identifier-column", help="What its `Identifier` is called.")
    ] = None,
    grade: Annotated[str | None, typer.Option("--grade-column", help="What its `Grade` is called.")] = None,
) -> None:
    """Fill in Moodle's offline grading worksheet."""
    from grader.render import moodle as form

    _fill(reports, worksheet, out, lab, lambda sheet, marks: form.fill(sheet, marks, identifier, grade))


def _fill(reports: Path, given: Path, out: Path, lab: str | None, fill: Callable[..., Filled]) -> None:
    from grader.render.csv_form import CannotFill, read_sheet

    _refuse_overwriting(out, given)
    marks = _marks(reports, lab)
    try:
        content = given.read_bytes()
    except OSError as error:
        _stop(f"{given} cannot be read: {error.strerror}.")
    try:
        filled = fill(read_sheet(content, given.name), marks)
    except CannotFill as told:
        _stop(str(told))
    _write(out, filled.sheet.text().encode())
    for line in filled.told:
        _tell(line)


def _marks(folder: Path, lab: str | None) -> list[Mark]:
    from grader.render.marks import Mark, mark_of

    marks = []
    for told in _all(folder, lab):
        made = mark_of(told.learner, told.reports, lab) if told.reports else Mark(told.learner, without=told.without)
        marks.append(made)
    return marks


# ---------------------------------------------------------------- for machines and comments


@app.command()
def junit(reports: Reports, out: Out, lab: Only = None) -> None:
    """JUnit XML: a suite for each learner and lab, a case for each step."""
    from grader.render.junit import junit_xml

    learners = []
    for told in _all(reports, lab):
        if told.reports:
            learners.append([report for report in told.reports if lab in (None, report.lab)])
        else:
            _tell(f"{told.learner} {told.without}: there is no suite for this learner.")
    _write(out, junit_xml(learners).encode())


@app.command()
def markdown(report: One, out: Printed = None) -> None:
    """Markdown for a comment on a pull request."""
    from grader.render.markdown import report_markdown

    _give(report, out, report_markdown)


@app.command()
def results(report: One, out: Out) -> None:
    """Gradescope's results.json."""
    from grader.render.gradescope import results_json

    _give(report, out, results_json)


@app.command()
def classroom(report: One, out: Printed = None) -> None:
    """The result that GitHub Classroom's reporter takes from a step of a workflow."""
    from grader.render.classroom import classroom_result

    _give(report, out, classroom_result)


def _give(report: Path, out: Path | None, form: Callable[[Sequence[Report]], str]) -> None:
    from grader.cohort.reports import read_report
    from grader.render.json_form import NoReport

    file = report / "report.json" if report.is_dir() else report
    if out:
        _refuse_overwriting(out, file)
    try:
        text = form(read_report(file).reports)
    except NoReport as broken:
        _stop(f"{report} is of no use: {broken}. Give a report.json that `grade` wrote.")
    if out:
        _write(out, text.encode())
    else:
        print(text, flush=True)


# ---------------------------------------------------------------- for hosts that run the grader


@app.command()
def gradescope(out: Out, lab: Labs = None) -> None:
    """Gradescope's autograder zip: upload it as it is."""
    from grader.commands.bundle import autograder_zip
    from grader.render.csv_form import CannotFill

    slugs = _slugs(lab)
    try:
        packed = autograder_zip(slugs)
    except CannotFill as told:
        _stop(str(told))
    _write(out, packed)
    _tell(
        f"Give the assignment {_points(slugs)} autograder points in Gradescope: one test a step is shown, none hidden."
    )


@app.command()
def github(
    out: Out = Path(".github/workflows/classroom.yml"),
    lab: Labs = None,
    course: Annotated[
        str | None,
        typer.Option("--course", help="OWNER/REPOSITORY (public) whose grader is used, not the learner's own."),
    ] = None,
) -> None:
    """A workflow for GitHub Classroom."""
    import re

    from grader.render.hosts import workflow

    if course and not re.fullmatch(r"[\w.-]+/[\w.-]+", course):
        _stop(f"{course!r} is no OWNER/REPOSITORY.")
    slugs = _slugs(lab)
    _write(out, workflow(slugs, course).encode(), parents=True)
    _tell(f"The workflow gives up to {_points(slugs)} points. Commit it into the template of the assignment.")


def _slugs(names: Sequence[str] | None) -> list[str]:
    """The labs that were asked for; all that are graded without any."""
    from grader.catalog import UnknownName, graded_labs, lab_of

    try:
        return [lab_of(name).slug for name in names or [lab.slug for lab in graded_labs()]]
    except UnknownName as told:
        _stop(str(told))


def _points(slugs: Sequence[str]) -> int:
    from grader.catalog import lab_of

    return sum(step.points for slug in slugs for step in lab_of(slug).steps)


# ---------------------------------------------------------------- what they share


def _all(folder: Path, lab: str | None) -> Iterator[Reported]:
    """The reports of a folder, of which at least one must be there, and at least one in the lab that is asked for."""
    from grader.cohort.reports import read_folder

    if not folder.is_dir() or not any(folder.glob("*/report.json")):
        _stop(f"There are no reports in {str(folder)!r}. Give the folder that `grade` wrote with --out.")
    labs: set[str] = set()
    for told in read_folder(folder):
        labs.update(report.lab for report in told.reports)
        yield told
    if lab is not None and lab not in labs:
        _stop(f"Nobody was graded in {lab!r}. The reports are about: {', '.join(sorted(labs)) or 'no lab'}.")


def _refuse_overwriting(out: Path, given: Path) -> None:
    same = out.resolve() == given.resolve() or (out.exists() and given.exists() and out.samefile(given))
    if same:
        _stop(f"--out would overwrite {given}, which is only read. Give another file.")


def _write(out: Path, content: bytes, *, parents: bool = False) -> None:
    from grader.cohort.write import whole_bytes

    try:
        if parents:
            out.parent.mkdir(parents=True, exist_ok=True)
        if out.is_dir():
            _stop(f"{out} is a folder. Give --out a file.")
        whole_bytes(out, content)
    except OSError as error:
        _stop(f"{out} cannot be written: {error.strerror}.")
    _tell(f"{out} was written.")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _stop(text: str) -> NoReturn:
    _tell(text)
    raise typer.Exit(WRONG_USAGE)
