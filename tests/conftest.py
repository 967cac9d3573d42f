"""What the tests share: warm players, and a copy of the course in which a learner may write."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.referee.players import Players

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def players() -> Iterator[Players]:
    with Players() as made:
        made.warm()
        yield made


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's copy of the course, with the starters, as the current folder."""
    root = copy_of_the_course(tmp_path / "a course of 민서")
    monkeypatch.chdir(root)
    return root


def copy_of_the_course(root: Path, *, solved: bool = False) -> Path:
    """`labs` and `solutions`; with `solved`, the solutions stand where the starters stood."""
    leave_out = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for part in ("labs", "solutions"):
        shutil.copytree(ROOT / part, root / part, ignore=leave_out)
    for file in (ROOT / "grader" / "labs").glob("*/starter/*"):
        target = root / "labs" / file.parent.parent.name / file.name
        shutil.copy(file, target)
    if solved:
        shutil.copytree(root / "solutions", root / "labs", dirs_exist_ok=True)
    return root
