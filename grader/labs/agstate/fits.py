"""What the wrong beliefs of lab 1 would have produced: for each a comparison with what was seen. Pure.

A belief about values says nothing (None) of a trial whose values are right, and that failed for another reason.
"""

from __future__ import annotations

from grader.diagnose import Fits, any_of, on, saw_of
from grader.labs.agstate import rules
from grader.labs.agstate.judges import REDUCERS
from grader.labs.agstate.rules import NOTHING, Rule
from grader.model import Evidence, Json, Raised, Saw


def facts_of(evidence: Evidence) -> dict[str, Json]:
    return dict(saw_of(evidence).facts)


def flows_as(rule: Rule, zero: Json = ...) -> Fits:
    """In graphs the key has, in all three runs, the values that this rule would give."""

    def fits(evidence: Evidence) -> bool | None:
        runs = facts_of(evidence).get("runs")
        if runs is None:
            return None
        inputs = evidence.trial.inputs
        right, begin = REDUCERS[inputs["key"]]
        expected = rules.run_of(rule, begin if zero is ... else zero, inputs)
        seen = [filled(run["values"]) for run in runs]
        if seen == [filled(run) for run in rules.run_of(right, begin, inputs)]:
            return None
        return [filled(run) for run in expected] == seen

    return on("flow", fits)


def filled(values: list[Json]) -> list[Json]:
    """A key that is not there yet and one that holds None are alike."""
    return [None if value == NOTHING else value for value in values]


def merges_as(rule: Rule) -> Fits:
    def fits(evidence: Evidence) -> bool | None:
        inputs = evidence.trial.inputs
        if not isinstance(evidence.observation, Saw):
            return None
        try:
            expected = rule(inputs["old"], inputs["new"], inputs.get("window") or 0)
        except TypeError:
            return None
        result = facts_of(evidence)["result"]
        if result == REDUCERS[inputs["key"]][0](inputs["old"], inputs["new"], inputs.get("window") or 0):
            return None
        return bool(result == expected)

    return on("merge", fits)


def rule(rule: Rule) -> Fits:
    """The reducer follows this rule, both when called directly and in graphs."""
    return any_of(merges_as(rule), flows_as(rule))


def shaped(shape: str, fits: Fits) -> Fits:
    """`fits`, where the key is annotated so. Told by the player: it chooses between words, and carries no marks."""
    return lambda evidence: fits(evidence) if facts_of(evidence).get("shape") == shape else None


def two_writers(evidence: Evidence) -> bool | None:
    """Two nodes of one superstep wrote a key that has no reducer: langgraph refuses that."""
    seen = evidence.observation
    return (
        (True if "Can receive only one value per step" in seen.message else None) if isinstance(seen, Raised) else None
    )


def overwrites(shape: str) -> Fits:
    return any_of(shaped(shape, flows_as(rules.overwrite, NOTHING)), on("flow", two_writers))


def changes_old(evidence: Evidence) -> bool | None:
    facts, inputs = facts_of(evidence), evidence.trial.inputs
    if evidence.trial.probe == "merge" and facts:
        return True if facts["old"] != inputs["old"] else None
    if evidence.trial.probe == "flow" and facts:
        twice = any(doubled(value) for run in facts["runs"] for value in run["values"])
        return True if twice or any(run["values"] != run["later"] for run in facts["runs"]) else None
    return None


def doubled(value: Json) -> bool:
    return isinstance(value, list) and any(
        value.count(item) > 1 for item in value if isinstance(item, str) and "-" in item
    )


def handed_back(evidence: Evidence) -> bool | None:
    return bool(facts_of(evidence)["back"]) if evidence.trial.probe == "merge" and facts_of(evidence) else None


def none_given(evidence: Evidence) -> bool | None:
    """It raised where one side was None, and only there."""
    inputs = evidence.trial.inputs
    if evidence.trial.probe != "merge" or not isinstance(evidence.observation, Raised):
        return None
    return inputs["old"] is None or inputs["new"] is None


def gave_none(evidence: Evidence) -> bool | None:
    facts = facts_of(evidence)
    if evidence.trial.probe == "merge" and facts:
        return facts["result"] is None
    if evidence.trial.probe == "flow" and facts:
        return any(value is None for run in facts["runs"] for value in run["values"])
    return None


def other_order(evidence: Evidence) -> bool | None:
    inputs, facts = evidence.trial.inputs, facts_of(evidence)
    if evidence.trial.probe != "merge" or not facts or not isinstance(facts["result"], list):
        return None
    right = rules.dedupe(inputs["old"], inputs["new"])
    return facts["result"] != right and sorted(map(repr, facts["result"])) == sorted(map(repr, right))


def unhashable(evidence: Evidence) -> bool | None:
    seen = evidence.observation
    return "unhashable" in seen.message if isinstance(seen, Raised) and seen.type == "TypeError" else None


def dedupe_without_falsy(old: Json, new: Json, window: int = 0) -> Json:
    return [item for item in rules.dedupe(old, new) if item]


def dedupe_without_new_falsy(old: Json, new: Json, window: int = 0) -> Json:
    return rules.dedupe(old, [item for item in new or [] if item])


def newest_once(old: Json, new: Json, window: int = 0) -> Json:
    return rules.dedupe(None, new) if new is None or isinstance(new, list) else new


def dedupe_against_old(old: Json, new: Json, window: int = 0) -> Json:
    return (old or []) + [item for item in new or [] if item not in (old or [])]


def falsy_old_is_nothing(old: Json, new: Json, window: int = 0) -> Json:
    return new if not old else old if new is None else max(old, new)


def zero_for_nothing(old: Json, new: Json, window: int = 0) -> Json:
    return max(old or 0, new or 0)


def minus_zero(old: Json, new: Json, window: int) -> Json:
    return rules.append(old, new)[-window:]


def frozen(old: Json, new: Json, window: int) -> Json:
    return rules.keep_last(old, new, 3)


def front(old: Json, new: Json, window: int) -> Json:
    return rules.append(old, new)[:window]


def new_only(old: Json, new: Json, window: int) -> Json:
    return (old or []) + rules.keep_last([], new, window)


def new_only_minus_zero(old: Json, new: Json, window: int) -> Json:
    return (old or []) + (new or [])[-window:]


def bare_keeps(evidence: Evidence) -> bool | None:
    inputs, facts = evidence.trial.inputs, facts_of(evidence)
    if evidence.trial.probe == "run_bare" and facts:
        return bool(facts["first"] == inputs["names"])
    if evidence.trial.probe == "chain" and facts:
        return bool(facts["trace"] == [*inputs["start"], *inputs["names"]])
    return None
