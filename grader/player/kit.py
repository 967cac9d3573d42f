"""What the acts of several labs need of langgraph: small graphs, snapshots, savers. Observes, expects nothing."""

from __future__ import annotations

import contextlib
import copy
import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, cast

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

Node = Callable[[Any], Any]
ABSENT = {"$type": "absent", "text": "nothing: no such key"}
"""Stands for a key that is not there. Equal to no drawn value."""

STEP_LIMIT = 60
"""The `recursion_limit` of every probe: the default of langgraph 1.x lets a wrong loop run for 10,007 steps."""


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}, "recursion_limit": STEP_LIMIT}


def writer(update: Mapping[str, Any]) -> Node:
    """A node that returns a fresh copy of `update`, whatever it is given."""
    return lambda state: copy.deepcopy(dict(update))


def supersteps(schema: Any, groups: Sequence[Mapping[str, Node]], *, branch: bool = False) -> StateGraph[Any]:
    """A graph whose n-th group of nodes runs in the n-th superstep; `branch` joins single nodes by conditional edges."""
    graph: StateGraph[Any] = StateGraph(schema)
    before = [START]
    for group in groups:
        for name, node in group.items():
            graph.add_node(name, cast(Any, node))
            _join(graph, before, name, branch)
        before = list(group)
    for name in before:
        _join(graph, [name], END, branch)
    return graph


def _join(graph: StateGraph[Any], before: list[str], name: str, branch: bool) -> None:
    if branch and len(before) == 1 and before[0] != START:
        graph.add_conditional_edges(before[0], lambda state, to=name: to, [name])
    elif len(before) == 1:
        graph.add_edge(before[0], name)
    else:
        graph.add_edge(before, name)


class _Rolls(BaseCallbackHandler):
    """Notes the name of every node that begins, in whatever graph it stands."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def on_chain_start(self, serialized: Any, inputs: Any, **told: Any) -> None:
        node = (told.get("metadata") or {}).get("langgraph_node")
        if node is not None and node == told.get("name"):
            self.ran.append(str(node))


def witnessed(call: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What a call gives, and the names of the nodes that ran in any graph meanwhile: a graph inherits its callbacks."""
    rolls = _Rolls()
    config: Any = {"callbacks": [rolls], "recursion_limit": STEP_LIMIT}
    return RunnableLambda(lambda _: call()).invoke(None, config), rolls.ran


def value_of(values: Any, key: str) -> Any:
    """`values[key]`, or ABSENT."""
    return values.get(key, ABSENT)


def watched(app: Any, sent: Any, config: Any, key: str) -> dict[str, Any]:
    """One run, seen at every superstep: `values` as they were then, `later` the same snapshots once the run is over."""
    held = []
    then = []
    for snapshot in app.stream(sent, config, stream_mode="values"):
        held.append(snapshot)
        then.append(copy.deepcopy(value_of(snapshot, key)))
    return {"values": then, "later": [value_of(snapshot, key) for snapshot in held]}


class _Warm(TypedDict, total=False):
    trace: list[str]


def warm_up() -> None:
    """Use once what acts use: the first use of each costs tens of milliseconds, and a fork inherits it."""
    graph = supersteps(_Warm, [{"a": writer({"trace": ["a"]}), "b": writer({})}, {"c": writer({})}])
    app = graph.compile(checkpointer=InMemorySaver())
    watched(app, {"trace": []}, thread("warm"), "trace")
    list(app.get_state_history(thread("warm")))
    with contextlib.suppress(ImportError):  # A lab about a restart needs it; every other lab runs without.
        importlib.import_module("langgraph.checkpoint.sqlite")
