"""What the wrong beliefs of lab 1 would have produced: for each a comparison with what was seen. Pure.

A belief about values says nothing (None) of a trial whose values are right, and that failed for another reason.
"""

from __future__ import annotations

from grader.diagnose import Fits, any_of, on, saw_of
from grader.labs.agstate import rules
from grader.labs.agstate.judges import REDUCERS
from grader.labs.agstate.rules import NOTHING, Rule
from grader.model import Evidence, Inputs, Json, Raised, Saw


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
    """Seen in the argument, in snapshots that changed later, and behind a branch in entries that no node wrote."""
    facts, inputs = facts_of(evidence), evidence.trial.inputs
    if evidence.trial.probe == "merge" and facts:
        return True if facts["old"] != inputs["old"] else None
    if evidence.trial.probe == "flow" and facts:
        if any(run["values"] != run["later"] for run in facts["runs"]):
            return True
        return (True if _counted_again(inputs, facts["runs"]) else None) if inputs["branch"] else False
    return None


def _counted_again(inputs: Inputs, runs: list[dict[str, Json]]) -> bool:
    """Some snapshot holds an entry more often than the right rule gives."""
    right, begin = REDUCERS[inputs["key"]]
    expected = [value for run in rules.run_of(right, begin, inputs) for value in run]
    seen = [value for run in runs for value in run["values"]]
    pairs = [pair for pair in zip(seen, expected, strict=False) if all(isinstance(value, list) for value in pair)]
    return any(value.count(item) > right_one.count(item) for value, right_one in pairs for item in value)


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
    return in_list_method(evidence)


def in_list_method(evidence: Evidence) -> bool | None:
    """`list.extend` met the None that it had given before."""
    seen = evidence.observation
    return (
        True
        if isinstance(seen, Raised) and "for 'list' objects doesn't apply to a 'NoneType'" in seen.message
        else None
    )


def floats_for_ints(evidence: Evidence) -> bool | None:
    """The right sums, each as a float: the channel of a `float` starts at 0.0."""
    runs = facts_of(evidence).get("runs")
    if runs is None:
        return None
    right, begin = REDUCERS[evidence.trial.inputs["key"]]
    values = [run["values"] for run in runs]
    floats = all(isinstance(value, float) for run in values for value in run)
    return floats and values == rules.run_of(right, begin, evidence.trial.inputs)


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


def newest_first(old: Json, new: Json, window: int = 0) -> Json:
    return rules.append(new, old)


def dedupe_newest_first(old: Json, new: Json, window: int = 0) -> Json:
    return rules.dedupe(new, old)


def window_newest_first(old: Json, new: Json, window: int) -> Json:
    return rules.keep_last(new, old, window)


def negative_start(old: Json, new: Json, window: int) -> Json:
    both = rules.append(old, new)
    return both[len(both) - window :]


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


def no_graph(evidence: Evidence) -> bool | None:
    """`run_bare` gave the right trace, and no node ran for it."""
    facts = facts_of(evidence)
    if evidence.trial.probe != "run_bare" or not facts:
        return None
    return not facts["ran"] and bool(facts["first"] == facts["second"] == evidence.trial.inputs["names"][-1:])


def bare_keeps(evidence: Evidence) -> bool | None:
    inputs, facts = evidence.trial.inputs, facts_of(evidence)
    if evidence.trial.probe == "run_bare" and facts:
        return bool(facts["first"] == inputs["names"])
    if evidence.trial.probe == "chain" and facts:
        return bool(facts["trace"] == [*inputs["start"], *inputs["names"]])
    return None
