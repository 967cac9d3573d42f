"""Lab 2: stopping before what cannot be undone. Steps, and what each probe says it tried."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence

from grader.draw import Luck
from grader.labs.aghitl import beliefs, draws, judges, texts
from grader.model import Belief, Finding, Inputs, Json, Lab, Prediction, Probe, Saw, Step
from grader.wording import counted

MODULE = ("THRESHOLD", "Refund")

Draw = Callable[[Luck], Sequence[Inputs]]
Judge = Callable[[Inputs, Saw], "Finding | None"]


def _step(name: str, names: tuple[str, ...], *probes: Probe) -> Step:
    step = f"aghitl.{name}"
    every = (*MODULE, *names)
    told = texts.HINTS[step], texts.NOTICED[step]
    return Step(step, texts.TITLES[step], every, probes, beliefs.OF_STEP[step], *told, writes=names)


def _desk(inputs: Inputs) -> Mapping[str, Callable[..., Json]]:
    """The tools of one trial. Their receipts are drawn from its inputs, so that a replay gives the same."""
    draw = random.Random(json.dumps(inputs, sort_keys=True))

    def receipt(*args: Json) -> Json:
        return f"receipt-{draw.getrandbits(48):012x}"

    return {"pay": receipt, "notify": receipt, "enter": lambda: None, "mark": lambda number: None}


def _asked(inputs: Inputs) -> str:
    limits = sorted({limit for limit, _ in inputs["asked"]})
    return f"needs_approval on {counted(len(inputs['asked']), 'refund')}, THRESHOLD = {' and '.join(map(str, limits))}"


def _refusing(inputs: Inputs) -> str:
    return f"{inputs['graph']} with None for the checkpointer"


def _moves(inputs: Inputs) -> str:
    return f"a graph of `{inputs['graph']}`: {judges.told_all(inputs)}"


def _questions(inputs: Inputs) -> str:
    return f"build_counter with {counted(len(inputs['questions']), 'question')}, answered on two threads"


def _cases(name: str, draw: Draw, act: str = "cases", judge: Judge = judges.played) -> Probe:
    return Probe(name, act, draw, judge, _moves, _desk)


def _refuses(graph: str) -> Probe:
    return Probe("refuses", "refuses", lambda luck: draws.refusals(graph), judges.refused, _refusing, _desk)


STEPS = (
    _step("threshold", ("needs_approval",), Probe("policy", "policy", draws.policies, judges.policy, _asked)),
    _step("branch", ("needs_approval", "build"), _cases("branch", draws.branches)),
    _step("silent", ("build_silent", "outcome"), _cases("silent", draws.silences)),
    _step("stop", ("build",), _refuses("build"), _cases("stop", draws.stops)),
    _step("resume", ("build", "approve"), _cases("resume", draws.resumes)),
    _step("edit", ("build", "edit"), _cases("edit", draws.edits)),
    _step("hold", ("build", "approve", "edit"), _cases("hold", draws.holds)),
    _step("reject", ("build", "outcome", "approve", "reject"), _cases("reject", draws.rejects)),
    _step("inline", ("outcome", "build_inline"), _refuses("build_inline"), _cases("inline", draws.inlines)),
    _step("count", ("build_counter",), Probe("count", "counted", draws.counters, judges.counted, _questions, _desk)),
    _step(
        "record",
        ("build", "build_inline", "approve", "edit", "reject", "approval_record"),
        _cases("record", draws.records, "records", judges.recorded),
    ),
    _step(
        "restart",
        ("build", "approve", "edit"),
        Probe("restart", "wait_on_disk", draws.restarts, judges.played, _moves, _desk, "decide_from_disk"),
    ),
)


def _prediction(drawn: Mapping[str, Json]) -> Prediction:
    known = tuple(Belief(each["name"], each["answer"], each["instead"]) for each in drawn["beliefs"])
    return Prediction(drawn["id"], drawn["question"], drawn["act"], drawn["inputs"], known, drawn["noticed"])


LAB = Lab(
    "aghitl",
    "Stopping before what cannot be undone",
    2,
    "aghitl.approve",
    STEPS,
    tuple(_prediction(drawn) for drawn in texts.PREDICTIONS),
)
