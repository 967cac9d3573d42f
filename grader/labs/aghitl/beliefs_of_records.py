"""The wrong beliefs behind single facts: the policy, a builder without a checkpointer, the counter, the record."""

from __future__ import annotations

from grader.diagnose import Fits, any_of, on, raises
from grader.labs.aghitl import rules
from grader.labs.aghitl.scenes import at
from grader.model import Diagnosis, Evidence, Finding, Json, Saw


def policy_as(twist: rules.Twist) -> Fits:
    """`needs_approval` answers, for all drawn refunds, as it would with this one rule changed."""

    def fits(evidence: Evidence) -> bool:
        asked = evidence.trial.inputs["asked"]
        return bool(
            _said(evidence) == [rules.needs_approval(refund["requested"], limit, twist) for limit, refund in asked]
        )

    return on("policy", fits)


def _said(evidence: Evidence) -> Json:
    return evidence.observation.facts.get("said") if isinstance(evidence.observation, Saw) else None


def _on_amount(evidence: Evidence) -> bool:
    asked = evidence.trial.inputs["asked"]
    return bool(_said(evidence) == [refund.get("amount", refund["requested"]) > limit for limit, refund in asked])


POLICY = (
    Diagnosis(
        "AGH-BRANCH-AMOUNT",
        "The branch looks at `amount`",
        "`needs_approval` followed `amount`, which an edit can change. Whether a person is needed is decided by what was "
        "asked for.",
        "Read `requested`.",
        any_of(on("policy", _on_amount), on("policy", raises("KeyError", "amount"))),
    ),
)


def _hidden(evidence: Evidence) -> bool:
    seen = evidence.observation
    return isinstance(seen, Saw) and not seen.facts.get("refused")


def _unnamed(evidence: Evidence) -> bool:
    seen = evidence.observation
    return isinstance(seen, Saw) and bool(seen.facts.get("refused")) and not seen.facts.get("named")


REFUSES = (
    Diagnosis(
        "AGH-HIDDEN-SAVER",
        "A missing checkpointer that nobody notices",
        "The builder was given None for the checkpointer and built a graph all the same. Whoever forgets it learns of it "
        "only when a waiting case is gone.",
        "Raise `ValueError` that says that the checkpointer is missing, and put nothing in its place.",
        on("refuses", _hidden),
    ),
    Diagnosis(
        "AGH-UNNAMED",
        "A refusal that does not say what is missing",
        "The builder raised `ValueError`, but its message does not hold the word `checkpointer`.",
        "Say in the message that the checkpointer is missing.",
        on("refuses", _unnamed),
    ),
)


def _finding(evidence: Evidence) -> Finding:
    return evidence.finding or Finding("", None, None)


def _once(evidence: Evidence) -> bool:
    return _finding(evidence).where.startswith("how often")


def _shifted(evidence: Evidence) -> bool:
    found = _finding(evidence)
    lists = isinstance(found.expected, list) and isinstance(found.actual, list)
    answers = found.where.startswith("`answers`") and lists
    return answers and sorted(map(str, found.expected)) == sorted(map(str, found.actual))


def _one_answer(evidence: Evidence) -> bool:
    found = _finding(evidence)
    return found.where.startswith("the question after") and found.expected != [] and found.actual == []


def _more_than_one(evidence: Evidence) -> bool | None:
    """With one question there is nothing to confuse."""
    return None if len(evidence.trial.inputs["questions"]) == 1 else False


COUNT = (
    Diagnosis(
        "AGH-ONE-ANSWER",
        "One answer for all questions",
        "After the first answer there was no further question. One `interrupt` asks one question.",
        "Call `interrupt` once for each question, in the order of `questions`.",
        on("count", lambda evidence: _one_answer(evidence) or _more_than_one(evidence)),
    ),
    Diagnosis(
        "AGH-ANSWERS-SHIFTED",
        "Answers that lie with other questions",
        "All answers arrived, in another order than their questions. Answers are matched to `interrupt` by position.",
        "Ask in the order of `questions`, and keep each answer in the place of its question.",
        on("count", lambda evidence: _shifted(evidence) or _more_than_one(evidence)),
    ),
    Diagnosis(
        "AGH-COUNT-ONCE",
        "Entries that were not counted",
        "The node runs again from its first line with every answer, so it is entered once more than there were answers. "
        "`enter` was called at another rhythm.",
        "Use one node for all questions, and make `enter()` its first line, before the first `interrupt`.",
        on("count", _once),
    ),
)


def _names_only(evidence: Evidence) -> bool:
    found = _finding(evidence)
    if not isinstance(found.actual, dict) or not isinstance(found.expected, dict):
        return False
    return found.actual.get("executed") == found.expected.get("requested") != found.expected.get("executed")


def _early(evidence: Evidence) -> bool:
    found = _finding(evidence)
    if found.where.startswith("`record` in the state"):
        return not found.actual or (isinstance(found.actual, dict) and not found.actual.get("executed"))
    return False


def _too_early(evidence: Evidence) -> bool | None:
    wrong = raises("KeyError", "paid")(evidence) or raises("KeyError", "decision")(evidence)
    return True if wrong and at(lambda scene: True)(evidence) else None


RECORD = (
    Diagnosis(
        "AGH-RECORD-NAMES",
        "A record that keeps what was asked, not what was done",
        "The record says that the requested amount was paid. The ledger shows another amount, or none. An auditor could "
        "not see that the case was changed.",
        "Take `executed` from `paid`, and `changed` from comparing the two amounts.",
        on("record", _names_only),
    ),
    Diagnosis(
        "AGH-RECORD-EARLY",
        "A record written before the payment",
        "The record does not hold what happened: it was made from the state as it was before the money left.",
        "Write the record from the final values: after `pay`, with `paid` and `decision` as they end.",
        any_of(on("record", _early), on("record", _too_early)),
    ),
)
