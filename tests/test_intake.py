"""Submissions and report folders that no file system is glad of: nothing of it ends the grading of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cohort import grade as grading
from grader.cohort.intake import take_in
from grader.cohort.run import Outcome
from grader.referee import player
from tests.test_cohort import LABS, SOLUTION, STARTER, grade, hand_in, report_of, rows_of, verdicts_of

EVERYWHERE = ("summary.csv", "beliefs.csv", "report.html")


def test_a_learner_cannot_take_the_place_of_a_table(tmp_path: Path) -> None:
    for name in EVERYWHERE:
        hand_in(tmp_path / "in" / name, STARTER)
    outcome, _ = grade(tmp_path / "in", tmp_path / "out")
    assert outcome == Outcome(3, 0, 0)
    assert all((tmp_path / "out" / name).is_file() for name in EVERYWHERE)
    assert len(rows_of(tmp_path / "out")) == 3


def test_one_file_is_counted_as_one(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "ada", SOLUTION)
    (tmp_path / "in" / "ada" / "agstate").rename(tmp_path / "in" / "ada" / "copy")
    (tmp_path / "in" / "ada" / "more").mkdir()
    (tmp_path / "in" / "ada" / "more" / "state.py").write_bytes(SOLUTION.read_bytes())
    (tmp_path / "in" / "ida").mkdir()
    (tmp_path / "in" / "ida" / "other.py").write_text("x = 1\n", encoding="utf-8")
    _, told = grade(tmp_path / "in", tmp_path / "out")
    assert any("the only Python file in it is `other.py`" in line for line in told)
    remarks = report_of(tmp_path / "out", "ada")["labs"][0]["source"]["remarks"]
    assert "(1 more of that name was left alone)" in remarks[0]


def test_long_names_are_cut_and_stay_apart(tmp_path: Path) -> None:
    for name in ("n" * 255, "N" * 255, "가" * 85):
        hand_in(tmp_path / "in" / name, STARTER)
    names = [entry.name for entry in take_in(tmp_path / "in", LABS).entries]
    assert len({name.casefold() for name in names}) == 3
    assert all(len(name.encode()) < 220 for name in names)
    assert "가" * 66 in names
    assert grade(tmp_path / "in", tmp_path / "out")[0] == Outcome(3, 0, 0)


def test_a_report_that_cannot_be_written_is_told_and_stops_nobody(tmp_path: Path) -> None:
    for name in ("one", "two"):
        hand_in(tmp_path / "in" / name, SOLUTION)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "one").write_text("a file where a folder is needed", encoding="utf-8")
    outcome, told = grade(tmp_path / "in", tmp_path / "out")
    assert (outcome, outcome.code) == (Outcome(2, 2, 0, 1), 3)
    assert told[1:] == ["one: the reports could not be written (File exists)."]
    assert [row["earned"] for row in rows_of(tmp_path / "out")] == ["10", "10"]
    assert verdicts_of(tmp_path / "out", "two") == {"passed"}


def test_a_table_that_cannot_be_written_is_told_and_the_other_is_there(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "one", STARTER)
    (tmp_path / "out" / "summary.csv").mkdir(parents=True)
    outcome, told = grade(tmp_path / "in", tmp_path / "out")
    assert (outcome.unwritten, outcome.code) == (1, 3)
    assert told[1:] == ["summary.csv could not be written: Is a directory."]
    assert (tmp_path / "out" / "report.html").is_file()


def test_a_fault_of_the_grader_with_one_submission_does_not_touch_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trips(tree: object, main: str) -> object:
        if getattr(tree, "shown", "") == "one":
            raise RuntimeError("ours")
        return honest(tree, main)  # type: ignore[arg-type]

    honest = grading.read_tree
    monkeypatch.setattr(grading, "read_tree", trips)
    for name in ("one", "two"):
        hand_in(tmp_path / "in" / name, SOLUTION)
    outcome, told = grade(tmp_path / "in", tmp_path / "out")
    assert (outcome, outcome.code) == (Outcome(2, 1, 1), 3)
    assert told[1:] == ["one: The grader itself failed here; this does not count against the learner."]
    assert verdicts_of(tmp_path / "out", "one") == {"grader fault"}
    assert "RuntimeError: ours" in report_of(tmp_path / "out", "one")["steps"][0]["printed"]
    assert verdicts_of(tmp_path / "out", "two") == {"passed"}


def test_a_submission_that_hangs_costs_its_neighbours_nothing_and_workers_change_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "LOAD_SECONDS", 3.0)
    hand_in(tmp_path / "in" / "hangs", "while True:\n    pass\n")
    half = SOLUTION.read_text(encoding="utf-8").replace("Annotated[list, add]", "list")
    hand_in(tmp_path / "in" / "neighbour", half)
    (tmp_path / "in" / "empty").mkdir()
    for jobs in (1, 3):
        grade(tmp_path / "in", tmp_path / str(jobs), jobs=jobs)
    one, three = ({file.relative_to(root): file.read_bytes() for file in files_of(root)} for root in roots(tmp_path))
    assert len(one) == 3 * 2 + 3 + 3 + 2  # Reports, tables, journal, and two files for the folder itself.
    assert one == three
    assert verdicts_of(tmp_path / "1", "hangs") == {"broken"}
    assert {"passed", "needs work"} <= verdicts_of(tmp_path / "1", "neighbour")


def roots(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "1", tmp_path / "3"


def files_of(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def test_the_page_over_all_says_every_verdict_in_words_and_folds_many_notes(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / "in" / str(number)).mkdir(parents=True)
    grade(tmp_path / "in", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count('<span class="said">not started</span>') == 9 * len(LABS[0].steps)
    assert "<details><summary>9 notes</summary>" in page
    assert 'scope="colgroup"' in page
