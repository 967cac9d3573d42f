"""What a report says in the rarer cases: words and not values, one trouble once, and an import that would help."""

from __future__ import annotations

import pytest

from grader import catalog
from grader.model import Evidence, Finding, Lab, Raised, Saw, TimedOut, Trial
from grader.notebook.shown import Checked
from grader.referee.players import Players
from grader.referee.source import Source
from grader.render.html import page_html
from grader.render.rows import rows_of
from grader.render.text import report_text
from grader.wording import next_for, reason_for, words
from tests import roads
from tests.conftest import ROOT
from tests.test_grading import check, hello, lab_of, step_of

LAB = catalog.lab_of("agstate")
SOLUTION = (ROOT / "solutions" / LAB.file).read_text(encoding="utf-8")


def source(text: str) -> Source:
    return Source(LAB.file, {LAB.file: text.encode()}, "state.py")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("operator", "import operator"),
        ("add", "from operator import add"),
        ("Annotated", "from typing import Annotated"),
        ("StateGraph", "from langgraph.graph import StateGraph"),
    ],
)
def test_a_name_that_an_import_would_give_is_told_with_its_line(name: str, line: str, players: Players) -> None:
    text = f"class State:\n    trace: int = {name}\n"
    report = check(LAB, [LAB.step("agstate.append")], source(text), "1", players)
    assert f"Import it at the top of `agstate/state.py`: `{line}`." in report_text(report).replace("\n         ", " ")


def test_another_name_is_looked_for_where_it_stands() -> None:
    seen = Raised("NameError", "name 'additon' is not defined", ("agstate/state.py:7 in f: additon(1)",))
    assert next_for(seen, LAB.steps[0], LAB.file) == "Look at agstate/state.py, line 7."
    assert reason_for(seen) == "NameError was raised while the step was tried: name 'additon' is not defined"


def test_an_import_that_hangs_points_at_code_outside_of_functions() -> None:
    told = next_for(TimedOut(8), LAB.steps[0], LAB.file, importing=True)
    assert "outside of functions" in told and "run_bare" not in told


def test_a_module_that_does_not_import_is_told_once_and_nothing_was_tried(players: Players) -> None:
    report = check(LAB, LAB.steps, source("x = 1\ndef :\n"), "1", players)
    text = report_text(report)
    assert text.count("SyntaxError") == 1
    assert "None of the other 9 steps could be tried either." in text
    assert "nothing was tried" in text and "tries" not in text
    assert {(result.tries, result.failures) for result in report.results} == {(0, 0)}
    assert Checked(report)._repr_mimebundle_()["text/html"].count("SyntaxError") == 1
    page = page_html("learner.html", learner="ada", reports=[report], notes=[])
    assert page.count("SyntaxError") == 1


def report_with(finding: Finding, players: Players) -> dict[str, str]:
    step = step_of("only", lambda inputs, seen: finding)
    lab: Lab = lab_of(step)
    report = check(lab, [step], hello(), "1", players)
    told = {row.label: row.text for row in rows_of(report, report.results[0])}
    return {**told, "all": report_text(report)}


def test_words_are_no_values_and_have_no_first_difference(players: Players) -> None:
    told = report_with(Finding("here", words("a pair (rule, why)"), "max"), players)
    assert (told["expected"], told["got"]) == ("a pair (rule, why)", "'max'")
    assert "^" not in told["all"]
    assert "^ first difference" in report_with(Finding("here", "a pair", "max"), players)["all"]


def test_a_list_that_was_handed_back_is_told_in_words(players: Players) -> None:
    change = (ROOT / "tests/submissions/agstate/wrong/hands_an_argument_back.py").read_text(encoding="utf-8")
    text = roads.spliced(SOLUTION, change)
    report = check(LAB, [LAB.step("agstate.dedupe")], source(text), "1", players)
    told = {row.label: row.text for row in rows_of(report, report.results[0])}
    assert told["where"] == "the list that `merge_sources` returned"
    assert (told["expected"], told["got"]) == ("a list of its own", "the first argument itself")


def test_a_thread_that_ran_once_ran_1_time(players: Players) -> None:
    text = roads.spliced(SOLUTION, "def checkpoint_sizes(app, config):\n    return []\n")
    report = check(LAB, [LAB.step("agstate.growth")], source(text), "1", players)
    assert "which ran 1 time\n" in report_text(report)


@pytest.mark.parametrize(
    ("step", "change"),
    [
        # A set trips over None first; the belief is about order, and so has to be the counterexample.
        ("agstate.dedupe", "def merge_sources(old, new):\n    return sorted({*old, *new}, key=repr)\n"),
        (
            "agstate.schemas",
            "class InputState(State, total=False):\n    pass\n\n\nclass OutputState(State, total=False):\n    pass\n",
        ),
    ],
)
def test_the_counterexample_is_one_that_the_belief_explains(step: str, change: str, players: Players) -> None:
    (result,) = roads.checked(LAB, [LAB.step(step)], source(roads.spliced(SOLUTION, change)), players)
    assert result.diagnosis is not None and result.counterexample is not None
    assert result.diagnosis.fits(result.counterexample) is True


def test_without_a_belief_the_first_failed_trial_is_shown() -> None:
    from grader.diagnose import example_of

    pieces = [Evidence(Trial("run", {}, str(n)), Saw({}), Finding("x", 0, n) if n else None) for n in range(3)]
    assert example_of(None, pieces) is pieces[1]
