"""One schema is missing: the output schema."""

EXPECT = {"agstate.schemas": "AGS-NO-OUTPUT-SCHEMA"}


def build(nodes, checkpointer=None):
    return _chain(StateGraph(State, input_schema=InputState), nodes).compile(checkpointer=checkpointer)
