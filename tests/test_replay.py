"""A finding once more: on the right submission, with a word when it changed, and a sentence when it cannot be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.replay import CannotReplay, replay
from tests.test_cohort import SOLUTION, STARTER, grade, hand_in, zipped


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two learners of one name and a third, graded; the reports no longer know where the submissions lie."""
    root = tmp_path_factory.mktemp("replay")
    hand_in(root / "in" / "ada", SOLUTION)
    hand_in(root / "in" / "twice", SOLUTION)
    zipped(root / "in" / "twice.zip", {"agstate/state.py": STARTER.read_bytes()})
    grade(root / "in", root / "out")
    (root / "out" / ".grading.json").unlink()
    return root


def test_two_submissions_of_one_name_are_told_apart(graded: Path) -> None:
    for name, verdict in (("twice", "PASSED"), ("twice (2)", "NOT STARTED")):
        again = replay(graded / "out" / name, "agstate.overwrite", graded / "in")
        assert again.same
        assert verdict in again.text


def test_never_is_somebody_elses_submission_taken(graded: Path, tmp_path: Path) -> None:
    shutil.copytree(graded / "in" / "ada", tmp_path / "in" / "eve")
    shutil.copytree(graded / "in" / "ada", tmp_path / "in" / "ida")
    with pytest.raises(CannotReplay, match="There is no submission of 'twice'"):
        replay(graded / "out" / "twice", "agstate.overwrite", tmp_path / "in")


def test_the_one_submission_may_be_named_itself(graded: Path) -> None:
    for place in (graded / "in" / "ada", graded / "in" / "twice.zip"):
        learner = "ada" if place.is_dir() else "twice (2)"
        assert replay(graded / "out" / learner, "agstate.overwrite", place).same


def test_a_change_is_told_even_where_the_same_comes_again(graded: Path, tmp_path: Path) -> None:
    shutil.copytree(graded / "in" / "ada", tmp_path / "ada")
    with (tmp_path / "ada" / "agstate" / "state.py").open("a", encoding="utf-8") as file:
        file.write("\n# one more line\n")
    again = replay(graded / "out" / "ada", "agstate.overwrite", tmp_path)
    assert again.same
    assert again.text.endswith("The submission has changed since it was graded, though.")


def test_without_a_step_the_steps_of_the_report_are_listed(graded: Path) -> None:
    with pytest.raises(CannotReplay, match=r"Say which step.*\n  agstate.overwrite  passed\n"):
        replay(graded / "out" / "ada", "", graded / "in")


STEP = {"step": "agstate.append", "lab": "agstate", "seed": "1", "verdict": "passed"}


@pytest.mark.parametrize(
    "content",
    [
        [1],
        {"learner": "ada", "labs": [], "steps": [1]},
        {"learner": "ada", "labs": [], "steps": [{}]},
        {"learner": "ada", "labs": [{}], "steps": [STEP]},
        {"learner": 7, "labs": [], "steps": [STEP]},
        {"learner": "ada", "labs": [], "steps": [{**STEP, "seed": 1}]},
    ],
)
def test_what_is_no_report_is_told_in_a_sentence(content: Any, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(CannotReplay, match="is not a report of this grader"):
        replay(tmp_path, "agstate.append")


def test_a_step_that_this_grader_no_longer_has_is_told(tmp_path: Path) -> None:
    gone = {"learner": "ada", "labs": [], "steps": [{**STEP, "step": "agstate.gone"}]}
    (tmp_path / "report.json").write_text(json.dumps(gone), encoding="utf-8")
    with pytest.raises(CannotReplay, match="There is no"):
        replay(tmp_path, "agstate.gone")
