"""The smallest graphs that the measurements need. Nothing here expects anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph

Node = Callable[[Any], Any]

THREAD: Any = {"configurable": {"thread_id": "one"}}


class Log(TypedDict, total=False):
    trace: Annotated[list, add]


def schema(**keys: Any) -> Any:
    return TypedDict("State", keys, total=False)  # type: ignore[operator]


def writes(**update: Any) -> Node:
    """A node that returns the same update each time."""
    return lambda state: dict(update)


def one(shape: Any, node: Node, saver: Any = None, **schemas: Any) -> Any:
    """A graph of one node called `only`."""
    return chain(shape, {"only": node}, saver, **schemas)


def chain(shape: Any, nodes: Mapping[str, Node], saver: Any = None, **schemas: Any) -> Any:
    """The nodes one after the other."""
    graph = StateGraph(shape, **schemas)
    graph.add_sequence(list(nodes.items()))
    graph.add_edge(START, next(iter(nodes)))
    return graph.compile(checkpointer=saver)


def fan(shape: Any, nodes: Mapping[str, Node]) -> Any:
    """All nodes in one superstep."""
    graph = StateGraph(shape)
    for name, node in nodes.items():
        graph.add_node(name, node)
        graph.add_edge(START, name)
        graph.add_edge(name, END)
    return graph.compile()


def branch(shape: Any, nodes: Mapping[str, Node], route: Callable[[Any], Any], *path_map: Any) -> Any:
    """The first node, then whichever node the router names; the others end the run. Not compiled."""
    graph = StateGraph(shape)
    first, *others = nodes
    for name, node in nodes.items():
        graph.add_node(name, node)
    graph.add_edge(START, first)
    graph.add_conditional_edges(first, route, *path_map)
    for name in others:
        graph.add_edge(name, END)
    return graph
