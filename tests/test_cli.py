"""The command line as a learner meets it: what it prints, and the exit codes that scripts rely on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.commands.watch import watch
from grader.notebook.checking import check

PASSED, NOT_ALL, USAGE, FAULT = 0, 1, 2, 3


def grader(*arguments: str, cwd: Path, answer: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "grader", *arguments],
        cwd=cwd,
        input=answer,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "COLUMNS": "100"},
    )


def solve(course: Path) -> None:
    solution = (course / "solutions" / "agstate" / "state.py").read_bytes()
    (course / "labs" / "agstate" / "state.py").write_bytes(solution)


def test_a_check_ends_with_0_when_all_passed_and_with_1_when_not(course: Path) -> None:
    done = grader("check", "agstate.append", "--seed", "9", cwd=course)
    assert (done.returncode, done.stderr) == (NOT_ALL, "")
    assert done.stdout.startswith("agstate.append · NOT STARTED")
    solve(course)
    done = grader("check", "agstate", cwd=course)
    assert done.returncode == PASSED
    assert "10 of 10 steps passed" in done.stdout


def test_a_check_works_from_a_folder_inside_the_course(course: Path) -> None:
    assert grader("check", "agstart", cwd=course / "labs" / "agstate").returncode == PASSED


@pytest.mark.parametrize("command", ["check", "hint", "compare", "progress", "watch", "reset"])
def test_a_mistyped_name_ends_with_2_and_the_nearest_ones(command: str, course: Path) -> None:
    done = grader(command, "agstate.apend", cwd=course)
    assert done.returncode == USAGE
    assert "Closest: agstate.append" in done.stdout + done.stderr


def test_no_command_and_an_unknown_one_end_with_2(course: Path) -> None:
    assert grader(cwd=course).returncode == USAGE
    assert grader("chekc", cwd=course).returncode == USAGE


def test_a_fault_of_the_grader_ends_with_3(course: Path) -> None:
    code = "import grader.__main__ as m, grader.commands.lint as l; l.lint = lambda **k: 1 / 0; "
    code += "import sys; sys.argv = ['grader', 'lint']; m.main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=course, capture_output=True, text=True, check=False)
    assert done.returncode == FAULT
    assert "This is a fault of the grader" in done.stderr


def test_hint_compare_progress_and_doctor_speak_in_the_terminal(course: Path) -> None:
    assert "hint 1 of 4" in grader("hint", "agstate.append", cwd=course).stdout
    assert "hint 2 of 4" in grader("hint", "agstate.append", cwd=course).stdout
    assert "+    trace: Annotated" in grader("compare", "agstate.append", "--peek", cwd=course).stdout
    assert "0 of 10 steps passed" in grader("progress", "agstate", cwd=course).stdout
    done = grader("doctor", cwd=course)
    assert (done.returncode, done.stdout.startswith("All is well")) == (PASSED, True)


@pytest.mark.parametrize("command", ["hint", "compare"])
def test_a_lab_in_the_place_of_a_step_ends_with_2_and_names_its_steps(command: str, course: Path) -> None:
    done = grader(command, "agstate", cwd=course)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert "Name one of its steps: agstate.overwrite, agstate.append" in done.stderr


def test_reset_of_a_step_ends_with_2_and_asks_nothing(course: Path) -> None:
    done = grader("reset", "agstate.window", cwd=course)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert "reset agstate" in done.stderr


def test_reset_asks_about_a_missing_file_in_other_words(course: Path) -> None:
    assert "What you have now is kept in .lab/backups." in grader("reset", "agstate", cwd=course, answer="n\n").stdout
    (course / "labs" / "agstate" / "state.py").unlink()
    asked = grader("reset", "agstate", cwd=course, answer="n\n").stdout
    assert asked.startswith("There is no labs/agstate/state.py. Put the starter there?")


def test_a_wrong_path_is_told_alone_before_anything_is_said_of_grading(course: Path) -> None:
    done = grader("grade", "nowhere", "--out", "reports", cwd=course)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert done.stderr.splitlines() == [
        "There is no folder 'nowhere'. Give the folder that holds one folder or zip per learner."
    ]


def test_reset_asks_first_and_leaves_everything_on_no(course: Path) -> None:
    solve(course)
    mine = (course / "labs" / "agstate" / "state.py").read_bytes()
    assert grader("reset", "agstate", cwd=course, answer="n\n").returncode == NOT_ALL
    assert (course / "labs" / "agstate" / "state.py").read_bytes() == mine
    assert grader("reset", "agstate", "--yes", cwd=course).returncode == PASSED
    assert (course / "labs" / "agstate" / "state.py").read_bytes() != mine


def test_watch_checks_again_after_a_save_and_only_then(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = course / "labs" / "agstate" / "state.py"
    looks: list[float] = []

    def save_at_the_third_look(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            file.write_text("def :\n", encoding="utf-8")
            os.utime(file, (1, 1))

    monkeypatch.setattr("grader.commands.watch.sleep", save_at_the_third_look)
    told: list[str] = []
    watch("agstate.append", told.append, rounds=2)
    assert ["NOT STARTED" in told[0], "BROKEN" in told[1]] == [True, True]
    assert len(looks) == 4


def test_text_without_a_terminal_of_utf8_is_printed_all_the_same(course: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "grader", "check", "agstart"]
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, check=False)
    assert done.returncode == PASSED
    assert b"PASSED" in done.stdout


def test_check_gives_the_same_in_notebook_and_terminal(course: Path) -> None:
    lines = repr(check("agstate.append", seed="3")).splitlines()
    printed = grader("check", "agstate.append", "--seed", "3", cwd=course).stdout.splitlines()
    assert [line for line in lines if not line.startswith("file")] == [
        line for line in printed if not line.startswith("file")
    ]
