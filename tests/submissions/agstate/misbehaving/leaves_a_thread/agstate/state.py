"""The state of a support agent: nine keys, and for each key the rule that merges what its writers return.

A key without a reducer keeps the last write. Every other rule has to be said: here it is said once, beside the key,
so that no node needs to know who else writes. Importing this module runs nothing.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from hashlib import sha256
from itertools import pairwise
from operator import add
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

Node = Callable[[Any], Any]

WINDOW = 3
"""How many notes are kept. Read whenever a note is written, so a change works from the next write on."""


# ---------------------------------------------------------------- the rules


def merge_sources(old: list | None, new: list | None) -> list:
    """`old`, then each item of `new` that is not there yet, in the order first seen.

    A list and not a set: readers see the sources in this order, and a source may be a dict, which no set can hold.
    A fresh list, because `old` still belongs to the step before.
    """
    merged = list(old or [])
    for source in new or []:
        if source not in merged:
            merged.append(source)
    return merged


def keep_max(old: float | None, new: float | None) -> float | None:
    """The larger score; None is "no score yet" and never wins.

    A function of our own, because LangGraph refuses the builtin `max`: it has no signature to read.
    """
    if old is None:
        return new
    if new is None:
        return old
    return max(old, new)


def keep_recent(old: list | None, new: list | None) -> list:
    """The last `WINDOW` notes of `old` followed by `new`.

    The cut counts from the front: `notes[-WINDOW:]` would keep everything when `WINDOW` is 0.
    """
    notes = [*(old or []), *(new or [])]
    return notes[max(len(notes) - WINDOW, 0) :]


# ---------------------------------------------------------------- the state


class BareState(TypedDict, total=False):
    """The accident: a list without a rule."""

    trace: list


class State(TypedDict, total=False):
    """All that the nodes share. A plain key is overwritten; `Annotated[type, reducer]` says another rule."""

    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, add]
    sources: Annotated[list, merge_sources]
    # Not plain `float`: that channel would start at 0.0 and beat every negative score.
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, keep_recent]
    used_calls: Annotated[int, add]


class InputState(TypedDict, total=False):
    """What a caller may send."""

    question: str
    doc_ref: str


class OutputState(TypedDict, total=False):
    """What a caller gets. A list of its own, not a child of `State`: a key is private unless it is named here."""

    answer: str
    sources: list


DECISIONS = {
    "question": ("overwrite", "One run answers one question; the newest one is the one being asked."),
    "doc_ref": ("overwrite", "It points at the document of this run, and an old pointer would mislead."),
    "answer": ("overwrite", "A later draft replaces an earlier one; the customer reads a single reply."),
    "memo": ("overwrite", "Scratch paper between two nodes: only the latest remark is of use."),
    "trace": ("append", "It is the log after an accident, so no node's line may get lost."),
    "sources": ("dedupe", "Several nodes find the same page, and a reader wants to see it once."),
    "best_score": ("max", "A worse later attempt must not hide the best one so far."),
    "notes": ("window", "They go into every prompt, which has to stay short however long the talk gets."),
    "used_calls": ("sum", "Each node knows its own cost only; the budget is about all of them together."),
}


# ---------------------------------------------------------------- the graphs


def run_bare(names: Sequence[str]) -> list:
    """Run one node per name in a row over `BareState`; give the trace that is left."""
    import threading, time
    threading.Thread(target=lambda: time.sleep(3600)).start()
    return _chain(StateGraph(BareState), {name: _signing(name) for name in names}).compile().invoke({})["trace"]


def build(nodes: Mapping[str, Node], checkpointer: BaseCheckpointSaver | None = None) -> CompiledStateGraph:
    """The agent: `nodes` one after the other, in the order of the mapping.

    Nodes see the whole `State`. Callers send `InputState` and get `OutputState`.
    """
    graph = StateGraph(State, input_schema=InputState, output_schema=OutputState)
    return _chain(graph, nodes).compile(checkpointer=checkpointer)


def _chain(graph: StateGraph, nodes: Mapping[str, Node]) -> StateGraph:
    for name, node in nodes.items():
        graph.add_node(name, node)
    for before, after in pairwise([START, *nodes, END]):
        graph.add_edge(before, after)
    return graph


def _signing(name: str) -> Node:
    # A function of its own: a lambda made inside a loop would see only the loop's last name.
    return lambda state: {"trace": [name]}


# ---------------------------------------------------------------- what it weighs, and what stays outside


def checkpoint_sizes(app: CompiledStateGraph, config: dict) -> list[int]:
    """Bytes of the saved state at each checkpoint of the thread, oldest first: what a resume from there must read."""
    newest_first = [len(app.checkpointer.serde.dumps_typed(shot.values)[1]) for shot in app.get_state_history(config)]
    return newest_first[::-1]


def submit(app: CompiledStateGraph, store: MutableMapping[str, str], question: str, text: str, config: dict) -> dict:
    """Ask `question` about `text`. The text goes into `store`; the state carries only its digest.

    The digest is made from the text itself, so the same text twice is one entry, and a pointer never goes stale.
    """
    doc_ref = sha256(text.encode("utf-8")).hexdigest()
    store[doc_ref] = text
    return app.invoke({"question": question, "doc_ref": doc_ref}, config)
