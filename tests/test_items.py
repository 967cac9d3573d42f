"""How hard a step is and what it tells apart, against numbers worked out by another way."""

from __future__ import annotations

import statistics

import pytest

from grader import catalog
from grader.cohort.items import ENOUGH, Line, counts_of, discrimination
from grader.model import Verdict

LAB = catalog.lab_of("agstate")
STEPS = len(LAB.steps)
WORDS = {"p": str(Verdict.PASSED), "n": str(Verdict.NEEDS_WORK), "f": str(Verdict.GRADER_FAULT)}


def line(name: str, verdicts: str) -> Line:
    words = tuple(WORDS[letter] for letter in verdicts.ljust(STEPS, "n"))
    return Line(name, verdicts.count("p"), STEPS, words, ("",) * STEPS, {})


def class_of(*verdicts: str) -> list[Line]:
    return [line(f"learner-{number:02}", each) for number, each in enumerate(verdicts)]


def test_discrimination_is_the_correlation_with_the_other_steps() -> None:
    lines = class_of("pppp", "ppp", "pp", "pnp", "p", "npp", "np", "nnp", "n", "n", "pppppp", "nppp")
    passed = [float(each.verdicts[0] == "passed") for each in lines]
    others = [float(each.verdicts[1:].count("passed")) for each in lines]
    told = discrimination(lines, 0)
    assert told == pytest.approx(statistics.correlation(passed, others))
    assert 0 < float(told or 0) < 1


def test_a_step_that_only_those_pass_who_pass_nothing_else_is_at_the_lower_end() -> None:
    told = discrimination(class_of(*["p"] * 6, *["npppp"] * 6), 0)
    assert told == pytest.approx(-1)


@pytest.mark.parametrize(
    "verdicts",
    [["pppp", "n"] * 4 + ["p"], ["pp"] * ENOUGH, ["np"] * ENOUGH, ["pn", "nn"] * ENOUGH],
    ids=["too few", "all passed", "nobody passed", "no other step"],
)
def test_where_nothing_can_be_said_nothing_is(verdicts: list[str]) -> None:
    assert discrimination(class_of(*verdicts), 0) is None


def test_a_fault_of_ours_counts_neither_as_passed_nor_as_not_passed() -> None:
    count = counts_of(class_of("p", "p", "n", "f"), [LAB])[0]
    assert (count.passed, count.counted, count.share) == (2, 3, 2 / 3)
    many = class_of(*["pppp", "n"] * 5)
    assert [each.discrimination for each in counts_of([*many, line("fault", "fpppppp")], [LAB])] == [
        each.discrimination for each in counts_of(many, [LAB])
    ]


def test_a_step_that_nobody_could_be_graded_in_has_no_share() -> None:
    assert counts_of(class_of("f"), [LAB])[0].share is None
