"""The keys to lab 2's predictions: each act runs a real graph and gives what came out. Knows no answer by heart."""

from __future__ import annotations

from collections.abc import Mapping
from operator import add
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

Inputs = Mapping[str, Any]
THREAD: Any = {"configurable": {"thread_id": "one"}, "recursion_limit": 60}


class _Case(TypedDict, total=False):
    requested: int
    decision: str
    trace: Annotated[list[str], add]


class _Answers(TypedDict, total=False):
    answers: list[Any]


def _gated(limit: Mapping[str, int], paid: list[int], saver: Any) -> Any:
    """`assess`, then by a limit to `settle` behind a gate, or to `auto_settle`."""

    def paying(name: str) -> Any:
        def node(state: Any) -> dict[str, Any]:
            paid.append(state["requested"])
            return {"trace": [name]}

        return node

    graph: Any = StateGraph(_Case)
    graph.add_node("assess", lambda state: {"trace": ["assess"]})
    graph.add_node("settle", paying("settle"))
    graph.add_node("auto_settle", paying("auto_settle"))
    graph.add_edge(START, "assess")
    graph.add_conditional_edges(
        "assess",
        lambda state: "settle" if state["requested"] > limit["now"] else "auto_settle",
        ["settle", "auto_settle"],
    )
    return graph.compile(checkpointer=saver, interrupt_before=["settle"])


def gate_without_memory(inputs: Inputs) -> Any:
    paid: list[int] = []
    try:
        _gated({"now": 100_000}, paid, None).invoke({"requested": inputs["requested"]})
    except Exception:  # noqa: BLE001 - that it raises is one of the answers
        return "error"
    return "paid" if paid else "silent"


def assessed_after_new_input(inputs: Inputs) -> Any:
    app = _gated({"now": 100_000}, [], InMemorySaver())
    for _ in range(2):
        app.invoke({"requested": inputs["requested"]}, THREAD)
    return app.get_state(THREAD).values["trace"].count("assess")


def effects_before_a_question(inputs: Inputs) -> Any:
    return _asked(["?"] * inputs["answers"])


def entries_for_questions(inputs: Inputs) -> Any:
    return _asked([f"{number}?" for number in range(inputs["questions"])])


def _asked(questions: list[str]) -> int:
    """How often a node that asks all questions was entered when all are answered."""
    entered: list[int] = []

    def ask(state: Any) -> dict[str, Any]:
        entered.append(1)
        return {"answers": [interrupt(question) for question in questions]}

    app = _one_node(ask)
    app.invoke({"answers": []}, THREAD)
    for _ in questions:
        app.invoke(Command(resume={"fine": True}), THREAD)
    return len(entered)


def _one_node(node: Any) -> Any:
    graph: Any = StateGraph(_Answers)
    graph.add_node("ask", node)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=InMemorySaver())


def next_after_an_update(inputs: Inputs) -> Any:
    limit = {"now": 100_000}
    app = _gated(limit, [], InMemorySaver())
    app.invoke({"requested": inputs["requested"]}, THREAD)
    limit["now"] = inputs["raised"]
    app.update_state(THREAD, {"decision": "reject"})
    return (app.get_state(THREAD).next or ("nothing",))[0]


def falsy_answers_that_arrive(inputs: Inputs) -> Any:
    return [answer for answer in inputs["answers"] if _arrives(answer)]


def _arrives(answer: Any) -> bool:
    app = _one_node(lambda state: {"answers": [interrupt("?")]})
    app.invoke({"answers": []}, THREAD)
    try:
        app.invoke(Command(resume=answer), THREAD)
    except Exception:  # noqa: BLE001 - an answer that raises did not arrive
        return False
    values: dict[str, Any] = app.get_state(THREAD).values
    return values["answers"] == [answer] and not app.get_state(THREAD).next
