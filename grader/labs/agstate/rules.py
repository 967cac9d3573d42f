"""How a key of the state merges, as pure functions of plain values: the right rules, and a model of a run under any rule.

Knows nothing of langgraph. That the model agrees with langgraph is measured in tests/test_agstate_model.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from grader.model import Inputs, Json

Rule = Callable[[Json, Json, int], Json]
"""Old value, new value and the window's size give the merged value."""

OVERWRITE_KEYS = ("question", "answer", "memo", "doc_ref")
RULE_OF_KEY = {
    **dict.fromkeys(OVERWRITE_KEYS, "overwrite"),
    "trace": "append",
    "sources": "dedupe",
    "best_score": "max",
    "notes": "window",
    "used_calls": "sum",
}
NOTHING = {"$type": "absent", "text": "nothing: no such key"}


def overwrite(old: Json, new: Json, window: int = 0) -> Json:
    return new


def append(old: Json, new: Json, window: int = 0) -> Json:
    return (old or []) + (new or [])


def dedupe(old: Json, new: Json, window: int = 0) -> Json:
    merged: list[Json] = []
    for item in append(old, new):
        if item not in merged:
            merged.append(item)
    return merged


def maximum(old: Json, new: Json, window: int = 0) -> Json:
    given = [value for value in (old, new) if value is not None]
    return max(given) if given else None


def keep_last(old: Json, new: Json, window: int) -> Json:
    both = append(old, new)
    return both[len(both) - window :] if window < len(both) else both


def total(old: Json, new: Json, window: int = 0) -> Json:
    return (old or 0) + (new or 0)


def run_of(rule: Rule, zero: Json, inputs: Inputs) -> list[list[Json]]:
    """The values that the key has in the three runs of a `flow` trial: after the input, then after every superstep."""
    runs = []
    value = zero
    for _ in range(3):
        if inputs["start"] is not None:
            value = _merged(rule, value, inputs["start"], inputs)
        seen = [value]
        for group in inputs["groups"]:
            for name in sorted(group):
                if group[name] is not None:
                    value = _merged(rule, value, group[name], inputs)
            seen.append(value)
        runs.append(seen)
    return runs


def _merged(rule: Rule, old: Json, new: Json, inputs: Inputs) -> Json:
    # A channel whose type has no empty value stores the first write as it is (FACTS M08).
    return new if old == NOTHING else rule(old, new, inputs.get("window") or 0)


def packed_size(value: Json) -> int:
    """Bytes of a plain value in MessagePack, which is how langgraph's serializer writes it (msgpack's public format)."""
    if value is None or isinstance(value, bool):
        return 1
    if isinstance(value, int):
        return _packed_int(value)
    if isinstance(value, float):
        return 9
    if isinstance(value, str):
        length = len(value.encode())
        return length + (1 if length < 32 else 2 if length < 2**8 else 3 if length < 2**16 else 5)
    head = 1 if len(value) < 16 else 3 if len(value) < 2**16 else 5
    if isinstance(value, dict):
        return head + sum(packed_size(key) + packed_size(item) for key, item in value.items())
    return head + sum(map(packed_size, value))


def _packed_int(value: int) -> int:
    if -32 <= value < 128:
        return 1
    for bits in (8, 16, 32):
        if -(2 ** (bits - 1)) <= value < 2**bits:
            return 1 + bits // 8
    return 9


def states_of(inputs: Inputs, runs: Sequence[str]) -> list[dict[str, Json]]:
    """The values at every checkpoint of one thread of a `sizes` trial, oldest first."""
    log, last = inputs["keys"]
    states: list[dict[str, Json]] = []
    now: dict[str, Json] = {log: []}
    for text in runs:
        states.append(now)
        now = {**now, last: text}
        states.append(now)
        for _, note, wrote in inputs["nodes"]:
            now = {log: [*now[log], note], last: wrote}
            states.append(now)
    return states


def rule_shown(writes: Sequence[Json], value: Json, window: int) -> str:
    """The word for how a key behaves, from three writes and what came of them; "none of the six" where nothing fits."""
    rules: dict[str, Rule] = {
        "overwrite": overwrite,
        "append": append,
        "dedupe": dedupe,
        "window": keep_last,
        "max": maximum,
        "sum": total,
    }
    lists = isinstance(writes[0], list)
    numbers = isinstance(writes[0], (int, float))
    fitting = ["overwrite"] + (["append", "dedupe", "window"] if lists else ["max", "sum"] if numbers else [])
    for word in fitting:
        merged: Json = None
        for write in writes:
            merged = rules[word](merged, write, window)
        if json.dumps(merged) == json.dumps(value) or (numbers and merged == value):
            return word
    return "none of the six"
