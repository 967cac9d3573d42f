"""Wrong submissions are refused with the belief behind them, right ones pass in every style: under every seed.

`LAB_SEEDS` says how many, 20 by default; 200 before a lab is called done (CONTRIBUTING.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader import catalog
from grader.model import Step
from grader.referee.players import Players
from grader.referee.source import Source
from tests import roads
from tests.conftest import ROOT
from tests.roads import SEEDS, Seen, Submission, seen

FEW = SEEDS[:5]
WRONG = roads.wrong()
RIGHT = roads.whole("right")


@pytest.fixture(scope="module")
def two() -> Iterator[tuple[Players, Players]]:
    with Players() as one, Players() as other:
        yield one, other


def both(submission: Submission, step: Step, seeds: list[str], two: tuple[Players, Players]) -> dict[str, Seen]:
    """The step under all seeds, half of them by each zygote."""
    halves = [seeds[0::2], seeds[1::2]]
    with ThreadPoolExecutor(2) as pool:
        told = pool.map(lambda part, players: seen(submission, step, part, players), halves, two)
    return {seed: each for part in told for seed, each in part.items()}


@pytest.mark.slow
@pytest.mark.parametrize("submission", RIGHT, ids=lambda each: f"{each.lab.slug}-{each.name}")
def test_a_right_submission_passes_every_step_under_every_seed(
    submission: Submission, two: tuple[Players, Players]
) -> None:
    for step in submission.lab.steps:
        seeds = SEEDS[: submission.about.get("seeds", len(SEEDS))]
        refused = {seed: each.evidence for seed, each in both(submission, step, seeds, two).items() if not each.passed}
        assert refused == {}, f"{step.id}, written in this style: {submission.about['style']}"


@pytest.mark.slow
@pytest.mark.parametrize("submission", WRONG, ids=lambda each: f"{each.lab.slug}-{each.name}")
def test_a_wrong_submission_is_refused_with_its_own_belief_under_every_seed(
    submission: Submission, two: tuple[Players, Players]
) -> None:
    seeds = SEEDS[: submission.about.get("seeds", len(SEEDS))]
    for name, code in submission.expect.items():
        told = both(submission, submission.lab.step(name), seeds, two)
        assert [seed for seed, each in told.items() if each.passed] == [], f"{name} passed"
        other = {seed: each.diagnosis and each.diagnosis.code for seed, each in told.items()}
        assert {seed: given for seed, given in other.items() if given != code} == {}, name


@pytest.mark.parametrize("submission", WRONG, ids=lambda each: f"{each.lab.slug}-{each.name}")
def test_a_wrong_submission_fails_nothing_but_what_it_has_wrong(submission: Submission, players: Players) -> None:
    for step in submission.others:
        assert [seed for seed, each in seen(submission, step, FEW, players).items() if not each.passed] == [], step.id


@pytest.mark.parametrize("lab", catalog.graded_labs(), ids=lambda lab: lab.slug)
def test_every_diagnosis_has_a_wrong_submission_that_gets_it(lab: catalog.Lab) -> None:
    known = {diagnosis.code for step in lab.steps for diagnosis in step.diagnoses}
    reached = {code for each in WRONG if each.lab == lab for code in each.expect.values()}
    assert known == reached


@pytest.mark.parametrize("lab", catalog.graded_labs(), ids=lambda lab: lab.slug)
def test_there_are_eight_right_submissions_in_different_styles(lab: catalog.Lab) -> None:
    assert len({each.about["style"] for each in RIGHT if each.lab == lab}) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["paid_again_to_be_sure", "decided_twice"])
def test_a_graph_that_looks_right_and_pays_twice_is_caught_under_every_one_of_a_thousand_seeds(
    name: str, two: tuple[Players, Players]
) -> None:
    (submission,) = [each for each in WRONG if each.name == name]
    told = both(submission, submission.lab.step("aghitl.resume"), [f"night {number}" for number in range(1_000)], two)
    assert len(told) == 1_000
    assert [seed for seed, each in told.items() if each.passed] == []


# ---------------------------------------------------------------- stubs and the like

STUBS = {
    "raises NotImplementedError": "def {name}(*args, **more):\n    raise NotImplementedError\n",
    "returns None": "def {name}(*args, **more):\n    return None\n",
    "returns its first argument": "def {name}(*args, **more):\n    return args[0]\n",
    "says yes to everything": (
        "class Yes(list):\n    def __eq__(self, other):\n        return True\n    def __len__(self):\n        return 1\n"
        "    __hash__ = None\n\n\ndef {name}(*args, **more):\n    return Yes()\n"
    ),
}
FUNCTIONS = [
    (step, name)
    for lab in catalog.graded_labs()
    for step in lab.steps
    for name in step.names
    if re.search(rf"^def {name}\(", (ROOT / "solutions" / lab.file).read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("stub", STUBS)
@pytest.mark.parametrize(("step", "name"), FUNCTIONS, ids=lambda each: each if isinstance(each, str) else each.id)
def test_a_stub_never_passes(step: Step, name: str, stub: str, players: Players) -> None:
    lab = catalog.lab_of(step.id)
    text = roads.spliced((ROOT / "solutions" / lab.file).read_text(encoding="utf-8"), STUBS[stub].format(name=name))
    source = Source(lab.file, {lab.file: text.encode()}, "stub")
    for each in seen(Submission("stub", lab, source), step, FEW, players).values():
        assert not each.passed


@pytest.mark.parametrize("lab", catalog.graded_labs(), ids=lambda lab: lab.slug)
def test_a_module_without_a_name_of_the_step_is_told_so(lab: catalog.Lab, players: Players) -> None:
    source = Source(lab.file, {lab.file: b"keep_maxx = buildd = 1\n"}, "nothing")
    for step in lab.steps:
        (result,) = roads.checked(lab, [step], source, players)
        assert str(result.verdict) == "broken"
        assert "has no name `" in result.reason
