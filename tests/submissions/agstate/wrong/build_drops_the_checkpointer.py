"""A `build` that takes a checkpointer and does not pass it on."""

EXPECT = {"agstate.schemas": "AGS-NO-CHECKPOINTER"}


def build(nodes, checkpointer=None):
    return _chain(StateGraph(State, input_schema=InputState, output_schema=OutputState), nodes).compile()
