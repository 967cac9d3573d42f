"""A node that returns the whole state: everything doubles."""

EXPECT = {"agstate.schemas": "AGS-WHOLE-STATE"}


def build(nodes, checkpointer=None):
    def whole(node):
        return lambda state: {**state, **node(state)}

    graph = StateGraph(State, input_schema=InputState, output_schema=OutputState)
    return _chain(graph, {name: whole(node) for name, node in nodes.items()}).compile(checkpointer=checkpointer)
