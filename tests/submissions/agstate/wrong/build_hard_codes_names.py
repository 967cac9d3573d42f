"""A `build` that knows how many nodes there are."""

EXPECT = {"agstate.schemas": "AGS-HARD-CODED"}


def build(nodes, checkpointer=None):
    graph = StateGraph(State, input_schema=InputState, output_schema=OutputState)
    return _chain(graph, dict(list(nodes.items())[:3])).compile(checkpointer=checkpointer)
