"""The keys to lab 1's predictions: each act runs a real graph and gives what came out. Knows no answer by heart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, StateGraph

Inputs = Mapping[str, Any]
Node = Callable[[Any], dict[str, Any]]


class _Plain(TypedDict, total=False):
    trace: list[str]


class _Kept(TypedDict, total=False):
    trace: Annotated[list[str], add]


class _Counted(TypedDict, total=False):
    used_calls: Annotated[int, add]


class _Desk(TypedDict, total=False):
    question: str
    memo: str
    answer: str


class _Question(TypedDict, total=False):
    question: str


class _Answer(TypedDict, total=False):
    answer: str


# ---------------------------------------------------------------- 1 and 2: overwrite, append


def chain_without_a_reducer(inputs: Inputs) -> Any:
    nodes = [(name, _writes({"trace": [name]})) for name in inputs["names"]]
    return _chain(_Plain, nodes).compile().invoke({"trace": inputs["start"]})["trace"]


def pair_without_a_reducer(inputs: Inputs) -> Any:
    try:
        trace = _pair_and_join(_Plain, inputs)
    except InvalidUpdateError:
        return "error"
    kept = [name for name in inputs["pair"] if name in trace]
    return "both" if len(kept) == 2 else "".join(kept)


def pair_with_add(inputs: Inputs) -> Any:
    return _pair_and_join(_Kept, inputs)


def _pair_and_join(schema: Any, inputs: Inputs) -> Any:
    graph: Any = StateGraph(schema)
    for name in [*inputs["pair"], inputs["join"]]:
        graph.add_node(name, _writes({"trace": [name]}))
    for name in inputs["pair"]:
        graph.add_edge(START, name)
    graph.add_edge(inputs["pair"], inputs["join"])
    return graph.compile().invoke({"trace": inputs["start"]})["trace"]


# ---------------------------------------------------------------- 3 to 6: dedupe, maximum, window, budget


def dedupe_two_writes(inputs: Inputs) -> Any:
    def once(old: list[str], new: list[str]) -> list[str]:
        return list(dict.fromkeys([*old, *new]))

    schema = _schema({"sources": Annotated[list[str], once]})
    nodes = [("first", _writes({"sources": inputs["old"]})), ("second", _writes({"sources": inputs["new"]}))]
    return _chain(schema, nodes).compile().invoke({})["sources"]


def builtin_max_as_reducer(inputs: Inputs) -> Any:
    schema = _schema({"best_score": Annotated[float, max]})
    try:
        app = _chain(schema, [("score", _writes({"best_score": inputs["score"]}))]).compile()
    except ValueError:
        return "built"
    try:
        app.invoke({})
    except (TypeError, ValueError):
        return "run"
    return "never"


def scores_on_a_float_channel(inputs: Inputs) -> Any:
    def larger(old: float, new: float) -> float:
        return max(old, new)

    schema = _schema({"best_score": Annotated[float, larger]})
    nodes = [(f"draft{n}", _writes({"best_score": score})) for n, score in enumerate(inputs["scores"])]
    return _chain(schema, nodes).compile().invoke({})["best_score"]


def window_by_negative_slice(inputs: Inputs) -> Any:
    def recent(old: list[str], new: list[str]) -> list[str]:
        return (old + new)[-inputs["window"] :]

    schema = _schema({"notes": Annotated[list[str], recent]})
    nodes = [(f"write{n}", _writes({"notes": [note]})) for n, note in enumerate(inputs["notes"])]
    return len(_chain(schema, nodes).compile().invoke({})["notes"])


def costs_side_by_side(inputs: Inputs) -> Any:
    graph: Any = StateGraph(_Counted)
    workers = [f"worker{n}" for n, _ in enumerate(inputs["side by side"])]
    costs = {
        "plan": inputs["before"],
        **dict(zip(workers, inputs["side by side"], strict=True)),
        "answer": inputs["after"],
    }
    for name, cost in costs.items():
        graph.add_node(name, _writes({"used_calls": cost}))
    graph.add_edge(START, "plan")
    for worker in workers:
        graph.add_edge("plan", worker)
    graph.add_edge(workers, "answer")
    return graph.compile().invoke({})["used_calls"]


def totals_under_add(inputs: Inputs) -> Any:
    nodes = [(f"node{n}", lambda state: {"used_calls": state["used_calls"] + 1}) for n in range(inputs["nodes"])]
    return _chain(_Counted, nodes).compile().invoke({})["used_calls"]


# ---------------------------------------------------------------- 7: schemas


def where_a_memo_shows(inputs: Inputs) -> Any:
    nodes = [("think", _writes({"memo": inputs["memo"]})), ("reply", _writes({"answer": "yes"}))]
    app = _chain(_Desk, nodes, output_schema=_Answer).compile(checkpointer=InMemorySaver())
    asked = {"question": "?"}
    seen = {
        "invoke": app.invoke(asked, _thread("one")),
        "get_state": app.get_state(_thread("one")).values,
        "history": [snapshot.values for snapshot in app.get_state_history(_thread("one"))],
        "stream": list(app.stream(asked, _thread("two"), stream_mode="values")),
    }
    return {place: _there(inputs["memo"], what) for place, what in seen.items()}


def what_a_caller_smuggles(inputs: Inputs) -> Any:
    found: list[str] = []

    def first(state: Any) -> dict[str, Any]:
        found.append(state.get("memo", "nothing"))
        return {"answer": "yes"}

    app = _chain(_Desk, [("first", first)], input_schema=_Question).compile()
    try:
        app.invoke({"question": "?", "memo": inputs["memo"]})
    except (InvalidUpdateError, ValueError, KeyError):
        return "error"
    return found[0]


# ---------------------------------------------------------------- 8: growth


def shapes_of_the_newest_state(inputs: Inputs) -> Any:
    apps = {"appending": _appending, "windowed": _windowed, "document": _untouched}
    return {name: _shape(inputs, make, _newest_bytes) for name, make in apps.items()}


def shapes_of_the_whole_store(inputs: Inputs) -> Any:
    apps = {"appending": _appending, "windowed": _windowed, "untouched": _untouched, "echoed": _echoed}
    return {name: _shape(inputs, make, _stored_bytes) for name, make in apps.items()}


def _shape(inputs: Inputs, make: Callable[[Inputs, int], Any], weigh: Callable[[Any], int]) -> str:
    """The curve in a word, from its values at n, 2n and 4n steps: even growth doubles from one stretch to the next."""
    sizes = []
    for steps in (inputs["steps"], 2 * inputs["steps"], 4 * inputs["steps"]):
        app = make(inputs, steps)
        app.invoke(
            {"document": "x" * inputs["document"]} if "document" in app.channels else {"done": 0}, _thread("one")
        )
        sizes.append(weigh(app))
    if sizes[2] < 1.1 * sizes[0]:
        return "flat"
    return "square" if sizes[2] - sizes[1] > 3 * (sizes[1] - sizes[0]) else "straight"


def _appending(inputs: Inputs, steps: int) -> Any:
    return _listing(add, inputs, steps)


def _windowed(inputs: Inputs, steps: int) -> Any:
    return _listing(lambda old, new: (old + new)[-inputs["window"] :], inputs, steps)


def _listing(rule: Callable[[Any, Any], Any], inputs: Inputs, steps: int) -> Any:
    return _repeating({"lines": Annotated[list[str], rule]}, lambda state: {"lines": ["x" * inputs["line"]]}, steps)


def _untouched(inputs: Inputs, steps: int) -> Any:
    return _repeating({"document": str}, lambda state: {}, steps)


def _echoed(inputs: Inputs, steps: int) -> Any:
    return _repeating({"document": str}, lambda state: {"document": state["document"]}, steps)


def _repeating(key: dict[str, Any], write: Node, steps: int) -> Any:
    schema = _schema({"done": Annotated[int, add], **key})
    graph: Any = StateGraph(schema)
    graph.add_node("work", lambda state: {"done": 1, **write(state)})
    graph.add_edge(START, "work")
    graph.add_conditional_edges("work", lambda state: "work" if state["done"] < steps else END, ["work", END])
    return graph.compile(checkpointer=InMemorySaver())


def _newest_bytes(app: Any) -> int:
    return len(app.checkpointer.serde.dumps_typed(app.get_state(_thread("one")).values)[1])


def _stored_bytes(app: Any) -> int:
    return sum(map(_weight, (app.checkpointer.storage, app.checkpointer.blobs, app.checkpointer.writes)))


def _weight(thing: Any) -> int:
    if isinstance(thing, bytes):
        return len(thing)
    if isinstance(thing, Mapping):
        return sum(map(_weight, thing.values()))
    return sum(map(_weight, thing)) if isinstance(thing, Iterable) and not isinstance(thing, str) else 0


# ---------------------------------------------------------------- 9 and 10: pointer, decisions


def where_a_wiped_text_lies(inputs: Inputs) -> Any:
    saver = InMemorySaver()
    nodes = [("load", _writes({"memo": inputs["text"]})), ("use", _writes({"memo": "", "answer": "done"}))]
    app = _chain(_Desk, nodes).compile(checkpointer=saver)
    app.invoke({"question": "?"}, _thread("one"))
    seen = {
        "get_state": app.get_state(_thread("one")).values,
        "history": [snapshot.values for snapshot in app.get_state_history(_thread("one"))],
        "saver": (dict(saver.storage), dict(saver.blobs), dict(saver.writes)),
    }
    return {place: _there(inputs["text"], what) for place, what in seen.items()}


def what_a_second_run_finds(inputs: Inputs) -> Any:
    found: list[dict[str, Any]] = []
    schema = _schema({"question": str, "answer": str, "used_calls": Annotated[int, add]})

    def reply(state: Any) -> dict[str, Any]:
        found.append({"answer": state.get("answer", "nothing"), "used_calls": state.get("used_calls", 0)})
        return {"answer": inputs["answer"], "used_calls": inputs["cost"]}

    app = _chain(schema, [("reply", reply)]).compile(checkpointer=InMemorySaver())
    for question in ("when?", "where?"):
        app.invoke({"question": question}, _thread("one"))
    return found[1]


# ---------------------------------------------------------------- shared


def _chain(schema: Any, nodes: Sequence[tuple[str, Node]], **schemas: Any) -> Any:
    graph: Any = StateGraph(schema, **schemas)
    for name, node in nodes:
        graph.add_node(name, node)
    names = [name for name, _ in nodes]
    for before, after in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(before, after)
    return graph


def _schema(keys: dict[str, Any]) -> Any:
    return TypedDict("State", keys, total=False)  # type: ignore[operator]


def _writes(update: dict[str, Any]) -> Node:
    return lambda state: dict(update)


def _thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}, "recursion_limit": 1_000}


def _there(token: str, what: Any) -> str:
    return "there" if token in repr(what) else "gone"
