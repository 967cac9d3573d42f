"""Modules that hang, exit, print, eat memory, die or lie: the right verdict with its reason, and no trace in the next."""

from __future__ import annotations

import json

import psutil
import pytest

from grader import catalog
from grader.grading import check
from grader.referee.players import Players
from grader.referee.source import read_folder
from grader.render.json_form import learner_json
from tests import roads
from tests.conftest import ROOT
from tests.roads import Submission

MISBEHAVING = roads.whole("misbehaving")


def report_of_the_solution(lab: catalog.Lab, players: Players) -> str:
    source = read_folder(ROOT / "solutions", lab.file)
    return json.dumps(learner_json("next", [check(lab, lab.steps, source, "7", players, own=False)]))


def processes() -> set[int]:
    """Every process of this machine that was started by the tests' own, and is not yet dead."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        if process.status() != psutil.STATUS_ZOMBIE:
            found.add(process.pid)
    return found


@pytest.fixture(scope="module")
def alone(players: Players) -> dict[str, str]:
    """What the solution's report is when nobody misbehaved before."""
    return {lab.slug: report_of_the_solution(lab, players) for lab in catalog.graded_labs()}


@pytest.mark.parametrize("submission", MISBEHAVING, ids=lambda each: f"{each.lab.slug}-{each.name}")
def test_it_gets_its_verdict_with_the_reason_and_leaves_no_trace(
    submission: Submission, players: Players, alone: dict[str, str]
) -> None:
    before = processes()
    lab, about = submission.lab, submission.about
    results = roads.checked(lab, lab.steps, submission.source, players)
    told = {result.step: str(result.verdict) for result in results}
    expected = {step.id: about["others"] for step in lab.steps} | dict(about["expect"])
    assert told == expected
    for result in results:
        if result.step in about["expect"] or str(result.verdict) == about["others"] != "passed":
            assert about["reason"] in result.reason
            assert result.next
    assert len(processes()) <= len(before)  # The zygote alone, or the one that took its place.
    assert report_of_the_solution(lab, players) == alone[lab.slug]


def test_the_memory_of_a_report_is_bounded_by_what_was_printed_in_the_middle(players: Players) -> None:
    loud = next(each for each in MISBEHAVING if each.name == "prints_20_mb")
    results = roads.checked(loud.lab, loud.lab.steps, loud.source, players)
    assert len(results[0].printed) < 20_000
    assert "bytes" in results[0].printed
