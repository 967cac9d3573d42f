"""A grading that is ended, in every way there is, goes on where it was, and ends as if nothing had happened."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from grader import catalog
from grader.cohort import journal
from grader.cohort.intake import NothingToGrade
from grader.cohort.run import NOTE, Outcome, grade_folder
from grader.commands.grade import bar_on
from tests.conftest import ROOT
from tests.test_cohort import hand_in, rows_of

LABS = [catalog.lab_of("agstart")]
SOLUTION = (ROOT / "solutions" / "agstart" / "hello.py").read_text(encoding="utf-8")
WRONG = SOLUTION.replace("Annotated[list, add]", "list")
SLOW = SOLUTION + "\nimport time\ntime.sleep(3)\n"


def hand_in_all(folder: Path, sources: Sequence[str]) -> Path:
    for number, source in enumerate(sources, 1):
        hand_in(folder / f"learner-{number:02}", source, inside="agstart/hello.py")
    return folder


def grade(
    submissions: Path, out: Path, seed: str | None = "s", *, jobs: int = 2, fresh: bool = False
) -> tuple[Outcome, list[str]]:
    told: list[str] = []
    outcome = grade_folder(
        submissions, out, LABS, seed, jobs, told.append, lambda done, total: None, lowest=0, fresh=fresh
    )
    return outcome, told


def kept(told: Sequence[str]) -> int:
    return next((int(line.split()[0]) for line in told if "unchanged since the last run" in line), 0)


def bytes_of(out: Path) -> dict[str, bytes]:
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in out.rglob("*") if file.is_file()}


def started(submissions: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-X", "utf8", "-m", "grader", "grade", str(submissions), "--out", str(out)]
    return subprocess.Popen(
        [*line, "--lab", "agstart", "--allow-level", "0", *more],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
        # Tests that run in the background of a shell have Ctrl-C ignored, and would hand that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(file: Path, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while not file.exists():
        assert process.poll() is None and time.monotonic() < until, process.communicate()
        time.sleep(0.01)


# ---------------------------------------------------------------- what is graded again, and what is not


def test_what_is_unchanged_is_kept_and_what_changed_is_graded(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, WRONG, WRONG])
    grade(handed, tmp_path / "out")
    times = {
        name: (tmp_path / "out" / name / "report.json").stat().st_mtime_ns
        for name in ("learner-01", "learner-02", "learner-03")
    }
    (handed / "learner-02" / "agstart" / "hello.py").write_text(SOLUTION, encoding="utf-8")
    outcome, told = grade(handed, tmp_path / "out")
    assert (kept(told), outcome) == (2, Outcome(3, 2, 0))
    again = {name for name in times if (tmp_path / "out" / name / "report.json").stat().st_mtime_ns != times[name]}
    assert again == {"learner-02"}
    grade(handed, tmp_path / "clean")
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "clean")


def test_a_file_beside_the_module_counts_as_a_change(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION])
    grade(handed, tmp_path / "out")
    (handed / "learner-01" / "agstart" / "helper.py").write_text("x = 1\n", encoding="utf-8")
    assert kept(grade(handed, tmp_path / "out")[1]) == 0


@pytest.mark.parametrize(
    "change", ["seed", "fresh", "grader", "report lost", "report changed", "record broken", "walls"]
)
def test_each_of_these_has_it_graded_again(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION])
    grade(handed, tmp_path / "out")
    report = tmp_path / "out" / "learner-01" / "report.html"
    record = tmp_path / "out" / journal.FOLDER / "learner-01.json"
    match change:
        case "grader":
            monkeypatch.setattr(journal, "grader_version", lambda: "another")
        case "report lost":
            report.unlink()
        case "report changed":
            report.write_text("10 of 10 points", encoding="utf-8")
        case "record broken":
            record.write_text("[]", encoding="utf-8")
        case "walls":
            held = json.loads(record.read_text(encoding="utf-8"))
            held["result"]["level"] = -1
            record.write_text(json.dumps(held), encoding="utf-8")
    outcome, told = grade(handed, tmp_path / "out", "t" if change == "seed" else "s", fresh=change == "fresh")
    assert (kept(told), outcome) == (0, Outcome(1, 1, 0))
    monkeypatch.undo()
    assert "10 of 10" not in report.read_text(encoding="utf-8")


def test_the_version_of_the_grader_is_that_of_its_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = journal.grader_version.__wrapped__()
    assert before == journal.grader_version.__wrapped__()
    copied = shutil.copytree(ROOT / "grader", tmp_path / "grader")
    monkeypatch.setattr(journal, "_GRADER", copied)
    assert journal.grader_version.__wrapped__() == before
    with (copied / "labs" / "agstart" / "acts.py").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert journal.grader_version.__wrapped__() != before


def test_a_fault_of_the_grader_is_never_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("ours")

    handed = hand_in_all(tmp_path / "in", [SOLUTION])
    monkeypatch.setattr("grader.cohort.grade.check", fails)
    assert grade(handed, tmp_path / "out")[0] == Outcome(1, 0, 1)
    monkeypatch.undo()
    outcome, told = grade(handed, tmp_path / "out")
    assert (kept(told), outcome) == (0, Outcome(1, 1, 0))


def test_a_rerun_without_a_seed_takes_that_of_the_last_run(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION])
    first, _ = grade(handed, tmp_path / "out", None)
    again, told = grade(handed, tmp_path / "out", None)
    assert (again.seed, kept(told)) == (first.seed, 1)
    assert told[0] == f"Seed {first.seed} of the last run into this folder is used again."
    grade(handed, tmp_path / "out", "mine")
    assert grade(handed, tmp_path / "out", None)[0].seed == "mine"


# ---------------------------------------------------------------- ended from outside


def test_ctrl_c_writes_the_tables_over_what_is_done_and_the_same_command_goes_on(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, WRONG, SLOW, SLOW, SLOW, SLOW])
    process = started(handed, tmp_path / "out", "--jobs", "1", "--seed", "s")
    wait_for(tmp_path / "out" / journal.FOLDER / "learner-02.json", process)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in errors) == (130, False), errors
    assert "Stopped: 2 are done, 4 are left. The same command goes on from here." in said
    assert {row["learner"]: row["earned"] for row in rows_of(tmp_path / "out")} == {
        "learner-01": "1",
        "learner-02": "0",
    }
    assert not (tmp_path / "out" / "learner-03" / "report.json").exists()  # Nobody waited for a module that sleeps.
    assert json.loads((tmp_path / "out" / NOTE).read_text(encoding="utf-8"))["finished"] is False
    outcome, told = grade(handed, tmp_path / "out", None)
    assert (kept(told), outcome) == (2, Outcome(6, 5, 0))
    grade(handed, tmp_path / "clean", "s")
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "clean")


@pytest.mark.slow
def test_a_run_killed_at_any_moment_and_run_again_ends_as_one_clean_run(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, WRONG, "syntax error(", SOLUTION] * 4)
    (handed / "empty").mkdir()
    grade(handed, tmp_path / "clean")
    clean = bytes_of(tmp_path / "clean")
    assert len(clean) == 17 * 3 + 3 + 2
    luck, resumed = random.Random(8), 0
    for moment in range(20):
        # A run that was killed is often killed once more: only every fifth one begins with nothing.
        if moment % 5 == 0:
            shutil.rmtree(tmp_path / "out", ignore_errors=True)
        _killed_after(luck.randrange(5), luck.uniform(0, 0.2), handed, tmp_path / "out")
        _nothing_is_half_there(tmp_path / "out")
        if moment % 5 == 4:
            outcome, told = grade(handed, tmp_path / "out")
            resumed += 0 < kept(told) < 17
            assert outcome == Outcome(17, 8, 0)
            assert bytes_of(tmp_path / "out") == clean, f"moment {moment}"
    assert resumed, "no run was killed in the middle: nothing was tried here"


def _killed_after(learners: int, seconds: float, handed: Path, out: Path) -> None:
    """A run that is killed when so many more learners are done, and that time later; for none, while it starts."""
    before = len(list(out.glob(".journal/*.json")))
    process = started(handed, out, "--seed", "s", "--jobs", "1")
    if learners == 0:
        time.sleep(seconds * 5)
    while learners and process.poll() is None and len(list(out.glob(".journal/*.json"))) < before + learners:
        time.sleep(0.005)
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _nothing_is_half_there(out: Path) -> None:
    """Whatever is there under its own name is whole, and who is not done has no row anywhere."""
    for file in out.glob("*/report.json"):
        json.loads(file.read_text(encoding="utf-8"))
    if (out / "summary.csv").exists():
        assert len(rows_of(out)) == 17


def test_half_written_files_of_a_killed_run_are_swept_and_nothing_else_is(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION])
    out = tmp_path / "out"
    grade(handed, out)
    halves = [out / ".summary.csv-x1.half", out / "learner-01" / ".report.json-x2.half", out / ".journal" / ".a-x.half"]
    own = [out / "notes.half", out / "learner-01" / ".mine"]
    for file in (*halves, *own):
        file.write_text("half", encoding="utf-8")
    grade(handed, out)
    assert [file for file in halves if file.exists()] == []
    assert [file for file in own if not file.exists()] == []


# ---------------------------------------------------------------- two at a time


def test_a_second_run_into_the_same_folder_says_so_and_ends_with_2(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SLOW])
    first = started(handed, tmp_path / "out", "--seed", "s")
    wait_for(tmp_path / "out" / NOTE, first)
    second = started(handed, tmp_path / "out", "--seed", "t")
    said, errors = second.communicate(timeout=60)
    assert (second.returncode, said) == (2, "")
    assert "Another grading is writing to" in errors and "Traceback" not in errors
    first.communicate(timeout=60)
    assert first.returncode == 0
    assert json.loads((tmp_path / "out" / NOTE).read_text(encoding="utf-8"))["seed"] == "s"


def test_the_folder_is_free_again_when_a_run_ends_by_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(RuntimeError), journal.alone(tmp_path / "out"):
        raise RuntimeError
    with journal.alone(tmp_path / "out"), pytest.raises(journal.Busy), journal.alone(tmp_path / "out"):
        pass


def test_a_submission_never_gets_a_report_among_its_own_files(tmp_path: Path) -> None:
    mine = hand_in(tmp_path / "work" / "mine", SOLUTION, inside="agstart/hello.py")
    (mine / "report.json").write_text("a learner's own file", encoding="utf-8")
    with pytest.raises(NothingToGrade, match="among the submissions"):
        grade(mine, tmp_path / "work")
    assert (mine / "report.json").read_text(encoding="utf-8") == "a learner's own file"


# ---------------------------------------------------------------- the bar


def test_the_rate_and_the_time_left_are_those_of_the_ones_graded_now() -> None:
    now = [0.0]
    bar = bar_on(Console(file=io.StringIO()), lambda: now[0])
    task = bar.add_task("grading", total=None)
    bar.update(task, completed=1000, total=1100)
    for done in range(1001, 1011):
        now[0] += 2
        bar.update(task, completed=done, total=1100)
    (shown,) = bar.tasks
    assert shown.speed == pytest.approx(0.5)
    assert shown.time_remaining == pytest.approx(180)


def test_everybody_kept_needs_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, WRONG])
    grade(handed, tmp_path / "out")
    before = threading.active_count()
    monkeypatch.setattr("grader.referee.players.Zygote", None)
    assert grade(handed, tmp_path / "out")[0] == Outcome(2, 1, 0)
    assert threading.active_count() == before
