from __future__ import annotations

import hashlib
import operator
from typing import Annotated, Optional

from langgraph.graph import END, StateGraph
from typing_extensions import NotRequired, TypedDict

WINDOW = 3


def _once(same):
    def merge(old, new):
        out = []
        for part in (old, new):
            for item in part if part is not None else []:
                if not any(same(item, other) for other in out):
                    out.append(item)
        return out

    return merge


merge_sources = _once(operator.eq)


def keep_max(old: Optional[float], new: Optional[float]) -> Optional[float]:
    if old is None or (new is not None and new > old):
        return new
    return old


def keep_recent(old, new):
    out = list(old) if old is not None else []
    for note in new if new is not None else []:
        out.append(note)
    while len(out) > WINDOW:
        out.pop(0)
    return out


class BareState(TypedDict):
    trace: list[str]


class Open(TypedDict):
    question: str
    doc_ref: str


class State(Open):
    answer: NotRequired[str]
    memo: str
    trace: Annotated[list[str], operator.add]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[Optional[float], keep_max]
    notes: Annotated[list[str], keep_recent]
    used_calls: Annotated[int, operator.add]


InputState = Open


class OutputState(TypedDict):
    answer: str
    sources: Annotated[list, merge_sources]


DECISIONS = {
    "question": ("overwrite", "A run has a single question, and the newest counts."),
    "doc_ref": ("overwrite", "Only the document of the current run is pointed at."),
    "answer": ("overwrite", "The customer gets one reply, which is the latest."),
    "memo": ("overwrite", "A slip between neighbours; older slips are noise."),
    "trace": ("append", "Whoever looks for a fault needs each line of the log."),
    "sources": ("dedupe", "A reader does not want one page listed twice."),
    "best_score": ("max", "The best draft stays the best when a worse one follows."),
    "notes": ("window", "A prompt has a limit, so only the last notes go in."),
    "used_calls": ("sum", "The bill is what all nodes spent together."),
}


def _row(graph, nodes):
    previous = None
    for name, node in nodes.items():
        graph.add_node(name, node)
        if previous is None:
            graph.set_entry_point(name)
        else:
            graph.add_edge(previous, name)
        previous = name
    graph.add_edge(previous, END)
    return graph


def run_bare(names):
    def saying(name):
        def node(state):
            return {"trace": [name]}

        return node

    return _row(StateGraph(BareState), {name: saying(name) for name in names}).compile().invoke({"trace": []})["trace"]


def build(nodes, checkpointer=None):
    return _row(StateGraph(State, input_schema=InputState, output_schema=OutputState), nodes).compile(checkpointer=checkpointer)


def checkpoint_sizes(app, config):
    history = list(app.get_state_history(config))
    history.reverse()
    return [len(app.checkpointer.serde.dumps_typed(snapshot.values)[1]) for snapshot in history]


def submit(app, store, question, text, config):
    digest = hashlib.new("sha256")
    digest.update(bytes(text, "utf-8"))
    store.update({digest.hexdigest(): text})
    return app.invoke({"doc_ref": digest.hexdigest(), "question": question}, config)
