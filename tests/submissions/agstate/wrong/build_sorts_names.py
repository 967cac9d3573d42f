"""A `build` that sorts the names."""

EXPECT = {"agstate.schemas": "AGS-SORTED"}


def build(nodes, checkpointer=None):
    graph = StateGraph(State, input_schema=InputState, output_schema=OutputState)
    return _chain(graph, dict(sorted(nodes.items()))).compile(checkpointer=checkpointer)
