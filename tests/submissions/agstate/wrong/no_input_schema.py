"""One schema is missing: the input schema."""

EXPECT = {"agstate.schemas": "AGS-NO-INPUT-SCHEMA"}


def build(nodes, checkpointer=None):
    return _chain(StateGraph(State, output_schema=OutputState), nodes).compile(checkpointer=checkpointer)
