import operator
from hashlib import sha256
from typing import Annotated, TypedDict, Union

from langgraph.graph import START, StateGraph

WINDOW = 3


def merge_sources(old, new):
    both = list(old or ()) + list(new or ())
    return [item for at, item in enumerate(both) if item not in both[:at]]


def keep_max(old, new):
    known = [value for value in (old, new) if value is not None]
    return max(known, default=None)


def keep_recent(old, new):
    both = list(old or ()) + list(new or ())
    return both[-WINDOW:] if WINDOW else []


BareState = TypedDict("BareState", {"trace": list}, total=False)
State = TypedDict(
    "State",
    {
        "question": str,
        "doc_ref": str,
        "answer": str,
        "memo": str,
        "trace": Annotated[list, operator.add],
        "sources": Annotated[list, merge_sources],
        "best_score": Annotated[Union[float, None], keep_max],
        "notes": Annotated[list, keep_recent],
        "used_calls": Annotated[int, operator.add],
    },
    total=False,
)
InputState = TypedDict("InputState", {"question": str, "doc_ref": str}, total=False)
OutputState = TypedDict("OutputState", {"answer": str, "sources": list}, total=False)

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


def run_bare(names):
    graph = StateGraph(BareState)
    graph.add_sequence([(name, lambda state, name=name: {"trace": [name]}) for name in names])
    graph.add_edge(START, names[0])
    return graph.compile().invoke({"trace": ["begin"]})["trace"]


def build(nodes, checkpointer=None):
    graph = StateGraph(State, input_schema=InputState, output_schema=OutputState)
    graph.add_sequence(list(nodes.items()))
    graph.add_edge(START, list(nodes)[0])
    return graph.compile(checkpointer)


def checkpoint_sizes(app, config):
    sizes = []
    for snapshot in app.get_state_history(config):
        kind, packed = app.checkpointer.serde.dumps_typed(snapshot.values)
        sizes.insert(0, len(packed))
    return sizes


def submit(app, store, question, text, config):
    key = sha256(text.encode()).hexdigest()
    if key not in store:
        store[key] = text
    return app.invoke(dict(question=question, doc_ref=key), config=config)
