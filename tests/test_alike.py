"""Nearly the same code under other names is told; the same task solved anew, or not begun, is not."""

from __future__ import annotations

import random
import re
import tracemalloc
from array import array
from pathlib import Path

import pytest

from grader import catalog
from grader.cohort import alike
from grader.cohort.intake import take_in
from tests.conftest import ROOT
from tests.test_cohort import LABS, SOLUTION, STARTER, hand_in, zipped

RIGHT = ROOT / "tests" / "submissions" / "agstate" / "right"
LAB = catalog.lab_of("agstate")
NAMES = (
    "merged source old new graph before after newest_first shot doc_ref text app store question _chain _signing Node"
)


def renamed(source: str) -> str:
    """A copy with other names and words, and without its comments and docstrings."""
    for number, name in enumerate(NAMES.split()):
        source = re.sub(rf"\b{name}\b", f"thing_{number}", source)
    source = re.sub(r'^ *"""(.|\n)*?"""\n', "", source, flags=re.MULTILINE)
    source = re.sub(r'", "[A-Z][^"]*"\)', '", "because I think so")', source)
    return re.sub(r" *#.*\n", "\n", source)


def groups(folder: Path) -> list[list[str]]:
    return [list(group.learners) for group in alike.groups(take_in(folder, LABS).entries, LABS)]


def test_a_renamed_copy_is_told_with_what_it_was_copied_from(tmp_path: Path) -> None:
    source = SOLUTION.read_text(encoding="utf-8")
    copy = renamed(source)
    assert len(set(copy.split()) & set(source.split())) < 0.5 * len(set(source.split()))
    hand_in(tmp_path / "learner-01", SOLUTION)
    hand_in(tmp_path / "learner-02", RIGHT / "required_keys" / "agstate" / "state.py")
    hand_in(tmp_path / "learner-03", copy)
    assert groups(tmp_path) == [["learner-01", "learner-03"]]


def test_other_imports_another_order_and_a_few_lines_more_do_not_hide_a_copy(tmp_path: Path) -> None:
    parts = renamed(SOLUTION.read_text(encoding="utf-8")).split("\n\n\n")
    more = "def more(x):\n    return [y + 1 for y in x if y]\n"
    hand_in(tmp_path / "learner-01", SOLUTION)
    hand_in(tmp_path / "learner-02", "\n\n\n".join(["import json, math", *reversed(parts[1:]), more]))
    assert groups(tmp_path) == [["learner-01", "learner-02"]]


def test_the_same_task_solved_anew_is_not_told(tmp_path: Path) -> None:
    for name in ("callable_objects", "functional_typeddict", "required_keys"):
        hand_in(tmp_path / name, RIGHT / name / "agstate" / "state.py")
    hand_in(tmp_path / "solution", SOLUTION)
    assert groups(tmp_path) == []


def test_untouched_starters_are_not_told_and_neither_are_starters_with_one_step_written(tmp_path: Path) -> None:
    here = "    # step 1: trace, a list without a reducer"
    begun = STARTER.read_text(encoding="utf-8").replace(here, "    trace: list")
    for number in range(3):
        hand_in(tmp_path / f"learner-0{number}", STARTER)
        hand_in(tmp_path / f"learner-1{number}", begun)
    assert begun != STARTER.read_text(encoding="utf-8")
    assert groups(tmp_path) == []


def test_what_the_starter_gave_is_taken_away_before_anything_is_compared() -> None:
    starter = {"agstate/state.py": STARTER.read_bytes()}
    assert len(alike.fingerprint(starter)) >= alike.FEWEST
    assert len(alike.fingerprint(starter, alike.starter_runs(LAB))) == 0


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff\xfe def",
        b"def f(:\n  '''never ended",
        b"(" * 100_000,
        b"x" + b".a" * 100_000,
        b"-" * 100_000 + b"1",
        b"if 1:\n        a\n    b\n",
        "f'{x!r:>{w}}' \ud800".encode("utf-8", "surrogatepass"),
        b"a = '\\d'\n",
        b"'\\" * 400_000,
        (b"'\\" * 490 + b"\n") * 4_000,
    ],
    ids=[
        "empty",
        "binary",
        "unended",
        "brackets",
        "dots",
        "minuses",
        "indents",
        "surrogate",
        "escape",
        "quotes",
        "lines of quotes",
    ],
)
def test_what_is_no_python_is_no_reason_to_fail(content: bytes) -> None:
    assert len(alike.fingerprint({"agstate/state.py": content})) < 100_000


def test_a_copy_that_does_not_parse_is_told_too(tmp_path: Path) -> None:
    hand_in(tmp_path / "learner-01", SOLUTION)
    hand_in(tmp_path / "learner-02", renamed(SOLUTION.read_text(encoding="utf-8")) + "\ndef broken(:\n  (((\n")
    (tmp_path / "learner-03.zip").write_bytes(b"PK no zip at all")
    zipped(tmp_path / "learner-04.zip", {"notes.txt": b"nothing"})
    assert groups(tmp_path) == [["learner-01", "learner-02"]]


def test_a_whole_class_with_one_solution_is_one_group() -> None:
    made = [alike.fingerprint({"a": SOLUTION.read_bytes()})] * (3 * alike.CROWD)
    (group,) = alike._grouped(LAB, [f"learner-{number:03}" for number in range(len(made))], made)
    assert (len(group.learners), group.share) == (3 * alike.CROWD, 1.0)


def test_what_is_kept_while_all_are_compared_grows_with_the_class_and_not_with_its_square() -> None:
    luck = random.Random(5)
    common = [luck.randrange(1 << 40) for _ in range(30)]

    def peak(learners: int) -> int:
        own = [[luck.randrange(1 << 40) for _ in range(100)] for _ in range(learners)]
        prints = [array("Q", sorted([*common, *each])) for each in own]
        tracemalloc.start()
        assert alike._pairs(prints) == []
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(800) < 6 * peak(200)
