"""The keys to the practice lab's predictions: each act runs a real graph and gives what came out."""

from __future__ import annotations

from collections.abc import Mapping
from operator import add
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph

Inputs = Mapping[str, Any]


class _Hello(TypedDict, total=False):
    said: Annotated[list[str], add]


def superstep_of_each_node(inputs: Inputs) -> Any:
    app = _two_and_a_join(inputs, {})
    events = app.stream({"said": inputs["start"]}, stream_mode="debug")
    return {event["payload"]["name"]: event["step"] for event in events if event["type"] == "task"}


def entries_each_node_finds(inputs: Inputs) -> Any:
    found: dict[str, int] = {}
    _two_and_a_join(inputs, found).invoke({"said": inputs["start"]})
    return found


def _two_and_a_join(inputs: Inputs, found: dict[str, int]) -> Any:
    """The graph of `hello.py` with the names of `inputs`; each node notes in `found` how many entries it saw."""

    def node(name: str) -> Any:
        def run(state: Any) -> dict[str, Any]:
            found[name] = len(state["said"])
            return {"said": [name]}

        return run

    graph: Any = StateGraph(_Hello)
    for name in [*inputs["side by side"], inputs["join"]]:
        graph.add_node(name, node(name))
    for name in inputs["side by side"]:
        graph.add_edge(START, name)
    graph.add_edge(inputs["side by side"], inputs["join"])
    graph.add_edge(inputs["join"], END)
    return graph.compile()
