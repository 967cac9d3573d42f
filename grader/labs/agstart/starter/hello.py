"""Three nodes in two supersteps. Given, and right: there is nothing to write here.

`look` and `listen` start together. `tell` waits for both. Each node adds its own name to `said`.
"""

from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph


class Hello(TypedDict, total=False):
    """One key. `add` is its rule: what a node returns is put behind what is there."""

    said: Annotated[list, add]


def look(state: Hello) -> dict:
    return {"said": ["look"]}


def listen(state: Hello) -> dict:
    return {"said": ["listen"]}


def tell(state: Hello) -> dict:
    return {"said": ["tell"]}


def build() -> CompiledStateGraph:
    """The compiled graph: START, then `look` and `listen` side by side, then `tell`."""
    graph = StateGraph(Hello)
    graph.add_node("look", look)
    graph.add_node("listen", listen)
    graph.add_node("tell", tell)
    graph.add_edge(START, "look")
    graph.add_edge(START, "listen")
    graph.add_edge(["look", "listen"], "tell")
    graph.add_edge("tell", END)
    return graph.compile()
