"""`trace`: supersteps as rows, keys as columns; pauses, edits, and a node that ran again from its start."""

from __future__ import annotations

import dataclasses
import threading
from operator import add
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from grader.notebook.timeline import NOTHING, Column
from grader.notebook.trace import Timeline, trace


class Plain(TypedDict, total=False):
    trace: list


def newest(old: list, new: list) -> list:
    return new or old


class Ruled(TypedDict, total=False):
    trace: Annotated[list, add]
    own: Annotated[list, newest]
    plain: int


def careless(old: list, new: list) -> list:
    old.extend(new)
    return old


class Shelf(TypedDict, total=False):
    trace: Annotated[list, careless]


THREAD: Any = {"configurable": {"thread_id": "one"}}


def chain(schema: Any, *names: str, saver: Any = None, **more: Any) -> Any:
    graph: Any = StateGraph(schema)
    graph.add_sequence([(name, lambda state, name=name: {"trace": [name]}) for name in names])
    graph.add_edge(START, names[0])
    return graph.compile(checkpointer=saver, **more)


def asking(saver: Any) -> Any:
    graph: Any = StateGraph(Ruled)
    graph.add_node("ask", lambda state: {"trace": [interrupt({"pay": 5})]})
    graph.add_edge(START, "ask")
    return graph.compile(checkpointer=saver)


def kinds(timeline: Timeline) -> list[str]:
    return [row.kind for row in timeline.rows]


def values(timeline: Timeline, key: str = "trace") -> list[Any]:
    return [row.cells[key].value for row in timeline.rows if row.cells]


def test_the_accident_as_a_learner_reads_it() -> None:
    told = repr(trace(chain(Plain, "receive", "search"), {"trace": ["opened"]}))
    assert told.splitlines() == [
        "             ran      trace",
        "                      (last write stays)",
        "-----------  -------  -------------------------",
        "input                 input wrote ['opened']",
        "                      = ['opened']",
        "superstep 1  receive  receive wrote ['receive']",
        "                      = ['receive']",
        "superstep 2  search   search wrote ['search']",
        "                      = ['search']",
    ]


def test_the_first_row_shows_what_a_key_holds_before_anybody_wrote_it() -> None:
    class Counted(TypedDict, total=False):
        calls: Annotated[int, add]
        score: Annotated[float | None, newest]
        plain: int

    graph: Any = StateGraph(Counted)
    graph.add_node("one", lambda state: {"calls": 1})
    graph.add_edge(START, "one")
    cells = trace(graph, {}).rows[0].cells
    assert {key: cell.value for key, cell in cells.items() if cell.value is not NOTHING} == {"calls": 0}


def test_parallel_writers_share_a_row_and_each_write_has_its_writer() -> None:
    graph: Any = StateGraph(Ruled)
    for name in ("b", "a"):
        graph.add_node(name, lambda state, name=name: {"trace": [name]})
        graph.add_edge(START, name)
    told = trace(graph, {})
    row = told.rows[-1]
    assert sorted(row.ran) == ["a", "b"]
    assert sorted(row.cells["trace"].writes) == [("a", ["a"]), ("b", ["b"])]
    assert row.cells["trace"].value == ["a", "b"]


def test_a_column_says_by_which_rule_its_key_is_merged() -> None:
    told = trace(chain(Ruled, "one"), {})
    assert told.columns == [
        Column("trace", "operator.add"),
        Column("own", "newest"),
        Column("plain", "last write stays"),
    ]


def test_a_pause_before_a_node_and_the_way_on() -> None:
    app = chain(Ruled, "check", "settle", saver=InMemorySaver(), interrupt_before=["settle"])
    first = trace(app, {}, THREAD)
    assert kinds(first) == ["input", "superstep", "paused"]
    assert first.rows[-1].note == "waits before `settle`"
    second = trace(app, None, THREAD)
    assert kinds(second) == ["resumed", "superstep"]
    assert values(second) == [["check", "settle"]]


def test_an_edit_is_a_row_of_its_own() -> None:
    app = chain(Ruled, "check", "settle", saver=InMemorySaver(), interrupt_before=["settle"])
    trace(app, {}, THREAD)
    app.update_state(THREAD, {"plain": 7})
    told = trace(app, None, THREAD)
    assert kinds(told) == ["edited", "resumed", "superstep"]
    assert told.rows[0].cells["plain"].writes == [("update_state", 7)]
    assert told.rows[0].cells["trace"].writes == ()


def test_a_node_that_asked_runs_again_from_its_start_and_is_marked() -> None:
    app = asking(InMemorySaver())
    first = trace(app, {}, THREAD)
    assert first.rows[-1].note == "in `ask`, which asks: {'pay': 5}"
    assert "ran again" not in first.rows[-2].note
    second = trace(app, Command(resume="yes"), THREAD)
    assert [row.note for row in second.rows] == ["with 'yes'", "`ask` ran again from its start"]
    assert values(second) == [["yes"]]


@pytest.mark.parametrize(
    "app", [chain(Ruled, "a", "b", interrupt_before=["b"]), asking(None)], ids=["before", "inside"]
)
def test_a_stop_without_a_checkpointer_says_that_nobody_can_go_on(app: Any) -> None:
    told = trace(app, {})
    assert told.rows[-1].kind == "stopped"
    assert "no checkpointer, so nobody can go on" in told.rows[-1].note


def test_what_a_run_raises_is_its_last_row() -> None:
    graph: Any = StateGraph(Plain)
    for name in ("a", "b"):
        graph.add_node(name, lambda state, name=name: {"trace": [name]})
        graph.add_edge(START, name)
    told = trace(graph, {})
    assert kinds(told) == ["input", "superstep", "raised"]
    assert told.rows[-1].note.startswith("InvalidUpdateError: At key 'trace': Can receive only one value per step.")


def test_an_endless_loop_is_cut_in_the_middle_and_says_how_much_is_left_out() -> None:
    graph: Any = StateGraph(Ruled)
    graph.add_node("spin", lambda state: {"plain": 1})
    graph.add_edge(START, "spin")
    graph.add_edge("spin", "spin")
    told = trace(graph, {})
    assert len(told.rows) == 62
    assert "...: 42 more supersteps" in repr(told)
    assert told.rows[-1].note == "GraphRecursionError: it was not at its end after 60 supersteps"
    assert len(trace(graph, {}, {"recursion_limit": 3}).rows) == 5


def test_a_reducer_that_changes_its_arguments_does_not_change_the_rows_above() -> None:
    assert values(trace(chain(Shelf, "a", "b"), {"trace": ["in"]})) == [["in"], ["in", "a"], ["in", "a", "b"]]


def test_two_runs_give_the_same_rows() -> None:
    assert repr(trace(chain(Ruled, "a", "b"), {})) == repr(trace(chain(Ruled, "a", "b"), {}))


def test_html_escapes_names_and_values_and_needs_no_style_sheet() -> None:
    told = trace(chain(Ruled, "<b>bold</b>"), {"trace": ["<script>"]})._repr_mimebundle_()["text/html"]
    assert "<b>bold" not in told and "<script" not in told and "<style" not in told
    assert "&lt;b&gt;bold" in told
    assert '<th scope="col"' in told


def test_long_values_are_cut_and_say_by_how_much() -> None:
    assert "more)" in repr(trace(chain(Ruled, "a"), {"trace": ["x" * 500]}))


def test_what_is_no_graph_is_told() -> None:
    with pytest.raises(TypeError, match="trace takes a graph"):
        trace(len, {})


@dataclasses.dataclass
class Counted:
    n: int = 0


def test_writes_stand_in_the_order_of_the_row_whoever_finishes_first() -> None:
    done = threading.Event()

    def late(state: Any) -> Any:
        assert done.wait(10)
        return {"trace": ["a"]}

    def early(state: Any) -> Any:
        done.set()
        return {"trace": ["b"]}

    graph: Any = StateGraph(Ruled)
    for name, node in {"a": late, "b": early}.items():
        graph.add_node(name, node)
        graph.add_edge(START, name)
    row = trace(graph, {}).rows[-1]
    assert row.ran == ["a", "b"]
    assert row.cells["trace"].writes == [("a", ["a"]), ("b", ["b"])]


def test_each_edit_is_a_row_and_a_merged_value_is_not_called_a_write() -> None:
    app = chain(Ruled, "check", "settle", saver=InMemorySaver(), interrupt_before=["settle"])
    trace(app, {}, THREAD)
    app.update_state(THREAD, {"plain": 7})
    app.update_state(THREAD, {"trace": ["edit"]})
    told = trace(app, None, THREAD)
    assert kinds(told) == ["edited", "edited", "resumed", "superstep"]
    assert [row.note.rpartition(" ")[2] for row in told.rows[:2]] == ["`plain`", "`trace`"]
    assert told.rows[1].cells["trace"].writes == ()
    assert told.rows[1].cells["trace"].value == ["check", "edit"]


def test_an_input_that_is_an_object_is_an_input() -> None:
    graph: Any = StateGraph(Counted)
    graph.add_node("one", lambda state: {"n": 1})
    graph.add_edge(START, "one")
    told = trace(graph, Counted(3))
    assert kinds(told) == ["input", "superstep"]
    assert told.rows[0].cells["n"].writes == [("input", 3)]


def test_an_error_is_told_with_its_superstep_even_if_it_cannot_say_itself() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def fail(state: Any) -> Any:
        raise Mute

    graph: Any = StateGraph(Ruled)
    graph.add_node("fail", fail)
    graph.add_edge(START, "fail")
    assert trace(graph, {}).rows[-1].note == "Mute: its message could not be read (in superstep 1)"


def test_a_long_answer_is_cut_in_its_note_too() -> None:
    app = asking(InMemorySaver())
    trace(app, {}, THREAD)
    assert trace(app, Command(resume="x" * 300), THREAD).rows[0].note.endswith("(242 more)")


def test_wide_letters_keep_the_columns_aligned() -> None:
    lines = repr(trace(chain(Plain, "한글"), {"trace": ["in"]})).splitlines()
    assert lines[-2:] == ["superstep 1  한글  한글 wrote ['한글']", "                   = ['한글']"]


def test_langgraphs_own_reducer_has_its_public_name() -> None:
    graph: Any = StateGraph(TypedDict("Chat", {"messages": Annotated[list, add_messages]}))
    graph.add_node("one", lambda state: {})
    graph.add_edge(START, "one")
    assert trace(graph, {"messages": []}).columns == [Column("messages", "add_messages")]


def test_a_runnable_that_is_no_graph_is_told() -> None:
    with pytest.raises(TypeError, match="this is RunnableLambda"):
        trace(RunnableLambda(lambda x: x), {})


def test_a_key_that_holds_nothing_leaves_no_empty_box() -> None:
    assert "<code></code>" not in trace(chain(Ruled, "a"), {})._repr_mimebundle_()["text/html"]
