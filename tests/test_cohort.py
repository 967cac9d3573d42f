"""Many submissions: what is found, what is told, what is written, and that nobody's disaster touches a neighbour."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader import catalog
from grader.cohort.intake import NothingToGrade, take_in
from grader.cohort.run import Outcome, grade_folder
from grader.model import Verdict
from tests.conftest import ROOT

SOLUTION = ROOT / "solutions" / "agstate" / "state.py"
STARTER = ROOT / "grader" / "labs" / "agstate" / "starter" / "state.py"
LABS = [catalog.lab_of("agstate")]
KOREAN = "김 민서"


def hand_in(folder: Path, source: Path | str, *, inside: str = "agstate/state.py") -> Path:
    target = folder / inside
    target.parent.mkdir(parents=True)
    text = source.read_bytes() if isinstance(source, Path) else source.encode()
    target.write_bytes(text)
    return folder


def zipped(file: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file


def grade(submissions: Path, out: Path, jobs: int = 2, seed: str = "week-1") -> tuple[Outcome, list[str]]:
    told: list[str] = []
    return grade_folder(submissions, out, LABS, seed, jobs, told.append, lambda done, total: None, lowest=0), told


def report_of(out: Path, learner: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / learner / "report.json").read_text(encoding="utf-8"))
    return content


def verdicts_of(out: Path, learner: str) -> set[str]:
    return {step["verdict"] for step in report_of(out, learner)["steps"]}


def rows_of(out: Path, name: str = "summary.csv") -> list[dict[str, str]]:
    with (out / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Outcome, list[str]]:
    """One grading with every kind of submission in it."""
    root = tmp_path_factory.mktemp("cohort")
    handed = root / "handed in"
    hand_in(handed / KOREAN, SOLUTION)
    hand_in(handed / "starter", STARTER)
    hand_in(handed / "=HYPERLINK(1)", SOLUTION.read_text(encoding="utf-8").replace("Annotated[list, add]", "list"))
    hand_in(handed / "nested", SOLUTION, inside="My Work/labs/AgState/State.py")
    hand_in(handed / "dies", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    hand_in(handed / "twice", SOLUTION)
    zipped(handed / "twice.zip", {"agstate/state.py": STARTER.read_bytes()})
    zipped(handed / "in a zip.zip", {"deep/er/agstate/state.py": SOLUTION.read_bytes()})
    (handed / "empty").mkdir()
    (handed / "broken.zip").write_bytes(b"PK no zip at all")
    (handed / "list of names.txt").write_text("one, two", encoding="utf-8")
    outcome, told = grade(handed, root / "reports", jobs=3)
    return handed, root / "reports", outcome, told


Graded = tuple[Path, Path, Outcome, list[str]]


def test_every_submission_has_a_report_and_a_row_whatever_it_is(graded: Graded) -> None:
    _, out, outcome, _ = graded
    names = {KOREAN, "starter", "=HYPERLINK(1)", "nested", "dies", "twice", "twice (2)", "in a zip", "empty", "broken"}
    assert {file.parent.name for file in out.glob("*/report.json")} == names
    assert {row["learner"].lstrip("'") for row in rows_of(out)} == names
    assert all((out / name / "report.html").is_file() for name in names)
    assert outcome == Outcome(len(names), 4, 0)


def test_the_solution_earns_everything_and_the_starter_nothing(graded: Graded) -> None:
    _, out, _, _ = graded
    earned = {row["learner"]: (row["earned"], row["possible"]) for row in rows_of(out)}
    assert earned[KOREAN] == ("10", "10")
    assert earned["starter"] == ("0", "10")
    assert verdicts_of(out, KOREAN) == {"passed"}
    assert verdicts_of(out, "starter") == {"not started"}


def test_nested_oddly_cased_and_zipped_files_are_found_and_it_is_said(graded: Graded) -> None:
    _, out, _, told = graded
    assert verdicts_of(out, "nested") == verdicts_of(out, "in a zip") == {"passed"}
    assert any(
        line.startswith("nested: `agstate/state.py` was found as `My Work/labs/AgState/State.py`") for line in told
    )


def test_each_disaster_is_told_in_one_clear_line(graded: Graded) -> None:
    _, _, _, told = graded
    for start in (
        "broken: the zip file cannot be opened",
        "empty: There is no `agstate/state.py` in empty",
        "list of names.txt was left out",
        "Two submissions are named 'twice': twice.zip is reported as 'twice (2)'",
    ):
        assert len([line for line in told if line.startswith(start)]) == 1, start
    assert all("\n" not in line for line in told)


def test_what_cannot_be_read_or_run_is_broken_with_its_reason(graded: Graded) -> None:
    _, out, _, _ = graded
    assert verdicts_of(out, "broken") == verdicts_of(out, "dies") == {"broken"}
    assert verdicts_of(out, "empty") == {"not started"}
    reasons = {step["reason"] for step in report_of(out, "dies")["steps"]}
    assert reasons == {"The process ended by signal 9 (SIGKILL) while the module was imported."}


def test_a_name_cannot_become_a_formula(graded: Graded) -> None:
    _, out, _, _ = graded
    assert "\n'=HYPERLINK(1)," in (out / "summary.csv").read_text(encoding="utf-8-sig").replace("\r\n", "\n")


def test_the_beliefs_of_the_class_are_counted(graded: Graded) -> None:
    _, out, _, _ = graded
    assert {"step": "agstate.append", "diagnosis": "AGS-OVERWRITE"}.items() <= rows_of(out, "beliefs.csv")[0].items()
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "1 × The last write replaced the others" in page
    assert "<script" not in page and "http" not in page


def test_one_worker_and_three_write_the_same_bytes_and_neighbours_change_nothing(
    graded: Graded, tmp_path: Path
) -> None:
    handed, out, _, _ = graded
    few = tmp_path / "few"
    for name in (KOREAN, "=HYPERLINK(1)"):
        shutil.copytree(handed / name, few / name)
    grade(few, tmp_path / "reports", jobs=1)
    for name in (KOREAN, "=HYPERLINK(1)"):
        for file in ("report.json", "report.html"):
            assert (tmp_path / "reports" / name / file).read_bytes() == (out / name / file).read_bytes()


def test_reports_of_learners_who_are_gone_are_kept_and_told(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "one", STARTER)
    hand_in(tmp_path / "in" / "two", STARTER)
    grade(tmp_path / "in", tmp_path / "out")
    shutil.rmtree(tmp_path / "in" / "two")
    _, told = grade(tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out" / "two" / "report.json").is_file()
    assert [line for line in told if line.startswith("two has a report of an earlier run")]
    assert [row["learner"] for row in rows_of(tmp_path / "out")] == ["one"]


@pytest.mark.parametrize("place", ["in", "in/reports", "in/deep/reports"])
def test_reports_do_not_go_among_the_submissions(place: str, tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "one", STARTER)
    with pytest.raises(NothingToGrade, match="outside of them"):
        grade(tmp_path / "in", tmp_path / place)


def test_what_is_no_folder_of_submissions_is_told(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    (tmp_path / "nobody").mkdir()
    for name, words in (
        ("missing", "There is no folder"),
        ("file.txt", "neither a folder nor a zip"),
        ("nobody", "no submission"),
    ):
        with pytest.raises(NothingToGrade, match=words):
            take_in(tmp_path / name, LABS)


def test_a_folder_that_is_one_submission_is_taken_as_one(tmp_path: Path) -> None:
    hand_in(tmp_path / "mine", SOLUTION)
    assert [entry.name for entry in take_in(tmp_path / "mine", LABS).entries] == ["mine"]


def test_names_that_a_file_system_refuses_or_confuses_are_made_harmless(tmp_path: Path) -> None:
    for name in ("CON", "summary.csv", "a", "A", "e\u0301", "\u00e9", "dots..."):
        hand_in(tmp_path / name, STARTER)
    names = [entry.name for entry in take_in(tmp_path, LABS).entries]
    assert len({name.casefold() for name in names}) == len(names) == 7
    assert not {"con", "summary.csv"} & {name.casefold() for name in names}


def test_zips_that_are_bombs_or_climb_out_are_told_and_harm_nothing(tmp_path: Path) -> None:
    zipped(
        tmp_path / "in" / "climbs.zip" if (tmp_path / "in").mkdir() is None else tmp_path,
        {"../../agstate/state.py": b"x"},
    )
    with zipfile.ZipFile(tmp_path / "in" / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("agstate/state.py", b"#" * 300_000_000)
    outcome, told = grade(tmp_path / "in", tmp_path / "out")
    assert outcome.passed == 0
    assert [line.partition(":")[0] for line in sorted(told[1:])][:2] == ["bomb", "climbs"]
    assert not {Verdict.PASSED.value} & (
        verdicts_of(tmp_path / "out", "bomb") | verdicts_of(tmp_path / "out", "climbs")
    )


def test_every_field_of_a_report_is_described_and_every_described_field_is_there(graded: Graded) -> None:
    text = (ROOT / "docs" / "report-schema.md").read_text(encoding="utf-8")
    described = [set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)) for part in text.split("\n## ")[1:]]
    report = report_of(graded[1], "=HYPERLINK(1)")
    failing = next(step for step in report["steps"] if step["counterexample"])
    assert described == [set(report), set(report["labs"][0]), set(failing), set(failing["counterexample"])]


# ---------------------------------------------------------------- the commands


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-X", "utf8", "-m", "grader", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=False, cwd=ROOT)


def test_grade_and_replay_from_the_command_line(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "half", SOLUTION.read_text(encoding="utf-8").replace("Annotated[list, add]", "list"))
    done = command(
        "grade", tmp_path / "in", "--out", tmp_path / "out", "--seed", "s", "--jobs", "1", "--lab", "agstate"
    )
    assert done.returncode == 1
    assert "0 of 1 passed everything. Seed s." in done.stdout
    again = command("replay", tmp_path / "out" / "half" / "report.json", "--step", "agstate.append")
    assert (again.returncode, "The same came again" in again.stdout) == (0, True)
    (tmp_path / "in" / "half" / "agstate" / "state.py").write_bytes(SOLUTION.read_bytes())
    other = command("replay", tmp_path / "out" / "half", "--step", "agstate.append")
    assert other.returncode == 1
    assert "needs work before, passed now" in other.stdout and "has changed since it was graded" in other.stdout


def test_everybody_passing_ends_with_0(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "one", SOLUTION)
    done = command("grade", tmp_path / "in", "--out", tmp_path / "out", "--lab", "agstate")
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["grade", "nowhere", "--out", "x"], "There is no folder 'nowhere'"),
        (["grade", "labs", "--out", "x", "--lab", "agstat"], "Closest: agstate"),
        (["replay", "nowhere.json", "--step", "agstate.append"], "There is no report 'nowhere.json'"),
        (["replay", "pyproject.toml", "--step", "agstate.append"], "is not a report of this grader"),
    ],
)
def test_wrong_usage_ends_with_2_and_a_sentence(arguments: list[str], words: str) -> None:
    done = command(*arguments)
    assert (done.returncode, words in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr


def test_replay_of_a_step_or_a_submission_that_is_not_there(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "one", STARTER)
    grade(tmp_path / "in", tmp_path / "out")
    done = command("replay", tmp_path / "out" / "one", "--step", "agstate.apend")
    assert (done.returncode, "Closest: agstate.append" in done.stderr) == (2, True)
    shutil.move(tmp_path / "in", tmp_path / "elsewhere")
    done = command("replay", tmp_path / "out" / "one", "--step", "agstate.append")
    assert (done.returncode, "--submissions FOLDER" in done.stderr) == (2, True)
    moved = ["--submissions", tmp_path / "elsewhere"]
    assert command("replay", tmp_path / "out" / "one", "--step", "agstate.append", *moved).returncode == 0
