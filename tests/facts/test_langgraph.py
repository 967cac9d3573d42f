"""What old articles say about LangGraph, and what runs today: each sentence measured on the installed version."""

from __future__ import annotations

import logging
import operator
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pytest
import requests
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.errors import EmptyInputError, GraphRecursionError
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from langgraph.warnings import LangGraphDeprecatedSinceV05
from tiny_graphs import THREAD, Log, branch, chain, one, schema, writes

SERVICE = "mermaid.ink"

Edges = set[tuple[str, str]]


def drawn(app: Any) -> Edges:
    return {(edge.source, edge.target) for edge in app.get_graph().edges}


# ---------------------------------------------------------------- the brake


def test_the_framework_stops_a_loop_after_10007_steps() -> None:
    """A loop is not stopped by the framework after 25 steps: 10,007 paid calls before the brake."""
    calls: list[int] = []
    graph = StateGraph(schema(last=int))
    graph.add_node("pay", lambda state: calls.append(1))
    graph.add_edge(START, "pay")
    graph.add_edge("pay", "pay")
    with pytest.raises(GraphRecursionError, match="Recursion limit of 10007 reached"):
        graph.compile().invoke({})
    assert len(calls) == 10_007


@pytest.mark.parametrize("runs", [1, 3, 6])
def test_n_node_runs_need_a_limit_of_n_plus_1(runs: int) -> None:
    """Six node runs do not fit a `recursion_limit` of 6: 7 needed."""
    app = chain(Log, {f"n{number}": writes(trace=[number]) for number in range(runs)})
    with pytest.raises(GraphRecursionError):
        app.invoke({}, {"recursion_limit": runs})
    assert len(app.invoke({}, {"recursion_limit": runs + 1})["trace"]) == runs


# ---------------------------------------------------------------- routes and pictures


NODES = {"draft": writes(trace=["draft"]), "send": writes(trace=["send"])}


def test_an_unknown_route_without_a_map_ends_the_run_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    """An unknown route does not raise at once: without `path_map` the run just ends, one log warning."""
    with caplog.at_level(logging.WARNING):
        assert branch(Log, NODES, lambda state: "sned").compile().invoke({}) == {"trace": ["draft"]}
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "wrote to unknown channel branch:to:sned, ignoring it" in record.getMessage()


@pytest.mark.parametrize("route", ["sned", END])
def test_an_unknown_route_with_a_map_is_a_key_error(route: str) -> None:
    """An unknown route raises at once with `path_map`: KeyError; END needs its place in the map like any other."""
    with pytest.raises(KeyError, match=route):
        branch(Log, NODES, lambda state: route, {"send": "send"}).compile().invoke({})


def back_and_forth(*path_map: Any, route: Any = lambda state: "draft" if len(state["trace"]) < 3 else END) -> Any:
    return branch(Log, {"draft": writes(trace=["draft"])}, route, *path_map).compile()


def test_without_a_map_the_picture_lacks_the_way_back() -> None:
    """Without `path_map` the picture shows only the edge to END, the way back is missing, although it is taken."""
    app = back_and_forth()
    assert drawn(app) == {(START, "draft"), ("draft", END)}
    assert app.invoke({})["trace"] == ["draft"] * 3
    assert "draft --> draft" not in app.get_graph().draw_mermaid()


def test_a_map_or_a_literal_gives_the_picture_all_edges() -> None:
    """With `path_map` or a `Literal` return type the picture shows the way back, too."""

    def route(state: Any) -> Literal["draft", "__end__"]:
        return "draft" if len(state["trace"]) < 3 else "__end__"

    whole = {(START, "draft"), ("draft", "draft"), ("draft", END)}
    assert drawn(back_and_forth(["draft", END])) == whole
    assert drawn(back_and_forth(route=route)) == whole


@pytest.mark.parametrize("way", ["set_entry_point", "add_edge"])
def test_a_misspelt_entry_point_shows_up_at_compile(way: str) -> None:
    """A misspelt entry point does not show up only at `invoke`: `compile()` raises."""
    graph = StateGraph(Log)
    graph.add_node("draft", writes(trace=["draft"]))
    _ = graph.set_entry_point("darft") if way == "set_entry_point" else graph.add_edge(START, "darft")
    with pytest.raises(ValueError, match="unknown node `darft`"):
        graph.compile()


def test_a_compiled_graph_shown_by_a_notebook_asks_a_web_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiled graph left as the last line of a cell asks a web service for a picture and errors offline."""
    asked: list[str] = []

    def offline(address: str, **options: Any) -> Any:
        asked.append(address)
        raise requests.ConnectionError("no network")

    monkeypatch.setattr(requests, "get", offline)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with pytest.raises(ValueError, match=f"Failed to reach https://{SERVICE}"):
        one(Log, writes(trace=[1]))._repr_mimebundle_()
    assert asked[0].startswith(f"https://{SERVICE}/")


# ---------------------------------------------------------------- pauses


def test_interrupt_before_without_a_checkpointer_stops_silently() -> None:
    """`interrupt_before` without a checkpointer stops silently; resume raises EmptyInputError, `get_state` raises
    ValueError."""
    graph = branch(Log, NODES, lambda state: "send", ["send"])
    app = graph.compile(interrupt_before=["send"])
    assert app.invoke({}) == {"trace": ["draft"]}
    for config in ({}, THREAD):
        with pytest.raises(EmptyInputError):
            app.invoke(None, config)
    with pytest.raises(ValueError, match="No checkpointer set"):
        app.get_state(THREAD)


def asking(entries: list[str]) -> Any:
    def ask(state: Any) -> Any:
        entries.append("asked")
        return {"trace": [interrupt("May I?")]}

    return ask


def test_interrupt_without_a_checkpointer_cannot_be_resumed() -> None:
    """`interrupt()` without a checkpointer: `__interrupt__` in the result, not resumable."""
    app = one(Log, asking([]))
    assert [each.value for each in app.invoke({})["__interrupt__"]] == ["May I?"]
    with pytest.raises(RuntimeError, match=r"Cannot use Command\(resume=...\) without checkpointer"):
        app.invoke(Command(resume="yes"), THREAD)


def test_a_node_that_interrupts_runs_again_from_its_start() -> None:
    """A node that calls `interrupt()` runs again from its start: 1 then 2 entries."""
    entries: list[str] = []
    app = one(Log, asking(entries), InMemorySaver())
    app.invoke({}, THREAD)
    assert len(entries) == 1
    assert app.invoke(Command(resume="yes"), THREAD)["trace"] == ["yes"]
    assert len(entries) == 2


def test_update_state_runs_the_branch_of_the_last_node_again() -> None:
    """`update_state` re-runs the branch of the last node."""
    routed: list[list] = []

    def route(state: Any) -> str:
        routed.append(list(state["trace"]))
        return "send" if "go" in state["trace"] else END

    app = branch(Log, NODES, route, ["send", END]).compile(checkpointer=InMemorySaver())
    app.invoke({}, THREAD)
    assert (app.get_state(THREAD).next, routed) == ((), [["draft"]])
    app.update_state(THREAD, {"trace": ["go"]})
    assert (app.get_state(THREAD).next, routed) == (("send",), [["draft"], ["draft", "go"]])


# ---------------------------------------------------------------- making a graph


@pytest.mark.parametrize("old", ["input", "output"])
def test_the_old_names_of_the_schemas_warn(old: Any) -> None:
    """`StateGraph(S, input=, output=)` warns, use `input_schema=`, `output_schema=`."""
    with pytest.warns(LangGraphDeprecatedSinceV05, match=f"use `{old}_schema`"):
        StateGraph(Log, **{old: schema(trace=list)})
    StateGraph(Log, **{f"{old}_schema": schema(trace=list)})


@pytest.mark.parametrize("builtin", [max, min])
def test_a_builtin_is_refused_as_a_reducer(builtin: Any) -> None:
    """A builtin such as `max` is refused as a reducer: ValueError "no signature found for builtin"."""
    with pytest.raises(ValueError, match="no signature found for builtin"):
        StateGraph(schema(score=Annotated[float, builtin]))


def test_some_c_functions_do_show_a_signature() -> None:
    """`operator.add` and `operator.or_` are written in C as well, and they work."""
    shape = schema(trace=Annotated[list, operator.add], found=Annotated[dict, operator.or_])
    app = chain(shape, {"a": writes(trace=[1], found={"a": 1}), "b": writes(trace=[2], found={"b": 2})})
    assert app.invoke({}) == {"trace": [1, 2], "found": {"a": 1, "b": 2}}


# ---------------------------------------------------------------- what is stored


def test_the_memory_saver_stores_a_changed_key_in_full_and_an_untouched_one_once() -> None:
    """Not every checkpoint stores the whole state: memory saver: a changed key is stored again in full, an untouched
    one once."""
    saver = InMemorySaver()
    nodes = {name: writes(changed=name * 1_000) for name in "abc"}
    chain(schema(changed=str, still=str), nodes, saver).invoke({"still": "s" * 1_000}, THREAD)
    sizes = [(name, len(blob) // 1_000) for (_, _, name, _), (_, blob) in saver.blobs.items()]
    assert (sizes.count(("changed", 1)), sizes.count(("still", 1))) == (3, 1)


def test_the_sqlite_saver_stores_the_whole_state_at_every_step() -> None:
    """SQLite saver stores the whole state at every step."""
    with SqliteSaver.from_conn_string(":memory:") as saver:
        app = chain(schema(changed=str, still=str), {name: writes(changed=name) for name in "abc"}, saver)
        app.invoke({"still": "s" * 1_000}, THREAD)
        rows = [row for (row,) in saver.conn.execute("select checkpoint from checkpoints")]
    assert [row.count(b"s" * 1_000) for row in rows] == [1] * 5


def stored_kb(rule: Any, steps: int) -> float:
    """All that the memory saver holds as values of the key, after so many steps of 1 kB each."""
    saver = InMemorySaver()
    nodes = {f"n{number}": writes(trace=["x" * 1_000]) for number in range(steps)}
    chain(schema(trace=Annotated[list, rule]), nodes, saver).invoke({}, THREAD)
    return sum(len(blob) for (_, _, name, _), (_, blob) in saver.blobs.items() if name == "trace") / 1_000


def window(old: list, new: list) -> list:
    return (old + new)[-3:]


@pytest.fixture(scope="module")
def growth() -> Iterator[dict[str, float]]:
    yield {
        f"{name} {steps}": stored_kb(rule, steps)
        for name, rule in (("add", operator.add), ("windowed", window))
        for steps in (10, 40)
    }


def test_a_key_that_grows_by_add_costs_the_square(growth: dict[str, float]) -> None:
    """A key that grows by `add` costs: 1 kB a step, 10 steps 55 kB, 40 steps 823 kB (square)."""
    assert growth["add 10"] == pytest.approx(55, rel=0.02)
    assert growth["add 40"] == pytest.approx(823, rel=0.01)


def test_a_window_costs_a_straight_line(growth: dict[str, float]) -> None:
    """Windowed: 27 kB and 117 kB (straight)."""
    assert growth["windowed 10"] == pytest.approx(27, rel=0.02)
    assert growth["windowed 40"] == pytest.approx(117, rel=0.02)
