"""Every sentence about LangGraph in the notebooks 00 and 01, measured on the installed version.

Each test's docstring is that sentence, word for word; the last test looks for it in the notebooks.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from operator import add
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, StateGraph

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ("00_start.ipynb", "01_agstate.ipynb")
THREAD: Any = {"configurable": {"thread_id": "one"}}
SECRET = "offer no discount"

Node = Callable[[Any], Any]


class Plain(TypedDict, total=False):
    trace: list
    number: int


class Log(TypedDict, total=False):
    trace: Annotated[list, add]


class Budget(TypedDict, total=False):
    used_calls: Annotated[int, add]


class Desk(TypedDict, total=False):
    question: str
    memo: str
    answer: str


class Asked(TypedDict, total=False):
    question: str


class Told(TypedDict, total=False):
    answer: str


def writes(**update: Any) -> Node:
    return lambda state: dict(update)


def chain(schema: Any, nodes: Mapping[str, Node], saver: Any = None, **schemas: Any) -> Any:
    graph = StateGraph(schema, **schemas)
    graph.add_sequence(list(nodes.items()))
    graph.add_edge(START, next(iter(nodes)))
    return graph.compile(checkpointer=saver)


def pair(schema: Any, left: tuple[str, Node], right: tuple[str, Node], join: tuple[str, Node]) -> Any:
    graph = StateGraph(schema)
    for name, node in (left, right, join):
        graph.add_node(name, node)
    graph.add_edge(START, left[0])
    graph.add_edge(START, right[0])
    graph.add_edge([left[0], right[0]], join[0])
    return graph.compile()


def counting(calls: list[tuple[Any, Any]]) -> Callable[[list, list], list]:
    """`add` for lists that notes each of its calls."""

    def counted(old: list, new: list) -> list:
        calls.append((list(old), list(new)))
        return old + new

    return counted


def schema(**keys: Any) -> Any:
    return TypedDict("State", keys, total=False)  # type: ignore[operator]


def history(app: Any) -> list[dict[str, Any]]:
    """The values of all snapshots of the thread, oldest first."""
    return [snapshot.values for snapshot in app.get_state_history(THREAD)][::-1]


@pytest.fixture(scope="module")
def growing() -> ModuleType:
    """The given module `labs/growing.py`, which the plots are measured with."""
    spec = importlib.util.spec_from_file_location("growing", ROOT / "labs" / "growing.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------- 00: supersteps


def hello(seen: dict[str, list[str]]) -> Any:
    def says(name: str) -> tuple[str, Node]:
        def node(state: Any) -> Any:
            seen[name] = list(state["trace"])
            return {"trace": [name]}

        return name, node

    return pair(Log, says("look"), says("listen"), says("tell"))


def test_nodes_whose_turn_it_is_share_a_superstep() -> None:
    """All nodes whose turn it is run in the same superstep."""
    tasks = [event for event in hello({}).stream({"trace": ["hi"]}, stream_mode="debug") if event["type"] == "task"]
    assert {task["payload"]["name"]: task["step"] for task in tasks} == {"look": 1, "listen": 1, "tell": 2}


def test_a_join_over_a_list_runs_once_and_last() -> None:
    """`tell` waits for both."""
    assert hello({}).invoke({"trace": []})["trace"][-1] == "tell"
    assert hello({}).invoke({"trace": []})["trace"].count("tell") == 1


def test_nodes_of_a_superstep_get_the_state_of_its_beginning() -> None:
    """Nodes of one superstep get the state as it was when the superstep began."""
    seen: dict[str, list[str]] = {}
    hello(seen).invoke({"trace": ["hi"]})
    assert (seen["look"], seen["listen"]) == (["hi"], ["hi"])


def test_nodes_of_a_superstep_do_not_see_each_other() -> None:
    """They do not see each other's writes."""
    seen: dict[str, list[str]] = {}
    hello(seen).invoke({"trace": []})
    assert "look" not in seen["listen"] and "listen" not in seen["look"]
    assert {"look", "listen"} == set(seen["tell"])


def test_writes_of_a_superstep_are_merged_by_node_name() -> None:
    """The writes of one superstep are merged when it ends, in the order of the node names."""
    for left, right in (("zebra", "ant"), ("ant", "zebra")):
        app = pair(Log, (left, writes(trace=[left])), (right, writes(trace=[right])), ("end", writes()))
        assert app.invoke({})["trace"] == ["ant", "zebra"]


# ---------------------------------------------------------------- 1 overwrite


def test_a_key_without_a_rule_keeps_the_last_write() -> None:
    """A key without a rule keeps the last write."""
    app = chain(Plain, {name: writes(trace=[name]) for name in ("receive", "search", "answer")})
    assert app.invoke({"trace": ["opened"]})["trace"] == ["answer"]


def test_the_type_is_no_rule() -> None:
    """The type changes nothing about that: a list is replaced like a number."""
    app = chain(Plain, {"a": writes(trace=["a"], number=1), "b": writes(trace=["b"], number=2)})
    assert app.invoke({}) == {"trace": ["b"], "number": 2}


# ---------------------------------------------------------------- 2 append


def test_two_writes_to_a_plain_key_in_one_superstep_are_refused() -> None:
    """Two writes to a key without a rule in one superstep are an error."""
    app = pair(Plain, ("a", writes(trace=["a"])), ("b", writes(trace=["b"])), ("c", writes()))
    with pytest.raises(InvalidUpdateError, match="Can receive only one value per step"):
        app.invoke({})


def test_a_reducer_is_called_once_for_each_write() -> None:
    """LangGraph calls the reducer once for each write."""
    calls: list[tuple[Any, Any]] = []
    app = pair(
        schema(trace=Annotated[list, counting(calls)]),
        ("a", writes(trace=["a"])),
        ("b", writes(trace=["b"])),
        ("c", writes(trace=["c"])),
    )
    app.invoke({})
    assert [new for _, new in calls] == [["a"], ["b"], ["c"]]


def test_the_callers_value_goes_through_the_reducer() -> None:
    """What the caller sends is a write too."""
    calls: list[tuple[Any, Any]] = []
    chain(schema(trace=Annotated[list, counting(calls)]), {"a": writes()}).invoke({"trace": ["opened"]})
    assert calls == [([], ["opened"])]


def test_parallel_writes_come_by_name() -> None:
    """Parallel writes come in the order of the node names."""
    app = pair(Log, ("search", writes(trace=["s"])), ("history", writes(trace=["h"])), ("answer", writes()))
    assert app.invoke({})["trace"] == ["h", "s"]


def test_a_reducer_that_is_not_last_is_ignored() -> None:
    """In `Annotated[list, add, "the log"]` it is ignored, and nothing says so."""
    app = chain(schema(trace=Annotated[list, add, "the log"]), {"a": writes(trace=["a"]), "b": writes(trace=["b"])})
    assert app.invoke({})["trace"] == ["b"]


# ---------------------------------------------------------------- 3 dedupe


def careless(old: list, new: list) -> list:
    old.extend(new)
    return old


def branching(reducer: Any) -> Any:
    graph = StateGraph(schema(sources=Annotated[list, reducer]))
    graph.add_node("search", writes(sources=["faq"]))
    graph.add_node("answer", writes(sources=["terms"]))
    graph.add_edge(START, "search")
    graph.add_conditional_edges("search", lambda state: "answer", ["answer"])
    graph.add_edge("answer", END)
    return graph.compile()


def test_a_conditional_edge_calls_the_reducer_once_more() -> None:
    """When a conditional edge follows a node, LangGraph calls the reducer once more, to show the router the state
    with the node's write."""
    calls: list[tuple[Any, Any]] = []
    branching(counting(calls)).invoke({})
    assert [new for _, new in calls] == [["faq"], ["faq"], ["terms"]]


def test_a_reducer_in_place_counts_twice_before_a_branch() -> None:
    """A reducer that changes the old list in place then counts the write twice."""
    assert branching(careless).invoke({})["sources"] == ["faq", "faq", "terms"]


def test_a_reducer_in_place_looks_right_on_a_plain_edge() -> None:
    """With a plain edge the same reducer gives the right list."""
    nodes = {"search": writes(sources=["faq"]), "answer": writes(sources=["terms"])}
    assert chain(schema(sources=Annotated[list, careless]), nodes).invoke({})["sources"] == ["faq", "terms"]


# ---------------------------------------------------------------- 4 maximum


def larger(old: float, new: float) -> float:
    return max(old, new)


def test_the_builtin_max_is_refused_when_the_graph_is_made() -> None:
    """LangGraph refuses the builtin `max` as a reducer, and it does so when the graph is made."""
    with pytest.raises(ValueError, match="no signature found for builtin"):
        StateGraph(schema(best_score=Annotated[float, max]))


def test_a_reducer_needs_a_signature_of_two() -> None:
    """It wants to read a signature with two arguments, and the builtin shows none."""
    with pytest.raises(ValueError, match="signature"):
        StateGraph(schema(best_score=Annotated[float, lambda one, two, three: one]))
    with pytest.raises(ValueError, match="no signature"):
        inspect.signature(max)


def test_max_inside_a_function_is_fine() -> None:
    """A function of your own is fine, and inside it you may use `max`."""
    app = chain(schema(best_score=Annotated[float, larger]), {"a": writes(best_score=0.9), "b": writes(best_score=0.2)})
    assert app.invoke({})["best_score"] == 0.9


@pytest.mark.parametrize(("kind", "zero"), [(float, 0.0), (int, 0), (list, [])])
def test_a_channel_starts_with_the_empty_value(kind: type, zero: Any) -> None:
    """A channel with a reducer starts with the empty value of its type: `float` starts at 0.0, `int` at 0, `list` at
    `[]`."""
    met: list[Any] = []

    def rule(old: Any, new: Any) -> Any:
        met.append(old)
        return new

    chain(schema(key=Annotated[kind, rule]), {"a": writes(key=kind())}).invoke({})
    assert [(kind, zero)] == [(type(old), old) for old in met]


def test_an_optional_channel_stores_its_first_write() -> None:
    """Its channel starts with nothing, and the first write is stored as it is, without a call of the reducer."""
    met: list[tuple[Any, Any]] = []

    def rule(old: Any, new: Any) -> Any:
        met.append((old, new))
        return max(old, new)

    seen: list[Any] = []
    scores = {f"n{n}": writes(best_score=score) for n, score in enumerate((-0.8, -0.3, -0.6))}
    first = {"look": lambda state: seen.append(dict(state))}
    app = chain(schema(best_score=Annotated[float | None, rule]), {**first, **scores})
    assert app.invoke({})["best_score"] == -0.3
    assert (seen, met) == ([{}], [(-0.8, -0.3), (-0.3, -0.6)])


# ---------------------------------------------------------------- 5 window, 6 budget


def test_a_trimming_node_makes_the_list_longer() -> None:
    """A node that returns a shortened list under `add` makes the list longer."""
    app = chain(Log, {"trim": lambda state: {"trace": state["trace"][-3:]}})
    assert len(app.invoke({"trace": ["n1", "n2", "n3", "n4"]})["trace"]) == 7


def test_an_empty_list_clears_nothing() -> None:
    """And an empty list does not help either: under `add`, returning `[]` clears nothing."""
    assert chain(Log, {"clear": writes(trace=[])}).invoke({"trace": ["n1"]})["trace"] == ["n1"]


def test_a_total_under_add_counts_twice() -> None:
    """Under `add`, a node that returns the total counts everything once more: 1, 3, 7, 15."""
    nodes = {name: lambda state: {"used_calls": state["used_calls"] + 1} for name in "abcd"}
    stream = chain(Budget, nodes).stream({}, stream_mode="values")
    assert [values["used_calls"] for values in stream][-4:] == [1, 3, 7, 15]


def test_a_whole_list_under_add_doubles() -> None:
    """The same happens to a list when a node returns the old items together with the new one."""
    nodes = {"a": lambda state: {"trace": [*state["trace"], "a"]}, "b": lambda state: {"trace": [*state["trace"], "b"]}}
    assert chain(Log, nodes).invoke({})["trace"] == ["a", "a", "b"]


# ---------------------------------------------------------------- 7 schemas


def visit(sent: dict[str, Any]) -> tuple[Any, Any, list[dict[str, Any]], InMemorySaver]:
    """One run behind both doors: the app, the result, what each node saw, the saver."""
    seen: list[dict[str, Any]] = []

    def think(state: Any) -> Any:
        seen.append(dict(state))
        return {"memo": SECRET}

    def reply(state: Any) -> Any:
        seen.append(dict(state))
        return {"answer": "no"}

    saver = InMemorySaver()
    app = chain(Desk, {"think": think, "reply": reply}, saver, input_schema=Asked, output_schema=Told)
    return app, app.invoke(sent, THREAD), seen, saver


def test_nodes_see_the_whole_state() -> None:
    """Nodes see the whole state, whatever the two doors let through."""
    _, _, seen, _ = visit({"question": "?"})
    assert seen[1] == {"question": "?", "memo": SECRET}


def test_a_key_outside_the_input_schema_is_dropped_in_silence() -> None:
    """What a caller sends under a key outside the input schema reaches no node and no snapshot, and no error says
    so."""
    app, _, seen, _ = visit({"question": "?", "memo": "vip"})
    assert "vip" not in repr(seen)
    assert "vip" not in repr(history(app))


def test_the_output_schema_filters_the_result_of_invoke() -> None:
    """The output schema filters the result of `invoke` and nothing else."""
    _, result, _, _ = visit({"question": "?"})
    assert result == {"answer": "no"}


def test_state_history_and_streams_carry_all_keys() -> None:
    """`get_state`, the history and the streams carry all keys."""
    app, _, _, _ = visit({"question": "?"})
    assert app.get_state(THREAD).values["memo"] == SECRET
    assert SECRET in repr(history(app))
    for mode in ("values", "updates"):
        assert SECRET in repr(list(app.stream({"question": "?"}, THREAD, stream_mode=mode)))


def test_the_saver_keeps_the_raw_input() -> None:
    """The saver keeps the raw input of a run, under the name `__start__`:"""
    _, _, _, saver = visit({"question": "?", "memo": "vip"})
    oldest = list(saver.list(THREAD))[-1]
    assert oldest.checkpoint["channel_values"] == {"__start__": {"question": "?", "memo": "vip"}}


def test_a_key_named_again_keeps_its_rule() -> None:
    """A key that is named again without a rule keeps the rule that `State` gave it."""
    nodes = {"a": writes(trace=["a"]), "b": writes(trace=["b"])}
    app = chain(Log, nodes, input_schema=Asked, output_schema=schema(trace=list))
    assert app.invoke({"question": "?"})["trace"] == ["a", "b"]


# ---------------------------------------------------------------- 8 growth


def everything(growing: ModuleType) -> Callable[[Any], int]:
    return lambda app: growing.stored_bytes(app.checkpointer)


def curve(growing: ModuleType, agent: str, weigh: Callable[[Any], int]) -> dict[int, float]:
    measured = growing.measure({agent: getattr(growing, agent)}, weigh)[agent]
    return dict(zip(growing.STEPS, measured, strict=True))


def test_the_newest_state_grows_only_with_an_appending_key(growing: ModuleType) -> None:
    """So the appending list grows evenly, the window stays as wide as it is, and the document lies there with its
    100 kB."""
    appending = curve(growing, "appending", growing.state_bytes)
    windowed = curve(growing, "windowed", growing.state_bytes)
    document = curve(growing, "untouched", growing.state_bytes)
    assert pytest.approx(2, rel=0.02) == (appending[40] - appending[20]) / (appending[20] - appending[10])
    assert windowed[5] == windowed[40]
    assert document[1] == document[40] == pytest.approx(100, rel=0.01)


def stored(saver: InMemorySaver, channel: str) -> list[bytes]:
    """The blobs of one channel, as they lie in the saver."""
    return [blob for (_, _, name, _), (_, blob) in saver.blobs.items() if name == channel]


def test_a_written_key_is_stored_again_in_full() -> None:
    """The in-memory saver stores a key again, in full, whenever a node writes it."""
    saver = InMemorySaver()
    nodes = {name: writes(trace=[name * 1_000]) for name in "abc"}
    chain(Log, nodes, saver).invoke({}, THREAD)
    assert sorted(len(blob) // 1_000 for blob in stored(saver, "trace") if len(blob) > 900) == [1, 2, 3]


def test_an_equal_value_is_stored_again() -> None:
    """An equal value is no exception."""
    saver = InMemorySaver()
    nodes = {name: lambda state: {**state} for name in "abc"}
    chain(Desk, nodes, saver).invoke({"memo": "m" * 1_000}, THREAD)
    assert len(stored(saver, "memo")) == 4


def test_an_untouched_key_is_stored_once() -> None:
    """A key that nobody writes is not stored again."""
    saver = InMemorySaver()
    chain(Desk, {name: writes(answer=name) for name in "abc"}, saver).invoke({"memo": "m" * 1_000}, THREAD)
    assert len(stored(saver, "memo")) == 1


def test_an_appending_list_costs_the_square(growing: ModuleType) -> None:
    """So an appending list stores 1, then 2, then 3 lines: twice the steps cost nearly four times the space."""
    sizes = curve(growing, "appending", everything(growing))
    assert 3.2 < sizes[20] / sizes[10] < 4
    assert 3.4 < sizes[40] / sizes[20] < 4


def test_a_windowed_list_costs_evenly(growing: ModuleType) -> None:
    """A windowed list costs the same at each step."""
    sizes = curve(growing, "windowed", everything(growing))
    assert pytest.approx(1, rel=0.05) == (sizes[40] - sizes[25]) / (sizes[25] - sizes[10])


def test_an_echo_costs_twice_a_step(growing: ModuleType) -> None:
    """And the echo costs 100 kB at each step, twice: once as a pending write and once in the new state."""
    sizes = curve(growing, "echoed", everything(growing))
    assert pytest.approx(200, rel=0.02) == (sizes[40] - sizes[20]) / 20
    app = growing.echoed(3)
    app.invoke({"document": growing.DOCUMENT}, growing.THREAD)
    written = [value for step in app.checkpointer.writes.values() for _, name, (_, value), _ in step.values()]
    assert sum(len(value) > 100_000 for value in written) == 4
    assert len([blob for blob in stored(app.checkpointer, "document") if len(blob) > 100_000]) == 4


def test_sqlite_stores_the_whole_state_at_each_step() -> None:
    """The SQLite saver stores the whole state at each step, written or not."""
    text = "m" * 1_000
    with SqliteSaver.from_conn_string(":memory:") as saver:
        chain(Desk, {name: writes(answer=name) for name in "abc"}, saver).invoke({"memo": text}, THREAD)
        rows = [row for (row,) in saver.conn.execute("select checkpoint from checkpoints")]
    assert (len(rows), sum(text.encode() in row for row in rows)) == (5, 5)


def test_the_history_is_newest_first() -> None:
    """`app.get_state_history(config)` gives the newest checkpoint first."""
    app = chain(Log, {"a": writes(trace=["a"]), "b": writes(trace=["b"])}, InMemorySaver())
    app.invoke({}, THREAD)
    assert [snapshot.metadata["step"] for snapshot in app.get_state_history(THREAD)] == [2, 1, 0, -1]


def test_the_serializer_gives_a_format_and_bytes() -> None:
    """And `app.checkpointer.serde.dumps_typed(values)` gives a pair: the name of a format, and the bytes."""
    app = chain(Log, {"a": writes(trace=["a"])}, InMemorySaver())
    name, packed = app.checkpointer.serde.dumps_typed({"trace": ["a"]})
    assert (str, bytes) == (type(name), type(packed))


def test_a_run_leaves_two_checkpoints_more_than_supersteps(growing: ModuleType) -> None:
    """Six steps, and eight numbers: there is one checkpoint for the input, one before the first node, and one after
    each superstep."""
    app = growing.appending(6)
    app.invoke({"done": 0}, growing.THREAD)
    found = [(snapshot.metadata["step"], snapshot.next) for snapshot in app.get_state_history(growing.THREAD)][::-1]
    assert [step for step, _ in found] == [-1, 0, 1, 2, 3, 4, 5, 6]
    assert [after for _, after in found][:2] == [("__start__",), ("work",)]


# ---------------------------------------------------------------- 9 pointer, 10 decisions


def wiped() -> Any:
    app = chain(Desk, {"load": writes(memo=SECRET), "wipe": writes(memo="")}, InMemorySaver())
    app.invoke({"question": "?"}, THREAD)
    return app


def test_an_overwritten_value_stays_in_the_history() -> None:
    """A value that is overwritten stays in the checkpoint of the step before."""
    app = wiped()
    assert [history(app)[-1]["memo"], history(app)[-2]["memo"]] == ["", SECRET]
    assert SECRET in repr(app.checkpointer.blobs)


def test_one_can_go_back_to_an_old_checkpoint() -> None:
    """That is what a history is for: you can go back there."""
    app = wiped()
    before = list(app.get_state_history(THREAD))[1]
    assert app.get_state(before.config).values["memo"] == SECRET
    assert before.next == ("wipe",)


def talks() -> Iterator[dict[str, Any]]:
    """What the node finds in two runs on one thread."""
    found: list[dict[str, Any]] = []

    def respond(state: Any) -> Any:
        found.append(dict(state))
        return {"answer": "on Tuesday", "used_calls": 2}

    app = chain(schema(question=str, answer=str, used_calls=Annotated[int, add]), {"respond": respond}, InMemorySaver())
    for question in ("When?", "Where?"):
        app.invoke({"question": question}, THREAD)
    yield from found
    yield app.get_state(THREAD).values


def test_a_second_run_starts_with_what_the_first_left() -> None:
    """A second run on the same thread starts with what the first one left, in keys with a reducer and in plain
    keys."""
    _, second, _ = talks()
    assert second == {"question": "Where?", "answer": "on Tuesday", "used_calls": 2}


def test_a_sum_goes_on_counting_on_a_thread() -> None:
    """The budget goes on counting: a good thing."""
    *_, after = talks()
    assert after["used_calls"] == 4


def test_a_plain_key_lasts_until_it_is_written() -> None:
    """The old answer is still there until somebody writes a new one: a thing to know."""
    first, second, _ = talks()
    assert ("answer" not in first, "on Tuesday") == (True, second["answer"])


# ---------------------------------------------------------------- the sentences themselves


def test_every_claim_is_a_sentence_of_a_notebook() -> None:
    prose = " ".join("".join(cell["source"]) for name in NOTEBOOKS for cell in _markdown(ROOT / "labs" / name))
    said = " ".join(prose.split())
    claims = [test.__doc__ for name, test in globals().items() if name.startswith("test_") and test.__doc__]
    assert [claim for claim in claims if " ".join(claim.split()) not in said] == []


def _markdown(notebook: Path) -> list[dict[str, Any]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "markdown"]
