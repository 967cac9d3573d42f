"""Trimming in a node: the rule of the key only appends."""

EXPECT = {"agstate.window": "AGS-TRIM-IN-NODE"}
MAY = ["agstate.decisions", "agstate.schemas"]


class State(TypedDict, total=False):
    question: str
    doc_ref: str
    answer: str
    memo: str
    trace: Annotated[list, add]
    sources: Annotated[list, merge_sources]
    best_score: Annotated[float | None, keep_max]
    notes: Annotated[list, add]
    used_calls: Annotated[int, add]


def build(nodes, checkpointer=None):
    def trimming(node):
        def run(state):
            update = node(state)
            return {**update, "notes": (update.get("notes") or [])[-WINDOW:]} if "notes" in update else update

        return run

    graph = StateGraph(State, input_schema=InputState, output_schema=OutputState)
    return _chain(graph, {name: trimming(node) for name, node in nodes.items()}).compile(checkpointer=checkpointer)
