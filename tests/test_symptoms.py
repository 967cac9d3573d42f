"""What users of other graders report about many submissions, as tests. N: nbgrader, O: otter-grader, C: CoCalc.

| issue | symptom there | test |
|---|---|---|
| N174 | serial only; another result by another way of running | `test_cohort.test_one_worker_and_three_...`, `test_cluster` |
| N1456 | no count, no time left, no way to go on | `test_journal` |
| N216 | a killed run skips a learner, who then has a zero | `test_journal` (killed, ctrl_c) |
| N427, C4879 | eaten memory; later tests counted as passed | `test_misbehaving` (eats_memory) |
| N1033, O469, O813 | a loop leaves no result, or no table | `test_intake.test_a_submission_that_hangs_...` |
| N416, N1157, N1083, N1941 | one broken submission stops the rest | `test_cohort`, `test_one_grading_...` |
| N1302, N1236, O433 | a renamed module: a cryptic error | `test_a_renamed_module_is_told_with_the_names_that_are_there` |
| N258 | an extra file breaks or confuses grading | `test_one_grading_...` (extra) |
| N1735, N1703, N1403 | spaces, quotes, other scripts in names | `test_names_come_back_from_the_table_as_they_were` |
| N1297, N1042, O380, O443, O524 | encodings of modules and of the machine | `test_one_grading_...`, `test_a_machine_...` |
| N1904, C5028 | a warning on stderr makes a right answer a zero | `test_one_grading_...` (warns) |
| N138 | an output flood freezes everything | `test_one_grading_...` (floods) |
| C4588, C4951, O723 | a dead process takes earlier results along | `test_a_dead_process_keeps_the_results_of_other_steps` |
| O580 | grading in a loop hangs after some files | `test_grading_again_and_again_leaves_nothing_behind` |
| O814 | a table says 6/10 and nothing tells why | `test_cohort.test_every_submission_has_a_report_and_a_row_...` |
| N1353 | a step of no points ends the grading | `test_a_step_of_no_points_is_graded_like_any_other` |
| N1202 | files of one learner reach another | `test_two_alike_have_a_report_each_under_their_own_name` |
| N1237, N483 | submissions are changed or written over | `test_nothing_of_a_submission_is_changed` |
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from grader.cohort.run import Outcome, grade_folder
from tests import test_cohort
from tests.conftest import ROOT
from tests.test_cohort import hand_in, report_of, rows_of, verdicts_of
from tests.test_journal import LABS, SOLUTION, bytes_of, grade, hand_in_all

UNICODE = "# é → ≤ 오류\n" + SOLUTION
WARNS = (
    SOLUTION + "\nimport sys, warnings\nwarnings.warn('old', DeprecationWarning)\nsys.stderr.write('E: ' + 'x' * 99)\n"
)
RIGHT: dict[str, bytes] = {
    "plain": SOLUTION.encode(),
    "bom": b"\xef\xbb\xbf" + UNICODE.encode(),
    "cp1252 declared": ("# -*- coding: cp1252 -*-\n# é\n" + SOLUTION).encode("cp1252"),
    "korean codepage": ("# -*- coding: cp949 -*-\n# 오류\n" + SOLUTION).encode("cp949"),
    "old line ends": SOLUTION.replace("\n", "\r\n").encode(),
    "unicode": UNICODE.encode(),
    "warns": WARNS.encode(),
    "floods": (SOLUTION + "\nfor _ in range(2000):\n    print('x' * 10_000)\n").encode(),
    "extra": SOLUTION.encode(),
}
BROKEN: dict[str, bytes] = {
    "cp1252 undeclared": (SOLUTION + "\nNAME = 'é'\n").encode("cp1252"),
    "utf-16": UNICODE.encode("utf-16"),
    "unknown coding": ("# -*- coding: klingon -*-\n" + SOLUTION).encode(),
    "null bytes": SOLUTION.encode() + b"\0",
    "ends itself": b"import os\nos._exit(0)\n",
    "lone surrogate": b"raise RuntimeError('\\udce9')\n",
}
NOT_STARTED = ("only a notebook", "linked")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome, list[str], dict[str, bytes]]:
    """One grading with all of them side by side."""
    root = tmp_path_factory.mktemp("symptoms")
    for name, content in {**RIGHT, **BROKEN}.items():
        (root / "in" / name / "agstart").mkdir(parents=True)
        (root / "in" / name / "agstart" / "hello.py").write_bytes(content)
    for extra in ("Untitled.ipynb", "notes.py", "agstart/hello copy.py", "agstart/.hello.py.swp"):
        (root / "in" / "extra" / extra).write_bytes(b"\xff\xfe not for anybody")
    (root / "in" / "only a notebook").mkdir()
    (root / "in" / "only a notebook" / "hello.ipynb").write_text("{}", encoding="utf-8")
    (root / "in" / "linked" / "agstart").mkdir(parents=True)
    (root / "in" / "linked" / "agstart" / "hello.py").symlink_to(ROOT / "solutions" / "agstart" / "hello.py")
    before = bytes_of(root / "in")
    outcome, told = grade(root / "in", root / "out")
    return root, outcome, told, before


Cohort = tuple[Path, Outcome, list[str], dict[str, bytes]]


def test_one_grading_of_all_of_them_has_the_right_verdict_for_each(graded: Cohort) -> None:
    root, outcome, _, _ = graded
    assert outcome == Outcome(len(RIGHT) + len(BROKEN) + len(NOT_STARTED), len(RIGHT), 0)
    wanted = (
        dict.fromkeys(RIGHT, "passed") | dict.fromkeys(BROKEN, "broken") | dict.fromkeys(NOT_STARTED, "not started")
    )
    assert {name: verdicts_of(root / "out", name) for name in wanted} == {name: {word} for name, word in wanted.items()}


def test_what_is_broken_has_its_reason(graded: Cohort) -> None:
    root, _, told, _ = graded
    reasons = {name: report_of(root / "out", name)["steps"][0]["reason"] for name in BROKEN}
    assert all(reasons.values())
    assert "UTF-8" in reasons["cp1252 undeclared"] or "utf-8" in reasons["cp1252 undeclared"]
    assert "klingon" in reasons["unknown coding"]
    assert "linked: `agstart/hello.py` was not read: it is a link, and links are not followed." in told


def test_a_flood_of_20_mb_leaves_small_reports(graded: Cohort) -> None:
    root, *_ = graded
    assert max(file.stat().st_size for file in (root / "out" / "floods").iterdir()) < 30_000
    (step,) = report_of(root / "out", "floods")["steps"]
    assert step["remarks"][0].startswith("The module printed 20,002,000 bytes while it was imported.")


def test_nothing_of_a_submission_is_changed(graded: Cohort) -> None:
    root, _, _, before = graded
    assert bytes_of(root / "in") == before


def test_a_renamed_module_is_told_with_the_names_that_are_there(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "learner-01", SOLUTION, inside="agstart/hello (1).py")
    outcome, told = grade(tmp_path / "in", tmp_path / "out")
    assert outcome == Outcome(1, 0, 0)
    assert told[1:] == [
        "learner-01: There is no `agstart/hello.py` in learner-01: the only Python file in it is `agstart/hello (1).py`."
    ]


@pytest.mark.parametrize(
    "name", ["a, b", "it's", "Ünï 민서", "two  spaces", "semi;colon", "-dash", "#hash", "100%", "a&b<c"]
)
def test_names_come_back_from_the_table_as_they_were(name: str, tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / name, SOLUTION, inside="agstart/hello.py")
    assert grade(tmp_path / "in", tmp_path / "out")[0] == Outcome(1, 1, 0)
    (row,) = rows_of(tmp_path / "out")
    shown = name.replace("<", "_")
    assert row["learner"] == (f"'{shown}" if shown.startswith("-") else shown)
    assert report_of(tmp_path / "out", shown)["learner"] == shown


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS refuses such names")
def test_names_that_are_no_text_stop_nothing(tmp_path: Path) -> None:
    for name in (b"learner-\xe9", b"learner-02"):
        inside = tmp_path / "in" / os.fsdecode(name) / os.fsdecode(b"d\xe9j\xe0") / "agstart"
        inside.mkdir(parents=True)
        (inside / "hello.py").write_text(SOLUTION, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "in" / "learner-03.zip", "w") as archive:
        archive.writestr("déjà/agstart/hello.py", SOLUTION)
    outcome, told = grade(tmp_path / "in", tmp_path / "out")
    assert outcome == Outcome(3, 3, 0)
    assert len(rows_of(tmp_path / "out")) == 3
    assert any("d\udce9j\udce0" in line for line in told)


def test_a_machine_without_utf_8_grades_the_same(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "민서", UNICODE, inside="agstart/hello.py")
    ascii_only = {name: value for name, value in os.environ.items() if name not in ("LANG", "PYTHONUTF8")}
    ascii_only |= {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    line = [
        sys.executable,
        "-m",
        "grader",
        "grade",
        tmp_path / "in",
        "--out",
        tmp_path / "out",
        "--seed",
        "s",
        "--allow-level",
        "0",
    ]
    done = subprocess.run([*line, "--lab", "agstart"], cwd=ROOT, env=ascii_only, capture_output=True, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr
    grade(tmp_path / "in", tmp_path / "here")
    assert (tmp_path / "out" / "summary.csv").read_bytes() == (tmp_path / "here" / "summary.csv").read_bytes()


def test_a_dead_process_keeps_the_results_of_other_steps(tmp_path: Path) -> None:
    solution = test_cohort.SOLUTION.read_text(encoding="utf-8")
    hand_in(tmp_path / "in" / "learner-01", solution + "\n\ndef run_bare(names):\n    import os\n    os._exit(0)\n")
    outcome, _ = test_cohort.grade(tmp_path / "in", tmp_path / "out")
    (row,) = rows_of(tmp_path / "out")
    others = {row[step.id] for step in test_cohort.LABS[0].steps if step.id != "agstate.overwrite"}
    assert (outcome, row["agstate.overwrite"], row["earned"], others) == (Outcome(1, 0, 0), "broken", "9", {"passed"})
    steps = report_of(tmp_path / "out", "learner-01")["steps"]
    (reason,) = [step["reason"] for step in steps if step["step"] == "agstate.overwrite"]
    assert reason.startswith("The process ended")


def test_grading_again_and_again_leaves_nothing_behind(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, "import os\nos._exit(1)\n"])
    own = psutil.Process()

    def held() -> tuple[int, int, int]:
        return own.num_fds(), own.num_threads(), len(own.children(recursive=True))

    grade(handed, tmp_path / "0")
    before = held()
    for number in range(1, 7):
        assert grade(handed, tmp_path / str(number))[0] == Outcome(2, 1, 0)
    assert held() == before


def test_a_step_of_no_points_is_graded_like_any_other(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, "x ="])
    lab = replace(LABS[0], steps=[replace(step, points=0) for step in LABS[0].steps])
    outcome = grade_folder(
        handed, tmp_path / "out", [lab], "s", 1, lambda line: None, lambda done, total: None, lowest=0
    )
    assert outcome == Outcome(2, 1, 0)
    assert [(row["earned"], row["possible"]) for row in rows_of(tmp_path / "out")] == [("0", "0")] * 2


def test_two_alike_have_a_report_each_under_their_own_name(tmp_path: Path) -> None:
    handed = hand_in_all(tmp_path / "in", [SOLUTION, SOLUTION])
    grade(handed, tmp_path / "out")
    one, two = (report_of(tmp_path / "out", f"learner-0{number}") for number in (1, 2))
    assert (one["learner"], two["learner"]) == ("learner-01", "learner-02")
    assert "learner-01" not in json.dumps(two) and "learner-02" not in json.dumps(one)
    assert one["labs"][0]["source"]["digest"] == two["labs"][0]["source"]["digest"]
