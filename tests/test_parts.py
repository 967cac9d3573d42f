"""The part of a module that a step is about: what `compare` shows of it, and what of it is not written yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import catalog
from grader.notebook import helping
from grader.parts import excerpt, unwritten, written
from tests.conftest import ROOT

LAB = catalog.lab_of("agstate")
SOLUTION = (ROOT / "solutions" / LAB.file).read_text(encoding="utf-8")
STARTER = (ROOT / "labs" / LAB.file).read_text(encoding="utf-8")
OF_A_STEP = {
    "agstate.overwrite": "def run_bare",
    "agstate.append": "trace: Annotated",
    "agstate.dedupe": "sources: Annotated",
    "agstate.maximum": "best_score: Annotated",
    "agstate.window": "notes: Annotated",
    "agstate.budget": "used_calls: Annotated",
    "agstate.schemas": "def build",
    "agstate.growth": "dumps_typed",
    "agstate.pointer": "hexdigest()",
    "agstate.decisions": '"overwrite"',
}


@pytest.mark.parametrize("step", OF_A_STEP)
def test_a_comparison_shows_its_own_step_and_gives_no_other_away(step: str, course: Path) -> None:
    told = repr(helping.compare(step, peek=True))
    assert {name: each in told for name, each in OF_A_STEP.items()} == {name: name == step for name in OF_A_STEP}
    assert '"""' not in told


def test_what_a_step_needs_comes_along_and_nothing_else() -> None:
    lines = excerpt(SOLUTION, ["BareState.trace", "run_bare"], ["State", "build"])
    assert [line for line in lines if line.startswith(("from", "class", "def"))] == [
        "from itertools import pairwise",
        "from typing import TypedDict",
        "from langgraph.graph import END, START, StateGraph",
        "class BareState(TypedDict, total=False):",
        "def run_bare(names: Sequence[str]) -> list:",
        "def _chain(graph: StateGraph, nodes: Mapping[str, Node]) -> StateGraph:",
        "def _signing(name: str) -> Node:",
    ]


def test_what_is_still_as_the_starter_has_it_is_unwritten() -> None:
    step = LAB.step("agstate.schemas")
    assert unwritten(STARTER, STARTER, written(step)) == list(written(step))
    assert unwritten(SOLUTION, STARTER, written(step)) == []
    grown = STARTER.replace("    # step 7: question, doc_ref\n", "    question: str\n").replace("\n", "\r\n")
    assert unwritten(grown, STARTER, written(step)) == [each for each in written(step) if each != "InputState"]


def test_a_key_may_stand_in_a_schema_of_another_form() -> None:
    functional = 'from typing import TypedDict\nState = TypedDict("State", {"trace": list})\n'
    assert unwritten(functional, STARTER, ["State.trace"]) == []


@pytest.mark.parametrize("text", ["def :\n", "x = " + "(" * 5_000, "\0", "x" * 300_000])
def test_a_text_that_cannot_be_read_has_nothing_unwritten(text: str) -> None:
    assert unwritten(text, STARTER, ["State.trace"]) == []
