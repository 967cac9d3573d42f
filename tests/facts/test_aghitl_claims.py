"""Every sentence about LangGraph in notebook 02, measured on the installed version.

Each test's docstring is that sentence, word for word; the last test looks for it in the notebook.
"""

from __future__ import annotations

import inspect
import json
import sys
from operator import add
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import EmptyInputError
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

NOTEBOOK = Path(__file__).parents[2] / "labs" / "02_aghitl.ipynb"
THREAD: Any = {"configurable": {"thread_id": "one"}}


class Case(TypedDict, total=False):
    requested: int
    decision: str
    trace: Annotated[list, add]


class Desk:
    """`assess`, then by a limit to `settle` behind a gate, or to `auto_settle`; what was paid stands in `paid`."""

    def __init__(self, saver: Any = None, held: bool = False) -> None:
        self.limit, self.paid = 100, []  # type: ignore[var-annotated]
        graph: Any = StateGraph(Case)
        graph.add_node("assess", lambda case: {"trace": ["assess"]})
        graph.add_node("hold", lambda case: {"trace": ["hold"]})
        for name in ("settle", "auto_settle"):
            graph.add_node(name, lambda case, name=name: self.paid.append(name) or {"trace": [name]})
        graph.add_edge(START, "assess")
        large = "hold" if held else "settle"
        route = lambda case: large if case["requested"] > self.limit else "auto_settle"  # noqa: E731
        graph.add_conditional_edges("assess", route, [large, "auto_settle"])
        graph.add_edge("hold", "settle")
        graph.add_edge("settle", END)
        self.app = graph.compile(checkpointer=saver, interrupt_before=["settle"])


def asking(node: Any) -> Any:
    graph: Any = StateGraph(Case)
    graph.add_node("ask", node)
    graph.add_edge(START, "ask")
    return graph.compile(checkpointer=InMemorySaver())


def test_a_gate_without_a_memory() -> None:
    """The run stopped at the gate and came back, as a run does that is done. No error was raised, and nothing was paid."""
    desk = Desk()
    assert desk.app.invoke({"requested": 500}) == {"requested": 500, "trace": ["assess"]}
    assert desk.paid == []


def test_no_way_on() -> None:
    """There is nothing to go on with, and nothing to look up:"""
    desk = Desk()
    desk.app.invoke({"requested": 500})
    with pytest.raises(EmptyInputError):
        desk.app.invoke(None)
    with pytest.raises(ValueError, match="No checkpointer set"):
        desk.app.get_state(THREAD)


def test_threads() -> None:
    """A **checkpointer** keeps the state of each **thread**, and a thread has a name."""
    desk = Desk(InMemorySaver())
    other: Any = {"configurable": {"thread_id": "two"}}
    desk.app.invoke({"requested": 500}, THREAD)
    desk.app.invoke({"requested": 700}, other)
    assert [desk.app.get_state(each).values["requested"] for each in (THREAD, other)] == [500, 700]
    assert desk.app.get_state(THREAD).next == ("settle",)


def test_going_on() -> None:
    """Going on is a run without new input: `invoke(None, config)`."""
    desk = Desk(InMemorySaver())
    desk.app.invoke({"requested": 500}, THREAD)
    assert desk.app.invoke(None, THREAD)["trace"] == ["assess", "settle"]


def test_update_state_and_reducers() -> None:
    """`update_state` goes through the reducers, like any other write: a list under `trace` is added to what is there."""
    desk = Desk(InMemorySaver())
    desk.app.invoke({"requested": 500}, THREAD)
    desk.app.update_state(THREAD, {"trace": ["edit"]})
    assert desk.app.get_state(THREAD).values["trace"] == ["assess", "edit"]


def test_the_router_is_asked_again() -> None:
    """`update_state` counts as a write of the node that ran last.

    That was `assess`, so the router behind it is asked again.
    """
    desk = Desk(InMemorySaver())
    desk.app.invoke({"requested": 500}, THREAD)
    desk.limit = 900
    desk.app.update_state(THREAD, {"decision": "reject"})
    assert desk.app.get_state(THREAD).next == ("auto_settle",)
    desk.app.invoke(None, THREAD)
    assert desk.paid == ["auto_settle"]


def test_as_node() -> None:
    """With `as_node` you say whose write it is. A node whose only way on is `settle` leaves nothing to ask."""
    desk = Desk(InMemorySaver(), held=True)
    desk.app.invoke({"requested": 500}, THREAD)
    desk.limit = 900
    desk.app.update_state(THREAD, {"decision": "reject"}, as_node="hold")
    assert desk.app.get_state(THREAD).next == ("settle",)


def test_the_question_and_the_answer() -> None:
    """The question goes out with the run's result, and the answer comes back as the value of the call."""
    app = asking(lambda case: {"decision": interrupt({"amount": 5})["word"]})
    assert app.invoke({}, THREAD)["__interrupt__"][0].value == {"amount": 5}
    assert app.invoke(Command(resume={"word": "yes"}), THREAD)["decision"] == "yes"


def test_a_node_that_asks_runs_again() -> None:
    """It runs again from its start, and the call of `interrupt` gives the answer at once."""
    lines: list[str] = []

    def ask(case: Any) -> dict[str, Any]:
        lines.append("start")
        answer = interrupt("?")
        lines.append(answer["word"])
        return {}

    app = asking(ask)
    app.invoke({}, THREAD)
    app.invoke(Command(resume={"word": "yes"}), THREAD)
    assert lines == ["start", "start", "yes"]


def test_except_exception() -> None:
    """And `interrupt` stops a node by raising: an `except Exception` round it swallows the pause."""

    def ask(case: Any) -> dict[str, Any]:
        try:
            return {"decision": interrupt("?")}
        except Exception:  # noqa: BLE001 - the mistake that is measured
            return {"decision": "approve"}

    app = asking(ask)
    assert app.invoke({}, THREAD)["decision"] == "approve"
    assert app.get_state(THREAD).next == ()


def test_what_arrives() -> None:
    """`{}` left the run waiting, and `None` failed inside LangGraph."""
    seen: list[Any] = []
    for number, answer in enumerate([False, {}, None]):
        app = asking(lambda case: seen.append(interrupt("?")) or {})
        config: Any = {"configurable": {"thread_id": str(number)}}
        app.invoke({}, config)
        if answer is None:
            with pytest.raises(UnboundLocalError):
                app.invoke(Command(resume=answer), config)
        else:
            app.invoke(Command(resume=answer), config)
            assert bool(app.get_state(config).next) == (answer == {} and answer is not False)
    assert seen == [False]


def test_own_writes() -> None:
    """The state that a node gets does not hold that node's own writes yet."""
    seen: list[Any] = []
    graph: Any = StateGraph(Case)
    graph.add_node("one", lambda case: seen.append(dict(case)) or {"decision": "made"})
    graph.add_edge(START, "one")
    graph.compile().invoke({"requested": 1})
    assert seen == [{"requested": 1, "trace": []}]


def test_every_sentence_above_stands_in_the_notebook() -> None:
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    text = " ".join(" ".join("".join(cell["source"]).split()) for cell in book["cells"])
    tests = [each for name, each in vars(sys.modules[__name__]).items() if name.startswith("test_")]
    sentences = [" ".join(inspect.getdoc(each).split()) for each in tests if inspect.getdoc(each)]  # type: ignore[union-attr]
    assert len(sentences) == 12
    assert [sentence for sentence in sentences if sentence not in text] == []
