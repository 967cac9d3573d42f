"""The practice lab of the first notebook: one step, given and right, so that a learner sees a check pass."""

from __future__ import annotations

from collections.abc import Sequence

from grader.diagnose import raises
from grader.draw import Luck
from grader.labs.agstart import texts
from grader.model import Belief, Diagnosis, Evidence, Finding, Inputs, Json, Lab, Prediction, Probe, Saw, Step

_STEP = "agstart.hello"


def _starts(luck: Luck) -> Sequence[Inputs]:
    """Nothing at first, then up to three drawn words."""
    return [{"start": luck.words(count)} for count in range(4)]


def _supersteps(inputs: Inputs) -> Json:
    start = list(inputs["start"])
    return [start, [*start, "listen", "look"], [*start, "listen", "look", "tell"]]


def _said(inputs: Inputs, seen: Saw) -> Finding | None:
    expected, actual = _supersteps(inputs), seen.facts.get("said")
    return None if expected == actual else Finding("`said` at the start and after each superstep", expected, actual)


def _in_a_row(evidence: Evidence) -> bool:
    start, seen = list(evidence.trial.inputs["start"]), evidence.observation
    said = seen.facts.get("said") if isinstance(seen, Saw) else None
    return said in [
        [start, *([*start, *row[:length]] for length in (1, 2, 3))]
        for row in (["look", "listen", "tell"], ["listen", "look", "tell"])
    ]


def _replaced(evidence: Evidence) -> bool:
    seen = evidence.observation
    return isinstance(seen, Saw) and (seen.facts.get("said") or [None])[-1] == ["tell"]


DIAGNOSES = (
    Diagnosis(
        "AST-NO-RULE",
        "`said` has lost its rule",
        "Two nodes wrote to it in one superstep, and without a rule LangGraph does not choose between them.",
        "Put the rule back: `said: Annotated[list, add]`.",
        raises("InvalidUpdateError", "said"),
    ),
    Diagnosis(
        "AST-IN-A-ROW",
        "`look` and `listen` run one after the other",
        "Two arrows from START would let them share a superstep.",
        "Give `look` and `listen` each an edge from `START`, and `tell` one edge from the list of both.",
        _in_a_row,
    ),
    Diagnosis(
        "AST-REPLACED",
        "The last write replaced the others",
        "`said` has no rule that keeps both old and new.",
        "Put the rule back: `said: Annotated[list, add]`.",
        _replaced,
    ),
)


def _prediction(drawn: dict[str, Json]) -> Prediction:
    known = tuple(Belief(each["name"], each["answer"], each["instead"]) for each in drawn["beliefs"])
    return Prediction(drawn["id"], drawn["question"], drawn["act"], drawn["inputs"], known, drawn["noticed"])


STEPS = (
    Step(
        _STEP,
        texts.TITLES[_STEP],
        ("build",),
        (
            Probe(
                "run", "run_hello", _starts, _said, lambda inputs: f"a run that begins with said = {inputs['start']!r}"
            ),
        ),
        DIAGNOSES,
        texts.HINTS[_STEP],
        texts.NOTICED[_STEP],
    ),
)

LAB = Lab(
    "agstart",
    "What a superstep is",
    0,
    "agstart.hello",
    STEPS,
    tuple(_prediction(drawn) for drawn in texts.PREDICTIONS),
    graded=False,
)
