"""Everything as objects."""

from functools import partial
from hashlib import sha256
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph

WINDOW = 3


class Merger:
    """A reducer with a rule inside."""

    def __init__(self, rule):
        self.rule = rule

    def __call__(self, old, new):
        return self.rule(list(old or []), list(new or []))


def _each_once(old, new):
    out = []
    for item in old + new:
        if all(item != other for other in out):
            out.append(item)
    return out


merge_sources = Merger(_each_once)
keep_recent = Merger(lambda old, new: (old + new)[len(old + new) - WINDOW :] if len(old + new) > WINDOW else old + new)
appended = Merger(lambda old, new: old + new)


def keep_max(old, new):
    return max((score for score in (old, new) if score is not None), default=None)


def add_up(old: int, new: int) -> int:
    return (old or 0) + (new or 0)


class BareState(TypedDict, total=False):
    trace: Any


class State(TypedDict, total=False):
    used_calls: Annotated[int, add_up]
    notes: Annotated[list, keep_recent]
    best_score: Annotated["float | None", keep_max]
    sources: Annotated[list, merge_sources]
    trace: Annotated[list, appended]
    memo: str
    answer: str
    doc_ref: str
    question: str


class InputState(TypedDict, total=False):
    question: str
    doc_ref: str


class OutputState(TypedDict, total=False):
    answer: str
    sources: list


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


def _say(name, state):
    return {"trace": [name]}


def run_bare(names):
    graph = StateGraph(BareState)
    for name in names:
        graph.add_node(name, partial(_say, name))
    for before, after in zip([START, *names], [*names, END]):
        graph.add_edge(before, after)
    for values in graph.compile().stream({}, stream_mode="values"):
        last = values
    return last["trace"]


def build(nodes, checkpointer=None):
    graph = StateGraph(State, input_schema=InputState, output_schema=OutputState)
    order = [START, *nodes, END]
    for name in nodes:
        graph.add_node(name, nodes[name])
    for pair in zip(order, order[1:]):
        graph.add_edge(*pair)
    return graph.compile(checkpointer=checkpointer, name="agent")


def checkpoint_sizes(app, config):
    saver = app.checkpointer
    return list(reversed([len(saver.serde.dumps_typed(each.values)[1]) for each in app.get_state_history(config)]))


class Shelf:
    def __init__(self, store):
        self.store = store

    def keep(self, text):
        ticket = sha256(text.encode("utf8")).hexdigest()
        self.store[ticket] = text
        return ticket


def submit(app, store, question, text, config):
    ticket = Shelf(store).keep(text)
    return app.invoke({"question": question, "doc_ref": ticket}, config)
