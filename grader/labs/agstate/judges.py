"""What is right: pure functions of the drawn inputs and of what was seen. They never see learner code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from grader.labs.agstate import rules
from grader.labs.agstate.rules import NOTHING, OVERWRITE_KEYS, RULE_OF_KEY, Rule
from grader.model import Finding, Inputs, Json, Saw
from grader.wording import counted, words

REDUCERS: dict[str, tuple[Rule, Json]] = {
    "trace": (rules.append, []),
    "sources": (rules.dedupe, []),
    "best_score": (rules.maximum, NOTHING),
    "notes": (rules.keep_last, []),
    "used_calls": (rules.total, 0),
}
"""For each key that is not overwritten: its rule, and what a channel of its type holds before the first write."""

RULE_WORDS = ("overwrite", "append", "dedupe", "max", "window", "sum")


def differs(where: str, expected: Json, actual: Json) -> Finding | None:
    """The finding, or None where both are equal. Neither True nor 1.0 is 1 here."""
    kinds = isinstance(expected, int) or isinstance(actual, bool)
    same = expected == actual and (not kinds or type(expected) is type(actual))
    return None if same else Finding(where, expected, actual)


def first(findings: Sequence[Finding | None]) -> Finding | None:
    return next((finding for finding in findings if finding is not None), None)


def bare(inputs: Inputs, seen: Saw) -> Finding | None:
    last = [inputs["names"][-1]]
    return first(
        [
            differs("what `run_bare` returned", last, seen.facts.get("first")),
            differs("what `run_bare` returned when it ran a second time", last, seen.facts.get("second")),
            differs("the nodes that ran while `run_bare` was called", inputs["names"], seen.facts.get("ran")),
        ]
    )


def bare_chain(inputs: Inputs, seen: Saw) -> Finding | None:
    return differs("the final `trace` over `BareState`", [inputs["names"][-1]], seen.facts.get("trace"))


def merged(inputs: Inputs, seen: Saw) -> Finding | None:
    name = inputs["reducer"]
    rule, _ = REDUCERS[inputs["key"]]
    right = rule(inputs["old"], inputs["new"], inputs.get("window") or 0)
    return first(
        [
            differs(f"what `{name}` returned", right, seen.facts.get("result")),
            differs(f"the first argument of `{name}` after the call", inputs["old"], seen.facts.get("old")),
            differs(f"the second argument of `{name}` after the call", inputs["new"], seen.facts.get("new")),
            _handed_back(name, seen.facts.get("back")),
        ]
    )


def _handed_back(name: str, back: Json) -> Finding | None:
    if not back:
        return None
    which = {"old": "the first argument itself", "new": "the second argument itself"}.get(str(back), str(back))
    return Finding(f"the list that `{name}` returned", words("a list of its own"), words(which))


def flowed(inputs: Inputs, seen: Saw) -> Finding | None:
    rule, zero = REDUCERS[inputs["key"]]
    runs = seen.facts.get("runs")
    for number, right in enumerate(rules.run_of(rule, zero, inputs)):
        run = runs[number] if isinstance(runs, list) and number < len(runs) and isinstance(runs[number], dict) else {}
        which = ("", " in a second run on the same thread", " in a run of the rebuilt graph on the same thread")[number]
        found = _run_differs(inputs, right, run.get("values"), run.get("later"), which)
        if found:
            return found
    return None


def _run_differs(inputs: Inputs, right: list[Json], values: Json, later: Json, which: str) -> Finding | None:
    key = inputs["key"]
    if not isinstance(values, list) or len(values) != len(right):
        return Finding(
            f"the number of supersteps{which}", len(right) - 1, len(values) - 1 if isinstance(values, list) else values
        )
    settled = [_settled(inputs, value) for value in values]
    for superstep, (expected, actual) in enumerate(zip(right, settled, strict=True)):
        if expected == NOTHING:  # Before the first write it is free what the key holds.
            continue
        place = f"after superstep {superstep}" if superstep else "after the input"
        found = differs(f"`{key}` {place}{which}", _settled(inputs, expected), actual)
        if found:
            return found
    return differs(f"the earlier snapshots of `{key}`, looked at once more after the run{which}", values, later)


def _settled(inputs: Inputs, value: Json) -> Json:
    """The order in which parallel writers are merged is not judged: each such stretch is put into one order."""
    parallel = {
        repr(item) for group in inputs["groups"] if len(group) > 1 for part in group.values() for item in _items(part)
    }
    if not isinstance(value, list) or not parallel:
        return value
    settled: list[Json] = []
    stretch: list[Json] = []
    for item in [*value, None]:
        if repr(item) in parallel:
            stretch.append(item)
            continue
        settled += sorted(stretch, key=repr)
        stretch = []
        settled.append(item)
    return settled[:-1]


def _items(part: Json) -> list[Json]:
    return part if isinstance(part, list) else []


def overwritten(inputs: Inputs) -> list[list[dict[str, Json]]]:
    """What each node of a `build_run` trial must see of the overwritten keys, run by run; the state left last."""
    now: dict[str, Json] = {}
    runs: list[list[dict[str, Json]]] = []
    for sent in [*inputs["sent"], inputs["sent"][0]]:
        if len(runs) == len(inputs["sent"]):
            now = {}
        now = {**now, **{key: sent[key] for key in ("question", "doc_ref") if key in sent}}
        seen = []
        for _, update in inputs["nodes"]:
            seen.append(now)
            now = {**now, **{key: value for key, value in update.items() if key in OVERWRITE_KEYS}}
        runs.append([*seen, now])
    return runs


def built(inputs: Inputs, seen: Saw) -> Finding | None:
    names = [name for name, _ in inputs["nodes"]]
    runs = overwritten(inputs)
    entered = [call.args[0] for call in seen.calls if len(call.args) == 2]
    order = differs("the order in which the nodes ran", names, entered[: len(names)])
    count = differs("the number of nodes that ran in all runs", len(names) * len(runs), len(entered))
    return order or count or _seen_differs(inputs, runs, seen) or _left_differs(inputs, runs, seen)


def _seen_differs(inputs: Inputs, runs: list[list[dict[str, Json]]], seen: Saw) -> Finding | None:
    expected = [state for run in runs for state in run[:-1]]
    for call, right in zip(seen.calls, expected, strict=True):
        name, told = call.args
        for key, value in sorted(told.items()) if isinstance(told, dict) else []:
            if inputs["injected"] and inputs["injected"] in repr(value):
                return Finding(
                    f"`{key}`, as node `{name}` saw it", words("nothing of what the caller sent under it"), value
                )
        for key in OVERWRITE_KEYS:
            found = differs(f"`{key}`, as node `{name}` saw it", _shown(right.get(key)), _shown(told.get(key)))
            if found:
                return found
    return None


def _left_differs(inputs: Inputs, runs: list[list[dict[str, Json]]], seen: Saw) -> Finding | None:
    facts = seen.facts
    for number, (result, state) in enumerate(zip(facts["results"], facts["states"], strict=True)):
        extra = sorted(set(result or {}) - {"answer", "sources"}) if isinstance(result, dict) else [result]
        left = runs[number][-1]
        found = first(
            [
                differs("keys of the result beside `answer` and `sources`", [], extra),
                differs("`answer` in the result", _shown(left.get("answer")), _shown((result or {}).get("answer"))),
                *(differs(f"`{k}` in the thread", _shown(left.get(k)), _shown(state.get(k))) for k in OVERWRITE_KEYS),
                differs("entries of `trace` that are there twice", [], _too_often(state.get("trace"), number + 1)),
            ]
        )
        if found:
            return found
    return first(
        [
            differs("what the caller sent under an internal key, in the thread's history", [], facts.get("leaked")),
            differs("the keys of `State`", sorted(RULE_OF_KEY), facts.get("keys")),
        ]
    )


def _shown(value: Json) -> Json:
    """A node's look at a key: nothing, None, 0 and an empty list are alike to `.get`, and are left out by the act."""
    return None if value in (None, 0, []) or value == NOTHING else value


def _too_often(trace: Json, runs: int) -> list[Json]:
    """Entries that stand in `trace` more often than runs have written them."""
    return sorted({item for item in trace if trace.count(item) > runs}, key=repr) if _is_words(trace) else []


def _is_words(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def sized(inputs: Inputs, seen: Saw) -> Finding | None:
    right = [[rules.packed_size(state) for state in rules.states_of(inputs, runs)] for _, runs in inputs["threads"]]
    told = seen.facts.get("sizes")
    if not isinstance(told, list) or len(told) != len(right):
        return Finding("the sizes of each thread", right, told)
    for (name, runs), expected, actual in zip(inputs["threads"], right, told, strict=True):
        ran = f"ran {counted(len(runs), 'time')}" if runs else "never ran"
        found = differs(f"`checkpoint_sizes` of thread {name!r}, which {ran}", expected, actual)
        if found:
            return found
    return None


def pointed(inputs: Inputs, seen: Saw) -> Finding | None:
    texts = [text for _, text in inputs["submitted"]]
    right = {hashlib.sha256(text.encode()).hexdigest(): text for text in texts}
    answers = [{"answer": f"{q}: {len(text)} characters, {text[-inputs['tail'] :]}"} for q, text in inputs["submitted"]]
    told = seen.facts.get("results")
    results = (
        [{"answer": each.get("answer")} if isinstance(each, dict) else each for each in told]
        if isinstance(told, list)
        else told
    )
    return first(
        [
            differs("what was put into the store", right, stored(seen)),
            differs("where the text stands in the thread", [], seen.facts.get("found")),
            differs("the keys sent to the app", [["doc_ref", "question"]] * len(texts), seen.facts.get("sent")),
            differs("what `submit` returned", answers, results),
        ]
    )


def stored(seen: Saw) -> dict[str, Json]:
    """What lies in the referee's store after the trial, from the calls that it witnessed."""
    store: dict[str, Json] = {}
    for call in seen.calls:
        if call.tool == "put":
            store[str(call.args[0])] = call.args[1]
        elif call.tool == "drop":
            store.pop(str(call.args[0]), None)
    return store


def decided(inputs: Inputs, seen: Saw) -> Finding | None:
    told, values = seen.facts.get("told"), seen.facts.get("values")
    if not isinstance(told, dict) or not isinstance(values, dict):
        return Finding("`DECISIONS`", words("a mapping of keys to pairs"), told)
    keys = differs("the keys of `DECISIONS`", sorted(RULE_OF_KEY), sorted(told))
    return keys or first([_decision(inputs, told, values, key) for key in RULE_OF_KEY]) or _whys(told)


def _decision(inputs: Inputs, told: dict[str, Json], values: dict[str, Json], key: str) -> Finding | None:
    pair = told[key]
    if not isinstance(pair, list) or len(pair) != 2:
        return Finding(f"`DECISIONS[{key!r}]`", words("a pair (rule, why)"), pair)
    if pair[0] not in RULE_WORDS:
        return Finding(f"the rule of `{key}`", words("one of " + ", ".join(RULE_WORDS)), pair[0])
    shown = rules.rule_shown(inputs["writes"][key], values.get(key), inputs["window"])
    return differs(f"the rule of `{key}` (expected is how it behaved in your `State`)", shown, pair[0])


def _whys(told: dict[str, Json]) -> Finding | None:
    whys = {key: pair[1] for key, pair in told.items()}
    for key, why in whys.items():
        if not isinstance(why, str) or len(why.strip()) < 15:
            return Finding(f"the reason for `{key}`", words("a sentence of at least 15 characters"), why)
        twin = next((other for other in whys if other != key and whys[other] == why), None)
        if twin:
            return Finding(f"the reason for `{key}`", words(f"another sentence than for `{twin}`"), why)
    return None
