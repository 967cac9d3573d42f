"""What the player does to a learner's `agstate/state.py`: it runs graphs and reports what it saw. Judges nothing.

Every act takes the learner's module, the drawn inputs, and the tools that the referee holds; it gives plain facts.
"""

from __future__ import annotations

import copy
import difflib
import operator
from collections.abc import Iterator, Mapping, MutableMapping
from types import UnionType
from typing import Annotated, Any, TypedDict, Union, get_origin, get_type_hints

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from grader.player.kit import ABSENT, Node, supersteps, thread, value_of, watched, witnessed, writer
from grader.player.learner import Learner, NotWritten

KEYS = ("question", "answer", "memo", "doc_ref", "trace", "sources", "best_score", "notes", "used_calls")


def _schema(learner: Learner, name: str, *keys: str) -> Any:
    """The learner's schema, once it declares `keys`. A schema without them is one that is not written yet."""
    schema = learner.get(name)
    declared = get_type_hints(schema)
    for key in keys:
        if key not in declared:
            raise NotWritten(f"{name}.{key}", difflib.get_close_matches(key, set(declared) - set(KEYS), 1))
    if not declared:
        raise NotWritten(name)
    return schema


# ------------------------------------------------------------------------ 1 overwrite


def run_bare(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """The learner's own chain, run twice: a second run of a right one starts anew."""
    run = learner.get("run_bare")
    first, ran = witnessed(lambda: run(list(inputs["names"])))
    return {"first": first, "second": run(list(inputs["names"])), "ran": ran}


def bare_chain(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """Our chain over the learner's `BareState`."""
    groups = [{name: writer({"trace": [name]})} for name in inputs["names"]]
    app = supersteps(_schema(learner, "BareState", "trace"), groups).compile()
    return {"trace": value_of(app.invoke({"trace": list(inputs["start"])}), "trace")}


# ------------------------------------------------- 2 to 6: one key of State, and its reducer


def merge(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """The reducer called directly: what it gives, what is left of its arguments, whether it handed one of them back."""
    reduce = learner.get(inputs["reducer"])
    old, new = copy.deepcopy(inputs["old"]), copy.deepcopy(inputs["new"])
    with learner.having(WINDOW=inputs.get("window")):
        result = reduce(old, new)
    back = "old" if result is old else "new" if result is new else ""
    return {"result": result, "old": old, "new": new, "back": back if isinstance(result, list) else ""}


def flow(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """Writes to one key of `State`, superstep by superstep: run, run again on the thread, and once more rebuilt."""
    key = inputs["key"]
    declared = _schema(learner, "State", key)
    schema = _with_a_question(declared)
    saver = InMemorySaver()
    sent = {"question": "?"} | ({} if inputs["start"] is None else {key: inputs["start"]})

    def built() -> Any:
        groups = [
            {name: writer({} if value is None else {key: value}) for name, value in group.items()}
            for group in inputs["groups"]
        ]
        return supersteps(schema, groups, branch=inputs["branch"]).compile(checkpointer=saver)

    with learner.having(WINDOW=inputs.get("window")):
        app = built()
        runs = [watched(each, copy.deepcopy(sent), thread("one"), key) for each in (app, app, built())]
    return {"runs": runs, "shape": _shape(declared, key)}


def _with_a_question(schema: Any) -> Any:
    """The schema, with the key that every trial sends: a State that is still growing may not have it yet."""
    declared = get_type_hints(schema, include_extras=True)
    if "question" in declared:
        return schema
    return TypedDict("Growing", {"question": str, **declared}, total=False)  # type: ignore[operator]


def _shape(schema: Any, key: str) -> str:
    """How the key is annotated, in one word, for the choice between explanations. It carries no marks."""
    annotation = get_type_hints(schema, include_extras=True)[key]
    metadata = getattr(annotation, "__metadata__", ())
    if metadata:
        return "reducer" if callable(metadata[-1]) else "not last" if any(map(callable, metadata)) else "plain"
    inner = any(hasattr(arg, "__metadata__") for arg in getattr(annotation, "__args__", ()))
    either = get_origin(annotation) in (Union, UnionType)
    return "plain" if not inner else "inside" if either else "items"


# ------------------------------------------------------------------------ 7 schemas


def build_run(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """The learner's `build` with drawn nodes, each of which tells the referee that it runs and what it sees."""
    build = learner.get("build")
    state, _, output = (_schema(learner, name) for name in ("State", "InputState", "OutputState"))
    nodes = {name: _visitor(name, update, tools) for name, update in inputs["nodes"]}
    saver = InMemorySaver()
    app = build(dict(nodes), saver)
    facts: dict[str, Any] = {"results": [], "states": [], "keys": _names(state), "output": _names(output)}
    for sent in inputs["sent"]:
        result = app.invoke(copy.deepcopy(sent), thread("one"))
        facts["results"].append(result)
        facts["states"].append({key: value_of(app.get_state(thread("one")).values, key) for key in KEYS})
        app = build(dict(nodes), saver)
    injected = [inputs["injected"]] if inputs["injected"] else []
    facts["leaked"] = [token for token in injected if _in_history(app, token)]
    facts["alone"] = dict(build(dict(nodes)).invoke(copy.deepcopy(inputs["sent"][0]), {"recursion_limit": 60}))
    return facts


def _names(schema: Any) -> list[str]:
    return sorted(get_type_hints(schema))


def _visitor(name: str, update: Mapping[str, Any], tools: Any) -> Node:
    def node(state: Any) -> Any:
        tools.enter(name, {key: copy.deepcopy(state.get(key)) for key in KEYS if state.get(key) not in (None, [], 0)})
        return copy.deepcopy(dict(update))

    return node


def _in_history(app: Any, token: str) -> bool:
    return any(token in repr(snapshot.values) for snapshot in app.get_state_history(thread("one")))


# ------------------------------------------------------------------------ 8 growth


def sizes(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """`checkpoint_sizes` of drawn threads of one app; a thread with no runs asks for a thread that never ran."""
    measure = learner.get("checkpoint_sizes")
    log, last = inputs["keys"]
    schema = TypedDict("Growing", {log: Annotated[list, operator.add], last: str}, total=False)  # type: ignore[misc]
    groups = [{name: writer({log: [note], last: text})} for name, note, text in inputs["nodes"]]
    app = supersteps(schema, groups).compile(checkpointer=InMemorySaver())
    for name, runs in inputs["threads"]:
        for text in runs:
            app.invoke({last: text}, thread(name))
    return {"sizes": [measure(app, thread(name)) for name, _ in inputs["threads"]]}


# ------------------------------------------------------------------------ 9 pointer


class HeldStore(MutableMapping[str, Any]):
    """A mapping that the referee holds: each look and each write is a call over the wire."""

    def __init__(self, tools: Any) -> None:
        self._tools = tools

    def __getitem__(self, key: str) -> Any:
        found = self._tools.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def __setitem__(self, key: str, value: Any) -> None:
        self._tools.put(key, value)

    def __delitem__(self, key: str) -> None:
        self._tools.drop(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools.keys())

    def __len__(self) -> int:
        return len(self._tools.keys())


class _Desk(TypedDict, total=False):
    question: str
    answer: str
    memo: str
    doc_ref: str
    trace: Annotated[list[str], operator.add]
    sources: Annotated[list[str], operator.add]
    notes: Annotated[list[str], operator.add]
    used_calls: Annotated[int, operator.add]


def pointer(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """`submit` on an app of ours whose node fetches the text by `doc_ref`; then where the text can be found."""
    submit = learner.get("submit")
    store = HeldStore(tools)

    def read(state: Any) -> dict[str, Any]:
        text = store[state["doc_ref"]]
        return {"answer": f"{state['question']}: {len(text)} characters, {text[-inputs['tail'] :]}", "used_calls": 1}

    saver = InMemorySaver()
    graph = StateGraph(_Desk)
    graph.add_node(inputs["node"], read)
    graph.add_edge(START, inputs["node"])
    graph.add_edge(inputs["node"], END)
    app = graph.compile(checkpointer=saver)
    results = [submit(app, store, *each, thread(f"t{n}")) for n, each in enumerate(inputs["submitted"])]
    snapshots = [list(app.get_state_history(thread(f"t{n}"))) for n in range(len(results))]
    return {
        "results": results,
        "checkpoints": [len(history) for history in snapshots],
        "found": [text[:60] for _, text in inputs["submitted"] if _anywhere(saver, snapshots, text)],
        "sent": [sorted(_raw_input(saver, f"t{n}")) for n in range(len(results))],
    }


def _anywhere(saver: Any, snapshots: Any, text: str) -> bool:
    """Whether the text lies in a snapshot, a stored blob or a pending write (its bytes, or as Python would show it)."""
    stored = repr(dict(saver.storage)) + repr(saver.blobs) + repr(dict(saver.writes))
    shown = (text, repr(text)[1:-1], repr(text.encode())[2:-1])
    return any(form in stored or form in repr([s.values for s in history]) for form in shown for history in snapshots)


def _raw_input(saver: Any, name: str) -> list[str]:
    """The keys that the caller sent: the saver keeps the raw input of a run under `__start__`."""
    for checkpoint in saver.list(thread(name)):
        sent = checkpoint.checkpoint["channel_values"].get("__start__")
        if isinstance(sent, dict):
            return list(sent)
    return []


# ------------------------------------------------------------------------ 10 decisions


def decisions(learner: Learner, inputs: Mapping[str, Any], tools: Any) -> dict[str, Any]:
    """`DECISIONS` as it stands, and the value that each key of `State` has after the same three writes."""
    told = learner.get("DECISIONS")
    if not told:
        raise NotWritten("DECISIONS")
    schema = _schema(learner, "State")
    values: dict[str, Any] = {}
    with learner.having(WINDOW=inputs["window"]):
        for key, writes in inputs["writes"].items():
            groups = [{f"n{n}": writer({key: value})} for n, value in enumerate(writes)]
            values[key] = value_of(supersteps(schema, groups).compile().invoke({"question": "?"}), key)
    return {
        "told": {key: list(pair) if isinstance(pair, tuple) else pair for key, pair in dict(told).items()},
        "values": values,
    }


__all__ = ["ABSENT", "bare_chain", "build_run", "decisions", "flow", "merge", "pointer", "run_bare", "sizes"]
